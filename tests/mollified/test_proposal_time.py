"""What the number of proposals tells: small cases by hand, and the time of the finite sampler's bytes."""

from fractions import Fraction

import pytest

from mollified.sampling import acceptance_rates, time_delta

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


def test_the_rarer_acceptance_is_betrayed_at_every_level():
    deltas = [time_delta(F(1, 4), F(1, 2), F(10) ** power) for power in range(6)]
    assert all(delta > 0 for delta in deltas)
    assert deltas == sorted(deltas, reverse=True)


def test_the_constant_envelope_has_one_rate():
    rates = [acceptance_rates(mass, F(5, 4)) for mass in (F(241, 200), F(169, 200))]
    assert rates[0][1] == rates[1][1] == F(16, 25)
    assert rates[0][0] != rates[1][0]
