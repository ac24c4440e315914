"""The counterexamples of the page on the recipe, each from rationals alone, with a sound variant beside it."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product
from math import ceil, comb, floor

import pytest

from tests.counterexamples.rational import ball, precision, sign

VERIFIED = {
    "BS-C3": "test_no_integer_between_the_bounds",
    "BS-C3-recipe": "test_the_recipe_misses_the_lower_bound",
    "BS-C3-L": "test_no_integer_between_the_bounds",
    "BS-C3-min": "test_a_smaller_pseudocount_is_allowed",
    "BS-C3-k": "test_the_rounded_root_can_be_one",
}
#: gamma, delta, eps, n, |Sigma|
SMALLEST = (F(9, 10), F(4, 5), F(23, 10), 1, 2)
FIGURE = (F(1, 4), F(1, 100), F(1, 20), 10_000, 2)
SMALLER = (F(2, 5), F(9, 10), F(41, 10), 1, 2)
LARGE = (F(1, 2), F(1, 2), F(20), 10, 2)


def lower(gamma, delta):
    return 2 / ball(gamma) ** 2 * ball(2 / delta).log()


def upper(gamma, eps, n, size, k):
    return ball(eps) / (ball(F(1, n + k * size) + 2 * gamma) * ball(F(k + 1, k)).log())


def polynomial(gamma, eps, n, size, k, low):
    """a2 k^2 + a1 k + a0 of Corollary 3, with `low` in the place of L."""
    return ball(eps * size * k * k) + (ball(eps * n) - 2 * size * ball(gamma) * low) * k - ball(2 * n * gamma + 1) * low


def rounded_root(gamma, delta, eps, n, size, *, whole=False):
    """The least integer k >= 1 at which the polynomial is certainly positive; below it is certainly negative."""
    low = lower(gamma, delta)
    if whole:
        low = ball(whole_above(low))
    high = 1
    while not polynomial(gamma, eps, n, size, high, low) >= 0:
        high += 1
    if high > 1:
        assert sign(polynomial(gamma, eps, n, size, high - 1, low)) == -1
    return high


def whole_above(value):
    """The integer above a ball that holds none."""
    found = ceil(float(value.mid()))
    assert value < found
    assert value > found - 1
    return found


def integers_between(gamma, delta, eps, n, size, k):
    """The integers m with L <= m <= U."""
    low, high = lower(gamma, delta), upper(gamma, eps, n, size, k)
    return [m for m in range(floor(float(low.mid())) - 1, ceil(float(high.mid())) + 2) if low <= m and high >= m]


@pytest.mark.parametrize(("setting", "k"), [(SMALLEST, 2), (FIGURE, 1696)])
def test_no_integer_between_the_bounds(setting, k):
    gamma, delta, eps, n, size = setting
    with precision():
        assert rounded_root(*setting) == k >= 2
        assert lower(gamma, delta) < upper(gamma, eps, n, size, k)  # a real number fits: the condition "m real"
        assert integers_between(*setting, k) == []
        # sound variant: L rounded up in the polynomial
        mended = rounded_root(*setting, whole=True)
        assert mended > k
        assert whole_above(lower(gamma, delta)) in integers_between(*setting, mended)


def test_the_recipe_misses_the_lower_bound():
    gamma, delta, eps, n, size = SMALLEST
    with precision():
        k = rounded_root(*SMALLEST)
        m = whole_above(upper(gamma, eps, n, size, k)) - 1
        assert (k, m) == (2, 2)
        assert lower(gamma, delta) > m
        assert lower(gamma, delta) < 4 * m  # sound: a quarter of L is met
        mended = rounded_root(*SMALLEST, whole=True)
        assert lower(gamma, delta) <= whole_above(upper(gamma, eps, n, size, mended)) - 1
    # sound: the mechanism with k = m = 2 and one binary record is private, with no loss above eps
    laws = [[F(a, 5) for a in pair] for pair in ((3, 2), (2, 3))]
    ratios = [x / y for p, q in (laws, laws[::-1]) for x, y in zip(p, q, strict=True)]
    with precision():
        assert 2 * ball(max(ratios)).log() < ball(eps)


def test_a_smaller_pseudocount_is_allowed():
    gamma, delta, eps, n, size = SMALLER
    with precision():
        assert rounded_root(*SMALLER) == 3
        assert integers_between(*SMALLER, 2) == [10]
        # under the condition: with the simpler bound U_L = eps k / (1/N + 2 gamma) of Corollary 3, 2 is too small
        simple = [ball(eps * k / (F(1, n + k * size) + 2 * gamma)) for k in (2, 3)]
        assert simple[0] < lower(gamma, delta) < simple[1]


def exact_delta(level_low, level_high, n, size, k, m):
    """Bounds of the least delta over all pairs of data sets, from sums over the types of binary outputs (size 2)."""
    assert size == 2
    total, best_low, best_high = n + 2 * k, F(0), F(0)
    for ones, step in product(range(n + 1), (-1, 1)):
        if not 0 <= ones + step <= n:
            continue
        p, q = F(ones + k, total), F(ones + step + k, total)
        low = high = F(0)
        for v in range(m + 1):
            one, two = (comb(m, v) * x**v * (1 - x) ** (m - v) for x in (p, q))
            low += max(F(0), one - level_high * two)
            high += max(F(0), one - level_low * two)
        best_low, best_high = max(best_low, low), max(best_high, high)
    return best_low, best_high


def test_the_rounded_root_can_be_one():
    """e^20 lies between 4.85e8 and 4.86e8. With k = 1 the bounds of Theorem 2 are met, and delta is far below 1/2."""
    _gamma, delta, eps, n, size = LARGE
    with precision():
        assert rounded_root(*LARGE) == 1
        assert integers_between(*LARGE, 1)
        m = max(integers_between(*LARGE, 1))
        assert ball(485_000_000) < ball(eps).exp() < ball(486_000_000)
    found_low, found = exact_delta(F(485_000_000), F(486_000_000), n, size, 1, m)
    assert found_low <= found <= delta
    # sound: what the same sums say of far too many records
    assert exact_delta(F(485_000_000), F(486_000_000), n, size, 1, 40 * m)[0] > F(1, 10)
