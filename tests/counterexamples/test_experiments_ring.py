"""The claims of the page on the ring that fail as printed, from rationals alone."""

from __future__ import annotations

from fractions import Fraction as F

VERIFIED = {
    "MBDE-X-cov": "test_the_printed_region_leaves_out_the_mode",
    "MBDE-X-cov-t": "test_a_uniform_density_has_no_printed_threshold",
}

LEVEL = F(19, 20)


def masses(cells):
    """Return the mass of each cell (length, density)."""
    found = [length * density for length, density in cells]
    assert sum(found) == 1
    return found


def below(cells, t):
    """Return the cells where the density is below t, and their mass."""
    kept = [index for index, (_, density) in enumerate(cells) if density < t]
    return kept, sum((masses(cells)[index] for index in kept), F(0))


def candidates(cells):
    """Return a t from each range on which the set {q < t} is the same: the densities, and one beyond them."""
    values = sorted({density for _, density in cells})
    return [*values, values[-1] + 1]


def largest(cells):
    """Return the largest t with Q(q >= t) >= 19/20: that mass changes only where t passes a density."""
    good = [t for t in candidates(cells)[:-1] if 1 - below(cells, t)[1] >= LEVEL]
    return max(good)


def test_the_printed_region_leaves_out_the_mode():
    cells = [(F(39, 40), F(38, 39)), (F(1, 40), F(2))]
    assert masses(cells) == [F(19, 20), F(1, 20)]
    exact = [t for t in candidates(cells) if below(cells, t)[1] == LEVEL]
    assert exact == [F(2)]
    region, mass = below(cells, exact[0])
    assert mass == LEVEL
    on_the_mode, off_the_mode = [F(0), F(1)], [F(1), F(0)]
    assert sum(on_the_mode[index] for index in region) == 0
    assert sum(off_the_mode[index] for index in region) == 1
    # corrected: {q >= t} with the largest t such that its mass is at least 19/20
    t = largest(cells)
    high = [index for index, (_, density) in enumerate(cells) if density >= t]
    assert t == F(38, 39)
    assert sum(on_the_mode[index] for index in high) == 1
    # where the mode holds 19/20, the corrected region is the mode alone
    cells = [(F(1, 2), F(1, 10)), (F(1, 2), F(19, 10))]
    t = largest(cells)
    assert t == F(19, 10)
    assert 1 - below(cells, t)[1] == LEVEL


def test_a_uniform_density_has_no_printed_threshold():
    uniform = [(F(1), F(1))]
    assert {below(uniform, t)[1] for t in candidates(uniform)} == {F(0), F(1)}
    assert largest(uniform) == 1
    # a plateau of mass exactly 19/20, and densities spread evenly from its value up to 4 - 38/39 on a length of 1/40
    value, top, length = F(38, 39), 4 - F(38, 39), F(1, 40)
    assert F(39, 40) * value == LEVEL
    assert length * (value + top) / 2 == F(1, 20)

    def mass_below(t):
        if t <= value:
            return F(0)
        share = min((t - value) / (top - value), F(1))
        return LEVEL + share * length * (value + value + share * (top - value)) / 2

    assert mass_below(value) == 0
    assert mass_below(top) == 1
    assert all(mass_below(value + F(1, 10**power)) > LEVEL for power in range(1, 40))
    # under the condition: density 2x on [0, 1], no plateau; Q(q < t) = t^2/4 takes 19/20 between two rationals
    low, high = F(194, 100), F(196, 100)
    assert low**2 / 4 < LEVEL < high**2 / 4
