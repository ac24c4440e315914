"""The condition of the low regime: what the printed bound and (43) need, and what the sharp bound does not."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from mollified.bounds import kl_drop, kl_drop_hoeffding
from mollified.verify.low_regime import useful_condition


def test_the_sharp_bound_needs_less_than_the_condition():
    check = useful_condition(np.random.default_rng(1), 1, bound="sharp")
    assert check.violations == 1
    assert check.counterexample == {"theta": "9/10", "c_star": "69/100", "gamma_P": "3/10", "gamma_Q": "1/1000"}


@pytest.mark.parametrize(("theta", "edges"), [(0.9, (0.3, 0.001)), (1.0, (0.33, 0.001))])
def test_the_example_of_the_page(theta, edges):
    """Below the threshold u/2, where the printed bound and (43) are negative and the sharp bound is positive."""
    step = (theta, math.log(2), *edges)
    assert sum(edges) < theta * math.log(2) / 2
    assert kl_drop(*step, form="printed") < 0
    assert kl_drop_hoeffding(*step) < 0
    assert kl_drop(*step, form="corrected") > 0.004


def test_instances_lie_on_both_sides_of_the_threshold():
    rng = np.random.default_rng
    both, above = (
        useful_condition(rng(1), 300, bound="low"),
        useful_condition(rng(1), 300, bound="low", needed=False),
    )
    assert both.passed
    assert above.passed
    assert both.worst_slack == above.worst_slack == 0  # some lie on the threshold
    assert not useful_condition(rng(1), 300, bound="low", claimed=Fraction(51, 50)).passed


@pytest.mark.parametrize("bound", ["high", "jensen", None, 3])
def test_other_bounds_are_refused(bound):
    with pytest.raises(ValueError, match="bound must be one of low, hoeffding, sharp"):
        useful_condition(np.random.default_rng(1), 3, bound=bound)
