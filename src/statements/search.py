r"""Look at many instances in floats, attack a statement, decide single instances exactly, and make an example short."""

import math
import sys
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from statements.arithmetic import (
    BITS,
    MODE,
    Touching,
    Undecided,
    mode,
    number,
    simplest,
)
from statements.comparison import truth
from statements.rewrite import Unit, used
from statements.space import Coordinate, Raw, Space

#: Multiples of it, without the integer part, are spread evenly.
GOLDEN = (math.sqrt(5) - 1) / 2
#: Islands of a search, members of each, and generations.
EFFORT = (4, 24, 60)
#: What a function may raise on an instance that it does not take; and in another
#: arithmetic than it was written for.
REFUSALS = (ArithmeticError, ValueError, TypeError, IndexError, RecursionError)
OPEN = (*REFUSALS, AttributeError, KeyError, NotImplementedError)


@dataclass(eq=False)
class Problem:
    """Hold a statement over a space, its hypotheses, what all texts make, quantities, and an example by hand."""

    space: type[Space]
    hypotheses: Sequence[Unit]
    statement: Unit
    made: Mapping[Unit, Callable[..., Any]]
    quantities: Mapping[str, Unit] = field(default_factory=dict)
    example: Any = None
    one_at_a_time: bool = False
    least: int = 0

    def used(self) -> list[tuple[str, Unit, bool]]:
        """Return the quantities and helpers of the statement and its hypotheses: name, text, whether a helper."""
        return used([self.statement, *self.hypotheses])

    def value(self, name: str, values: dict[Any, Any]) -> Any:
        """Return what a name stands for, a coordinate or a quantity, and keep it among the values of the others."""
        if name not in values:
            if name not in self.quantities:
                raise KeyError(f"{name} is needed and not given")
            values[name] = self.of(self.quantities[name], values)
        return values[name]

    def of(self, unit: Unit, values: dict[Any, Any]) -> Any:
        """Return what a text gives where its arguments have these values."""
        return self.made[unit](*(self.value(name, values) for name in unit.parameters))

    def margins(self, values: dict[Any, Any]) -> Any:
        """Return the margins of the hypotheses, and the statement; None where numbers do not show that all are met.

        The `values` of names and hypotheses are kept there.
        """
        for unit in self.hypotheses:
            if unit not in values:
                try:
                    values[unit] = truth(self.of(unit, values))
                except Touching:
                    return None
            if MODE.kind == "exact" and not values[unit]:
                return None
        return [values[unit].margin for unit in self.hypotheses], truth(
            self.of(self.statement, values)
        )

    def instance(self, raws: Mapping[str, Raw] | None) -> dict[Any, Any]:
        """Return the coordinates of an instance as numbers that decide; without raw numbers the example by hand."""
        if raws is not None:
            return self.space.values(raws, number)
        found = dict(self.made[self.example]())
        for name, value in found.items():
            item = self.space.coordinates.get(name)
            found[name] = (
                np.array(list(value), dtype=object) if item and item.vector else value
            )
            if not (item and item.contains(found[name])):
                raise KeyError(
                    f"at gives {name} = {value!r}, which {self.space.__name__} does not have"
                )
        return found


@dataclass(eq=False)
class Batch:
    """Hold instances of one size as floats: where they lie in the cube, and what they showed.

    `values` are what names stand for, of all instances at once, or of one after the
    other.
    """

    size: int
    cube: Any
    drawn: dict[str, Any]
    values: list[dict[Any, Any]]
    hypotheses: Any
    margin: Any
    gaps: Any

    @property
    def feasible(self) -> Any:
        """Which instances meet all hypotheses; a NaN is not held against them."""
        return ~(self.hypotheses < 0).any(axis=0)

    @property
    def score(self) -> Any:
        """What an attack makes small: the margin and the gaps, both of which may be what comes near zero."""
        least = self.gaps.min(axis=0)
        with np.errstate(all="ignore"):
            near = np.nan_to_num(least / (1 + np.abs(least)), nan=1.0)
        return np.where(self.margin >= 0, (self.margin + near) / 2, self.margin)

    def raws(self, column: int) -> dict[str, Raw]:
        """Return one instance as rationals."""
        return {
            name: tuple(simplest(float(x)) for x in part[:, column])
            for name, part in self.drawn.items()
        }


def look(
    problem: Problem,
    size: int,
    cube: Any,
    before: Batch | None = None,
    touched: Container[Any] = (),
) -> Batch:
    """Compute all margins of a batch in floats; names and hypotheses keep the values of `before` if not `touched`."""
    drawn = before.drawn if before else problem.space.draw(cube, size)
    values = [
        {k: v for k, v in row.items() if k not in touched}
        for row in (before.values if before else [])
    ]
    if problem.one_at_a_time:
        rows = _one_by_one(problem, drawn, values)
        end = 2
    else:
        with mode("vector"):
            values = values or [problem.space.values(drawn)]
            hypotheses, found = problem.margins(values[0])
        rows = [found.margin, *found.gaps, *hypotheses]
        end = 1 + len(found.gaps)
    table = np.array(
        [np.broadcast_to(np.asarray(row, float), cube.shape[1:]) for row in rows]
    )
    return Batch(size, cube, drawn, values, table[end:], table[0], table[1:end])


def _one_by_one(
    problem: Problem, drawn: Mapping[str, Any], values: list[dict[Any, Any]]
) -> Any:
    """Return margins, least gaps, and margins of hypotheses of instances computed one at a time, equal ones once."""
    _, first, where = np.unique(
        np.concatenate([*drawn.values()]),
        axis=1,
        return_index=True,
        return_inverse=True,
    )
    rows = []
    refused = None
    with mode("scalar"):
        if not values:
            values += [
                problem.space.values(
                    {n: part[:, at] for n, part in drawn.items()}, float
                )
                for at in first
            ]
        for known in values:
            try:
                hypotheses, item = problem.margins(known)
                rows.append([item.margin, np.min(item.gaps), *hypotheses])
            except REFUSALS as error:
                rows.append([math.nan] * (2 + len(problem.hypotheses)))
                refused = error
    found = np.array(rows, float)[where.ravel()].T
    if refused is not None and np.isnan(found[0]).all():
        raise refused
    return found


def prepare(problem: Problem, rng: np.random.Generator) -> None:
    """Find whether the text means the same for many instances at once as for one; if not, take one at a time."""
    size = problem.space.sizes[0]
    found = []
    cube = rng.random((sum(problem.space.widths(size)), 12))
    for problem.one_at_a_time in (False, True):
        try:
            found.append(
                np.nan_to_num(look(problem, size, cube).gaps.min(axis=0), nan=1e300)
            )
        except REFUSALS:
            found.append(np.full(12, 1e300))
    apart = np.abs(found[0] - found[1]) > 1e-6 * (1 + np.abs(found[1]))
    problem.one_at_a_time = bool((found[0] == 1e300).all() or apart.any())


#: How many calls one look at instances of many points may take, and by what their
#: number may grow from 4 to 8 points.
MOST_CALLS = 4_000
MOST_GROWTH = 8


class _TooMany(Exception):
    """Say that a look takes too many calls."""


def _resume(profiler: Any) -> None:
    """Give the profiler that was at work, a function or one of the standard library, its place again."""
    sys.setprofile(profiler if callable(profiler) else None)
    if profiler is not None and not callable(profiler):
        profiler.enable()


def _calls(problem: Problem, size: int) -> float:
    """Count the calls of one look at an instance, a measure of time that is the same on every machine.

    Where there are more than `MOST_CALLS` the look is given up, and their number is
    infinite.
    """
    count = 0
    counting = True

    def note(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")
        if counting and count > MOST_CALLS:
            raise _TooMany

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        look(problem, size, np.full((sum(problem.space.widths(size)), 1), 0.5))
    except (_TooMany, LookupError, *REFUSALS):
        return math.inf
    finally:
        counting = False
        _resume(before)
    return count


def affordable(problem: Problem) -> int:
    """Return how many points instances may have: the first of `sizes_far` that a look can afford, or the largest size.

    A text that runs over subsets is seen by how its calls grow, and not tried there.
    """
    if _calls(problem, 8) <= MOST_GROWTH * _calls(problem, 4):
        for size in problem.space.sizes_far:
            if math.isfinite(_calls(problem, size)):
                return size
    return max(problem.space.sizes)


def reached(space: type[Space], batch: Batch) -> dict[str, int]:
    """Return how far the instances of a batch go that meet the hypotheses and could be computed.

    That is the number of points of their vectors, and for each integer, and each vector
    of counts, the largest (sum).
    """
    feasible = batch.feasible & ~np.isnan(batch.margin)
    if not feasible.any():
        return {}
    found = {}
    if space.length is None and any(item.vector for item in space.coordinates.values()):
        found[POINTS] = batch.size
    for name, item in space.coordinates.items():
        if item.integer:
            found[name] = int(batch.drawn[name][:, feasible].sum(axis=0).max())
    return found


#: What the number of points is called, beside the names of integers.
POINTS = "points"
#: How many numbers say what a vector of many points is.
FORM = 6


def form_width(space: type[Space]) -> int:
    """Return how many numbers say what an instance of many points is."""
    return sum(FORM if item.vector else 1 for item in space.coordinates.values())


def formed(space: type[Space], size: int, forms: Any) -> Any:
    """Return points of the cube for vectors of many points, of which few numbers say what they are.

    Two groups of points that are equal, or differ by up to a spread, and two single
    points.
    """
    parts: list[Any] = []
    start = 0
    for item in space.coordinates.values():
        if not item.vector:
            parts.append(forms[start : start + 1])
            start += 1
            continue
        first, second, share, spread, one, other = forms[start : start + FORM]
        start += FORM
        places = np.arange(size + item.extra)[:, None]
        noise = np.modf((places + 1) * GOLDEN)[0] - 0.5
        centre = np.where(places < share * size, first, second)
        cube = np.clip(centre + np.maximum(2 * spread - 1, 0) * noise, 0, 1 - 1e-9)
        cube[0] = one
        cube[1] = other
        parts.append(cube)
    return np.concatenate(parts)


def attack(
    problem: Problem,
    size: int,
    rng: np.random.Generator,
    effort: Any = EFFORT,
    width: int = 0,
    form: Any = None,
) -> Batch:
    """Search the cube for the least margin by differential evolution, until all islands have come to one value.

    With `form` the search is among `width` numbers that it makes points of the cube of.
    """
    form = form or (lambda cube: cube)

    def height(batch: Batch) -> Any:
        far = 2 - np.nan_to_num(batch.hypotheses, nan=-1.0).min(axis=0, initial=0.0)
        return np.where(batch.feasible, np.nan_to_num(batch.score, nan=1.5), far)

    islands, members, generations = effort
    count = islands * members
    least = [math.inf]
    cube = rng.random((width or sum(problem.space.widths(size)), count))
    score = height(look(problem, size, form(cube)))
    base = np.arange(islands).repeat(members) * members
    for _ in range(generations):
        best = cube[
            :, base + score.reshape(islands, members).argmin(axis=1).repeat(members)
        ]
        a, b, c = (cube[:, base + rng.integers(members, size=count)] for _ in range(3))
        pull = np.where(rng.random(count) < 0.5, rng.random(count), 0.0)
        step = a + pull * (best - a) + rng.uniform(0.3, 0.9, count) * (b - c)
        step = np.where((step < 0) | (step > 1), rng.random(step.shape), step)
        new = np.where(rng.random(cube.shape) < 0.8, step, cube)
        found = height(look(problem, size, form(new)))
        cube, score = np.where(found <= score, new, cube), np.minimum(found, score)
        least.append(score.min())
        spread = np.ptp(score.reshape(islands, members).min(axis=1))
        if least[-1] < -1e-6 or (
            spread < 1e-9 and len(least) > 11 and least[-11] - least[-1] < 1e-9
        ):
            break
    return look(problem, size, form(cube))


@dataclass(frozen=True)
class Decision:
    """Hold how one instance was decided: holds, fails, unmet, undecided or undefined, and in which arithmetic."""

    outcome: str
    margin: float = 0.0
    arithmetic: str = "exact"
    equal: bool = False
    why: str = ""


def decide(problem: Problem, raws: Mapping[str, Raw] | None) -> Decision:
    """Decide an instance given by its raw numbers, or without them the example by hand."""
    why = ""
    for bits in (bits for bits in BITS if bits >= problem.least):
        with mode("exact", bits) as at_work:
            try:
                found = problem.margins(problem.instance(raws))
            except Undecided as error:
                why, problem.least = str(error), max(problem.least, error.least)
                continue
            except REFUSALS as error:
                return Decision("undefined", why=f"{type(error).__name__}: {error}")
            if found is None:
                return Decision("unmet")
            outcome = "holds" if found[1] else "fails"
            if at_work.floats:
                return Decision(
                    outcome,
                    float(found[1].margin),
                    "float",
                    why=f"{at_work.floats[0]} is a float",
                )
            kind = "certified" if "balls" in at_work.notes else "exact"
            return Decision(
                outcome, float(found[1].margin), kind, "equal" in at_work.notes
            )
    return Decision("undecided", why=why)


#: Denominators at which the narrowest instances are tried, and how many instances of
#: each batch.
SMALL = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 20, 50, 100)
NARROWEST = 4


def _rounded(item: Coordinate, raw: Raw) -> list[Raw]:
    """Return a coordinate at each small denominator where it stays in its range; else as it is."""
    if item.whole:
        return [raw] * len(SMALL)
    if item.kind not in ("range", "choice"):
        simple = list(item.simpler(raw)) or [raw]
        return [simple[min(at, len(simple) - 1)] for at in range(len(SMALL))]
    near = [tuple(Fraction(round(x * parts), parts) for x in raw) for parts in SMALL]
    with mode("exact"):
        values = [
            item.value(np.array([number(x) for x in new], dtype=object)) for new in near
        ]
        return [
            new if item.contains(value) else raw
            for new, value in zip(near, values, strict=True)
        ]


def nearby(problem: Problem, batches: Sequence[Batch]) -> Iterator[dict[str, Raw]]:
    """Give the narrowest instances at small denominators: equality is often at one of them, and no float meets it."""
    for batch in batches:
        height = np.where(batch.feasible, np.nan_to_num(batch.score, nan=2.0), np.inf)
        for column in np.argsort(height, kind="stable")[:NARROWEST]:
            raws = batch.raws(int(column))
            rounded = [
                _rounded(item, raws[name])
                for name, item in problem.space.coordinates.items()
            ]
            for one in zip(*rounded, strict=True):
                yield dict(zip(problem.space.coordinates, one, strict=True))


def _kept(item: Coordinate | None, raw: Raw, points: Sequence[int]) -> Raw:
    """Return the entries of a vector at some points, or what is no vector."""
    return raw if item is None else tuple(raw[point] for point in points)


def _fewer_points(
    problem: Problem, raws: Mapping[str, Raw]
) -> Iterator[dict[str, Raw]]:
    """Give instances of fewer points: of a part where there are many, else one less, its mass lost or given away."""
    vectors = {
        name: item for name, item in problem.space.coordinates.items() if item.vector
    }
    size = max((len(raws[name]) for name in vectors), default=1)
    if size > max(problem.space.sizes):
        for part in (size // 2**k for k in range(1, size.bit_length())):
            left = size - part
            for start in (
                range(0, size, part) if left >= min(problem.space.sizes) else ()
            ):
                kept = [*range(start), *range(start + part, size)][:left]
                yield {
                    name: _kept(vectors.get(name), raw, kept)
                    for name, raw in raws.items()
                }
        return
    if size - 1 not in problem.space.sizes:
        return
    for point, other in product(range(size), repeat=2):
        found = dict(raws)
        for name, item in vectors.items():
            taken = raws[name][point] if item.adds else Fraction(0)
            kept = [
                x + (taken if k == other else 0)
                for k, x in enumerate(raws[name])
                if k != point
            ]
            found[name] = tuple(kept)
        yield found


def _together(problem: Problem, raws: Mapping[str, Raw]) -> Iterator[dict[str, Raw]]:
    """Give instances in which numbers that are equal become simpler together."""
    coordinates = problem.space.coordinates
    single = [name for name, item in coordinates.items() if not item.vector]
    for name in single:
        same = [other for other in single if raws[other] == raws[name]]
        if same[0] != name or len(same) == 1:
            continue
        for new in coordinates[name].simpler(raws[name]):
            with mode("exact"):
                allowed = all(
                    coordinates[other].contains(number(new[0])) for other in same
                )
            if allowed:
                yield {**raws, **dict.fromkeys(same, new)}


def _shorter(problem: Problem, raws: Mapping[str, Raw]) -> Iterator[dict[str, Raw]]:
    """Give simpler instances: one point less, then each coordinate, then equal ones together."""
    yield from _fewer_points(problem, raws)
    for name, item in problem.space.coordinates.items():
        for new in item.simpler(raws[name]):
            yield {**raws, name: new}
    yield from _together(problem, raws)


def _least(problem: Problem, raws: Mapping[str, Raw]) -> Iterator[dict[str, Raw]]:
    """Give instances with a smaller integer, from the least one on."""
    for name, item in problem.space.coordinates.items():
        if item.whole and not item.vector:
            for new in item.upwards(raws[name]):
                yield {**raws, name: new}


def shrink(
    problem: Problem, raws: Mapping[str, Raw], budget: int = 600
) -> dict[str, Raw]:
    """Return a shorter instance on which the statement still fails, decided exactly; `budget` decisions at most.

    In the end the least integers are looked for, with as many decisions again.
    """
    best = dict(raws)
    wanted = decide(problem, raws)

    def fails(new: Mapping[str, Raw]) -> bool:
        found = decide(problem, new)
        return (
            found.outcome == "fails"
            and (wanted.equal or not found.equal)
            and found.arithmetic != "float"
        )

    for proposals in (_shorter, _least):
        tries = iter(range(budget))
        while True:
            within = (
                new for new, _ in zip(proposals(problem, best), tries, strict=False)
            )
            shorter = next((new for new in within if fails(new)), None)
            if shorter is None:
                break
            best = shorter
    return best
