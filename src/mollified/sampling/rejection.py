"""Exact sampling by rejection, and what the number of proposals tells about the data.

To sample from q = q0 exp(r) / Z with r <= b, propose x from q0 and a uniform U on (0,
1), accept where U < exp(r(x) - b), else try again. For every event A, P(x in A,
accepted) = integral over A of q0 exp(r - b) = Z e^-b Q(A): an accepted x has the law Q
exactly, and the number of proposals is geometric with success probability Z e^-b,
independent of x. There is no chain that would have to be stopped, so no distance to Q
that would add to the privacy loss.

The number of proposals can be seen by whoever sees the time taken. It tells nothing
about the data only where Z e^-b is the same for all data (J. Awan and V. Rao,
"Privacy-aware rejection sampling", 2023, arXiv 2108.00965). Two envelopes for a density
of a relative mollifier:

- r = log(q/q0) normalised (Z = 1) and b = eps/2: the acceptance probability is
  exp(-eps/2) for every input;
- r unnormalised and bounded by b = eps/4: it is Z exp(-eps/4), and Z depends on the
  data.

Exactness is that of idealised arithmetic: real numbers, independent uniform draws.
Float64 rounds r, U and the draws from q0; `log_ratio` may exceed the bound by 1e-12,
for rounding, and by no more.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mollified._records import Record
from mollified._validate import (
    Array,
    check_callable,
    check_count,
    check_finite,
    check_rng,
)
from mollified.laws._validate_densities import check_distribution, evaluate_log
from mollified.laws.distributions import Distribution

__all__ = ["RejectionSample", "rejection_sample"]

#: What a log ratio may exceed its bound by, for rounding.
ROUNDING = 1e-12

#: The largest number of proposals drawn at once; to what is expected so many are added.
LARGEST_BATCH = 1 << 16
SPARE_SHARE = 1.1
SPARE = 16
#: The first batch is for a rate of acceptance of at least exp(-10).
LARGEST_FIRST_BOUND = 10.0


@dataclass(frozen=True, eq=False, repr=False)
class RejectionSample(Record):
    """Hold n exact draws, shape (n, d), and how many proposals they used.

    `proposals` is their number in all, `proposals_each` that for each draw, shape (n,).
    """

    samples: Array
    proposals: int
    proposals_each: NDArray[np.int64]


def _batch_size(missing: int, accepted: int, seen: int, bound: float) -> int:
    """Return how many proposals are likely to give the draws that are missing."""
    if seen:
        rate = (accepted + 1) / (seen + 1)
    else:
        rate = math.exp(-max(0.0, min(bound, LARGEST_FIRST_BOUND)))
    return min(int(SPARE_SHARE * missing / rate) + SPARE, LARGEST_BATCH)


def rejection_sample(
    reference: Distribution,
    log_ratio: Callable[[Array], Array],
    log_bound: float,
    n: int,
    rng: np.random.Generator,
    max_proposals: int = 10**9,
) -> RejectionSample:
    """Return `n` independent exact draws from a density ∝ q0 exp(log_ratio).

    `reference` is q0; `log_ratio` maps points (m, d) to logs (m,), -inf allowed, at
    most `log_bound` everywhere, in nats. The proposals form one sequence, looked at in
    order and drawn in batches for speed; a draw's count is the number of proposals
    since the draw before, so that counts are independent and geometric with success
    probability Z exp(-log_bound). Proposals left over after the last draw are dropped.
    Idealised numerics: floats stand for reals, see above.

    Raises ValueError naming `log_ratio` where it exceeds `log_bound` at a proposal by
    more than 1e-12 (a density cut off at the bound would be another density), or is
    NaN; ValueError or TypeError for other bad arguments; RuntimeError where
    `max_proposals` did not yield `n` draws, since returning fewer would depend on them.
    """
    check_distribution("reference", reference)
    check_callable("log_ratio", log_ratio)
    bound = check_finite("log_bound", log_bound)
    wanted = check_count("n", n)
    check_rng("rng", rng)
    limit = check_count("max_proposals", max_proposals)
    samples: list[Array] = []
    places: list[NDArray[np.int64]] = []
    accepted = 0
    seen = 0
    while accepted < wanted:
        if seen >= limit:
            raise RuntimeError(
                f"{limit} proposals gave fewer than {wanted} draws: raise max_proposals"
            )
        missing = wanted - accepted
        batch = min(_batch_size(missing, accepted, seen, bound), limit - seen)
        points = reference.sample(batch, rng)
        logs = evaluate_log("log_ratio", log_ratio, points)
        if logs.max() > bound + ROUNDING:
            raise ValueError(
                f"log_ratio must not exceed log_bound = {bound!r}, and does so at a "
                "proposal"
            )
        passes = -rng.standard_exponential(batch) < logs - bound
        chosen = np.flatnonzero(passes)[:missing]
        samples.append(points[chosen])
        places.append(chosen + seen + 1)
        accepted += chosen.size
        seen += batch
    ends = np.concatenate(places)
    each = ends - np.concatenate([[0], ends[:-1]])
    return RejectionSample(np.concatenate(samples), int(each.sum()), each)
