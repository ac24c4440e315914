"""Boxes: the projection against that of the pages in rationals, levels in integers, exact draws, what is refused."""

import math
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
import torch

from mollified.boxes import BoxSampler, box_floor, project
from mollified.mollifiers.instances import boxed
from mollified.privacy import ExactLevel

Q0 = (0.5, 0.25, 0.125, 0.125)


@pytest.mark.parametrize("E", [F(11, 10), F(3), F(50)])
def test_projection_meets_the_exact_one_and_batch_equals_single(E):
    rng = np.random.default_rng(3)
    for k, spread in product((2, 5, 9), (0.05, 1.0)):
        P, q = rng.dirichlet([spread] * k, 10), rng.dirichlet([1.0] * k)
        m = q * float(1 + 1 / E) / 2
        for row, got in zip(P, project(P, m, float(E)), strict=True):
            np.testing.assert_array_equal(project(row, m, float(E)), got)
            exact = boxed(*(np.array([F(x) for x in law]) for law in (row, m)), E)
            np.testing.assert_allclose(got, [float(x) for x in exact], rtol=1e-9)


def test_newton_steps_that_cycle_are_caught():
    """Without halving, four of these 2,000 rows ended with a total wrong by up to 0.01."""
    rng = np.random.default_rng(1)
    for _ in range(10):
        P, m = rng.dirichlet([1] * 100, 2000), box_floor(rng.dirichlet([1] * 100), 0.1)
        assert np.abs(project(P, m, math.exp(0.1)).sum(axis=1) - 1).max() < 1e-12


@pytest.mark.parametrize("split", ["even", "universal", "hindsight", "minimax", 0.95])
@pytest.mark.parametrize(("eps", "bits"), [(F(1, 10), 53), (F(1), 8), (F(3), 62)])
def test_the_level_is_kept_in_rationals_at_every_width(split, eps, bits):
    sampler = BoxSampler.from_reference(Q0, eps, split, bits=bits)
    sheet, rng = sampler.certificate, np.random.default_rng(4)
    P = np.vstack([np.eye(4), rng.dirichlet([0.1] * 4, 30), rng.dirichlet([1e-3] * 4, 30)])
    rows = sampler.weights(P)
    assert ExactLevel(eps=eps).at_most(sheet.exp_level)
    assert max(F(int(max(column)), int(min(column))) for column in rows.T) <= sheet.exp_level
    assert {int(total) for total in rows.sum(axis=1)} == {sheet.total}
    np.testing.assert_array_equal(rows, np.clip(rows, sheet.floor, sheet.ceiling))
    np.testing.assert_array_equal(rows, [sampler.weights(row) for row in P])
    np.testing.assert_allclose(rows / sheet.total, sampler.project(P), atol=4 / sheet.total + 1e-12)


@pytest.mark.parametrize("law", [[0, 0, 1], [0.2, 0.3, 0.5], [1, 0, 0]])
def test_the_law_of_a_draw_is_its_weights_word_by_word_and_each_takes_eight_bytes(law):
    sampler = BoxSampler.from_reference([0.5, 0.25, 0.25], 1.0, bits=6)
    words, asked = iter(range(64)), []

    def source(count):
        asked.append(count)
        return next(words).to_bytes(8, "little")

    seen = np.bincount([int(sampler.draw(law, source)) for _ in range(64)], minlength=3)
    np.testing.assert_array_equal(seen, sampler.weights(law))
    np.testing.assert_allclose(np.exp(sampler.log_prob(law)), seen / 64)
    assert set(asked) == {8}


def test_a_second_draw_of_one_person_is_refused_and_equal_rows_are_warned_of():
    sampler, P, coins = BoxSampler.from_reference(Q0, 1.0), np.eye(4)[:2], np.random.default_rng(8).bytes
    sampler.draw(P, coins, users=["a", "b"])
    for again in (["b", "c"], ["d", "d"], ["e"]):
        with pytest.raises(ValueError, match=r"^users must"):
            sampler.draw(P, coins, users=again)
    sampler.draw(P, coins, users=["c", "d"])
    with pytest.warns(UserWarning, match="equal rows"):
        sampler.draw(P[[0, 0]], coins)
    with pytest.warns(UserWarning, match="reference itself"):
        sampler.draw(Q0, coins)


def test_bits_that_cannot_keep_the_level_are_refused():
    with pytest.raises(ValueError, match=r"^bits must"):
        BoxSampler.from_reference(Q0, 1.0, bits=2)


def test_a_tensor_gives_a_tensor_with_the_same_laws_and_the_same_errors():
    rng = np.random.default_rng(9)
    for k, spread in ((5, 0.05), (300, 0.02), (300, 1.0)):  # the first two have rows without a scale
        P, m, w = rng.dirichlet([spread] * k, 50), box_floor(rng.dirichlet([1.0] * k), 1.0), rng.uniform(0.1, 2, k)
        made = project(torch.tensor(P, requires_grad=True), m, math.e)
        assert isinstance(made, torch.Tensor) and not made.requires_grad  # noqa: PT018
        np.testing.assert_allclose(made.numpy(), project(P, m, math.e), rtol=0, atol=1e-14)
        weighted = project(torch.tensor(P / w), m / w, math.e, weights=w)
        np.testing.assert_allclose(weighted.numpy() * w, made.numpy(), rtol=0, atol=1e-12)
    with pytest.raises(ValueError, match=r"^P must .*total one"):
        project(torch.tensor([0.2, 0.9], dtype=torch.float64), [0.3, 0.3], 2.0)


def test_a_row_far_from_its_scale_and_one_with_a_flat_piece_are_met():
    """The first total is flat over 20 powers of ten; the other rows are scaled by as much as 1e200."""
    m, P = np.full(100, 0.005), np.full((3, 100), 1e-20)
    P[1, 50:], P[2, :99] = 1e-200, 1e-250 * np.arange(1, 100)
    P[:, 99] = 1 - P[:, :99].sum(axis=1)
    made = project(P, m, 3.0)
    assert np.abs(made.sum(axis=1) - 1).max() < 1e-12
    assert (np.diff(made[2]) >= 0).all()
