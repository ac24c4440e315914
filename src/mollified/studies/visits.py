r"""Studies of one real release: visits to a doctor, released by the mechanism and by noise on the counts.

Records are persons, replaced one by one; n and the classes are public; one release. Errors are exact expectations for
these data: $\frac{N^2}{n^2m}(1-\sum_i\tilde h_i^2)$ for the mechanism, $(|\Sigma|-1)\sigma^2/n^2$ for centred noise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binom

from mollified._validate import check_count, check_seed
from mollified.bootstrap_mechanism import check_counts, corrected_histogram, release, smoothed_law
from mollified.bootstrap_parameters import choose_parameters, largest_m, smallest_k
from mollified.histogram_release import discrete_gaussian_scale, discrete_laplace_scale
from mollified.paper_parameters import paper_k, recipe_parameters, theorem_parameters
from mollified.studies.bootstrap_release import discrete_laplace_variance, record_error

__all__ = ["release_errors", "released_visits", "squared_error"]


def squared_error(counts: Sequence[int], k: int, m: int) -> float:
    r"""Return the expected squared l2 error of the corrected histogram for these data, exactly up to rounding.

    $\frac{N^2}{n^2m}(1-\sum_i\tilde h_i^2)$. Raises TypeError or ValueError for what are no counts, or k, m < 1.
    """
    table = check_counts("counts", counts)
    law, m = smoothed_law(table, k), check_count("m", m)
    n = int(table.sum())
    return float((1 - sum(mass**2 for mass in law)) / m) * (1 + k * table.size / n) ** 2


def release_errors(counts: Sequence[int], eps: float, delta: float, gamma: float) -> pd.DataFrame:
    r"""Return ways to release these data with (eps, delta)-DP, and the error of each.

    Columns key, k, m (0 for noise), rms (the root of the expected squared l2 error of the corrected shares), persons
    ($n\,$rms$/\sqrt{|\Sigma|}$, the typical error of one count) and records (the same of the released records as they
    are; nan for noise). Keys: "recipe" (Corollary 3 at gamma), "theorem"
    (Theorem 2 at its best k), "recipe-k" (the recipe's k, exact m), "paper-n", "exact-n" (n records), "best"
    (`choose_parameters`), "discrete-gaussian", "discrete-laplace" (both at exactly (eps, delta), centred). Raises
    TypeError or ValueError as these functions.
    """
    table = check_counts("counts", counts)
    n, size = int(table.sum()), int(table.size)
    recipe, best = recipe_parameters(gamma, eps, delta, n, size), choose_parameters(n, size, eps, delta)
    chosen = {
        "recipe": recipe,
        "theorem": theorem_parameters(eps, delta, n, size),
        "paper-n": (paper_k(eps, delta, n, size, n), n),
        "exact-n": (smallest_k(eps, delta, n, size, n), n),
        "recipe-k": (recipe[0], largest_m(eps, delta, n, size, recipe[0])),
        "best": (best.k, best.m),
    }
    rows = [(key, k, m, math.sqrt(squared_error(table.tolist(), k, m))) for key, (k, m) in chosen.items()]
    spread = {
        "discrete-gaussian": discrete_gaussian_scale(eps, delta),
        "discrete-laplace": math.sqrt(discrete_laplace_variance(discrete_laplace_scale(eps, delta))),
    }
    rows += [(key, 0, 0, math.sqrt(size - 1) * deviation / n) for key, deviation in spread.items()]
    found = pd.DataFrame(rows, columns=["key", "k", "m", "rms"])
    found["persons"] = n * found["rms"] / math.sqrt(size)
    found["records"] = [
        n * math.sqrt(record_error(table.tolist(), k, m) / size) if m else math.nan
        for k, m in zip(found["k"].tolist(), found["m"].tolist(), strict=True)
    ]
    return found


def released_visits(
    counts: Sequence[int], eps: float, delta: float, records: int, seed: int
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return one release of so many records at the paper's k and at the exact one, beside the data.

    Columns method ("paper", "exact"), symbol, truth, released (the corrected histogram), low and high (between which
    a released share lies with probability 95 % or a little more, by the binomial). Facts: n, size, and k by method.
    Raises TypeError or ValueError for what are no counts, records < 1, no seed, and as `smallest_k`.
    """
    table = check_counts("counts", counts)
    records, seed = check_count("records", records), check_seed("seed", seed)
    n, size = int(table.sum()), int(table.size)
    ks = {"paper": paper_k(eps, delta, n, size, records), "exact": smallest_k(eps, delta, n, size, records)}
    frames = []
    for method, k in ks.items():
        rng = np.random.default_rng(seed)
        law = (table + k) / (n + k * size)
        scale, shift = (n + k * size) / (n * records), k / n
        frames.append(
            pd.DataFrame(
                {
                    "method": method,
                    "symbol": np.arange(size),
                    "truth": table / n,
                    "released": corrected_histogram(release(table, k, records, rng), n, k),
                    "low": scale * binom.ppf(0.025, records, law) - shift,
                    "high": scale * binom.ppf(0.975, records, law) - shift,
                }
            )
        )
    facts = {"n": n, "size": size, "eps": eps, "delta": delta, "records": records}
    facts |= {f"k_{method}": k for method, k in ks.items()}
    return pd.concat(frames, ignore_index=True), facts
