r"""Checks for the page on relative mollifiers: the set, its exact level, and the projection (v3 (5)-(8))."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mollified._validate import check_fraction, check_trials
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel, Law
from mollified.exact_projection import (
    exact_contains,
    exact_span,
)
from mollified.instances import member_of_box, mollifier_box, random_fraction, random_law, random_root
from mollified.mollifier import exact_violation

__all__ = ["convex", "members_are_mollifier", "reference_belongs", "relative_definition", "span_is_reached"]


ONE = Fraction(1)


def _member(rng: np.random.Generator, base: Law, root: Fraction) -> Law:
    return member_of_box(rng, *mollifier_box(base, root))


def members_are_mollifier(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check v3 (6): two members of $\mathcal M_{\varepsilon,Q_0}$ differ by at most $e^\varepsilon=r^2$. Exact.

    Members are drawn with atoms on the boundary; `claimed` < 1 states too small a level.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for _ in range(instances):
        base, root = random_law(rng, int(rng.integers(2, 7))), random_root(rng)
        one, two = _member(rng, base, root), _member(rng, base, root)
        level = root**2 * claimed
        ratio = max(max(a / b, b / a) for a, b in zip(one, two, strict=True))
        found = exact_violation([one, two], ExactLevel(exp_eps=level)) if level > 1 else (0, 1, 0)
        tally.add(float(1 - ratio / level), decided=found is None, Q0=base, Q=one, Q2=two, exp_eps=level)
    return tally.check()


def convex(rng: np.random.Generator, instances: int, *, overshoot: Fraction = Fraction(0)) -> Check:
    r"""Check that $\mathcal M_{\varepsilon,Q_0}$ is convex: midpoints of members are members. Exact.

    `overshoot` > 0 leaves the segment on the far side, by that share of its length.
    """
    rng, instances = check_trials(rng, instances)
    overshoot = check_fraction("overshoot", overshoot, minimum=0)
    tally = Tally("exact")
    for _ in range(instances):
        base, root = random_law(rng, int(rng.integers(2, 6))), random_root(rng)
        one, two = _member(rng, base, root), _member(rng, base, root)
        share = random_fraction(rng, Fraction(0), ONE) if overshoot == 0 else 1 + overshoot
        mixed = tuple((1 - share) * a + share * b for a, b in zip(one, two, strict=True))
        inside = min(mixed) > 0 and exact_contains(mixed, base, ExactLevel(exp_eps=root**2)) is None
        slack = min(min(root - m / q, m / q - 1 / root) for m, q in zip(mixed, base, strict=True))
        tally.add(float(slack), decided=inside, Q0=base, mixed=mixed, root=root)
    return tally.check()


def span_is_reached(rng: np.random.Generator, instances: int, *, promise: bool = False) -> Check:
    r"""Check the exact level of $\mathcal M_{\varepsilon,Q_0}$: no pair exceeds `exact_span`, and some pair reaches it.

    With `promise`, the claim is instead that the promised $e^\varepsilon$ is always reached; an atom of $Q_0$ heavier
    than $1/(1+e^{\varepsilon/2})$, alone with its complement, refutes it. Exact.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        base, root = random_law(rng, int(rng.integers(2, 5)), spread=4), random_root(rng)
        span, atoms = exact_span(base, root)
        if not atoms:
            continue
        x = atoms[0]
        rest = 1 - base[x]
        top = min(root * base[x], 1 - rest / root)
        bottom = max(base[x] / root, 1 - root * rest)
        pair = [
            tuple(value if y == x else (1 - value) * base[y] / rest for y in range(len(base)))
            for value in (top, bottom)
        ]
        level = ExactLevel(exp_eps=root**2)
        inside = all(exact_contains(member, base, level) is None for member in pair)
        reached = pair[0][x] / pair[1][x]
        other = [_member(rng, base, root) for _ in range(2)]
        below = max(max(a / b, b / a) for a, b in zip(*other, strict=True)) <= span
        wanted = root**2 if promise else span
        tally.add(
            float(reached / wanted - 1),
            decided=inside and below and reached == wanted,
            Q0=base,
            root=root,
            level=span,
        )
    return tally.check()


def relative_definition(rng: np.random.Generator, instances: int, *, plant: bool = False) -> Check:
    r"""Check that (5) tells members from others, exactly; `plant` pushes one atom 1 % beyond a bound."""
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        base, root = random_law(rng, int(rng.integers(2, 7)), spread=6), random_root(rng)
        member = _member(rng, base, root)
        if plant:
            x = min(range(len(base)), key=lambda index: member[index] / base[index])
            low = Fraction(99, 100) * base[x] / root
            rest = 1 - member[x]
            member = tuple(low if y == x else q * (1 - low) / rest for y, q in enumerate(member))
        found = exact_contains(member, base, ExactLevel(exp_eps=root**2))
        slack = min(min(1 - m / (root * q), m * root / q - 1) for m, q in zip(member, base, strict=True))
        tally.add(float(slack), decided=found is None, Q=member, Q0=base, root=root)
    return tally.check()


def reference_belongs(rng: np.random.Generator, instances: int, *, other: bool = False) -> Check:
    r"""Check that $Q_0$ itself belongs to $\mathcal M_{\varepsilon,Q_0}$, on any space and at any level. Exact.

    `other` takes a law drawn at random in its place.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        base, root = random_law(rng, int(rng.integers(2, 7))), random_root(rng)
        law = random_law(rng, len(base)) if other else base
        found = exact_contains(law, base, ExactLevel(exp_eps=root**2))
        slack = min(min(1 - m / (root * q), m * root / q - 1) for m, q in zip(law, base, strict=True))
        tally.add(float(slack), decided=found is None, Q=law, Q0=base, root=root)
    return tally.check()
