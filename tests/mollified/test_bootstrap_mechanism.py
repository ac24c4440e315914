"""The sampler against its exact law, the smoothed law, and every kind of bad input."""

from fractions import Fraction as F

import numpy as np
import pytest
from scipy.stats import multinomial

from mollified.bootstrap.mechanism import (
    corrected_histogram,
    release,
    smoothed_law,
)
from mollified.bootstrap.type_laws import compositions
from tests.mollified.sampling_tests import ALPHA, chi_square

DATA, K, M = (5, 1, 0), 2, 4
DRAWS = 40_000


def types_with_law(m):
    """Return all types of m records in lexicographic order, and their probabilities at pseudocount K."""
    rows = np.array(list(compositions(m, len(DATA))))
    return rows, multinomial.pmf(rows, m, [float(p) for p in smoothed_law(DATA, K)])


def released(k, seed):
    """Return how often each type of M records came out of the mechanism at pseudocount k, in lexicographic order."""
    rng = np.random.default_rng(seed)
    seen = np.array([release(DATA, k, M, rng) for _ in range(DRAWS)])
    rows, _ = types_with_law(M)
    place = {tuple(row): index for index, row in enumerate(rows.tolist())}
    return np.bincount([place[tuple(row)] for row in seen.tolist()], minlength=len(rows))


def test_smoothed_law_is_exact():
    assert smoothed_law(DATA, K) == (F(7, 12), F(3, 12), F(2, 12))
    assert smoothed_law(np.array([0, 4]), 1) == (F(1, 6), F(5, 6))
    assert sum(smoothed_law((10**9, 0, 7), 3)) == 1


def test_the_sampler_has_the_exact_law_of_the_types():
    _, mass = types_with_law(M)
    assert chi_square(released(K, 11), mass) > ALPHA


@pytest.mark.parametrize("k", [K - 1, K + 1])
def test_another_pseudocount_is_noticed(k):
    _, mass = types_with_law(M)
    assert chi_square(released(k, 11), mass) < ALPHA


def test_release_has_the_right_total_at_any_size():
    rng = np.random.default_rng(13)
    for m in (1, 10, 10**12):
        assert release((3, 0, 0, 9), 1, m, rng).sum() == m
    # law of large numbers: within six standard deviations in each cell
    m = 10**10
    shares = release(DATA, K, m, rng) / m
    law = np.array([float(p) for p in smoothed_law(DATA, K)])
    assert (np.abs(shares - law) <= 6 * np.sqrt(law * (1 - law) / m)).all()


def test_corrected_histogram_is_unbiased_and_sums_to_one():
    n, m = sum(DATA), 3
    expected = sum(mass * corrected_histogram(row, n, K) for row, mass in zip(*types_with_law(m), strict=True))
    np.testing.assert_allclose(expected, np.array(DATA) / n, atol=1e-12)
    estimate = corrected_histogram((0, 0, 3), n, K)
    assert estimate.sum() == pytest.approx(1)
    assert estimate.min() < 0


def test_release_depends_on_the_generator_alone():
    one, two = (release(DATA, K, 100, np.random.default_rng(5)) for _ in range(2))
    assert (one == two).all()
