r"""Checks for the page on exact sampling: rejection, the count of proposals, and Metropolis-Hastings."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mollified._validate import check_count, check_trials
from mollified.checks import Check, Tally
from mollified.exact_level import Law, exact_probabilities
from mollified.instances import member_of_box, random_law, random_root

__all__ = [
    "chain_level",
    "chain_on_integers",
    "metropolis_step",
    "proposal_count",
    "rejection_law",
    "unbounded_domain",
]

ONE = Fraction(1)


def _members(rng: np.random.Generator) -> tuple[Law, Fraction, Law, Law]:
    base, root = random_law(rng, int(rng.integers(2, 6)), spread=6), random_root(rng)
    low, high = tuple(q / root for q in base), tuple(min(root * q, ONE) for q in base)
    return base, root, member_of_box(rng, low, high), member_of_box(rng, low, high)


def rejection_law(rng: np.random.Generator, instances: int, *, cap: bool = False) -> Check:
    r"""Check that rejection from $Q_0$ with envelope $rQ_0$ has the law Q exactly. Rationals.

    The law of the first accepted proposal is $Q_0(x)a(x)/\sum_yQ_0(y)a(y)$ with $a=Q/(rQ_0)\le1$; it must equal Q.
    `cap` uses an envelope that is too low by a tenth and truncates a at 1, as a careless sampler would.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        base, root, member, _ = _members(rng)
        envelope = root * Fraction(9, 10) if cap else root
        accept = [min(ONE, q / (envelope * q0)) for q, q0 in zip(member, base, strict=True)]
        total = sum((q0 * a for q0, a in zip(base, accept, strict=True)), Fraction(0))
        law = tuple(q0 * a / total for q0, a in zip(base, accept, strict=True))
        distance = sum((abs(a - b) for a, b in zip(law, member, strict=True)), Fraction(0)) / 2
        tally.add(float(-distance), decided=law == member, Q0=base, Q=member, root=root)
    return tally.check()


def proposal_count(rng: np.random.Generator, instances: int, *, normalised: bool = True, rounds: int = 40) -> Check:
    r"""Check that the pair (draw, number of proposals) is as private as the draw alone. Rationals.

    Two data sets give weights $e^{\pm\varepsilon/4}$ with random signs, Z is their mass under $Q_0$. With the
    normalised density under the envelope $e^{\varepsilon/2}Q_0$ a proposal is accepted with probability
    $e^{-\varepsilon/2}$ whatever the data, so $\Pr[N=n,X=x]$ keeps the ratio $Q(x)/Q'(x)\le e^\varepsilon$ for every
    n. The unnormalised weight under $e^{\varepsilon/4}Q_0$ is accepted with probability $Ze^{-\varepsilon/4}$, and the
    ratio grows geometrically in n.
    """
    rng, instances = check_trials(rng, instances)
    rounds = check_count("rounds", rounds)
    tally = Tally("exact")
    for _ in range(instances):
        base, quarter = random_law(rng, int(rng.integers(2, 6)), spread=6), random_root(rng)  # exp(eps/4)
        laws, rates = [], []
        for _ in range(2):
            weights = [quarter if rng.random() < 0.5 else 1 / quarter for _ in base]
            mass = sum((q * w for q, w in zip(base, weights, strict=True)), Fraction(0))
            laws.append(tuple(q * w / mass for q, w in zip(base, weights, strict=True)))
            rates.append(1 / quarter**2 if normalised else mass / quarter)
        slack, fine = ONE, True
        for count in (1, rounds):
            for x in range(len(base)):
                seen = [(1 - rate) ** (count - 1) * rate * law[x] for rate, law in zip(rates, laws, strict=True)]
                above, below = max(seen), min(seen)
                fine = fine and above <= quarter**4 * below
                slack = min(slack, 1 - above / (quarter**4 * below) if below else -ONE)
        tally.add(max(float(slack), -1e300), decided=fine, Q0=base, laws=laws, exp_quarter=quarter, rates=rates)
    return tally.check()


def _step(law: Law, start: Law) -> Law:
    """Apply one Metropolis-Hastings step on two points: propose the other one, accept with min(1, ratio)."""
    forth = min(ONE, law[1] / law[0])
    back = min(ONE, law[0] / law[1])
    stay = start[0] * (1 - forth) + start[1] * back
    return stay, 1 - stay


def chain_level(one: Law, two: Law, start: Law, steps: int) -> Fraction:
    r"""Return $e^{\text{level}}$ of a Metropolis-Hastings chain on two points, stopped after `steps` steps. Exact.

    The chain proposes the other point with probability 1/2 (else it stays), for the densities `one` and `two` of two
    data sets, both positive at both points, from the law `start`. Raises ValueError or TypeError where they are not
    rational probabilities, and ZeroDivisionError where the stopped laws have an infinite ratio.
    """
    one, two = exact_probabilities("one", one, size=2), exact_probabilities("two", two, size=2)
    start, steps = exact_probabilities("start", start, size=2), check_count("steps", steps, minimum=0)
    for name, law in (("one", one), ("two", two)):
        if 0 in law:
            raise ValueError(f"{name} must be positive at both points, got {law!r}")
    laws: list[Law] = []
    for density in (one, two):
        current = start
        for _ in range(steps):
            moved = _step(density, current)
            current = ((current[0] + moved[0]) / 2, (current[1] + moved[1]) / 2)
        laws.append(current)
    return max(max(a / b, b / a) for a, b in zip(laws[0], laws[1], strict=True))


def metropolis_step(*, exact: bool) -> Check:
    r"""Check that sampling from a mollifier by a stopped chain keeps its level. Rationals.

    $Q=(1/2,1/2)$ and $Q'=(2/3,1/3)$ form a mollifier with $e^\varepsilon=3/2$. One step of random-walk
    Metropolis-Hastings (propose the other point with probability 1/2) from the first point gives it probabilities 1/2
    and 3/4, and the second point 1/2 and 1/4: ratio 2. With `exact` the two laws themselves are released.
    """
    one, two = (Fraction(1, 2), Fraction(1, 2)), (Fraction(2, 3), Fraction(1, 3))
    level = Fraction(3, 2)
    start = (ONE, Fraction(0))
    reached = max(max(a / b, b / a) for a, b in zip(one, two, strict=True))
    if not exact:
        reached = chain_level(one, two, start, 1)
    tally = Tally("exact")
    tally.add(
        float(1 - reached / level),
        decided=reached <= level,
        Q=one,
        Q2=two,
        start=start,
        steps=1,
        ratio=reached,
    )
    return tally.check()


def unbounded_domain(rng: np.random.Generator, instances: int, *, laplace: bool = False) -> Check:
    r"""Check that the relative mollifier keeps its level on the unbounded domain of the integers 0, 1, 2, ... Exact.

    $Q_0(x)=2^{-x-1}$ on all of $\mathbb N$ and $Q\propto Q_0e^{s\varepsilon/4}$ with signs s(x) that are constant
    from some point on: the mass is a finite sum plus a geometric tail. Weights $e^{\pm\varepsilon/4}$ before
    normalising, as in MBDE, give a ratio of at most $e^\varepsilon$. `laplace` instead moves a double geometric law by
    d, whose ratio $2^d$ has no bound on the domain.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        size = int(rng.integers(1, 9))
        half = 1 + Fraction(int(rng.integers(1, 300)), 100)  # exp(eps/4)
        if laplace:
            ratio = Fraction(2) ** int(rng.integers(1, 60))
        else:
            densities = []
            for _ in range(2):
                signs = [1 if rng.random() < 0.5 else -1 for _ in range(size + 1)]
                weights = [half**s for s in signs]  # the last sign rules the whole tail x >= size
                mass = sum((w * Fraction(1, 2 ** (x + 1)) for x, w in enumerate(weights[:-1])), Fraction(0))
                mass += weights[-1] * Fraction(1, 2**size)
                densities.append([w / mass for w in weights])
            ratio = max(max(a / b, b / a) for a, b in zip(*densities, strict=True))
        slack = 1 - ratio / half**4
        tally.add(float(slack), decided=slack >= 0, root=half**2, ratio=ratio)
    return tally.check()


def chain_on_integers(*, exact: bool) -> Check:
    r"""Check that a stopped chain keeps a level on the unbounded domain of all integers. Rationals.

    $Q_0(x)=2^{-|x|}/3$, and two members of its mollifier with $e^{\varepsilon/2}=2$: Q is larger at $\pm1$, so that
    $Q(\pm1)=Q(0)$, Q' smaller, $Q'(\pm1)=Q'(0)/4$ (the tails beyond take the rest). From 0 a random walk with steps
    $\pm1$ always leaves under Q and stays with probability 3/4 under Q': the event {0} has probability 0 and 3/4,
    and no level is finite. With `exact` the two densities themselves are released.
    """
    root = Fraction(2)
    third = Fraction(1, 3)
    start = {"Q0": (third, third, third)}  # masses of {0}, {-1, 1} and the rest
    # weights by block before normalising, chosen so that all ratios to Q0 stay within [1/2, 2]
    raw = {"Q": (ONE, 2 * ONE, ONE), "Q2": (2 * ONE, ONE, ONE)}
    laws = {}
    for name, weights in raw.items():
        masses = [w * q for w, q in zip(weights, start["Q0"], strict=True)]
        laws[name] = tuple(mass / sum(masses) for mass in masses)
    for law in laws.values():
        if any(not 1 / root <= mass / third <= root for mass in law):
            raise ArithmeticError(f"{law!r} leaves the mollifier")
    stay = {}
    for name, law in laws.items():
        accept = min(ONE, (law[1] / 2) / law[0])  # each of -1 and 1 carries half of its block
        stay[name] = 1 - accept
    tally = Tally("exact")
    level = root**2
    if exact:
        worst = max(max(a / b, b / a) for a, b in zip(laws["Q"], laws["Q2"], strict=True))
        tally.add(float(1 - worst / level), decided=worst <= level, ratio=worst, exp_eps=level)
    else:
        fine = stay["Q2"] <= level * stay["Q"] and stay["Q"] <= level * stay["Q2"]
        tally.add(-float(abs(stay["Q2"] - stay["Q"])), decided=fine, stay=stay["Q"], stay2=stay["Q2"], exp_eps=level)
    return tally.check()
