"""Cases for the primer's pages on privacy and on post-processing: finite mechanisms, checks and studies."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mollified.finite_mechanisms import data_sets
from tests.contract.cases_bootstrap_privacy import listed
from tests.contract.kinds import INF, NAN, Case

ONE, HALF = Fraction(1), Fraction(1, 2)
NOT_FRACTIONS = [None, 0.5, "r", True]
SHARE = (ONE, [*NOT_FRACTIONS, Fraction(0), Fraction(-1)])
SIZE = [-2, 1.5, "two", None, True]
WORD = ["no-such-relation", None, 3]
NOT_LISTS = [None, 3, "d", []]
LAW, NOT_LAWS = (HALF, HALF), [None, 0.5, "l", (HALF,), (0.5, 0.5), (Fraction(2), -ONE)]
LEVEL = [*NOT_FRACTIONS, HALF]
TABLE, NOT_TABLES = {(0,): LAW, (1,): LAW}, [None, 3, "t", {}]


def random(name, *, kinds=None, **others):
    """A case for a check on random instances; `others` are further arguments as (good value, bad values)."""
    good = {key: value for key, (value, _) in others.items()}
    return Case(
        f"verify.{name}",
        lambda: {"rng": np.random.default_rng(1), "instances": 8, **good},
        {"rng": "rng", "instances": "count", **(kinds or {})},
        {key: bad for key, (_, bad) in others.items()},
    )


CASES = [
    Case("finite_mechanisms.data_sets", lambda: {"most": 2, "values": 2}, {"most": "size", "values": "count"}),
    Case(
        "finite_mechanisms.neighbour_pairs",
        lambda: {"data": data_sets(1, 2), "relation": "replace"},
        {},
        {"data": NOT_LISTS, "relation": WORD},
    ),
    Case(
        "finite_mechanisms.excess",
        lambda: {"one": LAW, "two": LAW, "exp_eps": Fraction(2)},
        {},
        {"one": NOT_LAWS, "two": NOT_LAWS, "exp_eps": LEVEL},
    ),
    Case(
        "finite_mechanisms.largest_excess",
        lambda: {"table": TABLE, "exp_eps": Fraction(2), "relation": "all"},
        {},
        {"table": NOT_TABLES, "exp_eps": LEVEL, "relation": WORD},
    ),
    Case(
        "finite_mechanisms.pure_ratio",
        lambda: {"table": TABLE, "relation": "add-remove"},
        {},
        {"table": NOT_TABLES, "relation": WORD},
    ),
    Case(
        "finite_mechanisms.make_table",
        lambda: {"data": data_sets(1, 2), "law": lambda counts: LAW},
        {"law": "callable"},
        {"data": NOT_LISTS},
    ),
    Case(
        "finite_mechanisms.random_table",
        lambda: {"rng": np.random.default_rng(1), "data": data_sets(1, 2), "outputs": 2, "zeros": 0.5},
        {"rng": "rng", "outputs": "count", "zeros": "unit"},
        {"data": NOT_LISTS, "outputs": [1]},
    ),
    Case(
        "finite_mechanisms.truncated_geometric",
        lambda: {"values": [0, 1], "low": 0, "high": 2, "exp_eps": Fraction(2)},
        {},
        {
            "values": [None, 3, [], [-1], [3], [0.5]],
            "low": [0.5, None, True, 2],
            "high": [0.5, None, True],
            "exp_eps": [*NOT_FRACTIONS, ONE],
        },
    ),
    Case(
        "finite_mechanisms.sharp_replacement",
        lambda: {"exp_eps": Fraction(2), "delta": Fraction(1, 10)},
        {},
        {"exp_eps": LEVEL, "delta": [*NOT_FRACTIONS, -ONE, HALF]},
    ),
    Case(
        "finite_mechanisms.thinned_law",
        lambda: {"counts": (1, 1), "rate": HALF, "outputs": data_sets(2, 2)},
        {},
        {"counts": [None, 3, "c", ()], "rate": [*NOT_FRACTIONS, -ONE, Fraction(2)], "outputs": [*NOT_LISTS, [(0, 0)]]},
    ),
    Case(
        "finite_mechanisms.thinned_records",
        lambda: {"most": 2, "delta": HALF},
        {"most": "count"},
        {"delta": [*NOT_FRACTIONS, -ONE, Fraction(2)]},
    ),
    # checks
    listed("neighbour_relations.multisets", 2),
    listed("neighbour_relations.histogram_entries", 2),
    listed("neighbour_relations.near_by_one_record", 2, radius=(1, [0, *SIZE])),
    listed("neighbour_relations.replaced_records", distance=(2, [0, *SIZE])),
    random("neighbour_relations.replaced_level", claimed=SHARE),
    Case(
        "verify.neighbour_relations.deterministic_constant",
        lambda: {"delta": HALF, "relation": "add-remove"},
        {},
        {"delta": [*NOT_FRACTIONS, -ONE], "relation": WORD},
    ),
    random("primer_privacy.reads_histogram"),
    listed("primer_privacy.output_data_sets"),
    random("primer_privacy.single_outputs"),
    random("primer_privacy.every_run", claimed=SHARE),
    random("primer_privacy.pure_form", allowed=(Fraction(0), [*NOT_FRACTIONS, -ONE])),
    listed("primer_privacy.few_records", claimed=SHARE),
    Case("verify.primer_privacy.rounded_exponentials", lambda: {"digits": 1}, {"digits": "count"}),
    random("primer_privacy.pure_to_approximate", claimed=SHARE),
    Case("verify.primer_loss.loss_law", lambda: {"one": LAW, "two": LAW}, {}, {"one": NOT_LAWS, "two": NOT_LAWS}),
    random("primer_loss.losses_reversed"),
    random("primer_loss.loss_suffices", claimed=SHARE),
    Case(
        "verify.primer_loss.loss_not_needed",
        lambda: {"exp_eps": Fraction(3, 2)},
        {},
        {"exp_eps": [*NOT_FRACTIONS, ONE]},
    ),
    random("primer_post_processing.published_noise"),
    # studies
    *(
        Case(
            f"studies.primer_privacy.{name}",
            lambda: {"mean": 6.0, "eps": 0.5, "most": 20},
            {"mean": "eps", "eps": "eps", "most": "count"},
        )
        for name in ("count_outputs", "count_losses")
    ),
    Case(
        "studies.primer_privacy.exposed_records",
        lambda: {"low": 10.0, "high": 1000.0, "points": 3, "powers": [1.0, 2.0], "fixed": 0.1},
        {"points": "count"},
        {
            "low": [1.0, NAN, INF, "l", None],
            "high": [10.0, 5.0, NAN, INF, "h", None],
            "points": [1],
            "powers": [None, 1.0, [], [0.1], ["p"], [NAN]],
            "fixed": [0.0, 1.5, NAN, "f", None],
        },
    ),
    Case(
        "studies.primer_post_processing.test_curves",
        lambda: {"mean": 6.0, "eps": 0.5, "most": 20, "threshold": 5},
        {"mean": "eps", "eps": "eps", "most": "count", "threshold": "size"},
        {"threshold": [21]},
    ),
    Case(
        "studies.primer_post_processing.odds_range",
        lambda: {"levels": [0.1, 1.0], "points": 5},
        {"points": "count"},
        {"levels": [None, 1.0, [], [0.0], [NAN], ["e"]], "points": [1]},
    ),
    Case("studies.primer_post_processing.privacy_map", lambda: {"records": 2}, {"records": "count"}),
]
