r"""The sensitivity that makes bootstrapping a relaxed exponential mechanism, over typical outputs, in two readings.

Types are real vectors, $N=n+k|\Sigma|$, $\lambda=\log\frac{k+1}k$. Source: bootstrapping paper, (41)-(62).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from mollified._validate import check_count, check_fraction
from mollified.bootstrap_mechanism import check_counts

__all__ = ["Change", "definition_change", "formula_share", "typical_change"]

Row = tuple[Fraction, ...]


@dataclass(frozen=True)
class Change:
    r"""Hold a change of the score where a record moves: $|h_1\log\frac{c_1-1}{c_1}+h_2\log\frac{c_2+1}{c_2}|$.

    $c_1\to c_1-1$ and $c_2\to c_2+1$ are the smoothed counts that change, $h_1,h_2$ the shares of the two symbols in
    the output. `value` is a float, in nats.
    """

    c1: int
    c2: int
    h1: Fraction
    h2: Fraction

    @property
    def value(self) -> float:
        """The change in nats."""
        return abs(float(self.h1) * math.log1p(-1 / self.c1) + float(self.h2) * math.log1p(1 / self.c2))


def formula_share(n: int, size: int, k: int, gamma: Fraction) -> Fraction:
    r"""Return $2\gamma+\frac1{n+k|\Sigma|}$: formula (62) for $\Delta u_\delta$ in units of $\lambda$.

    Raises ValueError or TypeError unless n, k >= 1, size >= 2 and gamma is a rational in [0, 1].
    """
    n, size, k = check_count("n", n), check_count("size", size, minimum=2), check_count("k", k)
    return 2 * check_fraction("gamma", gamma, minimum=0, maximum=1) + Fraction(1, n + k * size)


def _extreme(up: Fraction, down: Fraction, rest: Sequence[tuple[Fraction, int]], gamma: Fraction) -> Row:
    """Return shares (h_up, h_down): as large, and as small, as a type within gamma of the law can have them.

    `rest` are the other entries of the law, each with how often it occurs. Where the other symbols cannot make up the
    total, the share that must give way does.
    """
    high, low = min(Fraction(1), up + gamma), max(Fraction(0), down - gamma)
    least = sum((many * max(Fraction(0), x - gamma) for x, many in rest), Fraction(0))
    most = sum((many * min(Fraction(1), x + gamma) for x, many in rest), Fraction(0))
    return high - max(Fraction(0), high + low - (1 - least)), low + max(Fraction(0), (1 - most) - high - low)


def typical_change(n: int, size: int, k: int, gamma: Fraction) -> Change:
    r"""Return the largest $|u(D,D^*)-u(D',D^*)|$ over all $D\sim D'$ and all types within gamma of $h^{\tilde D}$.

    Types are real vectors, so this is the supremum over all m, attained where m makes the type integral; found over the
    two counts that change, the other records spread as evenly as possible (both sums that limit the type are then best,
    being a convex and a concave function). O(n^2) pairs. Raises as `formula_share`. Source: (41), (42), read for
    outputs typical for D.
    """
    n, size, k = check_count("n", n), check_count("size", size, minimum=2), check_count("k", k)
    gamma, total = check_fraction("gamma", gamma, minimum=0, maximum=1), n + k * size
    best: Change | None = None
    for r1 in range(1, n + 1):
        for r2 in range(n - r1, n - r1 + 1) if size == 2 else range(n - r1 + 1):
            x1, x2 = Fraction(r1 + k, total), Fraction(r2 + k, total)
            rest: list[tuple[Fraction, int]] = []
            if size > 2:
                each, more = divmod(n - r1 - r2, size - 2)
                rest = [(Fraction(each + k + 1, total), more), (Fraction(each + k, total), size - 2 - more)]
            up, down = _extreme(x1, x2, rest, gamma), _extreme(x2, x1, rest, gamma)
            for h1, h2 in (up, down[::-1]):
                found = Change(r1 + k, r2 + k, h1, h2)
                if best is None or found.value > best.value:
                    best = found
    assert best is not None
    return best


def definition_change(counts: Sequence[int], k: int, gamma: Fraction) -> Change:
    r"""Return $\max_{D^*\in T}\Delta u(D^*)$ for $T=T_{[\tilde D],\gamma}$ of one data set, as Definition 2 has it.

    $\Delta u(D^*)$ runs over all pairs of neighbours: $\max_{i\ne j}\lambda h_i-h_j\log\frac{n+k}{n+k-1}$ (one
    record with the first symbol, all others with the second). Types are real vectors. Raises ValueError or
    TypeError for what are no counts, k < 1, or gamma outside [0, 1]. Source: Definition 2, (41) to the letter.
    """
    table, k = check_counts("counts", counts), check_count("k", k)
    gamma = check_fraction("gamma", gamma, minimum=0, maximum=1)
    n, total = int(table.sum()), int(table.sum()) + k * table.size
    law = [Fraction(int(count) + k, total) for count in table]
    best: Change | None = None
    for i, up in enumerate(law):
        for j, down in enumerate(law):
            if i == j:
                continue
            rest = [(x, 1) for index, x in enumerate(law) if index not in (i, j)]
            h1, h2 = _extreme(up, down, rest, gamma)
            found = Change(k + 1, n - 1 + k, h1, h2)
            if best is None or found.value > best.value:
                best = found
    assert best is not None
    return best
