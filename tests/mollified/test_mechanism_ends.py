"""Each mechanism at the ends of its parameters: the law there, and a refusal with the
range beyond.

A law on few points is held by a chi-square, others by Kolmogorov and Smirnov, at
false-alarm rates of 1e-6; each such test has a control, a wrong law or the sampler that
it replaces, which must fail.
"""

import math
import re
from fractions import Fraction as F
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from mollified.mechanisms import (
    discrete_gaussian_scale,
    discrete_laplace_scale,
    gaussian_scale,
    ks_release,
    laplace_scale,
    lattice_sensitivity,
    noisy_histogram,
    opendp_scale,
)
from mollified.privacy import (
    binomial_delta,
    binomial_noise,
    binomial_trials,
    discrete_gaussian_delta,
    discrete_gaussian_noise,
    gaussian_sigma,
    geometric_counts,
    laplace_mechanism,
    opendp_gaussian_delta,
)
from tests.mollified.helpers import ALPHA, chi_square, ks

ROOT = Path(__file__).parents[2]
RNG = np.random.default_rng(17)


def residues(draws, base=8):
    """The chance of draws so spread out that all residues must be as likely."""
    return chi_square(
        np.bincount(np.asarray(draws) % base, minlength=base), np.full(base, 1 / base)
    )


@pytest.mark.parametrize("sigma", [1e9, 1e12, 2.0**57])
def test_discrete_gaussian_noise_at_its_largest(sigma):
    """Integers of 32 bits end at 2^31; the control has another sigma."""
    noise = discrete_gaussian_noise(sigma, 4000)
    assert np.unique(noise).size >= 3990
    assert ks(noise / sigma, "norm") > ALPHA > ks(noise / (1.5 * sigma), "norm")
    assert residues(noise) > ALPHA > residues(noise & ~1)


def test_discrete_gaussian_noise_at_its_smallest():
    """At scale .3 three values have a chance; at 2^-500 only 0 has."""
    noise = discrete_gaussian_noise(0.3, 20_000)
    masses = np.exp(-(np.arange(-3, 4) ** 2) / (2 * 0.09))
    counts = np.bincount(noise + 3, minlength=7)
    wrong = np.exp(-(np.arange(-3, 4) ** 2) / (2 * 0.1))
    assert (
        chi_square(counts, masses / masses.sum())
        > ALPHA
        > chi_square(counts, wrong / wrong.sum())
    )
    assert not discrete_gaussian_noise(2.0**-500, 100).any()


def truncated(at, eps, high):
    """The law of the truncated geometric mechanism on 0..high."""
    alpha = math.exp(-eps)
    masses = (1 - alpha) / (1 + alpha) * alpha ** np.abs(np.arange(high + 1.0) - at)
    masses[0], masses[high] = (
        alpha**at / (1 + alpha),
        alpha ** (high - at) / (1 + alpha),
    )
    return masses


@pytest.mark.parametrize(
    ("eps", "wrong"), [(2.0**-24, 0.01), (math.log(2), 1.0), (12.0, 6.0)]
)
@pytest.mark.parametrize("low", [0, 2**40, -(2**63), 2**63 - 7])
def test_geometric_counts_on_integers_of_all_sizes(eps, wrong, low):
    counts = np.bincount(
        geometric_counts(low + 2, eps, low, low + 6, 20_000) - low, minlength=7
    )
    assert (
        chi_square(counts, truncated(2, eps, 6))
        > ALPHA
        > chi_square(counts, truncated(2, wrong, 6))
    )


def test_geometric_counts_at_the_largest_level_and_range():
    assert (geometric_counts(3, 2.0**500, 0, 6, 100) == 3).all()
    assert 0 <= geometric_counts(1, 1e-3, 0, 1 << 22)[0] <= 1 << 22


@pytest.mark.parametrize("trials", [2, 64, 66, 16_384])
def test_binomial_noise_on_few_coins(trials):
    noise = binomial_noise(trials, RNG, 20_000)
    places = np.arange(trials + 1)
    counts = np.bincount(noise + trials // 2, minlength=trials + 1)
    wrong = stats.binom.pmf(places, trials, 0.48)
    assert (
        chi_square(counts, stats.binom.pmf(places, trials, 0.5))
        > ALPHA
        > chi_square(counts, wrong)
    )


def test_binomial_noise_on_many_coins_has_odd_values():
    """The control: numpy's binomial of 2^60 coins has even values only."""
    trials = 1 << 22
    noise = binomial_noise(trials, RNG, 1000)
    assert (
        ks(noise / math.sqrt(trials / 4), "norm")
        > ALPHA
        > ks(noise / math.sqrt(trials / 2), "norm")
    )
    assert residues(noise, 4) > ALPHA > residues(RNG.binomial(1 << 60, 0.5, 1000), 4)
    assert abs(binomial_noise(1 << 32, RNG)[0]) < 7 * 2**15  # a chance of 2e-12


@pytest.mark.parametrize("scale", [2.0**-900, 1.0, 2.0**900])
def test_laplace_release_at_its_ends(scale):
    released = laplace_mechanism(np.zeros(20_000), scale, 1.0, RNG)
    assert (
        ks(released / scale, "laplace")
        > ALPHA
        > ks(released / (1.1 * scale), "laplace")
    )


def test_laplace_release_keeps_ten_bits_of_noise():
    """The control: beside 2^60 scales only every 256th scale is a float."""
    answer = np.full(5000, 2.0**43)
    noise = laplace_mechanism(answer, 1.0, 1.0, RNG) - answer
    assert (
        ks(noise, "laplace")
        > ALPHA
        > ks(2.0**60 + RNG.laplace(size=5000) - 2.0**60, "laplace")
    )


def histogram_noise(noise, scale, n, size=20_000):
    counts = np.zeros(size, dtype=np.int64)
    counts[0] = n
    return (noisy_histogram(counts, noise, scale, RNG, repair="none") * n - counts)[1:]


@pytest.mark.parametrize(
    ("noise", "law"), [("laplace", "laplace"), ("gaussian", "norm")]
)
@pytest.mark.parametrize(
    ("n", "scale"),
    [(1, 2.0**-43), (1000, 1000 * 2.0**-43), (2**53, 1024.0), (7, 2.0**46)],
)
def test_continuous_noise_of_histograms_at_its_ends(noise, law, n, scale):
    drawn = histogram_noise(noise, scale, n) / scale
    assert ks(drawn, law) > ALPHA > ks(drawn / 1.2, law)


@pytest.mark.parametrize(
    ("noise", "scale"), [("discrete-laplace", 0.3), ("discrete-gaussian", 0.3)]
)
def test_integer_noise_of_histograms_where_it_is_small(noise, scale):
    def masses(of):
        steps = np.abs(np.arange(-9.0, 10.0)) / of
        weights = np.exp(-steps if noise == "discrete-laplace" else -(steps**2) / 2)
        return weights / weights.sum()

    drawn = np.rint(histogram_noise(noise, scale, 1)).astype(np.int64)
    counts = np.bincount(np.clip(drawn, -9, 9) + 9, minlength=19)
    assert (
        chi_square(counts, masses(scale))
        > ALPHA
        > chi_square(counts, masses(1.2 * scale))
    )
    assert not np.rint(histogram_noise(noise, 1e-3, 1)).any()


@pytest.mark.parametrize(
    ("noise", "scale", "law"),
    [("discrete-laplace", 2.0**32, "laplace"), ("discrete-gaussian", 2.0**16, "norm")],
)
def test_integer_noise_of_histograms_where_it_is_large(noise, scale, law):
    """The control: at a scale of 2^56 numpy's geometric variables miss residues."""
    drawn = np.rint(histogram_noise(noise, scale, 1)).astype(np.int64)
    assert ks(drawn / scale, law) > ALPHA > ks(drawn / (1.2 * scale), law)
    assert residues(drawn) > ALPHA
    assert residues(RNG.geometric(2.0**-56, 20_000)) < ALPHA


@pytest.mark.parametrize(
    "noise", ["laplace", "gaussian", "discrete-laplace", "discrete-gaussian"]
)
def test_a_tiny_level_gives_noise_or_an_error(noise):
    """The counts themselves came out at eps = 1e-25.

    Two saturated variables cancelled.
    """
    with pytest.raises(ValueError, match=r"^scale must .*\[.*, .*\]"):
        noisy_histogram([3, 5], noise, laplace_scale(1e-25), RNG, repair="none")


def test_ks_release_at_its_ends():
    """Two bins and one record: the other bin has a share of e^(-n eps rho / 2), rho =
    1/2 more.
    """
    for eps, share in (
        (1e-280, 0.5),
        (1.0, 1 / (1 + math.exp(-5 * (0.7 - 0.3)))),
        (1e280, 1.0),
    ):
        first = int(ks_release([7, 3], 1, eps, RNG, draws=5000)[:, 0].sum())
        assert stats.binomtest(first, 5000, share).pvalue > ALPHA
        assert stats.binomtest(first, 5000, abs(share - 0.1)).pvalue < ALPHA
    assert ks_release([2**61, 2**61], 2, 1e-18, RNG).sum() == 2


BEYOND = [
    ("eps", r"\[.*e-08, .*e\+150\]", lambda: geometric_counts(5, 1e-19, 0, 100)),
    ("eps", r"\[.*e-08, .*e\+150\]", lambda: geometric_counts(5, 2.0**501, 0, 100)),
    ("high", "4194304", lambda: geometric_counts(5, 1.0, 0, (1 << 22) + 1)),
    ("high", "2\\^63", lambda: geometric_counts(5, 1.0, 0, 1 << 63)),
    ("low", "2\\^63", lambda: geometric_counts(5, 1.0, -(1 << 63) - 1, 9)),
    ("sigma", r"\[.*e-151, .*e\+17\]", lambda: discrete_gaussian_noise(2.0**57.1)),
    ("sigma", r"\[.*e-151, .*e\+17\]", lambda: discrete_gaussian_noise(2.0**-501)),
    ("sigma", r"\[.*e-151, .*e\+17\]", lambda: opendp_gaussian_delta(1e300, 1.0)),
    (
        "trials",
        "2\\^26.*discrete_gaussian_noise",
        lambda: binomial_noise((1 << 32) + 2, RNG),
    ),
    ("trials", "131072.*gaussian_delta", lambda: binomial_delta((1 << 17) + 1, F(2))),
    (
        "exp_eps",
        "65536.*gaussian_sigma",
        lambda: binomial_trials(F(100_001, 100_000), F(1, 10**9)),
    ),
    (
        "sigma_squared",
        r"\(0, 2\^26\].*gaussian_delta",
        lambda: discrete_gaussian_delta(F(1), F(2**26 + 1)),
    ),
    (
        "sensitivity",
        r"\[2\^-900, 2\^900\]",
        lambda: laplace_mechanism(np.zeros(2), 1.0, 1e-300, RNG),
    ),
    (
        "sensitivity",
        r"\[2\^-900, 2\^900\]",
        lambda: laplace_mechanism(np.zeros(2), 1e300, 1e-300, RNG),
    ),
    (
        "answer",
        "8.796e\\+12",
        lambda: laplace_mechanism(np.full(2, 1e13), 1.0, 1.0, RNG),
    ),
    (
        "scale",
        r"\[0.001, 4294967296\].*use laplace",
        lambda: noisy_histogram([1, 2], "discrete-laplace", 2.0**33, RNG),
    ),
    (
        "scale",
        r"\[0.001, 65536\].*use gaussian",
        lambda: noisy_histogram([1, 2], "discrete-gaussian", 65537.0, RNG),
    ),
    (
        "scale",
        r"\[0.001, 65536\]",
        lambda: noisy_histogram([1, 2], "discrete-gaussian", 9e-4, RNG),
    ),
    (
        "scale",
        r"\[3.411e-13, .*\]",
        lambda: noisy_histogram([1, 2], "laplace", 3e-13, RNG),
    ),
    (
        "scale",
        r"\[3.411e-13, 70368744177664\]",
        lambda: noisy_histogram([1, 2], "gaussian", 1e14, RNG),
    ),
    ("counts", "2\\^53", lambda: noisy_histogram([2**53, 1], "gaussian", 1e6, RNG)),
    ("eps", r"\[1e-280, 1e\+280\]", lambda: ks_release([1, 2], 1, 1e-290, RNG)),
    ("records", "2\\^30", lambda: ks_release([1, 2], 10**5, 1e-9, RNG)),
    ("eps", r"\[1e-300, 1e\+300\]", lambda: laplace_scale(1e-301)),
    ("eps", r"\[1e-300, 1e\+300\]", lambda: gaussian_sigma(1e-301, 0.1)),
    ("delta", r"\[1e-300, 1\)", lambda: gaussian_sigma(1.0, 1e-301)),
    ("sensitivity", r"\[1e-300, 1e\+300\]", lambda: gaussian_sigma(1e-10, 1e-9, 1e300)),
    ("delta", r"\[1e-300, 1\)", lambda: gaussian_scale(1.0, 1e-301)),
    ("delta", r"\[1e-300, 1\)", lambda: discrete_laplace_scale(1.0, 1e-301)),
    ("eps", "32768.*gaussian_scale", lambda: discrete_gaussian_scale(1e-6, 1e-9)),
    ("eps", r"\[1e-300, 1000000.0\]", lambda: discrete_gaussian_scale(2e6, 1e-9)),
    ("eps", r"\[8.8.*e-16, 1048576.0\]", lambda: opendp_scale(1e-17, 1e-9)),
    ("degree", "500", lambda: lattice_sensitivity(501, 1, 1.0)),
    ("bandwidth", r"\[.*, 1048576\]", lambda: lattice_sensitivity(10, 1, 1e-6)),
]


@pytest.mark.parametrize(("argument", "range_", "call"), BEYOND)
def test_what_lies_beyond_is_refused_with_the_range(argument, range_, call):
    with pytest.raises(ValueError, match=re.escape(argument) + ".*" + range_) as caught:
        call()
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None or caught.value.__suppress_context__


def test_integers_of_opendp_have_64_bits_everywhere():
    """Its `int` is of 32 bits; the pattern finds it, and what it must not find it does
    not.
    """
    narrow = re.compile(r"""T=(int\b|["']i(8|16|32)["'])""")
    assert [
        bool(narrow.search(text))
        for text in ("T=int)", 'T="i32"', 'T="i64"', "T=interval")
    ] == [1, 1, 0, 0]
    sources = list((ROOT / "src").rglob("*.py"))
    assert len(sources) > 100
    assert [
        path.name for path in sources if narrow.search(path.read_text(encoding="utf-8"))
    ] == []


def test_where_opendp_overflows_the_delta_is_one():
    assert opendp_gaussian_delta(1e-3, 1.0) == 1.0
    assert opendp_gaussian_delta(2.0**-500, 1e300) == 1.0
    assert opendp_gaussian_delta(2.0**57, 1e-300) < 1e-17
    assert opendp_gaussian_delta(1.0, 1.0, 1e300) == 1.0


@pytest.mark.parametrize("secret", [5_551_234_567])
def test_messages_hold_no_private_value(secret):
    calls = [
        lambda: geometric_counts(secret, 1.0, 0, 10),
        lambda: geometric_counts(secret << 40, 1.0, 0, 10),
        lambda: laplace_mechanism(np.array([float(secret)]), 1e-9, 1.0, RNG),
        lambda: noisy_histogram([secret, -1], "gaussian", 1.0, RNG),
        lambda: noisy_histogram([secret << 29, 1], "gaussian", 1e6, RNG),
        lambda: ks_release([float(secret), 1.0], 1, 1.0, RNG),
    ]
    for call in calls:
        with pytest.raises((ValueError, TypeError)) as caught:
            call()
        assert str(secret)[:6] not in f"{caught.value}{caught.value.__cause__}"
        assert caught.value.__context__ is None or caught.value.__suppress_context__
