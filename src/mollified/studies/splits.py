r"""A budget split otherwise: the ring, and the closest law in $\{bQ_0\le Q\le e^\varepsilon bQ_0\}$, b public."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from mollified._validate import Array, check_array, check_each, check_eps
from mollified.studies.mbde_sweep import domain, domain_grid

__all__ = ["closest_in_box", "split_gains"]

#: The share of P that the smallest region holds on which outputs are compared.
LEVEL = 0.95


def closest_in_box(log_ratio: object, masses: object, eps: float, floor: float) -> Array:
    r"""Return $\log Q/Q_0$ of the member of $\{bQ_0\le Q\le e^\varepsilon bQ_0\}$ closest to P in KL(P, .).

    b is `floor`. It is $\log P/Q_0-c$ clipped to $[\log b,\varepsilon+\log b]$, and c makes the mass one: for a member
    Q' the integral of $(P/Q-e^c)(Q'-Q)$ is not positive. `log_ratio` is $\log P/Q_0$ at points of given $Q_0$-mass,
    (N,); c is found to 1e-13. Raises ValueError or TypeError for masses that are no law, or b outside
    $(e^{-\varepsilon},1)$.
    """
    ratio, level = check_array("log_ratio", log_ratio, ndim=1), check_eps("eps", eps)
    weights, b = check_array("masses", masses, shape=ratio.shape), check_eps("floor", floor)
    if (weights < 0).any() or abs(float(weights.sum()) - 1) > 1e-9:
        raise ValueError(f"masses must be >= 0 and sum to one, got {masses!r:.200}")
    if not math.exp(-level) < b < 1:
        raise ValueError(f"floor must lie in (exp(-eps), 1), got {floor!r}")
    low = math.log(b)

    def excess(shift: float) -> float:
        return float(weights @ np.expm1(np.clip(ratio - shift, low, low + level)))

    span = float(ratio.min()) - low - level - 1, float(ratio.max()) - low + 1
    return np.asarray(np.clip(ratio - brentq(excess, *span, xtol=1e-13), low, low + level))


def split_gains(eps: Sequence[float]) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return what the ring gains over $Q_0=N(0,I)$ under two splits of a budget, by quadrature.

    Columns eps, split, floor (b), most ($\varepsilon+\log b$), gain (nats), covered (mass of the closest member on the
    smallest region that holds 95 % of P). "even" is $b=e^{-\varepsilon/2}$, the mollifier of v3 (5); "upward" is
    $b=(1+e^{-\varepsilon})/2$. Facts: kl, and gain, most, covered for each split and eps. The quadrature errs by less
    than 1e-6. Raises ValueError or TypeError for eps <= 0.
    """
    levels = check_each("eps", eps, check_eps)
    target = domain("ring")
    reference, grid = domain_grid(target)
    log_p, log_q0 = target.log_prob(grid.points), reference.log_prob(grid.points)
    p, q0 = np.exp(log_p) * grid.weights, np.exp(log_q0) * grid.weights
    p, q0 = p / p.sum(), q0 / q0.sum()
    order = np.argsort(-log_p)
    inside = np.zeros(len(p), dtype=bool)
    inside[order[: int(np.searchsorted(np.cumsum(p[order]), LEVEL)) + 1]] = True
    rows, facts = [], {"kl": float(p @ (log_p - log_q0)), "covered_start": float(q0[inside].sum())}
    for level in levels:
        for split, b in (("even", math.exp(-level / 2)), ("upward", (1 + math.exp(-level)) / 2)):
            log_ratio = closest_in_box(log_p - log_q0, q0, level, b)
            gain, covered = float(p @ log_ratio), float((q0 * np.exp(log_ratio))[inside].sum())
            rows.append((level, split, b, level + math.log(b), gain, covered))
            for name, value in (("gain", gain), ("most", level + math.log(b)), ("covered", covered)):
                facts[f"{name}_{split}_{level:g}"] = value
    return pd.DataFrame(rows, columns=["eps", "split", "floor", "most", "gain", "covered"]), facts
