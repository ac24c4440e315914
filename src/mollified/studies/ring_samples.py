r"""Exact samples of the ring run, counted in bins and tested against the density."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import chi2

from mollified._validate import Array, check_count
from mollified.classifiers import Bounding
from mollified.network import Optimiser
from mollified.rejection import rejection_sample
from mollified.studies.ring import _check_settings, _significant, ring_run

__all__ = ["ALPHA", "exact_samples"]

#: False-alarm rate of the test that the samples have the law Q_T.
ALPHA = 1e-6


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
                    "expected": _significant(expected.ravel()),
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
