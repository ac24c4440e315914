r"""Checks of the relaxed exponential mechanism: what its definition determines, and Theorem 4.

Pairs and the set A are those of `mollified.relaxed_pairs`; $\rho=e^{\varepsilon/2}$. Source: bootstrapping paper,
Definition 2, Theorem 4.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Literal

import numpy as np
from flint import arb, ctx

from mollified._validate import _echo, check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.checks import Check, Tally
from mollified.instances import random_fraction
from mollified.relaxed_exponential import certified_law, qualifies, relaxed_law, response_sensitivities
from mollified.relaxed_pairs import TWO_OUTPUTS, WeightPair, random_pair, weight_pairs
from mollified.stopped_chain import hockey_stick

__all__ = [
    "definition_determines",
    "one_family",
    "sampling_rule",
    "sensitivity_definition",
    "set_exists",
    "theorem_4",
]

ONE = Fraction(1)
BITS = 256
Sets = Literal["one row", "both rows"]


def _random_scores(rng: np.random.Generator) -> tuple[list[tuple[Fraction, ...]], Fraction]:
    size = int(rng.integers(2, 5))
    wide = [1, 12, 40]
    steps = [wide[int(rng.integers(3))] for _ in range(size)]
    base = [Fraction(int(rng.integers(-20, 1))) for _ in range(size)]
    other = [u + int(rng.integers(-s, s + 1)) for u, s in zip(base, steps, strict=True)]
    other[0] = base[0] + 1
    return [tuple(base), tuple(other)], Fraction(1, [10, 100, 1000][int(rng.integers(3))])


def definition_determines(rng: np.random.Generator, instances: int, *, set_given: bool = False) -> Check:
    r"""Check that $\varepsilon,\delta,u$ and the range leave one law: one $\Delta u_\delta$ for all sets that fit.

    Exact: every set A of responses is tried, with $\Delta=\max_A\Delta u$ and the mechanism that this makes. Different
    $\Delta$ give different laws, the scores not being constant. `set_given` fixes A before, and the law is unique.
    First instance: scores (0, -10) and (-1, 10), $\delta=10^{-3}$, $e^\varepsilon=4$.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        scores, delta = _random_scores(rng)
        root = Fraction(2)
        if index == 0:
            scores, delta = [(Fraction(0), Fraction(-10)), (Fraction(-1), Fraction(10))], Fraction(1, 1000)
        if len(set(scores[0])) == 1:
            continue
        change, size = response_sensitivities(scores), len(scores[0])
        fixed = tuple(range(1 + int(rng.integers(size))))
        found: dict[Fraction, tuple[int, ...]] = {}
        for count in range(1, size + 1):
            for subset in combinations(range(size), count):
                step = max(change[r] for r in subset)
                if set_given and subset != fixed:
                    continue
                if step > 0 and (set_given or qualifies(scores[0], subset, step, root, delta)):
                    found.setdefault(step, subset)
        if not found:
            continue
        laws = [certified_law(scores[0], step, root) for step in found]
        first = [float(law[0].mid()) for law in laws]
        tally.add(
            -abs(first[0] - first[-1]),
            decided=len(found) == 1,
            scores=scores,
            delta=delta,
            root=root,
            sets=list(found.values()),
            sensitivities=list(found),
        )
    return tally.check()


def _table_mass(scores: list[tuple[Fraction, ...]], root: Fraction, delta: Fraction, whole: bool) -> arb:
    """Return the least mass over the rows of the largest set that qualifies for all of them, 0 where none does."""
    change, size = response_sensitivities(scores), len(scores[0])
    for count in range(size if whole else size - 1, 0, -1):
        for subset in combinations(range(size), count):
            step = max(change[r] for r in subset)
            if step > 0 and all(qualifies(row, subset, step, root, delta) for row in scores):
                laws = [certified_law(row, step, root) for row in scores]
                masses = [sum((law[r] for r in subset), arb(0)) for law in laws]
                return min(masses, key=lambda mass: float(mass.mid()))
    return arb(0)


def _leading_mass(j: int, root: Fraction) -> arb:
    """Return the mass under D of {0..j} on the range 0, 1, 2, ... with scores -r and -2r - 1 (see `set_exists`)."""
    scores = [tuple(Fraction(-r) for r in range(j + 1)), tuple(Fraction(-2 * r - 1) for r in range(j + 1))]
    x = ball(root) ** ball(-1 / max(response_sensitivities(scores)))
    return sum((x**r * (1 - x) for r in range(j + 1)), arb(0))  # the weights x^r of all r sum to 1 / (1 - x)


def set_exists(rng: np.random.Generator, instances: int, *, finite: bool, whole: bool = True) -> Check:
    r"""Check that some set A qualifies for every D: of mass >= $1-\delta$ for the law that its own $\Delta$ makes.

    `finite`: random tables of scores, every set of responses tried, the largest first, by `qualifies`; the mass of the
    one found is summed again from the law. `whole` False leaves out the range itself. Else the range 0, 1, 2, ... with
    $u(D,r)=-r$, $u(D',r)=-2r-1$, so $\Delta u(r)=r+1$: of the sets with largest element j (an infinite set has
    $\Delta=\infty$) {0..j} has most mass, $\sum_{r\le j}x^r(1-x)$ with $x=\rho^{-1/(j+1)}$, for j up to 5; the first
    instance is $\rho=2$, $\delta=\frac1{10}$. Ties are passed over. Certified.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified", keep="first")
    while tally.instances < instances:
        root, delta = 1 + Fraction(int(rng.integers(1, 30)), 10), Fraction(1, int(rng.integers(2, 50)))
        longest = 1 + int(rng.integers(6))
        with ctx.workprec(BITS):
            if finite:
                scores, delta = _random_scores(rng)
                best, values = _table_mass(scores, root, delta, whole), {"scores": scores}
            else:
                root, delta = (Fraction(2), Fraction(1, 10)) if tally.instances == 0 else (root, delta)
                masses = [_leading_mass(j, root) for j in range(longest)]
                best, values = max(masses, key=lambda mass: float(mass.mid())), {}
            slack = best - ball(1 - delta)
            if not (slack > 0 or slack < 0):
                continue
            found = f"{float(best.mid()):.6g}"
            tally.add(float(slack.mid()), decided=bool(slack > 0), root=root, delta=delta, largest_mass=found, **values)
    return tally.check()


def sensitivity_definition(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that $\Delta u(r)$ is a number >= 0 that bounds every change of the score at r and is attained. Exact.

    `claimed` < 1 takes that share of it.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for _ in range(instances):
        scores, _delta = _random_scores(rng)
        scores = [*scores, tuple(u + int(rng.integers(-3, 4)) for u in scores[0])]
        bound = [claimed * step for step in response_sensitivities(scores)]
        changes = [[abs(a - b) for a, b in combinations(column, 2)] for column in zip(*scores, strict=True)]
        good = all(max(row) == top for row, top in zip(changes, bound, strict=True))
        slack = min(float(top - max(row)) for row, top in zip(changes, bound, strict=True))
        tally.add(slack, decided=good, scores=scores, bound=bound)
    return tally.check()


def sampling_rule(rng: np.random.Generator, instances: int, *, printed_name: bool = False) -> Check:
    r"""Check that, with A given, the rule is a law that prefers higher scores: $P[r]/P[s]=\rho^{(u(r)-u(s))/\Delta}$.

    `printed_name` divides by "$u_\delta=\max u(r)$", as the line is printed, which may be zero or negative. Exact.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        scores, _delta = _random_scores(rng)
        step = max(scores[0]) if printed_name else max(response_sensitivities(scores))
        row = tuple(u * abs(step) if step else u for u in scores[0])  # whole multiples of the divisor
        root = 1 + Fraction(int(rng.integers(1, 300)), 100)
        if step == 0:
            tally.add(-1.0, decided=False, scores=row, divisor=step)
            continue
        law = relaxed_law(row if step > 0 else tuple(-u for u in row), abs(step), root)
        order = [(law[r] - law[s]) * (row[r] - row[s]) for r in range(len(row)) for s in range(r)]
        good = sum(law) == 1 and min(law) > 0 and min(order) >= 0
        tally.add(float(min(order)), decided=good, scores=row, divisor=step)
    return tally.check()


def _excess(pair: WeightPair, inside: bool) -> Fraction:
    r"""Return $\max_SP(S)-e^\varepsilon P'(S)$, or with $P'(S\cap A)$ for `inside`, the larger of both orders."""
    (one, two), cut, factor = pair.laws, pair.typical, pair.root**2
    if not inside:
        return hockey_stick(one, two, factor)
    found = []
    for p, q in ((one, two), (two, one)):
        cells = zip(p[:cut], q[:cut], strict=True)
        found.append(sum((max(a - factor * b, Fraction(0)) for a, b in cells), sum(p[cut:], Fraction(0))))
    return max(found)


def theorem_4(
    rng: np.random.Generator, instances: int, *, sets: Sets, inside: bool = False, claimed: Fraction = ONE
) -> Check:
    r"""Check $P(S)\le e^\varepsilon P'(S)+\delta$ for all S and both orders, $\delta$ the least that A allows. Exact.

    `sets` "one row": $\delta=1-P(A)$, as Definition 2 asks of D alone; first instance the two outputs of the page, with
    $\delta=10^{-3}$. "both rows": $\delta=1-\min(P(A),P'(A))$. `inside` has $P'(S\cap A)$ on the right, as (37): then
    $\sum_{r\in A}(P-e^\varepsilon P')_++1-P(A)\le\delta$. `claimed` < 1 allows that share of $\delta$. Raises
    ValueError for other sets.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    if sets not in ("one row", "both rows"):
        raise ValueError(f"sets must be one row or both rows, got {_echo(sets)}")
    tally = Tally("exact", keep="first")
    for index, pair in enumerate(weight_pairs(rng, instances, TWO_OUTPUTS)):
        mass, other = pair.masses
        delta = 1 - (mass if sets == "one row" else min(mass, other))
        if index == 0 and sets == "one row":
            delta = max(delta, Fraction(1, 1000))
        if index % 4 == 3:  # responses outside A that only D gives: the bound is then nearly attained
            cut, small = pair.typical, Fraction(1, 2**200)
            ones = (*pair.one, pair.one[-1] * small)
            twos = (*pair.two[:cut], *(w * small for w in pair.two[cut:]), sum(pair.two[:cut]) * pair.one[-1])
            pair = WeightPair(ones, twos, cut, pair.root)
            mass, other = pair.masses
            delta = 1 - (mass if sets == "one row" else min(mass, other))
        excess = _excess(pair, inside)
        slack = claimed * delta - excess
        tally.add(float(slack), decided=slack >= 0, **pair.values, delta=delta, needed=excess)
    return tally.check()


def one_family(rng: np.random.Generator, instances: int, *, shared: bool = True) -> Check:
    r"""Check that sets that change with D do no harm while $\Delta$ bounds the change on all of them. Exact.

    A for D, A' for D', both of mass >= $1-\delta$ for their own row, ratio of weights in $[\frac1\rho,\rho]$ on the
    union; `shared` False bounds the ratio on A only, as where $\Delta$ is computed from one data set's outputs.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for _ in range(instances):
        pair = random_pair(rng)
        ratio = [random_fraction(rng, 1 / pair.root, pair.root) for _ in pair.one]
        cut = pair.typical
        two = list(pair.two)
        if shared:
            two[cut] = pair.one[cut] * ratio[cut]
        pair = WeightPair(pair.one, tuple(two), cut, pair.root)
        one, two_law = pair.laws
        delta = 1 - min(sum(one[:cut]), sum(two_law[1 : cut + 1]))
        excess = max(hockey_stick(one, two_law, pair.root**2), hockey_stick(two_law, one, pair.root**2))
        tally.add(float(delta - excess), decided=excess <= delta, **pair.values, delta=delta, needed=excess)
    return tally.check()
