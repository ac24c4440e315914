r"""Checks of v1 Lemma 18 (v2 Lemma 19): what one bad possible output of a private algorithm excludes, and what not.

A mechanism reads m binary records and picks one of finitely many densities at random. All tables are rational and
every data set is enumerated, so that the hypothesis (neighbours differ by a factor of at most $R=e^\varepsilon$) is
exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
from flint import arb, ctx

from mollified._validate import check_count, check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.bounds import kl_outside
from mollified.checks import Check, Tally
from mollified.exact_level import Law
from mollified.instances import member_of_box, random_law
from mollified.kl_ball_bound import certified_kl

__all__ = [
    "averaged_law",
    "output_ratio",
    "possible_outputs",
    "probability_floor",
]

ONE, HALF = Fraction(1), Fraction(1, 2)
FEW_BITS = 256
Data = tuple[int, ...]


@dataclass(frozen=True)
class _Mechanism:
    """Hold, for each data set, the densities that can come out and their probabilities.

    Neighbours differ by at most the factor `root`; the level claimed is `eps`, or where it is None the log of `root`.
    """

    size: int
    root: Fraction
    weights: dict[Data, Law]
    outputs: dict[Data, list[Law]]
    target: Law
    eps: Fraction | None = None

    def level(self) -> arb:
        """Return the level as a ball."""
        return ball(self.root).log() if self.eps is None else ball(self.eps)

    def averaged(self, data: Data) -> Law:
        """Return the law of one draw from the random density."""
        columns = zip(*self.outputs[data], strict=True)
        return tuple(sum((w * q for w, q in zip(self.weights[data], c, strict=True)), Fraction(0)) for c in columns)

    def pairs(self) -> Iterator[tuple[Data, Data, int]]:
        """Yield all ordered pairs of different data sets with the number of records that differ."""
        for one, two in product(self.weights, repeat=2):
            if one != two:
                yield one, two, sum(a != b for a, b in zip(one, two, strict=True))

    def check_level(self, tables: dict[Data, Law]) -> None:
        """Raise ArithmeticError where neighbours differ by more than the factor `root` somewhere."""
        for one, two, distance in self.pairs():
            if distance == 1 and any(a > self.root * b for a, b in zip(tables[one], tables[two], strict=True)):
                raise ArithmeticError(f"tables of {one} and {two} are not within {self.root}")


def _coin(size: int, eps: Fraction) -> _Mechanism:
    """Return the algorithm that ignores the data and outputs P or (1/100, 99/100) with probability 1/2 each."""
    half = (HALF, HALF)
    outputs: list[Law] = [half, (Fraction(1, 100), Fraction(99, 100))]
    every = [(0,) * size, (1,) * size]
    return _Mechanism(size, ONE, dict.fromkeys(every, half), dict.fromkeys(every, outputs), half, eps)


def _chain(size: int, root: Fraction, share: Fraction = ONE) -> _Mechanism:
    r"""Return the density that is a function of the number j of ones: mass $R^{-j}R/(R+1)$ on the first point.

    P sits on that point. `share` multiplies the mass; above 1 the first step breaks the level.
    """
    outputs: dict[Data, list[Law]] = {}
    for data in product((0, 1), repeat=size):
        mass = share * root / (root + 1) / root ** sum(data)
        outputs[data] = [(mass, 1 - mass)]
    return _Mechanism(size, root, dict.fromkeys(outputs, (ONE,)), outputs, (ONE, Fraction(0)))


def _random(rng: np.random.Generator, *, moving: bool, single: bool = False) -> _Mechanism:
    r"""Return a random mechanism of level $\log R$ in one draw, two or three densities, or with `single` one.

    The index of the density is drawn with weights that are products over records of factors in [1, r], normalised:
    neighbours differ by at most $r^2$. With `moving` the densities depend on the data too, within a factor s of a
    fixed one: $R=r^2s^2$. Otherwise $R=r^2$, and the choice of the density itself is private at that level.
    """
    size, count, points = int(rng.integers(1, 4)), 1 if single else int(rng.integers(2, 4)), int(rng.integers(2, 5))
    r, s = (1 + Fraction(int(rng.integers(1, 150)), 100) for _ in range(2))
    base = [random_law(rng, points) for _ in range(count)]
    start = random_law(rng, count, spread=4)
    every = list(product((0, 1), repeat=size))
    factors = [[[1 + (r - 1) * int(rng.integers(5)) / 4 for _ in range(2)] for _ in range(size)] for _ in range(count)]
    weights: dict[Data, Law] = {}
    outputs: dict[Data, list[Law]] = {}
    for data in every:
        raw = list(start)
        for j in range(count):
            for place, record in enumerate(data):
                raw[j] *= factors[j][place][record]
        weights[data] = tuple(w / sum(raw) for w in raw)
        outputs[data] = base
        if moving:
            boxes = [(tuple(q / s for q in law), tuple(min(ONE, s * q) for q in law)) for law in base]
            outputs[data] = [member_of_box(rng, *box) for box in boxes]
    root = (ONE if single else r**2) * (s**2 if moving else ONE)
    return _Mechanism(size, root, weights, outputs, random_law(rng, points))


def possible_outputs(rng: np.random.Generator, instances: int, *, deterministic: bool) -> Check:
    r"""Check v1 Lemma 18: one possible output at $\Delta$ keeps all above $\Delta-m\varepsilon$. Certified.

    The choice of the density is $\varepsilon$-private in the strongest sense (its index is). The first mechanism is a
    coin that ignores m = 10 records, with $\varepsilon=\frac1{10}$. `deterministic` takes one density for each data
    set, within $e^\varepsilon$ of that of a neighbour, where the lemma is true. An instance is a pair of data sets, the
    margin that of the best output.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified", keep="first")
    with ctx.workprec(FEW_BITS):
        while tally.instances < instances:
            first = tally.instances == 0 and not deterministic
            machine = _coin(10, Fraction(1, 10)) if first else _random(rng, moving=deterministic, single=deterministic)
            machine.check_level(
                {d: q[0] for d, q in machine.outputs.items()} if deterministic else machine.weights,
            )
            eps = machine.level()
            found = {data: [certified_kl(machine.target, q) for q in laws] for data, laws in machine.outputs.items()}
            for one, two, _ in machine.pairs():
                worst = max(found[two], key=lambda value: float(value.mid()))
                best = min(found[one], key=lambda value: float(value.mid()))
                slack = best - kl_outside(abs(worst), eps, form="printed", size=machine.size)
                tally.add(
                    float(slack.mid()),
                    decided=bool(slack > 0),
                    P=machine.target,
                    outputs=machine.outputs[one],
                    probabilities=machine.weights[one],
                    R=machine.root,
                    eps="log R" if machine.eps is None else machine.eps,
                    m=machine.size,
                )
    return tally.check()


def averaged_law(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check $\operatorname{KL}(P,\bar Q(D))\ge\operatorname{KL}(P,\bar Q(D'))-d\varepsilon$ for the law of one draw.

    Random mechanisms, and (every fourth) the chain that attains it, where P sits on points of the full level and the
    two sides are compared in rationals; d records differ. Certified. `claimed` states that share of $\varepsilon$. An
    instance is a pair of data sets.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0, maximum=1)
    tally, drawn = Tally("certified"), 0
    with ctx.workprec(FEW_BITS):
        while tally.instances < instances:
            machine = _random(rng, moving=bool(rng.random() < 0.5))
            if drawn % 4 == 0:
                machine = _chain(int(rng.integers(1, 5)), 1 + Fraction(int(rng.integers(1, 300)), 100))
            drawn += 1
            laws = {data: machine.averaged(data) for data in machine.weights}
            machine.check_level(laws)
            found = {data: certified_kl(machine.target, law) for data, law in laws.items()}
            eps = ball(claimed) * ball(machine.root).log()
            for one, two, distance in machine.pairs():
                slack = found[one] - kl_outside(abs(found[two]), eps, form="corrected", distance=distance)
                factor = machine.root**distance
                support = [place for place, p in enumerate(machine.target) if p > 0]
                if claimed == 1 and all(laws[one][x] == factor * laws[two][x] for x in support):
                    tally.add(0.0, decided=not slack < 0)
                    continue
                tally.add(
                    float(slack.mid()),
                    decided=bool(slack > 0),
                    P=machine.target,
                    law=laws[one],
                    law_other=laws[two],
                    R=machine.root,
                    distance=distance,
                )
    return tally.check()


def output_ratio(rng: np.random.Generator, instances: int, *, averaged: bool) -> Check:
    r"""Check that neighbours differ by at most $e^\varepsilon$: any two outputs, or the averaged laws. Exact.

    As printed in v1 (102) it is any element of $\mathcal Q(D_j)$ and any of $\mathcal Q(D_{j+1})$; the first mechanism
    is a coin that ignores one record, R = 11/10. `averaged` takes the law of one draw. The margin is $R$ less the
    largest ratio.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    while tally.instances < instances:
        machine = _coin(1, ONE) if tally.instances == 0 and not averaged else _random(rng, moving=False)
        machine.check_level(machine.weights)
        root = max(machine.root, Fraction(11, 10))
        for one, two, distance in machine.pairs():
            if distance > 1:
                continue
            left, right = machine.outputs[one], machine.outputs[two]
            if averaged:
                left, right = [machine.averaged(one)], [machine.averaged(two)]
            ratio = max(a / b for q, law in product(left, right) for a, b in zip(q, law, strict=True))
            tally.add(float(root - ratio), decided=ratio <= root, outputs=left, neighbour=right, R=root, ratio=ratio)
    return tally.check()


def probability_floor(rng: np.random.Generator, instances: int, *, missing: int = 0) -> Check:
    r"""Check that an output of probability $\pi$ on $D'$ has at least $e^{-d\varepsilon}\pi$ on D. Exact.

    For mechanisms whose choice of a density is $\varepsilon$-private, and the one that picks the bad density with
    probability $\frac12R^{-j}$, j ones in D. `missing` is taken off the number d of records that differ.
    """
    rng, instances = check_trials(rng, instances)
    missing = check_count("missing", missing, minimum=0)
    tally, drawn = Tally("exact"), 0
    while tally.instances < instances:
        machine = _random(rng, moving=False)
        weights, root = machine.weights, machine.root
        if drawn % 4 == 0:
            weights = {data: (HALF / root ** sum(data), 1 - HALF / root ** sum(data)) for data in weights}
        drawn += 1
        machine.check_level(weights)
        for one, two, distance in machine.pairs():
            for here, there in zip(weights[one], weights[two], strict=True):
                slack = here - there / root ** (distance - missing)
                tally.add(float(slack), decided=slack >= 0, here=here, there=there, R=root, distance=distance)
    return tally.check()
