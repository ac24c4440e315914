"""The search for the worst instance: it finds a needle, and needs a start."""

from __future__ import annotations

import numpy as np
import pytest

from mollified.adversary import search_worst


def test_the_search_finds_a_needle():
    """A margin that is negative only in a ball of radius 0.1: found from random starts of spread 3."""
    centre = np.array([1.0, -2.0, 0.5])
    found = search_worst(lambda z: ((z - centre) ** 2).sum(axis=1) - 0.01, 3, np.random.default_rng(2), starts=500)
    assert found.margin == pytest.approx(-0.01, abs=1e-6)
    assert found.point == pytest.approx(centre, abs=1e-2)
    assert (np.diff(found.refined) >= 0).all()
    assert found.evaluated > 500


def test_no_start_is_an_error():
    with pytest.raises(ValueError, match="margin"):
        search_worst(lambda z: np.full(len(z), np.inf), 2, np.random.default_rng(1), starts=5)
