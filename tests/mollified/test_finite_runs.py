"""Runs as arrays: quantities against their definitions, and edges that are allowed."""

import math

import numpy as np
import pytest

from mollified.boosting import edges_below, random_runs, theta

RUNS = random_runs(np.random.default_rng(3), 200, 4, 3)


def test_steps_edges_normalisers_and_drops_by_their_definitions():
    q = RUNS.q0
    for t in range(3):
        c = RUNS.shape[:, t] * RUNS.c_star[:, t, np.newaxis]
        step = np.array([theta(float(eps), 3)[t] for eps in RUNS.eps])
        weights = q * np.exp(step[:, np.newaxis] * c)
        z = weights.sum(axis=1)
        assert RUNS.theta[:, t] == pytest.approx(step)
        assert RUNS.edge_p[:, t] * RUNS.c_star[:, t] == pytest.approx((RUNS.p * c).sum(axis=1), abs=1e-14)
        assert RUNS.edge_q[:, t] * RUNS.c_star[:, t] == pytest.approx(-(q * c).sum(axis=1), abs=1e-14)
        assert RUNS.log_z[:, t] == pytest.approx(np.log(z), abs=1e-14)
        after = weights / z[:, np.newaxis]
        assert RUNS.drop[:, t] == pytest.approx((RUNS.p * np.log(after / q)).sum(axis=1), abs=1e-13)
        np.testing.assert_allclose(RUNS.laws[:, t], after, rtol=1e-12)
        q = after
    assert RUNS.gain == pytest.approx((RUNS.p * np.log(q / RUNS.q0)).sum(axis=1), abs=1e-13)
    assert RUNS.c_star.max() <= math.log(2)
    assert len(RUNS) == 200


def test_edges_below_the_exact_ones():
    for edges, exact in zip(edges_below(RUNS), (RUNS.edge_p, RUNS.edge_q), strict=True):
        assert (edges[RUNS.learnable] < exact[RUNS.learnable]).all()
        assert edges[RUNS.learnable] == pytest.approx(exact[RUNS.learnable], rel=1e-9)
        assert (edges[~RUNS.learnable] == 0).all()
