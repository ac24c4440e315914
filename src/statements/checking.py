r"""Check a statement over a space: look, attack, decide, shorten, and try its near misses."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from typing import Any

import numpy as np

from statements import proof as facts
from statements.arithmetic import BITS, mode
from statements.challenge import Challenge, challenge, edits
from statements.reading import SourceError, Unit, make, read, used
from statements.script import script
from statements.search import EFFORT, Batch, Decision, Problem, attack, decide, look, prepare, shrink
from statements.space import Raw, Space
from statements.writing import Written, formula, source, typeset

#: Instances looked at in floats, and decided exactly; near misses; of a text computed one at a time, one in so many.
LOOKED, DECIDED, NEAR, SINGLE = 40_000, 300, 120, 20
#: One draw in so many lies on a coarse grid, where values coincide.
COARSE = 32
#: Near misses of a proof that are tried at most, and how many are enough that are refuted.
PROOF_EDITS, ENOUGH = 10, 3
ARITHMETICS = {"exact": "exactly", "certified": "in balls", "float": "in floats only"}


class NoInstance(ValueError):
    """Say that no instance meets the hypotheses, so that nothing was checked."""


class NotRefuted(ValueError):
    """Say that what had to be false was not refuted."""


@dataclass
class Outcome:
    """Hold how one statement came out: `decided` counts instances that hold, fail, or are undecided or undefined."""

    role: str
    text: str
    latex: list[Written]
    looked: int = 0
    decided: Counter[str] = field(default_factory=Counter)
    worst: float = 1.0
    arithmetic: str = "exact"
    equal: int = 0
    example: dict[str, str] | None = None
    script: str | None = None
    controls: Challenge = field(default_factory=Challenge)
    universal: bool = False

    @property
    def verdict(self) -> str:
        """Say false, holds, or undecided where floats alone, or nothing, spoke for it."""
        if self.decided["fails"]:
            return "false" if self.arithmetic != "float" else "undecided"
        return "holds" if self.decided and set(self.decided) == {"holds"} else "undecided"

    def line(self) -> str:
        """Return one line for the reader."""
        if self.universal:
            return f"proved for all arguments: {self.text}; {self.controls.line()}"
        count = self.decided["holds"] + self.decided["fails"]
        how = ARITHMETICS[self.arithmetic]
        parts = [f"{self.verdict}: {self.looked:,} instances looked at, {count:,} decided {how}"]
        values = ", ".join(f"{name} = {value}" for name, value in (self.example or {}).items())
        parts += [f"{self.decided['fails']:,} fail, for example {values}"] if self.example else []
        parts += [f"{n:,} {kind}" for kind, n in self.decided.items() if kind not in ("holds", "fails")]
        parts += [f"{self.equal:,} with sides that agree to {BITS[-1]} bits, counted as equal"] if self.equal else []
        return "; ".join([*parts, self.controls.line()] if not self.decided["fails"] else parts)

    def count(self, found: Decision) -> None:
        """Add how one instance was decided."""
        if found.outcome == "unmet":
            return
        self.decided[found.outcome] += 1
        if found.outcome in ("holds", "fails"):
            self.equal += found.equal
            self.worst = min(self.worst, found.margin)
            if found.outcome == "fails" or not self.decided["fails"]:
                self.arithmetic = max(self.arithmetic, found.arithmetic, key=list(ARITHMETICS).index)


def _problem(space: type[Space], statement: Any, given: Sequence[Any], at: Any = None) -> Problem:
    if not (isinstance(space, type) and issubclass(space, Space)):
        raise TypeError(f"on must be a subclass of Space, got {space!r}")
    known: dict[Any, Unit] = {}
    quantities = {name: read(f, name, known) for name, f in space.quantities.items()}
    stated = [read(f, "a hypothesis", known) for f in (*space.constraints.values(), *given)]
    units = [*quantities.values(), *stated, read(statement, "the statement", known)]
    names = {*space.coordinates, *space.quantities}
    for unit, name in [(item, name) for item in units for name in item.parameters]:
        if name not in names:
            near = ", ".join(get_close_matches(name, sorted(names))) or "-"
            raise NameError(f"{unit.called} names {name!r}, which {space.__name__} does not have; near it: {near}")
        if name in quantities:
            unit.uses[name] = quantities[name]
    example = at and read(at, "the example", known)
    return Problem(space, stated, units[-1], make(known.values()), example)


def _gather(problem: Problem, rng: np.random.Generator, looked: int) -> list[Batch]:
    """Look at random instances of each size, and attack the statement for the two smallest."""
    prepare(problem, rng)
    found, few, sizes = [], problem.one_at_a_time, problem.space.sizes
    for size in sizes:
        cube = rng.random((sum(problem.space.widths(size)), looked // (SINGLE if few else 1) // len(sizes)))
        cube[:, ::COARSE] = np.round(4 * cube[:, ::COARSE]) / 4
        found.append(look(problem, size, cube))
        found[-1].values.clear()  # of all instances they take much room
    effort = (2, 12, 12) if few else EFFORT
    return [*found, *(attack(problem, size, rng, effort=effort) for size in sizes[:2])]


def _chosen(batches: Sequence[Batch], rng: np.random.Generator, most: int) -> list[tuple[Batch, int]]:
    """Return instances to decide: what looks violated, the narrowest ones, and random ones."""
    score = np.concatenate([np.where(b.feasible, np.nan_to_num(b.score, nan=-2.0), np.inf) for b in batches])
    rows = np.argsort(score, kind="stable")[: np.isfinite(score).sum()]
    wrong = int((score < 0).sum())
    if wrong > most:  # rounding can make many: the worst of them, and some of all
        rows = np.r_[rows[: most // 2], rng.permutation(rows[most // 2 : wrong])[: most - most // 2], rows[wrong:]]
    cut = max(most // 2, min(wrong, most))
    ends = np.cumsum([b.margin.size for b in batches])
    picked = np.r_[rows[:cut], rng.permutation(rows[cut:])[: most - most // 2]]
    return [(batches[at], int(row - ends[at])) for row in picked for at in [np.searchsorted(ends, row, "right")]]


def _judge(role: str, problem: Problem, rng: np.random.Generator, looked: int, most: int, near: int) -> Outcome:
    """Look, decide some of what was looked at, shorten a counterexample, and try near misses."""
    batches = _gather(problem, rng, looked)
    outcome = Outcome(role, problem.statement.text, typeset(problem), sum(int(b.feasible.sum()) for b in batches))
    failed: list[tuple[float, int, dict[str, Raw]]] = []
    decided = cache(lambda *raws: decide(problem, dict(zip(problem.space.coordinates, raws, strict=True))))
    for batch, column in _chosen(batches, rng, most):
        raws = batch.raws(column)
        found = decided(*raws.values())  # equal instances once
        outcome.count(found)
        failed += [(found.margin, len(failed), raws)] if found.outcome == "fails" else []
        if len(failed) >= most // 4:
            break
    if not outcome.decided:
        raise NoInstance(f"no instance of {problem.space.__name__} meets the hypotheses: nothing was checked")
    shown = shrink(problem, min(failed)[2]) if failed and not problem.example else None
    if problem.example:
        found = decide(problem, None)
        if found.outcome != "fails":
            raise NotRefuted(f"the statement does not fail at the example: {found.outcome} {found.why}".rstrip())
        outcome.count(found)
    if outcome.decided["fails"]:
        _exhibit(outcome, problem, shown)
    else:
        outcome.controls = challenge(problem, batches, rng, near)
    return outcome


def _exhibit(outcome: Outcome, problem: Problem, raws: Mapping[str, Raw] | None) -> None:
    """Write out the instance that an outcome shows, as text and as a script."""
    with mode("exact"), suppress(SourceError):
        given = problem.instance(raws)
        vectors = {name: f"({', '.join(map(str, v))})" for name, v in given.items() if isinstance(v, np.ndarray)}
        outcome.example = {name: vectors.get(name, str(value)) for name, value in given.items()}
        outcome.script = script(problem, given, by_hand=raws is None)


def check(
    on: type[Space], *, rng: np.random.Generator, printed: Any = None, given: Any = (), condition: Any = None,
    corrected: Any = None, defined: Any = None, proof: Any = None, part: str = "", at: Any = None,
    looked: int = LOOKED, decided: int = DECIDED, near: int = NEAR,
) -> list[Outcome]:  # fmt: skip
    """Check a statement and return an outcome for each role that was given.

    `printed`, `corrected`, `defined` are statements, `given` hypotheses of all; with `condition` the printed one must
    fail and then hold, with `at` fail on what this lambda gives; `proof` is made of facts, on `part`; `looked` and
    `decided` instances, `near` misses are tried at most. Raises NameError, SourceError, NoInstance, or NotRefuted.
    """
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng must be a numpy Generator, got {rng!r}")
    hypotheses, more = ([*x] if isinstance(x, list | tuple) else [x] for x in (given, condition))
    roles = {"printed": printed, "condition": condition and printed, "corrected": corrected, "defined": defined}
    found = []
    for role, statement in roles.items():
        if statement is not None:
            stated = [*hypotheses, *more] if role == "condition" else hypotheses
            problem = _problem(on, statement, stated, at if role == "printed" else None)
            found.append(_judge(role, problem, rng, looked, decided, near))
    if condition is not None and not found[0].decided["fails"]:
        raise NotRefuted("the printed statement does not fail without the condition, so the condition is not needed")
    found += [prove(proof, part)] if proof is not None else []
    if not found:
        raise ValueError("a check needs printed, corrected, defined or proof, got none")
    return found


def twin(on: type[Space], *, rng: np.random.Generator, printed: Any, given: Any = (), **sizes: Any) -> Outcome:
    """Check a statement that is known to be false, a near miss of a true one; raise NotRefuted if it is not refuted."""
    (found,) = check(on, rng=rng, printed=printed, given=given, **sizes)
    if found.verdict != "false":
        raise NotRefuted(f"the false twin {found.text} was not refuted: {found.line()}")
    return found


def prove(proof: Any, part: str = "") -> Outcome:
    """Run the facts of a proof, and its near misses; raise `Unproved` where a fact is not found."""
    unit = read(proof, "the proof")
    units, spans = [unit, *(helper for _, helper, _ in used([unit]))], unit.function.__defaults__ or ()
    ranges = dict.fromkeys(unit.parameters) | dict(zip(unit.parameters[::-1], spans[::-1], strict=False))

    def run(*change: Any) -> None:
        with mode("symbolic"):
            make(units, *change)[unit](*facts.symbols(ranges))

    run()
    shown = [Written("", formula(unit), source(unit, "proof"))]
    outcome = Outcome("proof", part or "the statement", shown, 1, Counter(holds=1), universal=True)
    near = list(edits(unit, ""))
    for edit in near[:: max(1, len(near) // PROOF_EDITS)]:
        if len(outcome.controls.refuted) == ENOUGH:
            break
        try:
            run(*edit[:3])
            table = outcome.controls.survived
        except (ArithmeticError, ValueError, TypeError, AttributeError):
            table = outcome.controls.refuted
        if not facts.still_true():  # a near miss that is true was not to be refuted
            table.append(edit.words)
    return outcome
