"""Cases for binned densities."""

from __future__ import annotations

import numpy as np
from scipy.stats import beta

from tests.contract.kinds import Case

CASES = [
    Case(
        "laws.binned_density.ks_distances",
        lambda: {"cdf": beta(2, 3).cdf, "rows": np.full((2, 2), 0.5), "points": 4},
        {"cdf": "callable", "rows": "matrix", "points": "count"},
    ),
]
