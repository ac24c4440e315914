r"""Read the source of a lambda or a function, and write it anew so that it means the same in every arithmetic.

Comparisons keep both sides, `a <= b <= c` is a chain, `and`, `or`, `not`, `all`, `any` act on comparisons, and `1/3`
and `0.1` are exact. The functions of the same module that are called, helpers, are read in the same way.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from statements import functions, truth
from statements.arithmetic import MODE, Number, noted

__all__ = ["Program", "SourceError", "Unit", "read"]

OPERATORS = {ast.LtE: "<=", ast.Lt: "<", ast.GtE: ">=", ast.Gt: ">", ast.Eq: "==", ast.NotEq: "!="}
#: What the rewritten text calls, by names that no statement uses.
TOOLS: dict[str, Any] = {
    "_chain": truth.chain, "_every": truth.every, "_some": truth.some, "_opposite": truth.opposite,
    "_choose": truth.choose, "_divide": functions.divide, "_power": functions.power, "_pi": functions.pi,
    "_literal": functions.literal,
}  # fmt: skip
#: Values that are kept for near misses, and what they may be kept for.
MOST_KEPT, PLAIN = 20_000, {int, float, bool, str, np.float64, Fraction, Number}
#: Builtins that mean something else for many instances at once.
BUILTINS = {"max": functions.largest, "min": functions.smallest, "all": truth.every, "any": truth.some}


class SourceError(ValueError):
    """Say that the text of a statement cannot be read."""


@dataclass(eq=False)
class Unit:
    """Hold one piece of text: a statement, a hypothesis, a quantity or a helper, and what `called` says it is."""

    function: FunctionType
    tree: ast.FunctionDef
    called: str
    helpers: dict[str, Unit] = field(default_factory=dict)

    def uses(self, other: Unit, seen: Collection[Unit] = ()) -> bool:
        """Tell whether a text is this one or one that it calls."""
        return self is other or any(h.uses(other, (*seen, self)) for h in self.helpers.values() if h not in seen)

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of its arguments."""
        code = self.function.__code__
        return code.co_varnames[: code.co_argcount]

    @property
    def text(self) -> str:
        """The expression of a lambda, or the lines of a function."""
        last = self.tree.body[-1]
        if len(self.tree.body) == 1 and isinstance(last, ast.Return) and last.value is not None:
            return ast.unparse(last.value)
        return ast.unparse(ast.Module(body=self.tree.body, type_ignores=[]))


@lru_cache(maxsize=64)
def _defined(lines: tuple[str, ...]) -> list[ast.FunctionDef | ast.Lambda]:
    return [item for item in ast.walk(ast.parse("".join(lines))) if isinstance(item, ast.FunctionDef | ast.Lambda)]


def _holds(node: ast.Lambda, code: CodeType) -> bool:
    """Tell whether a piece of code lies within the body of a lambda and has its arguments."""
    body, places = node.body, [place for place in code.co_positions() if None not in place and any(place[2:])]
    first, last = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
    inside = all(first <= (a, c) and (b, d) <= last for a, b, c, d in places)
    return bool(places) and inside and [item.arg for item in node.args.args] == list(_arguments(code))


def _tree(function: FunctionType) -> ast.FunctionDef:
    code = function.__code__
    lines = tuple(linecache.getlines(code.co_filename, function.__globals__))
    if not lines:
        raise SourceError(f"the source of {function.__name__} in {code.co_filename} is not to be had")
    candidates: list[Any] = []
    for node in _defined(lines):
        if isinstance(node, ast.Lambda):
            candidates += [node] if function.__name__ == "<lambda>" and _holds(node, code) else []
        elif node.name == function.__name__:
            starts = (node.lineno, *(item.lineno for item in node.decorator_list))
            candidates += [node] if code.co_firstlineno in starts else []
    if not candidates:
        raise SourceError(f"no text found for {function.__name__}, line {code.co_firstlineno} of {code.co_filename}")
    node = min(candidates, key=lambda item: len(ast.dump(item)))
    body = [ast.Return(node.body)] if isinstance(node, ast.Lambda) else node.body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and len(body) > 1:
        body = body[1:]  # a docstring
    arguments = ast.arguments([], [ast.arg(name) for name in _arguments(code)], None, [], [], None, [])
    made: ast.FunctionDef = copied(ast.FunctionDef("_text", arguments, body, [], None, None))
    return ast.fix_missing_locations(made)


def _arguments(code: CodeType) -> tuple[str, ...]:
    if code.co_flags & 0x0C or code.co_kwonlyargcount:
        raise SourceError(f"{code.co_name} must have plain arguments: no *, no keyword-only ones")
    return code.co_varnames[: code.co_argcount]


def resolve(function: FunctionType, name: str) -> Any:
    """Return what a name means inside a function, or None where it means nothing yet."""
    for free, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if free == name:
            return cell.cell_contents
    return function.__globals__.get(name, getattr(builtins, name, None))


def read(function: Any, called: str, known: dict[Any, Unit] | None = None) -> Unit:
    """Return the unit of a lambda or function, with the helpers of its own module or of one that imports `Space`.

    Raises TypeError where it is no Python function and SourceError where its text cannot be read.
    """
    if not isinstance(function, FunctionType):
        raise TypeError(f"{called} must be a lambda or a function, got {function!r}")
    known = {} if known is None else known
    if function not in known:
        unit = known[function] = Unit(function, _tree(function), called)
        for name in sorted({node.id for node in ast.walk(unit.tree) if isinstance(node, ast.Name)}):
            value = resolve(function, name)
            helper = isinstance(value, FunctionType) and not value.__module__.startswith("statements.")
            written = helper and (value.__module__ == function.__module__ or "Space" in value.__globals__)
            if written and name not in unit.parameters:
                unit.helpers[name] = read(value, name, known)
    return known[function]


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _later(value: ast.expr) -> ast.expr:
    return ast.Lambda(ast.arguments([], [], None, [], [], None, []), value)


class _Rewriter(ast.NodeTransformer):
    """Write comparisons, quotients, powers and decimals as calls of TOOLS."""

    def __init__(self, constants: Collection[str]) -> None:
        self.constants = constants

    def visit(self, node: ast.AST) -> ast.AST:
        shares = getattr(node, "shares", {})
        self.generic_visit(node)
        match node:
            case ast.Compare(left=left, ops=ops, comparators=sides) if all(type(how) in OPERATORS for how in ops):
                links = [(OPERATORS[type(how)], shares.get(at, 0.0)) for at, how in enumerate(ops)]
                pairs: list[ast.expr] = [ast.Tuple([*map(ast.Constant, link)], ast.Load()) for link in links]
                return _call("_chain", ast.List(pairs, ast.Load()), *map(_later, [left, *sides]))
            case ast.BoolOp(op=how, values=values):
                name = "_every" if isinstance(how, ast.And) else "_some"
                return _call(name, ast.List([*map(_later, values)], ast.Load()))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return _call("_opposite", operand)
            case ast.BinOp(left=left, op=ast.Div() | ast.Pow() as sign, right=right):
                return _call("_divide" if isinstance(sign, ast.Div) else "_power", left, right)
            case ast.IfExp(test=test, body=yes, orelse=no):
                return _call("_choose", test, _later(yes), _later(no))
            case ast.Constant(value=float() as value):
                return _call("_literal", ast.Constant(repr(value)))
            case ast.Name(id=name, ctx=ast.Load()) if name in self.constants:
                return _call("_pi")
        return node


def copied(node: Any, old: ast.AST | None = None, new: ast.AST | None = None) -> Any:
    """Return a copy of a tree, with one node replaced."""
    if isinstance(node, list):
        return [copied(item, old, new) for item in node]
    if not isinstance(node, ast.AST):
        return node
    if node is old:
        return copied(new)
    made = type(node).__new__(type(node))
    vars(made).update({name: copied(part, old, new) for name, part in vars(node).items()})
    return made


def rewritten(unit: Unit, tree: ast.FunctionDef) -> Any:
    """Return a text of a unit as it is run: comparisons, quotients, powers and decimals as calls of TOOLS."""
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    constants = {name for name in names if resolve(unit.function, name) is functions.pi}
    made: Any = _Rewriter(constants).visit(copied(tree))
    return ast.fix_missing_locations(made)


class Memory:
    """Keep what functions of a library gave for plain numbers, as near misses ask for the same again and again."""

    def __init__(self) -> None:
        self._kept: dict[Any, tuple[Any, tuple[bool, ...]]] = {}

    def of(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that looks first whether the value is known; what is noted meanwhile is kept as well."""

        def call(*arguments: Any, **named: Any) -> Any:
            kinds = tuple(map(type, arguments))
            if named or not PLAIN.issuperset(kinds) or not all(x.rational for x in arguments if type(x) is Number):
                return function(*arguments, **named)
            plain = tuple((x.value, x.tainted) if type(x) is Number else x for x in arguments)
            key = function, MODE.kind, MODE.bits, kinds, plain
            found, notes = self._kept.get(key, (None, ()))
            if not notes:
                assumed = len(MODE.assumed)
                with noted() as taken:
                    found = function(*arguments)
                notes = tuple(taken)
                if isinstance(found, Iterator | dict) or len(MODE.assumed) != assumed:
                    return found
                if len(self._kept) >= MOST_KEPT:
                    self._kept.clear()
                self._kept[key] = found, notes
            MODE.tainted, MODE.balls, MODE.equal = map(operator.or_, (MODE.tainted, MODE.balls, MODE.equal), notes)
            return found.copy() if isinstance(found, np.ndarray | list) else found

        return call


class Program:
    """Hold the texts that belong to one check, and make functions of them, with one text edited or not."""

    def __init__(self, units: Iterable[Unit]) -> None:
        self.units = list(dict.fromkeys(units))
        for unit in self.units:  # it grows
            self.units += [helper for helper in unit.helpers.values() if helper not in self.units]
        self._memory = Memory()
        self._made: dict[Unit, Callable[..., Any]] = {}
        self._made = self._functions(self.units, {})

    def _names(self, unit: Unit, tree: ast.FunctionDef) -> dict[str, Any]:
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        known = {name: value for name in names if (value := resolve(unit.function, name)) is not None}
        for name, value in known.items():
            if isinstance(value, FunctionType) and not value.__module__.startswith("statements."):
                known[name] = self._memory.of(value)
        ours = {name: value for name, value in BUILTINS.items() if known.get(name) is getattr(builtins, name)}
        return {**known, **TOOLS, **ours}

    @staticmethod
    def _compile(unit: Unit, tree: ast.FunctionDef) -> CodeType:
        whole = compile(ast.Module(body=[rewritten(unit, tree)], type_ignores=[]), f"<{unit.called}>", "exec")
        return next(item for item in whole.co_consts if isinstance(item, CodeType))

    def functions(
        self, edited: Unit | None = None, tree: ast.FunctionDef | None = None
    ) -> dict[Unit, Callable[..., Any]]:
        """Return a function for each unit; `edited` takes the text `tree` in place of its own."""
        if edited is None or tree is None:
            return self._made
        return {**self._made, **self._functions([unit for unit in self.units if unit.uses(edited)], {edited: tree})}

    def _functions(self, units: Iterable[Unit], edited: Mapping[Unit, ast.FunctionDef]) -> dict[Unit, Any]:
        """Make functions of some units anew, of texts that may be edited."""
        plain: dict[Unit, Any] = {}
        for unit in units:
            tree = edited.get(unit, unit.tree)
            plain[unit] = FunctionType(
                self._compile(unit, tree), self._names(unit, tree), unit.called, unit.function.__defaults__
            )
        made = {**self._made, **plain}
        for unit, function in plain.items():
            function.__globals__.update({name: made[helper] for name, helper in unit.helpers.items()})
        return plain
