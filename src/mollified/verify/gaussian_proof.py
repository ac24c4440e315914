r"""Checks of the steps of the lecture's proof sketch for the Gaussian mechanism, one by one.

$d=f(D)-f(D')$ with $|d|\le\Delta$; y is the noise. $\tau=\sigma^2\varepsilon/\Delta-\Delta/2$ is the printed threshold,
$c=\sqrt{2\ln(1.25/\delta)}$; at the printed sigma $\tau/\sigma=t=c-\frac{\varepsilon}{2c}$.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import numpy as np
from flint import ctx

from mollified._validate import _echo, check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.bounds import Form
from mollified.checks import Check, Tally
from mollified.gaussian_mechanism import delta_ball, printed_multiple, upper_tail
from mollified.instances import random_fraction
from mollified.verify.gaussian_privacy import random_level

__all__ = [
    "displayed_loss",
    "loss_bound",
    "printed_condition",
    "slide_bound",
    "slide_tail",
    "tail_suffices",
    "threshold",
]

BITS = 192
ONE, TWO, HALF = Fraction(1), Fraction(2), Fraction(1, 2)
SAME = Fraction(1, 10**30)
TAIL_EXAMPLE = (HALF, Fraction(1, 10**5))
#: Settings in which the two-sided condition fails at the printed sigma.
CONDITION_EXAMPLES = ((Fraction(5), Fraction(1, 10**5)), (ONE, Fraction(96, 100)))


def _form(form: object, *allowed: str) -> None:
    if not isinstance(form, str) or form not in allowed:
        raise ValueError(f"form must be {' or '.join(allowed)}, got {_echo(form)}")


def _setting(rng: np.random.Generator) -> tuple[Fraction, Fraction]:
    """Return a sensitivity and a variance."""
    return random_fraction(rng, Fraction(1, 10), Fraction(4), 20), random_fraction(
        rng, Fraction(1, 10), Fraction(9), 20
    )


def loss_bound(
    rng: np.random.Generator,
    instances: int,
    *,
    form: Form = "printed",
    claimed: Fraction = ONE,
    positive: bool = False,
) -> Check:
    r"""Check the bound on the absolute privacy loss at random y, d, $\Delta$, $\sigma^2$. Exact.

    The loss is $(2yd+d^2)/2\sigma^2$. Printed: $|2y\Delta+\Delta^2|/2\sigma^2$; corrected:
    $(2|y|\Delta+\Delta^2)/2\sigma^2$; `claimed` scales the bound. First tried: $\Delta=\sigma=1$, $y=-\frac12$, $d=-1$.
    Every third instance has $|d|=\Delta$. `positive` takes $|y|$ for y. Source: lecture, proof sketch.
    """
    rng, instances = check_trials(rng, instances)
    _form(form, "printed", "corrected")
    claimed, tally = check_fraction("claimed", claimed, above=0), Tally("exact", keep="first")
    for index in range(instances):
        most, variance = _setting(rng)
        y, d = random_fraction(rng, Fraction(-8), Fraction(8), 40), most * random_fraction(rng, -ONE, ONE, 20)
        if index % 3 == 1:
            d = most if d > 0 else -most
        if index == 0:
            most, variance, y, d = ONE, ONE, -HALF, -ONE
        y = abs(y) if positive else y
        loss = abs((y + d) ** 2 - y * y) / (2 * variance)
        inner = abs(2 * y * most + most**2) if form == "printed" else 2 * abs(y) * most + most**2
        slack = claimed * inner / (2 * variance) - loss
        tally.add(float(slack), decided=slack >= 0, sensitivity=most, variance=variance, y=y, d=d, loss=loss)
    return tally.check()


def displayed_loss(rng: np.random.Generator, instances: int, *, mirrored: bool = False) -> Check:
    r"""Check that $|\ln(e^{-y^2/2\sigma^2}/e^{-(y+\Delta)^2/2\sigma^2})|=|2y\Delta+\Delta^2|/2\sigma^2$. Exact.

    `mirrored`: with $y-\Delta$ in the second exponent.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        (most, variance), y = _setting(rng), random_fraction(rng, Fraction(-8), Fraction(8), 40)
        other = y - most if mirrored else y + most
        left = abs(-y * y / (2 * variance) + other * other / (2 * variance))
        wrong = abs(left - abs(2 * y * most + most**2) / (2 * variance))
        tally.add(-float(wrong), decided=wrong == 0, sensitivity=most, variance=variance, y=y)
    return tally.check()


def threshold(
    rng: np.random.Generator,
    instances: int,
    *,
    form: Literal["printed", "corrected", "exact"] = "printed",
    claimed: Fraction = ONE,
) -> Check:
    r"""Check when $|2y\Delta+\Delta^2|/2\sigma^2\le\varepsilon$, at random values. Exact.

    Printed: whenever $y<\tau$. Corrected: whenever $|y|\le\tau$. Exact: if and only if
    $|y+\Delta/2|\le\sigma^2\varepsilon/\Delta$; and without the absolute value, strictly, if and only if $y<\tau$. Only
    instances that meet the hypothesis count (for "exact", all); some lie on its boundary. `claimed` scales eps in the
    conclusion. First tried: $\sigma=\Delta=\varepsilon=1$, $y=-2$. Source: lecture, proof sketch, bullet "This is
    bounded by".
    """
    rng, instances = check_trials(rng, instances)
    _form(form, "printed", "corrected", "exact")
    claimed, tally = check_fraction("claimed", claimed, above=0), Tally("exact", keep="first")
    first = True
    while tally.instances < instances:
        (most, variance), eps = _setting(rng), random_fraction(rng, Fraction(1, 10), Fraction(5), 50)
        y = random_fraction(rng, Fraction(-20), Fraction(20), 100)
        edge = variance * eps / most
        if rng.integers(3) == 0:
            y = (edge if rng.integers(2) else -edge) - most / 2
            y = edge - most / 2 if form == "corrected" else y
        if first:
            most, variance, eps, y, edge, first = ONE, ONE, ONE, -TWO, ONE, False
        met = y < edge - most / 2 if form == "printed" else abs(y) <= edge - most / 2
        slack = claimed * eps - abs(2 * y * most + most**2) / (2 * variance)
        values = {"sensitivity": most, "variance": variance, "eps": eps, "y": y, "loss": claimed * eps - slack}
        if form == "exact":
            signed = (2 * y * most + most**2) / (2 * variance)
            agree = (slack >= 0) == (abs(y + most / 2) <= edge) and (signed < claimed * eps) == (y < edge - most / 2)
            tally.add(0.0 if agree else -abs(float(slack)), decided=agree, **values)
        elif met:
            tally.add(float(slack), decided=slack >= 0, **values)
    return tally.check()


def tail_suffices(rng: np.random.Generator, instances: int, *, sides: Literal[1, 2] = 2, shifted: bool = True) -> Check:
    r"""Check that $P[|y|\ge\tau]\le\delta$ is sufficient: the exact delta is at most that probability. Certified.

    `sides` 1: already $P[y\ge\tau]$ is. Not `shifted`: $\sigma^2\varepsilon/\Delta$ in the place of $\tau$. Random
    $\varepsilon$ and $\mu=\Delta/\sigma$; where $\tau\le0$ the two-sided probability is 1. Both orders of the pair have
    the same exact delta.
    """
    rng, instances = check_trials(rng, instances)
    if isinstance(sides, bool) or sides not in (1, 2):
        raise ValueError(f"sides must be 1 or 2, got {_echo(sides)}")
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            eps = random_fraction(rng, Fraction(1, 20), Fraction(20), 100)
            mu = random_fraction(rng, Fraction(1, 10), Fraction(10), 100)
            t = eps / mu - (mu / 2 if shifted else 0)
            bound = ball(ONE) if sides == 2 and t <= 0 else sides * upper_tail(ball(t))
            slack = bound - delta_ball(eps, mu)
            tally.add(float(slack.mid()), decided=bool(slack > 0), eps=eps, mu=mu)
    return tally.check()


def slide_tail(
    rng: np.random.Generator,
    instances: int,
    *,
    factor: Fraction = TWO,
    most: Fraction = Fraction(10),
    claimed: Fraction = ONE,
) -> Check:
    r"""Check that the tail bound a $e^{-t^2/2}$, a = `factor`, is at most $\delta$ at the printed sigma. Certified.

    Only instances with $t>0$ count: at others the bound does not apply. a = 2 is the bound of the slides for $|y|$, a =
    1 its sharp form, a = 1/2 the sharp form for one side, which is at most $\delta$ for all
    $\varepsilon\le2\ln\frac52$. `claimed` scales the promised delta. First tried: $\varepsilon=\frac12$,
    $\delta=10^{-5}$. Source: lecture, proof sketch, last bullet.
    """
    rng, instances = check_trials(rng, instances)
    factor, most = check_fraction("factor", factor, above=0), check_fraction("most", most, above=0)
    claimed, tally = check_fraction("claimed", claimed, above=0), Tally("certified", keep="first")
    first = True
    with ctx.workprec(BITS):
        while tally.instances < instances:
            eps, delta = TAIL_EXAMPLE if first else random_level(rng, most)
            first, c = False, printed_multiple(delta)
            t = c - ball(eps) / (2 * c)
            if not t > 0:
                continue
            bound = ball(factor) * (-t * t / 2).exp()
            slack = ball(claimed * delta) - bound
            tally.add(float(slack.mid()), decided=bool(slack >= 0), eps=eps, delta=delta, bound=float(bound.mid()))
    return tally.check()


def slide_bound(rng: np.random.Generator, instances: int, *, claimed: Fraction = Fraction(8, 5)) -> Check:
    r"""Check that for $t>0$ the slides' bound is $1.6\,\delta e^{\varepsilon/2-\varepsilon^2/8c^2}>1.6\,\delta$.

    Certified; the identity within 1e-30 relatively. `claimed` is the 1.6 of the identity.
    """
    rng, instances = check_trials(rng, instances)
    claimed, tally = check_fraction("claimed", claimed, above=0), Tally("certified")
    with ctx.workprec(BITS):
        while tally.instances < instances:
            eps, delta = random_level(rng, Fraction(10))
            c, level = printed_multiple(delta), ball(eps)
            t = c - level / (2 * c)
            if not t > 0:
                continue
            relative = 2 * (-t * t / 2).exp() / ball(delta)
            wrong = abs(relative / (ball(claimed) * (level / 2 - level**2 / (8 * c * c)).exp()) - 1)
            good = bool(wrong < ball(SAME)) and bool(relative > ball(Fraction(8, 5)))
            slack = float((relative - ball(Fraction(8, 5))).mid()) if good else float((ball(SAME) - wrong).mid())
            tally.add(slack, decided=good, eps=eps, delta=delta)
    return tally.check()


def printed_condition(
    rng: np.random.Generator, instances: int, *, most: Fraction = Fraction(20), top: Fraction = ONE
) -> Check:
    r"""Check $P[|y|\ge\tau]\le\delta$ at the printed sigma, random $\varepsilon\le$ `most`, $\delta<$ `top`. Certified.

    First tried: those of the settings `CONDITION_EXAMPLES` that fit: $\varepsilon=5$, $\delta=10^{-5}$ and
    $\varepsilon=1$, $\delta=0.96$. Source: lecture, proof sketch, last bullet.
    """
    rng, instances = check_trials(rng, instances)
    most, top = check_fraction("most", most, above=0), check_fraction("top", top, above=0, maximum=1)
    chosen = [pair for pair in CONDITION_EXAMPLES if pair[0] <= most and pair[1] < top]
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for index in range(instances):
            eps, delta = chosen[index] if index < len(chosen) else random_level(rng, most, top)
            c = printed_multiple(delta)
            t = c - ball(eps) / (2 * c)
            # Where the threshold is negative 2 Q(t) exceeds the probability, which is 1.
            outside = 2 * upper_tail(t) if t > 0 else ball(ONE)
            slack = ball(delta) - outside
            tally.add(float(slack.mid()), decided=bool(slack >= 0), eps=eps, delta=delta, outside=float(outside.mid()))
    return tally.check()
