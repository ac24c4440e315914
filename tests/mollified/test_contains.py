"""Membership: every one of 1,000 planted violations is found, where it is and how large; none in 1,000 sound laws."""

import math
from fractions import Fraction

import numpy as np
import pytest

from mollified.laws import Discrete, FiniteSpace, Grid, Uniform, member_of_box, random_law
from mollified.mollifiers import RelativeMollifier

CASES = 1000
#: Twice the rounding of a log of magnitude at most 30, and that of the atoms: 30 * 2**-52 + 2 * 2**-53 < 1e-14.
ROUNDING = 1e-13


class Unnormalised:
    """A law on a finite space whose masses need not sum to one."""

    dim = 1

    def __init__(self, masses):
        self.masses = np.asarray(masses, dtype=float)

    def log_prob(self, x):
        return np.log(self.masses)[x[:, 0].astype(int)]

    def sample(self, n, rng):
        raise AssertionError("not needed")


def random_eps(rng):
    """Return a float in [0.001, 20], log-uniform."""
    return float(np.exp(rng.uniform(np.log(1e-3), np.log(20.0))))


def rational_root(eps, sign):
    """Return a rational within 1e-9 of exp(eps/2), on the side that `sign` says."""
    return Fraction(math.exp(eps / 2) * (1 + sign * 1e-9))


def sound(rng, base, eps):
    """Return a rational member, often with atoms as close to the bounds as rationals below them allow."""
    root = rational_root(eps, -1)
    return member_of_box(rng, tuple(q / root for q in base), tuple(min(root * q, Fraction(1)) for q in base))


def broken(rng, base, eps):
    """Return a law, the atom that leaves the bounds, the side, and the size of the violation in nats."""
    root = rational_root(eps, 1)
    overshoot = Fraction(1) + Fraction(int(rng.integers(1, 10**6)), 10**6)  # up to a factor of two
    x = int(rng.integers(len(base)))
    above = bool(rng.random() < 0.5) and base[x] * root * overshoot < 1
    mass = base[x] * root * overshoot if above else base[x] / (root * overshoot)
    rest = sum(q for y, q in enumerate(base) if y != x)
    law = tuple(mass if y == x else q * (1 - mass) / rest for y, q in enumerate(base))
    ratios = [abs(math.log(q / q0)) for q, q0 in zip(law, base, strict=True)]
    return law, ratios.index(max(ratios)), max(ratios) - eps / 2


def floats(law):
    return Discrete([float(q) for q in law])


def test_no_violation_is_raised_in_a_thousand_sound_cases():
    rng = np.random.default_rng(20)
    for _ in range(CASES):
        eps = random_eps(rng)
        base = random_law(rng, int(rng.integers(2, 9)), spread=8)
        law = sound(rng, base, eps)
        seen = RelativeMollifier(floats(base), eps).contains(floats(law), FiniteSpace(len(base)))
        assert seen.contained, (base, law, eps)
        assert seen.violation <= ROUNDING
        ratios = [abs(math.log(q / q0)) for q, q0 in zip(law, base, strict=True)]
        assert seen.violation == pytest.approx(max(ratios) - eps / 2, abs=ROUNDING)


def test_a_planted_violation_is_found_in_a_thousand_of_a_thousand():
    """Above or below, at a random atom, by 1e-6 to 0.7 nats; place and size are those of the planted one.

    Where the rest of the law, scaled to keep the mass one, is further out, the worst atom is that one.
    """
    rng = np.random.default_rng(21)
    sides = set()
    for _ in range(CASES):
        eps = random_eps(rng)
        base = random_law(rng, int(rng.integers(2, 9)), spread=8)
        law, where, size = broken(rng, base, eps)
        sides.add("above" if law[where] > base[where] else "below")
        seen = RelativeMollifier(floats(base), eps).contains(floats(law), FiniteSpace(len(base)))
        assert not seen.contained
        assert seen.violation == pytest.approx(size, abs=ROUNDING)
        ratios = sorted(abs(math.log(q / q0)) for q, q0 in zip(law, base, strict=True))
        if ratios[-1] - ratios[-2] > 2 * ROUNDING:  # else two atoms are equally far out
            assert seen.index == where
            assert seen.where.tolist() == [float(where)]
        else:
            assert abs(math.log(law[seen.index] / base[seen.index])) == pytest.approx(ratios[-1], abs=2 * ROUNDING)
    assert sides == {"above", "below"}


def test_a_wrong_total_mass_is_found_in_a_thousand_of_a_thousand():
    """The ratios stay within the bounds; only the total is wrong, by 1e-6 to 0.1 of a half-width of the bounds."""
    rng = np.random.default_rng(22)
    for _ in range(CASES):
        eps = random_eps(rng)
        base = random_law(rng, int(rng.integers(2, 9)), spread=8)
        factor = math.exp(eps / 2 * float(10 ** rng.uniform(-3, -1)) * (1 if rng.random() < 0.5 else -1))
        seen = RelativeMollifier(floats(base), eps).contains(
            Unnormalised([factor * float(q) for q in base]), FiniteSpace(len(base))
        )
        assert seen.violation < 0
        assert not seen.contained
        assert seen.mass == pytest.approx(factor, rel=1e-14)  # a correctly rounded sum of at most 8 rounded atoms


@pytest.mark.parametrize(("law", "base"), [((1, 0), (0, 1)), ((0, 1), (1, 0))])
def test_zeros_of_one_of_the_two_are_infinite_violations(law, base):
    seen = RelativeMollifier(Discrete(base), 20.0).contains(Discrete(law), FiniteSpace(2))
    assert (seen.contained, seen.violation) == (False, math.inf)


def test_common_zeros_do_not_count():
    base, law = Discrete([0.0, 0.25, 0.75]), Discrete([0.0, 0.5, 0.5])
    seen = RelativeMollifier(base, 2 * math.log(2)).contains(law, FiniteSpace(3))
    # the bound is met with equality: log 2 against (2 log 2)/2, up to one rounding of each
    assert seen.contained
    assert seen.index == 1
    assert abs(seen.violation) <= 2.0**-52


def test_grid_reports_the_node_and_the_mass():
    """A density on [0, 1] relative to the uniform one: the worst node is that of the largest |log q|."""

    class Line:
        dim = 1

        def log_prob(self, x):
            return np.log(0.5 + x[:, 0])

        def sample(self, n, rng):
            raise AssertionError("not needed")

    grid = Grid([0.0], [1.0], 101)
    seen = RelativeMollifier(Uniform([0.0], [1.0]), 0.2).contains(Line(), grid)
    assert not seen.contained
    assert seen.index == 0
    assert seen.violation == pytest.approx(math.log(2) - 0.1, abs=1e-15)
    assert seen.mass == pytest.approx(1.0, abs=1e-13)  # the trapezoid rule is exact for a line
    assert RelativeMollifier(Uniform([0.0], [1.0]), 1.4).contains(Line(), grid).contained
