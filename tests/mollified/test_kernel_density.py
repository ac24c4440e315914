"""Kernel estimates and cross-validation, against scikit-learn."""

import numpy as np
import pytest
from sklearn.neighbors import KernelDensity

from mollified.laws import mixture_1d, ring
from mollified.laws.kernel_density import choose_bandwidth, kernel_density


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
