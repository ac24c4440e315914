from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from mollified._validate import check_fraction, check_fractions, check_trials
from mollified.checks import Check, Tally


def test_counts_margins_and_the_worst_case():
    tally = Tally("float", tolerance=0.1, seed=3)
    tally.add(0.5, x=1)
    tally.add(-0.05, x=2)
    tally.add(-0.2, x=Fraction(1, 3), law=(Fraction(1, 2), [1, "a"]))
    tally.add(-0.15, x=4)
    check = tally.check()
    assert check == Check(4, 2, -0.2, "float", 0.1, 3, "instances", {"x": "1/3", "law": "(1/2, (1, a))"})
    assert not check.passed


def test_a_decision_overrides_the_sign_of_the_margin():
    tally = Tally("exact")
    tally.add(-1e-20, decided=True)
    assert tally.check().passed
    tally.add(1e-20, decided=False, x=1)
    check = tally.check()
    assert (check.violations, check.counterexample) == (1, {"x": "1"})
    tally.add(0.0, decided=np.bool_(True))
    assert tally.check().instances == 3


def test_the_first_violation_can_be_kept():
    tally = Tally("exact", keep="first")
    tally.add(1.0, x=0)
    tally.add(-1.0, x=1)
    tally.add(-5.0, x=2)
    check = tally.check()
    assert (check.counterexample, check.worst_slack) == ({"x": "1"}, -5.0)


def test_nothing_tried_is_no_outcome():
    with pytest.raises(ValueError, match="instances must be at least 1"):
        Tally("exact").check()


@pytest.mark.parametrize("slack", [math.nan, math.inf, -math.inf])
def test_a_margin_that_is_no_number_does_not_pass(slack):
    tally = Tally("float")
    tally.add(0.5)
    with pytest.raises(ValueError, match="slack must be finite"):
        tally.add(slack)


def test_records_that_contradict_themselves_are_refused():
    with pytest.raises(ValueError, match="violations must not exceed instances"):
        Check(1, 2, 0.0, "exact")
    with pytest.raises(ValueError, match="tolerance must be 0 for exact"):
        Check(1, 0, 0.0, "exact", 1e-9)
    with pytest.raises(ValueError, match="tolerance must be 0 for certified"):
        Tally("certified", tolerance=1e-9)


def test_fractions_are_checked_and_echoed():
    assert check_fraction("r", 2, above=1) == Fraction(2)
    assert check_fraction("r", Fraction(1), minimum=1, maximum=1) == 1
    for limits, message in (({"above": 2}, "> 2"), ({"minimum": 3}, "at least 3"), ({"maximum": 1}, "at most 1")):
        with pytest.raises(ValueError, match=f"r must be {message}, got 2"):
            check_fraction("r", 2, **limits)
    with pytest.raises(TypeError, match=r"r must be an int or a fractions\.Fraction, got 0\.5"):
        check_fraction("r", 0.5)
    assert check_fractions("p", [1, Fraction(1, 2)]) == (Fraction(1), Fraction(1, 2))
    with pytest.raises(TypeError, match=r"p must hold ints or fractions.Fraction, got \[0.5\]"):
        check_fractions("p", [0.5])


def test_random_checks_need_a_generator_and_a_count():
    rng = np.random.default_rng(0)
    assert check_trials(rng, 3) == (rng, 3)
    with pytest.raises(TypeError, match="rng must be"):
        check_trials(0, 3)
    with pytest.raises(ValueError, match="instances must be at least 1"):
        check_trials(rng, 0)
