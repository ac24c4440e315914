r"""Checks of Theorem 2*: the exact Renyi divergence, its bound, the theorem and its condition on k.

And of Theorem 2 as a sufficient condition, and of the limit of the exact curve as k grows.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal

import numpy as np
from flint import arb, ctx
from scipy.special import ndtr

from mollified._validate import Array, _echo, check_count, check_fraction, check_trials
from mollified.adversary import search_worst
from mollified.ball_mbde import BITS, ball
from mollified.bootstrap_accountant import bootstrap_delta, certified_delta
from mollified.bootstrap_bounds import order_records, renyi_records, theorem_records
from mollified.bootstrap_brute import output_weights
from mollified.checks import Check, Tally

__all__ = ["climb", "divergence_bound", "divergence_counted", "gaussian_limit", "sweep", "theorem_certified"]

Form = Literal["printed", "corrected", "closed", "order"]
ONE = Fraction(1)


def _check_form(form: object) -> Form:
    for known in ("printed", "corrected", "closed", "order"):
        if form == known:
            return known
    raise ValueError(f"form must be printed, corrected, closed or order, got {_echo(form)}")


def divergence_counted(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check the exact Renyi divergence against its sum over all outputs of the worst pair. Certified.

    Three symbols, n, m up to 6, k up to 9, orders $\alpha=\frac j4>1$; `claimed` multiplies the factor 4.
    Slack: minus the distance of the balls' centres, in nats. Raises ValueError or TypeError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            n, m, k = (int(rng.integers(*ends)) for ends in ((1, 7), (1, 7), (1, 10)))
            alpha, total = Fraction(int(rng.integers(5, 40)), 4), n + 3 * k
            one, two = (output_weights([a, b, total - 2 * k - 1], m) for a, b in ((k + 1, k), (k, k + 1)))
            order, parts = ball(alpha), arb(0)
            for a, b in zip(one, two, strict=True):
                parts += (order * arb(a).log() + (1 - order) * arb(b).log()).exp()
            counted = (parts.log() - m * arb(total).log()) / (order - 1)
            formula = _divergence(alpha, total, k, m, claimed)
            slack = -abs(counted - formula)
            tally.add(float(slack.mid()), decided=counted.overlaps(formula), n=n, k=k, m=m, alpha=alpha)
    return tally.check()


def _divergence(alpha: Fraction, total: int, k: int, m: int, claimed: Fraction = ONE) -> arb:
    lam, order = (1 + 1 / arb(k)).log(), ball(alpha)
    bend = (
        ball(4 * claimed / total) * arb(k * (k + 1)).sqrt() * (order * lam / 2).sinh() * ((order - 1) * lam / 2).sinh()
    )
    return m * (1 + bend).log() / (order - 1)


def divergence_bound(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check $D_\alpha\le\rho\,\alpha\,e^{\alpha^2\lambda^2/12}$, $\rho=\frac m{N\sqrt{k(k+1)}}$. Certified.

    k up to $10^6$, n and m up to $10^9$, orders up to 4k; slack is the relative gap. `claimed` states that share of the
    bound. Raises as `divergence_counted`.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            k, n, m = (int(np.exp(rng.uniform(0, np.log(most)))) for most in (10**6, 10**9, 10**9))
            size, total = int(rng.integers(3, 1000)), 0
            total = n + k * size
            alpha = 1 + Fraction(int(np.exp(rng.uniform(0, np.log(4000 * k)))), 1000)
            lam, rho = (1 + 1 / arb(k)).log(), ball(Fraction(m, total)) / arb(k * (k + 1)).sqrt()
            bound = rho * ball(alpha) * (ball(alpha) ** 2 * lam**2 / 12).exp() * ball(claimed)
            slack = 1 - _divergence(alpha, total, k, m) / bound
            tally.add(float(slack.mid()), decided=bool(slack > 0), n=n, size=size, k=k, m=m, alpha=alpha)
    return tally.check()


def _log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def _least_k(eps: float, delta: float) -> float:
    """Return the least real k that the closed form admits."""
    root = math.sqrt(math.log(1 / delta) + eps)
    return root * (root + math.sqrt(math.log(1 / delta))) / eps


def _records(form: Form, eps: float, delta: float, n: int, size: int, k: int) -> int:
    if form == "order":
        return order_records(eps, delta, n, size, k)
    if form == "closed":
        return renyi_records(eps, delta, n, size, k)
    return theorem_records(eps, delta, n, size, k, form)


def theorem_certified(
    rng: np.random.Generator, instances: int, *, form: Form, claimed: Fraction = ONE, condition: bool = True
) -> Check:
    r"""Check that the records that a theorem allows are (eps, delta)-DP, by the certified accountant.

    `form`: Theorem 2 as printed or corrected (k >= 2), Theorem 2* closed or at the best order. `claimed` states that
    multiple of m; without `condition` the closed form is used below its least k too, first at k = 1, n = $10^6$,
    $\varepsilon=\frac1{10}$, $\delta=10^{-6}$. Only cases that allow a record count. Slack: log target over delta.
    """
    rng, instances = check_trials(rng, instances)
    form, claimed = _check_form(form), check_fraction("claimed", claimed, above=0)
    tally = Tally("certified", keep="first" if not condition else "worst")
    index = 0
    while tally.instances < instances:
        eps = Fraction(round(10**4 * _log_uniform(rng, 0.01, 10)), 10**4)
        delta = Fraction(1, int(_log_uniform(rng, 4, 10**12)))
        size, n = int(_log_uniform(rng, 3, 10**4)), int(_log_uniform(rng, 1, 10**7))
        least = _least_k(float(eps), float(delta))
        if condition:
            k = max(2, math.ceil(least * _log_uniform(rng, 0.01 if form == "order" else 1, 1000)))
            m = _records(form, float(eps), float(delta), n, size, k)
        else:
            if index == 0:
                eps, delta, n, size = Fraction(1, 10), Fraction(1, 10**6), 10**6, 3
            k = 1 if index == 0 else max(1, int(least * rng.uniform(0.01, 0.5)))
            high = math.ceil(_least_k(float(eps), float(delta)))
            share = Fraction(n + k * size, n + high * size) * Fraction(math.isqrt(k * (k + 1)), high + 1)
            m = math.floor(renyi_records(float(eps), float(delta), n, size, high) * share)
        index += 1
        m = math.floor(m * claimed)
        if m < 1:
            continue
        upper = certified_delta(eps, n, size, k, m)[1]
        holds = bool(upper <= ball(delta))
        slack = min(math.log(delta) - math.log(max(float(upper.mid()), 1e-300)), 600.0)
        tally.add(slack, decided=holds, n=n, size=size, k=k, m=m, eps=eps, delta=delta)
    return tally.check()


def _closed_order(eps: Array, log_delta: Array) -> Array:
    """Return the order of the closed form, 1 + sqrt(l / rho')."""
    gap = eps / (np.sqrt(log_delta + eps) + np.sqrt(log_delta))
    return np.asarray(1 + np.sqrt(log_delta) / gap)


def _order_bound(alpha: Array, eps: Array, log_delta: Array, total: Array, k: Array) -> Array:
    """Return the records that Theorem 2* allows at given orders; arrays of one shape."""
    lam = np.log1p(1 / k)
    bend = 4 / total * np.sqrt(k * (k + 1)) * np.sinh(alpha * lam / 2) * np.sinh((alpha - 1) * lam / 2)
    room = (alpha - 1) * (eps - np.log1p(-1 / alpha)) - log_delta + np.log(alpha)
    return np.asarray(room / np.log1p(bend))


def sweep(rng: np.random.Generator, instances: int, *, form: Form, claimed: Fraction = ONE) -> Check:
    r"""Check Theorem 2* on many random instances, vectorised; "order" at orders around the best, "closed" at its own.

    "order": the exact delta of the m allowed is at most delta. "closed": that m is at most what "order" allows at
    $\alpha=1+\sqrt{l/\rho'}$. Only cases that allow a record count; slack in units of $\log\delta$ ("order") or log m.
    Float, tolerance $10^{-10}$. `claimed` states that multiple of m. Raises ValueError for other forms.
    """
    rng, instances = check_trials(rng, instances)
    form, claimed = _check_form(form), check_fraction("claimed", claimed, above=0)
    if form not in ("closed", "order"):
        raise ValueError(f"form must be closed or order, got {_echo(form)}")
    tally = Tally("float", tolerance=1e-10)
    while tally.instances < instances:
        batch = 2 * min(instances, 20_000)
        eps, size, n = (np.exp(rng.uniform(np.log(a), np.log(b), batch)) for a, b in ((0.01, 10), (3, 1e4), (1, 1e7)))
        log_delta, size, n = rng.uniform(np.log(4), np.log(1e12), batch), np.floor(size), np.floor(n)
        least = np.sqrt(log_delta + eps) * (np.sqrt(log_delta + eps) + np.sqrt(log_delta)) / eps
        low = 0.01 if form == "order" else 1.0
        k = np.maximum(2.0, np.ceil(least * np.exp(rng.uniform(np.log(low), np.log(1000), batch))))
        total, alpha = n + k * size, _closed_order(eps, log_delta)
        if form == "order":
            alpha = 1 + (alpha - 1) * np.exp(rng.uniform(-1.5, 0.3, batch))
        most = _order_bound(alpha, eps, log_delta, total, k)
        if form == "closed":
            gap = eps / (np.sqrt(log_delta + eps) + np.sqrt(log_delta))
            m = np.floor(np.exp(-1 / 12) * gap**2 * total * np.sqrt(k * (k + 1)) * float(claimed))
        else:
            m = np.floor(np.maximum(most, 0) * float(claimed) * (1 - 1e-12))
        for index in np.flatnonzero((m >= 1) & (m < 1e15))[: instances - tally.instances]:
            given = float(eps[index]), int(n[index]), int(size[index]), int(k[index]), int(m[index])
            if form == "closed":
                slack = math.log(most[index] / m[index]) if most[index] > 0 else -600.0
            else:
                slack = min(-float(log_delta[index]) - math.log(max(bootstrap_delta(*given), 1e-300)), 600.0)
            tally.add(slack, n=given[1], size=given[2], k=given[3], m=given[4], eps=given[0])
    return tally.check()


def climb(rng: np.random.Generator, instances: int, *, form: Form, claimed: Fraction = ONE) -> Check:
    r"""Search for the case in which a theorem allows most: the margin $\log\delta-\log\delta(m)$ is minimised.

    Over log n, log size, log k, log eps and log log 1/delta; float, tolerance $10^{-10}$. The count is that of all
    cases evaluated, the slack the smallest margin. `form`, `claimed` as in `theorem_certified`.
    """
    rng, starts = check_trials(rng, instances)
    form, claimed = _check_form(form), check_fraction("claimed", claimed, above=0)

    def decode(vector: Array) -> tuple[float, float, int, int, int]:
        z = 1 / (1 + np.exp(-np.clip(vector, -30, 30)))
        eps, delta = 0.01 * 1000.0 ** float(z[0]), math.exp(-math.log(2) * 60.0 ** float(z[1]))
        n, size = int(10 ** (7 * z[2])), int(3 * 3000 ** z[3])
        least = _least_k(eps, delta) if form == "closed" else 2.0
        return eps, delta, n, size, max(2, math.ceil(least * 10 ** (6 * z[4])))

    def one(vector: Array) -> float:
        eps, delta, n, size, k = decode(vector)
        m = math.floor(min(_records(form, eps, delta, n, size, k), 10**15) * claimed)
        if m < 1:
            return math.inf
        return min(math.log(delta) - math.log(max(bootstrap_delta(eps, n, size, k, m), 1e-300)), 600.0)

    found = search_worst(
        lambda vectors: np.array([one(vector) for vector in vectors]), 5, rng, starts=starts, refine=6, evaluations=150
    )
    eps, delta, n, size, k = decode(found.point)
    failed = found.margin < -1e-10
    example = {"eps": repr(eps), "delta": repr(delta), "n": str(n), "size": str(size), "k": str(k)} if failed else None
    return Check(found.evaluated, int(failed), found.margin, "float", 1e-10, counterexample=example)


def gaussian_limit(*, sensitivity: Fraction = Fraction(2), most: int = 6) -> Check:
    r"""Check that delta tends to that of the Gaussian mechanism: 1/k away at most.

    At $m=\mu^2N\sqrt{k(k+1)}/2$, rounded; $\mu^2$ = `sensitivity` $/\sigma^2$, the squared l2 sensitivity of the counts
    over the variance; k = 10 to $10^{most}$, one record or many, two symbols more than the pair. Float, tolerance
    $10^{-9}$: delta's own. Raises ValueError or TypeError for sensitivity <= 0 or most < 1.
    """
    sensitivity, most = check_fraction("sensitivity", sensitivity, above=0), check_count("most", most)
    tally = Tally("float", tolerance=1e-9)
    for power in range(1, most + 1):
        for sigma in (0.5, 1.0, 3.0):
            for n in (1, 10 ** (power + 2)):
                k, mu = 10**power, math.sqrt(sensitivity) / sigma
                m = max(1, round((n + 4 * k) * math.sqrt(k * (k + 1)) / sigma**2))
                for eps in (0.1, 0.5, 1.0, 3.0):
                    far = float(ndtr(mu / 2 - eps / mu) - math.exp(eps) * ndtr(-mu / 2 - eps / mu))
                    slack = 1 / k - abs(bootstrap_delta(eps, n, 4, k, m) - far)
                    tally.add(slack, n=n, k=k, m=m, eps=eps, sigma=sigma)
    return tally.check()
