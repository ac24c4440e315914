r"""Checks of the theorem that the Laplace mechanism is private, of each step of its proof, and of its exact level."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import numpy as np
from flint import arb, ctx

from mollified._validate import _echo, check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.checks import Check, Tally
from mollified.instances import random_fraction
from mollified.laplace_mechanism import BITS, density, hockey_stick, noise_scale

__all__ = [
    "exact_level",
    "exponent_identity",
    "private_outputs",
    "private_sets",
    "product_density",
    "ratio_of_integrals",
    "scale_defined",
    "triangle_step",
]

SAME = Fraction(1, 10**30)
ONE, ZERO = Fraction(1), Fraction(0)
Vector = tuple[Fraction, ...]


def _vector(rng: np.random.Generator, size: int, reach: int) -> Vector:
    return tuple(random_fraction(rng, Fraction(-reach), Fraction(reach), 97) for _ in range(size))


def _distance(one: Vector, two: Vector) -> Fraction:
    return sum((abs(a - b) for a, b in zip(one, two, strict=True)), ZERO)


def _instance(rng: np.random.Generator) -> tuple[Vector, Vector, Vector, Fraction, Fraction]:
    """Return f(D), f(D'), an output, the sensitivity (their distance or more) and eps."""
    size = int(rng.integers(1, 5))
    one, two, output = (_vector(rng, size, reach) for reach in (4, 4, 12))
    distance = _distance(one, two)
    if distance == 0:
        two = (one[0] + 1, *one[1:])
        distance = ONE
    sensitivity = distance if rng.random() < 0.5 else distance * (1 + random_fraction(rng, ZERO, ONE))
    return one, two, output, sensitivity, random_fraction(rng, Fraction(1, 20), Fraction(10), 199)


def private_outputs(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check $\ln g(o)/g'(o)\le c\,\varepsilon$ for random answers within $\Delta_1$, outputs o and K <= 4. Exact.

    The exponents are rational for a rational $\varepsilon$. c = `claimed` = 1; with answers at distance $\Delta_1$ an
    output beyond both in every entry is an equality (tried first), so that no smaller level serves. Raises TypeError
    or ValueError for a claim <= 0.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        one, two, output, sensitivity, eps = _instance(rng)
        if index == 0:
            one, two, output, sensitivity, eps = (ZERO,), (ONE,), (-ONE,), ONE, ONE
        exponent = (_distance(output, two) - _distance(output, one)) / noise_scale(sensitivity, eps)
        slack = claimed * eps - exponent
        tally.add(float(slack), decided=slack >= 0, f=one, f2=two, output=output, sensitivity=sensitivity, eps=eps)
    return tally.check()


def _below(point: Fraction, centre: Fraction, scale: arb) -> arb:
    """Return P[centre + Lap(scale) <= point] as a ball."""
    half = (-abs(ball(point - centre)) / scale).exp() / 2
    return half if point <= centre else 1 - half


def private_sets(rng: np.random.Generator, instances: int, *, scale: Fraction = ONE) -> Check:
    r"""Check $P[A(D)\in S]<e^\varepsilon P[A(D')\in S]$ for boxes, half-lines S ending between the answers. Certified.

    K <= 3, answers at distance exactly $\Delta_1$, noise of `scale` times $\Delta_1/\varepsilon$. Tried first:
    half-lines that end 1/1000 of the way from f(D) to f(D'). The inequality is strict, since S has outputs with a
    smaller ratio. Raises TypeError or ValueError for a scale <= 0.
    """
    rng, instances = check_trials(rng, instances)
    scale = check_fraction("scale", scale, above=0)
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for index in range(instances):
            one, two, _, _, eps = _instance(rng)
            one, two = one[:3], two[:3]
            if index < 10 or one == two:
                one, two, eps = (ZERO,), (ONE,), Fraction(1 + index % 10, 2)
            b = ball(scale * _distance(one, two) / eps)
            share = Fraction(1, 1000) if index < 10 else random_fraction(rng, Fraction(1, 50), ONE, 97)
            reach = random_fraction(rng, Fraction(1, 4), Fraction(8), 97)
            here, there, edges = arb(1), arb(1), []
            for f, g in zip(one, two, strict=True):
                inner, sign = f + share * (g - f), 1 if g >= f else -1
                outer = f - sign * reach
                if len(one) == 1:
                    masses = [_below(inner, c, b) if sign > 0 else 1 - _below(inner, c, b) for c in (f, g)]
                else:
                    masses = [sign * (_below(inner, c, b) - _below(outer, c, b)) for c in (f, g)]
                here, there = here * masses[0], there * masses[1]
                edges.append((outer, inner))
            slack = ball(eps) + there.log() - here.log()
            tally.add(float(slack.mid()), decided=bool(slack > 0), f=one, f2=two, eps=eps, set=edges)
    return tally.check()


def ratio_of_integrals(rng: np.random.Generator, instances: int, *, extreme: Literal["max", "min"] = "max") -> Check:
    r"""Check $\frac{\int_Sg}{\int_Sg'}\le\max_S\frac g{g'}$ for step functions g, g' > 0 on up to 8 pieces. Exact.

    `extreme` "min": with the smallest ratio on the right. Raises ValueError for another.
    """
    rng, instances = check_trials(rng, instances)
    if extreme not in ("max", "min"):
        raise ValueError(f"extreme must be max or min, got {_echo(extreme)}")
    choose = max if extreme == "max" else min
    tally = Tally("exact")
    for _ in range(instances):
        pieces = int(rng.integers(1, 9))
        g, h, width = ([Fraction(int(v), 12) for v in rng.integers(1, 60, pieces)] for _ in range(3))
        left = sum((a * w for a, w in zip(g, width, strict=True)), ZERO) / sum(
            (a * w for a, w in zip(h, width, strict=True)), ZERO
        )
        slack = choose(a / b for a, b in zip(g, h, strict=True)) - left
        tally.add(float(slack), decided=slack >= 0, g=g, g2=h, width=width)
    return tally.check()


def product_density(rng: np.random.Generator, instances: int, *, power: bool = True) -> Check:
    r"""Check $\prod_kp(o_k-f_k)=(2b)^{-K}e^{-\lVert o-f\rVert_1/b}$, relatively within 1e-30. Certified.

    Not `power`: $(2b)^{-1}$ in the place of $(2b)^{-K}$.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            one, _, output, sensitivity, eps = _instance(rng)
            b = noise_scale(sensitivity, eps)
            product = arb(1)
            for o, f in zip(output, one, strict=True):
                product *= density(o - f, b)
            claimed = (-ball(_distance(output, one) / b)).exp() / (2 * ball(b)) ** (len(one) if power else 1)
            wrong = abs(product / claimed - 1)
            tally.add(
                float((ball(SAME) - wrong).mid()), decided=bool(wrong < ball(SAME)), f=one, output=output, scale=b
            )
    return tally.check()


def exponent_identity(rng: np.random.Generator, instances: int, *, sign: int = 1) -> Check:
    r"""Check $\ln\frac{g(o)}{g'(o)}=\frac\varepsilon\Delta\sum_k(|o_k-f_k(D')|-|o_k-f_k(D)|)$ within 1e-30. Certified.

    The left side is the logarithm of the ratio of the densities, in balls. `sign` -1 turns the right side round. Raises
    ValueError for a sign other than 1 or -1.
    """
    rng, instances = check_trials(rng, instances)
    if sign not in (1, -1):
        raise ValueError(f"sign must be 1 or -1, got {_echo(sign)}")
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            one, two, output, sensitivity, eps = _instance(rng)
            b, ratio = noise_scale(sensitivity, eps), arb(1)
            for o, f, g in zip(output, one, two, strict=True):
                ratio *= density(o - f, b) / density(o - g, b)
            claimed = sign * eps / sensitivity * (_distance(output, two) - _distance(output, one))
            wrong = abs(ratio.log() - ball(claimed))
            tally.add(
                float((ball(SAME) - wrong).mid()),
                decided=bool(wrong < ball(SAME)),
                f=one,
                f2=two,
                output=output,
                eps=eps,
            )
    return tally.check()


def triangle_step(rng: np.random.Generator, instances: int, *, norm: Literal["l1", "l2"] = "l1") -> Check:
    r"""Check $\sum_k(|o_k-f'_k|-|o_k-f_k|)\le\lVert f-f'\rVert_1\le\Delta_1$, both parts. Exact.

    `norm` "l2": with $\lVert f-f'\rVert_2$ in the middle, which fails for K > 1. Raises ValueError for another norm.
    """
    rng, instances = check_trials(rng, instances)
    if norm not in ("l1", "l2"):
        raise ValueError(f"norm must be l1 or l2, got {_echo(norm)}")
    tally = Tally("exact")
    for _ in range(instances):
        one, two, output, sensitivity, _ = _instance(rng)
        left, middle = _distance(output, two) - _distance(output, one), _distance(one, two)
        squared = middle**2 if norm == "l1" else sum(((a - b) ** 2 for a, b in zip(one, two, strict=True)), ZERO)
        slack = squared - max(left, ZERO) ** 2
        holds = slack >= 0 and middle <= sensitivity
        tally.add(float(slack), decided=holds, f=one, f2=two, output=output, sensitivity=sensitivity)
    return tally.check()


def scale_defined(rng: np.random.Generator, instances: int, *, constant: bool = False) -> Check:
    r"""Check that $\Delta/\varepsilon$ is a scale > 0 with finite density for random $0<\Delta<\infty$. Exact.

    `constant`: a query that does not change, $\Delta=0$, for which the density $\frac1{2b}e^{-|y|/b}$ does not exist.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        sensitivity = ZERO if constant else random_fraction(rng, Fraction(1, 100), Fraction(10), 199)
        eps = random_fraction(rng, Fraction(1, 20), Fraction(10), 199)
        scale = sensitivity / eps
        tally.add(float(scale), decided=scale > 0, sensitivity=sensitivity, eps=eps)
    return tally.check()


def exact_level(rng: np.random.Generator, instances: int, *, rate: Fraction = Fraction(1, 2)) -> Check:
    r"""Check the hockey stick of one value: $P[A\in S]-e^{\varepsilon'}P[A'\in S]=1-e^{(\varepsilon'-s)r}$, best S.

    r = `rate` = 1/2, s the shift in scales, S the half-line of outputs with a loss above $\varepsilon'$; within 1e-30;
    and half-lines that end elsewhere gain no more. Certified. Raises TypeError or ValueError for a rate <= 0.
    """
    rng, instances = check_trials(rng, instances)
    rate = check_fraction("rate", rate, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            s = random_fraction(rng, Fraction(1, 10), Fraction(8), 97)
            level = random_fraction(rng, ZERO, s * 9 / 10, 97)
            other = random_fraction(rng, Fraction(-4), s + 4, 97)
            gains = [
                _below(t, ZERO, arb(1)) - ball(level).exp() * _below(t, s, arb(1)) for t in ((s - level) / 2, other)
            ]
            exact = hockey_stick(level, s) if rate == Fraction(1, 2) else 1 - (ball(level - s) * ball(rate)).exp()
            wrong, room = abs(gains[0] - exact), gains[0] - gains[1]
            holds = bool(wrong < ball(SAME)) and not bool(room < 0)
            tally.add(float((ball(SAME) - wrong).mid()), decided=holds, shift=s, eps=level, end=other)
    return tally.check()
