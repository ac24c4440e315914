from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from mollified.absolute_mollifier import (
    EXAMPLE_PAIR,
    is_empty_on_infinite_measure,
    necessary_range,
    scale_and_shift,
    scale_limit,
    spike,
    sufficient_range,
    tilted_pair,
    total_variation_diameter,
)
from mollified.instances import random_law

X = np.linspace(0, 1, 2001)


def integral(coefficients):
    return sum(c / (k + 1) for k, c in enumerate(coefficients))


def test_ranges_are_reciprocal_and_nested():
    for eps in (0.01, 1.0, 10.0):
        low, high = necessary_range(eps)
        inner_low, inner_high = sufficient_range(eps)
        assert low < inner_low < 1 < inner_high < high
        assert low * high == pytest.approx(1, rel=1e-15)
        assert inner_high**2 == pytest.approx(high, rel=1e-15)


def test_diameter_is_reached_on_two_points_and_not_exceeded():
    """(1, E)/(1+E) against its mirror image; random pairs at their own level stay below, up to rounding."""
    for eps in (0.1, 1.0, 5.0):
        e = math.exp(eps)
        assert total_variation_diameter(eps) == pytest.approx((e - 1) / (e + 1), rel=1e-14)
    rng = np.random.default_rng(80)
    for _ in range(200):
        p, q = (np.array([float(v) for v in random_law(rng, 4)]) for _ in range(2))
        assert np.abs(p - q).sum() / 2 <= total_variation_diameter(np.abs(np.log(p / q)).max()) + 1e-12


def test_examples_are_densities_with_the_stated_ratio():
    assert [integral(q) for q in EXAMPLE_PAIR] == [1, 1]
    first, second = EXAMPLE_PAIR
    # Q2 = Q1 (1 + (x - 7/12)/10), coefficient by coefficient
    tilt = (1 - Fraction(7, 120), Fraction(1, 10))
    assert second == (first[0] * tilt[0], first[0] * tilt[1] + first[1] * tilt[0], first[1] * tilt[1])
    one, two = tilted_pair(X)
    ratio = two / one
    assert (ratio.min(), ratio.max()) == pytest.approx((113 / 120, 25 / 24), rel=1e-14)
    assert np.abs(np.log(ratio)).max() < 0.0602
    low, high = necessary_range(0.2)
    assert one.min() < low
    assert one.max() > high


def test_scale_limit_is_the_largest_that_fits():
    """The image fits the range for a, and leaves it for a (1 + 1e-9) unless a = 1."""
    rng = np.random.default_rng(81)
    shrunk = 0
    for _ in range(200):
        measure = float(rng.uniform(0.8, 1.2))
        level = 1 / measure
        low, high = level * float(rng.uniform(0, 1)), level * float(rng.uniform(1, 10))
        eps = float(rng.uniform(0.5, 5))
        a = scale_limit(low, high, eps, measure)
        bottom, top = sufficient_range(eps)

        def fits(a, low=low, high=high, level=level, bottom=bottom, top=top):
            ends = [a * v + (1 - a) * level for v in (low, high)]
            return ends[0] >= bottom * (1 - 1e-12) and ends[1] <= top * (1 + 1e-12)

        assert fits(a)
        if a < 1:
            shrunk += 1
            assert not fits(a * (1 + 1e-9))
    assert shrunk > 50


def test_scale_and_shift_keeps_mass_modes_and_proportions():
    density = 1 + 0.9 * np.sin(2 * np.pi * X)
    low, high = float(density.min()), float(density.max())
    image = scale_and_shift(density, 0.2, low=low, high=high)
    a = scale_limit(low, high, 0.2)
    assert np.trapezoid(image, X) == pytest.approx(1, abs=1e-12)
    assert image.argmax() == density.argmax()
    np.testing.assert_allclose(np.diff(image), a * np.diff(density), atol=1e-15)
    bottom, top = sufficient_range(0.2)
    assert bottom - 1e-15 <= image.min() <= image.max() <= top + 1e-15
    np.testing.assert_allclose(scale_and_shift([1.0, 1.0], 0.2, low=1.0, high=1.0), 1.0, rtol=1e-15)


def test_no_scale_on_a_space_of_large_measure():
    for measure in (4.0, math.inf):
        with pytest.raises(ValueError, match="measure must have 1/measure in"):
            scale_limit(0.0, 1.0, 0.2, measure)
        assert is_empty_on_infinite_measure(0.2, measure)
    assert not is_empty_on_infinite_measure(0.2, 1.0)
    assert not is_empty_on_infinite_measure(2 * math.log(4) + 1e-9, 4.0)
    assert is_empty_on_infinite_measure(2 * math.log(4) - 1e-9, 4.0)
    assert is_empty_on_infinite_measure(2 * math.log(4) - 1e-9, 0.25)


def test_spike_touches_both_ends_of_the_range():
    eps = 1.0
    width = (1 - math.exp(-eps)) / (math.exp(eps) - math.exp(-eps))
    values = spike(X, eps, width)
    assert values.max() == math.exp(eps)
    assert values.min() == math.exp(-eps)
    # continuous and piecewise linear with kinks at three points: each costs at most h^2 times the jump of the slope
    assert np.trapezoid(values, X) == pytest.approx(1, abs=3 * (1 / 2000) ** 2 * 20)
    with pytest.raises(ValueError, match=r"half_width must be 0.26"):
        spike(X, eps, width * 1.01)
