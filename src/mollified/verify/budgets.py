r"""Checks of what k draws from MBDE spend, and of the two ways to divide a budget among them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
from flint import arb, ctx

from mollified._validate import check_count, check_fraction, check_trials
from mollified.ball_mbde import BITS, ball, ball_mbde, ball_theta
from mollified.bounds import gain_lower
from mollified.budget_bounds import divided_level, level_of_draws
from mollified.checks import Check, Tally
from mollified.convex_hull import exact_mixture
from mollified.exact_level import ExactLevel, Law
from mollified.instances import random_family, random_level, random_run, random_signs
from mollified.theta import LOG2

__all__ = [
    "dividing_classifiers",
    "dividing_compared",
    "draws_spend",
    "full_division",
    "guaranteed_gains",
    "product_level",
    "released_density",
    "total_budgets",
]

ONE = Fraction(1)
#: A double is off by 2^-53 of a gain below 20, with a few operations for each of at most 12 rounds.
GAIN_TOLERANCE = 1e-13


def _largest_ratio(one: list[Fraction], two: list[Fraction]) -> Fraction:
    return max(max(a / b, b / a) for a, b in zip(one, two, strict=True))


def _of_draws(law: Law, draws: int) -> list[Fraction]:
    """Return the probabilities of all sequences of independent draws."""
    return [prod(entries, start=ONE) for entries in product(law, repeat=draws)]


def _joint(law: Law, draws: int, at: int, correlation: Fraction) -> list[Fraction]:
    """Return the probabilities of all sequences of draws whose first two are correlated; each keeps its law.

    `correlation` is the share of the largest mass that can be moved from the pairs of unlike points `at` and the next
    one to the pairs of like ones; negative: the other way.
    """
    other = (at + 1) % len(law)
    least = law[at] * law[other] if correlation > 0 else min(law[at], law[other]) ** 2
    shift = correlation * least
    moved = {(at, at): shift, (other, other): shift, (at, other): -shift, (other, at): -shift}
    rest = _of_draws(law, draws - 2)
    pairs = [law[x] * law[y] + moved.get((x, y), Fraction(0)) for x, y in product(range(len(law)), repeat=2)]
    return [pair * later for pair, later in product(pairs, rest)]


def product_level(
    rng: np.random.Generator,
    instances: int,
    *,
    missing: int = 0,
    correlation: Fraction = Fraction(0),
    claimed: Fraction = ONE,
) -> Check:
    r"""Check composition: where one draw has the exact level $\log r$, k independent draws have exactly $k\log r$.

    Two random laws, k = 1..4, all sequences are enumerated. `missing` claims the level of k - `missing` draws,
    `claimed` that share of $r^k$. A `correlation` $\eta>0$ makes the first two of k = 2..4 draws dependent, by +$\eta$
    under one law and -$\eta$ under the other, and keeps the law of each draw; the first instance is then two fair bits,
    each alone of level 0. Exact. The same numbers say what rows released one by one spend.
    """
    rng, instances = check_trials(rng, instances)
    missing = check_count("missing", missing, minimum=0)
    correlation = check_fraction("correlation", correlation, minimum=0, maximum=1)
    claimed = check_fraction("claimed", claimed, above=0)
    if correlation == 1:
        raise ValueError(f"correlation must be < 1, got {correlation!r}")
    tally = Tally("exact", keep="first")
    for index in range(instances):
        one, two = random_family(rng, 2, int(rng.integers(2, 5)))
        draws = 1 + index % 4
        if correlation == 0:
            laws = [_of_draws(law, draws) for law in (one, two)]
        else:
            draws = 2 + index % 3
            if index == 0:
                one = two = (Fraction(1, 2), Fraction(1, 2))
            at = max(range(len(one)), key=lambda x: max(one[x] / two[x], two[x] / one[x]))
            sign = 1 if one[at] >= two[at] else -1
            laws = [_joint(one, draws, at, sign * correlation), _joint(two, draws, at, -sign * correlation)]
        ratio, reached = _largest_ratio(list(one), list(two)), _largest_ratio(*laws)
        level = ratio ** max(0, draws - missing) * claimed
        values = {"Q": one, "Q2": two, "k": draws, "ratio": reached, "exp_level": level}
        tally.add(-float(abs(1 - reached / level)), decided=reached == level, **values)
    return tally.check()


def draws_spend(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that k draws from outputs of MBDE differ by at most $k\varepsilon(1-\theta_T)$ over all inputs.

    Certified. k is log-uniform up to 10000; every fourth pair of inputs answers with opposite signs around one small
    atom and comes close to the bound, so that `claimed` = 98 % of it is already too small.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for index in range(instances):
            base, rows, level = random_run(rng, ONE)
            other = [random_signs(rng, len(base)) for _ in rows]
            if index % 4 == 0:
                atom = Fraction(1, 2 ** int(rng.integers(20, 80)))
                base, rows, other = (atom, 1 - atom), [(ONE, -ONE)] * len(rows), [(-ONE, ONE)] * len(rows)
            assert level.eps is not None
            draws = round(float(np.exp(rng.uniform(0, np.log(10000)))))
            one, two = ball_mbde(base, rows, level), ball_mbde(base, other, level)
            bound = level_of_draws(ball(level.eps), len(rows), draws, form="corrected") * ball(claimed)
            slack = _smallest([bound - draws * abs((a / b).log()) for a, b in zip(one, two, strict=True)])
            tally.add(float(slack.mid()), decided=bool(slack > 0), Q0=base, c=rows, c2=other, eps=level.eps, k=draws)
    return tally.check()


def _smallest(slacks: list[arb]) -> arb:
    return min(slacks, key=lambda slack: float(slack.mid()))


def dividing_classifiers(rng: np.random.Generator, instances: int, *, divide: bool = True) -> Check:
    r"""Check the second way of v1 section 6: classifiers within $\pm\frac1k\log2$, steps for all of $\varepsilon$.

    The outputs lie within $\frac\varepsilon{2k}(1-\theta_T)$ of $\log Q_0$ and within twice that of each other, so k
    draws have the level $\varepsilon(1-\theta_T(\varepsilon))$. Certified; with `divide` False the classifiers keep
    $\pm\log2$.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for index in range(instances):
            draws = int(rng.integers(2, 50))
            limit = Fraction(1, draws) if divide else ONE
            base, rows, level = random_run(rng, limit)
            other = [random_signs(rng, len(base), limit) for _ in rows]
            if index % 4 == 0:
                rows = [(limit, *[-limit] * (len(base) - 1))] * len(rows)
                other = [(-limit, *[limit] * (len(base) - 1))] * len(rows)
            assert level.eps is not None
            one, two = ball_mbde(base, rows, level), ball_mbde(base, other, level)
            bound = divided_level(ball(level.eps), len(rows), classifiers_by=ball(Fraction(draws)))
            slacks = [bound - abs((a / b).log()) for a, b in zip(one, two, strict=True)]
            slacks += [bound / 2 - abs((a / ball(q)).log()) for a, q in zip(one, base, strict=True)]
            slack = _smallest(slacks)
            tally.add(float(slack.mid()), decided=bool(slack > 0), Q0=base, c=rows, c2=other, eps=level.eps, k=draws)
    return tally.check()


def dividing_compared(rng: np.random.Generator, instances: int, *, reverse: bool = False) -> Check:
    r"""Check that dividing the classifiers spends less of the budget than dividing $\varepsilon$, for k >= 2.

    $\varepsilon(1-\theta_T(\varepsilon))<\varepsilon(1-\theta_T(\varepsilon/k))<\varepsilon$, certified; `reverse`
    claims the opposite of the first.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            level, rounds = random_level(rng), int(rng.integers(1, 31))
            assert level.eps is not None
            draws = 2 + round(float(np.exp(rng.uniform(0, 9))))
            by = ball(Fraction(draws))
            budget = divided_level(ball(level.eps), rounds, eps_by=by)
            classifiers = divided_level(ball(level.eps), rounds, classifiers_by=by)
            gap = classifiers - budget if reverse else budget - classifiers
            slack = _smallest([by * gap, ball(level.eps) - by * budget])
            tally.add(float(slack.mid()), decided=bool(slack > 0), eps=level.eps, T=rounds, k=draws)
    return tally.check()


def full_division(rng: np.random.Generator, instances: int, *, power: int = 1) -> Check:
    r"""Check that classifiers divided by $b=k(1-\theta_T(\varepsilon))^p$ make k draws spend all of $\varepsilon$.

    True for p = `power` = 1; 0 is the way of v1. Certified: the balls of the two levels meet and are narrow.
    """
    rng, instances = check_trials(rng, instances)
    power = check_count("power", power, minimum=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            level, rounds, draws = random_level(rng), int(rng.integers(1, 13)), int(rng.integers(2, 1000))
            assert level.eps is not None
            by = draws * (1 - ball_theta(ExactLevel(eps=level.eps), rounds)[-1]) ** power
            gap = abs(draws * divided_level(ball(level.eps), rounds, classifiers_by=by) - ball(level.eps))
            decided = bool(gap.contains(0)) and bool(gap < arb(2) ** (60 - BITS))
            tally.add(-float(gap.upper()), decided=decided, eps=level.eps, T=rounds, k=draws)
    return tally.check()


def guaranteed_gains(rng: np.random.Generator, instances: int, *, full: bool = True) -> Check:
    r"""Check that classifiers divided by $k(1-\theta_T(\varepsilon))\ge1$ are promised the gain of $\varepsilon/k$.

    The promise is the corrected lower bound on the gain, for edges with $u_1\le\mathrm{artanh}\,\gamma_P+
    \mathrm{artanh}\,\gamma_Q$, where $u_1$ is the first step length of the divided classifiers. Floats; with `full`
    False the classifiers are divided by k as in v1. Only instances that meet the condition are counted.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("float", tolerance=GAIN_TOLERANCE)
    while tally.instances < instances:
        rounds, count = int(rng.integers(1, 13)), 1 + instances // 12
        eps, draws = np.exp(rng.uniform(-4.6, 3.9, count)), rng.integers(2, 200, count)
        edge_p, edge_q = rng.uniform(0.01, 0.99, (2, count))
        unused = (eps / (eps + 4 * LOG2)) ** rounds
        by = draws * (1 - unused) if full else draws.astype(float)
        first = eps / (eps + 4 * LOG2) * LOG2 / by
        meets = (by >= 1) & (draws * (1 - unused) >= 1) & (first <= np.arctanh(edge_p) + np.arctanh(edge_q))
        ways = [(eps / draws, np.ones(count)), (eps, by)]
        scaled, divided = (
            gain_lower(e, rounds, edge_p, edge_q, form="corrected", c_star=np.tile((LOG2 / d)[:, None], rounds))
            for e, d in ways
        )
        for at in np.flatnonzero(meets)[: instances - tally.instances]:
            slack = float(divided[at] - scaled[at])
            tally.add(slack, eps=eps[at], T=rounds, k=draws[at], gamma_P=edge_p[at], gamma_Q=edge_q[at])
    return tally.check()


def released_density(rng: np.random.Generator, instances: int, *, released: bool = True) -> Check:
    r"""Check that k draws from a *released* density have the level of the release, whatever k is. Exact.

    A mechanism of exact level $\log r$ picks one of a few densities and publishes it; k = 1..4 draws follow. With
    `released` False each data set has its own density, of which only draws are seen, and the level of one is claimed.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for index in range(instances):
        size, draws = int(rng.integers(2, 5)), 2 + index % 3
        densities, picks = random_family(rng, 3, size), random_family(rng, 2, 3)
        ratio = _largest_ratio(list(picks[0]), list(picks[1]))
        sequences = [_of_draws(density, draws) for density in densities]
        if released:
            laws = [
                [
                    sum((w * p for w, p in zip(pick, column, strict=True)), Fraction(0))
                    for column in zip(*sequences, strict=True)
                ]
                for pick in picks
            ]
        else:
            own = [exact_mixture(densities, pick) for pick in picks]
            ratio = _largest_ratio(list(own[0]), list(own[1]))
            laws = [_of_draws(law, draws) for law in own]
        slack = 1 - _largest_ratio(*laws) / ratio
        tally.add(float(slack), decided=slack >= 0, densities=densities, picks=picks, k=draws, exp_eps=ratio)
    return tally.check()


def total_budgets(*, draws: int, size: int, eps: Fraction, other: Fraction, times: Fraction = Fraction(100)) -> Check:
    r"""Check that $k\varepsilon$ is at most $m\varepsilon'$ divided by `times`. Exact.

    Source: v2 Figure 1 (right): k = m = 10000, $\varepsilon=1/4$ against $\varepsilon'=100$. "Much smaller" is read
    as a factor of at least `times`.
    """
    k, m = check_count("draws", draws), check_count("size", size)
    eps, other = check_fraction("eps", eps, above=0), check_fraction("other", other, above=0)
    times = check_fraction("times", times, above=0)
    tally = Tally("exact")
    slack = m * other / times - k * eps
    tally.add(float(slack), decided=slack >= 0, k_eps=k * eps, m_eps=m * other)
    return tally.check()
