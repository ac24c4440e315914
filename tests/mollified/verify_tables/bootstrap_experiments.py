"""The checks of the page on the bootstrapping experiments: when they hold and when they fail."""

from fractions import Fraction as F

PRIVATE = {"n": 1000, "delta": 0.01, "eps": [0.5], "bins": [5], "gamma": 0.2}

TABLE = {
    "bootstrap_experiments.beta_bins": ({"bins": [2, 7]}, {"bins": [2, 7], "second": 9}, "exact"),
    "bootstrap_experiments.releases_are_private": (PRIVATE, {**PRIVATE, "stretch": F(51, 50)}, "certified"),
    "bootstrap_experiments.exponential_is_private": ({}, {"claimed": F(1, 2)}, "certified"),
    "bootstrap_experiments.exponential_reaches": ({"records": [8, 30]}, {"records": [7]}, "exact"),
    "bootstrap_experiments.raw_records": ({"most": 6}, {"most": 6, "fewer": 1}, "exact"),
    "pure_estimators.only_pure": ({"delta": F(0)}, {}, "exact"),
    "pure_estimators.pure_is_approximate": ({}, {"claimed": F(49, 50)}, "exact"),
    "pure_estimators.pure_floats": ({}, {"claimed": 0.98}, "float"),
    "pure_estimators.pure_search": ({}, {"claimed": 0.98}, "float"),
}

HELPERS = {"pure_estimators.spent_delta"}

MORE_FAIL = {
    "pure_estimators.only_pure": [{"delta": F(1, 9)}],
    "bootstrap_experiments.beta_bins": [{"bins": [3], "second": 11}],
}
MORE_HOLD = {"pure_estimators.only_pure": [{"exp_eps": F(2), "delta": F(1, 10)}]}
