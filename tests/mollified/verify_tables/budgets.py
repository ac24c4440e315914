"""The checks of the pages on budgets and on post-processing: when they hold and when they fail."""

from fractions import Fraction as F

FIGURE_1 = {"draws": 10000, "size": 10000, "eps": F(1, 4), "other": F(100)}

TABLE = {
    "budgets.product_level": ({}, {"missing": 1}, "exact"),
    "budgets.draws_spend": ({}, {"claimed": F(98, 100)}, "certified"),
    "budgets.dividing_classifiers": ({}, {"divide": False}, "certified"),
    "budgets.dividing_compared": ({}, {"reverse": True}, "certified"),
    "budgets.full_division": ({}, {"power": 0}, "certified"),
    "budgets.guaranteed_gains": ({}, {"full": False}, "float"),
    "budgets.released_density": ({}, {"released": False}, "exact"),
    "budgets.total_budgets": (FIGURE_1, {**FIGURE_1, "other": F(1, 4)}, "exact"),
    "group_noise.group_variance": ({}, {"form": "printed"}, "exact"),
    "group_noise.square_is_enough": ({}, {"noise": "geometric"}, "exact"),
    "group_noise.diverging_variance": ({"average": False}, {"average": True}, "exact"),
    "group_noise.subadditive_sensitivity": ({}, {"constrained": True}, "exact"),
    "group_noise.wiped_out": ({}, {"fixed": False}, "exact"),
    "group_noise.whole_input": ({}, {"laplace": True}, "certified"),
    "group_noise.weaker_model": ({}, {"converse": True}, "exact"),
    "group_noise.publish_one": ({}, {"records": 9}, "exact"),
    "post_processing.kernel_level": ({}, {"read": F(1, 50)}, "exact"),
    "post_processing.image_of_draws": ({}, {"reads_data": True}, "exact"),
    "post_processing.preimage_chain": ({}, {"claimed": F(98, 100)}, "exact"),
    "post_processing.mixture_of_maps": ({}, {"seed_depends": True}, "exact"),
    "post_processing.stopping_rule": ({}, {"per_draw": False}, "exact"),
    "post_processing.majority_of_three": ({}, {"claimed": 1}, "exact"),
    "local_protocol.one_message": ({}, {"asked": 2}, "exact"),
    "local_protocol.best_member": ({}, {"towards_target": False}, "certified"),
}

HELPERS = {"post_processing.family_ratio"}

MORE_FAIL = {
    "budgets.product_level": [{"correlation": F(1, 50)}, {"correlation": F(1, 1000)}, {"claimed": F(98, 100)}],
    "local_protocol.one_message": [{"overheard": F(1, 50)}],
    "post_processing.kernel_level": [{"read": F(1)}],
    "post_processing.image_of_draws": [
        {"draws": 2, "counted": 1},
        {"draws": 2, "counted": 1, "as_set": True},
        {"draws": 3, "counted": 2},
    ],
}
MORE_HOLD = {
    "group_noise.whole_input": [{"one_record": True}, {"laplace": True, "one_record": True}],
    "post_processing.image_of_draws": [
        {"draws": 2, "counted": 2, "as_set": True},
        {"draws": 3, "counted": 3},
    ],
}
