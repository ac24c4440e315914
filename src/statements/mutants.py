r"""Try mutants, changed texts of a statement that holds, on instances that it holds on.

A changed text is a *sharper version* where it asks for no less on any instance tried
and for more on some, a *variant* where it asks for more on some and for less on others,
or concerns an equation. One that asks for less is not counted. Beside the statement the
definitions of what it uses are changed.
"""

import ast
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter

import numpy as np
from numpy.random import Generator

from statements.arithmetic import Bools, Floats
from statements.batches import Batch, look
from statements.challenge import Challenge, Side, Tried
from statements.decisions import decide
from statements.edits import Edit, edits, right_side, rises
from statements.problem import REFUSALS, Problem
from statements.rewrite import Unit, make, with_used

#: Instances of each size that a changed text is tried on; of texts that are computed
#: one at a time, and of instances of many points, one in so many.
TRIED_ON = 200
FEWER = 5
#: Exact decisions for each changed text and batch, and the most instances among which
#: they are spread.
DECISIONS = 4
AMONG = 99
#: One instance in so many is tried first where texts are computed one at a time.
FIRST = 8
#: How closely the share is found by which a loose right side could move, and by how
#: much more it is then refuted.
RESOLUTION = 0.01
BEYOND = 0.02
#: Floats that differ by less look equal: relative to their size, which counts for no
#: less than `SMALLEST`.
NEAR = 1e-9
SMALLEST = 1e-3


def challenge(
    problem: Problem,
    batches: Sequence[Batch],
    further: Sequence[Batch],
    rng: Generator,
    most: int,
) -> Challenge:
    """Try `most` changed texts of a statement, and leave out each of its hypotheses.

    Those of the space stay. What is not refuted on the instances of `batches` is tried
    on `further` ones, which have many points.
    """
    result = Challenge(list(_without(problem, batches)))
    base = _instances(problem, batches, rng, TRIED_ON)
    base += _instances(problem, further, rng, TRIED_ON // FEWER)
    trials = _Trials(problem, base)
    mutants = _mutants(problem)[:most]
    for is_side, group in groupby(mutants, attrgetter("group")):
        if is_side:
            side, tries = trials.side([*group])
            result.tries += tries
            if side:
                result.sides.append(side)
            continue
        for edit in group:
            tried = trials.tried(edit)
            if tried:
                result.tries.append(tried)
                refuted = tried.outcome == "refuted"
                result.attained |= refuted and edit.kind == "strict"
    return result


def _mutants(problem: Problem) -> list[Edit]:
    """Return the changed texts: of the statement, then of each text that it uses."""
    coordinates = problem.space.coordinates
    whole = [name for name, item in coordinates.items() if item.whole]
    texts = edits(problem.statement, "", whole, right_sides=True)
    units = dict.fromkeys(use.unit for use in problem.used())
    for unit in units:
        texts += edits(unit, unit.called, whole)
    return texts


# The instances that changed texts are tried on


def _instances(
    problem: Problem,
    batches: Sequence[Batch],
    rng: Generator,
    most: int,
) -> list[Batch]:
    """Return some instances, seen anew; those of an attack come first."""
    if problem.one_at_a_time:
        most = most // FEWER
    samples: dict[int, list[Floats]] = {}
    for batch in reversed(batches):
        sample = _sample(batch, rng, most)
        samples.setdefault(batch.size, []).append(sample)
    first = []
    rest = []
    for size, parts in samples.items():
        cube = np.concatenate(parts, axis=1)
        if problem.one_at_a_time:  # most changed texts fail on the first few
            rest.append((size, np.delete(cube, np.s_[::FIRST], axis=1)))
            cube = cube[:, ::FIRST]
        first.append((size, cube))
    seen: list[Batch] = []
    for size, cube in first + rest:
        if cube.size:
            with suppress(*REFUSALS):
                seen.append(look(problem, size, cube))
    return seen


def _sample(batch: Batch, rng: Generator, most: int) -> Floats:
    """Return instances: the worst, random ones, and some that miss a hypothesis."""
    inside = np.flatnonzero(batch.feasible)
    outside = np.flatnonzero(~batch.feasible)
    margin = np.nan_to_num(batch.margin[inside], nan=-1.0)
    worst = inside[np.argsort(margin)[: most // 4]]
    random = rng.permutation(inside)[:most]
    missed = rng.permutation(outside)[: most // 3]
    columns = np.unique(np.r_[worst, random, missed])
    return batch.cube[:, columns]


# How one changed text comes out


def touched(problem: Problem, edited: Unit) -> set[str | Unit]:
    """Return the quantities and hypotheses that a change of one text may change."""
    names = {
        use.name
        for use in problem.used()
        if not use.helper and edited in with_used(use.unit)
    }
    return names.union(unit for unit in problem.hypotheses if edited in with_used(unit))


def _compared(old: Batch, new: Batch) -> tuple[Bools, Bools]:
    """Return on which instances a changed text asks for more, and on which for less.

    Its gaps tell, or where it has another number of them its margin.
    """
    pairs: Iterable[tuple[Floats, Floats]] = [(old.margin, new.margin)]
    if len(old.gaps) == len(new.gaps):
        pairs = zip(old.gaps, new.gaps, strict=True)
    more = ~old.feasible
    less = np.zeros_like(more)
    with np.errstate(all="ignore"):
        for before, after in pairs:
            near = NEAR * (SMALLEST + np.abs(before) + np.abs(after))
            more |= ~(after >= before - near)
            less |= after > before + near
    return new.feasible & more, new.feasible & old.feasible & less


def _refutes(problem: Problem, view: Batch, wanted: Bools) -> str:
    """Decide exactly a few instances that floats call violated or undefined.

    They go from the clearest to the least. Return refuted, broken where one is
    undefined, or holds.
    """
    rows = np.flatnonzero(wanted & ~(view.margin >= 0))
    if not len(rows):
        return "holds"
    margin = np.nan_to_num(view.margin[rows], nan=-NEAR)
    order = np.argsort(margin, kind="stable")
    rows = rows[order][:: max(1, len(rows) // AMONG)]
    last = len(rows) - 1
    places = np.arange(DECISIONS) * last // (DECISIONS - 1)
    outcome = "holds"
    for row in rows[np.unique(places)]:
        decision = decide(problem, view.raws(row))
        if decision.refutes:
            return "refuted"
        if decision.outcome == "undefined":
            outcome = "broken"
    return outcome


@dataclass
class _Sight:
    """Hold what instances showed of a changed text.

    It `asked` for more on one that is defined, and was `weaker` on one; it cannot be
    computed, `broken`, or an exact instance has `refuted` it.
    """

    asked: bool = False
    weaker: bool = False
    broken: bool = False
    refuted: bool = False

    @property
    def outcome(self) -> str:
        """How the changed text came out."""
        if self.refuted:
            return "refuted"
        if self.broken:
            return "broken"
        return "survived"

    def add(self, mutant: Problem, edit: Edit, before: Batch, view: Batch) -> None:
        """Look at one batch, and decide some of it where the text asks for more."""
        more, less = _compared(before, view)
        self.weaker |= bool(less.any())
        wanted = view.feasible if edit.kind == "strict" else more
        if not wanted.any():
            return
        defined = ~np.isnan(view.margin)
        self.asked |= bool((wanted & defined).any())
        decided = _refutes(mutant, view, wanted)
        self.broken |= decided == "broken"
        self.refuted = decided == "refuted"


@dataclass(frozen=True)
class _Trials:
    """Try changed texts of a statement on instances that it was seen on."""

    problem: Problem
    base: Sequence[Batch]

    def _views(self, edit: Edit) -> Iterator[tuple[Problem, Batch, Batch | None]]:
        """Give the changed statement, and instances as seen before and by it.

        It is None where the changed text refuses all instances.
        """
        functions = make(self.problem.functions, *edit.change)
        mutant = replace(self.problem, functions=functions)
        changed = touched(self.problem, edit.unit)
        for batch in self.base:
            try:
                view = look(mutant, batch.size, batch.cube, batch, changed)
            except REFUSALS:
                yield mutant, batch, None
            else:
                yield mutant, batch, view

    def tried(self, edit: Edit) -> Tried | None:
        """Return how a changed text came out, None where it nowhere asks for more."""
        sight = _Sight()
        for mutant, before, view in self._views(edit):
            if view is None:
                sight.broken = True
                continue
            sight.add(mutant, edit, before, view)
            if sight.refuted:
                break
        if not (sight.asked or sight.broken or sight.refuted):
            return None
        return Tried(edit.words, self._kind(edit, sight.weaker), sight.outcome)

    def _kind(self, edit: Edit, weaker: bool) -> str:
        """Return whether a text is a sharper version, a variant or a definition."""
        if edit.unit is not self.problem.statement:
            return "definition"
        if edit.kind in ("side", "strict"):
            return "sharper"
        if weaker or edit.equation:
            return "variant"
        return "sharper"

    def _refuted(self, edit: Edit) -> bool:
        tried = self.tried(edit)
        return tried is not None and tried.outcome == "refuted"

    def _fails(self, edit: Edit) -> bool:
        """Tell whether floats see a changed text fail, by numbers that they hold."""
        for _, _, view in self._views(edit):
            if view is None:
                continue
            computed = np.isfinite(view.gaps).all(axis=0)
            if (view.feasible & (view.margin < -NEAR) & computed).any():
                return True
        return False

    # How far a right side can move

    def side(self, group: Sequence[Edit]) -> tuple[Side | None, list[Tried]]:
        """Move one right side by more and more until it is refuted.

        Say how loose it is where 10 % are not enough.
        """
        for edit in group:
            tried = self.tried(edit)
            if tried is None:
                return None, []
            if tried.outcome == "broken":
                return None, [tried]
            if edit.equation:
                return None, [tried._replace(kind="variant")]
            if tried.outcome == "refuted":
                return Side(ast.unparse(edit.side), share=edit.share), [tried]
        assert tried is not None, "a group has an edit"
        return self._loose_side(group[-1], tried)

    def _loose_side(self, edit: Edit, tried: Tried) -> tuple[Side, list[Tried]]:
        """Find by how much a right side can move that no change by 10 % refutes."""
        tries = [tried]
        text = ast.unparse(edit.side)
        slack = self._slack(edit)
        if slack is None:
            return Side(text), tries
        beyond = self.tried(right_side(edit, round(slack + BEYOND, 2)))
        if beyond and beyond.outcome == "refuted":
            tries.append(beyond)
        factor = None
        sign = ast.Compare(edit.side, [ast.GtE()], [ast.Constant(0)])
        if not self._fails(edit._replace(new=sign)):
            change = slack if rises(edit.compare.ops[edit.link]) else -slack
            factor = round(1 + change, 2)
        return Side(text, slack=slack, factor=factor), tries

    def _slack(self, edit: Edit) -> float | None:
        """Return the share by which a right side can move on the instances tried.

        It is rounded down, and None where any share will do. Floats find it, and it is
        moved down until no exact instance refutes it.
        """
        low = edit.share
        high = 1.0
        if not self._fails(right_side(edit, high)):
            return None
        while high - low > RESOLUTION / 2:
            middle = (low + high) / 2
            if self._fails(right_side(edit, middle)):
                high = middle
            else:
                low = middle
        slack = math.floor(low / RESOLUTION) * RESOLUTION
        while slack > edit.share and self._refuted(right_side(edit, slack)):
            slack -= RESOLUTION
        return round(slack, 2)


def _without(problem: Problem, batches: Sequence[Batch]) -> Iterator[Tried]:
    """Leave out each hypothesis that is not of the space."""
    for row, unit in enumerate(problem.hypotheses):
        if row < len(problem.space.constraints):
            continue
        rest = [item for item in problem.hypotheses if item is not unit]
        without = replace(problem, hypotheses=rest)
        outcome = "survived"
        for batch in batches:
            others = np.delete(batch.hypotheses, row, axis=0)
            missed = ~(others < 0).any(axis=0) & (batch.hypotheses[row] < 0)
            if _refutes(without, batch, missed) == "refuted":
                outcome = "refuted"
                break
        words = f"the hypothesis `{unit.text}` is not needed"
        yield Tried(words, "sharper", outcome)
