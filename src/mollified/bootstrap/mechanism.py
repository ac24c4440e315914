r"""The bootstrapping mechanism: k pseudo-records to every symbol, then m draws with replacement.

For counts $n_1,\dots,n_{|\Sigma|}$ with total n it draws $D^*\sim\operatorname{Multinomial}(m,h^{\tilde D})$,
$h^{\tilde D}_i=(n_i+k)/(n+k|\Sigma|)$. Source: bootstrapping paper, section 5.1; the corrected histogram is (3) there.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mollified._validate import Array, Counts, check_count, check_counts, check_rng

__all__ = ["corrected_histogram", "release", "releases", "smoothed_law"]


def smoothed_law(counts: Sequence[int] | Counts, k: int) -> tuple[Fraction, ...]:
    r"""Return $h^{\tilde D}=(n_i+k)/(n+k|\Sigma|)$ as rationals, the law of one released record.

    Raises TypeError or ValueError for what are no counts, or k < 1. Source: section 5.1, step 1.
    """
    table, k = check_counts("counts", counts), check_count("k", k)
    total = int(table.sum()) + k * table.size
    return tuple(Fraction(int(count) + k, total) for count in table)


def release(counts: Sequence[int] | Counts, k: int, m: int, rng: np.random.Generator) -> Counts:
    """Return the counts of m records that the mechanism releases, shape (|Sigma|,), total m.

    Idealised numerics: the multinomial is drawn in floats from a pseudo-random generator; the law is the
    mechanism's up to rounding, so use it for experiments; to publish, use `release_exact`. Raises
    TypeError or ValueError for what are no counts, for k < 1, m < 1, or an rng that is no Generator. Source: section
    5.1.
    """
    table, k, m = check_counts("counts", counts), check_count("k", k), check_count("m", m)
    return np.asarray(releases(table, k, m, 1, check_rng("rng", rng))[0])


def releases(counts: Sequence[int] | Counts, k: int, m: int, draws: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the counts of many independent releases of m records each, shape (draws, |Sigma|), as `release` does.

    Idealised numerics, as there.
    """
    smoothed = (np.asarray(counts) + k).astype(np.float64)
    return np.asarray(rng.multinomial(m, smoothed / smoothed.sum(), size=draws), dtype=np.int64)


def corrected_histogram(released: Sequence[int] | Counts, n: int, k: int) -> Array:
    r"""Return $\hat h^c_i=\frac{n+k|\Sigma|}nh^*_i-\frac kn$, the unbiased estimate of the private histogram.

    Entries sum to 1 and can be negative. Shape (|Sigma|,). Raises TypeError or ValueError for what are no counts, or
    n < 1, k < 1. Source: section 5.3, before (3).
    """
    table, n, k = check_counts("released", released), check_count("n", n), check_count("k", k)
    return np.asarray((n + k * table.size) / n * (table / table.sum()) - k / n)
