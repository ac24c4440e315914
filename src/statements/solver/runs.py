r"""What is known of an instance in one run of the texts, and what they ask."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count

import z3
from z3 import ArithRef, BoolRef

from statements.solver.questions import Solver, Undefined
from statements.solver.terms import Term

#: Steps of the solver for a question on the way, which may be left open, and for one
#: whether all is defined.
SMALL = 200_000
GUARD = 2_000_000


class Run:
    """Hold the facts of a run, and the path on which its texts are.

    `answers` are those that Python got when it asked whether a formula is true; the
    second part of each says whether it was the only possible one.
    """

    def __init__(self, solver: Solver) -> None:
        self.solver = solver
        self.context = solver.context
        self.restart([])

    def restart(self, answers: Sequence[tuple[bool, bool]]) -> None:
        """Begin a run in which Python gets these answers first."""
        self.answers = list(answers)
        self.answered = 0
        self.facts: list[BoolRef] = []
        self.path: list[BoolRef] = []
        self._names = count()
        self._unknowns: dict[tuple[object, ...], Term] = {}

    def possible(self, *more: BoolRef) -> bool:
        """Tell whether more can hold on this path, or whether that is open."""
        return self.solver.ask([*self.facts, *self.path, *more], SMALL)[0] != "unsat"

    def never(self, words: str, *more: BoolRef) -> None:
        """Raise Undefined where more can hold on this path, or where that is open."""
        can_be, model = self.solver.ask([*self.facts, *self.path, *more], GUARD)
        if can_be == "unknown":
            raise Undefined(f"whether there is a {words} is open", model)
        if can_be == "sat":
            raise Undefined(words, model)

    def answer(self, holds: BoolRef) -> bool:
        """Answer Python's question whether a formula is true.

        Where both can be, the answer is a fact of this run.
        """
        if self.answered == len(self.answers):
            yes = self.possible(holds)
            no = self.possible(z3.Not(holds))
            self.answers.append((yes, not (yes and no)))
        said, only = self.answers[self.answered]
        self.answered += 1
        if not only:
            if not said:
                holds = z3.Not(holds)
            self.facts.append(holds)
        return said

    @contextmanager
    def branch(self, *more: BoolRef) -> Iterator[list[BoolRef]]:
        """Go on with a longer path, which may grow, and come back."""
        length = len(self.path)
        self.path.extend(more)
        try:
            yield self.path
        finally:
            del self.path[length:]

    def unknown(
        self,
        kind: str,
        terms: Sequence[Term],
        facts: Callable[[ArithRef], Sequence[BoolRef]],
        least: int | None,
    ) -> Term:
        """Return an unknown that is made of terms.

        Its facts are noted for this path, and once.
        """
        key = (kind, *self._numbers(terms))
        if key not in self._unknowns:
            sort = z3.Int if kind == "floor" else z3.Real
            new = sort(f"{kind} {next(self._names)}", self.context)
            fact = z3.And(*facts(new))
            if self.path:
                fact = z3.Implies(z3.And(*self.path), fact)
            self.facts.append(fact)
            self._unknowns[key] = Term(self, new, least=least)
        return self._unknowns[key]

    def _numbers(self, terms: Sequence[Term]) -> Iterator[int]:
        """Give the numbers by which the solver knows terms and the path, 0 for a 1."""
        for term in terms:
            yield term.top.get_id()
            yield 0 if term.bottom is None else term.bottom.get_id()
        for fact in self.path:
            yield fact.get_id()
