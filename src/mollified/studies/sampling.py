r"""Studies for the page on exact sampling."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd

from mollified._validate import Array, check_count, check_each, check_eps, check_seed
from mollified.discrete import Discrete
from mollified.rejection import acceptance_probability, rejection_sample
from mollified.spaces import FiniteSpace
from mollified.stopped_chain import metropolis_rows, stopped_laws, worst_ratio

__all__ = ["chain_privacy", "proposal_leak"]


def _lookup(table: Array, x: Array) -> Array:
    """Return the entries of a table at the indices x, shape (n, 1)."""
    found: Array = table[x[:, 0].astype(np.intp)]
    return found


def proposal_leak(eps: float, draws: int, most: int, seed: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the law of the number of proposals under two data sets, for the two envelopes.

    Two points, $Q_0=(0.9,0.1)$, T -> infinity: weights $e^{\pm\varepsilon/4}$. Envelope "normalised": $Q_T$ under
    $e^{\varepsilon/2}Q_0$, acceptance probability $e^{-\varepsilon/2}$ for both; "unnormalised": the weight under
    $e^{\varepsilon/4}Q_0$, acceptance $Ze^{-\varepsilon/4}$. Columns envelope, data, n, probability, frequency (of
    `draws` simulated draws).
    """
    check_seed("seed", seed)
    eps, draws = check_eps("eps", eps), check_count("draws", draws)
    most = check_count("most", most)
    space, reference = FiniteSpace(2), Discrete(np.array([0.9, 0.1]))
    base = reference.log_prob(space.points)
    rng = np.random.default_rng(seed)
    rows, facts = [], {"eps": eps}
    for data, sign in (("D", 1.0), ("D'", -1.0)):
        weight = eps / 4 * sign * np.array([1.0, -1.0])
        log_z = space.log_integral(weight + base).value
        for envelope, ratio, bound in (
            ("normalised", weight - log_z, eps / 2),
            ("unnormalised", weight, eps / 4),
        ):
            rate = acceptance_probability(base, ratio, bound, space).value
            drawn = rejection_sample(reference, partial(_lookup, ratio), bound, draws, rng)
            seen = np.bincount(np.minimum(drawn.proposals_each, most), minlength=most + 1)[1:]
            n = np.arange(1, most + 1)
            law = (1 - rate) ** (n - 1) * rate
            law[-1] = (1 - rate) ** (most - 1)
            rows.append(
                pd.DataFrame(
                    {
                        "envelope": envelope,
                        "data": data,
                        "n": n,
                        "probability": law,
                        "frequency": seen / draws,
                    }
                )
            )
            facts[f"rate_{envelope}_{data}"] = rate
    table = pd.concat(rows, ignore_index=True)
    facts["loss_per_proposal"] = float(
        abs(np.log((1 - facts["rate_unnormalised_D"]) / (1 - facts["rate_unnormalised_D'"])))
    )
    return table, facts


def _check_ratio(ratio: object) -> None:
    """Raise an error that names ratio unless it is a fraction > 1 in text."""
    if not isinstance(ratio, str):
        raise TypeError(f"ratio must be a fraction as text, got {ratio!r}")
    try:
        found = Fraction(ratio)
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError(f"ratio must be a fraction as text, got {ratio!r}") from error
    if found <= 1:
        raise ValueError(f"ratio must be > 1, got {ratio!r}")


def chain_privacy(steps: Sequence[int], ratio: str) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the exact privacy level of a Metropolis-Hastings chain stopped after n steps, on two points.

    Data sets with densities $Q=(1/2,1/2)$ and $Q'=(1-1/2E,\,1/2E)$, E = `ratio`; starts: the first point
    ("fixed start"), and a draw of $Q_0=(1/2,1/2)$ ("draw of Q0"). The chain proposes the other point with probability
    1/2, else it stays. Rationals, shown as floats.
    Columns start, n, level, exact.
    """
    check_each("steps", steps, check_count)
    _check_ratio(ratio)
    wanted = Fraction(ratio)
    one = (Fraction(1, 2), Fraction(1, 2))
    second = 1 / (2 * wanted)
    two = (1 - second, second)
    level = worst_ratio(one, two)
    assert level is not None
    rows = []
    for name, start in (("fixed start", (Fraction(1), Fraction(0))), ("draw of Q0", one)):
        runs = [stopped_laws(metropolis_rows(law, (one, one)), start, max(steps)) for law in (one, two)]
        for n in steps:
            reached = worst_ratio(runs[0][n], runs[1][n])
            assert reached is not None
            rows.append((name, n, float(np.log(float(reached))), float(np.log(float(level)))))
    table = pd.DataFrame(rows, columns=["start", "n", "level", "exact"])
    facts = {
        "exact": rows[0][3],
        "first": rows[0][2],
        "last_fixed": float(table[table["start"] == "fixed start"]["level"].iloc[-1]),
    }
    return table, facts
