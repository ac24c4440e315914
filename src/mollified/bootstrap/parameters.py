r"""Choose k and m for the bootstrapping mechanism by its exact delta.

delta grows with m and falls with k (page exact-accounting): for "replace" a draw at k +
1 is a draw at k that is replaced, with probability $|\Sigma|/(N+|\Sigma|)$, by a
uniform symbol. So the largest m and the smallest k are found by bisection in floats,
and the result is accepted only with a certified upper bound on its delta. "add-remove"
asks for both directions and all n that are declared possible, since k and m must not
depend on an n that is private. The error of the corrected histogram is at most
$E=\frac{N^2}{n^2m}(1-\frac1{|\Sigma|})$, its expected squared l2 distance for flat
data. With the largest m it tends, as k grows, to that of the Gaussian mechanism on the
counts, and usually falls on the way. The released records themselves are farther off.
Not in the bootstrapping paper.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from flint import arb

from mollified._validate import check_count, check_eps, check_interval, echo
from mollified.bootstrap.accountant import (
    bootstrap_delta,
    certified_delta,
    private_at_all_sizes,
    surely_within,
)
from mollified.bootstrap.typical_bounds import pure_records
from mollified.privacy.gaussian_mechanism import gaussian_noise
from mollified.privacy.smallest import smallest_between

__all__ = [
    "Parameters",
    "choose_parameters",
    "expected_error",
    "gaussian_error",
    "largest_m",
    "smallest_k",
]

#: No search goes beyond this many records or pseudo-records: the floats of the
#: accountant carry it.
MOST = 10**15


@dataclass(frozen=True)
class Parameters:
    """Hold k, m, the expected error that they give, and its limit as k grows, the Gaussian mechanism's.

    Over all k and m the error does not fall much below the limit but where records are
    few; then `error` is below.
    """

    k: int
    m: int
    error: float
    limit: float


#: The relation of neighbours that a choice of k and m is private for; and n, or for
#: "add-remove" all that are possible.
Relation = Literal["replace", "add-remove"]
Sizes = int | tuple[int, int | None]


def _check(
    eps: object, delta: object, n: object, size: object
) -> tuple[float, float, int, int]:
    return (
        check_eps("eps", eps),
        check_interval("delta", delta, 0, 1, open_low=True, open_high=True),
        check_count("n", n),
        check_count("size", size, minimum=2),
    )


def _check_sizes(n: object, neighbours: object) -> tuple[int, int | None]:
    """Return (n, n) for "replace", else the least and the greatest n that are possible."""
    if neighbours == "replace":
        return (count := check_count("n", n)), count
    if neighbours != "add-remove":
        raise ValueError(
            "neighbours must be replace, or add-remove with all n that are possible as n=(least, most), since one "
            f"direction alone is no differential privacy; got {echo('neighbours', neighbours)}"
        )
    if not isinstance(n, tuple) or len(n) != 2:
        raise ValueError(
            "n must be declared as (least, most) for add-remove, most None where there is no limit, since n is private "
            f"and k and m must not depend on it; got {echo('n', n, whole=True)}"
        )
    least = check_count("n", n[0], minimum=0)
    return least, None if n[1] is None else check_count("n", n[1], minimum=least + 1)


def _fits(
    eps: float,
    delta: float,
    n: tuple[int, int | None],
    size: int,
    k: int,
    m: int,
    *,
    certified: bool,
) -> bool:
    """Say whether (eps, delta)-DP holds at k and m, certainly if `certified`."""
    least, most = n
    if most != least:
        return private_at_all_sizes(
            eps, delta, least, most, size, k, m, certified=certified
        )
    if size == 2 or not certified:
        return surely_within(
            delta, eps, least, size, k, m
        )  # two symbols: the certified bracket is wide
    return bool(certified_delta(eps, least, size, k, m)[1] <= arb(delta))


def largest_m(
    eps: float,
    delta: float,
    n: Sizes,
    size: int,
    k: int,
    *,
    neighbours: Relation = "replace",
) -> int:
    r"""Return the largest m, up to $10^{15}$, at which pseudocount k is certainly (eps, delta)-DP; 0 where none is.

    "replace": n records, a public number. "add-remove": n = (least, most), all numbers
    of records that are possible, most = None without a limit; then both directions and
    every such n are private. Errs below, and only where delta at m + 1 lies within
    $10^{-11}$ (relatively) of its target, within
    $2(10^{-13}+10^{-15}\sqrt m)e^\varepsilon$ for two symbols, or as
    `private_at_all_sizes`. Raises ValueError or TypeError for eps <= 0, delta outside
    (0, 1), n, k < 1, size < 2, and for "add" or "remove" alone, or one n for
    "add-remove", a ValueError that says what to declare.
    """
    sizes = _check_sizes(n, neighbours)
    eps, delta, _, size = _check(eps, delta, 1, size)
    k = check_count("k", k)

    def fits(m: int) -> bool:
        return _fits(eps, delta, sizes, size, k, m, certified=False)

    low = min(pure_records(eps, k), MOST)  # pure DP needs no search
    high = max(2 * low, 2)
    while fits(high) and high < MOST:
        low, high = high, 2 * high
    low = smallest_between(lambda m: not fits(m), low, high) - 1
    while low > 0 and not _fits(eps, delta, sizes, size, k, low, certified=True):
        low -= max(1, low // 10**11)
    return min(low, MOST)


def smallest_k(
    eps: float,
    delta: float,
    n: Sizes,
    size: int,
    m: int,
    *,
    neighbours: Relation = "replace",
) -> int:
    """Return the smallest k at which m records are certainly released with (eps, delta)-DP.

    n and neighbours as in `largest_m`; errs above as that errs below. Raises ValueError
    or TypeError as `largest_m`, for m < 1, and a ValueError that names m where no k up
    to 1e15 does.
    """
    sizes = _check_sizes(n, neighbours)
    eps, delta, _, size = _check(eps, delta, 1, size)
    m = check_count("m", m)

    def fits(k: int) -> bool:
        return _fits(eps, delta, sizes, size, k, m, certified=False)

    low = 0
    high = 1
    while not fits(high):
        low, high = high, 2 * high
        if high > MOST:
            raise ValueError(f"m must be small enough for a k up to {MOST}, got {m!r}")
    high = smallest_between(fits, low, high)
    while not _fits(eps, delta, sizes, size, high, m, certified=True):
        high += max(1, high // 10**11)
    return high


def expected_error(n: int, size: int, k: int, m: int) -> float:
    r"""Return the largest expected squared l2 error of the corrected histogram, that of flat data.

    $\frac{N^2}{n^2m}(1-\frac1{|\Sigma|})\ge\operatorname E\lVert\hat h^c-\hat h\rVert_2^2$.
    Raises ValueError or TypeError for n, k, m < 1, size < 2.
    """
    n, size = check_count("n", n), check_count("size", size, minimum=2)
    k, m = check_count("k", k), check_count("m", m)
    return (1 + k * size / n) ** 2 / m * (1 - 1 / size)


def gaussian_error(n: int, size: int, eps: float, delta: float) -> float:
    r"""Return the expected squared l2 error of the Gaussian mechanism on the counts over n, noise made to sum to 0.

    $(|\Sigma|-1)\sigma^2/n^2$ with the least $\sigma$ for l2 sensitivity $\sqrt2$. Errs
    relatively by at most $10^{-12}$. It is the limit of `expected_error` at the largest
    m as k grows. Raises ValueError or TypeError as `choose_parameters`.
    """
    eps, delta, n, size = _check(eps, delta, n, size)
    return (size - 1) * gaussian_noise(eps, delta) ** 2 / n**2


def choose_parameters(
    n: int,
    size: int,
    eps: float,
    delta: float,
    *,
    most_records: int = 10**9,
    within: float = 0.01,
    neighbours: Relation = "replace",
) -> Parameters:
    r"""Return k and m of the least expected error under the exact accountant, up to a share `within`.

    With the largest m the error tends to a limit as k grows; for k well above the
    Gaussian mechanism's $\sigma$ the excess is about $(\frac n{|\Sigma|}-\frac12)/k$ of
    it. So the smallest k is returned, up to 1 %, whose largest m brings the error
    within `within` of the limit, or, where that takes more than `most_records` records,
    the smallest k for `most_records`; but where some k does better than the limit, the
    best of those tried (all up to 32, then one in 20 %): with few records,
    $n<|\Sigma|/2$ or $n\varepsilon$ below $\log\frac1\delta$, it can. Neighbours
    replace one record: with n private neither this error nor a k and m that depend on n
    could be had. Raises ValueError or TypeError for n < 1, size < 2, eps <= 0, delta or
    within outside (0, 1), most_records outside [1, 10^15], or other neighbours.
    """
    if neighbours != "replace":
        raise ValueError(
            "neighbours must be replace, as the error is that of shares corrected with n, which must be public; where "
            "it is not, fix m and call smallest_k with neighbours='add-remove' and n=(least, most); got "
            f"{echo('neighbours', neighbours)}"
        )
    eps, delta, n, size = _check(eps, delta, n, size)
    most = check_count("most_records", most_records)
    if most > MOST:
        raise ValueError(
            f"most_records must be at most {MOST}, got {echo('most_records', most_records)}"
        )
    within = check_interval("within", within, 0, 1, open_low=True, open_high=True)
    limit = gaussian_error(n, size, eps, delta)

    def at(k: int) -> tuple[int, float]:
        m = largest_m(eps, delta, n, size, k)
        return m, expected_error(n, size, k, m) if m else math.inf

    ceiling = smallest_k(eps, delta, n, size, most)
    low = 1
    high = ceiling
    m = most
    error = expected_error(n, size, ceiling, most)
    if error <= (1 + within) * limit:
        while high > 1.01 * low + 1:
            middle = max(math.isqrt(low * high), low + 1)
            low, high = (
                (low, middle)
                if at(middle)[1] <= (1 + within) * limit
                else (middle, high)
            )
        m, error = at(high)
    best = Parameters(high, m, error, limit)
    k = 1
    while k < ceiling:
        # one delta decides whether k allows the records that a smaller error takes
        needed = math.floor(expected_error(n, size, k, 1) / min(best.error, limit)) + 1
        if needed <= most and bootstrap_delta(eps, n, size, k, needed) <= delta:
            m, error = at(k)
            if error < min(best.error, limit):
                best = Parameters(k, m, error, limit)
        k = max(k + 1, 6 * k // 5 if k >= 32 else 0)
    return best
