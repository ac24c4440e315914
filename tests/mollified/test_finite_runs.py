"""Runs as arrays: quantities against their definitions, corners reached, and edges that are allowed."""

import math

import numpy as np
import pytest

from mollified.boosting import edges_below, random_runs, run_batches, theta


@pytest.fixture
def runs():
    return random_runs(np.random.default_rng(3), 200, 4, 3)


def kl(p, q):
    return (p * np.log(p / q)).sum(axis=-1)


def test_drops_are_differences_of_divergences(runs):
    laws = [runs.q0, *np.moveaxis(runs.laws, 1, 0)]
    for t in range(3):
        change = kl(runs.p, laws[t]) - kl(runs.p, laws[t + 1])
        # the divergences, up to 60 nats, are rounded to a few ulps each
        assert runs.drop[:, t] == pytest.approx(change, abs=1e-13)
    assert runs.gain == pytest.approx(kl(runs.p, runs.q0) - kl(runs.p, laws[-1]), abs=1e-13)


def test_steps_edges_and_normalisers_by_hand(runs):
    q, i = runs.q0[0], 0
    for t in range(3):
        c = runs.shape[i, t] * runs.c_star[i, t]
        step = theta(float(runs.eps[i]), 3)[t]
        assert runs.theta[i, t] == pytest.approx(step)
        assert runs.edge_p[i, t] * runs.c_star[i, t] == pytest.approx((runs.p[i] * c).sum())
        assert runs.edge_q[i, t] * runs.c_star[i, t] == pytest.approx(-(q * c).sum(), abs=1e-14)
        weights = q * np.exp(step * c)
        assert runs.log_z[i, t] == pytest.approx(math.log(weights.sum()), abs=1e-14)
        q = weights / weights.sum()


def test_the_corners_are_reached():
    seen = {"atom": 1.0, "c_star": 1.0, "eps": [], "rounds": set(), "count": 0, "high": 0}
    for runs in run_batches(np.random.default_rng(4), 20_000):
        seen["atom"] = min(seen["atom"], float(runs.p.min()), float(runs.q0.min()))
        seen["c_star"] = min(seen["c_star"], float(runs.c_star.min()))
        seen["eps"] += [float(runs.eps.min()), float(runs.eps.max())]
        seen["rounds"].add(runs.rounds)
        seen["count"] += len(runs)
        seen["high"] += int(((runs.edge_q >= 1 / 3) & runs.learnable).all(axis=1).sum())
        assert runs.c_star.max() <= math.log(2)
    assert seen["atom"] < 1e-12
    assert seen["c_star"] < 0.011
    assert min(seen["eps"]) < 0.002
    assert max(seen["eps"]) > 18
    assert seen["rounds"] == {1, 2, 3, 5, 10, 20, 50}
    assert seen["count"] >= 20_000
    assert seen["high"] > 1_000


def test_edges_below_the_exact_ones(runs):
    for edges, exact in zip(edges_below(runs), (runs.edge_p, runs.edge_q), strict=True):
        assert (edges[runs.learnable] < exact[runs.learnable]).all()
        assert edges[runs.learnable] == pytest.approx(exact[runs.learnable], rel=1e-9)
        assert (edges[~runs.learnable] == 0).all()
