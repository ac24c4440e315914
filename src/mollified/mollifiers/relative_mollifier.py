r"""The mollifier relative to a reference $Q_0$, and the projection on it.

Source: v3 (5)-(8).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import brentq

from mollified._records import Record
from mollified._validate import (
    Array,
    check_eps,
    check_finite,
    check_interval,
    check_method,
    check_points,
)
from mollified.laws._validate_densities import (
    LARGEST_LOG,
    check_distribution,
    check_log_values,
    check_space,
)
from mollified.sampling.rejection import rejection_sample

if TYPE_CHECKING:
    from mollified.laws.distributions import Distribution
    from mollified.laws.spaces import IntegrationSpace

__all__ = ["Membership", "Mollification", "RelativeMollifier", "clip_constant"]

#: The mass of the clipped density may miss one by this much: the residual that
#: `clip_constant` guarantees.
MASS_RESIDUAL = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class Membership(Record):
    r"""Report whether a density lies in a relative mollifier, on the points of a space.

    `contained` needs both the ratio bounds and total mass one. `violation` is the
    largest $|\log Q(x)/Q_0(x)| - \varepsilon/2$ in nats (negative: the slack), `where`
    the point at which it is reached, `index` its position in the space; `mass` is the
    total mass and `mass_error` its error estimate.
    """

    contained: bool
    violation: float
    where: Array
    index: int
    mass: float
    mass_error: float


@dataclass(frozen=True)
class Mollification:
    r"""The mollification of a density, v3 (8).

    It is $\hat P=\min\{\max\{e^{-\varepsilon/2}Q_0,\,P/C\},\,e^{\varepsilon/2}Q_0\}$.
    `log_constant` is $\log C$; `log_prob(x)` takes points of shape (n, d) and returns
    shape (n,). Its normalisation is that of the space on which C was solved: it errs as
    that space's quadrature does.
    """

    target: Distribution
    reference: Distribution
    eps: float
    log_constant: float

    @property
    def dim(self) -> int:
        """The dimension of the points."""
        return self.reference.dim

    def __post_init__(self) -> None:
        check_distribution("target", self.target)
        check_distribution("reference", self.reference)
        check_eps("eps", self.eps)
        check_finite("log_constant", self.log_constant)

    def log_ratio(self, x: Array) -> Array:
        r"""Return $\log \hat P(x)/Q_0(x)$, clipped to $\pm\varepsilon/2$; shape (n,).

        0 where $Q_0$ vanishes.
        """
        x = check_points("x", x, self.dim)
        base = self.reference.log_prob(x)
        there = base > -np.inf
        ratio = np.zeros(base.shape)
        ratio[there] = self.target.log_prob(x)[there] - base[there] - self.log_constant
        return np.clip(ratio, -self.eps / 2, self.eps / 2)

    def log_prob(self, x: Array) -> Array:
        r"""Return $\log \hat P(x)$; shape (n,)."""
        logs: Array = self.reference.log_prob(x) + self.log_ratio(x)
        return logs

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        r"""Draw n points exactly, shape (n, d), by rejection.

        The envelope is $e^{\varepsilon/2}Q_0$. Idealised numerics.
        """
        return rejection_sample(
            self.reference, self.log_ratio, self.eps / 2, n, rng
        ).samples


def clip_constant(log_p: Array, log_q0: Array, weights: Array, eps: float) -> float:
    r"""Return $\log C$ such that the mollification has mass one.

    That is $\int\min\{\max\{Q_0e^{-\varepsilon/2},P/C\},Q_0e^{\varepsilon/2}\}=1$. The
    mass is decreasing in $\log C$; its root is found by Brent's method in log space
    ($\log C$ may be $-500$), to the last bits of a float. The residual mass is at most
    1e-12, else ArithmeticError. Such a C exists if and only if
    $Q_0(\{P>0\})\ge 1/(1+e^{\varepsilon/2})$ (where $Q_0$ has mass one): ValueError
    otherwise. Arrays of shape (n,). Source: v3 (8); the condition is not in the paper.
    """
    half = check_eps("eps", eps) / 2
    if half > 700:
        raise ValueError(f"eps must be at most 1400, got {eps!r}")
    log_q0 = check_log_values("log_q0", log_q0, largest=LARGEST_LOG)
    log_p = check_log_values("log_p", log_p, log_q0.size)
    there = log_q0 > -np.inf
    base = np.exp(log_q0[there]) * weights[there]
    score = log_p[there] - log_q0[there]  # -inf where P vanishes
    alive = score > -np.inf

    def mass(log_c: float) -> float:
        return float(np.sum(base * np.exp(np.clip(score - log_c, -half, half))))

    total = math.fsum(base)
    support = total if alive.all() else math.fsum(base[alive])
    largest = math.exp(half) * support + math.exp(-half) * (total - support)
    if largest < 1 - MASS_RESIDUAL:
        raise ValueError(
            "target has no mollification of the form (8): no constant C exists, "
            "because "
            f"Q0({{P > 0}}) is below 1/(1 + exp(eps/2)) = "
            f"{1 / (1 + math.exp(half))!r}, for eps = {eps!r}"
        )
    if math.exp(-half) * total > 1 + MASS_RESIDUAL:
        raise ValueError(f"reference must have total mass one, got {total!r}")
    low = float(score[alive].min()) - half
    high = float(score[alive].max()) + half
    if (
        mass(low) <= 1
    ):  # clipped everywhere on the support: the boundary case of the condition
        return low
    log_c = float(
        brentq(
            lambda c: mass(c) - 1, low, high, xtol=1e-300, rtol=4 * np.finfo(float).eps
        )
    )
    if abs(mass(log_c) - 1) > MASS_RESIDUAL:
        raise ArithmeticError(f"log C leaves a residual mass above {MASS_RESIDUAL}")
    return log_c


class RelativeMollifier:
    r"""The densities with $|\log Q(x)/Q_0(x)|\le\varepsilon/2$.

    In the papers this set is $\mathcal M_{\varepsilon,Q_0}$. `reference` is a
    distribution $Q_0$, `eps` the level in nats. Any two members differ by a factor of
    at most $e^\varepsilon$ (v3 (6)), so a sampler that stays inside is an
    $\varepsilon$-private sampler. Raises TypeError for a reference without log_prob,
    ValueError for eps <= 0. Source: v3 (5); the set that v1 and v2 call
    $\mathcal M_\varepsilon$ is absolute.
    """

    def __init__(self, reference: Distribution, eps: float) -> None:
        self.reference: Distribution = check_distribution("reference", reference)
        self.eps = check_eps("eps", eps)

    def _check(self, name: str, law: object, space: IntegrationSpace) -> None:
        """Raise an error that names an argument which is no density on the space."""
        check_method(name, law, "log_prob")
        check_space("space", space)
        if (
            space.dim != self.reference.dim
            or getattr(law, "dim", space.dim) != space.dim
        ):
            raise ValueError(
                f"{name} and space must have the dimension of the reference, "
                f"{self.reference.dim}"
            )

    def contains(
        self,
        q: Distribution,
        space: IntegrationSpace,
        *,
        tolerance: float = 1e-9,
    ) -> Membership:
        r"""Report the largest violation of (5) by the density `q`, and where it is.

        It is looked for at the points of `space`. Contained means: violation at most
        `tolerance` (nats, room for rounding of the logs) and total mass one within
        `tolerance` plus the space's own error estimate. A finite space is checked
        completely; a grid sees its points only, so there the violation errs on the low
        side. Raises TypeError for an object that is not a distribution or a space.
        """
        self._check("q", q, space)
        check_interval("tolerance", tolerance, 0.0, math.inf)
        points = space.points
        base = self.reference.log_prob(points)
        logs = q.log_prob(points)
        both = (base == -np.inf) & (logs == -np.inf)
        with np.errstate(invalid="ignore"):
            excess = np.where(both, -np.inf, np.abs(logs - base) - self.eps / 2)
        index = int(np.argmax(excess))
        mass = space.integrate(np.exp(logs))
        violation = float(excess[index])
        whole = abs(mass.value - 1) <= tolerance + mass.error
        return Membership(
            violation <= tolerance and whole,
            violation,
            points[index],
            index,
            mass.value,
            mass.error,
        )

    def project(self, p: Distribution, space: IntegrationSpace) -> Mollification:
        r"""Return the mollification of `p`, v3 (7)-(8).

        It is the member closest to `p` in $\operatorname{KL}(P,\cdot)$. The constant is
        solved on `space`, in log space, to a residual mass of 1e-12. Raises ValueError
        where no constant exists, that is where $Q_0(\{P>0\})<1/(1+e^{\varepsilon/2})$
        (then see `complete`).
        """
        self._check("p", check_method("p", p, "sample"), space)
        points = space.points
        log_c = clip_constant(
            p.log_prob(points), self.reference.log_prob(points), space.weights, self.eps
        )
        return Mollification(p, self.reference, self.eps, log_c)

    def complete(self, p: Distribution, space: IntegrationSpace) -> Array:
        r"""Return the log density of a closest member of the mollifier.

        It exists also where (8) has no constant. Where it has none, the optimum is
        $e^{\varepsilon/2}Q_0$ on $\{P>0\}$ with the rest of the mass spread over
        $\{P=0\}$ in proportion to $Q_0$ (any completion within the bounds has the same
        divergence). Shape (n,).
        """
        self._check("p", p, space)
        base = self.reference.log_prob(space.points)
        logs = p.log_prob(space.points)
        support = math.fsum((np.exp(base) * space.weights)[logs > -np.inf])
        if support >= 1 / (1 + math.exp(self.eps / 2)):
            return self.project(p, space).log_prob(space.points)
        spread = math.log1p(-math.exp(self.eps / 2) * support) - math.log1p(-support)
        filled: Array = base + np.where(logs > -np.inf, self.eps / 2, spread)
        return filled
