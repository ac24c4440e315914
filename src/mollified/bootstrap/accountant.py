r"""The exact privacy of the bootstrapping mechanism, over all data sets of n records.

Let $N=n+k|\Sigma|$, $\lambda=\log\frac{k+1}k$. Replace one record, $|\Sigma|\ge3$: one
draw from counts $(c_1,c_2)\to(c_1-1,c_2+1)$ is a post-processing of one draw from
$(k+1,k)\to(k,k+1)$, so this pair dominates all, and
$$\delta(\varepsilon)=P[\lambda W>\varepsilon]
-e^\varepsilon P[\lambda W<-\varepsilon],$$
W a walk of m steps, +1 with probability (k+1)/N, -1 with k/N; it is its own mirror
image, so both directions agree. Two symbols leave no third one to fill the rest: there
the worst pair depends on $\varepsilon$ and is searched (`two_symbols`), and the
three-symbol curve bounds all. Add or remove one record (n against n + 1): the symbol
with count k dominates, a pair of binomials, and the two directions differ; n is private
there, so a guarantee is one for both and for all n: `private_at_all_sizes`. Proofs:
page exact-accounting of the book. Not in the bootstrapping paper.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal, NamedTuple

from flint import arb

from mollified._validate import check_interval, echo
from mollified.bootstrap.setting import Setting
from mollified.bootstrap.two_symbols import TRUSTED, two_symbol_deltas, worst_pair
from mollified.privacy.exact_level import ball, float_below
from mollified.privacy.lattice_walk import Walk, certified_tail, tail
from mollified.privacy.smallest import close_in
from statements.precision import working_precision

__all__ = [
    "Neighbours",
    "Side",
    "ball_delta",
    "bootstrap_delta",
    "certified_delta",
    "check_neighbours",
    "dominating_walks",
    "epsilon_at",
    "private_at_all_sizes",
    "surely_within",
    "two_symbol_deltas",
    "upper_delta",
]

Neighbours = Literal["replace", "add", "remove"]

#: Two symbols: up to this n every pair is certified; above, the worst pair in floats
#: is, and the bound lies above.
MOST_PAIRS = 256

#: Levels in nats end here: e^eps stays a float.
MOST_NATS = 700.0

#: The least float > 0, and a margin for what underflows: a delta > 0 is not returned as
#: 0.
LEAST = 5e-324
TINY = 1e-300

#: A share above the error of deltas in floats, which is 1e-12.
ABOVE = 9e-12

#: A block of numbers of records that is this share of N or narrower is not halved.
NARROW = 1e-6

#: The relative width to which a level is bisected, by how much it is then raised until
#: it is certified, and by how much the level of pure DP is for rounding.
LEVEL_WIDTH = 1e-12
LEVEL_STEP = 1e-10
LEVEL_MARGIN = 1e-9

#: Bits beyond those of m: the sums in the exponents are as large as m.
EXTRA_BITS = 192


class Side(NamedTuple):
    r"""Hold a pair of laws in one direction.

    The second is $A\rho^v$ times the first at W = v: `walk` is W under the first law,
    `base` $A^{1/m}$, `step` $1/\rho$, all rational.
    """

    walk: Walk
    base: Fraction
    step: Fraction


def check_neighbours(neighbours: object) -> Neighbours:
    """Return "replace", "add" or "remove", else raise a ValueError with the value."""
    if neighbours == "replace":
        return "replace"
    if neighbours == "add":
        return "add"
    if neighbours == "remove":
        return "remove"
    raise ValueError(
        "neighbours must be replace, add or remove, got"
        f" {echo('neighbours', neighbours)}"
    )


def _check_level(eps: object) -> float:
    number = float(eps) if isinstance(eps, Fraction) else eps
    return check_interval("eps", number, 0.0, MOST_NATS)


def _bits(m: int) -> int:
    """Return a precision that keeps what cancels in sums as large as m."""
    return EXTRA_BITS + 2 * m.bit_length()


# The pairs


def _binomial_side(one: Fraction, two: Fraction, m: int) -> Side:
    """Return Bin(m, one) against Bin(m, two), a walk along which the ratio falls."""
    base = (1 - two) / (1 - one)
    step = one * (1 - two) / (two * (1 - one))
    if one > two:
        return Side(Walk(one, Fraction(0), m), base, step)
    return Side(Walk(Fraction(0), one, m), base, 1 / step)


def _changed_size_side(setting: Setting, *, adds: bool) -> Side:
    """Return the pair of n records and n + 1 of them, or the same the other way."""
    before = Fraction(setting.k, setting.total)
    after = Fraction(setting.k + 1, setting.total + 1)
    if adds:
        return _binomial_side(before, after, setting.m)
    return _binomial_side(after, before, setting.m)


def _two_symbol_side(setting: Setting, first: int) -> Side:
    """Return the pair (c, N - c) -> (c - 1, N - c + 1) of two symbols, c = `first`."""
    total = setting.total
    return _binomial_side(Fraction(first, total), Fraction(first - 1, total), setting.m)


def _three_symbol_side(setting: Setting) -> Side:
    k = setting.k
    up = Fraction(k + 1, setting.total)
    down = Fraction(k, setting.total)
    step = Fraction(k + 1, k)
    return Side(Walk(up, down, setting.m), Fraction(1), step)


def dominating_walks(
    setting: Setting,
    neighbours: Neighbours = "replace",
) -> list[Side]:
    """Return the pairs to try.

    One pair but for two symbols and "replace": there the n pairs (c, N - c), c =
    k+1..k+n, of which the mirror images give the other direction.
    """
    if neighbours != "replace":
        return [_changed_size_side(setting, adds=neighbours == "add")]
    if setting.size > 2:
        return [_three_symbol_side(setting)]
    least = setting.k + 1
    return [
        _two_symbol_side(setting, first) for first in range(least, least + setting.n)
    ]


# The delta of a pair


def _log(value: Fraction) -> float:
    """Return the log of a rational near 1 without cancellation."""
    return math.log1p(float(value - 1))


def _start(side: Side, eps: float | arb) -> tuple[int, arb, arb]:
    """Return the least v with lam v >= alpha, alpha, and lam, as balls at work."""
    alpha = eps + side.walk.m * ball(side.base).log()
    lam = ball(side.step).log()
    # at a tie the first term is zero, and its ball contains zero
    start = (alpha / lam).lower().ceil().unique_fmpz()
    assert start is not None, "an end of a ball is one number"
    return int(start), alpha, lam


def _float_delta(side: Side, eps: float) -> float:
    """Return delta in floats, for a gap from balls.

    The gap is that between alpha and the lattice, where digits cancel.
    """
    lam = _log(side.step)
    with working_precision(_bits(side.walk.m)):
        start, alpha, exact = _start(side, arb(eps))
        gap = float((alpha - exact * start).mid())
    if start > side.walk.top:
        return 0.0
    return max(tail(side.walk, start, min(max(gap, -lam), 0.0), lam), LEAST)


def ball_delta(side: Side, eps: arb) -> arb:
    """Return a ball that contains the delta of a pair in one direction."""
    with working_precision(_bits(side.walk.m)):
        start, alpha, lam = _start(side, eps)
        return certified_tail(side.walk, start, alpha, lam)


# The delta of a mechanism


def bootstrap_delta(
    eps: float,
    n: int,
    size: int,
    k: int,
    m: int,
    *,
    neighbours: Neighbours = "replace",
) -> float:
    r"""Return the exact privacy level: the least delta at eps, in floats.

    The mechanism is (eps, delta)-DP for it and all larger ones. n is the number of
    records, size that of the symbols, k that of the pseudo-records added of each
    symbol, and m that of the records released. "replace": n records, one replaced;
    "add": n records against the same and one more; "remove": the other way. Errs on
    either side: relatively by at most $10^{-12}$ where it is a normal float; for two
    symbols and "replace" by at most $6(10^{-14}+10^{-16}\sqrt m)e^\varepsilon$, twice
    what `two_symbol_deltas` does, up to $10^{12}$ records. With more of them, and n >
    256, the three-symbol curve is returned, which lies above; where k is so far above n
    that 1,024 blocks of pairs cannot be told from the worst, a bound on these, which
    does too. Raises TypeError or ValueError for eps outside [0, 700], n, k, m outside
    [1, 2^62], size outside [2, 2^62], or other neighbours.
    """
    level = _check_level(eps)
    setting = Setting(n, size, k, m)
    return _delta(level, setting, check_neighbours(neighbours))


def _delta(eps: float, setting: Setting, neighbours: Neighbours) -> float:
    if neighbours == "replace" and setting.size == 2:
        return _worst_of_two(eps, setting)
    return _largest_delta(eps, dominating_walks(setting, neighbours))


def _largest_delta(eps: float, sides: list[Side]) -> float:
    return max(_float_delta(side, eps) for side in sides)


def _trusted(setting: Setting) -> bool:
    """Say whether SciPy's beta functions keep the digits of pairs of two symbols."""
    return max(setting.total, setting.m) <= TRUSTED


def _worst_of_two(eps: float, setting: Setting) -> float:
    """Return the largest delta of the n pairs of two symbols, or a bound on it.

    A bound where the pairs cannot all be told apart.
    """
    if _trusted(setting):
        return worst_pair(eps, setting.n, setting.k, setting.m).bound
    if setting.n <= MOST_PAIRS:
        return _largest_delta(eps, dominating_walks(setting))
    return _float_delta(_three_symbol_side(setting), eps)


def _above(delta: float) -> float:
    """Return a bound above a delta that errs by a relative 1e-12, or underflows."""
    if delta > 0:
        return delta * (1 + ABOVE) + TINY
    return 0.0


def _pair_margin(eps: float, m: int) -> float:
    """Return more than the error of the worst of two symbols' pairs."""
    return (1e-13 + 1e-15 * math.sqrt(m)) * math.exp(eps)


def upper_delta(
    eps: float,
    n: int,
    size: int,
    k: int,
    m: int,
    *,
    neighbours: Neighbours = "replace",
) -> float:
    r"""Return a float above the least delta, as quick as `bootstrap_delta`.

    `bootstrap_delta` and more than its error. For two symbols and "replace" at most the
    three-symbol curve, which is exact where the binomial differences are noise, at
    $e^\varepsilon$ above $10^{13}\delta$, and alone for n > 256 where there are more
    than $10^{12}$ records. Errs above: by $10^{-300}$ and a share $10^{-11}$ of delta;
    for two symbols by less than $2(10^{-13}+10^{-15}\sqrt m)e^\varepsilon$, and by what
    `bootstrap_delta` errs above where it returns a bound.
    """
    level = _check_level(float_below(eps) if isinstance(eps, Fraction) else eps)
    setting = Setting(n, size, k, m)
    return _upper_delta(level, setting, check_neighbours(neighbours))


def _upper_delta(eps: float, setting: Setting, neighbours: Neighbours) -> float:
    if neighbours != "replace" or setting.size > 2:
        return _above(_delta(eps, setting, neighbours))
    curve = _above(_float_delta(_three_symbol_side(setting), eps))
    worst = _worst_of_two(eps, setting)
    if _trusted(setting):
        return min(curve, worst + _pair_margin(eps, setting.m))
    return min(curve, _above(worst))


def surely_within(delta: float, eps: float, setting: Setting) -> bool:
    """Say whether `upper_delta` is at most delta, for "replace".

    Two symbols take no more pairs than that needs.
    """
    if setting.size > 2:
        return _upper_delta(eps, setting, "replace") <= delta
    if _above(_float_delta(_three_symbol_side(setting), eps)) <= delta:
        return True
    if not _trusted(setting):
        return _upper_delta(eps, setting, "replace") <= delta
    enough = delta - _pair_margin(eps, setting.m)
    if enough < 0:
        return False
    worst = worst_pair(eps, setting.n, setting.k, setting.m, enough=enough)
    return worst.bound <= enough


def certified_delta(
    eps: float | Fraction | arb,
    n: int,
    size: int,
    k: int,
    m: int,
    *,
    neighbours: Neighbours = "replace",
) -> tuple[arb, arb]:
    r"""Return balls below and above the least delta: a bracket that contains it.

    The two agree (relative width at most $10^{-20}$ where delta is above $e^{-10^6}$)
    but for "replace" with two symbols and n > 256, where the lower one is a pair of
    data sets, the upper one the three-symbol curve. eps is taken as the exact value of
    the float, or is a ball. Raises as `bootstrap_delta`.
    """
    _check_level(float(eps.mid()) if isinstance(eps, arb) else eps)
    setting = Setting(n, size, k, m)
    neighbours = check_neighbours(neighbours)
    level = eps
    if not isinstance(level, arb):
        with working_precision(_bits(setting.m)):
            level = ball(Fraction(level))
    if neighbours == "replace" and setting.size == 2 and setting.n > MOST_PAIRS:
        return _bracket_of_two(level, setting)
    deltas = [ball_delta(side, level) for side in dominating_walks(setting, neighbours)]
    largest = deltas[0]
    for delta in deltas[1:]:
        largest = largest.max(delta)
    return largest, largest


def _bracket_of_two(eps: arb, setting: Setting) -> tuple[arb, arb]:
    """Return the delta of about the worst pair, and the three-symbol curve."""
    worst = setting.k + 1
    if _trusted(setting):
        middle = float(eps.mid())
        worst = worst_pair(middle, setting.n, setting.k, setting.m).place
    below = ball_delta(_two_symbol_side(setting, worst), eps)
    return below, ball_delta(_three_symbol_side(setting), eps)


# All numbers of records at once


def _block(first: int, last: int | None, size: int, k: int, m: int) -> list[Side]:
    """Return both directions of a pair that dominates those of a block.

    The block: n against n + 1 records for n = first..last (None: no end).
    """
    low = first + k * size
    if last is None:
        before = Fraction(k, low + k + 1)
        after = Fraction(k + 1, low + k + 1)
    else:
        high = last + k * size
        share = low * high + (k + 1) * high - k * low
        before = Fraction(k * (high + 1), share)
        after = Fraction((k + 1) * high, share)
    return [_binomial_side(before, after, m), _binomial_side(after, before, m)]


def _all_within(
    sides: list[Side],
    eps: float,
    delta: float,
    *,
    certified: bool,
) -> bool:
    """Say whether delta is surely enough for each of these pairs."""
    if any(_above(_float_delta(side, eps)) > delta for side in sides):
        return False
    if not certified:
        return True
    return all(bool(ball_delta(side, arb(eps)) <= arb(delta)) for side in sides)


def private_at_all_sizes(
    eps: float,
    delta: float,
    least: int,
    most: int | None,
    size: int,
    k: int,
    m: int,
    *,
    certified: bool = True,
) -> bool:
    """Say whether adding or removing a record is (eps, delta)-DP at all sizes.

    These are the data sets of `least` to `most` records. Both directions, n against n +
    1 for n = least..most-1 (None: no end), by blocks of n: a block is accepted by a
    pair that dominates its pairs, else halved. Errs on the side of False, where a block
    narrower than a millionth of N decides, or, not `certified` by balls, within a
    relative $10^{-11}$ of delta.
    """
    level = _check_level(eps)
    sizes = Setting(1, size, k, m)
    size = sizes.size
    k = sizes.k
    m = sizes.m

    def fits(first: int, last: int | None) -> bool:
        sides = _block(first, last, size, k, m)
        return _all_within(sides, level, delta, certified=certified)

    end = None if most is None else most - 1
    if not fits(least, least) or (end is not None and not fits(end, end)):
        return False
    blocks = [(least, end)]
    while blocks:
        first, last = blocks.pop()
        if fits(first, last):
            continue
        if last is None:
            middle = 2 * first + k * size + m
        elif last == first or last - first < NARROW * (first + k * size):
            return False
        else:
            middle = (first + last) // 2
        blocks += [(middle + 1, last), (first, middle)]
    return True


def epsilon_at(
    delta: float,
    n: int,
    size: int,
    k: int,
    m: int,
    *,
    neighbours: Neighbours = "replace",
) -> float:
    r"""Return the least eps in nats, or a float just above it, at delta.

    The mechanism is (eps, delta)-DP there. n, size, k and m are those of
    `bootstrap_delta`. Found by bisection on an upper bound of delta, then raised until
    a certified one fits (for two symbols and "replace" the bound itself), so it errs
    above; 0 where delta(0) fits. Raises TypeError or ValueError for delta outside (0,
    1), n, k, m < 1, size < 2, other neighbours, or where more than 700 nats are needed.
    """
    delta = check_interval("delta", delta, 0, 1, open_low=True, open_high=True)
    setting = Setting(n, size, k, m)
    relation = check_neighbours(neighbours)

    def fits(eps: float) -> bool:
        return _upper_delta(eps, setting, relation) <= delta

    def surely_fits(eps: float) -> bool:
        if relation == "replace" and setting.size == 2:
            return fits(eps)
        upper = certified_delta(eps, n, size, k, m, neighbours=relation)[1]
        return bool(upper <= arb(delta))

    if surely_fits(0.0):
        return 0.0
    pure = setting.m * math.log1p(1 / setting.k)
    high = min(pure * (1 + LEVEL_MARGIN), MOST_NATS)
    if not surely_fits(high):
        raise ValueError(
            f"m must be small enough for 700 nats or less, got {setting.m!r}"
        )
    high = close_in(fits, 0.0, high, LEVEL_WIDTH)[1]
    while not surely_fits(high):
        high *= 1 + LEVEL_STEP
    return high
