"""What names stand for, a number, a vector or several vectors: seen by running a check on one instance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from numbers import Number as Plain
from typing import Any

import numpy as np
from flint import arb, fmpq

from statements.arithmetic import Number, mode
from statements.rewrite import Unit, make
from statements.search import REFUSALS

#: Instances that are tried, the most entries that are taken one by one, and how a
#: result is called.
TRIES = 6
MOST = 100_000
RESULT = "return"


@dataclass(frozen=True)
class Shape:
    """Say how deep a value is: for each level whether it is an array, where arithmetic goes entry by entry.

    A number has no level. A `span` is a range of whole numbers.
    """

    levels: tuple[bool, ...] = ()
    span: bool = False

    @property
    def listed(self) -> bool:
        """Whether it is a list, with which there is no arithmetic."""
        return self.levels[:1] == (False,)

    def inside(self) -> Shape:
        """Return the shape of an entry."""
        return Shape(self.levels[1:])


NUMBER = Shape()


def inside(shape: Shape | None) -> Shape | None:
    """Return the shape of an entry, None where it is not known."""
    return shape and shape.inside()


def several(shape: Shape | None, *, array: bool = False) -> Shape | None:
    """Return the shape of a list or an array of what has a shape."""
    return shape and Shape((array, *shape.levels))


def widest(shapes: Sequence[Shape | None]) -> Shape | None:
    """Return the shape of what arithmetic makes of values, None where one is not known."""
    if None in shapes:
        return None
    deepest = max((shape.levels for shape in shapes if shape), key=len, default=())
    arrays = [shape.levels for shape in shapes if shape and shape.levels[:1] == (True,)]
    return Shape((True, *deepest[1:]) if deepest and arrays else deepest)


def shape_of(value: Any) -> Shape | None:
    """Return the shape of a value, None where it has none: words, functions, lists of different things."""
    if isinstance(value, Plain | Number | np.generic | arb | fmpq):
        return NUMBER
    if isinstance(value, range):
        return Shape((False,), span=True)
    if isinstance(value, np.ndarray) and value.dtype != object:
        return Shape((True,) * value.ndim)
    if not isinstance(value, np.ndarray | list | tuple):
        return None
    entries = {shape_of(item) for item in value}
    same = {entry and len(entry.levels) for entry in entries}
    if not entries or None in same or len(same) > 1:
        return None
    return several(widest([*entries]), array=isinstance(value, np.ndarray))


class Shapes:
    """Keep the shape of each argument and result of texts; None where it differs between two calls."""

    def __init__(self) -> None:
        self.seen: dict[tuple[Unit, str], Shape | None] = {}

    def note(self, unit: Unit, name: str, value: Any) -> None:
        """Keep the shape of a value; of two that are equally deep what is a list in one of them is no array."""
        shape = shape_of(value)
        known = self.seen.setdefault((unit, name), shape)
        if known is not None and known != shape:
            same = shape is not None and len(shape.levels) == len(known.levels)
            levels = tuple(map(min, known.levels, shape.levels)) if shape else ()
            self.seen[unit, name] = Shape(levels) if same else None

    def watched(self, unit: Unit, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that notes what it is given and what it returns."""

        def call(*given: Any) -> Any:
            for name, value in zip(unit.parameters, given, strict=False):
                self.note(unit, name, value)
            found = function(*given)
            found = [*islice(found, MOST)] if hasattr(found, "__next__") else found
            self.note(unit, RESULT, found)
            return found

        return call


def shapes(problem: Any) -> Shapes:
    """Return the shapes that the texts of a check have on the first of its instances that can be computed."""
    found = Shapes()
    space = problem.space
    made = make(problem.made)
    watched = {unit: found.watched(unit, function) for unit, function in made.items()}
    for unit, function in made.items():
        function.__globals__.update(
            {name: watched[part] for name, part in unit.uses.items()}
        )
    size = space.sizes[min(1, len(space.sizes) - 1)]
    drawn = space.draw(
        np.random.default_rng(0).random((sum(space.widths(size)), TRIES)), size
    )
    for at in range(TRIES):
        with mode("scalar"):
            given = space.values(
                {name: part[:, at] for name, part in drawn.items()}, float
            )
            try:
                replace(problem, made=watched).margins(given)
                break
            except REFUSALS:
                continue
    return found
