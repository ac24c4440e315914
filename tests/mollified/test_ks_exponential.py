"""The exponential mechanism with the KS score: shares and draws against brute force over all lists of records."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy.stats import chi2

from mollified.releases.ks_exponential import ks_release, suggested_records


def tables(records, size):
    """Return all tables of counts with their numbers of ordered lists."""
    found = {}
    for drawn in product(range(size), repeat=records):
        key = tuple(drawn.count(symbol) for symbol in range(size))
        found[key] = found.get(key, 0) + 1
    return found


def ks_score(counts, table):
    shares, seen = (np.cumsum(row) / np.sum(row) for row in (counts, table))
    return np.abs(shares - seen).max()


def law(counts, records, eps):
    """Return the tables, and their probabilities under the mechanism, by enumeration of ordered lists."""
    found = tables(records, len(counts))
    scores = [ks_score(counts, table) for table in found]
    weights = np.array(
        [many * math.exp(-sum(counts) * eps * score / 2) for many, score in zip(found.values(), scores, strict=True)]
    )
    return list(found), weights / weights.sum()


@pytest.mark.parametrize(
    ("counts", "records", "eps"),
    [([5, 2, 4], 5, 0.5), ([5, 2, 4], 5, 3.0), ([1, 0], 1, 2.0), ([0, 9, 0, 1], 4, 1.0), ([3, 3], 7, 20.0)],
)
def test_draws_have_the_law(counts, records, eps):
    """A chi-square with a false-alarm rate of 1e-6; the same draws do not fit twice the level."""
    drawn = ks_release(counts, records, eps, np.random.default_rng(2), draws=10_000)
    assert (drawn.sum(axis=1) == records).all()
    assert drawn.min() >= 0

    def chance(level):
        outputs, probabilities = law(counts, records, level)
        place = {table: index for index, table in enumerate(outputs)}
        seen = np.bincount([place[tuple(row)] for row in drawn.tolist()], minlength=len(outputs))
        expected = probabilities * len(drawn)
        big = expected >= 10
        seen, expected = np.append(seen[big], seen[~big].sum()), np.append(expected[big], expected[~big].sum())
        kept = expected > 1e-3
        return chi2.sf(((seen - expected)[kept] ** 2 / expected[kept]).sum(), max(1, kept.sum() - 1))

    assert chance(eps) > 1e-6
    if eps < 10:
        assert chance(2 * eps) < 1e-6


def test_the_same_seed_draws_the_same():
    one, two = (ks_release([30, 50, 20], 9, 1.0, np.random.default_rng(7), draws=3) for _ in range(2))
    assert (one == two).all()


def test_a_large_level_returns_the_nearest_records():
    counts = np.array([100, 300, 400, 200])
    assert (ks_release(counts, 10, 1000.0, np.random.default_rng(1))[0] == [1, 3, 4, 2]).all()


def test_many_bins_and_few_records():
    counts = np.random.default_rng(5).multinomial(1000, np.full(60, 1 / 60))
    drawn = ks_release(counts, 20, 1.0, np.random.default_rng(6), draws=5)
    assert drawn.shape == (5, 60)
    assert max(ks_score(counts, row) for row in drawn) < 0.6


def test_suggested_records_is_the_whole_part():
    for n in [*range(1, 400), 10_000, 10**9, 10**9 - 1]:
        root = suggested_records(n)
        assert root**3 <= n**2 < (root + 1) ** 3
    assert suggested_records(10_000) == 464


def test_concentrated_counts_are_refused_where_floats_underflow():
    with pytest.raises(ValueError, match="counts must be spread more evenly"):
        ks_release([10_000] + [0] * 2000, 464, 50.0, np.random.default_rng(1))
