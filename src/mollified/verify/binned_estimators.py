r"""Checks of the histogram estimators of section 5.3: cells, distance, expectations, privacy, and their cdf."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate, pairwise, product
from typing import Any

import numpy as np

from mollified._validate import check_count, check_fraction, check_trials
from mollified.binned_density import node_values, running_maximum, sloped_cdf
from mollified.bootstrap_mechanism import smoothed_law
from mollified.checks import Check, Tally
from mollified.instances import random_law
from mollified.type_laws import compositions

__all__ = [
    "biased",
    "consistent",
    "corrected_cdf",
    "corrected_is_private",
    "cubes_fill",
    "distance_at_nodes",
    "doubling",
    "estimator_mass",
    "expected_histogram",
    "multinomial",
]

ONE = Fraction(1)


def multinomial(counts: tuple[int, ...], law: tuple[Fraction, ...]) -> Fraction:
    """Return the multinomial probability of counts under a law, exactly; ValueError where their lengths differ."""
    if len(counts) != len(law):
        raise ValueError(f"counts and law must have one length, got {counts!r} and {law!r}")
    ways, left = 1, sum(counts)
    for count in counts:
        ways, left = ways * math.comb(left, count), left - count
    return ways * math.prod((p**count for count, p in zip(counts, law, strict=True)), start=ONE)


def _data(rng: np.random.Generator, most_cells: int = 4, most: int = 5) -> tuple[tuple[int, ...], int, int]:
    """Return counts with at least one record, k and m, all small."""
    cells = int(rng.integers(2, most_cells + 1))
    counts = rng.integers(0, most, cells)
    counts[rng.integers(cells)] += 1
    return tuple(int(c) for c in counts), int(rng.integers(1, 7)), int(rng.integers(1, 5))


def cubes_fill(*, whole_sides: bool, most: int = 60) -> Check:
    r"""Check that s cubes of side $b=s^{-1/d}$ fill the unit cube, for s up to `most` and d up to 4. Exact.

    An edge of the unit cube has to be cut into whole sides, so 1/b is whole: s is a d-th power. As printed every s is
    allowed. With `whole_sides` s is $\lceil n^{\beta/d}\rceil^d$ for $\beta\le2$, n up to `most`, and it is checked too
    that $n^\beta\le s\le2^dn^\beta$, so that the growth $s\sim n^\beta$ stays available.
    """
    most = check_count("most", most)
    tally = Tally("exact", keep="first")
    for d in range(1, 5):
        for number in range(1, most + 1):
            if not whole_sides:
                side = max(q for q in range(1, most + 2) if q**d <= number)
                tally.add(float(Fraction(side**d, number) - 1), decided=side**d == number, d=d, s=number)
                continue
            for up, down in ((1, 2), (2, 3), (1, 1), (3, 2), (2, 1)):
                side = 1
                while side ** (d * down) < number**up:
                    side += 1
                size = side**d
                fits = number**up <= size**down <= 2 ** (d * down) * number**up
                tally.add(float(2**d * number ** (up / down) / size - 1), decided=fits, d=d, s=size, n=number)
    return tally.check()


def _random_masses(rng: np.random.Generator, side: int, dimension: int) -> np.ndarray:
    law = random_law(rng, side**dimension, spread=6)
    return np.array(law, dtype=object).reshape((side,) * dimension)


def distance_at_nodes(rng: np.random.Generator, instances: int, *, all_nodes: bool = True) -> Check:
    r"""Check that $\rho$ of two binned cdfs is attained at a node, is symmetric and a metric. Exact.

    d = 1 and 2, up to 4 cells a side; random rational points within the cells must not show a larger difference. With
    `all_nodes` off only the nodes whose first coordinate is even are looked at.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        d, side = int(rng.integers(1, 3)), int(rng.integers(2, 5))
        one, two, three = (node_values(_random_masses(rng, side, d)) for _ in range(3))
        step = 1 if all_nodes else 2
        gap = one - two
        rho = abs(gap[::step]).max()
        worst = Fraction(0)
        for _ in range(8):
            cell = rng.integers(0, side, d)
            share = [Fraction(int(t), 8) for t in rng.integers(0, 9, d)]
            value = Fraction(0)
            for corner in product((0, 1), repeat=d):
                weight = math.prod((t if c else 1 - t for t, c in zip(share, corner, strict=True)), start=ONE)
                value += weight * gap[tuple(int(j) + c for j, c in zip(cell, corner, strict=True))]
            worst = max(worst, abs(value))
        metric = rho == abs(two - one)[::step].max() and rho <= abs(one - three).max() + abs(three - two).max()
        tally.add(float(rho - worst), decided=worst <= rho and metric, d=d, side=side, node=rho, between=worst)
    return tally.check()


def estimator_mass(rng: np.random.Generator, instances: int, *, sum_to_cells: bool = False) -> Check:
    r"""Check that the masses $\hat h,h^*,\tilde h$ are laws and that $\hat h^c$ sums to 1.

    Exact, from records. `sum_to_cells` takes the upper limit s, as printed, in $\hat h_j=\frac1n\sum_i1[x_i\in B_j]$.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        cells, n, k, m = (int(rng.integers(low, high)) for low, high in ((2, 6), (6, 15), (1, 6), (1, 9)))
        records = rng.integers(0, cells, n)
        used = records[: cells if sum_to_cells else n]
        hat = tuple(Fraction(int((used == j).sum()), n) for j in range(cells))
        counts = [int((records == j).sum()) for j in range(cells)]
        tilde = smoothed_law(counts, k)
        drawn = rng.multinomial(m, [float(p) for p in tilde])
        star = tuple(Fraction(int(c), m) for c in drawn)
        corrected = tuple(Fraction(n + k * cells, n) * h - Fraction(k, n) for h in star)
        laws = all(sum(law) == 1 and min(law) >= 0 for law in (hat, tilde, star)) and sum(corrected) == 1
        tally.add(float(sum(hat) - 1), decided=laws, n=n, s=cells, counts=counts, total=sum(hat))
    return tally.check()


def expected_histogram(rng: np.random.Generator, instances: int, *, smoothed: bool = True, corrected: bool) -> Check:
    r"""Check $\operatorname Eh^*_i=\frac{n\hat h_i+k}{n+ks}$, or (`corrected`) $\operatorname E\hat h^c_i=\hat h_i$.

    Exact, by enumeration of all released counts for random small data. With `smoothed` off the correction takes N
    in place of n in k/n, or the expectation of h* is claimed to be $\hat h$.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        counts, k, m = _data(rng)
        n, cells, law = sum(counts), len(counts), smoothed_law(counts, k)
        total = n + k * cells
        mean = [Fraction(0)] * cells
        for drawn in compositions(m, cells):
            weight = multinomial(drawn, law)
            for i, count in enumerate(drawn):
                star = Fraction(count, m)
                shift = Fraction(k, n if smoothed else total)
                mean[i] += weight * (Fraction(total, n) * star - shift if corrected else star)
        hat = [Fraction(c, n) for c in counts]
        wanted = hat if corrected or not smoothed else [Fraction(c + k, total) for c in counts]
        gap = max(abs(a - b) for a, b in zip(mean, wanted, strict=True))
        tally.add(-float(gap), decided=gap == 0, counts=counts, k=k, m=m, mean=mean)
    return tally.check()


def biased(*, exclude_uniform: bool, most: int = 6) -> Check:
    r"""Check $\frac{n\hat h_i+k}{n+ks}\ne\hat h_i$ for all counts of up to `most` records, s <= 4, k <= 3. Exact.

    `exclude_uniform` leaves out the entries with $\hat h_i=1/s$, where the two agree.
    """
    most = check_count("most", most)
    tally = Tally("exact", keep="first")
    for cells, n, k in product((2, 3, 4), range(1, most + 1), (1, 2, 3)):
        for counts in compositions(n, cells):
            for count in counts:
                if exclude_uniform and count * cells == n:
                    continue
                gap = abs(Fraction(count + k, n + k * cells) - Fraction(count, n))
                tally.add(float(gap), decided=gap > 0, counts=counts, k=k, entry=Fraction(count, n))
    return tally.check()


def _hockey_stick(one: Mapping[Any, Fraction], two: Mapping[Any, Fraction], factor: Fraction) -> Fraction:
    return sum((max(Fraction(0), p - factor * two.get(x, Fraction(0))) for x, p in one.items()), Fraction(0))


def corrected_is_private(rng: np.random.Generator, instances: int, *, public: bool = True) -> Check:
    r"""Check that $\hat h^c$ has no larger delta than $h^*$, at random $e^\varepsilon$ and neighbours. Exact.

    With `public` off the correction is made with the number of cells that hold a record, in place of all cells.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        counts, k, m = _data(rng, 3, 3)
        n, cells = sum(counts), len(counts)
        source = int(rng.choice([i for i, c in enumerate(counts) if c]))
        target = (source + 1 + int(rng.integers(cells - 1))) % cells
        other = tuple(c - (i == source) + (i == target) for i, c in enumerate(counts))
        factor = 1 + Fraction(int(rng.integers(0, 100)), 50)
        plain, mapped = [], []
        for data in (counts, other):
            used = cells if public else sum(c > 0 for c in data)
            law = {drawn: multinomial(drawn, smoothed_law(data, k)) for drawn in compositions(m, cells)}
            plain.append(law)
            image: dict[object, Fraction] = {}
            for drawn, p in law.items():
                point = tuple(Fraction(n + k * used, n) * Fraction(c, m) - Fraction(k, n) for c in drawn)
                image[point] = image.get(point, Fraction(0)) + p
            mapped.append(image)
        gap = _hockey_stick(plain[0], plain[1], factor) - _hockey_stick(mapped[0], mapped[1], factor)
        tally.add(float(gap), decided=gap >= 0, counts=counts, other=other, k=k, m=m, exp_eps=factor)
    return tally.check()


def corrected_cdf(rng: np.random.Generator, instances: int, *, mended: bool) -> Check:
    r"""Check that $\hat F^c$ is a distribution function on [0, 1] (d = 1): monotone, from 0 to 1. Exact.

    Four points a bin. `mended` takes its running maximum, clipped to [0, 1], and checks too that this is no farther
    from a rational F than $\hat F^c$ is, at these points. First instance: n = m = k = 1, s = 2.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        counts, k, m = ((1, 0), 1, 1) if index == 0 else _data(rng)
        n, cells = sum(counts), len(counts)
        law = [float(p) for p in smoothed_law(counts, k)]
        drawn = (1, 0) if index == 0 else tuple(int(c) for c in rng.multinomial(m, law))
        values = [Fraction(0)]
        for count in drawn:
            values.append(values[-1] + Fraction(n + k * cells, n) * Fraction(count, m) - Fraction(k, n))
        line = [a + (b - a) * Fraction(i, 4) for a, b in pairwise(values) for i in range(4)] + [values[-1]]
        curve = line
        if mended:
            curve = [min(ONE, max(Fraction(0), largest)) for largest in accumulate(line, max)]
            own = running_maximum([float(v) for v in values], points=4)
            assert np.allclose(own, [float(v) for v in curve], atol=1e-12)
        steps = [b - a for a, b in pairwise(curve)]
        slope = Fraction(int(rng.integers(0, 9)), 4)
        truth = [sloped_cdf(Fraction(j, 4 * cells), slope) for j in range(4 * cells + 1)]
        before, after = (max(abs(a - b) for a, b in zip(c, truth, strict=True)) for c in (line, curve))
        lawful = min(steps) >= 0 and curve[0] == 0 and curve[-1] == 1 and after <= before
        tally.add(float(min(steps)), decided=lawful, counts=counts, k=k, released=drawn, cdf=values)
    return tally.check()


def doubling(rng: np.random.Generator, instances: int, *, factor: Fraction = Fraction(2)) -> Check:
    r"""Check that the nearest of several cdfs to a signed $\hat F^c$ is at most `factor` times as far from F. Exact.

    Binned functions in d = 1 and 2, distances at nodes; F is among the cdfs.
    """
    rng, instances = check_trials(rng, instances)
    factor = check_fraction("factor", factor, above=0)
    tally = Tally("exact")
    for _ in range(instances):
        d, side = int(rng.integers(1, 3)), int(rng.integers(2, 4))
        cdfs = [node_values(_random_masses(rng, side, d)) for _ in range(6)]
        noise = np.array([Fraction(int(v), 20) for v in rng.integers(-4, 5, side**d)], dtype=object)
        signed = cdfs[0] + node_values(noise.reshape((side,) * d))
        own = abs(signed - cdfs[0]).max()
        nearest = min(cdfs, key=lambda cdf: abs(signed - cdf).max())
        moved = abs(nearest - cdfs[0]).max()
        tally.add(float(factor * own - moved), decided=moved <= factor * own, d=d, side=side, before=own, after=moved)
    return tally.check()


def consistent(*, shrinking: bool = True, filled: bool = True) -> Check:
    r"""Check $\operatorname E\int(\hat p-p)^2\to0$ if $b\to0$ and $nb^d\to\infty$, for $p=1-\frac a2+ax_1$. Exact.

    The error is $\frac1{nb^d}(1-\sum_jh_j^2)+\frac{a^2b^2}{12}\le\frac1{nb^d}+\frac{a^2b^2}{12}$ exactly; along
    $n=8^{dj}$, $b=4^{-j}$ it must fall by a quarter or more a step. Without `shrinking` b stays 1/2, without `filled`
    $nb^d=1$.
    """
    tally = Tally("exact")
    for d, slope in product((1, 2), (Fraction(1), Fraction(2))):
        errors = []
        for j in range(1, 6):
            side = 4**j if shrinking else 2
            n = 8 ** (d * j) if filled else side**d
            # the mass depends on the first coordinate only: q columns of q^(d-1) equal cells
            first = [
                sloped_cdf(Fraction(i + 1, side), slope) - sloped_cdf(Fraction(i, side), slope) for i in range(side)
            ]
            squares = sum(h * h for h in first) / side ** (d - 1)
            errors.append(Fraction(side**d, n) * (1 - squares) + slope**2 / (12 * side**2))
        ratio = max(b / a for a, b in pairwise(errors))
        tally.add(float(Fraction(3, 4) - ratio), decided=ratio <= Fraction(3, 4), d=d, slope=slope, ratio=ratio)
    return tally.check()
