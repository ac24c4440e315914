r"""The textbook Laplace sampler in floats: which outputs are possible, how likely.

The sampler: $f-\mathrm{sign}(u)\,b\ln(1-2|u|)$. The format: p significant binary
digits, round to nearest, ties to even, no limit on the exponent. The uniform has p bits
too: $u=k/2^p-\frac12$ with $k=1,\dots,2^p-1$ equally likely (zero is drawn again); each
operation and the logarithm are rounded correctly. p = 53 is IEEE double precision with
the usual uniform; small p can be enumerated, so that every statement about them is
exact. The attack: Mironov, "On significance of the least significant bits for
differential privacy", 2012. Not in the papers of this book.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from flint import arb
from numpy.typing import NDArray

from mollified._records import Record
from mollified._validate import Array, check_count, check_finite, check_fraction, echo
from mollified.privacy.exact_level import ball
from statements.precision import working_precision

__all__ = [
    "OutputLaw",
    "counts_delta",
    "double_release",
    "impossible_share",
    "is_possible",
    "rounded_log",
    "textbook_law",
]

#: Working precision: enough to round any logarithm met here, and checked each time.
BITS = 256
#: The largest format that is enumerated.
LARGEST = 18
#: The largest answer and scale, and the largest spacing and its inverse.
LARGEST_INTEGER = 1 << 10
#: The most uniforms that `is_possible` tries.
MOST_TRIED = 10**5
DOUBLE = 53
#: Spacings to which an output can be rounded.
SPACINGS = {Fraction(2) ** power for power in range(-10, 11)}


@dataclass(frozen=True, eq=False, repr=False)
class OutputLaw(Record):
    """Hold the possible outputs, increasing, and how likely they are.

    `counts` are the numbers of uniforms that lead to each.
    """

    values: Array
    counts: NDArray[np.int64]

    @property
    def total(self) -> int:
        """The number of uniforms, all equally likely."""
        return int(self.counts.sum())


def _check_bits(bits: object) -> int:
    number = check_count("bits", bits, minimum=2)
    if number > LARGEST:
        raise ValueError(f"bits must be at most {LARGEST}, got {echo('bits', bits)}")
    return number


def rounded_log(value: Fraction, bits: int) -> Fraction:
    r"""Return the float of `bits` digits that is nearest to $\ln v$, exactly."""
    if value == 1:
        return Fraction(0)
    with working_precision(BITS):
        log = ball(value).log()
        exponent = math.frexp(float(log.mid()))[1]
        scaled = abs(log) * arb(2) ** (bits - exponent)
        digits = (scaled + arb(0.5)).floor().unique_fmpz()
    if digits is None:
        raise ArithmeticError(f"the logarithm of {value} is not decided to {bits} bits")
    size = Fraction(int(digits)) * Fraction(2) ** (exponent - bits)
    return size if value > 1 else -size


@lru_cache(maxsize=4)
def _logs(bits: int) -> Array:
    """Return the rounded logs of j / 2^(bits - 1), j = 1 to 2^(bits - 1).

    As doubles that hold them exactly.
    """
    half = 1 << (bits - 1)
    return np.array(
        [float(rounded_log(Fraction(j, half), bits)) for j in range(1, half + 1)]
    )


def _round(values: Array, bits: int) -> Array:
    """Round doubles to `bits` digits, ties to even."""
    digits, exponent = np.frexp(values)
    rounded: Array = np.ldexp(np.rint(np.ldexp(digits, bits)), exponent - bits)
    return rounded


def textbook_law(
    answer: int,
    scale: int,
    bits: int = 16,
    spacing: Fraction | None = None,
) -> OutputLaw:
    r"""Return the exact output law of the textbook sampler in floats of `bits` digits.

    By trying every uniform. `answer` is f(D) and `scale` is b, integers below $2^{10}$
    in size that the format holds; `spacing` rounds the output to multiples of a power
    of two, ties to even. Raises ValueError or TypeError for other values, bits outside
    2..18 or a spacing that is no power of two between $2^{-10}$ and $2^{10}$.
    """
    bits = _check_bits(bits)
    scale = check_count("scale", scale)
    answer = check_count("answer", answer, minimum=-LARGEST_INTEGER)
    for name, number in (("answer", answer), ("scale", scale)):
        rounded = float(_round(np.array([float(number)]), bits)[0])
        if abs(number) > LARGEST_INTEGER or rounded != number:
            raise ValueError(
                f"{name} must be below 2^10 and fit into {bits} bits,"
                f" got {echo(name, number)}"
            )
    # an exact product in doubles: at most 18 + 11 digits
    magnitude = _round(-scale * _logs(bits), bits)
    # u = 0, with v = 1, comes once
    noise = np.concatenate([-magnitude, magnitude[:-1]])
    # an exact sum in doubles: at most 2 * 18 + 11 digits
    released = _round(answer + noise, bits)
    if spacing is not None:
        step = check_fraction("spacing", spacing, above=0)
        if step not in SPACINGS:
            raise ValueError(
                "spacing must be a power of two from 2^-10 to 2^10,"
                f" got {echo('spacing', spacing)}"
            )
        released = np.rint(released / float(step)) * float(step)
    values, counts = np.unique(released + 0.0, return_counts=True)
    return OutputLaw(values, counts.astype(np.int64))


def _check_laws(one: object, two: object) -> tuple[OutputLaw, OutputLaw]:
    for name, law in (("one", one), ("two", two)):
        if not isinstance(law, OutputLaw):
            raise TypeError(f"{name} must be an OutputLaw, got {echo(name, law)}")
    assert isinstance(one, OutputLaw)
    assert isinstance(two, OutputLaw)
    return one, two


def impossible_share(one: OutputLaw, two: OutputLaw) -> Fraction:
    """Return the exact probability of the outputs that the second law cannot give.

    Their probability under the first law. Raises TypeError for anything but two
    `OutputLaw`.
    """
    one, two = _check_laws(one, two)
    return Fraction(int(one.counts[~np.isin(one.values, two.values)].sum()), one.total)


def counts_delta(one: OutputLaw, two: OutputLaw, eps: Fraction) -> arb:
    r"""Return the least $\delta$ at a rational level, as a ball.

    $\sum_o(P(o)-e^\varepsilon P'(o))_+$. Raises ValueError or TypeError for eps < 0 or
    no rational, and for what are no laws.
    """
    one, two = _check_laws(one, two)
    level = check_fraction("eps", eps, minimum=0)
    place = np.searchsorted(two.values, one.values).clip(max=two.values.size - 1)
    other = np.where(two.values[place] == one.values, two.counts[place], 0)
    # both counts are far below 2^31
    pairs, often = np.unique(one.counts << 32 | other, return_counts=True)
    with working_precision(BITS):
        factor = ball(level).exp()
        total = arb(0)
        for pair, many in zip(pairs.tolist(), often.tolist(), strict=True):
            gap = arb(pair >> 32) / one.total - factor * (pair & 0xFFFFFFFF) / two.total
            total += many * arb.max(arb(0), gap)
        return total


def double_release(answer: float, index: int) -> float:
    r"""Return what the textbook sampler at b = 1 releases in doubles for one uniform.

    The uniform is $u=k/2^{53}-\frac12$. Computed with the correctly rounded logarithm.
    Raises ValueError or TypeError unless the answer is finite and k = `index` lies in
    1..2^53 - 1.
    """
    answer = check_finite("answer", answer)
    index = check_count("index", index)
    if index >= 1 << DOUBLE:
        raise ValueError(f"index must be below 2^53, got {echo('index', index)}")
    j = min(index, (1 << DOUBLE) - index)  # 1 - 2|u| = j / 2^52
    log = float(rounded_log(Fraction(j, 1 << (DOUBLE - 1)), DOUBLE))
    if index < 1 << (DOUBLE - 1):
        return answer + log
    return answer - log


def _index_of(size: Fraction) -> int:
    """Return about the index k of the uniform whose noise has this size: exact to one.

    It is at most 2^52.
    """
    with working_precision(BITS):
        index = (-ball(size)).exp() * (1 << (DOUBLE - 1))
    return math.floor(float(index.mid()))


def is_possible(value: float, answer: float) -> bool:
    r"""Tell exactly whether the textbook sampler in doubles can release `value`.

    At b = 1, when the answer is `answer`. Every uniform whose real noise lies within
    the rounding errors of value - answer is tried. Raises ValueError or TypeError for
    what is not finite, and ValueError where more than $10^5$ uniforms would have to be
    tried.
    """
    value = check_finite("value", value)
    answer = check_finite("answer", answer)
    distance = Fraction(value) - Fraction(answer)
    # generous: both roundings fit in
    rounding = Fraction(math.ulp(value)) + abs(distance) * Fraction(1, 1 << 50)
    half = 1 << (DOUBLE - 1)
    first = max(1, _index_of(abs(distance) + rounding) - 2)
    last = min(half, _index_of(max(abs(distance) - rounding, Fraction(0))) + 3)
    if last - first > MOST_TRIED:
        raise ValueError(
            f"value must leave at most {MOST_TRIED} uniforms to try,"
            f" got {echo('value', value)}"
        )
    tried = range(first, last + 1)
    negative = distance < 0 or abs(distance) <= rounding
    if negative and any(double_release(answer, j) == value for j in tried):
        return True
    positive = distance >= 0 or abs(distance) <= rounding
    all_uniforms = 1 << DOUBLE
    return positive and any(
        double_release(answer, all_uniforms - j) == value for j in tried
    )
