"""The accountant: sums of whole laws, known values, brackets, and its inverse in eps.

That its pairs are the worst of all neighbours, and what grows and falls, is decided on the page on exact accounting.
"""

import math
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from flint import arb, ctx

from mollified.bootstrap import bootstrap_delta, certified_delta, compositions, epsilon_at, two_symbol_deltas
from mollified.bootstrap._exact import binomial_tail
from mollified.bootstrap.accountant import upper_delta
from mollified.privacy import ball
from statements.arithmetic import mode, number

WAYS = ("replace", "add", "remove")


@pytest.mark.parametrize("way", WAYS)
def test_brackets_and_floats_hold_the_sums(way):
    with ctx.workprec(700):
        for n, size, k, m, eps in product((1, 3), (2, 3, 4), (1, 3), (1, 2, 4), (F(0), F(1, 10), F(1))):
            truth = summed(eps, n, size, k, m, way)
            lower, upper = certified_delta(eps, n, size, k, m, neighbours=way)
            assert lower.lower() <= truth.upper()
            assert upper.upper() >= truth.lower()
            assert abs(upper - lower) < 1e-20
            quick = bootstrap_delta(float(eps), n, size, k, m, neighbours=way)
            assert quick == pytest.approx(float(truth.mid()), abs=1e-13)


def test_two_symbols_beyond_256_records_have_a_bracket_with_room():
    lower, upper = certified_delta(0.3, 1000, 2, 5, 200)
    assert lower < upper
    assert float(lower.mid()) == pytest.approx(two_symbol_deltas(0.3, 1000, 5, 200).max(), abs=1e-12)


@pytest.mark.parametrize("way", WAYS)
def test_epsilon_at_is_the_inverse(way):
    for n, size, k, m in ((10, 3, 2, 30), (10, 2, 2, 30), (10**5, 1000, 20, 10**5), (1000, 2, 10, 400)):
        for delta in (0.2, 1e-3, 1e-8):
            eps = epsilon_at(delta, n, size, k, m, neighbours=way)
            assert upper_delta(eps, n, size, k, m, neighbours=way) <= delta * (1 + 1e-10)
            slack = 0.98 if (way, size) == ("replace", 2) else 1 - 1e-4  # 1e-13 e^eps, beside 1e-8
            shorter = eps * (1 - 1e-6) - 1e-9
            assert shorter <= 0 or bootstrap_delta(shorter, n, size, k, m, neighbours=way) > delta * slack
    assert epsilon_at(0.99, 5, 3, 10, 1, neighbours=way) == 0.0
    with pytest.raises(ValueError, match="700 nats"):
        epsilon_at(1e-9, 1, 3, 1, 10**7, neighbours=way)


def summed(eps, n, size, k, m, way):
    """Sum both laws over their whole range, in balls: no tilt, no angle, no logarithm of a probability."""
    total, level = n + k * size, ball(F(eps)).exp()
    if way == "replace" and size > 2:
        pairs = [[(k + 1, k, total - 2 * k - 1), (k, k + 1, total - 2 * k - 1), total, total]]
    elif way == "replace":
        pairs = [[(c, total - c), (c - 1, total - c + 1), total, total] for c in range(k + 1, k + n + 1)]
    else:
        pair = [(k, total - k), (k + 1, total - k), total, total + 1]
        pairs = [pair if way == "add" else [pair[1], pair[0], pair[3], pair[2]]]
    best = arb(0)
    for one, two, total_one, total_two in pairs:
        found, scale, other = arb(0), arb(total_one) ** m, arb(total_two) ** m
        for output in compositions(m, len(one)):
            ways = math.factorial(m)
            for times in output:
                ways //= math.factorial(times)
            first = ways * math.prod(w**x for w, x in zip(one, output, strict=True))
            second = ways * math.prod(w**x for w, x in zip(two, output, strict=True))
            found += (first / scale - level * second / other).max(arb(0))
        best = best.max(found)
    return best


def test_floats_lie_beside_the_truth_relatively_and_the_upper_bound_above_it_at_all_sizes():
    """Sizes over their whole range, and levels from below the first value of the loss to its end, ties too."""
    rng, rare = np.random.default_rng(20261123), 0
    with ctx.workprec(300):
        for _ in range(1000):
            n, size, k = (int(10 ** rng.uniform(low, high)) for low, high in ((0, 12), (0.5, 6), (0, 6)))
            way, m, lam = WAYS[int(rng.integers(3))], int(rng.integers(1, 6)), math.log1p(1 / k)
            tie = round(rng.random() * m) * (1 + int(rng.integers(-3, 4)) * 1e-15)
            eps = lam * (rng.random() * m if rng.random() < 0.8 else tie)
            truth, case = summed(eps, n, size, k, m, way), (eps, n, size, k, m, way)
            bound = upper_delta(eps, n, size, k, m, neighbours=way)
            assert truth.lower() <= bound, case
            if truth > 1e-300:
                quick = bootstrap_delta(eps, n, size, k, m, neighbours=way)
                slack = 1e-12 if way == "replace" else 1e-12 + 4e-15 * math.sqrt(m) + 1e-14 * m / (n + k * size)
                assert truth.upper() <= bound, case
                assert abs(arb(quick) / truth - 1) <= slack, (case, quick, truth)
                rare += bool(truth < 1e-9)
    assert rare > 200


def test_a_small_last_step_is_not_lost():
    """N = 1e12 and one draw: the log of 1 - (1 - 1e-12) was wrong in the fifth digit, and the bound lay below."""
    n, size, k = 10**12 - 3, 3, 1
    for way, truth in (("replace", F(1, 10**12)), ("remove", F(2, 10**12 + 1) - F(1, 10**12))):
        assert bootstrap_delta(0.0, n, size, k, 1, neighbours=way) == pytest.approx(float(truth), rel=1e-15)
        assert F(upper_delta(0.0, n, size, k, 1, neighbours=way)) > truth


def test_a_binomial_tail_is_the_sum_of_its_terms():
    p = F(3, 10)
    for m, v in product((1, 7, 30), range(-1, 32)):
        wanted = float(sum(math.comb(m, j) * p**j * (1 - p) ** (m - j) for j in range(max(v, 0), m + 1)))
        assert float(binomial_tail(m, 0.3, v)) == pytest.approx(wanted, rel=1e-12)
        with mode("exact", 128):
            assert float(binomial_tail(m, number(p), v)) == pytest.approx(wanted, rel=1e-14)
    assert binomial_tail(np.array([7, 7]), 0.3, np.array([0, 8])).tolist() == [1, 0]
    with mode("exact", 128), pytest.raises(TypeError, match="rational"):
        binomial_tail(7, number(2).sqrt(), 3)
