"""Noise and responses: exact deltas, levels and laws against enumeration, integrals and
balls; samplers in floats.
"""

import itertools
import math
import sys
from collections import Counter
from fractions import Fraction as F
from math import comb

import numpy as np
import pytest
from flint import arb, ctx
from scipy import integrate
from scipy.stats import binom

from mollified.privacy import (
    ball,
    binomial_delta,
    binomial_trials,
    certified_response_delta,
    counts_delta,
    discrete_gaussian_delta,
    failing_eps,
    gaussian_delta,
    gaussian_sigma,
    impossible_share,
    opendp_gaussian_delta,
    renyi_epsilon,
    response_delta,
    response_epsilon,
    textbook_law,
    top_probability,
)
from mollified.privacy.exact_level import float_above, float_below
from mollified.privacy.floating_point import rounded_log
from mollified.privacy.gaussian_mechanism import (
    certified_sigma,
    delta_ball,
    gaussian_deltas,
    printed_multiple,
)
from mollified.privacy.integer_mechanisms import discrete_gaussian_masses, weight_beyond
from mollified.privacy.smallest import close_in, smallest_between, smallest_count


def random_rationals(count):
    """Rationals of all sizes of floats and beyond, near floats and far from them."""
    rng = np.random.default_rng(9)
    for power in rng.integers(-1200, 1200, count).tolist():
        digits = 2 * int(rng.integers(1 << 52)) + int(rng.integers(2))
        nudge = F(int(rng.integers(-1, 2)), 2 ** int(rng.integers(1, 200)))
        yield (-1) ** int(rng.integers(2)) * (digits + nudge) * F(2) ** power


def test_floats_of_rationals_are_the_nearest_on_their_side():
    for value in random_rationals(4000):
        low = float_below(value)
        high = float_above(value)
        assert low <= value <= high  # Python compares floats and rationals exactly
        assert low == high or math.nextafter(low, math.inf) == high


def test_floats_of_balls_are_bounds_and_near():
    """The control: float(ball.upper()) is below the upper end in a third of the cases
    or more.
    """
    rng = np.random.default_rng(10)
    failed = 0
    for value in random_rationals(4000):
        with ctx.workprec(int(rng.choice([24, 53, 64, 300]))):
            middle = ball(value)
            whole = middle + arb(0, 1) * abs(middle) * arb(2) ** -int(
                rng.integers(20, 400)
            )
        low = float_below(whole)
        high = float_above(whole)
        with ctx.workprec(4000):
            assert low == -math.inf or arb(low) <= whole.lower()
            assert high == math.inf or arb(high) >= whole.upper()
            assert (
                low == math.inf
                or not arb(math.nextafter(math.nextafter(low, math.inf), math.inf))
                < whole.lower()
            )
            failed += arb(float(whole.upper())) < whole.upper()
    assert failed > 1000


@pytest.mark.parametrize("value", [arb("nan"), 0.5, "1", None, True])
def test_no_float_is_made_of_what_is_no_number(value):
    for convert in (float_above, float_below):
        with pytest.raises((TypeError, ValueError), match="value"):
            convert(value)


def test_ends_beyond_all_floats():
    huge = F(10) ** 400
    tiny = F(1, 10**400)
    assert (float_above(huge), float_below(-huge)) == (math.inf, -math.inf)
    assert float_below(huge) == -float_above(-huge) == sys.float_info.max
    assert (
        float_above(tiny),
        float_below(tiny),
        float_above(-tiny),
        float_below(-tiny),
    ) == (5e-324, 0, 0, -5e-324)
    assert float_above(arb(10) ** 10**9) == math.inf
    assert float_above(arb(10) ** -(10**9)) == 5e-324
    assert float_above(arb(0, math.inf)) == -float_below(arb(0, math.inf)) == math.inf


@pytest.mark.parametrize(("gap", "others"), [(0.0, 3), (1.0, 1), (3.0, 7), (8.0, 200)])
def test_the_chance_to_stay_first_is_the_integral(gap, others):
    def integrand(y):
        at = y + gap
        below = math.exp(at) / 2 if at < 0 else 1 - math.exp(-at) / 2
        return math.exp(-abs(y)) / 2 * below**others

    parts = [-60.0, -gap, 0.0, 60.0]
    total = sum(
        integrate.quad(integrand, a, b)[0]
        for a, b in itertools.pairwise(parts)
        if a < b
    )
    result = top_probability(F(gap), others)
    assert float(result.mid()) == pytest.approx(total, abs=1e-9)
    assert float(result.rad()) <= 1e-9


def test_floats_agree_with_balls():
    rng = np.random.default_rng(5)
    counted = 0
    for eps, mu in zip(
        10 ** rng.uniform(-3, 2, 200), 10 ** rng.uniform(-4, 2, 200), strict=True
    ):
        with ctx.workprec(1000):
            true = float(delta_ball(F(eps), F(mu)).mid())
        if true > 1e-300:
            counted += 1
            assert gaussian_delta(eps, mu) == pytest.approx(true, rel=1e-9)
            assert gaussian_deltas(np.array([[eps]]), np.array([mu])) == pytest.approx(
                true, rel=1e-9
            )
    assert counted > 100
    assert gaussian_delta(0.0, 1.0) == pytest.approx(
        math.erf(0.5 / math.sqrt(2)), rel=1e-14
    )


@pytest.mark.parametrize("edge", [F(1, 3), F(2), F(7, 2), F(99, 10)])
def test_a_bisection_ends_on_two_sides(edge):
    for low, high, rtol in ((F(0), F(10), F(1, 10**9)), (0.0, 10.0, 1e-9)):
        below, above = close_in(lambda number: number >= edge, low, high, rtol)
        assert below < edge <= above <= below + rtol * above
    asked = []
    assert smallest_between(
        lambda number: asked.append(number) or number >= edge, 0, 10
    ) == math.ceil(edge)
    assert not {0, 10} & set(asked)
    assert smallest_count(lambda number: number >= edge) == max(1, math.ceil(edge))


@pytest.mark.parametrize(
    ("eps", "delta"), [(F(1), F(1, 10**5)), (F(20), F(1, 100)), (F(1, 1000), F(9, 10))]
)
def test_the_smallest_sigma_is_enclosed(eps, delta):
    low, high = certified_sigma(eps, delta, F(3))
    assert 0 < high - low <= F(6, 10**14) * high
    with ctx.workprec(256):
        assert delta_ball(eps, 3 / high) < ball(delta) < delta_ball(eps, 3 / low)
        as_float = gaussian_sigma(float(eps), float(delta), 3.0)
        assert delta_ball(F(float(eps)), 3 / F(as_float)) <= ball(F(float(delta)))
    assert as_float == pytest.approx(float(high), rel=1e-12)


@pytest.mark.parametrize("delta", [F(1, 10**10), F(1, 100), F(896, 1000), F(99, 100)])
def test_the_rule_fails_from_there_on(delta):
    low, high = failing_eps(delta)
    assert F(3786, 1000) < low < high
    with ctx.workprec(256):
        c = printed_multiple(delta)
        assert (
            delta_ball(low, ball(low) / c)
            < ball(delta)
            < delta_ball(high, ball(high) / c)
        )
    assert printed_multiple(float(delta)) == pytest.approx(float(c.mid()), rel=1e-15)
    assert printed_multiple(float(delta)) / (1.01 * float(high)) < gaussian_sigma(
        1.01 * float(high), float(delta)
    )


def test_binomial_delta_against_scipy():
    law = binom.pmf(np.arange(31), 30, 0.5)
    for eps in (0.0, 0.3, 1.0, 2.5):
        level = F(math.exp(eps))
        direct = np.maximum(
            np.append(law, 0) - float(level) * np.append(0, law), 0
        ).sum()
        assert float(binomial_delta(30, level)) == pytest.approx(direct, abs=1e-14)


@pytest.mark.parametrize(
    ("exp_eps", "delta"),
    [(F(2), F(1, 10**5)), (F(11, 10), F(1, 100)), (F(3), F(1, 1000))],
)
def test_the_smallest_number_of_coins_is_the_smallest(exp_eps, delta):
    trials = binomial_trials(exp_eps, delta)
    assert binomial_delta(trials, exp_eps) <= delta
    assert all(binomial_delta(fewer, exp_eps) > delta for fewer in range(1, trials))


def test_discrete_gaussian_masses_sum_to_one_and_the_rest_is_bounded():
    masses = discrete_gaussian_masses(F(9, 4), -60, 60)
    assert abs(float(sum(masses).mid()) - 1) < 1e-15
    beyond = sum(math.exp(-z * z / 4.5) for z in range(6, 60))
    assert beyond <= float(weight_beyond(F(9, 4), 5).upper()) < 1.5 * beyond


def test_discrete_gaussian_delta_against_its_definition_and_opendp():
    law = np.exp(-(np.arange(-60, 61) ** 2) / 8)
    direct = np.maximum(law[1:] - math.e * law[:-1], 0).sum() / law.sum()
    exact = discrete_gaussian_delta(F(1), F(4))
    assert float(exact.mid()) == pytest.approx(direct, rel=1e-12)
    assert direct < opendp_gaussian_delta(2.0, 1.0) < 20 * direct
    assert discrete_gaussian_delta(F(100), F(4)) > 0  # though no float can hold it


@pytest.mark.parametrize("runs", [1, 2, 3, 10, 61])
@pytest.mark.parametrize("r", [F(101, 100), F(3, 2), F(20)])
@pytest.mark.parametrize("factor", [F(11, 10), F(5, 2), F(300)])
def test_the_walk_in_floats_and_balls_contains_the_exact_value(runs, r, factor):
    """The hockey stick at e^eps = factor from the binomial laws of the number of true
    answers.
    """
    law = [comb(runs, b) * r**b / (1 + r) ** runs for b in range(runs + 1)]
    exact = sum(max(p - factor * q, F(0)) for p, q in zip(law, law[::-1], strict=True))
    with ctx.workprec(256):
        result = certified_response_delta(ball(factor).log(), r, runs)
        assert result.contains(ball(exact)) or abs(result - ball(exact)) < 1e-60
    assert response_delta(math.log(factor), math.log(r), runs) == pytest.approx(
        float(exact), rel=1e-9, abs=1e-15
    )


@pytest.mark.parametrize(
    ("delta", "eps0", "runs"), [(1e-5, 0.1, 100), (0.1, 1.0, 3), (1e-10, 0.01, 5000)]
)
def test_the_least_level_is_least_and_below_that_of_renyi(delta, eps0, runs):
    level = response_epsilon(delta, eps0, runs)
    assert (
        response_delta(level, eps0, runs)
        <= delta
        < response_delta(level * (1 - 1e-8), eps0, runs)
    )
    assert level <= renyi_epsilon(eps0, runs, delta) <= runs * eps0


def test_a_level_at_a_value_of_the_loss_is_not_decided_in_balls():
    with ctx.workprec(256), pytest.raises(ArithmeticError, match="eps"):
        certified_response_delta(ball(F(2)).log() * 2, F(2), 4)


def test_levels_at_the_ends():
    assert response_epsilon(0.9, 0.1, 1) == 0.0
    assert response_delta(10.0, 1.0, 10) == 0.0
    # the rare answer keeps its digits: 1 - p is 4e-18 here, and p rounds to 1
    assert response_delta(39.9, 40.0, 1) == pytest.approx(1 - math.exp(-0.1), rel=1e-12)


def nearest(value, bits):
    """Round a rational to `bits` digits, ties to even, by whole-number arithmetic
    alone.
    """
    unit = F(1)
    while abs(value) >= unit * 2**bits:
        unit *= 2
    while 0 < abs(value) < unit * 2 ** (bits - 1):
        unit /= 2
    return round(value / unit) * unit


def test_rounded_logarithms_are_the_library_ones_to_the_last_bit_of_a_double():
    """The C library errs by less than one unit in the last place, so the two are
    neighbours at most.
    """
    for j in (1, 2, 3, 7, 12345, 2**52 - 1, 2**52):
        ours = float(rounded_log(F(j, 2**52), 53))
        theirs = math.log(j / 2**52)
        assert abs(ours - theirs) <= math.ulp(theirs)
    # 1.0986: multiples of 1/8 in [1, 2)
    assert [rounded_log(x, 4) for x in (F(3), F(1, 3), F(1))] == [F(9, 8), -F(9, 8), 0]


@pytest.mark.parametrize(
    ("answer", "scale", "bits"),
    [(0, 1, 6), (1, 1, 6), (3, 2, 5), (-1, 3, 7), (5, 1, 4)],
)
def test_the_law_is_that_of_the_formula_in_rationals(answer, scale, bits):
    """Each operation of f - sign(u) b ln(1 - 2|u|) in turn, in rationals."""
    seen = Counter()
    for k in range(1, 2**bits):
        u = F(k, 2**bits) - F(1, 2)
        sign = (u > 0) - (u < 0)
        noise = nearest(scale * nearest(rounded_log(1 - 2 * abs(u), 60), bits), bits)
        seen[float(nearest(answer - sign * noise, bits))] += 1
    law = textbook_law(answer, scale, bits)
    assert dict(zip(law.values.tolist(), law.counts.tolist(), strict=True)) == dict(
        seen
    )
    assert law.total == 2**bits - 1


@pytest.mark.parametrize("spacing", [None, F(1, 4)])
def test_share_and_delta_are_those_of_a_table(spacing):
    one, two = (
        textbook_law(answer, 1, 8, *([spacing] if spacing else [])) for answer in (0, 1)
    )
    first, second = (
        dict(zip(x.values.tolist(), x.counts.tolist(), strict=True)) for x in (one, two)
    )
    assert not spacing or all(value % spacing == 0 for value in first)
    share = F(sum(c for v, c in first.items() if v not in second), 255)
    assert impossible_share(one, two) == share > impossible_share(one, one) == 0
    for eps in (F(0), F(1), F(7, 2)):
        slow = (
            sum(
                max(0.0, c - math.exp(eps) * second.get(v, 0)) for v, c in first.items()
            )
            / 255
        )
        assert float(counts_delta(one, two, eps).mid()) == pytest.approx(
            slow, rel=1e-12
        )
    assert abs(counts_delta(one, one, F(0))) < 1e-70
