"""One learned log-ratio with the closed-form clip beside MBDE: seconds and gains.

T = 3, both with a fast recipe. Timed in turns, for one budget and for ten. The pool on
which the constant of the clip is solved is timed as a part. --cpu-time compares
processor seconds of one thread, which other programs disturb less.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time

import numpy as np
import torch
from scipy.special import logsumexp

from mollified.experiments.mbde_sweep import domain, domain_grid
from mollified.training import FAST, VARIANTS, grid_mbde
from mollified.training.clipped_ratio import clip_score, learn_log_ratio, pool_scores

CLOCK = time.process_time if "--cpu-time" in sys.argv else time.perf_counter
POOL = 2**21
CPU = torch.device("cpu")


def boosted(name: str, eps: list[float], seed: int) -> tuple[float, float]:
    """Return the seconds of MBDE as printed, and the mean gain over the budgets."""
    target = domain(name)
    reference, grid = domain_grid(target)
    start = CLOCK()
    rng = np.random.default_rng(seed)
    runs = grid_mbde(
        target,
        reference,
        grid,
        eps,
        [VARIANTS["clip"]],
        3,
        rng,
        recipe=FAST,
        device=CPU,
    )
    seconds = CLOCK() - start
    weights = np.exp(target.log_prob(grid.points)) * grid.weights
    return seconds, statistics.mean(float(weights @ run.log_ratio) for run in runs)


def clipped(
    name: str, eps: list[float], seed: int, pool_seconds: list[float]
) -> tuple[float, float]:
    """Return the seconds of one ratio and its clips, and the mean gain.

    `pool_seconds` takes the seconds of the pool.
    """
    target = domain(name)
    reference, grid = domain_grid(target)
    start = CLOCK()
    rng = np.random.default_rng(seed)
    learned = learn_log_ratio(target, reference, rng, device=CPU)
    between = CLOCK()
    scores = pool_scores(learned, reference, POOL, rng)
    laws = [clip_score(learned, reference, level, scores) for level in eps]
    seconds = CLOCK() - start
    pool_seconds.append(CLOCK() - between)
    weights = np.exp(target.log_prob(grid.points)) * grid.weights
    base = reference.log_prob(grid.points) + np.log(grid.weights)
    gains = []
    for law in laws:
        statistic = law.statistic(grid.points)
        gains.append(
            float(weights @ statistic)
            - float(logsumexp(base + statistic) - logsumexp(base))
        )
    return seconds, statistics.mean(gains)


def main() -> None:
    """Print seconds, gains and ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument(
        "--cpu-time", action="store_true", help="processor seconds of one thread"
    )
    arguments = parser.parse_args()
    torch.set_num_threads(1 if arguments.cpu_time else 2)
    print(f"{torch.get_num_threads()} thread(s), {CLOCK.__name__}, pool {POOL}")
    boosted("mixture-sd", [1.0], 0), clipped("mixture-sd", [1.0], 0, [])
    for name in ("mixture-sd", "ring"):
        for eps in ([1.0], [0.5 * step for step in range(1, 11)]):
            pool: list[float] = []
            pairs = [
                (boosted(name, eps, seed), clipped(name, eps, seed, pool))
                for seed in range(1, arguments.runs + 1)
            ]
            (slow, quick), (gain, other) = (
                [
                    statistics.median(pair[which][part] for pair in pairs)
                    for which in (0, 1)
                ]
                for part in (0, 1)
            )
            print(
                f"{name:10s} {len(eps):2d} budget(s): MBDE {slow:6.2f} s,"
                f" gain {gain:.3f}; one ratio {quick:6.2f} s"
                f" (pool {statistics.median(pool):.2f} s), gain {other:.3f};"
                f" ratio of seconds {quick / slow:.2f}, of gains {other / gain:.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
