r"""Write the texts of a check: the statement with its hypotheses, and each quantity and helper that it uses."""

from __future__ import annotations

import ast
import linecache
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from statements.arithmetic import simplest
from statements.render.cases import truth
from statements.render.facts import is_proof, proof
from statements.render.formulas import Formula
from statements.render.lines import Parts, display
from statements.render.loops import Term, Unset, entry, loop
from statements.render.loops import called as call_of
from statements.render.shapes import Shapes, shapes
from statements.render.sums import nothing
from statements.render.symbols import applied, symbol
from statements.rewrite import Unit, used


@dataclass(frozen=True)
class Written:
    """Hold how one text is shown: what it is named, its formula, "" where none says it, and its source."""

    name: str
    latex: str
    source: str


def typeset(problem: Any) -> list[Written]:
    """Return how a check is shown: hypotheses and statement first, then each quantity and helper that they use."""
    units = [*problem.hypotheses, problem.statement]
    parts = problem.used()
    seen = shapes(problem)
    names = _names([*units, *(unit for _, unit, _ in parts)])
    texts = [
        *(source(unit, "given") for unit in problem.hypotheses),
        source(problem.statement, "statement"),
    ]
    found = [Written("", _whole(units, seen, names), "\n".join(texts))]
    return found + _where(parts, seen, names)


def proved(unit: Unit) -> list[Written]:
    """Return how a proof is shown, and the helpers that it uses."""
    parts = used([unit])
    names = _names([unit, *(helper for _, helper, _ in parts)])
    return [
        Written("", formula(unit), source(unit, "proof")),
        *_where(parts, None, names),
    ]


def formula(unit: Unit) -> str:
    """Return a text about numbers, or a proof, as a formula; "" where no formula says all of it."""
    return _whole([unit], None, _names([unit]))


def value(text: str) -> str:
    """Return an exact value, as it stands in a line of words, as a formula; "" where no formula says it."""
    here: Any = value
    tree = ast.FunctionDef(
        "_text", ast.arguments([], [], None, [], [], None, []), [], [], None, None
    )
    try:
        return Formula(Unit(here, tree, "a value", ()), None, set()).little(
            ast.parse(text, mode="eval").body
        )
    except (SyntaxError, Unset):
        return ""


def name(text: str) -> str:
    """Return a name as a formula."""
    return symbol(text).tex()


def _names(units: Iterable[Unit]) -> set[str]:
    """Return what the arguments of texts are named."""
    return {name for unit in units for name in unit.parameters}


def _whole(units: Sequence[Unit], seen: Shapes | None, names: set[str]) -> str:
    """Return the formula of hypotheses and a statement."""
    try:
        *given, stated = (_statement(Formula(unit, seen, names)) for unit in units)
    except Unset:
        return ""
    before: Parts = [(r",\quad " if k else "", item) for k, item in enumerate(given)]
    return display(
        [("", before), (r"\quad\Longrightarrow\quad ", stated)] if given else stated
    )


def _statement(writer: Formula) -> Parts:
    """Return a statement, or all that a tuple states, or a proof with the ranges of its arguments."""
    lines, value = _body(writer)
    if is_proof(value):
        return [("", proof(writer, value)), *_ranges(writer.unit), *lines]
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    stated = [
        (r",\quad " if k else "", writer.made(part)[0]) for k, part in enumerate(parts)
    ]
    return [("", stated), *lines]


def _ranges(unit: Unit) -> list[tuple[str, Parts]]:
    """Return the ranges of the arguments of a proof."""
    texts = []
    for name, span in unit.ranges.items():
        low, high = (
            None if end is None else str(simplest(end)) for end in span or (None, None)
        )
        text = symbol(name).tex()
        if low or high:
            above = rf" \le {high}" if high else ""
            texts.append(
                rf"{low} \le {text}{above}"
                if low and high
                else rf"{text} \ge {low}"
                if low
                else text + above
            )
    return [(r"\qquad ", r"\text{for }" + r",\ ".join(texts))] if texts else []


def _where(
    parts: Iterable[tuple[str, Unit, bool]], seen: Shapes | None, names: set[str]
) -> list[Written]:
    """Return the quantities and then the helpers that texts use."""
    found = []
    for key, unit, helper in sorted(parts, key=lambda part: part[2]):
        try:
            latex = display(_definition(key, Formula(unit, seen, names), helper))
        except Unset:
            latex = ""
        found.append(Written(key, latex, source(unit, key)))
    return found


def _definition(key: str, writer: Formula, helper: bool) -> Parts:
    """Return what a name stands for; of a list that one loop makes its entries."""
    lines, value = _body(writer)
    head = symbol(key)
    term = Term(head, None)
    if helper and writer.unit.parameters:
        term = Term(
            applied(
                head.tex(),
                ", ".join(symbol(name).tex() for name in writer.unit.parameters),
            ),
            None,
        )
    return [("", _equation(writer, term, value)), *lines]


def _equation(writer: Formula, term: Term, value: ast.expr) -> Parts:
    """Return what a term stands for; of a list that one loop makes its entries."""
    shape = writer.shape(value)
    if shape and shape.levels and _made_by_loop(writer, value):
        with writer.scope():
            index = writer.letter(value)
            return [
                ("", term.at(index).tex()),
                (" = ", entry(writer, value, index)[0].tex()),
            ]
    return [
        ("", term.tex()),
        (r" \iff " if truth(value) else " = ", writer.made(value)[0]),
    ]


def _made_by_loop(writer: Formula, node: Any) -> bool:
    """Tell whether a vector is made by one loop with an index, or of a number by `0 * x +`."""
    match node:
        case ast.BinOp(left=left, right=right):
            listed = isinstance(right, ast.Tuple | ast.List)
            made = _made_by_loop(writer, left) or _made_by_loop(writer, right)
            return made or (nothing(left) and not listed)
        case ast.ListComp(generators=[ast.comprehension(ifs=[])]):
            with writer.scope():
                return r"\in" not in loop(writer, node.generators).below()
        case ast.Call(func=ast.Attribute(attr="array"), args=[inner]):
            return _made_by_loop(writer, inner)
    return False


def _body(writer: Formula) -> tuple[list[tuple[str, Parts]], ast.expr]:
    """Return the lines that set names, and what a text gives; raise Unset where it does anything else."""
    *first, last = _branches(writer.unit.tree.body)
    if not isinstance(last, ast.Return) or last.value is None:
        raise Unset("no value at the end")
    lines: list[tuple[str, Parts]] = []
    for name, value in (pair for node in first for pair in _set(node)):
        if name in writer.terms:
            raise Unset("a name that is set twice")
        if call_of(value)[0] == "range":
            writer.ranges[name] = value
            continue
        term = Term(symbol(name), writer.shape(value))
        lines.append(
            (
                r",\quad " if lines else r"\quad\text{where }",
                _equation(writer, term, value),
            )
        )
        writer.terms[name] = term
    return lines, last.value


def _set(node: ast.stmt) -> list[tuple[str, ast.expr]]:
    """Return the names that a line sets, and to what."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return [(name, value)]
        case ast.Assign(
            targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)
        ) if len(names) == len(values):
            pairs = zip(names, values, strict=True)
            named = [
                (name.id, value) for name, value in pairs if isinstance(name, ast.Name)
            ]
            if len(named) == len(names):
                return named
    raise Unset("more than names that are set")


def _branches(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return a body with `if ...: return ...` made one expression."""
    match body:
        case [
            ast.If(test=test, body=[ast.Return(value=ast.expr() as yes)], orelse=[]),
            *rest,
        ]:
            match _branches(rest):
                case [ast.Return(value=ast.expr() as no)]:
                    return [ast.Return(ast.IfExp(test, yes, no))]
    return [body[0], *_branches(body[1:])] if len(body) > 1 else body


@lru_cache(maxsize=64)
def _lambdas(lines: tuple[str, ...]) -> list[ast.Lambda]:
    return [
        node
        for node in ast.walk(ast.parse("".join(lines)))
        if isinstance(node, ast.Lambda)
    ]


def source(unit: Unit, called: str) -> str:
    """Return a text as it stands in its file: `called = lambda ...`, or the lines of a function."""
    code = unit.function.__code__
    lines = tuple(linecache.getlines(code.co_filename, unit.function.__globals__))
    first = unit.tree.body[0]
    last = unit.tree.body[-1]
    if unit.function.__name__ != "<lambda>":
        return textwrap.dedent(
            "".join(lines[code.co_firstlineno - 1 : last.end_lineno])
        ).rstrip()
    place = (first.lineno, first.col_offset)
    node = next(
        node
        for node in _lambdas(lines)
        if (node.body.lineno, node.body.col_offset) == place
    )
    text = ast.get_source_segment("".join(lines), node) or unit.text
    line = lines[node.lineno - 1]
    return f"{called} = " + text.replace(
        "\n" + line[: len(line) - len(line.lstrip())], "\n"
    )
