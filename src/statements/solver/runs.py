r"""What is known of an instance in one run of the texts, and what they ask of the solver on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any

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
        self.z3 = solver.z3
        self.context = solver.context
        self.restart([])

    def restart(self, answers: Sequence[tuple[bool, bool]]) -> None:
        """Begin a run in which Python gets these answers first."""
        self.answers = list(answers)
        self.given = 0
        self.facts: list[Any] = []
        self.path: list[Any] = []
        self._names = count()
        self._made: dict[tuple[Any, ...], Term] = {}

    def possible(self, *more: Any) -> bool:
        """Tell whether more can hold on this path, or whether that is open."""
        return self.solver.ask([*self.facts, *self.path, *more], SMALL)[0] != "unsat"

    def never(self, words: str, *more: Any) -> None:
        """Raise Undefined where more can hold on this path, or where that is open."""
        found, model = self.solver.ask([*self.facts, *self.path, *more], GUARD)
        if found != "unsat":
            raise Undefined(
                words if found == "sat" else f"whether there is a {words} is open",
                model,
            )

    def answer(self, holds: Any) -> bool:
        """Answer Python's question whether a formula is true: a fact of this run, where both can be."""
        if self.given == len(self.answers):
            yes = self.possible(holds)
            no = self.possible(self.z3.Not(holds))
            self.answers.append((yes, not (yes and no)))
        said, only = self.answers[self.given]
        self.given += 1
        if not only:
            self.facts.append(holds if said else self.z3.Not(holds))
        return said

    @contextmanager
    def branch(self, *more: Any) -> Iterator[list[Any]]:
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
        facts: Callable[[Any], Any],
        least: int | None,
    ) -> Term:
        """Return an unknown that is made of terms; its facts are noted for this path, and once."""
        parts = [
            *(part for term in terms for part in (term.top, term.bottom)),
            *self.path,
        ]
        key = (kind, *(0 if part is None else part.get_id() for part in parts))
        if key not in self._made:
            sort = self.z3.Int if kind == "floor" else self.z3.Real
            new = sort(f"{kind} {next(self._names)}", self.context)
            found = self.z3.And(*facts(new))
            self.facts.append(
                self.z3.Implies(self.z3.And(*self.path), found) if self.path else found
            )
            self._made[key] = Term(self, new, least=least)
        return self._made[key]
