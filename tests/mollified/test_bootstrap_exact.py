"""The exact sampler of the bootstrapping mechanism: its law, by chi-square and by counting words."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from mollified.bootstrap.mechanism import smoothed_law
from mollified.bootstrap.release_law import release_exact, uniform_integers
from tests.mollified.sampling_tests import ALPHA, chi_square


@pytest.mark.parametrize("below", [1, 2, 3, 5, 12, 64, 1000])
def test_integers_are_uniform(below):
    drawn = uniform_integers(below, 50_000, np.random.default_rng(below).bytes)
    assert drawn.dtype == np.int64
    assert drawn.shape == (50_000,)
    if below > 1:
        assert chi_square(np.bincount(drawn, minlength=below), np.full(below, 1 / below)) > ALPHA
    else:
        assert not drawn.any()


def test_words_that_are_too_large_are_drawn_again_and_none_is_folded_back():
    """Words 0..7 once each: 0 to 4 are kept in their order, 5 to 7 ask for three words more."""
    asked = []

    def source(size):
        asked.append(size)
        words = np.arange(8 if len(asked) == 1 else size // 8, dtype="<u8")
        return words.tobytes()

    assert uniform_integers(5, 8, source).tolist() == [0, 1, 2, 3, 4, 0, 1, 2]
    assert asked == [64, 24]


def test_only_the_low_bits_of_a_word_count():
    words = (np.arange(4, dtype="<u8") + (np.uint64(1) << np.uint64(40))).tobytes()
    assert uniform_integers(4, 4, lambda size: words[:size]).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(("counts", "k"), [([5, 0, 3], 1), ([1729, 1047, 814, 7], 33), ([0, 9], 4)])
def test_a_release_has_the_smoothed_law(counts, k):
    released = release_exact(counts, k, 200_000, np.random.default_rng(k).bytes)
    assert released.sum() == 200_000
    law = [float(mass) for mass in smoothed_law(counts, k)]
    assert chi_square(released, law) > ALPHA
    wrong = [float(mass) for mass in smoothed_law(counts, k + 1)]
    if max(abs(a - b) for a, b in zip(law, wrong, strict=True)) > 0.02:
        assert chi_square(released, wrong) < ALPHA, "the test tells k from k + 1"


def test_each_place_leads_to_the_symbol_whose_record_or_pseudo_record_lies_there():
    """All N words once: symbol i is hit exactly n_i + k times, so its probability is that ratio of whole numbers."""
    counts, k = [2, 0, 3, 3], 2
    total = sum(counts) + k * len(counts)
    assert total == 16
    words = np.arange(total, dtype="<u8").tobytes()
    released = release_exact(counts, k, total, lambda size: words[:size])
    assert released.tolist() == [c + k for c in counts]


def test_draws_come_from_the_secure_source_unless_another_is_given():
    drawn = [release_exact([1, 2], 3, 1000).tolist() for _ in range(8)]
    assert any(a != b for a, b in pairwise(drawn))
    again = [release_exact([1, 2], 3, 1000, np.random.default_rng(1).bytes).tolist() for _ in range(2)]
    assert again[0] == again[1]


def test_many_records_are_drawn_in_blocks():
    released = release_exact([3, 1], 1, (1 << 20) + 5, np.random.default_rng(2).bytes)
    assert released.sum() == (1 << 20) + 5
    assert released[0] / released.sum() == pytest.approx(4 / 6, abs=0.003)


@pytest.mark.parametrize("source", [lambda size: b"", lambda size: [0] * size, lambda size: bytes(size + 8)])
def test_a_source_must_return_the_bytes_it_is_asked_for(source):
    with pytest.raises(ValueError, match="random_bytes must return 40 bytes"):
        uniform_integers(5, 5, source)
