r"""The relaxed exponential mechanism on finite ranges, and the sensitivity that makes bootstrapping an instance of it.

Scores $u(D,r)$ are rows of rationals, one row a data set, every two of them neighbours; with the rational
$\rho=e^{\varepsilon/2}$ the mechanism weighs r by $\rho^{u(D,r)/\Delta}$. Types are real vectors, $N=n+k|\Sigma|$,
$\lambda=\log\frac{k+1}k$. Source: bootstrapping paper, Definition 2, Theorems 4 and 5, (41)-(62).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx, fmpz

from mollified._validate import _echo, check_count, check_each, check_fraction, check_fractions
from mollified.ball_mbde import ball
from mollified.bootstrap_mechanism import check_counts
from mollified.exact_level import Law

__all__ = [
    "Change",
    "certified_law",
    "definition_change",
    "formula_share",
    "log_sign",
    "qualifies",
    "relaxed_law",
    "response_sensitivities",
    "typical_change",
]

_BITS = 256
Row = tuple[Fraction, ...]


def _check_rows(scores: object) -> list[Row]:
    rows = check_each("scores", scores, check_fractions)
    if len(rows) < 2 or len({len(row) for row in rows}) > 1:
        raise ValueError(f"scores must have 2 rows or more, of one length, got {_echo(scores)}")
    return rows


def _above_one(name: str, value: object) -> Fraction:
    return check_fraction(name, value, above=1)


def log_sign(terms: Sequence[tuple[Fraction, Fraction]]) -> int:
    r"""Return the sign of $\sum_jc_j\log b_j$ for rational c and rational b > 0, decided exactly.

    The bases are factored: logs of primes are linearly independent over the rationals, so the sum is zero only if every
    prime's coefficient is; else balls of growing precision find the sign. Raises TypeError or ValueError for what is no
    pair of such rationals, ArithmeticError at a million bits.
    """
    pairs = check_each("terms", terms, lambda name, pair: check_fractions(name, pair, size=2))
    if any(base <= 0 for _, base in pairs):
        raise ValueError(f"terms must have bases > 0, got {_echo(terms)}")
    primes: dict[int, Fraction] = {}
    for c, base in pairs:
        for side, number in ((1, base.numerator), (-1, base.denominator)):
            for prime, power in fmpz(number).factor():
                primes[int(prime)] = primes.get(int(prime), Fraction(0)) + side * int(power) * c
    left = [(c, prime) for prime, c in primes.items() if c]
    bits = 64
    while left:
        with ctx.workprec(bits):
            total = sum((ball(c) * arb(prime).log() for c, prime in left), arb(0))
        if total > 0 or total < 0:
            return 1 if total > 0 else -1
        if bits > 1_000_000:
            raise ArithmeticError(f"the sign of {_echo(terms)} is not decided at {bits} bits")
        bits *= 2
    return 0


def response_sensitivities(scores: Sequence[Sequence[Fraction]]) -> Row:
    r"""Return $\Delta u(r)=\max_{D\sim D'}|u(D,r)-u(D',r)|$ for each response, all pairs of rows being neighbours.

    Raises TypeError or ValueError for rows that are not rationals of one length. Source: Definition 2.
    """
    rows = _check_rows(scores)
    return tuple(max(column) - min(column) for column in zip(*rows, strict=True))


def relaxed_law(scores: Sequence[Fraction], sensitivity: Fraction, root: Fraction) -> Law:
    r"""Return $P[r]\propto\rho^{u(r)/\Delta}$ as rationals for one row of scores; $\rho$ = `root` $=e^{\varepsilon/2}$.

    Raises ValueError or TypeError for a sensitivity that is not > 0, a root that is not > 1, or where a difference of
    scores is no whole multiple of the sensitivity (`certified_law` takes those). Source: Definition 2.
    """
    row = check_fractions("scores", scores)
    step, root = check_fraction("sensitivity", sensitivity, above=0), _above_one("root", root)
    powers = [(u - row[0]) / step for u in row]
    if any(power.denominator != 1 for power in powers):
        raise ValueError(f"scores must differ by whole multiples of {step}, got {_echo(scores)}")
    weights = [root ** int(power) for power in powers]
    return tuple(weight / sum(weights) for weight in weights)


def certified_law(scores: Sequence[Fraction], sensitivity: Fraction, root: Fraction) -> tuple[arb, ...]:
    """Return the law of `relaxed_law` as balls of 256 bits, for any rational scores; raises as it does otherwise."""
    row = check_fractions("scores", scores)
    step, root = check_fraction("sensitivity", sensitivity, above=0), _above_one("root", root)
    with ctx.workprec(_BITS):
        weights = [ball(root) ** ball((u - row[0]) / step) for u in row]
        total = sum(weights, arb(0))
        return tuple(weight / total for weight in weights)


def qualifies(
    scores: Sequence[Fraction], subset: Sequence[int], sensitivity: Fraction, root: Fraction, delta: Fraction
) -> bool:
    r"""Tell whether $P[\mathcal M_E\in A]\ge1-\delta$, for one row of scores and a set A of responses; decided exactly.

    Raises TypeError or ValueError for bad arguments, ArithmeticError where 256 bits do not decide. Definition 2.
    """
    row, delta = check_fractions("scores", scores), check_fraction("delta", delta, minimum=0, maximum=1)
    inside = set(check_each("subset", subset, lambda name, r: check_count(name, r, minimum=0)))
    if max(inside) >= len(row):
        raise ValueError(f"subset must hold indices below {len(row)}, got {_echo(subset)}")
    if len(inside) == len(row):
        return True
    step = check_fraction("sensitivity", sensitivity, above=0)
    if all(((u - row[0]) / step).denominator == 1 for u in row):
        law = relaxed_law(row, step, root)
        return bool(sum(law[r] for r in inside) >= 1 - delta)
    balls = certified_law(row, step, root)
    with ctx.workprec(_BITS):
        margin = sum((balls[r] for r in inside), arb(0)) - ball(1 - delta)
    if margin > 0 or margin < 0:
        return bool(margin > 0)
    raise ArithmeticError(f"the mass of {sorted(inside)} is not told from 1 - {delta} at {_BITS} bits")


@dataclass(frozen=True)
class Change:
    r"""Hold a change of the score where a record moves: $|h_1\log\frac{c_1-1}{c_1}+h_2\log\frac{c_2+1}{c_2}|$.

    $c_1\to c_1-1$ and $c_2\to c_2+1$ are the smoothed counts that change, $h_1,h_2$ the shares of the two symbols in
    the output. `terms` writes the change without the modulus as $\sum c_j\log b_j$; `value` is a float, in nats.
    """

    c1: int
    c2: int
    h1: Fraction
    h2: Fraction

    @property
    def terms(self) -> list[tuple[Fraction, Fraction]]:
        """The change as pairs (c, b), with the sign that makes it >= 0."""
        parts = [(self.h1, Fraction(self.c1 - 1, self.c1)), (self.h2, Fraction(self.c2 + 1, self.c2))]
        return [(-c, b) for c, b in parts] if log_sign(parts) < 0 else parts

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
