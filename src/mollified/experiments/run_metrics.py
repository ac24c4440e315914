r"""What is measured of a run: loss, gain, budget spent, coverage (v1, v2, v3, section 5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from mollified.experiments.coverage import mode_coverage
from mollified.laws.spaces import IntegrationSpace
from mollified.training.grid_mbde import GridRun

if TYPE_CHECKING:
    from mollified.laws.distributions import Distribution

__all__ = ["measure", "spent"]


def spent(run: GridRun) -> float:
    r"""Return $2\sup|\log Q_T/Q_0|$ over the nodes, in nats: the budget that the output itself shows to be used.

    It errs on the low side: the nodes are not all points, and other inputs may go
    further. A run that is inside the relative mollifier of level $\varepsilon$ spends
    at most $\varepsilon$.
    """
    return 2 * float(np.abs(run.log_ratio).max())


def measure(
    runs: Iterable[GridRun],
    target: Distribution,
    reference: Distribution,
    space: IntegrationSpace,
) -> pd.DataFrame:
    r"""Return one row a run, all by quadrature on `space` and in nats where not a share.

    Columns variant, eps; nll ($-\mathbb E_P\log Q_T$), gain
    ($\Delta=\operatorname{KL}(P,Q_0)-\operatorname{KL}(P,Q_T)$), spent (see `spent`),
    promised (`Variant.level`), coverage and coverage_printed (shares), loss_1..
    (cross-entropies by round), largest (of |c_t|).
    """
    log_p = target.log_prob(space.points)
    log_q0 = reference.log_prob(space.points)
    weights = np.exp(log_p) * space.weights
    rows = []
    for run in runs:
        log_q = log_q0 + run.log_ratio
        rows.append(
            {
                "variant": run.variant.name,
                "eps": run.eps,
                "nll": -float(weights @ log_q),
                "gain": float(weights @ run.log_ratio),
                "spent": spent(run),
                "promised": run.variant.level(run.eps, len(run.thetas)),
                "coverage": mode_coverage(log_q, log_p, space),
                "coverage_printed": mode_coverage(log_q, log_p, space, form="printed"),
                **{f"loss_{t}": loss for t, loss in enumerate(run.losses, start=1)},
                "largest": run.largest,
            }
        )
    return pd.DataFrame(rows)
