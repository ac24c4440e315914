r"""Many runs of MBDE on finite spaces at once.

Laws, classifiers, edges, drops and gains are arrays. An array of N instances on k
points with T rounds. All quantities of the theorems are computed from their
definitions, none from a bound. Source: v1 Algorithm 1, (6)-(7), (28).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mollified._records import Record
from mollified._validate import Array, check_array, check_count, check_rng
from mollified.boosting.theta import LOG2

__all__ = ["BELOW", "FiniteRuns", "edges_below", "random_runs", "run_batches"]

#: An edge smaller than this is not told from zero in floats.
SMALLEST_EDGE = 1e-9


#: The assumption is strict: bounds are tested at edges this share below the exact ones,
#: and by more than rounding.
BELOW = 2.0**-30
ROUNDING = 1e-14
#: The numbers of rounds through which batches go, and the most runs in one.
ROUNDS = (1, 2, 3, 5, 10, 20, 50)
LARGEST_BATCH = 2000


@dataclass(frozen=True, eq=False, repr=False)
class FiniteRuns(Record):
    r"""Hold N runs: targets, references, classifiers and levels.

    Target P and reference Q0 (N, k), classifiers $c_t=\text{shape}\cdot c_t^*$, levels
    (N,). `shape` (N, T, k) lies in [-1, 1] with largest absolute value 1, `scale` (N,
    T) is $c_t^*/\log2$ in (0, 1]. Rows of `target` and `reference` are weights > 0 and
    need not sum to one: they are normalised. Edges err by rounding, by less than 2e-15
    and 2e-17 for each round; drops and gains by less than 2e-15 and 3e-16 for each
    round, times the length of their steps, and 1e-300. Raises ValueError for arrays
    that do not fit.
    """

    target: Array
    reference: Array
    shape: Array
    scale: Array
    eps: Array

    def __post_init__(self) -> None:
        arrays = {}
        for name in ("target", "reference", "shape", "scale", "eps"):
            check_array(name, getattr(self, name))
            arrays[name] = np.asarray(getattr(self, name))
        dimensions = arrays["shape"].shape
        if len(dimensions) != 3:
            raise ValueError(
                f"shape must have the axes instance, round, point, got {dimensions}"
            )
        wanted = {
            "target": (dimensions[0], dimensions[2]),
            "reference": (dimensions[0], dimensions[2]),
            "scale": dimensions[:2],
            "eps": dimensions[:1],
        }
        for name, size in wanted.items():
            if arrays[name].shape != size:
                raise ValueError(
                    f"{name} must have shape {size}, got {arrays[name].shape}"
                )

    def __len__(self) -> int:
        return int(np.shape(self.target)[0])

    @property
    def rounds(self) -> int:
        """T."""
        return int(np.shape(self.shape)[1])

    @cached_property
    def p(self) -> Array:
        """P, normalised, (N, k)."""
        return np.asarray(self.target / self.target.sum(axis=1, keepdims=True))

    @cached_property
    def q0(self) -> Array:
        """Q0, normalised, (N, k)."""
        return np.asarray(self.reference / self.reference.sum(axis=1, keepdims=True))

    @cached_property
    def theta(self) -> Array:
        r"""$\theta_t(\varepsilon)$, (N, T)."""
        ratio = self.eps / (self.eps + 4 * LOG2)
        return np.stack([ratio**t for t in range(1, self.rounds + 1)], axis=1)

    @cached_property
    def c_star(self) -> Array:
        r"""$c_t^*$, (N, T)."""
        return self.scale * LOG2

    @cached_property
    def u(self) -> Array:
        r"""The step lengths $u_t=\theta_tc_t^*$, (N, T)."""
        return self.theta * self.c_star

    @cached_property
    def _walk(self) -> tuple[Array, Array, Array, Array]:
        """Return edges on P and Q_{t-1}, log-normalisers (N, T), Q_1..Q_T (N, T, k)."""
        q = self.q0
        edges_p = []
        edges_q = []
        logs = []
        laws = []
        for t in range(self.rounds):
            row = self.shape[:, t, :]
            edges_p.append((self.p * row).sum(axis=1))
            edges_q.append(-(q * row).sum(axis=1))
            growth = np.expm1(self.u[:, t][:, np.newaxis] * row)
            rise = (q * growth).sum(axis=1)
            logs.append(np.log1p(rise))
            q = (q + q * growth) / (1 + rise)[:, np.newaxis]
            q = q / q.sum(axis=1)[:, np.newaxis]
            laws.append(q)
        columns = (edges_p, edges_q, logs, laws)
        on_p, on_q, log_z, densities = (np.stack(parts, 1) for parts in columns)
        return on_p, on_q, log_z, densities

    @property
    def edge_p(self) -> Array:
        r"""$\mathbb E_P[c_t]/c_t^*$, (N, T): the largest admissible $\gamma_P^t$."""
        return self._walk[0]

    @property
    def edge_q(self) -> Array:
        r"""$\mathbb E_{Q_{t-1}}[-c_t]/c_t^*$, (N, T)."""
        return self._walk[1]

    @property
    def log_z(self) -> Array:
        r"""$\varphi_t=\log\mathbb E_{Q_{t-1}}e^{\theta_tc_t}$, (N, T)."""
        return self._walk[2]

    @property
    def laws(self) -> Array:
        r"""$Q_1,\dots,Q_T$, (N, T, k)."""
        return self._walk[3]

    @cached_property
    def drop(self) -> Array:
        r"""$\operatorname{KL}(P,Q_{t-1})-\operatorname{KL}(P,Q_t)$, (N, T).

        Computed as $u_t\,\text{edge}_P-\varphi_t$ (v1 (28)).
        """
        return self.u * self.edge_p - self.log_z

    @cached_property
    def gain(self) -> Array:
        r"""$\Delta(Q_T)$, (N,)."""
        return np.asarray(self.drop.sum(axis=1))

    @cached_property
    def learnable(self) -> NDArray[np.bool_]:
        """Whether both edges are positive in each round, (N, T).

        Then the weak learning assumption can be met.
        """
        return (self.edge_p > SMALLEST_EDGE) & (self.edge_q > SMALLEST_EDGE)


def edges_below(runs: FiniteRuns) -> tuple[Array, Array]:
    r"""Return admissible edges $(\gamma_P^t,\gamma_Q^t)$, (N, T).

    They are the exact ones times $1-2^{-30}$ less 1e-14, or zero. They are below the
    exact ones in runs of up to 200 rounds. Zero stands where an edge is below 1e-9.
    Lower bounds that grow with the edges are tested hardest there.
    """
    if not isinstance(runs, FiniteRuns):
        raise TypeError(f"runs must be FiniteRuns, got {runs!r:.100}")
    exact = (runs.edge_p, runs.edge_q)
    edges = [
        np.where(runs.learnable, edge * (1 - BELOW) - ROUNDING, 0.0) for edge in exact
    ]
    return np.minimum(edges[0], 1.0), np.minimum(edges[1], 1.0)


def _spread_laws(rng: np.random.Generator, count: int, size: int) -> Array:
    """Return laws whose atoms reach down to e^-30.

    Logs are uniform over a range that is drawn for each law.
    """
    spread = rng.choice([0.5, 3.0, 10.0, 30.0], size=(count, 1))
    weights = np.exp(-spread * rng.random((count, size)))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def _classifiers(
    rng: np.random.Generator,
    p: Array,
    q: Array,
    keep: NDArray[np.bool_],
) -> Array:
    """Return rows in [-1, 1], largest absolute value one, with positive edges.

    The edges over P and Q are positive wherever P differs from Q. Rows with positive
    edges are left as they are where `keep` says so.
    """
    count, size = p.shape
    kind = rng.integers(4, size=(count, 1))
    log_ratio = np.log(p / q)
    raw = np.where(kind == 0, np.sign(log_ratio), rng.standard_normal((count, size)))
    raw = np.where(kind == 1, np.where(rng.random((count, size)) < 0.5, 1.0, -1.0), raw)
    raw = np.where(
        kind == 2, np.clip(log_ratio, -rng.uniform(0.1, 3, (count, 1)), 1.0), raw
    )
    advantage = ((p - q) * raw).sum(axis=1, keepdims=True)
    raw = np.where(advantage < 0, -raw, raw)
    on_p = (p * raw).sum(axis=1, keepdims=True)
    on_q = (q * raw).sum(axis=1, keepdims=True)
    share = np.where(
        rng.random((count, 1)) < 0.5,
        rng.random((count, 1)),
        rng.choice([1e-3, 1e-1, 0.9, 0.999], (count, 1)),
    )
    fair = (on_p > 0) & (on_q < 0) & keep
    raw = raw - np.where(fair, 0.0, (1 - share) * on_p + share * on_q)
    largest = np.abs(raw).max(axis=1, keepdims=True)
    return np.asarray(np.divide(raw, largest, out=np.ones_like(raw), where=largest > 0))


def random_runs(
    rng: np.random.Generator,
    instances: int,
    size: int,
    rounds: int,
) -> FiniteRuns:
    r"""Return random runs that reach into the corners.

    Each round has classifiers of positive edges. Atoms down to $e^{-30}$; $\varepsilon$
    log-uniform from 1e-3 to 20; $c^*/\log2$ one with probability 0.4, else log-uniform
    from 0.01/log 2 (in half of the runs the same in all rounds). In a part of the runs
    P and Q0 are close, in another nearly singular, so that the high regime lasts.
    Classifiers are signs, random, two-valued or clipped log-ratios, shifted so that
    both edges are positive unless they are. Raises ValueError or TypeError for
    instances or rounds < 1, size < 2, or a bad rng.
    """
    rng = check_rng("rng", rng)
    count = check_count("instances", instances)
    size = check_count("size", size, minimum=2)
    rounds = check_count("rounds", rounds)
    p = _spread_laws(rng, count, size)
    q0 = _spread_laws(rng, count, size)
    kind = rng.random((count, 1))
    q0 = np.where(kind < 0.2, 0.5 * (p + q0), q0)
    side = np.where(np.arange(size) < rng.integers(1, size, (count, 1)), 1.0, -1.0)
    tilt = np.exp(rng.choice([1.0, 3.0, 8.0], (count, 1)) * side)
    p = np.where(kind > 0.6, p * tilt, p)
    q0 = np.where(kind > 0.6, q0 / tilt, q0)
    p = p / p.sum(axis=1, keepdims=True)
    q0 = q0 / q0.sum(axis=1, keepdims=True)
    keep = rng.random((count, 1)) < 0.6
    eps = np.exp(rng.uniform(np.log(1e-3), np.log(20.0), count))
    smallest = np.log(0.01 / np.log(2.0))
    scale = np.exp(rng.uniform(smallest, 0.0, (count, rounds)))
    scale = np.where(rng.random((count, 1)) < 0.5, scale[:, :1], scale)
    scale = np.where(rng.random((count, 1)) < 0.4, 1.0, scale)
    theta = eps / (eps + 4 * np.log(2.0))
    q = q0
    shapes = []
    for t in range(1, rounds + 1):
        row = _classifiers(rng, p, q, keep)
        shapes.append(row)
        length = theta**t * scale[:, t - 1] * np.log(2.0)
        grown = q * np.exp(length[:, np.newaxis] * row)
        q = grown / grown.sum(axis=1, keepdims=True)
    return FiniteRuns(p, q0, np.stack(shapes, axis=1), scale, eps)


def run_batches(
    rng: np.random.Generator,
    instances: int,
    most_rounds: int = 50,
) -> Iterator[FiniteRuns]:
    """Return batches, made on demand, of at least `instances` runs.

    They have 2 to 6 points and 1 to `most_rounds` rounds. The numbers of rounds cycle
    through 1, 2, 3, 5, 10, 20, 50 as far as allowed. Raises as `random_runs`.
    """
    rng = check_rng("rng", rng)
    left = check_count("instances", instances)
    most = check_count("most_rounds", most_rounds)
    lengths = [rounds for rounds in ROUNDS if rounds <= most]
    batch = max(1, min(LARGEST_BATCH, math.ceil(left / (2 * len(lengths)))))
    return (
        random_runs(rng, batch, int(rng.integers(2, 7)), lengths[turn % len(lengths)])
        for turn in range(math.ceil(left / batch))
    )
