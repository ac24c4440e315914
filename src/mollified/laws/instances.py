"""Instances of two laws on finitely many points, on which pages check statements."""

from __future__ import annotations

from typing import Any, TypeAlias

from statements import Space, law

__all__ = ["Laws", "Value"]

#: A number or a vector of numbers: floats, exact numbers that decide, or symbols.
Value: TypeAlias = Any


class Laws(Space):
    """A target and a density, far or near; each may miss points of the other."""

    sizes = (2, 3, 4, 5, 6)
    sizes_far = (200, 100)
    P = law(zeros=0.3)
    Q = law(zeros=0.3)
    TV = lambda P, Q: sum(abs(P - Q)) / 2
