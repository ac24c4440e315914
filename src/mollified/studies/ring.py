r"""The real run of chapter 2: MBDE on the ring of 8 Gaussians, with its certificate, projection and samples."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import pandas as pd
from scipy.stats import chi2

from mollified._densities import check_space
from mollified._validate import Array, check_array, check_count, check_each, check_eps, check_seed
from mollified.boosted_density import BoostedDensity
from mollified.classifiers import BOUNDINGS, Bounding
from mollified.divergences import kl
from mollified.gaussian import Gaussian
from mollified.mbde import mbde
from mollified.network import NetworkLearner, Optimiser
from mollified.rejection import rejection_sample
from mollified.relative_mollifier import Mollification, RelativeMollifier
from mollified.spaces import Grid
from mollified.targets import ring
from mollified.theta import spent_level

__all__ = ["densities", "exact_samples", "log_ratios", "modes_shown", "ring_run"]

#: Significant digits of tabulated densities: more would weigh a megabyte and show nothing.
DIGITS = 6
#: False-alarm rate of the test that the samples have the law Q_T.
ALPHA = 1e-6


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


def _rounded(values: Array) -> Array:
    """Round to DIGITS significant digits."""
    with np.errstate(divide="ignore"):
        scale = np.where(values == 0, 0, np.floor(np.log10(np.abs(np.where(values == 0, 1, values)))))
    factor = 10.0 ** (DIGITS - 1 - scale)
    rounded: Array = np.round(values * factor) / factor
    return rounded


def modes_shown(log_density: Array, grid: Grid) -> int:
    r"""Return how many of the 8 modes a density shows: a strict local maximum within 0.5 of its centre.

    `log_density` has shape (N,), at the points of a two-dimensional grid; the 8 neighbours of a node are compared.
    Raises ValueError or TypeError for other shapes or another space.
    """
    if check_space("grid", grid).dim != 2:
        raise ValueError(f"grid must have two dimensions, got {grid!r}")
    table = check_array("log_density", log_density, shape=(len(grid.points),)).reshape(grid.shape)
    inner = table[1:-1, 1:-1]
    steps = [(i, j) for i in (0, 1, 2) for j in (0, 1, 2) if (i, j) != (1, 1)]
    rows, columns = inner.shape
    peak = np.logical_and.reduce([inner > table[i : i + rows, j : j + columns] for i, j in steps])
    tops = grid.points.reshape(*grid.shape, 2)[1:-1, 1:-1][peak]
    angles = 2 * np.pi * np.arange(8) / 8
    centres = 4 * np.column_stack([np.cos(angles), np.sin(angles)])
    near = np.linalg.norm(tops[:, None, :] - centres[None, :, :], axis=2) <= 0.5
    return int(near.any(axis=0).sum())


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
    projection in nats, the modes that each shows (`modes_shown`), and $\operatorname{KL}(P,Q_0)$.
    """
    _check_settings(eps, rounds, [bounding], samples, steps, optimiser, nodes, seed)
    side = np.linspace(-6, 6, check_count("pixels", pixels, minimum=2))
    mesh = np.stack([a.ravel() for a in np.meshgrid(side, side, indexing="ij")], axis=1)
    target, reference = ring(), Gaussian.standard(2)
    rows, facts = [], {}
    for level in eps:
        learned, projected, grid, _ = ring_run(level, rounds, bounding, samples, steps, optimiser, nodes, seed)
        log_p = target.log_prob(grid.points)
        before = kl(log_p, reference.log_prob(grid.points), grid).value
        facts["kl_before"] = before
        facts[f"delta_{level:g}"] = before - kl(log_p, learned[-1].log_prob(grid.points), grid).value
        facts[f"modes_{level:g}"] = float(modes_shown(learned[-1].log_prob(grid.points), grid))
        facts[f"modes_projection_{level:g}"] = float(modes_shown(projected.log_prob(grid.points), grid))
        facts[f"delta_projection_{level:g}"] = before - kl(log_p, projected.log_prob(grid.points), grid).value
        columns = {
            "target": target.log_prob(mesh),
            "reference": reference.log_prob(mesh),
            "learned": learned[-1].log_prob(mesh),
            "projected": projected.log_prob(mesh),
        }
        frame = pd.DataFrame({"eps": level, "x": np.round(mesh[:, 0], 6), "y": np.round(mesh[:, 1], 6)})
        for name, logs in columns.items():
            frame[name] = _rounded(np.exp(logs))
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


def exact_samples(
    eps: Sequence[float],
    rounds: int,
    bounding: Bounding,
    samples: int,
    steps: int,
    optimiser: Optimiser,
    nodes: int,
    draws: int,
    bins: int,
    seed: int,
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Draw exact samples from each $Q_T$ by rejection under $e^{\varepsilon/2}Q_0$, and count them in bins.

    Columns eps, i, j, x, y (bin centres), count, expected (draws times the mass of $Q_T$ in the bin, by the midpoint
    rule with 9 x 9 nodes a bin).
    Facts per eps: proposals per draw, its expectation $e^{\varepsilon/2}$, and the chi-square statistic over bins with
    at least 10 expected draws (the rest pooled) with its critical value at a false-alarm rate of 1e-6
    (of the limiting law, many draws a bin).
    """
    _check_settings(eps, rounds, [bounding], samples, steps, optimiser, nodes, seed)
    check_count("draws", draws)
    edges = np.linspace(-5.0, 5.0, check_count("bins", bins, minimum=2) + 1)
    width = edges[1] - edges[0]
    centres = (edges[1:] + edges[:-1]) / 2
    inner = (np.arange(9) - 4) / 9 * width
    rows, facts = [], {}
    for level in eps:
        learned, _, _, _ = ring_run(level, rounds, bounding, samples, steps, optimiser, nodes, seed)
        density = learned[-1]
        drawn = rejection_sample(
            density.reference,
            density.log_ratio,
            level / 2,
            draws,
            np.random.default_rng([seed, round(1000 * level)]),
        )
        counts, _, _ = np.histogram2d(drawn.samples[:, 0], drawn.samples[:, 1], bins=[edges, edges])
        fine = (centres[:, None] + inner[None, :]).ravel()
        mesh = np.stack([a.ravel() for a in np.meshgrid(fine, fine, indexing="ij")], axis=1)
        values = np.exp(density.log_prob(mesh)).reshape(bins, 9, bins, 9).mean(axis=(1, 3))
        expected = draws * values * width**2
        statistic, freedom = _chi_square(counts.ravel(), expected.ravel(), draws)
        rows.append(
            pd.DataFrame(
                {
                    "eps": level,
                    "i": np.repeat(np.arange(bins), bins),
                    "j": np.tile(np.arange(bins), bins),
                    "x": np.round(np.repeat(centres, bins), 9),
                    "y": np.round(np.tile(centres, bins), 9),
                    "count": counts.ravel(),
                    "expected": _rounded(expected.ravel()),
                }
            )
        )
        facts[f"proposals_{level:g}"] = drawn.proposals / draws
        facts[f"expected_proposals_{level:g}"] = float(np.exp(level / 2))
        facts[f"chi_{level:g}"] = statistic
        facts[f"critical_{level:g}"] = float(chi2.isf(ALPHA, freedom))
    return pd.concat(rows, ignore_index=True), facts


def _chi_square(counts: Array, expected: Array, draws: int) -> tuple[float, int]:
    """Return Pearson's statistic over bins with at least 10 expected draws, all else pooled, and its freedom.

    Where the pool itself expects fewer than 10 draws it joins the fullest bin, so that no cell is too small.
    """
    full = expected >= 10
    seen, due = counts[full].copy(), expected[full].copy()
    rest_seen, rest_due = draws - seen.sum(), draws - due.sum()
    if rest_due >= 10:
        seen, due = np.append(seen, rest_seen), np.append(due, rest_due)
    else:
        fullest = due.argmax()
        seen[fullest] += rest_seen
        due[fullest] += rest_due
    return float(((seen - due) ** 2 / due).sum()), due.size - 1
