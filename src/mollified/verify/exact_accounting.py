"""Checks of the accountant: against counting, against whole laws added up, and against another library."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal

import numpy as np
from dp_accounting.pld.pld_pmf import SparsePLDPmf
from dp_accounting.pld.privacy_loss_distribution import (
    PrivacyLossDistribution,
    from_two_probability_mass_functions,
)
from flint import arb, ctx

from mollified._validate import _echo, check_count, check_trials
from mollified.ball_mbde import ball
from mollified.bootstrap_accountant import (
    Neighbours,
    bootstrap_delta,
    certified_delta,
    check_neighbours,
    dominating_walks,
)
from mollified.bootstrap_bounds import step_loss
from mollified.bootstrap_brute import brute_delta, summed_delta
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel
from mollified.lattice_walk import Walk, certified_tail

__all__ = ["accountant_matches", "any_size", "library_agrees", "library_brackets", "sums_match"]

#: What float and counted delta may differ by.
CLOSE = Fraction(1, 10**12)
BITS = 640
#: Mass that the library cuts off its tails at each end, and adds or drops.
CUT = 1e-12

Mistake = Literal["none", "k", "start", "direction", "one-pair", "three-symbols"]
OPPOSITE: dict[Neighbours, Neighbours] = {"replace": "add", "add": "remove", "remove": "add"}


def _check_mistake(mistake: object) -> Mistake:
    for known in ("none", "k", "start", "direction", "one-pair", "three-symbols"):
        if mistake == known:
            return known
    raise ValueError(f"mistake must name a known one or be none, got {_echo(mistake)}")


def _bracket(
    eps: Fraction, n: int, size: int, k: int, m: int, neighbours: Neighbours, mistake: Mistake
) -> tuple[arb, arb, float]:
    """Return the certified bracket and the float, with a mistake on purpose."""
    if mistake == "k":
        k -= 1
    if mistake == "direction":
        neighbours = OPPOSITE[neighbours]
    if mistake in ("start", "one-pair", "three-symbols"):
        total = n + k * size
        three = Walk(Fraction(k + 1, total), Fraction(k, total), m), Fraction(1), Fraction(k + 1, k)
        sides = [three] if mistake == "three-symbols" else dominating_walks(n, size, k, m, neighbours)
        found = []
        for walk, base, step in sides[:1] if mistake == "one-pair" else sides:
            alpha, lam = ball(eps) + walk.m * ball(base).log(), ball(step).log()
            start = math.floor(float((alpha / lam).mid())) + (2 if mistake == "start" else 1)
            found.append(certified_tail(walk, start, alpha, lam))
        best = found[0]
        for other in found[1:]:
            best = best.max(other)
        return best, best, float(best.mid())
    lower, upper = certified_delta(eps, n, size, k, m, neighbours=neighbours)
    return lower, upper, bootstrap_delta(float(eps), n, size, k, m, neighbours=neighbours)


def _compare(tally: Tally, truth: arb, found: tuple[arb, arb, float], **values: object) -> None:
    """Count one case: the bracket contains the truth, and the float is within 1e-12 of it."""
    lower, upper, middle = found
    slack = ball(CLOSE) - abs(truth - arb(middle))
    inside = bool(lower.lower() <= truth.upper()) and bool(upper.upper() >= truth.lower())
    # the truth's own ball is narrower than that of the bracket by a hundred orders of magnitude
    tally.add(float(slack.mid()), decided=inside and bool(slack > 0), **values)


def accountant_matches(
    rng: np.random.Generator, instances: int, *, neighbours: Neighbours = "replace", mistake: Mistake = "none"
) -> Check:
    r"""Check the accountant against all pairs of neighbours and all outputs: within 1e-12, and inside its bracket.

    n, m up to 5, k up to 4, 2 to 4 symbols, rational $\varepsilon$ (the printed slack is $10^{-12}$ minus the
    distance). `mistake`: k - 1 in place of k (where k >= 2), a start one too high, the other direction, the rarest
    symbol's pair alone, or three symbols in place of two. Certified. Raises ValueError for unknown names.
    """
    rng, instances = check_trials(rng, instances)
    neighbours, mistake = check_neighbours(neighbours), _check_mistake(mistake)
    tally = Tally("certified")
    pair = mistake in ("one-pair", "three-symbols")
    with ctx.workprec(BITS):
        for index in range(instances):
            size = 2 if pair else 2 + index % 3
            n, m = int(rng.integers(1, 6)), int(rng.integers(1, 6))
            k = int(rng.integers(2 if mistake == "k" else 1, 5))
            eps = Fraction(int(rng.integers(1, 200)), 100) * Fraction(m, 4 * k)
            truth = brute_delta(eps, n, size, k, m, neighbours=neighbours)
            found = _bracket(eps, n, size, k, m, neighbours, mistake)
            _compare(tally, truth, found, n=n, size=size, k=k, m=m, eps=eps)
    return tally.check()


def sums_match(
    rng: np.random.Generator, instances: int, *, neighbours: Neighbours = "replace", mistake: Mistake = "none"
) -> Check:
    r"""Check the accountant against whole trinomial and binomial laws added up in integers, m from 50 to 3000.

    $\varepsilon$ of the order of the loss's standard deviation; two symbols (n up to 6) in every fifth case. Certified.
    Raises as `accountant_matches`.
    """
    rng, instances = check_trials(rng, instances)
    neighbours, mistake = check_neighbours(neighbours), _check_mistake(mistake)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for index in range(instances):
            two = index % 5 == 4
            m = int(np.exp(rng.uniform(np.log(50), np.log(600 if two else 3000))))
            size = 2 if two else int(rng.integers(3, 200))
            n = int(rng.integers(1, 7)) if two else int(np.exp(rng.uniform(0, np.log(10**4))))
            k = int(np.exp(rng.uniform(np.log(2), np.log(200))))
            spread = step_loss(k) * math.sqrt(m * (2 * k + 1) / (n + k * size))
            eps = Fraction(round(1000 * spread * rng.uniform(0.2, 5)) + 1, 1000)
            truth = summed_delta(eps, n, size, k, m, neighbours=neighbours)
            found = _bracket(eps, n, size, k, m, neighbours, mistake)
            _compare(tally, truth, found, n=n, size=size, k=k, m=m, eps=eps)
    return tally.check()


def _random_case(rng: np.random.Generator, most: int) -> tuple[int, int, int, int, float]:
    size, k = int(rng.integers(3, 300)), int(np.exp(rng.uniform(np.log(2), np.log(300))))
    n, m = int(np.exp(rng.uniform(0, np.log(10**4)))), int(np.exp(rng.uniform(0, np.log(most))))
    spread = step_loss(k) * math.sqrt(m * (2 * k + 1) / (n + k * size))
    return n, size, k, m, min(float(spread * rng.uniform(0.1, 3)) + 1e-6, 20.0)


def library_brackets(rng: np.random.Generator, instances: int, *, shift: int = 0) -> Check:
    r"""Check that the privacy loss distributions of dp-accounting enclose the accountant.

    Optimistic, exact, pessimistic: one step of the worst pair on the library's grid of $10^{-4}$, composed up to 1000
    times; float, tolerance the $10^{-12}$ of mass that the library cuts off, twice. `shift` is added to
    k on our side: the statement is then false.
    """
    rng, instances = check_trials(rng, instances)
    shift = check_count("shift", shift, minimum=0)
    tally = Tally("float", tolerance=2 * CUT)
    for _ in range(instances):
        n, size, k, m, eps = _random_case(rng, 1000)
        total = n + k * size
        more, less, rest = math.log((k + 1) / total), math.log(k / total), math.log1p(-(2 * k + 1) / total)
        exact = bootstrap_delta(eps, n, size, k + shift, m)
        ends = [
            from_two_probability_mass_functions(
                {0: less, 1: more, 2: rest}, {0: more, 1: less, 2: rest}, pessimistic_estimate=pessimistic
            )
            .self_compose(m, tail_mass_truncation=CUT)
            .get_delta_for_epsilon(eps)
            for pessimistic in (False, True)
        ]
        tally.add(min(exact - ends[0], ends[1] - exact), n=n, size=size, k=k, m=m, eps=eps)
    return tally.check()


def library_agrees(rng: np.random.Generator, instances: int, *, shift: int = 0) -> Check:
    r"""Check the accountant against dp-accounting on a grid of exactly $\lambda$, where nothing is rounded.

    The library's composition and its delta, on one step's loss put on its lattice; m up to 100,000. Float: tolerance
    $10^{-11}$, ten times the mass cut off at each end, for its FFT. `shift` as in `library_brackets`.
    """
    rng, instances = check_trials(rng, instances)
    shift = check_count("shift", shift, minimum=0)
    tally = Tally("float", tolerance=10 * CUT)
    for _ in range(instances):
        n, size, k, m, eps = _random_case(rng, 100_000)
        total = n + k * size
        step = {1: (k + 1) / total, -1: k / total, 0: 1 - (2 * k + 1) / total}
        one = PrivacyLossDistribution(SparsePLDPmf(step, step_loss(k), 0.0, pessimistic_estimate=True))
        theirs = one.self_compose(m, tail_mass_truncation=CUT).get_delta_for_epsilon(eps)
        tally.add(-abs(theirs - bootstrap_delta(eps, n, size, k + shift, m)), n=n, size=size, k=k, m=m, eps=eps)
    return tally.check()


def any_size(rng: np.random.Generator, instances: int, *, lower: int = 0) -> Check:
    r"""Check that any number m of records can be released, and that more of them take more bias. Exact.

    The least k with $(\frac{k+1}k)^m\le e^\varepsilon$ makes the release of m records $\varepsilon$-DP, whatever the
    data; for more records it is no smaller, and neither is the bias $\frac{k|1-|\Sigma|\hat h_i|}{n+k|\Sigma|}$ of any
    cell. `lower` takes that much off k (where k stays >= 1); slack in units of $e^\varepsilon$. Source: section 2.
    """
    rng, instances = check_trials(rng, instances)
    lower = check_count("lower", lower, minimum=0)
    tally = Tally("exact")
    for _ in range(instances):
        level = Fraction(int(rng.integers(101, 400)), 100)
        exact = ExactLevel(exp_eps=level)
        sizes = sorted(int(m) for m in rng.integers(1, 60, 2))
        counts = [int(c) for c in rng.integers(0, 5, int(rng.integers(2, 6)))]
        counts[0] += 1
        n, size = sum(counts), len(counts)
        chosen = [_least(level, m) for m in sizes]
        bias = [[Fraction(k * abs(n - size * c), n * (n + k * size)) for c in counts] for k in chosen]
        more = chosen[1] >= chosen[0] and all(b >= a for a, b in zip(*bias, strict=True))
        ratios = [
            Fraction(used + 1, used) ** m for k, m in zip(chosen, sizes, strict=True) for used in [max(k - lower, 1)]
        ]
        slack = level - max(ratios)
        holds = more and all(exact.at_most(ratio) for ratio in ratios)
        tally.add(float(slack), decided=holds, counts=tuple(counts), k=tuple(chosen), m=tuple(sizes), exp_eps=level)
    return tally.check()


def _least(level: Fraction, m: int) -> int:
    """Return the least k >= 1 with ((k+1)/k)^m <= level, by bisection on rationals."""
    low, high = 0, 1
    while Fraction(high + 1, high) ** m > level:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if Fraction(middle + 1, middle) ** m <= level else (middle, high)
    return high
