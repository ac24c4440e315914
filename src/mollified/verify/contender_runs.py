r"""Checks of what the papers say about runs of DPB: a plateau, which loss is lower, whether a bandwidth is found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from mollified._validate import check_count, check_each, check_eps, check_finite, check_interval, check_trials
from mollified.checks import Check, Tally
from mollified.dpb_settings import DPB_DOMAINS, FOLDS
from mollified.kernel_density import choose_bandwidth

__all__ = ["bandwidth_found", "below", "plateau"]


def below(lower: Sequence[float], upper: Sequence[float], *, margin: float = 0.0, seed: int | None = None) -> Check:
    r"""Check `lower[i]` + `margin` <= `upper[i]` for all i; in the units of the numbers, which are floats.

    Raises ValueError where the lengths differ.
    """
    one, two = check_each("lower", list(lower), check_finite), check_each("upper", list(upper), check_finite)
    margin = check_interval("margin", margin, 0.0, 1e6)
    if len(one) != len(two):
        raise ValueError(f"upper must have {len(one)} entries, got {upper!r:.100}")
    tally = Tally("float", seed=seed)
    for index, (small, large) in enumerate(zip(one, two, strict=True)):
        tally.add(large - small - margin, place=index, lower=small, upper=large)
    return tally.check()


def plateau(
    table: pd.DataFrame,
    start: Sequence[float],
    domains: Sequence[str],
    *,
    low: float = 1.0,
    high: float = 10.0,
    share: float = 0.2,
    seed: int | None = None,
) -> Check:
    r"""Check that little is gained above a budget: from `low` to `high` at most `share` of all that is gained there.

    `table` has the columns of `mollified.studies.contenders.dpb_losses`, and the rows for one record with the published
    noise are read, as means over the repeats; `start` is the loss without data, one number a domain. One instance
    a domain; a domain in which nothing is gained by `high` fails. In floats.
    """
    if not isinstance(table, pd.DataFrame) or not {"domain", "unit", "calibration", "eps", "nll"} <= set(table.columns):
        raise TypeError(f"table must be a DataFrame of losses, got {table!r:.100}")
    values = check_each("start", list(start), check_finite)
    low, high = check_eps("low", low), check_eps("high", high)
    share = check_interval("share", share, 0.0, 1.0)
    if not isinstance(domains, list | tuple) or len(domains) != len(values):
        raise ValueError(f"domains must be a list of {len(values)} names, got {domains!r:.100}")
    read = table[(table["unit"] == "record") & (table["calibration"] == "published")]
    means = read.groupby(["domain", "eps"])["nll"].mean()
    tally = Tally("float", seed=seed)
    for name, before in zip(domains, values, strict=True):
        if (name, low) not in means.index or (name, high) not in means.index:
            raise ValueError(f"domains must be in the table at both levels, got {name!r}")
        late, gained = means[name, low] - means[name, high], before - means[name, high]
        tally.add(share * gained - late if gained > 0 else gained - 1e-9, domain=name, late=late, gained=gained)
    return tally.check()


def bandwidth_found(rng: np.random.Generator, instances: int, *, skipped: int = 0, records: int = 2000) -> Check:
    r"""Check that ten-fold cross-validation picks a bandwidth inside the range of candidates, not at an end. In floats.

    `instances` data sets, the first from the ring and the others from the two readings of the 1D mixture in turn; the
    margin is how much the chosen score exceeds those at the ends. With `skipped` the first candidates are left out.
    """
    rng, instances = check_trials(rng, instances)
    skipped, records = check_count("skipped", skipped, minimum=0), check_count("records", records, minimum=FOLDS)
    tally = Tally("float", tolerance=0.0)
    domains = list(DPB_DOMAINS.values())
    for index in range(instances):
        setting = domains[0 if index == 0 else 1 + index % 2]
        data = np.clip(setting.target.sample(records, rng), setting.low, setting.high)
        found = choose_bandwidth(data, setting.candidates[skipped:], FOLDS, rng)
        gap = max(found.scores) - max(found.scores[0], found.scores[-1])
        tally.add(gap if gap > 0 else -1e-9, domain=setting.name, bandwidth=found.bandwidth)
    return tally.check()
