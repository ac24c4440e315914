"""Cases for the relaxed exponential mechanism, and for the checks and studies of its page."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mollified.relaxed_pairs import TWO_OUTPUTS
from tests.contract.cases_verify import CLAIMED, POSITIVE, random
from tests.contract.kinds import NAN, Case

F, ONE = Fraction, Fraction(1)
SCORES = [F(0), F(-2)]
ROWS = [[F(0), F(-2)], [F(-1), F(2)]]
NO_ROWS = [None, 3, "u", [], [[F(0)]], [[F(0)], [F(0), F(1)]], [[0.5], [0.5]]]
NO_SCORES = [None, 3, "u", [], [0.5]]
ROOTS = [F(1), F(1, 2), 2.0, None, True]
UNIT = [F(-1), F(2), 0.5, None, True]
TWO_UP = [0, 1, 1.5, "two", None, True]
SIGNS = [0, 2, None, "plus", True]
COUNTS = [None, [], [1.5, 2.5], [-1, 2], [0, 0], [3]]
FLAGS = ["no-such-form", None, 3]
SHARES = [0.0, -1.0, 2.5, NAN, "one", None, True]

CASES = [
    Case(
        "relaxed_exponential.log_sign",
        lambda: {"terms": [(ONE, F(2)), (-ONE, F(3))]},
        {},
        {
            "terms": [None, 3, "t", [(ONE,)], [(ONE, F(0))], [(ONE, F(-1))], [(0.5, F(2))]],
        },
    ),
    Case("relaxed_exponential.response_sensitivities", lambda: {"scores": ROWS}, {}, {"scores": NO_ROWS}),
    Case(
        "relaxed_exponential.relaxed_law",
        lambda: {"scores": SCORES, "sensitivity": F(1), "root": F(2)},
        {},
        {"scores": [*NO_SCORES, [F(0), F(1, 3)]], "sensitivity": POSITIVE, "root": ROOTS},
    ),
    Case(
        "relaxed_exponential.certified_law",
        lambda: {"scores": SCORES, "sensitivity": F(3), "root": F(2)},
        {},
        {"scores": NO_SCORES, "sensitivity": POSITIVE, "root": ROOTS},
    ),
    Case(
        "relaxed_exponential.qualifies",
        lambda: {"scores": SCORES, "subset": (0,), "sensitivity": F(1), "root": F(2), "delta": F(1, 10)},
        {},
        {
            "scores": NO_SCORES,
            "subset": [None, 3, "A", (), (7,), (0.5,), (-1,)],
            "sensitivity": POSITIVE,
            "root": ROOTS,
            "delta": UNIT,
        },
    ),
    Case(
        "relaxed_exponential.formula_share",
        lambda: {"n": 1, "size": 2, "k": 1, "gamma": F(1, 2)},
        {"n": "count", "k": "count"},
        {"size": TWO_UP, "gamma": UNIT},
    ),
    Case(
        "relaxed_exponential.typical_change",
        lambda: {"n": 1, "size": 2, "k": 1, "gamma": F(1, 2)},
        {"n": "count", "k": "count"},
        {"size": TWO_UP, "gamma": UNIT},
    ),
    Case(
        "relaxed_exponential.definition_change",
        lambda: {"counts": [1, 1], "k": 1, "gamma": F(1, 2)},
        {"k": "count"},
        {"counts": COUNTS, "gamma": UNIT},
    ),
    Case(
        "relaxed_pairs.WeightPair",
        lambda: {"one": TWO_OUTPUTS.one, "two": TWO_OUTPUTS.two, "typical": 1, "root": F(2)},
        {},
        {
            "one": [None, 3, (), (F(0), ONE), (0.5, 0.5)],
            "two": [None, 3, (), (F(0), ONE), (ONE,), (0.5, 0.5)],
            "typical": [0, 3, 1.5, None, True],
            "root": ROOTS,
        },
    ),
    Case(
        "relaxed_pairs.random_pair",
        lambda: {"rng": np.random.default_rng(1), "off": 12, "even": False},
        {"rng": "rng", "off": "count"},
    ),
    Case(
        "relaxed_pairs.weight_pairs",
        lambda: {"rng": np.random.default_rng(1), "instances": 2, "first": TWO_OUTPUTS},
        {"rng": "rng", "instances": "count"},
        {"first": [3, "pair"]},
    ),
    random("relaxed_exponential.definition_determines"),
    random("relaxed_exponential.set_exists", flags={"finite": True}),
    random("relaxed_exponential.sensitivity_definition", claimed=CLAIMED),
    random("relaxed_exponential.sampling_rule"),
    random("relaxed_exponential.theorem_4", sets=("both rows", FLAGS), claimed=CLAIMED),
    random("relaxed_exponential.one_family"),
    random("relaxed_proof.complement_mass", claimed=CLAIMED),
    random("relaxed_proof.factors_bounded", claimed=CLAIMED),
    random("relaxed_proof.ratio_from_below", flags={"outside": True}),
    random("relaxed_proof.ratio_over_typical", flags={"conditional": True}),
    random("relaxed_proof.rearranged", flags={"inverted": False}),
    random("relaxed_proof.splitting"),
    random("relaxed_types.type_probability"),
    random("relaxed_types.divergence_defined"),
    random("relaxed_types.most_probable", flags={"classes": True}),
    random("relaxed_types.decay_rate", claimed=CLAIMED),
    random("relaxed_types.typical_mass", rate=CLAIMED),
    random("relaxed_types.entropy_cancels"),
    random("relaxed_types.response_formula"),
    random("relaxed_types.canonical_instance", claimed=CLAIMED),
    random("relaxed_sensitivity.sensitivity_formula", form=("at most", FLAGS), claimed=CLAIMED),
    random("relaxed_sensitivity.sensitivity_exists"),
    random("relaxed_sensitivity.loss_over_typical", claimed=CLAIMED),
    random("relaxed_equivalence.equivalence", scale=("formula", FLAGS)),
    random("relaxed_equivalence.selection", flags={"matched": True}),
    random("relaxed_equivalence.whole_records", flags={"rational": True}),
    random("relaxed_algebra.decomposition", sign=(1, SIGNS)),
    random("relaxed_algebra.derivative", which=(1, [0, 3, None, "one", True]), sign=(1, SIGNS)),
    random("relaxed_algebra.first_slope_bound", flags={"printed": False}),
    random("relaxed_algebra.second_slope_bound", claimed=CLAIMED),
    Case(
        "verify.relaxed_algebra.increasing",
        lambda: {"which": 1, "shift": F(0)},
        {},
        {"which": [0, 3, None, "one", True], "shift": [0.5, None, "zero", True]},
    ),
    random("relaxed_algebra.small_shares", sign=(1, SIGNS)),
    random("relaxed_algebra.large_shares", claimed=CLAIMED),
    random("relaxed_algebra.upper_corner", corner=("upper", FLAGS)),
    random("relaxed_algebra.corner_value", sign=(1, SIGNS)),
    random("relaxed_algebra.lower_corner", claimed=CLAIMED),
    random("relaxed_sweeps.theorem_sweep", claimed=(1.0, SHARES)),
    Case(
        "verify.relaxed_sweeps.theorem_search",
        lambda: {"rng": np.random.default_rng(1), "starts": 40},
        {"rng": "rng", "starts": "count"},
    ),
    random("relaxed_sweeps.ratio_sweep"),
    random("relaxed_sweeps.mode_sweep"),
    random("relaxed_sweeps.sensitivity_sweep", claimed=(1.0, SHARES)),
    Case(
        "verify.relaxed_sweeps.sensitivity_search",
        lambda: {"rng": np.random.default_rng(1), "starts": 40, "claimed": 1.0},
        {"rng": "rng", "starts": "count"},
        {"claimed": SHARES},
    ),
    Case(
        "studies.relaxed_exponential.two_outputs",
        lambda: {"delta": 0.001, "low": -14.0, "high": 12.0, "points": 5},
        {"points": "count"},
        {"delta": [0.0, 1.0, -1.0, NAN, "one", None], "low": [NAN, "one", None, 99.0], "high": [-20.0, NAN, None]},
    ),
    Case(
        "studies.relaxed_exponential.sensitivities",
        lambda: {"n": 2, "k": 1, "sizes": [2, 3], "points": 3},
        {"n": "count", "k": "count", "points": "count"},
        {"sizes": [None, [], [1], [2.5], "s"]},
    ),
    Case(
        "studies.relaxed_exponential.probable_types",
        lambda: {"counts": [2, 1, 0], "k": 1, "m": 3},
        {"k": "count", "m": "count"},
        {"counts": [*COUNTS, [1, 1]]},
    ),
]

EXEMPT = {"relaxed_exponential.Change": "a record of four rationals that the functions beside it make"}
