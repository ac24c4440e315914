"""One MBDE fit on the ring: the book's quick optimiser beside the one that the papers print, with both losses."""

from __future__ import annotations

import time

import numpy as np
import torch

from mollified.gaussian import Gaussian
from mollified.mbde import mbde
from mollified.network import NetworkLearner
from mollified.spaces import Grid
from mollified.targets import ring


def fit(optimiser: str, steps: int, rate: float) -> tuple[float, list[float]]:
    """Return the seconds of one fit (T = 3, eps = 1, 10,000 samples a class) and the loss of each round."""
    target, reference = ring(), Gaussian.standard(2)
    grid = Grid.covering([target, reference], nodes=241)
    learner = NetworkLearner("clip", steps=steps, optimiser=optimiser, learning_rate=rate)
    start = time.perf_counter()
    mbde(target, reference, 1.0, 3, learner, grid, np.random.default_rng(1))
    return time.perf_counter() - start, learner.losses


def main() -> None:
    """Print both fits and the ratio of their times."""
    print(f"threads {torch.get_num_threads()}, device {NetworkLearner('clip').device}")
    quick, quick_losses = fit("adam", 150, 0.02)
    printed, printed_losses = fit("nesterov", 750, 0.01)
    for name, seconds, losses in (("adam 150", quick, quick_losses), ("nesterov 750", printed, printed_losses)):
        print(f"{name:13s} {seconds:6.1f} s   cross-entropy by round: {', '.join(f'{x:.4f}' for x in losses)}")
    print(f"ratio {printed / quick:.1f}")


if __name__ == "__main__":
    main()
