r"""Checks for the page on stopped chains: chains that start from a draw of the reference. Rationals."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np

from mollified._validate import check_count, check_fraction, check_rng, check_trials
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel, Law
from mollified.instances import member_of_box, mollifier_box, random_fraction, random_law
from mollified.stopped_chain import (
    Kernel,
    independence_proposal,
    independence_ratio,
    metropolis_rows,
    point_start,
    stopped_laws,
    walk_pair,
    walk_proposal,
    worst_ratio,
)

__all__ = [
    "any_chain",
    "extreme_pair",
    "independence_level",
    "independence_order",
    "member_pair",
    "output_pair",
    "two_states",
]

ONE = Fraction(1)


def _root(rng: np.random.Generator) -> Fraction:
    """Return a rational above 1, from 1.02 to about 20."""
    return 1 + Fraction(round(50 * float(np.exp(rng.uniform(0.0, 6.8)))), 2500)


def member_pair(rng: np.random.Generator) -> tuple[Law, Fraction, Law, Law]:
    r"""Return $Q_0$, $r=e^{\varepsilon/2}$ and two random members of $\mathcal M_{\varepsilon,Q_0}$.

    They are often at its boundary. Raises TypeError for a bad rng.
    """
    rng = check_rng("rng", rng)
    base, root = random_law(rng, int(rng.integers(2, 6)), spread=8), _root(rng)
    low, high = mollifier_box(base, root)
    return base, root, member_of_box(rng, low, high), member_of_box(rng, low, high)


def output_pair(rng: np.random.Generator) -> tuple[Law, Fraction, Law, Law]:
    r"""Return $Q_0$, $r=e^{\varepsilon/2}$ and two densities of the form of an output of MBDE.

    They are $\propto vQ_0$ with $v\in[e^{-\varepsilon/4},e^{\varepsilon/4}]$, and $e^{\varepsilon/4}$ is rational.
    Raises TypeError for a bad rng.
    """
    rng = check_rng("rng", rng)
    base, quarter = random_law(rng, int(rng.integers(2, 6)), spread=8), _root(rng)
    laws = []
    for _ in range(2):
        masses = [q * random_fraction(rng, 1 / quarter, quarter, steps=8) for q in base]
        laws.append(tuple(mass / sum(masses) for mass in masses))
    return base, quarter**2, laws[0], laws[1]


def extreme_pair(root: Fraction, atom: Fraction) -> tuple[Law, Law, Law]:
    r"""Return $Q_0=(a,1-a)$ and the two members of the mollifier with $Q=ra$ and $Q'=a/r$ at the first point.

    Raises TypeError or ValueError for a root that is not a rational above 1, or an atom outside $(0,1/(r+1)]$, where
    the second point would leave the mollifier.
    """
    r, a = check_fraction("root", root, above=1), check_fraction("atom", atom, above=0)
    if a * (r + 1) > 1:
        raise ValueError(f"atom must be at most 1/(root + 1), got {atom!r} with root {root!r}")
    return (a, 1 - a), (r * a, 1 - r * a), (a / r, 1 - a / r)


def _random_proposal(rng: np.random.Generator, base: Law) -> Kernel:
    """Return proposals on the points of `base`: the walk, fresh draws, always another point, or random rows."""
    size, kind = len(base), int(rng.integers(4))
    if kind == 0:
        return walk_proposal(size)
    if kind == 1:
        return independence_proposal(base)
    if kind == 2:
        return tuple(tuple(Fraction(int(i != j), size - 1) for j in range(size)) for i in range(size))
    return tuple(random_law(rng, size, spread=4) for _ in range(size))


def _after(start: Law, target: Law, proposals: list[Kernel]) -> Law:
    """Return the law after one Metropolis-Hastings step with each of the proposals in turn."""
    law = start
    for proposal in proposals:
        law = stopped_laws(metropolis_rows(target, proposal), law, 1)[-1]
    return law


def any_chain(
    rng: np.random.Generator,
    instances: int,
    *,
    outputs: bool = True,
    claimed: Fraction = ONE,
    fixed_start: bool = False,
) -> Check:
    r"""Check that a chain from a draw of Q_0, stopped at any time, has level at most $c\varepsilon$. Rationals.

    With `outputs` the two targets have the form of MBDE outputs, $Q\propto vQ_0$ with
    $|\log v|\le\varepsilon/4$; else they are members of $\mathcal M_{\varepsilon,Q_0}$. The theorem gives c = 1 and
    c = 2, whatever proposals are used, also different ones in different steps; c is `claimed`, compared exactly. Each
    is attained by the instance tried first: two points that are exchanged, and `walk_pair` at $e^\varepsilon=4$.
    `fixed_start` starts from the last point instead.
    """
    rng, instances = check_trials(rng, instances)
    power = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact", keep="first")
    base: Law
    one: Law
    two: Law
    proposals: list[Kernel]
    for at in range(instances):
        steps = int(rng.integers(1, 6))
        if at == 0 and outputs:
            base, root = (Fraction(1, 5), Fraction(4, 5)), Fraction(4)
            one, two = (Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 17), Fraction(16, 17))
            proposals = [((Fraction(0), ONE), (ONE, Fraction(0)))]
        elif at == 0:
            root = Fraction(2)
            base, one, two = walk_pair(root)
            proposals = [walk_proposal(4)]
        else:
            base, root, one, two = output_pair(rng) if outputs else member_pair(rng)
            proposals = [_random_proposal(rng, base) for _ in range(steps)]
        start = point_start(len(base), len(base) - 1) if fixed_start else base
        ratio = worst_ratio(_after(start, one, proposals), _after(start, two, proposals))
        level = ExactLevel(exp_eps=root**2)
        fine = ratio is not None and level.at_most(ratio, power)
        shown = -1e300 if ratio is None else float(level) * float(power) - float(np.log(float(ratio)))
        tally.add(shown, decided=fine, Q0=base, Q=one, Q2=two, root=root, steps=len(proposals), ratio=ratio)
    return tally.check()


def independence_level(rng: np.random.Generator, instances: int, *, shift: int = 0) -> Check:
    r"""Check the level of the independence sampler from a draw of Q_0, for members of the mollifier. Rationals.

    After n steps $1/r\le L_n/Q_0\le r(1-(1-1/r)^{n+1})$, and so $L_n/L_n'\le e^{\varepsilon_n}$ as `independence_ratio`
    says, for n = 1, ..., 6. `shift` takes it after n - shift steps. Tried first: two points, the smaller 1/1024, r = 2.
    """
    rng, instances = check_trials(rng, instances)
    late = check_count("shift", shift, minimum=0)
    tally = Tally("exact", keep="first")
    for at in range(instances):
        if at == 0:
            root = Fraction(2)
            base, one, two = extreme_pair(root, Fraction(1, 1024))
        else:
            base, root, one, two = member_pair(rng)
        steps, proposal = int(rng.integers(1, 7)), independence_proposal(base)
        laws = [stopped_laws(metropolis_rows(target, proposal), base, steps)[-1] for target in (one, two)]
        bound = independence_ratio(root, max(steps - late, 0))
        low = min(p / q for law in laws for p, q in zip(law, base, strict=True))
        high = max(p / q for law in laws for p, q in zip(law, base, strict=True))
        ratio = worst_ratio(*laws)
        fine = ratio is not None and ratio <= bound and low >= 1 / root and high * root <= bound
        slack = -ONE if ratio is None else min(1 - ratio / bound, root * low - 1, 1 - high * root / bound)
        tally.add(float(slack), decided=fine, Q0=base, Q=one, Q2=two, root=root, steps=steps, ratio=ratio)
    return tally.check()


def independence_order(rng: np.random.Generator, instances: int, *, walk: bool = False) -> Check:
    r"""Check the step of the proof: $L_n/Q$ falls and $L_n/Q_0$ rises as $w=Q/Q_0$ rises. Rationals.

    Points are sorted by w; for n = 1, ..., 5 both quotients must be monotone. `walk` takes steps to neighbours instead
    of fresh draws of Q_0, for which the order is lost.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        base, root, one, _ = member_pair(rng)
        steps = int(rng.integers(1, 6))
        proposal = walk_proposal(len(base)) if walk else independence_proposal(base)
        law = stopped_laws(metropolis_rows(one, proposal), base, steps)[-1]
        weights = [q / q0 for q, q0 in zip(one, base, strict=True)]
        order = sorted(range(len(base)), key=weights.__getitem__)
        margins = [Fraction(0)]
        for x, y in pairwise(order):
            margins.append(law[x] / one[x] - law[y] / one[y])
            margins.append(law[y] / base[y] - law[x] / base[x])
        tally.add(float(min(margins)), decided=min(margins) >= 0, Q0=base, Q=one, root=root, steps=steps)
    return tally.check()


def two_states(*, both: bool) -> Check:
    r"""Check that what is released of one chain from a draw of Q_0 keeps the level of MBDE outputs. Rationals.

    $Q_0=(1/5,4/5)$, $Q=(1/2,1/2)$, $Q'=(1/17,16/17)$, $e^{\varepsilon/4}=2$, proposals to the other point. The state
    after one step has the ratio $16=e^\varepsilon$ exactly. With `both` the start is released too: a chain that stays
    at the second point is impossible under Q and possible under Q'.
    """
    base = (Fraction(1, 5), Fraction(4, 5))
    targets = ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 17), Fraction(16, 17)))
    flip = ((Fraction(0), ONE), (ONE, Fraction(0)))
    kernels = [metropolis_rows(target, flip) for target in targets]
    if both:
        released = [tuple(base[x] * kernel[x][y] for x in (0, 1) for y in (0, 1)) for kernel in kernels]
    else:
        released = [stopped_laws(kernel, base, 1)[-1] for kernel in kernels]
    ratio, level = worst_ratio(*released), Fraction(16)
    fine = ratio is not None and ratio <= level
    tally = Tally("exact")
    tally.add(-1.0 if ratio is None else float(1 - ratio / level), decided=fine, one=released[0], two=released[1])
    return tally.check()
