"""The density in product form: the recursion, its certificate, its sampler."""

from unittest.mock import Mock

import numpy as np
import pytest

from mollified.boosting import BoostedDensity, theta
from mollified.boosting.classifiers import BoundedLogit
from mollified.boosting.theta import LOG2, theta_sum
from mollified.laws import Discrete, FiniteSpace
from mollified.sampling import rejection_sample
from tests.mollified.helpers import Tabular

Q0 = np.array([0.1, 0.2, 0.3, 0.4])
TABLES = [LOG2 * np.array(row) for row in ([1, -1, 1, -1], [0.5, 1.0, -1.0, 0.0], [-1, -1, 1, 1])]
SPACE = FiniteSpace(4)


def density(eps=2.0, rounds=3):
    return BoostedDensity(Discrete(Q0), theta(eps, rounds), [Tabular(t) for t in TABLES[:rounds]], SPACE)


@pytest.mark.parametrize("rounds", [1, 3])
@pytest.mark.parametrize("eps", [0.01, 20.0])
def test_product_form_is_the_recursion_and_its_certificate_observes_it(eps, rounds):
    """Q_t proportional to Q_{t-1} exp(theta_t c_t), normalised in every round; equal to a few ulps."""
    current = Q0
    for step, table in zip(theta(eps, rounds), TABLES, strict=False):
        current = current * np.exp(step * table)
        current = current / current.sum()
    np.testing.assert_allclose(np.exp(density(eps, rounds).log_prob(SPACE.points)), current, rtol=1e-14)
    seen = density(eps, rounds).certificate()
    assert seen.promised == pytest.approx(2 * LOG2 * theta_sum(eps, rounds), rel=1e-15)
    assert seen.level == 2 * seen.promised < eps
    assert seen.observed == pytest.approx(np.abs(np.log(current / Q0)).max(), abs=1e-13)
    assert (seen.overrun, seen.valid) == (0.0, True)
    assert seen.mass == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize(("method", "overrun"), [("none", 2 * LOG2), ("clip", 0.0)])
def test_an_unclipped_classifier_breaks_the_certificate(method, overrun):
    """The logit reaches 3 log 2 where log 2 is promised."""
    classifier = BoundedLogit(lambda x: np.where(x[:, 0] == 0, 3 * LOG2, 0.0), method)
    seen = BoostedDensity(Discrete(Q0), theta(2.0, 1), [classifier], SPACE).certificate()
    assert seen.overrun == pytest.approx(overrun)
    assert seen.valid == (method == "clip")


def test_the_envelope_of_the_sampler_is_the_same_for_all_data(monkeypatch):
    """It may not follow the largest value of a classifier, which depends on the data."""
    spy = Mock(wraps=rejection_sample)
    monkeypatch.setattr("mollified.boosting.boosted_density.rejection_sample", spy)
    for size in (0.1, 0.6):
        made = BoostedDensity(Discrete([0.5, 0.5]), [0.3, 0.1], [Tabular([size, -size])] * 2, FiniteSpace(2))
        made.sample(5, np.random.default_rng(1))
    one, two = (call.args[2] for call in spy.call_args_list)
    assert one == two == pytest.approx(2 * LOG2 * 0.4, rel=1e-12)


def test_values_of_the_wrong_shape_are_refused():
    """A column of shape (n, 1) would broadcast to (n, n) and pass unseen."""
    column = BoundedLogit(lambda x: x, "clip")
    with pytest.raises(ValueError, match="classifiers' values must have shape"):
        BoostedDensity(Discrete(Q0), [0.5], [column], SPACE)
