"""The accountant, and the tails of walks that it sums: against whole laws and balls,
and its inverse in eps.
"""

import math
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from flint import arb, ctx

from mollified.bootstrap import (
    bootstrap_delta,
    certified_delta,
    compositions,
    epsilon_at,
)
from mollified.bootstrap.accountant import upper_delta
from mollified.bootstrap.probabilities import binomial_tail
from mollified.privacy import ball
from mollified.privacy.lattice_walk import Walk, certified_tail, tail
from statements.arithmetic import mode, number


def law(walk):
    """The law of a walk by convolution, exactly: value -> probability."""
    current = {0: F(1)}
    for _ in range(walk.m):
        following = {}
        for v, p in current.items():
            for step, q in ((1, walk.up), (-1, walk.down), (0, walk.stay)):
                if q:
                    following[v + step] = following.get(v + step, F(0)) + p * q
        current = following
    return current


SMALL = [
    Walk(F(1, 4), F(1, 4), 1),  # its characteristic function vanishes at pi
    Walk(F(1, 2), F(1, 3), 5),
    Walk(F(1, 3), F(2, 3), 6),
    Walk(F(2, 5), F(0), 7),
    Walk(F(0), F(2, 5), 7),
    Walk(F(1, 1000), F(1, 1001), 6),
    Walk(F(999, 1000), F(1, 2000), 4),
]


@pytest.mark.parametrize("walk", SMALL, ids=str)
def test_every_start_of_a_small_walk_against_its_law(walk):
    chances = law(walk)
    with ctx.workprec(400):
        for lam in (F(1, 10), F(1), F(5)):
            for v0 in range(walk.bottom, walk.top + 3):
                for share in (F(0), F(1, 3), F(99, 100)):
                    alpha = ball(lam * (v0 - share))
                    parts = [
                        ball(p) * (1 - (alpha - ball(lam) * v).exp())
                        for v, p in chances.items()
                        if v >= v0
                    ]
                    truth = sum(parts, arb(0))
                    result = certified_tail(walk, v0, alpha, ball(lam))
                    assert result.overlaps(truth), (walk, v0, lam, share, result, truth)
                    assert result.rad() <= 1e-18 * truth.upper() + 1e-30
                    quick = tail(walk, v0, float(-lam * share), float(lam))
                    assert quick == pytest.approx(float(truth.mid()), rel=2e-12)


@pytest.mark.parametrize("m", [10**2, 10**4, 10**6, 10**8, 10**12, 10**15, 2**62])
def test_floats_against_balls_from_the_middle_to_the_far_tail(m):
    rng = np.random.default_rng(m % 997)
    for _ in range(12):
        k = int(np.exp(rng.uniform(0, np.log(1e4))))
        size = int(np.exp(rng.uniform(np.log(3), np.log(1e5))))
        total = k * size + int(np.exp(rng.uniform(0, np.log(1e7))))
        walk = Walk(F(k + 1, total), F(k, total), m)
        lam = math.log1p(1 / k)
        spread = math.sqrt(m * (2 * k + 1) / total)
        v0 = min(
            math.ceil(rng.uniform(-3, 12) * spread + m / total),
            walk.top - 1,
            int(700 / lam),
        )
        alpha = F(lam) * (v0 - F(int(rng.integers(0, 1000)), 1000))
        with ctx.workprec(400):
            result = certified_tail(walk, v0, ball(alpha), ball(F(lam)))
            assert result > 0
            assert result.rad() <= 1e-17 * result.mid()
        assert tail(walk, v0, float(alpha - F(lam) * v0), lam) == pytest.approx(
            float(result.mid()), rel=1e-12
        )


def test_what_lies_too_deep_for_a_sum_is_bracketed_at_once():
    """Half of 1e15 steps up, where 1 in 4 is.

    The number of angles grew like the root of the exponent, 1e14.
    """
    walk = Walk(F(1, 4), F(1, 4), 10**15)
    lam = F(1, 10**15)
    assert tail(walk, 10**15 // 2, -1e-16, float(lam)) == 0.0
    result = certified_tail(walk, 10**15 // 2, ball(lam * 10**15 / 2), ball(lam))
    assert 0 <= result.upper() < arb(-(10**13)).exp()
    assert epsilon_at(1e-9, 1000, 4, 10**15, 10**15) == pytest.approx(
        2.925659689e-08, rel=1e-9
    )


WAYS = ("replace", "add", "remove")


@pytest.mark.parametrize("way", WAYS)
def test_brackets_and_floats_hold_the_sums(way):
    with ctx.workprec(700):
        for n, size, k, m, eps in product(
            (1, 3), (2, 3, 4), (1, 3), (1, 2, 4), (F(0), F(1, 10), F(1))
        ):
            truth = summed(eps, n, size, k, m, way)
            lower, upper = certified_delta(eps, n, size, k, m, neighbours=way)
            assert lower.lower() <= truth.upper()
            assert upper.upper() >= truth.lower()
            assert abs(upper - lower) < 1e-20
            quick = bootstrap_delta(float(eps), n, size, k, m, neighbours=way)
            assert quick == pytest.approx(float(truth.mid()), abs=1e-13)


@pytest.mark.parametrize("way", WAYS)
def test_epsilon_at_is_the_inverse(way):
    for n, size, k, m in (
        (10, 3, 2, 30),
        (10, 2, 2, 30),
        (10**5, 1000, 20, 10**5),
        (1000, 2, 10, 400),
    ):
        for delta in (0.2, 1e-3, 1e-8):
            eps = epsilon_at(delta, n, size, k, m, neighbours=way)
            assert upper_delta(eps, n, size, k, m, neighbours=way) <= delta * (
                1 + 1e-10
            )
            slack = (
                0.98 if (way, size) == ("replace", 2) else 1 - 1e-4
            )  # 1e-13 e^eps, beside 1e-8
            shorter = eps * (1 - 1e-6) - 1e-9
            assert (
                shorter <= 0
                or bootstrap_delta(shorter, n, size, k, m, neighbours=way)
                > delta * slack
            )
    assert epsilon_at(0.99, 5, 3, 10, 1, neighbours=way) == 0.0
    with pytest.raises(ValueError, match="700 nats"):
        epsilon_at(1e-9, 1, 3, 1, 10**7, neighbours=way)


def summed(eps, n, size, k, m, way):
    """Sum both laws over their whole range, in balls: no tilt, no angle, no logarithm
    of a probability.
    """
    total = n + k * size
    level = ball(F(eps)).exp()
    if way == "replace" and size > 2:
        pairs = [
            [(k + 1, k, total - 2 * k - 1), (k, k + 1, total - 2 * k - 1), total, total]
        ]
    elif way == "replace":
        pairs = [
            [(c, total - c), (c - 1, total - c + 1), total, total]
            for c in range(k + 1, k + n + 1)
        ]
    else:
        pair = [(k, total - k), (k + 1, total - k), total, total + 1]
        pairs = [pair if way == "add" else [pair[1], pair[0], pair[3], pair[2]]]
    best = arb(0)
    for one, two, total_one, total_two in pairs:
        result = arb(0)
        scale = arb(total_one) ** m
        other = arb(total_two) ** m
        for output in compositions(m, len(one)):
            ways = math.factorial(m)
            for times in output:
                ways //= math.factorial(times)
            first = ways * math.prod(w**x for w, x in zip(one, output, strict=True))
            second = ways * math.prod(w**x for w, x in zip(two, output, strict=True))
            result += (first / scale - level * second / other).max(arb(0))
        best = best.max(result)
    return best


def test_floats_lie_beside_the_truth_and_the_upper_bound_above_it_at_all_sizes():
    """Sizes over their whole range, and levels from below the first value of the loss
    to its end, ties too.
    """
    rng = np.random.default_rng(20261123)
    rare = 0
    with ctx.workprec(300):
        for _ in range(1000):
            n, size, k = (
                int(10 ** rng.uniform(low, high))
                for low, high in ((0, 12), (0.5, 6), (0, 6))
            )
            way = WAYS[int(rng.integers(3))]
            m = int(rng.integers(1, 6))
            lam = math.log1p(1 / k)
            tie = round(rng.random() * m) * (1 + int(rng.integers(-3, 4)) * 1e-15)
            eps = lam * (rng.random() * m if rng.random() < 0.8 else tie)
            truth = summed(eps, n, size, k, m, way)
            case = (eps, n, size, k, m, way)
            bound = upper_delta(eps, n, size, k, m, neighbours=way)
            assert truth.lower() <= bound, case
            if truth > 1e-300:
                quick = bootstrap_delta(eps, n, size, k, m, neighbours=way)
                slack = (
                    1e-12
                    if way == "replace"
                    else 1e-12 + 4e-15 * math.sqrt(m) + 1e-14 * m / (n + k * size)
                )
                assert truth.upper() <= bound, case
                assert abs(arb(quick) / truth - 1) <= slack, (case, quick, truth)
                rare += bool(truth < 1e-9)
    assert rare > 200


def test_a_small_last_step_is_not_lost():
    """N = 1e12 and one draw: the log of 1 - (1 - 1e-12) was wrong in the fifth digit,
    and the bound lay below.
    """
    n = 10**12 - 3
    size = 3
    k = 1
    for way, truth in (
        ("replace", F(1, 10**12)),
        ("remove", F(2, 10**12 + 1) - F(1, 10**12)),
    ):
        assert bootstrap_delta(0.0, n, size, k, 1, neighbours=way) == pytest.approx(
            float(truth), rel=1e-15
        )
        assert F(upper_delta(0.0, n, size, k, 1, neighbours=way)) > truth


def test_a_binomial_tail_is_the_sum_of_its_terms():
    p = F(3, 10)
    for m, v in product((1, 7, 30), range(-1, 32)):
        wanted = float(
            sum(
                math.comb(m, j) * p**j * (1 - p) ** (m - j)
                for j in range(max(v, 0), m + 1)
            )
        )
        assert float(binomial_tail(m, 0.3, v)) == pytest.approx(wanted, rel=1e-12)
        with mode("exact", 128):
            assert float(binomial_tail(m, number(p), v)) == pytest.approx(
                wanted, rel=1e-14
            )
    assert binomial_tail(np.array([7, 7]), 0.3, np.array([0, 8])).tolist() == [1, 0]
    with mode("exact", 128), pytest.raises(TypeError, match="rational"):
        binomial_tail(7, number(2).sqrt(), 3)
