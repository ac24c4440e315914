"""The checks of the pages on weak learning and on the naive sampler: when they hold and when they fail."""

from fractions import Fraction as F

LESS = {"claimed": F(98, 100)}

TABLE = {
    "weak_learning.scale_free": ({}, {"normalised": False}, "exact"),
    "weak_learning.always_exists": ({"condition": True}, {"condition": False}, "exact"),
    "weak_learning.criterion": ({}, {"weights": "half"}, "exact"),
    "weak_learning.one_edge_gives_two": ({"claimed": "shifted"}, {"claimed": "same"}, "exact"),
    "weak_learning.tv_needed": ({}, {"factor": F(102, 100)}, "exact"),
    "weak_learning.closer_is_harder": ({"closeness": "segment"}, {"closeness": "kl"}, "certified"),
    "weak_learning.failure_means_learned": ({"learned": "tv"}, {"learned": "tv", "shrink": F(98, 100)}, "exact"),
    "weak_learning.stumps": ({"mixed": True}, {"mixed": False}, "exact"),
    "bounded_classifiers.rescaling_keeps_edges": ({}, {"clip": True}, "exact"),
    "bounded_classifiers.shrinking_loses_nothing": ({"measure": "edges"}, {"measure": "drop"}, "certified"),
    "bounded_classifiers.only_the_range_matters": ({}, {"spread": F(3)}, "certified"),
    "naive_sampler.hull_is_floor": ({}, {"factor": F(102, 100)}, "exact"),
    "naive_sampler.inclusions": ({}, {"shift": 1}, "exact"),
    "naive_sampler.in_some_relative": ({}, {"conditions": "upper"}, "exact"),
    "naive_sampler.hull_projection_optimal": ({}, {"naive": True}, "exact"),
    "naive_sampler.projection_is_closer": ({"mollifier": "own"}, {"mollifier": "relative"}, "certified"),
    "naive_sampler.worst_case_optimal": ({}, LESS, "exact"),
    "naive_sampler.point_mass_is_worst": ({}, LESS, "certified"),
    "naive_sampler.support_rule": ({}, {"completed": False}, "exact"),
}

MORE_FAIL = {
    "weak_learning.criterion": [{"strict": False}],
    "naive_sampler.projection_is_closer": [{"mollifier": "own", "strict": True}],
}
