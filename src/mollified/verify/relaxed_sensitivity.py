r"""Checks of formula (62) for the sensitivity over typical outputs, and of the loss that it bounds.

The sensitivity is read in two ways: for outputs typical for one of the two data sets (as (43) has it), and to the
letter of Definition 2, over all pairs. $a=1/(n+k|\Sigma|)$, $\lambda=\log\frac{k+1}k$. Source: bootstrapping paper,
(41)-(43), (59)-(62).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Literal

import numpy as np

from mollified._validate import _echo, check_fraction, check_trials
from mollified.bootstrap_mechanism import smoothed_law
from mollified.checks import Check, Tally
from mollified.relaxed_exponential import Change, formula_share, log_sign

__all__ = [
    "loss_over_typical",
    "sensitivity_exists",
    "sensitivity_formula",
]

ONE = Fraction(1)
Form = Literal["equal", "at most", "attained", "to the letter"]


def _rows(size: int, total: int) -> Iterator[tuple[int, ...]]:
    if size == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _rows(size - 1, total - first):
            yield (first, *rest)


def _typical(counts: Sequence[int], k: int, gamma: Fraction, m: int) -> list[tuple[Fraction, ...]]:
    """Return the types of m records within gamma of the smoothed data."""
    law = smoothed_law(counts, k)
    found = (tuple(Fraction(j, m) for j in row) for row in _rows(len(counts), m))
    return [row for row in found if all(abs(x - h) <= gamma for x, h in zip(row, law, strict=True))]


def _letter(counts: Sequence[int], k: int, gamma: Fraction, m: int) -> Change | None:
    """Return the sensitivity of Definition 2 for one data set, over its typical outputs; None where there is none."""
    n = sum(counts)
    changes = [
        Change(k + 1, n - 1 + k, row[i], row[j])
        for row in _typical(counts, k, gamma, m)
        for i, j in permutations(range(len(row)), 2)
    ]
    return max(changes, key=lambda change: change.value, default=None)


def _between_neighbours(n: int, size: int, k: int, gamma: Fraction, m: int) -> Change | None:
    """Return the largest change between neighbours over the outputs typical for the first, over all data sets."""
    best: Change | None = None
    for counts in _rows(size, n):
        if list(counts) != sorted(counts):
            continue
        for row in _typical(counts, k, gamma, m):
            for i, j in permutations(range(size), 2):
                if counts[i]:
                    found = Change(counts[i] + k, counts[j] + k, row[i], row[j])
                    if best is None or found.value > best.value:
                        best = found
    return best


def _small(rng: np.random.Generator) -> tuple[int, int, int, Fraction, int]:
    """Return n, |Sigma|, k, gamma, m that enumeration can afford; the lattice often fits the extreme point."""
    size, n, k = int(rng.integers(2, 4)), int(rng.integers(1, 4)), int(rng.integers(1, 3))
    total = n + k * size
    m = total * int(rng.integers(1, 3)) if rng.random() < 0.6 else int(rng.integers(2, 9))
    return n, size, k, Fraction(int(rng.integers(1, m)), m) if rng.random() < 0.7 else Fraction(1, total), m


def _formula(k: int, share: Fraction) -> tuple[Fraction, Fraction]:
    return -share, Fraction(k + 1, k)


def sensitivity_formula(rng: np.random.Generator, instances: int, *, form: Form, claimed: Fraction = ONE) -> Check:
    r"""Check (62), $\Delta u_\delta=(2\gamma+a)\lambda$, by enumeration of all types and data sets, compared exactly.

    `form` "equal" and "at most" take outputs typical for one of the neighbours; "to the letter" takes the outputs
    typical for one data set and all pairs, and asks for equality; "attained" asks for it where $\gamma\le ka$,
    $m=\frac1a$, and $|\Sigma|\ge3$ or n = 1. First instances: one record, two symbols, k = 1,
    $\gamma=\frac56$, m = 3; two records, the counts (2, 0), k = 1, $\gamma=\frac14$, m = 32. `claimed` takes that share
    of the formula. Raises ValueError for another form.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    if form not in ("equal", "at most", "attained", "to the letter"):
        raise ValueError(f"form must be equal, at most, attained or to the letter, got {_echo(form)}")
    tally = Tally("exact", keep="first")
    letter = form == "to the letter"
    for index in range(instances):
        n, size, k, gamma, m = _small(rng)
        if index == 0 and form != "attained":
            n, size, k, gamma, m = (2, 2, 1, Fraction(1, 4), 32) if letter else (1, 2, 1, Fraction(5, 6), 3)
        elif index % 5 == 0 or form == "attained":  # the extreme point is a type: gamma <= k a, m = 1/a
            size, k = int(rng.integers(2, 5)), int(rng.integers(1, 3))
            n = 1 if size == 2 else int(rng.integers(1, 4 if size == 3 else 3))
            m = n + size * k
            gamma = Fraction(int(rng.integers(1, k + 1)), m)
        counts = [n, *[0] * (size - 1)]
        change = _letter(counts, k, gamma, m) if letter else _between_neighbours(n, size, k, gamma, m)
        if change is None:
            continue
        share = claimed * formula_share(n, size, k, gamma)
        sign = log_sign([*change.terms, _formula(k, share)])
        slack = float(share) * math.log1p(1 / k) - change.value
        tally.add(
            0.0 if sign == 0 else slack if form == "at most" else -abs(slack),
            decided=sign <= 0 if form == "at most" else sign == 0,
            n=n,
            size=size,
            k=k,
            gamma=gamma,
            m=m,
            smoothed_counts=(change.c1, change.c2),
            shares=(change.h1, change.h2),
            formula_over_lambda=share,
        )
    return tally.check()


def sensitivity_exists(rng: np.random.Generator, instances: int, *, enough: bool = True) -> Check:
    r"""Check that (41) is a maximum over something, and > 0: for $m\ge L$ some type is typical for every data set.

    Exact. L at the largest $\delta$, 1, is $\frac2{\gamma^2}\log2$; `enough` False takes m below it as well.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        n, size, k, gamma, m = _small(rng)
        gamma, m = gamma / 4, 1 + m % 2
        if enough:
            gamma = Fraction(int(rng.integers(50, 96)), 100)
            m = math.ceil(1.3863 / gamma**2) + int(rng.integers(3))
        worst = [_letter(counts, k, gamma, m) for counts in _rows(size, n)]
        change = _between_neighbours(n, size, k, gamma, m)
        good = all(worst) and change is not None and log_sign(change.terms) > 0
        slack = change.value if good and change is not None else -1.0
        tally.add(slack, decided=good, n=n, size=size, k=k, gamma=gamma, m=m)
    return tally.check()


def loss_over_typical(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that at $m=\varepsilon/(2(2\gamma+a)\lambda)$ the loss on typical outputs is at most $\varepsilon/2$.

    Exact, by enumeration: no change of a normaliser takes part, since the probabilities sum to 1 without one. Nearly
    attained; `claimed` < 1 asks for that share.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for index in range(instances):
        n, size, k, gamma, m = _small(rng)
        if index % 3 == 0:
            size, m = 3, n + 3 * k
            gamma = Fraction(k, m)
        change = _between_neighbours(n, size, k, gamma, m)
        if change is None:
            continue
        half = claimed * m * formula_share(n, size, k, gamma)
        sign = log_sign([*((m * c, b) for c, b in change.terms), _formula(k, half)])
        slack = float(half) * math.log1p(1 / k) - m * change.value if sign else 0.0
        tally.add(slack, decided=sign <= 0, n=n, size=size, k=k, gamma=gamma, m=m)
    return tally.check()
