r"""Write an expression as a formula; what no formula says raises `Unset`.

In the entry of a vector, `at` an index, the names of vectors have that index, and
numbers have none.
"""

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeGuard

from statements.render import cases, functions, kinds, sums
from statements.render.lines import Parts, Typeset, joined
from statements.render.loops import Node, Term, Unset, called
from statements.render.shapes import NUMBER, MaybeShape, Shapes
from statements.render.symbols import (
    ATOM,
    FREE,
    FUNCTION,
    POWER,
    PRODUCT,
    SUM,
    Symbol,
    applied,
    bracketed,
    script,
    symbol,
    word,
)
from statements.rewrite import Unit, call, resolve
from statements.rewrite import names as names_in

#: Letters of an index, the first that the check does not use.
LETTERS = "ijkxyzhvw"
#: The index of vectors that have it in their name: c_t, θ_t.
TIME = "t"
#: From here on whole numbers are written as Python writes floats.
LARGE = 1e15
#: The longest range of numbers that is written out, and one more.
WRITTEN_OUT = 5


def plain_number(value: float) -> str:
    """Return a number as it is written."""
    if value == int(value) and abs(value) < LARGE:
        value = int(value)
    front, _, power = str(value).partition("e")
    if not power:
        return front
    power_of_ten = script("10^", str(int(power)))
    if front == "1":
        return power_of_ten
    return rf"{front} \cdot {power_of_ten}"


def _written_range(numbers: range) -> str:
    """Return the set of the numbers of a range."""
    if len(numbers) < WRITTEN_OUT:
        inside = ", ".join(map(str, numbers))
    else:
        inside = rf"{numbers[0]}, \dots, {numbers[-1]}"
    return rf"\{{{inside}\}}"


def _ends_in(formula: Symbol | str, index: str) -> TypeGuard[Symbol]:
    """Tell whether the last sign below a symbol is an index."""
    return isinstance(formula, Symbol) and formula.below[-1:] == (index,)


class Formula:
    """Write the expressions of one text.

    `names` are those of the whole check, which no new index may have.
    """

    def __init__(
        self,
        unit: Unit,
        shapes: Shapes | None,
        names: set[str],
    ) -> None:
        self.unit = unit
        self.shapes = shapes
        self.small = False
        self.names = names | names_in(unit.tree)
        self.terms: dict[str, Term] = {}
        self.ranges: dict[str, Node] = {}
        for name in unit.parameters:
            shape = shapes.seen.get((unit, name)) if shapes else NUMBER
            self.terms[name] = Term(symbol(name), shape)

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Forget at the end what loops bind."""
        terms = dict(self.terms)
        try:
            yield
        finally:
            self.terms = terms

    @contextmanager
    def smaller(self) -> Iterator[None]:
        """Write fractions with a slash."""
        saved = self.small
        self.small = True
        try:
            yield
        finally:
            self.small = saved

    # ---- indices

    def letter(self, node: ast.AST) -> str:
        """Return an index for the entries of an expression.

        It is t for those of c_t and θ_t, else a letter that is free.
        """
        index = TIME if self._over_time(node) else self._free_letter()
        for name, term in self.terms.items():
            whole = term.formula
            if _ends_in(whole, index):  # the t of θ_t is the index itself
                shorter = replace(whole, below=whole.below[:-1])
                self.terms[name] = replace(term, formula=shorter)
        self.terms[index] = Term(index, NUMBER)
        return index

    def _free_letter(self) -> str:
        below = {name.rpartition("_")[2] for name in self.names}
        taken = self.names | below | {*self.terms}
        for letter in LETTERS:
            if letter not in taken:
                return letter
        raise Unset("no letter is left for an index")

    def _over_time(self, node: ast.AST) -> bool:
        """Tell whether a vector in an expression has t in its name."""
        if TIME in self.names or TIME in self.terms:
            return False
        terms = [self.terms[name] for name in names_in(node) & {*self.terms}]
        return any(
            _ends_in(term.formula, TIME) and term.shape and term.shape.levels
            for term in terms
        )

    # ---- expressions

    def spelled(self, source: Node) -> Node:
        """Return the range that a name was set to."""
        if isinstance(source, ast.Name):
            return self.ranges.get(source.id, source)
        return source

    def pointwise(self, node: ast.Call) -> bool:
        """Tell whether the entry of a result is the result of the entries."""
        return functions.pointwise(self, node)

    def shape(self, node: ast.AST) -> MaybeShape:
        """Return the shape of an expression, None where it is not known."""
        return kinds.shape(self, node)

    def text(
        self,
        node: Node,
        level: int = FREE,
        at: str = "",
    ) -> str:
        """Return the formula of an expression, or of its entry.

        It is in brackets where it binds less than `level`.
        """
        parts, binds = self.write(node, at)
        if binds >= level:
            return joined(parts)
        if binds == FUNCTION and isinstance(node, ast.Call):
            name = called(node)[0]
            if name in functions.NAMED:  # as a factor that is not the last one
                inside = self.text(node.args[0], at=at)
                return applied(functions.NAMED[name], inside)
        return bracketed(joined(parts))

    def little(
        self,
        node: Node,
        level: int = FREE,
        at: str = "",
    ) -> str:
        """Return a formula that stands small."""
        with self.smaller():
            return self.text(node, level, at)

    def part(self, node: Node, level: int) -> Parts:
        """Return a formula in its parts, or in brackets."""
        parts, binds = self.write(node)
        if binds >= level:
            return parts
        return bracketed(joined(parts))

    def write(self, node: Node, at: str = "") -> Typeset:
        """Return a formula in its parts, and how tightly it binds."""
        if at and self.shape(node) == NUMBER:
            at = ""
        match node:
            case ast.Constant(value=bool()):
                raise Unset("True and False are not set")
            case ast.Constant(value=int() | float() as value):
                return plain_number(value), ATOM
            case ast.Name() | ast.Subscript():
                term = self.at(node, at)
                return term.tex(), term.level
            case ast.BinOp() | ast.UnaryOp(op=ast.USub()):
                return self._operation(node, at)
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return cases.logic(self, node)
            case ast.Call():
                return functions.write_call(self, node, at)
        return self._cases_and_lists(node, at)

    def _cases_and_lists(self, node: Node, at: str) -> Typeset:
        match node:
            case ast.IfExp() if cases.truth(node):
                return cases.choice(self, node)
            case ast.IfExp():
                return cases.cases(self, node, at)
            case ast.Tuple() | ast.List() | ast.ListComp() | ast.GeneratorExp():
                return cases.vector(self, node, at)
            case ast.Lambda() if not at:
                return cases.mapped(self, node), FREE
        raise Unset(f"{type(node).__name__} is not set")

    def _operation(self, node: Node, at: str) -> Typeset:
        match node:
            case ast.BinOp(op=ast.Add() | ast.Sub()) | ast.UnaryOp():
                return sums.added(self, node, at)
            case ast.BinOp(op=ast.Mult()) if sums.nothing(node):
                return "0", ATOM
            case ast.BinOp(op=ast.Mult() | ast.Div()):
                return sums.multiplied(self, node, at)
            case ast.BinOp(op=ast.Pow()):
                return sums.raised(self, node, at)
            case ast.BinOp(left, ast.Mod(), right):
                dividend = self.text(left, PRODUCT, at)
                return rf"{dividend} \bmod {self.text(right, POWER, at)}", SUM
            case ast.BinOp(left, ast.FloorDiv(), right):
                quotient = ast.BinOp(left, ast.Div(), right)
                return self.write(call("floor", quotient), at)
        raise Unset("an operation that has no sign")

    # ---- names

    def term(self, node: Node) -> Term:
        """Return an expression as what an index can be put to."""
        if isinstance(node, ast.Subscript):
            return self._entry(node)
        if not isinstance(node, ast.Name):
            parts, level = self.write(node)
            return Term(joined(parts), self.shape(node), level)
        if node.id in self.terms:
            return self.terms[node.id]
        return Term(self._outside(node.id), self.shape(node))

    def at(self, node: Node, index: str) -> Term:
        """Return a name, or its entry at an index."""
        term = self.term(node)
        if not index:
            return term
        if term.shape is None:
            raise Unset(f"whether {ast.unparse(node)} is a vector is not known")
        return term.at(index)

    def _entry(self, node: ast.Subscript) -> Term:
        if isinstance(node.slice, ast.Slice):
            raise Unset("a part of a vector")
        place = self.little(node.slice)
        if place == "-1":
            place = word("last")
        elif place.startswith("-"):
            place = word("last") + place + "+1"
        whole = self.term(node.value)
        item = whole.at(place)
        if place.isdigit() and self._numbered(whole) and not self._listed(node, item):
            # Q(0), where Q_0 is another name
            return Term(applied(whole.tex(), place), item.shape)
        return item

    def _numbered(self, whole: Term) -> bool:
        """Tell whether other names of the check are as this one with a number."""
        this = whole.formula
        if not isinstance(this, Symbol):
            return False
        for name in self.names:
            other = symbol(name)
            if other.core != this.core or other.below[:-1] != this.below:
                continue
            if other.below and other.below[-1].isdigit():
                return True
        return False

    def _listed(self, node: ast.Subscript, item: Term) -> bool:
        """Tell whether an entry is the name that it looks like.

        That of Q with Q = [Q_0, Q_1] is.
        """
        match node:
            case ast.Subscript(ast.Name(id=name), ast.Constant(value=int() as place)):
                unit = self.unit.uses.get(name)
                return unit is not None and self._item(unit, place) == item.formula
        return False

    @staticmethod
    def _item(unit: Unit, place: int) -> Symbol | None:
        """Return the name that stands at a place of a list that is written out."""
        match unit.tree.body:
            case [ast.Return(value=ast.List(elts=parts))] if place < len(parts):
                part = parts[place]
                if isinstance(part, ast.Name):
                    return symbol(part.id)
        return None

    def _outside(self, name: str) -> str:
        """Return a name that is no argument: a helper, or a number."""
        if name in self.unit.uses:
            return symbol(name).tex()
        if name == "pi":
            return r"\pi"
        value = resolve(self.unit.function, name)
        if isinstance(value, range) and value.step == 1:
            return _written_range(value)
        number = kinds.number(self, name)
        if number is None:
            raise Unset(f"{name} is not written out")
        return plain_number(number)
