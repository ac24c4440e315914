r"""Checks of group privacy: chains of data sets, the printed and the attained constant; the table of eight counts."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise
from typing import Literal

import numpy as np
from flint import ctx

from mollified._validate import check_count, check_fraction, check_trials
from mollified.ball_mbde import BITS, ball
from mollified.checks import Check, Tally
from mollified.composition import exact_hockey_stick, group_factor
from mollified.exact_level import Law
from mollified.instances import random_sparse_law

__all__ = [
    "chain_of_data_sets",
    "eight_counts",
    "extreme_chain",
    "geometric_sum",
    "group_bound",
    "group_differs",
    "unrolled",
    "vacuous_from",
]

ONE = Fraction(1)
#: The lecture's table of people by gender and hair colour.
TABLE = (20, 32, 27, 9, 18, 40, 35, 10)


def _delta(chain: list[Law], factor: Fraction) -> Fraction:
    """Return the least delta of all steps of a chain, in both orders."""
    return max(max(exact_hockey_stick(a, b, factor), exact_hockey_stick(b, a, factor)) for a, b in pairwise(chain))


def extreme_chain(length: int, r: Fraction, delta: Fraction) -> list[Law]:
    r"""Return length + 1 laws on two points, the first with the probabilities 0, $\delta$, $r\delta+\delta$, ... Exact.

    $p_{k+1}=rp_k+\delta$ attains $P_k(S)\le rP_{k-1}(S)+\delta$ in each step. Raises TypeError or ValueError for length
    < 1, r < 1, delta < 0, or where a probability would exceed 1.
    """
    length, r = check_count("length", length), check_fraction("r", r, minimum=1)
    delta = check_fraction("delta", delta, minimum=0)
    values = [Fraction(0)]
    for _ in range(length):
        values.append(r * values[-1] + delta)
    if values[-1] > 1:
        raise ValueError(f"delta must leave all probabilities at most 1, got {delta!r}")
    return [(p, 1 - p) for p in values]


def _chain(rng: np.random.Generator, index: int, length: int) -> tuple[list[Law], Fraction, Fraction]:
    """Return a chain of laws with a factor r = e^eps and its delta: extreme, slowly changing, or unrelated laws."""
    r = 1 + Fraction(int(rng.integers(1, 200)), 100)
    if index % 3 == 0:
        delta = 1 / (Fraction(int(rng.integers(10, 1000))) * group_factor(r, length + 1, "corrected"))
        chain = extreme_chain(length, r, delta)
    elif index % 3 == 1:
        weight = Fraction(1, int(rng.integers(5, 50)))
        chain = [random_sparse_law(rng, 3)]
        for _ in range(length):
            fresh = random_sparse_law(rng, 3)
            chain.append(tuple((1 - weight) * p + weight * q for p, q in zip(chain[-1], fresh, strict=True)))
    else:
        chain = [random_sparse_law(rng, 3) for _ in range(length + 1)]
    return chain, r, _delta(chain, r)


def group_bound(
    rng: np.random.Generator,
    instances: int,
    *,
    form: Literal["printed", "corrected", "composition"] = "printed",
    claimed: Fraction = ONE,
    extra: int = 0,
) -> Check:
    r"""Check group privacy on chains of K + 1 laws, K = 1 to 5, with the exact delta of their steps. Exact.

    The ends must satisfy the definition at $K\varepsilon$, both orders, with `claimed` times $Ke^{K\varepsilon}\delta$
    ("printed"), $\frac{e^{K\varepsilon}-1}{e^\varepsilon-1}\delta$ ("corrected") or $K\delta$ ("composition"). Every
    third chain attains the corrected bound. `extra` > 0: the ends are K + `extra` steps apart.
    Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    claimed, extra = check_fraction("claimed", claimed, above=0), check_count("extra", extra, minimum=0)
    if form not in ("printed", "corrected", "composition"):
        raise ValueError(f"form must be printed, corrected or composition, got {form!r}")
    tally = Tally("exact")
    for index in range(instances):
        count = 1 + index % 5
        chain, r, delta = _chain(rng, index, count + extra)
        factor = Fraction(count) if form == "composition" else group_factor(r, count, form)
        ends = max(exact_hockey_stick(a, b, r**count) for a, b in ((chain[0], chain[-1]), (chain[-1], chain[0])))
        slack = claimed * factor * delta - ends
        tally.add(float(slack), decided=slack >= 0, first=chain[0], last=chain[-1], K=count, exp_eps=r, delta=delta)
    return tally.check()


def unrolled(rng: np.random.Generator, instances: int, *, missing: int = 0) -> Check:
    r"""Check the chain of inequalities up to its fourth line, for every event S. Exact.

    $P_0(S)\le r^KP_K(S)+(1+r+\dots+r^{K-1-\text{missing}})\delta$ on the chains of `group_bound`, both directions; with
    `missing` > 0 the last terms of the sum are left out. Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    missing = check_count("missing", missing, minimum=0)
    tally = Tally("exact")
    for index in range(instances):
        count = 1 + missing + index % 5
        chain, r, delta = _chain(rng, index, count)
        total = group_factor(r, count - missing, "corrected") * delta
        for first, last in ((chain[0], chain[-1]), (chain[-1], chain[0])):
            points = range(len(first))
            for event in (e for n in range(len(first) + 1) for e in combinations(points, n)):
                slack = r**count * sum(last[x] for x in event) + total - sum(first[x] for x in event)
                tally.add(float(slack), decided=slack >= 0, first=first, last=last, S=event, exp_eps=r, delta=delta)
    return tally.check()


def chain_of_data_sets(
    rng: np.random.Generator, instances: int, *, steps: Literal["all", "one-fewer"] = "all"
) -> Check:
    r"""Check that data sets at distance at most K are joined by K changes of at most one record. Exact.

    Random histograms; the chain adds or removes one record of the first value that differs, and rests once it is there.
    It must end at D', with every step at distance at most 1. "one-fewer" asks the same of $\|D-D'\|_1-1$ changes.
    Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    if steps not in ("all", "one-fewer"):
        raise ValueError(f"steps must be all or one-fewer, got {steps!r}")
    tally = Tally("exact")
    for _ in range(instances):
        size = int(rng.integers(1, 6))
        data, other = ([int(x) for x in rng.integers(0, 6, size)] for _ in range(2))
        distance = sum(abs(a - b) for a, b in zip(data, other, strict=True))
        if steps == "one-fewer" and distance == 0:
            continue
        count = distance - 1 if steps == "one-fewer" else distance + int(rng.integers(0, 3))
        chain = [list(data)]
        for _ in range(count):
            now = list(chain[-1])
            differ = [x for x in range(size) if now[x] != other[x]]
            if differ:
                now[differ[0]] += 1 if other[differ[0]] > now[differ[0]] else -1
            chain.append(now)
        jumps = [sum(abs(a - b) for a, b in zip(one, two, strict=True)) for one, two in pairwise(chain)]
        left = sum(abs(a - b) for a, b in zip(chain[-1], other, strict=True))
        fine = left == 0 and max(jumps, default=0) <= 1 and min(min(row) for row in chain) >= 0
        tally.add(float(-left), decided=fine, D=data, D2=other, changes=count)
    return tally.check()


def geometric_sum(
    rng: np.random.Generator, instances: int, *, form: Literal["printed", "sharper", "single"] = "printed"
) -> Check:
    r"""Check $1+r+\dots+r^{K-1}\le Kr^K$ ("printed"), or $\le Kr^{K-1}$ ("sharper"), or $\le r^K$ ("single", wrong).

    Exact. Random rational r from 1.01 to 30, K from 1 to 40. Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    if form not in ("printed", "sharper", "single"):
        raise ValueError(f"form must be printed, sharper or single, got {form!r}")
    tally = Tally("exact")
    for _ in range(instances):
        r = Fraction(round(100 * float(np.exp(rng.uniform(0.01, 3.4)))), 100)
        count = int(rng.integers(1, 41))
        right = {"printed": count * r**count, "sharper": count * r ** (count - 1), "single": r**count}[form]
        slack = 1 - group_factor(r, count, "corrected") / right
        tally.add(float(slack), decided=slack >= 0, exp_eps=r, K=count)
    return tally.check()


def group_differs(*, delta: Fraction = Fraction(1, 100)) -> Check:
    r"""Check that the guarantee for two records is not that of two runs, by an example of three laws. Exact.

    The first output has the probabilities 0, delta, $(1+r)\delta$ along the chain, r = 2. Each step is
    $(\log2,\delta)$-private and the ends are not $(2\log2,2\delta)$-private; passes where that is so.
    With delta = 0 there is nothing to see. Raises TypeError or ValueError unless 0 <= delta <= 1/10.
    """
    delta, r = check_fraction("delta", delta, minimum=0), Fraction(2)
    if delta > Fraction(1, 10):
        raise ValueError(f"delta must be at most 1/10, got {delta!r}")
    chain = extreme_chain(2, r, delta)
    ends = exact_hockey_stick(chain[2], chain[0], r * r)
    tally = Tally("exact")
    witness = _delta(chain, r) <= delta and ends > 2 * delta
    tally.add(float(ends - 2 * delta) if witness else -1.0, decided=witness, chain=[p[0] for p in chain], delta=delta)
    return tally.check()


def eight_counts(
    *,
    relation: Literal["add", "replace", "same-input"] = "add",
    noise: Literal["independent", "shared"] = "independent",
    levels: int = 1,
) -> Check:
    r"""Check that the lecture's table of eight noisy counts is `levels` times $\varepsilon$-private, $e^\varepsilon=2$.

    Exact. Noise with $P[Z=z]=\frac13 2^{-|z|}$. "add": one person is added to any one cell; "replace": a person moves
    to any other cell; "same-input": all eight counts count the same people, one of whom is added. With independent
    noise the largest ratio is the product over cells, found over all outputs within 2 of either count (beyond, the
    ratios repeat). With "shared" noise (one Z for all cells) the differences of the counts show, an event of
    probability 0 and 1. Raises TypeError or ValueError for bad arguments.
    """
    if relation not in ("add", "replace", "same-input"):
        raise ValueError(f"relation must be add, replace or same-input, got {relation!r}")
    if noise not in ("independent", "shared"):
        raise ValueError(f"noise must be independent or shared, got {noise!r}")
    levels = check_count("levels", levels)
    tally = Tally("exact", keep="first")
    if relation == "add":
        changed = [[(x, 1)] for x in range(8)]
    elif relation == "replace":
        changed = [[(x, -1), (y, 1)] for x in range(8) for y in range(8) if x != y]
    else:
        changed = [[(x, 1) for x in range(8)]]
    for change in changed:
        other = list(TABLE)
        for cell, step in change:
            other[cell] += step
        if noise == "shared":
            possible = len({b - a for a, b in zip(TABLE, other, strict=True)}) == 1
            chances = Fraction(int(possible)), ONE  # of the event that the differences are those of the other table
            tally.add(1.0 if possible else -1.0, decided=possible, table=TABLE, other=other, chances=chances)
            continue
        ratio = ONE
        for cell, _ in change:
            outputs = range(min(TABLE[cell], other[cell]) - 2, max(TABLE[cell], other[cell]) + 3)
            ratio *= max(Fraction(2) ** (abs(y - other[cell]) - abs(y - TABLE[cell])) for y in outputs)
        slack = 1 - ratio / 2**levels
        tally.add(float(slack), decided=slack >= 0, table=TABLE, other=other, ratio=ratio, allowed=Fraction(2**levels))
    return tally.check()


def vacuous_from(*, printed: int, attained: int) -> Check:
    r"""Check the least K at which the group delta for $\varepsilon=1$, $\delta=10^{-5}$ is 1 or more, by both bounds.

    Certified. `printed` for $Ke^{K\varepsilon}\delta$, `attained` for the geometric sum. Raises TypeError or ValueError
    for counts < 2.
    """
    counts = {
        "printed": check_count("printed", printed, minimum=2),
        "corrected": check_count("attained", attained, minimum=2),
    }
    tally = Tally("certified")
    with ctx.workprec(BITS):
        r, delta = ball(ONE).exp(), ball(Fraction(1, 10**5))
        for form, count in counts.items():
            here, before = (group_factor(r, k, form) * delta for k in (count, count - 1))  # type: ignore[arg-type]
            slack = min(float(here.mid()) - 1, 1 - float(before.mid()))
            tally.add(slack, decided=bool(here >= 1) and bool(before < 1), K=count)
    return tally.check()
