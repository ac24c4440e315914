import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from mollified.laws import FiniteSpace, Gaussian, Grid, kl

INF = math.inf
THREE = FiniteSpace(3)
HALVES = np.log([0.5, 0.25, 0.25])
FIRST = np.array([0.0, -INF, -INF])
REST = np.array([-INF, math.log(0.5), math.log(0.5)])


def on_grid(p, q, nodes=None):
    grid = Grid.covering([p, q], mass=1e-14, nodes=nodes)
    return p.log_prob(grid.points), q.log_prob(grid.points), grid


def close(result, truth, tail=1e-10):
    """Check a result against the truth, up to its own error estimate and to what the box leaves out."""
    assert abs(result.value - truth) <= result.error + tail
    assert result.error < 1e-6 * max(1.0, abs(truth))


@pytest.mark.parametrize(("mean", "variance"), [(0.0, 1.0), (1.0, 1.0), (-2.0, 0.3), (0.5, 2.0), (1e-4, 1.0)])
def test_gaussians_on_the_line(mean, variance):
    p, q, grid = on_grid(Gaussian([mean], variance), Gaussian.standard(1))
    forward = (variance + mean * mean - 1 - math.log(variance)) / 2
    close(kl(p, q, grid), forward)


def test_kl_of_gaussians_in_the_plane():
    covariance = np.array([[2.0, 0.8], [0.8, 1.0]])
    p, q, grid = on_grid(Gaussian([1.0, -1.0], covariance), Gaussian.standard(2))
    truth = (np.trace(covariance) + 2.0 - 2.0 - math.log(np.linalg.det(covariance))) / 2
    close(kl(p, q, grid), truth)


def test_kl_keeps_the_digits_of_close_laws():
    """Against 60 digits, for laws that differ by 1e-3 to 1e-12; the plain sum is the control."""
    base = [Fraction(3, 10), Fraction(5, 10), Fraction(2, 10)]
    for exponent in (3, 6, 9, 12):
        moved = [base[0] + Fraction(1, 10**exponent), base[1] - Fraction(1, 10**exponent), base[2]]
        with localcontext(prec=60):
            exact = [[Decimal(v.numerator) / v.denominator for v in law] for law in (moved, base)]
            logs = [[v.ln() for v in law] for law in exact]
            truth = sum(a * (u - v) for a, u, v in zip(exact[0], *logs, strict=True))
        p, q = (np.array([float(v) for v in law]) for law in logs)
        ours = kl(p, q, THREE).value
        plain = float(np.sum(np.exp(p) * (p - q)))
        assert ours >= 0.0
        # the logs are rounded to about 2e-16, and so is their difference
        assert ours == pytest.approx(float(truth), rel=2e-15 * 10**exponent, abs=0)
        if exponent >= 6:
            assert abs(plain - float(truth)) > 10 * abs(ours - float(truth))


@pytest.mark.parametrize("size", [0.4, 0.1, 0.041, 0.039, 0.03, 0.01, 1e-3])
def test_kl_is_accurate_on_both_sides_of_its_series(size):
    """The integrand is computed by a series for log ratios below 0.02: against 60 digits, to 1e-11."""
    with localcontext(prec=60):
        half = Decimal(1) / 2
        upper, lower = half + Decimal(size) / 4, half - Decimal(size) / 4
        truth = upper * (upper / half).ln() + lower * (lower / half).ln()
    p = np.log([float(upper), float(lower)])
    ours = kl(p, np.log([0.5, 0.5]), FiniteSpace(2)).value
    assert ours == pytest.approx(float(truth), rel=max(1e-11, 1e-15 / size), abs=0)


def test_kl_is_never_negative():
    rng = np.random.default_rng(9)
    for _ in range(200):
        p, q = rng.dirichlet([0.3] * 8), rng.dirichlet([3.0] * 8)
        p = np.maximum(p, 1e-300)
        near = p * (1 + 1e-15 * rng.normal(size=8))
        for a, b in ((p, q), (q, p), (p, near)):
            assert kl(np.log(a), np.log(b), FiniteSpace(8)).value >= 0.0
        assert kl(np.log(p), np.log(p), FiniteSpace(8)).value == 0.0


def test_kl_refuses_what_is_not_a_density():
    with pytest.raises(ValueError, match="log_q must be a density on the space, got a mass of"):
        kl(HALVES, HALVES + 0.1, THREE)
    slightly = kl(HALVES, HALVES + 1e-5, THREE)
    assert slightly.error == pytest.approx(1e-5, rel=1e-4)


def test_zeros_follow_the_conventions():
    assert kl(HALVES, FIRST, THREE).value == INF
    assert kl(FIRST, HALVES, THREE).value == pytest.approx(math.log(2), rel=1e-15)
    assert kl(FIRST, REST, THREE).value == INF
