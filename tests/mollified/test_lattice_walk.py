"""The tail of a walk: against exact sums on small walks, floats against balls on large ones."""

import math
from fractions import Fraction as F

import numpy as np
import pytest
from flint import arb, ctx

from mollified.privacy import ball
from mollified.privacy.lattice_walk import Walk, certified_tail, tail


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
                    parts = [ball(p) * (1 - (alpha - ball(lam) * v).exp()) for v, p in chances.items() if v >= v0]
                    truth = sum(parts, arb(0))
                    found = certified_tail(walk, v0, alpha, ball(lam))
                    assert found.overlaps(truth), (walk, v0, lam, share, found, truth)
                    assert found.rad() <= 1e-18 * truth.upper() + 1e-30
                    quick = tail(walk, v0, float(-lam * share), float(lam))
                    assert quick == pytest.approx(float(truth.mid()), rel=2e-12)


@pytest.mark.parametrize("m", [10**2, 10**4, 10**6, 10**8, 10**12])
def test_floats_against_balls_from_the_middle_to_the_far_tail(m):
    rng = np.random.default_rng(m % 997)
    for _ in range(12):
        k = int(np.exp(rng.uniform(0, np.log(1e4))))
        size = int(np.exp(rng.uniform(np.log(3), np.log(1e5))))
        total = k * size + int(np.exp(rng.uniform(0, np.log(1e7))))
        walk, lam = Walk(F(k + 1, total), F(k, total), m), math.log1p(1 / k)
        spread = math.sqrt(m * (2 * k + 1) / total)
        v0 = min(math.ceil(rng.uniform(-3, 12) * spread + m / total), walk.top - 1, int(700 / lam))
        alpha = F(lam) * (v0 - F(int(rng.integers(0, 1000)), 1000))
        with ctx.workprec(400):
            found = certified_tail(walk, v0, ball(alpha), ball(F(lam)))
            assert found > 0
            assert found.rad() <= 1e-17 * found.mid()
        assert tail(walk, v0, float(alpha - F(lam) * v0), lam) == pytest.approx(float(found.mid()), rel=2e-11)
