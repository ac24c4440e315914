"""What the docstrings of `mollified.mechanisms` say of accuracy, at the stated ends,
against balls of 300 bits."""

import math
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from dp_accounting.pld.common import DifferentialPrivacyParameters
from dp_accounting.pld.privacy_loss_mechanism import GaussianPrivacyLoss
from flint import arb, ctx

from mollified.mechanisms import (
    discrete_gaussian_scale,
    discrete_laplace_scale,
    gaussian_scale,
    ks_release,
    laplace_scale,
    lattice_sensitivity,
    noisy_histogram,
    opendp_scale,
    opendp_zcdp,
)
from mollified.mechanisms.histogram_release import discrete_gaussian_delta
from mollified.privacy import ball
from mollified.privacy.gaussian_mechanism import delta_ball
from mollified.privacy.opendp_noise import measurement, zcdp_delta
from tests.accuracy import states
from tests.mollified.helpers import ALPHA, chi_square, counted


@pytest.fixture(autouse=True)
def _balls_of_300_bits():
    with ctx.workprec(300):
        yield


@states("mechanisms.laplace_scale", "Return $2/\\varepsilon$")
@pytest.mark.parametrize("eps", [1e-300, 1 / 3, 3.0, 49.0, 1e300])
def test_laplace_scales_are_rounded_up(eps):
    scale = F(laplace_scale(eps))
    assert scale * F(eps) >= 2
    assert F(math.nextafter(float(scale), 0)) * F(eps) < 2


def laplace_delta(eps, scale):
    """The exact delta: both changed counts keep or widen their distance."""
    q = (-1 / ball(scale)).exp()
    return (1 - ball(eps).exp() * q * q) / (1 + q) ** 2


@states(
    "mechanisms.discrete_laplace_scale",
    "Return the smallest scale",
    "Where it is below 1e-3",
    "The exact delta is a quadratic",
    "Errs above, by",
)
@pytest.mark.parametrize("eps", [1e-300, 1e-9, 0.5, 20.0, 600.0])
@pytest.mark.parametrize("delta", [1e-300, 1e-18, 0.5, 1 - 2.0**-53])
def test_scales_of_discrete_laplace_noise_spend_the_delta(eps, delta):
    scale = F(discrete_laplace_scale(eps, delta))
    with ctx.workprec(4000):
        assert laplace_delta(F(eps), scale) <= ball(F(delta))
        if scale > F(1, 1000):
            assert laplace_delta(F(eps), F(math.nextafter(float(scale), 0))) > ball(
                F(delta)
            )
    assert discrete_laplace_scale(1e300, delta) == 1e-3


@states("mechanisms.gaussian_scale", "`privacy.gaussian_sigma` at l2 sensitivity")
@pytest.mark.parametrize(
    ("eps", "delta"),
    [
        (1e-7, 1e-100),
        (1e-7, 1e-18),
        (1e-9, 1e-18),
        (1e-300, 1e-300),
        (1.0, 1e-6),
        (1e300, 0.5),
    ],
)
def test_gaussian_scales_are_enough_and_hardly_too_large(eps, delta):
    """The deltas that dp-accounting's scale had: 1.00024 and 1.0000011 of the target in
    the first two cases."""
    scale = ball(F(gaussian_scale(eps, delta)))
    with ctx.workprec(4500):
        shift = arb(2).sqrt() / scale
        assert delta_ball(F(eps), shift) <= ball(F(delta))
        assert delta_ball(F(eps), shift * (1 + arb(10) ** -13)) > ball(F(delta))


@pytest.mark.parametrize(
    ("eps", "delta", "gap"), [(1.0, 1e-6, 1e-6), (0.1, 1e-9, 1e-6), (5.0, 0.01, 1e-6)]
)
def test_gaussian_scales_beside_those_of_dp_accounting(eps, delta, gap):
    peer = GaussianPrivacyLoss.from_privacy_guarantee(
        DifferentialPrivacyParameters(eps, delta), sensitivity=math.sqrt(2)
    )
    assert gaussian_scale(eps, delta) == pytest.approx(peer.standard_deviation, rel=gap)


def gaussian_delta(eps, scale):
    """The exact delta of two counts, from the law of the difference of two noises, term
    by term."""
    width = ball(scale) ** 2
    reach = math.ceil(40 * float(scale)) + 3

    def bell(x, factor):
        return (-ball(x * x) / (factor * width)).exp()

    sums = [
        sum((bell(F(2 * x + odd, 2), 1) for x in range(-reach, reach)), arb(0))
        for odd in (0, 1)
    ]
    weights = {w: bell(F(w), 4) * sums[w % 2] for w in range(-2 * reach, 2 * reach + 1)}
    total = sum(weights.values(), arb(0))
    losses = {w: 1 - (ball(eps) - (1 + w) / width).exp() for w in weights}
    return (
        sum((weights[w] * loss for w, loss in losses.items() if loss > 0), arb(0))
        / total
    )


@states(
    "mechanisms.discrete_gaussian_scale",
    "Return the scale at which the delta",
    "Errs above, by 2e-10",
)
@pytest.mark.parametrize(
    ("eps", "delta"),
    [
        (1e-300, 0.01),
        (0.5, 1e-300),
        (1.0, 1e-6),
        (5.0, 0.01),
        (50.0, 0.5),
        (3.0, 0.999),
        (1e6, 0.3),
    ],
)
def test_scales_of_discrete_gaussian_noise_spend_the_delta(eps, delta):
    scale = F(discrete_gaussian_scale(eps, delta))
    with ctx.workprec(2200):
        assert gaussian_delta(F(eps), scale) <= ball(F(delta))
        assert gaussian_delta(F(eps), scale * (1 - F(3, 10**10))) > ball(F(delta))


@pytest.mark.parametrize("eps", [0.0, 1.0, 50.0])
@pytest.mark.parametrize("scale", [1e-3, 0.3, 3.9, 4.0, 11.0])
def test_deltas_of_discrete_gaussian_noise_err_by_rounding_only(eps, scale):
    assert (
        abs(
            ball(F(discrete_gaussian_delta(eps, scale)))
            - gaussian_delta(F(eps), F(scale))
        )
        < 1e-14
    )


@states(
    "mechanisms.opendp_scale",
    "Return the smallest scale that OpenDP's own map",
    "Errs above, by 1e-9",
)
@states("mechanisms.opendp_zcdp", "Up to 1e-9")
@pytest.mark.parametrize("eps", [2.0**-50, 0.5, 2.0**20])
@pytest.mark.parametrize("delta", [1e-300, 1e-6, 0.9])
def test_scales_of_opendp_are_certified_by_it(eps, delta):
    scale = opendp_scale(eps, delta)
    assert zcdp_delta(scale, eps, math.sqrt(2)) <= delta
    assert zcdp_delta(scale * (1 - 1e-9), eps, math.sqrt(2)) > delta
    assert opendp_zcdp(eps, delta) == pytest.approx(1 / scale**2, rel=1e-15)
    laplace = opendp_scale(eps, delta, "discrete-laplace")
    assert measurement("discrete-laplace", laplace).map(2.0) <= eps
    assert measurement("discrete-laplace", laplace * (1 - 1e-9)).map(2.0) > eps
    assert F(math.sqrt(2)) ** 2 > 2  # the sensitivity is rounded up


def moved(degree, dim, width, one, two):
    """By how much two records differ in all values, summed, in balls."""
    nodes = list(product(range(degree + 1), repeat=dim))

    def value(record, node):
        squares = sum(
            ((F(i, degree) - x) / width) ** 2 for i, x in zip(node, record, strict=True)
        )
        return (-ball(squares) / 2).exp() / (ball(width) * (2 * arb.pi()).sqrt()) ** dim

    return sum((abs(value(one, node) - value(two, node)) for node in nodes), arb(0))


@states(
    "mechanisms.lattice_sensitivity",
    "The bounds are certified",
    "`upper` errs on the large side",
)
@pytest.mark.parametrize(
    ("degree", "dim", "width"),
    [
        (1, 1, 2.0**-15),
        (1, 1, 2.0**20),
        (5, 1, 0.1),
        (3, 2, 0.2),
        (2, 3, 1 / 3),
        (40, 1, 0.004),
    ],
)
def test_records_move_the_values_by_no_more_than_the_upper_bound(degree, dim, width):
    found = lattice_sensitivity(degree, dim, width)
    corners = moved(degree, dim, F(width), (F(0),) * dim, (F(1),) * dim)
    assert corners <= ball(F(found.upper))
    assert found.lower <= found.upper
    rng = np.random.default_rng(4)
    for _ in range(20):
        one, two = (
            tuple(F(int(k), 4 * degree) for k in rng.integers(0, 4 * degree + 1, dim))
            for _ in range(2)
        )
        assert moved(degree, dim, F(width), one, two) <= ball(F(found.upper))
    published = (ball(F(degree + 1)) / (ball(F(width)) * (2 * arb.pi()).sqrt())) ** dim
    assert (
        ball(F(found.published))
        >= published
        > ball(F(found.published)) * (1 - arb(2) ** -51)
    )


@states("mechanisms.ks_release", "The law is proportional to")
@pytest.mark.parametrize("eps", [1e-280, 0.3, 4.0])
def test_releases_have_the_law_of_the_exponential_mechanism(eps):
    """Three records on two bins by enumeration, at a false-alarm rate of 1e-6; the
    control has another level."""
    outputs = [(k, 3 - k) for k in range(4)]
    drawn = ks_release([6, 4], 3, eps, np.random.default_rng(6), draws=20_000)

    def law(level):
        weights = [
            math.comb(3, k) * math.exp(-10 * level * abs(k / 3 - 0.6) / 2)
            for k in range(4)
        ]
        return np.array(weights) / sum(weights)

    counts = counted(drawn, outputs)
    assert (
        chi_square(counts, law(eps)) > ALPHA > chi_square(counts, law(1.2 * eps + 0.3))
    )


@states("mechanisms.noisy_histogram", "Scales: from n 2^-43 to 2^46")
def test_floats_keep_ten_bits_of_the_noise():
    for n in (1, 1000, 2**53):
        assert math.ulp(float(n)) <= n * 2.0**-43 / 2**9
    drawn = noisy_histogram(
        [2**53 - 1, 1], "laplace", 2.0**10, np.random.default_rng(1), repair="none"
    )
    assert drawn[0] != (2**53 - 1) / 2**53


@states("mechanisms.discrete_gaussian_scale", "Raises")
@states("mechanisms.discrete_laplace_scale", "Raises")
@states("mechanisms.gaussian_scale", "Raises")
@states("mechanisms.ks_release", "Raises")
@states("mechanisms.laplace_scale", "Raises")
@states("mechanisms.opendp_scale", "Raises")
@pytest.mark.parametrize(
    "scale",
    [discrete_gaussian_scale, discrete_laplace_scale, gaussian_scale, opendp_scale],
)
def test_the_ranges_that_are_stated_are_refused_beyond(scale):
    """And in tests/mollified/test_mechanism_ends, which has the range in each
    message."""
    for eps, delta in ((1e-301, 0.1), (1e301, 0.1), (1.0, 9e-301), (1.0, 1.0)):
        with pytest.raises(ValueError, match=r"^(eps|delta) must"):
            scale(eps, delta)
    for eps in (1e-301, 1e301):
        with pytest.raises(ValueError, match=r"^eps must"):
            laplace_scale(eps)
    for eps in (1e-281, 1e281):
        with pytest.raises(ValueError, match=r"^eps must"):
            ks_release([1, 1], 1, eps, np.random.default_rng(1))
