r"""What the choice of $Q_0$ is worth beside a budget, and ten dimensions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mollified._validate import Array
from mollified.experiments.mbde_sweep import domain, domain_place
from mollified.experiments.metrics import component_means
from mollified.experiments.task_list import task_rng
from mollified.laws.gaussian import Gaussian
from mollified.laws.mixture import Mixture
from mollified.laws.spaces import Grid
from mollified.laws.targets import ring
from mollified.mollifiers.relative_mollifier import clip_constant
from mollified.training.clipped_ratio import (
    ClippedRatio,
    clip_score,
    learn_log_ratio,
    pool_scores,
)

__all__ = [
    "TenDimensions",
    "TenSettings",
    "matched_variance",
    "ten_dimensions",
    "tuned_gains",
    "turned_ring",
    "wide_mixture",
]

DIM = 10
#: Clips to a half of the budget are tried from so many places.
FAMILY = 41


def matched_variance(target: Mixture) -> float:
    r"""Return $v^*=\mathbb E_P|x|^2/d$, the best variance of a reference.

    It is where $\operatorname{KL}(P,N(0,vI))$ is least. For a mixture of Gaussians,
    from its moments. The divergence is $\frac d2\log v+\frac{dv^*}{2v}$ and a constant,
    so that $v^*$ saves $\frac d2(v^*-1-\log v^*)$ nats over $v=1$.
    """
    squares = [
        float(item.mean @ item.mean + np.trace(item.covariance))
        for item in target.components
        if isinstance(item, Gaussian)
    ]
    return float(np.asarray(target.weights) @ squares) / target.dim


def tuned_gains(
    domains: Sequence[str],
    seed: int,
    eps: Sequence[float],
    variance: float | None,
) -> pd.DataFrame:
    r"""Return $\operatorname{KL}(P,Q)$ of the mollification from two references.

    They are $N(0,I)$ and $N(0,vI)$; by quadrature. Columns domain, eps, unit, tuned
    (nats); `variance` None takes each domain's matched one.
    """
    tables = []
    for name in domains:
        target = domain(name, domain_place(name, 0), seed)
        chosen = matched_variance(target) if variance is None else variance
        distances = {
            "unit": _mollified_distances(target, 1.0, eps),
            "tuned": _mollified_distances(target, chosen, eps),
        }
        tables.append(pd.DataFrame({"domain": name, "eps": eps, **distances}))
    return pd.concat(tables, ignore_index=True)


def _mollified_distances(
    target: Mixture,
    variance: float,
    eps: Sequence[float],
) -> list[float]:
    r"""Return the divergence of the mollification from $N(0,vI)$, by budget."""
    reference = Gaussian(np.zeros(target.dim), variance)
    nodes = 4001 if target.dim == 1 else 241
    grid = Grid.covering([target, reference], nodes=nodes)
    log_p = target.log_prob(grid.points)
    log_q0 = reference.log_prob(grid.points)
    weights = np.exp(log_p) * grid.weights
    distances = []
    for level in eps:
        log_c = clip_constant(log_p, log_q0, grid.weights, level)
        ratio = np.clip(log_p - log_q0 - log_c, -level / 2, level / 2)
        distances.append(float(weights @ (log_p - log_q0 - ratio)))
    return distances


def wide_mixture(rng: np.random.Generator, dim: int = DIM) -> Mixture:
    r"""Return eight Gaussians $N(m_i,\frac12I)$, means on a sphere of radius 3."""
    means = rng.standard_normal((8, dim))
    means *= 3 / np.linalg.norm(means, axis=1, keepdims=True)
    return Mixture([Gaussian(mean, 0.5) for mean in means], np.full(8, 1 / 8))


def turned_ring(rng: np.random.Generator, dim: int = DIM) -> Mixture:
    """Return the ring in a random plane of `dim` >= 2 dimensions, N(0, I) across it.

    The density ratio to N(0, I) depends on the place in the plane alone, so that every
    gain is that of the ring.
    """
    turn, _ = np.linalg.qr(rng.standard_normal((dim, dim)))
    flat = ring()
    inner = np.diag([0.25, 0.25] + [1.0] * (dim - 2))
    covariance = turn @ inner @ turn.T
    covariance = (covariance + covariance.T) / 2
    means = [turn[:, :2] @ mean for mean in component_means(flat)]
    return Mixture([Gaussian(mean, covariance) for mean in means], flat.weights)


def _constant(scores: Array, eps: float) -> float:
    """Return log C for ratios at equally likely draws of the reference."""
    count = len(scores)
    return clip_constant(
        scores - math.log(count),
        np.full(count, -math.log(count)),
        np.ones(count),
        eps,
    )


@dataclass(frozen=True)
class TenSettings:
    """Hold the size of the study: points for training, pool, and batches of draws."""

    seed: int
    eps: tuple[float, ...]
    samples: int
    pool: int
    draws: int
    batches: int


@dataclass(frozen=True, eq=False)
class TenDimensions:
    r"""Hold gains in ten dimensions, by Monte Carlo with standard errors.

    `table` has columns target (wide, turned ring), eps, best (gain of the
    mollification), family (of the closest output of MBDE), closed (gain of the closed
    form), share and share_error; the values are means over batches, the error is the
    standard error of the mean. `divergences` are $\operatorname{KL}(P,Q_0)$ in nats, by
    target.
    """

    table: pd.DataFrame
    divergences: dict[str, float]


def ten_dimensions(settings: TenSettings) -> TenDimensions:
    r"""Return the closed form beside the mollification in ten dimensions.

    Each batch of draws of P and of Q0 solves its own constants. A gain is $\mathbb
    E_P[g]-\log\mathbb E_{Q_0}[e^g]$.
    """
    targets = {"wide": wide_mixture, "turned ring": turned_ring}
    rows = []
    divergences = {}
    for place, (name, make) in enumerate(targets.items()):
        target = make(task_rng(settings.seed, place, 0))
        batches = _batches(target, place, settings)
        divergences[name] = float(np.mean([batch.divergence for batch in batches]))
        for level in settings.eps:
            best, family, closed = np.array([batch.gains[level] for batch in batches]).T
            shares = closed / best
            rows.append(
                {
                    "target": name,
                    "eps": level,
                    "best": best.mean(),
                    "family": family.mean(),
                    "closed": closed.mean(),
                    "share": shares.mean(),
                    "share_error": float(
                        shares.std(ddof=1) / math.sqrt(settings.batches)
                    ),
                }
            )
    return TenDimensions(pd.DataFrame(rows), divergences)


@dataclass(frozen=True)
class _Batch:
    """Hold the gains of mollification, family and closed form by budget, and the KL."""

    divergence: float
    gains: dict[float, tuple[float, float, float]]


def _batches(target: Mixture, place: int, settings: TenSettings) -> list[_Batch]:
    """Train one ratio, and return what each batch of draws says."""
    seed = settings.seed
    reference = Gaussian.standard(DIM)
    learned = learn_log_ratio(
        target,
        reference,
        task_rng(seed, place, 1),
        samples=settings.samples,
    )
    scores = pool_scores(learned, reference, settings.pool, task_rng(seed, place, 2))
    laws = [clip_score(learned, reference, level, scores) for level in settings.eps]
    batches = []
    for batch in range(settings.batches):
        rng = task_rng(seed, place, 3, batch)
        inside = target.sample(settings.draws, rng)
        outside = reference.sample(settings.draws, rng)
        near = target.log_prob(inside) - reference.log_prob(inside)
        far = target.log_prob(outside) - reference.log_prob(outside)
        logits = learned(inside), learned(outside)
        gains = {law.eps: _batch_gains(near, far, logits, law) for law in laws}
        batches.append(_Batch(float(near.mean()), gains))
    return batches


def _gain(inside: Array, outside: Array) -> float:
    """Return a gain from the statistic at draws of P and of Q0."""
    return float(inside.mean() - math.log(np.exp(outside).mean()))


def _batch_gains(
    near: Array,
    far: Array,
    logits: tuple[Array, Array],
    law: ClippedRatio,
) -> tuple[float, float, float]:
    """Return gains of mollification, family and closed form, at the budget of a law.

    `near` and `far` are the ratios at draws of P and of Q0, `logits` the learned ones.
    """
    half = law.eps / 2
    log_c = _constant(far, law.eps)
    best = _gain(np.clip(near - log_c, -half, half), np.clip(far - log_c, -half, half))
    family = max(
        _gain(np.clip(near, low, low + half), np.clip(far, low, low + half))
        for low in np.linspace(-half, 0, FAMILY)
    )
    inside, outside = (
        np.clip(logit - law.shift, -law.width, law.width) for logit in logits
    )
    return best, family, _gain(inside, outside)
