"""How far one unit in the last place of the data moves a run of MBDE.

In float32 and float64, by recipe and variant. Each run is made twice, on the ring at
eps = 5, T = 3: with the training points as drawn, and with each moved by one unit in
the last place of the type that trains. Shown are the largest difference of log Q_T /
Q_0 at a node (nats), and that difference over the relative size of the unit: the
amplification. The largest difference in float64 is compared with a hundredth of the
tolerance of the figures, 0.02 nats.
"""

from __future__ import annotations

import argparse
import os
from typing import Any

import numpy as np
import torch

from mollified.experiments.mbde_sweep import domain, domain_grid
from mollified.training import RECIPES, VARIANTS, grid_mbde

TARGET = domain("ring")
REFERENCE, GRID = domain_grid(TARGET, 41)
TOLERANCE = 0.02


class Moved:
    """Hold a law whose draws are moved by one unit in the last place of a type."""

    def __init__(self, law: Any, kind: Any) -> None:
        self.law = law
        self.kind = kind
        self.dim = law.dim

    def log_prob(self, x: np.ndarray) -> np.ndarray:
        """Return the law's own."""
        return self.law.log_prob(x)

    def sample(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Return the law's draws, rounded to the type and moved up."""
        points = self.law.sample(n, rng).astype(self.kind)
        return np.nextafter(points, self.kind(np.inf)).astype(np.float64)


def moved(kind: Any, recipe: str, variant: str, samples: int) -> float:
    """Return the largest difference at a node."""
    os.environ["MOLLIFIED_TRAINING"] = np.dtype(kind).name
    runs = [
        grid_mbde(
            law,
            REFERENCE,
            GRID,
            [5.0],
            [VARIANTS[variant]],
            3,
            np.random.default_rng(1),
            recipe=RECIPES[recipe],
            samples=samples,
        )[0]
        for law in (TARGET, Moved(TARGET, kind))
    ]
    return float(np.abs(runs[0].log_ratio - runs[1].log_ratio).max())


def main() -> None:
    """Print a line for each recipe and variant.

    At the end stands the largest difference in float64.
    """
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--samples", type=int, default=2000)
    options = parser.parse_args()
    torch.set_num_threads(1)
    heads = "".join(
        f"{name + ': nats':>15s}{'amplified':>11s}" for name in ("float32", "float64")
    )
    print(f"{'recipe':12s} {'variant':12s}{heads}")
    largest = 0.0
    for recipe in RECIPES:
        for variant in VARIANTS:
            cells = []
            for kind in (np.float32, np.float64):
                value = moved(kind, recipe, variant, options.samples)
                cells.append(f"{value:14.1e} {value / float(np.finfo(kind).eps):10.1e}")
            largest = max(largest, value)
            print(f"{recipe:12s} {variant:12s} {' '.join(cells)}", flush=True)
    verdict = "below" if largest < TOLERANCE / 100 else "ABOVE"
    print(
        f"largest in float64: {largest:.1e} nats, {verdict} a hundredth of {TOLERANCE}"
    )


if __name__ == "__main__":
    main()
