"""Targets, random laws, kernel estimates and binned densities."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import beta
from sklearn.neighbors import KernelDensity

from mollified.laws import member_of_box, mixture_1d, random_law, random_root, ring
from mollified.laws.binned_density import ks_distances
from mollified.laws.kernel_density import choose_bandwidth, kernel_density


def test_random_laws_reach_small_atoms_and_members_stay_in_their_box():
    rng = np.random.default_rng(91)
    for _ in range(300):
        base, root = random_law(rng, int(rng.integers(2, 7))), random_root(rng)
        low, high = tuple(q / root for q in base), tuple(min(root * q, Fraction(1)) for q in base)
        member = member_of_box(rng, low, high)
        assert sum(base) == sum(member) == 1
        assert all(a <= m <= b for a, m, b in zip(low, member, high, strict=True))
    assert 0 < min(min(random_law(rng, 2, spread=63)) for _ in range(300)) < Fraction(1, 2**40)


def test_the_estimate_agrees_with_scikit_learn():
    rng = np.random.default_rng(1)
    data, axes = rng.random((50, 2)), [np.linspace(0, 1, 4), np.linspace(0, 1, 5)]
    mesh = np.stack([a.ravel() for a in np.meshgrid(*axes, indexing="ij")], axis=1)
    expected = np.exp(KernelDensity(bandwidth=0.2).fit(data).score_samples(mesh)).reshape(4, 5)
    assert kernel_density(data, axes, 0.2) == pytest.approx(expected, rel=1e-12)


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


@pytest.mark.parametrize(("bins", "points"), [(5, 4), (20, 8), (50, 64)])
def test_ks_distances_err_below_by_at_most_the_stated_amount(bins, points):
    law, x, ends = beta(10, 10), np.linspace(0, 1, 200_001), np.linspace(0, 1, bins + 1)
    lipschitz = np.abs(np.diff(law.pdf(x)) / np.diff(x)).max()
    masses = np.diff(law.cdf(ends)) + np.random.default_rng(1).normal(0, 0.02, bins)
    fine = np.abs(np.interp(x, ends, np.append(0.0, np.cumsum(masses))) - law.cdf(x)).max()
    found = ks_distances(law.cdf, masses[np.newaxis], points=points)[0]
    assert -1e-12 <= fine - found <= lipschitz / 8 / (bins * points) ** 2 + 1e-9
