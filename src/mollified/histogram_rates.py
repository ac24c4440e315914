r"""How fast the corrected histogram of the bootstrapping mechanism converges in the Kolmogorov-Smirnov distance.

$N=n+ks$, $s=q^d$ cells, $l=\log\frac2\delta$, natural logs. Exact moments at one node, the exponents of Table 1, and
for each way to account for privacy ("route") whole-number choices of q, k and m with
$\operatorname E\rho\le C\sqrt{\log n}\,n^{-a}$; the bounds with their constants are on the page bootstrap-rates.
Sources: bootstrapping paper, Theorem 6, Table 1; the corrected routes are the book's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from flint import arb, ctx

from mollified._validate import _echo, check_count, check_fraction
from mollified.ball_mbde import ball

__all__ = [
    "RateChoice",
    "point_moments",
    "rate_choice",
    "rate_exponent",
    "root_above",
]

Route = Literal["theorem", "exact", "laplace", "smoothed"]

#: Working precision beyond the bits of the numbers, in bits.
BITS = 256


def _check_route(route: object) -> None:
    if route not in ("theorem", "exact", "laplace", "smoothed"):
        raise ValueError(f"route must be theorem, exact, laplace or smoothed, got {_echo(route)}")


@dataclass(frozen=True)
class RateChoice:
    """Hold cells per side q, pseudocount k and number of draws m; k and m are 0 for the Laplace histogram."""

    side: int
    k: int
    m: int


def rate_exponent(column: str, dimension: int) -> Fraction:
    r"""Return the exponent a of a rate $n^{-a}$ (logarithms left out), exactly.

    Columns "printed" (Theorem 6), "smoothed", "perturbed", "exponential", "minimax" (Table 1); the book's: "choice"
    (the printed m and s, k least by (1) and (2); negative where the error diverges), "theorem" (best under (1) and
    (2)), "exact" (best under the exact privacy curve). Raises TypeError or ValueError for another column, or
    dimension < 1.
    """
    d, half = check_count("dimension", dimension), Fraction(1, 2)
    table = {
        "printed": Fraction(4, d + 4),
        "smoothed": Fraction(2, d + 6),
        "perturbed": Fraction(2, d + 2),
        "exponential": Fraction(1, 3),
        "minimax": half,
        "choice": min(half, Fraction(4 - d, 4 + d)),
        "theorem": min(half, Fraction(2, d + 2)),
        "exact": min(half, Fraction(4, d + 4)),
    }
    if not isinstance(column, str) or column not in table:
        raise ValueError(f"column must be one of {', '.join(table)}, got {_echo(column)}")
    return table[column]


def point_moments(n: int, size: int, k: int, m: int, cells: int, mass: Fraction) -> tuple[Fraction, Fraction]:
    r"""Return $\operatorname E(\hat F^c-\hat F)^2$ and $\operatorname E(\hat F-F)^2$ at a node, exactly.

    The box below the node has `cells` of the `size` cells and true probability `mass` F. With
    $\tilde p=(n\hat F+k\,\text{cells})/N$ the first is $\frac{N^2}{n^2m}\operatorname E[\tilde p(1-\tilde p)]$, the
    second $F(1-F)/n$; the two errors are uncorrelated, so the sum is the mean square error at the node. Raises
    TypeError or ValueError for n, k, m < 1, cells outside 1..size, or a mass outside [0, 1].
    """
    n, size, k, m = check_count("n", n), check_count("size", size), check_count("k", k), check_count("m", m)
    cells, mass = check_count("cells", cells), check_fraction("mass", mass, minimum=0, maximum=1)
    if cells > size:
        raise ValueError(f"cells must be at most size, got {cells!r} > {size!r}")
    total = n + k * size
    mean = (n * mass + k * cells) / total
    variance = n * mass * (1 - mass) / Fraction(total) ** 2
    return Fraction(total, n) ** 2 * (mean * (1 - mean) - variance) / m, mass * (1 - mass) / n


def _renyi_factor(eps: arb, delta: arb) -> arb:
    r"""Return $c=e^{-1/12}(\sqrt{l_1+\varepsilon}-\sqrt{l_1})^2$ of Theorem 2*, $m\le cN\sqrt{k(k+1)}$."""
    ell = (1 / delta).log()
    gap = eps / ((ell + eps).sqrt() + ell.sqrt())
    return (arb(-1) / 12).exp() * gap**2


def _ceil(value: arb) -> int:
    """Return a whole number that is certainly at least a ball, and less than it plus 1 but for its radius."""
    whole = value.upper().ceil().unique_fmpz()
    assert whole is not None
    return int(whole)


def root_above(n: int, numerator: int, denominator: int) -> int:
    r"""Return $\lceil n^{a/b}\rceil$ exactly, a = numerator, b = denominator; error for numbers < 1."""
    n, numerator = check_count("n", n), check_count("numerator", numerator)
    denominator = check_count("denominator", denominator)
    power, low, high = n**numerator, 0, 1 << (numerator * n.bit_length() // denominator + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if middle**denominator >= power else (middle, high)
    return high


def rate_choice(route: Route, n: int, dimension: int, eps: Fraction, delta: Fraction) -> RateChoice:
    r"""Return q, k and m for the rate of the route, whole numbers, at any n, private by the theorem of the route.

    "theorem" (Theorem 2, needs $n>2l$): $q=\lceil n^{1/(d+2)}\rceil$, m = n,
    $k=\max(2,\lceil(1+2\sqrt{2ln})/\varepsilon\rceil)$; "exact" (Theorem 2*, needs $ckN\ge2$, s >= 3):
    $q=\lceil n^{2/(d+4)}\rceil$, $k=\max(\lceil n/s\rceil,\kappa)$, the largest m; "laplace": that q; "smoothed"
    (pure DP, needs $\varepsilon k\ge1$): $q=\lceil n^{1/(d+6)}\rceil$, $k=\lceil n^{4/(d+6)}\rceil$,
    $m=\lfloor\varepsilon k\rfloor$. Raises TypeError or ValueError for another route, numbers out of range, or n too
    small.
    """
    _check_route(route)
    n, d = check_count("n", n, minimum=2), check_count("dimension", dimension)
    eps, delta = check_fraction("eps", eps, above=0), check_fraction("delta", delta, above=0)
    if delta >= 1:
        raise ValueError(f"delta must be < 1, got {delta!r}")
    with ctx.workprec(BITS + 4 * n.bit_length()):
        if route == "theorem":
            ell = ball(2 / delta).log()
            if not ball(Fraction(n)) > 2 * ell:
                raise ValueError(f"n must exceed 2 log(2/delta), got {n!r}")
            return RateChoice(root_above(n, 1, d + 2), max(2, _ceil((1 + 2 * (2 * ell * n).sqrt()) / ball(eps))), n)
        if route == "smoothed":
            k = root_above(n, 4, d + 6)
            if eps * k < 1:
                raise ValueError(f"n must be so large that eps n^(4/(d+6)) >= 1, got {n!r}")
            return RateChoice(root_above(n, 1, d + 6), k, math.floor(eps * k))
        side = root_above(n, 2, d + 4)
        if route == "laplace":
            return RateChoice(side, 0, 0)
        size, ell, level = side**d, ball(1 / delta).log(), ball(eps)
        least = _ceil((ell + level).sqrt() * ((ell + level).sqrt() + ell.sqrt()) / level)
        k = max(-(-n // size), least)
        most = _renyi_factor(level, ball(delta)) * (n + k * size) * arb(k * (k + 1)).sqrt()
        if size < 3 or not most >= 2:
            raise ValueError(f"n must leave room for 3 cells and 2 draws, got {n!r}")
        return RateChoice(side, k, -_ceil(-most))
