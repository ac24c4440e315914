"""The sensitivity over typical outputs, and the studies of the page on the relaxed exponential mechanism."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction as F

import pytest

from mollified.relaxed_exponential import definition_change, formula_share, typical_change
from mollified.studies.relaxed_exponential import probable_types, sensitivities, two_outputs


def brute(n, size, k, gamma, m, letter=None):
    """Return the largest change over the types of m records that are typical for the first of the pair, or `letter`."""
    total, best = n + k * size, 0.0
    rows = [c for c in itertools.product(range(n + 1), repeat=size) if sum(c) == n]
    types = [j for j in itertools.product(range(m + 1), repeat=size) if sum(j) == m]

    def near(j, c):
        return all(abs(F(x, m) - F(y + k, total)) <= gamma for x, y in zip(j, c, strict=True))

    for c in rows:
        for j in (j for j in types if near(j, letter or c)):
            for a, b in itertools.permutations(range(size), 2):
                if c[a]:
                    change = j[a] / m * math.log1p(-1 / (c[a] + k)) + j[b] / m * math.log1p(1 / (c[b] + k))
                    best = max(best, abs(change))
    return best


@pytest.mark.parametrize(
    ("n", "size", "k", "gamma", "m"),
    [
        (1, 2, 1, F(1, 3), 6),
        (2, 2, 1, F(1, 2), 8),
        (2, 3, 1, F(1, 5), 10),
        (3, 3, 2, F(1, 3), 18),
        (2, 3, 1, F(9, 10), 10),
    ],
)
def test_the_sensitivity_of_real_types_is_attained_on_a_fine_lattice(n, size, k, gamma, m):
    assert typical_change(n, size, k, gamma).value == pytest.approx(brute(n, size, k, gamma, m), abs=1e-14)


def test_the_sensitivity_of_real_types_bounds_every_lattice_and_the_formula_bounds_it():
    for n, size, k in ((1, 2, 1), (2, 2, 2), (2, 3, 1), (3, 3, 1), (2, 4, 1)):
        for gamma in (F(1, 20), F(1, 7), F(2, 5), F(4, 5)):
            change = typical_change(n, size, k, gamma)
            for m in (3, 5, 7):
                assert brute(n, size, k, gamma, m) <= change.value + 1e-14
                assert brute(n, size, k, gamma, m, (n, *[0] * (size - 1))) <= (
                    definition_change([n, *[0] * (size - 1)], k, gamma).value + 1e-14
                )
            share = formula_share(n, size, k, gamma)
            assert change.value <= float(share) * math.log1p(1 / k) + 1e-14


def test_the_sensitivity_over_all_pairs_is_attained():
    assert definition_change([2, 0], 1, F(1, 4)).value == pytest.approx(brute(2, 2, 1, F(1, 4), 4, (2, 0)), abs=1e-14)
    assert definition_change([2, 0], 1, F(1, 4)).value == pytest.approx(math.log(2), abs=1e-15)
    counts = [2, 1, 0]
    assert definition_change(counts, 1, F(1, 6)).value == pytest.approx(
        brute(3, 3, 1, F(1, 6), 6, (2, 1, 0)), abs=1e-14
    )


def test_numbers_of_the_ledger():
    assert typical_change(20, 10, 2, F(3, 10)).value == pytest.approx(0.15205, abs=5e-6)
    assert typical_change(20, 2, 2, F(1, 20)).value == pytest.approx(0.0326, abs=5e-5)
    assert typical_change(20, 10, 2, F(1, 50)).value == pytest.approx(0.026355, abs=5e-7)
    assert definition_change([20, *[0] * 9], 2, F(1, 50)).value == pytest.approx(0.2297, abs=5e-5)


def test_the_studies_agree_with_rationals():
    table, facts = two_outputs(0.001, -14.0, 12.0, 27)
    row = table[table["t"] == 10.0].iloc[0]
    one, two = (F(1024, 1025), F(1, 1025)), (F(1, 2049), F(2048, 2049))
    assert row["one"] == pytest.approx(float(one[0] - 4 * two[0]), abs=1e-15)
    assert facts["largest_within"] <= 0.001
    table, facts = probable_types([2, 1, 0], 1, 6)
    assert table["class_probability"].sum() == pytest.approx(1, abs=1e-14)
    assert facts["best_class"] == [3, 2, 1]
    assert facts["best_single"] == [6, 0, 0]
    table, facts = sensitivities(3, 1, [2, 3], 5)
    wide = table.pivot(index=["size", "gamma"], columns="reading", values="share")
    assert (wide["pair"] <= wide["formula"] + 1e-14).all()
