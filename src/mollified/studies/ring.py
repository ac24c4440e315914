r"""The real run of chapter 2: MBDE on the ring of 8 Gaussians, with its certificate, projection and samples."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import pandas as pd

from mollified._validate import Array, check_count, check_each, check_eps, check_seed
from mollified.boosted_density import BoostedDensity
from mollified.classifiers import BOUNDINGS, Bounding
from mollified.divergences import kl
from mollified.gaussian import Gaussian
from mollified.mbde import mbde
from mollified.modes import modes_shown
from mollified.network import NetworkLearner, Optimiser
from mollified.relative_mollifier import Mollification, RelativeMollifier
from mollified.spaces import Grid
from mollified.targets import ring
from mollified.theta import spent_level

__all__ = ["densities", "log_ratios", "ring_run"]

#: Significant digits of tabulated densities: more would weigh a megabyte and show nothing.
DIGITS = 6


@lru_cache(maxsize=8)
def ring_run(
    eps: float,
    rounds: int,
    bounding: Bounding,
    samples: int,
    steps: int,
    optimiser: Optimiser,
    nodes: int,
    seed: int,
) -> tuple[list[BoostedDensity], Mollification, Grid, tuple[float, ...]]:
    r"""Run MBDE on the ring with the papers' network, and project; returns (densities, projection, grid, losses).

    `steps` and `optimiser` go to `NetworkLearner`; `nodes` per axis of the grid that carries the normaliser. Runs
    with equal settings are kept, since several figures show the same run. The first classifier does not depend on eps.
    """
    target, reference = ring(), Gaussian.standard(2)
    grid = Grid.covering([target, reference], nodes=nodes)
    learning_rate = 0.01 if optimiser == "nesterov" else 0.02
    learner = NetworkLearner(bounding, samples=samples, steps=steps, optimiser=optimiser, learning_rate=learning_rate)
    learned = mbde(target, reference, eps, rounds, learner, grid, np.random.default_rng(seed))
    projected = RelativeMollifier(reference, eps).project(target, grid)
    return learned, projected, grid, tuple(learner.losses)


def _check_settings(
    eps: object,
    rounds: object,
    boundings: object,
    samples: object,
    steps: object,
    optimiser: object,
    nodes: object,
    seed: object,
) -> None:
    """Raise an error that names the first setting of a run that makes no sense."""
    check_each("eps", eps, check_eps)
    if not isinstance(boundings, list | tuple) or not boundings or any(item not in BOUNDINGS for item in boundings):
        raise ValueError(f"boundings must each be one of {', '.join(BOUNDINGS)}, got {boundings!r}")
    if optimiser not in ("nesterov", "adam"):
        raise ValueError(f"optimiser must be nesterov or adam, got {optimiser!r}")
    for name, value in (("rounds", rounds), ("samples", samples), ("steps", steps)):
        check_count(name, value)
    if check_count("nodes", nodes, minimum=5) % 4 != 1:
        raise ValueError(f"nodes must be of the form 4 k + 1, got {nodes!r}")
    check_seed("seed", seed)


def _significant(values: Array) -> Array:
    """Round to DIGITS significant digits."""
    with np.errstate(divide="ignore"):
        scale = np.where(values == 0, 0, np.floor(np.log10(np.abs(np.where(values == 0, 1, values)))))
    factor = 10.0 ** (DIGITS - 1 - scale)
    rounded: Array = np.round(values * factor) / factor
    return rounded


def densities(
    eps: Sequence[float],
    rounds: int,
    bounding: Bounding,
    samples: int,
    steps: int,
    optimiser: Optimiser,
    nodes: int,
    pixels: int,
    seed: int,
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return target, $Q_0$, $Q_T$ and the projection on a square of `pixels` x `pixels`, for each eps.

    Columns eps, x, y, target, reference, learned, projected. Facts per eps: the gain $\Delta$ of $Q_T$ and of the
    projection in nats, the modes that each shows (a local maximum within 0.5, one standard deviation, of the centre),
    and $\operatorname{KL}(P,Q_0)$.
    """
    _check_settings(eps, rounds, [bounding], samples, steps, optimiser, nodes, seed)
    side = np.linspace(-6, 6, check_count("pixels", pixels, minimum=2))
    mesh = np.stack([a.ravel() for a in np.meshgrid(side, side, indexing="ij")], axis=1)
    target, reference = ring(), Gaussian.standard(2)
    centres = np.stack([c.mean for c in target.components if isinstance(c, Gaussian)])
    rows, facts = [], {}
    for level in eps:
        learned, projected, grid, _ = ring_run(level, rounds, bounding, samples, steps, optimiser, nodes, seed)
        log_p = target.log_prob(grid.points)
        before = kl(log_p, reference.log_prob(grid.points), grid).value
        facts["kl_before"] = before
        facts[f"delta_{level:g}"] = before - kl(log_p, learned[-1].log_prob(grid.points), grid).value
        facts[f"modes_{level:g}"] = float(modes_shown(learned[-1].log_prob(grid.points), grid, centres, 0.5))
        facts[f"modes_projection_{level:g}"] = float(modes_shown(projected.log_prob(grid.points), grid, centres, 0.5))
        facts[f"delta_projection_{level:g}"] = before - kl(log_p, projected.log_prob(grid.points), grid).value
        columns = {
            "target": target.log_prob(mesh),
            "reference": reference.log_prob(mesh),
            "learned": learned[-1].log_prob(mesh),
            "projected": projected.log_prob(mesh),
        }
        frame = pd.DataFrame({"eps": level, "x": np.round(mesh[:, 0], 6), "y": np.round(mesh[:, 1], 6)})
        for name, logs in columns.items():
            frame[name] = _significant(np.exp(logs))
        rows.append(frame)
    return pd.concat(rows, ignore_index=True), facts


def log_ratios(
    eps: Sequence[float],
    rounds: int,
    boundings: Sequence[Bounding],
    samples: int,
    steps: int,
    optimiser: Optimiser,
    nodes: int,
    seed: int,
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return, per eps and way of bounding, sup $|\log Q_t/Q_0|$ on the grid for t = 1..T against its bounds.

    Columns eps, bounding, t, observed, promised ($2\log2\sum\theta$), half (eps/2), overrun, mass_gap, mass_error,
    loss (cross-entropy of round t). Facts: shares of eps/2 reached at T, the unused budget.
    """
    _check_settings(eps, rounds, boundings, samples, steps, optimiser, nodes, seed)
    rows, facts = [], {}
    for level in eps:
        for bounding in boundings:
            learned, _, _, losses = ring_run(level, rounds, bounding, samples, steps, optimiser, nodes, seed)
            for t, density in enumerate(learned, start=1):
                seen = density.certificate()
                rows.append(
                    (
                        level,
                        bounding,
                        t,
                        seen.observed,
                        seen.promised,
                        level / 2,
                        seen.overrun,
                        abs(seen.mass - 1),
                        seen.mass_error,
                        losses[t - 1],
                    )
                )
            facts[f"observed_{bounding}_{level:g}"] = rows[-1][3]
            facts[f"share_{bounding}_{level:g}"] = rows[-1][3] / (level / 2)
        facts[f"promised_{level:g}"] = spent_level(level, rounds) / 2
        facts[f"unused_{level:g}"] = 1 - spent_level(level, rounds) / level
    columns = [
        "eps",
        "bounding",
        "t",
        "observed",
        "promised",
        "half",
        "overrun",
        "mass_gap",
        "mass_error",
        "loss",
    ]
    return pd.DataFrame(rows, columns=columns), facts
