"""Checks of the page on the Bernstein mechanism: arguments under which each statement holds, and fails."""

from fractions import Fraction as F

import pandas as pd


def _losses(late):
    """A table of losses that falls from `late` at eps = 1 to 0 at 10."""
    return pd.DataFrame(
        {
            "domain": ["a", "a"],
            "unit": ["record", "record"],
            "calibration": ["published", "published"],
            "eps": [1.0, 10.0],
            "nll": [late, 0.0],
        }
    )


TABLE = {
    "bernstein_privacy.noise_protects": ({}, {"share": F(1, 2)}, "certified"),
    "bernstein_privacy.group_scaling": ({"by": "records"}, {"by": "draws"}, "certified"),
    "bernstein_privacy.bandwidth_leaks": ({"learned": False}, {}, "certified"),
    "bernstein_privacy.dimension_growth": ({}, {"bandwidths": (16.0,)}, "certified"),
    "bernstein_repair.can_be_negative": ({"noise": "laplace"}, {"noise": "positive"}, "certified"),
    "bernstein_repair.iterate_is_negative": ({}, {"order": 1}, "exact"),
    "bernstein_repair.repaired_level": ({"claim": "kept"}, {"claim": "kept", "reads_data": True}, "exact"),
    "bernstein_repair.repair_keeps_error": ({"form": "corrected"}, {"form": "printed"}, "exact"),
    "contender_runs.below": (
        {"lower": [0.0, 1.0], "upper": [0.2, 1.2], "margin": 0.1},
        {"lower": [0.0, 1.0], "upper": [0.2, 1.05], "margin": 0.1},
        "float",
    ),
    "contender_runs.plateau": (
        {"table": _losses(0.1), "start": [1.0], "domains": ["a"]},
        {"table": _losses(0.3), "start": [1.0], "domains": ["a"]},
        "float",
    ),
    "contender_runs.bandwidth_found": ({"records": 1000}, {"records": 1000, "skipped": 6}, "float"),
}

MORE_FAIL = {
    "bernstein_privacy.noise_protects": [{"share": F(98, 100)}, {"share": F(1, 300), "calibration": "published"}],
    "bernstein_privacy.bandwidth_leaks": [{"scale": "common"}],
    "bernstein_repair.repaired_level": [{"claim": "degrades"}],
    "bernstein_repair.repair_keeps_error": [
        {"form": "printed", "repair": "clip"},
        {"form": "halved"},
        {"form": "halved", "repair": "clip"},
    ],
    "contender_runs.plateau": [{"table": _losses(0.0), "start": [0.0], "domains": ["a"]}],
}
MORE_HOLD = {
    "bernstein_privacy.noise_protects": [{"calibration": "published", "share": F(1, 2)}],
    "bernstein_privacy.group_scaling": [{"by": "draws", "sizes": [3], "draws": [3, 10]}],
    "bernstein_privacy.bandwidth_leaks": [{"learned": False, "scale": "common"}],
    "bernstein_repair.iterate_is_negative": [{"order": 3}],
    "bernstein_repair.repaired_level": [{"claim": "degrades", "reads_data": True}],
    "bernstein_repair.repair_keeps_error": [{"form": "corrected", "repair": "clip"}],
}
