"""One round given by rationals: its drop and moments against the definitions, and what random rounds promise."""

from __future__ import annotations

import math
from fractions import Fraction as F

import numpy as np
import pytest

from mollified.weak_round import high_example, low_example, random_round, two_points


def test_the_examples_have_the_numbers_of_the_pages():
    low, high = low_example(), high_example()
    assert (low.edge_p, low.edge_q) == (F(1, 3), F(1, 3))
    assert float(low.drop) == pytest.approx(math.log(3) - 4 / 3 * math.log(2), abs=1e-15)
    assert (high.edge_p, high.edge_q) == (F(3, 5), F(3, 5))
    assert float(high.moment(F(1))) == pytest.approx(521 / 550, abs=1e-15)
    assert float(high.u) == pytest.approx(math.log(1.1) / 2, abs=1e-15)


def test_the_drop_is_a_difference_of_divergences():
    for seed in range(20):
        one = random_round(np.random.default_rng(seed))
        p, q = (np.array([float(x) for x in law]) for law in (one.p, one.q))
        raised = q * np.exp(float(one.u) * np.array([float(s) for s in one.shape]))
        after = raised / raised.sum()
        assert float(one.drop) == pytest.approx((p * np.log(after / q)).sum(), abs=1e-12)


@pytest.mark.parametrize("regime", [None, "low", "high"])
def test_random_rounds_lie_in_their_regime(regime):
    rng = np.random.default_rng(3)
    for _ in range(100):
        one = random_round(rng, regime=regime)
        assert 0 < one.gamma_p < one.edge_p <= 1
        assert 0 < one.gamma_q < one.edge_q <= 1
        if regime:
            assert (one.gamma_q >= F(1, 3)) == (regime == "high")


def test_largest_classifiers_reach_log_two_and_others_do_not_always():
    rng = np.random.default_rng(4)
    assert all(random_round(rng, largest=True).exp_c == 2 for _ in range(20))
    assert any(random_round(rng).exp_c < 2 for _ in range(20))


def test_an_unknown_regime_is_refused():
    with pytest.raises(ValueError, match=r"regime.*'middle'"):
        random_round(np.random.default_rng(1), regime="middle")


def test_edges_that_are_reached_are_refused():
    with pytest.raises(ValueError, match="gamma_q"):
        two_points(F(2, 3), F(1, 3), F(2), F(1, 2), (F(1, 4), F(1, 3)))


def test_the_values_of_a_round_are_written_out():
    assert low_example().text()["exp_c_star"] == 2
