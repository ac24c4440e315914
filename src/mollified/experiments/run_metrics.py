r"""What is measured of a run: loss, gain, budget spent, coverage (v1, v2, v3, section 5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from mollified.boosting.grid_mbde import GridRun
from mollified.experiments.coverage import mode_coverage
from mollified.laws._densities import check_distribution, check_space, echo
from mollified.laws.spaces import Space

if TYPE_CHECKING:
    from mollified.laws.distributions import Distribution

__all__ = ["measure", "spent"]


def spent(run: GridRun) -> float:
    r"""Return $2\sup|\log Q_T/Q_0|$ over the nodes, in nats: the budget that the output itself shows to be used.

    It errs on the low side: the nodes are not all points, and other inputs may go further. A run that is inside the
    relative mollifier of level $\varepsilon$ spends at most $\varepsilon$. Raises TypeError for something else.
    """
    if not isinstance(run, GridRun):
        raise TypeError(f"run must be a GridRun, got {echo(run)}")
    return 2 * float(np.abs(run.log_ratio).max())


def measure(runs: Iterable[GridRun], target: Distribution, reference: Distribution, space: Space) -> pd.DataFrame:
    r"""Return one row a run, all by quadrature on `space` and in nats where not a share.

    Columns variant, eps; nll ($-\mathbb E_P\log Q_T$), gain
    ($\Delta=\operatorname{KL}(P,Q_0)-\operatorname{KL}(P,Q_T)$), spent (see `spent`), promised (`Variant.level`),
    coverage and coverage_printed (shares), loss_1.. (cross-entropies by round), largest (of |c_t|). Raises ValueError
    or TypeError for arguments without the needed methods, no runs, or runs on other nodes.
    """
    check_distribution("target", target)
    check_distribution("reference", reference)
    size = len(check_space("space", space).points)
    if not isinstance(runs, Iterable):
        raise TypeError(f"runs must be GridRuns, got {echo(runs)}")
    runs = list(runs)
    if not runs or not all(isinstance(run, GridRun) for run in runs):
        raise TypeError(f"runs must be GridRuns, got {echo(runs)}")
    if not target.dim == reference.dim == space.dim or any(run.log_ratio.shape != (size,) for run in runs):
        raise ValueError(
            f"runs, target, reference and space must agree, got {echo(runs)}, {target!r}, {reference!r}, {space!r}"
        )
    log_p, log_q0 = target.log_prob(space.points), reference.log_prob(space.points)
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
