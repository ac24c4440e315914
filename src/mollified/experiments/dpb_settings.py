r"""The settings in which the Bernstein mechanism ("DPB") is run.

The domains are those of the papers. The papers state only that the bandwidth is learned
by 10-fold cross-validation. The public box of a domain is the smallest of $[0,1]^d$,
$[-1,2]^d$ and $[-6,6]^d$ that holds 99.9 % of the target; degree, order and the size of
the data set (10,000, as in Figure 1 of v2) are choices of this package.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mollified._validate import Array
from mollified.laws.kernel_density import choose_bandwidth
from mollified.laws.mixture import Mixture
from mollified.laws.spaces import Grid
from mollified.laws.targets import mixture_1d, ring
from mollified.mechanisms.bernstein_release import (
    BernsteinRelease,
    Calibration,
    Unit,
    noise_scale,
    release_lattice,
)
from mollified.mollifiers.repair import repaired

__all__ = [
    "DPB_DOMAINS",
    "MIXED",
    "Curve",
    "DpbData",
    "DpbDomain",
    "find_dpb_domain",
    "random_line",
]

#: What DPB protects, and how its noise is scaled.
Curve = tuple[Unit, Calibration]

#: Share of the uniform density on the box, which is public, that is mixed into every
#: repaired density: it keeps the loss finite where the repaired function is zero, and
#: costs at most 0.001 nats elsewhere.
MIXED = 0.001
FOLDS = 10
#: Degree K and order h of the iterated operator where no page varies them.
DEGREE = 20
ORDER = 1


@dataclass(frozen=True)
class DpbDomain:
    """Hold a target, its public box [low, high]^d, a grid and candidate bandwidths.

    The grid, of `nodes` nodes on an axis, is for quadrature.
    """

    name: str
    title: str
    target: Mixture
    low: float
    high: float
    nodes: int
    candidates: tuple[float, ...]

    @property
    def grid(self) -> Grid:
        """The grid on the box."""
        dim = self.target.dim
        return Grid(np.full(dim, self.low), np.full(dim, self.high), self.nodes)

    @property
    def uniform_nll(self) -> float:
        """The loss of the uniform density on the box, in nats: without any data."""
        return float(self.target.dim * np.log(self.high - self.low))

    def weights(self, grid: Grid) -> Array:
        """Return the masses of the target at the nodes, given the box; shape (N,)."""
        mass = grid.weights * np.exp(self.target.log_prob(grid.points))
        shares: Array = mass / mass.sum()
        return shares

    def draw(self, records: int, rng: np.random.Generator) -> DpbData:
        """Return a data set, moved into the box, and its cross-validated bandwidth."""
        data = np.clip(self.target.sample(records, rng), self.low, self.high)
        choice = choose_bandwidth(data, self.candidates, FOLDS, rng)
        return DpbData(self, data, choice.bandwidth)


@dataclass(frozen=True, eq=False)
class DpbData:
    """Hold records of a domain in its box, shape (n, d), and their bandwidth."""

    domain: DpbDomain
    records: Array
    bandwidth: float

    def noise_scale(self, eps: float, curve: Curve, degree: int = DEGREE) -> float:
        """Return the scale of the noise for a budget, in one unit and calibration."""
        unit, calibration = curve
        box = self.domain
        share = self.bandwidth / (box.high - box.low)
        count = len(self.records)
        return noise_scale(eps, degree, box.target.dim, share, count, calibration, unit)

    def released(
        self,
        scale: float,
        rng: np.random.Generator,
        degree: int = DEGREE,
    ) -> BernsteinRelease:
        """Return the release with noise of a scale."""
        box = self.domain
        return release_lattice(
            self.records,
            box.low,
            box.high,
            degree,
            self.bandwidth,
            scale,
            rng,
        )

    def density(
        self,
        eps: float,
        curve: Curve,
        grid: Grid,
        rng: np.random.Generator,
    ) -> Array:
        """Return the released density at the nodes of a grid, shifted; shape (N,)."""
        noisy = self.released(self.noise_scale(eps, curve), rng)
        values = noisy.function(grid.axes, ORDER).ravel()
        return repaired(values, grid.weights, "shift", uniform=MIXED)


_SPIKE = tuple(round(0.002 * 2 ** (i / 2), 6) for i in range(8))
_LINE = tuple(round(0.011 * 2 ** (i / 2), 6) for i in range(8))
_PLANE = tuple(round(0.1 * 2 ** (i / 4), 6) for i in range(8))

DPB_DOMAINS = {
    item.name: item
    for item in (
        DpbDomain("ring", "ring", ring(), -6.0, 6.0, 161, _PLANE),
        DpbDomain(
            "mixture-sd",
            "1D mixture (standard deviations)",
            mixture_1d(),
            0.0,
            1.0,
            2001,
            _SPIKE,
        ),
        DpbDomain(
            "mixture-variance",
            "1D mixture (variances)",
            mixture_1d("variance"),
            -1.0,
            2.0,
            2001,
            _LINE,
        ),
    )
}


def find_dpb_domain(name: str) -> DpbDomain:
    """Return the domain of that name; ValueError where there is none."""
    return DPB_DOMAINS[name]


def random_line(target: Mixture) -> DpbDomain:
    """Return the domain of narrow Gaussians with means in [0, 1], box [-1, 2]."""
    return DpbDomain("random-1d", "random 1D Gaussians", target, -1.0, 2.0, 2001, _LINE)
