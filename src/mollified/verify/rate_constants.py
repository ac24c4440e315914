r"""Checks of the corrected rates with their constants: upper bounds, and that no private choice has a better order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, ctx
from scipy.stats import kstwo

from mollified._validate import Array, check_count, check_each, check_eps, check_fraction, check_interval, check_trials
from mollified.adversary import search_worst
from mollified.ball_mbde import ball
from mollified.checks import Check, Tally
from mollified.histogram_rates import Route, distance_bound, maximal_noise, rate_bound, rate_choice
from mollified.verify.bootstrap_rates import NODE_SHARE

__all__ = [
    "empirical_upper",
    "least_order",
    "minimax_lower",
    "swept_upper",
    "unsmoothed_is_faster",
    "upper_rate",
    "worst_order",
    "worst_upper",
]

BITS = 256
ONE = Fraction(1)


def _upper(route: str, n: Any, side: Any, k: Any, m: Any, dimension: int, eps: Any, slope: Any) -> Any:
    """Return the explicit upper bound on the expected distance; arrays or balls."""
    if route in ("theorem", "exact"):
        return distance_bound(n, side, k, m, dimension, slope)
    size = side**dimension
    still = maximal_noise(size, n) + slope * dimension * math.sqrt(dimension) / side**2
    if isinstance(n, arb):
        still = maximal_noise(size, n) + slope * dimension * arb(dimension).sqrt() / side**2
    if route == "laplace":
        # sqrt(2 s log(2s)) = 2 s sqrt(log(2s)/(2s))
        return 8 * size / (eps * n) * maximal_noise(size, size) + still
    return maximal_noise(size, m) + k * size / (n + k * size) + still


def upper_rate(rng: np.random.Generator, instances: int, *, route: Route, shift: Fraction = Fraction(0)) -> Check:
    r"""Check $\operatorname E\rho\le C\sqrt{\log n}\,n^{-a}$ through the explicit bound, and privacy. Certified.

    Random d up to 8, n from 2 up to $2^{400}$, eps, delta, L; whole-number choices. `shift` is added to a. For
    "theorem" (1) and (2) are decided at $\gamma=\sqrt{2l/m}$, for "smoothed" $m\log\frac{k+1}k\le\varepsilon$; "exact"
    rests on Theorem 2*.
    """
    rng, instances = check_trials(rng, instances)
    shift = check_fraction("shift", shift)
    _route(route)
    tally = Tally("certified")
    tried = 0
    while tried < instances:
        d, power, drop = (int(rng.integers(low, high)) for low, high in ((1, 9), (1, 14), (0, 30)))
        n = max(2, int(rng.integers(2, 2**31)) ** power >> drop)
        eps, delta, slope = (Fraction(round(1e6 * float(np.exp(rng.uniform(*span)))), 10**6) for span in SPANS)
        try:
            chosen = rate_choice(route, n, d, eps, delta)
        except ValueError:
            continue  # n is too small for this route
        tried += 1
        with ctx.workprec(BITS + 4 * n.bit_length()):
            level, risk, lip = ball(eps), ball(delta), ball(slope)
            count, side, k, m = (arb(value) for value in (n, chosen.side, chosen.k, chosen.m))
            bound = _upper(route, count, side, k, m, d, level, lip)
            rate = rate_bound(route, arb(n), d, level, risk, lip) * arb(n) ** ball(-shift)
            private = True
            if route in ("theorem", "smoothed"):
                loss = (1 + 1 / k).log()
                ell = (2 / risk).log()
                used = m / (n + k * chosen.side**d) + 2 * (2 * ell * chosen.m).sqrt()
                private = bool((used if route == "theorem" else m) * loss <= level)
            slack = (rate / bound).log()
            tally.add(float(slack.mid()), decided=bool(slack >= 0) and private, d=d, n=n, eps=eps, delta=delta, L=slope)
    return tally.check()


#: Ranges of log eps, log delta and log L of the random instances.
SPANS = ((-4.0, 2.0), (-9.0, -0.1), (-3.0, 3.0))


def _float_upper(route: str, d: int, n: Array, eps: Array, delta: Array, slope: Array) -> Array:
    """Return log(rate / bound), shape (N,); inf where n is too small for the route."""
    power = {"theorem": 1 / (d + 2), "exact": 2 / (d + 4), "laplace": 2 / (d + 4), "smoothed": 1 / (d + 6)}[route]
    side = np.ceil(n**power * (1 - 1e-14))
    size = side**d
    ell = np.log(2 / delta)
    if route == "theorem":
        k, m = np.maximum(2, np.ceil((1 + 2 * np.sqrt(2 * ell * n)) / eps)), n
        fits = n > 2 * ell
    elif route == "smoothed":
        k = np.ceil(n ** (4 / (d + 6)) * (1 - 1e-14))
        m = np.floor(eps * k)
        fits = m >= 1
    else:
        low = np.log(1 / delta)
        gap = eps / (np.sqrt(low + eps) + np.sqrt(low))
        k = np.maximum(np.ceil(n / size), np.ceil(np.sqrt(low + eps) / gap))
        m = np.floor(math.exp(-1 / 12) * gap**2 * (n + k * size) * np.sqrt(k * (k + 1)))
        fits = (m >= 2) & (size >= 3) if route == "exact" else np.ones(n.shape, dtype=bool)
    bound = _upper(route, n, side, k, np.maximum(m, 1), d, eps, slope)
    rate = rate_bound(route, n, d, eps, delta, slope)  # type: ignore[arg-type]
    return np.where(fits, np.log(rate / bound), np.inf)


def _route(name: object) -> None:
    if name not in ("theorem", "exact", "laplace", "smoothed"):
        raise ValueError(f"route must be theorem, exact, laplace or smoothed, got {name!r}")


def swept_upper(rng: np.random.Generator, instances: int, *, route: Route, claimed: float = 1.0) -> Check:
    r"""Check the rate with its constant on many random instances at once, in floats; `claimed` is that share of C.

    d up to 8, n log-uniform up to 1e15. Tolerance 1e-9 in the logarithm: the formulas err by a few ulps.
    """
    rng, instances = check_trials(rng, instances)
    _route(route)
    claimed = check_interval("claimed", claimed, 0, 1, open_low=True)
    tally = Tally("float", tolerance=1e-9)
    for d in range(1, 9):
        n = np.floor(np.exp(rng.uniform(math.log(2), math.log(1e15), -(-instances // 8))))
        eps, delta, slope = (np.exp(rng.uniform(*span, n.size)) for span in SPANS)
        margin = _float_upper(route, d, n, eps, delta, slope) + math.log(claimed)
        for value, index in zip(margin[np.isfinite(margin)], np.flatnonzero(np.isfinite(margin)), strict=True):
            if value < -1e-9:
                tally.add(float(value), d=d, n=n[index], eps=eps[index], delta=delta[index], L=slope[index])
            else:
                tally.add(float(value))
    return tally.check()


def worst_upper(rng: np.random.Generator, instances: int, *, route: Route, claimed: float = 1.0) -> Check:
    r"""Search for the n, eps, delta, L where the rate is closest to the explicit bound, d = 1 to 8. Float."""
    rng, instances = check_trials(rng, instances)
    _route(route)
    claimed = check_interval("claimed", claimed, 0, 1, open_low=True)
    tally = Tally("float", tolerance=1e-9)
    for d in range(1, 9):

        def margin(z: Array, d: int = d) -> Array:
            u = 1 / (1 + np.exp(-np.clip(z, -30, 30)))
            n = np.floor(np.exp(math.log(2) + u[:, 0] * math.log(1e15)))
            eps, delta, slope = (np.exp(lo + (hi - lo) * u[:, i + 1]) for i, (lo, hi) in enumerate(SPANS))
            return _float_upper(route, d, n, eps, delta, slope)

        found = search_worst(margin, 4, rng, starts=20 * instances, refine=5, evaluations=120)
        tally.add(found.margin + math.log(claimed), d=d, point=[float(x) for x in found.point])
    return tally.check()


def _order_margin(constraint: str, d: int, z: Array) -> Array:
    r"""Return log of the lower bound over $cn^{-a}$; vectors stand for n, q, k, m, eps, delta, made private."""
    u = 1 / (1 + np.exp(-np.clip(z, -30, 30)))
    n, side = np.exp(math.log(4) + 30 * u[:, 0]), np.ceil(np.exp(math.log(2) + (40 / d) * u[:, 1]))
    k, eps, delta = np.ceil(1 + np.exp(25 * u[:, 2])), np.exp(-4 + 6 * u[:, 4]), np.exp(-9 + 8.9 * u[:, 5])
    size, ell = side**d, np.log(2 / delta)
    share = float(NODE_SHARE)
    if constraint == "theorem":
        most = (eps * (k + 1)) ** 2 / (8 * ell)  # 2 sqrt(2 m l) < eps (k + 1), which (1) and (2) force
        scale = share * 4 * math.sqrt(2) / 3 * np.sqrt(ell) / eps
        least, power = (scale**2 * 8.0**-d) ** (1 / (d + 2)), 2 / (d + 2)
    elif constraint == "pure":
        most = eps * (k + 1)  # m log((k + 1)/k) <= eps
        least = np.minimum((share**4 * 16.0**-d / (1296 * eps**2)) ** (1 / (d + 6)), 1 / 18)
        power = 2 / (d + 6)
    else:
        room = 12 * (1 + np.exp(eps)) / (1 - delta)
        most = room * k * (n + k * size)
        least, power = (share**4 / room**2 * 8.0**-d) ** (1 / (d + 4)), 4 / (d + 4)
    m = np.maximum(1, most * u[:, 3])
    low = np.maximum(share * (1 + k * size / n) / np.sqrt(m), 1 / (8 * side**2))
    if constraint == "pure":
        weight = k * size / (n + k * size)
        low = np.maximum(share / np.sqrt(m), np.maximum(weight / 9, (1 - weight) / (8 * side**2)))
    return np.where(most >= 1, np.log(low) - np.log(least) + power * np.log(n), np.inf)


def least_order(rng: np.random.Generator, instances: int, *, constraint: str, claimed: float = 1.0) -> Check:
    r"""Check that private choices of q, k, m keep the lower bound on the distance above $cn^{-a}$. Float.

    For the density $\frac12+x_1$ it is $\max\{0.029(1+\frac{ks}n)/\sqrt m,\frac18q^{-2}\}$. "theorem": (1) and (2),
    $a=\frac2{d+2}$, $c=(a_0^28^{-d})^{1/(d+2)}$, $a_0=0.029\frac{4\sqrt2}3\sqrt l/\varepsilon$. "exact": any
    (eps, delta)-DP choice, $a=\frac4{d+4}$, $c=(0.029^4B^{-2}8^{-d})^{1/(d+4)}$, $B=12(1+e^\varepsilon)/(1-\delta)$.
    "pure": pure DP without the correction, lower bound $\max\{0.029/\sqrt m,\frac19\frac{ks}N,\frac18\frac nNq^{-2}\}$,
    $a=\frac2{d+6}$, $c=\min\{(0.029^416^{-d}/(1296\varepsilon^2))^{1/(d+6)},\frac1{18}\}$. `claimed` multiplies c.
    """
    rng, instances = check_trials(rng, instances)
    if constraint not in ("theorem", "exact", "pure"):
        raise ValueError(f"constraint must be theorem, exact or pure, got {constraint!r}")
    claimed = check_eps("claimed", claimed)
    tally = Tally("float", tolerance=1e-9)
    for d in range(1, 9):
        z = 3 * rng.standard_normal((-(-instances // 8), 6))
        for value in _order_margin(constraint, d, z) - math.log(claimed):
            if math.isfinite(value):
                tally.add(float(value), d=d)
    return tally.check()


def worst_order(rng: np.random.Generator, instances: int, *, constraint: str, claimed: float = 1.0) -> Check:
    """Search for private choices whose lower bound comes closest to that of `least_order`, d = 1 to 8. Float."""
    rng, instances = check_trials(rng, instances)
    if constraint not in ("theorem", "exact", "pure"):
        raise ValueError(f"constraint must be theorem, exact or pure, got {constraint!r}")
    claimed = check_eps("claimed", claimed)
    tally = Tally("float", tolerance=1e-9)
    for d in range(1, 9):

        def margin(z: Array, d: int = d) -> Array:
            return _order_margin(constraint, d, z)

        found = search_worst(margin, 6, rng, starts=20 * instances, refine=5, evaluations=150)
        tally.add(found.margin - math.log(claimed), d=d, point=[float(x) for x in found.point])
    return tally.check()


def minimax_lower(*, constant: Fraction = Fraction(1, 10)) -> Check:
    r"""Check that no estimator has a worst-case expected distance below $\frac1{10\sqrt n}$ on $[0,1]$. Exact (Le Cam).

    Two densities $1\pm h$ on the halves, $h=\frac1{2\sqrt n}$: their cdfs are h apart, so the worse of the two errors
    is at least $\frac h2(1-TV)$; the number of records in the left half is sufficient, so TV is that of two binomials.
    n = 1, 4, 16, .., 1024; for all n by Pinsker's inequality.
    """
    constant = check_fraction("constant", constant, above=0)
    tally = Tally("exact", keep="first")
    for root in (1, 2, 4, 8, 16, 32):
        n, step = root * root, Fraction(1, 2 * root)
        up, down, base = 2 * root + 1, 2 * root - 1, 4 * root
        total = sum(abs(up**c * down ** (n - c) - down**c * up ** (n - c)) * math.comb(n, c) for c in range(n + 1))
        error = step / 2 * (1 - Fraction(total, 2 * base**n))
        tally.add(float(error * root - constant), decided=error * root >= constant, n=n, h=step)
    return tally.check()


def unsmoothed_is_faster(
    *, dimensions: Sequence[int], eps: Fraction = Fraction(1, 2), delta: Fraction = Fraction(1, 100)
) -> Check:
    r"""Check that k = 0 and $m=\lfloor\delta n\rfloor$, which is (0, delta)-DP, beats $c'n^{-4/(d+4)}$. Certified.

    At $n=2^{40(d+4)}$, $q=n^{1/4}$, density 1/2 + x_1 (L = 1): the upper bound (*) at k = 0 against the lower bound for
    every private choice with $k\ge1$ (page bootstrap-rates, Theorem B). True for d > 4.
    """
    eps, delta = check_fraction("eps", eps, above=0), check_fraction("delta", delta, above=0)
    if delta >= 1:
        raise ValueError(f"delta must be < 1, got {delta!r}")
    tally = Tally("certified", keep="first")
    for d in check_each("dimensions", dimensions, lambda name, value: check_count(name, value)):
        n, side = 2 ** (40 * (d + 4)), 2 ** (10 * (d + 4))
        m = math.floor(delta * n)
        with ctx.workprec(BITS + 4 * n.bit_length()):
            size, room = arb(side**d), 12 * (1 + ball(eps).exp()) / ball(1 - delta)
            high = maximal_noise(size, arb(m)) + maximal_noise(size, arb(n)) + d * arb(d).sqrt() / arb(side) ** 2
            power = ball(Fraction(1, d + 4))
            low = (ball(NODE_SHARE) ** 4 / room**2 / arb(8) ** d / arb(n) ** 4) ** power
            slack = (low / high).log()
        private = Fraction(m, n) <= delta  # 1 - (1 - 1/n)^m <= m/n: that the record is drawn
        tally.add(float(slack.mid()), decided=private and bool(slack > 0), d=d, n=f"2^{40 * (d + 4)}", m="delta n")
    return tally.check()


def empirical_upper(*, constant: float = math.sqrt(math.pi / 2), most: int = 400) -> Check:
    r"""Check $\operatorname E\sup|F_n-F|\le\sqrt{\pi/2}\,n^{-1/2}$ (d = 1) with the exact law of the statistic. Float.

    From the Dvoretzky-Kiefer-Wolfowitz inequality by integration. Tolerance 1e-4 for the numerical integral.
    """
    constant, most = check_eps("constant", constant), check_count("most", most)
    tally = Tally("float", tolerance=1e-4)
    t = np.linspace(0.0, 1.0, 801)
    for n in (1, 2, 5, 10, 100, most):
        grid = t * min(1.0, 6 / math.sqrt(n))
        mean = float(np.trapezoid(kstwo.sf(grid, n), grid))
        tally.add(constant - mean * math.sqrt(n), n=n, mean=mean)
    return tally.check()
