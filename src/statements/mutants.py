r"""Try changed texts of a statement that holds: sharper versions, variants, and changes of definitions.

A changed text is a *sharper version* where it asks for no less on any instance tried
and for more on some, a *variant* where it asks for more on some and for less on others,
or concerns an equation. One that asks for less is not counted.
"""

import ast
import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from statements.edits import Edit, edits, right_side, rises
from statements.rewrite import Unit, make, used
from statements.search import REFUSALS, Batch, Problem, decide, look

#: Instances of each size that a changed text is tried on, and exact decisions for each.
TRIED_ON = 200
DECISIONS = 4
FIRST = 8
#: How closely the share is found by which a loose right side could move, and by how
#: much more it is then refuted.
RESOLUTION = 0.01
BEYOND = 0.02


#: The kinds of changed texts, and how one of them is called.
KINDS = {
    "sharper": "sharper version",
    "variant": "variant",
    "definition": "changed definition",
}


class Tried(NamedTuple):
    """Hold how one changed text came out: sharper, variant or definition; refuted, survived or broken."""

    words: str
    kind: str
    outcome: str


@dataclass(frozen=True)
class Side:
    """Hold how sharp one comparison is.

    `share` is the smallest change of the right side, at most 10 % in the direction that
    asks for more, that an exact instance refutes. Without one, `slack` is the share by
    which the side could move on the instances tried, rounded down, and `factor` is 1 -
    slack, or 1 + slack; it is None where the side may be negative, or where any would
    do.
    """

    text: str
    share: float | None = None
    slack: float | None = None
    factor: float | None = None

    @property
    def sharp(self) -> bool:
        """Whether a change of 10 % or less is refuted."""
        return self.share is not None

    def line(self) -> str:
        """Return one sentence for the reader."""
        if self.share is not None:
            return (
                f"Sharp: with `{self.text}` moved by {100 * self.share:.0f} % it fails."
            )
        if self.factor is not None:
            return f"Loose: on these instances a factor of {self.factor:.3g} at `{self.text}` would do."
        if self.slack is not None:
            return f"Loose: on these instances `{self.text}` could move by {100 * self.slack:.0f} %."
        return f"Loose: on these instances `{self.text}` could move by any share."


@dataclass
class Challenge:
    """Hold the changed texts that were tried, and how sharp each comparison is."""

    tries: list[Tried] = field(default_factory=list)
    sides: list[Side] = field(default_factory=list)
    attained: bool = False

    def words(self, outcome: str, *kinds: str) -> list[str]:
        """Return the words of what came out so, of some kinds, or of all."""
        return [
            item.words
            for item in self.tries
            if item.outcome == outcome and (not kinds or item.kind in kinds)
        ]

    @property
    def refuted(self) -> list[str]:
        """What an exact instance refutes."""
        return self.words("refuted")

    @property
    def survived(self) -> list[str]:
        """What no instance refutes."""
        return self.words("survived")

    @property
    def broken(self) -> list[str]:
        """What cannot be computed."""
        return self.words("broken")

    @property
    def tried(self) -> int:
        """How many are counted."""
        return len(self.tries)

    @property
    def loosest(self) -> Side | None:
        """The comparison that could move by most."""
        return max(self.sides, key=_looseness, default=None)

    def count(self, kind: str) -> tuple[int, int]:
        """Return how many of a kind were refuted, and how many could be computed."""
        refuted = len(self.words("refuted", kind))
        return refuted, refuted + len(self.words("survived", kind))

    def line(self) -> str:
        """Return how many sharper versions fail, or variants where there is none, and how sharp the statement is."""
        for kind in ("sharper", "variant"):
            refuted, tried = self.count(kind)
            if tried:
                verb = "fails" if refuted == 1 else "fail"
                said = f"{refuted} of {tried} {KINDS[kind]}{'s' if tried > 1 else ''} {verb}."
                return (
                    said
                    if self.loosest is None or self.loosest.sharp
                    else f"{said} {self.loosest.line()}"
                )
        return ""

    def counts(self) -> str:
        """Return what was refuted, kind by kind."""
        found = {name: self.count(kind) for kind, name in KINDS.items()}
        return ", ".join(
            f"{refuted} of {tried} {name}s"
            for name, (refuted, tried) in found.items()
            if tried
        )

    def join(self, other: "Challenge") -> None:
        """Add what a further space shows of the same statement: what it refutes is refuted."""
        there = {item.words: item.outcome for item in other.tries}
        here = {item.words for item in self.tries}
        refuted = [
            item._replace(outcome="refuted")
            for item in self.tries
            if there.get(item.words) == "refuted"
        ]
        known = {item.words: item for item in refuted}
        self.tries = [known.get(item.words, item) for item in self.tries]
        self.tries += [
            item
            for item in other.tries
            if item.words not in here and item.kind != "definition"
        ]
        self.attained |= other.attained
        sides = {side.text: side for side in self.sides}
        for side in other.sides:
            before = sides.get(side.text)
            sides[side.text] = min(before, side, key=_looseness) if before else side
        self.sides = list(sides.values())


def _looseness(side: Side) -> float:
    if side.share is not None:
        return side.share
    return math.inf if side.slack is None else side.slack


def _refutes(problem: Problem, view: Batch, wanted: Any) -> str:
    """Decide exactly a few instances that floats call violated or undefined, from the clearest to the least."""
    rows = np.flatnonzero(wanted & ~(view.margin >= 0))
    order = np.argsort(np.nan_to_num(view.margin[rows], nan=-1e-9), kind="stable")
    rows = rows[order][:: max(1, len(rows) // 99)]
    outcome = "holds"
    for k in (
        dict.fromkeys(k * (len(rows) - 1) // (DECISIONS - 1) for k in range(DECISIONS))
        if len(rows)
        else ()
    ):
        found = decide(problem, view.raws(rows[k]))
        if found.outcome == "fails" and found.arithmetic != "float":
            return "refuted"
        outcome = "broken" if found.outcome == "undefined" else outcome
    return outcome


def _compared(old: Batch, new: Batch) -> tuple[Any, Any]:
    """Return on which instances a changed text asks for more, and on which for less, by its gaps."""
    pairs = (
        zip(old.gaps, new.gaps, strict=True)
        if len(old.gaps) == len(new.gaps)
        else [(old.margin, new.margin)]
    )
    more = ~old.feasible
    less = np.zeros_like(more)
    with np.errstate(all="ignore"):
        for before, after in pairs:
            near = 1e-9 * (1e-3 + np.abs(before) + np.abs(after))
            more |= ~(after >= before - near)
            less |= after > before + near
    return new.feasible & more, new.feasible & old.feasible & less


def _sample(batch: Batch, rng: np.random.Generator, most: int) -> Any:
    """Return instances of all sorts: the worst, random ones, and some that miss a hypothesis."""
    inside = np.flatnonzero(batch.feasible)
    outside = np.flatnonzero(~batch.feasible)
    worst = inside[
        np.argsort(np.nan_to_num(batch.margin[inside], nan=-1.0))[: most // 4]
    ]
    rows = np.unique(
        np.r_[
            worst, rng.permutation(inside)[:most], rng.permutation(outside)[: most // 3]
        ]
    )
    return batch.cube[:, rows]


def _instances(
    problem: Problem, batches: Sequence[Batch], rng: np.random.Generator, most: int
) -> list[Batch]:
    """Return the instances that changed texts are tried on, seen anew; those of an attack are the narrowest."""
    few = problem.one_at_a_time
    found_at = dict[int, list[Any]]()
    for batch in batches[::-1]:
        found_at.setdefault(batch.size, []).append(
            _sample(batch, rng, most // 5 if few else most)
        )
    cubes = [(size, np.concatenate(parts, axis=1)) for size, parts in found_at.items()]
    if few:  # most changed texts fail on the first few
        first = [(size, cube[:, ::FIRST]) for size, cube in cubes]
        cubes = [
            *first,
            *((size, np.delete(cube, np.s_[::FIRST], axis=1)) for size, cube in cubes),
        ]
    found: list[Batch] = []
    for size, cube in cubes:
        if cube.size:
            with suppress(*REFUSALS):
                found.append(look(problem, size, cube))
    return found


def _without(problem: Problem, batches: Sequence[Batch]) -> Iterator[Tried]:
    """Leave out each hypothesis that is not of the space."""
    for row, unit in [*enumerate(problem.hypotheses)][len(problem.space.constraints) :]:
        rest = replace(
            problem,
            hypotheses=[item for item in problem.hypotheses if item is not unit],
        )
        left = [
            (
                b,
                ~(np.delete(b.hypotheses, row, axis=0) < 0).any(axis=0)
                & (b.hypotheses[row] < 0),
            )
            for b in batches
        ]
        refuted = any(
            _refutes(rest, batch, wanted) == "refuted" for batch, wanted in left
        )
        yield Tried(
            f"the hypothesis `{unit.text}` is not needed",
            "sharper",
            "refuted" if refuted else "survived",
        )


def challenge(
    problem: Problem,
    batches: Sequence[Batch],
    further: Sequence[Batch],
    rng: np.random.Generator,
    most: int,
) -> Challenge:
    """Try `most` changed texts of a statement on its instances; hypotheses that are not of the space are left out.

    What is not refuted there is tried on `further` instances, which have many points.
    """
    found = Challenge(list(_without(problem, batches)))
    base = _instances(problem, batches, rng, TRIED_ON)
    base += _instances(problem, further, rng, TRIED_ON // 5)
    whole = [name for name, item in problem.space.coordinates.items() if item.whole]
    texts = edits(problem.statement, "", whole, right_sides=True)
    for unit in dict.fromkeys(unit for _, unit, _ in problem.used()):
        texts += edits(unit, unit.called, whole)
    sides: dict[str, list[Edit]] = {}
    for edit in texts[:most]:
        if edit.group:
            sides.setdefault(edit.group, []).append(edit)
    for group in sides.values():
        side, tries = _side(problem, group, base)
        found.tries += tries
        found.sides += [side] if side else []
    for edit in texts[:most]:
        tried = None if edit.group else _try(problem, edit, base)
        found.tries += [tried] if tried else []
        found.attained |= (
            edit.kind == "strict" and tried is not None and tried.outcome == "refuted"
        )
    return found


def _side(
    problem: Problem, group: Sequence[Edit], base: Sequence[Batch]
) -> tuple[Side | None, list[Tried]]:
    """Move one right side by more and more until it is refuted; say how loose it is where 10 % are not enough."""
    compare, link = _compared_side(group[0])
    text = ast.unparse(compare.comparators[link])
    tries: list[Tried] = []
    for edit in group:
        tried = _try(problem, edit, base)
        tries = [tried] if tried else []
        if tried is None or tried.outcome == "broken":
            return None, tries
        if edit.equation:
            return None, [tried._replace(kind="variant")]
        if tried.outcome == "refuted":
            return Side(text, share=edit.share), tries
    slack = _slack(problem, group[-1], base)
    if slack is None:
        return Side(text), tries
    factor = round(1 + slack if rises(compare.ops[link]) else 1 - slack, 2)
    beyond = _try(problem, right_side(group[-1], round(slack + BEYOND, 2)), base)
    if beyond and beyond.outcome == "refuted":
        tries.append(beyond)
    return Side(
        text,
        slack=slack,
        factor=factor if _never_negative(problem, group[-1], base) else None,
    ), tries


def _compared_side(edit: Edit) -> tuple[ast.Compare, int]:
    """Return the comparison of a right side, and its place there."""
    assert isinstance(edit.old, ast.Compare)
    return edit.old, edit.link


def _views(
    problem: Problem, edit: Edit, base: Sequence[Batch]
) -> Iterator[tuple[Problem, Batch, Batch | None]]:
    """Give a statement with a changed text, and instances as seen before and by it: None where it refuses all."""
    near = replace(problem, made=make(problem.made, *edit[:3]))
    touched = _touched(problem, edit.unit)
    for batch in base:
        try:
            yield near, batch, look(near, batch.size, batch.cube, batch, touched)
        except REFUSALS:
            yield near, batch, None


def _fails(problem: Problem, edit: Edit, base: Sequence[Batch]) -> bool:
    """Tell whether floats see a changed text fail, by numbers that they hold."""

    def seen(view: Batch) -> Any:
        return (
            view.feasible & (view.margin < -1e-9) & np.isfinite(view.gaps).all(axis=0)
        )

    return any(seen(view).any() for _, _, view in _views(problem, edit, base) if view)


def _slack(problem: Problem, edit: Edit, base: Sequence[Batch]) -> float | None:
    """Return the share by which a right side can move on the instances tried, rounded down; None for any share.

    Floats find it, and it is moved down until no exact instance refutes it.
    """
    low = edit.share
    high = 1.0
    if not _fails(problem, right_side(edit, high), base):
        return None
    while high - low > RESOLUTION / 2:
        middle = (low + high) / 2
        if _fails(problem, right_side(edit, middle), base):
            high = middle
        else:
            low = middle
    found = math.floor(low / RESOLUTION) * RESOLUTION
    while found > edit.share and _refuted(problem, right_side(edit, found), base):
        found -= RESOLUTION
    return round(found, 2)


def _refuted(problem: Problem, edit: Edit, base: Sequence[Batch]) -> bool:
    tried = _try(problem, edit, base)
    return tried is not None and tried.outcome == "refuted"


def _never_negative(problem: Problem, edit: Edit, base: Sequence[Batch]) -> bool:
    """Tell whether a right side is nonnegative on all instances tried."""
    compare, link = _compared_side(edit)
    sign = ast.Compare(compare.comparators[link], [ast.GtE()], [ast.Constant(0)])
    return not _fails(problem, edit._replace(new=sign), base)


def _touched(problem: Problem, edited: Unit) -> set[Any]:
    """Return the names of quantities, and the hypotheses, that a change of one text may change."""
    kept: list[tuple[Any, Unit]] = [
        (name, unit) for name, unit, helper in problem.used() if not helper
    ]
    kept += [(unit, unit) for unit in problem.hypotheses]
    return {
        key
        for key, unit in kept
        if edited in (unit, *(part for _, part, _ in used([unit])))
    }


def _try(problem: Problem, edit: Edit, base: Sequence[Batch]) -> Tried | None:
    """Return how a changed text came out, or None where it asks for no more on any instance."""
    asked = broken = weaker = False
    outcome = ""
    for near, batch, view in _views(problem, edit, base):
        if view is None:
            broken = True
            continue
        more, less = _compared(batch, view)
        weaker |= bool(less.any())
        wanted = view.feasible if edit.kind == "strict" else more
        if wanted.any():
            asked |= bool((wanted & ~np.isnan(view.margin)).any())
            outcome = _refutes(near, view, wanted)
            broken |= outcome == "broken"
        if outcome == "refuted":
            break
    if not (asked or broken or outcome == "refuted"):
        return None
    kind = (
        "sharper"
        if edit.kind in ("side", "strict") or not (weaker or edit.equation)
        else "variant"
    )
    if edit.unit is not problem.statement:
        kind = "definition"
    return Tried(
        edit.words,
        kind,
        outcome if outcome == "refuted" else "broken" if broken else "survived",
    )
