r"""Read the source of a lambda or a function, and write it anew so that it means the same in every arithmetic.

Comparisons keep both sides, `and`, `or`, `not`, `all`, `any` act on comparisons, and
`1/3` and `0.1` are exact. The functions of the same module that are called, helpers,
are read in the same way.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import count
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from statements import arithmetic
from statements import comparison as truth

OPERATORS = {
    ast.LtE: "<=",
    ast.Lt: "<",
    ast.GtE: ">=",
    ast.Gt: ">",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
#: What the rewritten text calls, by names that no statement uses.
TOOLS: dict[str, Any] = {
    "__builtins__": builtins,
    "_relate": truth.relate,
    "_chain": truth.chain,
    "_every": truth.every,
    "_some": truth.some,
    "_opposite": truth.opposite,
    "_choose": truth.choose,
    "_divide": arithmetic.divide,
    "_power": arithmetic.power,
    "_pi": arithmetic.pi,
    "_moved": lambda value, share: value + share * abs(value),
}
#: Builtins that mean something else for many instances at once.
BUILTINS = {
    "max": arithmetic.largest,
    "min": arithmetic.smallest,
    "all": truth.every,
    "any": truth.some,
}
#: Functions of `math` that have an exact meaning here.
MATH = (
    "log",
    "log1p",
    "exp",
    "expm1",
    "sqrt",
    "cosh",
    "sinh",
    "tanh",
    "erfc",
    "sin",
    "cos",
    "floor",
    "ceil",
)
#: How the texts that are run name these functions.
ALIAS = "_math_"
TOOLS.update({f"{ALIAS}{name}": getattr(arithmetic, name) for name in MATH})
#: Digits that a float written by hand may have: more come from a computation.
DIGITS = 15


class SourceError(ValueError):
    """Say that the text of a statement cannot be read."""


@dataclass(eq=False)
class Unit:
    """Hold one piece of text, what `called` says it is, and what it uses: helpers, and quantities, its parameters.

    `written` keeps its nodes as they are run, and the first and last number of the
    nodes below each.
    """

    function: FunctionType
    tree: ast.FunctionDef
    called: str
    parameters: tuple[str, ...]
    uses: dict[str, Unit] = field(default_factory=dict)
    written: dict[ast.AST, tuple[Any, int, int]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The expression of a lambda, or the lines of a function."""
        return ast.unparse(ast.Module(self.tree.body, [])).removeprefix("return ")

    @property
    def ranges(self) -> dict[str, Any]:
        """The range of each argument, its default; None where it has none."""
        spans = self.function.__defaults__ or ()
        return dict.fromkeys(self.parameters) | dict(
            zip(self.parameters[::-1], spans[::-1], strict=False)
        )

    @cached_property
    def own(self) -> set[str]:
        """The names that the text itself gives a meaning."""
        nodes = list(ast.walk(self.tree))
        stored = {
            node.id
            for node in nodes
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        return stored | {node.arg for node in nodes if isinstance(node, ast.arg)}


def used(units: Iterable[Unit]) -> list[tuple[str, Unit, bool]]:
    """Return the helpers and quantities that texts use: name, text, whether a helper."""
    found: dict[tuple[str, Unit, bool], None] = {}

    def follow(unit: Unit) -> None:
        for name, part in unit.uses.items():
            if (key := (name, part, name not in unit.parameters)) not in found:
                found[key] = None
                follow(part)

    for unit in units:
        follow(unit)
    return list(found)


@lru_cache(maxsize=64)
def _bodies(lines: tuple[str, ...]) -> list[list[ast.stmt]]:
    """Return the bodies of the functions and lambdas of a file, the innermost first."""
    parts = ast.walk(ast.parse("".join(lines)))
    found = [
        part.body for part in parts if isinstance(part, ast.FunctionDef | ast.Lambda)
    ]
    return [
        body if isinstance(body, list) else [ast.copy_location(ast.Return(body), body)]
        for body in found[::-1]
    ]


def _tree(function: FunctionType) -> ast.FunctionDef:
    code = function.__code__
    line = function.__code__.co_firstlineno
    if code.co_flags & 0x0C or code.co_kwonlyargcount:
        raise SourceError(
            f"{code.co_name} must have plain arguments: no *, no keyword-only ones"
        )
    if not (lines := tuple(linecache.getlines(code.co_filename, function.__globals__))):
        raise SourceError(
            f"the source of {function.__name__} in {code.co_filename} is not to be had"
        )
    places: list[Any] = [
        place for place in code.co_positions() if None not in place and any(place[2:])
    ]

    def here(body: list[Any]) -> Any:
        """Tell whether a body is the one of the function, by what lies in it."""
        first = body[0]
        last = body[-1]
        if not places:  # a constant: Python 3.12 gives a lambda of it no place
            value: Any = getattr(first, "value", None)
            alone = value and compile(ast.Expression(value), "", "eval")
            return alone and (alone.co_names, alone.co_consts[-1:], first.lineno) == (
                (),
                code.co_consts[-1:],
                line,
            )
        start = (first.lineno, first.col_offset)
        end = (last.end_lineno, last.end_col_offset)
        return (
            start <= min(place[::2] for place in places)
            and max(place[1::2] for place in places) <= end
        )

    if (body := next(filter(here, _bodies(lines)), None)) is None:
        raise SourceError(
            f"no text found for {function.__name__}, line {line} of {code.co_filename}"
        )
    args = ast.arguments(
        [],
        [ast.arg(name) for name in code.co_varnames[: code.co_argcount]],
        None,
        [],
        [],
        None,
        [],
    )
    return ast.FunctionDef(
        "_text", args, body[function.__doc__ is not None :], [], None, None
    )


def names(tree: ast.AST) -> set[str]:
    """Return the names that a text uses."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def resolve(function: FunctionType, name: str) -> Any:
    """Return what a name means inside a function, or None where it means nothing yet."""
    if name in function.__code__.co_freevars and function.__closure__:
        return function.__closure__[
            function.__code__.co_freevars.index(name)
        ].cell_contents
    return function.__globals__.get(name, getattr(builtins, name, None))


def is_kernel_function(function: FunctionType, name: str) -> bool:
    """Tell whether a name means a function of this package, or of `math`."""
    value = resolve(function, name)
    return name in MATH and (
        value is getattr(arithmetic, name) or value is getattr(math, name)
    )


def read(function: Any, called: str, known: dict[Any, Unit] | None = None) -> Unit:
    """Return the unit of a lambda or function, with the helpers of its own module or of one that imports `Space`.

    Raises TypeError where it is no Python function and SourceError where its text
    cannot be read.
    """
    if not isinstance(function, FunctionType):
        raise TypeError(f"{called} must be a lambda or a function, got {function!r}")
    known = {} if known is None else known
    if function not in known:
        tree = _tree(function)
        unit = known[function] = Unit(
            function, tree, called, tuple(item.arg for item in tree.args.args)
        )
        for name in sorted(names(unit.tree)):
            value = resolve(function, name)
            if isinstance(value, FunctionType) and name not in unit.parameters:
                near = (
                    value.__module__ == function.__module__
                    or "Space" in value.__globals__
                )
                if near and not value.__module__.startswith("statements."):
                    unit.uses[name] = read(value, name, known)
    return known[function]


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _later(value: ast.expr) -> ast.expr:
    return ast.Lambda(ast.arguments([], [], None, [], [], None, []), value)


def _place(made: ast.AST, node: ast.AST) -> None:
    """Give what is new the place of the node that it stands for."""
    if not hasattr(made, "lineno"):
        ast.copy_location(made, node)
        for part in ast.iter_child_nodes(made):
            _place(part, node)


def _write(unit: Unit, made: Any) -> Any:
    """Return a node as it is run."""
    match made:
        case ast.Compare(left=left, ops=ops, comparators=sides) if all(
            type(how) in OPERATORS for how in ops
        ):
            hows: list[ast.expr] = [ast.Constant(OPERATORS[type(how)]) for how in ops]
            if len(hows) == 1:
                return _call("_relate", *hows, left, *sides)
            return _call(
                "_chain", ast.Tuple(hows, ast.Load()), *map(_later, [left, *sides])
            )
        case ast.BoolOp(op=how, values=values):
            name = "_every" if isinstance(how, ast.And) else "_some"
            return _call(name, ast.List([*map(_later, values)], ast.Load()))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _call("_opposite", operand)
        case ast.BinOp(left=left, op=ast.Div() | ast.Pow() as sign, right=right):
            return _call(
                "_divide" if isinstance(sign, ast.Div) else "_power", left, right
            )
        case ast.IfExp(test=test, body=yes, orelse=no):
            return _call("_choose", test, _later(yes), _later(no))
        case ast.Constant(value=float() as value):
            return _call(
                "_divide", *map(ast.Constant, Fraction(repr(value)).as_integer_ratio())
            )
        case ast.Name(id=name, ctx=ast.Load()) if name not in unit.own:
            value = resolve(unit.function, name)
            return _call("_pi") if value is arithmetic.pi else _written(value) or made
        case ast.Attribute(value=ast.Name(id=module), attr="pi") if resolve(
            unit.function, module
        ) in (math, np):
            return _call("_pi")
        case ast.Attribute(value=ast.Name(id=module), attr=name) if (
            resolve(unit.function, module) is math
        ):
            return ast.Name(f"{ALIAS}{name}", ast.Load()) if name in MATH else made
    return made


def _written(value: Any) -> ast.expr | None:
    """Return a constant defined above the text as the literal that it is; None for what was computed, and the rest."""
    if not isinstance(value, float) or not math.isfinite(value):
        return None
    text = repr(float(value))
    if len(Decimal(text).normalize().as_tuple().digits) > DIGITS:
        return None
    return _call("_divide", *map(ast.Constant, Fraction(text).as_integer_ratio()))


def rewritten(
    unit: Unit, old: ast.AST | None = None, new: ast.AST | None = None
) -> Any:
    """Return a text as it is run, one node replaced: comparisons, quotients, powers as calls of TOOLS, 0.1 as 1/10.

    What the replaced node does not change is taken as it was written before.
    """
    if old is not None and not unit.written:
        rewritten(unit)
    known = unit.written if old is not None else {}
    numbers = count()
    _, changed, _ = known.get(old, (None, -1, -1))  # type: ignore[arg-type]

    def write(node: Any, place: Any) -> Any:
        if isinstance(node, list):
            return [write(item, place) for item in node]
        if not isinstance(node, ast.AST):
            return node
        if node is old:
            node = new
        elif node in known and not known[node][1] <= changed <= known[node][2]:
            return known[node][0]
        place, first = node if hasattr(node, "lineno") else place, next(numbers)
        fields = {name: write(part, place) for name, part in ast.iter_fields(node)}
        made = _write(unit, type(node)(**fields))
        _place(made, place)
        if old is None:
            unit.written[node] = made, first, next(numbers)
        return made

    return write(unit.tree, unit.tree.body[0])


@lru_cache(maxsize=256)
def _code(unit: Unit, *change: ast.AST) -> tuple[CodeType, dict[str, Any]]:
    """Return the code of a text as it is run, and what the names in it mean."""
    text = rewritten(unit, *change)
    known = dict(_code(unit)[1]) if change else dict(TOOLS)
    for name in names(change[1] if change else text) - set(known):
        value = resolve(unit.function, name)
        if name in BUILTINS and value is getattr(builtins, name):
            value = BUILTINS[name]
        elif name in MATH and value is getattr(math, name):
            value = getattr(arithmetic, name)
        if value is not None:
            known[name] = value
    whole = compile(ast.Module([text], []), unit.function.__code__.co_filename, "exec")
    return next(item for item in whole.co_consts if isinstance(item, CodeType)), known


def make(
    units: Iterable[Unit], edited: Unit | None = None, *change: ast.AST
) -> dict[Unit, Callable[..., Any]]:
    """Return a function for each text; in the one that is edited the second node of `change` is put for the first."""
    found: dict[Unit, Callable[..., Any]] = {}
    for unit in units:
        code, known = _code(unit, *(change if unit is edited else ()))
        found[unit] = FunctionType(
            code, {**known}, unit.called, unit.function.__defaults__
        )
    for unit, function in found.items():
        function.__globals__.update(
            {name: found[part] for name, part in unit.uses.items()}
        )
    return found
