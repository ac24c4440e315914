r"""Draw from the bootstrapping mechanism exactly.

By integer weights $n_i+k$ and uniform integers from random bytes. A released record is
symbol i with probability $(n_i+k)/(n+k|\Sigma|)$, a ratio of integers; so one uniform
integer below $N=n+k|\Sigma|$ decides it, and no float is used. Given uniform bytes, the
law is the mechanism's, and its guarantee that of the accountant, without an allowance.
How long a call takes can depend on the data; nothing is done against that. The
mechanism: bootstrapping paper, section 5.1.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence

import numpy as np

from mollified._validate import MOST_RECORDS, Counts, check_count, echo
from mollified.bootstrap.mechanism import check_smoothed
from mollified.sampling.uniform_integers import uniform_integers

__all__ = ["release_exact"]

#: So many integers are drawn at a time.
BLOCK = 1 << 20


def release_exact(
    counts: Sequence[int] | Counts,
    k: int,
    m: int,
    random_bytes: Callable[[int], bytes] = secrets.token_bytes,
) -> Counts:
    """Return the counts of m released records, total m, drawn exactly.

    Shape (|Sigma|,). By default the bytes come from the system's secure source.
    `rng.bytes` of a Generator makes a run repeatable, for tests. Time grows like m:
    about a second for ten million records. Raises TypeError or ValueError for what are
    no counts, for k < 1, m outside [1, 2^62], more than 2^62 records with the
    pseudo-records, or random_bytes as `uniform_integers`.
    """
    table, k = check_smoothed(counts, k)
    m = check_count("m", m)
    if m > MOST_RECORDS:
        raise ValueError(f"m must be at most 2^62, got {echo('m', m)}")
    total = sum(table.tolist()) + k * table.size
    edges = np.cumsum(table + k)
    released = np.zeros(table.size, dtype=np.int64)
    for start in range(0, m, BLOCK):
        places = uniform_integers(total, min(BLOCK, m - start), random_bytes)
        released += np.bincount(
            np.searchsorted(edges, places, side="right"), minlength=table.size
        )
    return released
