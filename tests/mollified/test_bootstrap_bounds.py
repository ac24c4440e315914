"""The closed forms against the exact accountant, the recipe, and parameters by the
exact delta.
"""

import math
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from flint import ctx

from mollified.bootstrap import (
    certified_delta,
    choose_parameters,
    expected_error,
    hoeffding_delta,
    hoeffding_records,
    largest_m,
    order_records,
    pure_records,
    recipe,
    renyi_delta,
    renyi_records,
    smallest_k,
    step_loss,
    theorem_delta,
    theorem_records,
    two_symbol_deltas,
    typical_lower,
    typical_upper,
)
from mollified.bootstrap.accountant import private_at_all_sizes, upper_delta
from mollified.bootstrap.instances import ways
from mollified.bootstrap.probabilities import (
    counts_beyond,
    log_ways,
    prefix_beyond,
    prefix_mean,
)
from mollified.bootstrap.recipe import least_records, most_records, root_rounded
from mollified.bootstrap.typical_bounds import smallest_pseudocount
from mollified.privacy import ball
from statements.arithmetic import mode

CASES = [
    (eps, delta, n, size, k)
    for eps in (0.1, 1.0, 5.0)
    for delta in (0.1, 1e-6)
    for n, size in ((1, 3), (10**4, 100), (10**6, 10))
    for k in (2, 40, 3000)
]


@pytest.mark.parametrize("form", ["printed", "corrected"])
def test_the_records_of_theorem_2_are_the_most_over_gamma(form):
    gammas = np.geomspace(1e-5, 0.999999, 4000).tolist()
    for eps, delta, n, size, k in CASES[::5]:
        allowed = [
            (
                typical_lower(g, delta, form),
                math.floor(typical_upper(g, eps, n, size, k)),
            )
            for g in gammas
        ]
        best = max((most for least, most in allowed if most >= least), default=0)
        result = theorem_records(eps, delta, n, size, k, form)
        assert best <= result <= best * 1.01 + 1, (eps, delta, n, size, k, best, result)


def test_every_bound_allows_no_more_than_the_exact_accountant():
    for eps, delta, n, size, k in CASES:
        exact = largest_m(eps, delta, n, size, k)
        allowed = [
            pure_records(eps, k),
            theorem_records(eps, delta, n, size, k),
            theorem_records(eps, delta, n, size, k, "corrected"),
            hoeffding_records(eps, delta, n, size, k),
            renyi_records(eps, delta, n, size, k),
            order_records(eps, delta, n, size, k),
        ]
        assert max(allowed) <= exact, (eps, delta, n, size, k, exact, allowed)
        assert allowed[1] <= allowed[2] <= allowed[3]
        assert allowed[4] <= allowed[5]


@pytest.mark.parametrize(
    ("records", "spent"),
    [
        (theorem_records, theorem_delta),
        (hoeffding_records, hoeffding_delta),
        (order_records, renyi_delta),
    ],
)
def test_records_and_delta_are_inverse(records, spent):
    tried = 0
    for eps, delta, n, size, k in CASES:
        m = records(eps, delta, n, size, k)
        if m:
            tried += 1
            assert spent(eps, n, size, k, m) <= delta * (1 + 1e-9)
            assert spent(eps, n, size, k, m + max(1, m // 50)) > delta * (1 - 1e-9)
    assert tried >= 20


def test_pure_records_is_exact_at_whole_multiples():
    for k in (1, 5, 1000):
        for m in (1, 7, 250):
            assert pure_records(m * step_loss(k) * (1 + 1e-10), k) == m
            assert pure_records(m * step_loss(k) * (1 - 1e-10), k) == m - 1
    with ctx.workprec(300):
        for k in range(1, 58):
            for m in range(1, 43):
                level = m * step_loss(k)
                assert pure_records(level, k) == (
                    m if ball(F(level)) >= m * ball(F(k + 1, k)).log() else m - 1
                )


def test_the_recipe_agrees_with_floats_where_these_are_clear():
    rng = np.random.default_rng(4)
    for _ in range(100):
        gamma = F(int(rng.integers(1, 100)), 100)
        delta = F(int(rng.integers(1, 100)), 100)
        eps = F(int(rng.integers(1, 500)), 100)
        n = int(rng.integers(1, 5000))
        size = int(rng.integers(2, 50))
        for form in ("printed", "corrected"):
            root = smallest_pseudocount(
                float(gamma), float(delta), float(eps), n, size, form
            )
            assert abs(root - round(root)) > 1e-9
            assert root_rounded(gamma, delta, eps, n, size, form) == math.ceil(root)
        k, m = recipe(gamma, delta, eps, n, size, "corrected")
        assert k >= 2
        assert (
            math.ceil(typical_lower(float(gamma), float(delta)))
            == least_records(gamma, delta)
            <= m
        )
        assert m == most_records(gamma, eps, n, size, k)
        assert m == math.floor(typical_upper(float(gamma), float(eps), n, size, k))


def test_a_root_that_is_an_integer_is_not_rounded_up():
    # with ceil(L) = 12, gamma = 1/2: eps k (n + 2k) = 12 (n + 2k + 1); k = 6, n = 3,
    # eps = 32/15 is a root
    half = F(1, 2)
    eps = F(12 * 16, 6 * 15)
    assert least_records(half, half) == 12
    assert root_rounded(half, half, eps, 3, 2, "corrected") == 6


def certified(eps, delta, n, size, k, m, way="replace"):
    """Say whether it is private: at n, or for n against n + 1 in both directions."""
    relations = ("replace",) if way == "replace" else ("add", "remove")
    return all(
        certified_delta(eps, n, size, k, m, neighbours=relation)[1] <= delta
        for relation in relations
    )


def test_the_worst_number_of_records_may_lie_inside_the_range():
    """One draw, k = 1, two symbols, e^eps = 1.9.

    Delta is the maximum of 2/(N+1) - 1.9/N, at N = 38 and 39.
    """
    eps = math.log(1.9)
    values = [F(2, n + 3) - F(19, 10 * (n + 2)) for n in range(1, 500)]
    worst = max(values)
    assert (values.index(worst), worst) == (35, F(2, 40) - F(19, 390))
    for delta, m in ((float(worst) * (1 + 1e-6), 1), (float(worst) * (1 - 1e-6), 0)):
        assert largest_m(eps, delta, (1, 500), 2, 1, neighbours="add-remove") == m
        assert private_at_all_sizes(eps, delta, 1, None, 2, 1, 1) == bool(m)


def test_a_range_without_an_end():
    """Accepted by a pair that dominates the rest; checked at n up to 1e9, and no
    smaller k does at some n.
    """
    k = smallest_k(1.0, 1e-6, (100, None), 20, 500, neighbours="add-remove")
    for n in [*range(100, 120), *(int(100 * 2.0**j) for j in range(24))]:
        assert certified(1.0, 1e-6, n, 20, k, 500, "add-remove")
    assert not all(
        certified(1.0, 1e-6, n, 20, k - 1, 500, "add-remove") for n in range(100, 120)
    )


@pytest.mark.parametrize(
    "n", [100, (100,), (5, 5), (5, 3), (-1, 5), [5, 6], None, (5, 2.5)]
)
def test_numbers_of_records_that_are_not_declared_are_refused(n):
    with pytest.raises((ValueError, TypeError), match=r"^n must"):
        largest_m(1.0, 1e-3, n, 20, 3, neighbours="add-remove")


@pytest.mark.parametrize("way", ["replace", "add-remove"])
@pytest.mark.parametrize(
    ("eps", "delta", "n", "size", "k"),
    [(0.5, 0.01, 10**4, 100, 100), (1.0, 1e-6, 50, 3, 20), (3.0, 1e-9, 1, 5, 7)],
)
def test_the_largest_m_and_the_smallest_k_are_private_and_their_neighbours_are_not(
    way, eps, delta, n, size, k
):
    declared = n if way == "replace" else (n, n + 1)
    m = largest_m(eps, delta, declared, size, k, neighbours=way)
    assert m >= pure_records(eps, k)
    assert m == 0 or certified(eps, delta, n, size, k, m, way)
    assert not certified(eps, delta, n, size, k, m + 1, way)
    least = smallest_k(eps, delta, declared, size, m + 1, neighbours=way)
    assert least > k
    assert certified(eps, delta, n, size, least, m + 1, way)
    assert not certified(eps, delta, n, size, least - 1, m + 1, way)


@pytest.mark.parametrize("n", [4, 1000])
def test_two_symbols_at_very_large_eps(n):
    """At e^eps above 1e13 delta the difference of binomial tails is noise, and the
    three-symbol curve decides.
    """
    m = largest_m(40.0, 0.01, n, 2, 10)
    assert m >= pure_records(40.0, 10) >= 1
    assert upper_delta(40.0, n, 2, 10, m) <= 0.01


@pytest.mark.parametrize(
    ("n", "size", "eps", "delta"), [(1000, 10, 1.0, 1e-4), (50, 4, 0.5, 0.01)]
)
def test_the_choice_is_private_and_near_the_best_on_a_grid(n, size, eps, delta):
    chosen = choose_parameters(n, size, eps, delta)
    assert certified(eps, delta, n, size, chosen.k, chosen.m)
    assert chosen.error == expected_error(n, size, chosen.k, chosen.m)
    far = largest_m(eps, delta, n, size, 10**6)
    assert expected_error(n, size, 10**6, far) == pytest.approx(chosen.limit, rel=1e-3)
    for k in np.unique(np.geomspace(1, 10**5, 25).astype(int)):
        m = largest_m(eps, delta, n, size, int(k))
        assert not 1 <= m <= 10**9 or chosen.error <= 1.03 * expected_error(
            n, size, int(k), m
        )
    assert choose_parameters(n, size, eps, delta, most_records=500).m <= 500


@pytest.mark.parametrize(
    ("n", "size", "eps", "delta"), [(10, 1000, 5.0, 1e-9), (5, 2, 1.0, 1e-6)]
)
def test_with_few_records_the_chosen_error_is_the_least(n, size, eps, delta):
    few = choose_parameters(n, size, eps, delta)
    others = [largest_m(eps, delta, n, size, k) for k in range(1, 33)]
    best = min(
        expected_error(n, size, k, m) for k, m in enumerate(others, start=1) if m
    )
    assert few.error <= best * (1 + 1e-12)


@pytest.mark.parametrize(
    ("eps", "n", "k", "m"),
    [(5.0, 5, 10**5, 6811012515), (0.1, 5, 10**5, 33013603), (0.3, 1000, 5, 200)],
)
def test_two_symbols_are_right_where_m_needs_more_than_32_bits_and_beyond_256_records(
    eps, n, k, m
):
    """Differences of binomial tails err by at most what is stated.

    With many records the bracket has room above.
    """
    lower, upper = certified_delta(eps, n, 2, k, m)
    stated = (1e-14 + 1e-16 * math.sqrt(m)) * math.exp(eps)
    assert abs(two_symbol_deltas(eps, n, k, m).max() - float(lower.mid())) <= stated
    assert (lower < upper) == (n > 256)


def _shares_of_sequences(K, m, strays):
    """Return the share of the sequences of m draws of K symbols whose counts stray, by
    listing all.
    """
    counts = [
        [draws.count(x) for x in range(K)] for draws in product(range(K), repeat=m)
    ]
    return F(sum(map(strays, counts)), K**m)


@pytest.mark.parametrize("kind", ["scalar", "exact"])
def test_draws_from_the_uniform_law_stray_as_often_as_in_all_sequences(kind):
    def far(v):
        return lambda counts: (
            max(abs(sum(counts[: i + 1]) - i - 1) for i in range(len(counts))) >= v
        )

    def outside(low, high):
        return lambda counts: any(not low <= count <= high for count in counts)

    with mode(kind):
        for K, v in ((2, 1), (4, 1), (4, 2), (5, 2), (5, 3)):
            assert float(prefix_beyond(K, v)) == pytest.approx(
                _shares_of_sequences(K, K, far(v)), rel=1e-12
            )
        for K, m, low, high in (
            (3, 5, 1, 2),
            (4, 6, 0, 3),
            (2, 4, 1, 3),
            (3, 3, -2, 2),
            (3, 3, 2, 3),
            (5, 3, -1, 0),
        ):
            result = float(counts_beyond(K, m, low, high))
            assert result == pytest.approx(
                _shares_of_sequences(K, m, outside(low, high)), rel=1e-12
            )
        for K in (2, 3, 5):
            mean = sum(_shares_of_sequences(K, K, far(v)) for v in range(1, K + 1))
            assert float(prefix_mean(K)) == pytest.approx(mean, rel=1e-12)
        for N in ((3, 0, 2), (1,), (10, 20, 5)):
            assert float(log_ways(np.array(N))) == pytest.approx(
                math.log(ways(N)), rel=1e-12
            )


def test_the_mean_of_many_draws_is_enclosed():
    with mode("exact"):
        low = sum(prefix_beyond(100, v) for v in range(1, 24))
        assert low < prefix_mean(100) < low + 77 * prefix_beyond(100, 24)
