r"""Try the near misses of a statement that holds: which are refuted, which survive, in words that teach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from statements.mutants import DEFINITION, Edit, edits
from statements.reading import Unit
from statements.search import REFUSALS, Batch, Problem, attack, decide_raw, look

__all__ = ["Challenge", "challenge"]

#: Instances of each size that a near miss is tried on, near misses tried at most, exact decisions for each.
TRIED_ON, MOST, DECISIONS, FIRST = 1500, 120, 4, 8


@dataclass
class Challenge:
    """Hold near misses in words: refuted by an exact instance, surviving, broken; weaker ones are counted apart."""

    refuted: list[str] = field(default_factory=list)
    survived: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    weaker: int = 0

    @property
    def tried(self) -> int:
        """How many are counted."""
        return len(self.refuted) + len(self.survived) + len(self.broken)

    def line(self) -> str:
        """Return one line for the reader; of right sides the largest share that survives."""
        parts = [f"{len(self.refuted)} of {self.tried} stronger statements refuted"]
        sides = {text.partition(" % ")[0].rpartition(" ")[0]: text for text in self.survived if " % " in text}
        named = [*sides.values(), *(text for text in self.survived if " % " not in text)]
        stated = [text for text in named if DEFINITION not in text]
        parts += ["not refuted on the instances tried: " + ", ".join(stated)] if stated else []
        more = {"not refuted, of definitions": len(named) - len(stated), "not computable": len(self.broken)}
        return "; ".join([*parts, *(f"{count} {words}" for words, count in more.items() if count)])


def _refutes(problem: Problem, made: Any, views: Sequence[Batch], allowed: Sequence[Any]) -> str:
    """Decide exactly a few instances that floats call violated or undefined, from the clearest to the least."""
    rows, outcome = [], "holds"
    for at, (view, wanted) in enumerate(zip(views, allowed, strict=True)):
        columns = np.flatnonzero(wanted & ~(view.margin >= 0))
        margins = np.nan_to_num(view.margin[columns], nan=-1e-9)
        rows += [(float(margins[k]), at, int(columns[k])) for k in np.argsort(margins)[:: max(1, len(columns) // 99)]]
    rows.sort()
    for k in dict.fromkeys(k * (len(rows) - 1) // (DECISIONS - 1) for k in range(DECISIONS)) if rows else ():
        found = decide_raw(problem, made, views[rows[k][1]].raws(rows[k][2]))
        if found.outcome == "fails":
            return "refuted"
        outcome = "broken" if found.outcome == "undefined" else outcome
    return outcome


def _stronger(old: Batch, new: Batch) -> Any:
    """Return on which instances a near miss asks for more, by its gaps or by what it leaves to be met."""
    pairs = zip(old.gaps, new.gaps, strict=True) if len(old.gaps) == len(new.gaps) else [(old.margin, new.margin)]
    more = ~old.feasible
    with np.errstate(all="ignore"):
        for before, after in pairs:
            more |= ~(after >= before - 1e-9 * (1e-3 + np.abs(before) + np.abs(after)))
    return new.feasible & more


def _sample(batch: Batch, rng: np.random.Generator, most: int) -> Batch:
    """Return instances of all sorts: the worst, random ones, and some that miss a hypothesis."""
    inside, outside = np.flatnonzero(batch.feasible), np.flatnonzero(~batch.feasible)
    worst = inside[np.argsort(np.nan_to_num(batch.margin[inside], nan=-1.0))[: most // 4]]
    return batch.take(np.unique(np.r_[worst, rng.permutation(inside)[:most], rng.permutation(outside)[: most // 3]]))


def _texts(problem: Problem) -> list[Edit]:
    whole = [name for name, item in problem.space.coordinates.items() if item.whole]
    used: dict[Unit, None] = {}

    def follow(unit: Unit) -> None:
        for other in (*unit.helpers.values(), *(problem.quantities.get(name) for name in unit.parameters)):
            if other is not None and other not in used:
                used[other] = None
                follow(other)

    for unit in (problem.statement, *problem.hypotheses):
        follow(unit)
    found = list(edits(problem.statement, "", whole, right_sides=True))
    return [*found, *(edit for unit in used for edit in edits(unit, unit.called, whole))][:MOST]


def challenge(
    problem: Problem, batches: Sequence[Batch], rng: np.random.Generator, dropped: Sequence[Unit] = ()
) -> Challenge:
    """Try all near misses of a statement on its instances; `dropped` are the hypotheses that are left out in turn."""
    found, settled = Challenge(), set()
    for unit in dropped:
        row = list(problem.hypotheses).index(unit)
        rest = replace(problem, hypotheses=[item for item in problem.hypotheses if item is not unit])
        allowed = [~(np.delete(b.hypotheses, row, axis=0) < 0).any(axis=0) & (b.hypotheses[row] < 0) for b in batches]
        outcome = _refutes(rest, problem.made, batches, allowed)
        table = found.refuted if outcome == "refuted" else found.survived
        table.append(f"the hypothesis `{unit.text}` is not needed")
    base = [_sample(batch, rng, TRIED_ON // 10 if problem.one_at_a_time else TRIED_ON) for batch in batches]
    if problem.one_at_a_time:  # most near misses fail on the first few
        base = [b.take(at) for first in (True, False) for b in base
                for at in [np.flatnonzero((np.arange(b.margin.size) % FIRST == 0) == first)] if at.size]  # fmt: skip
    for edit in _texts(problem):
        if edit.group and (edit.unit, edit.group) in settled:
            continue
        outcome = _try(problem, edit, base, rng)
        if outcome == "weaker":
            found.weaker += 1
            continue
        if outcome == "refuted" and edit.group:
            settled.add((edit.unit, edit.group))
        getattr(found, outcome).append(edit.words)
    return found


def _try(problem: Problem, edit: Edit, base: Sequence[Batch], rng: np.random.Generator) -> str:
    made, views, outcomes = problem.program.functions(edit.unit, edit.tree), [], set()
    for batch in base:
        try:
            view = look(problem, made, batch.size, batch.cube)
        except REFUSALS:
            outcomes.add("broken")
            continue
        wanted = view.feasible if edit.kind == "strict" else _stronger(batch, view)
        if wanted.any():
            views.append(view)
            outcomes.add(_refutes(problem, made, [view], [wanted]))
        if "refuted" in outcomes:
            return "refuted"
    if "broken" in outcomes:
        return "broken"
    if not views:
        return "weaker"
    for view in () if edit.kind == "strict" or problem.one_at_a_time else views[:2]:
        start = view.cube[:, np.argsort(np.where(view.feasible, view.margin, np.inf))[:24]]
        tried = attack(problem, made, view.size, rng, start=start, islands=1, members=24, generations=20)
        if _refutes(problem, made, [tried], [tried.feasible]) == "refuted":
            return "refuted"
    return "survived"
