"""Boxes around continuous laws: the level for each pool, accuracy with bounds, what is refused."""

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats

from mollified.boxes import ContinuousBoxSampler, project
from mollified.laws import Gaussian
from mollified.privacy import ExactLevel
from tests.mollified.sampling_tests import ALPHA, chi_square

LINE = Gaussian.standard(1)
LAWS = {
    "far": Gaussian([3.0], 0.5), "same": LINE, "narrow": Gaussian([0.0], 1e-8), "nowhere": scipy.stats.uniform(60, 1),
    "SciPy": scipy.stats.cauchy(), "part": scipy.stats.uniform(0, 1), "rare": scipy.stats.uniform(3, 1),
}  # fmt: skip
X = np.arange(-9, 9, 0.0005)[:, None] + 0.00025


def counts(sampler, P, seed):
    """Return how many words lead to each point of one pool."""
    rng = np.random.default_rng(seed)
    pool, law, _ = sampler._on_pool(P, rng)
    return pool, sampler._inner.weights(law)


@pytest.mark.parametrize("split", ["even", "universal", "hindsight", 0.5])
def test_for_each_pool_the_level_is_kept_in_integers_whatever_the_law(split):
    sampler = ContinuousBoxSampler(LINE, 1.0, split, pool=64)
    pools, rows = zip(*(counts(sampler, P, 1) for P in LAWS.values()), strict=True)
    for pool in pools:
        np.testing.assert_array_equal(pool, pools[0])  # it is drawn without P
    rows = np.array(rows)
    ratio = max(Fraction(int(column.max()), int(column.min())) for column in rows.T)
    assert ratio <= sampler.certificate.exp_level
    assert ExactLevel(eps=Fraction(1)).at_most(sampler.certificate.exp_level)
    assert float(ratio) > 2.6  # the level is used
    raw = [np.exp(P.log_prob(pools[0])) for P in (LAWS["far"], LINE)]
    assert (raw[0] / raw[1]).max() > math.e * (raw[0] / raw[1]).min()  # the control: not clipped


def test_a_draw_takes_the_point_of_its_word_and_the_same_bytes_for_every_law():
    sampler, asked = ContinuousBoxSampler(LINE, 1.0, pool=8), []
    for P in LAWS.values():
        pool, weights = counts(sampler, P, 2)
        for place in range(8):
            word = int(weights[:place].sum())

            def one(count, word=word):
                asked.append(count)
                return word.to_bytes(8, "little")

            np.testing.assert_array_equal(sampler.draw(P, one, rng=np.random.default_rng(2)), pool[place])
    assert set(asked) == {8}


@pytest.mark.parametrize("name", list(LAWS))
def test_the_density_is_in_the_box_and_near_the_projection_within_its_bounds(name):
    sampler, P, cell = ContinuousBoxSampler(LINE, 1.0), LAWS[name], 0.0005
    base = np.exp(LINE.log_prob(X))
    logs = getattr(P, "log_prob", None) or (lambda x: P.logpdf(x[:, 0]))
    made = np.exp(sampler.log_prob(P, X, np.random.default_rng(3)))
    b = (1 + math.exp(-1)) / 2
    assert (made >= b * base * (1 - 1e-12)).all()
    assert (made <= math.e * b * base * (1 + 1e-12)).all()
    assert abs(made.sum() * cell - 1) <= sampler.mass_error
    if name in ("far", "same", "SciPy", "part"):
        best = project(np.exp(logs(X)), b * base / base.sum() / cell, math.e, weights=np.full(len(X), cell))
        assert np.abs(made - best).sum() * cell <= 1.01 * sampler.mass_error
        assert np.abs(made - base).sum() * cell > 0.2 or name in ("same", "SciPy")  # the control


@pytest.mark.slow
def test_draws_have_the_projected_law_and_not_that_of_a_small_pool():
    """Chi-square at 1e-6, on ten cells; the bound on the bias is below what 4,000 draws can see."""
    best = project(
        np.exp(LAWS["far"].log_prob(X)), 0.684 * np.exp(LINE.log_prob(X)), math.e, weights=np.full(len(X), 5e-4)
    )
    edges = [-math.inf, -1.2, -0.6, 0.0, 0.4, 0.8, 1.2, 1.6, 2.0, 2.5, math.inf]
    cells = np.add.reduceat(best * 5e-4, np.searchsorted(X[:, 0], [-9.0, *edges[1:-1]]))
    rng, found = np.random.default_rng(4), {}
    for pool in (512, 2):
        sampler = ContinuousBoxSampler(LINE, 1.0, pool=pool)
        drawn = np.array([sampler.draw(LAWS["far"], rng.bytes, rng=rng)[0] for _ in range(4000)])
        found[pool] = chi_square(np.histogram(drawn, edges)[0], cells / cells.sum())
    assert found[512] > ALPHA
    assert found[2] < ALPHA


def test_the_bound_on_the_distance_holds_and_falls_with_the_pool():
    """On two sides of a half line the law of a draw is known exactly: binomial counts."""
    b, E = (1 + math.exp(-1)) / 2, math.e
    for size in (8, 64, 1024):
        sampler = ContinuousBoxSampler(LINE, 1.0, pool=size)
        inside, n = scipy.stats.binom(size, 0.5).pmf(np.arange(size + 1)), np.arange(size + 1)
        P, floor = np.array([1.0, 0.0]), np.array([0.5, 0.5]) * b
        share = [min(E * b * k / size, 1 - b * (size - k) / size) if k else 0.0 for k in n]
        away = abs(inside @ share - project(P, floor, E)[0])
        assert 0 < away <= sampler.distance
    assert math.isclose(sampler.distance, 0.5 * math.sqrt((1 - b) * (E * b - 1) / 1024), rel_tol=1e-9)


def test_what_is_refused():
    sampler = ContinuousBoxSampler(LINE, 1.0, pool=16)
    sampler.draw(LINE, user="a")
    with pytest.raises(ValueError, match=r"^user must"):
        sampler.draw(LINE, user="a")
    for change, name in (({"pool": 3}, "pool"), ({"pool": 1 << 25}, "pool"), ({"split": "minimax"}, "gamma")):
        with pytest.raises(ValueError, match=f"^{name} must"):
            ContinuousBoxSampler(LINE, 1.0, **change)
    with pytest.raises(TypeError, match=r"^reference must"):
        ContinuousBoxSampler(scipy.stats.poisson(3), 1.0)

    class Broken:
        def log_prob(self, x):
            return np.where(x[:, 0] > 0, np.nan, -0.1234)

    with pytest.raises(ValueError, match=r"^P must") as caught:
        sampler.draw(Broken())
    assert "0.12" not in str(caught.value)


def test_other_shapes_and_splits():
    plane = ContinuousBoxSampler(scipy.stats.multivariate_normal([0, 0]), 1.0, "minimax", gamma=3.0, pool=32)
    assert plane.draw(scipy.stats.multivariate_normal([2, 0])).shape == (2,)
    assert math.isclose(plane.certificate.floor[0] / plane.certificate.total * 32, 4 / (3 + math.e), rel_tol=1e-9)
    assert "idealised" in plane.certificate.arithmetic
