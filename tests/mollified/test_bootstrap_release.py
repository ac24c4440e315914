"""The bootstrapping samplers: their laws, word by word where integers decide, and their
audit.
"""

import math
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom, multinomial

from mollified.bootstrap import (
    audit_bootstrap,
    bootstrap_delta,
    bootstrap_mechanism,
    compositions,
    corrected_histogram,
    event_threshold,
    largest_bound,
    release_exact,
    smoothed_law,
    step_loss,
)
from mollified.bootstrap.mechanism import independent_releases
from mollified.bootstrap.release_law import uniform_integers
from mollified.privacy import audit, audited_eps
from mollified.privacy.audit import least_probability, most_probability
from tests.mollified.helpers import ALPHA, Words, chi_square, counted

DATA = (5, 1, 0)
K = 2
M = 4


@pytest.mark.parametrize(("k", "right"), [(K, True), (K - 1, False), (K + 1, False)])
def test_the_sampler_has_the_exact_law_of_the_types_and_another_pseudocount_is_noticed(
    k, right
):
    rows = list(compositions(M, len(DATA)))
    mass = multinomial.pmf(rows, M, [float(p) for p in smoothed_law(DATA, K)])
    seen = independent_releases(DATA, k, M, 40_000, np.random.default_rng(11))
    assert (chi_square(counted(seen, rows), mass) > ALPHA) == right
    np.testing.assert_array_equal(
        seen[0], bootstrap_mechanism(DATA, k, M, np.random.default_rng(11))
    )


def test_words_that_are_too_large_are_drawn_again_and_none_is_folded_back():
    """Low bits 0..7 once each: 0 to 4 are kept in their order, 5 to 7 ask for three
    words more.
    """
    source = Words((1 << 40) + low for low in (*range(8), 0, 1, 2))
    assert uniform_integers(5, 8, source).tolist() == [0, 1, 2, 3, 4, 0, 1, 2]
    assert source.asked == [64, 24]


def test_each_place_leads_to_the_symbol_whose_record_or_pseudo_record_lies_there():
    """All N words once: symbol i is hit exactly n_i + k times, so its probability is
    that ratio of whole numbers.
    """
    assert release_exact([2, 0, 3, 3], 2, 16, Words(range(16))).tolist() == [4, 2, 5, 5]


@pytest.mark.parametrize(
    "source", [lambda size: b"", lambda size: [0] * size, lambda size: bytes(size + 8)]
)
def test_a_source_must_return_the_bytes_it_is_asked_for(source):
    with pytest.raises(ValueError, match=r"^random_bytes must .*40"):
        uniform_integers(5, 5, source)


@pytest.mark.parametrize(
    ("draws", "error"), [(1, 0.1), (7, 0.05), (30, 0.01), (200, 0.0005)]
)
def test_each_bound_misses_with_at_most_its_error_whatever_the_probability(
    draws, error
):
    hits = np.arange(draws + 1)
    low = np.array([least_probability(int(h), draws, error) for h in hits])
    high = np.array([most_probability(int(h), draws, error) for h in hits])
    assert (np.diff(low) > 0).all()
    assert (np.diff(high) >= 0).all()
    worst = [0.0, 0.0]
    for p in [
        *np.linspace(0.001, 0.999, 301),
        *(low[1:] * (1 - 1e-9)),
        *(high[:-1] * (1 + 1e-9)),
    ]:
        law = binom.pmf(hits, draws, p)
        missed = law[low > p].sum(), law[high < p].sum()
        worst = [max(a, b) for a, b in zip(worst, missed, strict=True)]
    assert max(worst) <= error * (1 + 1e-9)
    assert min(worst) >= 0.99 * error, "the bounds are no wider than they must be"


@pytest.mark.parametrize(
    ("p", "q", "delta"), [(0.3, 0.1, 0.05), (0.5, 0.45, 0.0), (0.9, 0.2, 0.05)]
)
def test_the_bound_on_eps_exceeds_the_true_value_with_at_most_its_error_by_enumeration(
    p, q, delta
):
    draws = 40
    confidence = 0.9
    truth = max(math.log((p - delta) / q), 0.0)
    hits = range(draws + 1)
    bounds = np.array(
        [[audited_eps(a, b, draws, delta, confidence) for b in hits] for a in hits]
    )
    law = np.outer(binom.pmf(hits, draws, p), binom.pmf(hits, draws, q))
    assert law[bounds > truth].sum() <= 1 - confidence
    one_sided = np.array(
        [[audited_eps(a, b, draws, delta, 0.05) for b in hits] for a in hits]
    )
    assert law[one_sided > truth].sum() > 1 - confidence, (
        "a bound at confidence 5 % misses more often"
    )


@pytest.mark.parametrize(
    ("outputs", "least", "most"),
    [([1], 0.97 * math.log(3), math.log(3)), ([0, 1], 0, 0)],
)
def test_randomised_response_is_audited_in_blocks_and_a_useless_event_proves_nothing(
    outputs, least, most
):
    def response(truth):
        """Randomised response at eps = log 3, as a black box."""
        return lambda draws, rng: np.where(rng.random(draws) < 0.75, truth, 1 - truth)[
            :, np.newaxis
        ]

    def event(out):
        return np.isin(out[:, 0], outputs)

    result = audit(
        response(1),
        response(0),
        event,
        200_000,
        0.0,
        np.random.default_rng(1),
        block=70_000,
    )
    assert least <= result.eps <= most


def test_the_event_is_the_one_at_which_delta_is_attained():
    """(p - delta)/q at the exact delta of the event gives back eps.

    One step to either side gives less.
    """
    n = 20
    size = 4
    k = 5
    m = 16
    eps = 1.0
    delta = bootstrap_delta(eps, n, size, k, m)
    assert largest_bound(n, size, k, m, eps, delta) == pytest.approx(eps, rel=1e-9)
    t = event_threshold(eps, k)
    step = math.log((k + 1) / k)
    assert (t - 1) * step <= eps < t * step
    for other in (eps - step, eps + step):
        assert largest_bound(n, size, k, m, other, delta) < eps - 1e-3


@pytest.mark.parametrize("sampler", ["floats", "exact"])
def test_the_audit_of_the_sampler_stays_below_its_level_and_is_seeded(sampler):
    result, again = (
        audit_bootstrap(
            9, 3, 1, 4, 1.0, 0.0, 4000, np.random.default_rng(3), sampler=sampler
        )
        for _ in range(2)
    )
    assert result == again
    assert 0 < result.eps <= 4 * math.log(2)


def test_at_every_tie_of_levels_the_event_is_the_one_with_equality():
    for k in range(1, 58):
        for t in range(1, 43):
            level = t * step_loss(k)
            assert event_threshold(level, k) == t
            assert event_threshold(level * (1 + 1e-14), k) == t + 1, (
                "control: beside a tie it is the next one"
            )
            assert event_threshold(level * (1 - 1e-14), k) == t
    for k in (10**6, 10**12, 2**62):
        assert event_threshold(7 * step_loss(k), k) == 7
    assert event_threshold(5e-324, 1) == 1


@pytest.mark.parametrize("factor", [1.0, 1 - 1e-12, 1 + 1e-12, 2.0])
def test_the_audit_sees_a_broken_sampler_at_the_pure_level(factor):
    """k = 10 is promised and 1 added.

    At eps = m lambda the event was one that m records cannot show.
    """
    eps = 5 * step_loss(10) * factor
    assert largest_bound(1, 3, 10, 5, eps, 0.0) == pytest.approx(
        5 * step_loss(10), rel=1e-12
    )
    assert largest_bound(1, 3, 10, 5, eps, 0.0, used=1) == pytest.approx(
        5 * math.log(2), rel=1e-12
    )
    honest, broken = (
        audit_bootstrap(
            1, 3, 10, 5, eps, 0.0, 400_000, np.random.default_rng(8), used=used
        )
        for used in (10, 1)
    )
    assert honest.eps <= 5 * step_loss(10) < 3 < broken.eps <= 5 * math.log(2)


def test_what_the_audit_tends_to_is_found_where_probabilities_underflow():
    assert largest_bound(1, 3, 1, 2000, 2000 * step_loss(1), 0.0) == pytest.approx(
        2000 * math.log(2), rel=1e-12
    )


def test_the_exact_release_has_the_law_of_the_mechanism_word_by_word():
    """All words of three records once: counts (1, 0), one more of each, and N = 3."""
    result = {}
    for words in product(range(3), repeat=3):
        drawn = tuple(release_exact([1, 0], 1, 3, Words(words)).tolist())
        result[drawn] = result.get(drawn, 0) + F(1, 27)
    assert result == {
        (j, 3 - j): math.comb(3, j) * F(2, 3) ** j * F(1, 3) ** (3 - j)
        for j in range(4)
    }


LIMIT = 2**62
FAR = np.array([2**62] * 4 + [3], dtype=np.int64)


def test_sums_of_counts_do_not_wrap():
    """Five counts of 2^64 + 3 records, 3 of which were taken for half of them."""
    for draw in (
        lambda: release_exact(FAR, 1, 1000),
        lambda: bootstrap_mechanism(FAR, 1, 1000, np.random.default_rng(1)),
    ):
        with pytest.raises(ValueError, match=r"^counts must .*2\^62"):
            draw()
    with pytest.raises(ValueError, match=r"^counts must .*2\^62"):
        smoothed_law(FAR, 1)
    with pytest.raises(ValueError, match=r"^released must .*2\^62"):
        corrected_histogram(FAR, 10, 1)


def test_the_smallest_and_the_largest_releases():
    """2^62 records with the pseudo-records are drawn, each place by its record.

    One more is refused.
    """
    ends = Words([0, LIMIT // 2 - 1, LIMIT // 2, LIMIT - 1])
    half = LIMIT // 2 - 1
    assert release_exact([half, half], 1, 4, ends).tolist() == [2, 2]
    assert release_exact([1, 0], half, 3, Words([0, half, half + 1])).tolist() == [2, 1]
    rng = np.random.default_rng(1)
    assert bootstrap_mechanism([half, half], 1, 1 << 32, rng).sum() == 1 << 32
    assert sorted(bootstrap_mechanism([1, 0], 1, 1, rng).tolist()) == [0, 1]
    for counts, k in (([half, half], 2), ([1, 0], LIMIT), ([half + 1, half], 1)):
        for draw in (
            lambda c=counts, k=k: release_exact(c, k, 1),
            lambda c=counts, k=k: bootstrap_mechanism(c, k, 1, rng),
        ):
            with pytest.raises(ValueError, match=r"^k must .*2\^62"):
                draw()
    with pytest.raises(ValueError, match=r"^m must .*2\^32.* release_exact"):
        bootstrap_mechanism([1, 0], 1, (1 << 32) + 1, rng)
    with pytest.raises(ValueError, match=r"^m must .*2\^62"):
        release_exact([1, 0], 1, LIMIT + 1)


def test_a_large_release_in_floats_has_the_law_of_the_mechanism_alone():
    """At 2^32 records the mean of 400 counts is right within five standard errors.

    One part in 2^15 is seen.
    """
    m = 1 << 32
    draws = 400
    seen = independent_releases([1, 1, 2], 1, m, draws, np.random.default_rng(5))[:, 2]
    share = 3 / 7
    error = math.sqrt(3 / 7 * 4 / 7 / m / draws)
    assert (
        abs(seen.mean() / m - share)
        < 5 * error
        < abs(seen.mean() / m - share * (1 + 2.0**-15))
    )
    assert len({int(count) % 2 for count in seen}) == 2
    assert np.var(seen) == pytest.approx(m * share * (1 - share), rel=0.35)


def test_the_smallest_and_the_largest_audits():
    rng = np.random.default_rng(2)
    small = audit_bootstrap(1, 3, 1, 1, 0.5, 0.0, 10, rng)
    assert small.draws == 10
    for sampler in ("floats", "exact"):
        audit_bootstrap(LIMIT - 3, 3, 1, 2, 0.5, 0.0, 3, rng, sampler=sampler)
        with pytest.raises(ValueError, match=r"^n must .*2\^62"):
            audit_bootstrap(LIMIT - 2, 3, 1, 2, 0.5, 0.0, 3, rng, sampler=sampler)
    with pytest.raises(ValueError, match=r"^m must .*2\^32"):
        audit_bootstrap(9, 3, 1, (1 << 32) + 1, 0.5, 0.0, 3, rng)


def test_corrected_shares_are_the_nearest_floats_with_many_pseudo_records():
    """k = 1e17 for ten records: a difference of numbers of 1e16 left no digit."""
    n = 10
    k = 10**17
    released = [500_000_000, 500_000_001, 499_999_999]
    m = sum(released)
    wanted = [float(F(n + 3 * k, n) * F(count, m) - F(k, n)) for count in released]
    assert corrected_histogram(released, n, k).tolist() == wanted
