"""Boxes around finite and continuous laws: projection, levels in integers, exact draws,
accuracy, what is refused."""

import json
import math
from fractions import Fraction
from fractions import Fraction as F
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.stats
import torch

from mollified.boxes import (
    BoxSampler,
    ContinuousBoxSampler,
    box_floor,
    box_regret,
    project,
    weights,
)
from mollified.laws import Gaussian
from mollified.mollifiers.instances import boxed, nearest
from mollified.privacy import ExactLevel
from tests.mollified.helpers import Words, words_on_pool

Q0 = (0.5, 0.25, 0.125, 0.125)


@pytest.mark.parametrize("E", [F(11, 10), F(3), F(50)])
def test_projection_meets_the_exact_one_and_batch_equals_single(E):
    rng = np.random.default_rng(3)
    for k, spread in product((2, 5, 9), (0.05, 1.0)):
        P = rng.dirichlet([spread] * k, 10)
        q = rng.dirichlet([1.0] * k)
        m = q * float(1 + 1 / E) / 2
        for row, got in zip(P, project(P, m, float(E)), strict=True):
            np.testing.assert_array_equal(project(row, m, float(E)), got)
            exact = boxed(*(np.array([F(x) for x in law]) for law in (row, m)), E)
            np.testing.assert_allclose(got, [float(x) for x in exact], rtol=1e-9)


def test_sorting_finds_the_exact_projection_of_many_laws_at_once():
    rng = np.random.default_rng(5)
    P = rng.dirichlet([0.3] * 7, 40).T
    P[rng.random(P.shape) < 0.4] = 0
    P[0] += P.sum(axis=0) == 0
    P /= P.sum(axis=0)
    m = rng.dirichlet([1.0] * 7) * 0.7
    found = nearest(P, np.broadcast_to(m[:, None], P.shape), 3.0)
    for row, got in zip(P.T, found.T, strict=True):
        exact = boxed(*(np.array([F(x) for x in law]) for law in (row, m)), F(3))
        np.testing.assert_allclose(got, [float(x) for x in exact], rtol=1e-9)


def test_newton_steps_that_cycle_are_caught():
    """Without halving, four of these 2,000 rows ended with a total wrong by up to
    0.01."""
    rng = np.random.default_rng(1)
    for _ in range(10):
        P = rng.dirichlet([1] * 100, 2000)
        m = box_floor(rng.dirichlet([1] * 100), 0.1)
        assert np.abs(project(P, m, math.exp(0.1)).sum(axis=1) - 1).max() < 1e-12


@pytest.mark.parametrize("split", ["even", "universal", "hindsight", "minimax", 0.95])
@pytest.mark.parametrize(("eps", "bits"), [(F(1, 10), 53), (F(1), 8), (F(3), 62)])
def test_the_level_is_kept_in_rationals_at_every_width(split, eps, bits):
    sampler = BoxSampler.from_reference(Q0, eps, split, bits=bits)
    sheet = sampler.certificate
    rng = np.random.default_rng(4)
    P = np.vstack(
        [np.eye(4), rng.dirichlet([0.1] * 4, 30), rng.dirichlet([1e-3] * 4, 30)]
    )
    rows = sampler.weights(P)
    assert ExactLevel(eps=eps).at_most(sheet.exp_level)
    assert (
        max(F(int(max(column)), int(min(column))) for column in rows.T)
        <= sheet.exp_level
    )
    assert {int(total) for total in rows.sum(axis=1)} == {sheet.total}
    np.testing.assert_array_equal(rows, np.clip(rows, sheet.floor, sheet.ceiling))
    np.testing.assert_array_equal(rows, [sampler.weights(row) for row in P])
    np.testing.assert_allclose(
        rows / sheet.total, sampler.project(P), atol=4 / sheet.total + 1e-12
    )


def test_a_second_draw_of_one_person_is_refused_and_nothing_is_said_of_a_law():
    sampler = BoxSampler.from_reference(Q0, 1.0)
    P = np.eye(4)[:2]
    coins = np.random.default_rng(8).bytes
    sampler.draw(P, coins, users=["a", "b"])
    for again in (["b", "c"], ["d", "d"], ["e"]):
        with pytest.raises(ValueError, match=r"^users must"):
            sampler.draw(P, coins, users=again)
    sampler.draw(P, coins, users=["c", "d"])
    # warnings are errors in these tests: equal rows, and the reference itself, are
    # drawn without a word
    sampler.draw(P[[0, 0]], coins)
    sampler.draw(Q0, coins)


def test_who_is_drawn_is_noted_last():
    """Bytes that are none, and a law that is none, leave the name free."""
    sampler = BoxSampler.from_reference(Q0, 1.0)
    with pytest.raises(ValueError, match=r"^random_bytes must"):
        sampler.draw(Q0, lambda count: b"", users=["a"])
    with pytest.raises(TypeError, match=r"^P must .*gradient"):
        sampler.draw(
            torch.tensor(Q0, dtype=torch.float64, requires_grad=True), users=["a"]
        )
    sampler.draw(Q0, users=["a"])


def test_a_softmax_in_32_bits_is_drawn_from_at_the_same_level():
    logits = np.random.default_rng(5).normal(size=32_000).astype(np.float32)
    public, private = (
        torch.softmax(torch.tensor(scale * logits), 0) for scale in (1, 3)
    )
    assert abs(float(private.double().sum()) - 1) > 1e-9
    sampler = BoxSampler.from_reference(public, 1.0)
    double = np.asarray(private, dtype=np.float64)
    np.testing.assert_array_equal(
        sampler.weights(private), sampler.weights(double / double.sum())
    )
    assert ExactLevel(eps=Fraction(1)).at_most(sampler.certificate.exp_level)
    assert json.dumps(sampler.draw(private)).isdecimal()
    with pytest.raises(ValueError, match=r"^P must .*total one"):
        sampler.draw(1.01 * double)


def test_steps_are_the_same_for_every_law(monkeypatch):
    """Each call of the arithmetic comes as often, on arrays of the same shape, whatever
    the law is."""
    seen = []
    clipped = weights.clip_weights

    def noting(*args):
        seen.append([np.shape(a) for a in args[:2]])
        return clipped(*args)

    monkeypatch.setattr(weights, "clip_weights", noting)
    sampler = BoxSampler.from_reference(np.full(100, 0.01), 1.0)
    laws = [
        np.full(100, 0.01),
        np.eye(100)[3],
        np.random.default_rng(7).dirichlet([0.05] * 100),
    ]
    told = []
    for law in laws:
        seen.clear()
        sampler.draw(law)
        told.append(list(seen))
    assert told[0]
    assert told[0] == told[1] == told[2]


def test_no_float_in_the_steps_is_below_the_normal_ones():
    bounds = weights.Bounds((1, 1 << 40), (3, 1 << 62), 62)
    assert np.finfo(float).tiny < weights.ZERO * 1
    assert float(bounds.zeros.max()) < weights.SMALLEST
    assert np.isfinite(np.array([(1 << 62) - 1 + weights.ONE]).view(np.float64)).all()


@pytest.mark.parametrize("eps", [2.0**-40, 1e-9, 1.0, 700.0, Fraction(1, 10**6)])
@pytest.mark.parametrize("size", [1, 2, 10_000])
def test_the_ends_of_what_is_accepted(eps, size):
    """The level is kept, and every total, from the least to the largest levels, sizes
    and numbers of bits."""
    for bits in (1, 53, 62):
        try:
            sampler = BoxSampler.from_reference(
                np.full(size, 1 / size), eps, "universal", bits=bits
            )
        except ValueError as error:
            # a weight takes a bit, and what is left above the floor is less than a unit
            # of few bits
            assert str(error).startswith("bits must")  # noqa: PT017
            continue
        sheet = sampler.certificate
        assert sheet.promised.at_most(sheet.exp_level)
        one, two = (
            sampler.weights(np.eye(size, 1, -place)[:, 0]) for place in (0, size - 1)
        )
        for row in (one, two):
            assert sum(row.tolist()) == sheet.total
            assert (row >= np.array(sheet.floor)).all()
            assert (row <= np.array(sheet.ceiling)).all()


@pytest.mark.parametrize(
    "eps",
    [
        0.0,
        -1.0,
        9e-13,
        5e-324,
        Fraction(1, 10**40),
        700.5,
        math.inf,
        math.nan,
        "one",
        None,
    ],
)
def test_levels_beyond_are_refused_with_the_range(eps):
    with pytest.raises((ValueError, TypeError), match=r"^eps must"):
        BoxSampler.from_reference(Q0, eps)


def test_bits_that_cannot_keep_the_level_are_refused():
    with pytest.raises(ValueError, match=r"^bits must"):
        BoxSampler.from_reference(Q0, 1.0, bits=2)


def test_a_tensor_gives_a_tensor_with_the_same_laws_and_the_same_errors():
    rng = np.random.default_rng(9)
    for k, spread in (
        (5, 0.05),
        (300, 0.02),
        (300, 1.0),
    ):  # the first two have rows without a scale
        P = rng.dirichlet([spread] * k, 50)
        m = box_floor(rng.dirichlet([1.0] * k), 1.0)
        w = rng.uniform(0.1, 2, k)
        made = project(torch.tensor(P), m, math.e)
        assert isinstance(made, torch.Tensor)
        np.testing.assert_allclose(
            made.numpy(), project(P, m, math.e), rtol=0, atol=1e-14
        )
        weighted = project(torch.tensor(P / w), m / w, math.e, weights=w)
        np.testing.assert_allclose(
            weighted.numpy() * w, made.numpy(), rtol=0, atol=1e-12
        )
    with pytest.raises(TypeError, match=r"^P must .*gradient"):
        project(torch.tensor([0.5, 0.5], requires_grad=True), [0.3, 0.3], 2.0)
    with pytest.raises(ValueError, match=r"^P must .*total one"):
        project(torch.tensor([0.2, 0.9], dtype=torch.float64), [0.3, 0.3], 2.0)


def test_a_floor_at_the_end_of_its_mass_gives_numbers_of_total_one():
    """A zero of m where P has one too gave NaN; a mass that rounding put below 1/E a
    total that missed one by 8e-10."""
    made = project([0.5, 0.5, 0.0], [0.25 - 1e-11, 0.25 - 1e-11, 0.0], 2.0)
    np.testing.assert_allclose(made, [0.5, 0.5, 0.0], rtol=1e-15)
    for mass in (0.5 * (1 - 9e-10), 0.5, 1.0, 1 + 9e-10):
        made = project(np.eye(3), np.array([0.2, 0.3, 0.5]) * mass, 2.0)
        assert np.abs(made.sum(axis=1) - 1).max() < 1e-12


def test_a_public_law_whose_float_mass_is_above_one_is_refused_for_its_bits():
    with pytest.raises(ValueError, match=r"^bits must"):
        BoxSampler.from_reference([0.1] * 10, 1.0, 1.0)


def test_a_row_far_from_its_scale_and_one_with_a_flat_piece_are_met():
    """The first total is flat over 20 powers of ten; the other rows are scaled by as
    much as 1e200."""
    m = np.full(100, 0.005)
    P = np.full((3, 100), 1e-20)
    P[1, 50:] = 1e-200
    P[2, :99] = 1e-250 * np.arange(1, 100)
    P[:, 99] = 1 - P[:, :99].sum(axis=1)
    made = project(P, m, 3.0)
    assert np.abs(made.sum(axis=1) - 1).max() < 1e-12
    assert (np.diff(made[2]) >= 0).all()


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


@pytest.mark.parametrize("name", list(LAWS))
def test_a_draw_takes_the_point_of_its_word_and_the_same_bytes_for_every_law(name):
    sampler = ContinuousBoxSampler(LINE, 1.0, pool=8)
    P = LAWS[name]
    pool, _, weights = words_on_pool(sampler, P, 2)
    source = Words(np.cumsum(weights) - weights)
    for point in pool:
        np.testing.assert_array_equal(
            sampler.draw(P, source, rng=np.random.default_rng(2)), point
        )
    assert set(source.asked) == {8}


@pytest.mark.parametrize("name", list(LAWS))
def test_the_density_is_in_the_box_and_near_the_projection_within_its_bounds(name):
    sampler = ContinuousBoxSampler(LINE, 1.0)
    P = LAWS[name]
    cell = 0.0005
    b = (1 + math.exp(-1)) / 2
    x = np.arange(-9, 9, cell)[:, None] + cell / 2
    base = np.exp(LINE.log_prob(x))
    made = np.exp(sampler.log_prob(P, x, np.random.default_rng(3)))
    assert (made >= b * base * (1 - 1e-12)).all()
    assert (made <= math.e * b * base * (1 + 1e-12)).all()
    assert abs(made.sum() * cell - 1) <= sampler.mass_error
    if name in ("far", "same", "SciPy", "part"):
        density = np.exp(P.log_prob(x)) if isinstance(P, Gaussian) else P.pdf(x[:, 0])
        best = project(
            density, b * base / base.sum() / cell, math.e, weights=np.full(len(x), cell)
        )
        assert np.abs(made - best).sum() * cell <= 1.01 * sampler.mass_error


@pytest.mark.parametrize("size", [8, 64, 1024])
def test_the_bound_on_the_distance_holds_and_falls_with_the_pool(size):
    """On two sides of a half line the law of a draw is known exactly: binomial
    counts."""
    b = (1 + math.exp(-1)) / 2
    E = math.e
    sampler = ContinuousBoxSampler(LINE, 1.0, pool=size)
    n = np.arange(size + 1)
    share = np.where(
        n > 0, np.minimum(E * b * n / size, 1 - b * (size - n) / size), 0.0
    )
    away = abs(
        scipy.stats.binom(size, 0.5).pmf(n) @ share
        - project([1.0, 0.0], np.full(2, b / 2), E)[0]
    )
    assert 0 < away <= sampler.distance
    assert math.isclose(
        sampler.distance, 0.5 * math.sqrt((1 - b) * (E * b - 1) / size), rel_tol=1e-9
    )


def test_a_second_draw_and_a_broken_law_are_refused_and_the_law_is_not_echoed():
    sampler = ContinuousBoxSampler(LINE, 1.0, pool=16)
    sampler.draw(LINE, user="a")
    with pytest.raises(ValueError, match=r"^user must"):
        sampler.draw(LINE, user="a")
    broken = SimpleNamespace(log_prob=lambda x: np.where(x[:, 0] > 0, np.nan, -0.1234))
    with pytest.raises(ValueError, match=r"^P must") as caught:
        sampler.draw(broken)
    assert "0.12" not in str(caught.value)


def test_a_law_of_another_dimension_is_refused_and_log_densities_are_taken():
    plane = ContinuousBoxSampler(scipy.stats.multivariate_normal([0, 0]), 1.0, pool=32)
    for other in (
        scipy.stats.norm(),
        LINE,
        Gaussian.standard(3),
        scipy.stats.multivariate_normal([0, 0, 0]),
    ):
        with pytest.raises(ValueError, match=r"^P must .*dimension 2"):
            plane.draw(other)
    sampler = ContinuousBoxSampler(LINE, 1.0, pool=64)
    data = [0.3, 1.2, 1.9]
    density = scipy.stats.gaussian_kde(data)
    plain = SimpleNamespace(log_prob=lambda x: np.log(density(x[:, 0])))
    x = np.array([[0.0], [1.5], [4.0]])
    by_law, by_logs = (
        sampler.log_prob(P, x, np.random.default_rng(1)) for P in (density, plain)
    )
    np.testing.assert_allclose(by_law, by_logs, rtol=0, atol=1e-9)
    if hasattr(scipy.stats, "Normal"):
        new = ContinuousBoxSampler(scipy.stats.Normal(mu=0.0, sigma=1.0), 1.0, pool=64)
        assert new.draw(scipy.stats.Normal(mu=1.0, sigma=2.0)).shape == (1,)


def test_the_distance_is_at_most_one():
    assert ContinuousBoxSampler(LINE, 690.0, "hindsight", pool=2).distance == 1.0


def test_logs_of_any_size_are_taken_or_refused_without_a_warning():
    """Warnings are errors here. NumPy warned where a difference of logs was beyond the
    floats."""
    sampler = ContinuousBoxSampler(LINE, 1.0, pool=16)
    for size in (1e299, 1.7e308, math.inf):
        sampler.draw(
            SimpleNamespace(
                log_prob=lambda x, size=size: np.where(x[:, 0] > 0, 0.0, -size)
            )
        )
    sampler.draw(
        SimpleNamespace(log_prob=lambda x: np.where(x[:, 0] > 0, 1e299, -1.7e308))
    )
    for size in (1.7e308, math.inf):
        with pytest.raises(ValueError, match=r"^P must .*log density"):
            sampler.draw(
                SimpleNamespace(
                    log_prob=lambda x, size=size: np.where(x[:, 0] > 0, size, 0.0)
                )
            )


def test_laws_in_the_plane_and_a_split_that_needs_gamma():
    plane = ContinuousBoxSampler(
        scipy.stats.multivariate_normal([0, 0]), 1.0, "minimax", gamma=3.0, pool=32
    )
    assert plane.draw(scipy.stats.multivariate_normal([2, 0])).shape == (2,)
    assert math.isclose(
        plane.certificate.floor[0] / plane.certificate.total * 32,
        4 / (3 + math.e),
        rel_tol=1e-9,
    )
    with pytest.raises(ValueError, match=r"^gamma must"):
        ContinuousBoxSampler(LINE, 1.0, "minimax")


def kl(P, Q):
    return np.where(P > 0, P * np.log(np.where(P > 0, P, 1) / Q), 0).sum(axis=-1)


def worst_laws(q):
    """Return laws at which a regret can be attained: a law of the yardstick that is
    largest on a set, given the set."""
    k = len(q)
    sets = np.array(list(product((False, True), repeat=k)))[1:]
    inside = np.where(sets, q, 0.0)
    return inside / inside.sum(axis=1, keepdims=True)


@pytest.mark.parametrize(
    "split", ["even", "universal", "hindsight", "regret", "minimax"]
)
@pytest.mark.parametrize("eps", [0.1, 1.0, 4.0])
def test_the_regret_of_a_floor_is_attained_and_not_exceeded(split, eps):
    """Also for targets drawn at random; nine tenths of it would be exceeded."""
    rng = np.random.default_rng(6)
    E = math.exp(eps)
    for q in ([0.4, 0.3, 0.1, 0.2], [0.9, 0.1], [0.2] * 5, rng.dirichlet(np.ones(6))):
        law = np.array(q) / sum(q)
        floor = box_floor(law, eps, split)
        P = np.vstack(
            [
                worst_laws(law),
                np.eye(len(q)),
                *(rng.dirichlet([a] * len(q), 300) for a in (0.05, 1.0)),
            ]
        )
        seen = (kl(P, project(P, floor, E)) - kl(P, project(P, law / E, E * E))).max()
        assert seen <= box_regret(floor, law, eps) + 1e-12
        assert seen >= 0.9 * box_regret(floor, law, eps)


@pytest.mark.parametrize("eps", [0.1, 1.0, 4.0])
def test_no_floor_has_less_than_the_least_regret_and_universal_can_have_more(eps):
    rng = np.random.default_rng(7)
    for k in (2, 3, 5, 8):
        q = rng.dirichlet(np.ones(k))
        least = box_regret(box_floor(q, eps, "regret"), q, eps)
        floors = rng.dirichlet(np.ones(k), 300) * rng.uniform(
            math.exp(-eps) * 1.001, 1, (300, 1)
        )
        near = box_floor(q, eps, "regret") * rng.uniform(0.99, 1.01, (300, k))
        inside = [
            m for m in [*floors, *near] if math.exp(-eps) * 1.0001 <= m.sum() <= 0.9999
        ]
        assert len(inside) > 300
        assert all(box_regret(m, q, eps) >= least - 1e-12 for m in inside)
        assert least <= math.log(2 / (1 + math.exp(-eps))) + 1e-12
    q0 = [0.4, 0.3, 0.1, 0.2]
    sampler = BoxSampler.from_reference(q0, 1.0, split="regret")
    assert (
        box_regret(sampler.floor, q0, 1.0)
        < 0.302
        < 0.379
        < box_regret(box_floor(q0, 1.0), q0, 1.0)
    )
