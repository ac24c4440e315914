"""The integer mechanisms: laws that sum to one, deltas against their definition, draws against their laws."""

from __future__ import annotations

import math
from fractions import Fraction as F
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import binom, chisquare

from mollified.finite_mechanisms import truncated_geometric
from mollified.gaussian_mechanism import gaussian_delta
from mollified.histogram_release import discrete_gaussian_delta as two_counts
from mollified.integer_mechanisms import (
    binomial_delta,
    binomial_law,
    binomial_noise,
    binomial_trials,
    discrete_gaussian_delta,
    discrete_gaussian_masses,
    discrete_gaussian_noise,
    geometric_counts,
    geometric_delta,
    opendp_gaussian_delta,
    weight_beyond,
)
from mollified.studies.integer_mechanisms import capped_counts, exact_deltas, output_laws


def test_geometric_delta_is_zero_from_its_own_level_on():
    assert geometric_delta(F(2), F(2)) == 0 == geometric_delta(F(2), F(5))
    assert geometric_delta(F(2), F(1)) == F(1, 3)  # the total variation of neighbouring counts


def test_binomial_law_and_delta_against_scipy():
    law = np.array([float(p) for p in binomial_law(30)])
    assert law == pytest.approx(binom.pmf(np.arange(31), 30, 0.5), rel=1e-12)
    for eps in (0.0, 0.3, 1.0, 2.5):
        level = F(math.exp(eps))
        direct = np.maximum(np.append(law, 0) - float(level) * np.append(0, law), 0).sum()
        assert float(binomial_delta(30, level)) == pytest.approx(direct, abs=1e-14)


@pytest.mark.parametrize(("exp_eps", "delta"), [(F(2), F(1, 10**5)), (F(11, 10), F(1, 100)), (F(3), F(1, 1000))])
def test_the_smallest_number_of_coins_is_the_smallest(exp_eps, delta):
    trials = binomial_trials(exp_eps, delta)
    assert binomial_delta(trials, exp_eps) <= delta
    assert all(binomial_delta(fewer, exp_eps) > delta for fewer in range(1, trials))


def test_one_more_coin_never_hurts():
    deltas = [binomial_delta(trials, F(7, 4)) for trials in range(1, 120)]
    assert all(b <= a for a, b in pairwise(deltas))


def test_discrete_gaussian_masses_sum_to_one_and_the_rest_is_bounded():
    masses = discrete_gaussian_masses(F(9, 4), -60, 60)
    assert abs(float(sum(masses).mid()) - 1) < 1e-15
    beyond = sum(math.exp(-z * z / 4.5) for z in range(6, 60))
    assert beyond <= float(weight_beyond(F(9, 4), 5).upper()) < 1.5 * beyond


def test_discrete_gaussian_delta_is_near_the_continuous_one_and_below_that_of_two_counts():
    for sigma, eps in ((2.0, 0.7), (5.0, 0.2), (10.0, 0.1)):
        ours = float(discrete_gaussian_delta(F(eps), F(sigma) ** 2).mid())
        assert ours == pytest.approx(gaussian_delta(eps, 1 / sigma), rel=0.1)
        assert ours < two_counts(eps, sigma)


def test_a_far_delta_is_positive_though_no_float_can_hold_it():
    assert discrete_gaussian_delta(F(100), F(4)) > 0


def test_opendp_is_safe_and_generous():
    exact = float(discrete_gaussian_delta(F(1), F(4)).mid())
    assert exact < opendp_gaussian_delta(2.0, 1.0) < 20 * exact


def test_draws_stay_in_their_range_and_have_their_law():
    draws = geometric_counts(1, 0.4, 0, 3, 4000)
    assert set(draws) == {0, 1, 2, 3}
    law = [float(p) for p in truncated_geometric([1], 0, 3, F(math.exp(0.4)))[1]]
    seen = np.bincount(draws)
    assert chisquare(seen, 4000 * np.array(law)).pvalue > 1e-6
    assert chisquare(seen, 4000 * np.array(law[::-1])).pvalue < 1e-6
    assert discrete_gaussian_noise(3.0, 5).dtype == np.int64
    heads = binomial_noise(10, np.random.default_rng(2), 5000)
    assert heads.min() >= -5
    assert heads.max() <= 5
    assert abs(heads.mean()) < 0.15


def test_the_studies():
    table, facts = output_laws(2, 3, 8, 16, 4)
    assert facts["delta_binomial"] == pytest.approx(1851 / 65536)
    sums = table.groupby("mechanism")["excess"].sum()
    assert sums["geometric"] == pytest.approx(0, abs=1e-15)
    assert sums["binomial"] == pytest.approx(facts["delta_binomial"])
    assert sums["discrete Gaussian"] == pytest.approx(facts["delta_gaussian"], abs=1e-5)
    table, facts = exact_deltas(2, 16, 4, 2.0, 21)
    assert (table.drop(columns="eps").diff().dropna() <= 0).all().all()
    assert facts["geometric_twice"] == 0
    table, facts = capped_counts(2, 3, [5])
    assert facts["delta_n"] == pytest.approx(2 / 3)
    assert facts["delta_5"] == 0
