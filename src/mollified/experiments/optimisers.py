r"""The printed optimiser beside the fast one, and how many rounds are worth their cost.

Losses can be compared only on one problem. So for the losses the current law is that of
MBDE with a learner that knows both densities, and both recipes get the same points and
the same first weights; what comes out at the end of a whole run (gain, budget spent) is
compared run by run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import torch

from mollified._validate import Array
from mollified.experiments.mbde_sweep import (
    RunSettings,
    domain,
    domain_grid,
    domain_place,
    sweep_domain,
)
from mollified.experiments.task_list import run_tasks, task_rng
from mollified.laws.spaces import Grid
from mollified.training.grid_mbde import cell_sample, cross_entropy
from mollified.training.ideal_learner import ideal_log_ratios
from mollified.training.logit_stack import LogitStack, default_device, training_dtype
from mollified.training.recipes import FAST, PRINTED, Recipe, train
from mollified.training.training_nodes import make_nodes
from mollified.training.variants import VARIANTS

__all__ = [
    "EqualProblems",
    "RepeatedRuns",
    "equal_problems",
    "outcomes",
    "problems_of_repeat",
    "rounds_share",
]

#: What is trained on each problem; one epoch of the printed recipe is what an untrained
#: network is like.
COMPARED_RECIPES: dict[str, Recipe] = {
    "printed": PRINTED,
    "fast": FAST,
    "one epoch": replace(PRINTED, epochs=1),
}
#: The classes of current laws: bounded classifiers and raw logits.
OUTPUTS = ("clip", "released")


@dataclass(frozen=True)
class RepeatedRuns:
    """Hold what the studies of a page share: domains, repeats, points of P, seed."""

    domains: tuple[str, ...]
    repeats: int
    samples: int
    seed: int

    def swept(
        self,
        name: str,
        eps: Sequence[float],
        variants: Sequence[str],
        recipe: str | None,
        rounds: int = 3,
    ) -> pd.DataFrame:
        """Return `sweep_domain` for all repeats of a domain, with a column repeat."""
        places = [domain_place(name, repeat) for repeat in range(self.repeats)]
        settings = RunSettings(
            name=name,
            seed=self.seed,
            eps=tuple(eps),
            variants=tuple(variants),
            recipe=recipe,
            rounds=rounds,
            samples=self.samples,
        )
        table = sweep_domain(places, settings)
        last = len(places[0]) - 1
        return table.assign(repeat=table[f"place_{last}"])


def _trained(
    inside: Array,
    outside: Array,
    recipe: Recipe,
    seed: int,
    grid: Grid,
) -> Array:
    """Train one network; return its logits at the nodes of the grid."""
    device = default_device()
    generator = torch.Generator().manual_seed(seed)
    stack = LogitStack(grid.dim, [generator], recipe.start, device)
    train(stack, make_nodes(inside, outside[np.newaxis], recipe, device), recipe)
    nodes = torch.tensor(
        grid.points.T[np.newaxis].copy(),
        dtype=training_dtype(),
        device=device,
    )
    values: Array = stack.logits(nodes)[0, 0].double().cpu().numpy().copy()
    return values


def problems_of_repeat(
    name: str,
    repeat: int,
    eps: float,
    rounds: int,
    runs: RepeatedRuns,
) -> pd.DataFrame:
    """Train each recipe on the same problems: the current laws, bounded and raw.

    There is one law for each of `rounds` rounds. Columns domain, repeat, problem,
    variant (the recipe), eps, loss (test cross-entropy by quadrature), least (that of
    the log-ratio of the densities, which no classifier beats; both nats), share (of the
    drop from log 2 to `least` that is reached).
    """
    place = domain_place(name, repeat)
    target = domain(name, place, runs.seed)
    reference, grid = domain_grid(target)
    rng = task_rng(runs.seed, *place, 7)
    inside = target.sample(runs.samples, rng)
    log_p = target.log_prob(grid.points)
    log_q0 = reference.log_prob(grid.points)
    weights_p = np.exp(log_p) * grid.weights
    laws = {"round 1": log_q0}
    for output in OUTPUTS:
        ratios = ideal_log_ratios(
            log_p,
            log_q0,
            grid.weights,
            eps,
            VARIANTS[output],
            rounds,
        )
        for t in range(2, rounds + 1):
            laws[f"{output}, round {t}"] = log_q0 + ratios[t - 1]
    rows = []
    for problem, log_q in laws.items():
        uniforms = rng.random((runs.samples, 1 + grid.dim))
        outside = cell_sample(grid, log_q, uniforms)
        start = int(rng.integers(2**62))
        weights_q = np.exp(log_q) * grid.weights
        least = cross_entropy(log_p - log_q, weights_p, weights_q)
        for recipe_name, recipe in COMPARED_RECIPES.items():
            logit = _trained(inside, outside, recipe, start, grid)
            loss = cross_entropy(logit, weights_p, weights_q)
            share = float((np.log(2) - loss) / (np.log(2) - least))
            rows.append((problem, recipe_name, eps, loss, least, share))
    columns = ["problem", "variant", "eps", "loss", "least", "share"]
    table = pd.DataFrame(rows, columns=columns)
    table.insert(0, "domain", name)
    table.insert(1, "repeat", repeat)
    return table


@dataclass(frozen=True, eq=False)
class EqualProblems:
    """Hold `problems_of_repeat` for all domains and repeats, and the leads of the fast.

    `table` has place_0 (repeat), place_1 (problem) and ahead (by how much the loss is
    below that of the printed recipe) besides; `leads` is how far the fast recipe's test
    loss is below the printed one's, one value a problem, in nats.
    """

    table: pd.DataFrame
    leads: pd.Series[float]


def equal_problems(runs: RepeatedRuns, eps: float, rounds: int) -> EqualProblems:
    """Train both recipes on the same problems, on all domains and repeats."""
    tasks = [
        {"name": name, "repeat": repeat, "eps": eps, "rounds": rounds, "runs": runs}
        for name in runs.domains
        for repeat in range(runs.repeats)
    ]
    table = pd.concat(run_tasks(problems_of_repeat, tasks), ignore_index=True)
    table["place_0"] = table["repeat"]
    table["place_1"] = pd.factorize(table["domain"] + ", " + table["problem"])[0]
    table = table.round({"loss": 6, "least": 6, "share": 6})
    places = ["place_0", "place_1"]
    wide = table.pivot_table(index=places, columns="variant", values="loss")
    printed = table.set_index(places).index.map(wide["printed"].to_dict())
    table["ahead"] = (printed - table["loss"]).to_numpy().round(6)
    return EqualProblems(table, wide["printed"] - wide["fast"])


def outcomes(
    runs: RepeatedRuns,
    variants: Sequence[str],
    eps: Sequence[float],
) -> pd.DataFrame:
    """Run each variant as its own source trains it and by the fast recipe.

    Both get the same data sets. One row a domain, variant, budget and repeat: gain,
    spent, nll (nats), loss_1 (test loss of the first round, where both solve one
    problem), loss_3, each with `_own` and `_fast`.
    """
    columns = ["gain", "spent", "nll", "loss_1", "loss_3"]
    by = ["repeat", "variant", "eps"]
    parts = []
    for name in runs.domains:
        own, fast = (
            runs.swept(name, eps, variants, recipe).set_index(by)[columns]
            for recipe in (None, "fast")
        )
        joined = own.add_suffix("_own").join(
            fast.add_suffix("_fast"), validate="one_to_one"
        )
        parts.append(joined.reset_index().assign(domain=name))
    return pd.concat(parts, ignore_index=True).round(6)


def rounds_share(
    runs: RepeatedRuns,
    variants: Sequence[str],
    eps: Sequence[float],
    rounds: Sequence[int],
) -> pd.DataFrame:
    r"""Run MBDE for each number of rounds, and compare its gain with the longest run's.

    One row a domain, variant, budget, number of rounds and repeat (place_0): gain
    (nats), share, and theory, the same share of the caps $1-\theta_T(\varepsilon)$. The
    fast recipe trains.
    """
    counts = sorted(set(rounds))
    parts = []
    for name in runs.domains:
        for count in counts:
            swept = runs.swept(name, eps, variants, "fast", rounds=count)
            part = swept[["variant", "eps", "gain"]]
            parts.append(part.assign(domain=name, rounds=count, repeat=swept["repeat"]))
    table = pd.concat(parts, ignore_index=True)
    by = ["domain", "variant", "eps", "repeat"]
    last = table[table["rounds"] == counts[-1]].set_index(by)["gain"]
    table = table.join(last.rename("longest"), on=by)
    table["share"] = (table["gain"] / table.pop("longest")).round(6)
    theta = {level: VARIANTS["clip"].steps(level, counts[-1]) for level in eps}
    table["theory"] = [
        float((1 - theta[level][count - 1]) / (1 - theta[level][-1]))
        for level, count in zip(table["eps"], table["rounds"], strict=True)
    ]
    table["place_0"] = table["repeat"]
    table["place_1"] = pd.factorize(table["domain"])[0]
    table["gain"] = table["gain"].round(6)
    return table
