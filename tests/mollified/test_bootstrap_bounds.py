"""The closed forms: optimal in gamma, inverses, below the exact accountant; the paper's ways to set k and m."""

import math
from fractions import Fraction as F

import numpy as np
import pytest

from mollified.bootstrap import (
    hoeffding_delta,
    hoeffding_records,
    largest_m,
    order_records,
    pure_records,
    recipe,
    renyi_delta,
    renyi_records,
    step_loss,
    theorem_delta,
    theorem_records,
    typical_lower,
    typical_upper,
)
from mollified.bootstrap.recipe import least_records, most_records, root_rounded
from mollified.bootstrap.typical_bounds import smallest_pseudocount

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
        allowed = [(typical_lower(g, delta, form), math.floor(typical_upper(g, eps, n, size, k))) for g in gammas]
        best = max((most for least, most in allowed if most >= least), default=0)
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
    [(theorem_records, theorem_delta), (hoeffding_records, hoeffding_delta), (order_records, renyi_delta)],
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


def test_the_recipe_agrees_with_floats_where_these_are_clear():
    rng = np.random.default_rng(4)
    for _ in range(100):
        gamma, delta = F(int(rng.integers(1, 100)), 100), F(int(rng.integers(1, 100)), 100)
        eps, n, size = F(int(rng.integers(1, 500)), 100), int(rng.integers(1, 5000)), int(rng.integers(2, 50))
        for form in ("printed", "corrected"):
            root = smallest_pseudocount(float(gamma), float(delta), float(eps), n, size, form)
            assert abs(root - round(root)) > 1e-9
            assert root_rounded(gamma, delta, eps, n, size, form) == math.ceil(root)
        k, m = recipe(gamma, delta, eps, n, size, "corrected")
        assert k >= 2
        assert math.ceil(typical_lower(float(gamma), float(delta))) == least_records(gamma, delta) <= m
        assert m == most_records(gamma, eps, n, size, k)
        assert m == math.floor(typical_upper(float(gamma), float(eps), n, size, k))


def test_a_root_that_is_an_integer_is_not_rounded_up():
    # with ceil(L) = 12, gamma = 1/2: eps k (n + 2k) = 12 (n + 2k + 1); k = 6, n = 3, eps = 32/15 is a root
    half, eps = F(1, 2), F(12 * 16, 6 * 15)
    assert least_records(half, half) == 12
    assert root_rounded(half, half, eps, 3, 2, "corrected") == 6
