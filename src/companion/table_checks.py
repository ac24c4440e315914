"""Check a sentence about runs, as it stands in a cell, on the fresh table of a figure and on the accepted one.

The sentence is a lambda on the rows of one group, a run; it is read, so that the
narrowest run can be shown with the two sides of its comparison. The same sentence for
other contenders, `swap`, or a near miss by hand is its control.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from types import CodeType, FunctionType
from typing import Any

import numpy as np
import pandas as pd

from companion.ledger.verdicts import Counts
from companion.paths import CompanionError
from companion.plain_text import plain_html
from companion.shown import Shown
from statements.rewrite import names, read, resolve

ORDERED: dict[type[ast.cmpop], tuple[Callable[[Any, Any], Any], str, int]] = {
    ast.Lt: (operator.lt, "<", 1),
    ast.LtE: (operator.le, "<=", 1),
    ast.Gt: (operator.gt, ">", -1),
    ast.GtE: (operator.ge, ">=", -1),
}

Rows = Mapping[str, Any]


def _conjuncts(node: ast.expr) -> list[ast.expr]:
    """Return the parts that all have to hold: of a tuple, and of `and`."""
    match node:
        case ast.Tuple(elts=parts) | ast.BoolOp(op=ast.And(), values=parts):
            return [item for part in parts for item in _conjuncts(part)]
    return [node]


def _code(node: ast.expr) -> CodeType:
    return compile(
        ast.fix_missing_locations(ast.Expression(node)), "<the sentence>", "eval"
    )


class Sentence:
    """Read a sentence: a lambda with one argument, the rows of a group, and one expression.

    Comparisons that have to hold keep both sides, and hold for each entry of a column;
    `a <= column <= b` is a chain.
    """

    def __init__(self, function: Any) -> None:
        unit = read(function, "the sentence")
        last = unit.tree.body[-1]
        if (
            len(unit.parameters) != 1
            or len(unit.tree.body) != 1
            or not isinstance(last, ast.Return)
            or not last.value
        ):
            raise CompanionError(
                "a sentence must be one expression of one argument, the rows of a run"
            )
        self.text = unit.text
        (self._argument,) = unit.parameters
        meant = {name: resolve(function, name) for name in names(last.value)}
        self._names = {
            name: value for name, value in meant.items() if value is not None
        }
        self._parts: list[tuple[list[type[ast.cmpop]], list[CodeType]]] = []
        for part in _conjuncts(last.value):
            match part:
                case ast.Compare(left=left, ops=ops, comparators=others) if all(
                    type(how) in ORDERED for how in ops
                ):
                    self._parts.append(
                        (
                            [type(how) for how in ops],
                            [_code(side) for side in (left, *others)],
                        )
                    )
                case _:
                    self._parts.append(([], [_code(part)]))

    def weigh(self, rows: pd.DataFrame, along: str | None) -> tuple[bool, float, str]:
        """Return whether it holds of a group, its smallest margin (inf if there is none), and the two sides there."""
        known = {**self._names, self._argument: rows}
        holds = True
        narrow = (np.inf, "")
        for ops, codes in self._parts:
            values = [FunctionType(code, known)() for code in codes]
            for how, a, b in zip(ops, values, values[1:], strict=False):
                compare, sign, direction = ORDERED[how]
                gap = direction * (b - a)
                flat = np.atleast_1d(np.asarray(gap, dtype=float))
                if not flat.size or np.isnan(flat).any():
                    raise CompanionError(
                        "a comparison has no numbers, or NaN, on a side"
                    )
                holds, at = holds and bool(np.all(compare(a, b))), int(flat.argmin())
                if flat[at] < narrow[0]:
                    left, right = (
                        np.broadcast_to(np.asarray(side, float), flat.shape)[at]
                        for side in (a, b)
                    )
                    place = (
                        f" at {along} {gap.index[at]:g}"
                        if along and isinstance(gap, pd.Series)
                        else ""
                    )
                    narrow = (float(flat[at]), f"{left:.4g} {sign} {right:.4g}{place}")
            if not ops:
                if not np.size(values[0]):
                    raise CompanionError("a part of it is empty")
                holds = holds and bool(np.all(values[0]))
        return holds, *narrow


def selected(table: pd.DataFrame, rows: Rows) -> pd.DataFrame:
    """Return the rows whose columns have a value, one of some values, or what a function of the column asks for.

    Raises CompanionError for a value that the table does not have, and where nothing is
    left.
    """
    kept = pd.Series(True, index=table.index)
    for column, wanted in rows.items():
        if callable(wanted):
            kept &= wanted(table[column])
            continue
        values = list(wanted) if isinstance(wanted, list | tuple | set) else [wanted]
        if missing := [value for value in values if not (table[column] == value).any()]:
            raise CompanionError(
                f"no row has {column} = {missing[0]!r}; there are {table[column].unique().tolist()!r}"
            )
        kept &= table[column].isin(values)
    if not kept.any():
        raise CompanionError(f"no row is left by {words(rows)}")
    return table[kept]


def weigh_groups(
    sentence: Sentence, table: pd.DataFrame, by: Sequence[str], along: str | None
) -> Counts:
    """Return how a sentence comes out on each group; the index of a group is `along`, rising."""
    cases: list[tuple[bool, float, dict[str, str]]] = []
    groups: Any = (
        table.groupby(list(by), sort=False, dropna=False) if by else [((), table)]
    )
    for key, rows in groups:
        case = dict(zip(by, map(str, key), strict=True))
        if along:
            rows = rows.set_index(along, drop=False).rename_axis(None).sort_index()
            if rows.index.has_duplicates:
                raise CompanionError(
                    f"{along} repeats in the group {case}: give more columns in by="
                )
        holds, margin, sides = sentence.weigh(rows, along)
        cases.append((holds, margin, {**case, **({"where": sides} if sides else {})}))
    _, _, case = min(cases, key=lambda item: item[:2])
    failed = sum(not holds for holds, *_ in cases)
    worst = min(margin for _, margin, _ in cases)
    return Counts(
        len(cases),
        failed,
        worst if worst < np.inf else 0.0,
        "float",
        case or {"rows": "all"},
    )


class Asked:
    """Hold a sentence and its control: the same rows with a near miss of it, or other contenders, `swap`."""

    def __init__(
        self,
        sentence: Any,
        control: Any,
        rows: Rows,
        swap: Rows | None,
        by: Sequence[str],
        along: str | None,
    ) -> None:
        if (swap is None) == (control is None):
            raise CompanionError(
                "give swap=, other contenders, or control=, a near miss of the sentence"
            )
        self._said = Sentence(sentence)
        self._near = Sentence(control or sentence)
        self._rows = rows
        self._swapped = {**rows, **(swap or {})}
        self._by = by
        self._along = along
        self.text, self.other = (
            self._said.text,
            self._near.text if swap is None else instead(rows, swap),
        )

    def of(self, table: pd.DataFrame) -> tuple[Counts, Counts]:
        """Return how the sentence, and its control, come out on the groups of a table; see `weigh_groups`."""
        return (
            weigh_groups(
                self._said, selected(table, self._rows), self._by, self._along
            ),
            weigh_groups(
                self._near, selected(table, self._swapped), self._by, self._along
            ),
        )


def words(rows: Rows) -> str:
    """Say which rows are meant."""
    told = []
    for column, wanted in rows.items():
        values = wanted if isinstance(wanted, list | tuple | set) else [wanted]
        told.append(
            read(wanted, "rows").text
            if callable(wanted)
            else f"{column} {', '.join(map(str, values))}"
        )
    return "; ".join(told)


def instead(rows: Rows, swap: Rows) -> str:
    """Say what stands in place of what for other contenders."""
    told = []
    for column in [name for name in swap if swap[name] is not rows.get(name)]:
        before = (
            f" in place of {words({column: rows[column]}).removeprefix(column + ' ')}"
            if column in rows
            else ""
        )
        told.append(words({column: swap[column]}) + before)
    return "; ".join(told)


def line(
    head: str, counts: Mapping[str, str], one: Counts, broken: Counts, other: str
) -> Shown:
    """Return what a reader sees of a sentence: in how many runs it is seen, the narrowest one, and the control."""
    told = "; ".join(f"{count} runs {kind}" for kind, count in counts.items())
    if len(set(counts.values())) == 1:
        told = f"{one.count} runs, {' and '.join(counts)}"
    sides = one.case.get("where", "")
    place = ", ".join(
        f"{key} {value}" for key, value in one.case.items() if key != "where"
    )
    which = "fails by most" if one.violations else "narrowest"
    narrow = f"{which}: `{sides}`{f' ({place})' if place else ''}; " if sides else ""
    body = f"{head}: seen in {told}; {narrow}with `{other}`: {broken.count}."
    return Shown(body + "\n", f"<p>{plain_html(body)}</p>", body.replace("`", ""))
