"""Mode capture: the sweeps over random runs, the bounds by hand, and the run on the ring against MBDE itself."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest

from mollified.bounds import captured_mass, mass_condition
from mollified.finite_runs import random_runs
from mollified.gaussian import Gaussian
from mollified.mbde import mbde
from mollified.spaces import Grid
from mollified.studies.mode_capture import asked_mass, most_promised, ring_capture, ring_run_on_grid, smallest_margin
from mollified.targets import ring
from mollified.theta import LOG2
from mollified.threshold_runs import threshold_runs
from mollified.verify.fat_regions import edges_force_divergence, least_divergence
from mollified.verify.mode_capture import (
    captured_bound,
    corrected_condition,
    fat_region_captured,
    printed_margins,
    star_margins,
    sufficient_condition,
    theorem_eight,
)
from mollified.weak_learner import BayesLearner

SWEEPS = [
    (captured_bound, {}, {"missing": F(98, 100)}),
    (theorem_eight, {}, {"share": F(0)}),
    (theorem_eight, {}, {"share": F(49, 100)}),
    (theorem_eight, {}, {"claimed": F(102, 100)}),
    (theorem_eight, {"regime": False}, {"regime": False, "share": F(49, 100)}),
    (theorem_eight, {"regime": False}, {"regime": False, "claimed": F(102, 100)}),
    (corrected_condition, {}, {"share": F(98, 100)}),
    (sufficient_condition, {}, {"premise": False}),
    (fat_region_captured, {}, {"share": F(9, 10)}),
    (fat_region_captured, {"start": True, "share": F(3, 4)}, {"start": True, "share": F(85, 100)}),
    (edges_force_divergence, {}, {"excess": F(1, 50)}),
]


def rng():
    return np.random.default_rng(7)


@pytest.mark.parametrize(("check", "good", "bad"), SWEEPS)
def test_the_statement_holds_and_the_wrong_one_does_not(check, good, bad):
    right, wrong = check(rng(), 12_000, **good), check(rng(), 12_000, **bad)
    assert right.passed
    assert right.arithmetic == "float"
    assert right.instances > 50
    assert not wrong.passed
    assert wrong.worst_slack < -1e-6
    certified = check(rng(), 1_000, **good, certified=True)
    assert certified.passed
    assert certified.arithmetic == "certified"


def test_margins_against_one_run_by_hand():
    """Two rounds on three points, region by region, with sums written out."""
    runs = random_runs(rng(), 40, 3, 2)
    margins, applies = star_margins(runs)
    printed, _ = printed_margins(runs, share=F(0), regime=False)
    p, q0, q = runs.p, runs.q0, runs.laws[:, -1]
    for n in np.flatnonzero(applies.all(axis=1)):
        for j in range(1, 8):
            inside = [x for x in range(3) if (j >> x) & 1]
            mass = sum(p[n, x] for x in inside)
            local = sum(p[n, x] * np.log(p[n, x] / q0[n, x]) for x in inside)
            edge_p, edge_q = runs.edge_p[n].min(), runs.edge_q[n].min()
            bound = mass - local
            for u in runs.u[n]:
                rate = -np.log(np.cosh(u) - edge_q * np.sinh(u)) / u
                bound += u * (mass * (1 + rate) - (1 - edge_p))
            captured = sum(q[n, x] for x in inside)
            assert margins[n, j - 1] == pytest.approx(captured - bound, abs=1e-7)
            assert printed[n, j - 1] == pytest.approx(captured - mass + local, abs=1e-12)
    assert applies.all(axis=1).sum() > 5


def test_margins_with_a_larger_claim():
    runs = random_runs(rng(), 40, 3, 2)
    one, applies = printed_margins(runs, share=F(0), regime=False)
    more, _ = printed_margins(runs, share=F(0), claimed=F(3, 2), regime=False)
    mass = runs.p @ ((np.arange(1, 8)[:, np.newaxis] >> np.arange(3)) & 1).T
    assert np.allclose(one - more, mass / 2, atol=1e-12)
    # (13) with a smaller share admits more regions
    assert applies.sum() >= printed_margins(runs, share=F(1, 2))[1].sum() >= printed_margins(runs)[1].sum() > 0


def test_threshold_runs_are_near_the_threshold():
    """Edges as drawn, P = Q0 on B, the mass within 2 %, and the captured mass on both sides of P(B)."""
    runs = threshold_runs(rng(), 500)
    assert runs.rounds == 1
    assert runs.learnable.all()
    edge_p, edge_q = runs.edge_p[:, 0], runs.edge_q[:, 0]
    assert ((edge_p > 0.049) & (edge_p < 0.151)).all()
    assert ((edge_q > 0.976) & (edge_q < 0.981)).all()
    assert np.allclose(runs.p[:, 0], runs.q0[:, 0], atol=1e-12)
    asked = mass_condition(runs.eps, 1, edge_p, edge_q, 0.0, form="corrected")
    assert ((runs.p[:, 0] > 0.9799 * asked) & (runs.p[:, 0] < 1.01 * asked)).all()
    gained = runs.laws[:, 0, 0] - runs.p[:, 0]
    assert 10 < (gained < 0).sum() < 490
    assert (gained[runs.p[:, 0] >= asked] > 0).all()
    first_order = runs.u[:, 0] * (runs.p[:, 0] * (1 + edge_q) - (1 - edge_p))
    assert np.abs(gained - first_order).max() < 2e-8


def test_least_divergence_by_hand_and_at_no_information():
    # P = (0.9, 0.1), Q0 = (0.1, 0.9), everything: KL = 0.8 log 9
    assert least_divergence(1.0, 0.8, 0.8) == pytest.approx(0.8 * np.log(9))
    # B of mass 1/2: 0.4 log 4 + 0.1 log(1/9)
    assert least_divergence(0.5, 0.8, 0.8) == pytest.approx(0.4 * np.log(4) - 0.1 * np.log(9))
    with pytest.raises(ValueError, match="mass"):
        least_divergence(0.2, 0.1, 0.1)


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


def test_the_search_finds_what_is_known():
    assert 0 < smallest_margin(rng(), "bound", size=2, starts=500, evaluations=300) < 1e-3
    assert smallest_margin(rng(), "no mass", starts=2000, evaluations=100) < 0
