"""Proofs by bisection: true statements are proved, false ones refuted, undecidable ones reported."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from flint import arb

from mollified.checks import Check
from mollified.interval_proof import combine, enclose, prove_positive, prove_root


def test_a_positive_function_is_proved_with_a_lower_bound_of_its_minimum():
    check = prove_positive(lambda x: (x - 1) ** 2 + arb("0.01"), [(F(0), F(3))])
    assert check.passed
    assert check.scope == "universal"
    assert 0 < check.worst_slack <= 0.01


def test_a_function_that_dips_below_zero_is_refuted_at_a_rational_point():
    check = prove_positive(lambda x: (x - 1) ** 2 - arb("0.0001"), [(F(0), F(3))])
    assert not check.passed
    x = F(check.counterexample["x0"])
    assert (x - 1) ** 2 < F(1, 10_000)


def test_two_sides():
    assert prove_positive(lambda x, y: 2 - x * y, [(F(0), F(1)), (F(0), F(19, 10))]).passed
    failed = prove_positive(lambda x, y: 1 - x * y, [(F(0), F(1)), (F(0), F(2))])
    assert F(failed.counterexample["x0"]) * F(failed.counterexample["x1"]) > 1


def test_a_zero_is_not_proved():
    with pytest.raises(ArithmeticError):
        prove_positive(lambda x: x * x, [(F(-1), F(2))], most_boxes=500)


def test_near_a_root_the_derivative_decides():
    """The function x - sin(x)/2 is zero at 0 and has a positive derivative on [0, 1]."""
    assert prove_root(lambda x: 1 - x.cos() / 2, [(F(0), F(1))], root="low").passed
    assert not prove_root(lambda x: 1 - x.cos() / 2, [(F(0), F(1))], root="high").passed


def test_parts_add_up():
    one = prove_positive(lambda x: x, [(F(1), F(2))])
    two = prove_positive(lambda x: x, [(F(1, 2), F(1))])
    both = combine(one, two)
    assert both.instances == one.instances + two.instances
    assert both.worst_slack == two.worst_slack
    assert both.scope == "universal"
    assert combine(one, Check(1, 1, -1.0, "certified", counterexample={"x": "1"})).scope == "instances"
    with pytest.raises(ValueError, match="parts"):
        combine()
    with pytest.raises(TypeError, match="parts"):
        combine(one, 3)
    with pytest.raises(ValueError, match="arithmetic"):
        combine(one, Check(1, 0, 1.0, "exact"))


def test_a_ball_encloses_its_interval():
    ball = enclose(F(1, 3), F(2, 3))
    assert ball.contains(arb(1) / 2)
    assert float(ball.lower()) <= 1 / 3 <= 2 / 3 <= float(ball.upper())
