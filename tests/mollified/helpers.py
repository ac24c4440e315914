"""Tests of draws against a law, at a false alarm rate of ALPHA each, and a classifier that is given by its values."""

import numpy as np
from scipy import stats

#: A correct sampler fails each test with at most this probability; seeds are fixed besides.
ALPHA = 1e-6


def ks(draws, cdf) -> float:
    """Return the p-value of the Kolmogorov-Smirnov test of draws (n,) against a distribution function."""
    return float(stats.kstest(draws, cdf).pvalue)


def chi_square(counts, probabilities) -> float:
    """Return the p-value of the chi-square test of counts; cells where fewer than 5 are expected are one cell."""
    counts, probabilities = np.asarray(counts, float), np.asarray(probabilities, float)
    expected = counts.sum() * probabilities
    big = expected >= 5
    counts, expected = (np.append(cells[big], cells[~big].sum()) for cells in (counts, expected))
    kept = expected > 1e-3
    return float(stats.chi2.sf(((counts - expected)[kept] ** 2 / expected[kept]).sum(), max(1, kept.sum() - 1)))


class Tabular:
    """A classifier on a finite space, given by its values, shape (k,)."""

    def __init__(self, values):
        self.values = np.asarray(values, dtype=np.float64)
        self.bound = float(np.abs(self.values).max())

    def __call__(self, x):
        return self.values[np.asarray(x)[:, 0].astype(np.int64)]
