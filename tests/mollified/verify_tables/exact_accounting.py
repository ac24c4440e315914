"""Checks of the page on exact accounting: arguments under which each statement holds, and fails."""

from fractions import Fraction as F

LESS = {"claimed": F(98, 100)}

TABLE = {
    "exact_accounting.accountant_matches": ({}, {"mistake": "k"}, "certified"),
    "exact_accounting.sums_match": ({}, {"mistake": "k"}, "certified"),
    "exact_accounting.library_brackets": ({}, {"shift": 1}, "float"),
    "exact_accounting.library_agrees": ({}, {"shift": 1}, "float"),
    "exact_accounting.any_size": ({}, {"lower": 1}, "exact"),
    "exact_domination.pair_dominates": ({}, {"more": 1}, "exact"),
    "exact_domination.binomial_dominates": ({}, {"more": 1}, "exact"),
    "exact_domination.worst_pair_changes": ({"size": 2}, {"size": 3}, "exact"),
    "exact_domination.monotone": ({}, {"reverse": True}, "exact"),
    "exact_domination.more_records": ({"neighbours": "replace"}, {"neighbours": "remove"}, "exact"),
    "renyi_theorem.divergence_counted": ({}, LESS, "certified"),
    "renyi_theorem.divergence_bound": ({}, LESS, "certified"),
    "renyi_theorem.theorem_certified": ({"form": "closed"}, {"form": "closed", "claimed": F(3)}, "certified"),
    "renyi_theorem.sweep": ({"form": "order"}, {"form": "order", "claimed": F(3, 2)}, "float"),
    "renyi_theorem.climb": ({"form": "order"}, {"form": "order", "claimed": F(3, 2)}, "float"),
    "renyi_theorem.gaussian_limit": ({}, {"sensitivity": F(101, 50)}, "float"),
}

MORE_FAIL = {
    "exact_accounting.accountant_matches": [
        {"mistake": "start"},
        {"mistake": "one-pair"},
        {"mistake": "three-symbols"},
        *(
            {"neighbours": way, "mistake": mistake}
            for way in ("add", "remove")
            for mistake in ("k", "start", "direction")
        ),
    ],
    "exact_accounting.sums_match": [
        {"mistake": "start"},
        *({"neighbours": way, "mistake": "direction"} for way in ("add", "remove")),
    ],
    "exact_domination.monotone": [{"neighbours": way, "reverse": True} for way in ("add", "remove")],
    "renyi_theorem.theorem_certified": [
        {"form": "closed", "condition": False},
        {"form": "order", "claimed": F(3, 2)},
        {"form": "printed", "claimed": F(300)},
        {"form": "corrected", "claimed": F(100)},
    ],
    "renyi_theorem.sweep": [{"form": "closed", "claimed": F(3)}],
    "renyi_theorem.climb": [
        {"form": form, "claimed": F(many)} for form, many in (("closed", 3), ("printed", 100), ("corrected", 20))
    ],
}
MORE_HOLD = {
    "exact_accounting.accountant_matches": [{"neighbours": way} for way in ("add", "remove")],
    "exact_accounting.sums_match": [{"neighbours": way} for way in ("add", "remove")],
    "exact_domination.monotone": [{"neighbours": way} for way in ("add", "remove")],
    "exact_domination.more_records": [{"neighbours": "add"}],
    "renyi_theorem.theorem_certified": [{"form": form} for form in ("printed", "corrected", "order")],
    "renyi_theorem.sweep": [{"form": "closed"}],
    "renyi_theorem.climb": [{"form": form} for form in ("closed", "printed", "corrected")],
}
