import numpy as np
import pytest

from mollified.boosting.classifiers import BOUNDINGS, BoundedLogit, bounded
from mollified.boosting.theta import LOG2

LOGITS = np.array([-700.0, -3.0, -0.5, -1e-9, 0.0, 1e-9, 0.5, 3.0, 700.0])


@pytest.mark.parametrize("method", ["clip", "tanh"])
def test_bounded_forms_stay_within_log_2_and_keep_order(method):
    values = bounded(LOGITS, method)
    assert np.abs(values).max() == LOG2
    assert (np.diff(values) >= 0).all()
    assert (np.sign(values) == np.sign(LOGITS)).all()


def test_formulas():
    sigmoid = 1 / (1 + np.exp(-LOGITS[1:-1]))
    np.testing.assert_allclose(bounded(LOGITS[1:-1], "tanh"), LOG2 * (2 * sigmoid - 1), rtol=1e-6, atol=1e-16)
    assert bounded([0.5, -3.0], "clip").tolist() == [0.5, -LOG2]


def test_the_unbounded_form_breaks_the_promise():
    classifier = BoundedLogit(lambda x: x[:, 0], "none")
    assert classifier.bound == LOG2
    assert classifier(np.array([[5.0]])).tolist() == [5.0]
    assert BOUNDINGS == ("clip", "tanh", "none")
