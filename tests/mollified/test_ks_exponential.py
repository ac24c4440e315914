"""The exponential mechanism with the KS score: shares and draws against brute force over all lists of records."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from mollified.releases import ks_release
from tests.mollified.helpers import ALPHA, chi_square

pytestmark = pytest.mark.slow


def law(counts, records, eps):
    """Return the tables, and their probabilities under the mechanism, by enumeration of ordered lists."""
    symbols = range(len(counts))
    found = Counter(tuple(map(drawn.count, symbols)) for drawn in product(symbols, repeat=records))
    scores = np.abs(np.cumsum(list(found), axis=1) / records - np.cumsum(counts) / sum(counts)).max(axis=1)
    weights = np.array(list(found.values())) * np.exp(-sum(counts) * eps * scores / 2)
    return list(found), weights / weights.sum()


@pytest.mark.parametrize(
    ("counts", "records", "eps"),
    [([5, 2, 4], 5, 3.0), ([1, 0], 1, 2.0), ([0, 9, 0, 1], 4, 1.0), ([3, 3], 7, 20.0)],
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
        return chi_square(seen, probabilities)

    assert chance(eps) > ALPHA
    if eps < 10:
        assert chance(2 * eps) < ALPHA
