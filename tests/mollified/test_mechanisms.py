"""Releases of histograms and Bernstein polynomials: exact deltas, scales and laws of
noise, sensitivity, repairs."""

import math
from collections import Counter
from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import binom, norm

from mollified.laws.kernel_density import kernel_density
from mollified.mechanisms import (
    discrete_gaussian_scale,
    discrete_laplace_scale,
    gaussian_scale,
    ks_release,
    laplace_scale,
    lattice_sensitivity,
    noisy_histogram,
    opendp_scale,
    opendp_zcdp,
)
from mollified.mechanisms.bernstein import coefficients, lattice, polynomial
from mollified.mechanisms.bernstein_release import release_lattice
from mollified.mechanisms.histogram_release import (
    discrete_gaussian_delta,
    discrete_laplace_delta,
)
from mollified.mollifiers import repair_error, repaired
from tests.mollified.helpers import ALPHA, chi_square, counted, ks

LEVELS = [(0.5, 0.01), (5.0, 0.01), (1.0, 1e-6)]


def brute_force(masses, eps):
    """Return delta for two counts, one up and one down, from the masses of one noise on
    -r..r."""
    shifted = np.append(0.0, masses)[:-1]
    moved = np.outer(shifted, np.append(masses, 0.0)[1:])
    return float(np.maximum(np.outer(masses, masses) - math.exp(eps) * moved, 0).sum())


def laplace_masses(scale):
    masses = np.exp(-np.abs(np.arange(-400, 401)) / scale)
    return masses / masses.sum()


def gaussian_masses(scale):
    masses = np.exp(-((np.arange(-400, 401) / scale) ** 2) / 2)
    return masses / masses.sum()


@pytest.mark.parametrize("eps", [0.0, 0.3, 1.0, 4.0])
@pytest.mark.parametrize("scale", [0.4, 1.0, 3.7])
def test_deltas_agree_with_all_outputs(eps, scale):
    assert discrete_laplace_delta(eps, scale) == pytest.approx(
        brute_force(laplace_masses(scale), eps), abs=1e-13
    )
    assert discrete_gaussian_delta(eps, scale) == pytest.approx(
        brute_force(gaussian_masses(scale), eps), abs=1e-13
    )


@pytest.mark.parametrize(("eps", "delta"), LEVELS)
def test_scales_spend_just_the_delta(eps, delta):
    for scale, spent in (
        (discrete_gaussian_scale(eps, delta), discrete_gaussian_delta),
        (discrete_laplace_scale(eps, delta), discrete_laplace_delta),
    ):
        assert (
            delta - 1e-9 < spent(eps, scale) <= delta + 1e-15 < spent(eps, 0.99 * scale)
        )
    sigma = gaussian_scale(eps, delta)
    half = 1 / (math.sqrt(2) * sigma)
    shift = eps * sigma / math.sqrt(2)
    spent = norm.cdf(half - shift) - math.exp(eps) * norm.cdf(-half - shift)
    assert delta * (1 - 1e-5) < spent <= delta
    assert discrete_laplace_scale(eps, delta) < laplace_scale(eps) == 2 / eps
    assert discrete_laplace_delta(eps, laplace_scale(eps)) == 0


@pytest.mark.parametrize(("eps", "delta"), LEVELS)
def test_opendp_converts_as_canonne_kamath_steinke_and_its_laplace_is_pure(eps, delta):
    rho = opendp_zcdp(eps, delta)

    def log_delta(log_order):
        order = 1 + math.exp(log_order)
        return (
            (order - 1) * (order * rho - eps)
            - math.log(order)
            + (order - 1) * math.log1p(-1 / order)
        )

    found = math.exp(
        minimize_scalar(
            log_delta, bounds=(-6, 8), method="bounded", options={"xatol": 1e-10}
        ).fun
    )
    assert found == pytest.approx(delta, rel=1e-5)
    assert 1 < opendp_scale(eps, delta) / discrete_gaussian_scale(eps, delta) < 1.5
    assert opendp_scale(eps, delta, "discrete-laplace") == pytest.approx(
        2 / eps, rel=1e-8
    )


COUNTS = np.array([5] + [0] * 19_999)


def noise_of(kind, scale):
    return (
        noisy_histogram(COUNTS, kind, scale, np.random.default_rng(3), repair="none")
        * 5
        - COUNTS
    )


@pytest.mark.parametrize(
    ("kind", "scale"), [("discrete-gaussian", 2.3), ("discrete-laplace", 1.7)]
)
def test_discrete_noise_has_the_stated_law(kind, scale):
    laws = {
        "discrete-gaussian": gaussian_masses(scale),
        "discrete-laplace": laplace_masses(scale),
    }
    cells = np.bincount(np.rint(noise_of(kind, scale)).astype(int) + 400, minlength=801)
    assert [
        name for name, masses in laws.items() if chi_square(cells, masses) > ALPHA
    ] == [kind]


@pytest.mark.parametrize(
    ("kind", "law"), [("laplace", "laplace"), ("gaussian", "norm")]
)
def test_continuous_noise_has_the_stated_law(kind, law):
    assert ks(noise_of(kind, 1.3) / 1.3, law) > ALPHA


def test_a_clipped_histogram_is_a_law():
    clipped = noisy_histogram(
        np.array([3, 0, 7]), "laplace", 3.0, np.random.default_rng(1), repair="clip"
    )
    assert clipped.min() >= 0
    assert clipped.sum() == pytest.approx(1)


def law(counts, records, eps):
    """Return the tables, and their probabilities under the mechanism, by enumeration of
    ordered lists."""
    symbols = range(len(counts))
    found = Counter(
        tuple(map(drawn.count, symbols)) for drawn in product(symbols, repeat=records)
    )
    scores = np.abs(
        np.cumsum(list(found), axis=1) / records - np.cumsum(counts) / sum(counts)
    ).max(axis=1)
    weights = np.array(list(found.values())) * np.exp(-sum(counts) * eps * scores / 2)
    return list(found), weights / weights.sum()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("counts", "records", "eps"),
    [([5, 2, 4], 5, 3.0), ([1, 0], 1, 2.0), ([0, 9, 0, 1], 4, 1.0), ([3, 3], 7, 20.0)],
)
def test_draws_have_the_law(counts, records, eps):
    """A chi-square with a false-alarm rate of 1e-6; the same draws do not fit twice the
    level."""
    drawn = ks_release(counts, records, eps, np.random.default_rng(2), draws=10_000)
    assert (drawn.sum(axis=1) == records).all()
    assert drawn.min() >= 0

    def chance(level):
        outputs, probabilities = law(counts, records, level)
        return chi_square(counted(drawn, outputs), probabilities)

    assert chance(eps) > ALPHA
    if eps < 10:
        assert chance(2 * eps) < ALPHA


@pytest.mark.parametrize("order", [1, 2, 3, 5])
@pytest.mark.parametrize("dim", [1, 2])
def test_the_iterated_operator_is_the_complement_of_the_power_of_the_complement(
    order, dim
):
    """The basis is that of the binomial law; in the plane the powers are those of the
    whole operator."""
    degree = 4
    values = np.random.default_rng(2).normal(size=(degree + 1,) * dim)
    one = binom.pmf(np.arange(degree + 1), degree, lattice(degree)[:, np.newaxis])
    matrix = one if dim == 1 else np.kron(one, one)
    identity = np.eye(len(matrix))
    expected = (
        identity - np.linalg.matrix_power(identity - matrix, order)
    ) @ values.ravel()
    at_nodes = polynomial(coefficients(values, order), [lattice(degree)] * dim)
    assert at_nodes.ravel() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("degree", "dim", "bandwidth"),
    [
        (20, 1, 0.02),
        (20, 2, 0.02),
        (10, 2, 0.1),
        (7, 1, 0.5),
        (40, 1, 0.004),
        (1, 1, 0.01),
        (3, 2, 3.0),
    ],
)
def test_no_pair_of_records_moves_the_values_further_than_the_bound(
    degree, dim, bandwidth
):
    found = lattice_sensitivity(degree, dim, bandwidth)
    rng = np.random.default_rng(1)
    nodes = lattice(degree)
    for trial in range(300):
        pair = rng.random((2, dim))
        if trial % 2:  # near the corners and the nodes, where the sums are largest
            pair = np.clip(
                np.round(pair * degree) / degree
                + rng.normal(size=(2, dim)) * bandwidth / 10,
                0,
                1,
            )
        one, two = (
            kernel_density(x[np.newaxis], [nodes] * dim, bandwidth) for x in pair
        )
        assert float(np.abs(one - two).sum()) <= found.upper * (1 + 1e-12)
    assert (
        (0.997 if bandwidth <= 0.02 else 0) * found.upper <= found.lower <= found.upper
    )


def test_a_release_without_noise_is_the_estimate_on_the_lattice():
    data = np.random.default_rng(1).normal(size=(40, 2))
    made = release_lattice(data, -6.0, 6.0, 8, 0.5, 0.0, np.random.default_rng(2))
    nodes = -6 + 12 * lattice(8)
    assert made.values / 144 == pytest.approx(
        kernel_density(data, [nodes, nodes], 0.5), rel=1e-10
    )
    assert made.degree == 8
    axis = np.linspace(-6, 6, 401)
    integral = np.trapezoid(np.trapezoid(made.function([axis, axis]), axis), axis)
    assert integral == pytest.approx(
        made.values.mean(), rel=1e-3
    )  # the mean of the coefficients


def test_the_noise_is_laplace_of_the_scale():
    data = np.full((5, 1), 0.5)
    plain, noisy, again = (
        release_lattice(
            data, 0.0, 1.0, 4000, 0.1, scale, np.random.default_rng(3)
        ).values
        for scale in (0.0, 2.0, 2.0)
    )
    assert (
        ks((noisy - plain) / 2.0, "laplace")
        > ALPHA
        > ks((noisy - plain) / 2.5, "laplace")
    )
    assert (noisy == again).all()


@pytest.mark.parametrize("repair", ["shift", "clip"])
def test_repairs_make_densities_and_keep_densities(repair):
    weights = np.array([0.2, 0.3, 0.5])
    given = np.array([[-1.0, 2.0, 3.0], [0.5, 1.5, 0.9], [-1.0, -1.0, -1.0]])
    found = repaired(given, weights, repair)
    assert found.min() >= 0
    assert found @ weights == pytest.approx(np.ones(3))
    assert found[1] == pytest.approx(given[1])  # a density already
    assert found[2] == pytest.approx(np.ones(3))  # nowhere positive: uniform
    assert repaired(given, weights, repair, uniform=0.1) == pytest.approx(
        0.9 * found + 0.1
    )
    assert repair_error(0.1, 3.0, "shift") == 2 * repair_error(0.1, 3.0, "clip")
