r"""The density that MBDE learns, in product form.

It is $Q_T=\exp(\langle\theta,c\rangle-\varphi(\theta))\,Q_0$, v1 (6)-(7), v3 (9)-(10).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mollified._validate import Array, check_array, check_eps, check_points, echo
from mollified.boosting.classifiers import Classifier
from mollified.boosting.theta import LOG2
from mollified.laws._validate_densities import check_distribution, check_space
from mollified.sampling.rejection import rejection_sample

if TYPE_CHECKING:
    from mollified.laws.distributions import Distribution
    from mollified.laws.spaces import Integral, IntegrationSpace

__all__ = ["BoostedDensity", "BoostingCertificate"]


@dataclass(frozen=True)
class BoostingCertificate:
    r"""Say what bounds on the classifiers promise, and what was seen, all in nats.

    `promised` is $2\sum_t\theta_tc_t^*$, a bound on $|\log Q_T/Q_0|$ that holds without
    any integral: both $\langle\theta,c\rangle$ and $\varphi$ lie within
    $\pm\sum_t\theta_tc_t^*$. `level` is twice it: sampling from $Q_T$ is
    `level`-integrally private. `observed` is the largest $|\log Q_T/Q_0|$ on the points
    of the space and `overrun` the largest excess of any $|c_t(x)|$ over its promise
    there (positive: the promise is broken). `mass` is the total mass on the space.
    `valid` means: no overrun, and mass one within its error estimate.
    """

    promised: float
    level: float
    observed: float
    overrun: float
    mass: float
    mass_error: float
    valid: bool


class BoostedDensity:
    r"""The density $Q_t\propto Q_{t-1}\exp(\theta_tc_t)$ in product form.

    `thetas` has shape (T,), one step per classifier; `space` is where the
    log-normaliser $\varphi(\theta)=\log\int e^{\langle\theta,c\rangle}\,\mathrm dQ_0$
    is computed: on a finite space it errs by rounding, by less than 1e-15 and as much
    of the largest log, on a grid by quadrature, where `log_normaliser.error` is an
    estimate and not a bound. The privacy certificate does not depend on that integral.
    Idealised numerics: floats stand for reals. Raises ValueError or TypeError for
    mismatched or non-finite arguments and for negative steps.
    """

    def __init__(
        self,
        reference: Distribution,
        thetas: object,
        classifiers: Sequence[Classifier],
        space: IntegrationSpace,
    ) -> None:
        self.reference: Distribution = check_distribution("reference", reference)
        check_space("space", space)
        if reference.dim != space.dim:
            raise ValueError("reference and space must have one dimension")
        if (
            not isinstance(classifiers, Sequence)
            or isinstance(classifiers, str)
            or not classifiers
        ):
            raise TypeError(
                "classifiers must be a non-empty sequence, got "
                f"{echo('classifiers', classifiers)}"
            )
        if not all(
            callable(classifier) and hasattr(classifier, "bound")
            for classifier in classifiers
        ):
            raise TypeError(
                "classifiers must be callables with a bound, got "
                f"{echo('classifiers', classifiers)}"
            )
        self.classifiers = tuple(classifiers)
        for classifier in self.classifiers:
            check_eps("classifiers' bound", classifier.bound)
        self.thetas = check_array("thetas", thetas, shape=(len(self.classifiers),))
        if (self.thetas < 0).any():
            raise ValueError(f"thetas must be >= 0, got {echo('thetas', thetas)}")
        self.space = space
        self.dim: int = reference.dim
        self.log_normaliser: Integral = space.log_integral(
            self.statistic(space.points) + reference.log_prob(space.points)
        )

    def statistic(self, x: Array) -> Array:
        r"""Return $\langle\theta,c(x)\rangle$ at points of shape (n, d); shape (n,)."""
        points = check_points("x", x, self.dim)
        total: Array = np.zeros(len(points))
        for step, classifier in zip(self.thetas, self.classifiers, strict=True):
            total = total + step * check_array(
                "classifiers' values", classifier(points), shape=(len(points),)
            )
        return total

    def log_ratio(self, x: Array) -> Array:
        r"""Return $\log Q_T/Q_0=\langle\theta,c\rangle-\varphi(\theta)$; shape (n,)."""
        ratio: Array = self.statistic(x) - self.log_normaliser.value
        return ratio

    def log_prob(self, x: Array) -> Array:
        r"""Return $\log Q_T(x)$; shape (n,)."""
        logs: Array = self.reference.log_prob(x) + self.log_ratio(x)
        return logs

    def certificate(self) -> BoostingCertificate:
        """Return what the bounds promise and what the points of the space show."""
        points = self.space.points
        values = [classifier(points) for classifier in self.classifiers]
        overrun = max(
            float(np.abs(c).max()) - of.bound
            for c, of in zip(values, self.classifiers, strict=True)
        )
        ratio = (
            sum(step * c for step, c in zip(self.thetas, values, strict=True))
            - self.log_normaliser.value
        )
        promised = 2 * math.fsum(
            step * classifier.bound
            for step, classifier in zip(self.thetas, self.classifiers, strict=True)
        )
        log_reference = self.reference.log_prob(points)
        mass = self.space.integrate(np.exp(log_reference + ratio))
        whole = abs(mass.value - 1) <= 1e-9 + mass.error
        return BoostingCertificate(
            promised=promised,
            level=2 * promised,
            observed=float(np.abs(ratio[log_reference > -np.inf]).max()),
            overrun=overrun,
            mass=mass.value,
            mass_error=mass.error,
            valid=overrun <= 1e-12 and whole,
        )

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        r"""Draw n points exactly, by rejection from $Q_0$; shape (n, d).

        The envelope is $e^bQ_0$ with $b=2\log2\sum_t\theta_t$, which depends on the
        step sizes and not on the data (the largest values $c_t^*$ of the classifiers
        would), and the density is normalised: every proposal is accepted with
        probability $e^{-b}$ whatever the data. Idealised numerics. Raises ValueError
        where a classifier leaves $[-\log2,\log2]$ by enough to pierce the envelope.
        """
        bound = 2 * LOG2 * math.fsum(self.thetas)
        return rejection_sample(self.reference, self.log_ratio, bound, n, rng).samples
