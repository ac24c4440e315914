r"""Checks of the proof of Theorem 2, step by step: (5)-(8), (11), and the lower direction of the loss.

Counts: $c_1=Nh^{\tilde D}(d_{i_1})\ge k+1$ and $c_2=Nh^{\tilde D}(d_{i_2})\ge k$, $N=n+k|\Sigma|$, $w=\gamma N$. One
step of the loss is $\log\frac{c_1}{c_1-1}$ at $d_{i_1}$ and $-\log\frac{c_2+1}{c_2}$ at $d_{i_2}$. Signs of sums of
such logs are decided exactly: by balls, and where a ball contains zero by the product of the powers.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from flint import arb, ctx

from mollified._validate import _echo, check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.bootstrap_mechanism import smoothed_law
from mollified.checks import Check, Tally
from mollified.instances import random_fraction
from mollified.typical_set import is_typical, type_probability, types, typical_ranges

__all__ = [
    "changed_range",
    "data_free_bound",
    "loss_bound",
    "lower_bound",
    "new_range",
    "two_cells",
    "typical_set_suffices",
    "within_gamma",
]

BITS = 192
ONE = Fraction(1)


@dataclass(frozen=True)
class _Pair:
    """Hold counts, k, the places of the record before and after, and the output's m and gamma."""

    counts: tuple[int, ...]
    k: int
    old: int
    new: int
    m: int
    gamma: Fraction

    @property
    def law(self) -> tuple[Fraction, ...]:
        return smoothed_law(self.counts, self.k)

    @property
    def other(self) -> tuple[Fraction, ...]:
        moved = list(self.counts)
        moved[self.old] -= 1
        moved[self.new] += 1
        return smoothed_law(moved, self.k)

    @property
    def total(self) -> int:
        return sum(self.counts) + self.k * len(self.counts)

    @property
    def cells(self) -> tuple[int, int]:
        return self.counts[self.old] + self.k, self.counts[self.new] + self.k


def _pair(rng: np.random.Generator, *, most_records: int = 8, most_draws: int = 12) -> _Pair:
    size, k, m = int(rng.integers(2, 5)), int(rng.integers(1, 6)), int(rng.integers(1, most_draws + 1))
    records = rng.integers(size, size=int(rng.integers(1, most_records + 1)))
    counts = [int(c) for c in np.bincount(records, minlength=size)]
    old = int(records[-1])
    new = int(rng.choice([i for i in range(size) if i != old]))
    gamma = random_fraction(rng, Fraction(1, 20), Fraction(19, 20), 90)
    if rng.random() < 0.5:  # on the edge of a type
        edge = abs(Fraction(int(rng.integers(m + 1)), m) - smoothed_law(counts, k)[old])
        gamma = edge if edge > 0 else gamma
    return _Pair(tuple(counts), k, old, new, m, gamma)


def _sign(terms: Mapping[int, Fraction]) -> tuple[float, int]:
    r"""Return the value and the exact sign of $\sum_cx_c\log\frac{c+1}c$ for rationals x by c."""
    terms = {c: x for c, x in terms.items() if x}
    value = sum((ball(x) * ball(Fraction(c + 1, c)).log() for c, x in terms.items()), arb(0))
    if value > 0 or value < 0:
        return float(value.mid()), 1 if value > 0 else -1
    power, scale = ONE, int(np.lcm.reduce([x.denominator for x in terms.values()] or [1]))
    for c, x in terms.items():
        power *= Fraction(c + 1, c) ** int(x * scale)
    if power != 1:
        raise ArithmeticError(f"terms {terms!r} are not told from zero at {BITS} bits")
    return 0.0, 0


def _add(*terms: tuple[int, Fraction]) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for c, x in terms:
        found[c] = found.get(c, Fraction(0)) + x
    return found


def typical_set_suffices(rng: np.random.Generator, instances: int, *, forget_rest: bool = False) -> Check:
    r"""Check (5): the loss on the typical set of $\tilde D$ bounds $\varepsilon$, its complement $\delta$. Exact.

    All types of m draws; $e^\varepsilon$ is the largest ratio on the typical set, $\delta$ the probability of the rest.
    With `forget_rest` it claims $\delta=0$.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        pair = _pair(rng, most_draws=6)
        rows = types(len(pair.counts), pair.m).tolist()
        one = [type_probability(pair.law, row) for row in rows]
        two = [type_probability(pair.other, row) for row in rows]
        inside = [is_typical(pair.law, row, pair.gamma) for row in rows]
        level = max([ONE, *(p / q for p, q, kept in zip(one, two, inside, strict=True) if kept)])
        rest = 0 if forget_rest else sum(p for p, kept in zip(one, inside, strict=True) if not kept)
        delta = sum(max(p - level * q, Fraction(0)) for p, q in zip(one, two, strict=True))
        values = dataclasses.asdict(pair)
        tally.add(float(rest - delta), decided=delta <= rest, **values)
    return tally.check()


def two_cells(rng: np.random.Generator, instances: int, *, add_record: bool = False) -> Check:
    r"""Check (6): replacing a record moves $\frac1N$ from one cell of the type to another, and no other cell. Exact.

    With `add_record` the neighbour has one more record instead, and every cell moves.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        pair = _pair(rng)
        a = Fraction(1, pair.total)
        other = pair.other
        if add_record:
            other = smoothed_law([c + (i == pair.new) for i, c in enumerate(pair.counts)], pair.k)
        expected = [h - a * (i == pair.old) + a * (i == pair.new) for i, h in enumerate(pair.law)]
        gap = sum(abs(x - y) for x, y in zip(other, expected, strict=True))
        tally.add(-float(gap), counts=pair.counts, k=pair.k, old=pair.old, new=pair.new)
    return tally.check()


def within_gamma(rng: np.random.Generator, instances: int, *, share: Fraction = ONE) -> Check:
    r"""Check (7) on all types of the typical set: each cell within $\pm\gamma$ of $h^{\tilde D}$. Exact.

    `share` < 1 claims that share of gamma.
    """
    rng, instances = check_trials(rng, instances)
    share = check_fraction("share", share, above=0)
    tally = Tally("exact")
    for _ in range(instances):
        pair = _pair(rng, most_draws=6)
        for row in types(len(pair.counts), pair.m).tolist():
            if is_typical(pair.law, row, pair.gamma):
                gap = max(abs(Fraction(x, pair.m) - h) for x, h in zip(row, pair.law, strict=True))
                tally.add(float(share * pair.gamma - gap), decided=gap <= share * pair.gamma, row=row, gamma=pair.gamma)
    return tally.check()


def _outputs(pair: _Pair) -> list[tuple[int, int]]:
    """Return all $(N_1,N_2)$ that some type in the typical set has."""
    ranges = typical_ranges(pair.law, pair.m, pair.gamma)
    others = [r for i, r in enumerate(ranges) if i not in (pair.old, pair.new)]
    if any(low > high for low, high in ranges):
        return []
    least, most = sum(r[0] for r in others), sum(r[1] for r in others)
    first, second = ranges[pair.old], ranges[pair.new]
    return [
        (one, two)
        for one in range(first[0], first[1] + 1)
        for two in range(second[0], second[1] + 1)
        if least <= pair.m - one - two <= most
    ]


def loss_bound(rng: np.random.Generator, instances: int, *, share: Fraction = ONE) -> Check:
    r"""Check (8) for every output of the typical set, with its sign decided exactly. Certified.

    The slack is $(m(x_1+\gamma)-N_1)\log\frac{c_1}{c_1-1}+(N_2-m(x_2-\gamma))\log\frac{c_2+1}{c_2}$. `share` < 1 puts
    that share of gamma into the bound.
    """
    rng, instances = check_trials(rng, instances)
    share = check_fraction("share", share, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            pair = _pair(rng)
            (c1, c2), m, g = pair.cells, pair.m, share * pair.gamma
            for one, two in _outputs(pair):
                up = m * (Fraction(c1, pair.total) + g) - one
                slack, sign = _sign(_add((c1 - 1, up), (c2, two - m * (Fraction(c2, pair.total) - g))))
                tally.add(slack, decided=sign >= 0, **dataclasses.asdict(pair), N1=one, N2=two)
    return tally.check()


def data_free_bound(rng: np.random.Generator, instances: int, *, share: Fraction = ONE) -> Check:
    r"""Check (11): $-(c_1+w)\log\frac{c_1-1}{c_1}-(c_2-w)\log\frac{c_2+1}{c_2}\le(1+2w)\lambda$. Certified.

    An equality at $c_1=k+1$, $c_2=k$, which is tried first. `share` < 1 claims that share of the bound.
    """
    rng, instances = check_trials(rng, instances)
    share = check_fraction("share", share, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for index in range(instances):
            pair = _pair(rng, most_records=40)
            c1, c2 = pair.cells if index else (pair.k + 1, pair.k)
            w = pair.gamma * pair.total
            slack, sign = _sign(_add((pair.k, share * (1 + 2 * w)), (c1 - 1, -(c1 + w)), (c2, c2 - w)))
            tally.add(slack, decided=sign >= 0, k=pair.k, c1=c1, c2=c2, w=w)
    return tally.check()


def lower_bound(rng: np.random.Generator, instances: int, *, share: Fraction = ONE) -> Check:
    r"""Check that the loss is at least $-2m\gamma\lambda\ge-\varepsilon$ on the typical set. Certified.

    Every output of the typical set; so under (2) the lower direction holds too. `share` < 1 claims that share.
    """
    rng, instances = check_trials(rng, instances)
    share = check_fraction("share", share, above=0)
    tally = Tally("certified")
    chosen = _Pair((1, 0, 0, 0), 4, 0, 1, 34, Fraction(4, 17))
    with ctx.workprec(BITS):
        for index in range(instances):
            pair = _pair(rng) if index else chosen
            c1, c2 = pair.cells
            for one, two in _outputs(pair):
                floor = 2 * share * pair.m * pair.gamma
                slack, sign = _sign(_add((c1 - 1, Fraction(one)), (c2, Fraction(-two)), (pair.k, floor)))
                tally.add(slack, decided=sign >= 0, **dataclasses.asdict(pair), N1=one, N2=two)
    return tally.check()


def changed_range(rng: np.random.Generator, instances: int, *, every: bool = False) -> Check:
    r"""Check (9): $\frac{k+1}N\le h^{\tilde D}(d_i)\le\frac{k+n}N$ for $i=i_1$, the value of the changed record. Exact.

    With `every` for all i, as the generic index reads: a value that does not occur has $\frac kN$.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        pair = _pair(rng) if index else _Pair((1, 0), 2, 0, 1, 1, ONE)
        n, total = sum(pair.counts), pair.total
        for i in range(len(pair.counts)) if every else [pair.old]:
            h = pair.law[i]
            slack = min(h - Fraction(pair.k + 1, total), Fraction(pair.k + n, total) - h)
            tally.add(float(slack), decided=slack >= 0, counts=pair.counts, k=pair.k, i=i + 1, h=h)
    return tally.check()


def new_range(
    rng: np.random.Generator, instances: int, *, form: Literal["printed", "corrected"] = "printed", every: bool = True
) -> Check:
    r"""Check (10): $\frac kN\le h^{\tilde D}(d_i)\le\frac{k+n}{N-1}$ for all i. Exact.

    Integers of 63 bits, all instances at once, cross-multiplied. Corrected: at most $\frac{k+n-1}N$, for
    $i=i_2$ only (not `every`).
    """
    rng, instances = check_trials(rng, instances)
    if form not in ("printed", "corrected"):
        raise ValueError(f"form must be printed or corrected, got {_echo(form)}")
    size = 5
    n, k = rng.integers(1, 30, instances), rng.integers(1, 1000, instances)
    counts = rng.multinomial(n, rng.dirichlet(np.full(size, 0.4), instances))
    old = (counts * rng.random(counts.shape)).argmax(axis=1)  # a value that occurs
    new = (old + rng.integers(1, size, instances)) % size
    total = n + k * size
    top, under = (k + n, total - 1) if form == "printed" else (k + n - 1, total)
    chosen = counts if every else counts[np.arange(instances), new][:, None]
    value = chosen + k[:, None]
    slack = np.minimum(value - k[:, None], top[:, None] * total[:, None] - value * under[:, None]).min(axis=1)
    worst, failed = int(slack.argmin()), int((slack < 0).sum())
    example = {"counts": str(tuple(counts[worst].tolist())), "k": str(int(k[worst]))}
    return Check(instances, failed, float(slack[worst]), "exact", counterexample=example if failed else None)
