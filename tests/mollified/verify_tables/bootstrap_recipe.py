"""Checks of the page on the recipe for k and m: arguments under which each holds, and fails."""

from fractions import Fraction as F

LESS = {"claimed": F(98, 100)}

TABLE = {
    "bootstrap_recipe.whole_number": ({"form": "corrected"}, {}, "certified"),
    "bootstrap_recipe.smallest_gap": ({"form": "corrected"}, {}, "certified"),
    "bootstrap_recipe.recipe_private": ({}, {"times": 100}, "certified"),
    "bootstrap_recipe.one_positive_root": ({}, {"flip": True}, "certified"),
    "bootstrap_recipe.log_inequality": ({}, LESS, "certified"),
    "bootstrap_recipe.quadratic_equivalence": ({}, {"drop": True}, "certified"),
    "bootstrap_recipe.sufficient_bound": ({}, {"converse": True}, "certified"),
    "bootstrap_recipe.minimum_pseudocount": ({"corrected": True}, {}, "certified"),
    "bootstrap_recipe.pseudocount_allowed": ({"relaxed": True}, {}, "certified"),
    "recipe_rules.simple_rule": ({}, {"rounded": False}, "certified"),
    "recipe_rules.without_gamma": ({}, LESS, "certified"),
    "recipe_search.recipe_sweep": ({"kind": "integer"}, {"kind": "integer", "claimed": 0.98}, "float"),
    "recipe_search.recipe_climb": (
        {"kind": "integer", "starts": 500},
        {"kind": "integer", "starts": 500, "claimed": 0.98},
        "float",
    ),
}
MORE_FAIL = {
    "bootstrap_recipe.whole_number": [{"form": "corrected", **LESS}, {"real": True, **LESS}],
    "bootstrap_recipe.recipe_private": [{"form": "corrected", "times": 100}],
    "bootstrap_recipe.minimum_pseudocount": [{"corrected": True, "shift": 1}],
    "bootstrap_recipe.pseudocount_allowed": [{"relaxed": True, "times": 100}],
    "recipe_search.recipe_sweep": [{"kind": "least", "claimed": 0.98}, {"kind": "quarter", "claimed": 4.0}],
}
MORE_HOLD = {
    "bootstrap_recipe.whole_number": [{"real": True}],
    "bootstrap_recipe.recipe_private": [{"form": "corrected"}],
    "recipe_search.recipe_sweep": [{"kind": "least"}, {"kind": "quarter"}],
}
