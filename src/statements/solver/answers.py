r"""Prove a statement for all instances of a size, or find one that refutes it.

Polynomial and rational statements are put to z3, as the formulas that their texts give;
what z3 says is not proved again. A statement that may be undefined is not proved. Nor
is one whose hypotheses no instance is known to meet: the formulas must say the same as
exact arithmetic on some instances, one of which meets them. What refutes a statement is
decided exactly. A space of finitely many instances is exhausted.
"""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, islice, product
from math import prod

import numpy as np
import z3
from z3 import BoolRef, ModelRef

from statements.decisions import Decision, decide
from statements.problem import REFUSALS, Problem
from statements.proof import Unproved
from statements.solver.instances import Case, Instance, cases
from statements.solver.questions import (
    Budget,
    NotPolynomial,
    OutOfSteps,
    Solver,
    Undefined,
)
from statements.solver.runs import GUARD, SMALL
from statements.solver.translation import Translator
from statements.space import Coordinate, Raws, SpaceType, raws_of

#: Steps of the solver for each of the questions that prove a size, and what an instance
#: that is decided costs.
MAIN = 1_500_000
DECIDED = 2_000
#: All instances of a size are decided where this takes no more than one in so many of
#: the steps that are left.
LISTED = 10
#: Instances at which formulas must say the same as exact arithmetic.
COMPARED = 12
#: Drawn instances whose place in a list is a multiple of this have coordinates at which
#: values coincide, multiples of one over `GRID` in the cube.
EVERY = 2
GRID = 4
#: Why an answer may be unknown.
UNMET = "no instance is known that meets the hypotheses"
SHORT = "the steps of the solver do not suffice"
UNCONFIRMED = (
    "exact arithmetic does not confirm what the solver found, nor anything near it"
)
#: Outcomes by what exact arithmetic says of an instance.
OUTCOMES = {"fails": "refuted", "undefined": "undefined"}


class Mistranslated(AssertionError):
    """Say that a formula and exact arithmetic differ, which must never be."""


@dataclass(frozen=True)
class Answer:
    """Hold what is known of all instances of one size.

    Laws without zeros are those with positive atoms. `outcome` is proved, refuted or
    undefined (at `raws`, decided exactly), unknown, or not polynomial, for the reason
    `why`. `by` names the solver with its version, which took so many `steps`; it is
    empty where all `cases` instances were decided one by one. What is the same for all
    answers of a size is said last.
    """

    outcome: str
    why: str = ""
    size: int = 0
    by: str = ""
    cases: int = 0
    steps: int = 0
    raws: Raws | None = None


def _drawn(space: SpaceType, size: int) -> Iterator[Raws]:
    """Give the same few instances each time, some of them where values coincide."""
    cube = np.random.default_rng(0).random((space.cube_width(size), COMPARED))
    cube[:, ::EVERY] = np.round(GRID * cube[:, ::EVERY]) / GRID
    drawn = space.draw(cube, size)
    return (raws_of(drawn, column) for column in range(COMPARED))


def _decided(
    problem: Problem,
    raws: Raws,
    budget: Budget,
) -> Decision:
    """Decide an instance, which costs steps."""
    budget.spend(DECIDED)
    budget.seconds_left()
    return decide(problem, raws)


@dataclass(frozen=True)
class _Question:
    """Ask whether a statement holds at all instances of a size."""

    problem: Problem
    size: int
    translator: Translator
    instance: Instance

    def answer(self) -> Answer:
        """Make formulas, compare them with exact arithmetic, and ask.

        What is undefined is decided exactly.
        """
        try:
            runs = cases(self.problem, self.translator, self.instance)
            return self._compared(runs) or self._asked(runs)
        except Undefined as error:
            if error.model is None:
                return Answer("unknown", str(error))
            return self._confirmed(error.model, "undefined")

    def _decided(self, raws: Raws) -> Decision:
        return _decided(self.problem, raws, self.translator.solver.budget)

    def _compared(self, runs: Sequence[Case]) -> Answer | None:
        """Compare formulas with exact arithmetic.

        Returns None where an instance is found that meets the hypotheses.
        """
        known = False
        drawn = _drawn(self.problem.space, self.size)
        for raws in chain(drawn, self._modelled(runs)):
            decision = self._decided(raws)
            outcome = decision.outcome
            if decision.arithmetic == "float":
                raise NotPolynomial("a float takes part")
            if outcome in OUTCOMES:
                return Answer(OUTCOMES[outcome], decision.why, raws=raws)
            if outcome != "undecided":
                agreed = self._agree(runs, self.instance.is_at(raws), outcome)
                known |= agreed and outcome == "holds"
        if known:
            return None
        return Answer("unknown", UNMET)

    def _modelled(self, runs: Sequence[Case]) -> Iterator[Raws]:
        """Give instances of which the solver says that they meet the hypotheses."""
        for case in runs:
            _, model = self.translator.solver.ask(case.facts, GUARD)
            if model is not None:
                for raws, _ in self.instance.raws(model):
                    yield raws

    def _agree(
        self,
        runs: Sequence[Case],
        equations: Sequence[BoolRef],
        outcome: str,
    ) -> bool:
        """Tell whether formulas say of an instance what exact arithmetic does.

        It is False where no formula speaks of the instance, or the solver leaves that
        open. Raises Mistranslated where they say something else.
        """
        said = False
        for case in runs:
            for holds, word in ((case.holds, "holds"), (z3.Not(case.holds), "fails")):
                facts = [*case.facts, *equations, holds]
                can_be, _ = self.translator.solver.ask(facts, SMALL)
                if can_be == "sat" and word != outcome:
                    raise Mistranslated(
                        f"the formula {word}, and exact arithmetic says {outcome},"
                        f" at {equations}"
                    )
                said |= can_be == "sat"
        return said

    def _asked(self, runs: Sequence[Case]) -> Answer:
        """Ask the solver for an instance at which a part of the statement fails."""
        left_open = False
        for case in runs:
            parts = [case.holds]
            if z3.is_and(case.holds):
                parts = case.holds.children()
            for part in parts:
                question = [*case.facts, z3.Not(part)]
                can_be, model = self.translator.solver.ask(question, MAIN)
                if model is not None:
                    return self._confirmed(model, "fails")
                left_open |= can_be == "unknown"
        if left_open:
            return Answer("unknown", SHORT)
        return Answer("proved", cases=len(runs))

    def _confirmed(self, model: ModelRef, wanted: str) -> Answer:
        """Return an outcome where exact arithmetic confirms it at a model, or near."""
        for raws, exact in self.instance.raws(model):
            decision = self._decided(raws)
            outcome = decision.outcome
            if outcome == wanted:
                return Answer(OUTCOMES[wanted], decision.why, raws=raws)
            if exact and wanted == "fails" and outcome in ("holds", "unmet"):
                raise Mistranslated(
                    f"the formula fails, and exact arithmetic says {outcome}, at {raws}"
                )
        return Answer("unknown", UNCONFIRMED)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Collect no garbage.

    By when that is done the solver numbers its formulas, and by the numbers it
    searches.
    """
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


@_no_collection()
def solve(
    problem: Problem,
    size: int,
    budget: Budget,
) -> Answer:
    """Ask the solver for a proof for all instances of a size.

    It may find an instance that refutes the statement. The answer depends on the
    version of the solver and on the steps of the budget; time and memory can only leave
    it open. Raises Mistranslated.
    """
    solver = Solver(budget)
    before = budget.left
    try:
        translator = Translator(solver)
        instance = Instance(translator, problem.space, size)
        answer = _Question(problem, size, translator, instance).answer()
    except NotPolynomial as error:
        answer = Answer("not polynomial", str(error))
    except OutOfSteps as error:
        answer = Answer("unknown", str(error))
    except z3.Z3Exception as error:
        if "out of memory" not in str(error):
            raise
        answer = Answer("unknown", "the memory of the solver does not suffice")
    except (*REFUSALS, AttributeError, KeyError) as error:
        answer = Answer("not polynomial", f"{type(error).__name__}: {error}")
    return replace(answer, size=size, by=solver.name, steps=before - budget.left)


def _values(item: Coordinate, most: int) -> tuple[Fraction, ...] | None:
    """Return all numbers that an entry of a coordinate may be, None for more."""
    if item.kind == "choice":
        values = tuple(dict.fromkeys(item.ends))
        if len(values) <= most:
            return values
        return None
    if item.kind != "range" or not item.whole:
        return None
    least, largest = map(int, item.ends)
    if largest - least >= most:
        return None
    return tuple(map(Fraction, range(least, largest + 1)))


def _why_open(decision: Decision) -> str:
    """Say why a decision is no proof, or nothing where it is one."""
    if decision.arithmetic == "float":
        return "a float takes part"
    if decision.equal:
        return "sides that agree to many bits are not shown to be equal"
    if decision.outcome == "undecided":
        return decision.why
    return ""


def exhaust(
    problem: Problem,
    size: int,
    budget: Budget,
) -> Answer | None:
    """Decide all instances of a size.

    Returns None where they are infinitely many, or too many.
    """
    before = budget.left
    most = budget.left // (LISTED * DECIDED)
    entries: list[tuple[Fraction, ...]] = []
    for item in problem.space.coordinates.values():
        values = _values(item, most)
        if values is None:
            return None
        entries += [values] * item.entries(size)
        if prod(map(len, entries)) > most:
            return None
    answer = _all_decided(problem, size, budget, entries)
    return replace(answer, size=size, steps=before - budget.left)


def _all_decided(
    problem: Problem,
    size: int,
    budget: Budget,
    entries: Sequence[tuple[Fraction, ...]],
) -> Answer:
    """Decide all instances whose entries are of these numbers."""
    met = 0
    coordinates = problem.space.coordinates.items()
    try:
        for numbers in product(*entries):
            left = iter(numbers)
            raws = {
                name: tuple(islice(left, item.entries(size)))
                for name, item in coordinates
            }
            decision = _decided(problem, raws, budget)
            outcome = decision.outcome
            if why := _why_open(decision):
                return Answer("unknown", why, raws=raws)
            if outcome in OUTCOMES:
                return Answer(OUTCOMES[outcome], decision.why, raws=raws)
            met += outcome == "holds"
    except OutOfSteps as error:
        return Answer("unknown", str(error))
    if not met:
        return Answer("unknown", "no instance meets the hypotheses")
    return Answer("proved", cases=met)


def settle(
    problem: Problem,
    most: int,
    budget: Budget,
) -> list[Answer]:
    """Return an answer for each size of a space up to the largest.

    The smallest size has one in any case. All share one budget.
    """
    sizes = sorted(problem.space.sizes)
    answers = []
    for size in sizes:
        if size <= max(most, sizes[0]):
            answer = exhaust(problem, size, budget)
            answers.append(answer or solve(problem, size, budget))
    return answers


def scope(space: SpaceType, answers: Sequence[Answer]) -> str:
    """Say for which sizes a statement is proved, and by what.

    It is "" where it is proved for none.
    """
    proved = [one for one in answers if one.outcome == "proved"]
    if not proved:
        return ""
    provers = sorted({one.by or "trying all instances" for one in proved})
    by = " and ".join(provers)
    if not space.vectors():
        return f"all arguments in their ranges by {by}"
    return f"{_points([one.size for one in proved])} by {by}"


def _points(sizes: Sequence[int]) -> str:
    """Return sizes as words: "1 point", "2 and 3 points"."""
    *some, last = map(str, sizes)
    if some:
        return f"{', '.join(some)} and {last} points"
    if last == "1":
        return "1 point"
    return f"{last} points"


def proved_sizes(problem: Problem, most: int) -> str:
    """Return for which sizes, and by what, a statement is proved.

    Raises Unproved where it is not proved for one of them.
    """
    answers = settle(problem, most, Budget())
    for one in answers:
        if one.outcome != "proved":
            reason = one.outcome
            if one.why:
                reason += f", {one.why}"
            raise Unproved(f"not proved for all instances of size {one.size}: {reason}")
    return scope(problem.space, answers)
