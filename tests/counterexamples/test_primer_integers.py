"""A count that is truncated at its own n gives a record away, and a private estimate of a count may be negative."""

from __future__ import annotations

from fractions import Fraction as F

VERIFIED = {
    "LEC-alg-count": "test_a_private_estimate_of_a_count_can_be_negative",
}


def noise(z, alpha):
    """Return P[Z = z] for two-sided geometric noise."""
    return (1 - alpha) / (1 + alpha) * alpha ** abs(z)


def above(z, alpha):
    """Return P[Z >= z] for z >= 0, a geometric series."""
    return noise(z, alpha) / (1 - alpha)


def truncated(count, high, alpha):
    """Return the masses at 0..high of the noisy count, truncated to that range."""
    if high == 0:
        return [F(1)]
    inside = [noise(output - count, alpha) for output in range(1, high)]
    return [above(count, alpha), *inside, above(high - count, alpha)]


def private(one, two, factor):
    """Tell whether no output is more than `factor` times likelier under either law; the shorter has zeros."""
    size = max(len(one), len(two))
    one, two = (list(law) + [F(0)] * (size - len(law)) for law in (one, two))
    return all(p <= factor * q and q <= factor * p for p, q in zip(one, two, strict=True))


def test_truncation_at_n_gives_a_record_away():
    alpha, factor = F(1, 2), F(2)
    with_record, without = truncated(1, 1, alpha), truncated(0, 0, alpha)
    assert with_record == [F(1, 3), F(2, 3)]
    assert without == [F(1)]
    assert not private(with_record, without, factor)
    assert not private(with_record, without, F(10**100))  # nor at any other level: an output has mass 0 without it
    # for every n of the first fifty: n matching records against n - 1
    for n in range(1, 51):
        law = truncated(n, n, alpha)
        assert sum(law) == 1
        assert law[n] == 1 / (1 + alpha) == F(2, 3)
        assert not private(law, truncated(n - 1, n - 1, alpha), factor)
        # the sound variants: a public range, or a record replaced so that n stays
        assert private(truncated(n, 60, alpha), truncated(n - 1, 60, alpha), factor)
        assert private(truncated(n, n, alpha), truncated(n - 1, n, alpha), factor)


def test_a_private_estimate_of_a_count_can_be_negative():
    alpha, factor = F(1, 2), F(2)
    outputs = range(-40, 41)
    one, two = ([noise(output - count, alpha) for output in outputs] for count in (0, 1))
    assert private(one, two, factor)
    negative = above(1, alpha)
    assert negative == F(1, 3)
    # the sound variant: truncated to a range from 0, nothing is negative and it is as private
    one, two = truncated(0, 40, alpha), truncated(1, 40, alpha)
    assert sum(one) == sum(two) == 1
    assert private(one, two, factor)
