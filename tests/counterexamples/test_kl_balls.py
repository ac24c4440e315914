"""The counterexamples of the page on KL balls, each from rationals alone, with a sound variant beside it."""

from __future__ import annotations

from fractions import Fraction as F

from tests.counterexamples.rational import ball, divergence, is_law, precision, sign

VERIFIED = {
    "MBDE-L17-E94": "test_the_printed_decomposition_fails",
    "MBDE-L18": "test_a_coin_gives_a_perfect_output_beside_a_bad_one",
    "MBDE-L18-proof": "test_outputs_of_neighbours_have_no_bounded_ratio",
    "MBDE-S86": "test_a_coin_gives_a_perfect_output_beside_a_bad_one",
    "MBDE-S6-best": "test_nothing_is_eps_further_than_the_target_itself",
}
HALF = (F(1, 2), F(1, 2))
BAD = (F(1, 100), F(99, 100))


def decomposition_gap(p, one, two, ratio):
    """KL(P, Q) less KL(P, Q') and the integral of log(ratio) under P, as a ball."""
    assert is_law(p)
    assert is_law(one)
    assert is_law(two)
    integral = sum(ball(x) * ball(r).log() for x, r in zip(p, ratio, strict=True))
    return divergence(p, two) - divergence(p, one) - integral


def test_the_printed_decomposition_fails():
    p, one, two = (F(1), F(0)), (F(1, 3), F(2, 3)), HALF
    with precision():
        printed = decomposition_gap(p, one, two, [b / a for a, b in zip(one, two, strict=True)])
        assert sign(printed) == -1
        assert abs(printed - ball(F(4, 9)).log()) < ball(F(1, 10**60))  # log 2 less log(9/2)
        mended = decomposition_gap(p, one, two, [a / b for a, b in zip(one, two, strict=True)])
        assert mended.contains(0)
        assert abs(mended) < ball(F(1, 10**60))


def claim_fails(outputs, probabilities, target, size, eps):
    """Two data sets share one randomised choice of a density, so that it is private at every level.

    Whether some output is certainly below the largest divergence of an output less size * eps.
    """
    assert is_law(probabilities)
    assert all(is_law(q) for q in outputs)
    assert eps > 0
    possible = [q for q, w in zip(outputs, probabilities, strict=True) if w > 0]
    with precision():
        values = [divergence(target, q) for q in possible]
        return any(low < high - ball(size * eps) for low in values for high in values)


def test_a_coin_gives_a_perfect_output_beside_a_bad_one():
    assert claim_fails((HALF, BAD), HALF, HALF, 10, F(1, 10))
    with precision():
        assert divergence(HALF, HALF) == 0
        assert sign(divergence(HALF, BAD) - 1 - ball(F(614, 1000))) == 1
    # one density only: deterministic, and the claim holds
    assert not claim_fails((HALF, BAD), (F(0), F(1)), HALF, 10, F(1, 10))
    # the law of one draw does not depend on the data, so its divergence is the same on both
    mean = tuple((a + b) / 2 for a, b in zip(HALF, BAD, strict=True))
    assert not claim_fails((mean,), (F(1),), HALF, 10, F(1, 10))


def largest_ratio(one, two):
    return max(a / b for q in one for law in two for a, b in zip(q, law, strict=True))


def test_outputs_of_neighbours_have_no_bounded_ratio():
    """The coin again on two neighbours: a ratio of 50 between outputs, 1 between the laws of one draw."""
    level = F(11, 10)
    assert largest_ratio((HALF, BAD), (HALF, BAD)) == 50 > level
    mean = tuple((a + b) / 2 for a, b in zip(HALF, BAD, strict=True))
    assert largest_ratio((mean,), (mean,)) == 1 <= level


def attains(p, one, two, root):
    """Whether {Q, Q'} is a mollifier of level log(root) with KL(P, Q) = KL(P, Q') + log(root), decided in rationals.

    The difference is the mean under P of log(Q'/Q) <= log(root): equal if and only if Q' = root Q where P sits.
    """
    assert is_law(p)
    assert is_law(one)
    assert is_law(two)
    inside = all(max(a / b, b / a) <= root for a, b in zip(one, two, strict=True))
    return inside and all(a == root * b for x, a, b in zip(p, one, two, strict=True) if x > 0)


def test_nothing_is_eps_further_than_the_target_itself():
    """At delta = 0, P = Q': equality needs Q' = 2 Q at all points, whose masses would be 1 and 1/2.

    The most that can be added is the mean of log(Q'/Q) under Q'; -log y lies below its chord on [1/2, 2] and y = Q/Q'
    has mean 1 under Q', so the mean is at most the chord at 1, a third of log 2.
    """
    root = F(2)
    at_one = (root - 1) / (root - 1 / root)  # share of the end 1/root in the chord at y = 1
    assert at_one * (1 / root) + (1 - at_one) * root == 1
    assert at_one - (1 - at_one) == F(1, 3)  # the chord at 1, in units of log 2: certainly below 1
    high, low = F(2, 3), F(1, 3)
    assert not attains((high, low), (high, low), (low, high), root)  # attains the third of log 2, not all
    with precision():
        added = divergence((high, low), (low, high))
        assert abs(added - ball(F(1, 3)) * ball(root).log()) < ball(F(1, 10**60))
    # sound variant: delta = log(3/2) = log(1 + 1/root)
    assert attains((F(1), F(0)), (high, low), (low, high), root)
    assert attains((F(1), F(0), F(0)), (high / 2, high / 2, low), (low / 2, low / 2, high), root)
