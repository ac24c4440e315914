"""Cost against n, d, T and the number of budgets.

Printed is a table, and with --folder a CSV file and a picture. n, T and budgets: whole
fits on the line and on the ring. d = 1..50: the training of one network in each of
three rounds on draws of P and Q0; at d = 1 20 neighbours share a node. Seconds are
processor seconds of one thread, medians of --runs.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from mollified.experiments.mbde_sweep import domain, domain_grid
from mollified.laws import Gaussian
from mollified.training import FAST, PRINTED, VARIANTS, Recipe, grid_mbde
from mollified.training.logit_stack import LogitStack
from mollified.training.recipes import train
from mollified.training.training_nodes import make_nodes

CPU = torch.device("cpu")
BASE = {"n": 10_000, "T": 3, "budgets": 1}
AXES = {
    "n": [1_000, 2_000, 5_000, 10_000, 20_000, 50_000],
    "T": [1, 2, 3, 5, 8],
    "budgets": [1, 2, 5, 10, 20],
}
DIMENSIONS = [1, 2, 5, 10, 20, 50]
LABELS = {
    "n": "points of each class",
    "d": "dimension",
    "T": "rounds",
    "budgets": "number of budgets",
}


def whole_fit(name: str, n: int, rounds: int, budgets: int, recipe: Recipe) -> None:
    """Run MBDE as printed on a domain."""
    target = domain(name)
    reference, grid = domain_grid(target)
    eps = list(np.linspace(0.2, 2.0, budgets)) if budgets > 1 else [1.0]
    rng = np.random.default_rng(1)
    grid_mbde(
        target,
        reference,
        grid,
        eps,
        [VARIANTS["clip"]],
        rounds,
        rng,
        samples=n,
        recipe=recipe,
        device=CPU,
    )


def training(dim: int, n: int, rounds: int, recipe: Recipe) -> None:
    """Train one network a round on draws of two Gaussians in any dimension."""
    rng = np.random.default_rng(1)
    inside = Gaussian(np.full(dim, 0.5), 0.5).sample(n, rng)
    outside = Gaussian.standard(dim).sample(n, rng)[np.newaxis]
    for index in range(rounds):
        stack = LogitStack(dim, [torch.Generator().manual_seed(index)], device=CPU)
        train(stack, make_nodes(inside, outside, recipe, CPU), recipe)


def seconds(function: Callable[[], None], runs: int) -> float:
    """Return the median processor seconds."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return statistics.median(times)


def points(recipe: Recipe) -> Iterator[tuple[str, int, str, Callable[[], None]]]:
    """Give the points of all curves of a recipe: axis, value, curve, what is timed."""
    for name in ("mixture-sd", "ring"):
        for axis, values in AXES.items():
            for value in values:
                at = {**BASE, axis: value}
                fit = partial(whole_fit, name, at["n"], at["T"], at["budgets"], recipe)
                yield axis, value, name, fit
    for dim in DIMENSIONS:
        fit = partial(training, dim, BASE["n"], BASE["T"], recipe)
        yield "d", dim, "training", fit


def measured(runs: int, recipes: list[Recipe]) -> pd.DataFrame:
    """Return one row for each point of each curve."""
    rows = []
    whole_fit("mixture-sd", 1000, 1, 1, FAST)
    for recipe in recipes:
        for axis, value, curve, function in points(recipe):
            cost = seconds(function, runs)
            rows.append((axis, value, curve, recipe.name, round(cost, 4)))
            print(
                f"{axis:8s} {value:6d}  {curve:11s} {recipe.name:8s} {cost:8.3f} s",
                flush=True,
            )
    columns = ["axis", "value", "curve", "recipe", "seconds"]
    return pd.DataFrame(rows, columns=columns)


def picture(table: pd.DataFrame, path: Path) -> None:
    """Draw one panel an axis, on logarithmic scales, with a line of slope one."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(
        1, 4, figsize=(13, 3.4), sharey=True, layout="constrained"
    )
    for panel, axis in zip(panels, ("n", "d", "T", "budgets"), strict=True):
        for (curve, recipe), part in table[table["axis"] == axis].groupby(
            ["curve", "recipe"]
        ):
            panel.loglog(
                part["value"], part["seconds"], marker="o", label=f"{curve}, {recipe}"
            )
        left, right = panel.get_xlim()
        low = table.loc[table["axis"] == axis, "seconds"].min()
        panel.loglog(
            [left, right],
            [low, low * right / left],
            color="0.7",
            linestyle=":",
            label="proportional",
        )
        panel.set(xlabel=LABELS[axis], title=axis)
        marks = sorted(set(table.loc[table["axis"] == axis, "value"]))
        panel.set_xticks(
            marks,
            [f"{mark // 1000}k" if mark >= 1000 else str(mark) for mark in marks],
            fontsize=8,
        )
        panel.minorticks_off()
        panel.legend(fontsize=7)
    panels[0].set_ylabel("processor seconds")
    figure.savefig(path)
    plt.close(figure)


def main() -> None:
    """Print the table; write the files where a folder is named."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--folder", type=Path, help="where cost_curves.csv and cost_curves.svg go"
    )
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument(
        "--printed", action="store_true", help="the printed optimiser too: slow"
    )
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    table = measured(arguments.runs, [FAST, PRINTED] if arguments.printed else [FAST])
    if arguments.folder:
        arguments.folder.mkdir(parents=True, exist_ok=True)
        files = [arguments.folder / f"cost_curves.{end}" for end in ("csv", "svg")]
        table.to_csv(files[0], index=False)
        picture(table, files[1])
        print(f"written: {files[0]}, {files[1]}")


if __name__ == "__main__":
    main()
