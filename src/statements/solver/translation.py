r"""A fourth arithmetic: texts, run on unknowns, become formulas for a solver.

A statement is undefined where it divides by zero or takes the root of a negative
number; the solver knows no such thing. So it is asked about each divisor and radicand
where it stands, which is the *path*: the hypotheses met so far, the branches taken, and
the parts of `and` and `or` before. A root or a maximum is a new unknown. Where Python
itself asks whether a formula is true, both answers are followed, each in a run of its
own.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise

import numpy as np
import z3
from z3 import ArithRef, BoolRef

from statements import arithmetic
from statements import comparison as truth
from statements.arithmetic import SEVERAL, Function, Number, Value
from statements.rewrite import Unit, make
from statements.solver.operations import Arithmetic, each, product, same
from statements.solver.questions import NotPolynomial
from statements.solver.terms import ELSEWHERE, Formula, Rational, Term, rational

#: Where functions that are no polynomials are rational after all.
KNOWN: dict[tuple[str, Rational], int] = {
    ("log", 1): 0,
    ("log1p", 0): 0,
    ("exp", 0): 1,
    ("expm1", 0): 0,
    ("cosh", 0): 1,
    ("sinh", 0): 0,
}


class Translator(Arithmetic):
    """Give texts their meaning as formulas."""

    def functions(self, units: Iterable[Unit]) -> dict[Unit, Function]:
        """Return the functions made of texts, with this meaning of their operations."""
        known = {id(old): new for old, new in self._meanings()}
        functions = make(units)
        for function in functions.values():
            for name, value in function.__globals__.items():
                meant = known.get(id(value), value)
                if type(value) is Number:
                    meant = rational(value)
                function.__globals__[name] = meant
        return functions

    def _meanings(self) -> Iterator[tuple[Value, Value]]:
        """Give the functions that a text may call, each with its meaning here."""
        yield truth.relate, self.relate
        yield truth.chain, self.chain
        yield truth.opposite, self.opposite
        yield truth.choose, self.choose
        yield arithmetic.divide, self.truediv
        yield arithmetic.power, self.pow
        yield arithmetic.pi, partial(self.elsewhere, "pi", 0)
        yield arithmetic.largest, self.largest
        yield arithmetic.smallest, self.smallest
        yield arithmetic.sqrt, self.root
        yield arithmetic.floor, self.floor
        yield arithmetic.ceil, self.ceil
        yield arithmetic.xlog, self.xlog
        yield truth.every, self.every
        yield truth.some, self.some
        for name in ELSEWHERE:
            yield getattr(arithmetic, name), partial(self.elsewhere, name)

    @each
    def xlog(self, x: Value, y: Value) -> Value:
        """Return x log y, and 0 where x is 0."""
        return self.choose(
            self.relate("==", x, 0), lambda: 0, lambda: x * self.elsewhere("log", y)
        )

    def elsewhere(self, name: str, x: Value) -> int:
        """Return what a function that is no polynomial is at a few places.

        At others NotPolynomial is raised.
        """
        place = rational(x)
        if place is None or (name, place) not in KNOWN:
            raise NotPolynomial(name)
        return KNOWN[name, place]

    def truth(self, value: Value) -> bool | Formula:
        """Return what a statement may give as True, False or a formula."""
        if isinstance(value, Formula):
            return value
        if isinstance(value, bool | np.bool_):
            return bool(value)
        if isinstance(value, np.ndarray) and value.dtype.kind in "bO":
            return self.every([*np.ravel(value)])
        if isinstance(value, tuple | list):
            return self.every(value)
        raise NotPolynomial(
            f"a statement must compare something, it gave {value!r:.80}"
        )

    def formula(self, value: bool | Formula) -> BoolRef:
        """Return a truth as the solver writes it."""
        if isinstance(value, Formula):
            return value.holds
        return z3.BoolVal(value, self.context)

    def known(self, holds: BoolRef) -> bool | Formula:
        """Return a formula, or True or False where it is that for all numbers."""
        short = z3.simplify(holds)
        if z3.is_true(short):
            return True
        if z3.is_false(short):
            return False
        return Formula(self, short)

    def relate(
        self,
        how: str,
        a: Value,
        b: Value,
    ) -> bool | Formula:
        """Compare two values, or two vectors entry by entry."""
        if isinstance(a, SEVERAL) or isinstance(b, SEVERAL):
            pairs = truth.entries(a, b)
            return self.every([self.relate(how, x, y) for x, y in pairs])
        if isinstance(a, Term) or isinstance(b, Term):
            return self.known(self.sub(a, b).against(how, 0))
        one = rational(a)
        other = rational(b)
        if one is None or other is None:
            raise NotPolynomial(
                f"{a!r:.40} and {b!r:.40} are compared, which are no numbers"
            )
        return bool(truth.HOW[how](one, other))

    def chain(self, hows: Sequence[str], *sides: Function) -> bool | Formula:
        """Return a <= b <= c as its comparisons.

        Each side is on the path of those before.
        """
        pairs = pairwise(side() for side in sides)
        return self.every(
            self.relate(how, *pair) for how, pair in zip(hows, pairs, strict=False)
        )

    def _join(self, decides: bool, parts: Iterable[Value]) -> bool | Formula:
        """Return a conjunction or disjunction, by the truth that decides the whole.

        A part is looked at where those before leave it open.
        """
        formulas: list[BoolRef] = []
        with self.branch() as path:
            for part in parts:
                item = self.truth(part() if callable(part) else part)
                if item is decides:
                    return decides
                if isinstance(item, Formula):
                    formulas.append(item.holds)
                    path.append(z3.Not(item.holds) if decides else item.holds)
        if not formulas:
            return not decides
        join = z3.Or if decides else z3.And
        return self.known(join(*formulas))

    def every(self, parts: Iterable[Value]) -> bool | Formula:
        """Return the conjunction."""
        return self._join(False, parts)

    def some(self, parts: Iterable[Value]) -> bool | Formula:
        """Return the disjunction."""
        return self._join(True, parts)

    def opposite(self, value: Value) -> bool | Formula:
        """Return the negation."""
        item = self.truth(value)
        if isinstance(item, Formula):
            return self.known(z3.Not(item.holds))
        return not item

    def choose(
        self,
        test: Value,
        yes: Function,
        no: Function,
    ) -> Value:
        """Return `yes() if test else no()`, each on its branch.

        A side is looked at only where its branch can be taken.
        """
        item = self.truth(test)
        if isinstance(item, bool):
            if item:
                return yes()
            return no()
        values: list[Value] = []
        for holds, side in ((item.holds, yes), (z3.Not(item.holds), no)):
            with self.branch(holds):
                if self.possible():
                    values.append(side())
        match values:
            case [one, other]:
                return self._merged(item, one, other)
            case [one]:
                return one
        return 0  # on a path that no instance takes

    def _merged(
        self,
        test: Formula,
        yes: Value,
        no: Value,
    ) -> Value:
        """Return what one of two values is, by a formula.

        Where they are of another kind, ask which it is.
        """
        if isinstance(yes, Formula | bool) and isinstance(no, Formula | bool):
            return self.known(z3.If(test.holds, self.formula(yes), self.formula(no)))
        if isinstance(yes, SEVERAL) and isinstance(no, SEVERAL):
            if np.shape(yes) == np.shape(no):
                return self._merged_vectors(test, yes, no)
        elif _is_number(yes) and _is_number(no):
            return self._merged_terms(test, self.term(yes), self.term(no))
        if test:
            return yes
        return no

    def _merged_vectors(
        self,
        test: Formula,
        yes: Value,
        no: Value,
    ) -> Value:
        """Return a vector whose entries are those of one of two vectors."""
        merged = np.frompyfunc(partial(self._merged, test), 2, 1)
        return merged(np.asarray(yes, object), np.asarray(no, object))

    def _merged_terms(
        self,
        test: Formula,
        first: Term,
        second: Term,
    ) -> Term:
        """Return the term that is one of two, by a formula."""
        least = product([first.least, second.least])
        top = z3.If(test.holds, first.top, second.top)
        bottom = first.bottom
        if not same(first.bottom, second.bottom):
            bottom = z3.If(test.holds, self._bottom(first), self._bottom(second))
        return Term(self, top, bottom, least)

    def _bottom(self, term: Term) -> ArithRef:
        """Return the denominator of a term as the solver writes it."""
        if term.bottom is None:
            return z3.IntVal(1, self.context)
        return term.bottom


def _is_number(value: Value) -> bool:
    return isinstance(value, Term) or rational(value) is not None
