"""Cases for the pages on exponential moments and the KL drop: rounds, checks, scalar proofs and studies."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mollified.weak_round import WeakRound
from tests.contract.cases_verify import CLAIMED, NOT_FRACTIONS, random
from tests.contract.kinds import NAN, Case

HALF, ONE, TWO = Fraction(1, 2), Fraction(1), Fraction(2)
NOT_SHARE = [*NOT_FRACTIONS, Fraction(0), ONE, TWO]
NOT_LAW = [None, 3, "p", (), (0.5, 0.5), (HALF, Fraction(1, 3)), (ONE,)]
NAMES = ["no-such-choice", None, 3]
SEEDS = [-1, 1.5, "seed", None]
COUNTS = [0, -3, 1.5, "two", None]
SIZES = [None, 1.0, "s", [], [0.0], [1.5], [NAN]]
EDGES = [None, 0.5, "e", [], [-0.1], [1.5], [NAN]]

ROUND = {
    "p": (Fraction(2, 3), Fraction(1, 3)),
    "q": (Fraction(1, 3), Fraction(2, 3)),
    "shape": (ONE, -ONE),
    "exp_c": TWO,
    "theta": HALF,
    "gamma_p": Fraction(1, 4),
    "gamma_q": Fraction(1, 4),
}


def scalar(name, argument):
    return Case(
        f"verify.scalar_drop.{name}",
        lambda: {argument: Fraction(1, 3) if argument == "threshold" else ONE},
        {},
        {argument: [*NOT_FRACTIONS, Fraction(0), Fraction(-1)]},
    )


CASES = [
    Case(
        "weak_round.WeakRound",
        lambda: ROUND,
        {},
        {
            "p": NOT_LAW[:-1],
            "q": NOT_LAW,
            "shape": [None, 3, "c", (HALF, HALF), (ONE,), (1.0, -1.0)],
            "exp_c": [*NOT_FRACTIONS, ONE, Fraction(3)],
            "theta": NOT_SHARE,
            "gamma_p": [*NOT_FRACTIONS, Fraction(0), Fraction(1, 3)],
            "gamma_q": [*NOT_FRACTIONS, Fraction(0), HALF],
        },
    ),
    Case(
        "weak_round.WeakRound.moment",
        lambda: {"power": ONE},
        {},
        {"power": [None, 0.5, "x"]},
        lambda: WeakRound(**ROUND),
    ),
    Case(
        "weak_round.two_points",
        lambda: {
            "p": Fraction(2, 3),
            "q": Fraction(1, 3),
            "exp_c": TWO,
            "theta": HALF,
            "gammas": (Fraction(1, 4),) * 2,
        },
        {},
        {
            "p": [None, 0.5, "p", TWO],
            "q": [None, 0.5, "q", TWO],
            "exp_c": [*NOT_FRACTIONS, ONE],
            "theta": NOT_SHARE,
            "gammas": [None, HALF, "g", (), (HALF,), (0.1, 0.1)],
        },
    ),
    Case(
        "weak_round.random_round",
        lambda: {"rng": np.random.default_rng(1), "regime": "low"},
        {"rng": "rng"},
        {"regime": ["middle", 3]},
    ),
    *(
        scalar(name, "factor")
        for name in (
            "chord",
            "chord_general",
            "hoeffding_scalar",
            "beats_printed_high",
            "grows_with_edge",
            "positive_above",
        )
    ),
    scalar("gamma_nonnegative", "threshold"),
    random("exponential_moments.attained", claimed=CLAIMED),
    random("exponential_moments.before_edge", instances=200, claimed=CLAIMED),
    random("exponential_moments.centred_interval", flags={"shifted": True}),
    random("exponential_moments.centred_mean"),
    random("exponential_moments.chord_in_mean", claimed=CLAIMED),
    random("exponential_moments.hoeffding_lemma", claimed=CLAIMED),
    random("exponential_moments.insert_edge", form=("corrected", NAMES)),
    random("exponential_moments.moment_at_one", form=("corrected", NAMES)),
    random("exponential_moments.moment_bound", instances=200, claimed=CLAIMED),
    random("exponential_moments.printed_below", least=(Fraction(3, 5), [*NOT_FRACTIONS, TWO])),
    random("exponential_moments.rewrite_gamma", constant=(Fraction(4), [*NOT_FRACTIONS, Fraction(0)])),
    random("kl_drop.concave", claimed=CLAIMED),
    random("low_regime.condition_minor"),
    random("kl_drop.drop_bound", bound=("sharp", NAMES), claimed=CLAIMED),
    random("kl_drop.drop_identity"),
    random("kl_drop.drop_swept", instances=200, bound=("sharp", [*NAMES, "low"]), claimed=CLAIMED),
    random("kl_drop.jensen", instances=200, claimed=CLAIMED),
    random("kl_drop.optimal_step", flags={"inside": True}),
    random("kl_drop.one_parameter_family"),
    random("low_regime.useful_condition", bound=("low", NAMES), claimed=CLAIMED),
    random("drop_search.best_length", factor=CLAIMED),
    random("drop_search.worst_drop", instances=200, claimed=CLAIMED),
    Case(
        "studies.exponential_moments.chords",
        lambda: {"sizes": [1.0], "points": 3},
        {"points": "count"},
        {"sizes": SIZES},
    ),
    Case(
        "studies.exponential_moments.moment_ranges",
        lambda: {"sizes": [0.5], "points": 3},
        {"points": "count"},
        {"sizes": SIZES},
    ),
    Case("studies.kl_drop.shapes", lambda: {"longest": 1.0, "points": 3}, {"longest": "eps", "points": "count"}),
    Case(
        "studies.kl_drop.bounds_by_size",
        lambda: {"theta": 0.5, "edges": [0.5], "smallest": 0.1, "points": 3},
        {"points": "count"},
        {"theta": [0.0, 1.5, NAN, None], "edges": EDGES, "smallest": [0.0, 1.5, NAN, None]},
    ),
    Case(
        "studies.kl_drop.failure_shares", lambda: {"instances": 200, "seed": 1}, {"instances": "count"}, {"seed": SEEDS}
    ),
    Case(
        "studies.kl_drop.slack_counts",
        lambda: {"instances": 200, "edges": [0.0, 0.5], "seed": 1},
        {"instances": "count"},
        {"edges": [None, "e", [], [0.0], [1.0, 0.0], [NAN, 1.0]], "seed": SEEDS},
    ),
    Case(
        "studies.kl_drop.run_rounds",
        lambda: {"eps": 1.0, "rounds": 1, "nodes": 41, "seed": 1},
        {"eps": "eps", "rounds": "count"},
        {"nodes": COUNTS, "seed": SEEDS},
    ),
]
