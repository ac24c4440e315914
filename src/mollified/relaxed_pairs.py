r"""Pairs of neighbours for the relaxed exponential mechanism: two rows of rational weights, and a set A of responses.

Weights are $w=e^{\varepsilon u/(2\Delta)}$; on A, the leading responses, their ratio lies in $[\frac1\rho,\rho]$ and
reaches an end, $\rho=e^{\varepsilon/2}$, so that $\Delta u_\delta$ is 1 in units of the scores $\log_\rho w$.
Source: bootstrapping paper, Definition 2 and Theorem 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from mollified._validate import check_count, check_fraction, check_fractions, check_rng, check_trials
from mollified.instances import random_fraction

__all__ = ["THREE_OUTPUTS", "TWO_OUTPUTS", "WeightPair", "random_pair", "weight_pairs"]


@dataclass(frozen=True)
class WeightPair:
    r"""Hold two rows of rational weights > 0, how many leading responses form A, and $\rho=e^{\varepsilon/2}$.

    Raises TypeError or ValueError for rows that do not fit, no response in A, or a root that is not > 1.
    """

    one: tuple[Fraction, ...]
    two: tuple[Fraction, ...]
    typical: int
    root: Fraction

    def __post_init__(self) -> None:
        for name, row in (("one", self.one), ("two", self.two)):
            if min(check_fractions(name, row)) <= 0:
                raise ValueError(f"{name} must be weights > 0, got {row!r}")
        if len(self.one) != len(self.two):
            raise ValueError(f"two must be as long as one, got {self.two!r}")
        check_fraction("root", self.root, above=1)
        if check_count("typical", self.typical) > len(self.one):
            raise ValueError(f"typical must be at most {len(self.one)}, got {self.typical!r}")

    @property
    def laws(self) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        """The two laws that the weights make."""
        one, two = sum(self.one), sum(self.two)
        return tuple(w / one for w in self.one), tuple(w / two for w in self.two)

    @property
    def masses(self) -> tuple[Fraction, Fraction]:
        """The masses of A under the two laws."""
        one, two = self.laws
        return sum(one[: self.typical], Fraction(0)), sum(two[: self.typical], Fraction(0))

    @property
    def values(self) -> dict[str, object]:
        """What a report writes out."""
        return {"w": self.one, "w2": self.two, "typical": self.typical, "root": self.root}


def _weight(rng: np.random.Generator, spread: int) -> Fraction:
    return Fraction(1 + int(rng.integers(1000)), 1000) * Fraction(2) ** int(rng.integers(-spread, spread + 1))


def random_pair(rng: np.random.Generator, *, off: int = 12, even: bool = False) -> WeightPair:
    r"""Return a random pair: A of 1 to 3 responses, and 1 or 2 others whose scores move by up to `off` bits and more.

    The ratio of weights is $\frac1\rho$ on all of A where `even`. Raises TypeError or ValueError for bad arguments.
    """
    rng, off = check_rng("rng", rng), check_count("off", off)
    typical, others = int(rng.integers(1, 4)), int(rng.integers(1, 3))
    root = 1 + Fraction(int(rng.integers(1, 300)), 100)
    one = [_weight(rng, 3) for _ in range(typical)]
    ratios = [random_fraction(rng, 1 / root, root) for _ in range(typical)]
    if even:
        ratios = [1 / root] * typical
    ratios[0] = root if rng.random() < 0.5 and not even else 1 / root
    two = [w * r for w, r in zip(one, ratios, strict=True)]
    outside = [[_weight(rng, off) for _ in range(others)] for _ in range(2)]
    return WeightPair((*one, *outside[0]), (*two, *outside[1]), typical, root)


def weight_pairs(rng: np.random.Generator, instances: int, first: WeightPair | None = None) -> Iterator[WeightPair]:
    """Return random pairs, made on demand, after `first` where it is given; raises as `random_pair`, instances < 1."""
    rng, instances = check_trials(rng, instances)
    if first is not None and not isinstance(first, WeightPair):
        raise TypeError(f"first must be a WeightPair or None, got {first!r:.100}")
    return (first if index == 0 and first is not None else random_pair(rng) for index in range(instances))


def _powers(root: Fraction, *scores: int) -> tuple[Fraction, ...]:
    return tuple(root**u for u in scores)


#: e^eps = 4, scores (0, -10) and (-1, 10), A = {r1}: the example of the page.
TWO_OUTPUTS = WeightPair(_powers(Fraction(2), 0, -10), _powers(Fraction(2), -1, 10), 1, Fraction(2))
#: e^eps = 4, scores (-6, 0, -4) and (-5, -1, -10), A = {r1, r2}.
THREE_OUTPUTS = WeightPair(_powers(Fraction(2), -6, 0, -4), _powers(Fraction(2), -5, -1, -10), 2, Fraction(2))
