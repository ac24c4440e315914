"""The least bound on the second divergence: against a brute search, its limits, and the studies."""

from __future__ import annotations

import numpy as np
import pytest

from mollified.bounds import kl_ball
from mollified.kl_ball_bound import equality_radius, exact_kl_ball
from mollified.studies import kl_balls as studies


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


def test_pairs_are_drawn_at_the_level_asked_for():
    laws = studies._laws_of_level(np.random.default_rng(2), 300, 1.0)
    for law in laws:
        np.testing.assert_allclose(np.exp(law).sum(axis=1), 1, rtol=1e-12)
    level = np.abs(laws[1] - laws[2]).max(axis=1)
    assert level.max() <= 1 + 1e-12
    assert level.min() >= 1 - 1e-9


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
