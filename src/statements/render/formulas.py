r"""Write an expression as a formula; what no formula says raises `Unset`.

In the entry of a vector, `at` an index, the names of vectors have that index, and
numbers have none.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from statements.render import cases, functions, kinds, sums
from statements.render.lines import Made, Parts, joined
from statements.render.loops import Term, Unset, called
from statements.render.shapes import NUMBER, Shape, Shapes
from statements.render.symbols import ATOM, FREE, FUNCTION, POWER, PRODUCT
from statements.rewrite import Unit, resolve

from statements.render.symbols import SUM, Symbol, applied, bracketed, script, symbol  # isort: skip

#: Letters of an index, the first that the check does not use.
LETTERS = "ijkxyzhvw"


def plain_number(value: float) -> str:
    """Return a number as it is written."""
    text = str(int(value) if value == int(value) and abs(value) < 1e15 else value)
    front, _, power = text.partition("e")
    if not power:
        return text
    return ("" if front == "1" else rf"{front} \cdot ") + script("10^", str(int(power)))


class Formula:
    """Write the expressions of one text; `names` are those of the whole check, which no new index may have."""

    def __init__(self, unit: Unit, shapes: Shapes | None, names: set[str]) -> None:
        self.unit = unit
        self.shapes = shapes
        self.small = False
        self.names = names | {
            node.id for node in ast.walk(unit.tree) if isinstance(node, ast.Name)
        }
        self.terms: dict[str, Term] = {}
        self.ranges: dict[str, ast.expr] = {}
        for name in unit.parameters:
            self.terms[name] = Term(
                symbol(name), shapes.seen.get((unit, name)) if shapes else NUMBER
            )

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
        saved, self.small = self.small, True
        try:
            yield
        finally:
            self.small = saved

    def letter(self, node: Any) -> str:
        """Return an index for the entries of an expression: t for those of c_t and θ_t, else one that is free."""
        taken = {
            sign for name in self.names for sign in (name, name.rpartition("_")[2])
        } | {*self.terms}
        found = next((letter for letter in LETTERS if letter not in taken), "")
        for part in ast.walk(node):
            made = (
                self.terms[part.id].made
                if isinstance(part, ast.Name) and part.id in self.terms
                else ""
            )
            shape = (
                self.shape(part)
                if isinstance(made, Symbol) and made.below[-1:] == ("t",)
                else None
            )
            if shape and shape.levels and "t" not in {*self.names, *self.terms}:
                found = "t"
        if not found:
            raise Unset("no letter is left for an index")
        for name, term in self.terms.items():  # the t of θ_t is the index itself
            if isinstance(term.made, Symbol) and term.made.below[-1:] == (found,):
                self.terms[name] = replace(
                    term, made=replace(term.made, below=term.made.below[:-1])
                )
        self.terms[found] = Term(found, NUMBER)
        return found

    def spelled(self, source: Any) -> Any:
        """Return the range that a name was set to."""
        return (
            self.ranges.get(source.id, source)
            if isinstance(source, ast.Name)
            else source
        )

    def pointwise(self, node: Any) -> bool:
        """Tell whether the entry of what a function gives is what it gives of entries."""
        return functions.pointwise(self, node)

    def shape(self, node: Any) -> Shape | None:
        """Return the shape of an expression, None where it is not known."""
        return kinds.shape(self, node)

    def text(self, node: Any, level: int = FREE, at: str = "") -> str:
        """Return the formula of an expression, or of its entry, in brackets where it binds less than `level`."""
        made, binds = self.made(node, at)
        if binds < level and binds == FUNCTION and called(node)[0] in functions.NAMED:
            return functions.with_brackets(self, node, at)
        return joined(made) if binds >= level else bracketed(joined(made))

    def little(self, node: Any, level: int = FREE, at: str = "") -> str:
        """Return a formula that stands small."""
        with self.smaller():
            return self.text(node, level, at)

    def part(self, node: Any, level: int) -> Parts:
        """Return a formula in its parts, or in brackets."""
        made, binds = self.made(node)
        return made if binds >= level else bracketed(joined(made))

    def made(self, node: Any, at: str = "") -> Made:
        """Return a formula in its parts, and how tightly it binds."""
        at = "" if at and self.shape(node) == NUMBER else at
        match node:
            case ast.Constant(value=int() | float() as value) if not isinstance(
                value, bool
            ):
                return plain_number(value), ATOM
            case ast.Name() | ast.Subscript():
                return self._named(node, at)
            case ast.BinOp(op=ast.Add() | ast.Sub()) | ast.UnaryOp(op=ast.USub()):
                return sums.added(self, node, at)
            case ast.BinOp(op=ast.Mult()) if sums.nothing(node):
                return "0", ATOM
            case ast.BinOp(op=ast.Mult() | ast.Div()):
                return sums.multiplied(self, node, at)
            case ast.BinOp(op=ast.Pow()):
                return sums.raised(self, node, at)
            case ast.BinOp(left=left, op=ast.Mod(), right=right):
                return (
                    rf"{self.text(left, PRODUCT, at)} \bmod {self.text(right, POWER, at)}",
                    SUM,
                )
            case ast.BinOp(left=left, op=ast.FloorDiv(), right=right):
                return self.made(
                    functions.call("floor", ast.BinOp(left, ast.Div(), right)), at
                )
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return cases.logic(self, node)
            case ast.IfExp():
                return (
                    cases.choice(self, node)
                    if cases.truth(node)
                    else cases.cases(self, node, at)
                )
            case ast.Call():
                return functions.made(self, node, at)
            case ast.Tuple() | ast.List() | ast.ListComp() | ast.GeneratorExp():
                return cases.vector(self, node, at)
            case ast.Lambda() if not at:
                return cases.mapped(self, node), FREE
        raise Unset(f"{type(node).__name__} is not set")

    # ---- names

    def term(self, node: Any) -> Term:
        """Return an expression as what an index can be put to."""
        if isinstance(node, ast.Name) and node.id in self.terms:
            return self.terms[node.id]
        if isinstance(node, ast.Subscript):
            return self._entry(node)
        made, level = (
            (self._outside(node.id), ATOM)
            if isinstance(node, ast.Name)
            else self.made(node)
        )
        return Term(joined(made), self.shape(node), level)

    def _entry(self, node: ast.Subscript) -> Term:
        if isinstance(node.slice, ast.Slice):
            raise Unset("a part of a vector")
        place = self.little(node.slice)
        if place.startswith("-"):
            place = r"\mathrm{last}" + ("" if place == "-1" else place + "+1")
        whole = self.term(node.value)
        found = whole.at(place)
        if place.isdigit() and self._numbered(whole) and not self._listed(node, found):
            return Term(
                applied(whole.tex(), place), found.shape
            )  # Q(0), where Q_0 is another name
        return found

    def _numbered(self, whole: Term) -> bool:
        """Tell whether other names of the check are as this one with a number."""
        below = whole.made.below if isinstance(whole.made, Symbol) else ()
        others = [symbol(name) for name in self.names]
        alike = [
            one
            for one in others
            if isinstance(whole.made, Symbol) and one.core == whole.made.core
        ]
        return any(
            one.below[:-1] == below and one.below[-1:] and one.below[-1].isdigit()
            for one in alike
        )

    def _listed(self, node: ast.Subscript, found: Term) -> bool:
        """Tell whether an entry is the name that it looks like: that of Q with Q = [Q_0, Q_1]."""
        unit = (
            self.unit.uses.get(node.value.id)
            if isinstance(node.value, ast.Name)
            else None
        )
        match unit and unit.tree.body, node.slice:
            case [ast.Return(value=ast.List(elts=parts))], ast.Constant(
                value=int() as k
            ) if k < len(parts):
                part: Any = parts[k]
                return isinstance(part, ast.Name) and symbol(part.id) == found.made
        return False

    def _outside(self, name: str) -> str:
        """Return a name that is no argument: a helper, or a number."""
        if name in self.unit.uses:
            return symbol(name).tex()
        if name == "pi":
            return r"\pi"
        value = resolve(self.unit.function, name)
        if isinstance(value, range) and value.step == 1:
            return (
                r"\{"
                + (
                    ", ".join(map(str, value))
                    if len(value) < 5
                    else rf"{value[0]}, \dots, {value[-1]}"
                )
                + r"\}"
            )
        value = kinds.number(self, name)
        if value is None:
            raise Unset(f"{name} is not written out")
        return plain_number(value)

    def _named(self, node: Any, at: str) -> Made:
        term = self.at(node, at)
        return term.tex(), term.level

    def at(self, node: Any, at: str) -> Term:
        """Return a name, or its entry at an index."""
        term = self.term(node)
        if at and term.shape is None:
            raise Unset(f"whether {ast.unparse(node)} is a vector is not known")
        return term.at(at) if at else term
