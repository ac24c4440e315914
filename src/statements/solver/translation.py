r"""A fourth arithmetic: the same texts, run on unknowns, become formulas for a solver of polynomials.

A statement is undefined where it divides by zero or takes the root of a negative
number; the solver knows no such thing. So it is asked about each divisor and radicand
where it stands, which is the *path*: the hypotheses met so far, the branches taken, and
the parts of `and` and `or` before. A root or a maximum is a new unknown. Where Python
itself asks whether a formula is true, both answers are followed, each in a run of its
own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from statements import arithmetic
from statements import comparison as truth
from statements.arithmetic import SEVERAL, Number
from statements.rewrite import Unit, make
from statements.solver.operations import Arithmetic, each, product, same
from statements.solver.questions import NotPolynomial
from statements.solver.terms import ELSEWHERE, Formula, Term, rational

#: Where functions that are no polynomials are rational after all.
KNOWN = {
    ("log", 1): 0,
    ("log1p", 0): 0,
    ("exp", 0): 1,
    ("expm1", 0): 0,
    ("cosh", 0): 1,
    ("sinh", 0): 0,
}


class Translator(Arithmetic):
    """Give texts their meaning as formulas."""

    def functions(self, units: Iterable[Unit]) -> dict[Unit, Callable[..., Any]]:
        """Return the functions made of texts, with this meaning of their operations."""
        tools = {
            "_relate": self.relate,
            "_chain": self.chain,
            "_every": self.every,
            "_some": self.some,
            "_opposite": self.opposite,
            "_choose": self.choose,
            "_divide": self.truediv,
            "_power": self.pow,
            "_pi": partial(self.elsewhere, "pi", 0),
        }
        meanings: dict[Any, Any] = {
            arithmetic.largest: self.largest,
            arithmetic.smallest: self.smallest,
            arithmetic.sqrt: self.root,
            arithmetic.floor: self.floor,
            arithmetic.ceil: self.ceil,
            arithmetic.xlog: self.xlog,
            truth.every: self.every,
            truth.some: self.some,
            **{
                getattr(arithmetic, name): partial(self.elsewhere, name)
                for name in ELSEWHERE
            },
        }
        known = {id(old): new for old, new in meanings.items()}
        made = make(units)
        for function in made.values():
            for name, value in function.__globals__.items():
                meant = (
                    rational(value)
                    if type(value) is Number
                    else known.get(id(value), value)
                )
                function.__globals__[name] = tools.get(name, meant)
        return made

    @each
    def xlog(self, x: Any, y: Any) -> Any:
        """Return x log y, and 0 where x is 0."""
        return self.choose(
            self.relate("==", x, 0), lambda: 0, lambda: x * self.elsewhere("log", y)
        )

    def elsewhere(self, name: str, x: Any) -> Any:
        """Return what a function that is no polynomial is at a few places; else raise NotPolynomial."""
        found = KNOWN.get((name, rational(x)))
        if found is None:
            raise NotPolynomial(name)
        return found

    def truth(self, value: Any) -> Any:
        """Return what a statement may give as True, False or a formula."""
        if isinstance(value, Formula | bool | np.bool_):
            return value if isinstance(value, Formula) else bool(value)
        if isinstance(value, tuple | list) or (
            isinstance(value, np.ndarray) and value.dtype.kind in "bO"
        ):
            return self.every(
                [*np.ravel(value)] if isinstance(value, np.ndarray) else value
            )
        raise NotPolynomial(
            f"a statement must compare something, it gave {value!r:.80}"
        )

    def formula(self, value: Any) -> Any:
        """Return a truth as the solver writes it."""
        return (
            value.holds
            if isinstance(value, Formula)
            else self.z3.BoolVal(value, self.context)
        )

    def known(self, holds: Any) -> Any:
        """Return a formula, or True or False where it is one of these for all numbers."""
        short = self.z3.simplify(holds)
        return (
            True
            if self.z3.is_true(short)
            else False
            if self.z3.is_false(short)
            else Formula(self, short)
        )

    def relate(self, how: str, a: Any, b: Any) -> Any:
        """Compare two values, or two vectors entry by entry."""
        if isinstance(a, SEVERAL) or isinstance(b, SEVERAL):
            pairs = np.broadcast(
                np.asarray(a, dtype=object), np.asarray(b, dtype=object)
            )
            return self.every([self.relate(how, x, y) for x, y in pairs])
        if not isinstance(a, Term) and not isinstance(b, Term):
            sides = [rational(a), rational(b)]
            if None in sides:
                raise NotPolynomial(
                    f"{a!r:.40} and {b!r:.40} are compared, which are no numbers"
                )
            return truth.HOW[how](*sides)
        return self.known(self.sub(a, b).against(how, 0))

    def chain(self, hows: Sequence[str], *sides: Callable[[], Any]) -> Any:
        """Return a <= b <= c as its comparisons, each side on the path of those before."""
        pairs = pairwise(side() for side in sides)
        return self.every(
            self.relate(how, *pair) for how, pair in zip(hows, pairs, strict=False)
        )

    def _join(self, keep: bool, parts: Iterable[Any]) -> Any:
        """Return the conjunction (keep False), or the disjunction: a part is looked at where those before leave it."""
        found: list[Any] = []
        with self.branch() as path:
            for part in parts:
                item = self.truth(part() if callable(part) else part)
                if item is keep:
                    return keep
                if isinstance(item, Formula):
                    found.append(item.holds)
                    path.append(self.z3.Not(item.holds) if keep else item.holds)
        if not found:
            return not keep
        return self.known(self.z3.Or(*found) if keep else self.z3.And(*found))

    def every(self, parts: Iterable[Any]) -> Any:
        """Return the conjunction."""
        return self._join(False, parts)

    def some(self, parts: Iterable[Any]) -> Any:
        """Return the disjunction."""
        return self._join(True, parts)

    def opposite(self, value: Any) -> Any:
        """Return the negation."""
        item = self.truth(value)
        return (
            self.known(self.z3.Not(item.holds))
            if isinstance(item, Formula)
            else not item
        )

    def choose(self, test: Any, yes: Callable[[], Any], no: Callable[[], Any]) -> Any:
        """Return `yes() if test else no()`, each on its branch, and only where the branch can be taken."""
        item = self.truth(test)
        if isinstance(item, bool):
            return yes() if item else no()
        found: list[Any] = []
        for holds, side in ((item.holds, yes), (self.z3.Not(item.holds), no)):
            with self.branch(holds):
                found += [side()] if self.possible() else []
        if len(found) == 2:
            return self._merged(item, *found)
        return found[0] if found else 0  # on a path that no instance takes

    def _merged(self, test: Formula, yes: Any, no: Any) -> Any:
        """Return what one of two values is, by a formula; or ask which it is, where they are of another kind."""
        if isinstance(yes, Formula | bool) and isinstance(no, Formula | bool):
            return self.known(
                self.z3.If(test.holds, self.formula(yes), self.formula(no))
            )
        if (
            isinstance(yes, SEVERAL)
            and isinstance(no, SEVERAL)
            and np.shape(yes) == np.shape(no)
        ):
            pairs = zip(
                np.ravel(np.asarray(yes, object)),
                np.ravel(np.asarray(no, object)),
                strict=True,
            )
            merged = np.array(
                [None, *(self._merged(test, *pair) for pair in pairs)], dtype=object
            )[1:]
            return merged.reshape(np.shape(yes))
        if not all(
            isinstance(side, Term) or rational(side) is not None for side in (yes, no)
        ):
            return yes if test else no
        first = self.term(yes)
        second = self.term(no)
        least = product([first.least, second.least])
        top = self.z3.If(test.holds, first.top, second.top)
        bottom = first.bottom
        if not same(first.bottom, second.bottom):
            one = self.z3.IntVal(1, self.context)
            bottoms = (
                one if part is None else part for part in (first.bottom, second.bottom)
            )
            bottom = self.z3.If(test.holds, *bottoms)
        return Term(self, top, bottom, least)
