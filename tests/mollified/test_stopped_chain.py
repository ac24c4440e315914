"""Exact laws of stopped chains, against floats, enumeration and closed forms; and what the figures must show."""

from fractions import Fraction as F
from itertools import chain, combinations, product

import numpy as np
import pytest

from mollified.instances import random_law
from mollified.metropolis import law_after, metropolis_kernel
from mollified.stopped_chain import (
    extreme_pair,
    hockey_stick,
    independence_proposal,
    independence_ratio,
    metropolis_rows,
    point_start,
    steps_needed,
    stopped_laws,
    worst_ratio,
)
from mollified.studies import stopped_chains as studies


def floats(rows):
    return np.array(rows, dtype=float)


def test_rational_kernels_agree_with_the_float_kernels_and_leave_the_target_invariant():
    rng = np.random.default_rng(1)
    for size in (2, 3, 5):
        for _ in range(20):
            target, start = random_law(rng, size), random_law(rng, size)
            proposal = tuple(random_law(rng, size, spread=3) for _ in range(size))
            kernel = metropolis_rows(target, proposal)
            wanted = metropolis_kernel(np.log(floats(target)), floats(proposal))
            np.testing.assert_allclose(floats(kernel), wanted, rtol=0, atol=1e-14)
            assert stopped_laws(kernel, target, 2) == [target] * 3
            law = stopped_laws(kernel, start, 4)[-1]
            np.testing.assert_allclose(floats(law), law_after(wanted, floats(start), 4), rtol=0, atol=1e-14)


def test_proposals_with_a_zero_are_refused_for_good():
    """From 0 to 1 is proposed, from 1 to 0 never: the move has acceptance probability 0."""
    proposal = ((F(1, 2), F(1, 2)), (F(0), F(1)))
    assert metropolis_rows((F(1, 3), F(2, 3)), proposal) == ((F(1), F(0)), (F(0), F(1)))


def test_fresh_draws_and_points():
    assert independence_proposal((F(1, 3), F(2, 3))) == ((F(1, 3), F(2, 3)),) * 2
    assert point_start(3, 1) == (0, 1, 0)


def test_distances_against_all_events():
    rng = np.random.default_rng(2)
    for _ in range(20):
        one, two = random_law(rng, 4), random_law(rng, 4)
        events = list(chain.from_iterable(combinations(range(4), k) for k in range(5)))
        masses = [(sum(one[x] for x in event), sum(two[x] for x in event)) for event in events]
        for factor in (F(1), F(3, 2), F(7)):
            wanted = max(max(a - factor * b, b - factor * a) for a, b in masses)
            assert hockey_stick(one, two, factor) == wanted
        assert worst_ratio(one, two) == max(max(a / b, b / a) for a, b in masses if b)


def test_the_ratio_of_laws_with_and_without_common_zeros():
    assert worst_ratio((F(1), F(0)), (F(1), F(0))) == 1
    assert worst_ratio((F(1), F(0)), (F(1, 2), F(1, 2))) is None


@pytest.mark.parametrize("root", [F(5, 4), F(2), F(4)])
def test_the_sharp_level_of_the_independence_sampler(root):
    assert independence_ratio(root, 0) == 1
    assert independence_ratio(root, 1) == 2 * root - 1
    ratios = [independence_ratio(root, n) for n in range(30)]
    assert ratios == sorted(ratios)
    assert ratios[-1] < root**2
    base, one, _ = extreme_pair(root, 1 / (root + 1))
    laws = stopped_laws(metropolis_rows(one, independence_proposal(base)), base, 8)
    for n in range(1, 9):  # the upper bound is an identity at the point of largest weight
        assert root * laws[n][0] / base[0] == independence_ratio(root, n)


def test_the_first_step_of_the_sampler_by_enumeration_of_its_randomness():
    """All starts and proposals, each with its acceptance probability."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        base, one = random_law(rng, 4), random_law(rng, 4)
        law = [F(0)] * len(base)
        for x, y in product(range(len(base)), repeat=2):
            accept = min(F(1), one[y] * base[x] / (one[x] * base[y]))
            law[y] += base[x] * base[y] * accept
            law[x] += base[x] * base[y] * (1 - accept)
        assert stopped_laws(metropolis_rows(one, independence_proposal(base)), base, 1)[1] == tuple(law)


def test_steps_needed_against_powers():
    for eps in ("1/10", "1", "3", "10"):
        n = steps_needed(F(eps), F(1, 10**6))
        share = 1 - np.exp(-float(F(eps)) / 2)
        assert share**n <= 1e-6 < share ** (n - 1)
    assert steps_needed(F(1), F(99, 100)) == 1


def test_only_the_walk_between_members_exceeds_the_budget():
    table, facts = studies.walk_levels(eps=1.0, steps=[0, 1, 5, 50], reach=10, tail=3.45)
    most = table.groupby("chain")["share"].max()
    assert most["members, walk"] == facts["most"] > 1.6
    assert facts["at"] == 5
    assert facts["most"] < 2
    assert most["outputs, walk"] == facts["most_output"] <= 1
    assert most["members, draws"] <= 1 + 1e-12
    assert (table[table["n"] == 0]["level"] == 0).all()
    with pytest.raises(ValueError, match="must leave room"):
        studies.walk_levels(eps=4.0, steps=[1], reach=10, tail=3.45)


def test_what_a_small_atom_reaches_stays_below_the_sharp_level():
    table, facts = studies.independence_levels(roots=["2", "4"], most=6, atom="1/1000")
    assert (table["reached"] <= table["level"] + 1e-15).all()
    later = table[table["n"] > 0]
    assert (later["level"] - later["reached"] < 3e-3).all()
    assert (table["level"] < table["eps"]).all()
    assert facts["first 2"] == pytest.approx(np.log(3), rel=1e-12)


def test_a_smaller_start_has_a_higher_level_and_the_delta_keeps_to_its_bound():
    table, _ = studies.fixed_start(root="2", atoms=["1/8", "1/1024"], most=5)
    big, small = (table[table["atom"] == atom].reset_index() for atom in ("1/8", "1/1024"))
    assert (small["level"] > big["level"]).all()
    assert (table["delta"] <= table["bound"]).all()
    assert (small["delta"] > 0.99 * small["bound"]).all()


def test_the_chain_costs_more_than_rejection():
    table, facts = studies.costs(eps=["1", "10"], delta="1/1000000")
    assert table["steps"].tolist() == [15, 2044]
    assert (table["ratio"] < facts["log"]).all()
