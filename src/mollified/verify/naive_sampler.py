r"""Checks for the page on the naive sampler: its hull against relative mollifiers, and how far its laws are from P."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import numpy as np
from flint import arb, ctx

from mollified._validate import check_count, check_fraction, check_trials
from mollified.ball_mbde import BITS, ball
from mollified.checks import Check, Tally
from mollified.convex_hull import exact_mixture
from mollified.exact_level import ExactLevel, Law
from mollified.exact_projection import exact_contains
from mollified.instances import member_of_box, random_family, random_fraction, random_law, random_sparse_law
from mollified.naive_sampler import (
    closest_in_hull,
    closest_in_relative,
    reference_bounds,
    response_floor,
    response_law,
)

__all__ = [
    "hull_is_floor",
    "hull_projection_optimal",
    "in_some_relative",
    "inclusions",
    "point_mass_is_worst",
    "projection_is_closer",
    "support_rule",
    "worst_case_optimal",
]

ZERO, ONE = Fraction(0), Fraction(1)


def _root(rng: np.random.Generator, size: int) -> Fraction:
    r"""Return $e^{\varepsilon/2}$ between 1 and about 2k, one in three times the threshold k - 1 (if above 1)."""
    if size > 2 and rng.random() < 1 / 3:
        return Fraction(size - 1)
    return 1 + Fraction(int(rng.integers(1, 200 * size)), 100)


def _channel(size: int, ratio: Fraction) -> list[Law]:
    units = [tuple(ONE if x == y else ZERO for x in range(size)) for y in range(size)]
    return [response_law(unit, ratio) for unit in units]


def _uniform_on_support(p: Law) -> bool:
    return len({mass for mass in p if mass > 0}) == 1


def _loss(p: Law, q: Law) -> arb:
    """Return KL(P, Q) in nats as a ball of the working precision."""
    return sum((ball(a) * ball(a / b).log() for a, b in zip(p, q, strict=True) if a > 0), arb(0))


def hull_is_floor(rng: np.random.Generator, instances: int, *, factor: Fraction = ONE) -> Check:
    r"""Check that the hull of k-ary randomised response is the laws with atoms $\ge1/(e^\varepsilon+k-1)$. Exact.

    Membership in the hull is decided by solving for the weights, which are then mixed again. Laws have their smallest
    atom at the floor, 1 % above or 1 % below; a `factor` other than 1 moves the claimed floor.
    """
    rng, instances = check_trials(rng, instances)
    factor = check_fraction("factor", factor, above=0)
    tally = Tally("exact")
    for _ in range(instances):
        size = int(rng.integers(2, 7))
        ratio = _root(rng, size) ** 2
        low = response_floor(size, ratio)
        smallest = low * Fraction(int(rng.choice([99, 100, 101])), 100)
        shape = list(random_law(rng, size))
        shape[int(rng.integers(size))] = ZERO
        total = sum(shape)
        q = tuple(smallest + (1 - size * smallest) * s / total for s in shape)
        weights = tuple((mass - low) / ((ratio - 1) * low) for mass in q)
        inside = min(weights) >= 0
        assert sum(weights) == 1
        assert not inside or exact_mixture(_channel(size, ratio), weights) == q
        agree = inside == (min(q) >= factor * low)
        slack = float(abs(min(q) - factor * low)) * (1 if agree else -1)
        tally.add(slack, decided=agree, Q=q, exp_eps=ratio)
    return tally.check()


def inclusions(rng: np.random.Generator, instances: int, *, shift: int = 0) -> Check:
    r"""Check how the hull of k-ary randomised response lies to the mollifier around the uniform law. Exact.

    With $r=e^{\varepsilon/2}$: equal for r = k - 1; the hull is strictly larger for r > k - 1; neither contains the
    other for r < k - 1. Decided on the corners of the hull and the smallest atom of the mollifier; `shift` moves the
    threshold.
    """
    rng, instances = check_trials(rng, instances)
    shift = check_count("shift", shift, minimum=0)
    tally = Tally("exact")
    for _ in range(instances):
        size = int(rng.integers(2, 9))
        root = _root(rng, size)
        base = (Fraction(1, size),) * size
        corner = _channel(size, root**2)[0]
        hull_inside = exact_contains(corner, base, ExactLevel(exp_eps=root**2)) is None
        smallest = max(1 / (size * root), 1 - (size - 1) * root / size)
        hull_contains = smallest >= response_floor(size, root**2)
        threshold = size - 1 + shift
        agree = (hull_inside, hull_contains) == (root == threshold, root >= threshold)
        tally.add(
            float(abs(root - threshold)) * (1 if agree else -1),
            decided=agree,
            k=size,
            root=root,
            hull_inside=int(hull_inside),
            hull_contains=int(hull_contains),
        )
    return tally.check()


def in_some_relative(
    rng: np.random.Generator, instances: int, *, conditions: Literal["both", "upper"] = "both"
) -> Check:
    r"""Check the criterion for an $\varepsilon$-mollifier to lie in a relative mollifier of its level. Exact.

    It is $\sum_y\max_iQ_i(y)\le e^{\varepsilon/2}$ and $\sum_y\min_iQ_i(y)\ge e^{-\varepsilon/2}$. Where the sums
    allow it, a reference is built and every member is tested; where not, a member leaves the mollifier
    of each of nine candidates. Half of the families are randomised response. "upper" forgets the second sum.
    """
    rng, instances = check_trials(rng, instances)
    if conditions not in ("both", "upper"):
        raise ValueError(f"conditions must be both or upper, got {conditions!r}")
    tally = Tally("exact")
    while tally.instances < instances:
        size = int(rng.integers(2, 6))
        root = _root(rng, size)
        if rng.random() < 0.5:
            family = _channel(size, root**2)
        else:
            family = random_family(rng, int(rng.integers(2, 5)), size, spread=4)
            ratio = max(max(column) / min(column) for column in zip(*family, strict=True))
            while root**2 < ratio:
                root *= 2
        level = ExactLevel(exp_eps=root**2)
        sums = [sum(pick(column) for column in zip(*family, strict=True)) for pick in (max, min)]
        claimed = sums[0] <= root and (conditions == "upper" or sums[1] * root >= 1)
        bounds = reference_bounds(family, root)
        candidates = [member_of_box(rng, *bounds)] if bounds else [*family[:4], *random_family(rng, 4, size)]
        candidates.append(tuple(sum(column) / len(family) for column in zip(*family, strict=True)))
        works = any(
            min(base) > 0 and all(exact_contains(member, base, level) is None for member in family)
            for base in candidates
        )
        slack = float(abs(sums[0] - root)) * (1 if works == claimed else -1)
        tally.add(slack, decided=works == claimed, family=family, root=root)
    return tally.check()


def hull_projection_optimal(rng: np.random.Generator, instances: int, *, naive: bool = False) -> Check:
    r"""Check that $\max\{a,P/C\}$ is the closest law to P in the hull of randomised response. Exact.

    $\operatorname{KL}(P,\cdot)$ is convex, so $\hat P$ is optimal if and only if $\sum_xP(x)Q(x)/\hat P(x)\le1$ at the
    corners Q. `naive` tests the law of $\mathcal A_R(P)$ instead.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        size = int(rng.integers(2, 8))
        p, ratio = random_sparse_law(rng, size), _root(rng, size) ** 2
        best = response_law(p, ratio) if naive else closest_in_hull(p, ratio)[1]
        quotients = [a / b for a, b in zip(p, best, strict=True)]
        values = [sum(w * q for w, q in zip(quotients, row, strict=True)) for row in _channel(size, ratio)]
        inside = sum(best) == 1 and min(best) >= response_floor(size, ratio)
        slack = 1 - max(values)
        tally.add(float(slack), decided=slack >= 0 and inside, P=p, exp_eps=ratio, best=best)
    return tally.check()


def projection_is_closer(
    rng: np.random.Generator, instances: int, *, mollifier: Literal["own", "relative"], strict: bool = False
) -> Check:
    r"""Check $\operatorname{KL}(P,\hat P)\le\operatorname{KL}(P,\mathcal A_R(P))$ for randomised response. Certified.

    "own": $\hat P$ in the hull of R; there the two agree if P is uniform on its support, and differ strictly otherwise,
    which is checked too; `strict` claims "<" always. "relative": $\hat P$ in the mollifier around the uniform law,
    refuted first by P = (1, 0, 0) at $e^{\varepsilon/2}=3/2$.
    """
    rng, instances = check_trials(rng, instances)
    if mollifier not in ("own", "relative"):
        raise ValueError(f"mollifier must be own or relative, got {mollifier!r}")
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for index in range(instances):
            size = int(rng.integers(2, 8))
            p, root = random_sparse_law(rng, size), _root(rng, size)
            if index == 0:
                p, root = (ONE, ZERO, ZERO), Fraction(3, 2)
            elif rng.random() < 0.2:
                kept = [mass > 0 for mass in p]
                p = tuple(Fraction(int(keep), sum(kept)) for keep in kept)
            naive = response_law(p, root**2)
            uniform = (Fraction(1, len(p)),) * len(p)
            best = closest_in_hull(p, root**2)[1] if mollifier == "own" else closest_in_relative(p, uniform, root)
            same = all(a == b for mass, a, b in zip(p, naive, best, strict=True) if mass > 0)
            gap = arb(0) if same else _loss(p, naive) - _loss(p, best)
            fine = (same and not strict) or bool(gap > 0)
            if mollifier == "own":
                fine = fine and same == _uniform_on_support(p)
            tally.add(float(gap.mid()), decided=fine, P=p, root=root, naive=naive, projection=best)
    return tally.check()


def worst_case_optimal(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check $\min_yQ_y(y)\le e^\varepsilon/(e^\varepsilon+k-1)$ for any private sampler. Exact.

    $Q_y$ is the law that it gives to the point mass at y. $e^\varepsilon$ is the exact ratio of the family; every other
    family is randomised response, which attains it. `claimed` < 1 states that share of the bound.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    while tally.instances < instances:
        size = int(rng.integers(2, 7))
        if tally.instances % 2:
            family = _channel(size, _root(rng, size) ** 2)
        else:
            shares = random_law(rng, size, spread=3)
            family = [
                tuple((random_fraction(rng, ONE, Fraction(3)) * 2 if x == y else 1) * s for x, s in enumerate(shares))
                for y in range(size)
            ]
            family = [tuple(mass / sum(row) for mass in row) for row in family]
        ratio = max(max(column) / min(column) for column in zip(*family, strict=True))
        slack = claimed * ratio / (ratio + size - 1) - min(family[y][y] for y in range(size))
        tally.add(float(slack), decided=slack >= 0, family=family, exp_eps=ratio)
    return tally.check()


def point_mass_is_worst(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check $\operatorname{KL}(P,\mathcal A_R(P))\le\log(1+(k-1)e^{-\varepsilon})$. Certified.

    Equality holds at point masses, which is decided exactly. `claimed` < 1 states that share of the bound.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for index in range(instances):
            size = int(rng.integers(2, 8))
            p, ratio = random_sparse_law(rng, size), _root(rng, size) ** 2
            if index % 4 == 0:
                p = (ONE, *(ZERO,) * (size - 1))
            naive = response_law(p, ratio)
            bound = ball(1 + (size - 1) / ratio).log()
            gap = ball(claimed) * bound - _loss(p, naive)
            exact = claimed >= 1 and 1 in p and naive[p.index(ONE)] * (1 + (size - 1) / ratio) == 1
            tally.add(0.0 if exact else float(gap.mid()), decided=exact or bool(gap > 0), P=p, exp_eps=ratio)
    return tally.check()


def support_rule(rng: np.random.Generator, instances: int, *, completed: bool = True) -> Check:
    r"""Check when $\mathcal A_R$ is closer than the mollification around the uniform law, P uniform on j points. Exact.

    Of k points, if and only if
    $\frac{k-j}{e^\varepsilon+k-1}<\max\{\frac{k-j}{kr},1-\frac{rj}k\}$, $r=e^{\varepsilon/2}$: less mass is put
    where P has none. `completed` off forgets the second term.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        size = int(rng.integers(2, 60))
        j, root = int(rng.integers(1, size)), _root(rng, size)
        if rng.random() < 0.5:
            root = 1 + Fraction(int(rng.integers(1, 300)), 100)
        p = (Fraction(1, j),) * j + (ZERO,) * (size - j)
        naive = response_law(p, root**2)
        best = closest_in_relative(p, (Fraction(1, size),) * size, root)
        lost = [Fraction(size - j) / (root**2 + size - 1), Fraction(size - j) / (size * root)]
        if completed:
            lost[1] = max(lost[1], 1 - root * j / size)
        agree = (naive[0] > best[0]) == (lost[0] < lost[1]) and len({*best[:j]}) == 1
        agree = agree and (sum(naive[j:]), sum(best[j:])) == (lost[0], lost[1])
        tally.add(float(abs(lost[0] - lost[1])) * (1 if agree else -1), decided=agree, k=size, j=j, root=root)
    return tally.check()
