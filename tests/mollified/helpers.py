"""Tests of draws against a law, at a false alarm rate of ALPHA each; random bytes and
classifiers by their values.
"""

import numpy as np
from scipy import stats

#: A correct sampler fails each test with at most this probability; seeds are fixed
#: besides.
ALPHA = 1e-6


def ks(draws, cdf) -> float:
    """Return the p-value of the Kolmogorov-Smirnov test of draws (n,) against a
    distribution function.
    """
    return float(stats.kstest(draws, cdf).pvalue)


def chi_square(counts, probabilities) -> float:
    """Return the p-value of the chi-square test of counts; cells where fewer than 5 are
    expected are one cell.
    """
    counts, probabilities = np.asarray(counts, float), np.asarray(probabilities, float)
    expected = counts.sum() * probabilities
    big = expected >= 5
    counts, expected = (
        np.append(cells[big], cells[~big].sum()) for cells in (counts, expected)
    )
    kept = expected > 1e-3
    return float(
        stats.chi2.sf(
            ((counts - expected)[kept] ** 2 / expected[kept]).sum(),
            max(1, kept.sum() - 1),
        )
    )


def counted(drawn, outputs):
    """Return how often each output comes among the rows that were drawn."""
    place = {tuple(output): index for index, output in enumerate(outputs)}
    return np.bincount(
        [place[tuple(row)] for row in drawn.tolist()], minlength=len(outputs)
    )


class Words:
    """A source of random bytes: these words of 64 bits, in order. It notes how many
    bytes it was asked for.
    """

    def __init__(self, words):
        self.left = iter(words)
        self.asked = []

    def __call__(self, count):
        self.asked.append(count)
        return b"".join(
            int(next(self.left)).to_bytes(8, "little") for _ in range(count // 8)
        )


class Tabular:
    """A classifier on a finite space, given by its values, shape (k,)."""

    def __init__(self, values):
        self.values = np.asarray(values, dtype=np.float64)
        self.bound = float(np.abs(self.values).max())

    def __call__(self, x):
        return self.values[np.asarray(x)[:, 0].astype(np.int64)]
