"""The parts of the checks on budgets and stopped chains: what their controls change, and what they keep."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest

from mollified.studies.stopped_chains import costs, walk_levels
from mollified.verify.budgets import _joint, product_level
from mollified.verify.group_noise import _laplace_log_ratio, whole_input
from mollified.verify.kl_balls import _close_run
from mollified.verify.local_protocol import _transcripts
from mollified.verify.post_processing import _attaining, family_ratio

LAW = (F(1, 2), F(1, 3), F(1, 6))


@pytest.mark.parametrize("correlation", [F(1, 50), F(-1, 50), F(99, 100), F(-99, 100)])
@pytest.mark.parametrize("at", [0, 1, 2])
def test_correlated_draws_keep_their_laws(correlation, at):
    joint = dict(zip(product(range(3), repeat=3), _joint(LAW, 3, at, correlation), strict=True))
    assert sum(joint.values()) == 1
    assert min(joint.values()) > 0
    for place in range(3):
        assert tuple(sum(m for s, m in joint.items() if s[place] == x) for x in range(3)) == LAW
    assert joint[at, at, 0] != LAW[at] ** 2 * LAW[0]


def test_two_fair_bits_reveal_together_what_neither_does():
    found = product_level(np.random.default_rng(1), 1, correlation=F(1, 50)).counterexample
    assert found["exp_level"] == "1"
    assert found["ratio"] == "51/49"


def test_the_log_ratio_of_laplace_noise_is_largest_outside_the_two_counts():
    assert _laplace_log_ratio((0, 7), F(1, 3), [F(7, 2)]) == 0
    assert _laplace_log_ratio((0, 7), F(1, 3), [F(3)]) == F(1, 3)
    assert _laplace_log_ratio((0, 7), F(1, 3), [F(-1), F(3), F(9)]) == F(7, 3)


def test_laplace_noise_for_one_record_is_not_condemned_for_one_record():
    assert whole_input(np.random.default_rng(2), 200, laplace=True, one_record=True).worst_slack == 0
    assert not whole_input(np.random.default_rng(2), 200, laplace=True).passed


def test_transcripts_of_independent_users_are_a_product_law():
    masses = _transcripts((F(2, 3), F(1, 3)), [LAW], 1)
    assert masses == [a * b for a in (F(2, 3), F(1, 3)) for b in LAW]
    again = _transcripts((F(2, 3), F(1, 3)), [(F(1),)], 2)
    assert sum(again) == 1
    assert again == [F(4, 9), F(2, 9), F(1, 9), F(2, 9)]


def test_the_member_and_the_point_that_attain_the_level_are_found():
    family = [LAW, (F(1, 4), F(1, 4), F(1, 2))]
    assert family_ratio(family) == 3
    assert _attaining(family, F(3)) == (0, 2)


def test_the_worst_member_sits_on_the_upper_edge_of_the_range():
    target, base, member, rows = _close_run(np.random.default_rng(3), 0, F(2))
    assert target == (1, 0)
    assert member[0] == 2 * base[0]
    assert all(row == (-1, 1) for row in rows)


def test_facts_of_the_chain_say_when_its_level_is_back_and_what_it_costs():
    table, facts = walk_levels(1.0, [0, 1, 5, 20, 48, 64, 128], 10, 3.45)
    shares = table[table["chain"] == "members, walk"].set_index("n")["share"]
    assert shares[int(facts["back"])] <= 1.005 < shares[20]
    assert walk_levels(1.0, [1, 5], 10, 3.45)[1]["back"] == np.inf
    table, facts = costs(["1/2", "3"], "1/1000000")
    assert (facts["least_ratio"], facts["most_ratio"]) == (table["ratio"].min(), table["ratio"].max())
