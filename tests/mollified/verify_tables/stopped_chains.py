"""Checks of the page on stopped chains: arguments under which each statement holds, and fails."""

from fractions import Fraction as F

TABLE = {
    "stopped_chains.any_chain": ({}, {"claimed": F(98, 100)}, "exact"),
    "stopped_chains.independence_level": ({}, {"shift": 1}, "exact"),
    "stopped_chains.independence_order": ({}, {"walk": True}, "exact"),
    "stopped_chains.two_states": ({"both": False}, {"both": True}, "exact"),
    "fixed_start.delta_from_point": ({}, {"shift": 1}, "exact"),
    "fixed_start.distance_shrinks": ({}, {"shift": 1}, "exact"),
    "fixed_start.distance_to_delta": ({}, {"whole": False}, "exact"),
    "fixed_start.bounds_reached": ({}, {"share": F(101, 100)}, "exact"),
    "fixed_start.cost_bracket": ({}, {"claimed": 0}, "certified"),
    "fixed_start.truncated_rejection": ({}, {"fixed": True}, "exact"),
    "fixed_start.coalescence": ({}, {"by_level": True}, "exact"),
}
MORE_HOLD = {"stopped_chains.any_chain": [{"outputs": False, "claimed": F(2)}]}
MORE_FAIL = {
    "stopped_chains.any_chain": [
        {"fixed_start": True},
        {"outputs": False},
        {"outputs": False, "claimed": F(199, 100)},
    ]
}
HELPERS = {"stopped_chains.extreme_pair", "stopped_chains.member_pair", "stopped_chains.output_pair"}
