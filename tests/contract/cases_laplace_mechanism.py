"""Cases for the Laplace mechanism: laws, sensitivities, the checks and the studies."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mollified.query_sensitivity import sum_query
from tests.contract.kinds import INF, NAN, Case

HALF, ONE = Fraction(1, 2), Fraction(1)
ROWS = ((ONE,), (Fraction(0),))
NOT_FRACTIONS = [None, 0.5, "r", True, Fraction(0)]
ANY_FRACTION = [None, 0.5, "r", True]
LEVELS = [-1.0, NAN, INF, "one", None]
SHARES = [0.0, -0.5, 1.5, NAN, Fraction(0), Fraction(3, 2), "b", None]
RELATIONS = ["swap", None, 3]
NOT_ROWS = [None, 3, "rows", [], [(ONE,), (ONE, ONE)], [("a",)], [(0.5,)]]
NOT_COUNTS = [None, 3, "counts", [], [-1, 2], [0.5]]
OUTSIDE = [0.0, 1.0, -1.0, NAN, "b", None]


def random(name, **others):
    """A case for a check on random instances; `others` are further arguments as (good value, bad values)."""
    return Case(
        f"verify.laplace_{name}",
        lambda: {"rng": np.random.default_rng(1), "instances": 4, **{key: good for key, (good, _) in others.items()}},
        {"rng": "rng", "instances": "count"},
        {key: bad for key, (_, bad) in others.items()},
    )


def single(name, **others):
    return Case(
        f"verify.laplace_{name}",
        lambda: {key: good for key, (good, _) in others.items()},
        {},
        {key: bad for key, (_, bad) in others.items()},
    )


POSITIVE, CHOICE = (ONE, NOT_FRACTIONS), ["no-such-choice", None, 3]
CLAIMED = (1.0, [0.0, -1.0, NAN, "one", None])

CASES = [
    Case(
        "laplace_mechanism.noise_scale",
        lambda: {"sensitivity": 2.0, "eps": 0.5},
        {"sensitivity": "eps", "eps": "eps"},
    ),
    Case("laplace_mechanism.density", lambda: {"y": np.zeros(3), "scale": 1.0}, {"y": "array", "scale": "eps"}),
    Case(
        "laplace_mechanism.log_ratio",
        lambda: {"outputs": np.zeros((2, 3)), "one": np.ones((2, 3)), "two": np.zeros((2, 3)), "scale": np.ones(2)},
        {"outputs": "matrix", "one": "matrix", "two": "matrix", "scale": "vector"},
        {"scale": [np.zeros(2), np.ones(3)]},
    ),
    Case("laplace_mechanism.hockey_stick", lambda: {"eps": 0.1, "shift": 1.0}, {}, {"eps": LEVELS, "shift": LEVELS}),
    Case(
        "laplace_mechanism.error_multiple",
        lambda: {"beta": 0.5, "size": 3},
        {"size": "count"},
        {"beta": SHARES},
    ),
    Case("laplace_mechanism.coverage", lambda: {"multiple": 2.0, "size": 3}, {"size": "count"}, {"multiple": LEVELS}),
    Case(
        "laplace_mechanism.promised_coverage",
        lambda: {"beta": HALF, "size": 3},
        {"size": "count"},
        {"beta": SHARES},
    ),
    Case(
        "laplace_mechanism.release",
        lambda: {"answer": np.zeros(3), "sensitivity": 1.0, "eps": 1.0, "rng": np.random.default_rng(1)},
        {"answer": "vector", "sensitivity": "eps", "eps": "eps", "rng": "rng"},
    ),
    Case("laplace_mechanism.swap_probability", lambda: {"gap": 1.0}, {}, {"gap": LEVELS}),
    Case(
        "laplace_mechanism.top_probability",
        lambda: {"gap": ONE, "others": 3},
        {"others": "count"},
        {"gap": [None, 0.5, "g", -ONE]},
    ),
    Case(
        "query_sensitivity.query_sensitivity",
        lambda: {"query": sum_query(ROWS), "types": 2, "records": 2, "relation": "replace-one", "fewest": 1},
        {"query": "callable", "types": "count", "records": "count", "fewest": "size"},
        {"relation": RELATIONS, "fewest": [3]},
    ),
    Case("query_sensitivity.sum_query", lambda: {"rows": ROWS}, {}, {"rows": NOT_ROWS}),
    random("noise.total_mass", factor=POSITIVE),
    random("noise.moment", order=(2, [0, 1.5, None]), claimed=(Fraction(2), ANY_FRACTION), sign=("even", CHOICE)),
    random("noise.two_sided_tail", rate=POSITIVE, share=POSITIVE),
    random("noise.density_ratio", claimed=POSITIVE),
    single(
        "sensitivity.count_answers",
        question=("blond", CHOICE),
        l1=(ONE, ANY_FRACTION),
        l2_squared=(ONE, ANY_FRACTION),
        relation=("replace-one", RELATIONS),
    ),
    random("sensitivity.average_salary", share=(HALF, NOT_FRACTIONS)),
    random("sensitivity.unbounded_average"),
    single("sensitivity.maximum_attained", weights=((ONE,), [None, 3, "w", (), (0.5,)])),
    random("sensitivity.supremum_serves", scale=POSITIVE),
    random("sensitivity.whole_changes"),
    random("sensitivity.order_free"),
    random("sensitivity.is_norm", size=("l1", CHOICE)),
    random("privacy.private_outputs", claimed=POSITIVE),
    random("privacy.private_sets", scale=POSITIVE),
    random("privacy.ratio_of_integrals", extreme=("max", CHOICE)),
    random("privacy.product_density"),
    random("privacy.exponent_identity", sign=(1, [0, 2, None])),
    random("privacy.triangle_step", norm=("l1", CHOICE)),
    random("privacy.scale_defined"),
    random("privacy.exact_level", rate=(HALF, NOT_FRACTIONS)),
    random("search.sweep", kind=("supremum", CHOICE), claimed=CLAIMED),
    random("search.climb", kind=("supremum", CHOICE), claimed=CLAIMED),
    random("error.expected_error", factor=("K", CHOICE)),
    random("error.threshold_bound", share=POSITIVE),
    random("error.exact_promise", power=(0, [-1, 1.5, None])),
    random("error.union_bound", missing=(0, [-1, 1.5, None])),
    random("error.error_is_norm"),
    random("error.bound_form"),
    single(
        "error.exact_quantile",
        size=(3, [0, 1.5, None]),
        beta=(HALF, [None, "b", Fraction(0), Fraction(2)]),
        low=(ONE, [None, 0.5, -ONE]),
        high=(Fraction(2), [None, 0.5, -ONE]),
    ),
    single("names.errors_within", share=POSITIVE, threshold=(Fraction(13), [0.5, "t", Fraction(0)])),
    single("names.rounded_threshold", claimed=(12, [0, 1.5, None])),
    random("names.order_kept", multiple=(Fraction(2), NOT_FRACTIONS)),
    single("names.pair_ordered", gap=(3, [0, 1.5, None]), beta=(HALF, NOT_FRACTIONS)),
    single(
        "names.top_gap",
        gap=(ONE, NOT_FRACTIONS),
        others=(3, [0, 1.5, None]),
        beta=(HALF, NOT_FRACTIONS),
    ),
    Case(
        "verify.laplace_libraries.noise_law",
        lambda: {"noise": np.linspace(-2, 2, 2000), "scale": 1.0},
        {"noise": "vector", "scale": "eps"},
    ),
    Case(
        "verify.laplace_libraries.opendp_noise",
        lambda: {"draws": 2000, "scale": 1.0, "claimed": 1.0},
        {"draws": "count", "scale": "eps", "claimed": "eps"},
        {"draws": [100]},
    ),
    random("libraries.own_noise", claimed=(2.0, CLAIMED[1])),
    random("libraries.opendp_map", shrink=CLAIMED),
    random("libraries.accountant_delta", moved=CLAIMED),
    Case(
        "studies.laplace_mechanism.two_densities",
        lambda: {"eps": 1.0, "sensitivity": 1.0, "low": -1.0, "high": 2.0, "points": 5},
        {"eps": "eps", "sensitivity": "eps", "low": "finite", "high": "finite", "points": "count"},
        {"high": [-1.0], "points": [1]},
    ),
    Case(
        "studies.laplace_mechanism.largest_errors",
        lambda: {"betas": [0.5], "sizes": [1, 3]},
        {},
        {"betas": [None, [], [0.0], [2.0]], "sizes": [None, [], [0], [1.5]]},
    ),
    Case(
        "studies.laplace_mechanism.smallest_top_gap",
        lambda: {"others": 3, "beta": 0.1},
        {"others": "count"},
        {"beta": OUTSIDE},
    ),
    Case(
        "studies.laplace_mechanism.census_errors",
        lambda: {"names": 10, "beta": 0.1, "low": 0.5, "high": 3.0, "points": 3},
        {"names": "count", "low": "eps", "high": "eps", "points": "count"},
        {"beta": OUTSIDE, "names": [1], "high": [0.5], "points": [1]},
    ),
]

EXEMPT = {
    "query_sensitivity.histograms": "a generator: errors come with the first value, see test_laplace_mechanism",
    "query_sensitivity.neighbours": "a generator: errors come with the first value, see test_laplace_mechanism",
}
