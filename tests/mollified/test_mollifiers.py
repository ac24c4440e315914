"""The projection onto a relative mollifier, of laws and of one logit, against
rationals, and membership."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from mollified.laws import (
    Discrete,
    FiniteSpace,
    Gaussian,
    Grid,
    random_law,
    random_root,
)
from mollified.mollifiers import RelativeMollifier
from mollified.mollifiers.instances import clip, constant
from mollified.mollifiers.relative_mollifier import clip_constant
from mollified.training import half_width
from mollified.training.clipped_ratio import clip_score, pool_constant

PAIR = FiniteSpace(2)


def floats(law):
    return Discrete([float(q) for q in law])


def test_constant_against_exact_rationals():
    """Total variation at most 2e-12; log C to 1e-9 where at least a hundredth of the
    mass is not clipped."""
    rng = np.random.default_rng(33)
    for index in range(100):
        size = int(rng.integers(2, 9))
        root = random_root(rng)
        p, base = (
            np.array(random_law(rng, size, spread=40 if index % 2 else 8))
            for _ in range(2)
        )
        exact_c = constant(p, base, root)
        exact = clip(p / exact_c, base / root, root * base)
        eps = 2 * math.log(root)
        log_p, log_base = (np.array([math.log(v) for v in law]) for law in (p, base))
        log_c = clip_constant(log_p, log_base, np.ones(size), eps)
        ours = np.exp(log_base + np.clip(log_p - log_base - log_c, -eps / 2, eps / 2))
        assert np.abs(ours - exact.astype(float)).sum() / 2 <= 2e-12
        if sum(
            e for e, q in zip(exact, base, strict=True) if q / root < e < root * q
        ) >= Fraction(1, 100):
            assert log_c == pytest.approx(math.log(exact_c), abs=1e-9)


@pytest.mark.parametrize("r", [2.0, 4.0, 1.5, 10.0])
def test_boundary_of_the_condition(r):
    """Q0(P > 0) = 1/(1+r) exactly: the constant exists, and everything is clipped; a
    hair less fails."""
    eps = 2 * math.log(r)
    q = 1 / (1 + r)
    target = Discrete([1.0, 0.0])
    image = RelativeMollifier(Discrete([q, 1 - q]), eps).project(target, PAIR)
    np.testing.assert_allclose(
        np.exp(image.log_prob(PAIR.points)), [r * q, (1 - q) / r], rtol=1e-12
    )
    less = RelativeMollifier(Discrete([q * (1 - 1e-9), 1 - q * (1 - 1e-9)]), eps)
    with pytest.raises(ValueError, match=r"^target .*mollification .*Q0\(\{P > 0\}\)"):
        less.project(target, PAIR)


def test_zeros_of_one_law_are_infinite_violations_and_common_ones_do_not_count():
    for law, base in (([1, 0], [0, 1]), ([0, 1], [1, 0])):
        seen = RelativeMollifier(Discrete(base), 20.0).contains(Discrete(law), PAIR)
        assert (seen.contained, seen.violation) == (False, math.inf)
    base = Discrete([0.0, 0.25, 0.75])
    law = Discrete([0.0, 0.5, 0.5])
    seen = RelativeMollifier(base, 2 * math.log(2)).contains(law, FiniteSpace(3))
    assert (seen.contained, seen.index) == (True, 1)  # met with equality


LEVELS = (0.1, 1.0, 5.0)


@pytest.mark.parametrize("eps", LEVELS)
@pytest.mark.parametrize("pool", [200, 5000])
def test_the_margin_covers_a_reference_that_is_all_at_the_ends(eps, pool):
    """The summands that spread most take two values: then the chance to be misled is a
    binomial tail, known exactly."""
    spare = 1e-3
    a = half_width(eps, pool, spare=spare)
    tau = eps / 2 + math.log1p(-spare) - a
    delta = spare * math.exp(-eps / 2)
    for side in (tau, -tau):
        share = math.expm1(a + side) / math.expm1(2 * a)
        centre = pool / (1 + math.exp(a))
        tail = (
            binom.cdf(math.floor(centre), pool, share)
            if side > 0
            else binom.sf(math.ceil(centre) - 1, pool, share)
        )
        assert tail <= delta
    assert math.exp(a + tau) + delta * math.exp(2 * a) <= math.exp(eps / 2) * (
        1 + 1e-12
    )
    assert (1 - delta) * math.exp(-a - tau) >= math.exp(-eps / 2) * (1 - 1e-12)


def test_the_constant_is_that_of_the_relative_mollifier_on_the_pool():
    scores = np.sort(3 * np.random.default_rng(1).standard_normal(500))
    count = len(scores)
    logs = np.full(count, -math.log(count))
    for eps in LEVELS:
        c = pool_constant(scores, eps / 2)
        assert math.isclose(
            c, clip_constant(scores + logs, logs, np.ones(count), eps), abs_tol=1e-9
        )
        assert math.isclose(
            np.exp(np.clip(scores - c, -eps / 2, eps / 2)).mean(), 1, abs_tol=1e-10
        )
    far = np.array([-900.0, -500.0, -500.0, 40.0])
    assert math.isclose(
        np.exp(np.clip(far - pool_constant(far, 1.0), -1, 1)).mean(), 1, abs_tol=1e-10
    )


def test_samples_follow_the_released_law():
    reference = Gaussian.standard(1)
    rng = np.random.default_rng(3)
    law = clip_score(
        lambda x: 9 * np.sign(x[:, 0] - 1),
        reference,
        2.0,
        np.sort(np.repeat([-9.0, 9.0], [841, 159])),
    )
    drawn = law.sample(40_000, rng)
    grid = Grid([-9.0], [9.0], 8001)
    mass = (
        np.exp(reference.log_prob(grid.points) + law.statistic(grid.points))
        * grid.weights
    )
    share = float(mass[grid.points[:, 0] > 1].sum() / mass.sum())
    # false alarm below 1e-6: five standard deviations, and the cell that the edge cuts
    assert (
        abs((drawn[:, 0] > 1).mean() - share)
        < 5 * math.sqrt(share * (1 - share) / 40_000) + 2e-3
    )
