r"""Studies for the page on post-processing: which decisions can be told apart after one draw, and after k."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import binom

from mollified._validate import check_count, check_each, check_eps

__all__ = ["decision_curves", "level_by_use"]


def decision_curves(eps: float, draws: Sequence[int]) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the best decisions between two data sets from k draws: $\Pr$ under D against $\Pr$ under D'.

    The laws are $(\frac{r}{1+r},\frac1{1+r})$ and its mirror, $r=e^\varepsilon$. Columns draws, ones, other ($\Pr[T]$
    under D'), own (under D): the corners of the concave curve, by likelihood ratio. Exact binomial sums in floats.
    """
    eps, counts = check_eps("eps", eps), check_each("draws", draws, check_count)
    p = 1 / (1 + np.exp(-eps))
    parts = []
    for count in counts:
        ones = np.arange(count + 1, -1, -1)
        own, other = (binom.sf(ones - 1, count, share) for share in (p, 1 - p))
        parts.append(pd.DataFrame({"draws": count, "ones": ones, "other": other, "own": own}))
    table = pd.concat(parts, ignore_index=True)
    inside = table[table["other"] > 0]
    ratio = (inside["own"] / inside["other"]).groupby(inside["draws"]).max()
    facts = {"eps": eps} | {f"ratio_{count}": float(ratio[count]) for count in counts}
    return table, facts


def level_by_use(eps: float, draws: Sequence[int]) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the level that f spends of k draws, by what it reads off them, for the same pair of laws.

    Columns use, draws, level (nats): "sample" $k\varepsilon$, "majority" (odd k) the log-ratio of the majority, "one" a
    draw picked at random, $\varepsilon$. Facts: the majority of three in units of $\varepsilon$. Floats.
    """
    eps, counts = check_eps("eps", eps), np.array(check_each("draws", draws, check_count))
    if (counts % 2 == 0).any():
        raise ValueError(f"draws must be odd, got {draws!r}")
    p = 1 / (1 + np.exp(-eps))
    majority = binom.logsf(counts // 2, counts, p) - binom.logsf(counts // 2, counts, 1 - p)
    levels = {"sample": counts * eps, "majority": majority, "one": np.full(len(counts), eps)}
    table = pd.concat(
        [pd.DataFrame({"use": use, "draws": counts, "level": level}) for use, level in levels.items()],
        ignore_index=True,
    )
    three = binom.logsf(1, 3, p) - binom.logsf(1, 3, 1 - p)
    return table, {"eps": eps, "majority_of_three": float(three / eps), "ratio_of_three": float(np.exp(three))}
