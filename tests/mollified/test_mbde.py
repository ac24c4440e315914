import numpy as np
import pytest

from mollified.boosting import BayesLearner, mbde, spent_level, theta
from mollified.boosting.theta import LOG2
from mollified.laws import Discrete, FiniteSpace
from mollified.mollifiers import RelativeMollifier
from tests.mollified.tabular import Tabular

P, Q0 = Discrete([0.6, 0.2, 0.1, 0.1]), Discrete([0.1, 0.2, 0.3, 0.4])
SPACE = FiniteSpace(4)


def run(eps, rounds, learner=None, target=P):
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


def test_an_unbounded_learner_leaves_the_mollifier_and_breaks_the_certificate():
    """Negative control: the true log-odds reach log 6 > log 2, and at T = 1 the ratio leaves the level of one round."""
    far = Discrete([1 - 3e-9, 1e-9, 1e-9, 1e-9])
    density = run(1.0, 3, BayesLearner("none"), far)[-1]
    assert density.certificate().overrun > 1
    assert not density.certificate().valid
    assert not RelativeMollifier(Q0, 1.0).contains(density, SPACE).contained
    assert RelativeMollifier(Q0, 1.0).contains(run(1.0, 3, None, far)[-1], SPACE).contained


@pytest.mark.parametrize("learner", [BayesLearner("clip"), BayesLearner("tanh")])
@pytest.mark.parametrize("eps", [0.01, 1.0, 20.0])
def test_every_round_stays_in_the_mollifier_of_its_own_level(learner, eps):
    for t, density in enumerate(run(eps, 5, learner), start=1):
        assert RelativeMollifier(Q0, spent_level(eps, t)).contains(density, SPACE).contained
        assert density.certificate().valid
        assert density.certificate().promised < eps / 2
