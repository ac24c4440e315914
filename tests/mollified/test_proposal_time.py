"""What the number of proposals tells: small cases by hand, and the time of the finite sampler's bytes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from mollified.sampling.proposal_time import time_delta

F = Fraction


@pytest.mark.parametrize(
    ("rate", "other", "exp_eps", "delta"),
    [
        (F(1, 2), F(1), F(10), F(1, 2)),  # two proposals cannot happen under the other
        (F(1), F(1, 2), F(1), F(1, 2)),
        (F(1), F(1, 2), F(2), F(0)),  # the ratio at one proposal is exactly 2
        (F(1, 2), F(1, 2), F(1), F(0)),
        (F(1, 4), F(1, 2), F(1), F(3, 4) ** 2 - F(1, 2) ** 2),  # N >= 2 and N >= 3 serve alike: 1/4 < 5/16
    ],
)
def test_small_cases(rate, other, exp_eps, delta):
    assert time_delta(rate, other, exp_eps) == delta


def test_best_event_among_all_thresholds():
    for a, b, factor in ((F(1, 3), F(1, 2), F(3, 2)), (F(2, 3), F(1, 5), F(2)), (F(1, 5), F(1, 4), F(4))):
        tails = [(1 - a) ** n - factor * (1 - b) ** n for n in range(80)]
        heads = [1 - (1 - a) ** n - factor * (1 - (1 - b) ** n) for n in range(80)]
        assert time_delta(a, b, factor) == max(max(tails), max(heads), 0)
