"""Boxes around continuous laws: the level for each pool, accuracy with bounds, what is refused."""

import math
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.stats

from mollified.boxes import ContinuousBoxSampler, project
from mollified.laws import Gaussian
from mollified.privacy import ExactLevel

LINE = Gaussian.standard(1)
LAWS = {
    "far": Gaussian([3.0], 0.5),
    "same": LINE,
    "narrow": Gaussian([0.0], 1e-8),
    "nowhere": scipy.stats.uniform(60, 1),
    "SciPy": scipy.stats.cauchy(),
    "part": scipy.stats.uniform(0, 1),
    "rare": scipy.stats.uniform(3, 1),
}


def words(sampler, P, seed):
    """Return one pool, and how many words lead to each of its points."""
    pool, law, _ = sampler._on_pool(P, np.random.default_rng(seed))
    return pool, sampler._inner.weights(law)


@pytest.mark.parametrize("split", ["even", "universal", "hindsight", 0.5])
def test_for_each_pool_the_level_is_kept_in_integers_whatever_the_law(split):
    sampler = ContinuousBoxSampler(LINE, 1.0, split, pool=64)
    pools, rows = zip(*(words(sampler, P, 1) for P in LAWS.values()), strict=True)
    for pool in pools:
        np.testing.assert_array_equal(pool, pools[0])  # it is drawn without P
    ratio = max(Fraction(int(max(column)), int(min(column))) for column in np.transpose(rows))
    assert 2.6 < ratio <= sampler.certificate.exp_level  # the level is used
    assert ExactLevel(eps=Fraction(1)).at_most(sampler.certificate.exp_level)


@pytest.mark.parametrize("name", list(LAWS))
def test_a_draw_takes_the_point_of_its_word_and_the_same_bytes_for_every_law(name):
    sampler, P, asked = ContinuousBoxSampler(LINE, 1.0, pool=8), LAWS[name], []
    pool, weights = words(sampler, P, 2)
    first_words = iter(np.cumsum(weights) - weights)

    def source(count):
        asked.append(count)
        return int(next(first_words)).to_bytes(8, "little")

    for point in pool:
        np.testing.assert_array_equal(sampler.draw(P, source, rng=np.random.default_rng(2)), point)
    assert set(asked) == {8}


@pytest.mark.parametrize("name", list(LAWS))
def test_the_density_is_in_the_box_and_near_the_projection_within_its_bounds(name):
    sampler, P, cell, b = ContinuousBoxSampler(LINE, 1.0), LAWS[name], 0.0005, (1 + math.exp(-1)) / 2
    x = np.arange(-9, 9, cell)[:, None] + cell / 2
    base = np.exp(LINE.log_prob(x))
    made = np.exp(sampler.log_prob(P, x, np.random.default_rng(3)))
    assert (made >= b * base * (1 - 1e-12)).all()
    assert (made <= math.e * b * base * (1 + 1e-12)).all()
    assert abs(made.sum() * cell - 1) <= sampler.mass_error
    if name in ("far", "same", "SciPy", "part"):
        density = np.exp(P.log_prob(x)) if isinstance(P, Gaussian) else P.pdf(x[:, 0])
        best = project(density, b * base / base.sum() / cell, math.e, weights=np.full(len(x), cell))
        assert np.abs(made - best).sum() * cell <= 1.01 * sampler.mass_error


@pytest.mark.parametrize("size", [8, 64, 1024])
def test_the_bound_on_the_distance_holds_and_falls_with_the_pool(size):
    """On two sides of a half line the law of a draw is known exactly: binomial counts."""
    b, E, sampler = (1 + math.exp(-1)) / 2, math.e, ContinuousBoxSampler(LINE, 1.0, pool=size)
    n = np.arange(size + 1)
    share = np.where(n > 0, np.minimum(E * b * n / size, 1 - b * (size - n) / size), 0.0)
    away = abs(scipy.stats.binom(size, 0.5).pmf(n) @ share - project([1.0, 0.0], np.full(2, b / 2), E)[0])
    assert 0 < away <= sampler.distance
    assert math.isclose(sampler.distance, 0.5 * math.sqrt((1 - b) * (E * b - 1) / size), rel_tol=1e-9)


def test_a_second_draw_and_a_broken_law_are_refused_and_the_law_is_not_echoed():
    sampler = ContinuousBoxSampler(LINE, 1.0, pool=16)
    sampler.draw(LINE, user="a")
    with pytest.raises(ValueError, match=r"^user must"):
        sampler.draw(LINE, user="a")
    broken = SimpleNamespace(log_prob=lambda x: np.where(x[:, 0] > 0, np.nan, -0.1234))
    with pytest.raises(ValueError, match=r"^P must") as caught:
        sampler.draw(broken)
    assert "0.12" not in str(caught.value)


def test_laws_in_the_plane_and_a_split_that_needs_gamma():
    plane = ContinuousBoxSampler(scipy.stats.multivariate_normal([0, 0]), 1.0, "minimax", gamma=3.0, pool=32)
    assert plane.draw(scipy.stats.multivariate_normal([2, 0])).shape == (2,)
    assert math.isclose(plane.certificate.floor[0] / plane.certificate.total * 32, 4 / (3 + math.e), rel_tol=1e-9)
    with pytest.raises(ValueError, match=r"^gamma must"):
        ContinuousBoxSampler(LINE, 1.0, "minimax")
