r"""The instances of a statement: coordinates, each a map from the unit cube, and quantities, formulas in the others.

A class lists them: `P, Q = law(), law()`, `drop = lambda P, Q: ...`, whose parameters
name coordinates or quantities, and constraints,
`apart = assume(lambda P, Q: P[0] > Q[0])`. One text serves draws of many floats at
once, numbers that decide, a search over the cube, and shrinking. Vectors of one
instance have one length, of `sizes` or `sizes_far`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, takewhile
from operator import itemgetter
from types import FunctionType
from typing import Any, ClassVar, NamedTuple

import numpy as np

from statements.arithmetic import number, simplest

#: What an instance is made of, one coordinate: numbers from which its value follows by
#: one formula.
Raw = tuple[Fraction, ...]
#: Share of the draws that lie at a corner.
CORNER = 0.15
#: Small denominators; and simple numbers, tried in this order when a counterexample is
#: made shorter.
SMALL = (1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 50, 100)
SIMPLE = dict.fromkeys(
    Fraction(s * k, d) for d in SMALL for k in range(4 * d + 1) for s in (1, -1)
)
#: Those of them that are tried first.
SIMPLEST = list(takewhile(Fraction(1, 3).__ne__, SIMPLE))


@dataclass(frozen=True)
class Coordinate:
    """Hold one coordinate.

    `draw` makes raw numbers from numbers of the cube, an instance a column, of which a
    vector takes `extra` more; `simpler` gives simpler raw numbers, the simplest first;
    `contains` says whether a value by hand belongs to it; `value` is what raw numbers
    stand for; `upwards` gives smaller integers, the least first. A vector may be
    `whole`, and its entries may add when two points are one. The same set in words, for
    a proof: `kind` is law, positive law, shape, range or choice, and `ends` are those
    of a range, or the numbers of a choice. What only `numbers` things is an integer,
    and no size.
    """

    draw: Callable[[Any], Any]
    simpler: Callable[[Raw], Iterator[Raw]]
    contains: Callable[[Any], bool]
    value: Callable[[Any], Any]
    vector: bool = False
    whole: bool = False
    adds: bool = False
    extra: int = 0
    kind: str = ""
    ends: tuple[Fraction, ...] = ()
    upwards: Callable[[Raw], Iterator[Raw]] = lambda raw: iter(())
    numbers: bool = False

    @property
    def integer(self) -> bool:
        """Whether its numbers are integers that can be large: a range of them, or a choice among some."""
        chosen = self.kind == "choice" and all(
            end.denominator == 1 for end in self.ends
        )
        return (self.whole or chosen) and not self.numbers and max(self.ends) > 1


def law(*, zeros: float = 0.0, spread: float = 12.0) -> Any:
    """Return a probability vector; atoms may be zero with probability `zeros`, and differ by up to 2**spread."""

    def draw(cube: Any) -> Any:
        inside = np.clip((cube - zeros) / (1 - zeros), 0, 1)
        found = np.where(cube < zeros, 0.0, np.round(64 * 2.0 ** (spread * inside)))
        found[0] = np.where(found.sum(axis=0) == 0, 1.0, found[0])
        return found

    def simpler(raw: Raw) -> Iterator[Raw]:
        whole = sum(raw)
        for parts in (*range(1, 13), 16, 20, 24, 30, 50, 100, 1000):
            new = tuple(
                max(
                    Fraction(round(x * parts / whole)),
                    Fraction(int(x > 0 and not zeros)),
                )
                for x in raw
            )
            if 0 < sum(new) < whole:
                yield new

    def contains(value: Any) -> bool:
        return all(number(x) >= 0 for x in value) and bool(number(sum(value)) == 1)

    kind = "law" if zeros else "positive law"
    return Coordinate(
        draw,
        simpler,
        contains,
        lambda raw: raw / raw.sum(axis=0),
        vector=True,
        adds=True,
        kind=kind,
    )


def shape() -> Any:
    """Return a vector in [-1, 1] with largest absolute value 1, often of two values."""

    def draw(cube: Any) -> Any:
        levels = np.round(32 * cube[1:] - 16)
        levels = np.where(cube[0] < 0.4, np.where(levels < 0, -16.0, 16.0), levels)
        levels[0] = np.where(np.abs(levels).max(axis=0) == 0, 16.0, levels[0])
        return levels

    def simpler(raw: Raw) -> Iterator[Raw]:
        most = max(map(abs, raw)) or 1
        shorter = (
            tuple(Fraction(round(x * parts / most)) for x in raw)
            for parts in (1, 2, 3, 4, 6, 8, 12)
        )
        return takewhile(raw.__ne__, shorter)

    def contains(value: Any) -> bool:
        return bool(number(max(map(abs, value))) == 1)

    def value(raw: Any) -> Any:
        return raw / abs(raw).max(axis=0)

    return Coordinate(
        draw, simpler, contains, value, vector=True, extra=1, kind="shape"
    )


def _size(value: Fraction) -> tuple[int, int]:
    """Return by what the simpler one of two numbers is smaller."""
    return value.denominator, abs(value.numerator)


def _among(values: Sequence[float], cube: Any) -> Any:
    """Return one of some numbers for each number of the cube."""
    return np.array(values, float)[
        np.minimum((cube * len(values)).astype(int), len(values) - 1)
    ]


def _real(
    low: float,
    high: float,
    corner: Any,
    log: bool = False,
    whole: bool = False,
    **kind: bool,
) -> Any:
    if not low <= high or (log and low <= 0):
        raise ValueError(
            f"low must not exceed high{', and be positive' * log}, got {low!r}, {high!r}"
        )
    corners = (
        () if corner is None else corner if isinstance(corner, tuple) else (corner,)
    )

    def draw(cube: Any) -> Any:
        share = CORNER if corners else 0.0
        above = high + 1 if whole else high
        inside = np.clip((cube - share) / (1 - share), 0, 1)
        found = (
            low * np.exp(np.log(above / low) * inside)
            if log
            else low + (above - low) * inside
        )
        found = np.clip(
            np.floor(found) if whole else found if log else np.round(found, 6),
            low,
            high,
        )
        return (
            np.where(cube < share, _among(corners, cube / CORNER), found)
            if corners
            else found
        )

    def allows(value: Any) -> bool:
        inside = simplest(low) <= number(value) <= simplest(high)
        return inside and not (
            whole and isinstance(value, Fraction) and value.denominator > 1
        )

    def quick(old: Fraction) -> Iterator[Fraction]:
        """Give a few simpler numbers for one number: the simplest ones, and those at small denominators near it."""
        halves = (
            old - old // 2**k
            for k in range(1, int(abs(old)).bit_length())
            if old.denominator == 1
        )
        rounded = (
            Fraction(round(old * parts), parts)
            for parts in SMALL
            if parts < old.denominator
        )
        return filter(allows, chain(takewhile(old.__ne__, SIMPLEST), halves, rounded))

    def thorough(old: Fraction) -> Iterator[Fraction]:
        """Give all simpler numbers."""
        return filter(allows, takewhile(old.__ne__, SIMPLE))

    def simpler(raw: Raw) -> Iterator[Raw]:
        for at, old in enumerate(raw):
            for new in quick(old):
                yield (*raw[:at], new, *raw[at + 1 :])
        for old in (value for value, times in Counter(raw).items() if times > 1):
            for new in chain(quick(old), thorough(old)):
                yield tuple(new if value == old else value for value in raw)
        for at, old in enumerate(raw):
            for new in (other for other in raw if _size(other) < _size(old)):
                yield (*raw[:at], new, *raw[at + 1 :])
        for at, old in enumerate(raw):
            for new in thorough(old):
                yield (*raw[:at], new, *raw[at + 1 :])

    def upwards(raw: Raw) -> Iterator[Raw]:
        """Give smaller integers, from the least one on."""
        for new in range(int(low), int(raw[0])):
            yield (Fraction(new),)

    words: dict[str, Any] = {
        "whole": whole,
        "kind": "range",
        "ends": (simplest(low), simplest(high)),
        **kind,
    }
    if words.get("vector"):
        return Coordinate(
            draw,
            simpler,
            lambda value: all(map(allows, value)),
            lambda raw: raw,
            **words,
        )
    return Coordinate(draw, simpler, allows, itemgetter(0), upwards=upwards, **words)


def real(low: float, high: float, *, corner: Any = None, log: bool = False) -> Any:
    """Return a real number in [low, high]; a share of the draws lies exactly at `corner`, one value or several."""
    return _real(low, high, corner, log)


def vector(low: float, high: float, *, corner: Any = None) -> Any:
    """Return a vector of real numbers in [low, high]."""
    return _real(low, high, corner, vector=True)


def whole(low: int, high: int, *, corner: Any = None, log: bool = False) -> Any:
    """Return an integer in low..high."""
    return _real(low, high, corner, log, whole=True)


def index(low: int, high: int) -> Any:
    """Return an integer in low..high that says which of so many things is meant; it is no size."""
    return _real(low, high, None, whole=True, numbers=True)


def counts(low: int, high: int) -> Any:
    """Return a vector of integers in low..high, often low."""
    return _real(low, high, low, whole=True, vector=True, adds=True)


def choice(*values: Any) -> Any:
    """Return one of some numbers."""
    exact = [simplest(value) for value in values]
    return Coordinate(
        lambda cube: _among(values, cube),
        lambda raw: ((value,) for value in exact[: exact.index(raw[0])]),
        lambda value: any(number(value) == other for other in exact),
        itemgetter(0),
        kind="choice",
        ends=tuple(exact),
    )


class assume(NamedTuple):
    """State a constraint of a space, a lambda that compares what its parameters name."""

    constraint: Any


class Space:
    """Collect coordinates, quantities and constraints from the bodies of its subclasses.

    Vectors have a length of `sizes`, and, for a part of the instances, the first of
    `sizes_far` that a text can afford; none where a class names its `sizes` alone.
    `length`, in place of both, is that of vectors whose length belongs to what they
    are, such as the coordinates of a point of the plane.
    """

    sizes: ClassVar[tuple[int, ...]] = (2, 3, 4, 5)
    sizes_far: ClassVar[tuple[int, ...]] = (200, 100)
    length: ClassVar[int | None] = None
    coordinates: ClassVar[Mapping[str, Coordinate]] = {}
    quantities: ClassVar[Mapping[str, Any]] = {}
    constraints: ClassVar[Mapping[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        if "sizes" in vars(cls) and "sizes_far" not in vars(cls):
            cls.sizes_far, cls.length = (), vars(cls).get("length")
        if "length" in vars(cls) and cls.length is not None:
            cls.sizes, cls.sizes_far = (cls.length,), ()
        found = [dict(cls.coordinates), dict(cls.quantities), dict(cls.constraints)]
        for name, value in vars(cls).items():
            if name.startswith("__") or name in ("sizes", "sizes_far", "length"):
                continue
            at = [
                k
                for k, kind in enumerate((Coordinate, FunctionType, assume))
                if isinstance(value, kind)
            ]
            if not at or hasattr(Space, name):
                raise TypeError(
                    f"{cls.__name__}.{name} must be a new coordinate, lambda or assume(...), got {value!r}"
                )
            for table in found:
                table.pop(name, None)
            found[at[0]][name] = (
                value.constraint if isinstance(value, assume) else value
            )
        cls.coordinates, cls.quantities, cls.constraints = found
        if not any(item.vector for item in cls.coordinates.values()):
            cls.sizes = (1,)
            cls.sizes_far = ()

    @classmethod
    def widths(cls, size: int) -> list[int]:
        """Return how many numbers of the cube each coordinate takes, for vectors of that length."""
        return [
            size + item.extra if item.vector else 1 for item in cls.coordinates.values()
        ]

    @classmethod
    def draw(cls, cube: Any, size: int) -> dict[str, Any]:
        """Return raw numbers of each coordinate from points of the cube, a column each."""
        parts = np.split(cube, np.cumsum(cls.widths(size))[:-1])
        return {
            n: c.draw(part)
            for (n, c), part in zip(cls.coordinates.items(), parts, strict=True)
        }

    @classmethod
    def values(cls, raws: Mapping[str, Any], kind: Any = None) -> dict[Any, Any]:
        """Return the coordinates of many instances, an array each, or of one in numbers of a kind, or integers."""
        found = {}
        for name, item in cls.coordinates.items():
            raw = raws[name]
            if kind is not None:
                entries = [int(x) if item.whole else kind(x) for x in raw]
                raw = np.array(
                    entries, dtype=None if item.vector and kind is float else object
                )
            found[name] = item.value(raw)
        return found
