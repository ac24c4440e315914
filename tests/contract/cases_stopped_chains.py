"""Cases for stopped chains: the exact laws, the checks and the studies."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tests.contract.kinds import NAN, Case

HALF, ONE = Fraction(1, 2), Fraction(1)
PAIR = (HALF, HALF)
KERNEL = (PAIR, PAIR)
NOT_FRACTIONS = [None, 0.5, "r", True]
NOT_LAWS = [None, 3, "p", (), (0.5, 0.5), (HALF, Fraction(1, 3)), (Fraction(3, 2), -HALF)]
NOT_KERNELS = [None, 3, "p", (), (PAIR,), (PAIR, (ONE,)), (PAIR, (HALF, Fraction(1, 3))), ((0.5, 0.5), PAIR)]
ROOT = [*NOT_FRACTIONS, ONE, HALF]
TEXTS = [None, 2, "x", "1/0"]
ROOTS = [None, 2, "2", [], [2], ["x"], ["1"], ["1/0"]]
ATOMS = [None, 2, "2", [], [2], ["x"], ["0"], ["1/0"], ["2/3"]]
COUNTS = [None, 3, "n", [], [-1], [1.5], ["two"]]
SIZE = [-2, 1.5, "two", None, True]


def random(name, **others):
    """A case for a check on random instances; `others` are further arguments as (good value, bad values)."""
    return Case(
        f"verify.{name}",
        lambda: {"rng": np.random.default_rng(1), "instances": 4, **{key: good for key, (good, _) in others.items()}},
        {"rng": "rng", "instances": "count"},
        {key: bad for key, (_, bad) in others.items()},
    )


CASES = [
    Case("stopped_chain.independence_proposal", lambda: {"reference": PAIR}, {}, {"reference": NOT_LAWS}),
    Case("stopped_chain.walk_proposal", lambda: {"size": 3}, {"size": "count"}, {"size": [1]}),
    Case(
        "stopped_chain.metropolis_rows",
        lambda: {"target": PAIR, "proposal": KERNEL},
        {},
        {"target": [*NOT_LAWS, (ONE, Fraction(0))], "proposal": NOT_KERNELS},
    ),
    Case("stopped_chain.point_start", lambda: {"size": 3, "at": 2}, {"size": "count", "at": "size"}, {"at": [3]}),
    Case(
        "stopped_chain.stopped_laws",
        lambda: {"kernel": KERNEL, "start": PAIR, "steps": 2},
        {"steps": "size"},
        {"kernel": NOT_KERNELS, "start": NOT_LAWS},
    ),
    *[
        Case(f"stopped_chain.{name}", lambda: {"one": PAIR, "two": PAIR}, {}, {"one": NOT_LAWS, "two": NOT_LAWS})
        for name in ("worst_ratio", "total_variation")
    ],
    Case(
        "stopped_chain.hockey_stick",
        lambda: {"one": PAIR, "two": PAIR, "factor": ONE},
        {},
        {"one": NOT_LAWS, "two": NOT_LAWS, "factor": [*NOT_FRACTIONS, HALF]},
    ),
    Case(
        "stopped_chain.independence_ratio",
        lambda: {"root": Fraction(2), "steps": 2},
        {"steps": "size"},
        {"root": ROOT},
    ),
    Case(
        "stopped_chain.steps_needed",
        lambda: {"eps": ONE, "delta": HALF},
        {},
        {"eps": [*NOT_FRACTIONS, Fraction(0)], "delta": [*NOT_FRACTIONS, Fraction(0), ONE]},
    ),
    Case("stopped_chain.walk_pair", lambda: {"root": Fraction(2)}, {}, {"root": ROOT}),
    random("stopped_chains.any_chain", claimed=(ONE, [*NOT_FRACTIONS, Fraction(0)])),
    random("stopped_chains.independence_level", shift=(0, SIZE)),
    random("stopped_chains.independence_order"),
    random("fixed_start.delta_from_point", shift=(0, SIZE)),
    random("fixed_start.distance_shrinks", shift=(0, SIZE)),
    random("fixed_start.distance_to_delta"),
    random("fixed_start.cost_bracket", claimed=(1, SIZE)),
    random("fixed_start.truncated_rejection"),
    random("fixed_start.coalescence"),
    Case("verify.fixed_start.bounds_reached", lambda: {"share": HALF}, {}, {"share": [*NOT_FRACTIONS, Fraction(0)]}),
    *[
        Case(f"verify.stopped_chains.{name}", lambda: {"rng": np.random.default_rng(1)}, {"rng": "rng"})
        for name in ("member_pair", "output_pair")
    ],
    Case(
        "verify.stopped_chains.extreme_pair",
        lambda: {"root": Fraction(2), "atom": Fraction(1, 3)},
        {},
        {"root": ROOT, "atom": [*NOT_FRACTIONS, Fraction(0), HALF]},
    ),
    Case(
        "studies.stopped_chains.walk_levels",
        lambda: {"eps": 1.0, "steps": [0, 1], "reach": 10, "tail": 3.45},
        {"eps": "eps", "reach": "count", "tail": "eps"},
        {"eps": [4.0], "steps": COUNTS, "tail": [1.0, 5.0, NAN]},
    ),
    Case(
        "studies.stopped_chains.independence_levels",
        lambda: {"roots": ["2"], "most": 2, "atom": "1/9"},
        {"most": "count"},
        {"roots": ROOTS, "atom": [*TEXTS, "0", "1/2"]},
    ),
    Case(
        "studies.stopped_chains.fixed_start",
        lambda: {"root": "2", "atoms": ["1/9"], "most": 2},
        {"most": "count"},
        {"root": [*TEXTS, "1"], "atoms": ATOMS},
    ),
    Case(
        "studies.stopped_chains.costs",
        lambda: {"eps": ["1"], "delta": "1/10"},
        {},
        {"eps": ATOMS[:-1], "delta": [*TEXTS, "0", "1"]},
    ),
]

EXEMPT = {"verify.stopped_chains.two_states": "takes nothing but a flag: there is no bad value"}
