r"""Make a counterexample short: fewer points, simpler numbers, the least integers."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from statements.arithmetic import mode, number
from statements.decisions import decide
from statements.problem import Problem
from statements.space import Coordinate, Raw, Raws, SpaceType

#: Decisions that a search for a shorter instance may take.
BUDGET = 600

Proposals = Callable[[SpaceType, Raws], Iterator[Raws]]


def _without_a_part(
    space: SpaceType,
    raws: Raws,
    size: int,
) -> Iterator[Raws]:
    """Give instances that lack a half of the points, then a quarter, and so on."""
    for halvings in range(1, size.bit_length()):
        part = size // 2**halvings
        left = size - part
        if left < min(space.sizes):
            continue
        for start in range(0, size, part):
            shorter = dict(raws)
            for name in space.vectors():
                entries = raws[name][:start] + raws[name][start + part :]
                shorter[name] = entries[:left]
            yield shorter


def _without_a_point(
    space: SpaceType,
    raws: Raws,
    size: int,
) -> Iterator[Raws]:
    """Give instances that lack one point, whose mass is lost or given to another."""
    for point, other in product(range(size), repeat=2):
        shorter = dict(raws)
        for name, item in space.vectors().items():
            entries = list(raws[name])
            if item.adds and other != point:
                entries[other] += entries[point]
            del entries[point]
            shorter[name] = tuple(entries)
        yield shorter


def _fewer_points(space: SpaceType, raws: Raws) -> Iterator[Raws]:
    """Give instances of fewer points: of a part where there are many, else one less."""
    size = max(map(len, raws.values()))
    if size > max(space.sizes):
        yield from _without_a_part(space, raws, size)
    elif size - 1 in space.sizes:
        yield from _without_a_point(space, raws, size)


def _together(space: SpaceType, raws: Raws) -> Iterator[Raws]:
    """Give instances in which numbers that are equal become simpler together."""
    groups: dict[Raw, list[str]] = {}
    for name, item in space.coordinates.items():
        if not item.vector:
            groups.setdefault(raws[name], []).append(name)
    for raw, names in groups.items():
        if len(names) == 1:
            continue
        items = [space.coordinates[name] for name in names]
        for new in items[0].simpler(raw):
            if _in_all(items, new):
                yield {**raws, **dict.fromkeys(names, new)}


def _in_all(items: list[Coordinate], raw: Raw) -> bool:
    """Tell whether a number lies in the ranges of several coordinates."""
    with mode("exact"):
        value = number(raw[0])
        return all(item.contains(value) for item in items)


def _shorter(space: SpaceType, raws: Raws) -> Iterator[Raws]:
    """Give instances of fewer points, simpler numbers, then equal ones together."""
    yield from _fewer_points(space, raws)
    for name, item in space.coordinates.items():
        for new in item.simpler(raws[name]):
            yield {**raws, name: new}
    yield from _together(space, raws)


def _least(space: SpaceType, raws: Raws) -> Iterator[Raws]:
    """Give instances with a smaller integer, from the least one on."""
    for name, item in space.coordinates.items():
        if item.whole and not item.vector:
            for new in range(int(item.ends[0]), int(raws[name][0])):
                yield {**raws, name: (Fraction(new),)}


def shrink(problem: Problem, raws: Raws) -> Raws:
    """Return a shorter instance on which the statement still fails, decided exactly.

    It takes `BUDGET` decisions at most. In the end the least integers are looked for,
    with as many decisions again.
    """
    touching = decide(problem, raws).equal

    def fails(new: Raws) -> bool:
        decision = decide(problem, new)
        return decision.refutes and (touching or not decision.equal)

    for proposals in (_shorter, _least):
        raws = _descend(problem.space, raws, proposals, fails)
    return raws


def _descend(
    space: SpaceType,
    raws: Raws,
    proposals: Proposals,
    fails: Callable[[Raws], bool],
) -> Raws:
    """Return an instance of which no proposal fails, or the last of a budget."""
    tries = iter(range(BUDGET))
    while True:
        for new in proposals(space, raws):
            if next(tries, None) is None:
                return raws
            if fails(new):
                raws = new
                break
        else:
            return raws
