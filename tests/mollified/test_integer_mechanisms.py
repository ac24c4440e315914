"""The integer mechanisms: laws that sum to one, deltas against their definition, draws against their laws."""

import math
from fractions import Fraction as F

import numpy as np
import pytest
from scipy.stats import binom

from mollified.privacy import (
    binomial_delta,
    binomial_trials,
    discrete_gaussian_delta,
    opendp_gaussian_delta,
)
from mollified.privacy.integer_mechanisms import discrete_gaussian_masses, weight_beyond


def test_binomial_delta_against_scipy():
    law = binom.pmf(np.arange(31), 30, 0.5)
    for eps in (0.0, 0.3, 1.0, 2.5):
        level = F(math.exp(eps))
        direct = np.maximum(np.append(law, 0) - float(level) * np.append(0, law), 0).sum()
        assert float(binomial_delta(30, level)) == pytest.approx(direct, abs=1e-14)


@pytest.mark.parametrize(("exp_eps", "delta"), [(F(2), F(1, 10**5)), (F(11, 10), F(1, 100)), (F(3), F(1, 1000))])
def test_the_smallest_number_of_coins_is_the_smallest(exp_eps, delta):
    trials = binomial_trials(exp_eps, delta)
    assert binomial_delta(trials, exp_eps) <= delta
    assert all(binomial_delta(fewer, exp_eps) > delta for fewer in range(1, trials))


def test_discrete_gaussian_masses_sum_to_one_and_the_rest_is_bounded():
    masses = discrete_gaussian_masses(F(9, 4), -60, 60)
    assert abs(float(sum(masses).mid()) - 1) < 1e-15
    beyond = sum(math.exp(-z * z / 4.5) for z in range(6, 60))
    assert beyond <= float(weight_beyond(F(9, 4), 5).upper()) < 1.5 * beyond


def test_discrete_gaussian_delta_against_its_definition_and_opendp():
    law = np.exp(-(np.arange(-60, 61) ** 2) / 8)
    direct = np.maximum(law[1:] - math.e * law[:-1], 0).sum() / law.sum()
    exact = discrete_gaussian_delta(F(1), F(4))
    assert float(exact.mid()) == pytest.approx(direct, rel=1e-12)
    assert direct < opendp_gaussian_delta(2.0, 1.0) < 20 * direct
    assert discrete_gaussian_delta(F(100), F(4)) > 0  # though no float can hold it
