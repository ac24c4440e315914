r"""Checks of what the lecture says of the Laplace distribution: density, moments, tail, ratio, symmetry."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import numpy as np
from flint import acb, arb, ctx

from mollified._validate import _echo, check_count, check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.checks import Check, Tally
from mollified.instances import random_fraction
from mollified.laplace_mechanism import BITS, density

__all__ = ["density_ratio", "moment", "total_mass", "two_sided_tail"]

#: An identity is taken as shown where balls say that both sides differ by less.
SAME = Fraction(1, 10**30)
#: Integrals run over this many scales; what lies beyond adds less than 1e-80 of the scale squared.
REACH = 200
ONE = Fraction(1)
Sign = Literal["even", "odd"]


def _scale(rng: np.random.Generator) -> Fraction:
    return random_fraction(rng, Fraction(1, 50), Fraction(20), 997)


def _integral(weight: int, scale: arb, low: arb) -> arb:
    """Return the integral of y^weight e^(-y/b) from `low` up to the reach, as a ball: half of a side of the density."""

    def integrand(y: acb, _: object) -> acb:
        return y**weight * (-y / scale).exp()

    return acb.integral(integrand, acb(low), acb(low + REACH * scale)).real


def total_mass(rng: np.random.Generator, instances: int, *, factor: Fraction = ONE) -> Check:
    r"""Check that the density $\frac a{2b}e^{-|y|/b}$ has total mass 1 for a = `factor` = 1, within 1e-30. Certified.

    Both sides are integrated numerically in balls. Raises TypeError or ValueError for a factor <= 0.
    """
    rng, instances = check_trials(rng, instances)
    factor = check_fraction("factor", factor, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            b = _scale(rng)
            wrong = abs(2 * _integral(0, ball(b), arb(0)) * ball(factor) * density(Fraction(0), b) - 1)
            tally.add(float((ball(SAME) - wrong).mid()), decided=bool(wrong < ball(SAME)), scale=b)
    return tally.check()


def moment(rng: np.random.Generator, instances: int, *, order: int, claimed: Fraction, sign: Sign = "even") -> Check:
    r"""Check that $E|Y|^m$ (`sign` even) or $E[Y^m]$ (odd) is `claimed` times $b^m$, m = `order`, within 1e-30.

    Certified; the two sides of the density are integrated apart and added, or subtracted. Raises TypeError or
    ValueError for an order < 1, a claim that is no rational, another sign.
    """
    rng, instances = check_trials(rng, instances)
    order, claimed = check_count("order", order), check_fraction("claimed", claimed)
    if sign not in ("even", "odd"):
        raise ValueError(f"sign must be even or odd, got {_echo(sign)}")
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            b = _scale(rng)
            side = _integral(order, ball(b), arb(0)) * density(Fraction(0), b)
            left = side if sign == "even" or order % 2 == 0 else -side
            wrong = abs(side + left - ball(claimed * b**order))
            tally.add(
                float((ball(SAME) - wrong).mid()),
                decided=bool(wrong < ball(SAME)),
                scale=b,
                order=order,
                claimed=claimed,
            )
    return tally.check()


def two_sided_tail(rng: np.random.Generator, instances: int, *, rate: Fraction = ONE, share: Fraction = ONE) -> Check:
    r"""Check that each side carries $P[Y>tb]=P[Y<-tb]=\frac s2e^{-rt}$ for r = s = 1, within 1e-30. Certified.

    Both together are the tail $P[|Y|>tb]=e^{-t}$, an equality; that the sides agree for every t is the independence of
    the sign from an exponential |Y|. r = `rate`, s = `share`; t from 0 to 20. Raises TypeError or ValueError for rates
    or shares <= 0.
    """
    rng, instances = check_trials(rng, instances)
    rate, share = check_fraction("rate", rate, above=0), check_fraction("share", share, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            b, t = _scale(rng), random_fraction(rng, Fraction(0), Fraction(20), 997)
            found = _integral(0, ball(b), ball(t * b)) * density(Fraction(0), b)
            wrong = abs(found - ball(share) / 2 * (-ball(rate * t)).exp())
            tally.add(float((ball(SAME) - wrong).mid()), decided=bool(wrong < ball(SAME)), scale=b, t=t)
    return tally.check()


def density_ratio(
    rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE, gaussian: bool = False
) -> Check:
    r"""Check that $\ln\frac{p(y)}{p(y-a)}=\frac{|y-a|-|y|}b\le c\frac{|a|}b$ for all y, c = `claimed` = 1. Exact.

    The exponents are rational. First tried: b = a = 1, y = 0 and below, where it is an equality. `gaussian`: the same
    for the density of $\mathcal N(0,b^2)$, whose exponent $\frac{a^2-2ay}{2b^2}$ has no bound free of y. Raises
    TypeError or ValueError for a claim <= 0.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        b, a = _scale(rng), random_fraction(rng, Fraction(-20), Fraction(20), 997)
        y = random_fraction(rng, Fraction(-60), Fraction(60), 997)
        if index < 2:
            b, a, y = ONE, ONE, Fraction(-5 * index)
        exponent = (a * a - 2 * a * y) / (2 * b * b) if gaussian else (abs(y - a) - abs(y)) / b
        slack = claimed * abs(a) / b - exponent
        tally.add(float(slack), decided=slack >= 0, scale=b, shift=a, y=y, exponent=exponent)
    return tally.check()
