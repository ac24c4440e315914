r"""Prove which way the bounds on the privacy loss of a typical output move with the two counts that change.

In units of m/N, with $w=\gamma N$: the upper bound (8) is
$-(c_1+w)\log\frac{c_1-1}{c_1}-(c_2-w)\log\frac{c_2+1}{c_2}$, the lower one has -w in place of w. All real
$c_1\ge2$, $c_2\ge1$ and w >= 0 are covered.
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction

from flint import arb

from mollified._validate import check_fraction
from mollified.ball_mbde import ball
from mollified.checks import Check
from mollified.interval_proof import combine, prove_positive, prove_root

__all__ = ["bound_decreases", "lower_increases"]

ONE = Fraction(1)


def bound_decreases(*, lower: bool = False) -> Check:
    r"""Prove that the right side of (8) falls in $c_1\ge2$ and in $c_2\ge1$, for every $w\ge0$. Certified, universal.

    With t = 1/c, minus the derivatives are $h_1=\frac t{1-t}+\log(1-t)+\frac{wt^2}{1-t}$, t in (0, 1/2], and
    $h_2=\log(1+t)-\frac t{1+t}+\frac{wt^2}{1+t}$, t in (0, 1]. Both vanish at t = 0, with
    $h_1'=\frac{t(1+w(2-t))}{(1-t)^2}$ and $h_2'=\frac{t(1+w(2+t))}{(1+t)^2}$; w = v/(1-v) covers all w. With `lower`
    the lower bound on the loss is tried, w replaced by -w: it does not fall.
    """
    sign = -1 if lower else 1
    quarter, half = Fraction(1, 4), Fraction(1, 2)

    def first(t: arb, v: arb) -> arb:
        return (1 - v) * (t / (1 - t) + (1 - t).log()) + sign * v * t * t / (1 - t)

    def second(t: arb, v: arb) -> arb:
        return (1 - v) * ((1 + t).log() - t / (1 + t)) + sign * v * t * t / (1 + t)

    parts = []
    for value, turn, end in ((first, -1, half), (second, 1, ONE)):
        parts.append(prove_positive(value, [(quarter, end), (Fraction(0), ONE)]))
        if parts[-1].violations:
            break
        box = [(Fraction(0), quarter), (Fraction(0), ONE)]
        parts.append(prove_root(lambda t, v, turn=turn: (1 - v) + sign * v * (2 + turn * t), box, root="low"))
    return _named(combine(*parts))


def lower_increases(*, from_w: Fraction = Fraction(5, 8)) -> Check:
    r"""Prove that the lower bound grows in $c_1\ge2$ and in $c_2\ge1$ for $w\ge$ `from_w`. Certified, universal.

    Its derivatives are $w\frac{t^2}{1-t}-\frac t{1-t}-\log(1-t)$ and
    $w\frac{t^2}{1+t}-\log(1+t)+\frac t{1+t}$, t = 1/c. The first is negative at t = 1/2 where
    $w<2-2\log2=0.6137$. Raises TypeError or ValueError for a from_w < 0.
    """
    from_w = check_fraction("from_w", from_w, minimum=0)
    third, half = Fraction(3, 8), Fraction(1, 2)

    def first(t: arb, v: arb) -> arb:
        w = ball(from_w) * (1 - v) + v
        return w * t * t / (1 - t) - (1 - v) * (t / (1 - t) + (1 - t).log())

    parts = [prove_positive(first, [(third, half), (Fraction(0), ONE)])]
    for turn, end in ((-1, third), (1, ONE)):
        if parts[-1].violations:
            break

        def slope(t: arb, v: arb, turn: int = turn) -> arb:
            return (ball(from_w) * (1 - v) + v) * (2 + turn * t) - (1 - v)

        parts.append(prove_root(slope, [(Fraction(0), end), (Fraction(0), ONE)], root="low"))
    return _named(combine(*parts), start=from_w)


def _named(check: Check, start: Fraction = Fraction(0)) -> Check:
    """Return the check with the point of a counterexample in c = 1/t and w."""
    if not check.counterexample:
        return check
    t, v = (Fraction(check.counterexample[name]) for name in ("x0", "x1"))
    return dataclasses.replace(check, counterexample={"c": str(1 / t), "w": str(start + v / (1 - v))})
