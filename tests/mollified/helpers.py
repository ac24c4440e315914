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
    """Return the p-value of the chi-square test, with rare outcomes apart.

    Cells where fewer than 5 are expected are one cell. Where it has too few as well,
    the chi-square law is not near: it has the p-value of its binomial law, and the
    smaller of both counts, doubled.
    """
    counts = np.asarray(counts, float)
    probabilities = np.asarray(probabilities, float)
    total = counts.sum()
    big = total * probabilities >= 5
    rest = counts[~big].sum()
    mass = probabilities[~big].sum()
    rare = 1.0
    counts = counts[big]
    expected = total * probabilities[big]
    if total * mass >= 5:
        counts = np.append(counts, rest)
        expected = np.append(expected, total * mass)
    elif rest:
        rare = float(stats.binom.sf(rest - 1, total, mass))
    distance = ((counts - expected) ** 2 / expected).sum()
    common = float(stats.chi2.sf(distance, max(1, counts.size - 1)))
    return min(1.0, 2 * min(common, rare)) if rest and total * mass < 5 else common


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
