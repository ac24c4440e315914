from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from mollified.classifiers import edge
from mollified.discrete import Discrete
from mollified.spaces import FiniteSpace
from mollified.theta import LOG2
from mollified.weak_learner import BayesLearner, SignLearner

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


def test_sign_learner_has_the_largest_sum_of_edges_of_all_classifiers():
    """Against all 3^4 tables with values in {-log 2, 0, log 2}; the sum of edges is 2 TV(P, Q)."""
    values = SignLearner().fit(Discrete(P), Discrete(Q), 1, rng())(POINTS)
    ours = edge(values, P, LOG2) - edge(values, Q, LOG2)
    assert ours == pytest.approx(np.abs(P - Q).sum(), abs=1e-15)
    for table in product((-LOG2, 0.0, LOG2), repeat=4):
        assert edge(table, P, LOG2) - edge(table, Q, LOG2) <= ours + 1e-15


def test_zeros_on_one_side_are_at_the_bound_and_on_both_at_zero():
    p, q = Discrete([0.5, 0.5, 0.0, 0.0]), Discrete([0.0, 0.5, 0.5, 0.0])
    for learner in (BayesLearner("clip"), SignLearner()):
        assert learner.fit(p, q, 1, rng())(POINTS).tolist() == [LOG2, 0.0, -LOG2, 0.0]
    assert BayesLearner("none").fit(p, q, 1, rng())(POINTS).tolist() == [700.0, 0.0, -700.0, 0.0]


def test_edges_of_the_bayes_learner_are_positive():
    for method in ("clip", "tanh"):
        values = BayesLearner(method).fit(Discrete(P), Discrete(Q), 1, rng())(POINTS)
        assert edge(values, P, LOG2) > 0 > edge(values, Q, LOG2)
    assert math.isclose(LOG2, math.log(2))
