r"""Audit a sampler of the bootstrapping mechanism from its outputs alone, on the worst pair of data sets.

The pair: one record of symbol 1 against one of symbol 2, all other records at the last symbol, |Sigma| >= 3. The event
is fixed before any draw, by the k that is promised: the first two released counts differ by more than
$\varepsilon/\lambda$, $\lambda=\log\frac{k+1}k$, which is where the exact delta at $\varepsilon$ is attained. Not in
the papers.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from mollified._validate import Array, check_count, check_eps, check_interval, check_rng, echo
from mollified.bootstrap.mechanism import releases
from mollified.bootstrap.release_law import release_exact
from mollified.bootstrap.typical_bounds import step_loss
from mollified.privacy.audit import Audit, audit

__all__ = ["audit_bootstrap", "event_threshold", "largest_bound", "worst_pair"]

Sampler = Literal["floats", "exact"]


def worst_pair(n: int, size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the counts of the two data sets, shape (size,) each."""
    pair = np.zeros((2, size), dtype=np.int64)
    pair[0, 0] = pair[1, 1] = 1
    pair[:, -1] += n - 1
    return pair[0], pair[1]


def event_threshold(eps: float, k: int) -> int:
    r"""Return the least whole t with $t\lambda>\varepsilon$; ValueError or TypeError for eps <= 0, k < 1."""
    return math.floor(check_eps("eps", eps) / step_loss(k)) + 1


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
    r"""Return the audit of a sampler that is promised to be (eps, delta)-DP with pseudocount k, m records a release.

    `used` is the pseudocount that the sampler adds (default k: the promise is kept); "floats" draws by `releases`,
    "exact" by `release_exact` on bytes of the rng. The bound exceeds the sampler's true eps with probability at most 1
    - confidence. Raises ValueError or TypeError for n, k, m, draws, used < 1, size < 3, eps <= 0, delta outside [0, 1),
    another sampler, no rng.
    """
    one, two = worst_pair(check_count("n", n), check_count("size", size, minimum=3))
    threshold, m = event_threshold(eps, k), check_count("m", m)
    added, rng = check_count("used", k if used is None else used), check_rng("rng", rng)
    if sampler not in ("floats", "exact"):
        raise ValueError(f"sampler must be floats or exact, got {echo('sampler', sampler)}")

    def drawn(counts: NDArray[np.int64], wanted: int, source: np.random.Generator) -> NDArray[Any]:
        if sampler == "floats":
            return releases(counts, added, m, wanted, source)
        return np.stack([release_exact(counts, added, m, source.bytes) for _ in range(wanted)])

    return audit(
        lambda wanted, source: drawn(one, wanted, source),
        lambda wanted, source: drawn(two, wanted, source),
        lambda outputs: outputs[:, 0] - outputs[:, 1] >= threshold,
        draws,
        delta,
        rng,
        confidence=confidence,
    )


def _walk_law(up: float, down: float, m: int) -> Array:
    """Return the law of m steps on -m..m, by repeated squaring of polynomials."""
    law, power = np.ones(1), np.array([down, 1 - up - down, up])
    while m:
        if m % 2:
            law = np.convolve(law, power)
        power, m = np.convolve(power, power), m // 2
    return law


def largest_bound(n: int, size: int, k: int, m: int, eps: float, delta: float, *, used: int | None = None) -> float:
    r"""Return what the audit tends to as draws grow: $\log\frac{p-\delta}q$ of its event, in nats; 0 where negative.

    At most the sampler's true eps. Errs by rounding (1e-12); cost grows like $m^2$. Raises as `audit_bootstrap`.
    """
    n, size, m = check_count("n", n), check_count("size", size, minimum=3), check_count("m", m)
    threshold, delta = event_threshold(eps, k), check_interval("delta", delta, 0, 1, open_high=True)
    added = check_count("used", k if used is None else used)
    total = n + added * size
    law = _walk_law((added + 1) / total, added / total, m)
    p, q = float(law[m + threshold :].sum()), float(law[: max(m - threshold + 1, 0)].sum())
    return math.log((p - delta) / q) if p - delta > q else 0.0
