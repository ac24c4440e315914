"""The paper's ways to set k and m, against the conditions that they must meet and against brute force."""

from __future__ import annotations

import math

import pytest

from mollified.bootstrap.paper_parameters import recipe_parameters, smoothed_parameters, theorem_parameters
from mollified.bootstrap.parameters import expected_error
from mollified.bootstrap.typical_bounds import pure_records, theorem_records, typical_lower, typical_upper


@pytest.mark.parametrize("eps", [0.5, 5.0])
@pytest.mark.parametrize("size", [10, 200])
def test_the_recipe_meets_both_conditions(eps, size):
    k, m = recipe_parameters(0.1, eps, 0.01, 10_000, size)
    assert typical_lower(0.1, 0.01) <= m <= typical_upper(0.1, eps, 10_000, size, k)
    assert m + 1 > typical_upper(0.1, eps, 10_000, size, k)
    n, low = 10_000, typical_lower(0.1, 0.01)

    def quadratic(at):
        return eps * size * at**2 + (eps * n - 2 * size * 0.1 * low) * at - (2 * n * 0.1 + 1) * low

    assert quadratic(k) >= 0 > quadratic(k - 1)


@pytest.mark.parametrize("eps", [0.1, 0.5, 5.0])
@pytest.mark.parametrize("size", [2, 10, 100])
def test_theorem_parameters_are_near_the_infimum(eps, size):
    n, delta = 10_000, 0.01
    k, m = theorem_parameters(eps, delta, n, size, most_records=10**14)
    assert m == theorem_records(eps, delta, n, size, k)
    least = 2 * math.log(2 / delta)
    floor = (size / (eps * n) * (math.sqrt(least) + math.sqrt(least + eps / size))) ** 2 * (1 - 1 / size)
    assert floor <= expected_error(n, size, k, m) <= 1.01 * floor
    for other in (1, 10, 100, 10**4, 10**6, 10**8):
        records = theorem_records(eps, delta, n, size, other)
        assert records == 0 or expected_error(n, size, other, records) >= floor * (1 - 1e-9)


@pytest.mark.parametrize(("eps", "n", "size"), [(0.5, 1000, 10), (5.0, 1000, 3), (0.01, 200, 20)])
def test_smoothed_parameters_are_the_best(eps, n, size):
    k, m = smoothed_parameters(eps, n, size)
    assert m == pure_records(eps, k)
    best = expected_error(n, size, k, m)
    for other in range(1, 20 * n):
        records = pure_records(eps, other)
        assert records == 0 or expected_error(n, size, other, records) >= best * (1 - 1e-12)
