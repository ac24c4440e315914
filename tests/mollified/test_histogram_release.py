"""Releases of histograms: exact deltas, scales and laws of the noise, OpenDP's map, and the exponential mechanism."""

import math
from collections import Counter
from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import norm

from mollified.releases import (
    discrete_gaussian_scale,
    discrete_laplace_scale,
    gaussian_scale,
    ks_release,
    laplace_scale,
    noisy_histogram,
    opendp_scale,
    opendp_zcdp,
)
from mollified.releases.histogram_release import _gaussian_masses, discrete_gaussian_delta, discrete_laplace_delta
from tests.mollified.helpers import ALPHA, chi_square, ks

LEVELS = [(0.5, 0.01), (5.0, 0.01), (1.0, 1e-6)]


def brute_force(masses, eps):
    """Return delta for two counts, one up and one down, from the masses of one noise on -r..r."""
    shifted = np.append(0.0, masses)[:-1]
    moved = np.outer(shifted, np.append(masses, 0.0)[1:])
    return float(np.maximum(np.outer(masses, masses) - math.exp(eps) * moved, 0).sum())


def laplace_masses(scale):
    masses = np.exp(-np.abs(np.arange(-400, 401)) / scale)
    return masses / masses.sum()


@pytest.mark.parametrize("eps", [0.0, 0.3, 1.0, 4.0])
@pytest.mark.parametrize("scale", [0.4, 1.0, 3.7])
def test_deltas_agree_with_all_outputs(eps, scale):
    assert discrete_laplace_delta(eps, scale) == pytest.approx(brute_force(laplace_masses(scale), eps), abs=1e-13)
    assert discrete_gaussian_delta(eps, scale) == pytest.approx(brute_force(_gaussian_masses(scale)[1], eps), abs=1e-13)


@pytest.mark.parametrize(("eps", "delta"), LEVELS)
def test_scales_spend_just_the_delta(eps, delta):
    for scale, spent in (
        (discrete_gaussian_scale(eps, delta), discrete_gaussian_delta),
        (discrete_laplace_scale(eps, delta), discrete_laplace_delta),
    ):
        assert delta - 1e-9 < spent(eps, scale) <= delta < spent(eps, 0.99 * scale)
    sigma = gaussian_scale(eps, delta)
    half, shift = 1 / (math.sqrt(2) * sigma), eps * sigma / math.sqrt(2)
    spent = norm.cdf(half - shift) - math.exp(eps) * norm.cdf(-half - shift)
    assert delta * (1 - 1e-5) < spent <= delta
    assert discrete_laplace_scale(eps, delta) < laplace_scale(eps) == 2 / eps
    assert discrete_laplace_delta(eps, laplace_scale(eps)) == 0


@pytest.mark.parametrize(("eps", "delta"), LEVELS)
def test_opendp_converts_as_canonne_kamath_steinke_and_its_laplace_is_pure(eps, delta):
    rho = opendp_zcdp(eps, delta)

    def log_delta(log_order):
        order = 1 + math.exp(log_order)
        return (order - 1) * (order * rho - eps) - math.log(order) + (order - 1) * math.log1p(-1 / order)

    found = math.exp(minimize_scalar(log_delta, bounds=(-6, 8), method="bounded", options={"xatol": 1e-10}).fun)
    assert found == pytest.approx(delta, rel=1e-5)
    assert 1 < opendp_scale(eps, delta) / discrete_gaussian_scale(eps, delta) < 1.5
    assert opendp_scale(eps, delta, "discrete-laplace") == pytest.approx(2 / eps, rel=1e-8)


COUNTS = np.array([5] + [0] * 19_999)


def noise_of(kind, scale):
    return noisy_histogram(COUNTS, kind, scale, np.random.default_rng(3), repair="none") * 5 - COUNTS


@pytest.mark.parametrize(("kind", "scale"), [("discrete-gaussian", 2.3), ("discrete-laplace", 1.7)])
def test_discrete_noise_has_the_stated_law(kind, scale):
    gaussian = _gaussian_masses(scale)[1]
    laws = {"discrete-gaussian": np.pad(gaussian, 400 - len(gaussian) // 2), "discrete-laplace": laplace_masses(scale)}
    cells = np.bincount(np.rint(noise_of(kind, scale)).astype(int) + 400, minlength=801)
    assert [name for name, masses in laws.items() if chi_square(cells, masses) > ALPHA] == [kind]


@pytest.mark.parametrize(("kind", "law"), [("laplace", "laplace"), ("gaussian", "norm")])
def test_continuous_noise_has_the_stated_law(kind, law):
    assert ks(noise_of(kind, 1.3) / 1.3, law) > ALPHA


def test_a_clipped_histogram_is_a_law():
    clipped = noisy_histogram(np.array([3, 0, 7]), "laplace", 3.0, np.random.default_rng(1), repair="clip")
    assert clipped.min() >= 0
    assert clipped.sum() == pytest.approx(1)


def law(counts, records, eps):
    """Return the tables, and their probabilities under the mechanism, by enumeration of ordered lists."""
    symbols = range(len(counts))
    found = Counter(tuple(map(drawn.count, symbols)) for drawn in product(symbols, repeat=records))
    scores = np.abs(np.cumsum(list(found), axis=1) / records - np.cumsum(counts) / sum(counts)).max(axis=1)
    weights = np.array(list(found.values())) * np.exp(-sum(counts) * eps * scores / 2)
    return list(found), weights / weights.sum()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("counts", "records", "eps"),
    [([5, 2, 4], 5, 3.0), ([1, 0], 1, 2.0), ([0, 9, 0, 1], 4, 1.0), ([3, 3], 7, 20.0)],
)
def test_draws_have_the_law(counts, records, eps):
    """A chi-square with a false-alarm rate of 1e-6; the same draws do not fit twice the level."""
    drawn = ks_release(counts, records, eps, np.random.default_rng(2), draws=10_000)
    assert (drawn.sum(axis=1) == records).all()
    assert drawn.min() >= 0

    def chance(level):
        outputs, probabilities = law(counts, records, level)
        place = {table: index for index, table in enumerate(outputs)}
        seen = np.bincount([place[tuple(row)] for row in drawn.tolist()], minlength=len(outputs))
        return chi_square(seen, probabilities)

    assert chance(eps) > ALPHA
    if eps < 10:
        assert chance(2 * eps) < ALPHA
