r"""The bootstrapping mechanism: k pseudo-records to every symbol, then m draws with replacement.

For counts $n_1,\dots,n_{|\Sigma|}$ with total n it draws $D^*\sim\operatorname{Multinomial}(m,h^{\tilde D})$,
$h^{\tilde D}_i=(n_i+k)/(n+k|\Sigma|)$. Source: bootstrapping paper, section 5.1; the corrected histogram is (3) there.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mollified._validate import Array, _echo, check_count, check_rng

__all__ = [
    "check_counts",
    "corrected_histogram",
    "count_records",
    "release",
    "release_records",
    "releases",
    "smoothed_law",
]

Counts = NDArray[np.int64]


def check_counts(name: str, value: object) -> Counts:
    """Return the counts of a data set as integers >= 0, shape (|Sigma|,), at least two symbols and one record.

    Raises TypeError for counts that are no integers (floats of integer value too), ValueError for empty data.
    """
    array = np.asarray(value)
    if array.dtype == bool or not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"{name} must hold integers, got {_echo(value)}")
    if array.ndim != 1 or array.size < 2:
        raise ValueError(f"{name} must be one row of at least 2 counts, got shape {array.shape}: {_echo(value)}")
    if (array < 0).any():
        raise ValueError(f"{name} must be counts >= 0, got {_echo(value)}")
    if array.sum() == 0:
        raise ValueError(f"{name} must hold at least one record, got {_echo(value)}")
    return array.astype(np.int64)


def _check_domain(domain: object) -> list[object]:
    if isinstance(domain, str) or not isinstance(domain, Sequence):
        raise TypeError(f"domain must be a sequence of symbols, got {_echo(domain)}")
    symbols = list(domain)
    if len(symbols) < 2 or len(set(symbols)) != len(symbols):
        raise ValueError(f"domain must hold at least 2 symbols, all different, got {_echo(domain)}")
    return symbols


def count_records(records: Sequence[object], domain: Sequence[object]) -> Counts:
    """Return how often each symbol of the domain occurs, shape (|Sigma|,).

    Raises TypeError or ValueError for data without records, and for a record outside the domain, which it names.
    """
    symbols = _check_domain(domain)
    if isinstance(records, str) or not isinstance(records, Sequence | np.ndarray):
        raise TypeError(f"records must be a sequence, got {_echo(records)}")
    if len(records) == 0:
        raise ValueError(f"records must hold at least one record, got {_echo(records)}")
    place = {symbol: index for index, symbol in enumerate(symbols)}
    counts = np.zeros(len(symbols), dtype=np.int64)
    for record in records:
        if record not in place:
            raise ValueError(f"records must lie in the domain, got {_echo(record)}")
        counts[place[record]] += 1
    return counts


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
    mechanism's up to rounding, so use it for experiments; to publish, use `bootstrap_exact.release_exact`. Raises
    TypeError or ValueError for what are no counts, for k < 1, m < 1, or an rng that is no Generator. Source: section
    5.1.
    """
    return np.asarray(releases(counts, k, m, 1, rng)[0])


def releases(counts: Sequence[int] | Counts, k: int, m: int, draws: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the counts of many independent releases of m records each, shape (draws, |Sigma|), as `release` does.

    Idealised numerics, as there. Raises as `release`, and for draws < 1.
    """
    table, k, m = check_counts("counts", counts), check_count("k", k), check_count("m", m)
    draws, rng = check_count("draws", draws), check_rng("rng", rng)
    smoothed = (table + k).astype(np.float64)
    return np.asarray(rng.multinomial(m, smoothed / smoothed.sum(), size=draws), dtype=np.int64)


def release_records(
    records: Sequence[object], domain: Sequence[object], k: int, m: int, rng: np.random.Generator
) -> list[object]:
    """Return m released records, in random order: `release` on records instead of counts.

    Idealised numerics, as there. Raises as `count_records` and `release`.
    """
    symbols = _check_domain(domain)
    released = release(count_records(records, symbols), k, m, rng)
    order = rng.permutation(np.repeat(np.arange(len(symbols)), released))
    return [symbols[index] for index in order]


def corrected_histogram(released: Sequence[int] | Counts, n: int, k: int) -> Array:
    r"""Return $\hat h^c_i=\frac{n+k|\Sigma|}nh^*_i-\frac kn$, the unbiased estimate of the private histogram.

    Entries sum to 1 and can be negative. Shape (|Sigma|,). Raises TypeError or ValueError for what are no counts, or
    n < 1, k < 1. Source: section 5.3, before (3).
    """
    table, n, k = check_counts("released", released), check_count("n", n), check_count("k", k)
    return np.asarray((n + k * table.size) / n * (table / table.sum()) - k / n)
