r"""Checks for the page on ranges: which densities a mollifier can hold."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd

from mollified._validate import check_eps, check_fraction, check_trials
from mollified.absolute_mollifier import EXAMPLE_LINE, EXAMPLE_PAIR
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel, Law
from mollified.instances import member_of_box, random_law, random_root
from mollified.mollifier import exact_violation

__all__ = [
    "closed_range",
    "common_support",
    "curves_are_mollifier",
    "necessary_refuted",
    "singleton_limit",
    "sufficient",
    "takes_value_one",
]


ONE = Fraction(1)


def _polynomial(coefficients: tuple[Fraction, ...], x: Fraction) -> Fraction:
    return sum((c * x**k for k, c in enumerate(coefficients)), Fraction(0))


def _integral(coefficients: tuple[Fraction, ...]) -> Fraction:
    return sum((c / (k + 1) for k, c in enumerate(coefficients)), Fraction(0))


def necessary_refuted(*, sound: bool, singleton: bool = False) -> Check:
    r"""Check the printed necessary range on a mollifier of continuous densities on [0, 1], exactly.

    The pair $Q_1=1/2+x$, $Q_2=Q_1(1+(x-7/12)/10)$ integrates to one and has ratio $1+(x-7/12)/10$, monotone, hence
    within $[113/120,25/24]$: a mollifier at level 1/5 (25/24 < e^{1/5} and 113/120 > e^{-1/5}, decided). The claim
    tested is $\max<e^{\varepsilon}$ and $\min>e^{-\varepsilon}$. With `singleton` the set {2x}. With `sound` a pair
    close to the uniform density, for which the claim is true.
    """
    level = ExactLevel(eps=Fraction(1, 5))
    tilt = (Fraction(19, 20), Fraction(1, 10))
    pair: tuple[tuple[Fraction, ...], ...] = EXAMPLE_PAIR
    if singleton:
        pair = (EXAMPLE_LINE,)
    if sound:
        pair = (tilt,) if singleton else (tilt, (ONE,))
    tally = Tally("exact")
    ratio = (
        [_polynomial(pair[-1], end) / _polynomial(pair[0], end) for end in (Fraction(0), ONE)]
        if len(pair) > 1
        else [ONE]
    )
    premise = all(_integral(q) == 1 for q in pair) and all(
        level.compare(value) < 0 and level.compare(value, -ONE) > 0 for value in ratio
    )
    if not premise:
        raise ArithmeticError(f"premise fails for {pair!r}: not densities of a mollifier at level 1/5")
    for q in pair:
        values = [_polynomial(q, end) for end in (Fraction(0), ONE)]  # increasing on [0, 1]: extremes at the ends
        inside = level.compare(max(values)) < 0 and level.compare(min(values), -ONE) > 0
        slack = min(np.exp(float(level)) - float(max(values)), float(min(values)) - np.exp(-float(level)))
        tally.add(slack, decided=inside, density=q, max=max(values), min=min(values), mollifier=pair, eps="1/5")
    return tally.check()


def closed_range(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check the corrected range: values in $[e^{-\varepsilon},e^\varepsilon]$ if the uniform law is a member.

    Exact. A rational $E=e^\varepsilon$ is drawn and histograms Q, on equal cells, until {uniform, Q} is a mollifier
    at that level by the definition; then the range of Q is compared with [1/E, E], and so is a Q that touches both
    ends. `claimed` < 1 states too narrow a range.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    while tally.instances < instances:
        level, size = 1 + Fraction(int(rng.integers(1, 800)), 100), int(rng.integers(2, 7))
        law = random_law(rng, size, spread=4)
        uniform = (Fraction(1, size),) * size
        if tally.instances % 4 == 0:  # E on one cell, 1/E on the rest, cells of masses that add up to one
            parts = level.numerator + level.denominator
            heights = [level] * level.denominator + [1 / level] * level.numerator
            law, uniform = tuple(h / parts for h in heights), (Fraction(1, parts),) * parts
        if exact_violation([uniform, law], ExactLevel(exp_eps=level)) is not None:
            continue
        heights = [q * len(law) for q in law]
        slack = min(1 - max(heights) / (level * claimed), min(heights) * level * claimed - 1)
        tally.add(float(slack), decided=slack >= 0, heights=heights[:8], exp_eps=level * claimed)
    return tally.check()


def sufficient(rng: np.random.Generator, instances: int, *, widen: Fraction = ONE) -> Check:
    r"""Check that histograms with range in $[e^{-\varepsilon/2},e^{\varepsilon/2}]$ form an $\varepsilon$-mollifier.

    Exact. `widen` > 1 lets the members reach `widen` times beyond the range on both sides.
    """
    rng, instances = check_trials(rng, instances)
    widen = check_fraction("widen", widen, above=0)
    tally = Tally("exact")
    for _ in range(instances):
        size, root = int(rng.integers(2, 6)), random_root(rng)
        reach = root * widen
        low = tuple(Fraction(1, size) / reach for _ in range(size))
        high = tuple(min(Fraction(1), reach / size) for _ in range(size))
        one, two = member_of_box(rng, low, high), member_of_box(rng, low, high)
        ratio = max(a / b for a, b in zip(one, two, strict=True))
        slack = 1 - ratio / root**2
        tally.add(float(slack), decided=slack >= 0, Q=one, Q2=two, exp_eps=root**2)
    return tally.check()


def singleton_limit(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check $\mathrm{TV}(Q,Q')\le(e^\varepsilon-1)/(e^\varepsilon+1)=\tanh(\varepsilon/2)$ within a mollifier. Exact.

    Equality on two points, $(1,E)/(1+E)$ against its mirror image, is among the instances; the bound tends to 0 with
    $\varepsilon$, which is the convergence to a singleton. `claimed` < 1 shrinks the bound.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for index in range(instances):
        if index % 4 == 0:
            ratio = random_root(rng)
            one: Law = (1 / (1 + ratio), ratio / (1 + ratio))
            two: Law = (one[1], one[0])
        else:
            size = int(rng.integers(2, 7))
            one, two = random_law(rng, size), random_law(rng, size)
        ratio = max(max(a / b, b / a) for a, b in zip(one, two, strict=True))
        distance = sum((abs(a - b) for a, b in zip(one, two, strict=True)), Fraction(0)) / 2
        slack = claimed * (ratio - 1) / (ratio + 1) - distance
        tally.add(float(slack), decided=slack >= 0, Q=one, Q2=two, exp_eps=ratio)
    return tally.check()


def takes_value_one(rng: np.random.Generator, instances: int, *, steps: bool = False) -> Check:
    r"""Check that a continuous density on [0, 1] takes the value one: piecewise linear ones, normalised exactly.

    Between a node below one and a node above one a continuous function crosses one. With `steps` the densities are
    step functions, which may jump over it.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        raw = [Fraction(int(v)) for v in rng.integers(1, 40, int(rng.integers(2, 8)))]
        pieces = raw if steps else [(a + b) / 2 for a, b in pairwise(raw)]
        mean = sum(pieces, Fraction(0)) / len(pieces)
        heights = [h / mean for h in raw]
        slack = float(min(max(heights) - 1, 1 - min(heights)))
        taken = 1 in heights if steps else min(heights) <= 1 <= max(heights)
        tally.add(slack, decided=taken, nodes=heights)
    return tally.check()


def common_support(rng: np.random.Generator, instances: int, *, plant: bool = False) -> Check:
    r"""Check that the members of a mollifier have the same null sets: a zero of one alone breaks every level. Exact."""
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        family = [list(random_law(rng, 4)) for _ in range(3)]
        for member in family:
            member[3] += member[0]
            member[0] = Fraction(0)
        if plant:
            family[0][0], family[0][3] = family[0][3] / 2, family[0][3] / 2
        positive = [q for member in family for q in member if q > 0]
        level = ExactLevel(exp_eps=max(positive) / min(positive) + 1)
        found = exact_violation([tuple(member) for member in family], level)
        tally.add(1.0 if found is None else -1.0, decided=found is None, family=family)
    return tally.check()


def curves_are_mollifier(table: pd.DataFrame, *, claimed: float | None = None) -> Check:
    r"""Check that the curves of the mollifier figure form a mollifier at their own eps, on the plotted points.

    Floats: tolerance 1e-12 for the rounding of two logs. `claimed` tests all curves against one level.
    Raises TypeError or ValueError for a table without the columns eps, member, x and density > 0.
    """
    columns = ["eps", "member", "x", "density"]
    if not isinstance(table, pd.DataFrame) or table.empty or not set(columns) <= set(table.columns):
        raise TypeError(f"table must be a non-empty DataFrame with columns {', '.join(columns)}, got {table!r}")
    if not (table["density"] > 0).all() or not np.isfinite(table["density"]).all():
        raise ValueError(f"table must hold finite densities > 0, got {table['density']!r}")
    if claimed is not None:
        claimed = check_eps("claimed", claimed)
    tally = Tally("float", tolerance=1e-12)
    for eps, part in table.groupby("eps"):
        stack = np.log(part.pivot(index="x", columns="member", values="density").to_numpy())
        level = float(eps) if claimed is None else claimed  # type: ignore[arg-type]
        tally.add(level - float((stack.max(axis=1) - stack.min(axis=1)).max()), eps=eps)
    return tally.check()
