"""Hold the sizes of a bootstrapping mechanism, checked once, under their names."""

from __future__ import annotations

from dataclasses import dataclass, fields

from mollified._validate import check_count, echo

__all__ = ["Setting", "Smoothing"]

#: No size of a setting is larger: what is stated of errors was measured up to it.
MOST_SIZE = 2**62
#: The least value of a size that is not 1.
LEAST = {"size": 2}


@dataclass(frozen=True)
class Smoothing:
    """Hold n records over `size` symbols, and k pseudo-records of each symbol.

    Raises TypeError or ValueError for n, k < 1 or size < 2.
    """

    n: int
    size: int
    k: int

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, self._checked(field.name))

    def _checked(self, name: str) -> int:
        return check_count(name, getattr(self, name), minimum=LEAST.get(name, 1))

    @property
    def total(self) -> int:
        r"""The number of records with the pseudo-records, $N=n+k|\Sigma|$."""
        return self.n + self.k * self.size


@dataclass(frozen=True)
class Setting(Smoothing):
    """Hold the same, and m, the number of records that are released.

    Raises TypeError or ValueError for n, k, m outside [1, 2^62] or size outside [2,
    2^62].
    """

    m: int

    def _checked(self, name: str) -> int:
        count = super()._checked(name)
        if count > MOST_SIZE:
            raise ValueError(f"{name} must be at most 2^62, got {echo(name, count)}")
        return count
