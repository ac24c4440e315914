r"""Exact laws of small bootstraps: all data sets, all neighbours and all outputs, in rational numbers.

An output of m records is known by its type, the counts $N_1,\dots,N_{|\Sigma|}$ with sum m: outputs of one type have
one probability under any data set, so ratios and divergences on types are those on outputs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise

from mollified._validate import _echo, check_count, check_fraction

__all__ = ["Counts", "TypeLaw", "compositions", "hockey_stick", "largest_ratio", "neighbours", "type_law"]

#: Counts by symbol.
Counts = tuple[int, ...]
#: The probability of each type.
TypeLaw = dict[Counts, Fraction]


def _counts(name: str, value: object, *, total: int = 1) -> Counts:
    """Return two or more integers >= 0 with sum at least `total`."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise TypeError(f"{name} must be a sequence of counts, got {_echo(value)}")
    if len(value) < 2:
        raise ValueError(f"{name} must have at least 2 entries, got {_echo(value)}")
    for entry in value:
        if isinstance(entry, bool) or not isinstance(entry, int):
            raise TypeError(f"{name} must hold integers, got {_echo(value)}")
    if min(value) < 0 or sum(value) < total:
        raise ValueError(f"{name} must be counts >= 0 with sum at least {total}, got {_echo(value)}")
    return tuple(value)


def compositions(total: int, parts: int) -> Iterator[Counts]:
    """Return, one by one, all tuples of `parts` integers >= 0 with the given total, in lexicographic order.

    They are the counts of all data sets of `total` records over `parts` symbols. Raises TypeError or ValueError for
    total < 0 or parts < 1.

    >>> list(compositions(2, 2))
    [(0, 2), (1, 1), (2, 0)]
    """
    return _bars(check_count("total", total, minimum=0), check_count("parts", parts))


def _bars(n: int, size: int) -> Iterator[Counts]:
    for bars in combinations(range(n + size - 1), size - 1):
        ends = (-1, *bars, n + size - 1)
        yield tuple(b - a - 1 for a, b in pairwise(ends))


def neighbours(counts: Sequence[int]) -> list[Counts]:
    """Return the counts of all data sets that differ in one record: one record moves to another symbol.

    Raises TypeError or ValueError for what are no counts.

    >>> neighbours((0, 2))
    [(1, 1)]
    """
    table = _counts("counts", counts)
    found = []
    for i, count in enumerate(table):
        for j in range(len(table)):
            if i != j and count > 0:
                moved = list(table)
                moved[i] -= 1
                moved[j] += 1
                found.append(tuple(moved))
    return found


def type_law(weights: Sequence[int], m: int) -> TypeLaw:
    r"""Return the probability of every type of m draws with replacement, each symbol in proportion to its weight.

    $\frac{m!}{\prod N_i!}\prod(w_i/\sum w)^{N_i}$, types of probability zero included. Weights are counts, smoothed or
    not. Raises TypeError or ValueError for what are no counts, or m < 1.
    """
    table, m = _counts("weights", weights), check_count("m", m)
    law, whole = {}, sum(table) ** m
    for kind in _bars(m, len(table)):
        ways = math.factorial(m)
        for count, weight in zip(kind, table, strict=True):
            ways = ways // math.factorial(count) * weight**count
        law[kind] = Fraction(ways, whole)
    return law


def _laws(one: object, two: object) -> None:
    for name, law in (("one", one), ("two", two)):
        if not isinstance(law, Mapping) or not law:
            raise TypeError(f"{name} must be a law of types, got {_echo(law)}")
    assert isinstance(one, Mapping)
    if not isinstance(two, Mapping) or one.keys() != two.keys():
        raise ValueError(f"two must have the types of one, got {_echo(two)}")


def hockey_stick(one: TypeLaw, two: TypeLaw, exp_eps: Fraction) -> Fraction:
    r"""Return $\max_S(P(S)-e^\varepsilon P'(S))=\sum(P-e^\varepsilon P')_+$, the least delta of the pair, exactly.

    Raises TypeError or ValueError for laws on unlike types, or $e^\varepsilon<1$.
    """
    _laws(one, two)
    level = check_fraction("exp_eps", exp_eps, minimum=1)
    return sum((max(Fraction(0), p - level * two[kind]) for kind, p in one.items()), Fraction(0))


def largest_ratio(one: TypeLaw, two: TypeLaw) -> Fraction | None:
    """Return the largest P/P' over outputs possible under P; None where it is infinite.

    Raises TypeError or ValueError for laws on unlike types.
    """
    _laws(one, two)
    possible = [(p, two[kind]) for kind, p in one.items() if p > 0]
    if any(q == 0 for _, q in possible):
        return None
    return max(p / q for p, q in possible)
