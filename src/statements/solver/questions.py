r"""Put questions to z3, and end a run of texts that has none."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any


class Stopped(BaseException):
    """End a run of texts. It is no Exception, so that no `except` of a text catches it."""


class NotPolynomial(Stopped):
    """Say what of a text is no polynomial."""


class OutOfSteps(Stopped):
    """Say that the steps of the solver are used up, or that it hangs between two steps."""


class Undefined(Stopped):
    """Say where a text may be undefined: at the model of the solver, or without one it leaves that open."""

    def __init__(self, words: str, model: Any = None) -> None:
        super().__init__(words)
        self.model = model


class Solver:
    """Put questions to z3, of so many steps in all.

    z3 counts the steps itself, so that the answer is the same on each machine. Between two steps it may hang: a
    question that takes longer than `seconds` ends with an error of its own.
    """

    def __init__(self, steps: int, seconds: float) -> None:
        import z3

        self.z3, self.context, self.left, self.seconds = z3, z3.Context(), steps, seconds
        self.name = f"z3 {z3.get_version_string()}"
        self._known: dict[tuple[int, ...], tuple[str, Any, list[Any]]] = {}

    def ask(self, facts: Iterable[Any], most: int) -> tuple[str, Any]:
        """Return whether facts can hold together, sat, unsat or unknown, and a model; raise OutOfSteps.

        Two ways are tried, each of so many steps at most: z3 as it is, and with unknowns that equations give left out.
        """
        facts = list(facts)
        key = (most, *(fact.get_id() for fact in facts))
        if key not in self._known:
            found: tuple[str, Any] = ("unknown", None)
            for way in (self._plain, self._substituted):
                found = self._asked(way(), facts, most) if found[0] == "unknown" else found
            self._known[key] = *found, facts  # a fact that is kept keeps its number
        return self._known[key][:2]

    def _plain(self) -> Any:
        return self.z3.Solver(ctx=self.context)

    def _substituted(self) -> Any:
        solver = self.z3.Then("simplify", "solve-eqs", "smt", ctx=self.context).solver()
        solver.set("arith.nl.grobner", False)  # Gröbner bases go on for minutes between two steps
        return solver

    def _asked(self, solver: Any, facts: list[Any], most: int) -> tuple[str, Any]:
        if self.left <= 0:
            raise OutOfSteps("the steps of the solver do not suffice")
        solver.set("random_seed", 1)
        solver.set("rlimit", min(most, self.left))
        solver.set("timeout", round(1000 * self.seconds))
        before, start = solver.statistics().get_key_value("rlimit count"), time.monotonic()
        solver.add(*facts)
        found = str(solver.check())
        if found == "unknown" and time.monotonic() - start >= self.seconds:
            raise OutOfSteps(f"the solver hung for {self.seconds:g} seconds")
        self.left -= solver.statistics().get_key_value("rlimit count") - before
        return found, solver.model() if found == "sat" else None
