r"""The printed optimiser beside the fast one, and how many rounds are worth their cost.

Losses can be compared only on one problem. So for the losses the current law is that of
MBDE with a learner that knows both densities, and both recipes get the same points and
the same first weights; what comes out at the end of a whole run (gain, budget spent) is
compared run by run.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import torch
from scipy.special import log_expit

from mollified._validate import Array
from mollified.experiments.mbde_sweep import domain, domain_grid, sweep_domain
from mollified.experiments.task_list import run_tasks, task_rng
from mollified.laws.spaces import Grid
from mollified.training.grid_mbde import cell_sample
from mollified.training.ideal_learner import ideal_log_ratios
from mollified.training.logit_stack import LogitStack, default_device, training_dtype
from mollified.training.recipes import FAST, PRINTED, Recipe, train
from mollified.training.training_nodes import make_nodes
from mollified.training.variants import VARIANTS

__all__ = ["equal_problems", "outcomes", "problems_of_repeat", "rounds_share"]

#: What is trained on each problem; one epoch of the printed recipe is what an untrained
#: network is like.
COMPARED_RECIPES: dict[str, Recipe] = {
    "printed": PRINTED,
    "fast": FAST,
    "one epoch": replace(PRINTED, epochs=1),
}
#: The classes of current laws: bounded classifiers and raw logits.
OUTPUTS = ("clip", "released")
#: How many Gaussians the random domains have here.
RANDOM = 5


def _place(name: str, repeat: int) -> tuple[int, ...]:
    return (RANDOM, repeat) if name.startswith("random") else (repeat,)


def _last_place(table: pd.DataFrame) -> str:
    """Return the column that counts the repeats of a sweep."""
    return [
        str(column) for column in table.columns if str(column).startswith("place_")
    ][-1]


def _cross_entropy(logit: Array, log_p: Array, log_q: Array, weights: Array) -> float:
    r"""Return $-\frac12E_P\log\sigma(\ell)-\frac12E_Q\log\sigma(-\ell)$ by quadrature, in nats."""
    near = np.exp(log_p) * weights
    far = np.exp(log_q) * weights
    return -0.5 * float(near @ log_expit(logit) + far @ log_expit(-logit))


def _trained(
    inside: Array, outside: Array, recipe: Recipe, seed: int, grid: Grid
) -> Array:
    """Train one network; return its logits at the nodes of the grid."""
    device = default_device()
    stack = LogitStack(
        grid.dim, [torch.Generator().manual_seed(seed)], recipe.start, device
    )
    train(stack, make_nodes(inside, outside[np.newaxis], recipe, device), recipe)
    nodes = torch.tensor(
        grid.points.T[np.newaxis].copy(), dtype=training_dtype(), device=device
    )
    values: Array = stack.logits(nodes)[0, 0].double().cpu().numpy().copy()
    return values


def problems_of_repeat(
    name: str, repeat: int, seed: int, eps: float, rounds: int, samples: int
) -> pd.DataFrame:
    """Train each recipe on the same problems: the current laws of `rounds` rounds, bounded and raw.

    Columns domain, repeat, problem, variant (the recipe), eps, loss (test cross-entropy
    by quadrature), least (that of the log-ratio of the densities, which no classifier
    beats; both nats), share (of the drop from log 2 to `least` that is reached).
    """
    place = _place(name, repeat)
    target = domain(name, place, seed)
    reference, grid = domain_grid(target)
    rng = task_rng(seed, *place, 7)
    inside = target.sample(samples, rng)
    log_p = target.log_prob(grid.points)
    log_q0 = reference.log_prob(grid.points)
    problems = {"round 1": log_q0}
    for output in OUTPUTS:
        ratios = ideal_log_ratios(
            log_p, log_q0, grid.weights, eps, VARIANTS[output], rounds
        )
        problems |= {
            f"{output}, round {t}": log_q0 + ratios[t - 1] for t in range(2, rounds + 1)
        }
    rows = []
    for problem, log_q in problems.items():
        outside = cell_sample(grid, log_q, rng.random((samples, 1 + grid.dim)))
        start = int(rng.integers(2**62))
        least = _cross_entropy(log_p - log_q, log_p, log_q, grid.weights)
        for recipe_name, recipe in COMPARED_RECIPES.items():
            logit = _trained(inside, outside, recipe, start, grid)
            loss = _cross_entropy(logit, log_p, log_q, grid.weights)
            share = (np.log(2) - loss) / (np.log(2) - least)
            row: dict[str, Any] = {
                "domain": name,
                "repeat": repeat,
                "problem": problem,
                "variant": recipe_name,
            }
            rows.append(
                row | {"eps": eps, "loss": loss, "least": least, "share": float(share)}
            )
    return pd.DataFrame(rows)


def equal_problems(
    domains: list[str], repeats: int, eps: float, rounds: int, samples: int, seed: int
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return `problems_of_repeat` for all domains and repeats, with columns place_0 (repeat) and place_1 (problem).

    Facts: the number of problems, on how many of them the fast recipe has the lower
    test loss, by how much at least (`margin`, nats, negative where it is higher on
    some), and the largest and smallest excess over `least` of both.
    """
    settings = {"seed": seed, "eps": eps, "rounds": rounds, "samples": samples}
    tasks = [
        {"name": name, "repeat": repeat, **settings}
        for name in domains
        for repeat in range(repeats)
    ]
    table = pd.concat(run_tasks(problems_of_repeat, tasks), ignore_index=True)
    table["place_0"] = table["repeat"]
    table["place_1"] = pd.factorize(table["domain"] + ", " + table["problem"])[0]
    table = table.round({"loss": 6, "least": 6, "share": 6})
    wide = table.pivot_table(
        index=["place_0", "place_1"], columns="variant", values="loss"
    )
    ahead = wide["printed"] - wide["fast"]
    printed = table.set_index(["place_0", "place_1"]).index.map(wide["printed"])
    table["ahead"] = (
        (printed - table["loss"]).to_numpy().round(6)
    )  # below the printed one's loss by so much
    excess = table.assign(excess=table["loss"] - table["least"]).groupby("variant")[
        "excess"
    ]
    facts: dict[str, Any] = {
        "problems": len(wide),
        "fast_lower": int((ahead >= 0).sum()),
        "margin": float(ahead.min()),
        "most_ahead": float(ahead.max()),
        "mean_ahead": float(ahead.mean()),
    }
    for recipe in ("printed", "fast"):
        facts[f"excess_{recipe}_most"] = float(excess.max()[recipe])
        facts[f"excess_{recipe}_mean"] = float(excess.mean()[recipe])
    facts["share_printed_least"] = float(
        table[table["variant"] == "printed"]["share"].min()
    )
    return table, facts


def outcomes(
    domains: list[str],
    variants: list[str],
    repeats: int,
    eps: list[float],
    samples: int,
    seed: int,
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Run each variant as its own source trains it and with the fast recipe, on the same data sets.

    One row a domain, variant, budget and repeat: gain, spent, nll (nats), loss_1 (test
    loss of the first round, where both solve one problem), loss_3, each with `_own` and
    `_fast`. Facts: the smallest and largest difference of gain and spent, fast minus
    own, by domain and in all, and the number of pairs.
    """
    settings = {
        "seed": seed,
        "eps": eps,
        "variants": tuple(variants),
        "samples": samples,
    }
    columns = ["gain", "spent", "nll", "loss_1", "loss_3"]
    parts = []
    for name in domains:
        places = tuple(_place(name, repeat) for repeat in range(repeats))
        by = ["repeat", "variant", "eps"]
        both = [
            sweep_domain(places, name=name, recipe=recipe, **settings)
            .assign(repeat=lambda rows: rows[_last_place(rows)])
            .set_index(by)[columns]
            for recipe in (None, "fast")
        ]
        joined = (
            both[0]
            .add_suffix("_own")
            .join(both[1].add_suffix("_fast"), validate="one_to_one")
            .reset_index()
        )
        parts.append(joined.assign(domain=name))
    table = pd.concat(parts, ignore_index=True).round(6)
    facts: dict[str, Any] = {"pairs": len(table)}
    for quantity in ("gain", "spent"):
        change = table[f"{quantity}_fast"] - table[f"{quantity}_own"]
        facts |= {
            f"{quantity}_low": float(change.min()),
            f"{quantity}_high": float(change.max()),
        }
        for name, rows in change.groupby(table["domain"]):
            facts |= {
                f"{quantity}_low_{name}": float(rows.min()),
                f"{quantity}_high_{name}": float(rows.max()),
            }
    facts["loss_low"] = float((table["loss_1_own"] - table["loss_1_fast"]).min())
    return table, facts


def rounds_share(
    domains: list[str],
    variants: list[str],
    repeats: int,
    eps: list[float],
    rounds: list[int],
    samples: int,
    seed: int,
) -> tuple[pd.DataFrame, dict[str, Any]]:
    r"""Run MBDE for each number of rounds and say which share of the gain of the longest run each reaches.

    One row a domain, variant, budget, number of rounds and repeat (place_0): gain
    (nats), share, and theory, the same share of the caps $1-\theta_T(\varepsilon)$.
    Facts: share_<rounds>_<eps>, the smallest over domains, variants and repeats. The
    fast recipe trains.
    """
    settings = {
        "seed": seed,
        "eps": eps,
        "variants": tuple(variants),
        "samples": samples,
        "recipe": "fast",
    }
    counts = sorted(set(rounds))
    parts = []
    for name in domains:
        places = tuple(_place(name, repeat) for repeat in range(repeats))
        for count in counts:
            run = sweep_domain(places, name=name, rounds=count, **settings)
            part = run[["variant", "eps", "gain"]].assign(
                domain=name, rounds=count, repeat=run[_last_place(run)]
            )
            parts.append(part)
    table = pd.concat(parts, ignore_index=True)
    by = ["domain", "variant", "eps", "repeat"]
    longest = (
        table[table["rounds"] == counts[-1]].set_index(by)["gain"].rename("longest")
    )
    table = table.join(longest, on=by)
    table["share"] = (table["gain"] / table.pop("longest")).round(6)
    steps = {budget: VARIANTS["clip"].steps(budget, counts[-1]) for budget in eps}
    ends = zip(table["eps"], table["rounds"], strict=True)
    table["theory"] = [
        float((1 - steps[budget][t - 1]) / (1 - steps[budget][-1]))
        for budget, t in ends
    ]
    table["place_0"], table["place_1"] = (
        table["repeat"],
        pd.factorize(table["domain"])[0],
    )
    table["gain"] = table["gain"].round(6)
    facts = {
        f"share_{count}_{level:g}": float(
            table[(table["rounds"] == count) & (table["eps"] == level)]["share"].min()
        )
        for count in counts
        for level in eps
    }
    return table, facts
