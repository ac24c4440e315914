"""Two symbols: the worst pair of data sets by bounds on blocks, against a scan of all
pairs.
"""

import math
from fractions import Fraction as F

import numpy as np
import pytest
from flint import arb, ctx

from mollified.bootstrap import (
    bootstrap_delta,
    certified_delta,
    choose_parameters,
    largest_m,
    smallest_k,
    two_symbol_deltas,
    two_symbols,
)
from mollified.bootstrap.accountant import Side, ball_delta, upper_delta
from mollified.bootstrap.two_symbols import pair_deltas, pair_error, worst_pair
from mollified.privacy import ball
from mollified.privacy.lattice_walk import Walk


def drawn(rng, most):
    """n, k, m and a level of up to six standard deviations of the loss of the rarest
    symbol, log-uniform.
    """
    n, k, m = (
        int(10 ** rng.uniform(low, high)) for low, high in ((0, most), (0, 6), (0, 8))
    )
    share = (k + 1) / (n + 2 * k)
    eps = rng.uniform(0, 6) * math.sqrt(m * share * (1 - share)) / (
        k + 1
    ) + rng.uniform(0, 1) / (k + 1)
    return min(eps, 40.0), n, k, m


def exact(eps, first, total, m):
    """Delta of one pair by its whole law, in balls."""
    one = F(first, total)
    two = F(first - 1, total)
    level = ball(F(eps)).exp()
    result = arb(0)
    for v in range(m + 1):
        p, q = (math.comb(m, v) * x**v * (1 - x) ** (m - v) for x in (one, two))
        result += (ball(p) - level * ball(q)).max(arb(0))
    return result


def test_one_pair_bounds_a_block_and_is_the_pair_of_a_block_of_one():
    with ctx.workprec(300):
        for total, a, b, m in (
            (30, 3, 9, 6),
            (30, 12, 26, 9),
            (11, 2, 9, 4),
            (1000, 400, 401, 12),
        ):
            for eps in (0.0, 0.01, 0.1, 0.5):
                bound = exact(eps, a, total - (b - a), m)
                assert all(exact(eps, c, total, m) <= bound for c in range(a, b + 1))
                result = pair_deltas(eps, np.array([float(a)]), total - (b - a), m)[0]
                assert abs(result - float(bound.mid())) <= pair_error(eps, m)
        assert exact(0.0, 26, 30, 9) > exact(0.0, 12, 30, 9), (
            "the first pair itself is no bound"
        )


def test_the_worst_pair_is_that_of_the_scan_up_to_the_error_of_floats():
    rng = np.random.default_rng(20261128)
    places = set()
    for _ in range(200):
        eps, n, k, m = drawn(rng, 4.2)
        deltas = two_symbol_deltas(eps, n, k, m)
        result, place, bound = worst_pair(eps, n, k, m)
        assert bound == result
        assert result == deltas[place - k - 1]
        assert deltas.max() - pair_error(eps, m) <= result <= deltas.max(), (
            eps,
            n,
            k,
            m,
        )
        where = int(deltas.argmax())
        places.add({0: "low", n - 1: "high"}.get(where, "inside"))
    assert places == {"low", "high", "inside"}


def scan_fits(eps, delta, n, k, m):
    """Say whether the three-symbol curve, or all pairs, as they were all tried before,
    stay within delta.
    """
    total = n + 2 * k
    with ctx.workprec(300):
        walk = Walk(F(k + 1, total), F(k, total), m)
        curve = ball_delta(Side(walk, F(1), F(k + 1, k)), arb(eps))
    worst = two_symbol_deltas(eps, n, k, m).max() + (
        1e-13 + 1e-15 * math.sqrt(m)
    ) * math.exp(eps)
    return min(float(curve.mid()) * (1 + 1e-11), worst) <= delta


@pytest.mark.parametrize("n", [1, 7, 300, 5000, 20_000])
def test_the_whole_numbers_are_those_of_the_scan(n):
    rng = np.random.default_rng(n)
    for _ in range(12):
        k = int(10 ** rng.uniform(0, 4))
        eps = 10 ** rng.uniform(-1.5, 0.7)
        delta = 10 ** rng.uniform(-9, -1)
        m = largest_m(eps, delta, n, 2, k)
        assert m == 0 or upper_delta(eps, n, 2, k, m) <= delta
        assert not scan_fits(eps, delta, n, k, m + 1)
        least = smallest_k(eps, delta, n, 2, m + 1)
        assert least > k
        assert not scan_fits(eps, delta, n, least - 1, m + 1)


def test_a_million_records_take_few_pairs(monkeypatch):
    """A scan took n of them for each m that was tried, sixty million.

    The largest m of 1e6 was not result in 13 min.
    """
    tried = []

    def counting(eps, first, total, m):
        tried.append(np.size(first))
        return pair_deltas(eps, first, total, m)

    monkeypatch.setattr(two_symbols, "pair_deltas", counting)
    assert largest_m(1.0, 1e-6, 10**6, 2, 10) == 339_575
    assert 0 < sum(tried) <= 5_000
    chosen = choose_parameters(10**6, 2, 1.0, 1e-6)
    assert (chosen.k, chosen.m) == (17_546, 10**9)
    assert sum(tried) <= 20_000


def test_pairs_that_cannot_be_told_apart_end_the_search_with_a_bound(monkeypatch):
    """With k far above n all pairs are nearly equal.

    A search would take nearly all of them.
    """
    monkeypatch.setattr(two_symbols, "MOST_BLOCKS", 8)
    cut = 0
    for eps, n, k, m in (
        (1e-6, 20_000, 10**6, 10**7),
        (1e-4, 5000, 10**5, 10**6),
        (1e-3, 3000, 10**4, 10**7),
    ):
        result = worst_pair(eps, n, k, m)
        scanned = two_symbol_deltas(eps, n, k, m).max()
        assert result.delta <= scanned <= result.bound + pair_error(eps, m)
        assert result.bound <= result.delta * 1.05
        assert worst_pair(eps, n, k, m, enough=scanned * 0.999).bound > scanned * 0.999
        cut += result.bound > result.delta
    assert cut


def test_beyond_what_the_beta_functions_hold_pairs_come_from_the_walk():
    """One of these five pairs had no right digit: .016 in place of 2e-8."""
    arguments = 0.0, 5, 2, 77954399885536, 15179155694241
    lower, upper = certified_delta(*arguments)
    assert abs(bootstrap_delta(*arguments) - float(upper.mid())) <= 1e-12 * float(
        upper.mid()
    )
    assert lower.overlaps(upper)
    with pytest.raises(ValueError, match=r"10\^12 records"):
        two_symbol_deltas(0.0, 5, 77954399885536, 15179155694241)
