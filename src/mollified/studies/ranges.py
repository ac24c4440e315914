r"""Studies for the page on ranges: the papers' mollifier figure, its counterexamples, and scale-and-shift."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mollified._validate import Array, check_count, check_each, check_eps
from mollified.absolute_mollifier import (
    necessary_range,
    scale_and_shift,
    scale_limit,
    spike,
    sufficient_range,
    tilted_pair,
)
from mollified.gaussian import Gaussian
from mollified.mixture import Mixture
from mollified.spaces import Grid

__all__ = ["counterexamples", "mollifier_curves", "scale_and_shift_curves", "tilt_towards_reference"]


def _waves(x: Array) -> list[Array]:
    """Return three continuous densities on [0, 1] with different shapes; each integrates to one exactly."""
    return [
        1 + 0.9 * np.cos(2 * np.pi * x),
        1 + 0.8 * np.sin(4 * np.pi * x),
        0.5 + 0.5 * np.pi * np.sin(np.pi * x) / 2,
    ]


def _peaks(curve: Array) -> NDArray[np.bool_]:
    """Return at which inner points of a grid a curve has a strict local maximum; shape (n - 2,)."""
    found: NDArray[np.bool_] = (curve[1:-1] > curve[:-2]) & (curve[1:-1] > curve[2:])
    return found


def mollifier_curves(levels: Sequence[float], points: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return example densities of a mollifier on [0, 1] for each level, with the two printed ranges.

    Each curve is scale-and-shift of one of three continuous densities, into the sufficient range
    $[e^{-\varepsilon/2},e^{\varepsilon/2}]$. Columns eps, member, x, density; facts: the two ranges and the largest
    log-ratio within each set. Source: v1 Figure 3 (left), v2 and v3 Figure 2 (left).
    """
    check_each("levels", levels, check_eps)
    x = np.linspace(0, 1, check_count("points", points, minimum=11))
    rows, facts = [], {}
    for eps in levels:
        eps = check_eps("levels", eps)
        curves = [scale_and_shift(q, eps, low=float(q.min()), high=float(q.max())) for q in _waves(x)]
        for member, curve in enumerate(curves):
            rows.append(pd.DataFrame({"eps": eps, "member": member, "x": x, "density": curve}))
        stack = np.log(np.stack(curves))
        facts[f"level_{eps:g}"] = float((stack.max(axis=0) - stack.min(axis=0)).max())
        for name, (low, high) in (("necessary", necessary_range(eps)), ("sufficient", sufficient_range(eps))):
            facts[f"{name}_low_{eps:g}"], facts[f"{name}_high_{eps:g}"] = low, high
    return pd.concat(rows, ignore_index=True), facts


def counterexamples(eps: float, points: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return densities that belong to an $\varepsilon$-mollifier and leave the printed necessary range.

    The tilted pair (a 0.0602-mollifier) against the range at `eps`, and the spike that touches both ends of the range
    at level 1. Columns set, member, x, density; facts: the level of the pair, its extremes, both ranges.
    Source: v1 and v2 section 3, v3 section 2.
    """
    x = np.linspace(0, 1, check_count("points", points, minimum=11))
    eps = check_eps("eps", eps)
    one, two = tilted_pair(x)
    width = (1 - np.exp(-1)) / (np.exp(1) - np.exp(-1))
    frames = [
        pd.DataFrame({"set": "pair", "member": 0, "x": x, "density": one}),
        pd.DataFrame({"set": "pair", "member": 1, "x": x, "density": two}),
        pd.DataFrame({"set": "spike", "member": 0, "x": x, "density": spike(x, 1.0, float(width))}),
        pd.DataFrame({"set": "spike", "member": 1, "x": x, "density": np.ones_like(x)}),
    ]
    low, high = necessary_range(eps)
    facts = {
        "level": float(np.abs(np.log(two / one)).max()),
        "max": float(one.max()),
        "min": float(one.min()),
        "low": low,
        "high": high,
        "eps": eps,
        "width": float(width),
        "e": float(np.e),
        "spike_low": necessary_range(1.0)[0],
        "spike_high": necessary_range(1.0)[1],
    }
    return pd.concat(frames, ignore_index=True), facts


def scale_and_shift_curves(eps: float, points: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return a density on [0, 1], its image by scale-and-shift, and the factor a by which derivatives shrink.

    Columns curve, x, density; facts: a, the sufficient range, both modes before and after.
    Source: v1 Figure 3 (right), v2 and v3 Figure 2 (right).
    """
    check_eps("eps", eps)
    x = np.linspace(0, 1, check_count("points", points, minimum=11))
    bumps = np.exp(-(((x - 0.28) / 0.07) ** 2)) + 0.7 * np.exp(-(((x - 0.72) / 0.12) ** 2)) + 0.05
    raw = bumps / np.trapezoid(bumps, x)
    low, high = float(raw.min()), float(raw.max())
    image = scale_and_shift(raw, eps, low=low, high=high)
    table = pd.concat(
        [
            pd.DataFrame({"curve": "Q", "x": x, "density": raw}),
            pd.DataFrame({"curve": "image", "x": x, "density": image}),
        ],
        ignore_index=True,
    )
    bottom, top = sufficient_range(eps)
    second = [int(np.flatnonzero(_peaks(curve))[-1]) + 1 for curve in (raw, image)]
    facts = {
        "a": scale_limit(low, high, eps),
        "eps": eps,
        "low": bottom,
        "high": top,
        "mode_2": float(x[second[0]]),
        "mode_2_image": float(x[second[1]]),
        "mode": float(x[raw.argmax()]),
        "mode_image": float(x[image.argmax()]),
        "max": high,
        "max_image": float(image.max()),
    }
    return table, facts


def tilt_towards_reference(eps: float, nodes: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return P, a Gaussian $Q_0$, and $aP+(1-a)Q_0$ with the largest a that stays in $\mathcal M_{\varepsilon,Q_0}$.

    The relative scale-and-shift: membership is kept, modes are not, since $Q_0$ is not flat. P has two modes and
    smaller tails than $Q_0$, so P/Q_0 is bounded. Columns curve, x, density, for P, Q0, mixed and the bounds low, high
    that $\mathcal M_{\varepsilon,Q_0}$ sets at each x.
    """
    check_eps("eps", eps)
    target = Mixture([Gaussian(np.array([-1.2]), 0.16), Gaussian(np.array([1.2]), 0.16)], np.array([0.6, 0.4]))
    reference = Gaussian.standard(1)
    grid = Grid(np.array([-4.5]), np.array([4.5]), check_count("nodes", nodes))
    x = grid.points[:, 0]
    p, q0 = np.exp(target.log_prob(grid.points)), np.exp(reference.log_prob(grid.points))
    # log P/Q0 of two narrower Gaussians has its supremum near a mean and infimum 0 in the tails
    a = scale_limit(0.0, float((p / q0).max()), eps)
    mixed = a * p + (1 - a) * q0
    low, high = sufficient_range(eps)
    curves = {"P": p, "Q0": q0, "mixed": mixed, "low": low * q0, "high": high * q0}
    table = pd.concat(
        [pd.DataFrame({"curve": name, "x": x, "density": y}) for name, y in curves.items()], ignore_index=True
    )
    interior = _peaks(mixed)
    facts = {
        "a": a,
        "eps": eps,
        "mode_P": float(x[p.argmax()]),
        "mode_mixed": float(x[mixed.argmax()]),
        "modes_mixed": float(interior.sum()),
        "largest_log_ratio": float(np.abs(np.log(mixed / q0)).max()),
    }
    return table, facts
