"""The bounds in floats and balls, and the runs as arrays that they are held against, by their definitions."""

import math

import numpy as np
import pytest
from flint import arb

from mollified.boosting import bounds, edges_below, random_runs, theta

LOG2 = math.log(2)


@pytest.mark.parametrize("u", [1e-9, 0.1, LOG2, 5.0, 300.0])
@pytest.mark.parametrize("gamma", [0.0, 0.3, 0.999, 1.0])
def test_log_moment_against_high_precision(u, gamma):
    x, g = arb(u), arb(gamma)
    exact = float((x.cosh() - g * x.sinh()).log().mid()) if u < 30 or gamma < 1 else -u
    assert bounds.log_moment(u, gamma) == pytest.approx(exact, rel=1e-12, abs=4e-16 * max(u, 1))


def test_drop_follows_the_regime():
    low, high = 0.5 * (0.6 - 0.15), 0.5 * (0.24 + math.log(4 / 3.5))
    assert bounds.kl_drop(0.5, 0.6, 0.4, np.array([0.2, 0.5]), form="printed") == pytest.approx([low, high])
    assert bounds.kl_drop(0.5, 0.6, 0.4, 0.5, form="printed", regime="low") == pytest.approx(0.5 * (0.9 - 0.15))
    with pytest.raises(TypeError, match="regime"):  # none is guessed for balls
        bounds.kl_drop(arb(0.5), arb(0.5), arb(0.5), arb(0.5), form="printed")


def test_gain_of_one_round_is_the_drop():
    eps, theta = 1.5, 1.5 / (1.5 + 4 * LOG2)
    gain = bounds.gain_lower(eps, 1, 0.7, 0.4, form="corrected", c_star=[0.3])
    assert gain == pytest.approx(bounds.kl_drop(theta, 0.3, 0.7, 0.4, form="corrected"))
    share = (0.7 + bounds.gamma_function(0.4) / LOG2) / 2
    assert bounds.gain_share(0.7, 0.4, form="corrected") == pytest.approx(share)
    printed = bounds.gain_lower(np.array([eps, eps]), 4, 0.7, 0.4, form="printed")
    assert printed == pytest.approx([eps / 2 * 0.55 * (1 - theta**4)] * 2)


@pytest.mark.parametrize("form", ["printed", "corrected"])
@pytest.mark.parametrize(
    ("function", "given"),
    [(bounds.gain_upper, (0.5, 3)), (bounds.gain_share, (0.5, 0.5)), (bounds.gain_lower, (0.5, 3, 0.5, 0.5))],
)
def test_balls_contain_what_floats_round(function, given, form):
    ball = function(*[arb(x) if isinstance(x, float) else x for x in given], form=form)
    assert abs(float((ball - arb(float(function(*given, form=form)))).abs_upper())) < 1e-14


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
