r"""How much of the ceiling $\varepsilon/2$ each method gains, on every domain, and what holds it back."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from mollified._validate import Array
from mollified.boosting.mbde_family import closest_level
from mollified.boosting.theta import LOG2
from mollified.experiments.mbde_sweep import domain, domain_grid, sweep_domain
from mollified.experiments.task_list import run_tasks, task_rng
from mollified.mollifiers.relative_mollifier import clip_constant
from mollified.training.clipped_ratio import clip_score, learn_log_ratio, pool_scores
from mollified.training.ideal_learner import ideal_log_ratios
from mollified.training.variants import find_variant

__all__ = ["causes", "curves"]

PLANE = ("ring", "random-2d")
#: m of the random domains.
MODES = 5


def _place(name: str, repeat: int) -> tuple[int, ...]:
    return (MODES, repeat) if name.startswith("random") else (repeat,)


def _gain(weights_p: Array, weights_q: Array, statistic: Array) -> float:
    """Return the gain of the density proportional to Q0 exp(statistic), by quadrature."""
    top = float(statistic.max())
    return (
        float(weights_p @ statistic)
        - top
        - float(np.log(weights_q @ np.exp(statistic - top)))
    )


def _best_gains(
    log_p: Array, log_q0: Array, weights: Array, eps: float, rounds: int = 3
) -> dict[str, float]:
    r"""Return the gains in nats that need no training, by quadrature.

    "projection": the mollification; "family": the closest density of oscillation
    $\varepsilon/2$, the limit of what MBDE can output; "bayes", "bayes-tanh": MBDE with
    the log-ratio itself as logit, bounded, in `rounds` rounds; "bayes-1": the same with
    one round of step $\varepsilon/(4\log2)$.
    """
    log_c = clip_constant(log_p, log_q0, weights, eps)
    weights_p = np.exp(log_p) * weights
    weights_q = np.exp(log_q0) * weights
    weights_q /= weights_q.sum()
    ratio = log_p - log_q0
    clip = find_variant("clip")
    low = closest_level(ratio, weights_q, eps / 2)
    statistics = {
        "projection": np.clip(ratio - log_c, -eps / 2, eps / 2),
        "family": np.clip(ratio, low, low + eps / 2),
        "bayes": ideal_log_ratios(log_p, log_q0, weights, eps, clip, rounds)[-1],
        "bayes-tanh": ideal_log_ratios(
            log_p, log_q0, weights, eps, find_variant("tanh"), rounds
        )[-1],
        "bayes-1": eps / (4 * LOG2) * clip.classifier(ratio),
    }
    return {
        name: _gain(weights_p, weights_q, item) for name, item in statistics.items()
    }


def _gains_of_place(
    name: str, place: tuple[int, ...], seed: int, eps: tuple[float, ...], pool: int
) -> pd.DataFrame:
    r"""Return all gains of one domain and repeat but those of trained MBDE: columns method, eps, gain, kl (of P, Q0).

    Besides those of `_best_gains`, which need no training, those of laws made of one
    learned log-ratio. "closed": the clip whose constant is solved on `pool` draws;
    "one-round": MBDE with one round of step $\varepsilon/(4\log2)$, the logit clipped
    to $\pm\log2$. The constant comes from the pool, the gain from quadrature.
    """
    target = domain(name, place, seed)
    reference, grid = domain_grid(target)
    log_p = target.log_prob(grid.points)
    log_q0 = reference.log_prob(grid.points)
    weights_p = np.exp(log_p) * grid.weights
    weights_q = np.exp(log_q0) * grid.weights
    rows = [
        (method, level, gain)
        for level in eps
        for method, gain in _best_gains(log_p, log_q0, grid.weights, level).items()
    ]
    learned = learn_log_ratio(target, reference, task_rng(seed, *place, 2))
    scores = pool_scores(learned, reference, pool, task_rng(seed, *place, 3))
    logit = learned(grid.points)
    clip = find_variant("clip")
    for level in eps:
        released = clip_score(learned, reference, level, scores)
        closed = np.clip(logit - released.shift, -released.width, released.width)
        for method, item in (
            ("closed", closed),
            ("one-round", level / (4 * LOG2) * clip.classifier(logit)),
        ):
            rows.append((method, level, _gain(weights_p, weights_q, item)))
    divergence = float(weights_p @ (log_p - log_q0))
    return pd.DataFrame(rows, columns=["method", "eps", "gain"]).assign(kl=divergence)


@lru_cache(maxsize=4)
def _everything(
    domains: tuple[str, ...],
    repeats: tuple[int, ...],
    seed: int,
    eps: tuple[float, ...],
    fine: tuple[float, ...],
    recipe: str | None,
    plane_variants: tuple[str, ...],
    pool: int,
) -> pd.DataFrame:
    """Return columns domain, repeat, method, eps, gain, kl for all methods; each domain has its number of `repeats`.

    In the plane only `plane_variants` are trained; what needs no training of MBDE is at
    the budgets `fine` too.
    """
    levels = tuple(sorted({*eps, *fine}))
    places = [
        (name, repeat)
        for name, count in zip(domains, repeats, strict=True)
        for repeat in range(count)
    ]
    tasks = [
        {
            "name": name,
            "place": _place(name, repeat),
            "seed": seed,
            "eps": levels,
            "pool": pool,
        }
        for name, repeat in places
    ]
    parts = [
        part.assign(domain=name, repeat=repeat)
        for (name, repeat), part in zip(
            places, run_tasks(_gains_of_place, tasks), strict=True
        )
    ]
    distances = {
        place: float(part["kl"].iloc[0])
        for place, part in zip(places, parts, strict=True)
    }
    for name, count in zip(domains, repeats, strict=True):
        variants = plane_variants if name in PLANE else ("clip", "tanh")
        chosen = tuple(_place(name, repeat) for repeat in range(count))
        swept = sweep_domain(
            chosen, name=name, seed=seed, eps=eps, variants=variants, recipe=recipe
        )
        last = "place_1" if name.startswith("random") else "place_0"
        found = swept.rename(columns={"variant": "method", last: "repeat"})[
            ["method", "eps", "gain", "repeat"]
        ]
        parts.append(
            found.assign(
                domain=name, kl=[distances[name, int(item)] for item in found["repeat"]]
            )
        )
    table: pd.DataFrame = pd.concat(parts, ignore_index=True)
    return table


def _raw(settings: Mapping[str, Any]) -> pd.DataFrame:
    """Return `_everything` for settings whose lists need not be tuples."""
    return _everything(
        **{
            name: tuple(item) if isinstance(item, list) else item
            for name, item in settings.items()
        }
    )


def _summed(table: pd.DataFrame) -> pd.DataFrame:
    """Return mean, smallest and largest gain over repeats, and the same of the share of the projection's gain."""
    best = table[table["method"] == "projection"].set_index(
        ["domain", "repeat", "eps"]
    )["gain"]
    share = (
        table["gain"]
        / best.loc[
            list(zip(table["domain"], table["repeat"], table["eps"], strict=True))
        ].to_numpy()
    )
    grouped = table.assign(share=share).groupby(["domain", "method", "eps"], sort=False)
    summed: pd.DataFrame = grouped.agg(
        gain=("gain", "mean"),
        low=("gain", "min"),
        high=("gain", "max"),
        share=("share", "mean"),
        least_share=("share", "min"),
        most_share=("share", "max"),
    ).reset_index()
    return summed


def curves(**settings: Any) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the gain of every method against the budget: columns domain, method, eps, gain, low, high, share...

    The settings are those of `_everything`. Gains in nats, mean and extremes over
    `repeats` data sets (on random domains each with its own target of five components);
    `share` is that of the gain of the mollification. Facts: mean KL(P, Q0) of each
    domain, the least share of the closed form up to and beyond budget 2.
    """
    raw = _raw(settings)
    table = _summed(raw[~raw["method"].isin(("bayes-1", "one-round"))])
    facts = {}
    for name, rows in raw[raw["method"] == "projection"].groupby("domain", sort=False):
        facts[f"kl_{name}"] = float(rows.drop_duplicates("repeat")["kl"].mean())
    closed = table[table["method"] == "closed"]
    facts["closed_small"] = float(closed[closed["eps"] <= 2]["least_share"].min())
    facts["closed_large"] = float(closed[closed["eps"] > 2]["least_share"].min())
    for method in ("clip", "tanh"):
        found = table[table["method"] == method]["share"]
        facts[f"least_{method}"] = float(found.min())
        facts[f"most_{method}"] = float(found.max())
    return table, facts


def causes(**settings: Any) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return which part of the shortfall is due to what: columns as `curves`, for the budgets `eps` only.

    Methods clip and bayes (three rounds, trained and with the best classifier),
    one-round and bayes-1, family, closed. Facts: the least lead of one round over
    three, in nats, trained and not; the largest loss by learning.
    """
    raw = _raw(settings)
    raw = raw[
        raw["eps"].isin(settings["eps"]) & ~raw["method"].isin(("tanh", "bayes-tanh"))
    ]
    table = _summed(raw)
    wide = raw.pivot_table(
        index=["domain", "repeat", "eps"], columns="method", values="gain"
    )
    facts = {
        "lead_bayes": float((wide["bayes-1"] - wide["bayes"]).min()),
        "lead_trained": float((wide["one-round"] - wide["clip"]).min()),
        "runs": float(len(wide)),
        "learning_loss": float(
            ((wide["bayes"] - wide["clip"]) / wide["projection"]).max()
        ),
        "bound_loss": float((1 - wide["family"] / wide["projection"]).max()),
        "one_round_of_family": float((wide["one-round"] / wide["family"]).min()),
    }
    return table, facts
