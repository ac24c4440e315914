r"""Audit a sampler of the bootstrapping mechanism from its outputs alone.

On the worst pair of data sets. The pair: one record of symbol 1 against one of symbol
2, all other records at the last symbol, |Sigma| >= 3. The event is fixed before any
draw, by the k that is promised: the first two released counts differ by
$\varepsilon/\lambda$ or more, $\lambda=\log\frac{k+1}k$, but by no more than all m
records, which is where the exact delta at $\varepsilon$ is attained. Not in the papers.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal

import numpy as np
from flint import arb
from numpy.typing import NDArray

from mollified._validate import (
    MOST_RECORDS,
    check_count,
    check_eps,
    check_interval,
    check_rng,
    echo,
)
from mollified.bootstrap.mechanism import independent_releases
from mollified.bootstrap.release_law import release_exact
from mollified.privacy.audit import Audit, audit
from mollified.privacy.exact_level import ball, float_below
from mollified.privacy.lattice_walk import Walk, certified_tail
from statements.precision import working_precision

__all__ = ["audit_bootstrap", "event_threshold", "largest_bound", "worst_pair"]

Sampler = Literal["floats", "exact"]

#: Levels are taken for a tie within this, relatively: four roundings of a product of
#: floats.
TIE = 2.0**-50

#: Bits of balls beyond those of the numbers in them.
EXTRA_BITS = 192

#: A weight that falls by e^-256 a step is that of an event, to the last bit of a ball
#: of so many bits.
STEEP = 256


def worst_pair(n: int, size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the counts of the two data sets, shape (size,) each."""
    pair = np.zeros((2, size), dtype=np.int64)
    pair[0, 0] = pair[1, 1] = 1
    pair[:, -1] += n - 1
    return pair[0], pair[1]


def event_threshold(eps: float, k: int) -> int:
    r"""Return the least whole t with $t\lambda\ge\varepsilon$, decided exactly.

    A tie up to rounding is one. A whole t with $t\lambda$ within $2^{-50}$ of eps,
    relatively, is taken for it: floats hold no tie. Raises ValueError or TypeError for
    eps <= 0, k < 1.
    """
    level = Fraction(check_eps("eps", eps))
    k = check_count("k", k)
    digits = max(math.frexp(float(level))[1], 0)
    with working_precision(EXTRA_BITS + 2 * k.bit_length() + digits):
        ratio = ball(level) / ball(Fraction(k + 1, k)).log()
        nearest = (ratio + arb("0.5")).floor().unique_fmpz()
        if nearest is not None and abs(ratio - nearest) <= ratio * TIE:
            return int(nearest)
        above = ratio.ceil().unique_fmpz()
    assert above is not None, (
        "the log of a rational is no rational, and floats come no nearer to it"
    )
    return int(above)


def _event(eps: float, k: int, m: int) -> int:
    """Return the least difference of counts that meets the event.

    One that m records can show.
    """
    return min(event_threshold(eps, k), m)


def _check(n: object, size: object, m: object) -> tuple[int, int, int]:
    return (
        check_count("n", n),
        check_count("size", size, minimum=3),
        check_count("m", m),
    )


def _added(k: object, used: object) -> int:
    """Return the pseudocount that the sampler adds: k unless `used` says another."""
    return check_count("used", k if used is None else used)


def audit_bootstrap(
    n: int,
    size: int,
    k: int,
    m: int,
    eps: float,
    delta: float,
    draws: int,
    rng: np.random.Generator,
    *,
    used: int | None = None,
    sampler: Sampler = "floats",
    confidence: float = 0.999,
) -> Audit:
    r"""Return the audit of a sampler that is promised to be (eps, delta)-DP.

    Promised with pseudocount k and m records a release. `used` is the pseudocount that
    the sampler adds (default k: the promise is kept); "floats" draws by
    `independent_releases`, "exact" by `release_exact` on bytes of the rng. The bound
    exceeds the sampler's true eps with probability at most 1 - confidence. Raises
    ValueError or TypeError for n, k, m, draws, used < 1, size < 3, eps <= 0, delta
    outside [0, 1), more than 2^62 records with the pseudo-records, an m that the
    sampler refuses, another sampler, no rng.
    """
    n, size, m = _check(n, size, m)
    threshold = _event(eps, k, m)
    added = _added(k, used)
    rng = check_rng("rng", rng)
    if n + added * size > MOST_RECORDS:
        raise ValueError(
            "n must leave at most 2^62 records with the pseudo-records,"
            f" got {echo('n', n)}"
        )
    if sampler not in ("floats", "exact"):
        raise ValueError(
            f"sampler must be floats or exact, got {echo('sampler', sampler)}"
        )
    one, two = worst_pair(n, size)

    def drawn(
        counts: NDArray[np.int64],
        wanted: int,
        source: np.random.Generator,
    ) -> NDArray[np.int64]:
        if sampler == "floats":
            return independent_releases(counts, added, m, wanted, source)
        return np.stack(
            [release_exact(counts, added, m, source.bytes) for _ in range(wanted)]
        )

    return audit(
        lambda wanted, source: drawn(one, wanted, source),
        lambda wanted, source: drawn(two, wanted, source),
        lambda outputs: outputs[:, 0] - outputs[:, 1] >= threshold,
        draws,
        delta,
        rng,
        confidence=confidence,
    )


def _at_least(up: int, down: int, total: int, m: int, least: int) -> arb:
    """Return the probability that m steps lead to `least` or higher.

    Up and down by these shares of a total.
    """
    steep = arb(STEEP)
    return certified_tail(
        Walk(Fraction(up, total), Fraction(down, total), m),
        least,
        steep * (least - 1),
        steep,
    )


def largest_bound(
    n: int,
    size: int,
    k: int,
    m: int,
    eps: float,
    delta: float,
    *,
    used: int | None = None,
) -> float:
    r"""Return what the audit tends to as draws grow, in nats; 0 where negative.

    $\log\frac{p-\delta}q$ of its event. At most the sampler's true eps. Errs below, by
    at most $10^{-12}$ relatively where p is above $e^{-10^6}$ and above $2\delta$.
    Raises as `audit_bootstrap`.
    """
    n, size, m = _check(n, size, m)
    threshold = _event(eps, k, m)
    delta = check_interval("delta", delta, 0, 1, open_high=True)
    added = _added(k, used)
    total = n + added * size
    with working_precision(EXTRA_BITS):
        p = _at_least(added + 1, added, total, m, threshold)
        q = _at_least(added, added + 1, total, m, threshold)
        share = (p.lower() - ball(Fraction(delta))) / q.upper()
        if share > 1:
            return max(float_below(share.log()), 0.0)
    return 0.0
