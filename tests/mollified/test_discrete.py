from __future__ import annotations

import numpy as np
import pytest

from mollified.laws.discrete import Discrete
from tests.mollified.sampling_tests import ALPHA, chi_square

PROBABILITIES = [0.1, 0.0, 0.2, 0.65, 0.05, 0.0]


def test_log_prob_is_exact_and_minus_inf_off_the_support():
    law = Discrete(PROBABILITIES)
    points = np.array([[0.0], [1.0], [3.0], [5.0], [-1.0], [6.0], [2.5]])
    expected = [np.log(0.1), -np.inf, np.log(0.65), -np.inf, -np.inf, -np.inf, -np.inf]
    assert law.log_prob(points).tolist() == expected
    assert law.size == 6
    assert law.probabilities.tolist() == PROBABILITIES


def test_draws_follow_the_probabilities():
    """False alarm 1e-6; control: probabilities that are off by 0.01 are told apart."""
    law = Discrete(PROBABILITIES)
    draws = law.sample(200_000, np.random.default_rng(11))[:, 0].astype(int)
    counts = np.bincount(draws, minlength=6)
    assert counts[[1, 5]].tolist() == [0, 0]
    kept = counts[[0, 2, 3, 4]]
    assert chi_square(kept, [0.1, 0.2, 0.65, 0.05]) > ALPHA
    assert chi_square(kept, [0.11, 0.19, 0.65, 0.05]) < ALPHA


@pytest.mark.parametrize("probabilities", [[0.0, 1.0, 0.0], [1.0], [1.0, 0.0]])
def test_atoms_of_probability_zero_are_never_drawn(probabilities):
    class Extreme(np.random.Generator):
        """Draws the two ends of the range of uniform numbers."""

        def random(self, size=None):
            return np.resize([0.0, 1.0 - 2.0**-53], size)

    law = Discrete(probabilities)
    draws = law.sample(4, Extreme(np.random.PCG64(0)))
    assert set(draws[:, 0]) == {float(probabilities.index(1.0))}


def test_a_total_missed_by_rounding_is_accepted_and_kept():
    tenth = Discrete([0.1] * 10)
    assert tenth.probabilities.tolist() == [0.1] * 10
