"""Distances of binned densities against brute force on fine grids."""

import numpy as np
from scipy.stats import beta

from mollified.laws.binned_density import ks_distances


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
