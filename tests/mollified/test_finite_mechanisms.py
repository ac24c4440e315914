"""Finite mechanisms against brute force, and the studies of the primer's pages on privacy and post-processing."""

from __future__ import annotations

import math
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from scipy.stats import poisson

from mollified.divergences import hockey_stick
from mollified.finite_mechanisms import (
    data_sets,
    excess,
    largest_excess,
    make_table,
    neighbour_pairs,
    pure_ratio,
    random_table,
    sharp_replacement,
    thinned_records,
    truncated_geometric,
)
from mollified.spaces import FiniteSpace
from mollified.studies import primer_post_processing, primer_privacy


def test_neighbours_of_both_kinds():
    data = data_sets(2, 2)
    assert len(data) == 6
    added = neighbour_pairs(data)
    assert all(abs(sum(a) - sum(b)) == 1 for a, b in added)
    assert len(added) == 2 * 6
    replaced = neighbour_pairs(data, "replace")
    assert set(replaced) == {
        ((0, 1), (1, 0)),
        ((1, 0), (0, 1)),
        ((2, 0), (1, 1)),
        ((1, 1), (2, 0)),
        ((0, 2), (1, 1)),
        ((1, 1), (0, 2)),
    }
    assert len(neighbour_pairs(data, "all")) == 30


def test_excess_is_the_largest_over_events_and_the_hockey_stick():
    rng = np.random.default_rng(1)
    for _ in range(50):
        one, two = random_table(rng, [(0,), (1,)], 4, zeros=0.5).values()
        level = F(int(rng.integers(10, 30)), 10)
        events = [
            sum((p - level * q for p, q, chosen in zip(one, two, S, strict=True) if chosen), F(0))
            for S in product((0, 1), repeat=4)
        ]
        found = excess(one, two, level)
        assert found == max(events)
        logs = [np.array([math.log(p) if p else -math.inf for p in law]) for law in (one, two)]
        value = hockey_stick(*logs, math.log(level), FiniteSpace(4)).value
        assert value == pytest.approx(float(found), abs=1e-14)


def test_truncated_geometric_is_the_clipped_geometric_at_its_level():
    laws = truncated_geometric(range(4), 0, 3, F(2))
    assert all(sum(law) == 1 for law in laws.values())
    assert laws[1] == (F(1, 3), F(1, 3), F(1, 6), F(1, 6))
    table = make_table(data_sets(3, 1), lambda c: laws[c[0]])
    assert pure_ratio(table) == 2
    assert pure_ratio(table, "all") == 8


def test_sharp_replacement_and_thinned_records():
    table = sharp_replacement(F(3, 2), F(1, 10))
    assert largest_excess(table, F(3, 2)) == F(1, 10)
    assert largest_excess(table, F(9, 4), "replace") == F(5, 2) * F(1, 10)
    assert pure_ratio(sharp_replacement(F(3), F(0))) == 3
    assert pure_ratio(sharp_replacement(F(3), F(0)), "replace") == 9
    for together in (False, True):
        assert largest_excess(thinned_records(2, F(1, 7), together=together), F(50)) == F(1, 7)
    assert pure_ratio(thinned_records(1, F(1, 7))) is None


def test_the_count_with_poisson_noise_in_both_orders():
    table, facts = primer_privacy.count_outputs(6.0, 0.5, 40)
    k = np.arange(200)
    grow = math.exp(0.5)
    added = np.clip(poisson.pmf(k, 6) - grow * poisson.pmf(k - 1, 6), 0, None).sum()
    removed = np.clip(poisson.pmf(k - 1, 6) - grow * poisson.pmf(k, 6), 0, None).sum()
    assert facts["delta_added"] == pytest.approx(added, abs=1e-13)
    assert facts["delta_removed"] == pytest.approx(removed, abs=1e-13)
    assert table.groupby("order")["counted"].sum()["added"] == pytest.approx(added)
    losses, _ = primer_privacy.count_losses(6.0, 0.5, 40)
    for order, mass in (("added", 1 - math.exp(-6.0)), ("removed", 1.0)):
        rows = losses[losses["order"] == order]
        assert rows["probability"].sum() == pytest.approx(mass, abs=1e-12)
        counted = rows["probability"] * np.clip(1 - np.exp(0.5 - rows["loss"]), 0, None)
        rest = math.exp(-6.0) if order == "added" else 0.0
        assert counted.sum() + rest == pytest.approx(facts[f"delta_{order}"], abs=1e-12)


def test_what_changes_and_who_is_exposed():
    table, facts = primer_privacy.what_changes()
    rows = {row[0]: row[1:] for row in table.itertuples(index=False, name=None)}
    assert rows["noisy count of one value, ε"] == ("ε", "ε")
    assert rows["noisy table, each cell with ε"] == ("ε", "2ε")
    assert rows["the number of records, published"] == ("none", "0")
    assert rows["the same, ℓ2, squared"] == ("1", "2")
    assert facts == {"added": "1/10", "replaced": "3/10"}
    table, facts = primer_privacy.exposed_records(10, 1e6, 6, [1.0, 2.0], 1e-4)
    assert facts["at_1"] == pytest.approx(1 - math.exp(-1), abs=1e-6)
    assert facts["at_2"] == pytest.approx(1e-6, rel=1e-3)
    assert facts["at_0"] == pytest.approx(1)
    assert (table["probability"] <= table["mean"] + 1e-12).all()


def test_tests_stay_in_the_region_and_odds_in_their_range():
    table, facts = primer_post_processing.test_curves(6.0, 0.5, 30, 5)
    assert facts["delta_output"] == pytest.approx(primer_privacy.count_outputs(6.0, 0.5, 40)[1]["delta_added"])
    assert (table["beta"] <= math.exp(0.5) * table["alpha"] + facts["delta_output"] + 1e-12).all()
    assert facts["delta_bit"] <= facts["delta_output"]
    odds, ends = primer_post_processing.odds_range([1.0], 11)
    inside = odds[(odds["prior"] > 0) & (odds["prior"] < 1)]
    before = inside["prior"] / (1 - inside["prior"])
    assert np.allclose(inside["high"] / (1 - inside["high"]) / before, math.e)
    assert np.allclose(inside["low"] / (1 - inside["low"]) / before, 1 / math.e)
    assert ends["high_1"] == pytest.approx(math.e / (1 + math.e))


@pytest.mark.parametrize("records", [1, 2, 3])
def test_every_price_on_the_map_is_paid_in_full(records):
    table, _ = primer_post_processing.privacy_map(records)
    assert len(table) == 12
    paid = table[table["price"] > 0]
    assert np.allclose(paid["attained"], paid["price"] * paid["before"])
    assert (paid["before"] == 1).all()
    lost = table[table["price"] < 0]
    assert len(lost) == 1
    assert (lost["attained"] == -1).all()
    assert (lost["before"] == 0).all()
