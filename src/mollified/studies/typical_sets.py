r"""Studies for the page on typical sets: the types on the simplex, the loss of one release, bounds beside the truth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from mollified._validate import check_count, check_each, check_eps, check_interval
from mollified.bootstrap_accountant import bootstrap_delta
from mollified.bootstrap_bounds import hoeffding_records, pure_records, step_loss, theorem_records
from mollified.bootstrap_mechanism import check_counts, smoothed_law
from mollified.bootstrap_parameters import largest_m
from mollified.typical_set import type_probabilities, typical_probability

__all__ = ["bounds_by_size", "loss_of_release", "records_allowed", "simplex_types"]


def _delta(value: object) -> float:
    return check_interval("delta", value, 0.0, 1.0, open_low=True, open_high=True)


def simplex_types(counts: Sequence[int], k: int, m: int, delta: float) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return all types of m draws on three symbols with their probabilities, and two typical sets.

    `inner` is the smallest typical set of probability at least $1-\delta$, found exactly; `outer` has the gamma that
    Theorem 7 asks for, $\sqrt{\frac2m\log\frac2\delta}$. Columns one, two, three, probability, inner, outer. Raises
    TypeError or ValueError for what are no counts of three symbols, k < 1, m < 1, or delta outside (0, 1).
    """
    data, k, m = check_counts("counts", counts), check_count("k", k), check_count("m", m)
    delta = _delta(delta)
    if data.size != 3:
        raise ValueError(f"counts must have 3 entries, got {counts!r}")
    law = smoothed_law(data, k)
    rows, mass = type_probabilities(law, m)
    gaps = [max(abs(Fraction(count, m) - p) for count, p in zip(row, law, strict=True)) for row in rows.tolist()]
    order = np.argsort(np.array([float(gap) for gap in gaps]), kind="stable")
    guess = int(np.searchsorted(np.cumsum(mass[order]), 1 - delta))
    wanted = 1 - Fraction(delta).limit_denominator(10**6)
    levels = sorted(set(gaps))
    at = max(levels.index(gaps[order[min(guess, len(order) - 1)]]) - 1, 0)
    while levels[at] == 0 or typical_probability(law, m, levels[at]) < wanted:
        at += 1
    inner, outer = levels[at], math.sqrt(2 / m * math.log(2 / delta))
    table = pd.DataFrame(rows, columns=["one", "two", "three"])
    table["probability"] = mass
    table["inner"] = [int(gap <= inner) for gap in gaps]
    table["outer"] = [int(gap <= outer) for gap in gaps]
    facts = {
        "m": float(m),
        "delta": delta,
        "gamma_inner": float(inner),
        "gamma_outer": outer,
        "probability_inner": float(typical_probability(law, m, inner)),
        "missed_outer": float(1 - typical_probability(law, m, Fraction(outer))),
        "types": float(len(rows)),
        "types_inner": float(table["inner"].sum()),
        "types_outer": float(table["outer"].sum()),
        **{f"law_{i + 1}": float(p) for i, p in enumerate(law)},
        **{f"data_{i + 1}": float(c / data.sum()) for i, c in enumerate(data)},
    }
    return table, facts


def loss_of_release(n: int, size: int, k: int, eps: float, delta: float) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the exact law of the privacy loss of the worst pair at the largest m that Theorem 2 allows.

    Columns loss (nats), probability: $\lambda W$ for a walk W of m steps, within nine standard deviations. Facts: the
    level that is enough at `delta` by the exact curve, by Hoeffding's inequality, and `eps`. Raises TypeError or
    ValueError for sizes or levels out of range, ValueError where the theorem allows no record.
    """
    n, size, k = check_count("n", n), check_count("size", size, minimum=3), check_count("k", k)
    eps, delta = check_eps("eps", eps), _delta(delta)
    m = theorem_records(eps, delta, n, size, k)
    if m == 0:
        raise ValueError(f"eps and delta must allow a record by Theorem 2, got {eps!r} and {delta!r}")
    total, lam = n + k * size, step_loss(k)
    up, down = (k + 1) / total, k / total
    spread = math.sqrt(m * (up + down - (up - down) ** 2))
    reach = int(9 * spread) + 2
    points = 1 << (2 * reach + 2 * int(9 * spread)).bit_length()
    turn = np.exp(2j * np.pi * np.arange(points // 2 + 1) / points)
    phi = 1 - up - down + up * turn + down * turn.conj()
    values = np.arange(-reach, reach + 1)
    pmf = np.fft.irfft((phi**m).conj(), n=points)[values % points]
    low, high = 0.0, eps
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if bootstrap_delta(middle, n, size, k, m) <= delta else (middle, high)
    facts = {
        "n": float(n),
        "size": float(size),
        "k": float(k),
        "eps": eps,
        "delta": delta,
        "m": float(m),
        "exact": high,
        "hoeffding": (m / total + math.sqrt(2 * m * math.log(1 / delta))) * lam,
        "mean": m / total * lam,
        "spread": spread * lam,
        "pure": m * lam,
        "log10_delta": math.log10(max(bootstrap_delta(eps, n, size, k, m), 1e-300)),
        "m_exact": float(largest_m(eps, delta, n, size, k)),
    }
    return pd.DataFrame({"loss": lam * values, "probability": np.maximum(pmf, 0.0)}), facts


def bounds_by_size(
    counts: Sequence[int], k: int, gamma: float, draws: Sequence[int]
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return, for each m, exact probabilities beside their bounds, on three symbols.

    Columns m; atypical, its bound $2e^{-m\gamma^2/2}$ (Theorem 7); loss, the probability that the worst pair's exceeds
    the level $m(\frac1N+2\gamma)\lambda$, its bound $e^{-2m\gamma^2}$; delta, the exact delta at that level.
    Raises TypeError or ValueError for counts of another number of symbols, k or m < 1, gamma outside (0, 1).
    """
    data, k = check_counts("counts", counts), check_count("k", k)
    gamma = check_interval("gamma", gamma, 0.0, 1.0, open_low=True, open_high=True)
    if data.size != 3:
        raise ValueError(f"counts must have 3 entries, got {counts!r}")
    sizes = [int(m) for m in check_each("draws", draws, check_count)]
    law, n = smoothed_law(data, k), int(data.sum())
    total, exact = n + 3 * k, Fraction(gamma).limit_denominator(10**6)
    worst = (Fraction(k + 1, total), Fraction(k, total), Fraction(total - 2 * k - 1, total))
    rows = []
    for m in sizes:
        types, mass = type_probabilities(worst, m)
        level = m * (Fraction(1, total) + 2 * exact)
        above = mass[types[:, 0] - types[:, 1] > math.floor(level)].sum()
        delta = bootstrap_delta(float(level) * step_loss(k), n, 3, k, m)
        rows.append(
            (
                m,
                float(1 - typical_probability(law, m, exact)),
                2 * math.exp(-m * gamma**2 / 2),
                float(above),
                math.exp(-2 * m * gamma**2),
                delta,
            )
        )
    table = pd.DataFrame(rows, columns=["m", "atypical", "atypical_bound", "loss", "loss_bound", "delta"])
    facts = {"gamma": gamma, "k": float(k), "n": float(n)}
    facts |= {f"last_{name}": float(value) for name, value in zip(table.columns, rows[-1], strict=True)}
    return table, facts


def records_allowed(
    n: int, size: int, eps: float, delta: float, pseudocounts: Sequence[int]
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return how many records Theorem 2, its sharper form and pure privacy allow, for each k; gamma at its best.

    Columns k, theorem, sharper, pure (whole numbers). Facts: the k from which each beats pure privacy, by
    $\varepsilon/\lambda\approx8\log\frac2\delta$ and $2\log\frac1\delta$. Raises TypeError or ValueError for bad
    arguments.
    """
    n, size = check_count("n", n), check_count("size", size, minimum=2)
    eps, delta = check_eps("eps", eps), _delta(delta)
    rows = [
        (
            k,
            theorem_records(eps, delta, n, size, k),
            hoeffding_records(eps, delta, n, size, k),
            pure_records(eps, k),
        )
        for k in (int(k) for k in check_each("pseudocounts", pseudocounts, check_count))
    ]
    table = pd.DataFrame(rows, columns=["k", "theorem", "sharper", "pure"])
    facts = {"n": float(n), "size": float(size), "eps": eps, "delta": delta}
    for name, rule in (("theorem", theorem_records), ("sharper", hoeffding_records)):
        k = 1
        while rule(eps, delta, n, size, k) <= pure_records(eps, k):
            k += 1
        facts[f"from_{name}"] = float(k)
    k = 1
    while theorem_records(eps, delta, n, size, k) == 0:
        k += 1
    facts["first_theorem"] = float(k)
    facts["threshold_theorem"] = 8 * math.log(2 / delta)
    facts["threshold_sharper"] = 2 * math.log(1 / delta)
    return table, facts
