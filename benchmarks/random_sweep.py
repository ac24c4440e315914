"""The random-1D sweep, 400 fits, in at most 20 s on two cores.

m = 1..10, four repeats, ten budgets, MBDE as printed. Beside it, the same fits with
each budget trained on its own (no stack, no shared first classifier), on a tenth of the
data sets, as a ratio of the time of one data set. On a busy machine --cpu-time compares
processor seconds of one thread in one process, and half of them is what two free cores
would take but for the start of the workers.
"""

from __future__ import annotations

import argparse
import time

import torch

from mollified.experiments.mbde_sweep import RunSettings, sweep_seed
from mollified.experiments.task_list import run_tasks

EPS = tuple(0.2 * step for step in range(1, 11))
PLACES = [(m, repeat) for m in range(1, 11) for repeat in range(4)]


def tasks(
    places: list[tuple[int, int]], budgets: list[tuple[float, ...]]
) -> list[dict[str, object]]:
    """Return one task for each place and group of budgets."""
    return [
        {
            "place": place,
            "settings": RunSettings("random-1d", 0, eps, ("clip",), "fast"),
        }
        for place in places
        for eps in budgets
    ]


def main() -> None:
    """Print the seconds of the sweep, and the ratio to one budget at a time."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--cpu-time", action="store_true", help="processor seconds, in this process"
    )
    arguments = parser.parse_args()
    clock = time.process_time if arguments.cpu_time else time.perf_counter
    where = (
        {"backend": "sequential"} if arguments.cpu_time else {"jobs": arguments.jobs}
    )
    torch.set_num_threads(1)
    start = clock()
    tables = run_tasks(sweep_seed, tasks(PLACES, [EPS]), **where)
    whole = clock() - start
    fits = sum(len(table) for table in tables)
    inside = all((table["spent"] <= table["promised"]).all() for table in tables)
    print(
        f"{fits} fits: {whole:.1f} s of {clock.__name__} ({where});"
        f" all inside their mollifier: {inside}",
        flush=True,
    )
    if arguments.cpu_time:
        print(f"on two free cores about {whole / 2:.1f} s (demanded: 20)")
    part = PLACES[2::10]
    times = []
    for budgets in ([EPS], [(eps,) for eps in EPS]):
        start = clock()
        run_tasks(sweep_seed, tasks(part, budgets), **where)
        times.append(clock() - start)
    print(f"one budget at a time takes {times[1] / times[0]:.1f} times as long")


if __name__ == "__main__":
    main()
