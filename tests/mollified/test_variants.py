"""The readings of MBDE: their ranges, their steps, and the level that the ranges promise."""

import math

import numpy as np
import pytest

from mollified.boosting import spent_level, theta
from mollified.boosting.theta import LOG2
from mollified.training import VARIANTS

LOGITS = np.array([-50.0, -1.0, -0.1, 0.0, 0.1, 1.0, 50.0])
RANGES = {"clip": (-LOG2, LOG2), "tanh": (-LOG2, LOG2), "successors": (0.0, 1.0)}


def test_classifiers_by_hand():
    expected = {
        "clip": [-LOG2, -LOG2, -0.1, 0, 0.1, LOG2, LOG2],
        "tanh": [LOG2 * math.tanh(x / 2) for x in LOGITS],
        "successors": [1 / (1 + math.exp(-x)) for x in LOGITS],
        "released": LOGITS,
        "released-first": LOGITS,
    }
    assert set(expected) == set(VARIANTS)
    for name, values in expected.items():
        assert VARIANTS[name].classifier(LOGITS) == pytest.approx(np.array(values), abs=1e-15)


def test_the_range_is_what_the_oscillation_says():
    for name, variant in VARIANTS.items():
        values = variant.classifier(LOGITS)
        if name in RANGES:
            low, high = RANGES[name]
            assert low <= values.min() <= values.max() <= high
            assert variant.oscillation == pytest.approx(high - low)
            assert values.max() - values.min() == pytest.approx(variant.oscillation)
        else:
            assert variant.oscillation == math.inf
            assert variant.classifier(1000 * LOGITS).max() == 50_000


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
