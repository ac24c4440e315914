r"""Checks of (44)-(62): the functions f1 and f2, their derivatives, and where $|f_1+f_2|$ is largest.

$f_1(x)=(x+\gamma)\log(1-\frac ax)$, $f_2(x)=(x-\gamma)\log(1+\frac ax)$, $x_1=c_1a$, $x_2=c_2a$ with
$k+1\le c_1\le k+n$, $k\le c_2\le k+n-1$. Identities are decided by integer powers (`log_sign`) or in the form
r + s log t with rationals; inequalities by balls. Source: bootstrapping paper, Appendix E.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from flint import arb, ctx

from mollified._validate import _echo, check_fraction, check_trials
from mollified.ball_mbde import BITS, ball
from mollified.checks import Check, Tally
from mollified.interval_proof import combine, prove_positive
from mollified.relaxed_exponential import log_sign

__all__ = [
    "corner_value",
    "decomposition",
    "derivative",
    "first_slope_bound",
    "increasing",
    "large_shares",
    "lower_corner",
    "second_slope_bound",
    "small_shares",
    "upper_corner",
]

ONE = Fraction(1)
Corner = Literal["upper", "mixed"]


@dataclass(frozen=True)
class _Place:
    """Hold n, |Sigma|, k, gamma and two places in the rectangle of (43)."""

    n: int
    size: int
    k: int
    gamma: Fraction
    x1: Fraction
    x2: Fraction

    @property
    def a(self) -> Fraction:
        return Fraction(1, self.n + self.k * self.size)

    @property
    def values(self) -> dict[str, object]:
        return {"n": self.n, "size": self.size, "k": self.k, "gamma": self.gamma, "x1": self.x1, "x2": self.x2}

    def f(self, x1: Fraction, x2: Fraction) -> arb:
        a = self.a
        one = ball(x1 + self.gamma) * ball(1 - a / x1).log()
        return one + ball(x2 - self.gamma) * ball(1 + a / x2).log()


def _places(rng: np.random.Generator, instances: int, *, first: bool = False) -> Iterator[_Place]:
    """Return random places; the first one, if wanted, has one record, two symbols, k = 1, gamma = 1/10."""
    for index in range(instances):
        if first and index == 0:
            yield _Place(1, 2, 1, Fraction(1, 10), Fraction(2, 3), Fraction(1, 3))
            continue
        n, size, k = int(rng.integers(1, 30)), int(rng.integers(2, 12)), int(rng.integers(1, 8))
        gamma, total = Fraction(int(rng.integers(1, 200)), 200), n + k * size
        if rng.random() < 0.3:
            gamma /= 100
        c1, c2 = (k + Fraction(int(rng.integers(4 * n - 3)), 4) for _ in range(2))
        if rng.random() < 0.3:
            c1 = c2 = Fraction(k)
        yield _Place(n, size, k, gamma, (c1 + 1) / total, c2 / total)


def decomposition(rng: np.random.Generator, instances: int, *, sign: int = 1) -> Check:
    r"""Check (44)-(46): the expression in (43) is $f_1(x_1)+f_2(x_2)$; `sign` -1 takes $x_2+\gamma$ in $f_2$. Exact."""
    rng, instances = check_trials(rng, instances)
    if isinstance(sign, bool) or sign not in (1, -1):
        raise ValueError(f"sign must be 1 or -1, got {_echo(sign)}")
    tally = Tally("exact")
    for place in _places(rng, instances):
        a, x1, x2, gamma = place.a, place.x1, place.x2, place.gamma
        printed = [(gamma, (x1 - a) * x2 / ((x2 + a) * x1)), (x1, 1 - a / x1), (x2, 1 + a / x2)]
        parts = [(-(x1 + gamma), 1 - a / x1), (-(x2 - sign * gamma), 1 + a / x2)]
        equal = log_sign([*printed, *parts]) == 0
        tally.add(0.0 if equal else -1.0, decided=equal, **place.values)
    return tally.check()


def _product_rule(coefficient: Fraction, slope: Fraction, t: Fraction, t_slope: Fraction) -> tuple[Fraction, Fraction]:
    """Return (r, s) of the derivative r + s log t of coefficient times log t."""
    return coefficient * t_slope / t, slope


def derivative(rng: np.random.Generator, instances: int, *, which: int, sign: int = 1) -> Check:
    r"""Check (47) or (50) (`which` 1 or 2) by the product rule, as r + s log t. Exact; `sign` -1 turns r over."""
    rng, instances = check_trials(rng, instances)
    for name, value, allowed in (("which", which, (1, 2)), ("sign", sign, (1, -1))):
        if isinstance(value, bool) or value not in allowed:
            raise ValueError(f"{name} must be one of {allowed}, got {_echo(value)}")
    tally = Tally("exact")
    for place in _places(rng, instances):
        a, gamma = place.a, place.gamma
        if which == 1:
            x = place.x1
            found = _product_rule(x + gamma, ONE, 1 - a / x, a / x**2)
            printed = sign * (x + gamma) * a / (x * (x - a)), ONE
            same_log = 1 - a / x == (x - a) / x
        else:
            x = place.x2
            found = _product_rule(x - gamma, ONE, 1 + a / x, -a / x**2)
            printed = sign * (x - gamma) * -a / (x * (x + a)), ONE
            same_log = 1 + a / x == (x + a) / x
        tally.add(-float(abs(found[0] - printed[0])), decided=found == printed and same_log, **place.values)
    return tally.check()


def first_slope_bound(rng: np.random.Generator, instances: int, *, printed: bool) -> Check:
    r"""Check (48), $\log(1-\frac a{x_1})\ge-\frac a{x_1}$, as `printed`; else $f_1'\ge\frac{\gamma a}{x_1(x_1-a)}$.

    Certified. First instance: one record, two symbols, k = 1, so $x_1=\frac23$, $a=\frac13$.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for place in _places(rng, instances, first=True):
            a, x = place.a, place.x1
            rational = (x + place.gamma) * a / (x * (x - a))
            slope = ball(rational) + ball((x - a) / x).log()
            bound = rational - a / x if printed else place.gamma * a / (x * (x - a))
            slack = slope - ball(bound)
            tally.add(float(slack.mid()), decided=bool(slack > 0), **place.values, a=a)
    return tally.check()


def second_slope_bound(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check (49), both inequalities; `claimed` > 1 multiplies the first term in the middle. Exact."""
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for place in _places(rng, instances):
        a, x = place.a, place.x1
        left, middle = (x + place.gamma) * a / (x * (x - a)) - a / x, claimed * a / (x - a) - a / x
        slack = min(left - middle, middle)
        tally.add(float(slack), decided=slack >= 0, **place.values)
    return tally.check()


def increasing(*, which: int, shift: Fraction = Fraction(0)) -> Check:
    r"""Prove that $f_1$ (`which` 1) or $f_2$ (2) increases, for all n, k, $|\Sigma|$ and $\gamma\ge0$.

    Certified, universal. With $y=\frac ax$ and $g=\frac\gamma x\ge0$: $f_1'=(1+g)\frac y{1-y}+\log(1-y)$
    on $0<y\le\frac12$ and $f_2'=\log(1+y)-(1-g)\frac y{1+y}$ on $0<y\le1$; both grow with g, so g = 0 is the worst.
    There they are 0 at y = 0 with slopes $y/(1\mp y)^2$, which proves them positive on $(0,\frac1{1000}]$; bisection
    does the rest. `shift` is g. Raises ValueError for another `which`.
    """
    if isinstance(which, bool) or which not in (1, 2):
        raise ValueError(f"which must be 1 or 2, got {_echo(which)}")
    g, small = check_fraction("shift", shift), Fraction(1, 1000)

    def slope(y: Any) -> Any:
        if which == 1:
            return (1 + ball(g)) * y / (1 - y) + (1 - y).log()
        return (1 + y).log() - (1 - ball(g)) * y / (1 + y)

    def second(y: Any) -> Any:
        return 1 / (1 - y) ** 2 if which == 1 else 1 / (1 + y) ** 2

    far = prove_positive(slope, [(small, Fraction(1, 2) if which == 1 else ONE)])
    near = prove_positive(second, [(Fraction(0), small)])
    return combine(far, near)


def small_shares(rng: np.random.Generator, instances: int, *, sign: int = 1) -> Check:
    r"""Check that $f_2'>0$ where $x_2\le\gamma$; `sign` -1 turns its rational part over. Certified."""
    rng, instances = check_trials(rng, instances)
    if isinstance(sign, bool) or sign not in (1, -1):
        raise ValueError(f"sign must be 1 or -1, got {_echo(sign)}")
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for place in _places(rng, instances):
            a, x, gamma = place.a, place.x2, max(place.gamma, place.x2)
            slope = ball(sign * (x - gamma) * -a / (x * (x + a))) + ball((x + a) / x).log()
            tally.add(float(slope.mid()), decided=bool(slope > 0), **{**place.values, "gamma": gamma})
    return tally.check()


def large_shares(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check (52), (53) where $x_2>\gamma$; the last expression is exactly 0. `claimed` < 1 shrinks $-\frac a{x_2+a}$.

    Certified.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for index, place in enumerate(_places(rng, instances)):
            a, x = place.a, place.x2
            gamma = min(place.gamma, x * Fraction(99, 100)) if index % 2 else x / 1000
            log = ball((x + a) / x).log()
            first, second = (x - gamma) * -a / (x * (x + a)), claimed * -a / (x + a)
            last = (1 - a / (x + a)) * (x + a) / x
            good = first >= second and bool(ball(second) + log > 0) and last == 1
            slack = min(float(first - second), float((ball(second) + log).mid()))
            tally.add(slack, decided=good, **{**place.values, "gamma": gamma})
    return tally.check()


def upper_corner(rng: np.random.Generator, instances: int, *, corner: Corner = "upper") -> Check:
    r"""Check (54)-(56): f is largest at $c_1=n+k$, $c_2=n+k-1$, and no larger there than at $c_1=c_2=n+k$. Certified.

    `corner` "mixed" claims that it is largest at $c_1=n+k$, $c_2=k$. Places with n = 1 are left out (a single point).
    """
    rng, instances = check_trials(rng, instances)
    if corner not in ("upper", "mixed"):
        raise ValueError(f"corner must be upper or mixed, got {_echo(corner)}")
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for place in _places(rng, instances):
            n, k, a = place.n, place.k, place.a
            top = (n + k) * a, ((n + k - 1) if corner == "upper" else k) * a
            if (place.x1, place.x2) == top or n == 1:
                continue
            slack = place.f(*top) - place.f(place.x1, place.x2)
            beyond = place.f(top[0], top[0]) - place.f(*top)
            tally.add(float(slack.mid()), decided=bool(slack > 0 and beyond > 0), **place.values)
    return tally.check()


def corner_value(rng: np.random.Generator, instances: int, *, sign: int = 1) -> Check:
    r"""Check (57), (58): the value at $x_1=x_2=(n+k)a$ and its sign. Exact. `sign` -1 turns the last term over."""
    rng, instances = check_trials(rng, instances)
    if isinstance(sign, bool) or sign not in (1, -1):
        raise ValueError(f"sign must be 1 or -1, got {_echo(sign)}")
    tally = Tally("exact")
    for place in _places(rng, instances):
        c, x = place.n + place.k, (place.n + place.k) * place.a
        value = [(x + place.gamma, Fraction(c - 1, c)), (x - place.gamma, Fraction(c + 1, c))]
        printed = [(x, Fraction(c * c - 1, c * c)), (sign * place.gamma, Fraction(c - 1, c + 1))]
        good = log_sign([*value, *((-s, t) for s, t in printed)]) == 0 and log_sign(printed) <= 0
        tally.add(0.0 if good else -1.0, decided=good, **place.values)
    return tally.check()


def lower_corner(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check (59)-(62): $|f|\le-f((k+1)a,ka)=(2\gamma+a)\lambda$ on the rectangle. Certified; the value is exact.

    `claimed` < 1 takes that share of the value.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for place in _places(rng, instances):
            k, a, gamma = place.k, place.a, place.gamma
            step = Fraction(k + 1, k)
            at_corner = [(-((k + 1) * a + gamma), 1 / step), (-(k * a - gamma), step)]
            share = 2 * gamma + a
            equal = log_sign([*at_corner, (-share, step)]) == 0
            slack = ball(claimed * share) * ball(step).log() - abs(place.f(place.x1, place.x2))
            lowest = (place.x1, place.x2) == ((k + 1) * a, k * a)
            good = equal and (claimed >= 1 if lowest else bool(slack > 0))
            tally.add(0.0 if good and lowest else float(slack.mid()), decided=good, **place.values)
    return tally.check()
