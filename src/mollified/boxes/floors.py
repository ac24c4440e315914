"""Floors of boxes around a public law, by the name of a split."""

from __future__ import annotations

import math
import sys
from fractions import Fraction

import numpy as np

from mollified._validate import Array, check_array, check_finite, echo, total_tolerance
from mollified.boxes.regret import regret_bound, regret_floor
from mollified.privacy.exact_level import ExactLevel

__all__ = ["box_floor", "box_regret", "check_floor", "check_level"]

LEAST_LEVEL = 2.0**-40
LARGEST_LEVEL = 700
SPLITS = ("even", "universal", "hindsight", "regret", "minimax")


def check_level(eps: object) -> ExactLevel:
    """Return a level that is known exactly, from $2^{-40}$ to 700.

    Below that floats do not tell floors apart.
    """
    number: float | Fraction | ExactLevel
    number = eps if isinstance(eps, ExactLevel | Fraction) else check_finite("eps", eps)
    if not LEAST_LEVEL <= float(number) <= LARGEST_LEVEL:
        raise ValueError(f"eps must be in [2^-40, 700], got {echo('eps', eps)}")
    if isinstance(number, ExactLevel):
        return number
    return ExactLevel(eps=Fraction(number))


def check_public(name: str, value: object) -> tuple[Fraction, ...]:
    """Return positive numbers as the rationals that they are."""
    array = check_array(name, value, ndim=1)
    if (array <= 0).any():
        shown = echo(name, value, whole=True)
        raise ValueError(
            f"{name} must be > 0 at every point (leave the others out), got {shown}"
        )
    return tuple(Fraction(entry) for entry in array.tolist())


def check_law(name: str, value: object) -> Array:
    """Return a positive public law with its total divided out."""
    law = check_public(name, value)
    total = sum(law, Fraction(0))
    if abs(float(total - 1)) > total_tolerance(len(law)):
        raise ValueError(
            f"{name} must have total one within k 2^-23, got "
            f"{echo(name, value, whole=True)}"
        )
    return np.array([float(q / total) for q in law])


def check_floor(floor: object, level: ExactLevel) -> tuple[Fraction, ...]:
    """Return a floor that has a box of this level, as the rationals that it holds."""
    exact = check_public("floor", floor)
    mass = sum(exact, Fraction(0))
    if mass > 1 or not level.at_most(1 / mass):
        raise ValueError(
            f"floor must have a mass in [exp(-eps), 1], got {float(mass)!r}"
        )
    return exact


def _inside(floor: Array, level: ExactLevel) -> Array:
    """Return a floor moved by an ulp where rounding put its mass out of its range."""
    mass = sum(map(Fraction, floor.tolist()), Fraction(0))
    if mass > 1:
        return np.nextafter(floor, 0.0)
    if level.at_most(1 / mass):
        return floor
    return np.nextafter(floor, 1.0)


def _minimax_floor(base: Array, small: float, gamma: object) -> Array:
    """Return a minimax floor: without gamma on all points alike, with it around q0."""
    if gamma is None:
        return np.full(len(base), small / (1 + (len(base) - 1) * small))
    around = check_finite("gamma", gamma)
    if around < 1:
        raise ValueError(f"gamma must be >= 1, got {echo('gamma', gamma)}")
    return base * ((around + 1) * small / (around * small + 1))


def _named_floor(split: str, base: Array, level: ExactLevel, gamma: object) -> Array:
    """Return the floor of a split that has a name; see `box_floor`."""
    small = math.exp(-float(level))
    if split == "minimax":
        return _minimax_floor(base, small, gamma)
    if split == "regret":
        return _inside(regret_floor(base, small), level)
    root = math.exp(-float(level) / 2)
    shares = {"even": root, "universal": (1 + small) / 2, "hindsight": (1 + root) / 2}
    return base * shares[split]


def box_floor(
    q0: object,
    eps: object,
    split: object = "universal",
    *,
    gamma: object = None,
) -> Array:
    r"""Return the floor m of a box of level eps around a public law q0, shape (k,).

    `split` is "even", $m=e^{-\varepsilon/2}q_0$ (v3 (8)); "universal",
    $\frac12(1+e^{-\varepsilon})q_0$; "hindsight", $\frac12(1+e^{-\varepsilon/2})q_0$;
    "regret", the floor of the least `box_regret`; "minimax", $1/(e^\varepsilon+k-1)$ at
    each of the k points, which q0 does not change (Park, Asoodeh, Lee, NeurIPS 2024),
    or, with `gamma` >= 1, $\frac{\gamma+1}{\gamma+e^\varepsilon}q_0$ (Ghoukasian, Lee,
    Asoodeh, NeurIPS 2025), which is minimax where q0 falls into parts of mass
    $1/(\gamma+1)$ that are alike: no atoms, or k points of equal mass with k a multiple
    of $\gamma+1$; or a number b in $[e^{-\varepsilon},1]$, for $bq_0$; in floats, each
    within $10^{-13}$ of itself and $10^{-323}$, for "regret" within $10^{-12}$. Neither
    q0, nor split, nor gamma may depend on the private data. Raises ValueError or
    TypeError for other arguments.
    """
    level = check_level(eps)
    base = check_law("q0", q0)
    if isinstance(split, str) and split not in SPLITS:
        raise ValueError(
            f"split must be one of {SPLITS} or a number, got {echo('split', split)}"
        )
    if gamma is not None and split != "minimax":
        raise ValueError(
            f"gamma must be None unless split is 'minimax', got {echo('gamma', gamma)}"
        )
    if isinstance(split, str):
        return _named_floor(split, base, level, gamma)
    share = check_finite("split", split)
    if not 0 < share <= 1 or not level.at_most(1 / Fraction(share)):
        raise ValueError(f"split must be in [exp(-eps), 1], got {echo('split', split)}")
    return _inside(base * share, level)


def box_regret(floor: object, q0: object, eps: object) -> float:
    r"""Return the regret of the box of a floor around a public law q0, in nats.

    That is by how much the law of the box that is nearest to P can be farther from P,
    in Kullback-Leibler divergence, than a law between $e^{-\varepsilon}q_0$ and
    $e^\varepsilon q_0$, at most over all P. Errs above, on up to 20 points by less than
    $10^{-12}$; on more it is a bound. On up to 20 points the split "regret" has the
    least regret of all samplers of level eps. "universal" has
    $\log\frac2{1+e^{-\varepsilon}}$ at most, which is the least where q0 has no atoms.
    Neither floor nor q0 may depend on the private data. Not in the papers; the page
    *How to split a budget* has the proofs. Raises ValueError or TypeError for other
    arguments.
    """
    level = check_level(eps)
    base = check_law("q0", q0)
    exact = check_floor(floor, level)
    if len(exact) != len(base):
        raise ValueError(
            f"floor must have one entry for each of the {len(base)} points, got "
            f"{len(exact)}"
        )
    number = float(level)
    rounding = (2 * len(base) + 20 + 2 * number) * sys.float_info.epsilon
    entries = np.array([float(entry) for entry in exact])
    return regret_bound(entries, base, math.exp(-number)) + rounding
