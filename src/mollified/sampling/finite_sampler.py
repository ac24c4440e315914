r"""Draw exactly from a private law on a finite space, by integer weights.

The weights have the total $2^b$ and lie inside the mollifier. A relative mollifier of
level $\varepsilon$ holds the laws with
$e^{-\varepsilon/2}Q_0\le Q\le e^{\varepsilon/2}Q_0$ (v3 (5)). With weights w of total
$2^b$ this is $\ell\le w\le h$ with the integers
$\ell=\lceil2^be^{-\varepsilon/2}Q_0\rceil$, $h=\lfloor2^be^{\varepsilon/2}Q_0\rfloor$,
that depend on nothing private. Whatever law comes in, in rationals or in floats, its
weights are moved into these bounds: so two inputs differ by a factor of at most
$h/\ell\le e^\varepsilon$, exactly and after rounding, and every point of the support of
$Q_0$ is possible under every input. The draw itself is one uniform integer below $2^b$
from the system's secure source; as the total is a power of two no word is drawn again,
so the bytes used do not depend on the data either. How long the look-up of the drawn
integer takes may; nothing is done against that. The rounding is ours, not the papers'.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from mollified._validate import (
    check_callable,
    check_count,
    check_each,
    echo,
    exact_probabilities,
)
from mollified.privacy.exact_level import ExactLevel, Law
from mollified.privacy.smallest import smallest_between
from mollified.sampling.uniform_integers import uniform_integers

__all__ = [
    "FiniteSampler",
    "check_bits",
    "largest_below",
    "nearest_weights",
    "smallest_bits",
    "weight_ratio",
]

#: The largest number of bits of the total.
MOST_BITS = 62
HALF = Fraction(1, 2)
#: Floats say where a bound lies to 40 bits; exp(700) is close to the largest.
GUESS_BITS = 40
LARGEST_EXPONENT = 700.0

Weights = tuple[int, ...]


def check_bits(bits: object) -> int:
    """Return the number of bits of a total, 1 to 62."""
    number = check_count("bits", bits)
    if number > MOST_BITS:
        raise ValueError(f"bits must be at most {MOST_BITS}, got {echo('bits', bits)}")
    return number


def _check_entry(name: str, value: object, entry: object, size: int) -> Fraction:
    """Return an entry of a law as a rational; errors name the law."""
    if isinstance(entry, bool) or not isinstance(entry, int | Fraction | float):
        raise TypeError(
            f"{name} must be a sequence of {size} numbers >= 0, got {echo(name, value)}"
        )
    if not 0 <= entry < math.inf:
        raise ValueError(f"{name} must be finite and >= 0, got {echo(name, value)}")
    return Fraction(entry)


def _exact_law(name: str, value: object, size: int) -> Law:
    """Return non-negative rationals or finite floats divided by their total.

    Floats are taken as the rationals that they are.
    """
    if isinstance(value, str) or not isinstance(value, Sequence | np.ndarray):
        raise TypeError(
            f"{name} must be a sequence of {size} numbers >= 0, got {echo(name, value)}"
        )
    entries = value.tolist() if isinstance(value, np.ndarray) else list(value)
    if len(entries) != size:
        raise ValueError(f"{name} must have {size} entries, got {echo(name, value)}")
    exact = [_check_entry(name, value, entry, size) for entry in entries]
    total = sum(exact, Fraction(0))
    if total == 0:
        raise ValueError(f"{name} must have a total > 0, got {echo(name, value)}")
    return tuple(entry / total for entry in exact)


def _round_to_feasible(
    target: Sequence[Fraction],
    low: Sequence[int],
    high: Sequence[int],
    total: int,
) -> Weights:
    """Return integers within the bounds, of that total, near the target.

    They move first by one unit each, then by what fits.
    """
    chosen = [
        min(max(int(wanted), least), most)
        for wanted, least, most in zip(target, low, high, strict=True)
    ]
    left = total - sum(chosen)
    sign = 1 if left > 0 else -1
    ends = high if left > 0 else low
    order = sorted(range(len(chosen)), key=lambda x: sign * (chosen[x] - target[x]))
    for largest_step in (1, total):
        for x in order:
            room = abs(ends[x] - chosen[x])
            step = min(room, abs(left), largest_step)
            chosen[x] += sign * step
            left -= sign * step
    return tuple(chosen)


def _weight(name: str, value: object) -> int:
    return check_count(name, value, minimum=0)


def _check_weights(name: str, value: object) -> list[int]:
    """Return a non-empty sequence of weights >= 0."""
    if isinstance(value, str) or not isinstance(value, Sequence) or not value:
        raise TypeError(
            f"{name} must be a non-empty sequence of integers, got {echo(name, value)}"
        )
    return check_each(name, value, _weight)


def nearest_weights(law: Sequence[Fraction], bits: int) -> Weights:
    r"""Return integer weights of total $2^b$ nearest to $2^bp$: **no level is kept**.

    They are found by largest remainders. Each is within one of $2^bp(x)$; a small
    probability may become 0. For comparison with `FiniteSampler`. Raises ValueError or
    TypeError for what is no rational law, or bits outside 1..62.
    """
    exact = exact_probabilities("law", law)
    total = 1 << check_bits(bits)
    return _round_to_feasible(
        [total * p for p in exact], [0] * len(exact), [total] * len(exact), total
    )


def weight_ratio(one: Sequence[int], two: Sequence[int]) -> Fraction | None:
    r"""Return the largest ratio of two rows of weights of one total, either way.

    None where it is infinite. It is $e^\varepsilon$ for the exact level of the pair.
    Raises ValueError or TypeError for negative weights, or for totals or lengths that
    differ.
    """
    first = _check_weights("one", one)
    second = _check_weights("two", two)
    if len(first) != len(second) or not sum(first) == sum(second) > 0:
        raise ValueError(
            f"two must have the length and total of one, got {echo('two', two)}"
        )
    pairs = list(zip(first, second, strict=True))
    if any((a == 0) != (b == 0) for a, b in pairs):
        return None
    return max(Fraction(max(a, b), min(a, b)) for a, b in pairs if a)


def largest_below(
    level: ExactLevel,
    mass: Fraction,
    total: int,
    power: Fraction,
) -> int:
    r"""Return the largest integer $m\le2^b$ with $m\le2^be^{p\varepsilon}q$.

    Exact: floats only say where to look.
    """
    factor = math.exp(min(float(power) * float(level), LARGEST_EXPONENT))
    guess = int(min(float(total), total * float(mass) * factor))
    width = 2 + (guess >> GUESS_BITS)
    low = max(0, guess - width)
    high = min(total + 1, guess + width)

    def fits(number: int) -> bool:
        return level.at_most(Fraction(number) / (total * mass), power)

    if low and not fits(low):
        low = 0
    if high <= total and fits(high):
        high = total + 1
    return smallest_between(lambda number: not fits(number), low, high) - 1


def _bounds(level: ExactLevel, mass: Fraction, total: int) -> tuple[int, int]:
    r"""Return the least and the largest weight of a point.

    They are $\lceil2^be^{-\varepsilon/2}q\rceil$ and
    $\lfloor2^be^{\varepsilon/2}q\rfloor$, at most $2^b$.
    """
    least = largest_below(level, mass, total, -HALF)
    if level.compare(Fraction(least) / (total * mass), -HALF) != 0:
        least += 1
    return least, largest_below(level, mass, total, HALF)


@dataclass(frozen=True)
class FiniteSampler:
    r"""Sample on the points 0..k-1 at a level that is exact.

    It works by integer weights of total $2^b$. `reference` is $Q_0$ in rationals,
    `level` the exact level, `bits` is b, at most 62. `low` and `high` are the bounds of
    the weights. Not idealised: integers throughout, so the guarantee is that of the
    code, given uniform secret bytes. Raises ValueError or TypeError for other
    arguments, and ValueError naming `bits` where no integer weights lie in the bounds
    (more bits are needed).
    """

    reference: Law
    level: ExactLevel
    bits: int
    low: Weights = field(init=False)
    high: Weights = field(init=False)

    def __post_init__(self) -> None:
        law = exact_probabilities("reference", self.reference)
        if not isinstance(self.level, ExactLevel):
            raise TypeError(
                f"level must be an ExactLevel, got {echo('level', self.level)}"
            )
        total = 1 << check_bits(self.bits)
        bounds = [_bounds(self.level, q, total) if q else (0, 0) for q in law]
        low = tuple(least for least, _ in bounds)
        high = tuple(most for _, most in bounds)
        ordered = all(least <= most for least, most in bounds)
        if not ordered or not sum(low) <= total <= sum(high):
            raise ValueError(
                f"bits must be larger for this reference and level, got {self.bits!r}"
            )
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)

    def guarantee(self) -> Fraction:
        r"""Return $\max h/\ell\le e^\varepsilon$, exactly.

        It bounds the ratio of any two inputs' probabilities.
        """
        bounds = zip(self.low, self.high, strict=True)
        return max(Fraction(most, least) for least, most in bounds if least)

    def weights(self, law: Sequence[Fraction] | Sequence[float]) -> Weights:
        r"""Return weights of total $2^b$, within the bounds **whatever comes in**.

        The entries, rationals or floats >= 0, are divided by their total exactly. A
        member of the mollifier moves by at most $k/2^b$ in total variation; any other
        law is pulled into the bounds, and stays private. Raises ValueError or TypeError
        for anything but k such numbers with a total > 0.
        """
        exact = _exact_law("law", law, len(self.reference))
        total = 1 << self.bits
        return _round_to_feasible(
            [total * p for p in exact], self.low, self.high, total
        )

    def sample(
        self,
        law: Sequence[Fraction] | Sequence[float],
        n: int,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
    ) -> NDArray[np.int64]:
        """Draw n points from the weights of a law, exactly; shape (n,).

        n points spend n times the level. By default the bytes come from the system's
        secure source; `rng.bytes` of a Generator makes a run repeatable, for tests.
        Uses 8 n bytes whatever the law. Raises ValueError or TypeError as `weights` and
        `uniform_integers`.
        """
        edges = np.array(list(accumulate(self.weights(law))), dtype=np.int64)
        count = check_count("n", n)
        check_callable("random_bytes", random_bytes)
        places = uniform_integers(1 << self.bits, count, random_bytes)
        return np.searchsorted(edges, places, side="right").astype(np.int64)


def smallest_bits(reference: Sequence[Fraction], level: ExactLevel) -> int:
    r"""Return the least b for which integer weights lie within the bounds.

    They have the total $2^b$; the bounds are those of the mollifier. Every larger b
    serves too: weights of total $2^b$ may be doubled. Raises ValueError or TypeError as
    `FiniteSampler`, and ValueError naming `reference` where 62 bits are not enough.
    """
    law = exact_probabilities("reference", reference)
    if not isinstance(level, ExactLevel):
        raise TypeError(f"level must be an ExactLevel, got {echo('level', level)}")
    # Below this even the largest weight of the rarest point is 0; two bits are spared
    # for the rounding of the logs.
    rarest = min(q for q in law if q)
    room = (
        math.log2(rarest.denominator)
        - math.log2(rarest.numerator)
        - float(level) / math.log(4)
    )
    for bits in range(max(1, min(math.floor(room) - 1, MOST_BITS)), MOST_BITS + 1):
        try:
            FiniteSampler(law, level, bits)
        except ValueError:
            continue
        return bits
    raise ValueError(
        f"reference must leave room for weights of {MOST_BITS} bits, got "
        f"{echo('reference', reference)}"
    )
