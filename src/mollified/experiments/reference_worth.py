r"""What the choice of $Q_0$ is worth, in nats, beside what a budget buys; and the limit in ten dimensions."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from mollified._validate import Array
from mollified.experiments.mbde_sweep import domain
from mollified.experiments.task_list import task_rng
from mollified.laws.gaussian import Gaussian
from mollified.laws.mixture import Mixture
from mollified.laws.spaces import Grid
from mollified.laws.targets import ring
from mollified.mollifiers.relative_mollifier import clip_constant
from mollified.training.clipped_ratio import clip_score, learn_log_ratio, pool_scores

__all__ = [
    "matched_variance",
    "ten_dimensions",
    "tuned_gains",
    "turned_ring",
    "wide_mixture",
]

MODES = 5


def matched_variance(target: Mixture) -> float:
    r"""Return $v^*=\mathbb E_P|x|^2/d$, the variance for which $\operatorname{KL}(P,N(0,vI))$ is least.

    For a mixture of Gaussians, from its moments. The divergence is
    $\frac d2\log v+\frac{dv^*}{2v}$ and a constant, so that $v^*$ saves
    $\frac d2(v^*-1-\log v^*)$ nats over $v=1$.
    """
    squares = [
        float(item.mean @ item.mean + np.trace(item.covariance))
        for item in target.components
        if isinstance(item, Gaussian)
    ]
    return float(np.asarray(target.weights) @ squares) / target.dim


def _target(name: str, seed: int) -> Mixture:
    return domain(name, (MODES, 0) if name.startswith("random") else (0,), seed)


def tuned_gains(
    domains: Sequence[str], seed: int, eps: Sequence[float], variance: float | None
) -> pd.DataFrame:
    r"""Return $\operatorname{KL}(P,Q)$ of the mollification from $N(0,I)$ and from $N(0,vI)$, by quadrature.

    Columns domain, eps, unit, tuned (nats); `variance` None takes each domain's matched
    one.
    """
    rows = []
    for name in domains:
        target = _target(name, seed)
        chosen = matched_variance(target) if variance is None else variance
        found: dict[tuple[float, float], float] = {}
        for start in (1.0, chosen):
            reference = Gaussian(np.zeros(target.dim), start)
            grid = Grid.covering(
                [target, reference], nodes=4001 if target.dim == 1 else 241
            )
            log_p = target.log_prob(grid.points)
            log_q0 = reference.log_prob(grid.points)
            weights = np.exp(log_p) * grid.weights
            for level in eps:
                log_c = clip_constant(log_p, log_q0, grid.weights, level)
                ratio = np.clip(log_p - log_q0 - log_c, -level / 2, level / 2)
                found[start, level] = float(weights @ (log_p - log_q0 - ratio))
        rows += [
            (name, level, found[1.0, level], found[chosen, level]) for level in eps
        ]
    return pd.DataFrame(rows, columns=["domain", "eps", "unit", "tuned"])


def wide_mixture(rng: np.random.Generator, dim: int = 10) -> Mixture:
    r"""Return eight Gaussians $N(m_i,\frac12I)$ with means uniform on the sphere of radius 3 in `dim` dimensions."""
    means = rng.standard_normal((8, dim))
    means *= 3 / np.linalg.norm(means, axis=1, keepdims=True)
    return Mixture([Gaussian(mean, 0.5) for mean in means], np.full(8, 1 / 8))


def turned_ring(rng: np.random.Generator, dim: int = 10) -> Mixture:
    """Return the ring in a random plane of `dim` >= 2 dimensions, standard Gaussian across it.

    The density ratio to N(0, I) depends on the place in the plane alone, so that every
    gain is that of the ring.
    """
    turn, _ = np.linalg.qr(rng.standard_normal((dim, dim)))
    flat = ring()
    inner = np.diag([0.25, 0.25] + [1.0] * (dim - 2))
    covariance = turn @ inner @ turn.T
    covariance = (covariance + covariance.T) / 2
    means = [
        turn[:, :2] @ item.mean
        for item in flat.components
        if isinstance(item, Gaussian)
    ]
    return Mixture([Gaussian(mean, covariance) for mean in means], flat.weights)


def _constant(scores: Array, eps: float) -> float:
    """Return log C for ratios at equally likely draws of the reference."""
    count = len(scores)
    return clip_constant(
        scores - math.log(count), np.full(count, -math.log(count)), np.ones(count), eps
    )


def ten_dimensions(
    seed: int, eps: Sequence[float], samples: int, pool: int, draws: int, batches: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the closed form beside the mollification in ten dimensions, by Monte Carlo with standard errors.

    Columns target (wide, turned ring), eps, best (gain of the mollification), family
    (of the closest output of MBDE), closed (gain of the closed form), share and
    share_error. Each of `batches` batches of `draws` points of P and of Q0 solves its
    own constants; the values are means over batches, the error is the standard error of
    the mean. A gain is $\mathbb E_P[g]-\log\mathbb E_{Q_0}[e^g]$.
    """
    reference = Gaussian.standard(10)
    rows = []
    facts: dict[str, float] = {}
    for place, (name, make) in enumerate(
        (("wide", wide_mixture), ("turned ring", turned_ring))
    ):
        target = make(task_rng(seed, place, 0))
        learned = learn_log_ratio(
            target, reference, task_rng(seed, place, 1), samples=samples
        )
        scores = pool_scores(learned, reference, pool, task_rng(seed, place, 2))
        laws = {level: clip_score(learned, reference, level, scores) for level in eps}
        found: dict[float, list[tuple[float, float, float]]] = {
            level: [] for level in eps
        }
        divergences = []
        for batch in range(batches):
            rng = task_rng(seed, place, 3, batch)
            inside = target.sample(draws, rng)
            outside = reference.sample(draws, rng)
            near, far = (
                target.log_prob(item) - reference.log_prob(item)
                for item in (inside, outside)
            )
            logits = learned(inside), learned(outside)
            divergences.append(float(near.mean()))
            for level in eps:
                found[level].append(
                    _batch_gains(
                        near, far, logits, level, laws[level].shift, laws[level].width
                    )
                )
        facts[f"kl_{name.split()[0]}"] = float(np.mean(divergences))
        for level in eps:
            best, family, closed = np.array(found[level]).T
            shares = closed / best
            error = float(shares.std(ddof=1) / math.sqrt(batches))
            rows.append(
                (
                    name,
                    level,
                    best.mean(),
                    family.mean(),
                    closed.mean(),
                    shares.mean(),
                    error,
                )
            )
    columns = ["target", "eps", "best", "family", "closed", "share", "share_error"]
    table = pd.DataFrame(rows, columns=columns)
    return table, facts | {
        "least_share": float(table["share"].min()),
        "largest_error": float(table["share_error"].max()),
    }


def _batch_gains(
    near: Array,
    far: Array,
    logits: tuple[Array, Array],
    eps: float,
    shift: float,
    width: float,
) -> tuple[float, float, float]:
    """Return gains of mollification, family and closed form from ratios at draws of P (near) and of Q0 (far)."""

    def gain(inside: Array, outside: Array) -> float:
        return float(inside.mean() - math.log(np.exp(outside).mean()))

    log_c = _constant(far, eps)
    levels = np.linspace(-eps / 2, 0, 41)
    best = gain(
        np.clip(near - log_c, -eps / 2, eps / 2),
        np.clip(far - log_c, -eps / 2, eps / 2),
    )
    family = max(
        gain(np.clip(near, m, m + eps / 2), np.clip(far, m, m + eps / 2))
        for m in levels
    )
    closed = gain(*(np.clip(item - shift, -width, width) for item in logits))
    return best, family, closed
