"""Claims of the page on the relaxed exponential mechanism whose counterexamples count
types, from rationals alone.
"""

from fractions import Fraction as F
from itertools import product
from math import comb

VERIFIED = {
    (
        "BS-T5-mode"
    ): "test_a_constant_data_set_is_more_probable_than_one_of_the_right_type",
    "BS-T5": "test_the_mechanism_of_definition_2_is_not_bootstrapping",
    (
        "BS-T5-43"
    ): "test_the_sensitivity_is_smaller_and_larger_than_the_maximum_over_two_shares",
    "BS-T5-62": "test_the_sensitivity_is_smaller_and_larger_than_the_formula",
}


def smoothed(counts):
    """Return the law of data with these counts, one record added for each symbol (k =
    1).
    """
    return [F(c + 1, sum(counts) + len(counts)) for c in counts]


def typical(counts, gamma, m):
    """Return the counts of all outputs of m records whose type is within gamma of the
    smoothed data.
    """
    rows = [row for row in product(range(m + 1), repeat=len(counts)) if sum(row) == m]
    return [
        row
        for row in rows
        if all(
            abs(F(j, m) - h) <= gamma
            for j, h in zip(row, smoothed(counts), strict=True)
        )
    ]


def exp_change(one, two, drawn):
    """Return e to m times the change of the score between two data sets: the product of
    the ratios of laws, >= 1.
    """
    ratio = F(1)
    for a, b, j in zip(smoothed(one), smoothed(two), drawn, strict=True):
        ratio *= (a / b) ** j
    return max(ratio, 1 / ratio)


def largest_change(n, outputs):
    """Return e to m times the sensitivity over all pairs of n records of two symbols,
    and over their outputs.
    """
    data = [(first, n - first) for first in range(n + 1)]
    pairs = [(one, two) for one in data for two in data if abs(one[0] - two[0]) == 1]
    return max(exp_change(one, two, row) for one, two in pairs for row in outputs(one))


def smaller():
    """Return it for n = 1, gamma = 5/6, m = 3, where outputs are typical for one of the
    pair.
    """
    return largest_change(1, lambda counts: typical(counts, F(5, 6), 3))


def larger():
    """Return it for n = 2, gamma = 1/4, m = 32, on an output that is typical for (d1,
    d1), over all pairs.
    """
    assert (32, 0) in typical((2, 0), F(1, 4), 32)
    return largest_change(2, lambda counts: [(32, 0)])


def bounded_and_attained():
    """Tell whether (62) with k = 1 bounds the changes on the outputs typical for one of
    the pair, and is attained.
    """
    bounded = True
    for n, gamma, m in (
        (1, F(5, 6), 3),
        (2, F(1, 4), 32),
        (2, F(1, 4), 8),
        (3, F(1, 5), 5),
    ):
        share = 2 * gamma + F(1, n + 2)
        change = largest_change(n, lambda counts, g=gamma, m=m: typical(counts, g, m))
        bounded &= change**share.denominator <= F(2) ** (m * share.numerator)
    # three symbols, n = 1, gamma = 1/4, m = 4, and the type (3, 0, 1)/4
    assert (3, 0, 1) in typical((1, 0, 0), F(1, 4), 4)
    return bounded and exp_change((1, 0, 0), (0, 1, 0), (3, 0, 1)) == F(2) ** int(
        4 * (2 * F(1, 4) + F(1, 4))
    )


def test_a_constant_data_set_is_more_probable_than_one_of_the_right_type():
    h = smoothed((1, 0))
    m = 3
    assert h == [F(2, 3), F(1, 3)]
    assert h[0] ** 2 * h[1] == F(4, 27) < h[0] ** 3 == F(8, 27)
    classes = [comb(m, j) * h[0] ** j * h[1] ** (m - j) for j in range(m + 1)]
    assert sum(classes) == 1
    assert (
        classes.index(max(classes)) == 2
    )  # under the condition, type classes: the one of the smoothed data


def test_the_mechanism_of_definition_2_is_not_bootstrapping():
    # the scale of (62), in units of log 2
    h = smoothed((1, 0))
    m = 3
    scale = F(1, 3) + 2 * F(5, 6)
    assert (
        smaller() == F(2) ** m
    )  # the sensitivity of Definition 2, for all typical outputs, is log 2
    # so that the printed m is 3
    epsilon = 2 * m * scale
    chances = []
    for sensitivity in (1, scale):
        power = (
            epsilon / (2 * sensitivity) / m
        )  # weights are powers of the probabilities under bootstrapping
        assert power.denominator == 1
        chances.append((h[0] ** int(power) / sum(x ** int(power) for x in h)) ** m)
    assert chances == [F(64, 125), h[0] ** m]
    assert h[0] ** m == F(8, 27)


def test_the_sensitivity_is_smaller_and_larger_than_the_formula():
    assert smaller() == F(2) ** 3 < F(2) ** int(3 * (2 * F(5, 6) + F(1, 3)))
    assert larger() == F(2) ** 32 > F(2) ** int(32 * (2 * F(1, 4) + F(1, 4)))
    assert bounded_and_attained()


def test_the_sensitivity_is_smaller_and_larger_than_the_maximum_over_two_shares():
    # the right side of (43) for n = k = 1: x1 = 2/3, x2 = 1/3 is the only point, -f =
    # (x1 + gamma - x2 + gamma) log 2
    assert smaller() < F(2) ** int(3 * ((F(2, 3) + F(5, 6)) - (F(1, 3) - F(5, 6))))
    # for n = 2: at the lower corner x1 = 2/4, x2 = 1/4, where -f = 3/4 log 2
    assert larger() > F(2) ** int(32 * ((F(2, 4) + F(1, 4)) - (F(1, 4) - F(1, 4))))
    assert bounded_and_attained()
