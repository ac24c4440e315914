r"""The sensitivity of a query by its definition: the largest change over all neighbouring small data sets.

Data sets are histograms: counts of the k types of record. Exact: rationals only. Source: lecture, Definitions of the
global l1 and l2 sensitivity, under either neighbouring relation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Literal, get_args

from mollified._validate import _echo, check_callable, check_count

__all__ = ["Answer", "Relation", "histograms", "neighbours", "query_sensitivity", "sum_query"]

#: The answer to a query: K rationals.
Answer = tuple[Fraction, ...]
Relation = Literal["add-remove", "replace-one"]


def histograms(types: int, records: int) -> Iterator[tuple[int, ...]]:
    """Yield all histograms of `types` types with exactly that many records; ValueError or TypeError for bad counts."""
    types, records = check_count("types", types), check_count("records", records, minimum=0)
    if types == 1:
        yield (records,)
        return
    for first in range(records + 1):
        for rest in histograms(types - 1, records - first):
            yield (first, *rest)


def neighbours(counts: Sequence[int], relation: Relation) -> Iterator[tuple[int, ...]]:
    """Yield the data sets with one record more, or with one record replaced by one of another type.

    Either way each unordered pair is met from one of its ends, or from both. Raises ValueError for another relation.
    """
    if not isinstance(counts, list | tuple) or not counts:
        raise TypeError(f"counts must be a non-empty sequence of counts, got {_echo(counts)}")
    at = [check_count("counts", n, minimum=0) for n in counts]
    if relation not in get_args(Relation):
        raise ValueError(f"relation must be add-remove or replace-one, got {_echo(relation)}")
    for x in range(len(at)):
        more = [*at[:x], at[x] + 1, *at[x + 1 :]]
        if relation == "add-remove":
            yield tuple(more)
            continue
        for y in range(len(at)):
            if y != x and more[y] > 0:
                yield (*more[:y], more[y] - 1, *more[y + 1 :])


def query_sensitivity(
    query: Callable[[tuple[int, ...]], Answer],
    types: int,
    records: int,
    relation: Relation = "add-remove",
    *,
    fewest: int = 0,
) -> tuple[Fraction, Fraction]:
    r"""Return $(\Delta_1,\Delta_2^2)$ over all data sets of `fewest` to `records` records and their neighbours.

    Exact; for a sum over records it is the value over all data sets, else a lower bound of the supremum. Raises
    TypeError or ValueError for a query that is not callable, counts out of range, another relation.
    """
    check_callable("query", query)
    types, records = check_count("types", types), check_count("records", records)
    fewest = check_count("fewest", fewest, minimum=0)
    if relation not in get_args(Relation):
        raise ValueError(f"relation must be add-remove or replace-one, got {_echo(relation)}")
    if fewest > records:
        raise ValueError(f"fewest must be at most records, got {_echo(fewest)} for {records}")
    largest, squared = Fraction(0), Fraction(0)
    for size in range(fewest, records + 1):
        for counts in histograms(types, size):
            here = query(counts)
            for other in neighbours(counts, relation):
                moved = [abs(a - b) for a, b in zip(here, query(other), strict=True)]
                largest = max(largest, sum(moved, Fraction(0)))
                squared = max(squared, sum((d * d for d in moved), Fraction(0)))
    return largest, squared


def sum_query(rows: Sequence[Answer]) -> Callable[[tuple[int, ...]], Answer]:
    r"""Return the query $f(D)=\sum_{x\in D}q(x)$ for the answers q(x), one row a type of record.

    Raises TypeError or ValueError for rows that are not rationals, or of unlike lengths.
    """
    if not isinstance(rows, list | tuple) or not rows:
        raise TypeError(f"rows must be a non-empty sequence of rows, got {_echo(rows)}")
    if any(not isinstance(row, tuple | list) or not row or len(row) != len(rows[0]) for row in rows):
        raise ValueError(f"rows must be rows of one length, got {_echo(rows)}")
    if any(isinstance(q, bool) or not isinstance(q, int | Fraction) for row in rows for q in row):
        raise TypeError(f"rows must hold ints or fractions, got {_echo(rows)}")

    def answer(counts: tuple[int, ...]) -> Answer:
        return tuple(
            sum((n * Fraction(row[k]) for n, row in zip(counts, rows, strict=True)), Fraction(0))
            for k in range(len(rows[0]))
        )

    return answer
