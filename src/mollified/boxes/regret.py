r"""The regret of a floor m around a public law $q_0$, and the floor of the least.

The floor has the level $\varepsilon$, and there are k points. The yardstick is the set
of laws $\frac1Rq_0\le Q\le Rq_0$, $R=e^\varepsilon$. It can give a set S the mass
$M(S)=\min\{Rq_0(S),1-\frac1R(1-q_0(S))\}$ at most. The regret of m, the supremum of
$\operatorname{KL}(P,\Pi_mP)-\operatorname{KL}(P,Q)$ over laws P and Q of the yardstick,
is the log of

$$\max\Big\{\max_x\frac{M(x)}{Rm_x},\ \max_S\frac{M(S)}{1-m(S^c)}\Big\}.$$

It is least for $m_x=\frac{M(x)}{R\varrho}$,
$\varrho=\max_S\{M(S)+\frac1R\sum_{x\notin S}M(x)\}$; no sampler of this level has less
than $\log\varrho$. The page *How to split a budget* has the proofs; not in the papers.

On up to 20 points all sets are looked at. On more, a set may hold shares of points,
which can only raise a maximum: then a set of mass w is best filled with the points in
the order of $m_x/q_0(x)$.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from mollified._validate import Array

__all__ = ["regret_bound", "regret_floor"]

#: The most points of which all sets are looked at.
MOST = 20


def _yardstick(mass: Array, small: float) -> Array:
    """Return M(S) for masses of sets under q0; `small` is exp(-eps)."""
    return np.minimum(mass / small, 1 - (1 - mass) * small)


def _sets(base: Array, floor: Array, small: float) -> tuple[Array, Array]:
    """Return the masses under q0 and m of all sets, or of those that matter.

    The empty set is left out. On many points the sets hold shares of points.
    """
    if len(base) <= MOST:
        both = np.zeros((2, 1))
        for point in np.stack([base, floor]).T:
            both = np.concatenate([both, both + point[:, None]], axis=1)
        return both[0, 1:], both[1, 1:]
    order = np.argsort(floor / base, kind="stable")
    base_sums = np.cumsum(base[order].astype(np.longdouble))
    floor_sums = np.cumsum(floor[order].astype(np.longdouble))
    # up to this mass M is the first of its two lines
    middle = small / (1 + small)
    inside = np.interp(
        middle,
        np.append(0, base_sums).astype(float),
        np.append(0, floor_sums).astype(float),
    )
    masses = np.append(base_sums, middle)
    floor_masses = np.append(floor_sums, inside)
    return masses.astype(np.float64), floor_masses.astype(np.float64)


def regret_floor(base: Array, small: float) -> Array:
    """Return the floor of the least regret around a law of total one.

    On more than 20 points it is nearly the least.
    """
    least = np.minimum(base, small * (1 - (1 - base) * small))
    masses, least_masses = _sets(base, least, small)
    rho = (_yardstick(masses, small) + (math.fsum(least) - least_masses)).max()
    floor: Array = least / rho
    return floor


def regret_bound(floor: Array, base: Array, small: float) -> float:
    """Return the regret of a floor in floats, on more than 20 points a bound on it."""
    masses, floor_masses = _sets(base, floor, small)
    spare = float(1 - sum(map(Fraction, floor.tolist()), Fraction(0)))
    of_points = _yardstick(base, small) * small / floor
    of_sets = _yardstick(masses, small) / (spare + floor_masses)
    return math.log(max(float(of_points.max()), float(of_sets.max())))
