"""Cases for the audit, the exact sampler, and the page on releasing data."""

from __future__ import annotations

import numpy as np

from tests.contract.kinds import NAN, Case

COUNTS = [None, "abc", [1], [0, 0], [-1, 2], [1.0, 2.0], [[1, 2]]]
DELTA = [0.0, 1.0, -0.1, NAN, "x", None]
BELOW_ONE = [1.0, -0.1, NAN, "x", None]
HITS = [-1, 1.5, "two", None, True, 11]
THREE_UP = [0, 2, 1.5, "two", None]
TWO_UP = [0, 1, 1.5, "two", None]
LEVELS = [None, 1.0, "eps", [], [0.0], [NAN], ["one"]]
DELTAS = [None, 0.1, "d", [], [0.0], [1.0], [NAN], ["one"]]
WHOLE = [None, 3, "n", [], [0], [1.5], ["two"]]
SEEDS = [-1, 1.5, "seed", None]
BYTES = [None, 3, "bytes"]


def rng():
    return np.random.default_rng(1)


def box(draws, source):
    """A sampler that tosses a coin."""
    return source.integers(0, 2, (draws, 1))


def heads(outputs):
    return outputs[:, 0] == 1


RUN = {"n": 20, "size": 4, "k": 5, "m": 16, "eps": 1.0, "delta": 0.001}
RUN_BAD = {"n": "count", "k": "count", "m": "count", "eps": "eps"}
RUN_EXTRA = {"size": THREE_UP, "delta": BELOW_ONE}
VISITS = {"counts": [30, 20, 10], "eps": 1.0, "delta": 0.01}

CASES = [
    Case(
        "privacy.audit.least_probability",
        lambda: {"hits": 3, "draws": 10, "error": 0.01},
        {"draws": "count"},
        {"hits": HITS, "error": DELTA},
    ),
    Case(
        "privacy.audit.most_probability",
        lambda: {"hits": 3, "draws": 10, "error": 0.01},
        {"draws": "count"},
        {"hits": HITS, "error": DELTA},
    ),
    Case(
        "privacy.audit.audited_eps",
        lambda: {"hits": 8, "other_hits": 1, "draws": 10, "delta": 0.01, "confidence": 0.9},
        {"draws": "count"},
        {"hits": HITS, "other_hits": HITS, "delta": BELOW_ONE, "confidence": DELTA},
    ),
    Case(
        "privacy.audit.audit",
        lambda: {
            "first": box,
            "second": box,
            "event": heads,
            "draws": 10,
            "delta": 0.01,
            "rng": rng(),
            "confidence": 0.9,
            "block": 4,
        },
        {
            "first": "callable",
            "second": "callable",
            "event": "callable",
            "draws": "count",
            "rng": "rng",
            "block": "count",
        },
        {"delta": BELOW_ONE, "confidence": DELTA},
    ),
    Case("bootstrap.release_audit.worst_pair", lambda: {"n": 20, "size": 4}, {"n": "count"}, {"size": THREE_UP}),
    Case("bootstrap.release_audit.event_threshold", lambda: {"eps": 1.0, "k": 5}, {"eps": "eps", "k": "count"}),
    Case(
        "bootstrap.release_audit.audit_bootstrap",
        lambda: {**RUN, "draws": 10, "rng": rng(), "used": 4, "sampler": "exact", "confidence": 0.9},
        {**RUN_BAD, "draws": "count", "rng": "rng"},
        {
            **RUN_EXTRA,
            "used": [0, 1.5, "two", True],
            "sampler": ["no-such-choice", None, 3],
            "confidence": DELTA,
        },
    ),
    Case(
        "bootstrap.release_audit.largest_bound",
        lambda: {**RUN, "used": 4},
        RUN_BAD,
        {**RUN_EXTRA, "used": [0, 1.5, "two", True]},
    ),
    Case(
        "bootstrap.release_law.uniform_integers",
        lambda: {"below": 5, "count": 10, "random_bytes": rng().bytes},
        {"below": "count", "count": "count"},
        {"below": [(1 << 62) + 1], "random_bytes": BYTES},
    ),
    Case(
        "bootstrap.release_law.release_exact",
        lambda: {"counts": [3, 0, 1], "k": 2, "m": 5, "random_bytes": rng().bytes},
        {"k": "count", "m": "count"},
        {"counts": COUNTS, "k": [1 << 61], "random_bytes": BYTES},
    ),
    Case(
        "bootstrap.mechanism.releases",
        lambda: {"counts": [3, 0, 1], "k": 2, "m": 5, "draws": 4, "rng": rng()},
        {"k": "count", "m": "count", "draws": "count", "rng": "rng"},
        {"counts": COUNTS},
    ),
    # studies
    Case(
        "experiments.bootstrap_worth.doublings",
        lambda: {"rng": rng(), "instances": 2},
        {"rng": "rng", "instances": "count"},
    ),
    Case(
        "experiments.bootstrap_worth.record_error",
        lambda: {"counts": [3, 2], "k": 2, "m": 4},
        {"k": "count", "m": "count"},
        {"counts": COUNTS},
    ),
    Case(
        "experiments.bootstrap_worth.compared_records",
        lambda: {
            "data": {"a": [3, 2, 4]},
            "eps": [1.0],
            "delta": 0.1,
            "histograms": [1],
            "records": 3,
            "repeats": 2,
            "seed": 1,
        },
        {"records": "count", "repeats": "count"},
        {
            "data": [None, 3, [], {}],
            "eps": LEVELS,
            "delta": DELTA,
            "histograms": WHOLE,
            "seed": SEEDS,
        },
    ),
    Case("experiments.bootstrap_worth.discrete_laplace_variance", lambda: {"scale": 1.0}, {"scale": "eps"}),
    Case(
        "bootstrap.paper_parameters.paper_k",
        lambda: {"eps": 1.0, "delta": 0.01, "n": 50, "size": 3, "m": 10},
        {"eps": "eps", "n": "count", "m": "count"},
        {"delta": DELTA, "size": TWO_UP},
    ),
    Case(
        "experiments.bootstrap_worth.noise_ratios",
        lambda: {"eps": [1.0], "deltas": [0.01]},
        {},
        {"eps": LEVELS, "deltas": DELTAS},
    ),
    Case(
        "experiments.visits.squared_error",
        lambda: {"counts": [3, 0, 1], "k": 2, "m": 5},
        {"k": "count", "m": "count"},
        {"counts": COUNTS},
    ),
    Case(
        "experiments.visits.release_errors",
        lambda: {**VISITS, "gamma": 0.2},
        {"eps": "eps"},
        {"counts": COUNTS, "delta": DELTA, "gamma": DELTA},
    ),
]

EXEMPT = {
    "privacy.audit.Audit": "made by audit, which checks its arguments",
}
