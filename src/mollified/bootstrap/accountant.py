r"""The exact privacy of the bootstrapping mechanism: delta(eps) over all neighbouring data sets of n records.

Let $N=n+k|\Sigma|$, $\lambda=\log\frac{k+1}k$. Replace one record, $|\Sigma|\ge3$: one draw from counts
$(c_1,c_2)\to(c_1-1,c_2+1)$ is a post-processing of one draw from $(k+1,k)\to(k,k+1)$, so this pair dominates all, and
$$\delta(\varepsilon)=P[\lambda W>\varepsilon]-e^\varepsilon P[\lambda W<-\varepsilon],$$ W a walk of m steps, +1 with
probability (k+1)/N, -1 with k/N; it is its own mirror image, so both directions agree. Two symbols leave no third one
to fill the rest: there the worst pair depends on $\varepsilon$ and is searched (`two_symbols`), and the three-symbol
curve bounds all. Add or remove one record (n against n + 1): the symbol with count k dominates, a pair of binomials,
and the two directions differ; n is private there, so a guarantee is one for both and for all n: `private_at_all_sizes`.
Proofs: page exact-accounting of the book. Not in the bootstrapping paper.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal

from flint import arb

from mollified._validate import check_count, check_interval, echo
from mollified.bootstrap.two_symbols import TRUSTED, two_symbol_deltas, worst_pair
from mollified.privacy.exact_level import ball, float_below
from mollified.privacy.lattice_walk import Walk, certified_tail, tail
from mollified.privacy.smallest import close_in
from statements.precision import working_precision

__all__ = [
    "Neighbours",
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

#: One side of a binomial pair: the walk under the first law, the log ratio second to
#: first at v = 0, and -log rho.
Side = tuple[Walk, Fraction, Fraction]

#: Two symbols: up to this n every pair is certified; above, the worst pair in floats
#: is, and the bound lies above.
MOST_PAIRS = 256

#: No size is larger: what is stated of errors was measured up to it.
MOST_SIZE = 2**62

#: The least float > 0, and a room for what underflows: a delta > 0 is not returned as
#: 0.
LEAST = 5e-324
TINY = 1e-300

#: Bits beyond those of m: the sums in the exponents are as large as m.
EXTRA_BITS = 192


def check_neighbours(neighbours: object) -> Neighbours:
    """Return "replace", "add" or "remove", else raise a ValueError that echoes the value."""
    if neighbours == "replace":
        return "replace"
    if neighbours == "add":
        return "add"
    if neighbours == "remove":
        return "remove"
    raise ValueError(
        f"neighbours must be replace, add or remove, got {echo('neighbours', neighbours)}"
    )


def _size(name: str, value: object, minimum: int = 1) -> int:
    if (size := check_count(name, value, minimum=minimum)) > MOST_SIZE:
        raise ValueError(f"{name} must be at most 2^62, got {echo(name, value)}")
    return size


def _check(
    eps: object, n: object, size: object, k: object, m: object
) -> tuple[float, int, int, int, int]:
    level = check_interval(
        "eps", float(eps) if isinstance(eps, Fraction) else eps, 0.0, 700.0
    )
    return level, _size("n", n), _size("size", size, 2), _size("k", k), _size("m", m)


def _binomial_side(one: Fraction, two: Fraction, m: int) -> Side:
    """Return Bin(m, one) against Bin(m, two) as a walk, up or down, whose ratio second to first falls in v."""
    base = (1 - two) / (1 - one)
    step = one * (1 - two) / (two * (1 - one))
    if one > two:
        return Walk(one, Fraction(0), m), base, step
    return Walk(Fraction(0), one, m), base, 1 / step


def dominating_walks(
    n: int, size: int, k: int, m: int, neighbours: Neighbours = "replace"
) -> list[Side]:
    r"""Return the pairs to try as (walk, $A^{1/m}$, $1/\rho$): the second law is $A\rho^v$ times the first at W = v.

    All rational. One pair but for two symbols and "replace": there the n pairs (c, N -
    c), c = k+1..k+n, of which the mirror images give the other direction.
    """
    _, n, size, k, m = _check(0.0, n, size, k, m)
    neighbours, total = check_neighbours(neighbours), n + k * size
    if neighbours != "replace":
        one = Fraction(k, total)
        two = Fraction(k + 1, total + 1)
        return [
            _binomial_side(one, two, m)
            if neighbours == "add"
            else _binomial_side(two, one, m)
        ]
    if size == 2:
        return [
            _binomial_side(Fraction(c, total), Fraction(c - 1, total), m)
            for c in range(k + 1, k + n + 1)
        ]
    return [_three_symbol_side(n, size, k, m)]


def _three_symbol_side(n: int, size: int, k: int, m: int) -> Side:
    total = n + k * size
    return (
        Walk(Fraction(k + 1, total), Fraction(k, total), m),
        Fraction(1),
        Fraction(k + 1, k),
    )


def _log(value: Fraction) -> float:
    """Return the log of a rational near 1 without cancellation."""
    return math.log1p(float(value - 1))


def _start(side: Side, eps: float | arb) -> tuple[int, arb, arb]:
    """Return the least v with lam v >= alpha, alpha, and lam, at the precision of the context."""
    walk, base, step = side
    alpha = eps + walk.m * ball(base).log()
    lam = ball(step).log()
    # at a tie the first term is zero, and its ball contains zero
    start = (alpha / lam).lower().ceil().unique_fmpz()
    assert start is not None, "an end of a ball is one number"
    return int(start), alpha, lam


def _float_delta(side: Side, eps: float) -> float:
    """Return delta in floats; the gap between alpha and the lattice, where digits cancel, comes from balls."""
    walk = side[0]
    lam = _log(side[2])
    with working_precision(EXTRA_BITS + 2 * walk.m.bit_length()):
        start, alpha, exact = _start(side, arb(eps))
        gap = float((alpha - exact * start).mid())
    return (
        max(tail(walk, start, min(max(gap, -lam), 0.0), lam), LEAST)
        if start <= walk.top
        else 0.0
    )


def _ball_delta(side: Side, eps: arb) -> arb:
    with working_precision(EXTRA_BITS + 2 * side[0].m.bit_length()):
        start, alpha, lam = _start(side, eps)
        return certified_tail(side[0], start, alpha, lam)


def bootstrap_delta(
    eps: float, n: int, size: int, k: int, m: int, *, neighbours: Neighbours = "replace"
) -> float:
    r"""Return the exact privacy level: the least delta for which the mechanism is (eps, delta)-DP, in floats.

    n is the number of records, size that of the symbols, k that of the pseudo-records
    added of each symbol, and m that of the records released. "replace": n records, one
    replaced; "add": n records against the same and one more; "remove": the other way.
    Errs on either side: relatively by at most $10^{-12}$ where it is a normal float;
    for two symbols and "replace" by at most $6(10^{-14}+10^{-16}\sqrt m)e^\varepsilon$,
    twice what `two_symbol_deltas` does, up to $10^{12}$ records. With more of them, and
    n > 256, the three-symbol curve is returned, which lies above; where k is so far
    above n that 1,024 blocks of pairs cannot be told from the worst, a bound on these,
    which does too. Raises TypeError or ValueError for eps outside [0, 700], n, k, m
    outside [1, 2^62], size outside [2, 2^62], or other neighbours.
    """
    eps, n, size, k, m = _check(eps, n, size, k, m)
    if check_neighbours(neighbours) == "replace" and size == 2:
        return _worst_of_two(eps, n, k, m)
    return max(
        _float_delta(side, eps) for side in dominating_walks(n, size, k, m, neighbours)
    )


def _trusted(n: int, k: int, m: int) -> bool:
    return max(n + 2 * k, m) <= TRUSTED


def _worst_of_two(eps: float, n: int, k: int, m: int) -> float:
    """Return the largest delta of the n pairs of two symbols, or a bound on it where they cannot all be told apart."""
    if _trusted(n, k, m):
        return worst_pair(eps, n, k, m).bound
    if n <= MOST_PAIRS:
        return max(_float_delta(side, eps) for side in dominating_walks(n, 2, k, m))
    return _float_delta(_three_symbol_side(n, 2, k, m), eps)


def _above(delta: float) -> float:
    """Return a bound above a delta that errs by a relative $10^{-12}$, or underflows."""
    return delta * (1 + 9e-12) + TINY if delta > 0 else 0.0


def _room(eps: float, m: int) -> float:
    """Return more than the error of the worst of two symbols' pairs."""
    return (1e-13 + 1e-15 * math.sqrt(m)) * math.exp(eps)


def upper_delta(
    eps: float, n: int, size: int, k: int, m: int, *, neighbours: Neighbours = "replace"
) -> float:
    r"""Return a float above the least delta: `bootstrap_delta` and more than its error, as quick as that.

    For two symbols and "replace" at most the three-symbol curve, which is exact where
    the binomial differences are noise, at $e^\varepsilon$ above $10^{13}\delta$, and
    alone for n > 256 where there are more than $10^{12}$ records. Errs above: by
    $10^{-300}$ and relatively by $10^{-11}$, for two symbols by
    $(10^{-13}+10^{-15}\sqrt m)e^\varepsilon$.
    """
    eps = float_below(eps) if isinstance(eps, Fraction) else eps
    eps, n, size, k, m = _check(eps, n, size, k, m)
    if check_neighbours(neighbours) != "replace" or size > 2:
        return _above(bootstrap_delta(eps, n, size, k, m, neighbours=neighbours))
    curve = _above(_float_delta(_three_symbol_side(n, size, k, m), eps))
    worst = _worst_of_two(eps, n, k, m)
    return min(curve, worst + _room(eps, m) if _trusted(n, k, m) else _above(worst))


def surely_within(delta: float, eps: float, n: int, size: int, k: int, m: int) -> bool:
    """Say whether `upper_delta` is at most delta, for "replace"; two symbols take no more pairs than that needs."""
    if size > 2:
        return upper_delta(eps, n, size, k, m) <= delta
    eps, n, size, k, m = _check(eps, n, size, k, m)
    if _above(_float_delta(_three_symbol_side(n, size, k, m), eps)) <= delta:
        return True
    if not _trusted(n, k, m):
        return upper_delta(eps, n, size, k, m) <= delta
    enough = delta - _room(eps, m)
    return enough >= 0 and worst_pair(eps, n, k, m, enough=enough).bound <= enough


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
    _, n, size, k, m = _check(
        float(eps.mid()) if isinstance(eps, arb) else eps, n, size, k, m
    )
    neighbours = check_neighbours(neighbours)
    with working_precision(EXTRA_BITS + 2 * m.bit_length()):
        level = eps if isinstance(eps, arb) else ball(Fraction(eps))
    if neighbours == "replace" and size == 2 and n > MOST_PAIRS:
        total = n + 2 * k
        worst = (
            worst_pair(float(level.mid()), n, k, m).place
            if _trusted(n, k, m)
            else k + 1
        )
        pair = _binomial_side(Fraction(worst, total), Fraction(worst - 1, total), m)
        return _ball_delta(pair, level), _ball_delta(
            _three_symbol_side(n, size, k, m), level
        )
    deltas = [
        _ball_delta(side, level) for side in dominating_walks(n, size, k, m, neighbours)
    ]
    best = deltas[0]
    for delta in deltas[1:]:
        best = best.max(delta)
    return best, best


def _block(first: int, last: int | None, size: int, k: int, m: int) -> list[Side]:
    """Return both directions of a pair that dominates those of n against n + 1, n = first..last (None: no end)."""
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
    """Say whether adding or removing a record is (eps, delta)-DP for all data sets of `least` to `most` records.

    Both directions, n against n + 1 for n = least..most-1 (None: no end), by blocks of
    n: a block is accepted by a pair that dominates its pairs, else halved. Errs on the
    side of False, where a block narrower than a millionth of N decides, or, not
    `certified` by balls, within a relative $10^{-11}$ of delta.
    """
    eps, _, size, k, m = _check(eps, 1, size, k, m)
    last = None if most is None else most - 1

    def fits(first: int, last: int | None) -> bool:
        sides = _block(first, last, size, k, m)
        if any(_above(_float_delta(side, eps)) > delta for side in sides):
            return False
        return not certified or all(
            bool(_ball_delta(side, arb(eps)) <= arb(delta)) for side in sides
        )

    if not fits(least, least) or (last is not None and not fits(last, last)):
        return False
    blocks = [(least, last)]
    while blocks:
        first, last = blocks.pop()
        if fits(first, last):
            continue
        if last is not None and (
            last == first or last - first < 1e-6 * (first + k * size)
        ):
            return False
        middle = (first + last) // 2 if last is not None else 2 * first + k * size + m
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
    r"""Return the least eps in nats, or a float just above it, for which the mechanism is (eps, delta)-DP.

    n, size, k and m are those of `bootstrap_delta`. Found by bisection on an upper
    bound of delta, then raised until a certified one fits (for two symbols and
    "replace" the bound itself), so it errs above; 0 where delta(0) fits. Raises
    TypeError or ValueError for delta outside (0, 1), n, k, m < 1, size < 2, other
    neighbours, or where more than 700 nats are needed.
    """
    delta = check_interval("delta", delta, 0, 1, open_low=True, open_high=True)
    _, n, size, k, m = _check(0.0, n, size, k, m)
    neighbours = check_neighbours(neighbours)

    def fits(eps: float) -> bool:
        return upper_delta(eps, n, size, k, m, neighbours=neighbours) <= delta

    def safe(eps: float) -> bool:
        if neighbours == "replace" and size == 2:
            return fits(eps)
        return bool(
            certified_delta(eps, n, size, k, m, neighbours=neighbours)[1] <= arb(delta)
        )

    if safe(0.0):
        return 0.0
    high = min(m * math.log1p(1 / k) * (1 + 1e-9), 700.0)
    if not safe(high):
        raise ValueError(f"m must be small enough for 700 nats or less, got {m!r}")
    high = close_in(fits, 0.0, high, 1e-12)[1]
    while not safe(high):
        high *= 1 + 1e-10
    return high
