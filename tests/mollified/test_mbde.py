"""The algorithm in its parts: steps, classifiers, the ideal learner, the readings, and what can come out."""

import math
from itertools import product

import numpy as np
import pytest
from mpmath import mp

from mollified.boosting import BayesLearner, mbde, spent_level, theta
from mollified.boosting.classifiers import BOUNDINGS, BoundedLogit, bounded
from mollified.boosting.mbde_family import family_projection
from mollified.boosting.theta import LOG2, theta_sum
from mollified.laws import Discrete, FiniteSpace
from mollified.training import VARIANTS
from tests.mollified.tabular import Tabular


@pytest.mark.parametrize("eps", [1e-3, 0.25, 1.0, 4 * LOG2, 20.0])
@pytest.mark.parametrize("rounds", [1, 2, 7, 40])
def test_sum_against_adding_up_and_against_balls(eps, rounds):
    """eps <= 20: 1 - theta_T loses at most a factor 1 + eps/(4 log 2) < 9 of 2**-53; T ulps for the power."""
    slow = math.fsum(theta(eps, rounds))
    assert theta_sum(eps, rounds) == pytest.approx(slow, rel=50 * rounds * 2.0**-53)
    with mp.workdps(50):
        exact = [float((mp.mpf(eps) / (eps + 4 * mp.log(2))) ** t) for t in range(1, rounds + 1)]
    np.testing.assert_allclose(theta(eps, rounds), exact, rtol=4 * rounds * 2.0**-53)
    assert theta_sum(eps, rounds) <= eps / (4 * LOG2)
    assert spent_level(eps, rounds) == pytest.approx(4 * LOG2 * slow, rel=50 * rounds * 2.0**-53)
    assert spent_level(eps, rounds) <= eps * (1 + 2**-52)


LOGITS = np.array([-700.0, -3.0, -0.5, -1e-9, 0.0, 1e-9, 0.5, 3.0, 700.0])


@pytest.mark.parametrize("method", ["clip", "tanh"])
def test_bounded_forms_stay_within_log_2_and_keep_order(method):
    values = bounded(LOGITS, method)
    assert np.abs(values).max() == LOG2
    assert (np.diff(values) >= 0).all()
    assert (np.sign(values) == np.sign(LOGITS)).all()


def test_the_unbounded_form_breaks_the_promise():
    classifier = BoundedLogit(lambda x: x[:, 0], "none")
    assert classifier.bound == LOG2
    assert classifier(np.array([[5.0]])).tolist() == [5.0]
    assert BOUNDINGS == ("clip", "tanh", "none")


POINTS = FiniteSpace(4).points
FALLING, Q = np.array([0.4, 0.3, 0.2, 0.1]), np.array([0.1, 0.25, 0.25, 0.4])


def rng():
    return np.random.default_rng(0)


def test_bayes_learner_is_the_bounded_log_odds():
    values = BayesLearner("clip").fit(Discrete(FALLING), Discrete(Q), 1, rng())(POINTS)
    np.testing.assert_allclose(values, np.clip(np.log(FALLING / Q), -LOG2, LOG2), atol=1e-15)
    raw = BayesLearner("none").fit(Discrete(FALLING), Discrete(Q), 1, rng())(POINTS)
    np.testing.assert_allclose(raw, np.log(FALLING / Q), atol=1e-15)
    assert np.abs(raw).max() > LOG2


FEW_LOGITS = np.array([-50.0, -1.0, -0.1, 0.0, 0.1, 1.0, 50.0])


def test_classifiers_by_hand():
    expected = {
        "clip": [-LOG2, -LOG2, -0.1, 0, 0.1, LOG2, LOG2],
        "tanh": [LOG2 * math.tanh(x / 2) for x in FEW_LOGITS],
        "successors": [1 / (1 + math.exp(-x)) for x in FEW_LOGITS],
        "released": FEW_LOGITS,
        "released-first": FEW_LOGITS,
    }
    assert set(expected) == set(VARIANTS)
    for name, values in expected.items():
        assert VARIANTS[name].classifier(FEW_LOGITS) == pytest.approx(np.array(values), abs=1e-15)
    widths = {"clip": 2 * LOG2, "tanh": 2 * LOG2, "successors": 1.0, "released": math.inf, "released-first": math.inf}
    assert {name: variant.oscillation for name, variant in VARIANTS.items()} == pytest.approx(widths)


def test_steps_are_powers_of_the_printed_and_the_released_base():
    assert VARIANTS["clip"].steps(1.0, 3) == pytest.approx(theta(1.0, 3))
    assert VARIANTS["tanh"].steps(0.3, 3) == pytest.approx(theta(0.3, 3))
    assert VARIANTS["released-first"].steps(0.3, 3) == pytest.approx(theta(0.3, 3))
    for name in ("released", "successors"):
        assert VARIANTS[name].steps(1.0, 3) == pytest.approx([1 / 5, 1 / 25, 1 / 125], rel=1e-15)


@pytest.mark.parametrize("eps", [0.1, 1.0, 5.0])
def test_levels(eps):
    """As printed: `spent_level`, below eps for every T; sigmoid: 2 sum theta, below eps / 2; a raw logit: none."""
    for rounds in (1, 3, 50):
        for name in ("clip", "tanh"):
            level = VARIANTS[name].level(eps, rounds)
            assert level == pytest.approx(spent_level(eps, rounds))
            assert level <= eps
        assert VARIANTS["successors"].level(eps, rounds) == pytest.approx(
            2 * sum((eps / (eps + 4)) ** t for t in range(1, rounds + 1))
        )
        assert VARIANTS["successors"].level(eps, rounds) < eps / 2 * (1 + 1e-12)
        assert VARIANTS["released"].level(eps, rounds) == VARIANTS["released-first"].level(eps, rounds) == math.inf


STEEP, Q0 = Discrete([0.6, 0.2, 0.1, 0.1]), Discrete([0.1, 0.2, 0.3, 0.4])
SPACE = FiniteSpace(4)


def run(eps, rounds, learner=None, target=STEEP):
    return mbde(target, Q0, eps, rounds, learner or BayesLearner("clip"), SPACE, np.random.default_rng(0))


class Recorder:
    """Returns fixed tables and keeps what it was shown."""

    def __init__(self, tables):
        self.tables, self.seen = tables, []

    def fit(self, target, current, iteration, rng):
        self.seen.append((iteration, current.log_prob(SPACE.points)))
        return Tabular(self.tables[iteration - 1])


def test_the_learner_sees_the_density_before_and_every_round_is_kept():
    tables = [LOG2 * np.array([1, -1, 0, 1]), LOG2 * np.array([-1, 1, 1, -1]), LOG2 * np.array([0.5, 0, 0, -1])]
    learner = Recorder(tables)
    densities = run(2.0, 3, learner)
    assert [iteration for iteration, _ in learner.seen] == [1, 2, 3]
    shown = [np.exp(logs) for _, logs in learner.seen]
    np.testing.assert_allclose(shown[0], Q0.probabilities, rtol=1e-15)
    for before, density in zip(shown[1:], densities, strict=False):
        np.testing.assert_allclose(before, np.exp(density.log_prob(SPACE.points)), rtol=1e-15)
    current = Q0.probabilities
    for step, table, density in zip(theta(2.0, 3), tables, densities, strict=True):
        current = current * np.exp(step * table)
        current = current / current.sum()
        np.testing.assert_allclose(np.exp(density.log_prob(SPACE.points)), current, rtol=1e-14)


def projected(p, q, root):
    return family_projection([p], [q], [np.log(root)])[0]


def test_no_member_is_closer():
    """The divergence is convex, and linear functions are largest at the extreme members: of two values of Q/Q0."""
    rng = np.random.default_rng(2)
    for _ in range(60):
        size, root = int(rng.integers(2, 6)), float(rng.uniform(1.01, 9))
        p, q = rng.dirichlet(np.ones(size)), rng.dirichlet(np.ones(size))
        law = projected(p, q, root)
        assert law.sum() == pytest.approx(1, rel=1e-11)
        assert max(law / q) <= root * min(law / q) * (1 + 1e-12)
        for chosen in product((1, root), repeat=size):
            member = q * chosen / (q @ chosen)
            assert p @ (member / law) <= 1 + 1e-9
