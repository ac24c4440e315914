"""What the docstrings of `mollified.privacy` say of accuracy, at the stated ends,
against balls of 300 bits.
"""

import math
from fractions import Fraction as F

import numpy as np
import pytest
from flint import acb, arb, ctx

from mollified.privacy import (
    ExactLevel,
    audited_eps,
    ball,
    binomial_delta,
    binomial_noise,
    binomial_trials,
    certified_response_delta,
    counts_delta,
    discrete_gaussian_delta,
    double_release,
    failing_eps,
    gaussian_delta,
    gaussian_sigma,
    impossible_share,
    is_possible,
    laplace_mechanism,
    opendp_gaussian_delta,
    renyi_epsilon,
    response_delta,
    response_epsilon,
    smallest_scale,
    textbook_law,
    top_probability,
)
from mollified.privacy.audit import least_probability, most_probability
from mollified.privacy.exact_level import float_above
from mollified.privacy.gaussian_mechanism import delta_ball, printed_multiple
from mollified.privacy.opendp_noise import measurement
from tests.accuracy import states


@pytest.fixture(autouse=True)
def _balls_of_300_bits():
    with ctx.workprec(300):
        yield


@states(
    "privacy.ExactLevel", "Return the level as a float, in nats, rounded to nearest"
)
def test_the_float_of_a_level_is_the_nearest():
    rng = np.random.default_rng(1)
    for power in [*rng.uniform(-290, 300, 200), -12.0, -15.0, -300.0]:
        base = 1 + F(10.0**power)
        result = float(ExactLevel(exp_eps=base))
        log = (ball(base) - 1).log1p() if power > -60 else ball(base - 1).log1p()
        assert abs(ball(F(result)) - log) <= ball(F(math.ulp(result)) / 2) * (
            1 + ball(F(1, 10**12))
        )
    assert float(ExactLevel(eps=F(1, 3))) == 1 / 3
    assert float(ExactLevel(eps=F(10) ** 400)) == math.inf


@states(
    "privacy.ExactLevel",
    "`compare(value, power)` returns",
    "Hold a privacy level",
    "Exactly one of `eps`",
    "Raises",
)
@states("privacy.ExactLevel.compare", "Return -1, 0 or 1: the sign of")
@states("privacy.ExactLevel.at_most", "Tell exactly whether")
def test_levels_compare_exactly_beside_their_powers():
    """One part in 10^200 beside the power the sign is right, and equality is told."""
    level = ExactLevel(eps=F(3, 7))
    with ctx.workprec(1000):
        near = (ball(F(3, 14))).exp()
        middle = F(int((near * 2**900).mid().floor().unique_fmpz()), 2**900)
    for nudge, sign in ((-F(1, 10**200), -1), (F(1, 10**200), 1)):
        assert level.compare(middle + nudge, F(1, 2)) == sign
        assert level.at_most(middle + nudge, F(1, 2)) == (sign < 0)
    rational = ExactLevel(exp_eps=F(9, 4))
    assert [
        rational.compare(F(3, 2) + n, F(1, 2))
        for n in (-F(1, 10**200), F(0), F(1, 10**200))
    ] == [-1, 0, 1]
    for levels in (
        {},
        {"eps": F(1), "exp_eps": F(2)},
        {"eps": 0.5},
        {"exp_eps": 2.5},
        {"eps": F(0)},
        {"exp_eps": F(1)},
    ):
        with pytest.raises((TypeError, ValueError), match="eps"):
            ExactLevel(**levels)


@states(
    "privacy.ball", "Return a ball of the working precision that contains a rational"
)
def test_balls_contain_their_rationals():
    for value in (F(1, 3), F(10) ** 400 + F(1, 7), -F(1, 10**400)):
        with ctx.workprec(53):
            result = ball(value)
        assert (
            result.contains(ball(value))
            or abs(result.mid() - ball(value)) <= result.rad()
        )


@states(
    "privacy.audited_eps",
    "Return $\\log\\frac{p_{low}-\\delta}{q_{high}}$, a lower bound",
    "Above the true eps with",
)
@states("privacy.audit", "Draw from the mechanism on either data set")
@pytest.mark.parametrize("error", [0.4, 1e-3, 1e-12, 1e-17])
@pytest.mark.parametrize(
    ("hits", "draws"), [(1, 1), (1, 10), (9, 10), (10, 10), (3, 10**4), (2, 10**9)]
)
def test_bounds_of_probabilities_are_those_of_exact_tails(hits, draws, error):
    """With a bound as the probability, so many hits or more, or fewer, are no likelier
    than the error allows.
    """
    low = least_probability(hits, draws, error)
    high = most_probability(hits, draws, error)
    at = ball(F(low))
    above = 1 - sum(
        math.comb(draws, k) * at**k * (1 - at) ** (draws - k) for k in range(hits)
    )
    assert above <= ball(F(error))
    assert above >= ball(F(error)) * (1 - ball(F(1, 10**6)))
    if high < 1:
        at = ball(F(high))
        below = sum(
            math.comb(draws, k) * at**k * (1 - at) ** (draws - k)
            for k in range(hits + 1)
        )
        assert below <= ball(F(error))
        assert below >= ball(F(error)) * (1 - ball(F(1, 10**6)))
    confidence = 1 - 2 * error
    if 0 < confidence < 1 and 0 < hits < draws:
        eps = audited_eps(draws - hits, hits, draws, 0.0, confidence)
        miss = (1 - confidence) / 2
        ratio = ball(F(least_probability(draws - hits, draws, miss))) / ball(
            F(most_probability(hits, draws, miss))
        )
        assert ball(F(eps)) <= arb.max(ratio.log(), arb(0)) * (1 + ball(F(1, 10**15)))


def hockey_stick(one, two, factor):
    return sum(max(p - factor * q, F(0)) for p, q in zip(one, two, strict=True))


@states(
    "privacy.binomial_delta",
    "Return the exact delta of a count with the heads",
    "$\\delta=F(k)-e^\\varepsilon F(k-1)$",
)
@states(
    "privacy.binomial_trials",
    "Return the smallest number of coins at which",
    "Bisection: one more coin is",
)
def test_binomial_deltas_are_the_hockey_sticks():
    for trials in (1, 2, 7, 40):
        law = [F(math.comb(trials, k), 2**trials) for k in range(trials + 1)]
        for level in (F(1), F(3, 2), F(10**6)):
            assert (
                binomial_delta(trials, level)
                == hockey_stick([*law, F(0)], [F(0), *law], level)
                >= F(1, 2**trials)
            )
    largest = binomial_delta(1 << 17, F(101, 100))
    normal = gaussian_delta(math.log(1.01), 2 / math.sqrt(1 << 17))
    assert float(largest) == pytest.approx(normal, rel=1e-2)
    coins = binomial_trials(F(101, 100), F(1, 1000))
    assert (
        binomial_delta(coins, F(101, 100))
        <= F(1, 1000)
        < binomial_delta(coins - 1, F(101, 100))
    )


@states(
    "privacy.binomial_noise",
    "Idealised numerics: a pseudo-random generator; the law of independent bits",
)
def test_binomial_noise_counts_the_bits_of_the_generator():
    for trials in (2, 64, 130):
        words = -(-trials // 64)
        drawn = np.random.default_rng(3).integers(
            1 << 64, size=(50, words), dtype=np.uint64
        )
        last = np.uint64(-trials % 64)
        drawn[:, -1] >>= last
        heads = [sum(int(word).bit_count() for word in row) for row in drawn]
        assert (
            binomial_noise(trials, np.random.default_rng(3), 50) + trials // 2
        ).tolist() == heads


@states(
    "privacy.geometric_counts",
    "Return independent outputs of the truncated geometric mechanism",
    "`make_geometric`",
)
@pytest.mark.parametrize("eps", [2.0**-24, 1e-3, 1 / 3, 1.0, 2.0**500])
def test_the_scale_of_geometric_noise_is_not_too_small(eps):
    """OpenDP's own certificate is the level, up to its last rounding."""
    scale = float_above(1 / F(eps))
    assert 1 / F(scale) <= F(eps)
    certified = measurement("discrete-laplace", scale, (0, 6)).map(1)
    assert certified <= math.nextafter(math.nextafter(eps, math.inf), math.inf)


@states("privacy.certified_response_delta", "Return a ball that contains")
@states("privacy.response_delta", "Errs on either side, relatively by at most")
@states("privacy.response_epsilon", "Errs above, by 1e-10")
@states(
    "privacy.renyi_epsilon",
    "A valid level at every order",
    "$\\min_{\\alpha>1}KD_\\alpha",
)
@pytest.mark.parametrize("eps0", [1e-30, 1e-9, 0.1, 1.0, 50.0])
@pytest.mark.parametrize("runs", [1, 10, 10**6, 10**12, 10**15])
def test_levels_of_runs_at_their_ends(eps0, runs):
    with ctx.workprec(1000):
        whole = (ball(F(eps0)).exp() * arb(2) ** 800).mid().floor().unique_fmpz()
        base = F(int(whole), 2**800)

    def true(eps):
        return certified_response_delta(F(eps), base, runs)

    drift = runs * eps0 * math.tanh(eps0 / 2)
    spread = math.sqrt(runs) * eps0 / math.cosh(eps0 / 2)
    for level in (drift - 2 * spread, drift + 0.3 * spread, drift + 3 * spread):
        if 0 <= level < runs * eps0 * (1 - 1e-9):
            assert (
                abs(ball(F(response_delta(level, eps0, runs))) / true(level) - 1)
                <= 1e-12
            )
    for delta in (1e-300, 1e-6, 0.1):
        level = response_epsilon(delta, eps0, runs)
        valid = renyi_epsilon(eps0, runs, delta)
        assert valid >= level * (1 - 1e-9) - 1e-14
        if 0 < level < runs * eps0 * (1 - 1e-9):
            assert true(level) <= ball(F(delta))
            assert true(level * (1 - 1.1e-10)) >= ball(F(delta)) * (
                1 - ball(F(2, 10**12))
            )


@pytest.mark.parametrize(
    ("eps0", "runs", "delta"),
    [(1e-8, 10**6, 1e-6), (0.1, 100, 1e-5), (50.0, 3, 1e-300)],
)
def test_renyi_levels_in_floats_are_those_of_balls_at_the_best_order(eps0, runs, delta):
    """Differences of logarithms lost the level at eps0 = 1e-8."""
    step = ball(F(eps0))

    def level(less):
        a = 1 + ball(F(less))
        divergence = (
            ((a - ball(F(1, 2))) * step).cosh() / (step / 2).cosh()
        ).log() / ball(F(less))
        return (
            runs * divergence
            + (ball(F(less)) / a).log()
            - (ball(F(delta)) * a).log() / ball(F(less))
        )

    least = min(
        float(level(float(less)).mid()) for less in np.exp(np.linspace(-9, 11, 4001))
    )
    result = renyi_epsilon(eps0, runs, delta)
    assert (
        min(least, runs * eps0) * (1 - 1e-5) - 1e-12
        <= result
        <= min(least, runs * eps0) * (1 + 1e-12) + 1e-14
    )


@states("privacy.textbook_law", "Return the exact output law")
@states("privacy.counts_delta", "Return the least $\\delta$ at a rational level")
@states("privacy.impossible_share", "Return the exact probability")
def test_laws_in_floats_are_exact():
    """In tests/mollified: each operation in rationals. Here: the largest format, and
    balls that contain the sum.
    """
    one = textbook_law(0, 1, 18)
    two = textbook_law(1, 1, 18)
    assert one.total == two.total == (1 << 18) - 1
    seen = dict(zip(two.values.tolist(), two.counts.tolist(), strict=True))
    pairs = [
        (c, seen.get(v, 0))
        for v, c in zip(one.values.tolist(), one.counts.tolist(), strict=True)
    ]
    assert impossible_share(one, two) == F(
        sum(c for c, other in pairs if not other), one.total
    )
    factor = ball(F(1, 3)).exp()
    direct = (
        sum((arb.max(arb(0), c - factor * other) for c, other in pairs), arb(0))
        / one.total
    )
    assert abs(counts_delta(one, two, F(1, 3)) - direct) < arb(2) ** -200


@states("privacy.double_release", "Computed with the correctly rounded logarithm")
@states("privacy.is_possible", "Tell exactly whether", "Every uniform whose real noise")
@pytest.mark.parametrize("index", [1, 2, 2**51 + 1, 2**52 - 1, 2**52, 2**53 - 1])
def test_releases_in_doubles_are_those_of_rounded_logarithms(index):
    j = min(index, 2**53 - index)
    log = ball(F(j, 2**52)).log()
    released = double_release(0.0, index)
    assert abs(abs(ball(F(released))) - abs(log)) <= ball(F(math.ulp(released)) / 2)
    if index in (1, 2, 2**53 - 1):
        assert is_possible(double_release(3.0, index), 3.0)


@states(
    "privacy.discrete_gaussian_delta",
    "Return a ball of the exact delta",
    "$\\delta=P[Z\\le k]",
)
@pytest.mark.parametrize(
    ("eps", "width"),
    [
        (F(0), F(1, 100)),
        (F(1), F(1, 10**400)),
        (F(1, 3), F(9, 4)),
        (F(10**6), F(4)),
        (F(1, 50), F(2**12)),
    ],
)
def test_discrete_gaussian_deltas_are_the_hockey_sticks(eps, width):
    """All z with weights above 2^-600 of the largest that counts, at 1500 bits."""
    result = discrete_gaussian_delta(eps, width)
    with ctx.workprec(1500):
        reach = math.ceil(math.sqrt(2 * float(width) * 700)) + 2
        last = math.ceil(F(1, 2) - eps * width) - 1

        def weight(z):
            return (-ball(F(z * z) / (2 * width))).exp()

        total = sum((weight(z) for z in range(-reach, reach + 1)), arb(0))
        below = [weight(z) for z in range(last - reach, last + 1)]
        direct = (
            sum(below, arb(0)) - ball(eps).exp() * sum(below[:-1], arb(0))
        ) / total
        assert abs(result.mid() - direct) <= result.rad() + direct * arb(2) ** -190
        assert result.rad() <= direct * arb(2) ** -60


@states(
    "privacy.opendp_gaussian_delta",
    "Return the delta that OpenDP certifies",
    "At the given l2 sensitivity, 1 for a count; errs",
)
@pytest.mark.parametrize("sigma", [2.0**-500, 1e-3, 0.5, 2.0, 300.0])
@pytest.mark.parametrize("eps", [1e-300, 0.1, 3.0, 1e6])
def test_the_delta_of_opendp_errs_above(sigma, eps):
    assert (
        ball(F(opendp_gaussian_delta(sigma, eps)))
        >= discrete_gaussian_delta(F(eps), F(sigma) ** 2).lower()
    )


@states("privacy.gaussian_delta", "Errs by rounding: relatively less than")
def test_gaussian_deltas_are_near_the_balls_to_their_ends():
    rng = np.random.default_rng(8)
    cases = [(0.0, 10.0**k) for k in (-299, -200, -18, -5, -1.01, -0.99, 0, 1, 2, 300)]
    cases += [
        (10.0**e, 10.0**m)
        for e, m in zip(
            rng.uniform(-300, 12, 400), rng.uniform(-300, 7, 400), strict=True
        )
    ]
    for x in (-8.0, -5.0, 0.0, 1e-3, 3.0, 36.0):
        cases += [
            (e, math.sqrt(x * x + 2 * e) - x)
            for e in 10.0 ** np.arange(-12, 13.0)
            if e > x * x * 1e-12
        ]
    held = 0
    with ctx.workprec(4000):
        for eps, mu in cases:
            true = (
                delta_ball(F(eps), F(mu))
                if eps
                else (
                    arb(F(mu).numerator) / F(mu).denominator / 2 / arb(2).sqrt()
                ).erf()
            )
            if true > arb("1e-300"):
                held += 1
                error = abs(ball(F(gaussian_delta(eps, mu))) / true - 1)
                assert error < 1e-12 + 1e-14 * (eps / mu), (eps, mu)
    assert held > 200


@states(
    "privacy.gaussian_sigma",
    "Return the smallest sigma",
    "Too large by at most 1e-13 of itself.",
    "The floats are taken at their exact values",
    "Source: Balle",
)
@pytest.mark.parametrize("eps", [1e-300, 1e-9, 1.0, 1e4, 1e300])
@pytest.mark.parametrize("delta", [1e-300, 1e-100, 1e-18, 0.5, 1 - 2.0**-53])
@pytest.mark.parametrize("sensitivity", [1.0, 1 / 3])
def test_sigma_is_enough_and_hardly_too_large(eps, delta, sensitivity):
    sigma = F(gaussian_sigma(eps, delta, sensitivity))
    with ctx.workprec(4500):
        assert delta_ball(F(eps), F(sensitivity) / sigma) <= ball(F(delta))
        assert delta_ball(F(eps), F(sensitivity) / (sigma * (1 - F(1, 10**13)))) > ball(
            F(delta)
        )


@states(
    "privacy.failing_eps",
    "Return rationals around",
    "For $\\varepsilon$ up to the lower one",
    "The rule keeps its promise exactly up to there.",
    "Relative width",
)
@pytest.mark.parametrize("delta", [F(1, 10**300), F(1, 100), 1 - F(1, 10**12)])
def test_the_printed_rule_fails_between_the_two(delta):
    low, high = failing_eps(delta)
    assert 0 < high - low <= F(6, 10**14) * high
    with ctx.workprec(1500):
        c = printed_multiple(delta)
        assert (
            delta_ball(low, ball(low) / c)
            < ball(delta)
            < delta_ball(high, ball(high) / c)
        )


@states("privacy.laplace_mechanism", "$\\varepsilon$-DP as a statement on real numbers")
@pytest.mark.parametrize(
    ("sensitivity", "eps"), [(1.0, 3.0), (0.1, 0.7), (1e200, 1e-60)]
)
def test_the_scale_of_laplace_noise_is_not_too_small(sensitivity, eps):
    noise = laplace_mechanism(np.zeros(1), sensitivity, eps, np.random.default_rng(1))[
        0
    ]
    scale = noise / np.random.default_rng(1).laplace()
    assert scale == pytest.approx(sensitivity / eps, rel=1e-15)
    assert F(float_above(F(sensitivity) / F(eps))) * F(eps) >= F(sensitivity)


@states("privacy.smallest_scale", "Return a number > 0 that fits")
@pytest.mark.parametrize("edge", [1e-299, 0.3, 1e299])
@pytest.mark.parametrize("rtol", [1e-15, 1e-9, 0.5])
def test_the_smallest_scale_is_smallest(edge, rtol):
    result = smallest_scale(lambda scale: scale >= edge, rtol)
    assert edge <= result
    assert F(result) * (1 - F(rtol)) <= F(edge)


@states("privacy.top_probability", "Return the probability that a count", "Certified.")
@pytest.mark.parametrize(
    ("gap", "others"), [(F(0), 1), (F(200), 3), (F(1, 10**6), 9999), (F(12), 10**6)]
)
def test_the_chance_to_stay_first_lies_in_its_ball(gap, others):
    """For one other, 1 - (2 + s) e^-s / 4.

    Else a finer integral of the same density.
    """
    result = top_probability(gap, others)
    assert result.is_finite()
    with ctx.workprec(600):
        s = ball(gap)
        if others == 1:
            direct = 1 - (2 + s) * (-s).exp() / 4
        elif gap == 0:
            direct = arb(1) / (others + 1)
        else:

            def density(y, _):
                return (1 - (-(y + s)).exp() / 2) ** others * (-y).exp() / 2

            right = acb.integral(density, acb(0), acb(700)).real
            middle = acb.integral(
                lambda y, _: (1 - (-(y + s)).exp() / 2) ** others * y.exp() / 2,
                -acb(s),
                acb(0),
            ).real
            direct = right + middle + (-s).exp() / arb(2) ** (others + 1) / (others + 1)
        assert abs(result.mid() - direct) <= result.rad() + arb(2) ** -300
        assert result.rad() < 1e-9


@states("privacy.gaussian_sigma", "Raises")
@states("privacy.laplace_mechanism", "Raises")
@states("privacy.smallest_scale", "Raises")
def test_the_ranges_that_are_stated_are_refused_beyond():
    """And in tests/mollified/test_mechanism_ends, which has the range in each message.

    Within them nothing is.
    """
    gaussian_sigma(1e-300, 1e-300)
    gaussian_sigma(1e300, 1 - 2.0**-53, 1e200)
    for refused in (
        (1e-301, 0.1),
        (1e301, 0.1),
        (1.0, 1e-301),
        (1.0, 1.0),
        (1.0, 1e-9, 1e300),
        (1.0, 1e-9, 1e-301),
    ):
        with pytest.raises(ValueError, match=r"^(eps|delta|sensitivity) must"):
            gaussian_sigma(*refused)
    coins = np.random.default_rng(1)
    laplace_mechanism(np.array([2.0**43]), 1.0, 1.0, coins)
    for answer, scale in (
        (2.0**43 * (1 + 2.0**-50), 1.0),
        (0.0, 2.0**901),
        (0.0, 2.0**-901),
    ):
        with pytest.raises(ValueError, match=r"^(answer|sensitivity) must"):
            laplace_mechanism(np.array([answer]), scale, 1.0, coins)
    for fits, rtol in (
        (lambda _: False, 1e-9),
        (lambda _: True, 1e-9),
        (lambda scale: scale > 1, 1e-16),
    ):
        with pytest.raises(ValueError, match=r"fits|rtol"):
            smallest_scale(fits, rtol)
