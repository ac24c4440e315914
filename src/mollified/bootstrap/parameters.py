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
from mollified.bootstrap.setting import Setting
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

#: A result that is not certified moves by this share of itself, at least by one.
STEPS = 10**11

#: Below this k every one is tried for an error below the limit, from there on one in
#: 20 %.
ALL_TRIED = 32


@dataclass(frozen=True)
class Parameters:
    """Hold k, m, the expected error that they give, and its limit as k grows.

    Over all k and m the error does not fall much below the limit, the Gaussian
    mechanism's, but where records are few; then `error` is below.
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
    eps: object,
    delta: object,
    n: object,
    size: object,
) -> tuple[float, float, int, int]:
    return (
        check_eps("eps", eps),
        check_interval("delta", delta, 0, 1, open_low=True, open_high=True),
        check_count("n", n),
        check_count("size", size, minimum=2),
    )


def _check_sizes(n: object, neighbours: object) -> tuple[int, int | None]:
    """Return (n, n) for "replace", else the least and the greatest n possible."""
    if neighbours == "replace":
        count = check_count("n", n)
        return count, count
    if neighbours != "add-remove":
        raise ValueError(
            "neighbours must be replace, or add-remove with all n that are possible as"
            " n=(least, most), since one direction alone is no differential privacy;"
            f" got {echo('neighbours', neighbours)}"
        )
    if not isinstance(n, tuple) or len(n) != 2:
        raise ValueError(
            "n must be declared as (least, most) for add-remove, most None where there"
            " is no limit, since n is private and k and m must not depend on it; got"
            f" {echo('n', n, whole=True)}"
        )
    least = check_count("n", n[0], minimum=0)
    return least, None if n[1] is None else check_count("n", n[1], minimum=least + 1)


@dataclass(frozen=True)
class _Promise:
    """Hold a level that k and m are to meet, and for which data sets."""

    eps: float
    delta: float
    least: int
    most: int | None
    size: int

    @classmethod
    def of(
        cls,
        eps: object,
        delta: object,
        n: object,
        size: object,
        neighbours: object,
    ) -> _Promise:
        """Return the promise of arguments; ValueError or TypeError that names one."""
        least, most = _check_sizes(n, neighbours)
        level, miss, _, symbols = _check(eps, delta, 1, size)
        return cls(level, miss, least, most, symbols)

    def holds(self, k: int, m: int) -> bool:
        """Say whether the promise is kept at k and m, by floats."""
        if self.most != self.least:
            return self._holds_at_all_sizes(k, m, certified=False)
        return surely_within(self.delta, self.eps, self._setting(k, m))

    def surely_holds(self, k: int, m: int) -> bool:
        """Say whether the promise is kept at k and m, by balls.

        For two symbols and one n by floats and their margin: the certified bracket is
        wide there.
        """
        if self.most != self.least:
            return self._holds_at_all_sizes(k, m, certified=True)
        if self.size == 2:
            return self.holds(k, m)
        upper = certified_delta(self.eps, self.least, self.size, k, m)[1]
        return bool(upper <= arb(self.delta))

    def _setting(self, k: int, m: int) -> Setting:
        return Setting(self.least, self.size, k, m)

    def _holds_at_all_sizes(self, k: int, m: int, *, certified: bool) -> bool:
        return private_at_all_sizes(
            self.eps,
            self.delta,
            self.least,
            self.most,
            self.size,
            k,
            m,
            certified=certified,
        )


def largest_m(
    eps: float,
    delta: float,
    n: Sizes,
    size: int,
    k: int,
    *,
    neighbours: Relation = "replace",
) -> int:
    r"""Return the largest m at which pseudocount k is certainly (eps, delta)-DP.

    Up to $10^{15}$; 0 where no m is. "replace": n records, a public number.
    "add-remove": n = (least, most), all numbers of records that are possible, most =
    None without a limit; then both directions and every such n are private. Errs below,
    and only where delta at m + 1 lies within $10^{-11}$ (relatively) of its target,
    within $2(10^{-13}+10^{-15}\sqrt m)e^\varepsilon$ for two symbols, or as
    `private_at_all_sizes`. Raises ValueError or TypeError for eps <= 0, delta outside
    (0, 1), n, k < 1, size < 2, and for "add" or "remove" alone, or one n for
    "add-remove", a ValueError that says what to declare.
    """
    promise = _Promise.of(eps, delta, n, size, neighbours)
    k = check_count("k", k)
    low = min(pure_records(promise.eps, k), MOST)  # pure DP needs no search
    high = max(2 * low, 2)
    while promise.holds(k, high) and high < MOST:
        low = high
        high *= 2
    low = smallest_between(lambda m: not promise.holds(k, m), low, high) - 1
    while low > 0 and not promise.surely_holds(k, low):
        low -= max(1, low // STEPS)
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
    """Return the smallest k at which m records are certainly (eps, delta)-DP.

    n and neighbours as in `largest_m`; errs above as that errs below. Raises ValueError
    or TypeError as `largest_m`, for m < 1, and a ValueError that names m where no k up
    to 1e15 does.
    """
    promise = _Promise.of(eps, delta, n, size, neighbours)
    m = check_count("m", m)
    low = 0
    high = 1
    while not promise.holds(high, m):
        low = high
        high *= 2
        if high > MOST:
            raise ValueError(f"m must be small enough for a k up to {MOST}, got {m!r}")
    high = smallest_between(lambda k: promise.holds(k, m), low, high)
    while not promise.surely_holds(high, m):
        high += max(1, high // STEPS)
    return high


def expected_error(n: int, size: int, k: int, m: int) -> float:
    r"""Return the largest expected squared l2 error of the corrected histogram.

    It is that of flat data: $\frac{N^2}{n^2m}(1-\frac1{|\Sigma|})\ge\operatorname
    E\lVert\hat h^c-\hat h\rVert_2^2$. Raises ValueError or TypeError for n, k, m < 1,
    size < 2.
    """
    n = check_count("n", n)
    size = check_count("size", size, minimum=2)
    k = check_count("k", k)
    m = check_count("m", m)
    return (1 + k * size / n) ** 2 / m * (1 - 1 / size)


def gaussian_error(n: int, size: int, eps: float, delta: float) -> float:
    r"""Return the expected squared l2 error of the Gaussian mechanism on the counts.

    Counts over n, noise made to sum to 0: $(|\Sigma|-1)\sigma^2/n^2$ with the least
    $\sigma$ for l2 sensitivity $\sqrt2$. Errs relatively by at most $10^{-12}$. It is
    the limit of `expected_error` at the largest m as k grows. Raises ValueError or
    TypeError as `choose_parameters`.
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
    r"""Return k and m of the least expected error, by the exact accountant.

    Up to a share `within` of it. With the largest m the error tends to a limit as k
    grows; for k well above the Gaussian mechanism's $\sigma$ the excess is about
    $(\frac n{|\Sigma|}-\frac12)/k$ of it. So the smallest k is returned, up to 1 %,
    whose largest m brings the error within `within` of the limit, or, where that takes
    more than `most_records` records, the smallest k for `most_records`; but where some
    k does better than the limit, the best of those tried (all up to 32, then one in 20
    %): with few records, $n<|\Sigma|/2$ or $n\varepsilon$ below $\log\frac1\delta$, it
    can. Neighbours replace one record: with n private neither this error nor a k and m
    that depend on n could be had. Raises ValueError or TypeError for n < 1, size < 2,
    eps <= 0, delta or within outside (0, 1), most_records outside [1, 10^15], or other
    neighbours.
    """
    if neighbours != "replace":
        raise ValueError(
            "neighbours must be replace, as the error is that of shares corrected with"
            " n, which must be public; where it is not, fix m and call smallest_k with"
            " neighbours='add-remove' and n=(least, most); got"
            f" {echo('neighbours', neighbours)}"
        )
    eps, delta, n, size = _check(eps, delta, n, size)
    most = check_count("most_records", most_records)
    if most > MOST:
        raise ValueError(
            f"most_records must be at most {MOST},"
            f" got {echo('most_records', most_records)}"
        )
    within = check_interval("within", within, 0, 1, open_low=True, open_high=True)
    search = _Search(eps, delta, n, size, gaussian_error(n, size, eps, delta))
    goal = (1 + within) * search.limit
    ceiling = smallest_k(eps, delta, n, size, most)
    best = search.at(ceiling, most)
    if best.error <= goal:
        best = search.at_largest_m(search.smallest_within(goal, ceiling))
    return search.best_below(best, ceiling, most)


@dataclass(frozen=True)
class _Search:
    """Hold for what k and m are searched, and the error that is the limit."""

    eps: float
    delta: float
    n: int
    size: int
    limit: float

    def at(self, k: int, m: int) -> Parameters:
        """Return k and m with their error, which is infinite for no records."""
        error = math.inf
        if m > 0:
            error = expected_error(self.n, self.size, k, m)
        return Parameters(k, m, error, self.limit)

    def at_largest_m(self, k: int) -> Parameters:
        """Return k and the largest m with their error."""
        return self.at(k, largest_m(self.eps, self.delta, self.n, self.size, k))

    def smallest_within(self, goal: float, high: int) -> int:
        """Return the smallest k up to 1 % whose largest m has at most this error."""
        low = 1
        while high > 1.01 * low + 1:
            middle = max(math.isqrt(low * high), low + 1)
            if self.at_largest_m(middle).error <= goal:
                high = middle
            else:
                low = middle
        return high

    def best_below(self, best: Parameters, ceiling: int, most: int) -> Parameters:
        """Return the best of these parameters and those below that beat the limit."""
        k = 1
        while k < ceiling:
            goal = min(best.error, self.limit)
            # one delta decides whether k allows the records that a smaller error takes
            needed = math.floor(expected_error(self.n, self.size, k, 1) / goal) + 1
            if needed <= most and self._allows(k, needed):
                tried = self.at_largest_m(k)
                if tried.error < goal:
                    best = tried
            k = k + 1 if k < ALL_TRIED else max(k + 1, 6 * k // 5)
        return best

    def _allows(self, k: int, m: int) -> bool:
        return bootstrap_delta(self.eps, self.n, self.size, k, m) <= self.delta
