r"""Check a statement over a space: look, attack, decide, shorten, and try mutants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import TypeVar

import numpy as np
from numpy.random import Generator

from statements.arithmetic import mode
from statements.attack import Evolution, ManyPoints, attack
from statements.batches import Batch, look, prepare, reached
from statements.cost import affordable
from statements.decisions import Decision, decide, nearby
from statements.exhibit import exhibit
from statements.mutants import challenge
from statements.outcome import Doubt, Outcome
from statements.problem import Problem, listed, pose, spaces_of
from statements.proving import prove
from statements.render.texts import typeset
from statements.rewrite import SourceError
from statements.script import script
from statements.shrinking import shrink
from statements.space import Raw, Raws, SpaceType, Text

T = TypeVar("T")
Several = list[T] | tuple[T, ...]
#: Of a text that is computed one instance at a time, so many times fewer are looked at.
SINGLE = 20
#: One draw in so many lies on a coarse grid, where values coincide; steps of that.
COARSE = 32
STEPS = 4
#: Entries of the vectors from which on fewer instances are looked at.
LONG = 8
#: How many of the sizes of vectors, the smallest ones, are attacked.
ATTACKED = 2
#: A search where little is tried.
SHORT = Evolution(islands=2, members=12, generations=12)
#: Instances of many points that are decided, of those drawn and of those searched.
DECIDED_FAR = 2
#: A further space, a family that reaches, gets a part of the effort, one in so many.
FURTHER = 4
#: Of the instances to decide, one in so many may fail before the rest is left out.
ENOUGH_FAIL = 4
#: What the score of an instance counts as that is no number: it is decided first.
UNDEFINED = -2.0
#: Roles, and the statement of a check that proofs are about, the first that it has.
PROVED_FIRST = ("corrected", "condition", "defined", "printed")


class NoInstance(ValueError):
    """Say that no instance meets the hypotheses, so that nothing was checked."""


class NotRefuted(ValueError):
    """Say that what had to be false was not refuted."""


@dataclass(frozen=True)
class Effort:
    """Hold how much is tried at most.

    That is instances in floats, `samples`, instances decided `exact`, and `mutants`.
    """

    samples: int = 40_000
    exact: int = 300
    mutants: int = 120


EFFORT = Effort()

# Instances in floats


def _gather(problem: Problem, rng: Generator, samples: int) -> list[Batch]:
    """Look at random instances of each size, and attack the two smallest sizes."""
    prepare(problem, rng)
    batches = []
    sizes = problem.space.sizes
    if problem.one_at_a_time:
        samples = samples // SINGLE
    for size in sizes:
        count = samples // len(sizes) * LONG // max(size, LONG)
        width = problem.space.cube_width(size)
        cube = rng.random((width, max(count, 1)))
        coarse = cube[:, ::COARSE]
        cube[:, ::COARSE] = np.round(STEPS * coarse) / STEPS
        batch = look(problem, size, cube)
        batch.values.clear()  # of all instances they take much room
        batches.append(batch)
    effort = SHORT if problem.one_at_a_time else Evolution()
    for size in sizes[:ATTACKED]:
        batches.append(attack(problem, size, rng, effort))
    return batches


def _gather_far(
    problem: Problem,
    rng: Generator,
    samples: int,
) -> list[Batch]:
    """Look at laws of many points, and attack the statement there.

    It is done where a text takes many instances at once.
    """
    counted = any(item.whole for item in problem.space.vectors().values())
    if problem.one_at_a_time or counted or not problem.space.sizes_far:
        return []
    size = affordable(problem)
    if size in problem.space.sizes:
        return []
    many = ManyPoints(problem.space, size)
    cube = rng.random((many.width, max(samples * LONG // size, LONG)))
    batch = look(problem, size, many.cube(cube))
    batch.values.clear()
    return [batch, attack(problem, size, rng, SHORT, many)]


def _chosen(
    batches: Sequence[Batch],
    rng: Generator,
    most: int,
) -> list[tuple[Batch, int]]:
    """Return instances to decide: violated, the narrowest, and random ones."""
    score = np.concatenate([batch.ranked(UNDEFINED) for batch in batches])
    feasible = np.isfinite(score).sum()
    rows = np.argsort(score, kind="stable")[:feasible]
    wrong = int((score < 0).sum())
    half = most // 2
    if wrong > most:  # rounding can make many: the worst of them, and some of all
        some = rng.permutation(rows[half:wrong])[: most - half]
        rows = np.r_[rows[:half], some, rows[wrong:]]
    cut = max(half, min(wrong, most))
    ends = np.cumsum([batch.margin.size for batch in batches])
    chosen = []
    others = rng.permutation(rows[cut:])[: most - half]
    for row in np.r_[rows[:cut], others]:
        at = int(np.searchsorted(ends, row, side="right"))
        first = ends[at] - batches[at].margin.size
        chosen.append((batches[at], int(row - first)))
    return chosen


# Exact decisions


def _judge(
    role: str,
    problem: Problem,
    rng: Generator,
    effort: Effort,
) -> Outcome:
    """Look, decide some of it, shorten a counterexample, or else try mutants.

    Raises NoInstance where no instance meets the hypotheses, and NotRefuted where the
    example by hand does not fail.
    """
    batches = _gather(problem, rng, effort.samples)
    chosen = _chosen(batches, rng, effort.exact)
    (apart,) = rng.spawn(1)
    further = _gather_far(problem, apart, effort.samples)
    for batch in further:
        chosen += _chosen([batch], apart, DECIDED_FAR)
    outcome = Outcome(role, problem.statement.text, typeset(problem))
    everywhere = [*batches, *further]
    for batch in everywhere:
        outcome.looked += int(batch.feasible.sum())
        outcome.drawn += batch.margin.size
        outcome.reaches(reached(problem.space, batch))
    failed = _decide(outcome, problem, everywhere, chosen, effort.exact)
    if not outcome.decided:
        raise NoInstance(
            f"no instance of {problem.space.__name__} meets the hypotheses: nothing was"
            " checked"
        )
    shown = None
    if problem.example:
        _decide_example(outcome, problem)
    elif failed:
        shown = shrink(problem, failed)
    if outcome.decided["fails"]:
        _show(outcome, problem, shown)
    else:
        outcome.controls = challenge(problem, batches, further, rng, effort.mutants)
    return outcome


def _decide(
    outcome: Outcome,
    problem: Problem,
    batches: Sequence[Batch],
    chosen: Sequence[tuple[Batch, int]],
    most: int,
) -> Raws | None:
    """Count how instances are decided; return the one that fails by most.

    The narrowest of all, rounded, come first, and do not count where they hold; then
    those that were chosen.
    """
    names = list(problem.space.coordinates)

    @cache  # equal instances once
    def decided(*raws: Raw) -> Decision:
        return decide(problem, dict(zip(names, raws, strict=True)))

    narrow = ((raws, False) for raws in nearby(problem, batches))
    others = ((batch.raws(column), True) for batch, column in chosen)
    failed: list[tuple[int, float, int, Raws]] = []
    for raws, counts in chain(narrow, others):
        decision = decided(*raws.values())
        if not (counts or decision.refutes):
            continue
        outcome.count(decision)
        _doubt(outcome, problem, raws, decision)
        if decision.outcome == "fails":
            tens_of_points = max(map(len, raws.values())) // 10
            order = len(failed)  # of equal ones the first
            failed.append((tens_of_points, decision.margin, order, raws))
        if len(failed) >= most // ENOUGH_FAIL:
            break
    return min(failed)[-1] if failed else None


def _decide_example(outcome: Outcome, problem: Problem) -> None:
    """Count how the example is decided; raise NotRefuted where it does not fail."""
    decision = decide(problem, None)
    if decision.outcome != "fails":
        came_out = f"{decision.outcome} {decision.why}".rstrip()
        raise NotRefuted(f"the statement does not fail at the example: {came_out}")
    outcome.count(decision)


def _doubt(
    outcome: Outcome,
    problem: Problem,
    raws: Raws,
    decision: Decision,
) -> None:
    """Keep the first instance of each kind that decides nothing, with the reason."""
    kind = "float" if decision.arithmetic == "float" else decision.outcome
    if kind in ("undecided", "undefined", "float") and kind not in outcome.doubts:
        with mode("exact"):
            instance = problem.instance(raws)
        example = exhibit(problem, instance, by_hand=False)
        outcome.doubts[kind] = Doubt(example, decision.why)


def _show(outcome: Outcome, problem: Problem, raws: Raws | None) -> None:
    """Write out the instance that an outcome shows, as text and as a script."""
    with mode("exact"), suppress(SourceError):
        instance = problem.instance(raws)
        outcome.by_hand = raws is None
        outcome.example = exhibit(problem, instance, by_hand=outcome.by_hand)
        outcome.script = script(problem, None if outcome.by_hand else instance)


# A check of all statements of a claim


@dataclass(frozen=True)
class _Stated:
    """Hold a statement of a check, its role, its hypotheses, and an example by hand."""

    role: str
    statement: Text | None
    hypotheses: list[Text]
    at: Text | None = None


def _over(
    on: SpaceType | Several[SpaceType] | None,
    stated: _Stated,
    rng: Generator,
    effort: Effort,
) -> tuple[Problem, Outcome]:
    """Judge a statement over the first space, with less effort over further ones."""
    first, *further = spaces_of(on)
    problem = pose(first, stated.statement, stated.hypotheses, stated.at)
    outcome = _judge(stated.role, problem, rng, effort)
    less = replace(
        effort,
        samples=effort.samples // FURTHER,
        exact=max(effort.exact // FURTHER, FURTHER),
    )
    for space in further:
        if outcome.decided["fails"]:
            break
        other = pose(space, stated.statement, stated.hypotheses)
        outcome.join(_judge(stated.role, other, rng, less))
    return problem, outcome


def check(
    on: SpaceType | Several[SpaceType] | None,
    *,
    rng: Generator,
    printed: Text | None = None,
    given: Text | Several[Text] = (),
    condition: Text | Several[Text] | None = None,
    corrected: Text | None = None,
    defined: Text | None = None,
    proof: Text | None = None,
    part: str = "",
    at: Text | None = None,
    solve: int = 0,
    effort: Effort = EFFORT,
) -> list[Outcome]:
    """Check a statement and return an outcome for each role that was given.

    `on` is a space, or several: to the first one belongs `at`, the rest are families
    that reach further, with the same names. `printed`, `corrected`, `defined` are
    statements, `given` hypotheses of all; with `condition` the printed one must fail
    and then hold, with `at` fail on what this lambda gives; `proof` is made of facts,
    which are the statement, or prove the step named by `part`; with `solve` all
    instances of each size of the first space up to that one must be proved, by z3 or
    one by one, see `statements.solver`; `effort` says how much is tried at most. Raises
    NameError, SourceError, NoInstance, NotRefuted, or Unproved.
    """
    if not isinstance(rng, Generator):
        raise TypeError(f"rng must be a numpy Generator, got {rng!r}")
    outcomes: dict[str, Outcome] = {}
    problems: dict[str, Problem] = {}
    hypotheses = listed(given)
    under = printed if condition else None
    for stated in (
        _Stated("printed", printed, hypotheses, at),
        _Stated("condition", under, [*hypotheses, *listed(condition)]),
        _Stated("corrected", corrected, hypotheses),
        _Stated("defined", defined, hypotheses),
    ):
        if stated.statement is not None:
            role = stated.role
            problems[role], outcomes[role] = _over(on, stated, rng, effort)
    _need_condition(condition, outcomes)
    wanted = next(filter(problems.__contains__, PROVED_FIRST), "")
    if solve and wanted and outcomes[wanted].verdict == "holds":
        from statements.solver.answers import (
            proved_sizes,  # it loads z3, of many megabytes
        )

        outcomes[wanted].sizes = proved_sizes(problems[wanted], solve)
    if proof is not None:
        outcomes["proof"] = prove(proof, part, problems.get(wanted), rng)
    if not outcomes:
        raise ValueError("a check needs printed, corrected, defined or proof, got none")
    return list(outcomes.values())


def _need_condition(condition: object, outcomes: Mapping[str, Outcome]) -> None:
    """Raise NotRefuted where a statement does not fail without its condition."""
    if condition is None:
        return
    first, *_ = outcomes.values()
    if not first.decided["fails"]:
        raise NotRefuted(
            "the printed statement does not fail without the condition, so the"
            " condition is not needed"
        )


def twin(
    on: SpaceType | Several[SpaceType],
    *,
    rng: Generator,
    printed: Text,
    given: Text | Several[Text] = (),
    at: Text | None = None,
    effort: Effort = EFFORT,
) -> Outcome:
    """Check a near miss of a true statement, known to be false, and return its outcome.

    Raises NotRefuted if it is not refuted.
    """
    (outcome,) = check(
        on,
        rng=rng,
        printed=printed,
        given=given,
        at=at,
        effort=effort,
    )
    if outcome.verdict != "false":
        raise NotRefuted(
            f"the false twin {outcome.text} was not refuted: {outcome.line()}"
        )
    return outcome
