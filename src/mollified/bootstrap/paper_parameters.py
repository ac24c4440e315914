r"""Find k and m as the bootstrapping paper does.

By Corollary 3's recipe, by Theorem 2 at its best, and by pure DP. All three return (k,
m); compare `choose_parameters`, which uses the exact delta. "Best" is the least
`expected_error` $\frac{(n+k|\Sigma|)^2}{n^2m}(1-\frac1{|\Sigma|})$, which does not
depend on the data. Neighbours replace one record; one release is made. Sources:
bootstrapping paper, Theorem 2, Corollary 3, section 4; its Table 1 for the smoothed
histogram, which as usually described is the mechanism at pure DP.
"""

from __future__ import annotations

import math

import numpy as np

from mollified._validate import check_count, check_eps, check_interval
from mollified.bootstrap.typical_bounds import (
    pure_records,
    smallest_pseudocount,
    theorem_records,
    typical_lower,
    typical_upper,
)
from mollified.privacy.smallest import smallest_count

__all__ = ["paper_k", "recipe_parameters", "smoothed_parameters", "theorem_parameters"]

#: No search goes beyond this many pseudo-records a symbol.
MOST = 10**12
#: More than the rounding of a quotient of floats: results err below by this share.
ROUNDING = 1e-12


def _check(eps: object, n: object, size: object) -> tuple[float, int, int]:
    return (
        check_eps("eps", eps),
        check_count("n", n),
        check_count("size", size, minimum=2),
    )


def recipe_parameters(
    gamma: float,
    eps: float,
    delta: float,
    n: int,
    size: int,
) -> tuple[int, int]:
    r"""Return k and m of Corollary 3's three steps, as printed.

    $k=\lceil k_0\rceil$ and $m=\lfloor U\rfloor$. Condition (1), m >= L, is checked, as
    the recipe does not ensure it. Raises ValueError where it fails, and for gamma,
    delta outside (0, 1), eps <= 0, n < 1, size < 2; TypeError for other types.
    """
    eps = check_eps("eps", eps)
    k = math.ceil(smallest_pseudocount(gamma, delta, eps, n, size))
    m = math.floor(typical_upper(gamma, eps, n, size, k))
    if m < typical_lower(gamma, delta):
        raise ValueError(
            "gamma must leave a whole number between L and U,"
            f" got {gamma!r}: floor(U) is {m}"
        )
    return k, m


def theorem_parameters(
    eps: float,
    delta: float,
    n: int,
    size: int,
    *,
    within: float = 0.01,
    most_records: int = 10**9,
) -> tuple[int, int]:
    r"""Return k and m of about the least error by Theorem 2 at its best gamma.

    The smallest k, up to 1 %, whose largest m brings the error within `within` of the
    best. The error falls as k grows and tends to
    $(1-\frac1{|\Sigma|})\bigl(\frac{|\Sigma|}{\varepsilon n}(\sqrt l+\sqrt{l+
    \varepsilon/|\Sigma|})\bigr)^2$, $l=2\log\frac2\delta$, which is not attained. Where
    m would pass `most_records`, k is the largest one tried (steps of 1 %) that keeps
    below. Raises ValueError or TypeError as `theorem_records`, for within outside (0,
    1) or most_records < 1, and where no k allows an m.
    """
    eps, n, size = _check(eps, n, size)
    within = check_interval("within", within, 0, 1, open_low=True, open_high=True)
    most = check_count("most_records", most_records)
    miss = check_interval("delta", delta, 0, 1, open_low=True, open_high=True)
    least = 2 * math.log(2 / miss)
    roots = math.sqrt(least) + math.sqrt(least + eps / size)
    floor = (size / (eps * n) * roots) ** 2
    k = best = 1
    while k < MOST:
        m = theorem_records(eps, delta, n, size, k)
        if m > most:
            break
        best = k
        if m and (1 + k * size / n) ** 2 / m <= (1 + within) * floor:
            break
        k = max(k + 1, math.floor(1.01 * k))
    m = theorem_records(eps, delta, n, size, best)
    if m == 0:
        raise ValueError(
            "most_records must leave room for a k at which Theorem 2 allows an m,"
            f" got {most!r}"
        )
    return best, m


def smoothed_parameters(eps: float, n: int, size: int) -> tuple[int, int]:
    r"""Return k and m of the least expected error at pure eps-DP.

    m is the largest with $m\log\frac{k+1}k\le\varepsilon$, up to a share $10^{-12}$.
    About $k=n/|\Sigma|$, m = eps k. Found among k up to
    $4n/|\Sigma|+10/\varepsilon+10$. Raises ValueError or TypeError for eps <= 0, n < 1,
    size < 2.
    """
    eps, n, size = _check(eps, n, size)
    ks = np.arange(1, math.ceil(4 * n / size + 10 / eps) + 11)
    ms = np.floor(eps / np.log1p(1 / ks) * (1 - ROUNDING))
    errors = (1 + ks * size / n) ** 2 / np.maximum(ms, 1)
    errors = np.where(ms > 0, errors, np.inf)
    best = int(errors.argmin())
    return int(ks[best]), int(ms[best])


def paper_k(eps: float, delta: float, n: int, size: int, m: int) -> int:
    """Return the smallest k at which the paper allows m records.

    By Theorem 2 at its best gamma, or by pure DP. Raises ValueError or TypeError for
    eps <= 0, delta outside (0, 1), n, m < 1, size < 2.
    """
    m = check_count("m", m)

    def fits(k: int) -> bool:
        return max(theorem_records(eps, delta, n, size, k), pure_records(eps, k)) >= m

    return smallest_count(fits)
