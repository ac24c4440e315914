r"""Cross-checks of the integer mechanisms against OpenDP (draws, guarantees), dp-accounting (delta) and numpy (draws).

OpenDP draws from the system's entropy, so that no two runs see the same noise: such a test has a false-alarm rate of
1e-6 and reports only whether it passed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

import numpy as np
from dp_accounting.pld import privacy_loss_distribution
from dp_accounting.pld.privacy_loss_mechanism import DiscreteGaussianPrivacyLoss, DiscreteLaplacePrivacyLoss
from flint import ctx
from scipy.stats import binom, chi2

from mollified._validate import check_array, check_count, check_eps, check_fraction, check_probabilities, check_trials
from mollified.checks import Check, Tally
from mollified.finite_mechanisms import truncated_geometric
from mollified.integer_mechanisms import (
    BITS,
    Integers,
    _opendp,
    binomial_delta,
    binomial_law,
    binomial_noise,
    discrete_gaussian_delta,
    discrete_gaussian_masses,
    discrete_gaussian_noise,
    geometric_counts,
    geometric_delta,
    opendp_gaussian_delta,
)

__all__ = [
    "accountant_delta",
    "numpy_binomial",
    "opendp_delta",
    "opendp_gaussian",
    "opendp_geometric",
    "opendp_map",
    "output_fit",
]

ALPHA = 1e-6
#: Cells with fewer expected draws are joined to their neighbour.
SMALL = 25.0
#: Grid of the privacy loss distribution; dp-accounting rounds losses up by at most this.
STEP = 1e-4


def output_fit(draws: Integers, low: int, masses: Sequence[float]) -> float:
    r"""Return the p-value of a chi-square test of draws against the masses of low, low + 1, ...

    Outputs beyond the last count for nothing: they make the p-value 0, as do all below `low`. Cells of less than 25
    expected draws are joined with the next. Raises ValueError or TypeError for no draws or what are no probabilities.
    """
    values = check_array("draws", draws, ndim=1).astype(np.int64)
    law = check_probabilities("masses", masses)
    place = values - check_count("low", low, minimum=-(10**9))
    if (place < 0).any() or (place >= law.size).any():
        return 0.0
    seen, cells, chi = np.bincount(place, minlength=law.size), [], 0.0
    count = weight = 0.0
    for number, mass in zip(seen, law * values.size, strict=True):
        count, weight = count + number, weight + mass
        if weight >= SMALL:
            cells.append([count, weight])
            count = weight = 0.0
    if not cells:
        raise ValueError(f"draws must be at least 50, got {values.size}: {draws!r:.60}")
    cells[-1][0] += count
    cells[-1][1] += weight
    chi = sum((observed - expected) ** 2 / expected for observed, expected in cells)
    return float(chi2.sf(chi, max(1, len(cells) - 1)))


def _verdict(draws: Integers, low: int, masses: Sequence[float], claimed: object) -> Check:
    tally = Tally("float")
    tally.add(1.0 if output_fit(draws, low, masses) > ALPHA else -1.0, draws=len(draws), claimed=claimed)
    return tally.check()


def opendp_geometric(*, draws: int = 20_000, claimed: Fraction = Fraction(2)) -> Check:
    r"""Check that OpenDP's geometric mechanism at $e^\varepsilon=2$ on 0..6, count 2, has the law of `claimed`.

    `make_geometric` with bounds; chi-square at 1e-6. Not seeded, by design. Raises ValueError or TypeError for fewer
    than 1000 draws or a level <= 1.
    """
    draws, level = check_count("draws", draws, minimum=1000), check_fraction("claimed", claimed, above=1)
    law = truncated_geometric([2], 0, 6, level)[2]
    return _verdict(geometric_counts(2, math.log(2), 0, 6, draws), 0, [float(p) for p in law], level)


def opendp_gaussian(*, draws: int = 20_000, claimed: Fraction = Fraction(4)) -> Check:
    r"""Check that OpenDP's discrete Gaussian noise of scale 2 has the law with $\sigma^2$ = `claimed`.

    Chi-square at 1e-6, on -60..60. Not seeded, by design. Raises ValueError or TypeError for fewer than 1000 draws or
    a variance <= 0.
    """
    draws, width = check_count("draws", draws, minimum=1000), check_fraction("claimed", claimed, above=0)
    law = [float(p.mid()) for p in discrete_gaussian_masses(width, -60, 60)]
    return _verdict(discrete_gaussian_noise(2.0, draws), -60, law, width)


def numpy_binomial(rng: np.random.Generator, instances: int, *, claimed: int = 16) -> Check:
    r"""Check that `binomial_noise` of 16 coins has the law of `claimed` coins: chi-square at 1e-6, seeded.

    200 draws an instance, at least 2000. Raises ValueError or TypeError for an odd number of coins.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_count("claimed", claimed, minimum=2)
    if claimed % 2:
        raise ValueError(f"claimed must be even, got {claimed!r}")
    draws = binomial_noise(16, rng, max(200 * instances, 2000))
    law = [float(p) for p in binomial_law(claimed)]
    return _verdict(draws, -claimed // 2, law, claimed)


def opendp_map(rng: np.random.Generator, instances: int, *, shrink: float = 1.0) -> Check:
    r"""Check OpenDP's guarantees for a count: $1/b$ for geometric noise, $\rho=1/2\sigma^2$ for the discrete Gaussian.

    Rounded up by at most 1e-12; exact on floats, at random scales. `shrink` multiplies the scale that OpenDP is told.
    Raises ValueError or TypeError for a factor <= 0.
    """
    rng, instances = check_trials(rng, instances)
    shrink = check_eps("shrink", shrink)
    tally = Tally("exact")
    for index in range(instances):
        scale, gaussian = float(np.exp(rng.uniform(-2, 3))), index % 2 == 1
        measurement = _opendp(gaussian, scale / shrink)
        told = Fraction(float(measurement.map(1.0 if gaussian else 1)))
        exact = 1 / (2 * Fraction(scale) ** 2) if gaussian else 1 / Fraction(scale)
        holds = exact <= told <= exact * (1 + Fraction(1, 10**12))
        tally.add(float(told / exact - 1), decided=holds, scale=Fraction(scale), gaussian=gaussian)
    return tally.check()


def opendp_delta(rng: np.random.Generator, instances: int, *, sensitivity: float = 1.0) -> Check:
    r"""Check that OpenDP's delta for discrete Gaussian noise on a count is never below the exact one. Certified.

    `make_zCDP_to_approxDP` of `make_gaussian`, at random scales 1..4 and levels. `sensitivity` is what OpenDP is told:
    below 1 it promises too much. Raises ValueError or TypeError for a sensitivity <= 0.
    """
    rng, instances = check_trials(rng, instances)
    sensitivity = check_eps("sensitivity", sensitivity)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            scale, eps = float(rng.integers(4, 17)) / 4, float(rng.integers(1, 17)) / 8
            told = opendp_gaussian_delta(scale, eps, sensitivity)
            exact = discrete_gaussian_delta(Fraction(eps), Fraction(scale) ** 2)
            tally.add(told - float(exact.mid()), decided=bool(exact <= told), scale=scale, eps=eps, told=told)
    return tally.check()


def accountant_delta(
    rng: np.random.Generator,
    instances: int,
    *,
    mechanism: Literal["geometric", "gaussian", "binomial"] = "geometric",
    factor: float = 1.0,
) -> Check:
    r"""Check the exact delta of one of the three mechanisms against dp-accounting, at random levels and scales.

    "geometric" and "gaussian" (discrete): its formulas, within 1e-12. "binomial": its privacy loss distribution of the
    two laws on a grid of 1e-4, losses rounded up, above ours by at most 1e-4. `factor` multiplies our side. Raises
    ValueError or TypeError for another mechanism or a factor <= 0.
    """
    rng, instances = check_trials(rng, instances)
    factor = check_eps("factor", factor)
    if mechanism not in ("geometric", "gaussian", "binomial"):
        raise ValueError(f"mechanism must be geometric, gaussian or binomial, got {mechanism!r}")
    tally = Tally("float", tolerance=1e-12)
    for _ in range(instances):
        level = 1 + Fraction(int(rng.integers(1, 120)), 64)
        eps = math.log(level)
        if mechanism == "geometric":
            full = 1 + Fraction(int(rng.integers(60, 200)), 64)
            ours = factor * float(geometric_delta(full, level))
            theirs = float(DiscreteLaplacePrivacyLoss(math.log(full)).get_delta_for_epsilon(eps))
            tally.add(-abs(ours - theirs), exp_eps=full, level=level)
        elif mechanism == "gaussian":
            sigma = Fraction(int(rng.integers(2, 17)), 4)
            ours = factor * float(discrete_gaussian_delta(Fraction(eps), sigma**2).mid())
            theirs = float(DiscreteGaussianPrivacyLoss(float(sigma)).get_delta_for_epsilon(eps))
            tally.add(-abs(ours - theirs), sigma=sigma, level=level)
        else:
            coins = int(rng.integers(4, 80))
            logs = binom.logpmf(np.arange(coins + 1), coins, 0.5)
            table = privacy_loss_distribution.from_two_probability_mass_functions(
                {k: float(v) for k, v in enumerate(logs)},
                {k + 1: float(v) for k, v in enumerate(logs)},
                value_discretization_interval=STEP,
            )
            ours = factor * float(binomial_delta(coins, level))
            theirs = float(table.get_delta_for_epsilon(eps))
            tally.add(min(theirs - ours, ours + STEP - theirs), coins=coins, level=level)
    return tally.check()
