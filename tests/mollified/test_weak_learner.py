import numpy as np

from mollified.boosting import BayesLearner
from mollified.boosting.theta import LOG2
from mollified.laws import Discrete, FiniteSpace

POINTS = FiniteSpace(4).points
P, Q = np.array([0.4, 0.3, 0.2, 0.1]), np.array([0.1, 0.25, 0.25, 0.4])


def rng():
    return np.random.default_rng(0)


def test_bayes_learner_is_the_bounded_log_odds():
    values = BayesLearner("clip").fit(Discrete(P), Discrete(Q), 1, rng())(POINTS)
    np.testing.assert_allclose(values, np.clip(np.log(P / Q), -LOG2, LOG2), atol=1e-15)
    raw = BayesLearner("none").fit(Discrete(P), Discrete(Q), 1, rng())(POINTS)
    np.testing.assert_allclose(raw, np.log(P / Q), atol=1e-15)
    assert np.abs(raw).max() > LOG2
