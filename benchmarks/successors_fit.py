"""Run the successors' public MBDE once on the ring, from a copy of their code.

It has an environment of its own. Needs numpy < 2.3, scipy and torch, and nothing of
this package: `ring_fit.py` starts it as a process. Arguments: the folder of the copy,
an .npz to write, an .npz with `points` (N, 2), eps, seed, and perf_counter (two
threads) or process_time (one). Written: the seconds of the whole fit and, of these,
those of the normalisers, and the logits of the three classifiers at the points.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn


def network() -> nn.Sequential:
    """Return their default network; it is here so that its logits can be read."""
    layers: list[nn.Module] = []
    for size in (2, 25, 25):
        layers += [nn.Linear(size, 25), nn.Tanh()]
    return nn.Sequential(*layers, nn.Linear(25, 1), nn.Sigmoid(), nn.Flatten(-2, -1))


def main() -> None:
    """Fit as `utils/mbde.py` does by default, and time rounds and normalisers apart."""
    folder, out, points = (Path(item) for item in sys.argv[1:4])
    eps = float(sys.argv[4])
    seed = int(sys.argv[5])
    sys.path.insert(0, str(folder / "utils"))
    from mbde import mbde_GaussianBase
    from measure import ContinuousMeasure, GaussianMixture_sameVar

    now = getattr(time, sys.argv[6])
    torch.set_num_threads(1 if now is time.process_time else 2)
    torch.manual_seed(seed)
    angles = 2 * np.pi * np.arange(8) / 8
    target = GaussianMixture_sameVar(
        4 * np.column_stack([np.cos(angles), np.sin(angles)]), 0.25, np.full(8, 1 / 8)
    )
    models: list[nn.Sequential] = []

    def generate() -> nn.Sequential:
        models.append(network())
        return models[-1]

    clock = {"normalise": 0.0}
    plain = ContinuousMeasure.normalize

    def timed(self: ContinuousMeasure) -> ContinuousMeasure:
        start = now()
        normalised = plain(self)
        clock["normalise"] += now() - start
        return normalised

    ContinuousMeasure.normalize = timed
    start = now()
    mechanism = mbde_GaussianBase(
        np.zeros(2),
        np.eye(2),
        eps,
        model_generator=generate,
        rng=np.random.default_rng(seed),
    )
    mechanism.perturb(target, num_iter=3)
    total = now() - start
    nodes = torch.tensor(np.load(points)["points"], dtype=torch.float32)
    with torch.no_grad():
        logits = np.stack([model[:7](nodes)[:, 0].numpy() for model in models])
    np.savez(out, logits=logits, total=total, normalise=clock["normalise"])


if __name__ == "__main__":
    main()
