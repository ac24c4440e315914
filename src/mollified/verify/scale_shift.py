r"""Checks of the absolute mollifier: when it has members, its limit, and scale-and-shift."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mollified._validate import check_fraction, check_trials
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel, Law
from mollified.instances import member_of_box, random_law, random_root

__all__ = [
    "absolute_definition",
    "empty_on_line",
    "scale_shift_keeps_modes",
    "scale_shift_needs_measure_one",
    "shift_needs_finite_measure",
    "standard_mechanism",
    "uniform_limit",
]


ONE = Fraction(1)

HALF = Fraction(1, 2)


def uniform_limit(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that members of $\mathcal M_\varepsilon$ on a space of measure one are within $(r-1)/(r+1)$ of uniform.

    In total variation, with $r=e^{\varepsilon/2}$ (again the two-valued extreme), hence convergence to the uniform
    law as $\varepsilon\to0$. Histograms; exact. `claimed` < 1 shrinks the bound.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for index in range(instances):
        root = random_root(rng)
        if index % 4 == 0:  # height r on mass 1/(1+r), 1/r on the rest: cells of those widths
            heights: Law = (root, 1 / root)
            widths: Law = (1 / (1 + root), root / (1 + root))
        else:
            size = int(rng.integers(2, 6))
            low = tuple(Fraction(1, size) / root for _ in range(size))
            high = tuple(min(Fraction(1), root / size) for _ in range(size))
            law = member_of_box(rng, low, high)
            heights, widths = tuple(q * size for q in law), tuple(Fraction(1, size) for _ in law)
        distance = sum((w * abs(h - 1) for h, w in zip(heights, widths, strict=True)), Fraction(0)) / 2
        slack = claimed * (root - 1) / (root + 1) - distance
        tally.add(float(slack), decided=slack >= 0, heights=heights, widths=widths, root=root)
    return tally.check()


def empty_on_line(*, measure: Fraction, root: Fraction) -> Check:
    r"""Check that $\mathcal M_\varepsilon$, read by absolute range, has a member on a space of base measure $\mu$.

    Exact. A density with values in $[1/r,r]$ integrates to something in $[\mu/r,\mu r]$, so it can be a density only
    where that interval holds 1; on $\mathbb R^d$ ($\mu$ as large as one likes) it never does.
    """
    measure = check_fraction("measure", measure, above=0)
    root = check_fraction("root", root, above=1)
    tally = Tally("exact")
    smallest, largest = measure / root, measure * root
    slack = min(1 - smallest, largest - 1)
    tally.add(float(slack), decided=slack >= 0, measure=measure, smallest_mass=smallest, largest_mass=largest)
    return tally.check()


def _modes(heights: tuple[Fraction, ...]) -> tuple[int, ...]:
    top = max(heights)
    return tuple(x for x, height in enumerate(heights) if height == top)


def scale_shift_keeps_modes(rng: np.random.Generator, instances: int, *, stretch: Fraction = ONE) -> Check:
    r"""Check that $aQ+(1-a)$, with the largest admissible a, fits the range, keeps the modes, scales differences by a.

    Histograms on equal cells (base measure one), a from the two limits, exact. `stretch` > 1 uses a larger a.
    """
    rng, instances = check_trials(rng, instances)
    stretch = check_fraction("stretch", stretch, above=0)
    tally = Tally("exact")
    for _ in range(instances):
        law, root = random_law(rng, int(rng.integers(2, 7))), random_root(rng)
        heights = tuple(q * len(law) for q in law)
        limits = [ONE]
        if max(heights) > 1:
            limits += [(root - 1) / (max(heights) - 1), (1 - 1 / root) / (1 - min(heights))]
        a = min(limits) * stretch
        image = tuple(a * h + 1 - a for h in heights)
        fits = max(image) <= root and min(image) >= 1 / root
        keeps = _modes(image) == _modes(heights) and all(
            image[x + 1] - image[x] == a * (heights[x + 1] - heights[x]) for x in range(len(law) - 1)
        )
        slack = min(root - max(image), min(image) - 1 / root)
        tally.add(float(slack), decided=fits and keeps and a > 0, heights=heights, a=a, root=root)
    return tally.check()


def scale_shift_needs_measure_one(*, measure: Fraction) -> Check:
    r"""Check whether some $a\in(0,1]$, b >= 0 puts $aQ+b$ in $\mathcal M_\varepsilon$ on a space of measure $\mu$.

    Exact, at $r=3/2$. Only the masses $\mu/r$ and $\mu r$ are compared, since no density at all has its values in
    $[1/r,r]$ where 1 lies outside $[\mu/r,\mu r]$; measure 4 has none, measure 1 has.
    """
    return empty_on_line(measure=measure, root=Fraction(3, 2))


def absolute_definition(rng: np.random.Generator, instances: int, *, plant: bool = False) -> Check:
    r"""Check that $\mathcal M_\varepsilon$ is told apart exactly: histograms inside it, or with one cell beyond."""
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        size, root = int(rng.integers(2, 6)), random_root(rng)
        low = tuple(Fraction(1, size) / root for _ in range(size))
        high = tuple(min(Fraction(1), root / size) for _ in range(size))
        heights = [q * size for q in member_of_box(rng, low, high)]
        if plant:
            heights[0] = min(heights[0], 1 / root) * Fraction(99, 100)
        level = ExactLevel(exp_eps=root**2)
        inside = all(level.compare(h, HALF) <= 0 and level.compare(h, -HALF) >= 0 for h in heights)
        slack = min(min(root - h, h - 1 / root) for h in heights)
        tally.add(float(slack), decided=inside, heights=heights, root=root)
    return tally.check()


def standard_mechanism(rng: np.random.Generator, instances: int, *, uniform_base: bool) -> Check:
    r"""Check that a standard mechanism tends to the uniform law with its level: TV at most $(E-1)/(E+1)$. Exact.

    Exponential mechanism with weights $B(x)E^{u(x)}$, u in {0, 1}, tested
    against $(E-1)/(E+1)$, which tends to 0. A base B = (3, 1)/4 tends to B instead.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        ratio = Fraction(101, 100) if index == 0 else random_root(rng)
        size = 2 if index == 0 else int(rng.integers(2, 6))
        base = (Fraction(3, 4), Fraction(1, 4)) if index == 0 else random_law(rng, size, spread=4)
        if uniform_base:
            base = (Fraction(1, size),) * size
        weights = [b * (ratio if rng.random() < 0.5 else ONE) for b in base]
        law = [w / sum(weights) for w in weights]
        distance = sum((abs(q - Fraction(1, size)) for q in law), Fraction(0)) / 2
        slack = (ratio - 1) / (ratio + 1) - distance
        tally.add(float(slack), decided=slack >= 0, base=base, law=law, exp_eps=ratio)
    return tally.check()


def shift_needs_finite_measure(*, finite: bool) -> Check:
    r"""Check that some $aQ+b$ makes an $\varepsilon$-mollifier of two geometric laws, $e^{\varepsilon/2}=3/2$. Exact.

    On all of $\mathbb N$ only b = 0, a = 1 has a finite mass, and then $Q(x)/Q'(x)=\frac12(3/2)^{x+1}$ has no bound for
    $Q=2^{-x-1}$ and $Q'=2\cdot3^{-x-1}$. With `finite` the space is cut at four points (each of measure 1/4) and the
    laws are normalised: mixing with the uniform law works there.
    """
    root = Fraction(3, 2)
    size = 4 if finite else 40
    laws = [[Fraction(1, 2) ** (x + 1) for x in range(size)], [2 * Fraction(1, 3) ** (x + 1) for x in range(size)]]
    if finite:
        laws = [[q / sum(law) for q in law] for law in laws]
        low, high = min(map(min, laws)) * size, max(map(max, laws)) * size
        a = min(ONE, (root - 1) / (high - 1), (1 - 1 / root) / (1 - low))
        laws = [[a * q + (1 - a) / size for q in law] for law in laws]
    ratio = max(max(a / b, b / a) for a, b in zip(laws[0], laws[1], strict=True))
    tally = Tally("exact")
    tally.add(float(1 - ratio / root**2), decided=ratio <= root**2, points=size, ratio=ratio, exp_eps=root**2)
    return tally.check()
