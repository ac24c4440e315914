"""Mode capture: the masses of the figures by hand, and the run on the ring against MBDE itself."""

from __future__ import annotations

import numpy as np
import pytest

from mollified.bounds import captured_mass, mass_condition
from mollified.gaussian import Gaussian
from mollified.mbde import mbde
from mollified.spaces import Grid
from mollified.studies.mode_capture import asked_mass, most_promised, ring_capture, ring_run_on_grid
from mollified.targets import ring
from mollified.theta import LOG2
from mollified.weak_learner import BayesLearner


def rng():
    return np.random.default_rng(7)


def test_relaxed_condition_by_hand():
    # Gamma(7/9) = log(4/(5 - 7/3)) = log(3/2)
    rate = np.log(1.5) / LOG2
    for alpha, more in ((0.5, 1.0), (0.0, 0.0)):
        asked = mass_condition(2.0, 3, 0.6, 7 / 9, alpha, form="corrected")
        assert asked == pytest.approx(0.4 / (1 + rate + more))


def test_run_on_the_grid_is_mbde():
    target, start = ring(), Gaussian(np.zeros(2), 8.25)
    grid = Grid.covering([target, start], nodes=81)
    log_p, log_q0 = target.log_prob(grid.points), start.log_prob(grid.points)
    edges, log_q = ring_run_on_grid(log_p, log_q0, grid.weights, 2.0, 2)
    learned = mbde(target, start, 2.0, 2, BayesLearner("clip"), grid, rng())
    assert np.abs(log_q - learned[-1].log_prob(grid.points)).max() < 1e-9
    values = learned[0].classifiers[0](grid.points)
    assert edges[0][0] == pytest.approx(grid.integrate(np.exp(log_p) * values).value / LOG2, abs=1e-12)
    with pytest.raises(ValueError, match="weights"):
        ring_run_on_grid(log_p, log_q0, grid.weights[:-1], 2.0, 2)


def test_ring_capture_respects_symmetry_and_the_bound():
    table, facts = ring_capture([8.25], [1.0, 5.0], 3, 1.5, 121)
    sector = table[table["region"] == "sector"]
    assert np.allclose(sector[["target", "start", "output"]], 0.125, atol=1e-4)
    assert (table["output"] > table["bound"]).all()
    assert (table["start"] > table["promised"]).all()
    discs = table[table["region"] == "all"]
    # a disc of three standard deviations holds 1 - e^{-4.5} of its mode
    assert discs["target"].iloc[0] == pytest.approx(1 - np.exp(-4.5), abs=5e-3)
    assert facts["spread"] < 1e-3
    assert (facts["output_first"], facts["output_last"]) == tuple(discs["output"])
    assert (facts["bound_first"], facts["bound_last"]) == tuple(discs["bound"])
    assert facts["bound_first"] < facts["start"] == discs["start"].iloc[0] < facts["bound_last"]
    assert (facts["below"], facts["above"]) == (1.0, 5.0)
    assert discs["promised"].iloc[0] < captured_mass(0.5, 0.0, form="printed")


def test_asked_and_promised_at_known_points():
    table, facts = asked_mass(1.0, [3], 3)
    printed = table[(table["condition"] == "printed") & (table["gamma"] == 1.0)]["mass"].iloc[0]
    assert printed == pytest.approx(1 / 7)  # eps^2 / (eps (eps + 2 T))
    assert facts["corrected"] < facts["proof"] < facts["printed"]
    scale = 12 * LOG2  # (91) at edges 1/3, eps = 1, T = 3
    assert facts["proof_first"] == pytest.approx((1 + 2 / 3 * scale) / (1 + scale))
    promised, edges = most_promised([1.0], 129)
    share = promised[promised["gamma"].sub(0.8).abs() < 1e-9]["share"]
    assert share.iloc[0] == pytest.approx(1 - 0.8 * np.log(9))
    assert 0.64 <= edges["last_1"] < 0.65
    half, _ = most_promised([0.5], 129)
    share = half[half["gamma"].sub(0.8).abs() < 1e-9]["share"]
    assert share.iloc[0] == pytest.approx(1 - (0.4 * np.log(4) - 0.1 * np.log(9)) / 0.5)
