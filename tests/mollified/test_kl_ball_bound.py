"""The least bound on the second divergence: against a brute search, its inverse, its limits and its enclosure."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest
from flint import arb, ctx

from mollified.bounds import kl_ball
from mollified.kl_ball_bound import (
    certified_kl,
    certified_kl_ball,
    equality_radius,
    exact_kl_ball,
    exact_kl_outside,
    extreme_laws,
)
from mollified.studies import kl_balls as studies
from mollified.verify.kl_ball_extremes import climb, laws_of_level, sweep


def binary(p, q):
    return p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))


@pytest.mark.parametrize("eps", [0.01, 0.3, 1.0, 4.0, 30.0])
def test_the_bound_is_the_divergence_of_the_two_point_pair(eps):
    b, a = 1 / (1 + np.exp(-eps)), 1 / (1 + np.exp(eps))
    for share in (0.05, 0.4, 0.9):
        p, tail = b + share * a, (1 - share) * a
        delta = p * np.log1p(share * a / b) + tail * np.log1p(-share)
        reached = p * np.log(p / a) + tail * np.log(tail / b)
        assert exact_kl_ball(delta, eps) == pytest.approx(reached, abs=1e-13 * (1 + eps))


def test_the_bound_against_all_pairs_on_a_grid_of_two_points():
    """Largest KL(P, Q) over two-point laws, KL(P, Q') <= delta, both ratios within e^eps: a brute search."""
    grid = np.linspace(0.001, 0.999, 400)
    for eps, delta in ((0.5, 0.02), (1.0, 0.1), (1.5, 0.3)):
        p, one = np.meshgrid(grid, grid, indexing="ij")
        near = binary(p, one) <= delta
        best = 0.0
        for two in grid:
            level = np.maximum(np.abs(np.log(one / two)), np.abs(np.log((1 - one) / (1 - two))))
            allowed = near & (level <= eps)
            if allowed.any():
                best = max(best, float(binary(p, two)[allowed].max()))
        bound = exact_kl_ball(delta, eps)
        assert best <= bound + 1e-12
        assert best >= 0.97 * bound


def test_limits_order_and_equality():
    eps = np.geomspace(1e-3, 100, 50)
    np.testing.assert_allclose(exact_kl_ball(0.0, eps), eps * np.tanh(eps / 2), rtol=1e-14)
    radius = equality_radius(eps)
    np.testing.assert_allclose(exact_kl_ball(radius * 1.0001, eps), radius * 1.0001 + eps, rtol=1e-14)
    below = exact_kl_ball(radius[:30] * 0.9, eps[:30])
    assert (below < radius[:30] * 0.9 + eps[:30]).all()
    grid = np.geomspace(1e-9, 3, 200)
    for level in (0.05, 1.0, 5.0):
        bound = exact_kl_ball(grid, level)
        assert (np.diff(bound) > 0).all()
        assert (bound <= kl_ball(grid, level, form="corrected") + 1e-14).all()
        assert (np.sqrt(bound) <= np.sqrt(grid) + level / np.sqrt(2) + 1e-12).all()


def test_the_inverse():
    rng = np.random.default_rng(3)
    eps, delta = np.exp(rng.uniform(-5, 3, 500)), np.exp(rng.uniform(-10, 1.5, 500))
    np.testing.assert_allclose(exact_kl_outside(exact_kl_ball(delta, eps), eps), delta, atol=1e-13 * (1 + eps.max()))
    assert exact_kl_outside(0.9 * np.tanh(0.5), 1.0) == 0.0
    assert exact_kl_outside(5.0, 1.0) == pytest.approx(4.0, abs=1e-13)


def test_the_certified_bound_encloses_from_above_and_is_tight():
    saved, ctx.prec = ctx.prec, 256
    try:
        for root, weight in ((F(2), F(7, 10)), (F(11, 10), F(9, 10)), (F(50), F(99, 100))):
            p, one, two = extreme_laws(root, weight)
            gap = certified_kl_ball(certified_kl(p, one), arb(root.numerator) / root.denominator)
            assert gap > 0  # a level above log(root): an upper bound too
            level = (arb(root.numerator) / root.denominator).log()
            gap = certified_kl_ball(certified_kl(p, one), level) - certified_kl(p, two)
            assert gap > 0
            assert gap < arb("1e-20")
        assert certified_kl_ball(arb(0), arb(1)) > arb("0.5").tanh()
    finally:
        ctx.prec = saved


def test_extreme_laws_are_laws_of_the_level_and_split():
    p, one, two = extreme_laws(F(3), F(1), F(1, 2))
    assert all(sum(law) == 1 for law in (p, one, two))
    assert max(max(a / b, b / a) for a, b in zip(one, two, strict=True)) == 3
    assert one[0] == 3 * two[0]
    with pytest.raises(ValueError, match="inner must be 1 where weight is below 1"):
        extreme_laws(F(3), F(9, 10), F(1, 2))


def test_pairs_are_drawn_at_the_level_asked_for():
    laws = laws_of_level(np.random.default_rng(2), 300, eps=1.0)
    for law in laws:
        np.testing.assert_allclose(np.exp(law).sum(axis=1), 1, rtol=1e-12)
    level = np.abs(laws[1] - laws[2]).max(axis=1)
    assert level.max() <= 1 + 1e-12
    assert level.min() >= 1 - 1e-9


def test_the_search_comes_close_to_the_least_bound():
    found = climb(np.random.default_rng(1), 400, steps=300)
    assert found.passed
    assert found.worst_slack < 0.005


def test_the_constant_of_the_triangle_inequality_cannot_be_lowered():
    assert sweep(np.random.default_rng(1), 20_000, form="root").passed
    assert not sweep(np.random.default_rng(1), 20_000, form="root", claimed=F(99, 100)).passed


def test_studies_show_what_the_page_says():
    table, facts = studies.exact_curve(eps=1.0, points=21, pairs=400, seed=1)
    pairs = table[table["kind"] == "pair"]
    assert (pairs["extra"] <= pairs["exact"] + 1e-12).all()
    assert (table["exact"] <= table["corrected"] + 1e-12).all()
    assert (table["corrected"] <= table["printed"] + 1e-12).all()
    assert facts["at_zero"] == pytest.approx(np.tanh(0.5))
    table, facts = studies.growth_by_level(deltas=[0.0, 0.1], points=9)
    assert facts["saved_most"] == pytest.approx(0.5569, abs=1e-4)  # 2 W(1/e)
    assert facts["saved_at"] == pytest.approx(1.2785, abs=1e-3)  # 1 + W(1/e)
    table, facts = studies.bad_output(eps=0.1, size=10, mass=0.01)
    assert facts["printed"] == pytest.approx(0.614463, abs=1e-6)
    assert (table["averaged"] >= table["floor"] - 1e-12).all()
    assert (table["good"] < table["printed"]).all()
