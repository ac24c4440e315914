"""The closed forms: optimal in gamma, inverse to one another, below the exact accountant."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mollified.bootstrap.accountant import bootstrap_delta
from mollified.bootstrap.parameters import largest_m
from mollified.bootstrap.typical_bounds import (
    hoeffding_delta,
    hoeffding_records,
    order_records,
    pure_records,
    renyi_delta,
    renyi_records,
    smallest_pseudocount,
    step_loss,
    theorem_delta,
    theorem_records,
    typical_lower,
    typical_upper,
)

pytestmark = pytest.mark.slow

CASES = [
    (eps, delta, n, size, k)
    for eps in (0.1, 1.0, 5.0)
    for delta in (0.1, 1e-6)
    for n, size in ((1, 3), (10**4, 100), (10**6, 10))
    for k in (2, 40, 3000)
]


@pytest.mark.parametrize("form", ["printed", "corrected"])
def test_the_records_of_theorem_2_are_the_most_over_gamma(form):
    gammas = np.concatenate([np.geomspace(1e-5, 0.5, 4000), np.linspace(0.5, 0.999999, 500)])
    for eps, delta, n, size, k in CASES:
        best = 0
        for gamma in gammas:
            most = math.floor(typical_upper(float(gamma), eps, n, size, k))
            if most >= typical_lower(float(gamma), delta, form):
                best = max(best, most)
        found = theorem_records(eps, delta, n, size, k, form)
        assert best <= found <= best * 1.01 + 1, (eps, delta, n, size, k, best, found)


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
        (lambda *a: theorem_records(*a, "corrected"), lambda *a: theorem_delta(*a, "corrected")),
        (hoeffding_records, hoeffding_delta),
        (order_records, renyi_delta),
    ],
    ids=["printed", "corrected", "hoeffding", "order"],
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


def test_delta_of_theorem_2_star_lies_above_the_exact_one():
    for eps, _, n, size, k in CASES:
        for m in (1, 100, 10**5):
            assert renyi_delta(eps, n, size, k, m) >= bootstrap_delta(eps, n, size, k, m) * (1 - 1e-10)


def test_pure_records_is_exact_at_whole_multiples():
    for k in (1, 5, 1000):
        for m in (1, 7, 250):
            assert pure_records(m * step_loss(k) * (1 + 1e-10), k) == m
            assert pure_records(m * step_loss(k) * (1 - 1e-10), k) == m - 1


def test_the_root_of_corollary_3():
    for gamma, delta, eps, n, size in ((0.5, 0.5, 0.1, 10, 2), (0.25, 0.01, 0.05, 10**4, 2), (0.9, 0.1, 5.0, 1, 1000)):
        k0 = smallest_pseudocount(gamma, delta, eps, n, size)
        low = typical_lower(gamma, delta)
        value = eps * size * k0**2 + (eps * n - 2 * size * gamma * low) * k0 - (2 * n * gamma + 1) * low
        assert k0 > 0
        assert abs(value) <= 1e-9 * (2 * n * gamma + 1) * low
        assert smallest_pseudocount(gamma, delta, eps, n, size, "corrected") >= k0
