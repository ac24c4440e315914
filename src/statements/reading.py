r"""Read the source of a lambda or a function, and write it anew so that it means the same in every arithmetic.

Comparisons keep both sides, `a <= b <= c` is a chain, `and`, `or`, `not`, `all`, `any` act on comparisons, and `1/3`
and `0.1` are exact. The functions of the same module that are called, helpers, are read in the same way.
"""

from __future__ import annotations

import ast
import builtins
import linecache
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from statements import functions, truth
from statements.arithmetic import MODE, Number

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

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of its arguments."""
        return tuple(item.arg for item in self.tree.args.args)

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


def _tree(function: FunctionType) -> ast.FunctionDef:
    code, line = function.__code__, function.__code__.co_firstlineno
    if code.co_flags & 0x0C or code.co_kwonlyargcount:
        raise SourceError(f"{code.co_name} must have plain arguments: no *, no keyword-only ones")
    if not (lines := tuple(linecache.getlines(code.co_filename, function.__globals__))):
        raise SourceError(f"the source of {function.__name__} in {code.co_filename} is not to be had")
    places: list[Any] = [place for place in code.co_positions() if None not in place and any(place[2:])]
    first, last = min((place[::2] for place in places), default=()), max((place[1::2] for place in places), default=())

    def here(node: ast.FunctionDef | ast.Lambda) -> bool:
        """Tell whether a text is the one of the function: by its name and line, or by what lies in it."""
        if isinstance(node, ast.FunctionDef):
            return node.name == code.co_name and line in (node.lineno, *(item.lineno for item in node.decorator_list))
        if not places:  # a constant: Python 3.12 gives it no place
            alone = compile(ast.Expression(node.body), "", "eval")
            return not alone.co_names and (node.lineno, alone.co_consts[-1:]) == (line, code.co_consts[-1:])
        start, end = (node.body.lineno, node.body.col_offset), (node.body.end_lineno, node.body.end_col_offset)
        return start <= first and last <= end

    if (node := next((node for node in reversed(_defined(lines)) if here(node)), None)) is None:  # the innermost
        raise SourceError(f"no text found for {function.__name__}, line {line} of {code.co_filename}")
    body: list[ast.stmt] = [ast.Return(node.body)] if isinstance(node, ast.Lambda) else node.body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and len(body) > 1:
        body = body[1:]  # a docstring
    args = ast.arguments([], [ast.arg(name) for name in code.co_varnames[: code.co_argcount]], None, [], [], None, [])
    made: ast.FunctionDef = copied(ast.FunctionDef("_text", args, body, [], None, None))
    return ast.fix_missing_locations(made)


def names(tree: ast.AST) -> set[str]:
    """Return the names that a text uses."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


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
        for name in sorted(names(unit.tree)):
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
    constants = {name for name in names(tree) if resolve(unit.function, name) is functions.pi}
    made: Any = _Rewriter(constants).visit(copied(tree))
    return ast.fix_missing_locations(made)


class Memory:
    """Keep what functions of a library gave for plain numbers, as near misses ask for the same again and again."""

    def __init__(self) -> None:
        self._kept: dict[Any, tuple[Any, set[str]]] = {}

    def of(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that looks first whether the value is known; what is noted meanwhile is kept as well."""

        def call(*arguments: Any, **named: Any) -> Any:
            kinds = tuple(map(type, arguments))
            if named or not PLAIN.issuperset(kinds) or not all(x.rational for x in arguments if type(x) is Number):
                return function(*arguments, **named)
            plain = tuple((x.value, x.tainted) if type(x) is Number else x for x in arguments)
            key = function, MODE.kind, MODE.bits, kinds, plain
            if key not in self._kept:
                before, assumed, MODE.notes = MODE.notes, len(MODE.assumed), set()
                try:
                    found = function(*arguments)
                finally:
                    notes, MODE.notes = MODE.notes, before | MODE.notes
                if isinstance(found, Iterator | dict) or len(MODE.assumed) != assumed:
                    return found
                if len(self._kept) >= MOST_KEPT:
                    self._kept.clear()
                self._kept[key] = found, notes
            found, notes = self._kept[key]
            MODE.notes |= notes
            return found.copy() if isinstance(found, np.ndarray | list) else found

        return call


class Program:
    """Hold the texts that belong to one check, and the functions `made` of them."""

    def __init__(self, units: Iterable[Unit]) -> None:
        self.units = list(dict.fromkeys(units))
        for unit in self.units:  # it grows
            self.units += [helper for helper in unit.helpers.values() if helper not in self.units]
        self._memory = Memory()
        self._compiled: dict[ast.FunctionDef, tuple[CodeType, dict[str, Any]]] = {}
        self.made: dict[Unit, Callable[..., Any]] = {}
        self.made = self.functions(None, None)

    def _parts(self, unit: Unit, tree: ast.FunctionDef) -> tuple[CodeType, dict[str, Any]]:
        """Return the code of a text, and what its names mean; each text is compiled once."""
        if tree in self._compiled:
            return self._compiled[tree]
        known = {name: value for name in names(tree) if (value := resolve(unit.function, name)) is not None}
        for name, value in known.items():
            if isinstance(value, FunctionType) and not value.__module__.startswith("statements."):
                known[name] = self._memory.of(value)
        ours = {name: value for name, value in BUILTINS.items() if known.get(name) is getattr(builtins, name)}
        whole = compile(ast.Module(body=[rewritten(unit, tree)], type_ignores=[]), f"<{unit.called}>", "exec")
        code = next(item for item in whole.co_consts if isinstance(item, CodeType))
        return self._compiled.setdefault(tree, (code, {**known, **TOOLS, **ours}))

    def functions(self, edited: Unit | None, tree: ast.FunctionDef | None) -> dict[Unit, Callable[..., Any]]:
        """Return a function for each unit; `edited` takes the text `tree` in place of its own."""
        anew, made = [unit for unit in self.units if edited is None or unit.uses(edited)], dict(self.made)
        for unit in anew:
            code, known = self._parts(unit, tree if unit is edited and tree is not None else unit.tree)
            made[unit] = FunctionType(code, {**known}, unit.called, unit.function.__defaults__)
        for unit in anew:
            made[unit].__globals__.update({name: made[helper] for name, helper in unit.helpers.items()})
        return made
