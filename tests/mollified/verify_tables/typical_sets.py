"""The checks of the page on typical sets: when they hold and when they fail."""

from fractions import Fraction as F

LESS = {"share": F(98, 100)}

TABLE = {
    "typical_sets.mechanism_law": ({}, {"replacement": False}, "exact"),
    "typical_sets.augmented_size": ({}, {"every_symbol": False}, "exact"),
    "typical_sets.type_definition": ({}, {"distinct": True}, "exact"),
    "typical_sets.typical_definition": ({}, {"strict": True}, "exact"),
    "typical_sets.likely_set": ({}, {"second": True}, "exact"),
    "typical_sets.cdf_bound": ({}, {"front": F(1)}, "certified"),
    "typical_sets.mass_bound": ({}, {"rate": F(7, 10)}, "certified"),
    "typical_sets.theorem_seven": ({}, {"factor": F(1, 2)}, "exact"),
    "typical_sets.cdf_halves": ({}, {"share": F(1)}, "exact"),
    "typical_sets.probability_chain": ({}, {"step": "whole"}, "certified"),
    "typical_proof.typical_set_suffices": ({}, {"forget_rest": True}, "exact"),
    "typical_proof.two_cells": ({}, {"add_record": True}, "exact"),
    "typical_proof.within_gamma": ({}, LESS, "exact"),
    "typical_proof.loss_bound": ({}, LESS, "certified"),
    "typical_proof.data_free_bound": ({}, LESS, "certified"),
    "typical_proof.lower_bound": ({}, {"share": F(4, 5)}, "certified"),
    "typical_proof.changed_range": ({}, {"every": True}, "exact"),
    "typical_proof.new_range": ({}, {"form": "corrected"}, "exact"),
    "typical_monotone.bound_decreases": ({}, {"lower": True}, "certified"),
    "typical_monotone.lower_increases": ({}, {"from_w": F(11, 20)}, "certified"),
    "typical_theorem.theorem_two": ({}, {"drop_gamma": True}, "certified"),
    "typical_theorem.loss_tail": ({}, {"rate": F(3)}, "certified"),
    "typical_theorem.loss_sweep": ({}, {"rate": 3.0}, "float"),
    "typical_theorem.loss_search": ({}, {"rate": 8.0}, "float"),
    "typical_theorem.exact_curve": ({}, {"mirrored": True}, "exact"),
    "typical_theorem.closed_form": ({}, {"times": 4}, "certified"),
    "typical_theorem.pure_first": ({}, {"times": 1.5}, "float"),
}

MORE_HOLD = {"typical_proof.new_range": [{"form": "corrected", "every": False}]}
MORE_FAIL = {
    "typical_sets.mass_bound": [{"rate": F(2)}],
    "typical_monotone.lower_increases": [{"from_w": F(3, 5)}],
}
