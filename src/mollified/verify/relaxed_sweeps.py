r"""Sweeps and searches in floats: Theorem 4 with one set for both data sets, formula (62) as a bound, probable types.

Source: bootstrapping paper, Theorem 4, (37), (62), and the sentence after Theorem 5, with the
corrections and the condition of the page relaxed-exponential.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import gammaln

from mollified._validate import Array, check_count, check_interval, check_rng, check_trials
from mollified.adversary import search_worst
from mollified.checks import Check, Tally

__all__ = [
    "mode_sweep",
    "ratio_sweep",
    "sensitivity_search",
    "sensitivity_sweep",
    "theorem_search",
    "theorem_sweep",
]

#: Sums of at most six products of numbers below 1, each rounded a few times: 6 * 4 * 2**-53 < 1e-14.
TOLERANCE = 1e-14
#: A margin relative to the bound, after about ten roundings of 2**-53 each, some of differences: well below 1e-12.
RELATIVE = 1e-12
TYPICAL, SIZE = 3, 6


def _needed(one: Array, two: Array, eps: Array, typical: Any, both: bool, inside: bool = False) -> tuple[Array, Array]:
    """Return delta = 1 - P(A) (or the larger of both rows'), and the delta that the pair needs, for rows of weights.

    `inside`: the delta needed where the event on the right is cut down to A.
    """
    p, q = one / one.sum(axis=1, keepdims=True), two / two.sum(axis=1, keepdims=True)
    off_p, off_q = np.where(typical, 0, p).sum(axis=1), np.where(typical, 0, q).sum(axis=1)
    factor = np.exp(eps)[:, np.newaxis]
    forward, back = (
        np.maximum(x - factor * (np.where(typical, y, 0) if inside else y), 0).sum(axis=1) for x, y in ((p, q), (q, p))
    )
    return np.maximum(off_p, off_q) if both else off_p, np.maximum(forward, back)


def _random_rows(rng: np.random.Generator, instances: int) -> tuple[Array, Array, Array, Any]:
    """Return eps (N,), the weights of both rows (N, 6), and which responses are typical (N, 6)."""
    eps = np.exp(rng.uniform(np.log(0.01), np.log(8.0), instances))
    number = rng.integers(1, TYPICAL + 1, instances)[:, np.newaxis]
    typical = np.arange(SIZE) < number
    spread = rng.choice([1.0, 4.0, 12.0], (instances, 1))
    scores = spread * rng.standard_normal((instances, SIZE))
    other = np.where(rng.random((instances, SIZE)) < 0.3, -40.0, spread * rng.standard_normal((instances, SIZE)))
    scores = np.where(~typical & (rng.random((instances, SIZE)) < 0.3), -40.0, scores)
    change = rng.uniform(-1, 1, (instances, SIZE))
    change = np.where(rng.random((instances, 1)) < 0.5, np.sign(change), change) * eps[:, np.newaxis] / 2
    one = np.exp(scores)
    two = np.where(typical, one * np.exp(change), np.exp(other))
    return eps, one, two, typical


def theorem_sweep(
    rng: np.random.Generator, instances: int, *, both: bool = True, inside: bool = False, claimed: float = 1.0
) -> Check:
    r"""Check Theorem 4 for random pairs: $\delta=1-\min(P(A),P'(A))$ suffices; $1-P(A)$, as printed, where not `both`.

    A has 1 to 3 of 6 responses; $\varepsilon$ from 0.01 to 8; scores on A change by at most $\Delta$, in half of the
    runs by exactly $\pm\Delta$, elsewhere without limit. `inside`: with $P'(S\cap A)$ on the right, as (37). `claimed`
    < 1 allows that share of $\delta$. Floats, tolerance 1e-14.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_interval("claimed", claimed, 0, 2, open_low=True)
    eps, one, two, typical = _random_rows(rng, instances)
    delta, needed = _needed(one, two, eps, typical, both, inside)
    slack = claimed * delta - needed
    tally = Tally("float", tolerance=TOLERANCE)
    for at in np.flatnonzero(slack < -TOLERANCE)[:100]:
        tally.add(
            float(slack[at]), eps=eps[at], w=one[at].tolist(), w2=two[at].tolist(), typical=int(typical[at].sum())
        )
    rest = slack[slack >= -TOLERANCE]
    failed = instances - len(rest)
    return _counted(tally, rest, instances, failed, TOLERANCE)


def _counted(tally: Tally, rest: Array, instances: int, failed: int, tolerance: float) -> Check:
    """Return the check for a sweep: its failures (written out in `tally`) and the smallest margin of the others."""
    worst = float(rest.min()) if len(rest) else 0.0
    written = tally.check() if tally.instances else None
    return Check(
        instances=instances,
        violations=failed,
        worst_slack=worst if written is None else written.worst_slack,
        arithmetic="float",
        tolerance=tolerance,
        counterexample=None if written is None else written.counterexample,
    )


def ratio_sweep(rng: np.random.Generator, instances: int, *, outside: bool = True) -> Check:
    r"""Check $P(r)/P'(r)\ge(1-\delta)e^{-\varepsilon}$ on A, $\delta=1-P(A)$, for random pairs.

    `outside` False drops the factor $1-\delta$. The pairs of `theorem_sweep`; margins relative. Floats, tolerance
    1e-12.
    """
    rng, instances = check_trials(rng, instances)
    eps, one, two, typical = _random_rows(rng, instances)
    mass = np.where(typical, one, 0).sum(axis=1) / one.sum(axis=1)
    ratio = one / two * (two.sum(axis=1) / one.sum(axis=1))[:, np.newaxis]
    least = np.where(typical, ratio, np.inf).min(axis=1)
    slack = 1 - (mass if outside else 1) * np.exp(-eps) / least
    tally = Tally("float", tolerance=RELATIVE)
    for at in np.flatnonzero(slack < -RELATIVE)[:100]:
        tally.add(
            float(slack[at]), eps=eps[at], w=one[at].tolist(), w2=two[at].tolist(), typical=int(typical[at].sum())
        )
    rest = slack[slack >= -RELATIVE]
    return _counted(tally, rest, instances, instances - len(rest), RELATIVE)


def mode_sweep(rng: np.random.Generator, instances: int, *, classes: bool = True) -> Check:
    r"""Check $\log\frac{P[j+e]}{P[j]}<0$ for $j=mh^{\tilde D}$ and rivals $e\ne0$.

    `classes` False compares single data sets. 2 to 8 symbols, counts to 2000, rivals near and far. Log-gamma
    functions in floats, tolerance 1e-8 (their values reach 10^5, each rounded to 2^-52 of it).
    """
    rng, instances = check_trials(rng, instances)
    size = rng.integers(2, 9, instances)[:, np.newaxis]
    inside = np.arange(8) < size
    j = np.where(inside, np.floor(np.exp(rng.uniform(0, np.log(2000), (instances, 8)))), 0)
    m = j.sum(axis=1, keepdims=True)
    scale = np.where(rng.random((instances, 1)) < 0.5, 0.1, 1.0) * j
    e = np.where(inside, np.trunc(np.clip(scale * rng.standard_normal((instances, 8)), -j, None)), 0)
    e[:, 0] = 0
    # the first symbol takes up the difference; where it has too few records, one record moves instead
    e[:, 0] = -e.sum(axis=1)
    bad = (e[:, 0] < -j[:, 0]) | (e == 0).all(axis=1)
    e[bad] = 0
    e[bad, 0], e[bad, 1] = -1, 1
    logs = np.where(inside, np.log(np.where(inside, j, 1) / m), 0)
    change = (e * logs).sum(axis=1)
    if classes:
        change = change + (gammaln(j + 1) - gammaln(j + e + 1)).sum(axis=1)
    tally = Tally("float", tolerance=1e-8)
    for at in np.flatnonzero(change > 1e-8)[:100]:
        tally.add(-float(change[at]), j=j[at].astype(int).tolist(), e=e[at].astype(int).tolist())
    rest = -change[change <= 1e-8]
    return _counted(tally, rest, instances, instances - len(rest), 1e-8)


def theorem_search(rng: np.random.Generator, starts: int, *, both: bool = True, inside: bool = False) -> Check:
    r"""Search for a pair that violates Theorem 4: minimise $1-\text{needed}/\delta$ over weights and $\varepsilon$.

    Two responses in A, two outside; `both` False allows $1-P(A)$ of one row only; `inside` as in `theorem_sweep`. One
    instance, the worst found; floats, tolerance 1e-12.
    """
    rng, starts = check_rng("rng", rng), check_count("starts", starts)

    def margin(z: Array) -> Array:
        z = np.clip(z, -30, 30)
        eps = np.exp(np.clip(z[:, 0], -4, 2))
        typical = np.arange(4) < 2
        one = np.exp(z[:, 1:5])
        change = np.tanh(z[:, 5:7]) * eps[:, np.newaxis] / 2
        two = np.concatenate([one[:, :2] * np.exp(change), np.exp(z[:, 7:9])], axis=1)
        delta, needed = _needed(one, two, eps, typical, both, inside)
        return np.asarray(np.where(delta > 1e-3, 1 - needed / np.maximum(delta, 1e-3), np.inf))

    found = search_worst(margin, 9, rng, starts=starts, refine=12, evaluations=600)
    tally = Tally("float", tolerance=RELATIVE)
    tally.add(found.margin, vector=found.point.tolist())
    return tally.check()


def _relative_margin(n: Array, size: Array, k: Array, gamma: Array, records: Array, shares: Array) -> Array:
    """Return 1 - change / formula; `records` (N, 2) of the two symbols in D, `shares` (N, 2) of them in the output."""
    total = n + k * size
    c1, c2 = records[:, 0] + k, records[:, 1] + k
    change = np.abs(shares[:, 0] * np.log1p(-1 / c1) + shares[:, 1] * np.log1p(1 / c2))
    return np.asarray(1 - change / ((2 * gamma + 1 / total) * np.log1p(1 / k)))


def _shares(total: Array, gamma: Array, records: Array, k: Array, where: Array) -> Array:
    """Return shares within gamma of the law, `where` (N, 2) in [0, 1] between the ends, with a sum of at most one."""
    law = (records + k[:, np.newaxis]) / total[:, np.newaxis]
    low, high = np.maximum(0, law - gamma[:, np.newaxis]), np.minimum(1, law + gamma[:, np.newaxis])
    shares = low + (high - low) * where
    over = np.maximum(shares.sum(axis=1) - 1, 0)
    shares[:, 0] = np.maximum(shares[:, 0] - over, 0)
    return np.asarray(shares)


def sensitivity_sweep(rng: np.random.Generator, instances: int, *, claimed: float = 1.0) -> Check:
    r"""Check that no output within $\gamma$ of $h^{\tilde D}$ changes its score by more than (62).

    Floats, margin relative. n to 10^4, $|\Sigma|$ to 100, k to 100, $\gamma$ from 1e-4 to 1; shares at an
    end with probability 1/2; the other symbols' limits on the shares are dropped, which only asks more.
    `claimed` takes that share of (62).
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_interval("claimed", claimed, 0, 2, open_low=True)

    def log_integers(top: float) -> Array:
        return np.floor(np.exp(rng.uniform(0, np.log(top), instances)))

    n, size, k = log_integers(1e4), 1 + log_integers(100.0), log_integers(100.0)
    gamma = np.exp(rng.uniform(np.log(1e-4), 0, instances))
    first = np.where(rng.random(instances) < 0.5, 1, np.ceil(n * rng.random(instances)))
    second = np.where(rng.random(instances) < 0.5, 0, np.floor((n - first) * rng.random(instances)))
    second = np.where(size == 2, n - first, second)
    records = np.stack([np.maximum(first, 1), second], axis=1)
    where = rng.random((instances, 2))
    where = np.where(rng.random((instances, 2)) < 0.5, np.round(where), where)
    where = np.where(rng.random((instances, 1)) < 0.3, [1.0, 0.0], where)
    shares = _shares(n + k * size, gamma, records, k, where)
    slack = _relative_margin(n, size, k, gamma, records, shares) - (1 - claimed)
    tally = Tally("float", tolerance=RELATIVE)
    for at in np.flatnonzero(slack < -RELATIVE)[:100]:
        tally.add(float(slack[at]), n=int(n[at]), size=int(size[at]), k=int(k[at]), gamma=gamma[at])
    rest = slack[slack >= -RELATIVE]
    return _counted(tally, rest, instances, instances - len(rest), RELATIVE)


def sensitivity_search(rng: np.random.Generator, starts: int, *, claimed: float = 1.0) -> Check:
    r"""Search for an output that changes its score by more than (62): minimise the relative margin.

    Counts are relaxed to real numbers, $|\Sigma|$ >= 2 too. One instance, the worst found; floats, tolerance 1e-12.
    """
    rng, starts = check_rng("rng", rng), check_count("starts", starts)
    claimed = check_interval("claimed", claimed, 0, 2, open_low=True)

    def margin(z: Array) -> Array:
        z = np.clip(z, -30, 30)
        unit = 1 / (1 + np.exp(-z))
        n, k, size = 1 + np.exp(np.clip(z[:, 0], -20, 9)), 1 + np.exp(np.clip(z[:, 1], -20, 5)), 2 + 50 * unit[:, 2]
        first = 1 + (n - 1) * unit[:, 3]
        records = np.stack([first, (n - first) * unit[:, 4]], axis=1)
        gamma = np.maximum(unit[:, 5], 1e-4)
        shares = _shares(n + k * size, gamma, records, k, unit[:, 6:8])
        return _relative_margin(n, size, k, gamma, records, shares) - (1 - claimed)

    found = search_worst(margin, 8, rng, starts=starts, refine=12, evaluations=600)
    tally = Tally("float", tolerance=RELATIVE)
    tally.add(found.margin, vector=found.point.tolist())
    return tally.check()
