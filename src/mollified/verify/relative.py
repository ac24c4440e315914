r"""Checks for the page on relative mollifiers: the set, its exact level, and the projection (v3 (5)-(8))."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import arb, fmpq

from mollified._validate import check_fraction, check_fractions, check_trials
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel, exact_probabilities
from mollified.exact_projection import (
    exact_contains,
    exact_projection,
    exact_span,
    naive_renormalisation,
    projection_mass,
)
from mollified.instances import member_of_box, random_fraction, random_law, random_root
from mollified.mollifier import exact_violation

__all__ = [
    "best_linear",
    "completion_is_optimal",
    "completion_stays_inside",
    "constant_exists",
    "convex",
    "divergence_defined",
    "members_are_mollifier",
    "minimum_attained",
    "mode_can_move",
    "optimal",
    "plug_in_converges",
    "plug_in_stays_inside",
    "reference_belongs",
    "relative_definition",
    "span_is_reached",
    "unique_on_support",
]

Law = tuple[Fraction, ...]
ONE = Fraction(1)

#: The smallest target without a constant in (8): a point mass on a quarter of $Q_0$, at $e^{\varepsilon/2}=2$.
POINT_MASS: tuple[Law, Law, Fraction] = (
    (ONE, Fraction(0)),
    (Fraction(1, 4), Fraction(3, 4)),
    Fraction(2),
)


def _box(base: Law, root: Fraction) -> tuple[Law, Law]:
    return tuple(q / root for q in base), tuple(min(root * q, ONE) for q in base)


def _member(rng: np.random.Generator, base: Law, root: Fraction) -> Law:
    return member_of_box(rng, *_box(base, root))


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


def best_linear(weights: Law, base: Law, root: Fraction) -> Fraction:
    r"""Return $\max_{Q\in\mathcal M}\sum_xw_xQ(x)$ exactly: fill the atoms of largest weight first."""
    base, root = exact_probabilities("base", base), check_fraction("root", root, above=1)
    weights = check_fractions("weights", weights, size=len(base))
    low, high = _box(base, root)
    left, value = 1 - sum(low), Fraction(0)
    for x in sorted(range(len(base)), key=lambda index: -weights[index]):
        extra = min(high[x] - low[x], left)
        value += weights[x] * (low[x] + extra)
        left -= extra
    return value


def _sparse_target(rng: np.random.Generator, size: int) -> Law:
    law = list(random_law(rng, size))
    for x in range(size):
        if rng.random() < 0.3 and sum(value > 0 for value in law) > 1:
            law[x] = Fraction(0)
    total = sum(law)
    return tuple(value / total for value in law)


def optimal(rng: np.random.Generator, instances: int, *, shift: Fraction = Fraction(0)) -> Check:
    r"""Check that v3 (8) solves (7), wherever its constant exists, by the exact condition for an optimum.

    $\operatorname{KL}(P,\cdot)$ is convex on the convex set $\mathcal M$, so $\hat P$ is a minimiser if and only if
    $\sum_x P(x)Q(x)/\hat P(x)\le1$ for every member Q; the left side is linear in Q and its maximum is exact. P may
    have zeros. `shift` > 0 moves that share of the mass of one atom of $\hat P$ to another, inside $\mathcal M$.
    """
    rng, instances = check_trials(rng, instances)
    shift = check_fraction("shift", shift, minimum=0, maximum=1)
    tally = Tally("exact")
    for _ in range(instances):
        size, root = int(rng.integers(2, 7)), random_root(rng)
        base, target = random_law(rng, size), _sparse_target(rng, size)
        if sum(q for p, q in zip(target, base, strict=True) if p > 0) * (1 + root) < 1:
            continue
        _, best = exact_projection(target, base, root)
        if shift:
            moved = _shifted(best, base, target, root, shift)
            if moved is None:
                continue
            best = moved
        ratios = tuple(p / q for p, q in zip(target, best, strict=True))
        inside = exact_contains(best, base, ExactLevel(exp_eps=root**2)) is None
        slack = 1 - best_linear(ratios, base, root)
        tally.add(float(slack), decided=slack >= 0 and inside, P=target, Q0=base, root=root, best=best)
    return tally.check()


def _shifted(best: Law, base: Law, target: Law, root: Fraction, share: Fraction) -> Law | None:
    """Move mass between two atoms that both have room, at least one of them in the support of P."""
    low, high = _box(base, root)
    for x in range(len(best)):
        for y in range(len(best)):
            amount = share * best[x]
            if x != y and target[x] > 0 and best[x] - amount >= low[x] and best[y] + amount <= high[y]:
                moved = list(best)
                moved[x] -= amount
                moved[y] += amount
                return tuple(moved)
    return None


def unique_on_support(rng: np.random.Generator, instances: int, *, off_support: bool = False) -> Check:
    r"""Check that the minimiser is unique on $\{P>0\}$ by exhibiting none other; off the support it need not be.

    Each instance has P zero on two atoms and $Q_0$ of the support below $1/(1+r)$, where a completion is free. Two
    different completions have the same values where P > 0, hence the same divergence; `off_support` claims that
    they agree everywhere. Exact.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        root = 1 + Fraction(int(rng.integers(5, 150)), 100)
        inner = Fraction(int(rng.integers(1, 90)), 100) / (1 + root)
        share = Fraction(int(rng.integers(20, 81)), 100)
        base = (inner, (1 - inner) * share, (1 - inner) * (1 - share))
        low, high = _box(base, root)
        first = root * inner
        members = []
        for tilt in (Fraction(0), ONE):
            bottom, top = max(low[1], 1 - first - high[2]), min(high[1], 1 - first - low[2])
            value = bottom + tilt * (top - bottom)
            members.append((first, value, 1 - first - value))
        level = ExactLevel(exp_eps=root**2)
        both = all(exact_contains(member, base, level) is None for member in members)
        both = both and all(best_linear((1 / m[0], Fraction(0), Fraction(0)), base, root) <= 1 for m in members)
        agree = members[0] == members[1] if off_support else members[0][0] == members[1][0]
        gap = max(abs(a - b) for a, b in zip(*members, strict=True)) if off_support else Fraction(0)
        tally.add(
            float(-gap),
            decided=both and agree,
            P=(1, 0, 0),
            Q0=base,
            root=root,
            one=members[0],
            two=members[1],
        )
    return tally.check()


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
        cases.append((_sparse_target(rng, size), random_law(rng, size, spread=6), random_root(rng)))
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


def mode_can_move(rng: np.random.Generator, instances: int, *, uniform: bool) -> Check:
    r"""Check that the mollification keeps the mode of P: true for uniform $Q_0$ (up to ties), not in general. Exact.

    The first instance is P = (2, 3)/5, Q0 = (4, 1)/5 at r = 5/4: the mode moves from the second point to the
    first, (3, 1)/4. For uniform $Q_0$ the map is increasing in P, so the largest atom stays a largest atom.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    cases: list[tuple[Law, Law, Fraction]] = []
    if not uniform:
        fifth = Fraction(1, 5)
        cases.append(((2 * fifth, 3 * fifth), (4 * fifth, fifth), Fraction(5, 4)))
    for _ in range(instances):
        size = int(rng.integers(2, 7))
        base = (Fraction(1, size),) * size if uniform else random_law(rng, size, spread=4)
        cases.append((random_law(rng, size, spread=4), base, random_root(rng)))
    for target, base, root in cases:
        _, best = exact_projection(target, base, root)
        mode = max(range(len(target)), key=lambda x: target[x])
        slack = best[mode] - max(best)
        tally.add(float(slack), decided=slack >= 0, P=target, Q0=base, root=root, best=best)
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


def minimum_attained(*, closed: bool) -> Check:
    r"""Check that (7) has a minimiser in the mollifier of laws $(t,1-t)$, $1/3\le t$, with an open or closed upper end.

    Exact. The set $\{1/3\le t<1/2\}$ is a mollifier ($e^\varepsilon=3/2$) and $P=(1,0)$ wants t as large as possible:
    to every t there is the better member $(t+1/2)/2$. With `closed` the end t = 1/2 belongs to it and is the
    minimiser.
    """
    tally = Tally("exact")
    end = Fraction(1, 2)
    candidates = [end] if closed else [end - Fraction(1, 10**k) for k in range(1, 13)]
    for t in candidates:
        better = min((t + end) / 2, end)
        beaten = better > t
        tally.add(float(t - better), decided=not beaten, P=(1, 0), t=t, better=better)
    return tally.check()


def completion_is_optimal(rng: np.random.Generator, instances: int, *, shift: Fraction = Fraction(0)) -> Check:
    r"""Check the corrected (8): without a constant, $rQ_0$ on $\{P>0\}$ with any completion is optimal. Exact.

    The condition for an optimum is that of `optimal`: $\sum_xP(x)Q(x)/\hat P(x)\le1$ for all members Q. `shift` > 0
    takes that share of the mass on the support away from it.
    """
    rng, instances = check_trials(rng, instances)
    shift = check_fraction("shift", shift, minimum=0, maximum=1)
    tally = Tally("exact")
    while tally.instances < instances:
        size, root = int(rng.integers(2, 6)), random_root(rng)
        base, target = random_law(rng, size, spread=8), _sparse_target(rng, size)
        support = sum((q for p, q in zip(target, base, strict=True) if p > 0), Fraction(0))
        if support * (1 + root) >= 1:
            continue
        best = completed(target, base, root, keep=1 - shift)
        ratios = tuple(p / q for p, q in zip(target, best, strict=True))
        inside = exact_contains(best, base, ExactLevel(exp_eps=root**2)) is None
        slack = 1 - best_linear(ratios, base, root)
        tally.add(float(slack), decided=slack >= 0 and inside, P=target, Q0=base, root=root, best=best)
    return tally.check()


def completed(target: Law, base: Law, root: Fraction, *, keep: Fraction = ONE) -> Law:
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
            released = completed(target, base, root)
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


def divergence_defined(rng: np.random.Generator, instances: int, *, heavy: bool = False) -> Check:
    r"""Check that $\operatorname{KL}(P,Q)\ge0$ on pairs of densities, and is 0 for P = Q. Certified (ball arithmetic).

    `heavy` multiplies Q by 1.5, so that it is no density: the divergence is then negative for P = Q.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    for index in range(instances):
        p = random_law(rng, int(rng.integers(2, 6)))
        q = p if index % 3 == 0 else random_law(rng, len(p))
        factor = Fraction(3, 2) if heavy else ONE
        if p == q and not heavy:
            tally.add(0.0, decided=all(a == b for a, b in zip(p, q, strict=True)), P=p, Q=q)
            continue
        total = arb(0)
        for a, b in zip(p, q, strict=True):
            ratio = a / (factor * b)
            total += fmpq(a.numerator, a.denominator) * arb(fmpq(ratio.numerator, ratio.denominator)).log()
        tally.add(float(total.mid()), decided=bool(total > 0), P=p, Q=q)
    return tally.check()
