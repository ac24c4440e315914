"""Targets, random laws, kernel estimates and binned densities."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import beta
from sklearn.neighbors import KernelDensity

from mollified.laws import Gaussian, Grid, kl, member_of_box, mixture_1d, random_law, random_root, ring
from mollified.laws.binned_density import ks_distances
from mollified.laws.kernel_density import choose_bandwidth, kernel_density
from mollified.laws.targets import random_1d, random_2d


def on_grid(target, reference):
    grid = Grid.covering([target, reference])
    return target.log_prob(grid.points), reference.log_prob(grid.points), grid


def test_ring_is_symmetric_under_rotation_by_one_mode():
    target = ring(modes=5, radius=2.0, variance=0.1)
    points = np.random.default_rng(1).normal(size=(40, 2)) * 2
    angle = 2 * np.pi / 5
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    np.testing.assert_allclose(target.log_prob(points), target.log_prob(points @ turn.T), atol=1e-10)
    half = np.array([[np.cos(angle / 2), -np.sin(angle / 2)], [np.sin(angle / 2), np.cos(angle / 2)]])
    assert not np.allclose(target.log_prob(points), target.log_prob(points @ half.T), atol=1e-3)
    assert np.linalg.norm([c.mean for c in target.components], axis=1) == pytest.approx(2.0)


def test_both_readings_of_the_mixture():
    deviations = [c.covariance[0, 0] for c in mixture_1d().components]
    variances = [c.covariance[0, 0] for c in mixture_1d("variance").components]
    assert deviations == pytest.approx([1e-4, 1e-2, 1e-2])
    assert variances == pytest.approx([0.01, 0.1, 0.1])
    for target in (mixture_1d(), mixture_1d("variance")):
        assert [c.mean[0] for c in target.components] == [0.3, 0.5, 0.7]
        assert target.weights == pytest.approx(1 / 3)
    p, q0, grid = on_grid(mixture_1d(), Gaussian.standard(1))
    assert kl(p, q0, grid).value == pytest.approx(1.8951, abs=5.1e-5)


@pytest.mark.parametrize("m", [1, 2, 10])
def test_random_targets(m):
    line = random_1d(m, np.random.default_rng(m))
    plane = random_2d(m, np.random.default_rng(m), half_width=3.0, variance=0.5)
    assert (len(line.components), len(plane.components)) == (m, m)
    assert (line.dim, plane.dim) == (1, 2)
    assert all(0 <= c.mean[0] <= 1 and c.covariance[0, 0] == 0.01 for c in line.components)
    assert all((np.abs(c.mean) <= 3).all() and c.covariance[1, 1] == 0.5 for c in plane.components)
    assert line.weights == pytest.approx(1 / m)
    again = random_1d(m, np.random.default_rng(m))
    assert [c.mean[0] for c in line.components] == [c.mean[0] for c in again.components]


ONE = Fraction(1)


def test_laws_are_positive_sum_to_one_and_reach_small_atoms():
    rng = np.random.default_rng(90)
    smallest = ONE
    for _ in range(300):
        law = random_law(rng, int(rng.integers(1, 8)), spread=20)
        assert sum(law) == 1
        assert min(law) > 0
        smallest = min(smallest, *law)
    assert smallest < Fraction(1, 2**14)
    assert min(random_law(rng, 2, spread=63)) > 0


def test_members_fill_the_box_and_reach_its_faces():
    rng = np.random.default_rng(91)
    touched = 0
    for _ in range(300):
        base, root = random_law(rng, int(rng.integers(2, 7))), random_root(rng)
        low, high = tuple(q / root for q in base), tuple(min(root * q, ONE) for q in base)
        member = member_of_box(rng, low, high)
        assert sum(member) == 1
        assert all(a <= m <= b for a, m, b in zip(low, member, high, strict=True))
        touched += any(m in (a, b) for a, m, b in zip(low, member, high, strict=True))
    assert touched > 100


def test_the_estimate_agrees_with_scikit_learn():
    rng = np.random.default_rng(1)
    data, axes = rng.random((50, 2)), [np.linspace(0, 1, 4), np.linspace(0, 1, 5)]
    mesh = np.stack([a.ravel() for a in np.meshgrid(*axes, indexing="ij")], axis=1)
    expected = np.exp(KernelDensity(bandwidth=0.2).fit(data).score_samples(mesh)).reshape(4, 5)
    assert kernel_density(data, axes, 0.2) == pytest.approx(expected, rel=1e-12)
    line = kernel_density(data[:, :1], axes[:1], 0.2)
    assert line == pytest.approx(np.exp(KernelDensity(bandwidth=0.2).fit(data[:, :1]).score_samples(axes[0][:, None])))


@pytest.mark.parametrize(
    ("target", "candidates"), [(ring(), (0.15, 0.25, 0.4)), (mixture_1d("variance"), (0.05, 0.1, 0.2))]
)
def test_scores_agree_with_held_out_likelihoods(target, candidates):
    """The gathering on a grid errs by less than 0.002 nats where the bandwidth is at least four steps."""
    data, folds = target.sample(500, np.random.default_rng(2)), 5
    found = choose_bandwidth(data, candidates, folds, np.random.default_rng(3))
    deal = np.random.default_rng(3).permutation(500) % folds
    for width, score in zip(candidates, found.scores, strict=True):
        exact = sum(KernelDensity(bandwidth=width).fit(data[deal != f]).score(data[deal == f]) for f in range(folds))
        assert score == pytest.approx(exact / 500, abs=2e-3)
    assert found.bandwidth == candidates[int(np.argmax(found.scores))]


def test_far_records_do_not_break_the_logarithm():
    data = np.array([[0.0], [0.001], [1000.0], [1000.001]])
    assert np.isfinite(choose_bandwidth(data, [3.0], 4, np.random.default_rng(1)).scores).all()


def test_ks_distances_err_below_by_at_most_the_stated_amount():
    law, rng = beta(10, 10), np.random.default_rng(1)
    x = np.linspace(0, 1, 200_001)
    lipschitz = np.abs(np.diff(law.pdf(x)) / np.diff(x)).max()
    for bins, points in ((5, 4), (20, 8), (50, 64)):
        masses = np.diff(law.cdf(np.linspace(0, 1, bins + 1))) + rng.normal(0, 0.02, bins)
        edges = np.concatenate([[0.0], np.cumsum(masses)])
        fine = np.abs(np.interp(x, np.linspace(0, 1, bins + 1), edges) - law.cdf(x)).max()
        found = ks_distances(law.cdf, masses[np.newaxis], points=points)[0]
        assert found <= fine + 1e-12
        assert fine - found <= lipschitz / 8 / (bins * points) ** 2 + 1e-9
