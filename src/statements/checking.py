r"""Check a statement over a space: look, attack, decide, shorten, and try changed texts of it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import cache, partial
from typing import Any

import numpy as np

from statements.arithmetic import mode
from statements.exhibit import exhibit
from statements.mutants import challenge
from statements.outcome import Doubt, Outcome
from statements.proving import prove
from statements.render import typeset
from statements.rewrite import SourceError, Unit, make, read
from statements.script import script
from statements.search import (
    EFFORT,
    Batch,
    Decision,
    Problem,
    affordable,
    attack,
    decide,
    form_width,
    formed,
    look,
    nearby,
    prepare,
    reached,
    shrink,
)
from statements.solver import proved_sizes
from statements.space import Raw, Space

#: Instances looked at in floats, and decided exactly; changed texts; of a text computed
#: one at a time, one in so many.
LOOKED = 40_000
DECIDED = 300
NEAR = 120
SINGLE = 20
#: One draw in so many lies on a coarse grid, where values coincide.
COARSE = 32
#: Entries of the vectors from which on fewer instances are looked at.
LONG = 8
#: Islands, members and generations of a search where little is tried.
FEWER = (2, 12, 12)
#: Instances of many points that are decided, of those drawn and of those searched.
DECIDED_FAR = 2
#: A further space, a family that reaches, gets a part of the effort, one in so many.
FURTHER = 4


class NoInstance(ValueError):
    """Say that no instance meets the hypotheses, so that nothing was checked."""


class NotRefuted(ValueError):
    """Say that what had to be false was not refuted."""


def _spaces(on: Any) -> list[type[Space]]:
    """Return the spaces of a check: one, or several of which the first one has the names of the rest."""
    found = [*on] if isinstance(on, list | tuple) else [on]
    for space in found:
        if not (isinstance(space, type) and issubclass(space, Space)):
            raise TypeError(
                f"on must be a subclass of Space, or several, got {space!r}"
            )
    if not found:
        raise TypeError(f"on must be a subclass of Space, or several, got {on!r}")
    return found


def _problem(
    space: type[Space], statement: Any, given: Sequence[Any], at: Any = None
) -> Problem:
    (space,) = _spaces(space)
    known: dict[Any, Unit] = {}
    quantities = {name: read(f, name, known) for name, f in space.quantities.items()}
    stated = [
        read(f, "a hypothesis", known) for f in (*space.constraints.values(), *given)
    ]
    units = [*quantities.values(), *stated, read(statement, "the statement", known)]
    names = {*space.coordinates, *space.quantities}
    for unit, name in [(item, name) for item in units for name in item.parameters]:
        if name not in names:
            near = ", ".join(get_close_matches(name, sorted(names))) or "-"
            raise NameError(
                f"{unit.called} names {name!r}, which {space.__name__} does not have; near it: {near}"
            )
        if name in quantities:
            unit.uses[name] = quantities[name]
    example = at and read(at, "the example", known)
    return Problem(space, stated, units[-1], make(known.values()), quantities, example)


def _gather(problem: Problem, rng: np.random.Generator, looked: int) -> list[Batch]:
    """Look at random instances of each size, and attack the statement for the two smallest."""
    prepare(problem, rng)
    found = []
    few = problem.one_at_a_time
    sizes = problem.space.sizes
    for size in sizes:
        count = looked // (SINGLE if few else 1) // len(sizes) * LONG // max(size, LONG)
        cube = rng.random((sum(problem.space.widths(size)), max(count, 1)))
        cube[:, ::COARSE] = np.round(4 * cube[:, ::COARSE]) / 4
        found.append(look(problem, size, cube))
        found[-1].values.clear()  # of all instances they take much room
    effort = FEWER if few else EFFORT
    return [*found, *(attack(problem, size, rng, effort=effort) for size in sizes[:2])]


def _gather_far(problem: Problem, rng: np.random.Generator, looked: int) -> list[Batch]:
    """Look at laws of many points, and attack the statement there, where its text takes many instances at once."""
    counted = any(
        item.vector and item.whole for item in problem.space.coordinates.values()
    )
    if problem.one_at_a_time or counted or not problem.space.sizes_far:
        return []
    size = affordable(problem)
    if size in problem.space.sizes:
        return []
    width = form_width(problem.space)
    form = partial(formed, problem.space, size)
    cube = rng.random((width, max(looked * LONG // size, LONG)))
    found = look(problem, size, form(cube))
    found.values.clear()
    return [found, attack(problem, size, rng, FEWER, width, form)]


def _chosen(
    batches: Sequence[Batch], rng: np.random.Generator, most: int
) -> list[tuple[Batch, int]]:
    """Return instances to decide: what looks violated, the narrowest ones, and random ones."""
    score = np.concatenate(
        [
            np.where(b.feasible, np.nan_to_num(b.score, nan=-2.0), np.inf)
            for b in batches
        ]
    )
    rows = np.argsort(score, kind="stable")[: np.isfinite(score).sum()]
    wrong = int((score < 0).sum())
    if wrong > most:  # rounding can make many: the worst of them, and some of all
        rows = np.r_[
            rows[: most // 2],
            rng.permutation(rows[most // 2 : wrong])[: most - most // 2],
            rows[wrong:],
        ]
    cut = max(most // 2, min(wrong, most))
    ends = np.cumsum([b.margin.size for b in batches])
    picked = np.r_[rows[:cut], rng.permutation(rows[cut:])[: most - most // 2]]
    return [
        (batches[at], int(row - ends[at]))
        for row in picked
        for at in [np.searchsorted(ends, row, "right")]
    ]


def _to_decide(
    problem: Problem, batches: Sequence[Batch], chosen: Sequence[tuple[Batch, int]]
) -> Iterator[Any]:
    """Give instances to decide, and whether they count although they hold: the narrowest rounded, then the chosen."""
    for raws in nearby(
        problem, [batch for batch in batches if batch.size in problem.space.sizes]
    ):
        yield raws, False
    for batch, column in chosen:
        yield batch.raws(column), True


def _judge(
    role: str,
    problem: Problem,
    rng: np.random.Generator,
    looked: int,
    most: int,
    near: int,
) -> Outcome:
    """Look, decide some of what was looked at, shorten a counterexample, and try changed texts."""
    batches = _gather(problem, rng, looked)
    chosen = _chosen(batches, rng, most)
    (apart,) = rng.spawn(1)
    further = _gather_far(problem, apart, looked)
    for batch in further:
        chosen += _chosen([batch], apart, DECIDED_FAR)
    near_by, batches = batches, [*batches, *further]
    met = sum(int(batch.feasible.sum()) for batch in batches)
    drawn = sum(batch.margin.size for batch in batches)
    outcome = Outcome(role, problem.statement.text, typeset(problem), met, drawn)
    failed: list[tuple[int, float, int, dict[str, Raw]]] = []
    decided = cache(
        lambda *raws: decide(
            problem, dict(zip(problem.space.coordinates, raws, strict=True))
        )
    )
    for raws, counts in _to_decide(problem, batches, chosen):
        found = decided(*raws.values())  # equal instances once
        if not (counts or (found.outcome == "fails" and found.arithmetic != "float")):
            continue
        outcome.count(found)
        _doubt(outcome, problem, raws, found)
        if found.outcome == "fails":
            failed.append((_points(raws), found.margin, len(failed), raws))
        if len(failed) >= most // 4:
            break
    if not outcome.decided:
        raise NoInstance(
            f"no instance of {problem.space.__name__} meets the hypotheses: nothing was checked"
        )
    shown = shrink(problem, min(failed)[3]) if failed and not problem.example else None
    if problem.example:
        found = decide(problem, None)
        if found.outcome != "fails":
            raise NotRefuted(
                f"the statement does not fail at the example: {found.outcome} {found.why}".rstrip()
            )
        outcome.count(found)
    for batch in batches:
        outcome.reaches(reached(problem.space, batch))
    if outcome.decided["fails"]:
        _show(outcome, problem, shown)
    else:
        outcome.controls = challenge(problem, near_by, further, rng, near)
    return outcome


def _points(raws: Mapping[str, Raw]) -> int:
    """Return which of two instances is the smaller one: by the tens of their entries."""
    return max(map(len, raws.values())) // 10


def _doubt(
    outcome: Outcome, problem: Problem, raws: Mapping[str, Raw], found: Decision
) -> None:
    """Keep the first instance of each kind that decides nothing, with the reason."""
    kind = "float" if found.arithmetic == "float" else found.outcome
    if kind in ("undecided", "undefined", "float") and kind not in outcome.doubts:
        with mode("exact"):
            given = problem.instance(raws)
        outcome.doubts[kind] = Doubt(exhibit(problem, given, by_hand=False), found.why)


def _show(outcome: Outcome, problem: Problem, raws: Mapping[str, Raw] | None) -> None:
    """Write out the instance that an outcome shows, as text and as a script."""
    with mode("exact"), suppress(SourceError):
        given = problem.instance(raws)
        outcome.by_hand = raws is None
        outcome.example = exhibit(problem, given, by_hand=raws is None)
        outcome.script = script(problem, given, by_hand=raws is None)


def _over(
    role: str,
    spaces: Sequence[type[Space]],
    statement: Any,
    given: Sequence[Any],
    at: Any,
    rng: np.random.Generator,
    looked: int,
    decided: int,
    near: int,
) -> tuple[Outcome, Problem]:
    """Judge a statement over the first space, and over further ones, which get less of the effort."""
    first, *further = spaces
    problem = _problem(first, statement, given, at)
    outcome = _judge(role, problem, rng, looked, decided, near)
    for space in further:
        if outcome.decided["fails"]:
            break
        other = _problem(space, statement, given)
        outcome.join(
            _judge(
                role,
                other,
                rng,
                looked // FURTHER,
                max(decided // FURTHER, FURTHER),
                near,
            )
        )
    return outcome, problem


def check(
    on: Any,
    *,
    rng: np.random.Generator,
    printed: Any = None,
    given: Any = (),
    condition: Any = None,
    corrected: Any = None,
    defined: Any = None,
    proof: Any = None,
    part: str = "",
    at: Any = None,
    solve: int = 0,
    looked: int = LOOKED,
    decided: int = DECIDED,
    near: int = NEAR,
) -> list[Outcome]:
    """Check a statement and return an outcome for each role that was given.

    `on` is a space, or several: to the first one belongs `at`, the rest are families
    that reach further, with the same names. `printed`, `corrected`, `defined` are
    statements, `given` hypotheses of all; with `condition` the printed one must fail
    and then hold, with `at` fail on what this lambda gives; `proof` is made of facts,
    which are the statement, or prove the step named by `part`; with `solve` all
    instances of each size of the first space up to that one must be proved, by z3 or
    one by one, see `statements.solver`; `looked` and `decided` instances, `near`
    changed texts are tried at most. Raises NameError, SourceError, NoInstance,
    NotRefuted, or Unproved.
    """
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng must be a numpy Generator, got {rng!r}")
    hypotheses, more = (
        [*x] if isinstance(x, list | tuple) else [x] for x in (given, condition)
    )
    roles = {
        "printed": printed,
        "condition": condition and printed,
        "corrected": corrected,
        "defined": defined,
    }
    effort = rng, looked, decided, near
    found: list[Outcome] = []
    problems: dict[str, Problem] = {}
    for role, statement in roles.items():
        if statement is not None:
            stated = [*hypotheses, *more] if role == "condition" else hypotheses
            example = at if role == "printed" else None
            outcome, problems[role] = _over(
                role, _spaces(on), statement, stated, example, *effort
            )
            found.append(outcome)
    if condition is not None and not found[0].decided["fails"]:
        raise NotRefuted(
            "the printed statement does not fail without the condition, so the condition is not needed"
        )
    wanted = next(
        (
            role
            for role in ("corrected", "condition", "defined", "printed")
            if role in problems
        ),
        "",
    )
    stands = found[list(problems).index(wanted)] if wanted else None
    if solve and stands and stands.verdict == "holds":
        stands.sizes = proved_sizes(problems[wanted], solve)
    if proof is not None:
        found.append(prove(proof, part, problems.get(wanted), rng))
    if not found:
        raise ValueError("a check needs printed, corrected, defined or proof, got none")
    return found


def twin(
    on: Any, *, rng: np.random.Generator, printed: Any, given: Any = (), **sizes: Any
) -> Outcome:
    """Check a statement that is known to be false, a near miss of a true one; raise NotRefuted if it is not refuted."""
    (found,) = check(on, rng=rng, printed=printed, given=given, **sizes)
    if found.verdict != "false":
        raise NotRefuted(f"the false twin {found.text} was not refuted: {found.line()}")
    return found
