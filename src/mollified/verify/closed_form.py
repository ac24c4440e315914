r"""Checks of the closed form (v3 (8)): when its constant exists, and what to do where it does not."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mollified._validate import check_fraction, check_trials
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel, Law
from mollified.exact_projection import (
    exact_contains,
    exact_projection,
    naive_renormalisation,
    projection_mass,
)
from mollified.instances import random_law, random_root, random_sparse_law
from mollified.verify.projection import best_linear

__all__ = [
    "completion_is_optimal",
    "completion_stays_inside",
    "constant_exists",
    "plug_in_converges",
    "plug_in_stays_inside",
]


ONE = Fraction(1)

#: The smallest target without a constant in (8): a point mass on a quarter of $Q_0$, at $e^{\varepsilon/2}=2$.
POINT_MASS: tuple[Law, Law, Fraction] = (
    (ONE, Fraction(0)),
    (Fraction(1, 4), Fraction(3, 4)),
    Fraction(2),
)


def constant_exists(rng: np.random.Generator, instances: int, *, condition: bool) -> Check:
    r"""Check that a constant C with total mass one exists in v3 (8), for targets with zeros. Exact.

    The mass decreases in C; for C below every $P(x)/(rQ_0(x))$, P(x) > 0, it is $rq+(1-q)/r$ with
    $q=Q_0(\{P>0\})$, so C exists if and only if $q\ge1/(1+r)$. Without `condition` all targets are taken, first
    $P=(1,0)$, $Q_0=(1/4,3/4)$, r = 2 (mass 7/8, whatever C); with it only those that satisfy it.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    cases = [POINT_MASS]
    for _ in range(instances):
        size = int(rng.integers(2, 6))
        cases.append((random_sparse_law(rng, size), random_law(rng, size, spread=6), random_root(rng)))
    for target, base, root in cases:
        support = sum((q for p, q in zip(target, base, strict=True) if p > 0), Fraction(0))
        if condition and support < 1 / (1 + root):
            continue
        smallest = min(p / (root * q) for p, q in zip(target, base, strict=True) if p > 0)
        largest_mass = projection_mass(target, base, root, smallest)
        slack = float(largest_mass - 1)
        if largest_mass >= 1:
            constant, best = exact_projection(target, base, root)
            found = constant > 0 and sum(best) == 1
            tally.add(slack, decided=found, P=target, Q0=base, root=root, mass=largest_mass)
        else:
            tally.add(slack, decided=False, P=target, Q0=base, root=root, mass=largest_mass)
    return tally.check()


def plug_in_stays_inside(
    rng: np.random.Generator, instances: int, *, condition: bool, renormalise: bool = True
) -> Check:
    r"""Check that the plug-in rule (8) on an estimate of P stays in the mollifier, whatever the estimate. Exact.

    The estimate is an empirical law of few draws, with zeros. Where no constant exists an implementation must do
    something; dividing the clipped vector by its total (`renormalise`) leaves the mollifier: $P=(1,0)$,
    $Q_0=(1/4,3/4)$, r = 2 gives 4/7 > 1/2. With `condition` only estimates for which C exists.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    cases = [POINT_MASS]
    for _ in range(instances):
        size, draws = int(rng.integers(2, 7)), int(rng.integers(1, 6))
        counts = np.bincount(rng.integers(size, size=draws), minlength=size)
        cases.append(
            (
                tuple(Fraction(int(c), draws) for c in counts),
                random_law(rng, size, spread=6),
                random_root(rng),
            )
        )
    for target, base, root in cases:
        support = sum((q for p, q in zip(target, base, strict=True) if p > 0), Fraction(0))
        exists = support >= 1 / (1 + root)
        if condition and not exists:
            continue
        if exists:
            released = exact_projection(target, base, root)[1]
        else:
            smallest = min(p / (root * q) for p, q in zip(target, base, strict=True) if p > 0)
            released = naive_renormalisation(target, base, root, smallest) if renormalise else base
        found = exact_contains(released, base, ExactLevel(exp_eps=root**2))
        slack = min(min(1 - m / (root * q), m * root / q - 1) for m, q in zip(released, base, strict=True))
        tally.add(float(slack), decided=found is None, P=target, Q0=base, root=root, released=released)
    return tally.check()


def completion_is_optimal(rng: np.random.Generator, instances: int, *, shift: Fraction = Fraction(0)) -> Check:
    r"""Check the corrected (8): without a constant, $rQ_0$ on $\{P>0\}$, completed, is optimal. Exact.

    The condition for an optimum is that of `optimal`: $\sum_xP(x)Q(x)/\hat P(x)\le1$ for all members Q. `shift` > 0
    takes that share of the mass on the support away from it.
    """
    rng, instances = check_trials(rng, instances)
    shift = check_fraction("shift", shift, minimum=0, maximum=1)
    tally = Tally("exact")
    while tally.instances < instances:
        size, root = int(rng.integers(2, 6)), random_root(rng)
        base, target = random_law(rng, size, spread=8), random_sparse_law(rng, size)
        support = sum((q for p, q in zip(target, base, strict=True) if p > 0), Fraction(0))
        if support * (1 + root) >= 1:
            continue
        best = _completed(target, base, root, keep=1 - shift)
        ratios = tuple(p / q for p, q in zip(target, best, strict=True))
        inside = exact_contains(best, base, ExactLevel(exp_eps=root**2)) is None
        slack = 1 - best_linear(ratios, base, root)
        tally.add(float(slack), decided=slack >= 0 and inside, P=target, Q0=base, root=root, best=best)
    return tally.check()


def _completed(target: Law, base: Law, root: Fraction, *, keep: Fraction = ONE) -> Law:
    """Return root * Q0 (times `keep`) on the support of P, and the rest in proportion to Q0 off it."""
    support = sum((q for p, q in zip(target, base, strict=True) if p > 0), Fraction(0))
    spread = (1 - keep * root * support) / (1 - support)
    return tuple(q * (keep * root if p > 0 else spread) for p, q in zip(target, base, strict=True))


def completion_stays_inside(rng: np.random.Generator, instances: int, *, renormalise: bool = False) -> Check:
    r"""Check the corrected plug-in rule: (8) where C exists, else the completion; always a member. Exact.

    Estimates are empirical laws of one to five draws. `renormalise` divides by the total instead of completing.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for _ in range(instances):
        size, draws = int(rng.integers(2, 7)), int(rng.integers(1, 6))
        counts = np.bincount(rng.integers(size, size=draws), minlength=size)
        target = tuple(Fraction(int(c), draws) for c in counts)
        base, root = random_law(rng, size, spread=6), random_root(rng)
        support = sum((q for p, q in zip(target, base, strict=True) if p > 0), Fraction(0))
        if support * (1 + root) >= 1:
            released = exact_projection(target, base, root)[1]
        elif renormalise:
            smallest = min(p / (root * q) for p, q in zip(target, base, strict=True) if p > 0)
            released = naive_renormalisation(target, base, root, smallest)
        else:
            released = _completed(target, base, root)
        found = exact_contains(released, base, ExactLevel(exp_eps=root**2))
        slack = min(min(1 - m / (root * q), m * root / q - 1) for m, q in zip(released, base, strict=True))
        tally.add(float(slack), decided=found is None, P=target, Q0=base, root=root)
    return tally.check()


def plug_in_converges(rng: np.random.Generator, instances: int, *, wrong_target: bool = False) -> Check:
    r"""Check that (8) with an estimate approximates $\hat P$ as the estimate approximates P. Exact.

    The estimate is P rounded to multiples of 1/n, n = 10^2, 10^5, 10^8 (all atoms positive, r below 10, atoms above
    about 1/500): the distance to $\hat P$ must shrink below 10^-4. `wrong_target` rounds another law.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        size = int(rng.integers(2, 5))
        base, target = random_law(rng, size, spread=6), random_law(rng, size, spread=6)
        source = random_law(rng, size, spread=6) if wrong_target else target
        root = 1 + Fraction(int(rng.integers(1, 900)), 100)
        best = exact_projection(target, base, root)[1]
        gaps = []
        for n in (10**2, 10**5, 10**8):
            counts = [max(1, round(p * n)) for p in source]
            estimate = tuple(Fraction(c, sum(counts)) for c in counts)
            image = exact_projection(estimate, base, root)[1]
            gaps.append(sum((abs(a - b) for a, b in zip(image, best, strict=True)), Fraction(0)) / 2)
        slack = Fraction(1, 10**4) - gaps[-1]
        tally.add(float(slack), decided=slack >= 0, P=target, Q0=base, root=root)
    return tally.check()
