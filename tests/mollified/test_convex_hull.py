from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from mollified.convex_hull import exact_mixture, hull_member, naive_sampler_law, randomised_response
from mollified.instances import random_family, random_law
from tests.mollified.sampling_tests import ALPHA, chi_square


def test_float_mixture_agrees_with_the_exact_one():
    """Sums of at most 4 products of numbers in [0, 1]: rounding below 8 * 2**-53 < 1e-15."""
    rng = np.random.default_rng(70)
    for _ in range(50):
        family, weights = random_family(rng, 4, 5), random_law(rng, 4)
        exact = exact_mixture(family, weights)
        assert sum(exact) == 1
        assert exact[0] == sum(w * law[0] for w, law in zip(weights, family, strict=True))
        got = hull_member([[float(q) for q in law] for law in family], [float(w) for w in weights])
        np.testing.assert_allclose(got, [float(q) for q in exact], rtol=0, atol=2e-15)


@pytest.mark.parametrize(("size", "eps"), [(2, 0.01), (3, 1.0), (7, 5.0), (4, 800.0)])
def test_randomised_response_is_private_at_its_level_and_no_lower(size, eps):
    matrix = randomised_response(size, eps)
    np.testing.assert_allclose(matrix.sum(axis=1), 1, rtol=0, atol=1e-15)
    with np.errstate(divide="ignore"):
        ratio = np.log(matrix[0, 0]) - np.log(matrix[1, 0])
    if eps < 700:
        assert ratio == pytest.approx(eps, abs=1e-13 * max(1, eps))
    assert (np.diag(matrix) == matrix.max()).all()


def test_naive_sampler_law_against_simulation():
    """Draw x, then release R(x): chi-square at 1e-6; control: the law for another P."""
    rng = np.random.default_rng(71)
    rows, p = randomised_response(4, 1.0), np.array([0.7, 0.1, 0.1, 0.1])
    x = rng.choice(4, size=40_000, p=p)
    y = (rng.random((40_000, 1)) > np.cumsum(rows[x], axis=1)).sum(axis=1)
    counts = np.bincount(y, minlength=4)
    assert chi_square(counts, naive_sampler_law(rows, p)) > ALPHA
    assert chi_square(counts, naive_sampler_law(rows, [0.6, 0.2, 0.1, 0.1])) < ALPHA
    assert chi_square(counts, p) < ALPHA


def test_exact_mixture_refuses_weights_that_do_not_fit():
    half = Fraction(1, 2)
    with pytest.raises(ValueError, match="weights must have 1 entries"):
        exact_mixture([(half, half)], (half, half))
    with pytest.raises(ValueError, match="family must have 2 entries"):
        exact_mixture([(half, half), (Fraction(1),)], (half, half))
