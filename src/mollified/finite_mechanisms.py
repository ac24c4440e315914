r"""Finite mechanisms: a law of rationals for every small data set, under the two relations of neighbours.

A data set is a histogram, its counts by value; a table gives the law of the output for each. Exact throughout.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Literal

import numpy as np

from mollified._validate import (
    _echo,
    check_callable,
    check_count,
    check_each,
    check_fraction,
    check_interval,
    check_rng,
)
from mollified.exact_level import Law, exact_probabilities
from mollified.instances import random_law, random_sparse_law
from mollified.type_laws import Counts

__all__ = [
    "Relation",
    "Table",
    "data_sets",
    "excess",
    "largest_excess",
    "make_table",
    "neighbour_pairs",
    "pure_ratio",
    "random_table",
    "sharp_replacement",
    "thinned_law",
    "thinned_records",
    "truncated_geometric",
]

#: Which data sets are neighbours: one record more or less; one record replaced; all pairs.
Relation = Literal["add-remove", "replace", "all"]
#: The law of the output for every data set.
Table = dict[Counts, Law]

_STEPS = {"add-remove": {1}, "replace": {2}}


def data_sets(most: int, values: int) -> list[Counts]:
    """Return all histograms of at most `most` records over `values` values, the empty one first.

    Raises TypeError or ValueError for most < 0 or values < 1.

    >>> data_sets(1, 2)
    [(0, 0), (0, 1), (1, 0)]
    """
    most, values = check_count("most", most, minimum=0), check_count("values", values)
    return [counts for counts in product(range(most + 1), repeat=values) if sum(counts) <= most]


def _relation(relation: object) -> str:
    if not isinstance(relation, str) or relation not in ("add-remove", "replace", "all"):
        raise ValueError(f"relation must be add-remove, replace or all, got {relation!r}")
    return relation


def neighbour_pairs(data: Sequence[Counts], relation: Relation = "add-remove") -> list[tuple[Counts, Counts]]:
    r"""Return the ordered pairs of unequal data sets that are neighbours.

    "add-remove": $\|D-D'\|_1=1$; "replace": equal sizes and $\|D-D'\|_1=2$; "all": every pair. Source: lecture,
    definition (1) and the note after it. Raises TypeError or ValueError for another relation, or what is no list.
    """
    kind = _relation(relation)
    if not isinstance(data, list | tuple) or not data:
        raise TypeError(f"data must be a non-empty list of histograms, got {_echo(data)}")
    found = []
    for one, two in product(data, repeat=2):
        if one == two:
            continue
        apart = sum(abs(a - b) for a, b in zip(one, two, strict=True))
        if kind == "all" or (apart in _STEPS[kind] and (kind == "add-remove" or sum(one) == sum(two))):
            found.append((one, two))
    return found


def excess(one: Law, two: Law, exp_eps: Fraction) -> Fraction:
    r"""Return $\max_S(P(S)-e^\varepsilon P'(S))=\sum_o(P(o)-e^\varepsilon P'(o))_+$, exactly.

    Raises TypeError or ValueError for what are no laws of one size, or $e^\varepsilon<1$.
    """
    first = exact_probabilities("one", one)
    second = exact_probabilities("two", two, size=len(first))
    level = check_fraction("exp_eps", exp_eps, minimum=1)
    return sum((max(Fraction(0), p - level * q) for p, q in zip(first, second, strict=True)), Fraction(0))


def _table(value: object) -> Table:
    if not isinstance(value, Mapping) or not value:
        raise TypeError(f"table must map data sets to laws, got {_echo(value)}")
    return dict(value)


def largest_excess(table: Table, exp_eps: Fraction, relation: Relation = "add-remove") -> Fraction:
    r"""Return the least delta at which the mechanism is $(\varepsilon,\delta)$-DP, exactly; 0 without neighbours.

    Raises TypeError or ValueError as `excess` and `neighbour_pairs` do.
    """
    laws = _table(table)
    level = check_fraction("exp_eps", exp_eps, minimum=1)
    return max(
        (excess(laws[one], laws[two], level) for one, two in neighbour_pairs(list(laws), relation)),
        default=Fraction(0),
    )


def pure_ratio(table: Table, relation: Relation = "add-remove") -> Fraction | None:
    r"""Return the least $e^\varepsilon$ at which the mechanism is $(\varepsilon,0)$-DP; None where there is none.

    The largest ratio of two probabilities of one output on neighbours, 1 without neighbours. Raises TypeError or
    ValueError as `neighbour_pairs` does.
    """
    laws = _table(table)
    largest = Fraction(1)
    for one, two in neighbour_pairs(list(laws), relation):
        for p, q in zip(laws[one], laws[two], strict=True):
            if q == 0 < p:
                return None
            if p > 0:
                largest = max(largest, p / q)
    return largest


def make_table(data: Sequence[Counts], law: Callable[[Counts], Sequence[Fraction]]) -> Table:
    """Return the table of a mechanism that is given as a function from histograms to laws.

    Raises TypeError or ValueError where a value is no law of rationals.
    """
    check_callable("law", law)
    if not isinstance(data, list | tuple) or not data:
        raise TypeError(f"data must be a non-empty list of histograms, got {_echo(data)}")
    return {counts: exact_probabilities("law", tuple(law(counts))) for counts in data}


def random_table(rng: np.random.Generator, data: Sequence[Counts], outputs: int, *, zeros: float = 0.0) -> Table:
    r"""Return a random mechanism: each law is a mixture of a common one with one of its own, in random shares.

    With probability `zeros` the common part is left out and the own laws have zeros, so that losses can be infinite.
    Raises TypeError or ValueError for bad arguments.
    """
    rng, outputs = check_rng("rng", rng), check_count("outputs", outputs, minimum=2)
    zeros = check_interval("zeros", zeros, 0, 1)
    if not isinstance(data, list | tuple) or not data:
        raise TypeError(f"data must be a non-empty list of histograms, got {_echo(data)}")
    sparse = bool(rng.random() < zeros)
    share = Fraction(0) if sparse else Fraction(int(rng.integers(0, 8)), 8)
    base = random_law(rng, outputs, spread=4)
    table: Table = {}
    for counts in data:
        own = random_sparse_law(rng, outputs) if sparse else random_law(rng, outputs, spread=4)
        table[counts] = tuple(share * a + (1 - share) * b for a, b in zip(base, own, strict=True))
    return table


def truncated_geometric(values: Sequence[int], low: int, high: int, exp_eps: Fraction) -> dict[int, Law]:
    r"""Return the truncated geometric mechanism on low..high for each true value, exactly.

    $P(o)=\frac{1-\alpha}{1+\alpha}\alpha^{|o-v|}$ inside, $\frac{\alpha^{|o-v|}}{1+\alpha}$ at both ends, with
    $\alpha=e^{-\varepsilon}$: neighbouring values have ratios of exactly $e^{\pm\varepsilon}$ at the ends. Raises
    TypeError or ValueError for values outside low..high, low >= high, or $e^\varepsilon\le1$.
    """
    for name, value in (("low", low), ("high", high)):
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{name} must be an integer, got {_echo(value)}")
    if low >= high:
        raise ValueError(f"low must be below high, got {low!r} >= {high!r}")
    level = check_fraction("exp_eps", exp_eps, above=1)
    true = check_each(
        "values",
        list(values) if isinstance(values, range) else values,
        lambda name, v: check_count(name, v, minimum=low),
    )
    if max(true) > high:
        raise ValueError(f"values must be at most high = {high}, got {_echo(values)}")
    alpha = 1 / level
    laws: dict[int, Law] = {}
    for value in true:
        inside = (1 - alpha) / (1 + alpha)
        laws[value] = tuple(
            (1 / (1 + alpha) if output in (low, high) else inside) * alpha ** abs(output - value)
            for output in range(low, high + 1)
        )
    return laws


def sharp_replacement(exp_eps: Fraction, delta: Fraction) -> Table:
    r"""Return an $(\varepsilon,\delta)$-DP mechanism, $(2\varepsilon,(1+e^\varepsilon)\delta)$ for replaced records.

    Two values, at most two records; the answer "yes" has probability q, $e^\varepsilon q+\delta$,
    $e^\varepsilon(e^\varepsilon q+\delta)+\delta$ where the second value has the majority, there is a tie, or the first
    has it; no smaller levels serve where q > 0. q makes the last one half. Raises TypeError or ValueError
    for $e^\varepsilon<1$ or a delta below 0 or so large that q would be negative.
    """
    level = check_fraction("exp_eps", exp_eps, minimum=1)
    small = check_fraction("delta", delta, minimum=0)
    q = (Fraction(1, 2) - (1 + level) * small) / level**2
    if q < 0:
        raise ValueError(f"delta must be at most 1/(2(1 + exp_eps)), got {delta!r}")
    yes = {-1: q, 0: level * q + small, 1: Fraction(1, 2)}

    def law(counts: Counts) -> tuple[Fraction, Fraction]:
        share = yes[(counts[0] > counts[1]) - (counts[0] < counts[1])]
        return share, 1 - share

    return make_table(data_sets(2, 2), law)


def thinned_law(counts: Counts, rate: Fraction, outputs: Sequence[Counts]) -> Law:
    """Return the law, over the histograms `outputs`, of the records that are kept, each with probability `rate`.

    Raises TypeError or ValueError for what are no counts, a rate outside [0, 1] or outputs that miss a possible one.
    """
    if not isinstance(counts, list | tuple) or not counts:
        raise TypeError(f"counts must be a histogram, got {_echo(counts)}")
    for count in counts:
        check_count("counts", count, minimum=0)
    rate = check_fraction("rate", rate, minimum=0, maximum=1)
    if not isinstance(outputs, list | tuple) or not outputs:
        raise TypeError(f"outputs must be a non-empty list of histograms, got {_echo(outputs)}")
    law = dict.fromkeys(outputs, Fraction(0))
    for kept in product((0, 1), repeat=sum(counts)):
        share, left = Fraction(1), [0] * len(counts)
        values = [value for value, count in enumerate(counts) for _ in range(count)]
        for value, keep in zip(values, kept, strict=True):
            share *= rate if keep else 1 - rate
            left[value] += keep
        if tuple(left) not in law:
            raise ValueError(f"outputs must hold every possible one, got {_echo(outputs)}")
        law[tuple(left)] += share
    return tuple(law.values())


def thinned_records(most: int, delta: Fraction, *, together: bool = False) -> Table:
    r"""Return the mechanism that publishes each record with probability delta; all or none of them where `together`.

    Data sets of at most `most` records over two values; outputs are data sets. Raises TypeError or ValueError for
    most < 1 or delta outside [0, 1].
    """
    most, rate = check_count("most", most), check_fraction("delta", delta, minimum=0, maximum=1)
    space = data_sets(most, 2)

    def law(counts: Counts) -> Law:
        if not together:
            return thinned_law(counts, rate, space)
        return tuple(rate * int(out == counts) + (1 - rate) * int(sum(out) == 0) for out in space)

    return make_table(space, law)
