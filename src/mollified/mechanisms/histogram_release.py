r"""Release a histogram with noise on its counts.

The noise is Laplace, discrete Laplace, Gaussian or discrete Gaussian. Neighbours
replace one record, n is public: two counts change by one, l1 sensitivity 2, l2
sensitivity $\sqrt2$. As n is public, the noise may be centred, i.e. its mean
subtracted, so that the released masses sum to 1 (post-processing). Idealised numerics:
noise is drawn in floats from a pseudo-random generator, for experiments and not to
publish; see `opendp_release` for a kept library. The perturbed histogram, as usually
described, is `laplace` with `clip`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

import numpy as np
from scipy.optimize import brentq

from mollified._validate import (
    Array,
    Counts,
    check_counts,
    check_eps,
    check_interval,
    check_rng,
    echo,
)
from mollified.privacy.exact_level import ball, float_above
from mollified.privacy.gaussian_mechanism import LEAST, MOST, gaussian_noise
from mollified.privacy.opendp_noise import LARGEST_SCALE, asked, measurement, zcdp_delta
from mollified.privacy.smallest import smallest_scale
from statements.precision import working_precision

__all__ = [
    "discrete_gaussian_delta",
    "discrete_gaussian_scale",
    "discrete_laplace_delta",
    "discrete_laplace_scale",
    "gaussian_scale",
    "laplace_scale",
    "noisy_histogram",
    "opendp_scale",
    "opendp_zcdp",
]

Noise = Literal["laplace", "discrete-laplace", "gaussian", "discrete-gaussian"]
NoiseRepair = Literal["none", "centre", "clip"]
NOISES = ("laplace", "discrete-laplace", "gaussian", "discrete-gaussian")
REPAIRS = ("none", "centre", "clip")
#: Noise of a discrete Gaussian farther out than this many scales has a probability
#: below 1e-38.
REACH = 13.0
#: Differences of two such noises farther out than this many scales have a probability
#: below 1e-320.
FAR = 55.0
#: From this scale on a sum of the bell over the integers, and over those shifted, are
#: the same to 1e-60.
SMOOTH = 4.0
#: Below this scale integer noise is never anything but 0 in floats.
LEAST_DISCRETE = 1e-3
#: The largest scale of each noise: 40 of it, beside the counts, are exact in floats;
#: geometric variables of numpy have all values; the table of a discrete Gaussian, and
#: the sums for its scale, take a second at most.
LARGEST = {
    "laplace": 2.0**46,
    "gaussian": 2.0**46,
    "discrete-laplace": 2.0**32,
    "discrete-gaussian": 2.0**16,
}
#: The records whose number floats hold exactly, and the part of it that continuous
#: noise must not be below.
MOST_RECORDS = 1 << 53
PART = 2.0**-43
#: Levels at which OpenDP's scales are searched.
LEAST_OPENDP = 2.0**-50
MOST_OPENDP = 2.0**20
#: The l2 sensitivity: the nearest float lies above it.
SQRT_TWO = math.sqrt(2)
#: To which a scale of discrete Gaussian noise is searched, relatively.
SCALE_ERROR = 1e-10
#: Precision of closed forms: levels of 1e-300 beside one.
BITS = 2400


def _check_choice(name: str, value: object, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise ValueError(
            f"{name} must be one of {', '.join(choices)}, got {echo(name, value)}"
        )
    return str(value)


def _check_levels(eps: object, delta: object) -> tuple[float, float]:
    """Return a level and a delta of floats whose powers are floats."""
    check_eps("eps", eps)
    level = check_interval("eps", eps, LEAST, MOST)
    return level, check_interval("delta", delta, LEAST, 1, open_high=True)


def laplace_scale(eps: float) -> float:
    r"""Return $2/\varepsilon$, the scale of Laplace noise for pure eps-DP, rounded up.

    Discrete Laplace noise has the same. Raises ValueError or TypeError for eps outside
    [1e-300, 1e300].
    """
    return float_above(2 / Fraction(check_interval("eps", eps, LEAST, MOST)))


def discrete_laplace_delta(eps: float, scale: float) -> float:
    r"""Return the exact delta of discrete Laplace noise on the counts.

    The noise has $P[X=x]\propto q^{|x|}$, $q=e^{-1/b}$.
    $\delta=\bigl(1-e^{\varepsilon-2/b}\bigr)_+/(1+q)^2$: the loss is 2/b if neither
    changed count was moved towards the other data set, and at most 0 otherwise.
    """
    return max(0.0, -math.expm1(eps - 2 / scale)) / (1 + math.exp(-1 / scale)) ** 2


def discrete_laplace_scale(eps: float, delta: float) -> float:
    r"""Return the smallest scale of discrete Laplace noise for (eps, delta)-DP.

    Where it is below 1e-3 the scale is 1e-3. The exact delta is a quadratic in
    $q=e^{-1/b}$, and
    $1/b=\log\frac{\delta+\sqrt{\delta+(1-\delta)e^\varepsilon}}{1-\delta}$. Errs above,
    by rounding up only. Raises ValueError or TypeError for eps outside [1e-300, 1e300]
    or delta outside [1e-300, 1).
    """
    eps, delta = _check_levels(eps, delta)
    with working_precision(BITS):
        miss = ball(Fraction(delta))
        level = ball(Fraction(min(eps, 4 / LEAST_DISCRETE)))
        rate = ((miss + (miss + (1 - miss) * level.exp()).sqrt()) / (1 - miss)).log()
        return max(float_above(1 / rate), LEAST_DISCRETE)


def gaussian_scale(eps: float, delta: float) -> float:
    r"""Return the smallest $\sigma$ of Gaussian noise for (eps, delta)-DP.

    It is that of the analytic Gaussian mechanism. `privacy.gaussian_sigma` at l2
    sensitivity $\sqrt2$: certainly enough, too large by at most 1e-13 of itself. Raises
    ValueError or TypeError for eps outside [1e-300, 1e300] or delta outside [1e-300,
    1).
    """
    return gaussian_noise(*_check_levels(eps, delta))


def _gaussian_masses(scale: float) -> tuple[Array, Array]:
    """Return the integers within reach and their masses under a discrete Gaussian."""
    reach = math.ceil(REACH * scale) + 1
    values = np.arange(-reach, reach + 1, dtype=np.float64)
    masses = np.exp(-((values / scale) ** 2) / 2)
    return values, masses / masses.sum()


def discrete_gaussian_delta(eps: float, scale: float) -> float:
    r"""Return the exact delta of discrete Gaussian noise on the counts.

    The noise has $P[X=x]\propto e^{-x^2/2\sigma^2}$. The two losses add up to
    $(1+W)/\sigma^2$ with W the difference of two such noises, and
    $P[W=w]\propto e^{-w^2/4\sigma^2}\sum_xe^{-(x+w/2)^2/\sigma^2}$, whose sum depends
    on the parity of w only. Cost grows like $\sigma$. Errs by rounding only (1e-14 for
    eps up to 50).
    """
    reach = math.ceil(FAR * scale) + 2
    steps = np.arange(-reach, reach + 1, dtype=np.float64)
    weights = np.exp(-((steps / (2 * scale)) ** 2))
    if scale < SMOOTH:
        even = float(np.exp(-((steps / scale) ** 2)).sum())
        odd = float(np.exp(-(((steps + 0.5) / scale) ** 2)).sum())
        weights *= np.where(steps % 2 == 1, odd, even)
    rest = -np.expm1(np.minimum(eps - (1 + steps) / scale**2, 0.0))
    return float(weights @ rest / weights.sum())


def discrete_gaussian_scale(eps: float, delta: float) -> float:
    """Return the scale at which the delta of a discrete Gaussian falls to `delta`.

    Searched between 1/4 and 3/2 of the analytic one. Errs above, by 2e-10 (relatively).
    Raises ValueError or TypeError for eps outside [1e-300, 1e6], delta outside [1e-300,
    1), or where the analytic scale is above 2^15 (the cost grows like the scale).
    """
    eps, delta = _check_levels(eps, delta)
    check_interval("eps", eps, LEAST, 1e6)
    near = gaussian_scale(eps, delta)
    if near > LARGEST["discrete-gaussian"] / 2:
        raise ValueError(
            "eps and delta must need Gaussian noise of scale 32768 at most, got "
            f"{echo('eps', eps)} and "
            f"{echo('delta', delta)}: use gaussian_scale, from which the discrete one "
            "cannot be told there"
        )
    low = 0.25 * near
    high = 1.5 * near + 0.5

    def log_ratio(scale: float) -> float:
        exact = max(discrete_gaussian_delta(eps, scale), math.ulp(0.0))
        return math.log(exact) - math.log(delta)

    root = brentq(log_ratio, low, high, xtol=1e-12 * low, rtol=SCALE_ERROR)
    return float(root) * (1 + 2 * SCALE_ERROR)


def _check_scale(noise: str, scale: object, records: int) -> float:
    """Return a scale that the noise, and floats beside so many records, hold.

    The number of records is public.
    """
    number = check_eps("scale", scale)
    least = LEAST_DISCRETE if noise.startswith("discrete") else records * PART
    if not least <= number <= LARGEST[noise]:
        advice = {
            "discrete-gaussian": ": use gaussian beyond",
            "discrete-laplace": ": use laplace beyond",
        }
        raise ValueError(
            f"scale must lie in [{least:.4g}, {LARGEST[noise]:.0f}] for {noise} "
            f"noise, got {echo('scale', scale)}"
            f"{advice.get(noise, '') if number > least else ''}"
        )
    return number


def _draw(noise: str, scale: float, size: int, rng: np.random.Generator) -> Array:
    if noise == "laplace":
        return rng.laplace(0.0, scale, size)
    if noise == "gaussian":
        return rng.normal(0.0, scale, size)
    if noise == "discrete-laplace":  # the difference of two geometric variables
        stop = -math.expm1(-1 / scale)
        difference = rng.geometric(stop, size) - rng.geometric(stop, size)
        return difference.astype(np.float64)
    values, masses = _gaussian_masses(scale)
    totals = np.cumsum(masses)
    uniform = rng.random(size) * totals[-1]
    return np.asarray(values[np.searchsorted(totals, uniform, side="right")])


def noisy_histogram(
    counts: Sequence[int] | Counts,
    noise: Noise,
    scale: float,
    rng: np.random.Generator,
    *,
    repair: NoiseRepair = "centre",
) -> Array:
    r"""Return (counts + noise)/n as masses of the symbols, shape (|Sigma|,).

    `repair`: "none" leaves them; "centre" subtracts the mean of the noise, so they sum
    to 1 and may be negative; "clip" puts negative ones to 0 and divides by the sum
    (1/|Sigma| each where nothing is left). Each is post-processing, as n is public.
    Idealised numerics. Scales: from n 2^-43 to 2^46 for laplace and gaussian (floats
    keep ten bits of noise beside n), from 1e-3 to 2^32 for discrete-laplace and to 2^16
    for discrete-gaussian. Raises TypeError or ValueError for what are no counts, more
    than 2^53 records, other scales, an unknown noise or repair, no rng.
    """
    table = check_counts("counts", counts)
    if int(table.sum()) > MOST_RECORDS:
        raise ValueError(
            "counts must hold at most 2^53 records in all, got "
            f"{echo('counts', counts, whole=True)}"
        )
    noise_name = _check_choice("noise", noise, NOISES)
    mend = _check_choice("repair", repair, REPAIRS)
    records = int(table.sum())
    scale = _check_scale(noise_name, scale, records)
    rng = check_rng("rng", rng)
    noisy = table + _draw(noise_name, scale, table.size, rng)
    return _repaired(noisy, records, mend)


def _repaired(noisy: Array, n: int, repair: str) -> Array:
    if repair == "centre":
        noisy = noisy - (noisy.sum() - n) / noisy.size
    if repair == "clip":
        clipped = np.maximum(noisy, 0.0)
        total = float(clipped.sum())
        if total > 0:
            return np.asarray(clipped / total)
        return np.full(noisy.size, 1 / noisy.size)
    return np.asarray(noisy / n)


def opendp_zcdp(eps: float, delta: float) -> float:
    r"""Return the zCDP level $\rho$ that OpenDP's conversion turns into (eps, delta).

    Up to 1e-9 (relatively, below). OpenDP follows Canonne, Kamath and Steinke (2020),
    Corollary 13. Raises as `opendp_scale`.
    """
    return 1 / opendp_scale(eps, delta, "discrete-gaussian") ** 2


def opendp_scale(eps: float, delta: float, noise: Noise = "discrete-gaussian") -> float:
    r"""Return the smallest scale that OpenDP's own map certifies for (eps, delta)-DP.

    The noise on the counts is of integers. Discrete Gaussian: $\rho=1/\sigma^2$ for l2
    sensitivity $\sqrt2$, converted by `make_zCDP_to_approxDP`; discrete Laplace: pure
    DP, delta is not used. Errs above, by 1e-9 (relatively). Raises ValueError or
    TypeError for eps outside [2^-50, 2^20], delta outside [1e-300, 1), a scale above
    2^57, or continuous noise.
    """
    eps, delta = _check_levels(eps, delta)
    eps = check_interval("eps", eps, LEAST_OPENDP, MOST_OPENDP)
    chosen = _check_choice("noise", noise, ("discrete-laplace", "discrete-gaussian"))

    def fits(scale: float) -> bool:
        if scale > LARGEST_SCALE:
            raise ValueError(
                "eps must be larger at that delta: OpenDP's integers hold scales to "
                f"2^57, got {eps!r}"
            )
        if chosen == "discrete-laplace":
            level = asked("eps", lambda: measurement(chosen, scale).map(2.0))
            return bool(level <= eps)
        return zcdp_delta(scale, eps, SQRT_TWO) <= delta

    return smallest_scale(fits)
