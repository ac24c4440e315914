r"""Mollifiers: sets of densities whose ratios are bounded by $e^\varepsilon$.

Source: v1 and v2 section 3, v3 section 2. `RelativeMollifier` is the set around a
reference, v3 (5); its `project` finds the member closest to a target, v3 (8).
`repaired` makes a density of a function, as the contenders of v1 section 5 need.
"""

from mollified.mollifiers.relative_mollifier import (
    Membership,
    Mollification,
    RelativeMollifier,
)
from mollified.mollifiers.repair import repair_error, repaired

__all__ = [
    "Membership",
    "Mollification",
    "RelativeMollifier",
    "repair_error",
    "repaired",
]
