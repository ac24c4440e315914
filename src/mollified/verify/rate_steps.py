r"""Checks of the steps of appendix F: exact expectations for small data, and the Vapnik-Chervonenkis bound."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
from flint import arb, ctx

from mollified._validate import check_count, check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.binned_density import node_values, sloped_cdf, sloped_distance, sloped_masses
from mollified.bootstrap_mechanism import smoothed_law
from mollified.checks import Check, Tally
from mollified.histogram_rates import distance_bound, maximal_noise
from mollified.type_laws import compositions
from mollified.verify.binned_estimators import multinomial

__all__ = [
    "bias_of_bins",
    "correction_maps",
    "exact_expectations",
    "jensen",
    "maximal_inequality",
    "objective",
    "scaled_error",
    "three_terms",
    "triangle",
    "vc_bound",
]

ONE = Fraction(1)
BITS = 128
NAMES = (
    *("corrected", "given", "bootstrapped", "empirical", "binned"),
    *("node", "node_star", "node_empirical", "noise", "total"),
)


@lru_cache(maxsize=4096)
def exact_expectations(n: int, k: int, m: int, side: int, dimension: int, slope: Fraction) -> dict[str, Fraction]:
    r"""Return expected distances over n records of density $1-\frac a2+ax_1$ and m draws, by enumeration, exactly.

    "corrected" $\sup|\hat F^c-F|$, "given" $\sup|\hat F^c-\hat F|$, "bootstrapped" $\sup|\hat F^*-\tilde F|$,
    "empirical" $\sup|\hat F-F|$, "binned" $\sup|\hat F-\operatorname E\hat F|$; at the first interior node "node"
    $|\hat F^c-F|$, "node_star" $|\hat F^*-F|$, "node_empirical" $|\hat F-F|$, "noise" $(\hat F^c-\hat F)^2$; "total" 1.
    The number of data sets and releases grows fast. Raises TypeError or ValueError for n, k, m, side, dimension < 1.
    """
    cells = side**dimension
    law = sloped_masses(side, dimension, slope)
    masses = tuple(law.reshape(-1))
    shape, truth = (side,) * dimension, node_values(law)
    first = (1,) + (side,) * (dimension - 1)
    at_first = sloped_cdf(Fraction(1, side), slope)
    draws = []
    for drawn in compositions(m, cells):
        star = node_values(np.array([Fraction(c, m) for c in drawn], dtype=object).reshape(shape))
        draws.append((drawn, star))
    flat = node_values(np.full(shape, Fraction(1), dtype=object))
    stretch, shift = Fraction(n + k * cells, n), Fraction(k, n)
    out = dict.fromkeys(NAMES, Fraction(0))
    weights = [Fraction(0)] * len(draws)
    for counts in compositions(n, cells):
        chance = multinomial(counts, masses)
        hat = node_values(np.array([Fraction(c, n) for c in counts], dtype=object).reshape(shape))
        smooth = smoothed_law(counts, k) if cells > 1 else (ONE,)
        tilde = node_values(np.array(smooth, dtype=object).reshape(shape))
        out["empirical"] += chance * Fraction(sloped_distance(hat, slope))
        out["binned"] += chance * abs(hat - truth).max()
        out["node_empirical"] += chance * abs(hat[first] - at_first)
        for index, (drawn, star) in enumerate(draws):
            weight = chance * multinomial(drawn, smooth)
            weights[index] += weight
            out["bootstrapped"] += weight * abs(star - tilde).max()
            gap = stretch * star - shift * flat - hat
            out["given"] += weight * abs(gap).max()
            out["noise"] += weight * gap[first] ** 2
    for weight, (_, star) in zip(weights, draws, strict=True):
        corrected = stretch * star - shift * flat
        out["corrected"] += weight * Fraction(sloped_distance(corrected, slope))
        out["node"] += weight * abs(corrected[first] - at_first)
        out["node_star"] += weight * abs(star[first] - at_first)
        out["total"] += weight
    return out


def _case(rng: np.random.Generator) -> dict[str, int | Fraction]:
    d, side = ((1, 2), (1, 3), (2, 2), (1, 4))[int(rng.integers(4))]
    most = 3 if side**d == 4 else 4
    return {
        "n": int(rng.integers(1, most + 1)),
        "k": int(rng.integers(1, 7)),
        "m": int(rng.integers(1, most + 1)),
        "side": side,
        "dimension": d,
        "slope": Fraction(int(rng.integers(0, 5)), 2),
    }


def triangle(rng: np.random.Generator, instances: int, *, keep_second: bool = True) -> Check:
    r"""Check (66): the expected distance of $\hat F^c$ to F is at most that to $\hat F$ plus that of $\hat F$ to F.

    Exact, by `exact_expectations` on random small cases. `keep_second` off leaves out the last term.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        case = _case(rng)
        values = exact_expectations(**case)
        slack = values["given"] - values["corrected"] + (values["empirical"] if keep_second else 0)
        tally.add(float(slack), decided=slack >= 0, **case)
    return tally.check()


def scaled_error(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check (67), first step: $\operatorname E\sup|\hat F^c-\hat F|=\frac Nn\operatorname E\sup|\hat F^*-\tilde F|$.

    Exact. `claimed` multiplies the right side.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for _ in range(instances):
        case = _case(rng)
        values = exact_expectations(**case)
        total = case["n"] + case["k"] * case["side"] ** int(case["dimension"])
        gap = abs(values["given"] - claimed * Fraction(total, case["n"]) * values["bootstrapped"])
        tally.add(-float(gap), decided=gap == 0, **case)
    return tally.check()


def correction_maps(rng: np.random.Generator, instances: int, *, over_total: bool = False) -> Check:
    r"""Check that $\hat h=\frac Nn\tilde h-\frac kn$ for random counts. Exact. `over_total` subtracts k/N instead."""
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        counts = [int(c) for c in rng.integers(0, 30, int(rng.integers(2, 9)))]
        counts[0] += 1
        n, k = sum(counts), int(rng.integers(1, 30))
        total = n + k * len(counts)
        shift = Fraction(k, total if over_total else n)
        gap = max(
            abs(Fraction(c, n) - Fraction(total, n) * p + shift)
            for c, p in zip(counts, smoothed_law(counts, k), strict=True)
        )
        tally.add(-float(gap), decided=gap == 0, counts=counts, k=k)
    return tally.check()


def maximal_inequality(
    rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE, records: bool = False
) -> Check:
    r"""Check $\operatorname E\sup|\hat F^*-\tilde F|\le\sqrt{\log(2s)/(2m)}$, and (`records`) the same for n records.

    Certified: exact expectations of small cases against balls. It gives the order in (67) and the first term of (68).
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            case = _case(rng)
            values = exact_expectations(**case)
            value, count = (values["binned"], case["n"]) if records else (values["bootstrapped"], case["m"])
            size = arb(int(case["side"]) ** int(case["dimension"]))
            slack = ball(claimed) * maximal_noise(size, arb(int(count))) - ball(value)
            tally.add(float(slack.mid()), decided=bool(slack >= 0), **case)
    return tally.check()


def three_terms(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check (69) with its constants: $\operatorname E\rho(F,\hat F^c)$ is at most `distance_bound`. Certified."""
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            case = _case(rng)
            case["slope"] = max(Fraction(1, 2), Fraction(case["slope"]))
            value = exact_expectations(**case)["corrected"]
            n, k, m, side = (arb(int(case[name])) for name in ("n", "k", "m", "side"))
            bound = distance_bound(n, side, k, m, int(case["dimension"]), ball(Fraction(case["slope"])))
            slack = ball(claimed) * bound - ball(value)
            tally.add(float(slack.mid()), decided=bool(slack >= 0), expected=value, **case)
    return tally.check()


def bias_of_bins(*, power: int = 2, most: int = 12) -> Check:
    r"""Check $\sup|\operatorname E\hat F-F|\le Ld^{3/2}b^2$ for sloped densities, d <= 3, q <= `most`. Exact.

    The bias there is $\frac L8b^2$ exactly, so that the power of b is right; `power` 3 claims a faster decay.
    """
    power, most = check_count("power", power), check_count("most", most)
    tally = Tally("exact")
    for d in (1, 2, 3):
        for side in range(1, (most if d < 3 else 4) + 1):
            for slope in (Fraction(1, 2), Fraction(1), Fraction(2)):
                bias = Fraction(sloped_distance(node_values(sloped_masses(side, d, slope)), slope))
                bound = slope * d / Fraction(side) ** power  # d <= d^(3/2): below the claimed bound
                attained = bias == slope / (8 * side**2)
                tally.add(float(bound - bias), decided=bias <= bound and attained, d=d, side=side, L=slope, bias=bias)
    return tally.check()


def jensen(rng: np.random.Generator, instances: int, *, corrected: bool = True) -> Check:
    r"""Check $\operatorname E|\hat F^c(x)-F(x)|\ge\operatorname E|\hat F(x)-F(x)|$ at a node. Exact.

    As $\hat F^c$ is unbiased given the data; `corrected` off puts the biased $\hat F^*$ in its place.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        case = _case(rng)
        values = exact_expectations(**case)
        slack = values["node" if corrected else "node_star"] - values["node_empirical"]
        tally.add(float(slack), decided=slack >= 0, **case)
    return tally.check()


def objective(rng: np.random.Generator, instances: int, *, drop_release: bool = False) -> Check:
    r"""Check that $\operatorname E\rho(F,\hat F^c)$ is a well-defined number. Exact.

    The probabilities of all data sets and releases add up to 1, and the expectation lies between the error of the
    empirical distribution at a node and $1+ks/n$. With `drop_release` the release with most draws in the first cell is
    not counted.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        case = _case(rng)
        values = exact_expectations(**case)
        n, k, m, cells = *(int(case[name]) for name in ("n", "k", "m")), int(case["side"]) ** int(case["dimension"])
        total = values["total"] - (Fraction(k, n + k * cells) ** m if drop_release else 0)
        low, high = values["node_empirical"], 1 + Fraction(k * cells, n)
        fits = total == 1 and low <= values["corrected"] <= high
        tally.add(float(total - 1), decided=fits, expected=values["corrected"], **case)
    return tally.check()


def vc_bound(*, form: str, most: int = 1500) -> Check:
    r"""Check $P[\sup_x|\hat F^*-\tilde F|>t]\le8m^de^{-mt^2/32}$ for s = 2, d = 1, or ("printed") the same with a sum.

    Certified: the sup is the error of one binomial frequency, its tails are exact. m = 257, 1001, `most`, the first
    cell's probability 1/2 or 1/8, t from 1/8 to 1. The printed sum over all x is at least that over $4m+1$ points of
    $[\frac14,\frac12]$, each at least $\frac1{4m}$ if m is odd and both cells have probability 1/2: more than 1.
    "doubled" claims $8m^de^{-4mt^2}$, too small.
    """
    if form not in ("printed", "corrected", "doubled"):
        raise ValueError(f"form must be printed, corrected or doubled, got {form!r}")
    most = check_count("most", most, minimum=1001)
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for m in dict.fromkeys((1001, 257, most)):
            for eighth in (4, 1):
                p = Fraction(eighth, 8)
                for t in (ONE, Fraction(1, 2), Fraction(1, 8), Fraction(1, 20)):
                    if form == "printed" and (m % 2 == 0 or eighth != 4):
                        continue
                    rate = 4 if form == "doubled" else Fraction(1, 32)
                    bound = 8 * m * (-ball(rate * m * t * t)).exp()
                    if form == "printed":
                        chance = ONE  # the sum exceeds (4m + 1)/(4m) > 1 >= t for every outcome
                    else:
                        inside = sum(
                            math.comb(m, c) * eighth**c * (8 - eighth) ** (m - c)
                            for c in range(math.ceil(m * (p - t)), math.floor(m * (p + t)) + 1)
                            if 0 <= c <= m
                        )
                        chance = 1 - Fraction(inside, 8**m)
                    slack = bound - ball(chance)
                    tally.add(float(slack.mid()), decided=bool(slack >= 0), m=m, t=t, p=p, probability=float(chance))
    return tally.check()
