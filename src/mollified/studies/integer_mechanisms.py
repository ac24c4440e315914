r"""Studies for the page on integer mechanisms: their laws, their deltas, and a count that is capped at its own n.

One release of a count, central, record-level; neighbouring counts differ by one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from mollified._validate import check_count, check_each, check_fraction, check_interval
from mollified.finite_mechanisms import excess, truncated_geometric
from mollified.gaussian_mechanism import gaussian_delta
from mollified.integer_mechanisms import (
    binomial_delta,
    binomial_law,
    binomial_trials,
    discrete_gaussian_delta,
    discrete_gaussian_masses,
    geometric_delta,
)

__all__ = ["capped_counts", "exact_deltas", "output_laws"]


def _level(exp_eps: object) -> Fraction:
    return check_fraction("exp_eps", exp_eps, above=1)


def output_laws(
    exp_eps: int, count: int, high: int, trials: int, variance: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the laws of the three mechanisms for a count and the next: masses and the excess over the band.

    Columns mechanism, output, one, two, excess (the part of one above $e^\varepsilon$ times two). The geometric one is
    truncated to 0..high. Facts: eps, the count, high, the delta of each at eps, the smallest number of coins for
    $10^{-5}$. Raises ValueError or TypeError unless count < high, $e^\varepsilon>1$ and the number of coins is even.
    """
    level, count = _level(exp_eps), check_count("count", count, minimum=0)
    high, trials = check_count("high", high), check_count("trials", trials, minimum=2)
    width = check_fraction("variance", variance, above=0)
    if high <= count:
        raise ValueError(f"high must exceed count, got {high!r} for {count!r}")
    if trials % 2:
        raise ValueError(f"trials must be even, got {trials!r}")
    reach = trials // 2
    outputs = range(count - reach - 1, count + reach + 3)
    laws = truncated_geometric([count, count + 1], 0, high, level)
    heads = binomial_law(trials)
    masses = [float(p.mid()) for p in discrete_gaussian_masses(width, -reach - 2, reach + 2)]

    def mass(name: str, output: int, at: int) -> float:
        if name == "geometric":
            return float(laws[at][output]) if 0 <= output <= high else 0.0
        if name == "binomial":
            place = output - at + reach
            return float(heads[place]) if 0 <= place <= trials else 0.0
        return masses[output - at + reach + 2]

    rows = []
    for name in ("geometric", "binomial", "discrete Gaussian"):
        for output in outputs:
            one, two = mass(name, output, count), mass(name, output, count + 1)
            rows.append((name, output, one, two, max(0.0, one - float(level) * two)))
    eps = Fraction(math.log(level))
    facts = {
        "eps": float(eps),
        "count": float(count),
        "high": float(high),
        "delta_geometric": float(geometric_delta(level, level)),
        "delta_binomial": float(binomial_delta(trials, level)),
        "delta_gaussian": float(discrete_gaussian_delta(eps, width).mid()),
        "coins": float(binomial_trials(level, Fraction(1, 10**5))),
        "trials": float(trials),
    }
    return pd.DataFrame(rows, columns=["mechanism", "output", "one", "two", "excess"]), facts


def exact_deltas(
    exp_eps: int, trials: int, variance: int, largest: float, points: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the exact delta of the three mechanisms, and of Gaussian noise, at levels from 0 to `largest`.

    Columns eps, geometric, binomial, gaussian (the discrete one), continuous. All four kinds of noise have about the
    variance given if the arguments fit together, as 2, 16, 4 do. Facts: the eps of the geometric mechanism, the
    standard deviation, and each delta at that eps and at twice it. Raises ValueError or TypeError for bad arguments.
    """
    level, trials = _level(exp_eps), check_count("trials", trials)
    width, points = check_fraction("variance", variance, above=0), check_count("points", points, minimum=2)
    largest = check_interval("largest", largest, 0, 20, open_low=True)
    full = math.log(level)
    sigma = math.sqrt(width)

    def deltas(eps: float) -> tuple[float, float, float, float]:
        at = Fraction(math.exp(eps))
        return (
            float(geometric_delta(level, at)),
            float(binomial_delta(trials, at)),
            float(discrete_gaussian_delta(Fraction(eps), width).mid()),
            gaussian_delta(eps, 1 / sigma),
        )

    rows = [(float(eps), *deltas(float(eps))) for eps in np.linspace(0, largest, points)]
    names = ("geometric", "binomial", "gaussian", "continuous")
    facts = {"eps": full, "sigma": sigma, "floor": 2.0**-trials}
    for name, value in zip(names, deltas(2 * full), strict=True):
        facts[f"{name}_twice"] = value
    return pd.DataFrame(rows, columns=["eps", *names]), facts


def capped_counts(exp_eps: int, records: int, caps: Sequence[int]) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the laws of the noisy number of all records, for n and n - 1, truncated at n or at public caps.

    Columns cap ("n" or a number), output, one (n records), two (n - 1 records). Facts: eps, n, and for each cap the
    exact delta at eps. Raises ValueError or TypeError for a cap below n, n < 2 or $e^\varepsilon\le1$.
    """
    level, n = _level(exp_eps), check_count("records", records, minimum=2)
    tops = check_each("caps", caps, check_count)
    if min(tops) < n:
        raise ValueError(f"caps must be at least {n}, got {caps!r}")
    rows, facts = [], {"eps": math.log(level), "records": float(n)}
    last = max(tops)
    for name, ends in (("n", (n, n - 1)), *((str(top), (top, top)) for top in tops)):
        laws = [truncated_geometric([at], 0, end, level)[at] for at, end in zip((n, n - 1), ends, strict=True)]
        one, two = (law + (Fraction(0),) * (last + 1 - len(law)) for law in laws)
        facts[f"delta_{name}"] = float(excess(one, two, level))
        rows += [(name, output, float(one[output]), float(two[output])) for output in range(last + 1)]
    return pd.DataFrame(rows, columns=["cap", "output", "one", "two"]), facts
