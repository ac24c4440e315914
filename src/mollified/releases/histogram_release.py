r"""Release a histogram with noise on its counts: Laplace, discrete Laplace, Gaussian, discrete Gaussian.

Neighbours replace one record, n is public: two counts change by one, l1 sensitivity 2, l2 sensitivity $\sqrt2$. As n is
public, the noise may be centred, i.e. its mean subtracted, so that the released masses sum to 1 (post-processing).
Idealised numerics: noise is drawn in floats from a pseudo-random generator, for experiments and not to publish; see
`opendp_release` for a kept library. The perturbed histogram, as usually described, is `laplace` with `clip`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from scipy.optimize import brentq

from mollified._validate import Array, Counts, check_counts, check_eps, check_interval, check_rng, echo
from mollified.privacy.gaussian_mechanism import gaussian_noise
from mollified.privacy.smallest import smallest_scale

__all__ = [
    "discrete_gaussian_delta", "discrete_gaussian_scale", "discrete_laplace_delta", "discrete_laplace_scale",
    "gaussian_scale", "laplace_scale", "noisy_histogram", "opendp_scale", "opendp_zcdp",
]  # fmt: skip

Noise = Literal["laplace", "discrete-laplace", "gaussian", "discrete-gaussian"]
Repair = Literal["none", "centre", "clip"]
NOISES = ("laplace", "discrete-laplace", "gaussian", "discrete-gaussian")
REPAIRS = ("none", "centre", "clip")
#: Noise of a discrete Gaussian farther out than this many scales has a probability below 1e-38.
REACH = 13.0


def _check_choice(name: str, value: object, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, got {echo(name, value)}")
    return str(value)


def _check_delta(delta: object) -> float:
    return check_interval("delta", delta, 0, 1, open_low=True, open_high=True)


def laplace_scale(eps: float) -> float:
    r"""Return $2/\varepsilon$, the scale of (discrete) Laplace noise for pure eps-DP; ValueError for eps <= 0."""
    return 2 / check_eps("eps", eps)


def discrete_laplace_delta(eps: float, scale: float) -> float:
    r"""Return the exact delta of discrete Laplace noise, $P[X=x]\propto q^{|x|}$, $q=e^{-1/b}$, on the counts.

    $\delta=\bigl(1-e^{\varepsilon-2/b}\bigr)_+/(1+q)^2$: the loss is 2/b if neither changed count was moved towards the
    other data set, and at most 0 otherwise.
    """
    return max(0.0, -math.expm1(eps - 2 / scale)) / (1 + math.exp(-1 / scale)) ** 2


def discrete_laplace_scale(eps: float, delta: float) -> float:
    """Return the smallest scale of discrete Laplace noise for (eps, delta)-DP; errs above, by 2e-10 (relatively).

    Raises ValueError for eps <= 0 or delta outside (0, 1).
    """
    eps, delta = check_eps("eps", eps), _check_delta(delta)
    top, low = laplace_scale(eps), 1e-3
    if discrete_laplace_delta(eps, low) <= delta:
        return low
    root = brentq(lambda scale: discrete_laplace_delta(eps, scale) - delta, low, top, rtol=1e-10)
    return float(root) * (1 + 2e-10)


def gaussian_scale(eps: float, delta: float) -> float:
    r"""Return the smallest $\sigma$ of Gaussian noise for (eps, delta)-DP: the analytic Gaussian mechanism.

    By dp-accounting, l2 sensitivity $\sqrt2$; errs above, by 1e-7 (relatively). Raises ValueError for eps <= 0 or delta
    outside (0, 1).
    """
    return gaussian_noise(check_eps("eps", eps), _check_delta(delta))


def _gaussian_masses(scale: float) -> tuple[Array, Array]:
    """Return the integers within reach and their masses under the discrete Gaussian of that scale."""
    reach = math.ceil(REACH * scale) + 1
    values = np.arange(-reach, reach + 1, dtype=np.float64)
    masses = np.exp(-((values / scale) ** 2) / 2)
    return values, masses / masses.sum()


def discrete_gaussian_delta(eps: float, scale: float) -> float:
    r"""Return the exact delta of discrete Gaussian noise, $P[X=x]\propto e^{-x^2/2\sigma^2}$, on the counts.

    The two losses add up to $(1+W)/\sigma^2$ with W the difference of two such noises. Cost grows like $\sigma^2$. Errs
    by rounding only (1e-14).
    """
    values, masses = _gaussian_masses(scale)
    difference = np.convolve(masses, masses[::-1])
    step = np.arange(len(difference)) - (len(values) - 1)
    rest = -np.expm1(np.minimum(eps - (1 + step) / scale**2, 0.0))
    return float(difference @ rest)


def discrete_gaussian_scale(eps: float, delta: float) -> float:
    """Return the scale of discrete Gaussian noise at which its exact delta falls to the target.

    Searched between 1/4 and 3/2 of the analytic one. Errs above, by 2e-10 (relatively). Raises ValueError for eps <= 0
    or delta outside (0, 1).
    """
    eps, delta = check_eps("eps", eps), _check_delta(delta)
    near = gaussian_scale(eps, delta)
    low, high = 0.25 * near, 1.5 * near + 0.5
    root = brentq(lambda scale: discrete_gaussian_delta(eps, scale) - delta, low, high, rtol=1e-10)
    return float(root) * (1 + 2e-10)


def _draw(noise: str, scale: float, size: int, rng: np.random.Generator) -> Array:
    if noise == "laplace":
        return rng.laplace(0.0, scale, size)
    if noise == "gaussian":
        return rng.normal(0.0, scale, size)
    if noise == "discrete-laplace":  # the difference of two geometric variables
        stop = -math.expm1(-1 / scale)
        return (rng.geometric(stop, size) - rng.geometric(stop, size)).astype(np.float64)
    values, masses = _gaussian_masses(scale)
    total = np.cumsum(masses)
    return np.asarray(values[np.searchsorted(total, rng.random(size) * total[-1], side="right")])


def noisy_histogram(
    counts: Sequence[int] | Counts, noise: Noise, scale: float, rng: np.random.Generator, *, repair: Repair = "centre"
) -> Array:
    r"""Return (counts + noise)/n as masses of the symbols, shape (|Sigma|,).

    `repair`: "none" leaves them; "centre" subtracts the mean of the noise, so they sum to 1 and may be negative; "clip"
    puts negative ones to 0 and divides by the sum (1/|Sigma| each where nothing is left). Each is post-processing, as
    n is public. Idealised numerics. Raises TypeError or ValueError for what are no counts, scale <= 0, an unknown noise
    or repair, no rng.
    """
    table = check_counts("counts", counts)
    noise_name, mend = _check_choice("noise", noise, NOISES), _check_choice("repair", repair, REPAIRS)
    scale, rng = check_eps("scale", scale), check_rng("rng", rng)
    drawn = _draw(noise_name, scale, table.size, rng)
    return _repaired(table + drawn, int(table.sum()), mend)


def _repaired(noisy: Array, n: int, repair: str) -> Array:
    if repair == "centre":
        noisy = noisy - (noisy.sum() - n) / noisy.size
    if repair == "clip":
        kept = np.maximum(noisy, 0.0)
        total = float(kept.sum())
        return np.asarray(kept / total) if total > 0 else np.full(noisy.size, 1 / noisy.size)
    return np.asarray(noisy / n)


def _opendp(noise: str, scale: float) -> tuple[Any, Any]:
    """Return the measurement of OpenDP on vectors of integers, and its module."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    domain = dp.vector_domain(dp.atom_domain(T="i64"))
    if noise == "discrete-gaussian":
        return dp.m.make_gaussian(domain, dp.l2_distance(T="f64"), scale), dp
    return dp.m.make_laplace(domain, dp.l1_distance(T="f64"), scale), dp


def opendp_zcdp(eps: float, delta: float) -> float:
    r"""Return the zCDP level $\rho$ that OpenDP's conversion turns into (eps, delta), up to 1e-9 (relatively, below).

    OpenDP follows Canonne, Kamath and Steinke (2020), Corollary 13. Raises ValueError for eps <= 0, delta outside (0,
    1).
    """
    return 1 / opendp_scale(eps, delta, "discrete-gaussian") ** 2


def opendp_scale(eps: float, delta: float, noise: Noise = "discrete-gaussian") -> float:
    r"""Return the smallest scale at which OpenDP's own map certifies (eps, delta)-DP for integer noise on the counts.

    Discrete Gaussian: $\rho=1/\sigma^2$ for l2 sensitivity $\sqrt2$, converted by `make_zCDP_to_approxDP`; discrete
    Laplace: pure DP, delta is not used. Errs above, by 1e-9 (relatively). Raises ValueError for eps <= 0, delta outside
    (0, 1), or continuous noise.
    """
    eps, delta = check_eps("eps", eps), _check_delta(delta)
    chosen = _check_choice("noise", noise, ("discrete-laplace", "discrete-gaussian"))

    def fits(scale: float) -> bool:
        measurement, dp = _opendp(chosen, scale)
        if chosen == "discrete-laplace":
            return bool(measurement.map(2.0) <= eps)
        return bool(dp.c.make_zCDP_to_approxDP(measurement).map(math.sqrt(2)).delta(eps) <= delta)

    return smallest_scale(fits)
