"""The bootstrapping samplers: their laws, word by word where integers decide, and the smoothed law."""

from fractions import Fraction as F

import numpy as np
import pytest
from scipy.stats import multinomial

from mollified.bootstrap import compositions, release, release_exact, smoothed_law
from mollified.bootstrap.mechanism import releases
from mollified.bootstrap.release_law import uniform_integers
from tests.mollified.helpers import ALPHA, chi_square

DATA, K, M = (5, 1, 0), 2, 4


def test_smoothed_law_is_exact():
    assert smoothed_law(DATA, K) == (F(7, 12), F(3, 12), F(2, 12))
    assert smoothed_law(np.array([0, 4]), 1) == (F(1, 6), F(5, 6))
    assert sum(smoothed_law((10**9, 0, 7), 3)) == 1


@pytest.mark.parametrize(("k", "right"), [(K, True), (K - 1, False), (K + 1, False)])
def test_the_sampler_has_the_exact_law_of_the_types_and_another_pseudocount_is_noticed(k, right):
    rows = list(compositions(M, len(DATA)))
    mass = multinomial.pmf(rows, M, [float(p) for p in smoothed_law(DATA, K)])
    place = {tuple(row): index for index, row in enumerate(rows)}
    seen = releases(DATA, k, M, 40_000, np.random.default_rng(11))
    counts = np.bincount([place[tuple(row)] for row in seen.tolist()], minlength=len(rows))
    assert (chi_square(counts, mass) > ALPHA) == right
    np.testing.assert_array_equal(seen[0], release(DATA, k, M, np.random.default_rng(11)))


def test_words_that_are_too_large_are_drawn_again_and_none_is_folded_back():
    """Low bits 0..7 once each: 0 to 4 are kept in their order, 5 to 7 ask for three words more."""
    asked = []

    def source(size):
        asked.append(size)
        words = np.arange(8 if len(asked) == 1 else size // 8, dtype="<u8")
        return (words + (1 << 40)).tobytes()

    assert uniform_integers(5, 8, source).tolist() == [0, 1, 2, 3, 4, 0, 1, 2]
    assert asked == [64, 24]


def test_each_place_leads_to_the_symbol_whose_record_or_pseudo_record_lies_there():
    """All N words once: symbol i is hit exactly n_i + k times, so its probability is that ratio of whole numbers."""
    words = np.arange(16, dtype="<u8").tobytes()
    assert release_exact([2, 0, 3, 3], 2, 16, lambda size: words[:size]).tolist() == [4, 2, 5, 5]


@pytest.mark.parametrize("source", [lambda size: b"", lambda size: [0] * size, lambda size: bytes(size + 8)])
def test_a_source_must_return_the_bytes_it_is_asked_for(source):
    with pytest.raises(ValueError, match="random_bytes must return 40 bytes"):
        uniform_integers(5, 5, source)
