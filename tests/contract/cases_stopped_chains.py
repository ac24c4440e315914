"""Cases for stopped chains: the exact laws and the studies."""

from __future__ import annotations

from fractions import Fraction

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


CASES = [
    Case("stopped_chain.independence_proposal", lambda: {"reference": PAIR}, {}, {"reference": NOT_LAWS}),
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
    Case("stopped_chain.worst_ratio", lambda: {"one": PAIR, "two": PAIR}, {}, {"one": NOT_LAWS, "two": NOT_LAWS}),
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
    Case(
        "stopped_chain.extreme_pair",
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
