"""Laws, targets, random laws and estimates: protocol, densities against other
implementations, draws, boxes."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats
from scipy.stats import beta
from sklearn.neighbors import KernelDensity

from mollified.laws import (
    Discrete,
    Distribution,
    Gaussian,
    Mixture,
    Uniform,
    member_of_box,
    mixture_1d,
    random_law,
    random_root,
    ring,
)
from mollified.laws.binned_density import ks_distances
from mollified.laws.distributions import Boxed
from mollified.laws.kernel_density import choose_bandwidth, kernel_density
from mollified.laws.targets import random_1d, random_2d
from tests.mollified.helpers import ALPHA, chi_square, ks

PLANE = Gaussian([1.0, -2.0], [[2.0, 0.8], [0.8, 1.0]])
TWO = Mixture([Gaussian([-1.0], 0.25), Gaussian([2.0], 1.0)], [0.3, 0.7])
LOW = stats.norm(-1, 0.5)
HIGH = stats.norm(2, 1)
PROBABILITIES = [0.1, 0.0, 0.2, 0.65, 0.05, 0.0]
EVERY = [
    Discrete(PROBABILITIES),
    PLANE,
    Mixture([Gaussian([0.0], 1.0), Uniform([0.0], [2.0])], [0.3, 0.7]),
    Uniform([0.0, 0.0, 0.0], [1.0, 2.0, 3.0]),
    random_1d(3, np.random.default_rng(0)),
    random_2d(3, np.random.default_rng(0)),
]


@pytest.mark.parametrize("distribution", EVERY, ids=lambda d: type(d).__name__)
def test_each_meets_the_protocol(distribution):
    assert isinstance(distribution, Distribution)
    draws, again = (distribution.sample(7, np.random.default_rng(5)) for _ in range(2))
    np.testing.assert_array_equal(draws, again)
    assert (draws.shape, draws.dtype) == ((7, distribution.dim), np.float64)
    logs = distribution.log_prob(draws)
    assert logs.shape == (7,)
    assert repr(eval(repr(distribution))) == repr(distribution)
    assert np.isfinite(logs).all()
    far = np.full((2, distribution.dim), 1e308) * [[1.0], [-1.0]]
    assert (distribution.log_prob(far) == -np.inf).all()


def test_the_corners_of_a_box_cannot_be_moved():
    law = EVERY[3]
    assert (law.lower.tolist(), law.upper.tolist()) == ([0, 0, 0], [1, 2, 3])
    assert not any(corner.flags.writeable for corner in (law.lower, law.upper))


def test_a_discrete_law_has_no_box_and_a_component_without_one_is_named():
    assert not isinstance(Discrete([1.0]), Boxed)
    with pytest.raises(TypeError, match=r"^components must .*box\(\)"):
        Mixture([Discrete([1.0])], [1.0]).box(1e-3)


@pytest.mark.parametrize(
    ("law", "weights", "right"),
    [
        (PLANE, (1, 0), stats.norm(1, 2**0.5).cdf),
        (PLANE, (1, -1), stats.norm(3, 1.4**0.5).cdf),
        (TWO, (1,), lambda x: 0.3 * LOW.cdf(x) + 0.7 * HIGH.cdf(x)),
        (Uniform([0.0, 5.0], [1.0, 5.5]), (0, 1), stats.uniform(5, 0.5).cdf),
    ],
)
def test_draws_follow_the_density(law, weights, right):
    """False alarm 1e-6 each; control: draws that are 5 % too large."""
    draws = law.sample(100_000, np.random.default_rng(3)) @ np.array(
        weights, dtype=float
    )
    assert ks(draws, right) > ALPHA > ks(1.05 * draws, right)


def test_draws_follow_the_probabilities():
    """False alarm 1e-6; control: the law the other way round."""
    counts = np.bincount(
        EVERY[0].sample(200_000, np.random.default_rng(11))[:, 0].astype(int),
        minlength=6,
    )
    assert counts[[1, 5]].tolist() == [0, 0]
    assert (
        chi_square(counts, PROBABILITIES)
        > ALPHA
        > chi_square(counts, PROBABILITIES[::-1])
    )


@pytest.mark.parametrize("probabilities", [[0.0, 1.0, 0.0], [1.0], [1.0, 0.0]])
def test_atoms_of_probability_zero_are_never_drawn(probabilities):
    class Extreme(np.random.Generator):
        """Draws the two ends of the range of uniform numbers."""

        def random(self, size=None):
            return np.resize([0.0, 1.0 - 2.0**-53], size)

    draws = Discrete(probabilities).sample(4, Extreme(np.random.PCG64(0)))
    assert set(draws[:, 0]) == {float(probabilities.index(1.0))}


def test_gaussian_densities_agree_with_an_independent_implementation():
    points = np.random.default_rng(1).normal(size=(50, 3)) * 4
    root = np.random.default_rng(2).normal(size=(3, 3))
    covariance = root @ root.T + 0.1 * np.eye(3)
    ours = Gaussian([1.0, 2.0, -3.0], covariance).log_prob(points)
    theirs = stats.multivariate_normal([1.0, 2.0, -3.0], covariance).logpdf(points)
    np.testing.assert_allclose(ours, theirs, rtol=1e-10)
    assert Gaussian([0.0, 0.0], 4.0).covariance.tolist() == [[4.0, 0.0], [0.0, 4.0]]
    assert Uniform([0.0, 1.0], [2.0, 4.0]).log_prob(
        np.array([[1.0, 2.0]])
    ) == pytest.approx(-np.log(6.0))


def test_density_of_a_mixture_is_the_weighted_sum_where_components_underflow():
    x = np.linspace(-5, 5, 41)
    np.testing.assert_allclose(
        np.exp(TWO.log_prob(x[:, np.newaxis])),
        0.3 * LOW.pdf(x) + 0.7 * HIGH.pdf(x),
        rtol=1e-12,
    )
    assert TWO.log_prob(np.array([[100.0]]))[0] == pytest.approx(
        np.log(0.7) + HIGH.logpdf(100.0), rel=1e-12
    )


def test_random_laws_reach_small_atoms_and_members_stay_in_their_box():
    rng = np.random.default_rng(91)
    for _ in range(300):
        base = random_law(rng, int(rng.integers(2, 7)))
        root = random_root(rng)
        low = tuple(q / root for q in base)
        high = tuple(min(root * q, Fraction(1)) for q in base)
        member = member_of_box(rng, low, high)
        assert sum(base) == sum(member) == 1
        assert all(a <= m <= b for a, m, b in zip(low, member, high, strict=True))
    assert (
        0
        < min(min(random_law(rng, 2, spread=63)) for _ in range(300))
        < Fraction(1, 2**40)
    )


def test_the_estimate_agrees_with_scikit_learn():
    rng = np.random.default_rng(1)
    data = rng.random((50, 2))
    axes = [np.linspace(0, 1, 4), np.linspace(0, 1, 5)]
    mesh = np.stack([a.ravel() for a in np.meshgrid(*axes, indexing="ij")], axis=1)
    expected = np.exp(
        KernelDensity(bandwidth=0.2).fit(data).score_samples(mesh)
    ).reshape(4, 5)
    assert kernel_density(data, axes, 0.2) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("target", "candidates"),
    [(ring(), (0.15, 0.25, 0.4)), (mixture_1d("variance"), (0.05, 0.1, 0.2))],
)
def test_scores_agree_with_held_out_likelihoods(target, candidates):
    """The gathering on a grid errs by less than 0.002 nats where the bandwidth is at
    least four steps."""
    data = target.sample(500, np.random.default_rng(2))
    folds = 5
    found = choose_bandwidth(data, candidates, folds, np.random.default_rng(3))
    deal = np.random.default_rng(3).permutation(500) % folds
    for width, score in zip(candidates, found.scores, strict=True):
        exact = sum(
            KernelDensity(bandwidth=width).fit(data[deal != f]).score(data[deal == f])
            for f in range(folds)
        )
        assert score == pytest.approx(exact / 500, abs=2e-3)
    assert found.bandwidth == candidates[int(np.argmax(found.scores))]


@pytest.mark.parametrize(("bins", "points"), [(5, 4), (20, 8), (50, 64)])
def test_ks_distances_err_below_by_at_most_the_stated_amount(bins, points):
    law = beta(10, 10)
    x = np.linspace(0, 1, 200_001)
    ends = np.linspace(0, 1, bins + 1)
    lipschitz = np.abs(np.diff(law.pdf(x)) / np.diff(x)).max()
    masses = np.diff(law.cdf(ends)) + np.random.default_rng(1).normal(0, 0.02, bins)
    fine = np.abs(
        np.interp(x, ends, np.append(0.0, np.cumsum(masses))) - law.cdf(x)
    ).max()
    found = ks_distances(law.cdf, masses[np.newaxis], points=points)[0]
    assert -1e-12 <= fine - found <= lipschitz / 8 / (bins * points) ** 2 + 1e-9
