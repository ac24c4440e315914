"""Find where numpy's random stream stands before each target of a figure.

It is Figure 4 of Park, Asoodeh and Lee (NeurIPS 2024). `python
data/provenance/park_states.py` writes data/datasets/park-states.csv (about ten
minutes). Between two targets the published program runs six sets of 10,000 Metropolis
chains, 1,001 steps each, from the same generator. A step takes 10,000 normal numbers,
which have to be drawn, and 10,000 uniform ones, over which a PCG64 can jump.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

TARGET = Path(__file__).resolve().parents[1] / "datasets" / "park-states.csv"
SEEDS = (1, 2, 3, 4, 5)
TARGETS = 100
CHAINS = 10_000
STEPS = 6 * 1001


def states(seed: int) -> Iterator[int]:
    """Yield the state of the generator before each target."""
    rng = np.random.default_rng(seed)
    stream = rng.bit_generator
    room = np.empty(CHAINS)
    for _ in range(TARGETS):
        yield stream.state["state"]["state"]
        modes = min(rng.poisson(2) + 1, 10)
        rng.uniform(-1, 1, (modes, 1))
        rng.dirichlet(np.ones(modes))
        for _ in range(STEPS):
            rng.standard_normal(out=room)
            stream.advance(CHAINS)  # type: ignore[attr-defined]


if __name__ == "__main__":
    lines = ["seed,target,state"]
    for seed in SEEDS:
        for target, state in enumerate(states(seed)):
            lines.append(f"{seed},{target},{state:032x}")
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
