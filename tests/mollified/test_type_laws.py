"""Lists of types, and the certified recipe against floats."""

from __future__ import annotations

from fractions import Fraction as F
from math import ceil, comb, floor

import numpy as np

from mollified.bootstrap.recipe import least_records, most_records, recipe, root_rounded
from mollified.bootstrap.type_laws import compositions
from mollified.bootstrap.typical_bounds import smallest_pseudocount, typical_lower, typical_upper


def test_all_counts_are_listed():
    counts = list(compositions(4, 3))
    assert len(counts) == len(set(counts)) == comb(6, 2)
    assert all(sum(c) == 4 for c in counts)


def test_the_recipe_agrees_with_floats_where_these_are_clear():
    rng = np.random.default_rng(4)
    for _ in range(200):
        gamma, delta = F(int(rng.integers(1, 100)), 100), F(int(rng.integers(1, 100)), 100)
        eps, n, size = F(int(rng.integers(1, 500)), 100), int(rng.integers(1, 5000)), int(rng.integers(2, 50))
        sizes = (float(gamma), float(delta), float(eps), n, size)
        for form in ("printed", "corrected"):
            root = smallest_pseudocount(*sizes, form)
            if abs(root - round(root)) > 1e-6:
                assert root_rounded(gamma, delta, eps, n, size, form) == ceil(root)
        k, m = recipe(gamma, delta, eps, n, size, "corrected")
        assert k >= 2
        assert least_records(gamma, delta) == ceil(typical_lower(float(gamma), float(delta)))
        assert m == most_records(gamma, eps, n, size, k) == floor(typical_upper(float(gamma), float(eps), n, size, k))
        assert m >= least_records(gamma, delta)


def test_a_root_that_is_an_integer_is_not_rounded_up():
    # with ceil(L) = 12, gamma = 1/2: eps k (n + 2k) = 12 (n + 2k + 1); k = 6, n = 3, eps = 32/15 is a root
    half, eps = F(1, 2), F(12 * 16, 6 * 15)
    assert least_records(half, half) == 12
    assert root_rounded(half, half, eps, 3, 2, "corrected") == 6
