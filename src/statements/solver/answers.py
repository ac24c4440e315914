r"""Prove a statement for all instances of a size, or find one that refutes it.

Polynomial and rational statements are put to z3, as the formulas that their texts give;
what z3 says is not proved again. A statement that may be undefined is not proved. Nor
is one whose hypotheses no instance is known to meet: the formulas must say the same as
exact arithmetic on some instances, one of which meets them. What refutes a statement is
decided exactly. A space of finitely many instances is exhausted.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, islice, product
from math import prod
from typing import Any

import numpy as np

from statements.arithmetic import simplest
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
from statements.space import Coordinate, Raw, Space

#: Steps of the solver for each of the questions that prove a size, and what an instance
#: that is decided costs.
MAIN = 1_500_000
DECIDED = 2_000
#: All instances of a size are decided where this takes no more than one in so many of
#: the steps that are left.
LISTED = 10
#: Instances at which formulas must say the same as exact arithmetic.
COMPARED = 12
#: Outcomes by what exact arithmetic says of an instance.
OUTCOMES = {"fails": "refuted", "undefined": "undefined"}


class Mistranslated(AssertionError):
    """Say that a formula and exact arithmetic differ at an instance, which must never be."""


@dataclass(frozen=True)
class Answer:
    """Hold what is known of all instances of one size. Laws without zeros are those with positive atoms.

    `outcome` is proved, refuted or undefined (at `raws`, decided exactly), unknown, or
    not polynomial, for the reason `why`. `by` names the solver with its version, which
    took so many `steps`; it is empty where all `cases` instances were decided one by
    one.
    """

    outcome: str
    size: int
    why: str = ""
    by: str = ""
    cases: int = 0
    steps: int = 0
    raws: Mapping[str, Raw] | None = None


def _drawn(space: type[Space], size: int) -> list[dict[str, Raw]]:
    """Return the same few instances each time, some of them where values coincide."""
    cube = np.random.default_rng(0).random((sum(space.widths(size)), COMPARED))
    cube[:, ::2] = np.round(4 * cube[:, ::2]) / 4
    drawn = space.draw(cube, size)
    return [
        {n: tuple(simplest(float(x)) for x in part[:, k]) for n, part in drawn.items()}
        for k in range(COMPARED)
    ]


def _decided(problem: Problem, raws: Mapping[str, Raw], budget: Budget) -> Decision:
    """Decide an instance, which costs steps."""
    budget.spend(DECIDED)
    budget.seconds_left()
    return decide(problem, raws)


def _modelled(
    at: Translator, instance: Instance, runs: Sequence[Case]
) -> Iterator[dict[str, Raw]]:
    """Give instances of which the solver says that they meet the hypotheses."""
    for case in runs:
        model = at.solver.ask(case.facts, GUARD)[1]
        for raws, _ in instance.raws(model) if model else ():
            yield raws


def _agree(
    at: Translator, runs: Sequence[Case], equations: Sequence[Any], outcome: str
) -> bool:
    """Tell whether formulas say of an instance what exact arithmetic does; raise Mistranslated if not.

    It is False where no formula speaks of the instance, or the solver leaves that open.
    """
    said = False
    for case in runs:
        for holds, word in ((case.holds, "holds"), (at.z3.Not(case.holds), "fails")):
            can_be, _ = at.solver.ask([*case.facts, *equations, holds], SMALL)
            if can_be == "sat" and word != outcome:
                raise Mistranslated(
                    f"the formula {word}, and exact arithmetic says {outcome}, at {equations}"
                )
            said |= can_be == "sat"
    return said


def _compared(
    problem: Problem,
    size: int,
    at: Translator,
    instance: Instance,
    runs: Sequence[Case],
) -> Answer | None:
    """Compare formulas with exact arithmetic; return None where an instance is found that meets the hypotheses."""
    known = False
    for raws in chain(_drawn(problem.space, size), _modelled(at, instance, runs)):
        found = _decided(problem, raws, at.solver.budget)
        if found.arithmetic == "float":
            raise NotPolynomial("a float takes part")
        if found.outcome in OUTCOMES:
            return Answer(OUTCOMES[found.outcome], size, found.why, raws=raws)
        if found.outcome != "undecided":
            agreed = _agree(at, runs, instance.is_at(raws), found.outcome)
            known |= agreed and found.outcome == "holds"
    return (
        None
        if known
        else Answer("unknown", size, "no instance is known that meets the hypotheses")
    )


def _asked(
    problem: Problem,
    size: int,
    at: Translator,
    instance: Instance,
    runs: Sequence[Case],
) -> Answer:
    """Ask the solver for an instance at which a part of the statement fails."""
    left_open = False
    for case in runs:
        for part in case.holds.children() if at.z3.is_and(case.holds) else [case.holds]:
            can_be, model = at.solver.ask([*case.facts, at.z3.Not(part)], MAIN)
            if can_be == "sat":
                return _confirmed(problem, size, instance, model, "fails")
            left_open |= can_be == "unknown"
    if left_open:
        return Answer("unknown", size, "the steps of the solver do not suffice")
    return Answer("proved", size, cases=len(runs))


def _confirmed(
    problem: Problem, size: int, instance: Instance, model: Any, wanted: str
) -> Answer:
    """Return an outcome where exact arithmetic confirms it at what a model says, or near that."""
    for raws, exact in instance.raws(model):
        found = _decided(problem, raws, instance.at.solver.budget)
        if found.outcome == wanted:
            return Answer(OUTCOMES[wanted], size, found.why, raws=raws)
        if exact and wanted == "fails" and found.outcome in ("holds", "unmet"):
            raise Mistranslated(
                f"the formula fails, and exact arithmetic says {found.outcome}, at {raws}"
            )
    return Answer(
        "unknown",
        size,
        "exact arithmetic does not confirm what the solver found, nor anything near it",
    )


def _solved(problem: Problem, size: int, at: Translator) -> Answer:
    """Make formulas, compare them with exact arithmetic, and ask; what is undefined is decided exactly."""
    instance = Instance(at, problem.space, size)
    try:
        runs = cases(problem, at, instance)
        return _compared(problem, size, at, instance, runs) or _asked(
            problem, size, at, instance, runs
        )
    except Undefined as error:
        if error.model is None:
            return Answer("unknown", size, str(error))
        return _confirmed(problem, size, instance, error.model, "undefined")


@contextmanager
def _no_collection() -> Iterator[None]:
    """Collect no garbage: by when that is done the solver numbers its formulas, and by the numbers it searches."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


@_no_collection()
def solve(problem: Problem, size: int, budget: Budget | None = None) -> Answer:
    """Ask the solver for a proof for all instances of a size, or for an instance that refutes the statement.

    The answer depends on the version of the solver and on the steps of the budget; time
    and memory can only leave it open. Raises Mistranslated.
    """
    budget = budget or Budget()
    solver = Solver(budget)
    before = budget.left
    try:
        found = _solved(problem, size, Translator(solver))
    except NotPolynomial as error:
        found = Answer("not polynomial", size, str(error))
    except OutOfSteps as error:
        found = Answer("unknown", size, str(error))
    except solver.z3.Z3Exception as error:
        if "out of memory" not in str(error):
            raise
        found = Answer("unknown", size, "the memory of the solver does not suffice")
    except (*REFUSALS, AttributeError, KeyError) as error:
        found = Answer("not polynomial", size, f"{type(error).__name__}: {error}")
    return replace(found, by=solver.name, steps=before - budget.left)


def _values(item: Coordinate, most: int) -> tuple[Fraction, ...] | None:
    """Return all numbers that an entry of a coordinate may be, or None where they are more than so many."""
    if item.kind == "choice":
        found = tuple(dict.fromkeys(item.ends))
        return found if len(found) <= most else None
    if item.kind != "range" or not item.whole:
        return None
    least, largest = map(int, item.ends)
    return (
        tuple(map(Fraction, range(least, largest + 1)))
        if largest - least < most
        else None
    )


def _open(found: Decision) -> str:
    """Say why a decision is no proof, or nothing where it is one."""
    if found.arithmetic == "float":
        return "a float takes part"
    if found.equal:
        return "sides that agree to many bits are not shown to be equal"
    return found.why if found.outcome == "undecided" else ""


def exhaust(problem: Problem, size: int, budget: Budget | None = None) -> Answer | None:
    """Decide all instances of a size, or return None where they are infinitely many, or too many."""
    budget = budget or Budget()
    before = budget.left
    most = budget.left // (LISTED * DECIDED)
    entries: list[tuple[Fraction, ...]] = []
    for item in problem.space.coordinates.values():
        values = _values(item, most)
        if values is None:
            return None
        entries += [values] * (size if item.vector else 1)
        if prod(map(len, entries)) > most:
            return None
    found = _all_decided(problem, size, budget, entries)
    return replace(found, steps=before - budget.left)


def _all_decided(
    problem: Problem, size: int, budget: Budget, entries: Sequence[tuple[Fraction, ...]]
) -> Answer:
    """Decide all instances whose entries are of these numbers."""
    met = 0
    names = problem.space.coordinates
    try:
        for numbers in product(*entries):
            left = iter(numbers)
            raws = {
                name: tuple(islice(left, size if item.vector else 1))
                for name, item in names.items()
            }
            found = _decided(problem, raws, budget)
            if why := _open(found):
                return Answer("unknown", size, why, raws=raws)
            if found.outcome in OUTCOMES:
                return Answer(OUTCOMES[found.outcome], size, found.why, raws=raws)
            met += found.outcome == "holds"
    except OutOfSteps as error:
        return Answer("unknown", size, str(error))
    return (
        Answer("proved", size, cases=met)
        if met
        else Answer("unknown", size, "no instance meets the hypotheses")
    )


def settle(problem: Problem, most: int, budget: Budget | None = None) -> list[Answer]:
    """Return an answer for each size of a space up to the largest, or for its smallest one, within one budget."""
    budget = budget or Budget()
    least, *more = sorted(problem.space.sizes)
    sizes = [least, *(size for size in more if size <= most)]
    return [
        exhaust(problem, size, budget) or solve(problem, size, budget) for size in sizes
    ]


def scope(space: type[Space], answers: Sequence[Answer]) -> str:
    """Say for which sizes a statement is proved, and by what; nothing where it is proved for none."""
    proved = [one for one in answers if one.outcome == "proved"]
    if not proved:
        return ""
    by = sorted({one.by or "trying all instances" for one in proved})
    if not any(item.vector for item in space.coordinates.values()):
        return f"all arguments in their ranges by {' and '.join(by)}"
    *some, last = (str(one.size) for one in proved)
    sizes = f"{', '.join(some)} and {last}" if some else last
    return f"{sizes} point{'s' * (sizes != '1')} by {' and '.join(by)}"


def proved_sizes(problem: Problem, most: int, budget: Budget | None = None) -> str:
    """Return for which sizes, and by what, a statement is proved; raise Unproved where it is not for one of them."""
    answers = settle(problem, most, budget)
    for one in answers:
        if one.outcome != "proved":
            reason = f"{one.outcome}, {one.why}" if one.why else one.outcome
            raise Unproved(f"not proved for all instances of size {one.size}: {reason}")
    return scope(problem.space, answers)
