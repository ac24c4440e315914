"""The densities that MBDE can output: extreme members and brute force find nothing closer than the projection."""

from itertools import product

import numpy as np
import pytest

from mollified.boosting.mbde_family import family_projection


def projected(p, q, root):
    return family_projection([p], [q], [np.log(root)])[0]


def test_no_member_is_closer():
    """The divergence is convex, and linear functions are largest at the extreme members: of two values of Q/Q0."""
    rng = np.random.default_rng(2)
    for _ in range(60):
        size, root = int(rng.integers(2, 6)), float(rng.uniform(1.01, 9))
        p, q = rng.dirichlet(np.ones(size)), rng.dirichlet(np.ones(size))
        law = projected(p, q, root)
        assert law.sum() == pytest.approx(1, rel=1e-11)
        assert max(law / q) <= root * min(law / q) * (1 + 1e-12)
        for chosen in product((1, root), repeat=size):
            member = q * chosen / (q @ chosen)
            assert p @ (member / law) <= 1 + 1e-9
