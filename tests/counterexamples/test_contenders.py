"""The claims of the page on the Bernstein mechanism that fail as printed, from rationals alone."""

from __future__ import annotations

from fractions import Fraction as F
from functools import lru_cache
from math import comb

from flint import arb

from tests.counterexamples.rational import ball, is_law, precision

VERIFIED = {
    "MBDE-X-dpbeps": "test_a_learned_bandwidth_breaks_the_level",
    "MBDE-X-equiv": "test_noise_for_one_record_leaves_twice_the_level_for_two",
    "V3-X-equiv": "test_the_factor_is_the_number_of_records",
    "MBDE-X-shift": "test_shifting_the_published_function_keeps_the_level",
    "MBDE-X-keep": "test_a_repaired_polynomial_is_further_away",
}


def kernel(gap, h):
    """Return the normal density with standard deviation h at a gap, both rational."""
    return (-((ball(gap) / ball(h)) ** 2) / 2).exp() / (ball(h) * (2 * arb.pi()).sqrt())


def estimate(records, h, degree):
    """Return the kernel density estimate at the nodes of the unit interval."""
    return [sum((kernel(F(v, degree) - x, h) for x in records), arb(0)) / len(records) for v in range(degree + 1)]


def distance(one, two):
    return sum((abs(a - b) for a, b in zip(one, two, strict=True)), arb(0))


@lru_cache(maxsize=8)
def whole_sum(h, degree, cells):
    """Return an upper bound of sup_t sum_i k(i/K - t), from the largest value on each of many cells of [0, 1].

    On a cell each kernel is largest at the place of the cell that is nearest to its node.
    """
    bound = arb(0)
    for cell in range(cells):
        low, high = F(cell, cells), F(cell + 1, cells)
        total = arb(0)
        for i in range(degree + 1):
            node = F(i, degree)
            nearest = min(max(node, low), high)
            total += kernel(node - nearest, h)
        bound = total if total > bound else bound
    return bound


def score(records, h):
    """Return the held-out log-likelihood with one record a fold."""
    total = arb(0)
    for i, x in enumerate(records):
        others = [y for j, y in enumerate(records) if j != i]
        total += (sum((kernel(x - y, h) for y in others), arb(0)) / len(others)).log()
    return total


def test_a_learned_bandwidth_breaks_the_level():
    first = [F(1, 10), F(1, 10), F(3, 10), F(3, 10), F(1, 2), F(1, 2), F(7, 10), F(7, 10), F(9, 10), F(9, 10)]
    second = [*first[:-1], F(4, 5)]
    narrow, wide, degree = F(1, 50), F(1, 5), 10
    with precision():
        assert score(first, narrow) > score(first, wide)
        assert score(second, wide) > score(second, narrow)
        # noise for one of ten records, level 1: twice the largest sum of kernels, over ten
        noise = {h: 2 * whole_sum(h, degree, 400) / 10 for h in (narrow, wide)}
        common = noise[narrow] if noise[narrow] > noise[wide] else noise[wide]
        assert distance(estimate(first, narrow, degree), estimate(second, wide, degree)) / common > 2
        # each with its own noise: the log-ratio at z in all coordinates grows without bound
        ratios = []
        for z in (100, 200):
            logs = [
                -sum((abs(z - value) for value in estimate(data, h, degree)), arb(0)) / noise[h]
                - 11 * (2 * noise[h]).log()
                for data, h in ((first, narrow), (second, wide))
            ]
            ratios.append(abs(logs[0] - logs[1]))
        assert ratios[0] > 1
        assert ratios[1] > ratios[0] + 100
        # under the condition: one bandwidth for both
        for h in (narrow, wide):
            assert distance(estimate(first, h, degree), estimate(second, h, degree)) / noise[h] < 1


def levels(size):
    """Return the level that noise for one record of m leaves for all m, K = 20, h = 1/64: a ball below the truth."""
    h, degree = F(1, 64), 20
    moved = distance(estimate([F(1, 4)] * size, h, degree), estimate([F(3, 4)] * size, h, degree))
    return moved / (2 * whole_sum(h, degree, 800) / size)


def test_noise_for_one_record_leaves_twice_the_level_for_two():
    with precision():
        level = levels(2)
        assert level > ball(F(19, 10))
        assert level / 1 > 1  # printed: multiplied by k = 1
        assert level / 2 <= 1  # corrected: multiplied by m = 2
        assert levels(1) <= 1  # one record, where the two agree


def test_the_factor_is_the_number_of_records():
    with precision():
        for size in (2, 3, 5):
            level = levels(size)
            assert level / size <= 1
            for draws in range(1, size):
                assert level / draws > 1
            assert level / (size + 1) <= 1  # more draws than records


def repair(pair, by):
    """Shift two Bernstein coefficients of degree one and divide by their mean, the integral."""
    one, two = pair[0] - by, pair[1] - by
    return 2 * one / (one + two), 2 * two / (one + two)


def ratio(one, two):
    assert one.keys() == two.keys()
    return max(max(one[x] / two[x], two[x] / one[x]) for x in one)


def test_shifting_the_published_function_keeps_the_level():
    published = [(F(-1), F(1)), (F(1), F(1))]
    laws = [(F(1, 3), F(2, 3)), (F(2, 3), F(1, 3))]
    assert all(is_law(law) for law in laws)
    before = ratio(*(dict(zip(published, law, strict=True)) for law in laws))
    images = [
        {repair(pair, min(*pair, F(0))): weight for pair, weight in zip(published, law, strict=True)} for law in laws
    ]
    assert before == ratio(*images) == 2
    # a shift that reads the data: the outputs of the two data sets have nothing in common
    own = [
        {repair(pair, by): weight for pair, weight in zip(published, law, strict=True) if pair[0] != pair[1]}
        for law, by in zip(laws, (F(-10), F(-17)), strict=True)
    ]
    assert own[0].keys() != own[1].keys()


def bernstein(coefficients, y):
    degree = len(coefficients) - 1
    return sum(c * comb(degree, v) * y**v * (1 - y) ** (degree - v) for v, c in enumerate(coefficients))


def test_a_repaired_polynomial_is_further_away():
    eta = F(1, 10)
    truth, given = (F(0), F(0), F(3)), (-eta, eta, 3 + eta)
    assert all(abs(a - b) <= eta for a, b in zip(truth, given, strict=True))  # hence |f - F| <= eta everywhere
    assert list(given) == sorted(given)  # increasing, so that the least value is at 0
    assert bernstein(given, F(0)) == -eta
    raised = [c + eta for c in given]
    total = sum(raised) / 3  # the integral of a polynomial is the mean of its coefficients
    repaired = [c / total for c in raised]
    assert sum(repaired) / 3 == 1
    assert min(repaired) >= 0
    error = abs(bernstein(repaired, F(1)) - bernstein(truth, F(1)))
    assert error == F(3, 17)
    assert error > eta  # printed
    assert max(abs(a - b) for a, b in zip(repaired, truth, strict=True)) <= 2 * eta * (1 + 3) / (1 - eta)  # corrected
    # a function that is positive already is not shifted, and with the same integral not changed
    positive = (F(1, 10), F(1, 10), F(28, 10))
    assert sum(positive) / 3 == 1
    assert max(abs(a - b) for a, b in zip(positive, truth, strict=True)) == F(1, 5)
