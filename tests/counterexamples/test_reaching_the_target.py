"""Sentences about reaching the limit, the mollification and the target: each failing one, from its rationals."""

from __future__ import annotations

from fractions import Fraction as F

from flint import arb

from tests.counterexamples.rational import ball, divergence, is_law, precision, sign

VERIFIED = {
    "MBDE-T7-r1": "test_a_small_classifier_does_not_reach_the_limit",
    "MBDE-T7-reach": "test_a_small_classifier_does_not_reach_the_limit",
    "V3-limit": "test_a_small_classifier_does_not_reach_the_limit",
    "V3-approxmoll": "test_the_coin_keeps_a_distance",
    "V3-epsP-app": "test_the_coin_keeps_a_distance",
    "V3-epsmono": "test_a_larger_budget_goes_beyond_the_target",
    "V3-epsP": "test_the_mixture_leaves_every_level",
    "V2-conv": "test_edges_last_and_nothing_converges",
}


def steps(eps, rounds):
    ratio = eps / (eps + 4 * arb(2).log())
    return [ratio**t for t in range(1, rounds + 1)]


def test_a_small_classifier_does_not_reach_the_limit():
    """Edges 1 - 2a with a = 2^-30: with c* = (log 2)/10 the gain is about a tenth of the barrier."""
    atom, rounds, eps = F(1, 2**30), 20, 1
    p, base = (1 - atom, atom), (atom, 1 - atom)
    assert is_law(p)
    assert is_law(base)
    with precision():
        shares = {}
        for scale in (F(1, 10), F(1)):
            total = sum(steps(arb(eps), rounds), arb(0)) * arb(2).log() * ball(scale)
            weights = [ball(base[0]) * total.exp(), ball(base[1]) * (-total).exp()]
            mass = weights[0] + weights[1]
            gain = sum((ball(a) * (w / mass / ball(q)).log() for a, w, q in zip(p, weights, base, strict=True)), arb(0))
            edge_q = (weights[1] - weights[0]) / mass  # over Q_T, so smaller than over Q_0, ..., Q_{T-1}
            assert sign(edge_q - ball(F(99, 100))) > 0
            shares[scale] = gain / (arb(eps) / 2)
        # the edges alone promise more than 98 per cent
        assert sign(shares[F(1, 10)] - ball(F(11, 100))) < 0
        assert sign(shares[F(1)] - ball(F(98, 100))) > 0
        # the mollification gains nearly all of the barrier in both cases
        best = [ball(atom) * (arb(eps) / 2).exp()]
        best.append(1 - best[0])
        gain = sum((ball(a) * (m / ball(q)).log() for a, m, q in zip(p, best, base, strict=True)), arb(0))
        assert sign(gain / (arb(eps) / 2) - ball(F(98, 100))) > 0


def closest_coin(p, root):
    """The closest coin to (p, 1 - p) whose odds lie in [1/r, r], the range of outputs from a fair coin."""
    odds = p / (1 - p)
    odds = min(max(odds, 1 / root), root)
    return (odds / (1 + odds), 1 / (1 + odds))


def test_the_coin_keeps_a_distance():
    """e^{eps/2} = 2: outputs from a fair coin have odds below 2, the mollifier has masses from 1/4 to 3/4 of one."""
    p, fair, root = (F(3, 4), F(1, 4)), (F(1, 2), F(1, 2)), F(2)
    assert all(1 / root <= a / q <= root for a, q in zip(p, fair, strict=True))  # P is in the mollifier
    closest = closest_coin(p[0], root)
    assert closest == (F(2, 3), F(1, 3))
    with precision():
        assert sign(divergence(p, closest) - ball(F(164, 10_000))) > 0
        assert sign(divergence(p, closest) - ball(F(165, 10_000))) < 0
    # at twice the level there is no distance left, nor for a target with odds below 2
    assert closest_coin(p[0], root**2) == p
    assert closest_coin(F(11, 20), root) == (F(11, 20), F(9, 20))


def test_a_larger_budget_goes_beyond_the_target():
    base = (F(33, 100), F(67, 100))
    assert F(1, 3) <= base[1] - base[0] < 1  # the high regime

    def distance(p, eps):
        u = steps(arb(eps), 1)[0] * arb(2).log()
        weights = [ball(base[0]) * u.exp(), ball(base[1]) * (-u).exp()]
        total = weights[0] + weights[1]
        return sum((ball(a) * (ball(a) * total / w).log() for a, w in zip(p, weights, strict=True)), arb(0))

    with precision():
        near = (F(21, 40), F(19, 40))
        assert sign(distance(near, 20) - distance(near, 4)) > 0
        far = (F(4, 5), F(1, 5))
        assert sign(distance(far, 20) - distance(far, 4)) < 0


def test_the_mixture_leaves_every_level():
    def log_ratio(modes, x):
        density = sum(((-ball((x - m) ** 2 / (2 * v))).exp() / ball(v).sqrt() for m, v in modes), arb(0)) / len(modes)
        return density.log() + ball(x * x / 2)

    variances = ((F(3, 10), F(1, 100)), (F(1, 2), F(1, 10)), (F(7, 10), F(1, 10)))
    deviations = ((F(3, 10), F(1, 10_000)), (F(1, 2), F(1, 100)), (F(7, 10), F(1, 100)))
    wide = ((F(0), F(1)), (F(0), F(1, 4)))
    with precision(1024):
        for modes in (variances, deviations):
            assert sign(log_ratio(modes, F(64)) + 500) < 0  # below -eps/2 for eps = 1000
        assert all(sign(abs(log_ratio(wide, F(x))) - 1) < 0 for x in (0, 1, 8, 64))


def test_three_rounds_with_kept_edges_are_impossible():
    """Edges 1/3 and c* = log 2 at eps = 100: three rounds lower the divergence by more than KL(P, Q0) = log(3)/2."""
    with precision():
        start = divergence((F(3, 4), F(1, 4)), (F(1, 4), F(3, 4)))
        assert abs(start - arb(3).log() / 2) < arb(2) ** -200
        third = ball(F(1, 3))

        def needed(rounds):
            lengths = [step * arb(2).log() for step in steps(arb(100), rounds)]
            return sum((u * third - (u.cosh() - third * u.sinh()).log() for u in lengths), arb(0))

        assert sign(needed(3) - start) > 0
        assert sign(needed(2) - start) < 0


def test_edges_last_and_nothing_converges():
    """c_t = 2^-t (log 2)/5 (1, -1): for all eps and T the steps add up to less than (log 2)/5."""
    p, base = (F(3, 4), F(1, 4)), (F(1, 4), F(3, 4))
    with precision():

        def law(length):  # of Q_T where the steps add up to `length`; rising in the length
            weights = [ball(base[0]) * length.exp(), ball(base[1]) * (-length).exp()]
            return [w / (weights[0] + weights[1]) for w in weights]

        limit = law(arb(2).log() / 5)
        assert p[0] - p[1] == F(1, 2)  # the edge over P
        assert sign(limit[1] - limit[0] - ball(F(1, 3))) > 0  # the edge over every Q_t is larger than this
        assert sign(ball(p[0]) - limit[0]) > 0  # so the divergence falls up to the limit, and is larger before
        left = sum((ball(a) * (ball(a) / b).log() for a, b in zip(p, limit, strict=True)), arb(0))
        assert sign(left - ball(F(418, 1000))) > 0
        # actual runs, at large budgets
        for eps in (100, 10**6):
            lengths = [step / 2 ** (t + 1) * arb(2).log() / 5 for t, step in enumerate(steps(arb(eps), 40))]
            assert sign(limit[0] - law(sum(lengths, arb(0)))[0]) > 0
        # a whole step with log 2 leaves no such edge
        whole = law(steps(arb(100), 1)[0] * arb(2).log())
        assert sign(whole[1] - whole[0] - ball(F(1, 3))) < 0
