"""The gain of a private density: each failing statement of Theorem 7 and of its proof, from its rationals."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

from flint import arb

from tests.counterexamples.rational import ball, divergence, is_law, precision, sign

VERIFIED = {
    "MBDE-T7-up": "test_the_absolute_range_allows_twice_the_gain",
    "MBDE-E60-64": "test_the_absolute_range_allows_twice_the_gain",
    "MBDE-T7-low": "test_the_lower_bound_exceeds_the_gain",
    "MBDE-Gam": "test_gamma_lies_below_the_line",
    "MBDE-E65-66": "test_the_first_drop_is_smaller_than_claimed",
    "MBDE-E65-68": "test_log2_in_place_of_a_smaller_largest_value",
    "MBDE-E69": "test_the_line_in_place_of_gamma",
    "MBDE-E71": "test_the_sum_ends_one_step_early",
}


def exceeds_half_log_range(measure, q0, q, p, root):
    """Tell exactly whether a P that sits on one point gains more than eps/2 = log root; Q0 and Q must be in range."""
    assert is_law(measure)
    for law in (q0, q):
        assert is_law(law)
        assert all(1 / root <= a / m <= root for a, m in zip(law, measure, strict=True))
    place = p.index(F(1))
    return q[place] / q0[place] > root


def test_the_absolute_range_allows_twice_the_gain():
    """On [0, 1], A = [0, 1/10), e^{eps/2} = 3/2: the gain is log(9/4) = eps. With Q0 = 1 it is eps/2."""
    measure, p = (F(1, 10), F(9, 10)), (F(1), F(0))
    q0 = (F(2, 3) * F(1, 10), F(28, 27) * F(9, 10))
    q = (F(3, 2) * F(1, 10), F(17, 18) * F(9, 10))
    assert exceeds_half_log_range(measure, q0, q, p, F(3, 2))
    assert q[0] / q0[0] == F(3, 2) ** 2
    assert not exceeds_half_log_range(measure, measure, q, p, F(3, 2))
    # (6) with theta_1(eps): the one statistic has two values, and one of the two ranges beyond log 2
    with precision():
        eps = 2 * ball(F(3, 2)).log()
        theta = eps / (eps + 4 * arb(2).log())
        width = (ball(q[0] / q0[0]) / ball(q[1] / q0[1])).log() / theta
        assert sign(width - 2 * arb(2).log()) > 0


def run(p, q0, signs, theta):
    """Return Q_1, Q_2, ... as balls for c_t = signs_t log 2 (rationals) and rational steps."""
    laws, q = [], [ball(x) for x in q0]
    for row, step in zip(signs, theta, strict=True):
        q = [a * (arb(2).log() * ball(step * s)).exp() for a, s in zip(q, row, strict=True)]
        total = sum(q, arb(0))
        q = [a / total for a in q]
        laws.append(q)
    return laws


def gain(p, q0, q):
    return sum((ball(a) * (b / ball(c)).log() for a, b, c in zip(p, q, q0, strict=True)), arb(0))


def coins(heads, count):
    law = []
    for point in product((0, 1), repeat=count):
        mass = F(1)
        for x in point:
            mass *= heads if x else 1 - heads
        law.append(mass)
    return law


def gain_minus_claim(rounds, gamma_p, gamma_q):
    """Coins 9/10 and 1/4, eps = 4 log 2, c_t = +-log 2 on coin t: all 2^T points are listed."""
    p, q0 = coins(F(9, 10), rounds), coins(F(1, 4), rounds)
    assert is_law(p)
    assert is_law(q0)
    signs = [[2 * point[t] - 1 for point in product((0, 1), repeat=rounds)] for t in range(rounds)]
    theta = [F(1, 2) ** t for t in range(1, rounds + 1)]
    laws = run(p, q0, signs, theta)
    before = [[ball(x) for x in q0], *laws[:-1]]
    for row, law in zip(signs, before, strict=True):  # the assumption, in every round; c* = log 2
        assert sum(a * s for a, s in zip(p, row, strict=True)) > gamma_p
        assert sign(-sum((a * s for a, s in zip(law, row, strict=True)), arb(0)) - ball(gamma_q)) > 0
    assert gamma_q >= F(1, 3)
    eps = 4 * arb(2).log()
    claim = eps / 2 * ball((gamma_p + gamma_q) / 2 * (1 - theta[-1]))
    return gain(p, q0, laws[-1]) - claim


def test_the_lower_bound_exceeds_the_gain():
    """One round on two points, and up to five rounds with the same edges; half the edges are a sound claim."""
    with precision():
        first = gain_minus_claim(1, F(79, 100), F(49, 100))
        assert sign(first) < 0
        assert sign(first + ball(F(42, 1000))) < 0
        for rounds in range(2, 6):
            assert sign(gain_minus_claim(rounds, F(79, 100), F(49, 100))) < 0
            assert sign(gain_minus_claim(rounds, F(4, 10), F(1, 3))) > 0


def gamma_at_least_line(x):
    """Decide Gamma(x) >= x log 2 exactly for x = m/n: (4/(5 - 3 x))^n >= 2^m."""
    return (4 / (5 - 3 * x)) ** x.denominator >= F(2) ** x.numerator


def test_gamma_lies_below_the_line():
    assert 4 / (5 - 3 * F(1, 3)) == 1  # Gamma(1/3) = 0
    assert not gamma_at_least_line(F(1, 3))
    assert not any(gamma_at_least_line(F(k, 50)) for k in range(50))
    assert gamma_at_least_line(F(1))


def first_drop_excess(scale):
    """P = (3, 1)/4, Q0 = (1, 3)/4, theta_1 = 1/2, c = +-scale log 2, edges 49/100 < 1/2."""
    p, q0, edge, step = (F(3, 4), F(1, 4)), (F(1, 4), F(3, 4)), F(49, 100), F(1, 2)
    assert p[0] - p[1] > edge
    assert q0[1] - q0[0] > edge
    (q,) = run(p, q0, [(scale, -scale)], [step])
    rate = ball(scale * edge) * arb(2).log() + (4 / (5 - 3 * ball(edge))).log()
    return gain(p, q0, q) - ball(step) * rate


def test_the_first_drop_is_smaller_than_claimed():
    with precision():
        assert sign(first_drop_excess(F(1, 10))) < 0
        assert sign(first_drop_excess(F(1))) > 0
        p, q0 = (F(3, 4), F(1, 4)), (F(1, 4), F(3, 4))
        assert sign(divergence(p, q0) - ball(F(1, 2))) > 0  # not for lack of room


def left_minus_right_68(scale, edge_p=F(49, 100), theta=F(1, 2)):
    """(67) minus (68) over log 2, T = 2, the same edges: -theta (s - 1) gamma_P; the inequality needs <= 0."""
    return -theta * scale * edge_p + theta * edge_p


def test_log2_in_place_of_a_smaller_largest_value():
    assert left_minus_right_68(F(1, 10)) == F(1, 2) * F(9, 10) * F(49, 100) > 0
    assert left_minus_right_68(F(1)) <= 0


def left_minus_right_69(edge_q, theta=F(1, 2)):
    """(68) minus (69), T = 2: theta (gamma_Q log 2 - Gamma(gamma_Q)); the inequality needs <= 0."""
    return ball(theta) * (ball(edge_q) * arb(2).log() - (4 / (5 - 3 * ball(edge_q))).log())


def test_the_line_in_place_of_gamma():
    with precision():
        at_third = left_minus_right_69(F(1, 3))
        assert sign(at_third) > 0
        assert (at_third - arb(2).log() / 6).contains(0)
        assert left_minus_right_69(F(1)).contains(0)  # at 1 the two sides agree


def test_the_sum_ends_one_step_early():
    """theta_1 = 1/2: the sum to T - 1 against the closed form with theta_T, and the sum to T."""
    r = F(1, 2)
    for last in range(1, 6):
        claim = r * (1 - r**last) / (1 - r)
        assert sum((r**t for t in range(1, last)), F(0)) != claim
        assert sum((r**t for t in range(1, last + 1)), F(0)) == claim
