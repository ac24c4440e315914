r"""Checks of what section 4 of the bootstrapping paper says about typical outputs on two symbols and their loss.

D has one 1 and n - 1 zeros, D' is all zeros, k records of each symbol are added: $N_1\sim\operatorname{Bin}(m,p)$ ones,
$p=\frac{k+1}{n+2k}$, and the loss is $N_1\log\frac{k+1}k+N_0\log\frac{n+k-1}{n+k}$.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from flint import ctx
from scipy.special import bdtr, bdtrc

from mollified._validate import Array, check_count, check_fraction, check_trials
from mollified.adversary import search_worst
from mollified.ball_mbde import ball
from mollified.checks import Check, Tally
from mollified.type_laws import compositions, type_law

__all__ = [
    "all_ones_rare",
    "binomial_climb",
    "binomial_sweep",
    "concentration",
    "mean_loss",
    "mean_loss_small",
    "same_distribution",
    "typical_cover",
]

ONE, TWO = Fraction(1), Fraction(2)
FEW_BITS = 192
#: What rounding may take from a probability: bdtr of SciPy errs by about 1e-14.
ROUNDING = 1e-12


def _exponent(value: object) -> Fraction:
    return check_fraction("exponent", value, above=0)


def all_ones_rare(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that the all-ones output has probability at most eta at the least $m\ge\log\eta/\log\frac{k+1}{n+2k}$.

    The probability is that of the type (0, m) in the exact law of the counts, and must be $p^m$, which falls in m since
    p < 1: so it is at most eta from that m on. Random n >= 1, k >= 1 and eta. `claimed` is that share of m. Certified
    (m), exact (the probability). Source: section 4, last paragraph.
    """
    rng, instances = check_trials(rng, instances)
    share, tally = check_fraction("claimed", claimed, above=0), Tally("certified")
    with ctx.workprec(FEW_BITS):
        for _ in range(instances):
            n, k = int(rng.integers(1, 200)), int(rng.integers(1, 50))
            p, eta = Fraction(k + 1, n + 2 * k), Fraction(1, 10 ** int(rng.integers(3, 40)) + 7)
            least = (ball(share) * ball(eta).log() / ball(p).log()).ceil().unique_fmpz()
            if least is None:
                raise ArithmeticError(f"the integer above the threshold is not decided: {eta}, {p}")
            m = int(least)
            chance = type_law((n + k - 1, k + 1), m)[0, m]
            slack = ball(eta).log() - ball(chance).log()
            tally.add(float(slack.mid()), decided=chance == p**m and chance <= eta, n=n, k=k, eta=eta, m=m)
    return tally.check()


def _inside(p: Fraction, m: int, gamma: Fraction) -> Fraction:
    r"""Return $P[|N/m-p|\le\gamma]$ for $N\sim\operatorname{Bin}(m,p)$."""
    low, high = math.ceil(m * (p - gamma)), math.floor(m * (p + gamma))
    a, b = p.numerator, p.denominator
    ways = sum(math.comb(m, v) * a**v * (b - a) ** (m - v) for v in range(max(low, 0), min(high, m) + 1))
    return Fraction(ways, b**m)


def concentration(rng: np.random.Generator, instances: int, *, exponent: Fraction = TWO) -> Check:
    r"""Check $P[|N_1/m-p|\le\gamma]\ge1-2e^{-2m\gamma^2}$ on the exact binomial law: the numbers of ones concentrate.

    Rational sums against a ball; `exponent` in place of 2 claims more. The bound tends to 1 for each gamma: the law of
    large numbers with its rate (Hoeffding). Source: section 4, last paragraph.
    """
    rng, instances = check_trials(rng, instances)
    exponent, tally = _exponent(exponent), Tally("certified")
    with ctx.workprec(FEW_BITS):
        for _ in range(instances):
            n, k, m = int(rng.integers(1, 12)), int(rng.integers(1, 30)), int(rng.integers(1, 150))
            p = Fraction(k + 1, n + 2 * k)
            gamma = Fraction(int(rng.integers(1, 200)), 400)
            inside = _inside(p, m, gamma)
            slack = ball(inside) - 1 + 2 * (-ball(exponent * m * gamma * gamma)).exp()
            tally.add(float(slack.mid()), decided=bool(slack >= 0), n=n, k=k, m=m, gamma=gamma)
    return tally.check()


def mean_loss(*, most: int = 5, other: bool = False) -> Check:
    r"""Check that the printed typical loss is the mean loss: $\mathbb E N_1=\frac{k+1}{n+2k}m$ and the same for zeros.

    So it equals $m\operatorname{KL}(h^{\tilde D}\Vert h^{\tilde D'})$. Summed over all outputs, n, k, m = 1..most,
    exactly; `other` draws the output from D' instead. Source: section 4, last display.
    """
    most, tally = check_count("most", most), Tally("exact", keep="first")
    for n in range(1, most + 1):
        for k in range(1, most + 1):
            for m in range(1, most + 1):
                law = type_law((n + k, k) if other else (n + k - 1, k + 1), m)
                zeros, ones = (sum((p * kind[i] for kind, p in law.items()), Fraction(0)) for i in (0, 1))
                exact = ones == Fraction((k + 1) * m, n + 2 * k) and zeros == Fraction((n + k - 1) * m, n + 2 * k)
                gap = float(abs(ones - Fraction((k + 1) * m, n + 2 * k)))
                tally.add(-gap, decided=exact, n=n, k=k, m=m, mean_ones=ones)
    return tally.check()


def mean_loss_small(rng: np.random.Generator, instances: int, *, grow: bool = True) -> Check:
    r"""Check that the mean loss is at most eta for every $k\ge\sqrt{m/\eta}$, whatever n. Certified.

    By $\operatorname{KL}\le\chi^2=\frac1N(\frac1k+\frac1{n+k})\le\frac1{k^2}$. `grow` False leaves k = 1, for which it
    is false. Source: section 4, last paragraph ("m to be 1 and k to be a very large value").
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    with ctx.workprec(FEW_BITS):
        for _ in range(instances):
            n, m = int(rng.integers(1, 1000)), int(rng.integers(1, 1000))
            eta = Fraction(1, int(10 ** rng.uniform(0, 8)))
            k = math.isqrt(math.ceil(m / eta)) + 1 if grow else 1
            p = Fraction(k + 1, n + 2 * k)
            ones, zeros = ball(Fraction(k + 1, k)).log(), ball(Fraction(n + k - 1, n + k)).log()
            slack = ball(eta) - m * (ball(p) * ones + ball(1 - p) * zeros)
            tally.add(float(slack.mid()), decided=bool(slack >= 0), n=n, m=m, k=k, eta=eta)
    return tally.check()


def same_distribution(rng: np.random.Generator, instances: int, *, within: bool, size: int = 2) -> Check:
    r"""Check that the outputs with the empirical distribution of the data have probability 0.9 or more, m large. Exact.

    As printed (`within` False): random data and m up to 60, beyond the m that the corrected statement asks for at
    $\gamma=\frac14$ (`within` True): $P[\max_i|h^{D^*}_i-h^D_i|\le\gamma]\ge1-2|\Sigma|e^{-2m\gamma^2}\ge0.9$. Plain
    bootstrapping, the most favourable case; the first instance is D = (0, 1), m = 40. Source: section 4.
    """
    rng, instances = check_trials(rng, instances)
    size, tally = check_count("size", size, minimum=2), Tally("certified", keep="first")
    gamma = Fraction(1, 4)
    with ctx.workprec(FEW_BITS):
        for index in range(instances):
            counts = [int(c) for c in rng.integers(1, 6, size)]
            m = int(rng.integers(40, 61)) if size == 2 else int(rng.integers(40, 46))
            if index == 0:
                counts, m = [1] * size, 40 if size == 2 else 42
            n = sum(counts)
            h = [Fraction(c, n) for c in counts]
            radius = gamma if within else Fraction(0)
            if size == 2:
                found = _inside(h[1], m, radius)
            else:
                law = type_law(counts, m)
                near = [
                    kind
                    for kind in compositions(m, size)
                    if max(abs(Fraction(v, m) - x) for v, x in zip(kind, h, strict=True)) <= radius
                ]
                found = sum((law[kind] for kind in near), Fraction(0))
            bound = 1 - 2 * size * (-ball(2 * m * gamma * gamma)).exp() if within else ball(Fraction(9, 10))
            slack = ball(found) - bound.max(ball(Fraction(9, 10)))
            values = {"D": counts, "m": m, "probability": f"{float(found):.6g}"}
            tally.add(float(slack.mid()), decided=bool(slack >= 0), **values)
    return tally.check()


def typical_cover(rng: np.random.Generator, instances: int, *, smallest: bool = False) -> Check:
    r"""Check that a loss at most eta on the typical outputs is one with probability at least that of these. Exact.

    Typical: the fraction of ones within gamma of p; eta is the largest loss there. `smallest` puts the smallest loss
    there, for which it is false. Source: section 4, last paragraph.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    while tally.instances < instances:
        n, k, m = int(rng.integers(1, 10)), int(rng.integers(1, 8)), int(rng.integers(1, 20))
        p, gamma = Fraction(k + 1, n + 2 * k), Fraction(int(rng.integers(1, 100)), 200)
        one, two = type_law((n + k - 1, k + 1), m), type_law((n + k, k), m)
        typical = [kind for kind in one if abs(Fraction(kind[1], m) - p) <= gamma]
        if not typical:
            continue
        ratios = [one[kind] / two[kind] for kind in typical]
        level = min(ratios) if smallest else max(ratios)
        bounded = sum((p for kind, p in one.items() if p <= level * two[kind]), Fraction(0))
        slack = bounded - sum((one[kind] for kind in typical), Fraction(0))
        tally.add(float(slack), decided=slack >= 0, n=n, k=k, m=m, gamma=gamma)
    return tally.check()


def _outside(p: Array, m: Array, gamma: Array) -> Array:
    r"""Return $P[|N/m-p|>\gamma]$ for rows, in floats; a type within $10^{-9}$ of the edge counts as inside."""
    low, high = np.ceil(m * (p - gamma) - 1e-9), np.floor(m * (p + gamma) + 1e-9)
    whole = m.astype(np.int64)
    below = np.where(low > 0, bdtr(np.maximum(low - 1, 0), whole, p), 0.0)
    above = np.where(high < m, bdtrc(np.clip(high, 0, m - 1), whole, p), 0.0)
    return np.asarray(below + above)


def _result(margin: Array, p: Array, m: Array, gamma: Array, failed: int, tolerance: float) -> Check:
    worst = int(margin.argmin())
    values = {"p": repr(float(p[worst])), "m": str(int(m[worst])), "gamma": repr(float(gamma[worst]))}
    return Check(
        instances=len(margin),
        violations=failed,
        worst_slack=float(margin[worst]),
        arithmetic="float",
        tolerance=tolerance,
        counterexample=values if failed else None,
    )


def binomial_sweep(rng: np.random.Generator, instances: int, *, exponent: Fraction = TWO) -> Check:
    r"""Check $P[|N/m-p|>\gamma]\le2e^{-2m\gamma^2}$ for each cell, on random p, m up to 1e5 and gamma, in floats.

    With the union over the cells this is the corrected statement. `exponent` in place of 2 claims more. Tolerance
    1e-12.
    """
    rng, instances = check_trials(rng, instances)
    exponent = _exponent(exponent)
    p = np.where(rng.random(instances) < 0.5, rng.uniform(0.3, 0.7, instances), rng.uniform(0.001, 0.999, instances))
    m = np.floor(np.exp(rng.uniform(0.0, np.log(1e5), instances)))
    gamma = np.minimum(np.sqrt(rng.uniform(0.01, 8.0, instances) / m), 0.999)
    margin = 2 * np.exp(-float(exponent) * m * gamma**2) - _outside(p, m, gamma)
    return _result(margin, p, m, gamma, int((margin < -ROUNDING).sum()), ROUNDING)


def binomial_climb(rng: np.random.Generator, instances: int, *, exponent: Fraction = TWO, starts: int = 4000) -> Check:
    r"""Search for p, m, gamma that come closest to $2e^{-2m\gamma^2}$, relative to it; where it is 1e-9 or more.

    `instances` is the number of starts refined by Nelder-Mead. Floats, tolerance 1e-6 relatively.
    """
    rng, instances = check_trials(rng, instances)
    exponent, starts = _exponent(exponent), check_count("starts", starts)

    def decode(z: Array) -> tuple[Array, Array, Array]:
        m = np.floor(np.exp(9 / (1 + np.exp(-z[:, 1])))) + 1
        p = 1 / (1 + np.exp(-np.clip(z[:, 0], -9, 9)))
        return p, m, np.minimum(np.sqrt(10 / (1 + np.exp(-z[:, 2])) / m), 0.999)

    def margin(z: Array) -> Array:
        p, m, gamma = decode(z)
        bound = 2 * np.exp(-float(exponent) * m * gamma**2)
        return np.where(bound > 1e-9, 1 - _outside(p, m, gamma) / bound, np.inf)

    found = search_worst(margin, 3, rng, starts=max(starts, instances), refine=instances)
    p, m, gamma = decode(found.point[np.newaxis, :])
    outcome = _result(np.array([found.margin]), p, m, gamma, int(found.margin < -1e-6), 1e-6)
    failed = int((found.refined < -1e-6).sum())
    return Check(len(found.refined), failed, found.margin, "float", 1e-6, counterexample=outcome.counterexample)
