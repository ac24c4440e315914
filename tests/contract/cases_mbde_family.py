"""Cases for the family of densities that MBDE can output."""

from __future__ import annotations

from tests.contract.kinds import Case

LAWS = [[0.75, 0.25], [0.5, 0.5]]
NOT_ROWS = [None, "p", [0.5, 0.5], [[0.5, 0.6], [0.5, 0.5]], [[1.5, -0.5], [0.5, 0.5]]]

CASES = [
    *[
        Case(
            f"boosting.mbde_family.{name}",
            lambda: {"p": LAWS, "reference": LAWS, "oscillation": [0.5, 0.5]},
            {},
            {
                "p": NOT_ROWS,
                "reference": [*NOT_ROWS, [[1.0, 0.0], [0.5, 0.5]]],
                "oscillation": [None, "o", 0.5, [0.5], [0.0, 1.0]],
            },
        )
        for name in ("family_projection", "family_gain")
    ],
]
