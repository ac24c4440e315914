r"""Checks of the finite sampler: its level after rounding, its distance to the law, its support, and its draws.

Statements of this book about its own sampler, not of the papers.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from scipy import stats

from mollified._validate import check_count, check_fraction, check_trials
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel, exact_probabilities
from mollified.finite_sampler import FiniteSampler, nearest_weights, smallest_bits, weight_ratio
from mollified.instances import member_of_box, mollifier_box, random_law, random_root

__all__ = ["draws_follow", "fewest_bits", "weights_close", "weights_keep_level"]

ONE = Fraction(1)
#: The rate of false alarms of the chi-square test.
ALPHA = 1e-6


def _sampler(rng: np.random.Generator, spread: int = 8) -> tuple[FiniteSampler, Fraction]:
    """Return a sampler at a random reference and level, from the fewest bits on, and the root of its level."""
    base, root = random_law(rng, int(rng.integers(2, 7)), spread=spread), random_root(rng)
    level = ExactLevel(exp_eps=root**2)
    least = smallest_bits(base, level)
    return FiniteSampler(base, level, min(62, least + int(rng.integers(0, 12)))), root


def weights_keep_level(rng: np.random.Generator, instances: int, *, nearest: bool = False) -> Check:
    r"""Check that two inputs' integer weights have a ratio of at most $e^\varepsilon$ at every point. Rationals.

    Inputs: members of the mollifier, the same as floats, and laws from outside with zeros; levels $\varepsilon$ that
    are rational, and $e^\varepsilon$ that are. An infinite ratio, a point possible under one input only, fails.
    `nearest` rounds members to the nearest weights instead.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    while tally.instances < instances:
        sampler, root = _sampler(rng)
        low, high = mollifier_box(sampler.reference, root)
        kind = int(rng.integers(1 if nearest else 3))
        laws: list[Sequence[Fraction] | Sequence[float]] = [member_of_box(rng, low, high) for _ in range(2)]
        if kind == 1:
            laws = [[float(q) for q in law] for law in laws]
        if kind == 2:
            level = ExactLevel(eps=Fraction(int(rng.integers(1, 400)), 100))
            sampler = FiniteSampler(sampler.reference, level, smallest_bits(sampler.reference, level))
            laws = [[Fraction(int(w)) for w in rng.integers(0, 9, len(low))] for _ in range(2)]
            if not all(map(any, laws)):
                continue
        if nearest:
            rows = [nearest_weights([Fraction(q) for q in law], sampler.bits) for law in laws]
        else:
            rows = [sampler.weights(law) for law in laws]
        ratio = weight_ratio(*rows)
        fine = ratio is not None and sampler.level.at_most(ratio)
        slack = -1.0 if ratio is None else float(sampler.level) - float(np.log(float(ratio)))
        tally.add(
            slack, decided=fine, weights=rows, Q0=sampler.reference, exp_eps=root**2 if kind < 2 else "irrational"
        )
    return tally.check()


def weights_close(rng: np.random.Generator, instances: int, *, share: Fraction = ONE) -> Check:
    r"""Check that the weights of a member are within `share` times $k/2^b$ of it in total variation. Rationals."""
    rng, instances = check_trials(rng, instances)
    part = check_fraction("share", share, above=0)
    tally = Tally("exact")
    for _ in range(instances):
        sampler, root = _sampler(rng)
        law = member_of_box(rng, *mollifier_box(sampler.reference, root))
        total = 1 << sampler.bits
        weights = sampler.weights(law)
        off = sum((abs(Fraction(w, total) - q) for w, q in zip(weights, law, strict=True)), Fraction(0)) / 2
        slack = part * Fraction(len(law), total) - off
        tally.add(float(slack), decided=slack >= 0, law=law, weights=weights, distance=off)
    return tally.check()


def fewest_bits(*, reference: Sequence[Fraction], root: Fraction, claimed: int) -> Check:
    r"""Check that `claimed` is the least b at which integer weights fit, for $e^{\varepsilon/2}$ = `root`. Exact."""
    law, r = exact_probabilities("reference", reference), check_fraction("root", root, above=1)
    wanted, found = check_count("claimed", claimed), smallest_bits(law, ExactLevel(exp_eps=r**2))
    tally = Tally("exact")
    tally.add(-float(abs(found - wanted)), decided=found == wanted, reference=law, root=r, least=found, claimed=wanted)
    return tally.check()


def draws_follow(rng: np.random.Generator, instances: int, *, swap: bool = False) -> Check:
    r"""Check draws of the finite sampler against its exact probabilities, by chi-square at $\alpha=10^{-6}$.

    20,000 draws from each of so many random samplers, at the fixed seed of `rng`; cells are merged until each expects
    five draws. `swap` tests them against another member's probabilities, at a distance of at least 0.05.
    """
    rng, instances = check_trials(rng, instances)
    draws, tally = 20_000, Tally("float")
    while tally.instances < instances:
        sampler, root = _sampler(rng, spread=4)
        box = mollifier_box(sampler.reference, root)
        rows = [sampler.weights(member_of_box(rng, *box)) for _ in range(2)]
        if sum(abs(a - b) for a, b in zip(*rows, strict=True)) < 0.1 * (1 << sampler.bits):
            continue
        law = [Fraction(w, 1 << sampler.bits) for w in rows[0]]
        seen = np.bincount(sampler.sample(law, draws, rng.bytes), minlength=len(law))
        expected = draws * np.array(rows[1 if swap else 0]) / (1 << sampler.bits)
        rare = expected < 5
        cells, hopes = np.append(seen[~rare], seen[rare].sum()), np.append(expected[~rare], expected[rare].sum())
        if hopes[-1] < 5:
            cells, hopes = np.append(cells[:-2], cells[-2:].sum()), np.append(hopes[:-2], hopes[-2:].sum())
        if hopes.size < 2:
            continue
        p_value = float(stats.chi2.sf(((cells - hopes) ** 2 / hopes).sum(), hopes.size - 1))
        tally.add(p_value - ALPHA, decided=p_value >= ALPHA, p_value=p_value, weights=rows[0], counts=seen.tolist())
    return tally.check()
