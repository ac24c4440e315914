r"""Checks for the page on the weak learning assumption: when a classifier with two edges exists, and what that says."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

import numpy as np
from flint import arb, ctx

from mollified._validate import check_fraction, check_trials
from mollified.ball_mbde import BITS, ball
from mollified.checks import Check, Tally
from mollified.exact_level import Law
from mollified.instances import random_fraction, random_law, random_signs, random_sparse_law
from mollified.weak_learning import edges, equal_edges, largest_edge, total_variation_exact, weak_game, weights_to_try
from mollified.weak_learning import support_value as support

__all__ = [
    "always_exists",
    "closer_is_harder",
    "criterion",
    "failure_means_learned",
    "one_edge_gives_two",
    "scale_free",
    "stumps",
    "tv_needed",
]

ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)


def _pair(rng: np.random.Generator, most: int = 6) -> tuple[Law, Law]:
    """Return two random laws on 2 to `most` points; one in four times the second is near the first."""
    size = int(rng.integers(2, most + 1))
    p, q = random_sparse_law(rng, size), random_sparse_law(rng, size)
    if rng.random() < 0.25:
        share = Fraction(int(rng.integers(1, 64)), 64)
        q = tuple(share * a + (1 - share) * b for a, b in zip(p, q, strict=True))
    return p, q


def _classifier(rng: np.random.Generator, size: int) -> tuple[Fraction, ...]:
    while True:
        values = random_signs(rng, size, Fraction(int(rng.integers(1, 9)), 4))
        if len(set(values)) > 1:
            return values


def scale_free(rng: np.random.Generator, instances: int, *, normalised: bool = True) -> Check:
    r"""Check that the assumption asks the same of $c$ and of every multiple $tc$, $t>0$. Exact.

    Both edges are divided by $c^*$ (v1 (3)); with `normalised` off they are not, and the answer depends on t.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    while tally.instances < instances:
        p, q = _pair(rng)
        values = _classifier(rng, len(p))
        factor = Fraction(int(rng.integers(1, 65)), 16)
        one = edges(values, p, q)
        scaled = tuple(factor * value for value in values)
        two = edges(scaled, p, q)
        if not normalised:
            tops = max(map(abs, values)), max(map(abs, scaled))
            one, two = (one[0] * tops[0], one[1] * tops[0]), (two[0] * tops[1], two[1] * tops[1])
        gap = max(abs(a - b) for a, b in zip(one, two, strict=True))
        tally.add(float(-gap), decided=gap == 0, P=p, Q=q, c=values, factor=factor)
    return tally.check()


def always_exists(rng: np.random.Generator, instances: int, *, condition: bool) -> Check:
    r"""Check that some classifier has edges above $(\gamma_P,\gamma_Q)$ on every pair (P, Q). Exact.

    Existence is decided by a classifier written out, or by the weight $\lambda$ that excludes all of them. As printed
    it fails, first for P = Q; with `condition` only pairs that satisfy the criterion count.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    while tally.instances < instances:
        p, q = _pair(rng)
        ask = [Fraction(int(rng.integers(1, 64)), 64) for _ in range(2)]
        if tally.instances == 0 and not condition:
            p = q = (HALF, HALF)
            ask = [Fraction(1, 10)] * 2
        if condition and not all(support(p, q, w) > w * ask[0] + (1 - w) * ask[1] for w in weights_to_try(p, q)):
            continue
        game = weak_game(p, q, *ask)
        found = any(game.classifier) and all(e > a for e, a in zip(edges(game.classifier, p, q), ask, strict=True))
        excluded = support(p, q, game.weight) <= game.weight * ask[0] + (1 - game.weight) * ask[1]
        assert found != excluded
        tally.add(float(game.value), decided=found, P=p, Q=q, gamma_P=ask[0], gamma_Q=ask[1], excluded_by=game.weight)
    return tally.check()


def _frontier(p: Law, q: Law, first: Fraction) -> tuple[Fraction, tuple[Fraction, ...]]:
    """Return the largest second edge among classifiers |c| <= 1 with first edge `first`, and such a classifier."""
    order = sorted((x for x in range(len(p)) if p[x] > 0), key=lambda x: q[x] / p[x])
    values, left = [-ONE] * len(p), first + 1
    for x in order:
        values[x] += min(Fraction(2), left / p[x])
        left -= (values[x] + 1) * p[x]
    return -sum((c * b for c, b in zip(values, q, strict=True)), ZERO), tuple(values)


def criterion(
    rng: np.random.Generator, instances: int, *, weights: Literal["all", "half"] = "all", strict: bool = True
) -> Check:
    r"""Check the criterion for a classifier with edges above $(\gamma_P,\gamma_Q)$ to exist. Exact.

    It is $\sum|\lambda P-(1-\lambda)Q|>\lambda\gamma_P+(1-\lambda)\gamma_Q$ for all $\lambda\in[0,1]$. Existence is
    decided by the Neyman-Pearson classifier with first edge $\gamma_P$: by its second edge against $\gamma_Q$, where
    $\gamma_Q$ is exactly that edge, 2 % less, or 2 % more, so that every instance is tight. `weights` "half" asks for
    $\lambda=\frac12$ only; `strict` off allows equality. Both must be refuted.
    """
    rng, instances = check_trials(rng, instances)
    if weights not in ("all", "half"):
        raise ValueError(f"weights must be all or half, got {weights!r}")
    tally = Tally("exact")
    while tally.instances < instances:
        p, q = _pair(rng)
        first = Fraction(int(rng.integers(1, 64)), 64)
        best, _ = _frontier(p, q, first)
        second = best * Fraction(int(rng.choice([98, 100, 102])), 100)
        if not 0 < second <= 1:
            continue
        tried = weights_to_try(p, q) if weights == "all" else (HALF,)
        slack = min(support(p, q, w) - w * first - (1 - w) * second for w in tried)
        holds = slack > 0 if strict else slack >= 0
        agree = holds == (best > second)
        tally.add(
            float(abs(best - second)) * (1 if agree else -1),
            decided=agree,
            P=p,
            Q=q,
            gamma_P=first,
            gamma_Q=second,
        )
    return tally.check()


def one_edge_gives_two(rng: np.random.Generator, instances: int, *, claimed: Literal["same", "shifted"]) -> Check:
    r"""Check what one edge $g=\frac1{2c^*}(\mathbb E_P[c]-\mathbb E_Q[c])$ gives in two equal edges. Exact.

    "same": some classifier has both edges at least $g$, the reading in which one and two constraints coincide. The
    first instance, P = (1, 0), Q = (1/2, 1/2), refutes it. "shifted": c with a constant added and rescaled has both
    edges at least $g/(2-g)$, for random classifiers with g > 0.
    """
    rng, instances = check_trials(rng, instances)
    if claimed not in ("same", "shifted"):
        raise ValueError(f"claimed must be same or shifted, got {claimed!r}")
    tally = Tally("exact", keep="first")
    while tally.instances < instances:
        p, q = _pair(rng)
        values = _classifier(rng, len(p))
        if tally.instances == 0:
            p, q, values = (ONE, ZERO), (HALF, HALF), (ONE, -ONE)
        edge = sum(edges(values, p, q)) / 2
        if edge <= 0:
            continue
        if claimed == "same":
            slack = largest_edge(p, q) - edge
        else:
            moved = equal_edges(values, p, q)
            slack = min(edges(moved, p, q)) - edge / (2 - edge)
        tally.add(float(slack), decided=slack >= 0, P=p, Q=q, c=values, one_edge=edge, best_two=largest_edge(p, q))
    return tally.check()


def tv_needed(rng: np.random.Generator, instances: int, *, factor: Fraction = ONE) -> Check:
    r"""Check $\operatorname{TV}(P,Q)\ge\text{factor}\cdot\frac12(a+b)$ for the edges (a, b) of every classifier. Exact.

    Half of the classifiers are the signs of P - Q, which attain equality, so a `factor` above 1 is refuted.
    """
    rng, instances = check_trials(rng, instances)
    factor = check_fraction("factor", factor, above=0)
    tally = Tally("exact")
    while tally.instances < instances:
        p, q = _pair(rng)
        values = _classifier(rng, len(p))
        if rng.random() < 0.5:
            values = tuple(ONE if a > b else -ONE for a, b in zip(p, q, strict=True))
        total = sum(edges(values, p, q)) / 2
        if total <= 0:
            continue
        slack = total_variation_exact(p, q) - factor * total
        tally.add(float(slack), decided=slack >= 0, P=p, Q=q, c=values)
    return tally.check()


def closer_is_harder(rng: np.random.Generator, instances: int, *, closeness: Literal["segment", "kl"]) -> Check:
    r"""Check that the largest equal edge does not grow as Q comes closer to P. Certified.

    "segment": closer means $Q'=(1-s)Q+sP$. "kl": closer means $\operatorname{KL}(P,Q')<\operatorname{KL}(P,Q)$, a
    sense in which the remark is wrong; the first instance is P = (9, 1)/10, Q = (1 - 10^-6, 10^-6), Q' = (3, 2)/5.
    """
    rng, instances = check_trials(rng, instances)
    if closeness not in ("segment", "kl"):
        raise ValueError(f"closeness must be segment or kl, got {closeness!r}")
    tally = Tally("certified", keep="first")
    while tally.instances < instances:
        p, q = _pair(rng)
        if closeness == "segment":
            share = random_fraction(rng, ZERO, ONE)
            near = tuple((1 - share) * b + share * a for a, b in zip(p, q, strict=True))
        else:
            p, q, near = (random_law(rng, len(p)) for _ in range(3))
            if tally.instances == 0:
                p, near, tiny = (Fraction(9, 10), Fraction(1, 10)), (Fraction(3, 5), Fraction(2, 5)), Fraction(1, 10**6)
                q = (1 - tiny, tiny)
            with ctx.workprec(BITS):
                if not divergence(p, q) > divergence(p, near):
                    continue
        slack = largest_edge(p, q) - largest_edge(p, near)
        tally.add(float(slack), decided=slack >= 0, P=p, Q=q, closer=near)
    return tally.check()


def divergence(p: Sequence[Fraction], q: Sequence[Fraction]) -> arb:
    """Return KL(P, Q) in nats as a ball of the working precision; Q must be positive where P is."""
    terms = (ball(a) * ball(a / b).log() for a, b in zip(p, q, strict=True) if a > 0)
    return sum(terms, arb(0))


def failure_means_learned(
    rng: np.random.Generator,
    instances: int,
    *,
    learned: Literal["tv", "kl"],
    bound: Fraction = ONE,
    shrink: Fraction = ONE,
) -> Check:
    r"""Check that P is near Q wherever no classifier has both edges above $\gamma$. Exact ("tv"), certified ("kl").

    "tv": $\operatorname{TV}(P,Q)\le\text{shrink}\cdot2\gamma/(1+\gamma)$ with $\gamma$ the largest edge of the pair,
    the tightest case; every fourth pair is (1, 0), (1-g, g), which attains it. "kl": $\operatorname{KL}(P,Q)\le$
    `bound` nats; the first pair is P = (9, 1)/10, Q = (1 - 10^-6, 10^-6), with $\gamma=1/10$.
    """
    rng, instances = check_trials(rng, instances)
    bound, shrink = check_fraction("bound", bound, above=0), check_fraction("shrink", shrink, above=0)
    if learned not in ("tv", "kl"):
        raise ValueError(f"learned must be tv or kl, got {learned!r}")
    tally = Tally("exact" if learned == "tv" else "certified", keep="first")
    while tally.instances < instances:
        p, q = _pair(rng)
        if learned == "kl":
            p, q = random_law(rng, len(p)), random_law(rng, len(p))
            if tally.instances == 0:
                tiny = Fraction(1, 10**6)
                p, q = (Fraction(9, 10), Fraction(1, 10)), (1 - tiny, tiny)
            gamma = max(largest_edge(p, q), Fraction(1, 10))
            with ctx.workprec(BITS):
                gap = ball(bound) - divergence(p, q)
            tally.add(float(gap.mid()), decided=bool(gap > 0), P=p, Q=q, gamma=gamma, bound=bound)
            continue
        if tally.instances % 4 == 0:
            g = Fraction(int(rng.integers(1, 64)), 64)
            p, q = (ONE, ZERO), (1 - g, g)
        gamma = largest_edge(p, q)
        slack = shrink * 2 * gamma / (1 + gamma) - total_variation_exact(p, q)
        tally.add(float(slack), decided=slack >= 0, P=p, Q=q, gamma=gamma)
    return tally.check()


def stumps(*, mixed: bool) -> Check:
    r"""Check that a learner has positive edges on P = (1, 0, 1)/2 against Q = (0, 1, 0), two laws at total variation 1.

    Its classifiers are the decision stumps, $\pm1$ on either side of a threshold, and the constants $\pm1$: none has
    two positive edges. With `mixed` it may average them: $\frac13$ of the two stumps that isolate an end and of the
    constant 1 has edges (1, 1) after rescaling. Exact, over all stumps.
    """
    p, q = (HALF, ZERO, HALF), (ZERO, ONE, ZERO)
    rows = [tuple(sign if x < cut else -sign for x in range(3)) for cut in range(4) for sign in (ONE, -ONE)]
    if mixed:
        chosen = ((ONE, -ONE, -ONE), (-ONE, -ONE, ONE), (ONE, ONE, ONE))
        rows.append(tuple(sum(column, ZERO) / 3 for column in zip(*chosen, strict=True)))
    best = max(rows, key=lambda row: min(edges(row, p, q)))
    tally = Tally("exact", scope="universal")
    slack = min(edges(best, p, q))
    tally.add(
        float(slack), decided=slack > 0, P=p, Q=q, TV=total_variation_exact(p, q), best=best, best_smaller_edge=slack
    )
    return tally.check()
