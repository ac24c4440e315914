"""Numbers that decide: exact as long as they can be, then balls, never a guess."""

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq

from statements import (
    E,
    Undecided,
    ceil,
    cosh,
    erfc,
    exp,
    floor,
    log,
    normal_tail,
    sqrt,
    xlog,
)
from statements.arithmetic import (
    BITS,
    MODE,
    Number,
    divide,
    largest,
    mode,
    number,
    pi,
    power,
    smallest,
)
from statements.comparison import opposite, relate, some


@pytest.fixture(autouse=True)
def exact():
    with mode("exact", 128):
        yield


def test_rationals_stay_rational():
    third = divide(1, 3)
    for value, wanted in [
        (third + 1, fmpq(4, 3)),
        (1 - third, fmpq(2, 3)),
        (third * third, fmpq(1, 9)),
        (1 / third, fmpq(3)),
        (third**-2, fmpq(9)),
        (power(2, -1), fmpq(1, 2)),
        (abs(-third), fmpq(1, 3)),
        (sqrt(number(fmpq(4, 9))), fmpq(2, 3)),
        (number(fmpq(4, 9)) ** Fraction(1, 2), fmpq(2, 3)),
        (exp(0), fmpq(1)),
        (log(1), fmpq(0)),
        (cosh(0), fmpq(1)),
        (number(True), fmpq(1)),
        (number(Fraction(2, 6)), fmpq(1, 3)),
    ]:
        assert isinstance(value, Number)
        assert value.rational
        assert value.value == wanted


def test_logarithms_make_balls_that_hold_the_truth():
    value = log(2) + exp(1) * pi()
    assert not value.rational
    assert value.value.contains(arb(2).log() + arb(1).exp() * arb.pi())
    assert float(value) == pytest.approx(math.log(2) + math.e * math.pi, rel=1e-14)


@pytest.mark.parametrize(
    "call",
    [
        lambda: log(0),
        lambda: log(-1),
        lambda: sqrt(-1),
        lambda: divide(1, 0),
        lambda: power(0, -1),
    ],
)
def test_what_does_not_exist_raises(call):
    with pytest.raises(ArithmeticError, match=r"log|sqrt|division"):
        call()


def test_an_open_comparison_asks_for_more_bits_and_a_wide_ball_equals_nothing():
    two = log(2) + log(3)
    three = log(6)
    with pytest.raises(Undecided):
        bool(two < three)
    with mode("exact", BITS[-1]) as at_work:
        assert log(2) + log(3) == log(6)
        assert "equal" in at_work.notes
        assert "balls" in at_work.notes
        with pytest.raises(Undecided):
            bool(Number(arb(0, 1)) == 0)


def test_floats_taint():
    assert number(1) + Fraction(1, 2) < 2
    assert relate("<=", divide(1, 4), divide(1, 2))
    assert not MODE.notes
    for use in (
        lambda: number(0.5),
        lambda: number(1) + 0.5,
        lambda: exp(0.5),
        lambda: relate("<=", 1, 1.5),
    ):
        with mode("exact", 128) as at_work:
            use()
            assert at_work.floats


def test_functions_agree_in_floats_and_balls():
    points = np.array([0.1, 0.7, 2.0])
    with mode("vector"):
        floats = [f(points) for f in (log, exp, sqrt, cosh, erfc, normal_tail)]
    entries = np.array([number(Fraction(str(x))) for x in points], dtype=object)
    for f, wanted in zip((log, exp, sqrt, cosh, erfc), floats, strict=False):
        assert [float(x) for x in f(entries)] == pytest.approx(list(wanted), rel=1e-14)
    assert [float(normal_tail(x)) for x in entries] == pytest.approx(
        list(floats[-1]), rel=1e-14
    )
    assert float(E(entries, entries)) == pytest.approx((points**2).sum())
    assert xlog(number(0), number(0)) == 0


def test_a_vector_of_integers_is_divided_exactly():
    with mode("exact"):
        shares = [
            *divide(np.array([1, 3], dtype=object), 7),
            *divide(1, np.array([3], dtype=object)),
        ]
        assert not MODE.notes
    assert [str(x) for x in shares] == ["1/7", "3/7", "1/3"]


def test_largest_of_balls_that_overlap_encloses_both():
    one = log(2) + log(3)
    other = log(6)
    enclosure = largest(one, other, 1)
    assert enclosure.value.contains(arb(6).log())
    assert smallest([number(2), number(1)]) == 1
    with pytest.raises(TypeError, match="empty"):
        largest([])


def test_integer_parts():
    assert (
        floor(number(fmpq(-3, 2))),
        ceil(number(fmpq(-3, 2))),
        floor(exp(1)),
        ceil(exp(1)),
    ) == (-2, -1, 2, 3)
    with pytest.raises(Undecided):
        floor(exp(log(3)))
    assert math.ceil(number(fmpq(3, 2))) == 2
    assert list(range(number(3))) == [0, 1, 2]
    with pytest.raises(TypeError, match="integer"):
        range(number(fmpq(1, 2)))
    with pytest.raises(TypeError, match="number, got 'x'"):
        number("x")


def test_the_arithmetic_is_that_of_before_when_it_is_left():
    before = {name: getattr(MODE, name) for name in ("kind", "bits", "notes")}
    with mode("vector", 512):
        assert (MODE.kind, MODE.bits) == ("vector", 512)
    assert {name: getattr(MODE, name) for name in before} == before


def test_relations_keep_their_margin():
    truth = relate("<=", number(1), number(3))
    assert truth.margin == 0.5
    assert (
        bool(relate("<", number(3), number(3))),
        bool(relate("<=", number(3), number(3))),
    ) == (False, True)
    assert relate("<=", number(3), number(1)).margin == -0.5
    assert not opposite(truth)
    assert some([relate("<", 1, 0), relate("<", 0, 1)])
    with mode("vector"):
        both = relate("<=", np.array([[0.0, 2.0], [1.0, 1.0]]), 1.5)
        assert list(both.margin >= 0) == [True, False]
