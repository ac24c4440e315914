import math

import numpy as np
import pytest
from mpmath import mp

from mollified.boosting import spent_level, theta
from mollified.boosting.theta import LOG2, theta_sum


@pytest.mark.parametrize("eps", [1e-3, 0.25, 1.0, 4 * LOG2, 20.0])
@pytest.mark.parametrize("rounds", [1, 2, 7, 40])
def test_sum_against_adding_up_and_against_balls(eps, rounds):
    """eps <= 20: 1 - theta_T loses at most a factor 1 + eps/(4 log 2) < 9 of 2**-53; T ulps for the power."""
    slow = math.fsum(theta(eps, rounds))
    assert theta_sum(eps, rounds) == pytest.approx(slow, rel=50 * rounds * 2.0**-53)
    with mp.workdps(50):
        exact = [float((mp.mpf(eps) / (eps + 4 * mp.log(2))) ** t) for t in range(1, rounds + 1)]
    np.testing.assert_allclose(theta(eps, rounds), exact, rtol=4 * rounds * 2.0**-53)
    assert theta_sum(eps, rounds) <= eps / (4 * LOG2)
    assert spent_level(eps, rounds) == pytest.approx(4 * LOG2 * slow, rel=50 * rounds * 2.0**-53)
    assert spent_level(eps, rounds) <= eps * (1 + 2**-52)
