"""What names stand for, a number, a vector or several vectors.

That is seen by running a check on one instance.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from numbers import Number as Plain

import numpy as np
from flint import arb, fmpq

from statements.arithmetic import SEVERAL, Number, mode
from statements.problem import REFUSALS, Problem
from statements.rewrite import Unit, make

#: Instances that are tried, the most entries that are taken one by one, and how a
#: result is called.
TRIES = 6
MOST = 100_000
RESULT = "return"


@dataclass(frozen=True)
class Shape:
    """Say how deep a value is.

    For each level it says whether it is an array, where arithmetic goes entry by entry.
    A number has no level. A `span` is a range of whole numbers.
    """

    levels: tuple[bool, ...] = ()
    span: bool = False

    @property
    def listed(self) -> bool:
        """Whether it is a list, with which there is no arithmetic."""
        return self.levels[:1] == (False,)


#: A shape, None where it is not known.
MaybeShape = Shape | None
NUMBER = Shape()
RANGE = Shape((False,), span=True)


def inside(shape: MaybeShape) -> MaybeShape:
    """Return the shape of an entry, None where it is not known."""
    return shape and Shape(shape.levels[1:])


def several(shape: MaybeShape, *, array: bool = False) -> MaybeShape:
    """Return the shape of a list or an array of what has a shape."""
    return shape and Shape((array, *shape.levels))


def entrywise(shape: MaybeShape) -> MaybeShape:
    """Return the shape of arrays that are as deep."""
    return shape and Shape((True,) * len(shape.levels))


def widest(shapes: Sequence[MaybeShape]) -> MaybeShape:
    """Return the shape of what arithmetic makes of values, None if one is unknown."""
    deepest: tuple[bool, ...] = ()
    has_array = False
    for shape in shapes:
        if shape is None:
            return None
        if len(shape.levels) > len(deepest):
            deepest = shape.levels
        has_array = has_array or shape.levels[:1] == (True,)
    if has_array:
        return Shape((True, *deepest[1:]))
    return Shape(deepest)


def alike(shapes: Sequence[MaybeShape]) -> MaybeShape:
    """Return the shape of values that are equally deep, None where they are not."""
    depths = {shape and len(shape.levels) for shape in shapes}
    if len(depths) == 1:
        return widest(shapes)
    return None


def shape_of(value: object) -> MaybeShape:
    """Return the shape of a value.

    It is None where it has none: words, functions, lists of different things.
    """
    if isinstance(value, Plain | Number | np.generic | arb | fmpq):
        return NUMBER
    if isinstance(value, range):
        return RANGE
    if isinstance(value, np.ndarray) and value.dtype != object:
        return Shape((True,) * value.ndim)
    if isinstance(value, SEVERAL):
        entries = {shape_of(item) for item in value}
        return several(alike([*entries]), array=isinstance(value, np.ndarray))
    return None


class Shapes:
    """Keep the shape of each argument and result of texts.

    It is None where it differs between two calls.
    """

    def __init__(self) -> None:
        self.seen: dict[tuple[Unit, str], MaybeShape] = {}

    def note(
        self,
        unit: Unit,
        name: str,
        value: object,
    ) -> None:
        """Keep the shape of a value.

        Of two that are equally deep what is a list in one of them is no array.
        """
        shape = shape_of(value)
        known = self.seen.setdefault((unit, name), shape)
        if known is None or known == shape:
            return
        if shape is None or len(shape.levels) != len(known.levels):
            self.seen[unit, name] = None
        else:
            self.seen[unit, name] = Shape(tuple(map(min, known.levels, shape.levels)))

    def watched(
        self,
        unit: Unit,
        function: Callable[..., object],
    ) -> Callable[..., object]:
        """Return a function that notes what it is given and what it returns."""

        def call(*arguments: object) -> object:
            for name, value in zip(unit.parameters, arguments, strict=False):
                self.note(unit, name, value)
            result = function(*arguments)
            if isinstance(result, Iterator):
                result = [*islice(result, MOST)]
            self.note(unit, RESULT, result)
            return result

        return call


def shapes(problem: Problem) -> Shapes:
    """Return the shapes that the texts of a check have.

    They are seen on the first of its instances that can be computed.
    """
    seen = Shapes()
    functions = make(problem.functions)
    watched = {unit: seen.watched(unit, call) for unit, call in functions.items()}
    for unit, function in functions.items():
        helpers = {name: watched[part] for name, part in unit.uses.items()}
        function.__globals__.update(helpers)
    space = problem.space
    size = space.sizes[min(1, len(space.sizes) - 1)]
    cube = np.random.default_rng(0).random((space.cube_width(size), TRIES))
    drawn = space.draw(cube, size)
    for at in range(TRIES):
        raws = {name: part[:, at] for name, part in drawn.items()}
        with mode("scalar"):
            values = space.values(raws, float)
            try:
                replace(problem, functions=watched).margins(values)
                break
            except REFUSALS:
                continue
    return seen
