"""Check a sentence about runs, on the fresh table of a figure and the accepted one.

The sentence is a lambda on the rows of one group, a run; it is read, so that the
narrowest run can be shown with the two sides of its comparison. The same sentence for
other contenders, `swap`, or a near miss by hand is its control.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from types import CodeType, FunctionType
from typing import Any, cast

import numpy as np
import pandas as pd

from companion.ledger.evidence import Counts
from companion.paths import CompanionError
from companion.plain_text import plain_html
from companion.shown import Shown
from statements.rewrite import names, read, resolve
from statements.space import Text

#: A side of a comparison: a number, or a column of them.
Side = Any


@dataclass(frozen=True)
class Order:
    """Hold a comparison: what decides it, its sign, and the direction of its margin."""

    holds: Callable[[Side, Side], Side]
    sign: str
    direction: int


ORDERED: dict[type[ast.cmpop], Order] = {
    ast.Lt: Order(operator.lt, "<", 1),
    ast.LtE: Order(operator.le, "<=", 1),
    ast.Gt: Order(operator.gt, ">", -1),
    ast.GtE: Order(operator.ge, ">=", -1),
}

#: By column the value, some values, or a function of the column that asks for them.
Rows = Mapping[str, Any]


def _conjuncts(node: ast.expr) -> list[ast.expr]:
    """Return the parts that all have to hold: of a tuple, and of `and`."""
    match node:
        case ast.Tuple(elts=parts) | ast.BoolOp(op=ast.And(), values=parts):
            return list(chain.from_iterable(map(_conjuncts, parts)))
    return [node]


def _code(node: ast.expr) -> CodeType:
    expression = ast.fix_missing_locations(ast.Expression(node))
    return compile(expression, "<the sentence>", "eval")


#: One part of a sentence: in which orders it compares, and what it computes.
Part = tuple[Sequence[Order], Sequence[CodeType]]


def _part(node: ast.expr) -> Part:
    if isinstance(node, ast.Compare):
        kinds = [type(how) for how in node.ops]
        if all(kind in ORDERED for kind in kinds):
            sides = [_code(side) for side in (node.left, *node.comparators)]
            return [ORDERED[kind] for kind in kinds], sides
    return [], [_code(node)]


@dataclass(frozen=True)
class Margin:
    """Hold whether something holds, its smallest margin, and the two sides there.

    The margin is infinite where nothing is compared.
    """

    holds: bool
    value: float = np.inf
    sides: str = ""


def _compare(order: Order, a: Side, b: Side, along: str | None) -> Margin:
    """Return how one comparison comes out, on all entries of its sides."""
    gap = order.direction * (b - a)
    margins = np.atleast_1d(np.asarray(gap, dtype=float))
    if not margins.size or np.isnan(margins).any():
        raise CompanionError("a comparison has no numbers, or NaN, on a side")
    at = int(margins.argmin())
    left = np.broadcast_to(np.asarray(a, float), margins.shape)[at]
    right = np.broadcast_to(np.asarray(b, float), margins.shape)[at]
    place = ""
    if along and isinstance(gap, pd.Series):
        place = f" at {along} {gap.index[at]:g}"
    return Margin(
        bool(np.all(order.holds(a, b))),
        float(margins[at]),
        f"{left:.4g} {order.sign} {right:.4g}{place}",
    )


class Sentence:
    """Read a sentence: a lambda with one argument, the rows of a group.

    It is one expression. Comparisons that have to hold keep both sides, and hold for
    each entry of a column; `a <= column <= b` is a chain.
    """

    def __init__(self, function: Text | None) -> None:
        unit = read(function, "the sentence")
        match unit.tree.body:
            case [ast.Return(value=ast.expr() as value)] if len(unit.parameters) == 1:
                self._parts = [_part(node) for node in _conjuncts(value)]
            case _:
                raise CompanionError(
                    "a sentence must be one expression of one argument, the rows of a "
                    "run"
                )
        self.text = unit.text
        (self._argument,) = unit.parameters
        known = {
            name: resolve(cast(FunctionType, function), name) for name in names(value)
        }
        self._names = {
            name: meaning for name, meaning in known.items() if meaning is not None
        }

    def weigh(self, rows: pd.DataFrame, along: str | None) -> Margin:
        """Return how it comes out on a group."""
        known = {**self._names, self._argument: rows}
        holds = True
        narrow = Margin(True)
        for orders, sides in self._parts:
            values = [FunctionType(code, known)() for code in sides]
            if not orders:
                if not np.size(values[0]):
                    raise CompanionError("a part of it is empty")
                holds = holds and bool(np.all(values[0]))
                continue
            for order, (a, b) in zip(orders, pairwise(values), strict=True):
                margin = _compare(order, a, b, along)
                holds = holds and margin.holds
                if margin.value < narrow.value:
                    narrow = margin
        return replace(narrow, holds=holds)


def _wanted(wanted: object) -> list[object]:
    """Return the values that are asked for of a column: some, or one."""
    if isinstance(wanted, list | tuple | set):
        return list(wanted)
    return [wanted]


def selected(table: pd.DataFrame, rows: Rows) -> pd.DataFrame:
    """Return the rows that are asked for.

    Their columns have a value, one of some values, or what a function of the column
    asks for. Raises CompanionError for a value that the table does not have, and where
    nothing is left.
    """
    chosen = pd.Series(True, index=table.index)
    for column, wanted in rows.items():
        if callable(wanted):
            chosen &= wanted(table[column])
            continue
        values = _wanted(wanted)
        missing = [value for value in values if not (table[column] == value).any()]
        if missing:
            known = table[column].unique().tolist()
            raise CompanionError(
                f"no row has {column} = {missing[0]!r}; there are {known!r}"
            )
        chosen &= table[column].isin(values)
    if not chosen.any():
        raise CompanionError(f"no row is left by {words(rows)}")
    return table[chosen]


def look(
    sentence: Sentence,
    table: pd.DataFrame,
    by: Sequence[str],
    along: str | None,
) -> Counts:
    """Return how a sentence comes out on each group.

    The index of a group is `along`, rising.
    """
    cases: list[tuple[Margin, dict[str, str]]] = []
    groups: Iterable[tuple[Sequence[object], pd.DataFrame]] = [((), table)]
    if by:
        groups = table.groupby(list(by), sort=False, dropna=False)
    for key, group in groups:
        shared = dict(zip(by, map(str, key), strict=True))
        rows = group
        if along:
            rows = rows.set_index(along, drop=False).rename_axis(None).sort_index()
            if rows.index.has_duplicates:
                raise CompanionError(
                    f"{along} repeats in the group {shared}: give more columns in by="
                )
        margin = sentence.weigh(rows, along)
        if margin.sides:
            shared["where"] = margin.sides
        cases.append((margin, shared))
    _, case = min(cases, key=lambda item: (item[0].holds, item[0].value))
    worst = min(margin.value for margin, _ in cases)
    if math.isinf(worst):
        worst = 0.0
    return Counts(
        len(cases),
        sum(not margin.holds for margin, _ in cases),
        worst,
        "float",
        case or {"rows": "all"},
    )


class Question:
    """Hold a sentence and its control.

    That is the same rows with a near miss of it, or other contenders, `swap`.
    """

    def __init__(
        self,
        sentence: Text | None,
        control: Text | None,
        rows: Rows | None,
        swap: Rows | None,
        by: Sequence[str],
        along: str | None,
    ) -> None:
        if (swap is None) == (control is None):
            raise CompanionError(
                "give swap=, other contenders, or control=, a near miss of the sentence"
            )
        self._sentence = Sentence(sentence)
        self._near = Sentence(control or sentence)
        self._rows = rows or {}
        self._swapped = {**self._rows, **(swap or {})}
        self._by = by
        self._along = along
        self.meant = words(self._rows)
        self.text = self._sentence.text
        self.other = self._near.text
        if swap is not None:
            self.other = instead(self._rows, swap)

    def of(self, table: pd.DataFrame) -> tuple[Counts, Counts]:
        """Return how the sentence, and its control, come out on a table; see `look`."""
        rows = selected(table, self._rows)
        swapped = selected(table, self._swapped)
        return (
            look(self._sentence, rows, self._by, self._along),
            look(self._near, swapped, self._by, self._along),
        )


def words(rows: Rows) -> str:
    """Say which rows are meant."""
    parts = []
    for column, wanted in rows.items():
        if callable(wanted):
            parts.append(read(wanted, "rows").text)
        else:
            parts.append(f"{column} {', '.join(map(str, _wanted(wanted)))}")
    return "; ".join(parts)


def instead(rows: Rows, swap: Rows) -> str:
    """Say what stands in place of what for other contenders."""
    parts = []
    for column, wanted in swap.items():
        if wanted is rows.get(column):
            continue
        part = words({column: wanted})
        if column in rows:
            before = words({column: rows[column]}).removeprefix(f"{column} ")
            part += f" in place of {before}"
        parts.append(part)
    return "; ".join(parts)


def line(
    head: str,
    counts: Mapping[str, str],
    one: Counts,
    broken: Counts,
    other: str,
) -> Shown:
    """Return what a reader sees of a sentence.

    That is in how many runs it is seen, the narrowest one, and the control.
    """
    seen = "; ".join(f"{count} runs {kind}" for kind, count in counts.items())
    if len(set(counts.values())) == 1:
        seen = f"{one.count} runs, {' and '.join(counts)}"
    body = f"{head}: seen in {seen}; {_narrowest(one)}with `{other}`: {broken.count}."
    return Shown(f"{body}\n", f"<p>{plain_html(body)}</p>", body.replace("`", ""))


def _narrowest(one: Counts) -> str:
    """Say which comparison is the narrowest, and in which run; empty without one."""
    case = dict(one.case)
    sides = case.pop("where", "")
    if not sides:
        return ""
    which = "fails by most" if one.violations else "narrowest"
    run = ", ".join(f"{key} {value}" for key, value in case.items())
    return f"{which}: `{sides}`{f' ({run})' if run else ''}; "
