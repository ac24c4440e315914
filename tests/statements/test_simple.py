"""Statements of readers: nothing false and simple slips through, at any seed."""

import cProfile
import math

import numpy as np
import pytest

from statements import Effort, Space, check, cost, law, log, real, sqrt, vector, whole
from statements.problem import pose

SEEDS = range(25)
FEW = Effort(samples=10_000, exact=60, mutants=0)


class Positive(Space):
    x = real(0.1, 5)


class Wide(Space):
    x = real(0, 100)


class Plane(Space):
    x = real(-5, 5)
    y = real(-5, 5)


class Points(Space):
    P = law(zeros=0.2)
    Q = law()
    TV = lambda P, Q: sum(abs(P - Q)) / 2


class Integers(Space):
    n = whole(2, 3000)
    m = whole(0, 100)


def one(space, seed=1, **given):
    (outcome,) = check(space, rng=np.random.default_rng(seed), effort=FEW, **given)
    return outcome


TOUCHED = {
    "x + 1/x > 2": (Positive, lambda x: x + 1 / x > 2, {"x": "1"}),
    "x^2 + 9 > 6x": (Wide, lambda x: x**2 + 9 > 6 * x, {"x": "3"}),
    "x^3 + 2 > 3x": (Positive, lambda x: x**3 + 2 > 3 * x, {"x": "1"}),
    "two squares": (
        Plane,
        lambda x, y: (x - 3) ** 2 + (y - 2) ** 2 > 0,
        {"x": "3", "y": "2"},
    ),
    "(3, 2)": (
        Plane,
        lambda x, y: x**2 + y**2 + 13 > 6 * x + 4 * y,
        {"x": "3", "y": "2"},
    ),
    "x^4 + y^4 + 2 > 4xy": (Plane, lambda x, y: x**4 + y**4 + 2 > 4 * x * y, None),
    "log": (Positive, lambda x: log(x) < x - 1, {"x": "1"}),
}


@pytest.mark.parametrize("name", TOUCHED)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_strict_inequality_touched_at_a_simple_point_is_refuted_for_every_seed(
    name, seed
):
    space, printed, example = TOUCHED[name]
    outcome = one(space, seed, printed=printed)
    assert outcome.verdict == "false", outcome.line()
    assert example is None or outcome.example == example


@pytest.mark.parametrize("name", TOUCHED)
def test_with_equality_it_holds(name):
    """The control: the same statements, not strict."""
    space, _, _ = TOUCHED[name]
    weak = {
        "x + 1/x > 2": lambda x: x + 1 / x >= 2,
        "x^2 + 9 > 6x": lambda x: x**2 + 9 >= 6 * x,
        "x^3 + 2 > 3x": lambda x: x**3 + 2 >= 3 * x,
        "two squares": lambda x, y: (x - 3) ** 2 + (y - 2) ** 2 >= 0,
        "(3, 2)": lambda x, y: x**2 + y**2 + 13 >= 6 * x + 4 * y,
        "x^4 + y^4 + 2 > 4xy": lambda x, y: x**4 + y**4 + 2 >= 4 * x * y,
        "log": lambda x: log(x) <= x - 1,
    }
    assert one(space, printed=weak[name]).verdict == "holds"


LITERAL = 2.02
COMPUTED = math.sqrt(2)
UNKNOWN = 0.1 * 3


def KL(P, Q):
    return sum(p * log(p / q) if p > 0 else 0 for p, q in zip(P, Q))


def test_a_constant_above_the_text_is_a_literal_and_a_computed_one_decides_nothing():
    outcome = one(Points, printed=lambda TV, P, Q: KL(P, Q) >= LITERAL * TV**2)
    assert outcome.verdict == "false"
    assert (
        one(Points, printed=lambda TV, P, Q: KL(P, Q) >= 2 * TV**2).verdict == "holds"
    )
    outcome = one(Positive, printed=lambda x: x * COMPUTED > 0)
    assert outcome.verdict == "undecided"
    assert "1.4142135623730951 is a float" in outcome.line()
    assert one(Positive, printed=lambda x: UNKNOWN > 0.3).verdict == "undecided"
    assert (
        one(Positive, printed=lambda x: float("0.1") * 3 > 0.3).verdict == "undecided"
    )


def test_functions_and_pi_of_math_are_exact():
    assert one(Positive, printed=lambda x: math.log(x) <= x - 1).verdict == "holds"
    assert one(Positive, printed=lambda x: x * math.pi <= 16).verdict == "holds"
    assert one(Positive, printed=lambda x: x * np.pi <= 15).verdict == "false"
    assert one(Positive, printed=lambda x: math.exp(x) > 1 + x).script is None


def test_a_name_of_the_text_is_not_the_constant_above_it():
    assert (
        one(Points, printed=lambda P: sum(LITERAL for LITERAL in P) == 1).verdict
        == "holds"
    )


def entropy(P):
    terms = {}
    for p in P:
        terms["all"] = (
            terms["all"] + p * log(1 / p) if "all" in terms else p * log(1 / p)
        )
    return terms["all"]


class Inside(Space):
    P = law()


def test_what_crashed_is_computed():
    assert one(Points, printed=lambda P: P.max() >= 1 / len(P)).verdict == "holds"
    assert one(Inside, printed=lambda P: entropy(P) >= 0).verdict == "holds"


class Thin(Space):
    x = real(0.1, 1)
    y = real(0.1, 1)
    z = real(0.1, 1)


def test_the_line_says_where_few_instances_meet_the_hypotheses():
    outcome = one(
        Thin,
        given=lambda x, y, z: abs(x**2 + y**2 + z**2 - 1) <= 1 / 1000,
        printed=lambda x, y: x * y <= 1,
    )
    assert "Few of them: the hypotheses hold for " in outcome.line()
    assert "Few of them" not in one(Thin, printed=lambda x, y: x * y <= 1).line()


def test_what_is_undefined_or_undecided_comes_with_an_instance_and_the_reason():
    outcome = one(Plane, printed=lambda x, y: log(x) <= x)
    assert outcome.verdict == "undecided"
    assert "undefined, for example x = " in outcome.line()
    assert "log(" in outcome.doubts["undefined"].why
    outcome = one(
        Points,
        printed=lambda TV, P, Q: sqrt(2 * sum((sqrt(P) - sqrt(Q)) ** 2) / 2) >= TV,
    )
    if outcome.verdict == "undecided":
        assert "for example P = " in outcome.line()


def no_pseudoprime(n):
    return all(n % d != 0 for d in range(2, math.isqrt(n) + 1)) or pow(2, n - 1, n) != 1


def test_the_least_integer_is_found():
    outcome = one(Integers, printed=lambda n: no_pseudoprime(n))
    assert outcome.example["n"] == "341"
    outcome = one(Integers, printed=lambda m: m < 12)
    assert outcome.example["m"] == "12"


class Pair(Space):
    v = vector(0, 10)
    sizes = (2,)


class Twins(Space):
    x = real(-100, 100)
    y = real(-100, 100)


@pytest.mark.parametrize("seed", range(5))
def test_counterexamples_are_short_above_four_and_equal_entries_move_together(seed):
    outcome = one(Wide, seed, printed=lambda x: x**2 >= 100 or x < 5)
    assert outcome.example == {"x": "5"}
    outcome = one(Pair, seed, printed=lambda v: sum(v) <= 0.99 * sqrt(2 * sum(v**2)))
    assert len(outcome.example["v"]) <= 8


@pytest.mark.parametrize("seed", range(3))
def test_what_fails_for_many_points_alone_is_found_and_shown_on_as_few_as_it_needs(
    seed,
):
    outcome = one(Inside, seed, printed=lambda P: max(P) >= 1 / 100)
    assert outcome.verdict == "false"
    assert 100 < len(outcome.example["P"].split(", ")) <= 110
    assert one(Inside, seed, printed=lambda P: max(P) >= 1 / 200).verdict == "holds"


class Near(Inside):
    sizes = (2, 3, 4, 5)


def test_far_is_what_finds_it():
    """The control: a space that does not reach takes the same statement for true."""
    assert one(Near, printed=lambda P: max(P) >= 1 / 100).verdict == "holds"


class Powers(Space):
    n = whole(1, 300)


def test_what_floats_cannot_compute_is_not_taken_for_sharp():
    """For large n floats give no number; the run says how loose the bound is."""
    (outcome,) = check(
        Powers,
        rng=np.random.default_rng(1),
        effort=Effort(samples=2000, exact=40),
        printed=lambda n: (10.0**n) ** 3 / (10.0**n) ** 3 / 4 <= 1,
    )
    assert outcome.verdict == "holds"
    assert outcome.controls.loosest.factor in (0.25, 0.26)


def test_a_profiler_goes_on_after_a_check():
    profiler = cProfile.Profile()
    profiler.enable()
    try:
        outcome = one(Inside, printed=lambda P: max(P) <= 1)
    finally:
        profiler.disable()
    assert outcome.verdict == "holds"
    seen = {
        entry.code.co_name
        for entry in profiler.getstats()
        if hasattr(entry.code, "co_name")
    }
    assert {"affordable", "challenge"} <= seen, (
        "what comes after the calls are counted is seen as well"
    )


def test_as_many_calls_as_are_allowed_are_counted_and_not_given_up(monkeypatch):
    problem = pose(Inside, lambda P: max(P) <= 1, ())
    calls = cost.count_calls(problem, 8)
    assert 0 < calls < cost.MOST_CALLS
    for limit in (calls - 2, calls - 1, calls):  # the last calls end the counting
        monkeypatch.setattr(cost, "MOST_CALLS", limit)
        assert cost.count_calls(problem, 8) == calls
    monkeypatch.setattr(cost, "MOST_CALLS", calls // 2)
    assert cost.count_calls(problem, 8) == math.inf
