r"""The scalar inequalities behind the bounds on the KL drop, proved on whole intervals by ball arithmetic.

Each is $f\ge0$ on a box where f vanishes on a part of the boundary, of known order: $f=w\,g$ with an explicit weight
$w\ge0$. What is proved is $g>0$ on the closed box. Where a ball of w excludes zero, g is f / w; elsewhere, and as a
second opinion everywhere, g comes from a formula for the remainder (Lagrange's or the integral one), given in each
docstring. The two enclosures must overlap. A wrong constant adds a multiple of 1/w, which no g outweighs near the zeros
of w.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from flint import arb, ctx

from mollified._validate import check_fraction
from mollified.ball_mbde import ball
from mollified.bounds import exponential_moment, gamma_function, log_moment
from mollified.checks import Check
from mollified.interval_proof import BITS, combine, prove_positive

__all__ = [
    "beats_printed_high",
    "chord",
    "chord_general",
    "gamma_nonnegative",
    "grows_with_edge",
    "hoeffding_scalar",
    "positive_above",
]

ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
#: A step $u=\theta c^*$ is shorter than log 2 = 0.693...
LONGEST = Fraction(7, 10)
#: Pieces of the integral remainder.
PIECES = 8
#: Cells a side of the grid that each proof begins with.
CELLS = 16


def _hull(low: Any, high: Any) -> arb:
    return arb(low).union(arb(high))


def _quotient(value: Callable[[], arb], weight: arb, remainder: arb) -> arb:
    """Return a ball around f / w, given another one; where w may be zero, the other one."""
    if not weight > 0:
        return remainder
    direct = value() / weight
    if not direct.overlaps(remainder):
        raise ArithmeticError(f"value / weight = {direct} and its remainder formula {remainder} are disjoint")
    return direct.intersection(remainder)


def _deviation(factor: Fraction, term: Callable[[], arb], weight: arb) -> arb:
    """Return what a constant off by `factor` adds to f / w: nothing at all for the right one."""
    return arb(0) if factor == 1 else ball(factor - 1) * term() / weight


def _sinhc(x: arb) -> arb:
    """Return sinh(x)/x; between 1 and cosh x where x may be zero."""
    around = _hull(1, arb(x.abs_upper()).cosh())
    return around if x.contains(0) else (x.sinh() / x).intersection(around)


def _prove(g: Callable[..., arb], box: Sequence[tuple[Fraction, Fraction]]) -> Check:
    """Prove g > 0 on each cell of a grid, so that most cells stay away from the zeros of the weight.

    First points that crowd towards the sides of the box are tried: a wrong statement is refuted there.
    """
    near = [Fraction(1, 2**k) for k in range(12, 0, -1)]
    probes = [[low + (high - low) * t for t in (*near, *(1 - t for t in near[:-1]))] for low, high in box]
    with ctx.workprec(BITS):
        for probe in product(*probes):
            value = g(*(ball(x) for x in probe))
            if value < 0:
                point = {f"x{index}": str(x) for index, x in enumerate(probe)}
                return Check(1, 1, float(value.upper()), "certified", scope="universal", counterexample=point)
    sides = [list(pairwise(low + (high - low) * k / CELLS for k in range(CELLS + 1))) for low, high in box]
    return combine(*(prove_positive(g, cell) for cell in product(*sides)))


def _named(check: Check, **formulas: Callable[..., Fraction]) -> Check:
    """Write a counterexample in the variables of the statement."""
    if check.counterexample is None:
        return check
    at = [Fraction(text) for text in check.counterexample.values()]
    return replace(check, counterexample={name: str(formula(*at)) for name, formula in formulas.items()})


def chord(*, factor: Fraction = ONE) -> Check:
    r"""Prove $e^x\le\frac54+\frac{3}{4\log2}x$ on $[-\log2,\log2]$, v1 (45). Certified, universal.

    $x=s\log2$; zeros at $s=\pm1$, $w=1-s^2$, $g=\frac12\log^22\;e^{\xi\log2}$ for some $|\xi|\le1$ (interpolation
    error). `factor` multiplies the slope: with 0.98 the line cuts below the curve near $s=1$.
    """
    factor = check_fraction("factor", factor, above=0)

    def g(s: arb) -> arb:
        log2 = arb(2).log()
        weight = (1 - s) * (1 + s)
        remainder = log2**2 / 2 * _hull(ball(HALF), 2)
        line = ball(Fraction(5, 4)) + ball(Fraction(3, 4)) * s
        return _quotient(lambda: line - (s * log2).exp(), weight, remainder) + _deviation(
            factor, lambda: ball(Fraction(3, 4)) * s, weight
        )

    return _named(_prove(g, [(-ONE, ONE)]), s=lambda s: s)


def chord_general(*, factor: Fraction = ONE) -> Check:
    r"""Prove $e^{us}\le\cosh u+s\sinh u$ for $|s|\le1$ and $0\le u\le4$. Certified, universal.

    Zeros at $s=\pm1$ and $u=0$; $w=u^2(1-s^2)$, $g=\frac12e^{u\xi}$ for some $|\xi|\le1$, which is positive for every
    u, so that the bound on u is no restriction. `factor` multiplies $\sinh u$.
    """
    factor = check_fraction("factor", factor, above=0)

    def g(u: arb, s: arb) -> arb:
        weight = u**2 * (1 - s) * (1 + s)
        remainder = (u * _hull(-1, 1)).exp() / 2
        return _quotient(lambda: u.cosh() + s * u.sinh() - (u * s).exp(), weight, remainder) + _deviation(
            factor, lambda: s * u.sinh(), weight
        )

    return _named(_prove(g, [(ZERO, Fraction(4)), (-ONE, ONE)]), u=lambda u, _: u, s=lambda _, s: s)


def gamma_nonnegative(*, threshold: Fraction = Fraction(1, 3)) -> Check:
    r"""Prove $\Gamma(z)\ge0$ on $[1/3,1]$, $\Gamma(z)=\log\frac4{5-3z}$, v1 (9). Certified, universal.

    $z=\frac13+v$: $\Gamma=-\log(1-\frac34v)$, zero at v = 0; $w=v$, and $g=\frac34\cdot\frac{-\log(1-y)}y$ with
    $y=\frac34v\le \frac12$ lies between 3/4 and 3/2. `threshold` puts the beginning elsewhere: 0.98/3 is too small.
    """
    threshold = check_fraction("threshold", threshold, above=0)

    def g(v: arb) -> arb:
        def value() -> arb:
            return arb(gamma_function(ball(threshold) + v))

        if threshold != Fraction(1, 3):
            return value() / v
        return _quotient(value, v, ball(Fraction(3, 4)) * _hull(1, 2))

    return _named(_prove(g, [(ZERO, 1 - threshold)]), z=lambda v: threshold + v)


def _tilted(t: arb, u: arb, along: arb, across: arb, edge: arb) -> arb:
    """Return (t along sinh(tu)/(tu) - across cosh tu) / (cosh tu - edge sinh tu): a multiple of the tilted mean."""
    v = t * u
    return (t * along * _sinhc(v) - across * v.cosh()) / (v.cosh() - edge * v.sinh())


def _remainder(u: arb, along: arb, across: arb, edge: arb) -> arb:
    """Enclose the integral of (1 - t) times the square of `_tilted` over t in [0, 1], piece by piece."""
    total = arb(0)
    for piece in range(PIECES):
        low, high = Fraction(piece, PIECES), Fraction(piece + 1, PIECES)
        share = (high - low) - (high**2 - low**2) / 2
        total += ball(share) * _tilted(ball(low).union(ball(high)), u, along, across, edge) ** 2
    return total


def hoeffding_scalar(*, factor: Fraction = ONE) -> Check:
    r"""Prove $\log(\cosh u-\gamma\sinh u)\le\frac{u^2}2-u\gamma$ for $u\ge0$, $|\gamma|\le1$. Certified, universal.

    This is Hoeffding's lemma for two values, and the sharp drop is at least v1 (43). The difference f has
    $f(0)=f'(0)=0$ and $f''=m^2$ in u, with the tilted mean $m(u)=\frac{\sinh u-\gamma\cosh u}{\cosh u-\gamma\sinh u}$,
    so $f=u^2\int_0^1(1-t)m(tu)^2dt$. It vanishes at u = 0 alone, to second order, at the corner (0, 0) to fourth.
    Charts: $\gamma=ru$ with $|r|\le2$, $u\le7/10$, $w=u^4$; $u=q|\gamma|$ with $q\le1/2$, $w=u^2\gamma^2$, for either
    sign; and f itself on $[7/10,4]\times[-1,1]$. Beyond 4 it is plain: the left side is at most u, the right at least
    $u^2/2-u$. `factor` multiplies $u^2/2$.
    """
    factor = check_fraction("factor", factor, above=0)

    def f(u: arb, edge: arb) -> arb:
        return u**2 / 2 - u * edge - (u.cosh() - edge * u.sinh()).log()

    def near(u: arb, r: arb) -> arb:
        inside = _quotient(lambda: f(u, r * u), u**4, _remainder(u, arb(1), r, r * u))
        return inside + _deviation(factor, lambda: arb(1) / 2, u**2)

    def beside(sign: int) -> Callable[[arb, arb], arb]:
        def g(q: arb, size: arb) -> arb:
            u, edge = q * size, sign * size
            inside = _quotient(lambda: f(u, edge), u**2 * size**2, _remainder(u, q, arb(sign), edge))
            return inside + _deviation(factor, lambda: arb(1) / 2, size**2)

        return g

    corner = _named(_prove(near, [(ZERO, LONGEST), (-2 * ONE, 2 * ONE)]), u=lambda u, r: u, gamma=lambda u, r: r * u)
    charts = [
        _named(
            _prove(beside(sign), [(ZERO, HALF), (ZERO, ONE)]),
            u=lambda q, size: q * size,
            gamma=lambda q, size, sign=sign: sign * size,
        )
        for sign in (1, -1)
    ]
    far = _prove(lambda u, edge: f(u, edge) + ball(factor - 1) * u**2 / 2, [(LONGEST, Fraction(4)), (-ONE, ONE)])
    return combine(corner, *charts, _named(far, u=lambda u, _: u, gamma=lambda _, edge: edge))


def beats_printed_high(*, factor: Fraction = ONE) -> Check:
    r"""Prove $-\psi(\theta\log2,\gamma)\ge\theta\,\Gamma(\gamma)$ on $[0,1]^2$. Certified, universal.

    So at $c^*=\log2$ the sharp bound is at least the printed one of the high regime.
    $\Gamma(\gamma)=-\psi(\log2,\gamma)$, and $\psi(\cdot,\gamma)$ is convex with $\psi(0,\gamma)=0$ (Jensen). Zeros at
    $\theta=0$, $\theta=1$ and $\gamma=1$; $w=\theta(1-\theta)(1-\gamma)$,
    $g=\frac12\log^22\frac{1+\gamma}{(\cosh\xi-\gamma\sinh\xi)^2}$ for some $\xi\in[0,\log2]$. `factor` multiplies
    $\Gamma$.
    """
    factor = check_fraction("factor", factor, above=0)

    def g(theta: arb, edge: arb) -> arb:
        log2 = arb(2).log()
        weight = theta * (1 - theta) * (1 - edge)
        # cosh xi - edge sinh xi = e^-xi + (1 - edge) sinh xi lies between 1/2 and 7/4
        remainder = log2**2 / 2 * (1 + edge) * _hull(ball(Fraction(16, 49)), 4)

        def value() -> arb:
            return -arb(log_moment(theta * log2, edge)) - theta * arb(gamma_function(edge))

        return _quotient(value, weight, remainder) + _deviation(
            factor, lambda: -theta * arb(gamma_function(edge)), weight
        )

    return _named(_prove(g, [(ZERO, ONE), (ZERO, ONE)]), theta=lambda t, _: t, gamma=lambda _, e: e)


def grows_with_edge(*, factor: Fraction = ONE) -> Check:
    r"""Prove $-\partial_\gamma\psi(u,\gamma)\ge\tanh u$ for $0\le u\le0.7$, $0\le\gamma\le1$. Certified, universal.

    The derivative is $\frac{\sinh u}{\cosh u-\gamma\sinh u}$. So the sharp bound grows with $\gamma_Q$ (and with
    $\gamma_P$ at rate u), and may be used with any edges below the exact ones. Equality at $\gamma=0$ and u = 0;
    $w=u^2\gamma$, $g=\frac{(\sinh u/u)^2}{\cosh u(\cosh u-\gamma\sinh u)}$. `factor` multiplies tanh u.
    """
    factor = check_fraction("factor", factor, above=0)

    def g(u: arb, edge: arb) -> arb:
        weight = u**2 * edge
        moment = arb(exponential_moment(u, edge, form="corrected")) if u > 0 else u.cosh() - edge * u.sinh()
        remainder = _sinhc(u) ** 2 / (u.cosh() * moment)
        return _quotient(lambda: u.sinh() / moment - u.tanh(), weight, remainder) + _deviation(
            factor, lambda: -u.tanh(), weight
        )

    return _named(_prove(g, [(ZERO, LONGEST), (ZERO, ONE)]), u=lambda u, _: u, gamma=lambda _, e: e)


def positive_above(*, factor: Fraction = ONE) -> Check:
    r"""Prove $-\log(\cosh u-\gamma\sinh u)\ge0$ for $\tanh\frac u2\le\gamma\le1$, $0\le u\le0.7$. Certified, universal.

    $\gamma=\tanh\frac u2+v$ gives $-\log(1-y)$, $y=v\sinh u\le1-e^{-u}$, since $\cosh u-\tanh\frac u2\sinh u=1$. Zeros
    at v = 0 and u = 0; $w=uv$, $g=\frac{\sinh u}u\cdot\frac{-\log(1-y)}y$, the last factor in $[1,e^u]$. With $u=\log2$
    the threshold is 1/3. `factor` multiplies the threshold.
    """
    factor = check_fraction("factor", factor, above=0)

    def g(u: arb, t: arb) -> arb:
        threshold = (u / 2).tanh()
        v = (1 - threshold) * t
        if factor != 1:
            return -arb(log_moment(u, ball(factor) * threshold + v)) / (u * v)
        remainder = _sinhc(u) * _hull(1, arb(u.upper()).exp())
        return _quotient(lambda: -arb(log_moment(u, threshold + v)), u * v, remainder)

    return _named(_prove(g, [(ZERO, LONGEST), (ZERO, ONE)]), u=lambda u, _: u, share=lambda _, t: t)
