"""Cases for the page on the gain: scalar steps, bounds on runs, the product example, and the studies."""

from __future__ import annotations

from fractions import Fraction

from tests.contract.cases_verify import CLAIMED, POSITIVE, random
from tests.contract.kinds import NAN, Case

HALF, ONE = Fraction(1, 2), Fraction(1)
CHOICES = ["no-such-choice", None, 3]
SCALE = [*POSITIVE, Fraction(2)]
INSIDE = [*SCALE, ONE]
LEVELS = [None, 1.0, "eps", [], [0.0], [-1.0], [NAN], ["one"]]
COUNTS = [None, 3, "n", [], [0], [1.5], ["two"]]
SEEDS = [-1, 1.5, "seed", None]
EDGES = {"ratio": INSIDE, "scale": SCALE, "gamma_p": INSIDE, "gamma_q": INSIDE}


def coins(name, **others):
    """A case for a function of the product example."""
    return Case(
        f"verify.product_example.{name}",
        lambda: {
            "rounds": 2,
            "ratio": HALF,
            "scale": ONE,
            "gamma_p": HALF,
            "gamma_q": HALF,
            **{key: good for key, (good, _) in others.items()},
        },
        {"rounds": "count"},
        {**EDGES, **{key: bad for key, (_, bad) in others.items()}},
    )


FORM = ("corrected", CHOICES)
CASES = [
    Case("verify.gamma.gamma_below_line", lambda: {"slope": ONE}, {}, {"slope": POSITIVE}),
    random("gamma.gamma_in_sum", flags={"reverse": True}),
    random("gamma.moment_of_step"),
    random("gamma.edge_with_log2", flags={"full": True}),
    Case("verify.gamma.sum_of_steps", lambda: {"rounds": 3, "missing": 0}, {"rounds": "count", "missing": "size"}),
    Case("verify.gamma.constant_of_gain", lambda: {"divisor": 4}, {"divisor": "count"}),
    random("approximation.gain_identity"),
    random("approximation.members_gain", claimed=CLAIMED, reading=("relative", CHOICES)),
    random("approximation.barrier", instances=40, share=CLAIMED),
    random("approximation.lower_bound", instances=40, share=CLAIMED, form=FORM, regime=("any", CHOICES)),
    random("approximation.two_sided", instances=40, share=CLAIMED),
    random("approximation.drops_summed", instances=400, flags={"full": True}),
    coins("product_gain"),
    coins("product_attains", form=FORM),
    coins("product_example", form=FORM, below=(HALF, SCALE)),
    Case("verify.product_example.first_drop", lambda: {"scale": ONE}, {}, {"scale": SCALE}),
    Case("studies.approximation.product_gains", lambda: {"rounds": 2}, {"rounds": "count"}),
    Case("studies.approximation.gamma_line", lambda: {"points": 5}, {"points": "count"}, {"points": [1, 3]}),
    Case(
        "studies.approximation.gain_slack",
        lambda: {"instances": 2000, "bins": 4, "seed": 1},
        {"instances": "count", "bins": "count"},
        {"seed": SEEDS},
    ),
    Case(
        "studies.approximation.failures_by_rounds",
        lambda: {"rounds": [1], "instances": 200, "seed": 1},
        {"instances": "count"},
        {"rounds": COUNTS, "seed": SEEDS},
    ),
    Case(
        "studies.approximation.run_gains",
        lambda: {"eps": [1.0], "rounds": 1, "nodes": 41},
        {"rounds": "count"},
        {"eps": LEVELS, "nodes": [0, 4, 6, 1.5, "two", None]},
    ),
]

EXEMPT = {"verify.gamma.gamma_at_rationals": "takes a flag and nothing else"}
