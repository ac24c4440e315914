r"""The instances of a statement: coordinates, and quantities, formulas in them.

A coordinate is a map from the unit cube. A class lists them: `P, Q = law(), law()`,
`drop = lambda P, Q: ...`, whose parameters name coordinates or quantities, and
constraints, `apart = assume(lambda P, Q: P[0] > Q[0])`. One text serves draws of many
floats at once, numbers that decide, a search over the cube, and shrinking. Vectors of
one instance have one length, of `sizes` or `sizes_far`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain, takewhile
from operator import itemgetter
from types import FunctionType
from typing import Any, ClassVar, NamedTuple

import numpy as np

from statements.arithmetic import Floats, Value, number, simplest

#: What an instance is made of, one coordinate: numbers from which its value follows by
#: one formula.
Raw = tuple[Fraction, ...]
#: The raw numbers of an instance, by the names of its coordinates.
Raws = Mapping[str, Raw]
#: A lambda in the body of a class.
Text = Callable[..., object]
#: What a body says of a coordinate. In a subclass a formula may take its place, which
#: no type says.
Declared = Any
#: Share of the draws that lie at a corner, and decimals of the others.
CORNER = 0.15
DECIMALS = 6
#: Small denominators.
SMALL = (1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 50, 100)


def _simple_numbers() -> list[Fraction]:
    """Return simple numbers up to 4, in the order in which shrinking tries them."""
    numbers: dict[Fraction, None] = {}
    for parts in SMALL:
        for k in range(4 * parts + 1):
            numbers[Fraction(k, parts)] = None
            numbers[Fraction(-k, parts)] = None
    return list(numbers)


SIMPLE = _simple_numbers()
#: Those of them that are tried first.
SIMPLEST = list(takewhile(Fraction(1, 3).__ne__, SIMPLE))
#: The sums of parts that a shorter law may have.
PARTS = (*range(1, 13), 16, 20, 24, 30, 50, 100, 1000)
#: Levels of a weight of a law, and of an entry of a shape; the share of shapes of two
#: values; denominators of a shorter shape.
WEIGHTS = 64
LEVELS = 16
TWO_VALUED = 0.4
SHAPE_PARTS = (1, 2, 3, 4, 6, 8, 12)


@dataclass(frozen=True)
class Coordinate:
    """Hold one coordinate.

    `draw` makes raw numbers from numbers of the cube, an instance a column, of which a
    vector takes `extra` more; `simpler` gives simpler raw numbers, the simplest first;
    `contains` says whether a value by hand belongs to it; `value` is what raw numbers
    stand for. A vector may be `whole`, and its entries may add when two points are one.
    The same set in words, for a proof: `kind` is law, positive law, shape, range or
    choice, and `ends` are those of a range, or the numbers of a choice. What only
    `numbers` things is an integer, and no size.
    """

    draw: Callable[[Floats], Floats]
    simpler: Callable[[Raw], Iterator[Raw]]
    contains: Callable[[Value], bool]
    value: Callable[[Value], Value]
    vector: bool = False
    whole: bool = False
    adds: bool = False
    extra: int = 0
    kind: str = ""
    ends: tuple[Fraction, ...] = ()
    numbers: bool = False

    def entries(self, size: int) -> int:
        """Return how many entries it has where vectors have that length."""
        return size if self.vector else 1

    @property
    def integer(self) -> bool:
        """Whether it is an integer that can be large: a range of them, or a choice."""
        if self.numbers:
            return False
        chosen = self.kind == "choice" and all(
            end.denominator == 1 for end in self.ends
        )
        return (self.whole or chosen) and max(self.ends) > 1


def law(*, zeros: float = 0.0, spread: float = 12.0) -> Declared:
    """Return a probability vector.

    Atoms may be zero with probability `zeros`, and differ by up to 2**spread.
    """

    def draw(cube: Floats) -> Floats:
        inside = np.clip((cube - zeros) / (1 - zeros), 0, 1)
        weights = np.round(WEIGHTS * 2.0 ** (spread * inside))
        weights = np.where(cube < zeros, 0.0, weights)
        zero = weights.sum(axis=0) == 0
        weights[0] = np.where(zero, 1.0, weights[0])
        return weights

    def simpler(raw: Raw) -> Iterator[Raw]:
        whole = sum(raw)
        least = [Fraction(int(x > 0 and not zeros)) for x in raw]  # an atom stays one
        for parts in PARTS:
            rounded = [Fraction(round(x * parts / whole)) for x in raw]
            simple = tuple(map(max, rounded, least))
            if 0 < sum(simple) < whole:
                yield simple

    def contains(value: Value) -> bool:
        if not all(number(x) >= 0 for x in value):
            return False
        return bool(number(sum(value)) == 1)

    return Coordinate(
        draw,
        simpler,
        contains,
        lambda raw: raw / raw.sum(axis=0),
        vector=True,
        adds=True,
        kind="law" if zeros else "positive law",
    )


def shape() -> Declared:
    """Return a vector in [-1, 1] with largest absolute value 1, often of two values."""

    def draw(cube: Floats) -> Floats:
        levels = np.round(2 * LEVELS * cube[1:] - LEVELS)
        signs = np.where(levels < 0, -float(LEVELS), float(LEVELS))
        levels = np.where(cube[0] < TWO_VALUED, signs, levels)
        zero = np.abs(levels).max(axis=0) == 0
        levels[0] = np.where(zero, float(LEVELS), levels[0])
        return levels

    def simpler(raw: Raw) -> Iterator[Raw]:
        most = max(map(abs, raw)) or 1
        for parts in SHAPE_PARTS:
            shorter = tuple(Fraction(round(x * parts / most)) for x in raw)
            if shorter == raw:
                return
            yield shorter

    def contains(value: Value) -> bool:
        return bool(number(max(map(abs, value))) == 1)

    return Coordinate(
        draw,
        simpler,
        contains,
        lambda raw: raw / abs(raw).max(axis=0),
        vector=True,
        extra=1,
        kind="shape",
    )


def _size(value: Fraction) -> tuple[int, int]:
    """Return by what the simpler one of two numbers is smaller."""
    return value.denominator, abs(value.numerator)


def _among(values: Sequence[float] | Floats, cube: Floats) -> Floats:
    """Return one of some numbers for each number of the cube."""
    last = len(values) - 1
    places = np.minimum((cube * len(values)).astype(int), last)
    chosen: Floats = np.array(values, float)[places]
    return chosen


#: One value that is met exactly, or several.
Corner = float | tuple[float, ...]


@dataclass(frozen=True, eq=False)
class _Range:
    """Hold the numbers between two ends, integers where they are `whole`."""

    low: float
    high: float
    corner: Corner = ()
    log: bool = False
    whole: bool = False

    def __post_init__(self) -> None:
        positive = ", and be positive" if self.log else ""
        if not self.low <= self.high or (self.log and self.low <= 0):
            raise ValueError(
                f"low must not exceed high{positive}, got {self.low!r}, {self.high!r}"
            )

    @cached_property
    def corners(self) -> Floats:
        """The numbers at which a share of the draws lies."""
        return np.ravel(self.corner)

    @cached_property
    def ends(self) -> tuple[Fraction, Fraction]:
        """Both ends."""
        return simplest(self.low), simplest(self.high)

    def draw(self, cube: Floats) -> Floats:
        """Return a number for each number of the cube, a share of them at corners."""
        if not self.corners.size:
            return self._inside(np.clip(cube, 0, 1))
        drawn = self._inside(np.clip((cube - CORNER) / (1 - CORNER), 0, 1))
        return np.where(cube < CORNER, _among(self.corners, cube / CORNER), drawn)

    def _inside(self, cube: Floats) -> Floats:
        above = self.high
        if self.whole:
            above += 1
        if self.log:
            drawn = self.low * np.exp(np.log(above / self.low) * cube)
        else:
            drawn = self.low + (above - self.low) * cube
        if self.whole:
            drawn = np.floor(drawn)
        elif not self.log:
            drawn = np.round(drawn, DECIMALS)
        inside: Floats = np.clip(drawn, self.low, self.high)
        return inside

    def allows(self, value: Value) -> bool:
        """Tell whether it has a number."""
        low, high = self.ends
        if self.whole and isinstance(value, Fraction) and value.denominator > 1:
            return False
        return bool(low <= number(value) <= high)

    def allows_all(self, values: Value) -> bool:
        """Tell whether it has all entries of a vector."""
        return all(map(self.allows, values))

    def quick(self, old: Fraction) -> Iterator[Fraction]:
        """Give a few simpler numbers for one number.

        They are the simplest ones, a part of an integer, and those at small
        denominators near it.
        """
        length = int(abs(old)).bit_length() if old.denominator == 1 else 0
        parts = (old - old // 2**k for k in range(1, length))
        rounded = (
            Fraction(round(old * parts), parts)
            for parts in SMALL
            if parts < old.denominator
        )
        simplest_ones = takewhile(old.__ne__, SIMPLEST)
        return filter(self.allows, chain(simplest_ones, parts, rounded))

    def thorough(self, old: Fraction) -> Iterator[Fraction]:
        """Give all simpler numbers."""
        return filter(self.allows, takewhile(old.__ne__, SIMPLE))

    def simpler(self, raw: Raw) -> Iterator[Raw]:
        """Give simpler raw numbers, first what is quick, then all at once, then all."""
        yield from _with_one(raw, self.quick)
        for old, times in Counter(raw).items():
            if times > 1:
                for new in chain(self.quick(old), self.thorough(old)):
                    yield tuple(new if value == old else value for value in raw)
        yield from _with_one(
            raw, lambda old: (other for other in raw if _size(other) < _size(old))
        )
        yield from _with_one(raw, self.thorough)

    def number(self) -> Coordinate:
        """Return one number as a coordinate."""
        return Coordinate(
            self.draw,
            self.simpler,
            self.allows,
            itemgetter(0),
            whole=self.whole,
            kind="range",
            ends=self.ends,
        )

    def vector(self) -> Coordinate:
        """Return a vector of numbers as a coordinate."""
        return replace(
            self.number(),
            contains=self.allows_all,
            value=lambda raw: raw,
            vector=True,
        )


def _with_one(
    raw: Raw,
    simpler: Callable[[Fraction], Iterator[Fraction]],
) -> Iterator[Raw]:
    """Give raw numbers of which one is simpler."""
    for at, old in enumerate(raw):
        for new in simpler(old):
            yield (*raw[:at], new, *raw[at + 1 :])


def real(
    low: float,
    high: float,
    *,
    corner: Corner = (),
    log: bool = False,
) -> Declared:
    """Return a real number in [low, high].

    A share of the draws lies exactly at `corner`, one value or several.
    """
    return _Range(low, high, corner, log).number()


def vector(low: float, high: float, *, corner: Corner = ()) -> Declared:
    """Return a vector of real numbers in [low, high]."""
    return _Range(low, high, corner).vector()


def whole(low: int, high: int, *, corner: Corner = (), log: bool = False) -> Declared:
    """Return an integer in low..high."""
    return _Range(low, high, corner, log, whole=True).number()


def index(low: int, high: int) -> Declared:
    """Return an integer in low..high that says which of so many things is meant.

    It is no size.
    """
    return replace(whole(low, high), numbers=True)


def counts(low: int, high: int) -> Declared:
    """Return a vector of integers in low..high, often low."""
    return replace(_Range(low, high, low, whole=True).vector(), adds=True)


def choice(*values: float) -> Declared:
    """Return one of some numbers."""
    exact = [simplest(value) for value in values]

    def simpler(raw: Raw) -> Iterator[Raw]:
        return ((value,) for value in exact[: exact.index(raw[0])])

    return Coordinate(
        lambda cube: _among(values, cube),
        simpler,
        lambda value: any(number(value) == other for other in exact),
        itemgetter(0),
        kind="choice",
        ends=tuple(exact),
    )


def raws_of(drawn: Mapping[str, Floats], column: int) -> Raws:
    """Return one of many instances as rationals."""
    return {
        name: tuple(simplest(float(x)) for x in part[:, column])
        for name, part in drawn.items()
    }


class assume(NamedTuple):
    """State a constraint of a space, a lambda that compares what it names."""

    constraint: Text


#: What a class may say of the lengths of its vectors.
LENGTHS = ("sizes", "sizes_far", "length")


class Space:
    """Collect coordinates, quantities and constraints from the bodies of subclasses.

    Vectors have a length of `sizes`, and, for a part of the instances, the first of
    `sizes_far` that a text can afford; none where a class names its `sizes` alone.
    `length`, in place of both, is that of vectors whose length belongs to what they
    are, such as the coordinates of a point of the plane.
    """

    sizes: ClassVar[tuple[int, ...]] = (2, 3, 4, 5)
    sizes_far: ClassVar[tuple[int, ...]] = (200, 100)
    length: ClassVar[int | None] = None
    coordinates: ClassVar[Mapping[str, Coordinate]] = {}
    quantities: ClassVar[Mapping[str, Text]] = {}
    constraints: ClassVar[Mapping[str, assume]] = {}

    def __init_subclass__(cls) -> None:
        cls._collect()
        cls._set_sizes()

    @classmethod
    def _collect(cls) -> None:
        """Add what the body of the class names to what its bases have."""
        tables: dict[type, dict[str, Any]] = {
            Coordinate: dict(cls.coordinates),
            FunctionType: dict(cls.quantities),
            assume: dict(cls.constraints),
        }
        for name, value in vars(cls).items():
            if name.startswith("__") or name in LENGTHS:
                continue
            if hasattr(Space, name) or type(value) not in tables:
                raise TypeError(
                    f"{cls.__name__}.{name} must be a new coordinate, lambda or"
                    f" assume(...), got {value!r}"
                )
            for table in tables.values():
                table.pop(name, None)
            tables[type(value)][name] = value
        cls.coordinates, cls.quantities, cls.constraints = tables.values()

    @classmethod
    def _set_sizes(cls) -> None:
        """Say how long vectors are, from what the body of the class says."""
        stated = vars(cls)
        if "sizes" in stated and "sizes_far" not in stated:
            cls.sizes_far = ()
            cls.length = stated.get("length")
        if "length" in stated and cls.length is not None:
            cls.sizes = (cls.length,)
            cls.sizes_far = ()
        if not cls.vectors():
            cls.sizes = (1,)
            cls.sizes_far = ()

    @classmethod
    def vectors(cls) -> dict[str, Coordinate]:
        """Return the coordinates that are vectors."""
        coordinates = cls.coordinates.items()
        return {name: item for name, item in coordinates if item.vector}

    @classmethod
    def widths(cls, size: int) -> list[int]:
        """Return how many numbers of the cube each coordinate takes.

        Vectors have the length `size`.
        """
        return [item.entries(size + item.extra) for item in cls.coordinates.values()]

    @classmethod
    def cube_width(cls, size: int) -> int:
        """Return how many numbers of the cube an instance takes."""
        return sum(cls.widths(size))

    @classmethod
    def draw(cls, cube: Floats, size: int) -> dict[str, Floats]:
        """Return raw numbers of each coordinate from the cube, a column an instance."""
        ends = np.cumsum(cls.widths(size))
        parts = iter(np.split(cube, ends[:-1]))
        drawn = {}
        for name, item in cls.coordinates.items():
            drawn[name] = item.draw(next(parts))
        return drawn

    @classmethod
    def values(
        cls,
        raws: Raws | Mapping[str, Floats],
        kind: Callable[[Fraction], Value] | None = None,
    ) -> dict[Any, Value]:
        """Return the coordinates of many instances, an array each.

        With a kind of number it is those of one instance, in such numbers, or integers.
        """
        values: dict[Any, Value] = {}
        for name, item in cls.coordinates.items():
            raw: Value = raws[name]
            if kind is not None:
                entries = [*map(int if item.whole else kind, raw)]
                dtype = None
                if not item.vector or kind is not float:
                    dtype = object
                raw = np.array(entries, dtype)
            values[name] = item.value(raw)
        return values


#: A space, as a check is given it.
SpaceType = type[Space]
