from __future__ import annotations

import numpy as np

from mollified.convex_hull import exact_mixture
from mollified.instances import random_family, random_law


def test_a_mixture_is_a_law_and_weighs_its_members():
    rng = np.random.default_rng(70)
    for _ in range(50):
        family, weights = random_family(rng, 4, 5), random_law(rng, 4)
        exact = exact_mixture(family, weights)
        assert sum(exact) == 1
        assert exact[0] == sum(w * law[0] for w, law in zip(weights, family, strict=True))
