"""Types and the typical set: sums over all types, closed forms, and the sampler's own law."""

import math
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from scipy import stats

from mollified.bootstrap_accountant import bootstrap_delta
from mollified.bootstrap_bounds import hoeffding_records, step_loss, theorem_records
from mollified.bootstrap_mechanism import smoothed_law
from mollified.instances import random_law
from mollified.studies.typical_sets import bounds_by_size, loss_of_release, records_allowed, simplex_types
from mollified.typical_set import (
    type_probabilities,
    type_probability,
    types,
    typical_probability,
    typical_probability_float,
    typical_ranges,
)

LAW = (F(1, 2), F(1, 3), F(1, 6))


def test_types_are_all_count_vectors_once():
    table = types(3, 4)
    assert table.shape == (math.comb(6, 2), 3)
    assert (table.sum(axis=1) == 4).all()
    assert table.min() == 0
    rows = [tuple(row) for row in table.tolist()]
    assert rows == sorted(set(rows))
    assert set(rows) == {row for row in product(range(5), repeat=3) if sum(row) == 4}


def test_probabilities_of_all_types_add_up_to_one_exactly():
    for size, m in ((2, 7), (3, 6), (4, 4)):
        law = random_law(np.random.default_rng(size), size)
        assert sum(type_probability(law, row) for row in types(size, m).tolist()) == 1


def test_probability_of_a_type_counts_its_orders():
    law, counts = (F(1, 4), F(3, 4)), (2, 1)
    total = sum(math.prod(law[x] for x in draws) for draws in product(range(2), repeat=3) if draws.count(0) == 2)
    assert type_probability(law, counts) == total == F(9, 64)


def test_float_probabilities_agree_with_exact_ones():
    table, mass = type_probabilities(LAW, 40)
    exact = np.array([float(type_probability(LAW, row)) for row in table.tolist()])
    np.testing.assert_allclose(mass, exact, rtol=1e-12)
    with_zero = type_probabilities((F(1), F(0)), 3)[1]
    np.testing.assert_allclose(with_zero, [0, 0, 0, 1])


@pytest.mark.parametrize("seed", range(12))
def test_typical_probability_is_the_sum_over_its_types(seed):
    rng = np.random.default_rng(seed)
    law, m = random_law(rng, int(rng.integers(2, 5)), spread=6), int(rng.integers(1, 9))
    gamma = F(int(rng.integers(1, 40)), 40)
    rows = types(len(law), m).tolist()
    inside = [row for row in rows if all(abs(F(x, m) - p) <= gamma for x, p in zip(row, law, strict=True))]
    ranges = typical_ranges(law, m, gamma)
    assert inside == [row for row in rows if all(a <= x <= b for x, (a, b) in zip(row, ranges, strict=True))]
    exact = sum((type_probability(law, row) for row in inside), F(0))
    assert typical_probability(law, m, gamma) == exact
    assert typical_probability_float(law, m, gamma) == pytest.approx(float(exact), rel=1e-12)


def test_two_symbols_are_a_binomial():
    p, m, gamma = F(1, 3), 60, F(1, 10)
    low, high = typical_ranges((p, 1 - p), m, gamma)[0]
    assert (low, high) == (14, 26)
    law = stats.binom(m, 1 / 3)
    assert float(typical_probability((p, 1 - p), m, gamma)) == pytest.approx(
        law.cdf(high) - law.cdf(low - 1), rel=1e-11
    )


def test_float_version_keeps_up_with_many_symbols_and_draws():
    law = smoothed_law((5, 3, 0, 0, 2, 40), 2)
    exact = float(typical_probability(law, 150, F(1, 12)))
    assert typical_probability_float(law, 150, F(1, 12)) == pytest.approx(exact, rel=1e-11)
    wide = (F(1, 400),) * 400
    assert 0.999 < typical_probability_float(wide, 3000, F(1, 100)) < 1


def test_an_empty_typical_set_has_probability_zero():
    assert typical_probability((F(1, 2), F(1, 2)), 1, F(1, 4)) == 0
    assert typical_probability_float((F(1, 2), F(1, 2)), 1, F(1, 4)) == 0.0
    # each cell has a count in range, and no counts of total m do
    law = (F(1, 3),) * 3
    assert typical_ranges(law, 2, F(1, 5)) == [(1, 1)] * 3
    assert typical_probability(law, 2, F(1, 5)) == 0 == typical_probability_float(law, 2, F(1, 5))


def test_counts_must_fit_the_law():
    with pytest.raises(ValueError, match=r"counts must have 3 entries, got \(1, 2\)"):
        type_probability(LAW, (1, 2))
    with pytest.raises(ValueError, match="must give at most 2000000 types, got 10 and 100"):
        types(10, 100)


def test_law_of_the_loss_has_the_mean_and_spread_of_the_walk():
    table, facts = loss_of_release(n=10_000, size=10, k=200, eps=1.0, delta=1e-6)
    assert table["probability"].sum() == pytest.approx(1, abs=1e-12)
    mean = (table["loss"] * table["probability"]).sum()
    assert mean == pytest.approx(facts["mean"], rel=1e-6)
    assert ((table["loss"] - mean) ** 2 * table["probability"]).sum() == pytest.approx(facts["spread"] ** 2, rel=1e-6)
    assert bootstrap_delta(facts["exact"], 10_000, 10, 200, int(facts["m"])) == pytest.approx(1e-6, rel=1e-6)
    assert facts["exact"] < facts["hoeffding"] < facts["eps"] < facts["pure"]


def test_simplex_shows_the_smallest_typical_set():
    table, facts = simplex_types(counts=[6, 3, 0], k=3, m=24, delta=0.1)
    assert table["probability"].sum() == pytest.approx(1, abs=1e-12)
    assert table.loc[table["inner"] == 1, "probability"].sum() == pytest.approx(facts["probability_inner"], rel=1e-10)
    assert facts["probability_inner"] >= 0.9
    smaller = F(facts["gamma_inner"]).limit_denominator(1000) - F(1, 10**6)
    assert typical_probability(smoothed_law((6, 3, 0), 3), 24, smaller) < F(9, 10)
    assert (table["inner"] <= table["outer"]).all()


def test_bounds_lie_above_what_they_bound():
    table, _ = bounds_by_size(counts=[6, 3, 0], k=3, gamma=0.15, draws=[5, 50, 150])
    assert (table["atypical"] < table["atypical_bound"]).all()
    assert (table["loss"] < table["loss_bound"]).all()
    assert (table["delta"] < table["loss"]).all()


def test_records_cross_pure_privacy_near_the_thresholds():
    table, facts = records_allowed(n=10_000, size=10, eps=1.0, delta=1e-6, pseudocounts=[100, 116, 118])
    assert abs(facts["from_theorem"] - facts["threshold_theorem"]) < 1.5
    assert abs(facts["from_sharper"] - facts["threshold_sharper"]) < 1.5
    assert ((table["theorem"] > table["pure"]) == (table["k"] >= facts["from_theorem"])).all()


@pytest.mark.parametrize("eps", [0.1, 1.0, 6.0])
def test_hoeffding_records_are_the_largest_that_meet_both_conditions(eps):
    n, size, k, delta = 50, 4, 60, 1e-3
    m = hoeffding_records(eps, delta, n, size, k)

    def fits(count):
        gamma = math.sqrt(math.log(1 / delta) / (2 * count))
        return count * (1 / (n + k * size) + 2 * gamma) * step_loss(k) <= eps

    assert m == 0 or fits(m)
    assert not fits(m + 1)
    assert m >= theorem_records(eps, delta, n, size, k, form="corrected")


@pytest.mark.parametrize("sign", [1, -1])
def test_derivatives_of_the_bounds_on_the_loss_are_those_of_the_proof(sign):
    """The formulas of the proof on the page, against differences of the bounds themselves; -1 is the lower bound."""
    rng = np.random.default_rng(21)
    for _ in range(50):
        c1, c2, w, h = rng.uniform(2, 40), rng.uniform(1, 40), sign * rng.uniform(0, 30), 1e-4

        def first(c, w=w):
            return -(c + w) * math.log1p(-1 / c)

        def second(c, w=w):
            return -(c - w) * math.log1p(1 / c)

        t, u = 1 / c1, 1 / c2
        one = math.log1p(-t) + t / (1 - t) + w * t**2 / (1 - t)
        two = math.log1p(u) - u / (1 + u) + w * u**2 / (1 + u)
        assert (first(c1 - h) - first(c1 + h)) / (2 * h) == pytest.approx(one, rel=1e-4, abs=1e-8)
        assert (second(c2 - h) - second(c2 + h)) / (2 * h) == pytest.approx(two, rel=1e-4, abs=1e-8)
