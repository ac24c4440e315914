"""Cases for the page on the readings of MBDE: hard pairs, studies and checks, with settings of a moment."""

from __future__ import annotations

from tests.contract.cases_studies import COUNTS, LEVELS, SEEDS
from tests.contract.kinds import Case

NAMES = [None, "clip", 3, [], ["no-such-choice"], [None]]
DOMAINS = [None, "ring", 3, [], ["no-such-choice"]]
DIMS = [0, 3, 1.5, "two", None, True]
RUN = {"eps": [1.0], "variants": ["clip"], "samples": 8, "seed": 1}
EXTRA = {"eps": LEVELS, "variants": NAMES, "seed": SEEDS}


def sweep(name, **others):
    good = {**RUN, "domains": ["mixture-sd"], "recipes": ["fast"], "places": [1]}
    return Case(
        f"experiments.variant_runs.{name}",
        lambda: {**good, **{key: value for key, (value, _) in others.items()}},
        {"samples": "count"},
        {
            **EXTRA,
            "domains": DOMAINS,
            "recipes": [*DOMAINS[:-1], ["no-such-choice"]],
            "places": [*COUNTS, [1, 1]],
            **{key: bad for key, (_, bad) in others.items()},
        },
    )


CASES = [
    Case("experiments.hard_pairs.hard_inputs", lambda: {"dim": 1}, {}, {"dim": DIMS}),
    Case(
        "experiments.hard_pairs.pair_levels",
        lambda: {**RUN, "dim": 1, "recipe": "fast", "most": 1},
        {"samples": "count", "most": "count"},
        {**EXTRA, "dim": DIMS, "recipe": ["no-such-choice", 3]},
    ),
    Case(
        "experiments.variant_runs.ring_pictures",
        lambda: {**RUN, "recipe": "fast", "stride": 30},
        {"samples": "count", "stride": "count", "recipe": "choice"},
        EXTRA,
    ),
    Case(
        "experiments.variant_runs.line_ratios",
        lambda: {**RUN, "recipe": "fast"},
        {"samples": "count", "recipe": "choice"},
        EXTRA,
    ),
    sweep("gains"),
    sweep(
        "budgets",
        pair_eps=([1.0], LEVELS),
        pair_variants=(["clip"], NAMES),
        pair_recipe=("fast", ["no-such-choice", None, 3]),
        pair_samples=([8], [*COUNTS, [1, 1]]),
        most=([1], [*COUNTS, [1, 1]]),
    ),
    Case(
        "experiments.variant_runs.perfect_gain",
        lambda: {"name": "mixture-sd", "eps": 1.0, "variant": "released"},
        {"name": "choice", "eps": "eps", "variant": "choice"},
    ),
]
