"""The bootstrapping samplers: their laws, word by word where integers decide, and their audit."""

import math

import numpy as np
import pytest
from scipy.stats import binom, multinomial

from mollified.bootstrap import (
    audit_bootstrap,
    bootstrap_delta,
    compositions,
    event_threshold,
    largest_bound,
    release,
    release_exact,
    smoothed_law,
)
from mollified.bootstrap.mechanism import releases
from mollified.bootstrap.release_law import uniform_integers
from mollified.privacy import audit, audited_eps
from mollified.privacy.audit import least_probability, most_probability
from tests.mollified.helpers import ALPHA, chi_square

DATA, K, M = (5, 1, 0), 2, 4


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


@pytest.mark.parametrize(("draws", "error"), [(1, 0.1), (7, 0.05), (30, 0.01), (200, 0.0005)])
def test_each_bound_misses_with_at_most_its_error_whatever_the_probability(draws, error):
    hits = np.arange(draws + 1)
    low = np.array([least_probability(int(h), draws, error) for h in hits])
    high = np.array([most_probability(int(h), draws, error) for h in hits])
    assert (np.diff(low) > 0).all()
    assert (np.diff(high) >= 0).all()
    worst = [0.0, 0.0]
    for p in [*np.linspace(0.001, 0.999, 301), *(low[1:] * (1 - 1e-9)), *(high[:-1] * (1 + 1e-9))]:
        law = binom.pmf(hits, draws, p)
        missed = law[low > p].sum(), law[high < p].sum()
        worst = [max(a, b) for a, b in zip(worst, missed, strict=True)]
    assert max(worst) <= error * (1 + 1e-9)
    assert min(worst) >= 0.99 * error, "the bounds are no wider than they must be"


@pytest.mark.parametrize(("p", "q", "delta"), [(0.3, 0.1, 0.05), (0.5, 0.45, 0.0), (0.9, 0.2, 0.05)])
def test_the_bound_on_eps_exceeds_the_true_value_with_at_most_its_error_by_enumeration(p, q, delta):
    draws, confidence = 40, 0.9
    truth = max(math.log((p - delta) / q), 0.0)
    hits = range(draws + 1)
    bounds = np.array([[audited_eps(a, b, draws, delta, confidence) for b in hits] for a in hits])
    law = np.outer(binom.pmf(hits, draws, p), binom.pmf(hits, draws, q))
    assert law[bounds > truth].sum() <= 1 - confidence
    one_sided = np.array([[audited_eps(a, b, draws, delta, 0.05) for b in hits] for a in hits])
    assert law[one_sided > truth].sum() > 1 - confidence, "a bound at confidence 5 % misses more often"


@pytest.mark.parametrize(("outputs", "least", "most"), [([1], 0.97 * math.log(3), math.log(3)), ([0, 1], 0, 0)])
def test_randomised_response_is_audited_in_blocks_and_a_useless_event_proves_nothing(outputs, least, most):
    sizes = []

    def response(truth):
        """Randomised response at eps = log 3, as a black box."""

        def draw(draws, rng):
            sizes.append(draws)
            return np.where(rng.random(draws) < 0.75, truth, 1 - truth)[:, np.newaxis]

        return draw

    def event(out):
        return np.isin(out[:, 0], outputs)

    found = audit(response(1), response(0), event, 200_000, 0.0, np.random.default_rng(1), block=70_000)
    assert least <= found.eps <= most
    assert sizes == [70_000, 70_000, 60_000] * 2


def test_the_event_is_the_one_at_which_delta_is_attained():
    """(p - delta)/q at the exact delta of the event gives back eps; one step to either side gives less."""
    n, size, k, m, eps = 20, 4, 5, 16, 1.0
    delta = bootstrap_delta(eps, n, size, k, m)
    assert largest_bound(n, size, k, m, eps, delta) == pytest.approx(eps, rel=1e-9)
    t = event_threshold(eps, k)
    step = math.log((k + 1) / k)
    assert (t - 1) * step <= eps < t * step
    for other in (eps - step, eps + step):
        assert largest_bound(n, size, k, m, other, delta) < eps - 1e-3


@pytest.mark.parametrize("sampler", ["floats", "exact"])
def test_the_audit_of_the_sampler_stays_below_its_level_and_is_seeded(sampler):
    found, again = (
        audit_bootstrap(9, 3, 1, 4, 1.0, 0.0, 4000, np.random.default_rng(3), sampler=sampler) for _ in range(2)
    )
    assert found == again
    assert 0 < found.eps <= 4 * math.log(2)
