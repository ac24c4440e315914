r"""Checks of Theorem 2 itself and of its sharper forms, against the exact loss and the exact delta.

Sharper, for every $k\ge1$ and $\gamma>0$: one draw adds a loss between $-\lambda$ and $\lambda$ with mean at most
$a\lambda$, so that by Hoeffding the loss exceeds $m(a+2\gamma)\lambda$ with probability at most $e^{-2m\gamma^2}$, and
$m\ge\frac1{2\gamma^2}\log\frac1\delta$ may replace (1). $a=1/N$, $N=n+k|\Sigma|$, $\lambda=\log\frac{k+1}k$.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from flint import arb, ctx

from mollified._validate import Array, check_count, check_eps, check_fraction, check_rng, check_trials
from mollified.adversary import search_worst
from mollified.ball_mbde import ball
from mollified.bootstrap_accountant import certified_delta
from mollified.bootstrap_bounds import pure_records, renyi_records, step_loss, theorem_records
from mollified.bootstrap_mechanism import smoothed_law
from mollified.checks import Check, Tally
from mollified.instances import random_fraction
from mollified.typical_set import type_probability, types

__all__ = [
    "closed_form",
    "exact_curve",
    "loss_search",
    "loss_sweep",
    "loss_tail",
    "pure_first",
    "theorem_two",
]

BITS = 192
#: Random walks are laid out on a circle of this many points, so m is below half of it.
CIRCLE = 256
#: What the transform adds, per entry: 256 terms of modulus at most 1, each power wrong by about m ulps.
TAIL_TOLERANCE = 1e-12
TWO = Fraction(2)


def _up(value: arb, digits: int = 12) -> Fraction:
    """Return a rational with that many decimals that is certainly at least a positive ball."""
    return Fraction(math.ceil(float(value.upper()) * (1 + 1e-14) * 10**digits) + 1, 10**digits)


def _sizes(rng: np.random.Generator, least_k: int) -> tuple[int, int, int]:
    n, k = int(10 ** rng.uniform(0, 6)), max(least_k, int(10 ** rng.uniform(0, 4)))
    size = int(rng.integers(2, 60))
    return (int(rng.integers(1, 9)) if size == 2 else n), size, k


def _eps_delta(rng: np.random.Generator) -> tuple[Fraction, Fraction]:
    return Fraction(round(10 ** rng.uniform(1.5, 4)), 1000), Fraction(1, round(10 ** rng.uniform(0.3, 8)))


def theorem_two(rng: np.random.Generator, instances: int, *, drop_gamma: bool = False) -> Check:
    r"""Check Theorem 2 against the exact delta at random n, $|\Sigma|$, k >= 2, eps, delta, gamma. Certified.

    Only settings with a whole m that certainly meets (1) and (2) count; m is the largest such. With `drop_gamma` m is
    the largest with $ma\lambda\le\varepsilon$, at most $10^6$ times as large: (2) without its term 2 gamma.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        while tally.instances < instances:
            (n, size, k), (eps, delta) = _sizes(rng, 2), _eps_delta(rng)
            a, lam = Fraction(1, n + k * size), ball(Fraction(k + 1, k)).log()
            m = theorem_records(float(eps), float(delta), n, size, k)
            if m == 0:
                continue
            gamma = math.sqrt(2 * math.log(2 / delta) / m) * rng.choice([1.0, 1.3])
            gamma = Fraction(math.ceil(gamma * 10**9) + 1, 10**9)
            if gamma >= 1:
                continue
            m = int(float((ball(eps) / (ball(a + 2 * gamma) * lam)).lower()))
            if not (m >= 1 and m * ball(gamma**2) > 2 * ball(2 / delta).log()):
                continue
            if not m * ball(a + 2 * gamma) * lam < ball(eps):
                continue
            if drop_gamma:
                m = min(int(float((ball(eps) / (ball(a) * lam)).lower())), 10**6 * m)
            slack = ball(delta) - certified_delta(eps, n, size, k, m)[1]
            tally.add(float(slack.mid()), decided=bool(slack > 0), n=n, size=size, k=k, m=m, eps=eps, delta=delta)
    return tally.check()


def loss_tail(rng: np.random.Generator, instances: int, *, rate: Fraction = TWO) -> Check:
    r"""Check $P[\text{loss}>m(a+2\gamma)\lambda]\le e^{-cm\gamma^2}$, c = `rate`, for random pairs. Certified.

    The probability is an exact sum over $(N_1,N_2)$, each loss told from the level by balls. First tried: one draw at
    k = 1000, which loses its level with probability almost 1/2 at gamma almost 1/2, so that no $c>4\log2$ will do.
    """
    rng, instances = check_trials(rng, instances)
    rate = check_fraction("rate", rate, above=0)
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for index in range(instances):
            n, size, k = int(rng.integers(1, 9)), int(rng.integers(2, 6)), int(rng.integers(1, 9))
            one, m = int(rng.integers(1, n + 1)), int(rng.integers(1, 13))
            two = n - one if size == 2 else int(rng.integers(0, n - one + 1))
            gamma = random_fraction(rng, Fraction(1, 50), Fraction(49, 50), 48)
            if index == 0:
                n, size, k, one, two, m, gamma = 1, 2, 1000, 1, 0, 1, Fraction(499, 1000)
            total, c1, c2 = n + k * size, k + one, k + two
            up, down = ball(Fraction(c1, c1 - 1)).log(), ball(Fraction(c2 + 1, c2)).log()
            level = m * ball(Fraction(1, total) + 2 * gamma) * ball(Fraction(k + 1, k)).log()
            above = Fraction(0)
            for first in range(m + 1):
                for second in range(m - first + 1):
                    if not first * up - second * down <= level:  # a tie counts as above
                        left = m - first - second
                        ways = math.comb(m, first) * math.comb(m - first, second)
                        above += ways * c1**first * c2**second * (total - c1 - c2) ** left
            tail = above / Fraction(total) ** m
            slack = (-ball(rate * m * gamma**2)).exp() - ball(tail)
            tally.add(float(slack.mid()), decided=bool(slack > 0), n=n, size=size, k=k, c1=c1, c2=c2, m=m, gamma=gamma)
    return tally.check()


def _walk_tails(up: Array, down: Array, m: Array, least: Array) -> Array:
    r"""Return $P[W\ge v]$ of walks of m < 128 steps, +1 with probability `up`, -1 with `down`; all shapes (n,).

    By one Fourier transform a row; absolute error below 1e-12, on either side.
    """
    turn = np.exp(2j * np.pi * np.arange(CIRCLE // 2 + 1) / CIRCLE)
    one = 1 - up - down
    phi = one[:, None] + up[:, None] * turn + down[:, None] * turn.conj()
    pmf = np.fft.irfft((phi ** m[:, None]).conj(), n=CIRCLE, axis=1)
    values = np.fft.fftfreq(CIRCLE, 1 / CIRCLE)
    return np.asarray(np.where(values[None, :] >= least[:, None], pmf, 0.0).sum(axis=1))


def _margins(n: Array, size: Array, k: Array, m: Array, gamma: Array, rate: float) -> Array:
    """Return how far the worst pair's tail stays below the bound, as a share of the bound; inf where that is tiny."""
    total = n + k * size
    level = m * (1 / total + 2 * gamma)
    bound = np.exp(-rate * m * gamma**2)
    tails = _walk_tails((k + 1) / total, k / total, m, np.floor(level + 1e-9) + 1)
    kept = bound > 1e-7
    return np.where(kept, (bound - tails + TAIL_TOLERANCE) / np.where(kept, bound, 1.0), np.inf)


def loss_sweep(rng: np.random.Generator, instances: int, *, rate: float = 2.0) -> Check:
    r"""Check $P[W>m(a+2\gamma)]\le e^{-cm\gamma^2}$ for the worst pair, many settings at once, in floats.

    W is the walk of three symbols or more; k from 1 to 10^4, m up to 127. The margin is a share of the bound; bounds
    below 1e-7 are left out. Tolerance 1e-12 of probability, for the transform.
    """
    rng, instances = check_trials(rng, instances)
    rate = check_eps("rate", rate)
    found: list[Array] = []
    settings: list[Array] = []
    while sum(map(len, found)) < instances:
        count = 4096
        k = np.floor(10 ** rng.uniform(0, 4, count))
        n = np.floor(10 ** rng.uniform(0, 5, count))
        size = rng.integers(2, 40, count).astype(np.float64)
        m = rng.integers(1, CIRCLE // 2, count).astype(np.float64)
        gamma = rng.uniform(0.001, 0.999, count)
        if not found:  # one draw that loses its level with probability almost 1/2, as in `loss_tail`
            n[0], size[0], k[0], m[0], gamma[0] = 1, 2, 1000, 1, 0.499
        margins = _margins(n, size, k, m, gamma, rate)
        kept = np.isfinite(margins)
        found.append(margins[kept])
        settings.append(np.column_stack([n, size, k, m, gamma])[kept])
    margins, rows = np.concatenate(found)[:instances], np.concatenate(settings)[:instances]
    worst, failed = int(margins.argmin()), int((margins < 0).sum())
    values = dict(zip(("n", "size", "k", "m", "gamma"), map(str, rows[worst].tolist()), strict=True))
    return Check(instances, failed, float(margins[worst]), "float", 1e-12, counterexample=values if failed else None)


def loss_search(rng: np.random.Generator, starts: int, *, rate: float = 2.0) -> Check:
    r"""Search for the setting in which $P[W>m(a+2\gamma)]$ is the largest share of $e^{-cm\gamma^2}$, in floats.

    Random starts, the best refined by Nelder-Mead over n, $|\Sigma|$, k, m and gamma.
    """
    rng, starts = check_rng("rng", rng), check_count("starts", starts)
    rate = check_eps("rate", rate)

    def margin(vectors: Array) -> Array:
        share = 1 / (1 + np.exp(-np.clip(vectors, -30, 30)))
        n, k = np.floor(10 ** (5 * share[:, 0])), np.floor(10 ** (4 * share[:, 1]))
        size, m = 2 + np.floor(30 * share[:, 2]), 1 + np.floor(126 * share[:, 3] ** 2)
        return _margins(n, size, k, m, share[:, 4], rate)

    search = search_worst(margin, 5, rng, starts=starts, refine=12, evaluations=200)
    found = {"point": str(search.point.tolist())} if search.margin < 0 else None
    return Check(search.evaluated, int(search.margin < 0), search.margin, "float", 1e-12, counterexample=found)


def exact_curve(rng: np.random.Generator, instances: int, *, mirrored: bool = False) -> Check:
    r"""Check $\delta(\varepsilon)=P[\lambda W>\varepsilon]-e^\varepsilon P[\lambda W<-\varepsilon]$ by counting. Exact.

    The largest $\sum(P-e^\varepsilon P')_+$ over all data sets of n records, all neighbours and all types of m draws:
    equal for three symbols or more, at most that for two. With `mirrored` the steps of W change places.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        n, size, k, m = (int(rng.integers(low, high)) for low, high in ((1, 4), (2, 5), (1, 4), (1, 4)))
        level = 1 + random_fraction(rng, Fraction(0), Fraction(k + 1, k) ** m, 97)
        outputs, worst = types(size, m).tolist(), Fraction(0)
        for counts in types(size, n).tolist():
            one = [type_probability(smoothed_law(counts, k), row) for row in outputs]
            for old, new in ((i, j) for i in range(size) for j in range(size) if i != j and counts[i]):
                moved = [c - (i == old) + (i == new) for i, c in enumerate(counts)]
                law = smoothed_law(moved, k)
                two = [type_probability(law, row) for row in outputs]
                parts = (max(p - level * q, Fraction(0)) for p, q in zip(one, two, strict=True))
                worst = max(worst, sum(parts, Fraction(0)))
        total, curve = n + k * size, Fraction(0)
        up, down = (k, k + 1) if mirrored else (k + 1, k)
        for row in types(3, m).tolist():
            ways = math.comb(m, row[0]) * math.comb(m - row[0], row[1])
            mass = Fraction(ways * up ** row[0] * down ** row[1] * (total - up - down) ** row[2], total**m)
            ratio = Fraction(k + 1, k) ** (row[0] - row[1])
            curve += mass * (ratio > level) - level * mass * (1 / ratio > level)
        holds = worst == curve if size > 2 else worst <= curve
        tally.add(float(curve - worst), decided=holds, n=n, size=size, k=k, m=m, exp_eps=level)
    return tally.check()


def closed_form(rng: np.random.Generator, instances: int, *, times: int = 1) -> Check:
    r"""Check Theorem 2*, $m\le e^{-1/12}\rho'N\sqrt{k(k+1)}$, against the exact delta. Certified.

    Settings in which it allows no record are left out. `times` multiplies m.
    """
    rng, instances = check_trials(rng, instances)
    times = check_count("times", times)
    tally = Tally("certified")
    while tally.instances < instances:
        (n, size, k), (eps, delta) = _sizes(rng, 1), _eps_delta(rng)
        m = times * renyi_records(float(eps), float(delta), n, size, k)
        if m == 0:
            continue
        slack = ball(delta) - certified_delta(eps, n, size, k, m)[1]
        tally.add(float(slack.mid()), decided=bool(slack > 0), n=n, size=size, k=k, m=m, eps=eps, delta=delta)
    return tally.check()


def pure_first(rng: np.random.Generator, instances: int, *, times: float = 1.0) -> Check:
    r"""Check: where $\varepsilon/\lambda\le8\log\frac2\delta$, Theorem 2 allows no more records than pure privacy does.

    In floats, of whole numbers, at the best gamma, for random n, $|\Sigma|$, k, delta. `times` moves the threshold.
    """
    rng, instances = check_trials(rng, instances)
    times = check_eps("times", times)
    tally = Tally("float")
    for _ in range(instances):
        (n, size, k), (_, delta) = _sizes(rng, 1), _eps_delta(rng)
        eps = times * rng.uniform(0.5, 1.0) * 8 * math.log(2 / delta) * step_loss(k)
        m, pure = theorem_records(eps, float(delta), n, size, k), pure_records(eps, k)
        tally.add(float(pure - m), n=n, size=size, k=k, eps=eps, delta=delta)
    return tally.check()
