r"""Draw once from a private law in a box $m\le Q\le e^\varepsilon m$ around a public floor, in integers.

With weights w of total $2^b$ the box is $\ell\le w\le h$, $\ell=\lceil2^bm\rceil$,
$h=\lfloor e^\varepsilon\ell\rfloor$: integers that depend on nothing private, so two inputs differ by a factor of at
most $h/\ell\le e^\varepsilon$, exactly and after rounding, whatever comes in. A draw takes one word of random bytes
for every input: there are no proposals.
"""

from __future__ import annotations

import math
import secrets
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mollified._validate import Array, check_array, check_callable, check_each, check_finite, echo
from mollified.boxes.projection import BLOCK, check_laws, project
from mollified.privacy.exact_level import ExactLevel
from mollified.sampling.finite_sampler import Weights, check_bits, largest_below
from mollified.sampling.uniform_integers import uniform_integers

__all__ = ["BoxSampler", "Certificate", "box_floor"]

SPLITS = ("even", "universal", "hindsight", "minimax")


def _level(eps: object) -> ExactLevel:
    """Return a level that is known exactly, at most 700, so that no exponential overflows."""
    number: float | Fraction | ExactLevel
    number = eps if isinstance(eps, ExactLevel | Fraction) else check_finite("eps", eps)
    if not 0 < float(number) <= 700:
        raise ValueError(f"eps must be > 0 and at most 700, got {echo('eps', eps)}")
    return number if isinstance(number, ExactLevel) else ExactLevel(eps=Fraction(number))


def _public(name: str, value: object) -> tuple[Fraction, ...]:
    """Return positive numbers as the rationals that they are."""
    array = check_array(name, value, ndim=1)
    if (array <= 0).any():
        raise ValueError(f"{name} must be > 0 at every point (leave the others out), got {echo(name, value)}")
    return tuple(Fraction(entry) for entry in array.tolist())


def box_floor(q0: object, eps: object, split: object = "universal", *, gamma: object = None) -> Array:
    r"""Return the floor m of a box of level eps around a public law q0, shape (k,).

    `split` is "even", $m=e^{-\varepsilon/2}q_0$ (v3 (8)); "universal", $\frac12(1+e^{-\varepsilon})q_0$; "hindsight",
    $\frac12(1+e^{-\varepsilon/2})q_0$; "minimax", $1/(e^\varepsilon+k-1)$ at each of the k points, which q0 does not
    change (Park, Asoodeh, Lee, NeurIPS 2024), or, with `gamma` >= 1,
    $\frac{\gamma+1}{\gamma+e^\varepsilon}q_0$ (Ghoukasian, Lee, Asoodeh, NeurIPS 2025); or a number b in
    $[e^{-\varepsilon},1]$, for $bq_0$; all rounded to floats. Neither q0, nor split, nor gamma may depend on the
    private data. Raises ValueError or TypeError for other arguments.
    """
    level = _level(eps)
    law = _public("q0", q0)
    total = sum(law, Fraction(0))
    if abs(total - 1) > Fraction(1, 10**9):
        raise ValueError(f"q0 must have total one within 1e-9, got {echo('q0', q0)}")
    base = np.array([float(q / total) for q in law])
    small = math.exp(-float(level))
    if isinstance(split, str) and split not in SPLITS:
        raise ValueError(f"split must be one of {SPLITS} or a number, got {echo('split', split)}")
    if gamma is not None and split != "minimax":
        raise ValueError(f"gamma must be None unless split is 'minimax', got {echo('gamma', gamma)}")
    if isinstance(split, str):
        if split == "minimax" and gamma is None:
            return np.full(len(law), small / (1 + (len(law) - 1) * small))
        if split == "minimax":
            around = check_finite("gamma", gamma)
            if around < 1:
                raise ValueError(f"gamma must be >= 1, got {echo('gamma', gamma)}")
            return base * ((around + 1) * small / (around * small + 1))
        root = math.exp(-float(level) / 2)
        return base * {"even": root, "universal": (1 + small) / 2, "hindsight": (1 + root) / 2}[split]
    b = check_finite("split", split)
    if b <= 0 or b > 1 or not level.at_most(1 / Fraction(b)):
        raise ValueError(f"split must be in [exp(-eps), 1], got {echo('split', split)}")
    return base * b


@dataclass(frozen=True)
class Certificate:
    r"""State what a box sampler promises: integers $\ell\le w\le h$ of one total, and the exact ratio.

    `floor`, `ceiling` and `total` are the integer weights; `exp_level` bounds the ratio of the probabilities of any
    point under any two inputs, and is at most $e^\varepsilon$ of `promised`.
    """

    floor: Weights
    ceiling: Weights
    total: int
    exp_level: Fraction
    promised: ExactLevel
    arithmetic: str = "integers; exact given uniform secret bytes; the time of a draw is not protected"
    warning: str = "one draw for each person: n draws from one law cost n times the level"


@dataclass(frozen=True)
class BoxSampler:
    r"""Draw one point from the law nearest to a private one in the box $m\le Q\le e^\varepsilon m$, in integers.

    `floor` is m > 0, shape (k,), public, of a mass in $[e^{-\varepsilon},1]$, taken as the rationals that its floats
    are; `eps` is a number > 0 (a float is taken as the rational that it is), a Fraction or an `ExactLevel`; `bits`
    gives the total $2^b$, at most $2^{62}$. `from_reference` makes the floor from a public law. Raises ValueError or
    TypeError for other arguments, and ValueError naming `bits` where no weights fit (then more bits are needed, or the
    mass of m is at an end of its range).

    >>> sampler = BoxSampler.from_reference([0.5, 0.25, 0.25], eps=1.0)
    >>> sampler.project([0.0, 0.0, 1.0]).round(3)
    array([0.357, 0.178, 0.465])
    >>> sampler.certificate.exp_level <= Fraction(2718281829, 10**9)
    True
    """

    floor: Array
    eps: float | Fraction | ExactLevel
    bits: int = 53
    certificate: Certificate = field(init=False)
    _drawn: set[object] = field(init=False, repr=False, compare=False, default_factory=set)

    def __post_init__(self) -> None:
        level = _level(self.eps)
        exact = _public("floor", self.floor)
        mass = sum(exact, Fraction(0))
        if mass > 1 or not level.at_most(1 / mass):
            raise ValueError(
                f"floor must have a mass in [exp(-eps), 1], got {float(mass)!r}: {echo('floor', self.floor)}"
            )
        total = 1 << check_bits(self.bits)
        low = tuple(math.ceil(total * entry) for entry in exact)
        above = {weight: largest_below(level, Fraction(weight, total), total, Fraction(1)) for weight in set(low)}
        high = tuple(above[weight] for weight in low)
        if not sum(low) <= total <= sum(high):
            raise ValueError(
                f"bits must be larger, or the mass of floor farther from its ends, got {echo('bits', self.bits)}"
            )
        # What the others leave to a point may be less than its own bounds allow.
        down, up = total - sum(high), total - sum(low)
        ratio = max(Fraction(min(b, up + a), max(a, down + b)) for a, b in set(zip(low, high, strict=True)))
        kept = np.array(self.floor, dtype=np.float64)
        kept.setflags(write=False)
        object.__setattr__(self, "floor", kept)
        object.__setattr__(self, "certificate", Certificate(low, high, total, ratio, level))

    @classmethod
    def from_reference(
        cls, q0: object, eps: float | Fraction | ExactLevel, split: object = "universal", *, gamma: object = None,
        bits: int = 53,
    ) -> BoxSampler:  # fmt: skip
        """Return the sampler with the floor `box_floor(q0, eps, split, gamma=gamma)`; raises as that and the class."""
        return cls(box_floor(q0, eps, split, gamma=gamma), eps, bits)

    @property
    def level(self) -> float:
        """Return the log of `certificate.exp_level` in nats, a float rounded either way; the Fraction is exact."""
        ratio = self.certificate.exp_level
        return math.log(ratio.numerator) - math.log(ratio.denominator)

    def project(self, P: object) -> Any:
        """Return the nearest laws in the box, in floats, shape (..., k) as P; see `boxes.projection.project`."""
        return project(P, self.floor, math.exp(float(self.certificate.promised)))

    def weights(self, P: object) -> NDArray[np.int64]:
        r"""Return integer weights of total $2^b$ for one law (k,) or a batch (n, k), of the shape of P.

        They lie within the bounds of the certificate **whatever comes in**, near those of `project`. Raises ValueError
        or TypeError for what are no laws on the k points.
        """
        laws: Array = np.asarray(check_laws("P", P, self.floor.size))
        if laws.ndim > 2:
            raise ValueError(f"P must have the shape (k,) or (n, k), got {laws.shape}")
        flat, at_once = np.atleast_2d(laws), max(1, BLOCK // self.floor.size)
        made = [self._settled(flat[start : start + at_once]) for start in range(0, len(flat), at_once)]
        return np.concatenate(made).reshape(laws.shape)

    def _settled(self, laws: Array) -> NDArray[np.int64]:
        """Return weights for rows: rounded down, then one unit each in the order of the remainders, then what fits."""
        sheet = self.certificate
        low, high = np.array(sheet.floor, dtype=np.int64), np.array(sheet.ceiling, dtype=np.int64)
        target: Array = self.project(laws) * sheet.total
        chosen = np.clip(target.astype(np.int64), low, high)
        for most in (1, sheet.total):
            left = sheet.total - chosen.sum(axis=1, keepdims=True)
            up, missing = np.sign(left), np.abs(left)
            order = np.argsort(up * (chosen - target), axis=1, kind="stable")
            room = np.minimum(np.where(up > 0, high - chosen, chosen - low), np.minimum(missing, most))
            room = np.take_along_axis(room, order, axis=1)
            steps = np.clip(missing - (np.cumsum(room, axis=1) - room), 0, room)
            moved = np.take_along_axis(chosen, order, axis=1) + up * steps
            np.put_along_axis(chosen, order, moved, axis=1)
        return chosen

    def log_prob(self, P: object) -> Array:
        r"""Return the log probabilities that `draw` has for P, in its shape, in nats, rounded to nearest.

        They show P: neither they, nor the weights, nor the projection may be published, only the point drawn.
        """
        return np.log(self.weights(P).astype(np.float64)) - math.log(self.certificate.total)

    def draw(
        self, P: object, random_bytes: Callable[[int], bytes] = secrets.token_bytes, *, users: object = None
    ) -> NDArray[np.int64]:
        """Draw one point for each law, exactly; shape () for one law (k,), (n,) for a batch (n, k).

        The rows of a batch must belong to different people: who is drawn twice has the level spent twice. `users`, a
        list of as many public names, has this refused, now and in later calls; without it equal rows are warned of, as
        is a law that is the reference itself, which must not come from the data. By default the bytes come from the
        system's secure source; `rng.bytes` of a Generator makes a run repeatable, for tests. Takes 8 bytes a law,
        whatever the laws. Raises ValueError or TypeError as `weights`, or for bytes that are none.
        """
        check_callable("random_bytes", random_bytes)
        rows = np.atleast_2d(self.weights(P))
        if users is not None:
            named = check_each("users", users, lambda _, one: str(one))
            if len(named) != len(rows) or len(set(named)) < len(named) or self._drawn & set(named):
                raise ValueError(
                    f"users must be {len(rows)} different people, none drawn before, got {echo('users', users)}"
                )
            self._drawn.update(named)
        shape, laws = np.asarray(P).shape[:-1], np.atleast_2d(np.asarray(P, dtype=np.float64))
        if users is None and len({row.tobytes() for row in laws}) < len(laws):
            warnings.warn("P has equal rows: are they different people? One draw a person; give users", stacklevel=2)
        if np.ptp(self.floor) > 0 and (np.abs(laws - self.floor / self.floor.sum()) < 1e-15).all(axis=1).any():
            warnings.warn("P has a row that is the reference itself, which must not come from the data", stacklevel=2)
        places = uniform_integers(self.certificate.total, len(rows), random_bytes)
        np.cumsum(rows, axis=1, out=rows)
        found: NDArray[np.int64] = (rows <= places[:, None]).sum(axis=1)
        return found.reshape(shape)
