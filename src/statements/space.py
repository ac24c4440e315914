r"""The instances of a statement: coordinates, each a map from the unit cube, and quantities, formulas in the others.

    class Steps(Space):
        P, Q, s = law(zeros=0.15), law(), shape()
        θ = real(0.01, 0.99)
        drop = lambda P, Q, s, θ: ...              # a quantity: its parameters name coordinates or quantities
        apart = assume(lambda P, Q: P[0] > Q[0])   # a constraint

One text serves draws of many floats at once, numbers that decide, a search over the cube, and shrinking. Vectors of
one instance have one length, one of `sizes`. A subclass adds to what it inherits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import FunctionType
from typing import Any, ClassVar, NamedTuple

import numpy as np

from statements import truth
from statements.arithmetic import number, simplest

__all__ = ["Coordinate", "Raw", "Space", "assume", "choice", "counts", "law", "real", "shape", "vector", "whole"]

#: What an instance is made of, one coordinate: numbers from which its value follows by one formula.
Raw = tuple[Fraction, ...]
#: Share of the draws that lie at a corner.
CORNER = 0.15
#: Simple numbers, tried in this order when a counterexample is made shorter.
SIMPLE = dict.fromkeys(
    Fraction(s * k, d) for d in (1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 50, 100) for k in range(4 * d + 1) for s in (1, -1)
)


class Coordinate:
    """Hold one coordinate; subclasses say how many cube coordinates it takes and what they mean."""

    #: Whether it is a vector, of integers, and one whose entries add when two points are put together.
    vector = whole = adds = False

    def width(self, size: int) -> int:
        """Return how many numbers of the cube it takes."""
        return size if self.vector else 1

    def draw(self, cube: Any) -> Any:
        """Return raw numbers from numbers of the cube, an instance a column."""
        raise NotImplementedError

    def value(self, raw: Any) -> Any:
        """Return the value from raw numbers, in any arithmetic."""
        return raw if self.vector else raw[0]

    def simpler(self, raw: Raw) -> Iterator[Raw]:
        """Give raw numbers that are simpler, the simplest first."""
        for at, old in enumerate(raw):
            for new in SIMPLE:
                if new == old:
                    break
                if self.allows(new):
                    yield (*raw[:at], new, *raw[at + 1 :])

    def allows(self, value: Any) -> bool:
        """Tell whether a raw number lies in its range."""
        return True

    def contains(self, value: Any) -> bool:
        """Tell whether a value given by hand is one of its values."""
        return all(self.allows(x) for x in (value if self.vector else [value]))


class _Real(Coordinate):
    def __init__(self, low: float, high: float, corner: Any = None, log: bool = False, **kind: bool) -> None:
        if not low <= high or (log and low <= 0):
            raise ValueError(f"low must not exceed high{', and be positive' * log}, got {low!r}, {high!r}")
        self.corners = () if corner is None else corner if isinstance(corner, tuple) else (corner,)
        self.low, self.high, self.log = low, high, log
        vars(self).update(kind)

    def draw(self, cube: Any) -> Any:
        share, above = CORNER if self.corners else 0.0, self.high + 1 if self.whole else self.high
        inside = np.clip((cube - share) / (1 - share), 0, 1)
        low, wide = self.low, above - self.low
        found = low * np.exp(np.log(above / low) * inside) if self.log else low + wide * inside
        found = np.clip(np.floor(found) if self.whole else found if self.log else np.round(found, 6), low, self.high)
        for at, corner in enumerate(self.corners):
            first = share * at / len(self.corners)
            found = np.where((cube < share) & (cube >= first), corner, found)
        return found

    def allows(self, value: Any) -> bool:
        inside = bool(number(value) >= simplest(self.low)) and bool(number(value) <= simplest(self.high))
        return inside and not (self.whole and isinstance(value, Fraction) and value.denominator > 1)


class _Law(Coordinate):
    vector = adds = True

    def __init__(self, zeros: float, spread: float) -> None:
        self.zeros, self.spread = zeros, spread

    def draw(self, cube: Any) -> Any:
        inside = np.clip((cube - self.zeros) / (1 - self.zeros), 0, 1)
        found = np.where(cube < self.zeros, 0.0, np.round(64 * 2.0 ** (self.spread * inside)))
        found[0] = np.where(found.sum(axis=0) == 0, 1.0, found[0])
        return found

    def value(self, raw: Any) -> Any:
        return raw / raw.sum(axis=0)

    def contains(self, value: Any) -> bool:
        return all(number(x) >= 0 for x in value) and bool(number(sum(value)) == 1)

    def simpler(self, raw: Raw) -> Iterator[Raw]:
        whole = sum(raw)
        for parts in (*range(1, 13), 16, 20, 24, 30, 50, 100, 1000):
            new = tuple(max(Fraction(round(x * parts / whole)), Fraction(int(x > 0 and not self.zeros))) for x in raw)
            if 0 < sum(new) < whole:
                yield new


class _Shape(Coordinate):
    vector = True

    def width(self, size: int) -> int:
        return size + 1

    def draw(self, cube: Any) -> Any:
        levels = np.round(32 * cube[1:] - 16)
        levels = np.where(cube[0] < 0.4, np.where(levels < 0, -16.0, 16.0), levels)
        levels[0] = np.where(np.abs(levels).max(axis=0) == 0, 16.0, levels[0])
        return levels

    def value(self, raw: Any) -> Any:
        return raw / abs(raw).max(axis=0)

    def contains(self, value: Any) -> bool:
        return bool(number(max(abs(x) for x in value)) == 1)

    def simpler(self, raw: Raw) -> Iterator[Raw]:
        most = max(abs(x) for x in raw)
        for parts in (1, 2, 3, 4, 6, 8, 12) if most else ():
            new = tuple(Fraction(round(x * parts / most)) for x in raw)
            if new == raw:
                break
            yield new


class _Choice(Coordinate):
    def __init__(self, values: tuple[Any, ...]) -> None:
        self.values = values

    def draw(self, cube: Any) -> Any:
        return np.array(self.values, float)[np.minimum((cube * len(self.values)).astype(int), len(self.values) - 1)]

    def simpler(self, raw: Raw) -> Iterator[Raw]:
        exact = [simplest(value) for value in self.values]
        yield from ((value,) for value in exact[: exact.index(raw[0])])

    def allows(self, value: Any) -> bool:
        return any(number(value) == simplest(other) for other in self.values)


def law(*, zeros: float = 0.0, spread: float = 12.0) -> Any:
    """Return a probability vector; atoms may be zero with probability `zeros`, and differ by up to 2**spread."""
    return _Law(zeros, spread)


def shape() -> Any:
    """Return a vector in [-1, 1] with largest absolute value 1, often of two values."""
    return _Shape()


def real(low: float, high: float, *, corner: Any = None, log: bool = False) -> Any:
    """Return a real number in [low, high]; a share of the draws lies exactly at `corner`, one value or several."""
    return _Real(low, high, corner, log)


def vector(low: float, high: float, *, corner: Any = None) -> Any:
    """Return a vector of real numbers in [low, high]."""
    return _Real(low, high, corner, vector=True)


def whole(low: int, high: int, *, corner: Any = None, log: bool = False) -> Any:
    """Return an integer in low..high."""
    return _Real(low, high, corner, log, whole=True)


def counts(low: int, high: int) -> Any:
    """Return a vector of integers in low..high, often low."""
    return _Real(low, high, low, vector=True, whole=True, adds=True)


def choice(*values: Any) -> Any:
    """Return one of some numbers."""
    return _Choice(values)


class _Constraint(NamedTuple):
    function: Any


def assume(*parts: Any) -> Any:
    """State a constraint: of a space, given a lambda; of a statement, given comparisons inside a function."""
    return _Constraint(*parts) if isinstance(parts[0], FunctionType) else truth.assume(*parts)


class Space:
    """Collect coordinates, quantities and constraints from the bodies of its subclasses."""

    sizes: ClassVar[tuple[int, ...]] = (2, 3, 4, 5)
    coordinates: ClassVar[Mapping[str, Coordinate]] = {}
    quantities: ClassVar[Mapping[str, Any]] = {}
    constraints: ClassVar[Mapping[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        found = [dict(cls.coordinates), dict(cls.quantities), dict(cls.constraints)]
        for name, value in vars(cls).items():
            if name.startswith("__") or name == "sizes":
                continue
            at = [k for k, kind in enumerate((Coordinate, FunctionType, _Constraint)) if isinstance(value, kind)]
            if not at or hasattr(Space, name):
                raise TypeError(f"{cls.__name__}.{name} must be a new coordinate, lambda or assume(...), got {value!r}")
            for table in found:
                table.pop(name, None)
            found[at[0]][name] = value.function if isinstance(value, _Constraint) else value
        cls.coordinates, cls.quantities, cls.constraints = found
        if not any(item.vector for item in cls.coordinates.values()):
            cls.sizes = (1,)

    @classmethod
    def width(cls, size: int) -> int:
        """Return the dimension of the cube, for vectors of that length."""
        return sum(item.width(size) for item in cls.coordinates.values())

    @classmethod
    def draw(cls, cube: Any, size: int) -> dict[str, Any]:
        """Return raw numbers of each coordinate from points of the cube, a column each."""
        ends = np.cumsum([item.width(size) for item in cls.coordinates.values()])[:-1]
        return {n: c.draw(part) for (n, c), part in zip(cls.coordinates.items(), np.split(cube, ends), strict=True)}

    @classmethod
    def values(cls, raws: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of the coordinates in the arithmetic of the raw numbers (arrays, an entry a row)."""
        return {name: item.value(raws[name]) for name, item in cls.coordinates.items() if name in raws}

    @classmethod
    def one(cls, raws: Mapping[str, Any], kind: Any = number) -> dict[str, Any]:
        """Return the coordinates of one instance as numbers that decide, or floats; whole ones as integers."""
        plain = {}
        for name, item in cls.coordinates.items():
            entries = [int(x) if item.whole else kind(x) for x in raws[name]]
            plain[name] = np.array(entries, dtype=None if item.vector and kind is float else object)
        return cls.values(plain)
