r"""Checks for the page on private sampling: how local, central and integral privacy relate."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations

import numpy as np
from flint import arb

from mollified._validate import check_fraction, check_trials
from mollified.checks import Check, Tally
from mollified.convex_hull import exact_mixture
from mollified.exact_level import Law
from mollified.exact_projection import exact_projection
from mollified.instances import random_family, random_fraction, random_law, random_root

__all__ = [
    "clamped_laplace",
    "different_targets",
    "empirical_inputs",
    "event_mass",
    "laplace_leaves_interval",
    "local_is_size_one",
    "point_probabilities",
    "radon_nikodym",
    "sizes_compared",
]

ONE = Fraction(1)


def _ratio(family: list[Law]) -> Fraction:
    return max(a / b for one in family for two in family for a, b in zip(one, two, strict=True))


def _mass(law: Law, event: tuple[int, ...]) -> Fraction:
    return sum((law[x] for x in event), Fraction(0))


def sizes_compared(*, integral: bool) -> Check:
    r"""Check that integral privacy constrains data sets of different sizes. Exact.

    A mechanism whose law depends on |D| only: (1/2, 1/2) for one row, (9/10, 1/10) for two. Integral privacy at level
    2 must refuse it; DP with neighbours of equal size sees no difference, and accepts it at every level.
    """
    by_size = {1: (Fraction(1, 2), Fraction(1, 2)), 2: (Fraction(9, 10), Fraction(1, 10))}
    pairs = [(1, 2)] if integral else [(1, 1), (2, 2)]
    worst = max(_ratio([by_size[a], by_size[b]]) for a, b in pairs)
    tally = Tally("exact")
    tally.add(float(worst - 2), decided=worst > 2, ratio=worst, level=2)
    return tally.check()


def local_is_size_one(rng: np.random.Generator, instances: int, *, add_remove: bool = False) -> Check:
    r"""Check that LDP of a row mechanism is DP of data sets of size one: both levels are equal. Exact.

    With replace-one adjacency any two data sets of size one are neighbours. With `add_remove` adjacency none are, and
    the DP level is 1 (no constraint).
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        rows = random_family(rng, int(rng.integers(2, 5)), int(rng.integers(2, 5)))
        local = _ratio(rows)
        pairs = [] if add_remove else list(combinations(range(len(rows)), 2))
        central = max((_ratio([rows[a], rows[b]]) for a, b in pairs), default=ONE)
        tally.add(float(-abs(local - central)), decided=local == central, rows=rows, central=central, local=local)
    return tally.check()


def _uniform_mass(interval: tuple[Fraction, Fraction], low: Fraction, high: Fraction) -> Fraction:
    """Return the mass of [low, high] under the uniform law on an interval."""
    shared = min(high, interval[1]) - max(low, interval[0])
    return max(shared, Fraction(0)) / (interval[1] - interval[0])


def point_probabilities(*, continuous: bool) -> Check:
    r"""Check that the pointwise inequality (1) of v3 says the same as the inequality for all events. Exact.

    On a continuous X every point has probability zero, so the pointwise product form holds for any two laws; the
    uniform laws on [0, 1/2] and [1/2, 1] differ on the event [0, 1/2] by probabilities 1 and 0. On a finite X the
    largest ratio over all events is the largest ratio over points.
    """
    tally = Tally("exact")
    if continuous:
        half = Fraction(1, 2)
        laws = ((Fraction(0), half), (half, ONE))  # uniform on these intervals
        grid = [Fraction(k, 64) for k in range(65)]
        pointwise = all(_uniform_mass(laws[0], x, x) <= 2 * _uniform_mass(laws[1], x, x) for x in grid)
        on_event = [_uniform_mass(law, Fraction(0), half) for law in laws]
        agree = pointwise == (on_event[0] <= 2 * on_event[1])
        tally.add(
            float(2 * on_event[1] - on_event[0]),
            decided=agree,
            law="uniform on [0, 1/2]",
            law2="uniform on [1/2, 1]",
            S="[0, 1/2]",
            exp_eps=2,
            S_under_law=on_event[0],
            S_under_law2=on_event[1],
        )
        return tally.check()
    cases = [
        ((Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)), (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2))),
        ((Fraction(1, 7), Fraction(6, 7)), (Fraction(2, 7), Fraction(5, 7))),
    ]
    for one, two in cases:
        size = len(one)
        events = chain.from_iterable(combinations(range(size), count) for count in range(1, size + 1))
        over_events = max(_mass(one, e) / _mass(two, e) for e in events)
        over_points = max(a / b for a, b in zip(one, two, strict=True))
        tally.add(-abs(float(over_events - over_points)), decided=over_events == over_points, one=one, two=two)
    return tally.check()


def empirical_inputs(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that data sets of any two sizes are protected through their empirical laws, for the naive sampler.

    Exact.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for _ in range(instances):
        size, ratio = int(rng.integers(2, 5)), random_root(rng)
        total = ratio + size - 1
        rows = [tuple((ratio if x == y else ONE) / total for y in range(size)) for x in range(size)]
        laws = []
        for _ in range(2):
            n = int(rng.integers(1, 9))
            counts = np.bincount(rng.integers(size, size=n), minlength=size)
            laws.append(exact_mixture(rows, tuple(Fraction(int(c), n) for c in counts)))
        worst = _ratio(laws)
        slack = 1 - worst / (ratio * claimed)
        tally.add(float(slack), decided=slack >= 0, laws=laws, exp_eps=ratio * claimed)
    return tally.check()


def laplace_leaves_interval(*, clamp: bool) -> Check:
    r"""Check that the Laplace mechanism on [0, 1] maps into [0, 1]. Certified.

    Unclamped, the output exceeds 1 with probability $\tfrac12e^{-(1-x)/b}>0$, whatever b (here x = 1/2, b = 1).
    """
    outside = arb(0) if clamp else arb(-1) / 2
    probability = outside if clamp else outside.exp() / 2 + outside.exp() / 2
    inside = not bool(probability > 0)
    tally = Tally("certified")
    tally.add(-float(probability.mid()), decided=inside, x="1/2", scale="1", outside=float(probability.mid()))
    return tally.check()


def clamped_laplace(rng: np.random.Generator, instances: int, *, scale: Fraction = ONE) -> Check:
    r"""Check that clamped Laplace noise of scale $1/\varepsilon$ on [0, 1] is $\varepsilon$-LDP. Exact.

    In units of $\varepsilon$ the log-ratio of two laws is $|y-x'|-|y-x|$ inside, and $x'-x$ (or its negative) at the
    atoms 0 and 1: rationals that must be at most one. `scale` < 1 is noise that is too small.
    """
    rng, instances = check_trials(rng, instances)
    scale = check_fraction("scale", scale, above=0)
    tally = Tally("exact")
    for _ in range(instances):
        x, other, y = (random_fraction(rng, Fraction(0), ONE) for _ in range(3))
        inside = (abs(y - other) - abs(y - x)) / scale
        ends = abs(x - other) / scale
        slack = 1 - max(inside, ends)
        tally.add(float(slack), decided=slack >= 0, x=x, x2=other, y=y, scale=scale)
    return tally.check()


def event_mass(rng: np.random.Generator, instances: int, *, skip_last: bool = False) -> Check:
    r"""Check that the probability of an event is its mass under the density sampled, by listing equally likely draws.

    Q has integer weights; the sampler picks one of the listed tickets. `skip_last` never draws the last ticket. Exact.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        size = int(rng.integers(2, 5))
        weights = [int(v) for v in rng.integers(1, 6, size)]
        tickets = [x for x, weight in enumerate(weights) for _ in range(weight)]
        drawn = tickets[:-1] if skip_last else tickets
        for count in range(1, size):
            for event in combinations(range(size), count):
                mass = Fraction(sum(weights[x] for x in event), len(tickets))
                seen = Fraction(sum(x in event for x in drawn), len(drawn))
                tally.add(float(-abs(mass - seen)), decided=mass == seen, weights=weights, S=event)
    return tally.check()


def radon_nikodym(rng: np.random.Generator, instances: int, *, two_measures: bool = False) -> Check:
    r"""Check that with one base measure the ratio of densities is the ratio of masses, hence at most $e^\varepsilon$.

    Exact. Densities with respect to a random measure on a finite space. `two_measures` takes a different base measure
    for each density, against the convention of the papers: then the ratio of densities is not a ratio of the laws.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        size = int(rng.integers(2, 6))
        one, two = random_law(rng, size), random_law(rng, size)
        measure = random_law(rng, size)
        other = random_law(rng, size) if two_measures else measure
        level = max(a / b for a, b in zip(one, two, strict=True))
        densities = [(a / m) / (b / w) for a, b, m, w in zip(one, two, measure, other, strict=True)]
        slack = 1 - max(densities) / level
        tally.add(float(slack), decided=slack >= 0, Q=one, Q2=two, measure=measure, exp_eps=level)
    return tally.check()


def different_targets(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check Lemma 4 for D and D' from different targets: their mollifications differ by at most $e^\varepsilon$.

    Exact.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for _ in range(instances):
        size, root = int(rng.integers(2, 6)), random_root(rng)
        base = random_law(rng, size, spread=4)
        released = [exact_projection(random_law(rng, size), base, root)[1] for _ in range(2)]
        worst = _ratio(released)
        slack = 1 - worst / (root**2 * claimed)
        tally.add(float(slack), decided=slack >= 0, Q0=base, released=released, root=root)
    return tally.check()
