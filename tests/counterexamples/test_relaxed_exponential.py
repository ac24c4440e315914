"""Claims of the page on the relaxed exponential mechanism whose counterexamples count types, from rationals alone."""

from fractions import Fraction as F
from itertools import product
from math import factorial

VERIFIED = {
    "BS-T5-mode": "test_a_constant_data_set_is_more_probable_than_one_of_the_right_type",
    "BS-T5-43": "test_the_sensitivity_is_smaller_and_larger_than_the_maximum_over_two_shares",
    "BS-T5-62": "test_the_sensitivity_is_smaller_and_larger_than_the_formula",
}


def smoothed(counts, k):
    total = sum(counts) + k * len(counts)
    return [F(c + k, total) for c in counts]


def typical(counts, k, gamma, m):
    """Return the counts of all outputs of m records whose type is within gamma of the smoothed data."""
    found = smoothed(counts, k)
    rows = [row for row in product(range(m + 1), repeat=len(counts)) if sum(row) == m]
    return [row for row in rows if all(abs(F(j, m) - h) <= gamma for j, h in zip(row, found, strict=True))]


def exp_change(one, two, drawn):
    """Return e to m times the change of the score: the product of the ratios of the laws, >= 1."""
    ratio = F(1)
    for a, b, j in zip(one, two, drawn, strict=True):
        ratio *= (a / b) ** j
    return max(ratio, 1 / ratio)


def test_a_constant_data_set_is_more_probable_than_one_of_the_right_type():
    h, m = smoothed([1, 0], 1), 3
    assert h == [F(2, 3), F(1, 3)]
    own, constant = h[0] ** 2 * h[1], h[0] ** 3
    assert own == F(4, 27) < constant == F(8, 27)
    classes = {j: factorial(m) // (factorial(j) * factorial(m - j)) * h[0] ** j * h[1] ** (m - j) for j in range(m + 1)}
    assert sum(classes.values()) == 1
    assert max(classes, key=classes.get) == 2  # under the condition, type classes: the one of the smoothed data


def neighbours(counts):
    for giver, taker in product(range(len(counts)), repeat=2):
        if giver != taker and counts[giver]:
            yield [c - (i == giver) + (i == taker) for i, c in enumerate(counts)]


def smaller():
    """Return e^(m sensitivity) and e^(m formula) where outputs are typical for one of the pair."""
    k, gamma, m = 1, F(5, 6), 3
    found = max(
        exp_change(smoothed(counts, k), smoothed(other, k), row)
        for counts in ([1, 0], [0, 1])
        for other in neighbours(counts)
        for row in typical(counts, k, gamma, m)
    )
    return found, F(2) ** int(m * (2 * gamma + F(1, 3)))


def larger():
    """Return the same for the outputs typical for (d1, d1), over all pairs; the powers are 4 m times the numbers."""
    k, gamma, m = 1, F(1, 4), 32
    rows = typical([2, 0], k, gamma, m)
    assert (32, 0) in rows
    found = max(
        exp_change(smoothed(counts, k), smoothed(other, k), (32, 0))
        for counts in ([2, 0], [1, 1], [0, 2])
        for other in neighbours(counts)
    )
    return found, F(2) ** int(m * (2 * gamma + F(1, 4)))


def bounded():
    """Tell whether (62) with k = 1 bounds the changes on the outputs typical for one of the pair."""
    for n, gamma, m in ((1, F(5, 6), 3), (2, F(1, 4), 32), (2, F(1, 4), 8), (3, F(1, 5), 5)):
        share = 2 * gamma + F(1, n + 2)
        for first in range(n + 1):
            counts = [first, n - first]
            for other in neighbours(counts):
                for row in typical(counts, 1, gamma, m):
                    change = exp_change(smoothed(counts, 1), smoothed(other, 1), row)
                    if change**share.denominator > F(2) ** (m * share.numerator):
                        return False
    return True


def attained():
    """Tell whether it is attained: three symbols, n = k = 1, gamma = 1/4 = k a, m = 4, and the type (3, 0, 1)/4."""
    one, two = smoothed([1, 0, 0], 1), smoothed([0, 1, 0], 1)
    assert (3, 0, 1) in typical([1, 0, 0], 1, F(1, 4), 4)
    return exp_change(one, two, (3, 0, 1)) == F(2) ** int(4 * (2 * F(1, 4) + F(1, 4)))


def test_the_sensitivity_is_smaller_and_larger_than_the_formula():
    found, formula = smaller()
    assert (found, formula) == (F(2) ** 3, F(2) ** 6)
    found, formula = larger()
    assert (found, formula) == (F(2) ** 32, F(2) ** 24)
    assert bounded()
    assert attained()


def test_the_sensitivity_is_smaller_and_larger_than_the_maximum_over_two_shares():
    # the right side of (43) for n = k = 1: x1 = 2/3, x2 = 1/3 is the only point, -f = (x1 + gamma - x2 + gamma) log 2
    gamma = F(5, 6)
    right = (F(2, 3) + gamma) - (F(1, 3) - gamma)
    assert right == 2 * gamma + F(1, 3) == 2
    found, formula = smaller()
    assert found < F(2) ** int(3 * right) == formula
    # for n = 2: at the lower corner x1 = 2/4, x2 = 1/4, where -f = 3/4 log 2
    gamma = F(1, 4)
    right = (F(2, 4) + gamma) - (F(1, 4) - gamma)
    found, formula = larger()
    assert found > F(2) ** int(32 * right) == formula
    assert bounded()
    assert attained()
