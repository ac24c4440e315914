r"""How much of the ceiling $\varepsilon/2$ each method gains, and why not all."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from mollified._validate import Array
from mollified.boosting.mbde_family import closest_level
from mollified.boosting.theta import LOG2
from mollified.experiments.mbde_sweep import (
    RunSettings,
    domain,
    domain_grid,
    domain_place,
    sweep_domain,
)
from mollified.experiments.task_list import run_tasks, task_rng
from mollified.mollifiers.relative_mollifier import clip_constant
from mollified.training.clipped_ratio import clip_score, learn_log_ratio, pool_scores
from mollified.training.ideal_learner import ideal_log_ratios
from mollified.training.variants import Variant, find_variant

__all__ = ["Causes", "LimitSettings", "causes", "curves", "divergences"]

PLANE = ("ring", "random-2d")
LINE_VARIANTS = ("clip", "tanh")
ROUNDS = 3


@dataclass(frozen=True)
class LimitSettings:
    """Hold what is run: on each domain, its number of repeats.

    In the plane only `plane_variants` are trained; what needs no training of MBDE is at
    the budgets `fine` too, and at `eps`. `recipe` None takes each variant's own; `pool`
    is the number of fresh draws that the closed form's constant is solved on.
    """

    repeats: tuple[tuple[str, int], ...]
    seed: int
    eps: tuple[float, ...]
    fine: tuple[float, ...]
    recipe: str | None
    plane_variants: tuple[str, ...]
    pool: int


def _gain(weights_p: Array, weights_q: Array, statistic: Array) -> float:
    """Return the gain of the density proportional to Q0 exp(statistic)."""
    top = float(statistic.max())
    log_mass = float(np.log(weights_q @ np.exp(statistic - top)))
    return float(weights_p @ statistic) - top - log_mass


def _best_gains(
    log_p: Array,
    log_q0: Array,
    weights: Array,
    eps: float,
) -> dict[str, float]:
    r"""Return the gains in nats that need no training, by quadrature.

    "projection": the mollification; "family": the closest density of oscillation
    $\varepsilon/2$, the limit of what MBDE can output; "bayes", "bayes-tanh": MBDE with
    the log-ratio itself as logit, bounded, in three rounds; "bayes-1": the same with
    one round of step $\varepsilon/(4\log2)$.
    """
    log_c = clip_constant(log_p, log_q0, weights, eps)
    weights_p = np.exp(log_p) * weights
    weights_q = np.exp(log_q0) * weights
    weights_q /= weights_q.sum()
    ratio = log_p - log_q0
    clip = find_variant("clip")
    tanh = find_variant("tanh")
    low = closest_level(ratio, weights_q, eps / 2)

    def trained(variant: Variant) -> Array:
        return ideal_log_ratios(log_p, log_q0, weights, eps, variant, ROUNDS)[-1]

    statistics = {
        "projection": np.clip(ratio - log_c, -eps / 2, eps / 2),
        "family": np.clip(ratio, low, low + eps / 2),
        "bayes": trained(clip),
        "bayes-tanh": trained(tanh),
        "bayes-1": eps / (4 * LOG2) * clip.classifier(ratio),
    }
    return {
        name: _gain(weights_p, weights_q, item) for name, item in statistics.items()
    }


def _gains_of_place(
    name: str,
    repeat: int,
    settings: LimitSettings,
    eps: tuple[float, ...],
) -> pd.DataFrame:
    r"""Return all gains of one domain and repeat but those of trained MBDE.

    Columns method, eps, gain, kl (of P, Q0), domain, repeat. Besides the gains of
    `_best_gains`, which need no training, those of laws made of one learned log-ratio.
    "closed": the clip whose constant is solved on the pool; "one-round": MBDE with one
    round of step $\varepsilon/(4\log2)$, the logit clipped to $\pm\log2$. The constant
    comes from the pool, the gain from quadrature.
    """
    place = domain_place(name, repeat)
    target = domain(name, place, settings.seed)
    reference, grid = domain_grid(target)
    log_p = target.log_prob(grid.points)
    log_q0 = reference.log_prob(grid.points)
    weights_p = np.exp(log_p) * grid.weights
    weights_q = np.exp(log_q0) * grid.weights
    rows = []
    for level in eps:
        best = _best_gains(log_p, log_q0, grid.weights, level)
        rows += [(method, level, gain) for method, gain in best.items()]
    learned = learn_log_ratio(target, reference, task_rng(settings.seed, *place, 2))
    scores = pool_scores(
        learned,
        reference,
        settings.pool,
        task_rng(settings.seed, *place, 3),
    )
    logit = learned(grid.points)
    bounded = find_variant("clip").classifier(logit)
    for level in eps:
        law = clip_score(learned, reference, level, scores)
        statistics = {
            "closed": np.clip(logit - law.shift, -law.width, law.width),
            "one-round": level / (4 * LOG2) * bounded,
        }
        for method, statistic in statistics.items():
            rows.append((method, level, _gain(weights_p, weights_q, statistic)))
    table = pd.DataFrame(rows, columns=["method", "eps", "gain"])
    divergence = float(weights_p @ (log_p - log_q0))
    return table.assign(kl=divergence, domain=name, repeat=repeat)


def _trained_gains(name: str, count: int, settings: LimitSettings) -> pd.DataFrame:
    """Return the gains of trained MBDE: columns method, eps, gain, repeat, domain."""
    swept = sweep_domain(
        [domain_place(name, repeat) for repeat in range(count)],
        RunSettings(
            name=name,
            seed=settings.seed,
            eps=settings.eps,
            variants=settings.plane_variants if name in PLANE else LINE_VARIANTS,
            recipe=settings.recipe,
        ),
    )
    repeats = "place_1" if name.startswith("random") else "place_0"
    gains = swept.rename(columns={"variant": "method", repeats: "repeat"})
    return gains[["method", "eps", "gain", "repeat"]].assign(domain=name)


@lru_cache(maxsize=4)
def _all_gains(settings: LimitSettings) -> pd.DataFrame:
    """Return columns method, eps, gain, kl (untrained only), domain, repeat."""
    levels = tuple(sorted({*settings.eps, *settings.fine}))
    tasks = []
    for name, count in settings.repeats:
        for repeat in range(count):
            task = {"name": name, "repeat": repeat, "settings": settings}
            tasks.append({**task, "eps": levels})
    untrained = pd.concat(run_tasks(_gains_of_place, tasks), ignore_index=True)
    trained = [
        _trained_gains(name, count, settings) for name, count in settings.repeats
    ]
    table: pd.DataFrame = pd.concat([untrained, *trained], ignore_index=True)
    return table


def _summed(table: pd.DataFrame) -> pd.DataFrame:
    """Return mean and extremes over repeats of the gain, and of its share.

    Columns domain, method, eps, gain, low, high, share, least_share, most_share; shares
    are of the projection's gain.
    """
    by = ["domain", "repeat", "eps"]
    best = table[table["method"] == "projection"].set_index(by)["gain"]
    shares = table["gain"] / table[by].join(best.rename("best"), on=by)["best"]
    grouped = table.assign(share=shares).groupby(
        ["domain", "method", "eps"], sort=False
    )
    summed: pd.DataFrame = grouped.agg(
        gain=("gain", "mean"),
        low=("gain", "min"),
        high=("gain", "max"),
        share=("share", "mean"),
        least_share=("share", "min"),
        most_share=("share", "max"),
    ).reset_index()
    return summed


def curves(settings: LimitSettings) -> pd.DataFrame:
    r"""Return the gain of every method against the budget.

    Columns domain, method, eps, gain, low, high, share, least_share, most_share. Gains
    in nats, mean and extremes over the repeats (on random domains each with its own
    target of five components); `share` is that of the gain of the mollification.
    """
    gains = _all_gains(settings)
    return _summed(gains[~gains["method"].isin(("bayes-1", "one-round"))])


def divergences(settings: LimitSettings) -> dict[str, float]:
    r"""Return the mean $\operatorname{KL}(P,Q_0)$ over repeats, in nats, by domain."""
    gains = _all_gains(settings)
    projections = gains[gains["method"] == "projection"]
    return {
        str(name): float(rows.drop_duplicates("repeat")["kl"].mean())
        for name, rows in projections.groupby("domain", sort=False)
    }


@dataclass(frozen=True, eq=False)
class Causes:
    """Hold which part of the shortfall is due to what.

    `table` has the columns of `curves`. Methods clip and bayes (three rounds, trained
    and with the best classifier), one-round and bayes-1, family, closed. Over `runs`
    runs: the least lead of one round over three, in nats, with the best classifier and
    trained; the largest share of the mollification's gain that is lost by learning, and
    by the bound; the least share of the family's gain that one round has.
    """

    table: pd.DataFrame
    runs: int
    lead_bayes: float
    lead_trained: float
    learning_loss: float
    bound_loss: float
    one_round_of_family: float


def causes(settings: LimitSettings) -> Causes:
    """Return what holds the gain back, at the budgets `eps` only."""
    gains = _all_gains(settings)
    gains = gains[
        gains["eps"].isin(settings.eps) & ~gains["method"].isin(("tanh", "bayes-tanh"))
    ]
    wide = gains.pivot_table(
        index=["domain", "repeat", "eps"],
        columns="method",
        values="gain",
    )
    learning = (wide["bayes"] - wide["clip"]) / wide["projection"]
    return Causes(
        table=_summed(gains),
        runs=len(wide),
        lead_bayes=float((wide["bayes-1"] - wide["bayes"]).min()),
        lead_trained=float((wide["one-round"] - wide["clip"]).min()),
        learning_loss=float(learning.max()),
        bound_loss=float((1 - wide["family"] / wide["projection"]).max()),
        one_round_of_family=float((wide["one-round"] / wide["family"]).min()),
    )
