"""Cases for exact accounting: the walk, the accountant, the bounds and the parameters."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from mollified.bootstrap.lattice_walk import Walk
from tests.contract.kinds import INF, NAN, NOT_FRACTIONS, Case

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
NEIGHBOURS = ["no-such-choice", None, 3]
LEVEL = [-1.0, NAN, INF, "one", None, 701.0]
RATIONAL = [*NOT_FRACTIONS, Fraction(-1)]
UNIT = [0.0, 1.0, -0.5, 1.5, NAN, "one", None]
GAMMA = [0.0, 1.0, -0.5, 1.5, NAN, "one", None]
SYMBOLS = [1, 0, -3, 2.5, "two", None, True]
ORDER = [1.0, 0.5, NAN, INF, "two", None]
STARTS = [-4, 1.5, "v", None, True]
WALK = {"up": HALF, "down": THIRD, "m": 3}
SHARES = [*NOT_FRACTIONS, Fraction(-1), Fraction(2)]
DATA = {"n": 5, "size": 3, "k": 2, "m": 4}
DATA_BAD = {"n": "count", "k": "count", "m": "count"}


def walk():
    return Walk(**WALK)


def bound(name, *, good=None, kinds=None, extra=None):
    """A closed form: n, size and k, with others."""
    return Case(
        f"bootstrap.typical_bounds.{name}",
        lambda: {"n": 5, "size": 3, "k": 2, **(good or {})},
        {"n": "count", "k": "count", **(kinds or {})},
        {"size": SYMBOLS, **(extra or {})},
    )


def accountant(name, *, eps=None, module="bootstrap.accountant", data=None):
    """A function of a level, the data's sizes and the relation of neighbours."""
    good = DATA if data is None else data
    key, value, bad = eps or ("eps", 0.5, LEVEL)
    return Case(
        f"{module}.{name}",
        lambda: {key: value, **good, "neighbours": "replace"},
        {argument: kind for argument, kind in DATA_BAD.items() if argument in good},
        {key: bad, "size": SYMBOLS, "neighbours": NEIGHBOURS},
    )


def parameters(name, **others):
    good = {key: value for key, (value, _) in others.items()}
    return Case(
        f"bootstrap.parameters.{name}",
        lambda: {"eps": 0.5, "delta": 0.01, "n": 20, "size": 4, **good},
        {"eps": "eps", "n": "count"},
        {"delta": UNIT, "size": SYMBOLS, **{key: bad for key, (_, bad) in others.items()}},
    )


COUNT = [0, -3, 1.5, "two", None, True]

CASES = [
    # the walk
    Case("bootstrap.lattice_walk.Walk", lambda: WALK, {"m": "count"}, {"up": SHARES, "down": SHARES}),
    Case(
        "bootstrap.lattice_walk.tail",
        lambda: {"walk": walk(), "v0": 1, "gap": -0.1, "lam": 0.5},
        {},
        {
            "walk": [None, 3, "W"],
            "v0": STARTS,
            "gap": [NAN, INF, 0.1, -0.6, "one", None],
            "lam": [0.0, -1.0, NAN, INF, "one", None],
        },
    ),
    Case(
        "bootstrap.lattice_walk.certified_tail",
        lambda: {"walk": walk(), "v0": 1, "alpha": arb("0.4"), "lam": arb("0.5")},
        {},
        {"walk": [None, 3, "W"], "v0": STARTS, "alpha": [None, 0.4, "one"], "lam": [None, 0.4, "one", arb(0), arb(-1)]},
    ),
    # the accountant
    Case("bootstrap.accountant.check_neighbours", lambda: {"neighbours": "add"}, {}, {"neighbours": NEIGHBOURS}),
    Case(
        "bootstrap.accountant.dominating_walks",
        lambda: {**DATA, "neighbours": "replace"},
        DATA_BAD,
        {"size": SYMBOLS, "neighbours": NEIGHBOURS},
    ),
    Case(
        "bootstrap.accountant.two_symbol_deltas",
        lambda: {"eps": 0.5, "n": 5, "k": 2, "m": 4},
        DATA_BAD,
        {"eps": LEVEL},
    ),
    *(accountant(name) for name in ("bootstrap_delta", "upper_delta", "certified_delta")),
    Case(
        "bootstrap.accountant.private_at_all_sizes",
        lambda: {"eps": 0.5, "delta": 0.01, "least": 3, "most": 9, "size": 3, "k": 2, "m": 4},
        {"k": "count", "m": "count"},
        {
            "eps": LEVEL,
            "delta": UNIT,
            "least": [-1, 1.5, "two", None, True, 9],
            "most": [3, 2, 1.5, "two", True],
            "size": SYMBOLS,
        },
    ),
    accountant("epsilon_at", eps=("delta", 0.01, UNIT)),
    # counting
    Case(
        "bootstrap.type_laws.compositions",
        lambda: {"total": 3, "parts": 2},
        {"parts": "count"},
        {"total": [-1, 1.5, "two", None, True]},
    ),
    Case("bootstrap.typical_bounds.step_loss", lambda: {"k": 2}, {"k": "count"}),
    Case("bootstrap.typical_bounds.pure_records", lambda: {"eps": 1.0, "k": 2}, {"eps": "eps", "k": "count"}),
    Case(
        "bootstrap.typical_bounds.typical_lower",
        lambda: {"gamma": 0.5, "delta": 0.1, "form": "printed"},
        {"form": "choice"},
        {"gamma": GAMMA, "delta": UNIT},
    ),
    bound("typical_upper", good={"gamma": 0.5, "eps": 1.0}, kinds={"eps": "eps"}, extra={"gamma": GAMMA}),
    Case(
        "bootstrap.typical_bounds.smallest_pseudocount",
        lambda: {"gamma": 0.5, "delta": 0.1, "eps": 1.0, "n": 5, "size": 3, "form": "printed"},
        {"eps": "eps", "n": "count", "form": "choice"},
        {"gamma": GAMMA, "delta": UNIT, "size": SYMBOLS},
    ),
    bound(
        "theorem_records",
        good={"eps": 1.0, "delta": 0.1, "form": "printed"},
        kinds={"eps": "eps", "form": "choice"},
        extra={"delta": UNIT},
    ),
    bound(
        "theorem_delta",
        good={"eps": 1.0, "m": 4, "form": "printed"},
        kinds={"eps": "eps", "m": "count", "form": "choice"},
    ),
    *(
        bound(name, good={"eps": 1.0, "delta": 0.1}, kinds={"eps": "eps"}, extra={"delta": UNIT})
        for name in ("renyi_records", "order_records", "hoeffding_records")
    ),
    *(
        bound(name, good={"eps": 1.0, "m": 4}, kinds={"eps": "eps", "m": "count"})
        for name in ("renyi_delta", "hoeffding_delta")
    ),
    # parameters
    parameters("largest_m", k=(3, COUNT), neighbours=("replace", [*NEIGHBOURS, "add", "remove"])),
    parameters("smallest_k", m=(3, COUNT), neighbours=("replace", [*NEIGHBOURS, "add", "remove"])),
    Case(
        "bootstrap.parameters.expected_error",
        lambda: {"n": 5, "size": 3, "k": 2, "m": 4},
        DATA_BAD,
        {"size": SYMBOLS},
    ),
    parameters("gaussian_error"),
    parameters(
        "choose_parameters",
        most_records=(1000, COUNT),
        within=(0.5, UNIT),
        neighbours=("replace", [*NEIGHBOURS, "add", "add-remove"]),
    ),
]

EXEMPT = {"bootstrap.parameters.Parameters": "a record of the numbers that choose_parameters returns"}
