r"""Checks for the page on private sampling: mollifiers make samplers private, and what privacy is meant."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations, product

import numpy as np

from mollified._validate import check_count, check_fraction, check_trials
from mollified.checks import Check, Tally
from mollified.convex_hull import exact_mixture
from mollified.exact_level import ExactLevel, Law
from mollified.instances import member_of_box, random_family, random_law, random_root
from mollified.mollifier import exact_violation

__all__ = [
    "deterministic_release",
    "event_bound",
    "group_chain",
    "integral_implies_differential",
    "local_against_integral",
    "mixed_output",
    "naive_sampler_level",
    "sampler_definition",
]


def _events(size: int) -> chain[tuple[int, ...]]:
    return chain.from_iterable(combinations(range(size), count) for count in range(1, size + 1))


def _exact_ratio(family: list[Law]) -> Fraction:
    """Return the largest ratio between two members over all points."""
    return max(a / b for one in family for two in family for a, b in zip(one, two, strict=True))


def event_bound(rng: np.random.Generator, instances: int, *, claimed: Fraction = Fraction(1)) -> Check:
    r"""Check Lemma 4: members of an $\varepsilon$-mollifier satisfy $Q(S)\le e^\varepsilon Q'(S)$ for every event.

    Random rational families; $e^\varepsilon$ is the exact ratio of the family times `claimed`, and all $2^k-1$ events
    and all ordered pairs of data sets are tried. Exact. `claimed` < 1 is a wrong statement.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for _ in range(instances):
        family = random_family(rng, int(rng.integers(2, 5)), int(rng.integers(2, 6)))
        level = _exact_ratio(family) * claimed
        for (i, one), (j, two) in product(enumerate(family), repeat=2):
            if i == j:
                continue
            for event in _events(len(one)):
                above = sum(one[x] for x in event)
                below = sum(two[x] for x in event)
                slack = 1 - above / (level * below)
                tally.add(float(slack), decided=slack >= 0, Q=one, Q2=two, S=event, exp_eps=level)
    return tally.check()


def mixed_output(rng: np.random.Generator, instances: int, *, claimed: Fraction = Fraction(1)) -> Check:
    r"""Check that the member may itself be drawn at random: mixtures over a mollifier obey the same bound. Exact."""
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for _ in range(instances):
        size, members = int(rng.integers(2, 6)), int(rng.integers(2, 5))
        family = random_family(rng, members, size)
        level = _exact_ratio(family) * claimed
        one = exact_mixture(family, _vertex_or_law(rng, members))
        two = exact_mixture(family, _vertex_or_law(rng, members))
        for x in range(size):
            slack = 1 - one[x] / (level * two[x])
            tally.add(float(slack), decided=slack >= 0, one=one, two=two, x=x, exp_eps=level)
    return tally.check()


def _vertex_or_law(rng: np.random.Generator, size: int) -> Law:
    if rng.random() < 0.5:
        chosen = int(rng.integers(size))
        return tuple(Fraction(int(x == chosen)) for x in range(size))
    return random_law(rng, size)


def sampler_definition(rng: np.random.Generator, instances: int, *, plant: bool = False) -> Check:
    r"""Check that the definition of an $\varepsilon$-private sampler tells sound tables of laws from broken ones.

    Each instance is a table of laws within a factor r of a reference, hence within $r^2$ of each other;
    `plant` moves one atom of one law beyond the bound. The decision is exact (`ExactLevel`).
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        base, root = random_law(rng, int(rng.integers(2, 6))), random_root(rng)
        low = tuple(q / root for q in base)
        high = tuple(min(root * q, Fraction(1)) for q in base)
        family = [member_of_box(rng, low, high) for _ in range(3)]
        if plant:
            family.append(_outlier(family[0], root))
        found = exact_violation(family, ExactLevel(exp_eps=root**2))
        tally.add(1.0 if found is None else -1.0, decided=found is None, laws=family, exp_eps=root**2)
    return tally.check()


def _outlier(law: Law, root: Fraction) -> Law:
    """Return a law whose smallest atom is below the old one by more than the square of the root."""
    x = min(range(len(law)), key=lambda index: law[index])
    y = max(range(len(law)), key=lambda index: law[index] if index != x else Fraction(-1))
    moved = law[x] - law[x] / (root**2 * Fraction(101, 100))
    return tuple(q - moved if z == x else q + moved if z == y else q for z, q in enumerate(law))


def group_chain(rng: np.random.Generator, instances: int, *, missing: int = 0) -> Check:
    r"""Check group privacy: consecutive ratios at most $e^{\varepsilon/k}$ give $e^{\varepsilon}$ after k steps.

    Chains of laws on two points with every step at its limit or inside it; `missing` > 0 claims the level of
    k - `missing` steps. Exact.
    """
    rng, instances = check_trials(rng, instances)
    missing = check_count("missing", missing, minimum=0)
    tally = Tally("exact")
    for _ in range(instances):
        k = int(rng.integers(2, 7))
        ratio = 1 + Fraction(int(rng.integers(1, 200)), 100)
        q = [Fraction(1, 2) / ratio**k]
        for _ in range(k):
            full = rng.random() < 0.7
            top = min(q[-1] * ratio, 1 - (1 - q[-1]) / ratio)
            q.append(top if full else (q[-1] + top) / 2)
        level = ratio ** (k - missing)
        for one, two in ((q[0], q[-1]), (q[-1], q[0])):
            slack = 1 - max(one / two, (1 - one) / (1 - two)) / level
            tally.add(float(slack), decided=slack >= 0, first=one, last=two, k=k, step=ratio)
    return tally.check()


def integral_implies_differential(
    rng: np.random.Generator, instances: int, *, distance: int | None = 1, converse: bool = False
) -> Check:
    r"""Check that integral privacy implies DP, on tables of laws by data set. Exact.

    Data sets are $\{0,1\}^n$ for n = 1, 2, 3 with random rational laws; the integral level E is the smallest that
    `exact_violation` accepts for all of them (checked: E passes, 99 % of it does not). The laws of data sets of one
    size that differ in exactly `distance` entries must then satisfy the definition at level E; with `distance` None,
    all pairs of data sets of size one. `converse` claims that the level of those pairs serves all data sets.
    """
    rng, instances = check_trials(rng, instances)
    if distance is not None:
        check_count("distance", distance)
    tally = Tally("exact")
    for _ in range(instances):
        laws = {bits: random_law(rng, 3, spread=4) for n in (1, 2, 3) for bits in product((0, 1), repeat=n)}
        integral = _exact_ratio(list(laws.values()))
        sharp = exact_violation(list(laws.values()), ExactLevel(exp_eps=integral * Fraction(99, 100))) is not None
        if not sharp or exact_violation(list(laws.values()), ExactLevel(exp_eps=integral)) is not None:
            raise ArithmeticError(f"level {integral} is not the exact one")
        pairs = [
            [laws[a], laws[b]]
            for a, b in product(laws, repeat=2)
            if len(a) == len(b) and a != b and _apart(a, b, distance)
        ]
        if converse:
            near = max(_exact_ratio(pair) for pair in pairs)
            fine = integral <= near
            slack = float(1 - integral / near)
        else:
            fine = all(exact_violation(pair, ExactLevel(exp_eps=integral)) is None for pair in pairs)
            slack = float(1 - max(_exact_ratio(pair) for pair in pairs) / integral)
        tally.add(slack, decided=fine, laws=list(laws.values()), exp_eps=integral)
    return tally.check()


def _apart(one: tuple[int, ...], two: tuple[int, ...], distance: int | None) -> bool:
    """Tell whether two data sets of one size differ in `distance` entries, or, for None, have size one."""
    if distance is None:
        return len(one) == 1
    return sum(a != b for a, b in zip(one, two, strict=True)) == distance


def local_against_integral(*, whole_data_set: bool) -> Check:
    r"""Compare local DP (each row protected, n rows) with integral privacy, on randomised response applied to rows.

    Read row by row (each of n = 2 rows protected on its own, $e^\varepsilon=3$) the pair of rows has level $3^2$;
    read as printed, with the whole data set as the record (`whole_data_set`), the two levels agree. The record takes
    the values of one bit, of two bits and of three, data sets of three sizes, through randomised response on all of
    them.
    """
    ratio = Fraction(3)
    tally = Tally("exact")
    if whole_data_set:
        data = [bits for n in (1, 2, 3) for bits in product((0, 1), repeat=n)]
        total = ratio + len(data) - 1
        laws = [tuple((ratio if x == y else Fraction(1)) / total for y in data) for x in data]
    else:
        row = {0: (ratio / (1 + ratio), 1 / (1 + ratio)), 1: (1 / (1 + ratio), ratio / (1 + ratio))}
        laws = [
            tuple(row[bits[0]][first] * row[bits[1]][second] for first, second in product((0, 1), repeat=2))
            for bits in product((0, 1), repeat=2)
        ]
    fine = exact_violation(laws, ExactLevel(exp_eps=ratio)) is None
    integral = _exact_ratio(laws)
    tally.add(float(1 - integral / ratio), decided=fine, local=ratio, integral=integral)
    return tally.check()


def naive_sampler_level(rng: np.random.Generator, instances: int, *, claimed: Fraction = Fraction(1)) -> Check:
    r"""Check that $\mathcal A_R$ is an $\varepsilon$-private sampler if R is $\varepsilon$-LDP (v3 section 2). Exact.

    R is a random table of rational laws, or randomised response (every other instance), with its exact level; P and P'
    are random or vertices; `claimed` < 1 states a level that is too small.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for index in range(instances):
        size, ratio = int(rng.integers(2, 6)), random_root(rng)
        total = ratio + size - 1
        rows = [tuple((ratio if x == y else Fraction(1)) / total for y in range(size)) for x in range(size)]
        if index % 2:
            rows = random_family(rng, size, int(rng.integers(2, 6)))
        level = _exact_ratio(rows) * claimed
        one = exact_mixture(rows, _vertex_or_law(rng, size))
        two = exact_mixture(rows, _vertex_or_law(rng, size))
        worst = max(a / b for a, b in zip(one, two, strict=True))
        tally.add(float(1 - worst / level), decided=worst <= level, R=rows, one=one, two=two, exp_eps=level)
    return tally.check()


def deterministic_release(*, constant: bool) -> Check:
    r"""Check that releasing Q may not be private where sampling from Q is: a two-point example. Exact.

    $Q_D=(1/2,1/2)$, $Q_{D'}=(2/5,3/5)$ form a mollifier with $e^\varepsilon=5/4$; releasing the density itself gives
    the event {Q_D} probability 1 under D and 0 under D'. With `constant` both inputs give the same density: then
    the release is private and the claim "may not be private" has no witness.
    """
    one: Law = (Fraction(1, 2), Fraction(1, 2))
    two: Law = one if constant else (Fraction(2, 5), Fraction(3, 5))
    level = ExactLevel(exp_eps=Fraction(5, 4))
    sampling_private = exact_violation([one, two], level) is None
    under_first, under_second = Fraction(1), Fraction(int(one == two))
    bound = Fraction(5, 4) * under_second
    witness = sampling_private and under_first > bound
    tally = Tally("exact")
    tally.add(1.0 if witness else -1.0, decided=witness, Q=one, Q2=two)
    return tally.check()
