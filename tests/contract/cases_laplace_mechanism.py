"""Cases for the Laplace mechanism: its release, and the first of many counts."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tests.contract.kinds import Case

CASES = [
    Case(
        "privacy.laplace_mechanism.release",
        lambda: {"answer": np.zeros(3), "sensitivity": 1.0, "eps": 1.0, "rng": np.random.default_rng(1)},
        {"answer": "vector", "sensitivity": "eps", "eps": "eps", "rng": "rng"},
    ),
    Case(
        "privacy.laplace_mechanism.top_probability",
        lambda: {"gap": Fraction(1), "others": 3},
        {"others": "count"},
        {"gap": [None, 0.5, "g", Fraction(-1)]},
    ),
]

EXEMPT: dict[str, str] = {}
