"""Cases for the checks of the papers' statements: each refuses a bad rng, count, share or level."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd

from mollified.exact_level import ExactLevel
from tests.contract.kinds import NAN, Case

HALF, ONE = Fraction(1, 2), Fraction(1)
PAIR = (HALF, HALF)
NOT_FRACTIONS = [None, 0.5, "r", True]
POSITIVE = [*NOT_FRACTIONS, Fraction(0), Fraction(-1)]
ROOT = [*NOT_FRACTIONS, ONE, HALF]
SHARE = [*NOT_FRACTIONS, Fraction(-1), Fraction(2)]
AT_LEAST_ZERO = [*NOT_FRACTIONS, Fraction(-1)]
SIZE = [-2, 1.5, "two", None, True]
NOT_LAWS = [None, 3, "p", (), (0.5, 0.5), (HALF, Fraction(1, 3)), (Fraction(3, 2), -HALF)]
TABLE = pd.DataFrame({"eps": [1.0, 1.0], "member": [0, 1], "x": [0.0, 0.0], "density": [1.0, 1.5]})


def rng():
    return np.random.default_rng(1)


def random(name, *, instances=4, flags=None, **others):
    """A case for a check on random instances; `others` are further arguments as (good value, bad values)."""
    return Case(
        f"verify.{name}",
        lambda: {
            "rng": rng(),
            "instances": instances,
            **(flags or {}),
            **{key: good for key, (good, _) in others.items()},
        },
        {"rng": "rng", "instances": "count"},
        {key: bad for key, (_, bad) in others.items()},
    )


CLAIMED = (ONE, POSITIVE)
CASES = [
    # hulls
    random("hulls.singleton", members=(1, [0, 1.5, "two", None, True])),
    random("hulls.hull_is_mollifier"),
    random("hulls.law_by_enumeration"),
    random("hulls.range_is_hull"),
    random("hulls.hull_of_hull"),
    random("hulls.integral_hull", claimed=CLAIMED),
    random("hulls.noise_needs_bounds"),
    # local_privacy
    random("local_privacy.local_is_size_one"),
    random("local_privacy.empirical_inputs", claimed=CLAIMED),
    random("local_privacy.clamped_laplace", scale=CLAIMED),
    random("local_privacy.event_mass"),
    random("local_privacy.radon_nikodym"),
    random("local_privacy.different_targets", claimed=CLAIMED),
    # private_sampling
    random("private_sampling.event_bound", claimed=CLAIMED),
    random("private_sampling.mixed_output", claimed=CLAIMED),
    random("private_sampling.sampler_definition"),
    random("private_sampling.group_chain", missing=(0, SIZE)),
    random("private_sampling.integral_implies_differential", distance=(1, [0, 1.5, "two"])),
    random("private_sampling.naive_sampler_level", claimed=CLAIMED),
    # ranges
    random("ranges.closed_range", claimed=CLAIMED),
    random("ranges.sufficient", widen=CLAIMED),
    random("ranges.singleton_limit", claimed=CLAIMED),
    random("scale_shift.uniform_limit", claimed=CLAIMED),
    random("scale_shift.scale_shift_keeps_modes", stretch=CLAIMED),
    random("scale_shift.absolute_definition"),
    random("ranges.takes_value_one"),
    random("scale_shift.standard_mechanism", flags={"uniform_base": True}),
    random("ranges.common_support"),
    Case(
        "verify.scale_shift.empty_on_line",
        lambda: {"measure": ONE, "root": Fraction(2)},
        {},
        {"measure": POSITIVE, "root": ROOT},
    ),
    Case("verify.scale_shift.scale_shift_needs_measure_one", lambda: {"measure": ONE}, {}, {"measure": POSITIVE}),
    Case(
        "verify.ranges.curves_are_mollifier",
        lambda: {"table": TABLE, "claimed": 1.0},
        {},
        {"table": [None, 3, "table"], "claimed": [0.0, -1.0, NAN, "one"]},
    ),
    # relative
    random("relative.members_are_mollifier", claimed=CLAIMED),
    random("relative.convex", overshoot=(Fraction(0), AT_LEAST_ZERO)),
    random("relative.span_is_reached"),
    random("projection.optimal", shift=(Fraction(0), SHARE)),
    random("projection.unique_on_support"),
    random("projection.objective_convex"),
    random("closed_form.constant_exists", flags={"condition": True}),
    random("closed_form.plug_in_stays_inside", flags={"condition": True}),
    random("projection.mode_can_move", flags={"uniform": True}),
    random("relative.relative_definition"),
    random("relative.reference_belongs"),
    random("closed_form.completion_is_optimal", shift=(Fraction(0), SHARE)),
    random("closed_form.completion_stays_inside"),
    random("closed_form.plug_in_converges"),
    random("projection.divergence_defined"),
    Case(
        "verify.projection.best_linear",
        lambda: {"weights": PAIR, "base": PAIR, "root": Fraction(2)},
        {},
        {"weights": [None, 3, "w", (), (ONE,), (0.5, 0.5)], "base": NOT_LAWS, "root": ROOT},
    ),
    # mbde
    Case(
        "verify.steps.geometric_identity",
        lambda: {"rounds": 3, "exponent_shift": 0},
        {"rounds": "count"},
        {"exponent_shift": SIZE},
    ),
    Case("verify.steps.geometric_ratio", lambda: {"rounds": 3}, {"rounds": "count"}),
    Case("verify.steps.limit_identity", lambda: {"constant": 1}, {"constant": "count"}),
    random("steps.sum_below_limit", divisor=(4, [0, 1.5, "two", None, True])),
    random("steps.steps_vanish", faster=(0, SIZE)),
    random("mbde.membership", limit=CLAIMED, width=CLAIMED),
    random("mbde.range_lemma"),
    random("mbde.product_form"),
    random("spending.spent", claimed=CLAIMED),
    random("network.sigmoid_edge"),
    random("network.bounded_classifiers", method=("clip", ["no-such-choice", None, 3])),
    random("spending.data_dependent_start", flags={"allow_start": True}),
    random("network.sigmoid_level", divisor=(2, [0, 1.5, "two", None, True])),
    Case(
        "verify.mbde.absolute_range",
        lambda: {"densities": (ONE, ONE), "level": ExactLevel(eps=HALF)},
        {},
        {
            "densities": [None, 3, "q", (), (1.0, 1.0), (ONE, HALF), (Fraction(0), Fraction(2)), (HALF, HALF, ONE)],
            "level": [1.0, "level", Fraction(2)],
        },
    ),
    Case(
        "verify.spending.attained_level",
        lambda: {"eps": 1.0, "rounds": 3, "atoms": [0.5]},
        {"eps": "eps", "rounds": "count", "atoms": "vector"},
        {"atoms": [[0.0], [1.0], [-0.1]]},
    ),
    Case(
        "verify.steps.unused_share",
        lambda: {"eps": ONE, "share": HALF, "rounds": 3},
        {"rounds": "count"},
        {"eps": POSITIVE, "share": SHARE},
    ),
    Case(
        "verify.network.no_ring",
        lambda: {"eps": ONE, "radii": (ONE,), "shows": False, "rounds": 3},
        {"rounds": "count"},
        {"eps": POSITIVE, "radii": [None, 3, "r", (), (0.5,)]},
    ),
    # sampling
    random("sampling.rejection_law"),
    random("sampling.proposal_count", rounds=(3, [0, 1.5, "two", None, True])),
    random("sampling.unbounded_domain"),
    Case(
        "verify.sampling.chain_level",
        lambda: {"one": PAIR, "two": PAIR, "start": (ONE, Fraction(0)), "steps": 1},
        {"steps": "size"},
        {"one": [*NOT_LAWS, (ONE, Fraction(0))], "two": [*NOT_LAWS, (ONE, Fraction(0))], "start": NOT_LAWS},
    ),
]

ONLY_FLAGS = "takes nothing but a flag: there is no bad value"
EXEMPT = dict.fromkeys(
    (
        "verify.hulls.smooth_law_missed",
        "verify.local_privacy.laplace_leaves_interval",
        "verify.local_privacy.point_probabilities",
        "verify.local_privacy.sizes_compared",
        "verify.mbde.circular_step",
        "verify.steps.missing_index",
        "verify.network.sigmoid_values",
        "verify.private_sampling.deterministic_release",
        "verify.private_sampling.local_against_integral",
        "verify.ranges.necessary_refuted",
        "verify.projection.minimum_attained",
        "verify.sampling.chain_on_integers",
        "verify.sampling.metropolis_step",
        "verify.projection.member_keeps_mode",
        "verify.scale_shift.shift_needs_finite_measure",
    ),
    ONLY_FLAGS,
)
