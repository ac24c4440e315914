"""The claims of the page on rates that fail as printed, from rationals and balls alone."""

from __future__ import annotations

from fractions import Fraction as F
from math import comb

from flint import arb

from tests.counterexamples.rational import ball, precision

VERIFIED = {
    "BS-U-bins": "test_two_squares_do_not_fill_the_unit_square",
    "BS-U-biased": "test_a_uniform_histogram_is_estimated_without_bias",
    "BS-U-cdf": "test_the_corrected_function_rises_to_two_and_falls",
    "BS-T6": "test_the_sample_alone_is_worse_than_the_claimed_rate",
    "BS-T6-set": "test_two_terms_are_larger_than_the_claim",
    "BS-T6-min": "test_another_private_choice_is_better",
    "BS-T6-cons": "test_the_noise_does_not_vanish_in_dimension_four",
    "BS-T6-txt": "test_the_printed_exponent_exceeds_one_half",
    "BS-Tab1-bs": "test_the_first_column_refutes_the_second",
    "BS-Tab1-pert": "test_no_estimator_has_the_rate_of_the_perturbed_histogram_on_the_line",
    "BS-Tab1a": "test_the_printed_choice_loses_to_the_smoothed_histogram_in_dimension_three",
    "BS-Tab1b": "test_nothing_beats_one_half_in_dimension_two",
}

EPS, DELTA = F(1, 2), F(1, 100)


def claimed(n, exponent, constant):
    """Return C sqrt(log n) n^(-a) as a ball."""
    return constant * arb(n).log().sqrt() * arb(n) ** ball(-exponent)


def floor(n):
    """Return a ball below E|S/n - 1/2| for n fair coins, n even: its square times n is at least 1/8."""
    return (arb(1) / (8 * n)).sqrt()


def least_k(m):
    """Return a whole number that no k allowed by (1) and (2) falls below.

    (1): gamma^2 >= 2 l / m. (2): 2 gamma m < eps / log((k+1)/k) < eps (k + 1). So eps (k + 1) > 2 sqrt(2 l m).
    """
    bound = 2 * (2 * (2 / ball(DELTA)).log() * m).sqrt() / ball(EPS) - 1
    return max(1, int(bound.lower().floor().unique_fmpz()))


def noise(n, cells, k, m):
    """Return a ball below E|F^c(x) - 1/2| for uniform records and a box of half the cells.

    Given the data the error of the draws has mean zero, so the whole error is at least half of it; E|X| is at least
    (E X^2)^(3/2) (E X^4)^(-1/2), where m X n / N is a centred binomial of a random probability of mean 1/2.
    """
    total = n + k * cells
    second = F(1, 4) - F(n, 4) / F(total) ** 2
    fourth = F(3, 16) + F(1, 4 * m)
    return ball(F(total, n)) / arb(m).sqrt() * ball(second) * (ball(second) / ball(fourth)).sqrt() / 2


def upper(n, side, k, m, dimension, slope):
    """Return the explicit bound: noise of m draws and n records over s nodes, and the bias."""
    cells = side**dimension
    per = (arb(2 * cells).log() / 2).sqrt()
    bias = slope * dimension * arb(dimension).sqrt() / side**2
    return ball(F(n + k * cells, n)) * per / arb(m).sqrt() + per / arb(n).sqrt() + bias


def test_the_floor_holds_for_every_even_n():
    for n in range(2, 400, 2):
        value = F(comb(n, n // 2), 2 ** (n + 1))
        exact = sum(abs(F(c, n) - F(1, 2)) * comb(n, c) for c in range(n + 1)) / 2**n if n < 40 else value
        assert exact == value
        assert n * value**2 >= F(1, 8)
        # from n to n + 2 the central term is multiplied by (n+1)/(n+2), and n value^2 by more than 1
        assert F(n + 2, n) * F(n + 1, n + 2) ** 2 > 1


def test_the_second_and_fourth_moments_of_the_noise():
    """By enumeration, for small n, k and m, d = 1, two cells; and the bound lies below the error."""
    with precision():
        for n, k, m in ((2, 1, 1), (2, 3, 2), (4, 2, 3), (6, 5, 2)):
            total, second, error = n + 2 * k, F(0), F(0)
            for c in range(n + 1):
                p = F(c + k, total)
                for x in range(m + 1):
                    weight = F(comb(n, c), 2**n) * comb(m, x) * p**x * (1 - p) ** (m - x)
                    released = F(total, n) * F(x, m) - F(k, n)
                    second += weight * (released - F(c, n)) ** 2
                    error += weight * abs(released - F(1, 2))
            assert second == F(total, n) ** 2 * (F(1, 4) - F(n, 4) / F(total) ** 2) / m
            assert noise(n, 2, k, m) < ball(error)
            assert floor(n) <= ball(error)


def test_two_squares_do_not_fill_the_unit_square():
    side_squared = F(1, 2)  # b = s^(-1/2), s = 2
    along = 1  # 1 <= 1/b < 2: one whole side fits along an edge
    assert along**2 * side_squared <= 1 < (along + 1) ** 2 * side_squared
    assert along**2 * side_squared == F(1, 2)  # area filled
    for q in range(1, 30):  # with 1/b whole
        assert q**2 * F(1, q) ** 2 == 1


def test_a_uniform_histogram_is_estimated_without_bias():
    n, k, counts = 2, 1, (1, 1)
    assert [F(c + k, n + k * len(counts)) for c in counts] == [F(c, n) for c in counts]
    for counts in ((2, 0), (2, 1), (3, 1, 0)):
        n = sum(counts)
        for c in counts:
            if c * len(counts) != n:  # under the condition
                assert F(c + k, n + k * len(counts)) != F(c, n)


def test_the_corrected_function_rises_to_two_and_falls():
    n, k, m, cells, released = 1, 1, 1, 2, (1, 0)
    corrected = [F(n + k * cells, n) * F(c, m) - F(k, n) for c in released]
    assert corrected == [2, -1]
    values = [F(0), F(2), F(1)]
    assert sum(corrected) == 1 == values[-1]
    assert values[2] < values[1] > 1
    mended = [min(F(1), max(F(0), *values[: j + 1], F(0))) for j in range(3)]
    assert mended == sorted(mended) == [0, 1, 1]
    for slope in (F(0), F(1), F(2)):  # no farther from a true cdf, at the edges
        truth = [(1 - slope / 2) * x + slope / 2 * x * x for x in (F(0), F(1, 2), F(1))]
        far = [max(abs(a - b) for a, b in zip(curve, truth, strict=True)) for curve in (values, mended)]
        assert far[1] <= far[0]


def test_the_sample_alone_is_worse_than_the_claimed_rate():
    with precision(4096):
        for d in (1, 2, 3):
            n = 2 ** (80 * (d + 4))
            for constant in (1, 10, 100):
                assert floor(n) > claimed(n, F(4, d + 4), constant)
                assert floor(n) < claimed(n, F(1, 2), constant)  # the corrected exponent is not refuted
        for d in range(1, 9):  # with (1) and (2), at n = r^(d+4), q = r^2, m = r^8
            r = 2**80
            n, cells, m = r ** (d + 4), r ** (2 * d), r**8
            low = noise(n, cells, least_k(m), m)
            assert low > claimed(n, F(4, d + 4), 100)
            assert low < claimed(n, min(F(1, 2), F(4 - d, d + 4)), 1)  # its true order is not
            if d > 4:  # and for d > 4 at k = 1 already
                assert noise(n, cells, 1, m) > claimed(n, F(4, d + 4), 100)


def test_two_terms_are_larger_than_the_claim():
    with precision(4096):
        r, d = 2**80, 1
        n, m, cells = r**5, r**8, r**2
        middle = (arb(n).log() / n).sqrt()
        assert middle > claimed(n, F(4, 5), 100)
        first = ball(F(n + least_k(m) * cells, n)) * (arb(m).log() / m).sqrt()
        assert first > claimed(n, F(4, 5), 100)
        assert not middle > claimed(n, F(1, 2), 1)  # corrected
        assert arb(d) / cells**2 < claimed(n, F(4, 5), 100)  # the bias is of the claimed order


def test_another_private_choice_is_better():
    with precision(4096):
        d, r = 3, 2**40
        n = r ** (d + 4)
        assert n == 2**280
        printed = noise(n, r ** (2 * d), least_k(r**8), r**8)
        # q = n^(1/5), m = n, k = (1 + 2 sqrt(2 l n)) / eps
        side, ell = 2**56, (2 / ball(DELTA)).log()
        k = int(((1 + 2 * (2 * ell * n).sqrt()) / ball(EPS)).upper().ceil().unique_fmpz())
        gamma, total = (2 * ell / n).sqrt(), n + k * side**d
        assert gamma < 1
        assert arb(n) * (arb(1) / total + 2 * gamma) * (1 + arb(1) / k).log() <= ball(EPS)  # (2); (1) is tight
        other = upper(n, side, k, n, d, 1)
        assert printed > arb(10) ** -13
        assert other < arb(10) ** -30
        # in one dimension the same comparison decides nothing
        n = r**5
        assert not noise(n, r**2, least_k(r**8), r**8) > upper(n, 2**67, k, n, 1, 1)


def test_the_noise_does_not_vanish_in_dimension_four():
    with precision(4096):
        for power in (10, 20, 40, 80):
            r = 2**power
            for d, above in ((3, False), (4, True), (5, True)):
                n, cells, m = r ** (d + 4), r ** (2 * d), r**8
                low = noise(n, cells, least_k(m), m)
                if above:
                    assert low > 1
                elif power >= 20:
                    assert upper(n, r * r, 2 * least_k(m) + 4, m, d, 1) < arb(1) / 100


def test_the_printed_exponent_exceeds_one_half():
    for d in range(1, 13):
        assert (F(4, d + 4) > F(1, 2)) == (d < 4)
        assert min(F(1, 2), F(4, d + 4)) <= F(1, 2)  # corrected


def test_a_sum_over_many_points_exceeds_every_bound():
    with precision():
        m, points = 1001, 4 * 1001 + 1
        bound = 8 * m * (-arb(m) / 32).exp()
        assert bound < arb(10) ** -9
        for drawn in range(m + 1):  # draws in the first of two equal cells: never half of an odd number
            gap = abs(F(drawn, m) - F(1, 2))
            assert gap >= F(1, 2 * m)
            # the difference is linear from 0 at 0 to gap at 1/2: at least gap/2 on [1/4, 1/2]
            assert points * gap / 2 > 1
        # the supremum is gap, and gap > t = 1 never happens
        assert max(abs(F(drawn, m) - F(1, 2)) for drawn in range(m + 1)) <= 1


def test_the_first_column_refutes_the_second():
    with precision(4096):
        n = 2**400
        assert floor(n) > claimed(n, F(4, 5), 100)
        assert F(4, 5) > F(1, 2) >= min(F(1, 2), F(2, 3)) == min(F(1, 2), F(4, 5))


def two_points(root):
    """Return (h/2)(1 - TV) for densities 1 + h, 1 - h on the halves, h = 1/(2 sqrt n), n = root^2 records."""
    n, h = root * root, F(1, 2 * root)
    up, down = (1 + h) / 2, (1 - h) / 2
    distance = sum(comb(n, c) * abs(up**c * down ** (n - c) - down**c * up ** (n - c)) for c in range(n + 1)) / 2
    return h / 2 * (1 - distance)


def test_no_estimator_has_the_rate_of_the_perturbed_histogram_on_the_line():
    for root in range(1, 12):
        assert two_points(root) * root >= F(1, 10)
        h = F(1, 2 * root)
        # for all n: log((1+h)/(1-h)) <= 2h/(1-h^2), so KL <= 2 n h^2/(1-h^2) and, by Pinsker, TV^2 <= KL/2 <= 1/3
        assert root**2 * 2 * h * h / (1 - h * h) / 2 <= F(1, 3)
    assert (1 - F(3, 5)) / 4 >= F(1, 10)  # sqrt(1/3) < 3/5
    assert F(3, 5) ** 2 > F(1, 3)
    with precision(4096):
        n = 2**400
        low = 1 / (10 * arb(n).sqrt())
        assert low > claimed(n, F(2, 3), 100)
        assert low < claimed(n, min(F(1, 2), F(2, 3)), 1)  # corrected
        assert low < claimed(n, F(2, 4), 1)  # d = 2, where the quoted exponent is 1/2


def test_the_printed_choice_loses_to_the_smoothed_histogram_in_dimension_three():
    with precision(4096):
        for d in (1, 2, 3):
            r = 2**80
            n, cells, m = r ** (d + 4), r ** (2 * d), r**8
            beaten = noise(n, cells, least_k(m), m) > claimed(n, F(2, d + 6), 100)
            assert beaten == (d == 3)
    for d in range(1, 40):  # under the condition
        assert min(F(1, 2), F(2, d + 2)) > F(2, d + 6)


def test_nothing_beats_one_half_in_dimension_two():
    assert F(2, 2 + 2) == F(1, 2)  # the perturbed histogram's exponent, quoted
    with precision(9000):
        n = 2**4000  # an exponent above 1/2, here 0.51, is refuted by the floor
        assert floor(n) > claimed(n, F(51, 100), 100)
    for d in range(3, 40):  # corrected: under the exact curve it is better from three dimensions on
        assert min(F(1, 2), F(4, d + 4)) > F(2, d + 2)
        assert min(F(1, 2), F(2, d + 2)) == F(2, d + 2)
