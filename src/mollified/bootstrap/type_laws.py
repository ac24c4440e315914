r"""All counts of n records over some symbols.

An output of m records is known by its type, the counts $N_1,\dots,N_{|\Sigma|}$ with
sum m: outputs of one type have one probability under any data set, so ratios and
divergences on types are those on outputs.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

from mollified._validate import check_count

__all__ = ["Counts", "compositions"]

#: Counts by symbol.
Counts = tuple[int, ...]


def compositions(total: int, parts: int) -> Iterator[Counts]:
    """Return one by one all tuples of `parts` integers >= 0 with the given total.

    In lexicographic order. They are the counts of all data sets of `total` records over
    `parts` symbols. Raises TypeError or ValueError for total < 0 or parts < 1.

    >>> list(compositions(2, 2))
    [(0, 2), (1, 1), (2, 0)]
    """
    return _bars(check_count("total", total, minimum=0), check_count("parts", parts))


def _bars(n: int, size: int) -> Iterator[Counts]:
    for bars in combinations(range(n + size - 1), size - 1):
        ends = (-1, *bars, n + size - 1)
        yield tuple(b - a - 1 for a, b in pairwise(ends))
