r"""Cross-checks of the Laplace mechanism against OpenDP (noise and guarantee) and dp-accounting (exact delta).

OpenDP draws from the system's entropy, so that no two runs see the same noise: its test has a false-alarm rate of 1e-6
and reports only whether it passed.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from dp_accounting.pld import privacy_loss_distribution
from dp_accounting.pld.privacy_loss_mechanism import LaplacePrivacyLoss
from scipy.stats import chi2

from mollified._validate import Array, check_array, check_count, check_eps, check_trials
from mollified.checks import Check, Tally
from mollified.laplace_mechanism import hockey_stick, release

__all__ = ["accountant_delta", "noise_law", "opendp_map", "opendp_noise", "own_noise"]

ALPHA = 1e-6
BINS = 40
#: Grid of the privacy loss distribution; dp-accounting rounds losses up by at most this.
STEP = 1e-4


def noise_law(noise: Array, scale: float) -> float:
    r"""Return the p-value of a chi-square test of draws against Lap(scale), 40 cells of equal probability.

    Raises ValueError or TypeError for fewer than 2000 draws, or a scale <= 0.
    """
    values, scale = check_array("noise", noise, ndim=1), check_eps("scale", scale)
    if values.size < 50 * BINS:
        raise ValueError(f"noise must hold at least {50 * BINS} draws, got {values.size}: {noise!r:.60}")
    place = np.where(values < 0, 0.5 * np.exp(-np.abs(values) / scale), 1 - 0.5 * np.exp(-np.abs(values) / scale))
    counts = np.bincount(np.minimum((place * BINS).astype(int), BINS - 1), minlength=BINS)
    expected = values.size / BINS
    return float(chi2.sf(((counts - expected) ** 2 / expected).sum(), BINS - 1))


def _verdict(noise: Array, scale: float, claimed: float) -> Check:
    tally = Tally("float")
    passed = noise_law(noise, claimed) > ALPHA
    tally.add(1.0 if passed else -1.0, scale=scale, claimed=claimed, draws=len(noise))
    return tally.check()


def _opendp(scale: float, size: int) -> object:
    import opendp.prelude as dp

    dp.enable_features("contrib")
    if size == 1:
        return dp.m.make_laplace(dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), scale=scale)
    return dp.m.make_laplace(dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l1_distance(T=float), scale=scale)


def opendp_noise(*, draws: int = 20_000, scale: float = 2.0, claimed: float = 2.0) -> Check:
    r"""Check that OpenDP's noise of that scale has the law Lap(claimed): chi-square at 1e-6. Not seeded, by design.

    Raises ValueError or TypeError for fewer than 2000 draws, scales <= 0.
    """
    draws, scale, claimed = check_count("draws", draws), check_eps("scale", scale), check_eps("claimed", claimed)
    if draws < 50 * BINS:
        raise ValueError(f"draws must be at least {50 * BINS}, got {draws!r}")
    mechanism = _opendp(scale, 2)
    assert callable(mechanism)
    return _verdict(np.asarray(mechanism([0.0] * draws)), scale, claimed)


def own_noise(rng: np.random.Generator, instances: int, *, claimed: float = 2.0) -> Check:
    r"""Check that the noise of `release` at eps = 1/2, sensitivity 1, has the law Lap(claimed): chi-square at 1e-6.

    200 draws an instance, at least 2000. Raises ValueError or TypeError for a scale <= 0.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_eps("claimed", claimed)
    return _verdict(release(np.zeros(max(200 * instances, 2000)), 1.0, 0.5, rng), 2.0, claimed)


def opendp_map(rng: np.random.Generator, instances: int, *, shrink: float = 1.0) -> Check:
    r"""Check OpenDP's guarantee: its map gives $\Delta/b$, rounded up by at most 1e-12 of it. Exact on floats.

    Sensitivities and scales are random floats, values or vectors in the l1 distance. `shrink` multiplies the
    sensitivity that OpenDP is told. Raises ValueError or TypeError for a factor <= 0.
    """
    rng, instances = check_trials(rng, instances)
    shrink = check_eps("shrink", shrink)
    tally = Tally("exact")
    for index in range(instances):
        scale, sensitivity = float(np.exp(rng.uniform(-3, 3))), float(np.exp(rng.uniform(-3, 3)))
        mechanism = _opendp(scale, 1 + index % 2)
        told = Fraction(float(mechanism.map(shrink * sensitivity)))  # type: ignore[attr-defined]
        exact = Fraction(sensitivity) / Fraction(scale)
        holds = exact <= told <= exact * (1 + Fraction(1, 10**12))
        tally.add(float(told / exact - 1), decided=holds, scale=Fraction(scale), sensitivity=Fraction(sensitivity))
    return tally.check()


def accountant_delta(rng: np.random.Generator, instances: int, *, moved: float = 1.0) -> Check:
    r"""Check the closed form of delta against dp-accounting at random shifts and levels.

    Its formula for the mechanism agrees within 1e-12; its privacy loss distribution, on a grid of 1e-4 with losses
    rounded up, lies above by at most 1e-4 (one shift in 20 instances). `moved` multiplies the shift of our side. Raises
    ValueError or TypeError for a factor <= 0.
    """
    rng, instances = check_trials(rng, instances)
    moved = check_eps("moved", moved)
    tally = Tally("float", tolerance=1e-12)
    for index in range(instances):
        shift = float(np.exp(rng.uniform(-2, 1.5)))
        eps = float(rng.uniform(0, 1.1)) * shift
        ours = hockey_stick(eps, moved * shift)
        theirs = float(LaplacePrivacyLoss(1 / shift).get_delta_for_epsilon(eps))
        tally.add(-abs(ours - theirs), shift=shift, eps=eps, ours=ours, theirs=theirs)
        if index % 20 == 0:
            table = privacy_loss_distribution.from_laplace_mechanism(1 / shift, value_discretization_interval=STEP)
            rounded = float(table.get_delta_for_epsilon(eps))
            slack = min(rounded - ours, ours + STEP - rounded)
            tally.add(slack if math.isfinite(slack) else -1.0, shift=shift, eps=eps, ours=ours, theirs=rounded)
    return tally.check()
