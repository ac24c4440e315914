r"""Checks of the page on releasing data: the two wishes for k and m, several releases, large k, and the audit."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
from flint import arb, ctx

from mollified._validate import check_count, check_each, check_eps, check_fraction, check_interval, check_trials
from mollified.ball_mbde import BITS, ball
from mollified.bootstrap_accountant import certified_delta
from mollified.bootstrap_audit import audit_bootstrap
from mollified.bootstrap_mechanism import smoothed_law
from mollified.bootstrap_parameters import gaussian_error, largest_m
from mollified.checks import Check, Tally

__all__ = ["audit_fits", "releases_add_up", "two_wishes", "worth_at_large_k"]

#: Draws a side for each instance of an audit.
DRAWS = 50_000

#: (n, |Sigma|, eps, delta) for the error at large k: many, as many, and few records for the symbols.
SETTINGS = ((5638, 21, 1.0, 1e-6), (3, 3, 0.5, 1e-2), (10, 1000, 2.0, 1e-3))


def _outcomes(size: int, m: int) -> Iterator[tuple[int, ...]]:
    """Yield all counts of m records over the symbols."""
    if size == 1:
        yield (m,)
        return
    for first in range(m + 1):
        for rest in _outcomes(size - 1, m - first):
            yield (first, *rest)


def _law(counts: Sequence[int], k: int, m: int) -> dict[tuple[int, ...], Fraction]:
    """Return the probability of each released table of counts, as rationals."""
    masses = smoothed_law(counts, k)
    law = {}
    for outcome in _outcomes(len(masses), m):
        ways, left = 1, m
        for count in outcome:
            ways, left = ways * math.comb(left, count), left - count
        law[outcome] = ways * math.prod((p**c for p, c in zip(masses, outcome, strict=True)), start=Fraction(1))
    return law


def _error(counts: Sequence[int], k: int, m: int) -> Fraction:
    """Return the expected squared l2 error of the corrected histogram, summed over all outputs."""
    n, size = sum(counts), len(counts)
    total = Fraction(0)
    for outcome, mass in _law(counts, k, m).items():
        shares = (Fraction(n + k * size, n) * Fraction(c, m) - Fraction(k, n) for c in outcome)
        total += mass * sum((share - Fraction(x, n)) ** 2 for share, x in zip(shares, counts, strict=True))
    return total


def _closed_error(counts: Sequence[int], k: int, m: int) -> Fraction:
    """Return the same from its closed form."""
    n = sum(counts)
    masses = smoothed_law(counts, k)
    return Fraction(n + k * len(counts), n) ** 2 * (1 - sum(p * p for p in masses)) / m


def _random_counts(rng: np.random.Generator) -> list[int]:
    size = int(rng.integers(2, 4))
    counts = [int(c) for c in rng.integers(0, 6, size)]
    return counts if sum(counts) else [1, *counts[1:]]


def two_wishes(rng: np.random.Generator, instances: int, *, coupled: bool = False) -> Check:
    r"""Test that the expected squared error of the corrected histogram grows with k at fixed m, and falls with m.

    Exact: by enumeration of all outputs on small data sets; the closed form $\frac{N^2}{n^2m}(1-\sum_i\tilde h_i^2)$
    must agree. `coupled` compares k (8, 16, ..., 56) with 2k instead, each at the largest m that is $(\frac12,
    10^{-2})$-DP, for which the wish for a small k fails. Source: bootstrapping paper, section 5.1, after Corollary 3.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        counts, k, m = _random_counts(rng), int(rng.integers(1, 8)), int(rng.integers(1, 4))
        n, size = sum(counts), len(counts)
        if coupled:
            n, size = n + 20, size + 1
            counts, k = [20, *counts], 8 * k
            ms = [largest_m(0.5, 0.01, n, size, level) for level in (k, 2 * k)]
            gain = _closed_error(counts, 2 * k, ms[1]) - _closed_error(counts, k, ms[0])
            tally.add(float(gain), decided=gain > 0, counts=counts, k=k, m=ms[0], k2=2 * k, m2=ms[1])
            continue
        base = _error(counts, k, m)
        margin = min(_error(counts, k + 1, m) - base, base - _error(counts, k, m + 1))
        agree = base == _closed_error(counts, k, m)
        tally.add(float(margin), decided=margin > 0 and agree, counts=counts, k=k, m=m)
    return tally.check()


def releases_add_up(rng: np.random.Generator, instances: int, *, shift: int = 0) -> Check:
    """Test that releases of m and m' records of one data set at one k are one release of m + m' records.

    Exact: the law of the sum of the two tables of counts is that of one release, and given the sum, the split does not
    depend on the data. `shift` adds to the k of the second release, for which it fails. The book's remark.
    """
    rng, instances = check_trials(rng, instances)
    check_count("shift", shift, minimum=0)
    tally = Tally("exact")
    for _ in range(instances):
        counts, k = _random_counts(rng), int(rng.integers(1, 8))
        one, two = (int(m) for m in rng.integers(1, 3, 2))
        joint = {
            (a, b): p * q for a, p in _law(counts, k, one).items() for b, q in _law(counts, k + shift, two).items()
        }
        whole, worst = _law(counts, k, one + two), Fraction(0)
        split = math.comb(one + two, one)
        for (a, b), mass in joint.items():
            sums = tuple(x + y for x, y in zip(a, b, strict=True))
            ways = math.prod(math.comb(z, x) for z, x in zip(sums, a, strict=True))
            worst = max(worst, abs(mass - whole[sums] * Fraction(ways, split)))
        tally.add(-float(worst), decided=worst == 0, counts=counts, k=k, m=one, m2=two, shift=shift)
    return tally.check()


def _gaussian_delta(eps: Fraction, sigma: arb) -> arb:
    r"""Return the least delta of Gaussian noise at l2 sensitivity $\sqrt2$: Balle and Wang (2018)."""
    shift, level = 1 / (sigma * arb(2).sqrt()), ball(eps) * sigma / arb(2).sqrt()

    def above(x: arb) -> arb:
        return (x / arb(2).sqrt()).erfc() / 2

    return above(level - shift) - ball(eps).exp() * above(level + shift)


def _check_setting(name: str, value: object) -> tuple[int, int, float, float]:
    if not isinstance(value, tuple) or len(value) != 4:
        raise TypeError(f"{name} must hold tuples (n, size, eps, delta), got {value!r}")
    n, size = check_count(name, value[0]), check_count(name, value[1], minimum=2)
    return n, size, check_eps(name, value[2]), check_interval(name, value[3], 0, 1, open_low=True, open_high=True)


def worth_at_large_k(
    settings: Sequence[tuple[int, int, float, float]] = (
        (5638, 21, 1.0, 1e-6),
        (3, 3, 0.5, 1e-2),
        (10, 1000, 2.0, 1e-3),
    ),
    multiples: Sequence[int] = (3, 10, 100),
    *,
    half: Fraction = Fraction(1, 2),
    allowed: int = 2,
) -> Check:
    r"""Test how far the error at the largest m lies above that of the Gaussian mechanism, at k = 3, 10, 100 sigma.

    Certified: with E the largest expected error at the largest m (certain at m, refuted at m + 1) and the Gaussian
    mechanism's $(|\Sigma|-1)\sigma^2/n^2$, sigma bracketed to $10^{-6}$, that
    $|E/E_G\big/\bigl(1+(\frac n{|\Sigma|}-\frac12)/(k+\frac12)\bigr)-1|\le2\sigma^2/k^2$, for each (n, |Sigma|, eps,
    delta). `half` replaces the half that is subtracted, `allowed` the 2. The book's observation, not a theorem.
    """
    check_each("settings", settings, _check_setting)
    check_each("multiples", multiples, check_count)
    half, allowed = check_fraction("half", half), check_count("allowed", allowed)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for n, size, eps, delta in settings:
            near = math.sqrt(gaussian_error(n, size, eps, delta) * n * n / (size - 1))
            low, high = arb(near) * (1 - arb(1) / 10**6), arb(near) * (1 + arb(1) / 10**6)
            level = Fraction(eps)
            sure = bool(_gaussian_delta(level, low) > arb(delta)) and bool(_gaussian_delta(level, high) < arb(delta))
            sigma = low.union(high)
            for multiple in multiples:
                k = math.ceil(multiple * near)
                m = largest_m(eps, delta, n, size, k)
                fits = bool(certified_delta(eps, n, size, k, m)[1] <= arb(delta))
                fits &= bool(certified_delta(eps, n, size, k, m + 1)[0] > arb(delta))
                worth = ball(Fraction((n + k * size) ** 2, m * size)) / sigma**2
                formula = 1 + (Fraction(n, size) - half) / (k + Fraction(1, 2))
                slack = allowed * (sigma / k) ** 2 - abs(worth / ball(formula) - 1)
                decided = sure and fits and bool(slack >= 0)
                tally.add(
                    float(slack.mid()) if sure and fits else -1.0,
                    decided=decided,
                    n=n,
                    size=size,
                    eps=level,
                    delta=Fraction(delta),
                    k=k,
                    m=m,
                )
    return tally.check()


def audit_fits(rng: np.random.Generator, instances: int, *, used: int = 5, draws: int = DRAWS) -> Check:
    r"""Test that an audit of a sampler promised to be $(1,10^{-3})$-DP finds at most 1, and at least 0.8.

    n = 20, |Sigma| = 4, k = 5, m = 16, the largest at this k; confidence 99.9 %. `used` is the pseudocount that the
    sampler adds: with 4 its least eps is about 1.2. One audit of `instances` times `draws` draws on each side; that it
    finds more than 1 for a sampler that keeps the promise has a probability of at most 0.001. Floats: counts of draws.
    """
    rng, instances = check_trials(rng, instances)
    used, draws = check_count("used", used), check_count("draws", draws)
    found = audit_bootstrap(20, 4, 5, 16, 1.0, 1e-3, instances * draws, rng, used=used)
    tally = Tally("float")
    for slack, side in ((1.0 - found.eps, "at most 1"), (found.eps - 0.8, "at least 0.8")):
        tally.add(slack, used=used, bound=f"{found.eps:.6f}", draws=found.draws, wanted=side)
    return tally.check()
