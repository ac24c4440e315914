"""The sampler against its exact law, the smoothed law, and every kind of bad input."""

from fractions import Fraction as F
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import multinomial

from mollified.bootstrap.mechanism import (
    check_counts,
    corrected_histogram,
    count_records,
    release,
    release_records,
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


def test_released_records_have_the_law_in_any_place():
    rng = np.random.default_rng(12)
    domain, records = ("a", "b", "c"), ["a"] * 5 + ["b"]
    outputs = [tuple(release_records(records, domain, K, 2, rng)) for _ in range(20_000)]
    law = dict(zip(domain, smoothed_law(DATA, K), strict=True))
    pairs = [(x, y) for x in domain for y in domain]
    mass = [float(law[x] * law[y]) for x, y in pairs]
    assert chi_square([outputs.count(pair) for pair in pairs], mass) > ALPHA
    # sorted records have the right type and the wrong order
    ordered = [tuple(sorted(output)) for output in outputs]
    assert chi_square([ordered.count(pair) for pair in pairs], mass) < ALPHA


def test_release_has_the_right_total_at_any_size():
    rng = np.random.default_rng(13)
    for m in (1, 10, 10**12):
        assert release((3, 0, 0, 9), 1, m, rng).sum() == m
    # law of large numbers: within six standard deviations in each cell
    m = 10**10
    shares = release(DATA, K, m, rng) / m
    law = np.array([float(p) for p in smoothed_law(DATA, K)])
    assert (np.abs(shares - law) <= 6 * np.sqrt(law * (1 - law) / m)).all()


def test_release_depends_on_the_generator_alone():
    one, two = (release(DATA, K, 100, np.random.default_rng(5)) for _ in range(2))
    assert (one == two).all()


def test_corrected_histogram_is_unbiased_and_sums_to_one():
    n, m = sum(DATA), 3
    expected = sum(mass * corrected_histogram(row, n, K) for row, mass in zip(*types_with_law(m), strict=True))
    np.testing.assert_allclose(expected, np.array(DATA) / n, atol=1e-12)
    estimate = corrected_histogram((0, 0, 3), n, K)
    assert estimate.sum() == pytest.approx(1)
    assert estimate.min() < 0


def test_counts_of_records_follow_the_domain():
    assert count_records(["b", "a", "b"], ("a", "b", "c")).tolist() == [1, 2, 0]
    assert count_records(np.array([2, 2, 0]), range(3)).tolist() == [1, 0, 2]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda rng: release([], 1, 1, rng), "counts must"),
        (lambda rng: release([0, 0], 1, 1, rng), r"counts must hold at least one record, got \[0, 0\]"),
        (lambda rng: release([3], 1, 1, rng), "counts must be one row of at least 2 counts"),
        (lambda rng: release([[1, 2]], 1, 1, rng), "counts must be one row"),
        (lambda rng: release([1, -1], 1, 1, rng), r"counts must be counts >= 0, got \[1, -1\]"),
        (lambda rng: release([1.0, 2.0], 1, 1, rng), r"counts must hold integers, got \[1.0, 2.0\]"),
        (lambda rng: release([True, True], 1, 1, rng), "counts must hold integers"),
        (lambda rng: release([1, 2], 0, 1, rng), "k must be at least 1, got 0"),
        (lambda rng: release([1, 2], -3, 1, rng), "k must be at least 1, got -3"),
        (lambda rng: release([1, 2], 1.5, 1, rng), "k must be an integer, got 1.5"),
        (lambda rng: release([1, 2], 1, 0, rng), "m must be at least 1, got 0"),
        (lambda rng: release([1, 2], 1, -1, rng), "m must be at least 1, got -1"),
        (lambda rng: release([1, 2], 1, 2.5, rng), "m must be an integer, got 2.5"),
        (lambda rng: release([1, 2], 1, 1, 7), "rng must be a numpy.random.Generator, got 7"),
        (lambda rng: release_records([], "ab", 1, 1, rng), "domain must be a sequence of symbols"),
        (lambda rng: release_records([], ["a", "b"], 1, 1, rng), r"records must hold at least one record, got \[\]"),
        (lambda rng: release_records(["z"], ["a", "b"], 1, 1, rng), "records must lie in the domain, got 'z'"),
        (lambda rng: release_records("aab", ["a", "b"], 1, 1, rng), "records must be a sequence, got 'aab'"),
        (lambda rng: release_records(["a"], ["a", "a"], 1, 1, rng), "domain must hold at least 2 symbols"),
        (lambda rng: release_records(["a"], ["a"], 1, 1, rng), "domain must hold at least 2 symbols"),
        (lambda rng: smoothed_law([1, 2], 0), "k must be at least 1, got 0"),
        (lambda rng: corrected_histogram([1, 2], 0, 1), "n must be at least 1, got 0"),
        (lambda rng: corrected_histogram([0, 0], 3, 1), "released must hold at least one record"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises((TypeError, ValueError), match=words):
        call(np.random.default_rng(1))


def test_counts_are_returned_as_integers():
    counts = check_counts("counts", (np.int32(3), 0))
    assert counts.dtype == np.int64
    assert all(a >= b for a, b in pairwise(counts.tolist()))
