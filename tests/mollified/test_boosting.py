"""MBDE, its density in product form, the bounds on its gain, and runs as arrays, each
by its definition."""

import math
from itertools import product
from unittest.mock import Mock

import numpy as np
import pytest
from flint import arb
from scipy.special import expit

from mollified.boosting import (
    BayesLearner,
    BoostedDensity,
    bounds,
    edges_below,
    mbde,
    random_runs,
    spent_level,
    theta,
)
from mollified.boosting.classifiers import BoundedLogit
from mollified.boosting.mbde_family import closest_level, family_projection
from mollified.boosting.theta import LOG2, theta_sum
from mollified.laws import Discrete, FiniteSpace
from mollified.sampling import rejection_sample
from mollified.training import VARIANTS
from tests.mollified.helpers import Tabular


@pytest.mark.parametrize("eps", [1e-3, 1.0, 20.0])
@pytest.mark.parametrize("rounds", [1, 7, 40])
def test_steps_their_sum_and_the_level_spent(eps, rounds):
    base = eps / (eps + 4 * LOG2)
    np.testing.assert_allclose(
        theta(eps, rounds), [base**t for t in range(1, rounds + 1)], rtol=1e-13
    )
    total = math.fsum(theta(eps, rounds))
    assert theta_sum(eps, rounds) == pytest.approx(total, rel=1e-12)
    assert spent_level(eps, rounds) == pytest.approx(4 * LOG2 * total, rel=1e-12)
    assert spent_level(eps, rounds) <= eps * (1 + 2**-52)


SPACE = FiniteSpace(4)
STEEP = Discrete([0.6, 0.2, 0.1, 0.1])
Q0 = Discrete([0.1, 0.2, 0.3, 0.4])
TABLES = [
    LOG2 * np.array(row)
    for row in ([1, -1, 1, -1], [0.5, 1.0, -1.0, 0.0], [-1, -1, 1, 1])
]


@pytest.mark.parametrize(("method", "bound"), [("clip", LOG2), ("none", math.inf)])
def test_bayes_learner_is_the_bounded_log_odds(method, bound):
    values = BayesLearner(method).fit(STEEP, Q0, 1, np.random.default_rng(0))(
        SPACE.points
    )
    odds = np.log(STEEP.probabilities / Q0.probabilities)
    np.testing.assert_allclose(values, np.clip(odds, -bound, bound), atol=1e-15)


@pytest.mark.parametrize(
    ("name", "classifier", "width", "printed"),
    [
        ("clip", lambda x: np.clip(x, -LOG2, LOG2), 2 * LOG2, True),
        ("tanh", lambda x: LOG2 * np.tanh(x / 2), 2 * LOG2, True),
        ("successors", expit, 1.0, False),
        ("released", lambda x: x, math.inf, False),
        ("released-first", lambda x: x, math.inf, True),
    ],
)
def test_variants_by_hand(name, classifier, width, printed):
    """The classifier, the steps (the base is eps/(eps + 4 log 2) as printed, eps/(eps +
    4) as released), the level."""
    variant = VARIANTS[name]
    logits = np.array([-50.0, -1.0, -0.1, 0.0, 0.1, 1.0, 50.0])
    np.testing.assert_allclose(
        variant.classifier(logits), classifier(logits), atol=1e-15
    )
    assert variant.oscillation == pytest.approx(width)
    for eps in (0.3, 5.0):
        base = eps / (eps + (4 * LOG2 if printed else 4))
        assert variant.steps(eps, 3) == pytest.approx(
            [base, base**2, base**3], rel=1e-14
        )
        assert variant.level(eps, 3) == pytest.approx(
            2 * width * (base + base**2 + base**3), rel=1e-14
        )


def recursion(eps):
    """Return Q_0, ..., Q_3 on four points: Q_t proportional to Q_{t-1} exp(theta_t
    c_t), normalised in every round."""
    laws = [Q0.probabilities]
    for step, table in zip(theta(eps, 3), TABLES, strict=True):
        weights = laws[-1] * np.exp(step * table)
        laws.append(weights / weights.sum())
    return laws


def test_the_learner_sees_the_density_before_and_every_round_is_kept():
    learner = Mock(fit=Mock(side_effect=[Tabular(table) for table in TABLES]))
    densities = mbde(STEEP, Q0, 2.0, 3, learner, SPACE, np.random.default_rng(0))
    laws = recursion(2.0)
    for index, call in enumerate(learner.fit.call_args_list):
        target, shown, iteration, _ = call.args
        assert (target, iteration) == (STEEP, index + 1)
        np.testing.assert_allclose(
            np.exp(shown.log_prob(SPACE.points)), laws[index], rtol=1e-14
        )
        np.testing.assert_allclose(
            np.exp(densities[index].log_prob(SPACE.points)), laws[index + 1], rtol=1e-14
        )
    assert len(densities) == 3


def test_closest_level_is_that_of_a_law_that_is_clipped_everywhere():
    """P = (1/2, 1/3, 1/6), Q0 = (1, 1, 3)/5 and r = 2: the closest density is (2m, 2m,
    3m)/5 with m = 5/7."""
    ratio = np.log([5 / 2, 5 / 3, 5 / 18])
    assert math.isclose(
        closest_level(ratio, np.array([0.2, 0.2, 0.6]), math.log(2)),
        math.log(5 / 7),
        abs_tol=1e-12,
    )


def test_no_member_is_closer():
    """The divergence is convex, and linear functions are largest at the extreme
    members: of two values of Q/Q0."""
    rng = np.random.default_rng(2)
    for _ in range(60):
        size = int(rng.integers(2, 6))
        root = float(rng.uniform(1.01, 9))
        p = rng.dirichlet(np.ones(size))
        q = rng.dirichlet(np.ones(size))
        law = family_projection([p], [q], [np.log(root)])[0]
        assert law.sum() == pytest.approx(1, rel=1e-11)
        assert max(law / q) <= root * min(law / q) * (1 + 1e-12)
        for chosen in product((1, root), repeat=size):
            assert p @ (q * chosen / (q @ chosen) / law) <= 1 + 1e-9


@pytest.mark.parametrize("rounds", [1, 3])
@pytest.mark.parametrize("eps", [0.01, 20.0])
def test_product_form_is_the_recursion_and_its_certificate_observes_it(eps, rounds):
    """Equal to a few ulps."""
    density = BoostedDensity(
        Q0, theta(eps, rounds), [Tabular(t) for t in TABLES[:rounds]], SPACE
    )
    last = recursion(eps)[rounds]
    np.testing.assert_allclose(np.exp(density.log_prob(SPACE.points)), last, rtol=1e-14)
    seen = density.certificate()
    assert seen.promised == pytest.approx(2 * LOG2 * theta_sum(eps, rounds), rel=1e-15)
    assert seen.level == 2 * seen.promised < eps
    assert seen.observed == pytest.approx(
        np.abs(np.log(last / Q0.probabilities)).max(), abs=1e-13
    )
    assert (seen.overrun, seen.valid) == (0.0, True)
    assert seen.mass == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize(("method", "overrun"), [("none", 2 * LOG2), ("clip", 0.0)])
def test_an_unclipped_classifier_breaks_the_certificate(method, overrun):
    """The logit reaches 3 log 2 where log 2 is promised."""
    classifier = BoundedLogit(lambda x: np.where(x[:, 0] == 0, 3 * LOG2, 0.0), method)
    seen = BoostedDensity(Q0, theta(2.0, 1), [classifier], SPACE).certificate()
    assert seen.overrun == pytest.approx(overrun)
    assert seen.valid == (method == "clip")


def test_the_envelope_of_the_sampler_is_the_same_for_all_data(monkeypatch):
    """It may not follow the largest value of a classifier, which depends on the
    data."""
    spy = Mock(wraps=rejection_sample)
    monkeypatch.setattr("mollified.boosting.boosted_density.rejection_sample", spy)
    for size in (0.1, 0.6):
        made = BoostedDensity(
            Discrete([0.5, 0.5]),
            [0.3, 0.1],
            [Tabular([size, -size])] * 2,
            FiniteSpace(2),
        )
        made.sample(5, np.random.default_rng(1))
    one, two = (call.args[2] for call in spy.call_args_list)
    assert one == two == pytest.approx(2 * LOG2 * 0.4, rel=1e-12)


def test_values_of_the_wrong_shape_are_refused():
    """A column of shape (n, 1) would broadcast to (n, n) and pass unseen."""
    column = BoundedLogit(lambda x: x, "clip")
    with pytest.raises(ValueError, match=r"^classifiers.* shape"):
        BoostedDensity(Q0, [0.5], [column], SPACE)


@pytest.mark.parametrize("u", [1e-9, 0.1, LOG2, 5.0, 300.0])
@pytest.mark.parametrize("gamma", [0.0, 0.3, 0.999, 1.0])
def test_log_moment_against_high_precision(u, gamma):
    x = arb(u)
    g = arb(gamma)
    exact = float((x.cosh() - g * x.sinh()).log().mid()) if u < 30 or gamma < 1 else -u
    assert bounds.log_moment(u, gamma) == pytest.approx(
        exact, rel=1e-12, abs=4e-16 * max(u, 1)
    )


def test_drop_follows_the_regime():
    low = 0.5 * (0.6 - 0.15)
    high = 0.5 * (0.24 + math.log(4 / 3.5))
    assert bounds.kl_drop(
        0.5, 0.6, 0.4, np.array([0.2, 0.5]), form="printed"
    ) == pytest.approx([low, high])
    assert bounds.kl_drop(
        0.5, 0.6, 0.4, 0.5, form="printed", regime="low"
    ) == pytest.approx(0.5 * (0.9 - 0.15))
    with pytest.raises(TypeError, match="regime"):  # none is guessed for balls
        bounds.kl_drop(arb(0.5), arb(0.5), arb(0.5), arb(0.5), form="printed")


def test_gain_of_one_round_is_the_drop():
    eps = 1.5
    theta = 1.5 / (1.5 + 4 * LOG2)
    gain = bounds.gain_lower(eps, 1, 0.7, 0.4, form="corrected", c_star=[0.3])
    assert gain == pytest.approx(bounds.kl_drop(theta, 0.3, 0.7, 0.4, form="corrected"))
    share = (0.7 + bounds.gamma_function(0.4) / LOG2) / 2
    assert bounds.gain_share(0.7, 0.4, form="corrected") == pytest.approx(share)
    printed = bounds.gain_lower(np.array([eps, eps]), 4, 0.7, 0.4, form="printed")
    assert printed == pytest.approx([eps / 2 * 0.55 * (1 - theta**4)] * 2)


@pytest.mark.parametrize("form", ["printed", "corrected"])
@pytest.mark.parametrize(
    ("function", "given"),
    [
        (bounds.gain_upper, (0.5, 3)),
        (bounds.gain_share, (0.5, 0.5)),
        (bounds.gain_lower, (0.5, 3, 0.5, 0.5)),
    ],
)
def test_balls_contain_what_floats_round(function, given, form):
    ball = function(*[arb(x) if isinstance(x, float) else x for x in given], form=form)
    assert (
        abs(float((ball - arb(float(function(*given, form=form)))).abs_upper())) < 1e-14
    )


RUNS = random_runs(np.random.default_rng(3), 200, 4, 3)


def test_steps_edges_normalisers_and_drops_by_their_definitions():
    q = RUNS.q0
    for t in range(3):
        c = RUNS.shape[:, t] * RUNS.c_star[:, t, np.newaxis]
        step = np.array([theta(float(eps), 3)[t] for eps in RUNS.eps])
        weights = q * np.exp(step[:, np.newaxis] * c)
        z = weights.sum(axis=1)
        assert RUNS.theta[:, t] == pytest.approx(step)
        assert RUNS.edge_p[:, t] * RUNS.c_star[:, t] == pytest.approx(
            (RUNS.p * c).sum(axis=1), abs=1e-14
        )
        assert RUNS.edge_q[:, t] * RUNS.c_star[:, t] == pytest.approx(
            -(q * c).sum(axis=1), abs=1e-14
        )
        assert RUNS.log_z[:, t] == pytest.approx(np.log(z), abs=1e-14)
        after = weights / z[:, np.newaxis]
        assert RUNS.drop[:, t] == pytest.approx(
            (RUNS.p * np.log(after / q)).sum(axis=1), abs=1e-13
        )
        np.testing.assert_allclose(RUNS.laws[:, t], after, rtol=1e-12)
        q = after
    assert RUNS.gain == pytest.approx(
        (RUNS.p * np.log(q / RUNS.q0)).sum(axis=1), abs=1e-13
    )
    assert RUNS.c_star.max() <= LOG2
    assert len(RUNS) == 200


def test_edges_below_the_exact_ones():
    for edges, exact in zip(edges_below(RUNS), (RUNS.edge_p, RUNS.edge_q), strict=True):
        assert (edges[RUNS.learnable] < exact[RUNS.learnable]).all()
        assert edges[RUNS.learnable] == pytest.approx(exact[RUNS.learnable], rel=1e-9)
        assert (edges[~RUNS.learnable] == 0).all()
