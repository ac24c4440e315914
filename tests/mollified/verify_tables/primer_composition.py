"""Checks of the page on composition and groups: arguments under which each statement holds, and fails."""

from fractions import Fraction as F

LESS = {"claimed": F(98, 100)}
SAME = {"relation": "same-input"}

TABLE = {
    "primer_composition.simple_composition": ({"kind": "approximate"}, {"kind": "approximate", **LESS}, "exact"),
    "primer_composition.tight_composition": ({"runs": 4}, {"runs": 4, **LESS}, "exact"),
    "primer_composition.shared_coins": ({}, {"shared": True}, "exact"),
    "primer_composition.distinct_inputs": ({}, {"split": "ranks"}, "exact"),
    "primer_composition.parallel": ({}, LESS, "exact"),
    "composition_search.composition_sweep": ({}, LESS, "float"),
    "composition_search.composition_climb": ({}, {"claimed": F(1, 4)}, "float"),
    "primer_group.group_bound": ({}, {"form": "composition"}, "exact"),
    "primer_group.unrolled": ({}, {"missing": 1}, "exact"),
    "primer_group.chain_of_data_sets": ({}, {"steps": "one-fewer"}, "exact"),
    "primer_group.geometric_sum": ({}, {"form": "single"}, "exact"),
    "primer_group.group_differs": ({}, {"delta": F(0)}, "exact"),
    "primer_group.eight_counts": ({}, {"relation": "replace"}, "exact"),
    "primer_group.vacuous_from": (
        {"printed": 10, "attained": 13},
        {"printed": 11, "attained": 13},
        "certified",
    ),
    "composition_search.group_sweep": ({}, LESS, "float"),
    "composition_search.group_climb": ({}, {"claimed": F(1, 4)}, "float"),
}

MORE_FAIL = {
    "primer_composition.simple_composition": [{"kind": kind, **LESS} for kind in ("pure", "adaptive")],
    "primer_composition.tight_composition": [{"runs": 3, "claimed": F(102, 100)}],
    "primer_composition.distinct_inputs": [{"neighbours": "replace"}, {"coins": "shared"}],
    "primer_composition.parallel": [
        {"neighbours": way, **wrong} for way in ("between", "inside") for wrong in (LESS, {"level": "max"})
    ],
    "primer_group.group_bound": [{"form": "corrected", **LESS}, {"extra": 1}, {"form": "corrected", "extra": 1}],
    "primer_group.eight_counts": [{"noise": "shared"}, {**SAME, "levels": 7}],
    "primer_group.vacuous_from": [{"printed": 10, "attained": 14}, {"printed": 9, "attained": 13}],
}
MORE_HOLD = {
    "primer_composition.simple_composition": [{"kind": kind} for kind in ("pure", "adaptive")],
    "primer_composition.distinct_inputs": [{"neighbours": "replace", "level": "sum"}],
    "primer_composition.parallel": [{"neighbours": way} for way in ("between", "inside")],
    "primer_group.group_bound": [{"form": "corrected"}],
    "primer_group.geometric_sum": [{"form": "sharper"}],
    "primer_group.eight_counts": [{"relation": "replace", "levels": 2}, {**SAME, "levels": 8}],
}

HELPERS = {"primer_group.extreme_chain"}
