"""Lists of types, the certified recipe against floats, and the studies of both pages."""

from __future__ import annotations

from fractions import Fraction as F
from math import ceil, comb, floor, log

import numpy as np
import pytest

from mollified.bootstrap_accountant import two_symbol_deltas
from mollified.bootstrap_bounds import smallest_pseudocount, typical_lower, typical_upper
from mollified.bootstrap_recipe import least_records, most_records, recipe, root_rounded
from mollified.studies import bootstrap_privacy, bootstrap_recipe
from mollified.type_laws import compositions


def test_all_counts_are_listed():
    counts = list(compositions(4, 3))
    assert len(counts) == len(set(counts)) == comb(6, 2)
    assert all(sum(c) == 4 for c in counts)


def test_the_recipe_agrees_with_floats_where_these_are_clear():
    rng = np.random.default_rng(4)
    for _ in range(200):
        gamma, delta = F(int(rng.integers(1, 100)), 100), F(int(rng.integers(1, 100)), 100)
        eps, n, size = F(int(rng.integers(1, 500)), 100), int(rng.integers(1, 5000)), int(rng.integers(2, 50))
        sizes = (float(gamma), float(delta), float(eps), n, size)
        for form in ("printed", "corrected"):
            root = smallest_pseudocount(*sizes, form)
            if abs(root - round(root)) > 1e-6:
                assert root_rounded(gamma, delta, eps, n, size, form) == ceil(root)
        k, m = recipe(gamma, delta, eps, n, size, "corrected")
        assert k >= 2
        assert least_records(gamma, delta) == ceil(typical_lower(float(gamma), float(delta)))
        assert m == most_records(gamma, eps, n, size, k) == floor(typical_upper(float(gamma), float(eps), n, size, k))
        assert m >= least_records(gamma, delta)


def test_a_root_that_is_an_integer_is_not_rounded_up():
    # with ceil(L) = 12, gamma = 1/2: eps k (n + 2k) = 12 (n + 2k + 1); k = 6, n = 3, eps = 32/15 is a root
    half, eps = F(1, 2), F(12 * 16, 6 * 15)
    assert least_records(half, half) == 12
    assert root_rounded(half, half, eps, 3, 2, "corrected") == 6


def test_the_loss_on_two_symbols_adds_up_to_the_delta_of_that_pair():
    table, facts = bootstrap_privacy.loss_on_two_symbols(20, 5, 12, 0.5)
    assert table["probability"].sum() == pytest.approx(1, abs=1e-13)
    assert facts["delta"] == pytest.approx(two_symbol_deltas(0.5, 20, 5, 12)[0], rel=1e-12)
    assert facts["delta"] < facts["exceeds"]
    assert facts["largest"] == pytest.approx(12 * log(6 / 5))
    kl = 6 / 30 * log(6 / 5) + 24 / 30 * log(24 / 25)
    assert facts["mean"] == pytest.approx(12 * kl, rel=1e-12)
    assert facts["deviation"] == pytest.approx((24 * kl) ** 0.5, rel=0.05)


def test_the_unique_value_and_the_exact_type():
    table, facts = bootstrap_privacy.unique_by_records([100, 10_000], 0.01, 1000, 10)
    first = table[table["m"] == 1]
    assert first["probability"].to_numpy() == pytest.approx([0.01, 0.0001])
    assert (facts["allowed_100"], facts["allowed_10000"]) == (1, 100)
    _, facts = bootstrap_privacy.same_type([2, 10], [0.0, 0.1])
    assert facts["at_2_0"] == 0.5
    assert facts["at_10_0"] == comb(10, 5) / 2**10
    assert facts["at_10_0.1"] == (comb(10, 5) + 2 * comb(10, 4)) / 2**10


def test_the_interval_gains_an_integer_between_the_two_roots():
    table, facts = bootstrap_recipe.interval(0.5, 0.5, 0.1, 10, 2, 130)
    assert (facts["printed"], facts["least"], facts["corrected"]) == (112, 120, 121)
    assert (table[table["k"] < 120]["whole"] == 0).all()
    assert (table[table["k"] >= 120]["whole"] >= 1).all()


def test_the_heuristic_is_continuous_and_vanishes():
    assert bootstrap_recipe.expected_share(0.25) == 0.75
    assert bootstrap_recipe.expected_share(2 / 3) == pytest.approx(1 / 3)
    assert bootstrap_recipe.expected_share(2.5) == 0
    _, facts = bootstrap_recipe.share_without(300, [0.1, 0.2, 2.0, 3.0], 1)
    assert facts["overall"] == pytest.approx((1 - 0.1 / log(2)) / 2, abs=0.04)


def test_the_error_of_the_recipe_stays_above_its_limit():
    table, facts = bootstrap_recipe.cost(10_000, 20, 0.5, 0.01, [0.001, 0.01, 0.1])
    assert (table["error"] > facts["limit"]).all()
    assert table["error"].min() == pytest.approx(facts["limit"], rel=0.05)
    assert (table["error_exact"] >= facts["gaussian"]).all()
    assert (table["m"] < table["m_renyi"]).all()
    assert (table["m_renyi"] < table["m_exact"]).all()
