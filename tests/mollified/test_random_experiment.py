"""The studies of random Gaussians: deviations, placements, the plane, and the bound on coverage."""

from __future__ import annotations

import numpy as np
import pytest

from mollified.experiments.random_experiment import deviation_interval


def test_interval_covers_as_often_as_it_says():
    low, high = deviation_interval(4)
    found = np.random.default_rng(5).standard_normal((200_000, 4)).std(axis=1, ddof=1)
    share = ((found * low <= 1) & (found * high >= 1)).mean()
    # 200,000 trials at 0.95: five standard errors are 0.0025, a false alarm rate below 1e-6.
    assert share == pytest.approx(0.95, abs=0.0025)
    assert deviation_interval(20)[1] < high
