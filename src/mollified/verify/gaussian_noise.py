r"""Checks of what the lecture says of Gaussian noise itself: density, moments, tail, sums, the rule for sigma."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
from flint import acb, arb, ctx

from mollified._validate import check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.checks import Check, Tally
from mollified.gaussian_mechanism import delta_ball, printed_multiple, upper_tail
from mollified.instances import random_fraction
from mollified.interval_proof import combine, prove_positive, prove_root

__all__ = [
    "logarithmic",
    "moments",
    "never_pure",
    "rule_defined",
    "sensitivity_exists",
    "sums",
    "tail",
    "total_mass",
]

BITS = 192
#: An identity is taken as shown where balls say that both sides differ by less; the slack is what is left of this.
SAME = Fraction(1, 10**30)
#: Integrals run over this many standard deviations; what lies beyond adds less than 1e-50 of the scale.
REACH = 16
HALF, ONE, TWO = Fraction(1, 2), Fraction(1), Fraction(2)


def _integral(weight: int, mean: arb, variance: arb, scale: arb) -> arb:
    """Return the integral of (y - mean)^weight p(y) over the reach, as a ball, for the density over `scale`."""

    def integrand(y: acb, _: object) -> acb:
        return (y - mean) ** weight * (-((y - mean) ** 2) / (2 * variance)).exp() / scale

    half = REACH * variance.sqrt()
    return acb.integral(integrand, acb(mean - half), acb(mean + half)).real


def _parameters(rng: np.random.Generator) -> tuple[Fraction, Fraction]:
    return random_fraction(rng, Fraction(-10), Fraction(10), 100), random_fraction(rng, Fraction(1, 50), TWO * 10, 100)


def total_mass(rng: np.random.Generator, instances: int, *, rooted: bool = True) -> Check:
    r"""Check that the printed density of $\mathcal N(\mu,\sigma^2)$ has total mass 1, within 1e-30. Certified.

    Not `rooted`: with $\sigma^2$ in the place of $\sigma$ before the exponential.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            mean, variance = _parameters(rng)
            constant = (2 * arb.pi()).sqrt() * (ball(variance).sqrt() if rooted else ball(variance))
            wrong = abs(_integral(0, ball(mean), ball(variance), constant) - 1)
            tally.add(float((ball(SAME) - wrong).mid()), decided=bool(wrong < ball(SAME)), mean=mean, variance=variance)
    return tally.check()


def moments(rng: np.random.Generator, instances: int, *, squared: bool = True) -> Check:
    r"""Check that the mean is $\mu$ and the variance $\sigma^2$, within 1e-30. Certified; not `squared`: $\sigma$."""
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            mean, variance = _parameters(rng)
            at, spread = ball(mean), ball(variance)
            constant = (2 * arb.pi() * spread).sqrt()
            claimed = spread if squared else spread.sqrt()
            wrong = abs(_integral(1, at, spread, constant)) + abs(_integral(2, at, spread, constant) - claimed)
            tally.add(float((ball(SAME) - wrong).mid()), decided=bool(wrong < ball(SAME)), mean=mean, variance=variance)
    return tally.check()


def tail(*, factor: Fraction = TWO) -> Check:
    r"""Prove $P[|N|>t]\le a\,e^{-t^2/2}$ for all t >= 0, a = `factor`. Certified, universal.

    Balls on [0, 40]; for a = 1 both sides agree at 0, so that the derivative $e^{-t^2/2}(\sqrt{2/\pi}-t)$ of the
    difference is shown positive on [0, 1/2]. Beyond 40 the left side is below $\sqrt{2/\pi}e^{-t^2/2}/t$. Raises
    ValueError or TypeError for a factor <= 0.
    """
    factor = check_fraction("factor", factor, above=0)

    def margin(t: arb) -> arb:
        return ball(factor) * (-t * t / 2).exp() - 2 * upper_tail(t)

    def slope(t: arb) -> arb:
        return (-t * t / 2).exp() * ((2 / arb.pi()).sqrt() - t)

    if factor != 1:
        return prove_positive(margin, [(Fraction(0), Fraction(40))])
    near = prove_root(slope, [(Fraction(0), HALF)], root="low")
    return combine(near, prove_positive(margin, [(HALF, Fraction(40))]))


def _double(order: int) -> int:
    """Return (2m - 1)!!, the moment of order 2m of a standard normal variable."""
    return math.prod(range(1, 2 * order, 2))


def sums(rng: np.random.Generator, instances: int, *, dependent: bool = True) -> Check:
    r"""Check that $aX+bY$ has the even moments up to 12 of a Gaussian with its variance, X and Y standard. Exact.

    `dependent`: $Y=SX$ with an independent fair sign S, which is standard normal and uncorrelated with X. First tried:
    a = b = 1. Else X and Y are independent. Odd moments are 0 in all cases.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        a, b = (random_fraction(rng, Fraction(1, 20), TWO, 20) for _ in range(2))
        if index == 0:
            a = b = ONE
        worst, order, found = Fraction(0), 0, Fraction(0)
        for m in range(1, 7):
            if dependent:
                moment = _double(m) * ((a + b) ** (2 * m) + (a - b) ** (2 * m)) / 2
            else:
                moment = sum(
                    (
                        math.comb(2 * m, 2 * j) * a ** (2 * j) * b ** (2 * m - 2 * j) * _double(j) * _double(m - j)
                        for j in range(m + 1)
                    ),
                    Fraction(0),
                )
            wrong = abs(moment - _double(m) * (a * a + b * b) ** m)
            if wrong > 0 and order == 0:
                worst, order, found = wrong, 2 * m, moment
        tally.add(-float(worst), decided=worst == 0, a=a, b=b, order=order, moment=found, variance=a * a + b * b)
    return tally.check()


def sensitivity_exists(rng: np.random.Generator, instances: int, *, absolute: bool = False) -> Check:
    r"""Check that $\Delta_2^2=\max_x\lVert q(x)\rVert_2^2$ for sums $f(D)=\sum_{x\in D}q(x)$. Exact.

    The left side is the definition: the maximum over all data sets of at most 3 records and all neighbours (one record
    added or removed). `absolute`: with the l1 norm on the right.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        values, dim = int(rng.integers(1, 4)), int(rng.integers(2, 4))
        rows = [[random_fraction(rng, -TWO, TWO, 12) for _ in range(dim)] for _ in range(values)]

        def answer(counts: tuple[int, ...], rows: list[list[Fraction]] = rows, dim: int = dim) -> list[Fraction]:
            return [sum((n * row[k] for n, row in zip(counts, rows, strict=True)), Fraction(0)) for k in range(dim)]

        largest = Fraction(0)
        for counts in itertools.product(range(4), repeat=values):
            for x in range(values):
                if sum(counts) < 3:
                    more = (*counts[:x], counts[x] + 1, *counts[x + 1 :])
                    pairs = zip(answer(more), answer(counts), strict=True)
                    largest = max(largest, sum(((u - v) ** 2 for u, v in pairs), Fraction(0)))
        if absolute:
            claimed = max(sum((abs(q) for q in row), Fraction(0)) ** 2 for row in rows)
        else:
            claimed = max(sum((q * q for q in row), Fraction(0)) for row in rows)
        wrong = abs(largest - claimed)
        tally.add(-float(wrong), decided=wrong == 0, rows=rows, found=largest, claimed=claimed)
    return tally.check()


def rule_defined(rng: np.random.Generator, instances: int, *, top: Fraction = ONE) -> Check:
    r"""Check that $\sqrt{2\ln(1.25/\delta)}$ is a real number > 0 for random $0<\delta<$ `top`. Certified."""
    rng, instances = check_trials(rng, instances)
    top = check_fraction("top", top, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            delta = random_fraction(rng, top / 1000, top * 999 / 1000, 10**6)
            inside = (ball(Fraction(5, 4)) / ball(delta)).log()
            tally.add(float(inside.mid()), decided=bool(inside > 0), delta=delta)
    return tally.check()


def logarithmic(rng: np.random.Generator, instances: int, *, squared: bool = True) -> Check:
    r"""Check that $\sigma^2$ grows by the same amount whenever $\delta$ is divided by the same b > 1. Certified.

    $\sigma^2(\delta/b)-\sigma^2(\delta)=2\Delta^2\ln b/\varepsilon^2$, twice in a row, within 1e-30. Not `squared`: the
    same of $\sigma$.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            delta, b = random_fraction(rng, Fraction(1, 100), ONE, 100), random_fraction(rng, TWO, TWO * 10, 10)
            steps = [printed_multiple(delta / b**j) ** (2 if squared else 1) for j in range(3)]
            wrong = abs((steps[2] - steps[1]) - (steps[1] - steps[0]))
            tally.add(float((ball(SAME) - wrong).mid()), decided=bool(wrong < ball(SAME)), delta=delta, b=b)
    return tally.check()


def never_pure(rng: np.random.Generator, instances: int, *, laplace: bool = False) -> Check:
    r"""Check that the least delta is > 0 for random eps and sigma, in units of the sensitivity. Certified.

    `laplace`: Laplace noise of scale sigma in the place of Gaussian noise, whose least delta is
    $\max(0,1-e^{(\varepsilon-1/\sigma)/2})$.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    for _ in range(instances):
        eps, sigma = random_fraction(rng, Fraction(1, 20), TWO * 5, 20), random_fraction(rng, HALF, TWO * 20, 20)
        with ctx.workprec(BITS):
            if laplace:
                least = arb(0) if eps * sigma >= 1 else 1 - ((ball(eps) - 1 / ball(sigma)) / 2).exp()
            else:
                least = delta_ball(eps, 1 / sigma)
            tally.add(float(least.mid()), decided=bool(least > 0), eps=eps, sigma=sigma)
    return tally.check()
