r"""Studies of one real release: visits to a doctor, released by the mechanism and by noise on the counts.

Records are persons, replaced one by one; n and the classes are public; one release.
Errors are exact expectations for these data: $\frac{N^2}{n^2m}(1-\sum_i\tilde h_i^2)$
for the mechanism, $(|\Sigma|-1)\sigma^2/n^2$ for centred noise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd

from mollified._validate import check_counts
from mollified.bootstrap.mechanism import smoothed_law
from mollified.bootstrap.paper_parameters import (
    paper_k,
    recipe_parameters,
    theorem_parameters,
)
from mollified.bootstrap.parameters import choose_parameters, largest_m, smallest_k
from mollified.experiments.bootstrap_worth import (
    discrete_laplace_variance,
    record_error,
)
from mollified.mechanisms.histogram_release import (
    discrete_gaussian_scale,
    discrete_laplace_scale,
)

__all__ = ["release_errors", "squared_error"]


def squared_error(counts: Sequence[int], k: int, m: int) -> float:
    r"""Return the expected squared l2 error of the corrected histogram for these data, exactly up to rounding.

    $\frac{N^2}{n^2m}(1-\sum_i\tilde h_i^2)$.
    """
    table = check_counts("counts", counts)
    law = smoothed_law(table, k)
    n = int(table.sum())
    return float((1 - sum(mass**2 for mass in law)) / m) * (1 + k * table.size / n) ** 2


def release_errors(
    counts: Sequence[int], eps: float, delta: float, gamma: float
) -> pd.DataFrame:
    r"""Return ways to release these data with (eps, delta)-DP, and the error of each.

    Columns key, k, m (0 for noise), rms (the root of the expected squared l2 error of
    the corrected shares), persons ($n\,$rms$/\sqrt{|\Sigma|}$, the typical error of one
    count) and records (the same of the released records as they are; nan for noise).
    Keys: "recipe" (Corollary 3 at gamma), "theorem" (Theorem 2 at its best k),
    "recipe-k" (the recipe's k, exact m), "paper-n", "exact-n" (n records), "best"
    (`choose_parameters`), "discrete-gaussian", "discrete-laplace" (both at exactly
    (eps, delta), centred).
    """
    table = check_counts("counts", counts)
    n = int(table.sum())
    size = int(table.size)
    recipe = recipe_parameters(gamma, eps, delta, n, size)
    best = choose_parameters(n, size, eps, delta)
    chosen = {
        "recipe": recipe,
        "theorem": theorem_parameters(eps, delta, n, size),
        "paper-n": (paper_k(eps, delta, n, size, n), n),
        "exact-n": (smallest_k(eps, delta, n, size, n), n),
        "recipe-k": (recipe[0], largest_m(eps, delta, n, size, recipe[0])),
        "best": (best.k, best.m),
    }
    rows = [
        (key, k, m, math.sqrt(squared_error(table.tolist(), k, m)))
        for key, (k, m) in chosen.items()
    ]
    spread = {
        "discrete-gaussian": discrete_gaussian_scale(eps, delta),
        "discrete-laplace": math.sqrt(
            discrete_laplace_variance(discrete_laplace_scale(eps, delta))
        ),
    }
    rows += [
        (key, 0, 0, math.sqrt(size - 1) * deviation / n)
        for key, deviation in spread.items()
    ]
    found = pd.DataFrame(rows, columns=["key", "k", "m", "rms"])
    found["persons"] = n * found["rms"] / math.sqrt(size)
    found["records"] = [
        n * math.sqrt(record_error(table.tolist(), k, m) / size) if m else math.nan
        for k, m in zip(found["k"].tolist(), found["m"].tolist(), strict=True)
    ]
    return found
