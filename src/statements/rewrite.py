r"""Read the source of a lambda or a function, and write it anew for every arithmetic.

Comparisons keep both sides, `and`, `or`, `not`, `all`, `any` act on comparisons, and
`1/3` and `0.1` are exact. The functions of the same module that are called, helpers,
are read in the same way.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import count
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import numpy as np

from statements import arithmetic
from statements import comparison as truth
from statements.arithmetic import Function, Value

#: How the text spells each comparison.
OPERATORS = {
    ast.LtE: "<=",
    ast.Lt: "<",
    ast.GtE: ">=",
    ast.Gt: ">",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
#: How it is run: `and` and `or`, quotients and powers.
CALLED: dict[type[ast.AST], str] = {
    ast.And: "_every",
    ast.Or: "_some",
    ast.Div: "_divide",
    ast.Pow: "_power",
}
#: What the rewritten text calls, by names that no statement uses.
TOOLS: dict[str, object] = {
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
MATH = {"floor", "ceil", *arithmetic.FUNCTIONS} - {"arctanh"}
#: How the texts that are run name these functions.
ALIAS = "_math_"
TOOLS.update({f"{ALIAS}{name}": getattr(arithmetic, name) for name in MATH})
#: Digits that a float written by hand may have: more come from a computation.
DIGITS = 15


class SourceError(ValueError):
    """Say that the text of a statement cannot be read."""


#: The ends of the range of an argument, of which each may be missing.
Ends = tuple[Value, Value] | None


class AsRun(NamedTuple):
    """Hold a node as it is run, and the first and last number of the nodes below it."""

    node: ast.AST
    first: int
    last: int


@dataclass(eq=False)
class Unit:
    """Hold one piece of text, what `called` says it is, and what it uses.

    That is helpers, and quantities, its parameters. `written` keeps its nodes as they
    are run.
    """

    function: FunctionType
    tree: ast.FunctionDef
    called: str
    parameters: tuple[str, ...]
    uses: dict[str, Unit] = field(default_factory=dict)
    written: dict[ast.AST, AsRun] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The expression of a lambda, or the lines of a function."""
        return ast.unparse(ast.Module(self.tree.body, [])).removeprefix("return ")

    @property
    def ranges(self) -> dict[str, Ends]:
        """The range of each argument, its default; None where it has none."""
        spans = self.function.__defaults__ or ()
        from_the_last = zip(self.parameters[::-1], spans[::-1], strict=False)
        return dict.fromkeys(self.parameters) | dict(from_the_last)

    def spans(self) -> Iterator[tuple[str, str, str]]:
        """Give each argument with the ends of its range as text, "" for none."""
        for name, ends in self.ranges.items():
            low, high = ends or (None, None)
            yield name, _end(low), _end(high)

    @cached_property
    def own(self) -> set[str]:
        """The names that the text itself gives a meaning."""
        arguments = (
            node.arg for node in ast.walk(self.tree) if isinstance(node, ast.arg)
        )
        return stored(self.tree).union(arguments)


def _end(value: Value) -> str:
    return "" if value is None else str(arithmetic.simplest(value))


class Use(NamedTuple):
    """Hold a quantity or a helper that a text uses: its name, and its own text."""

    name: str
    unit: Unit
    helper: bool


def used(units: Iterable[Unit]) -> list[Use]:
    """Return the helpers and quantities that texts use, also through others."""
    uses: dict[Use, None] = {}

    def follow(unit: Unit) -> None:
        for name, part in unit.uses.items():
            use = Use(name, part, helper=name not in unit.parameters)
            if use not in uses:
                uses[use] = None
                follow(part)

    for unit in units:
        follow(unit)
    return list(uses)


def with_used(unit: Unit) -> list[Unit]:
    """Return a text with all texts that it uses."""
    return [unit, *(use.unit for use in used([unit]))]


def names(tree: ast.AST) -> set[str]:
    """Return the names that a text uses."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def stored(tree: ast.AST) -> set[str]:
    """Return the names that a text sets."""
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


# Where the text of a function stands


@lru_cache(maxsize=64)
def _bodies(lines: tuple[str, ...]) -> list[tuple[ast.AST, list[ast.stmt]]]:
    """Return the functions and lambdas of a file with bodies, the innermost first."""
    bodies: list[tuple[ast.AST, list[ast.stmt]]] = []
    for node in ast.walk(ast.parse("".join(lines))):
        if isinstance(node, ast.FunctionDef):
            bodies.append((node, node.body))
        elif isinstance(node, ast.Lambda):
            result = ast.copy_location(ast.Return(node.body), node.body)
            bodies.append((node, [result]))
    return bodies[::-1]


def _tree(function: FunctionType) -> ast.FunctionDef:
    """Return the text of a function as a function without a docstring.

    Raises SourceError where its arguments are not plain, or its text is not to be had.
    """
    code = function.__code__
    starred = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
    if code.co_flags & starred or code.co_kwonlyargcount:
        raise SourceError(
            f"{code.co_name} must have plain arguments: no *, no keyword-only ones"
        )
    name = function.__name__
    lines = tuple(linecache.getlines(code.co_filename, function.__globals__))
    if not lines:
        raise SourceError(
            f"the source of {name} in {code.co_filename} is not to be had"
        )
    span = _span(code)
    for node, body in _bodies(lines):
        if _is_body(body, code, span):
            arguments = [ast.arg(name) for name in code.co_varnames[: code.co_argcount]]
            signature = ast.arguments([], arguments, None, [], [], None, [])
            own = body if function.__doc__ is None else body[1:]
            tree = ast.FunctionDef("_text", signature, own, [], None, None)
            return ast.copy_location(tree, node)
    raise SourceError(
        f"no text found for {name}, line {code.co_firstlineno} of {code.co_filename}"
    )


#: A line and a column, as the syntax tree counts them.
Place = tuple[int, int]


def _span(code: CodeType) -> tuple[Place, Place] | None:
    """Return where what some code runs begins and ends, None where it is nowhere."""
    starts = []
    ends = []
    for line, last_line, column, last_column in code.co_positions():
        if line and last_line and last_column:
            starts.append((line, column or 0))
            ends.append((last_line, last_column))
    if not starts:
        return None
    return min(starts), max(ends)


def _is_body(
    body: list[ast.stmt],
    code: CodeType,
    span: tuple[Place, Place] | None,
) -> bool:
    """Tell whether a body is the one of some code, by the span of what that runs."""
    first = body[0]
    last = body[-1]
    if span is None:
        return _is_constant(first, code)
    assert last.end_lineno is not None
    assert last.end_col_offset is not None
    start = (first.lineno, first.col_offset)
    end = (last.end_lineno, last.end_col_offset)
    return start <= span[0] and span[1] <= end


def _is_constant(node: ast.stmt, code: CodeType) -> bool:
    """Tell whether a lambda gives a constant: Python 3.12 gives that no place."""
    value = getattr(node, "value", None)
    if not isinstance(value, ast.expr):
        return False
    alone = compile(ast.Expression(value), "", "eval")
    same = alone.co_consts[-1:] == code.co_consts[-1:]
    return not alone.co_names and same and node.lineno == code.co_firstlineno


# What names mean


def resolve(function: FunctionType, name: str) -> Any:
    """Return what a name means inside a function, None where it means nothing yet."""
    free = function.__code__.co_freevars
    if name in free and function.__closure__:
        return function.__closure__[free.index(name)].cell_contents
    return function.__globals__.get(name, getattr(builtins, name, None))


def is_kernel_function(function: FunctionType, name: str) -> bool:
    """Tell whether a name means a function of this package, or of `math`."""
    value = resolve(function, name)
    return name in MATH and (
        value is getattr(arithmetic, name) or value is getattr(math, name)
    )


def _is_helper(value: object, function: FunctionType) -> bool:
    """Tell whether a value is a function that is read with the text that calls it.

    It is one of the same module, or of one that imports `Space`.
    """
    if not isinstance(value, FunctionType):
        return False
    module = value.__module__
    near = module == function.__module__ or "Space" in value.__globals__
    return near and not module.startswith("statements.")


def read(
    function: object,
    called: str,
    known: dict[FunctionType, Unit] | None = None,
) -> Unit:
    """Return the unit of a lambda or function, with its helpers.

    Raises TypeError where it is no Python function and SourceError where its text
    cannot be read.
    """
    if not isinstance(function, FunctionType):
        raise TypeError(f"{called} must be a lambda or a function, got {function!r}")
    if known is None:
        known = {}
    if function in known:
        return known[function]
    tree = _tree(function)
    parameters = tuple(item.arg for item in tree.args.args)
    unit = known[function] = Unit(function, tree, called, parameters)
    for name in sorted(names(tree)):
        value = resolve(function, name)
        if name not in parameters and _is_helper(value, function):
            unit.uses[name] = read(value, name, known)
    return unit


# The text as it is run


def call(name: str, *arguments: ast.expr) -> ast.Call:
    """Return the call of a function by its name."""
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _later(value: ast.expr) -> ast.expr:
    return ast.Lambda(ast.arguments([], [], None, [], [], None, []), value)


def _ratio(text: str) -> ast.Call:
    """Return a decimal number as a quotient of integers."""
    above, below = Fraction(text).as_integer_ratio()
    return call("_divide", ast.Constant(above), ast.Constant(below))


def _place(new: ast.AST, node: ast.AST) -> None:
    """Give what is new the place of the node that it stands for."""
    if not hasattr(new, "lineno"):
        ast.copy_location(new, node)
        for part in ast.iter_child_nodes(new):
            _place(part, node)


def _run_as(unit: Unit, node: ast.AST) -> ast.AST:
    """Return a node, whose parts are as they are run, as it is run itself."""
    match node:
        case ast.Compare(ops=ops) if all(type(how) in OPERATORS for how in ops):
            return _comparison(node)
        case ast.BoolOp(op=how, values=values):
            parts = ast.List([*map(_later, values)], ast.Load())
            return call(CALLED[type(how)], parts)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return call("_opposite", operand)
        case ast.BinOp(left=left, op=how, right=right) if type(how) in CALLED:
            return call(CALLED[type(how)], left, right)
        case ast.IfExp(test=test, body=yes, orelse=no):
            return call("_choose", test, _later(yes), _later(no))
        case ast.Constant(value=float() as value):
            return _ratio(repr(value))
        case ast.Name(ctx=ast.Load()) if node.id not in unit.own:
            return _outside(unit, node)
        case ast.Attribute(value=ast.Name(id=name)):
            return _attribute(node, resolve(unit.function, name))
    return node


def _comparison(node: ast.Compare) -> ast.Call:
    """Return a comparison as a call that keeps its sides."""
    hows: list[ast.expr] = [ast.Constant(OPERATORS[type(how)]) for how in node.ops]
    sides = [node.left, *node.comparators]
    if len(hows) == 1:
        return call("_relate", *hows, *sides)
    relations = ast.Tuple(hows, ast.Load())
    return call("_chain", relations, *map(_later, sides))


def _outside(unit: Unit, node: ast.Name) -> ast.expr:
    """Return a name that the text does not set as it is run.

    A constant defined above the text is the literal that it is. What was computed, and
    everything else, stays a name.
    """
    value = resolve(unit.function, node.id)
    if value is arithmetic.pi:
        return call("_pi")
    if not isinstance(value, float) or not math.isfinite(value):
        return node
    text = repr(float(value))
    decimal = Decimal(text).normalize().as_tuple()
    if len(decimal.digits) > DIGITS:
        return node
    return _ratio(text)


def _attribute(node: ast.Attribute, module: object) -> ast.expr:
    """Return `math.log` and its like, and pi, as they are run."""
    if node.attr == "pi" and (module is math or module is np):
        return call("_pi")
    if module is math and node.attr in MATH:
        return ast.Name(f"{ALIAS}{node.attr}", ast.Load())
    return node


@dataclass
class _Writer:
    """Write a text as it is run, one node replaced."""

    unit: Unit
    old: ast.AST | None
    new: ast.AST | None
    numbers: Iterator[int] = field(default_factory=count)

    def _is_unchanged(self, node: ast.AST) -> bool:
        """Tell whether a node was written before, and does not hold the change."""
        if self.old is None or node not in self.unit.written:
            return False
        before = self.unit.written[node]
        changed = self.unit.written[self.old].first
        return not before.first <= changed <= before.last

    def write(self, part: Any, place: ast.AST) -> Any:
        """Return a part of the text, a node or a list or a value, as it is run."""
        if isinstance(part, list):
            return [self.write(item, place) for item in part]
        if not isinstance(part, ast.AST):
            return part
        node: ast.AST | None = part
        if part is self.old:
            node = self.new
        elif self._is_unchanged(part):
            return self.unit.written[part].node
        assert node is not None, "something takes the place of the old node"
        first = next(self.numbers)
        if hasattr(node, "lineno"):
            place = node
        parts = ast.iter_fields(node)
        fields = {name: self.write(value, place) for name, value in parts}
        as_run = _run_as(self.unit, type(node)(**fields))
        _place(as_run, place)
        if self.old is None:
            self.unit.written[node] = AsRun(as_run, first, next(self.numbers))
        return as_run


def rewritten(
    unit: Unit,
    old: ast.AST | None = None,
    new: ast.AST | None = None,
) -> ast.FunctionDef:
    """Return a text as it is run, one node replaced.

    Comparisons, quotients and powers are calls of TOOLS, and 0.1 is 1/10. What the
    replaced node does not change is taken as it was written before.
    """
    if old is not None and not unit.written:
        rewritten(unit)
    writer = _Writer(unit, old, new)
    function: ast.FunctionDef = writer.write(unit.tree, unit.tree.body[0])
    return function


def _meaning(function: FunctionType, name: str) -> Any:
    """Return what a name means as it is run: Python's own functions are replaced."""
    value = resolve(function, name)
    if name in BUILTINS and value is getattr(builtins, name):
        return BUILTINS[name]
    if name in MATH and value is getattr(math, name):
        return getattr(arithmetic, name)
    return value


@lru_cache(maxsize=256)
def _code(unit: Unit, *change: ast.AST) -> tuple[CodeType, dict[str, object]]:
    """Return the code of a text as it is run, and what the names in it mean."""
    text = rewritten(unit, *change)
    known = dict(TOOLS)
    new: ast.AST = text
    if change:
        known = dict(_code(unit)[1])
        new = change[1]
    for name in names(new) - set(known):
        value = _meaning(unit.function, name)
        if value is not None:
            known[name] = value
    file = unit.function.__code__.co_filename
    module = compile(ast.Module([text], []), file, "exec")
    code = next(item for item in module.co_consts if isinstance(item, CodeType))
    return code, known


def make(
    units: Iterable[Unit],
    edited: Unit | None = None,
    *change: ast.AST,
) -> dict[Unit, Function]:
    """Return a function for each text.

    In the one that is edited the second node of `change` is put for the first.
    """
    functions: dict[Unit, FunctionType] = {}
    for unit in units:
        code, known = _code(unit)
        if unit is edited:
            code, known = _code(unit, *change)
        defaults = unit.function.__defaults__
        functions[unit] = FunctionType(code, {**known}, unit.called, defaults)
    for unit, function in functions.items():
        helpers = {name: functions[part] for name, part in unit.uses.items()}
        function.__globals__.update(helpers)
    return dict(functions)
