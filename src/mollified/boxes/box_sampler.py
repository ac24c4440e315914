r"""Draw once, in integers, from a private law in a box around a public floor.

The box is $m\le Q\le e^\varepsilon m$. With weights w of total $2^b$ the box is
$\ell\le w\le h$, $\ell=\lceil2^bm\rceil$, $h=\lfloor e^\varepsilon\ell\rfloor$:
integers that depend on nothing private, so two inputs differ by a factor of at most
$h/\ell\le e^\varepsilon$, exactly and after rounding, whatever comes in. A draw takes
one word of random bytes and the same steps for every input: there are no proposals.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mollified._records import Record
from mollified._validate import Array, as_floats, check_callable
from mollified.boxes.floors import box_floor, check_floor, check_level
from mollified.boxes.projection import BLOCK, Rows, check_laws, project
from mollified.boxes.weights import Bounds, running_weights, without_tiny
from mollified.privacy.exact_level import ExactLevel, ball, float_above
from mollified.privacy.register import (
    Register,
    check_people,
    check_register,
    note_drawn,
    refuse_drawn,
)
from mollified.sampling.finite_sampler import Weights, check_bits, largest_below
from mollified.sampling.uniform_integers import uniform_integers
from statements.precision import working_precision

__all__ = ["BoxSampler", "Certificate"]

#: Enough for the log of a ratio that is 1 + 2^-62.
LEVEL_BITS = 256


@dataclass(frozen=True, eq=False, repr=False)
class Certificate(Record):
    r"""State what a box sampler promises: bounds of weights, and of their ratios.

    The weights are integers $\ell\le w\le h$ of one total. `floor`, `ceiling` and
    `total` are the integer weights; `exp_level` bounds the ratio of the probabilities
    of any point under any two inputs, and is at most $e^\varepsilon$ of `promised`.
    """

    floor: Weights
    ceiling: Weights
    total: int
    exp_level: Fraction
    promised: ExactLevel
    arithmetic: str = (
        "integers; exact given uniform secret bytes; "
        "the steps of a draw are the same for every law"
    )
    warning: str = (
        "one draw for each person: n draws from one law cost n times the level"
    )


def _ratio(low: Weights, high: Weights, total: int) -> Fraction:
    """Return the largest ratio of a point's weights under two inputs.

    What the others leave to a point may be less than its own bounds allow.
    """
    below = total - sum(high)
    above = total - sum(low)
    return max(
        Fraction(min(most, above + least), max(least, below + most))
        for least, most in set(zip(low, high, strict=True))
    )


@dataclass(frozen=True, eq=False, repr=False)
class BoxSampler(Record):
    r"""Draw one point, in integers, from the law in a box nearest to a private one.

    The box is $m\le Q\le e^\varepsilon m$. `floor` is m > 0, shape (k,), public, of a
    mass in $[e^{-\varepsilon},1]$, taken as the rationals that its floats are; `eps` is
    a number (a float is taken as the rational that it is), a Fraction or an
    `ExactLevel`, in $[2^{-40},700]$; `bits` gives the total $2^b$, at most $2^{62}$;
    `register` is a `mollified.privacy.Register` that remembers who was drawn, by
    default one of this sampler's own. `from_reference` makes the floor from a public
    law. Raises ValueError or TypeError for other arguments, and ValueError naming
    `bits` where no weights fit (then more bits are needed, or the mass of m is at an
    end of its range).

    >>> sampler = BoxSampler.from_reference([0.5, 0.25, 0.25], eps=1.0)
    >>> sampler.project([0.0, 0.0, 1.0]).round(3)
    array([0.357, 0.178, 0.465])
    >>> sampler.certificate.exp_level <= Fraction(2718281829, 10**9)
    True
    """

    floor: Array
    eps: float | Fraction | ExactLevel
    bits: int = 53
    register: Register = field(default_factory=Register, repr=False, compare=False)
    certificate: Certificate = field(init=False)
    _bounds: Bounds = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        level = check_level(self.eps)
        check_register("register", self.register)
        exact = check_floor(self.floor, level)
        bits = check_bits(self.bits)
        total = 1 << bits
        low = tuple(math.ceil(total * entry) for entry in exact)
        ceilings = {
            weight: largest_below(level, Fraction(weight, total), total, Fraction(1))
            for weight in set(low)
        }
        high = tuple(ceilings[weight] for weight in low)
        if not sum(low) <= total <= sum(high):
            raise ValueError(
                "bits must be larger, or the mass of floor farther from its ends, "
                f"got {self.bits!r}"
            )
        certificate = Certificate(low, high, total, _ratio(low, high, total), level)
        object.__setattr__(self, "floor", np.array(self.floor, dtype=np.float64))
        object.__setattr__(self, "certificate", certificate)
        object.__setattr__(self, "_bounds", Bounds(low, high, bits))
        super().__post_init__()

    @classmethod
    def from_reference(
        cls,
        q0: object,
        eps: float | Fraction | ExactLevel,
        split: object = "universal",
        *,
        gamma: object = None,
        bits: int = 53,
        register: Register | None = None,
    ) -> BoxSampler:
        """Return the sampler whose floor is `box_floor` of a public law.

        The floor is `box_floor(q0, eps, split, gamma=gamma)`; raises as that and the
        class.
        """
        floor = box_floor(q0, eps, split, gamma=gamma)
        if register is None:
            register = Register()
        return cls(floor, eps, bits, register)

    @property
    def level(self) -> float:
        """Return the log of `certificate.exp_level`, rounded up, in nats.

        The float is above it by less than two ulps.
        """
        ratio = self.certificate.exp_level
        with working_precision(LEVEL_BITS):
            return float_above(ball(ratio - 1).log1p())

    def project(self, P: object) -> Rows:
        """Return the nearest laws in the box, in floats, shape (..., k) as P.

        See `boxes.projection.project`.
        """
        return project(P, self.floor, math.exp(float(self.certificate.promised)))

    def _laws(self, P: object) -> Array:
        """Return one law (k,) or a batch (n, k) as floats of total one."""
        laws: Array = check_laws("P", as_floats("P", P), self.floor.size)
        if laws.ndim > 2:
            raise ValueError(f"P must have the shape (k,) or (n, k), got {laws.shape}")
        laws = without_tiny(laws)
        laws /= laws.sum(axis=-1, keepdims=True)
        return laws

    def _running(self, rows: Array) -> Iterator[NDArray[np.int64]]:
        """Return the running totals of the weights of some rows at a time."""
        at_once = max(1, BLOCK // self.floor.size)
        for start in range(0, len(rows), at_once):
            yield running_weights(rows[start : start + at_once], self._bounds)

    def weights(self, P: object) -> NDArray[np.int64]:
        r"""Return integer weights of total $2^b$ for one law (k,) or a batch (n, k).

        They have the shape of P. They lie within the bounds of the certificate
        **whatever comes in**, each within $1+10^{-13}2^b$ of that of
        $\operatorname{clip}(tP)$ between these bounds, which rounding moved from those
        of `project`, $2^bm$ and $2^be^\varepsilon m$. Raises ValueError or TypeError
        for what are no laws on the k points: a total may miss one by $k2^{-23}$, at
        most 1/16, as a softmax in 32 bits does, and is divided out.
        """
        laws = self._laws(P)
        running = np.concatenate(list(self._running(np.atleast_2d(laws))))
        weights: NDArray[np.int64] = np.diff(running, prepend=0, axis=1)
        return weights.reshape(laws.shape)

    def log_prob(self, P: object) -> Array:
        r"""Return the log probabilities that `draw` has for P, in its shape, in nats.

        They err by at most $2\cdot10^{-14}$. They show P: neither they, nor the
        weights, nor the projection may be published, only the point drawn.
        """
        logs = np.log(self.weights(P).astype(np.float64))
        return logs - math.log(self.certificate.total)

    def draw(
        self,
        P: object,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
        *,
        users: object = None,
    ) -> int | NDArray[np.int64]:
        """Draw one point for each law, exactly.

        Returns an int for one law (k,), an array (n,) for a batch (n, k). The rows of a
        batch must belong to different people: who is drawn twice has the level spent
        twice. `users`, as many public names (text or whole numbers), has this refused:
        now, later, and by all samplers that share the `register`. People are noted
        last, so that a call that fails has drawn nobody. By default the bytes come from
        the system's secure source; `rng.bytes` of a Generator makes a run repeatable,
        for tests. Takes 8 bytes a law and the same steps, whatever the laws; nothing is
        said of a law but whether it is one. Raises ValueError or TypeError as
        `weights`, or for bytes that are none.
        """
        check_callable("random_bytes", random_bytes)
        laws = self._laws(P)
        rows = np.atleast_2d(laws)
        people = None if users is None else check_people("users", users, len(rows))
        if people is not None:
            refuse_drawn(self.register, people, "users")
        places = uniform_integers(self.certificate.total, len(rows), random_bytes)
        points = self._points(rows, places[:, None])
        if people is not None:
            note_drawn(self.register, people, "users")
        if laws.ndim == 1:
            return int(points[0])
        return points

    def _points(self, rows: Array, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the points on which the places of the total fall."""
        points = np.empty(len(rows), dtype=np.int64)
        start = 0
        for running in self._running(rows):
            end = start + len(running)
            points[start:end] = (running <= places[start:end]).sum(axis=1)
            start = end
        return points
