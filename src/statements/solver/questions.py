r"""Put questions to z3, and end a run of texts that has none."""

import time
from collections.abc import Iterable, Sequence
from math import ceil

import z3
from z3 import BoolRef, ModelRef

#: Steps of the solver for all sizes of a statement; what it may take of the clock in
#: seconds, and of memory in MB.
STEPS = 30_000_000
SECONDS = 120
MEMORY = 2_000
#: Whether facts can hold together, sat, unsat or unknown, and a model where they can.
Reply = tuple[str, ModelRef | None]


class Stopped(BaseException):
    """End a run of texts.

    It is no Exception, so that no `except` of a text catches it.
    """


class NotPolynomial(Stopped):
    """Say what of a text is no polynomial."""


class OutOfSteps(Stopped):
    """Say that steps, time or memory are used up."""


class Undefined(Stopped):
    """Say where a text may be undefined.

    That is at the model of the solver; without one the solver leaves it open.
    """

    def __init__(self, words: str, model: ModelRef | None = None) -> None:
        super().__init__(words)
        self.model = model


class Budget:
    """Hold how many steps are left for a statement, all its sizes together.

    A step is one of z3, which counts them itself, so that the answer is the same on
    each machine. The deciding of an instance and the making of a formula cost some as
    well. Between two steps z3 may hang: what takes longer than `seconds` in all is left
    open.
    """

    def __init__(self, steps: int = STEPS, seconds: float = SECONDS) -> None:
        self.steps = steps
        self.left = steps
        self.seconds = seconds
        self._start = time.monotonic()

    def seconds_left(self) -> float:
        """Return the seconds that are left; raise OutOfSteps where there are none."""
        left = self.seconds - (time.monotonic() - self._start)
        if left <= 0:
            raise OutOfSteps(f"it takes more than {self.seconds:g} seconds")
        return left

    def spend(self, steps: int) -> None:
        """Take steps; raise OutOfSteps where none were left."""
        if self.left <= 0:
            raise OutOfSteps("the steps of the solver do not suffice")
        self.left -= steps


class Solver:
    """Put questions to z3, which takes its steps from a budget."""

    def __init__(self, budget: Budget) -> None:
        z3.set_param("memory_max_size", MEMORY)
        self.context = z3.Context()
        self.budget = budget
        self.name = f"z3 {z3.get_version_string()}"
        self._known: dict[tuple[int, ...], tuple[Reply, Sequence[BoolRef]]] = {}

    def ask(self, facts: Iterable[BoolRef], most: int) -> Reply:
        """Return whether facts can hold together, sat, unsat or unknown, and a model.

        Two ways are tried, each of so many steps at most: z3 as it is, and with
        unknowns that equations give left out. Raises OutOfSteps.
        """
        facts = list(facts)
        key = (most, *(fact.get_id() for fact in facts))
        if key not in self._known:
            reply = self._asked(self._plain(), facts, most)
            if reply[0] == "unknown":
                reply = self._asked(self._substituted(), facts, most)
            self._known[key] = reply, facts  # a fact that is kept keeps its number
        return self._known[key][0]

    def _plain(self) -> z3.Solver:
        """Return a solver that does nothing before it is asked, when steps count.

        A plain `Solver` expands products.
        """
        return z3.Tactic("default", ctx=self.context).solver()

    def _substituted(self) -> z3.Solver:
        solver = z3.Then("simplify", "solve-eqs", "smt", ctx=self.context).solver()
        # Gröbner bases go on for minutes between two steps
        solver.set("arith.nl.grobner", False)
        return solver

    def _asked(
        self,
        solver: z3.Solver,
        facts: Sequence[BoolRef],
        most: int,
    ) -> Reply:
        self.budget.spend(0)
        solver.set("random_seed", 1)
        solver.set("rlimit", min(most, self.budget.left))
        solver.set("timeout", ceil(1000 * self.budget.seconds_left()))
        before = _steps(solver)
        solver.add(*facts)
        can_be = str(solver.check())
        if can_be == "unknown":
            self.budget.seconds_left()
        self.budget.left -= _steps(solver) - before
        return can_be, solver.model() if can_be == "sat" else None


def _steps(solver: z3.Solver) -> int:
    """Return how many steps z3 has counted in a context."""
    counted: dict[str, int] = dict(iter(solver.statistics()))
    return counted.get("rlimit count", 0)
