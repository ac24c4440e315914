r"""Checks of the page on hazards: noise in floats, noise from a seed, the time that a rejection sampler takes.

Statements of this book about programs, not of the papers.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np

from mollified._validate import Array, check_count, check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.checks import Check, Tally
from mollified.floating_point import counts_delta, double_release, impossible_share, is_possible, textbook_law
from mollified.instances import random_law, random_signs
from mollified.laplace_mechanism import release
from mollified.proposal_time import acceptance_rates, time_delta
from mollified.seed_replay import explained_by, seed_noise

__all__ = ["double_outputs", "float_delta", "revealing_share", "seed_recovered", "time_formula", "time_leaks"]

ONE = Fraction(1)


def revealing_share(
    *, claimed: Fraction, answer: int = 0, bits: int = 16, spacing: Fraction | None = None, equal: bool = False
) -> Check:
    r"""Check that a share `claimed` of the releases, at least, cannot occur for the answer next to it. Exact.

    The textbook Laplace sampler at $\varepsilon=1$ in floats of so many bits, `answer` against `answer` + 1, every
    uniform tried; `spacing` rounds what is released, `equal` asks for exactly that share.
    """
    wanted = check_fraction("claimed", claimed, minimum=0)
    start = check_count("answer", answer, minimum=0)
    one, two = (textbook_law(start + step, 1, bits, spacing) for step in (0, 1))
    share = impossible_share(one, two)
    tally = Tally("exact")
    slack = -abs(share - wanted) if equal else share - wanted
    tally.add(float(slack), decided=slack >= 0, share=share, claimed=wanted)
    return tally.check()


def float_delta(*, claimed: Fraction, eps: Fraction = ONE, answer: int = 0, bits: int = 16) -> Check:
    r"""Check that the $\delta$ of the textbook sampler in floats at a level is at least `claimed`. Balls.

    In real numbers it is 0 from $\varepsilon=1$ on.
    """
    wanted = check_fraction("claimed", claimed, minimum=0)
    start = check_count("answer", answer, minimum=0)
    found = counts_delta(textbook_law(start, 1, bits), textbook_law(start + 1, 1, bits), eps)
    tally = Tally("certified")
    tally.add(float((found - ball(wanted)).mid()), decided=bool(found > ball(wanted)), delta=found, claimed=wanted)
    return tally.check()


def double_outputs(rng: np.random.Generator, instances: int, *, shift: int = 0) -> Check:
    r"""Check that what the textbook sampler releases in doubles for an answer is possible for the answer + `shift`.

    Answers 0 to 16, $\varepsilon=1$. With `shift` = 0 it tests the search, which must find each output's uniform.
    """
    rng, instances = check_trials(rng, instances)
    check_count("shift", shift, minimum=0)
    tally = Tally("exact")
    for _ in range(instances):
        answer = int(rng.integers(17))
        value = double_release(float(answer), int(rng.integers(1, 1 << 53)))
        fine = is_possible(value, float(answer + shift))
        tally.add(0.0 if fine else -1.0, decided=fine, value=Fraction(value), answer=answer, shift=shift)
    return tally.check()


@lru_cache(maxsize=2)
def _noise(seeds: int) -> Array:
    return seed_noise(seeds, 1.0)


def seed_recovered(rng: np.random.Generator, instances: int, *, bits: int = 10, known: bool = True) -> Check:
    r"""Check that a count with seeded noise is found again, alone, by trying all seeds of so many bits. Bit for bit.

    Counts below 1000, noise by `laplace_mechanism.release` at $\varepsilon=1$. Unless `known`, the seed is drawn from
    all integers of 128 bits above those tried.
    """
    rng, instances = check_trials(rng, instances)
    bits = check_count("bits", bits)
    noise = _noise(1 << bits)
    tally = Tally("exact")
    for _ in range(instances):
        count, seed = int(rng.integers(1000)), int(rng.integers(1 << bits))
        if not known:
            seed = (1 << bits) + int.from_bytes(rng.bytes(16), "little")
        value = float(release(np.array([float(count)]), 1.0, 1.0, np.random.default_rng(seed))[0])
        found = explained_by(value, noise)
        fine = found == [(seed, count)]
        tally.add(0.0 if fine else -1.0, decided=fine, count=count, seed=seed, value=Fraction(value))
    return tally.check()


def time_formula(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check `claimed` times the closed form of `time_delta` against the sum over the counts of proposals. Rationals.

    With s the sum of $(\Pr_a[N=n]-e^\varepsilon\Pr_{a'}[N=n])_+$ over $n\le160$, the hockey stick lies in
    $[s,s+(1-a)^{160}]$. Rates of at least 1/8.
    """
    rng, instances = check_trials(rng, instances)
    factor, terms = check_fraction("claimed", claimed, minimum=0), 160
    tally = Tally("exact")
    for _ in range(instances):
        a, b = (Fraction(int(rng.integers(2, 17)), 16) for _ in range(2))
        exp_eps = 1 + Fraction(int(rng.integers(0, 40)), 8)
        low, ours, theirs = Fraction(0), a, b
        for _ in range(terms):
            low += max(ours - exp_eps * theirs, Fraction(0))
            ours, theirs = ours * (1 - a), theirs * (1 - b)
        value = factor * time_delta(a, b, exp_eps)
        slack = min(value - low, low + (1 - a) ** terms - value)
        tally.add(float(slack), decided=slack >= 0, rate=a, other=b, exp_eps=exp_eps, delta=value)
    return tally.check()


def time_leaks(rng: np.random.Generator, instances: int, *, constant: bool = False) -> Check:
    r"""Check that the number of proposals alone has $\delta>0$ at every level, one way or the other. Rationals.

    Two data sets, classifiers at $\pm\frac\varepsilon4$ with different masses Z; levels up to $\ln1000$, whatever
    $\varepsilon$ is. `constant` takes the envelope whose acceptance probability is $e^{-\varepsilon/2}$ for both.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    while tally.instances < instances:
        quarter = 1 + Fraction(int(rng.integers(1, 64)), 64)
        size = int(rng.integers(2, 6))
        base = random_law(rng, size, spread=5)
        masses = []
        for _ in range(2):
            weights = [quarter ** (1 if sign > 0 else -1) for sign in random_signs(rng, size)]
            masses.append(sum((q * w for q, w in zip(base, weights, strict=True)), Fraction(0)))
        if masses[0] == masses[1]:
            continue
        rates = [acceptance_rates(mass, quarter)[constant] for mass in masses]
        exp_eps = 1 + Fraction(int(rng.integers(1000)))
        # Far up the best event is very rare where the rates are close, and still not impossible.
        if abs(rates[0] - rates[1]) < Fraction(1, 20) and not constant:
            exp_eps = 1 + exp_eps / 500
        delta = max(time_delta(rates[0], rates[1], exp_eps), time_delta(rates[1], rates[0], exp_eps))
        tally.add(min(float(delta), 1.0), decided=delta > 0, rates=rates, exp_eps=exp_eps, Q0=base)
    return tally.check()
