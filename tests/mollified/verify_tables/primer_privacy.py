"""Checks of the primer's pages on privacy and on post-processing: arguments under which each holds, and fails."""

from fractions import Fraction as F

LESS = {"claimed": F(98, 100)}

TABLE = {
    "neighbour_relations.multisets": ({}, {"ordered": True}, "exact"),
    "neighbour_relations.histogram_entries": ({}, {"distinct": True}, "exact"),
    "neighbour_relations.near_by_one_record": ({}, {"radius": 2}, "exact"),
    "neighbour_relations.replaced_records": ({}, {"distance": 1}, "exact"),
    "neighbour_relations.replaced_level": ({}, LESS, "exact"),
    "neighbour_relations.deterministic_constant": ({}, {"delta": F(1)}, "exact"),
    "primer_privacy.reads_histogram": ({}, {"first": True}, "exact"),
    "primer_privacy.output_data_sets": ({}, {"signed": True}, "exact"),
    "primer_privacy.single_outputs": ({"delta": False}, {}, "exact"),
    "primer_privacy.every_run": ({}, LESS, "exact"),
    "primer_privacy.pure_form": ({}, {"allowed": F(2, 100)}, "exact"),
    "primer_privacy.few_records": ({}, LESS, "exact"),
    "primer_privacy.rounded_exponentials": ({}, {"digits": 2}, "certified"),
    "primer_privacy.pure_to_approximate": ({}, LESS, "exact"),
    "primer_loss.losses_reversed": ({}, {"weighted": False}, "exact"),
    "primer_loss.loss_suffices": ({}, LESS, "exact"),
    "primer_loss.loss_not_needed": ({}, {"exp_eps": F(2)}, "exact"),
    "primer_post_processing.published_noise": ({}, {"published": False}, "exact"),
}
MORE_FAIL = {
    "neighbour_relations.deterministic_constant": [{"relation": "replace"}],
    "primer_loss.loss_suffices": [{"both_orders": False}],
    "primer_privacy.few_records": [{"together": True, **LESS}],
}
MORE_HOLD = {"primer_privacy.few_records": [{"together": True}]}
HELPERS = {"primer_loss.loss_law"}
