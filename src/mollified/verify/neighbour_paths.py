r"""Checks of the proof of v1 Lemma 18 (v2 Lemma 19): paths of neighbouring data sets and log-ratios along them."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import numpy as np
from flint import ctx

from mollified._validate import check_count, check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.checks import Check, Tally
from mollified.instances import random_law

__all__ = ["chain_attains", "path_length", "telescoping"]

ONE = Fraction(1)
FEW_BITS = 256


def path_length(*, most: int = 4, letters: int = 3, short: int = 0) -> Check:
    r"""Check that two data sets of m records are joined by neighbours with at most m - 1 between them. Exact.

    All pairs of different data sets up to m = `most` over an alphabet of that many `letters`; the path changes the
    differing records one by one. `short` is taken off the bound on the number k in between.
    """
    most, letters = check_count("most", most), check_count("letters", letters, minimum=2)
    short = check_count("short", short, minimum=0)
    tally = Tally("exact")
    for size in range(1, most + 1):
        for one, two in product(product(range(letters), repeat=size), repeat=2):
            if one == two:
                continue
            path = [one]
            for place in range(size):
                step = (*two[: place + 1], *one[place + 1 :])
                if step != path[-1]:
                    path.append(step)
            neighbours = all(sum(a != b for a, b in zip(x, y, strict=True)) == 1 for x, y in pairwise(path))
            between = len(path) - 2
            margin = size - 1 - short - between
            tally.add(float(margin), decided=neighbours and path[-1] == two and margin >= 0, D=one, D2=two, k=between)
    return tally.check()


def telescoping(rng: np.random.Generator, instances: int, *, inverted: bool = False) -> Check:
    r"""Check v1 (98)-(101): KL at $D'$ is KL at D plus the log-ratios along the path, under P. Exact.

    Products of integer powers of rationals, as P has a common denominator; paths with 1 to 5 data sets between.
    `inverted` turns the first ratio, $Q(D)/Q(D_1)$, upside down.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    while tally.instances < instances:
        size, between = int(rng.integers(2, 5)), int(rng.integers(1, 6))
        p = random_law(rng, size, spread=4)
        path = [random_law(rng, size, spread=6) for _ in range(between + 2)]
        if path[0] == path[1]:
            continue
        common = int(np.lcm.reduce([x.denominator for x in p]))
        left, right = ONE, ONE
        for x, mass in enumerate(p):
            power = int(mass * common)
            left *= (mass / path[-1][x]) ** power
            step = ONE
            for place in range(between + 1):
                ratio = path[place][x] / path[place + 1][x]
                step *= 1 / ratio if inverted and place == 0 else ratio
            right *= (mass / path[0][x] * step) ** power
        with ctx.workprec(FEW_BITS):
            gap = 0.0 if left == right else float(abs(ball(left / right).log()).mid()) / common
        tally.add(0.0 - gap, decided=left == right, P=p, path=path)
    return tally.check()


def chain_attains(*, most: int = 6, start: Fraction = ONE) -> Check:
    r"""Check that divergences $m\varepsilon$ apart occur at level $\varepsilon$, for m up to `most`. Exact.

    The mass of the point of P is $R^{-j}R/(R+1)$ for j ones among m records; all neighbours are compared, and the
    mass at the two ends: it must differ by $R^m$. `start` multiplies the mass; above 1 a neighbour breaks the level.
    """
    most, start = check_count("most", most), check_fraction("start", start, above=0)
    tally = Tally("exact")
    for size in range(1, most + 1):
        for root in (Fraction(11, 10), Fraction(3, 2), Fraction(2), Fraction(5)):
            masses = [start * root / (root + 1) / root**j for j in range(size + 1)]
            worst = max(max(a / b, b / a, (1 - a) / (1 - b), (1 - b) / (1 - a)) for a, b in pairwise(masses))
            reached = masses[0] == root**size * masses[-1]
            tally.add(float(root - worst), decided=worst <= root and reached, R=root, m=size, masses=masses)
    return tally.check()
