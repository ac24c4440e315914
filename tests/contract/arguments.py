"""Good and bad values of the arguments of all that `mollified` exports, by name.

`ARGUMENTS` holds what a name means in all packages, `PACKAGES` what it means in one,
`CALLS` what it means in one callable (or in several calls of it). `OBJECTS` holds an
object of each class, whose methods are called. `PRIVATE` are the names of arguments
that hold a person's law, the counts and answers of a data set, and what is computed
from them, or may: no message shows a value of theirs.
"""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import torch
from flint import arb

from mollified.boosting import (
    BayesLearner,
    BoostedDensity,
    PolynomialLearner,
    random_runs,
)
from mollified.boxes import BoxSampler, ContinuousBoxSampler
from mollified.laws import Discrete, FiniteSpace, Gaussian, Grid, Mixture, Uniform
from mollified.mollifiers import Mollification, RelativeMollifier
from mollified.privacy import ExactLevel, Register, textbook_law
from mollified.sampling import FiniteSampler
from mollified.training import FAST, VARIANTS, NetworkLearner, Recipe
from tests.mollified.helpers import Tabular


class Argument(NamedTuple):
    """A value that is taken, and values that must be refused by an error that names the
    argument."""

    good: Any
    bad: list[Any]


def arg(good: Any, *bad: list[Any]) -> Argument:
    return Argument(good, [value for values in bad for value in values])


#: The library has the same names; they stand here again, so that one that is lost
#: there is missed by the tests.
PRIVATE = {
    "P",
    "answer",
    "classifiers",
    "components",
    "count",
    "counts",
    "covariance",
    "current",
    "data",
    "law",
    "log_constant",
    "log_density",
    "log_p",
    "log_q",
    "log_ratio",
    "log_values",
    "logit",
    "lower",
    "mean",
    "one",
    "p",
    "probabilities",
    "q",
    "target",
    "thetas",
    "two",
    "upper",
    "values",
    "weights",
}


class Fresh:
    """Stands for a new generator in each call."""


NAN = float("nan")
INF = float("inf")
HALF = Fraction(1, 2)
THIRD = Fraction(1, 3)
ONE = Fraction(1)
TWO = Fraction(2)
TINY = Fraction(1, 2**70)
LINE = Gaussian.standard(1)
PLANE = Gaussian.standard(2)
COIN = Discrete([0.5, 0.5])
SQUARE = Grid([0.0, 0.0], [1.0, 1.0], 5)
CPU = torch.device("cpu")
LEVEL = ExactLevel(exp_eps=Fraction(4))
RUNS = random_runs(np.random.default_rng(1), 3, 2, 2)

# Values that are not what the name says.
COUNT = [0, -3, 1.5, "two", None, True]
SYMBOLS = [1, *COUNT]
SIZE = [-1, 1.5, "two", None]  # an integer >= 0
POSITIVE = [0.0, -1.0, NAN, INF, "one", None, True]
FINITE = [NAN, INF, "one", None]
NONNEGATIVE = [-1.0, *FINITE]
UNIT = [-0.1, 1.1, NAN, "one", None]  # a number in [0, 1]
OPEN = [0.0, 1.0, -0.5, 1.5, *FINITE]
BELOW_ONE = [1.0, -0.1, NAN, "x", None]
RATIONAL = [None, 0.5, "r", True]
RATIONAL_POSITIVE = [*RATIONAL, Fraction(0), -ONE]
RATIONAL_UNIT = [*RATIONAL_POSITIVE, ONE]
FROM_ONE = [*RATIONAL, HALF]
ABOVE_ONE = [*FROM_ONE, ONE]
WORD = ["no-such-choice", None, 3]
CALLABLE = [None, 3, "f"]
NO_RNG = [None, 0, np.random]
LAW = [None, 3, "Q", [0.5, 0.5], SimpleNamespace(dim=0, log_prob=print, sample=print)]
SPACE = [
    None,
    3,
    "X",
    SimpleNamespace(points=3, integrate=print, log_integral=print, supremum=print),
]
VECTOR = [[], [[0.5]], [NAN], "v", None]
ARRAY = [[], [NAN], "a", None]
POINTS = [np.zeros((0, 1)), np.zeros(3), np.array([[NAN]]), np.zeros((2, 7)), "x", None]
PROBABILITIES = [[], [[0.5, 0.5]], [0.5, NAN], [0.5, 0.6], [1.5, -0.5], "p", None]
VALUES = [
    [],
    [NAN, 0.0, 0.0],
    [0.0, INF, 0.0],
    [0.0, 0.0],
    [[0.0, 0.0, 0.0]],
    "v",
    None,
    1.0,
]
LOGS = [*VALUES, [0.0, 0.0, 701.0], np.zeros(3), np.full(3, -np.inf)]
GRID_VALUES = [[], [NAN] * 5, [INF] * 5, [0.0] * 4, np.zeros((5, 1)), "v", None, 1.0]
CORNER = [[[0.5]], [], [NAN], "v", None, [0.0, 0.0, 0.0]]
BOUNDS = [None, 3, "low", (), (0.5, 0.5), (-HALF, HALF), (HALF,)]
NODES = [0, 4, 6, 7, 1.5, "two", True, [5, 5], [], [7]]
COUNTS = [None, 3, "n", [], [0, 0], [1], [[1, 2]], [1, -1], [1.0, 2.0], [True, False]]
NUMBERS = [None, 3, "law", [], [0.5], [0.5, NAN], [-0.5, 1.5], [0, 0], ["a", "b"]]
PUBLIC = [None, "q", [], [0.5, NAN], [0.0, 1.0], [0.5, 0.6]]
FLOORS = [None, "m", [], [[0.4, 0.4]], [0.4, NAN], [-0.1, 0.9], [0.1, 0.1], [0.8, 0.8]]
SPLITS = [None, "no-such-split", 0.2, 1.1, NAN]
RATIONAL_LAWS = [
    None,
    3,
    "law",
    (),
    (0.5, 0.5),
    (HALF, ONE),
    (HALF, THIRD),
    (Fraction(3, 2), -HALF),
]
ROWS_OF_LAWS = [
    None,
    "p",
    [0.5, 0.5],
    [[0.5, 0.6], [0.5, 0.5]],
    [[1.5, -0.5], [0.5, 0.5]],
]
WEIGHTS = [None, 3, "row", (), (1, -1), (0.5, 0.5)]
NUMBER = [None, "x", NAN, INF, True]
# plain numbers, arrays and balls are taken
STEP = arg(0.5, [*NUMBER, 0.0, -1.0, arb(-1), {}, np.array([None], dtype=object)])
EDGE = arg(0.5, [*NUMBER, -0.1, 1.1, arb("1.1"), np.array([0.5, 1.5])])
RESPONSE = arg(1.0, [0.0, -1.0, *FINITE, 51.0])

ARGUMENTS: dict[str, Argument] = {
    # whole numbers
    **{
        name: arg(good, COUNT)
        for name, good in {
            "n": 10,
            "k": 3,
            "m": 4,
            "draws": 2,
            "rounds": 2,
            "iteration": 1,
            "instances": 3,
            "degree": 3,
            "dim": 2,
            "count": 10,
            "records": 2,
            "runs": 3,
            "steps": 2,
            "samples": 8,
            "trials": 4,
            "block": 4,
            "most_rounds": 2,
            "most_records": 10**7,
            "parts": 2,
            "others": 3,
            "modes": 3,
            "epochs": 2,
            "size": 3,
            "max_proposals": 10**4,
        }.items()
    },
    "pool": arg(1000, SIZE),
    "total": arg(3, SIZE, [True]),
    "used": arg(4, [0, 1.5, "two", True]),
    "bits": arg(20, [0, 63, 1.5, "two", None]),
    "spread": arg(4, COUNT, [64]),
    # real numbers
    **{
        name: arg(good, POSITIVE)
        for name, good in {
            "eps": 1.0,
            "scale": 1.0,
            "sensitivity": 1.0,
            "sigma": 1.0,
            "mu": 1.0,
            "radius": 1.0,
            "variance": 0.1,
            "rate": 0.1,
            "rtol": 1e-3,
            "constant": 4.0,
            "largest": 3.0,
            "bandwidth": 0.125,
            "learning_rate": 0.01,
        }.items()
    },
    **dict.fromkeys(
        ("delta", "confidence", "within", "mass", "spare"), arg(0.01, OPEN)
    ),
    "gamma": arg(0.5, OPEN),
    "c_star": STEP,
    "theta": STEP,
    "gamma_p": EDGE,
    "gamma_q": EDGE,
    "error": arg(0.1, UNIT, [1.0]),
    "uniform": arg(0.1, UNIT),
    "log_bound": arg(0.5, FINITE),
    "log_constant": arg(0.0, FINITE),
    "tolerance": arg(1e-9, FINITE, [-1e-9]),
    "momentum": arg(0.9, [-0.1, 1.0, NAN, "one", None]),
    "share": arg(0.5, [0.0, -0.1, 1.1, NAN, "one", None]),
    # words
    **{
        name: arg(good, WORD)
        for name, good in {
            "form": "printed",
            "neighbours": "replace",
            "method": "clip",
            "repair": "clip",
            "reading": "variance",
            "optimiser": "adam",
            "output": "clip",
            "side": "upper",
            "sampler": "exact",
            "start": "torch",
        }.items()
    },
    "name": arg("mine", [None, 3, ""]),
    "title": arg("my own", [None, 3, ""]),
    # functions and generators
    "rng": arg(Fresh, NO_RNG),
    "random_bytes": arg(np.random.default_rng(1).bytes, [None, 3, "bytes"]),
    "log_density": arg(lambda x: -0.5 * x[:, 0] ** 2, CALLABLE),
    "fits": arg(lambda scale: scale > 2, CALLABLE),
    "log_ratio": arg(lambda x: np.clip(x[:, 0], -0.5, 0.5), CALLABLE),
    # laws, spaces, and functions on them
    "target": arg(Discrete([0.9, 0.1]), LAW),
    "reference": arg(COIN, LAW),
    "current": arg(COIN, LAW),
    "p": arg(Discrete([0.9, 0.1]), LAW),
    "q": arg(COIN, LAW),
    "space": arg(FiniteSpace(2), SPACE, [SQUARE]),
    "x": arg(np.zeros((3, 1)), POINTS),
    "counts": arg([1, 2], COUNTS),
    "probabilities": arg([0.5, 0.5], PROBABILITIES),
    "log_p": arg(np.log([0.5, 0.3, 0.2]), LOGS),
    "log_q": arg(np.log([0.2, 0.3, 0.5]), LOGS),
    "register": arg(Register(), [None, 3, "who", {}]),
    "device": arg(CPU, ["cpu", 0]),
    "exp_eps": arg(TWO, FROM_ONE),
    "level": arg(LEVEL, [None, 1.0, "level", TWO]),
    "P": arg([0.9, 0.1], NUMBERS, [[[0.5, 0.5], [0.5, 0.6]]]),
    "q0": arg([0.5, 0.5], PUBLIC),
    "floor": arg([0.35, 0.35], FLOORS),
    "law": arg([0.4, 0.6], NUMBERS, [[True, 1]]),
}

PACKAGES: dict[str, dict[str, Argument]] = {
    "boosting": {
        "c_star": arg(None, [0.5, [0.5], [0.5, -0.5], "c"]),
        "form": arg("corrected", ["exact", None, 3]),
    },
    "bootstrap": {"size": arg(3, SYMBOLS), "k": arg(12, COUNT)},
    "boxes": {"gamma": arg(None, [0.5, NAN, "g"]), "split": arg("even", SPLITS)},
    "privacy": {"delta": arg(0.1, OPEN), "eps0": RESPONSE},
    "sampling": {"reference": arg((HALF, HALF), RATIONAL_LAWS)},
    "training": {"rate": arg(0.1, OPEN, [True]), "delta": arg(0.1, OPEN, [True])},
}

#: A bound on sampled bootstraps: the sizes of the data and of the run.
RUN = {
    "n": arg(20, COUNT),
    "size": arg(4, [0, 2, 1.5, "two", None]),
    "delta": arg(0.001, BELOW_ONE),
}
LAW_PAIR = dict.fromkeys(("one", "two"), arg(textbook_law(0, 1, 4), [None, 3, "law"]))
GRID = Grid([-8.0], [8.0], 65)
NOT_RECIPES = ["fast", 3, {"rate": 1.0}]
PARTS = [Gaussian([0.0], 1.0), Gaussian([1.0], 2.0)]

CALLS: dict[str, dict[str, Argument] | list[dict[str, Argument]]] = {
    "boosting.BayesLearner.fit": dict.fromkeys(
        ("target", "current"), arg(COIN, LAW[:4])
    ),  # log_prob is enough
    "boosting.kl_drop_hoeffding": {"c_star": STEP},
    "boosting.kl_drop": {"c_star": STEP, "regime": arg(None, ["middle", 3])},
    "boosting.FiniteRuns": {
        name: arg(
            getattr(RUNS, name),
            [None, "a", np.full((3, 2, 9), 1.0), np.full((3,), NAN), np.ones(7)],
        )
        for name in ("target", "reference", "shape", "scale", "eps")
    },
    "boosting.edges_below": {"runs": arg(RUNS, [None, 3, "runs"])},
    "boosting.BoostedDensity": {
        "thetas": arg([0.1], VECTOR, [[0.1, 0.1], [-0.1]]),
        "classifiers": arg(
            [Tabular([0.5, -0.5])], [None, [], 3, "c", [3], [lambda x: x[:, 0]]]
        ),
    },
    "boosting.mbde": {
        "target": arg(COIN, LAW, [PLANE]),
        "learner": arg(BayesLearner("clip"), [None, 3, "learner"]),
    },
    "boosting.family_gain": {
        "p": arg([[0.75, 0.25], [0.5, 0.5]], ROWS_OF_LAWS),
        "reference": arg(
            [[0.75, 0.25], [0.5, 0.5]],
            ROWS_OF_LAWS,
            [[[1.0, 0.0], [0.5, 0.5]], [[0.5, 0.5]]],
        ),
        "oscillation": arg([0.5, 0.5], [None, "o", 0.5, [0.5], [0.0, 1.0]]),
    },
    "bootstrap.recipe": {
        **dict.fromkeys(("gamma", "delta"), arg(HALF, RATIONAL_UNIT)),
        "eps": arg(ONE, RATIONAL_POSITIVE),
    },
    **dict.fromkeys(("bootstrap.audit_bootstrap", "bootstrap.largest_bound"), RUN),
    "bootstrap.release_exact": {"k": arg(2, COUNT, [1 << 61])},
    **{
        f"bootstrap.{name}": {"eps": arg(1.0, [-1.0, *FINITE, 701.0])}
        for name in ("two_symbol_deltas", "certified_delta", "bootstrap_delta")
    },
    "bootstrap.corrected_histogram": {"released": arg([1, 2], COUNTS)},
    "boxes.project": {  # with weights the total of P does not matter
        "P": arg([0.9, 0.1], NUMBERS),
        "m": arg([0.35, 0.35], [*FLOORS[:5], [0.1, 0.1]]),
        "E": arg(2.0, [None, "e", NAN, 1.0, 0.5]),
        "weights": arg([1.0, 1.0], ["w", [1.0], [1.0, 0.0], [NAN, 1.0]]),
    },
    "boxes.BoxSampler.weights": {"P": arg([0.9, 0.1], NUMBERS, [[[[0.5, 0.5]]]])},
    "boxes.BoxSampler.draw": {
        "users": arg(None, [3, "one", ["one", "two"], [], [1.0]])
    },
    "boxes.ContinuousBoxSampler": {
        "pool": arg(16, [0, 1, 3, 1.5, "two", None, True]),
        "split": arg("even", SPLITS, ["regret"]),
    },
    "boxes.ContinuousBoxSampler.draw": {
        "P": arg(LINE, [None, 3, "P", [0.5, 0.5]]),
        "user": arg(None, [[1], 0.5, 18.0, b"Ann", ""]),
        "rng": arg(Fresh, [0, "rng", np.random]),
    },
    "boxes.ContinuousBoxSampler.log_prob": {"P": arg(LINE, [None, 3, "P", [0.5, 0.5]])},
    "boxes.BoxSampler.from_reference": {"register": arg(None, [3, "who", {}])},
    "privacy.Register": {"store": arg(None, [3, ["a"], True])},
    "privacy.Register.add": {"people": arg(["a"], ["a", 3, None, ["a", "a"], [1.5]])},
    "boxes.box_floor": {
        "split": arg("minimax", SPLITS[1:2]),
        "gamma": arg(2.0, [0.5, NAN, "g"]),
    },
    "laws.Gaussian": {
        "mean": arg([0.0, 1.0], VECTOR),
        "covariance": arg(
            [[1.0, 0.5], [0.5, 1.0]],
            [[], [0.5], [[0.5, NAN]], "m", None, 0.0, -1.0, NAN],
            [[[1.0, 0.5], [0.4, 1.0]], [[1.0, 2.0], [2.0, 1.0]], [[1.0]]],
        ),
    },
    "laws.Mixture": {
        "components": arg(PARTS, [None, [], "Q", [3], [LINE, PLANE], LINE]),
        "weights": arg([0.5, 0.5], PROBABILITIES, [[1.0], [0.2, 0.3, 0.5]]),
    },
    "laws.Uniform": {
        "lower": arg([0.0, 0.0], CORNER[:-1], [[0.0, 2.0]]),
        "upper": arg([1.0, 2.0], CORNER, [[0.0, 2.0]]),
    },
    "laws.member_of_box": {
        "low": arg((Fraction(0), Fraction(0)), BOUNDS, [(ONE, ONE)]),
        "high": arg((ONE, ONE), BOUNDS, [(THIRD, THIRD)]),
    },
    "laws.mollifier_box": {
        "base": arg((THIRD, 1 - THIRD), BOUNDS),
        "root": arg(TWO, [*RATIONAL, ONE]),
    },
    "laws.Grid": {
        "lower": arg([0.0], CORNER, [[1.0]]),
        "upper": arg([1.0], CORNER, [[0.0], [-1.0]]),
        "nodes": arg(5, NODES, [None]),
    },
    "laws.Grid.covering": {
        "distributions": arg(
            [LINE], [None, 3, [], [3], [LINE, PLANE], [Gaussian.standard(3)]]
        ),
        "nodes": arg(5, NODES),
    },
    **{
        f"laws.{name}.{method}": {argument: arg(np.zeros(size), bad)}
        for name, size, bad in (("FiniteSpace", 3, VALUES), ("Grid", 5, GRID_VALUES))
        for method, argument in (
            ("integrate", "values"),
            ("log_integral", "log_values"),
            ("supremum", "values"),
        )
    },
    "laws.kl": {"space": arg(FiniteSpace(3), SPACE)},
    "mollifiers.repaired": {
        "values": arg(np.array([-1.0, 2.0]), ARRAY, [np.ones(3)]),
        "weights": arg(np.array([0.5, 0.5]), VECTOR, [np.array([0.0, 1.0])]),
    },
    "privacy.audited_eps": {
        **dict.fromkeys(
            ("hits", "other_hits"), arg(1, [-1, 1.5, "two", None, True, 11])
        ),
        "draws": arg(10, COUNT),
        "delta": arg(0.01, BELOW_ONE),
    },
    "privacy.audit": {
        **dict.fromkeys(
            ("first", "second"),
            arg(lambda draws, source: source.integers(0, 2, (draws, 1)), CALLABLE),
        ),
        "event": arg(lambda outputs: outputs[:, 0] == 1, CALLABLE),
        "draws": arg(10, COUNT),
        "delta": arg(0.01, BELOW_ONE),
    },
    "privacy.gaussian_delta": {"eps": arg(1.0, [-1.0, NAN, "e"])},
    "privacy.failing_eps": {"delta": arg(HALF, RATIONAL_UNIT)},
    "privacy.textbook_law": {
        "answer": arg(1, [-5000, 17, 0.5, "f", None]),
        "scale": arg(1, COUNT, [5000]),
        "bits": arg(4, [1, 19, 1.5, "two", None]),
        "spacing": arg(HALF, [0.5, "s", Fraction(0), THIRD, Fraction(2**11)]),
    },
    "privacy.impossible_share": LAW_PAIR,
    "privacy.counts_delta": {**LAW_PAIR, "eps": arg(ONE, [*RATIONAL, -ONE])},
    "privacy.double_release": {
        "answer": arg(1.0, FINITE),
        "index": arg(5, COUNT, [1 << 53]),
    },
    "privacy.is_possible": {
        "value": arg(2.0**30 + 600, FINITE, [2.0**30]),
        "answer": arg(2.0**30, FINITE),
    },
    "privacy.binomial_trials": {
        "exp_eps": arg(TWO, ABOVE_ONE),
        "delta": arg(HALF, RATIONAL_UNIT, [TWO]),
    },
    "privacy.discrete_gaussian_delta": {
        "eps": arg(HALF, [*RATIONAL, -ONE]),
        "sigma_squared": arg(TWO, RATIONAL_POSITIVE),
    },
    "privacy.geometric_counts": {
        "count": arg(2, [None, 0.5, "c", True, -1, 5]),
        "low": arg(0, [None, 0.5, True, 4, 9]),
        "high": arg(4, [None, 0.5, True, 0, -9]),
    },
    "privacy.binomial_noise": {"trials": arg(4, [3, 1])},
    "privacy.laplace_mechanism": {"answer": arg(np.zeros(3), VECTOR)},
    "privacy.top_probability": {"gap": arg(ONE, [None, 0.5, "g", -ONE])},
    "privacy.ball": {"value": arg(HALF, [None, 0.5, "1/2", True])},
    "privacy.ExactLevel": [
        {
            "eps": arg(ONE, [0.5, "one", True, 0, -ONE, None]),
            "exp_eps": arg(None, [TWO]),
        },
        {
            "eps": arg(None, [TWO]),
            "exp_eps": arg(TWO, [1.5, "two", True, 1, HALF, None]),
        },
    ],
    **{
        f"privacy.ExactLevel.{name}": {
            "value": arg(Fraction(3), RATIONAL),
            "power": arg(HALF, RATIONAL),
        }
        for name in ("compare", "at_most")
    },
    "privacy.certified_response_delta": {
        "eps": arg(HALF, [*RATIONAL, -ONE, arb(-1)]),
        "exp_eps0": arg(TWO, ABOVE_ONE),
    },
    "privacy.response_delta": {"eps": arg(0.5, NONNEGATIVE)},
    "mechanisms.opendp_scale": {"noise": arg("discrete-gaussian", WORD)},
    "mechanisms.noisy_histogram": {"noise": arg("gaussian", WORD)},
    "sampling.uniform_integers": {"below": arg(5, COUNT, [(1 << 62) + 1])},
    "sampling.time_delta": dict.fromkeys(
        ("rate", "other"), arg(HALF, RATIONAL[:-1], [Fraction(0), Fraction(3, 2)])
    ),
    "sampling.acceptance_rates": {
        "mass": arg(ONE, RATIONAL_POSITIVE, [TWO]),
        "quarter": arg(Fraction(5, 4), [None, 1.5, "r", HALF]),
    },
    "sampling.nearest_weights": {"law": arg((HALF, HALF), RATIONAL_LAWS)},
    "sampling.smallest_bits": {
        "reference": arg((HALF, HALF), RATIONAL_LAWS, [(1 - TINY, TINY)])
    },
    "sampling.weight_ratio": {
        "one": arg((1, 1), WEIGHTS),
        "two": arg((2, 0), WEIGHTS, [(1, 1, 1), (3, 1)]),
    },
    "sampling.rejection_sample": {"reference": arg(LINE, LAW)},
    "sampling.metropolis_sample": {
        "start": arg(
            np.zeros((3, 1)), [np.zeros((0, 1)), np.zeros(3), [[NAN]], "x", None]
        )
    },
    "training.Recipe": {
        "rate": arg(0.1, POSITIVE),
        "batch": arg(3, [0, -3, 1.5, "two", True]),
    },
    "training.Variant": {"recipe": arg(FAST, [None, *NOT_RECIPES])},
    "training.Variant.classifier": {"logit": arg([0.5, 3.0], ARRAY)},
    "training.find_variant": {"name": arg("clip", WORD)},
    "training.grid_mbde": {
        "target": arg(LINE, [PLANE]),
        "reference": arg(LINE, [PLANE]),
        "grid": arg(GRID, SPACE, [FiniteSpace(3), SQUARE]),
        "eps": arg([1.0], [None, [], [0.0], 1.0, [NAN]]),
        "variants": arg([VARIANTS["clip"]], [None, [], "clip", ["clip"], 3]),
        "recipe": arg(Recipe("quick", "adam", 0.05, 1, batch=4), NOT_RECIPES),
    },
    "training.NetworkLearner": {
        "recipe": arg(Recipe("quick", "adam", 0.05, 1), NOT_RECIPES)
    },
    "training.NetworkLearner.fit": {"target": arg(COIN, LAW, [PLANE])},
    "training.whole_run_level": {"noise": arg(2.0, [0.1, NAN, "s", None])},
    "training.low_noise_bracket": {"noise": arg(0.1, POSITIVE[:3])},
}

OBJECTS: dict[str, Any] = {
    "boosting.PolynomialLearner": PolynomialLearner(1, "clip", Grid([-4.0], [4.0], 65)),
    "boosting.BayesLearner": BayesLearner("clip"),
    "boosting.BoostedDensity": BoostedDensity(
        COIN, [0.1], [Tabular([0.5, -0.5])], FiniteSpace(2)
    ),
    "boxes.BoxSampler": BoxSampler.from_reference([0.5, 0.5], 1.0),
    "boxes.ContinuousBoxSampler": ContinuousBoxSampler(LINE, 1.0, pool=16),
    "laws.Discrete": Discrete([0.25, 0.75]),
    "laws.Gaussian": LINE,
    "laws.Mixture": Mixture(PARTS, [0.5, 0.5]),
    "laws.Uniform": Uniform([0.0], [1.0]),
    "laws.FiniteSpace": FiniteSpace(3),
    "laws.Grid": Grid([0.0], [1.0], 5),
    "mollifiers.RelativeMollifier": RelativeMollifier(COIN, 1.0),
    "mollifiers.Mollification": Mollification(Discrete([0.9, 0.1]), COIN, 1.0, 0.0),
    "privacy.ExactLevel": LEVEL,
    "privacy.Register": Register(),
    "sampling.FiniteSampler": FiniteSampler((HALF, HALF), ExactLevel(exp_eps=TWO), 5),
    "training.Variant": VARIANTS["tanh"],
    "training.NetworkLearner": NetworkLearner(
        "clip", samples=4, recipe=Recipe("quick", "adam", 0.05, 1), device=CPU
    ),
}

#: Exported callables that need no case, and why.
EXEMPT = {
    "bootstrap.Parameters": "a record of the numbers that choose_parameters returns",
    "boxes.Certificate": "made by BoxSampler alone",
    "laws.Integral": "a record of two numbers, which may be inf",
    "mollifiers.Membership": "a record that only RelativeMollifier.contains makes",
    "privacy.Audit": "made by audit, which checks its arguments",
    "sampling.Chains": "a record that only metropolis_sample makes",
    "sampling.RejectionSample": "a record that only rejection_sample makes",
    "training.GridRun": "a record that grid_mbde fills",
}
