r"""The bootstrapping mechanism: m draws from the data with k records more a symbol.

For counts $n_1,\dots,n_{|\Sigma|}$ with total n it draws
$D^*\sim\operatorname{Multinomial}(m,h^{\tilde D})$,
$h^{\tilde D}_i=(n_i+k)/(n+k|\Sigma|)$. Source: bootstrapping paper, section 5.1; the
corrected histogram is (3) there.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mollified._validate import (
    MOST_RECORDS,
    Array,
    Counts,
    check_count,
    check_counts,
    check_rng,
    echo,
)

__all__ = [
    "bootstrap_mechanism",
    "check_smoothed",
    "corrected_histogram",
    "independent_releases",
    "smoothed_law",
]

#: So many records at most are drawn through floats. NumPy accepts a binomial count by
#: comparing logarithms that are as large as m ulps, so its law errs relatively by m
#: 2^-53: at most 2^-21.
MOST_FLOATS = 1 << 32


def check_smoothed(counts: object, k: object) -> tuple[Counts, int]:
    """Return counts and k >= 1 with at most 2^62 records in all.

    So no sum of them wraps.
    """
    table = check_counts("counts", counts)
    k = check_count("k", k)
    if sum(table.tolist()) + k * table.size > MOST_RECORDS:
        raise ValueError(
            "k must leave at most 2^62 records with the pseudo-records,"
            f" got {echo('k', k)}"
        )
    return table, k


def smoothed_law(counts: Sequence[int] | Counts, k: int) -> tuple[Fraction, ...]:
    r"""Return $h^{\tilde D}=(n_i+k)/(n+k|\Sigma|)$, the law of one released record.

    As rationals. Raises TypeError or ValueError for what are no counts, or k < 1.
    Source: section 5.1, step 1.
    """
    table = check_counts("counts", counts)
    k = check_count("k", k)
    total = int(table.sum()) + k * table.size
    return tuple(Fraction(int(count) + k, total) for count in table)


def bootstrap_mechanism(
    counts: Sequence[int] | Counts,
    k: int,
    m: int,
    rng: np.random.Generator,
) -> Counts:
    r"""Return the counts of m records that the mechanism releases.

    Shape (|Sigma|,), total m. Idealised numerics: the multinomial is drawn in floats
    from a pseudo-random generator, a count of each symbol at a time, and the law of a
    count errs relatively by about $m2^{-53}$; so use it for experiments; to publish,
    use `release_exact`. Raises TypeError or ValueError for what are no counts, for k <
    1, m outside [1, 2^32], more than 2^62 records with the pseudo-records, or an rng
    that is no Generator. Source: section 5.1.
    """
    return np.asarray(independent_releases(counts, k, m, 1, rng)[0])


def independent_releases(
    counts: Sequence[int] | Counts,
    k: int,
    m: int,
    draws: int,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Return the counts of many independent releases, shape (draws, |Sigma|).

    Each is of m records, as `bootstrap_mechanism` releases them: idealised numerics, as
    there, and the same errors raised, for draws < 1 too.
    """
    table, k = check_smoothed(counts, k)
    m = check_count("m", m)
    draws = check_count("draws", draws)
    rng = check_rng("rng", rng)
    if m > MOST_FLOATS:
        raise ValueError(
            "m must be at most 2^32 where floats draw: use release_exact;"
            f" got {echo('m', m)}"
        )
    smoothed = (table + k).astype(np.float64)
    return np.asarray(
        rng.multinomial(m, smoothed / smoothed.sum(), size=draws), dtype=np.int64
    )


def corrected_histogram(released: Sequence[int] | Counts, n: int, k: int) -> Array:
    r"""Return the unbiased estimate of the private histogram.

    $\hat h^c_i=\frac{n+k|\Sigma|}nh^*_i-\frac kn$. Entries sum to 1 and can be
    negative; each is the float nearest to its value. Shape (|Sigma|,). Raises TypeError
    or ValueError for what are no counts, n < 1, k < 1, or more than 2^62 records with
    the pseudo-records. Source: section 5.3, before (3).
    """
    table = check_counts("released", released)
    n = check_count("n", n)
    k = check_count("k", k)
    total = n + k * table.size
    m = sum(table.tolist())
    if total > MOST_RECORDS:
        raise ValueError(
            "n must leave at most 2^62 records with the pseudo-records,"
            f" got {echo('n', n)}"
        )
    return np.array([(total * count - k * m) / (n * m) for count in table.tolist()])
