"""The claims of the page on budgets that fail as printed, from rationals alone."""

from __future__ import annotations

from fractions import Fraction as F
from math import factorial

from flint import arb

from tests.counterexamples.rational import ball, precision

VERIFIED = {
    "MBDE-I2": "test_the_variance_of_laplace_noise_grows_with_the_square_of_the_group",
    "V2-abs": "test_geometric_noise_for_pairs_needs_more_than_four_times_the_variance",
    "MBDE-I3": "test_noise_for_the_average_of_all_records_has_a_bounded_variance",
}


def laplace(group_sensitivity, eps):
    """Return the variance of the least noisy Laplace law at that level.

    The log-density -|x|/b changes by at most s/b where x moves by s, and by s/b outside; so b = s/eps is the least.
    The second moment is the integral of x^2 exp(-x/b)/b over x > 0, that is 2! b^2.
    """
    scale = F(group_sensitivity) / eps
    assert group_sensitivity / scale == eps
    return factorial(2) * scale**2


def geometric(q, terms=400):
    """Return a ball around the variance of weights q^-|n|, by the series; its tail is bounded by a geometric one."""
    norm = (q - 1) / (q + 1)
    total = sum(2 * n**2 * norm * q**-n for n in range(1, terms))
    # from n = terms on, n^2 q^-n shrinks at least by the factor 2/(1 + q) < 1 a step
    step = (1 + F(1, terms)) ** 2 / q
    assert step < 1
    tail = 2 * terms**2 * norm * F(q) ** -terms / (1 - step)
    return ball(total) + arb(0, 1) * ball(tail)


def test_the_variance_of_laplace_noise_grows_with_the_square_of_the_group():
    single, eps, group = F(1), F(1), 2
    factor = laplace(group * single, eps) / laplace(single, eps)
    assert factor == 4
    assert factor != group  # printed
    assert factor == group**2  # corrected
    assert laplace(1 * single, eps) / laplace(single, eps) == 1  # groups of one, where the two agree


def test_geometric_noise_for_pairs_needs_more_than_four_times_the_variance():
    with precision():
        # e^eps = 4 for one record, e^(eps/2) = 2 so that two records together have the level eps
        assert F(2) ** 2 == 4
        one, pair = geometric(F(4)), geometric(F(2))
        assert one.overlaps(ball(F(8, 9)))
        assert pair.overlaps(ball(4))
        assert pair > 2**2 * one
        assert laplace(2, F(1)) <= 2**2 * laplace(1, F(1))  # a noise that scales


def test_noise_for_the_average_of_all_records_has_a_bounded_variance():
    eps, bound = F(1), F(2)
    for size in range(1, 2000):
        average, count = laplace(size * F(1, size), eps), laplace(size, eps)
        assert average <= bound
        if size >= 2:
            assert count > bound  # under the condition
