r"""The settings in which the Bernstein mechanism ("DPB") is run on the domains of the papers.

The papers state only that the bandwidth is learned by 10-fold cross-validation. The
public box of a domain is the smallest of $[0,1]^d$, $[-1,2]^d$ and $[-6,6]^d$ that
holds 99.9 % of the target; degree, order and the size of the data set (10,000, as in
Figure 1 of v2) are choices of this package.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mollified._validate import Array
from mollified.laws.kernel_density import BandwidthChoice, choose_bandwidth
from mollified.laws.mixture import Mixture
from mollified.laws.spaces import Grid
from mollified.laws.targets import mixture_1d, ring

__all__ = ["DPB_DOMAINS", "MIXED", "DpbDomain", "find_dpb_domain", "random_line"]

#: Share of the uniform density on the box, which is public, that is mixed into every
#: repaired density: it keeps the loss finite where the repaired function is zero, and
#: costs at most 0.001 nats elsewhere.
MIXED = 0.001
FOLDS = 10


@dataclass(frozen=True)
class DpbDomain:
    """Hold a target, its public box [low, high]^d, the grid for quadrature and the candidates for the bandwidth."""

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
        """The loss of the uniform density on the box, in nats: what is known without data."""
        return float(self.target.dim * np.log(self.high - self.low))

    def weights(self, grid: Grid) -> Array:
        """Return the masses of the target at the nodes, given that it lies in the box; shape (N,)."""
        mass = grid.weights * np.exp(self.target.log_prob(grid.points))
        shares: Array = mass / mass.sum()
        return shares

    def draw(
        self, records: int, rng: np.random.Generator
    ) -> tuple[Array, BandwidthChoice]:
        """Return a data set, moved into the box, and the bandwidth that ten-fold cross-validation picks on it."""
        data = np.clip(self.target.sample(records, rng), self.low, self.high)
        return data, choose_bandwidth(data, self.candidates, FOLDS, rng)


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
    """Return the settings for a mixture of narrow Gaussians with means in [0, 1]: the box [-1, 2]."""
    return DpbDomain("random-1d", "random 1D Gaussians", target, -1.0, 2.0, 2001, _LINE)
