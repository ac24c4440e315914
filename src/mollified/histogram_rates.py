r"""How fast the corrected histogram of the bootstrapping mechanism converges in the Kolmogorov-Smirnov distance.

$N=n+ks$, $s=q^d$ cells, $l=\log\frac2\delta$, natural logs. Three parts of the error: noise of m draws, noise of n
records, bias. Exact moments at one node, an explicit upper bound on the expected distance, and for each way to account
for privacy ("route") whole-number choices of q, k and m with $\operatorname E\rho\le C\sqrt{\log n}\,n^{-a}$.
Sources: bootstrapping paper, Theorem 6, Table 1, (66)-(69); the corrected routes and all constants are the book's.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from flint import arb, ctx

from mollified._validate import _echo, check_count, check_fraction
from mollified.ball_mbde import ball

__all__ = [
    "RateChoice",
    "binomial_deviation",
    "distance_bound",
    "maximal_noise",
    "point_moments",
    "rate_bound",
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


def binomial_deviation(n: int, p: Fraction) -> Fraction:
    r"""Return $\operatorname E|S-np|$ for a binomial S, exactly: $2\nu\binom n\nu p^\nu(1-p)^{n-\nu+1}$.

    $\nu=\lfloor np\rfloor+1$ (de Moivre). Raises TypeError or ValueError for n < 1 or p outside [0, 1].
    """
    n, p = check_count("n", n), check_fraction("p", p, minimum=0, maximum=1)
    mode = math.floor(n * p) + 1
    if mode > n:
        return Fraction(0)
    return 2 * mode * math.comb(n, mode) * p**mode * (1 - p) ** (n - mode + 1)


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


def _ball_or_array(name: str, value: Any) -> Any:
    """Return ints and floats as floats or arrays, balls as they are; only values > 0 (for balls: not <= 0)."""
    if isinstance(value, bool | str) or value is None:
        raise TypeError(f"{name} must be a number, an array or a ball, got {_echo(value)}")
    if not isinstance(value, arb):
        try:
            number = np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise TypeError(f"{name} must be a number, an array or a ball, got {_echo(value)}") from error
        if not (np.isfinite(number) & (number > 0)).all():
            raise ValueError(f"{name} must be > 0, got {_echo(value)}")
        return number
    if not value.is_finite() or value <= 0:
        raise ValueError(f"{name} must be > 0, got {_echo(value)}")
    return value


def _functions(value: Any) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """Return log and square root in the arithmetic of a value."""
    if isinstance(value, arb):
        return (lambda x: arb(x).log()), (lambda x: arb(x).sqrt())
    return np.log, np.sqrt


def maximal_noise(size: Any, draws: Any) -> Any:
    r"""Return $\sqrt{\log(2s)/(2m)}$, a bound on the expected largest error of s relative frequencies of m draws.

    Hoeffding's lemma and a sum over the s nodes. Floats, arrays or balls. Raises TypeError or ValueError for what is no
    number > 0.
    """
    size, draws = _ball_or_array("size", size), _ball_or_array("draws", draws)
    log, root = _functions(size)
    return root(log(2 * size) / (2 * draws))


def distance_bound(n: Any, side: Any, k: Any, m: Any, dimension: int, slope: Any) -> Any:
    r"""Return $\frac Nn\sqrt{\frac{\log2s}{2m}}+\sqrt{\frac{\log2s}{2n}}+Ld^{3/2}q^{-2}$, a bound on the distance.

    It bounds $\operatorname E\rho(F,\hat F^c)$: (69) with its constants, for a density with Lipschitz constant `slope`
    L. Floats, arrays or balls alike. Raises TypeError or ValueError for numbers <= 0, dimension < 1.
    """
    n, side = _ball_or_array("n", n), _ball_or_array("side", side)
    k, m, slope = _ball_or_array("k", k), _ball_or_array("m", m), _ball_or_array("slope", slope)
    size, (_, root) = side ** check_count("dimension", dimension), _functions(n)
    bias = slope * dimension * root(n * 0 + dimension) / side**2
    return (1 + k * size / n) * maximal_noise(size, m) + maximal_noise(size, n) + bias


def rate_bound(route: Route, n: Any, dimension: int, eps: Any, delta: Any, slope: Any) -> Any:
    r"""Return $C\sqrt{\log n}\,n^{-a}$, the rate with its constant; floats, arrays or balls (exponents of balls exact).

    "theorem": $a=\min(\frac12,\frac2{d+2})$, $C=\sqrt{\frac{d+2}2}\bigl(2+2^dK\bigr)+L'$ with
    $K=\frac{2\sqrt{2l}+1}\varepsilon+2$, $L'=Ld^{3/2}/\sqrt{\log2}$; "exact": $a=\min(\frac12,\frac4{d+4})$,
    $C=\sqrt{d+3}\bigl(\sqrt{2^{d+1}/c}+\sqrt{1/2}\bigr)+L'$ with $c=e^{-1/12}(\sqrt{l_1+\varepsilon}-\sqrt{l_1})^2$,
    $l_1=\log\frac1\delta$; "laplace" (independent noise, nothing clipped): the same a,
    $C=\sqrt{d+3}\bigl(\frac4\varepsilon\sqrt{2^{d+1}}+\sqrt{1/2}\bigr)+L'$; "smoothed" (pure DP, not corrected):
    $a=\frac2{d+6}$, $C=\sqrt{d+2}(\varepsilon^{-1/2}+\sqrt{1/2})+2^{d+1}/\sqrt{\log2}+L'$. For n as `rate_choice`
    asks. Raises TypeError or ValueError for another route, or numbers <= 0.
    """
    _check_route(route)
    n, eps, delta = _ball_or_array("n", n), _ball_or_array("eps", eps), _ball_or_array("delta", delta)
    slope, d = _ball_or_array("slope", slope), check_count("dimension", dimension)
    log, root = _functions(n)
    one = n * 0 + 1
    bias, half = slope * d * root(one * d) / root(log(2 * one)), root(one / 2)
    if route == "theorem":
        constant = root(one * (d + 2) / 2) * (2 + 2**d * ((2 * root(2 * log(2 / delta)) + 1) / eps + 2))
    elif route == "exact":
        constant = root(one * (d + 3)) * (root(2 ** (d + 1) / _renyi_factor(eps, delta)) + half)
    elif route == "laplace":
        constant = root(one * (d + 3)) * (4 / eps * root(one * 2 ** (d + 1)) + half)
    else:
        constant = root(one * (d + 2)) * (1 / root(eps) + half) + 2 ** (d + 1) / root(log(2 * one))
    column = {"laplace": "exact"}.get(route, route)
    exponent = rate_exponent(column, d)
    power = n ** (ball(-exponent) if isinstance(n, arb) else -float(exponent))
    return (constant + bias) * root(log(n)) * power


def _renyi_factor(eps: Any, delta: Any) -> Any:
    r"""Return $c=e^{-1/12}(\sqrt{l_1+\varepsilon}-\sqrt{l_1})^2$ of Theorem 2*, $m\le cN\sqrt{k(k+1)}$."""
    log, root = _functions(delta)
    ell = log(1 / delta)
    gap = eps / (root(ell + eps) + root(ell))
    shrink = (arb(-1) / 12).exp() if isinstance(delta, arb) else math.exp(-1 / 12)
    return shrink * gap**2


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
    r"""Return q, k and m for the bound of `rate_bound`, whole numbers, at any n, private by the theorem of the route.

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
