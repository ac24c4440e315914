"""Checks of the page on accounting: arguments under which each statement holds, and fails."""

from fractions import Fraction as F

MORE = {"more": 1}
NONE = {"mean": "none"}
FIXED = {"condition": False}

TABLE = {
    "primer_accounting.optimal_pure": ({}, {"claimed": F(98, 100)}, "exact"),
    "primer_accounting.advanced_bound": ({}, NONE, "certified"),
    "primer_accounting.advanced_sweep": ({}, NONE, "float"),
    "primer_accounting.advanced_climb": ({"refine": 2}, {"refine": 2, **NONE}, "float"),
    "primer_accounting.square_root": ({}, FIXED, "certified"),
    "primer_accounting.quadrupled": ({}, FIXED, "certified"),
    "primer_accounting.linear_level": ({}, {"share": F(52, 101)}, "certified"),
    "primer_accounting.gaussian_tighter": ({}, {"merged": "all"}, "certified"),
    "primer_accounting.runs_allowed": ({"most": 727}, {"most": 728}, "certified"),
    "library_accounting.library_brackets": ({}, MORE, "float"),
    "library_accounting.library_agrees": ({}, MORE, "float"),
    "library_accounting.library_renyi": ({}, MORE, "float"),
}

MORE_FAIL = {
    "primer_accounting.advanced_bound": [{"form": "lecture-notes", **NONE}],
    "primer_accounting.runs_allowed": [{"most": 726}, {"most": 100}],
    "library_accounting.library_agrees": [{"algorithm": "parameters", **MORE}],
}
MORE_HOLD = {
    "primer_accounting.advanced_bound": [{"form": "lecture-notes"}],
    "library_accounting.library_agrees": [{"algorithm": "parameters"}],
}
