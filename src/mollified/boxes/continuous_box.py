r"""Draw once from a private law in a box around a continuous reference.

A fresh pool is drawn from the reference, then a point of the pool in integers. The
projection of P has the density
$q_0\operatorname{clip}(t\,p/q_0;\,b,\,e^\varepsilon b)$, with t by an integral equal to
one, which no program has exactly. Rejection with a t in error accepts at a rate that
depends on P: the number of proposals leaks. Here N points are drawn from Q0, whatever P
is; the ratios p/q0 on them are projected on the box of floor b/N, and one point is
drawn by `BoxSampler`. **For every pool** two inputs differ by a factor of at most
$e^\varepsilon$, in integers; N and the bytes used do not depend on P.

Over the pool the drawn point has a law in Box(b Q0), and within
$\frac12\sqrt{(1-b)(e^\varepsilon b-1)/N}$ of the projection in total variation: the
clips for the pool's t and for the true one are ordered, so their mean distance is
$|1-Z_N|$, where $Z_N$ is the mean of N values in $[b,e^\varepsilon b]$ that have mean
one. A private choice from a pool is made by the subsampled exponential mechanism
(Lantz, Boyd, Page, AISec 2015) and by minimal random coding (Shah et al., AISTATS
2022); the box and this bound are not in the papers.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from mollified._records import Record
from mollified._validate import (
    Array,
    as_floats,
    check_callable,
    check_count,
    check_points,
    check_rng,
    describe,
    echo,
)
from mollified.boxes.box_sampler import BoxSampler, Certificate
from mollified.boxes.floors import box_floor
from mollified.boxes.projection import project
from mollified.boxes.weights import SMALLEST
from mollified.laws._validate_densities import check_distribution
from mollified.privacy.exact_level import ExactLevel
from mollified.privacy.register import (
    Register,
    check_register,
    note_drawn,
    person,
    refuse_drawn,
)

if TYPE_CHECKING:
    from mollified.laws.distributions import Distribution

__all__ = ["ContinuousBoxSampler"]

IDEALISED = (
    "which point of the pool is drawn: integers, exact for every pool, given uniform "
    "secret bytes. That the pool has the law of the reference, and log_prob, are "
    "idealised: floats stand for reals. The time P takes is not protected"
)
#: Log ratios this far below the largest one count as none: their exponentials would be
#: smaller than `SMALLEST`.
LOWEST_LOG = -690.0
#: Logs of densities beyond this are none; so no difference overflows, which NumPy would
#: warn of.
LARGEST_LOG = 1e300
#: The chance that the mass of `log_prob` is farther from one than `mass_error`.
FAILURE = 1e-6
#: The largest pool, and the bits of a seed that the system gives.
LARGEST_POOL = 1 << 24
SEED_BITS = 256


@dataclass(frozen=True)
class _Adapted:
    """Give a law with `logpdf`, as SciPy has, the members `dim` and `log_prob`.

    With `by_axis` it takes points as columns.
    """

    law: Any  # SciPy has no types
    dim: int
    by_axis: bool

    def log_prob(self, x: Array) -> object:
        if self.by_axis:
            return self.law.logpdf(x.T)
        return self.law.logpdf(x[:, 0] if self.dim == 1 else x)


class _Drawable(_Adapted):
    """Give it `sample` too: by `rvs`, or by the `sample` of SciPy's newer laws."""

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        if hasattr(self.law, "rvs"):
            points = self.law.rvs(size=n, random_state=rng)
        else:
            points = self.law.sample(n, rng=rng)
        return np.asarray(points, dtype=np.float64).reshape(n, self.dim)


def _has(value: object, method: str) -> bool:
    return callable(getattr(value, method, None))


def _adapted(value: object) -> object:
    """Return a law of SciPy, old, new or a kernel density estimate, as one of ours."""
    if _has(value, "log_prob") or not _has(value, "logpdf"):
        return value
    dim = getattr(value, "d", None)  # of a kernel density estimate
    by_axis = isinstance(dim, int)
    if not isinstance(dim, int):
        dim = int(getattr(value, "dim", 1))
    if _has(value, "rvs") or _has(value, "sample"):
        return _Drawable(value, dim, by_axis)
    return _Adapted(value, dim, by_axis)


def law_of_ratios(log_ratios: Array) -> tuple[Array, float]:
    """Return a law proportional to ratios that are given by their logs, shape (n,).

    The second answer is the log of the total of the ratios. Ratios less than e^-690 of
    the largest count as zero. Where all are zero, the law is even, as that of the
    reference is on its own points, and the log is -inf.
    """
    top = float(log_ratios.max())
    away = log_ratios - top if top > -math.inf else np.zeros(len(log_ratios))
    raw = np.where(away < LOWEST_LOG, 0.0, np.exp(np.maximum(away, LOWEST_LOG)))
    total = float(raw.sum())
    return raw / total, top + math.log(total)


@dataclass(frozen=True, eq=False, repr=False)
class ContinuousBoxSampler(Record):
    r"""Draw one point from a law near the projection of a private one on a box.

    The box is $bQ_0\le Q\le e^\varepsilon bQ_0$. `reference` is Q0, public: an object
    with `dim`, `log_prob` and `sample` (points (n, d), logs (n,)), or a frozen
    continuous law of scipy.stats; `eps`, `split` and `gamma` are those of
    `BoxSampler.from_reference`, where "minimax" needs gamma here, and "regret" is
    refused. `pool` is N, a power of two from 2 to 2^24. `register` remembers who was
    drawn, as there. `pool_sampler` draws one of N points that have the same bounds: it
    is the same for each pool and for each P. Privacy needs no property of Q0's code;
    accuracy does. Raises ValueError or TypeError for other arguments.

    >>> from mollified.laws import Gaussian
    >>> sampler = ContinuousBoxSampler(Gaussian.standard(1), eps=1.0)
    >>> sampler.draw(Gaussian([2.0], 1.0)).shape
    (1,)
    >>> sampler.certificate.exp_level <= Fraction(2718281829, 10**9)
    True
    """

    reference: object
    eps: float | Fraction | ExactLevel
    split: str | float = "universal"
    gamma: float | None = None
    pool: int = 1 << 14
    register: Register = field(default_factory=Register, repr=False, compare=False)
    certificate: Certificate = field(init=False)
    pool_sampler: BoxSampler = field(init=False, repr=False, compare=False)
    _law: Distribution = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        law = _adapted(self.reference)
        size = check_count("pool", self.pool, minimum=2)
        power_of_two = size.bit_count() == 1
        if not power_of_two or size > LARGEST_POOL:
            raise ValueError(
                f"pool must be a power of two up to 2^24, got {echo('pool', self.pool)}"
            )
        own = check_distribution("reference", law)
        check_register("register", self.register)
        if self.split == "minimax" and self.gamma is None:
            raise ValueError(
                "gamma must be given for the split 'minimax' on a continuous space, "
                f"got {self.gamma!r}"
            )
        if self.split == "regret":
            raise ValueError(
                "split must not be 'regret' on a continuous space, where 'universal' "
                "has the least regret"
            )
        share = box_floor([1.0], self.eps, self.split, gamma=self.gamma)
        inner = BoxSampler(np.full(size, share[0] / size), self.eps)
        # all points of the pool have the same bounds
        certificate = replace(
            inner.certificate,
            floor=inner.certificate.floor[:1],
            ceiling=inner.certificate.ceiling[:1],
            arithmetic=IDEALISED,
        )
        object.__setattr__(self, "_law", own)
        object.__setattr__(self, "pool_sampler", inner)
        object.__setattr__(self, "certificate", certificate)

    @property
    def _level(self) -> float:
        return float(self.pool_sampler.certificate.promised)

    @property
    def distance(self) -> float:
        r"""Bound the total variation between the law of a draw and the projection.

        The bound is at most 1 and errs above. It is for weights that are not rounded;
        whole ones add at most $10^{-13}+(1+\frac1b)N2^{-53}$. Errs by rounding too, by
        less than 1e-9 of itself where $e^\varepsilon b-1\ge10^{-6}(1-b)$.
        """
        b = float(self.pool_sampler.floor[0]) * self.pool
        above = math.expm1(self._level) * b - (1 - b)
        return min(1.0, math.sqrt(max((1 - b) * above, 0.0) / self.pool) / 2)

    @property
    def mass_error(self) -> float:
        r"""Return $(e^\varepsilon-1)b\sqrt{\log(2/\delta)/2N}$ with $\delta=10^{-6}$.

        It errs by at most $10^{-12}$ of itself.
        """
        width = math.expm1(self._level) * float(self.pool_sampler.floor[0]) * self.pool
        return width * math.sqrt(math.log(2 / FAILURE) / (2 * self.pool))

    def _ratios(self, P: object, x: Array) -> Array:
        """Return log p - log q0 at points; an error names P and no value."""
        law = _adapted(P)
        log_prob = getattr(law, "log_prob", None)
        if not callable(log_prob):
            raise TypeError(
                "P must have log_prob, or logpdf as the laws of SciPy, got a "
                f"{type(P).__name__}"
            )
        dim = getattr(law, "dim", self._law.dim)
        if dim != self._law.dim:
            raise ValueError(
                f"P must be a law of the dimension {self._law.dim} of the reference, "
                f"got {describe(P)}"
            )
        logs = as_floats("P", log_prob(x))
        if logs.shape != (len(x),) or not (logs <= LARGEST_LOG).all():
            raise ValueError(
                "P must have one log density a point, no NaN and below 1e300, got "
                f"the shape {logs.shape}"
            )
        base = as_floats("reference", self._law.log_prob(x))
        if base.shape != (len(x),) or not (np.abs(base) <= LARGEST_LOG).all():
            raise ValueError(
                "reference must have a log density within 1e300 at its points, got "
                f"{describe(base)}"
            )
        ratios: Array = np.where(logs < -LARGEST_LOG, -np.inf, logs) - base
        return ratios

    def _on_pool(
        self,
        P: object,
        rng: np.random.Generator | None,
    ) -> tuple[Array, Array, float]:
        """Return a pool, the ratios on it as a law, and the log of their total."""
        if rng is None:
            rng = np.random.default_rng(secrets.randbits(SEED_BITS))
        coins = check_rng("rng", rng)
        points = np.asarray(self._law.sample(self.pool, coins), dtype=np.float64)
        return points, *law_of_ratios(self._ratios(P, points))

    def draw(
        self,
        P: object,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
        *,
        user: object = None,
        rng: np.random.Generator | None = None,
    ) -> Array:
        """Draw one point, shape (d,), for the person with the law P, from a fresh pool.

        P has `log_prob`, up to a constant, or `logpdf` as the laws of SciPy and its
        kernel density estimates. `user`, a public name (text or a whole number), is
        refused in a second draw, which would spend the level twice, by all samplers
        that share the `register`. `rng` draws the pool; by default the system seeds it.
        A generator that made the data must not make the pool. Takes N points and 8
        bytes for every P. The level is exact for every pool; the pool and the densities
        are floats: idealised numerics. Raises ValueError or TypeError for other
        arguments: an error from P itself may show something of it.
        """
        check_callable("random_bytes", random_bytes)
        people = [] if user is None else [person("user", user)]
        if people:
            refuse_drawn(self.register, people, "user")
        points, law, _ = self._on_pool(P, rng)
        chosen: Array = points[self.pool_sampler.draw(law, random_bytes)]
        if people:
            note_drawn(self.register, people, "user")
        return chosen

    def log_prob(self, P: object, x: Array, rng: np.random.Generator) -> Array:
        r"""Return the log density of the projection of P at points (n, d), shape (n,).

        In nats. It shows P. t is the one that is right on a pool of N points of Q0
        drawn with `rng`. So the density lies in the box, and its mass is one within
        `mass_error` on either side, but for a chance of 1e-6 (Dvoretzky, Kiefer,
        Wolfowitz, Massart, for all t at once); its distance from the projection in
        $L_1$ is that of the mass from one, unless P is zero on all of the pool: then it
        is the reference. Idealised numerics. Raises ValueError or TypeError as `draw`.
        """
        check_rng("rng", rng)
        at = check_points("x", x, int(self._law.dim))
        _, law, scale = self._on_pool(P, rng)
        if scale == -math.inf:
            return np.asarray(self._law.log_prob(at), dtype=np.float64)
        floor = self.pool_sampler.floor
        factor = math.exp(self._level)
        projected = project(law, floor, factor)
        raised = (law >= SMALLEST) & (projected > floor)
        t = (projected[raised] / law[raised]).max(initial=0.0)
        least = floor[0] if law.min() >= SMALLEST else projected.min()
        with np.errstate(over="ignore"):
            scaled = t * np.exp(self._ratios(P, at) - scale)
        masses = np.clip(scaled, least, factor * floor[0])
        logs: Array = np.log(masses * self.pool) + np.asarray(self._law.log_prob(at))
        return logs
