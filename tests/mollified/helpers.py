"""Tests of draws against a law, at a false alarm rate of ALPHA each; random bytes and
classifiers by their values.
"""

import numpy as np
from scipy import stats

from mollified.boxes.continuous_box import law_of_ratios

#: A correct sampler fails each test with at most this probability; seeds are fixed
#: besides.
ALPHA = 1e-6


def ks(draws, cdf) -> float:
    """Return the p-value of the Kolmogorov-Smirnov test of draws (n,) against a
    distribution function.
    """
    return float(stats.kstest(draws, cdf).pvalue)


def pearson(counts, expected) -> float:
    """Return the p-value of the chi-square test of cells where enough are expected."""
    distance = ((counts - expected) ** 2 / expected).sum()
    return float(stats.chi2.sf(distance, max(1, counts.size - 1)))


def chi_square(counts, probabilities) -> float:
    """Return the p-value of the chi-square test, with rare outcomes apart.

    Cells where fewer than 5 are expected are one cell. Where it has too few as well,
    the chi-square law is not near: it has the p-value of its binomial law, and the
    smaller of both counts, doubled.
    """
    counts = np.asarray(counts, float)
    probabilities = np.asarray(probabilities, float)
    total = counts.sum()
    expected = total * probabilities
    common = expected >= 5
    rest = counts[~common].sum()
    mass = probabilities[~common].sum()
    if total * mass >= 5:
        return pearson(
            np.append(counts[common], rest),
            np.append(expected[common], total * mass),
        )
    near = pearson(counts[common], expected[common])
    if not rest:
        return near
    rare = float(stats.binom.sf(rest - 1, total, mass))
    return min(1.0, 2 * min(near, rare))


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


class Watched:
    """A law on the line by its log density; it notes the points it was asked at."""

    def __init__(self, law):
        self.law = law
        self.asked = []

    def log_prob(self, x):
        self.asked.append(x)
        if hasattr(self.law, "log_prob"):
            return self.law.log_prob(x)
        return self.law.logpdf(x[:, 0])  # of SciPy


def words_on_pool(sampler, P, seed):
    """Return one pool, the ratios on it, and how many words lead to each point."""
    watched = Watched(P)
    sampler.draw(watched, rng=np.random.default_rng(seed))
    (pool,) = watched.asked
    ratios = watched.log_prob(pool) - sampler.reference.log_prob(pool)
    law, _ = law_of_ratios(ratios)
    return pool, law, sampler.pool_sampler.weights(law)


class Tabular:
    """A classifier on a finite space, given by its values, shape (k,)."""

    def __init__(self, values):
        self.values = np.asarray(values, dtype=np.float64)
        self.bound = float(np.abs(self.values).max())

    def __call__(self, x):
        return self.values[np.asarray(x)[:, 0].astype(np.int64)]
