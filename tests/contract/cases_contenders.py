"""Cases for the Bernstein mechanism: polynomials, kernel estimates, sensitivities, releases, repairs and studies."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mollified.laws.gaussian import Gaussian
from mollified.laws.mixture import Mixture
from mollified.laws.spaces import Grid
from mollified.releases.bernstein_release import BernsteinRelease
from mollified.releases.dpb_settings import DPB_DOMAINS
from tests.contract.kinds import NAN, Case

HALF = Fraction(1, 2)
CHOICE = ["no-such-choice", None, 3]
LEVELS = [None, 1.0, "a", [], [0.0], [NAN], ["one"]]
COUNTS = [None, 3, "n", [], [0], [1.5], ["two"]]
SEED = [-1, 1.5, "two", None, True]
AXES = [None, 3, "y", [np.array([0.5])], [np.array([0.5]), np.array([NAN])]]
NODES = np.array([0.0, 0.5, 1.0])
SMALL = {"degree": 4, "order": 1, "records": 200, "seed": 1}
COUNTED = {"degree": "count", "order": "count", "records": "count"}


def rng():
    return np.random.default_rng(1)


CASES = [
    # bernstein
    Case("releases.bernstein.lattice", lambda: {"degree": 3}, {"degree": "count"}),
    Case(
        "releases.bernstein.basis",
        lambda: {"degree": 3, "y": NODES},
        {"degree": "count", "y": "vector"},
        {"y": [np.array([1.5]), np.array([-0.5])]},
    ),
    Case(
        "releases.bernstein.coefficients",
        lambda: {"values": np.ones((3, 3)), "order": 2},
        {"values": "array", "order": "count"},
        {"values": [np.ones((2, 3)), np.ones(1), np.array(0.5)]},
    ),
    Case(
        "releases.bernstein.polynomial",
        lambda: {"table": np.ones((3, 3)), "axes": [NODES, NODES]},
        {"table": "array"},
        {"axes": [*AXES, [np.array([0.5]), np.array([1.5])]]},
    ),
    Case(
        "releases.bernstein.exact_basis",
        lambda: {"degree": 3, "y": HALF},
        {"degree": "count"},
        {"y": [None, 0.5, "y", True]},
    ),
    # kernel_density
    Case(
        "laws.kernel_density.kernel_matrix",
        lambda: {"places": NODES, "centres": NODES, "bandwidth": 0.1},
        {"places": "vector", "centres": "vector", "bandwidth": "eps"},
    ),
    Case(
        "laws.kernel_density.kernel_density",
        lambda: {"data": np.full((4, 2), 0.5), "axes": [NODES, NODES], "bandwidth": 0.1},
        {"data": "points", "bandwidth": "eps"},
        {"axes": AXES},
    ),
    Case(
        "laws.kernel_density.choose_bandwidth",
        lambda: {
            "data": np.linspace(0, 1, 30)[:, np.newaxis],
            "candidates": [0.05, 0.1],
            "folds": 3,
            "rng": rng(),
            "bins": 101,
        },
        {"data": "points", "rng": "rng"},
        {
            "candidates": [[], [0.0], [NAN], ["h"], [1e-9]],
            "folds": [1, 0, 1.5, "two", None, True, 31],
            "bins": [8, 1.5, "two", True],
        },
    ),
    Case(
        "laws.kernel_density.BandwidthChoice",
        lambda: {"bandwidth": 0.1, "candidates": (0.05, 0.1), "scores": (0.0, 1.0)},
        {"bandwidth": "eps"},
        {"candidates": [None, (), (0.05, NAN), (0.05,)], "scores": [None, (), (0.0, NAN)]},
    ),
    # lattice_sensitivity
    Case(
        "releases.lattice_sensitivity.peak_sum",
        lambda: {"degree": 3, "bandwidth": 0.125},
        {"degree": "count", "bandwidth": "eps"},
        {"bandwidth": [1e-5]},
    ),
    Case(
        "releases.lattice_sensitivity.lattice_sensitivity",
        lambda: {"degree": 3, "dim": 2, "bandwidth": 0.125},
        {"degree": "count", "dim": "count", "bandwidth": "eps"},
    ),
    # bernstein_release
    Case(
        "releases.bernstein_release.noise_scale",
        lambda: {
            "eps": 1.0,
            "degree": 3,
            "dim": 1,
            "bandwidth": 0.125,
            "records": 10,
            "calibration": "exact",
            "unit": "record",
        },
        {"eps": "eps", "degree": "count", "dim": "count", "bandwidth": "eps", "records": "count"},
        {"calibration": CHOICE, "unit": CHOICE},
    ),
    Case(
        "releases.bernstein_release.release",
        lambda: {
            "data": np.full((4, 2), 0.5),
            "low": 0.0,
            "high": 1.0,
            "degree": 3,
            "bandwidth": 0.1,
            "scale": 0.5,
            "rng": rng(),
        },
        {"data": "points", "low": "finite", "high": "finite", "degree": "count", "bandwidth": "eps", "rng": "rng"},
        {"high": [0.0, -1.0], "scale": [-1.0, NAN, "b", None]},
    ),
    Case(
        "releases.bernstein_release.BernsteinRelease.function",
        lambda: {"axes": [NODES, NODES], "order": 2},
        {"order": "count"},
        {"axes": [*AXES, [np.array([0.5]), np.array([1.5])]]},
        make=lambda: BernsteinRelease(np.ones((3, 3)), 0.0, 1.0, 0.5),
    ),
    # repair
    Case(
        "mollifiers.repair.repaired",
        lambda: {
            "values": np.array([-1.0, 2.0]),
            "weights": np.array([0.5, 0.5]),
            "repair": "shift",
            "uniform": 0.1,
        },
        {"values": "array", "weights": "vector", "uniform": "unit"},
        {"values": [np.ones(3)], "weights": [np.array([0.0, 1.0])], "repair": CHOICE},
    ),
    Case(
        "mollifiers.repair.repair_error",
        lambda: {"error": 0.1, "largest": 3.0, "repair": "clip"},
        {"error": "unit", "largest": "eps"},
        {"error": [1.0], "repair": CHOICE},
    ),
    # dpb_settings
    Case("releases.dpb_settings.find_dpb_domain", lambda: {"name": "ring"}, {}, {"name": CHOICE}),
    Case(
        "releases.dpb_settings.random_line",
        lambda: {"target": Mixture([Gaussian(np.zeros(1), 1.0)], np.ones(1))},
        {"target": "distribution"},
        {"target": [DPB_DOMAINS["ring"].target]},
    ),
    Case(
        "releases.dpb_settings.DpbDomain.draw",
        lambda: {"records": 50, "rng": rng()},
        {"records": "count", "rng": "rng"},
        make=lambda: DPB_DOMAINS["mixture-variance"],
    ),
    # studies
    Case(
        "experiments.contenders.dpb_losses",
        lambda: {**SMALL, "domains": ["mixture-variance"], "eps": [1.0], "repair": "shift", "repeats": 1},
        {**COUNTED, "repeats": "count"},
        {"domains": [[], ["no-such-choice"], [3]], "eps": LEVELS, "repair": CHOICE, "seed": SEED},
    ),
    Case(
        "experiments.contenders.degrees",
        lambda: {
            "name": "mixture-variance",
            "degrees": [2],
            "orders": [1],
            "eps": 1.0,
            "repeats": 1,
            "records": 200,
            "seed": 1,
        },
        {"eps": "eps", "repeats": "count", "records": "count"},
        {"name": CHOICE, "degrees": COUNTS, "orders": COUNTS, "seed": SEED},
    ),
    Case(
        "experiments.contenders.ring_row",
        lambda: {**SMALL, "eps": [1.0], "pixels": 5},
        {**COUNTED},
        {"eps": LEVELS, "pixels": [1, 1.5, "two", None], "seed": SEED},
    ),
    Case(
        "experiments.contenders.ring_functions",
        lambda: {**SMALL, "eps": [1.0], "repeat": 0, "curve": ("record", "exact")},
        {**COUNTED},
        {"eps": LEVELS, "repeat": SEED, "seed": SEED, "curve": [None, "exact", ("record", "none")]},
    ),
    Case(
        "experiments.contenders.random_1d_losses",
        lambda: {**SMALL, "counts": [1], "eps": [1.0], "repeats": 1},
        {**COUNTED, "repeats": "count"},
        {"counts": COUNTS, "eps": LEVELS, "seed": SEED},
    ),
    Case(
        "experiments.dpb_rivals.stray_maxima",
        lambda: {
            "values": np.arange(25.0),
            "grid": Grid(np.zeros(2), np.ones(2), 5),
            "centres": np.zeros((1, 2)),
            "radius": 0.1,
        },
        {"values": "vector", "grid": "space", "centres": "points", "radius": "eps"},
        {"grid": [Grid(np.zeros(1), np.ones(1), 5)]},
    ),
    Case("experiments.dpb_rivals.ring_rivals", lambda: {"eps": [1.0]}, {}, {"eps": LEVELS}),
    Case(
        "experiments.dpb_rivals.ring_roughness",
        lambda: {**SMALL, "eps": [1.0], "repeats": 1},
        {**COUNTED, "repeats": "count"},
        {"eps": LEVELS, "seed": SEED},
    ),
    Case(
        "experiments.dpb_rivals.random_rivals",
        lambda: {"counts": [1], "eps": 1.0, "repeats": 1, "seed": 1},
        {"eps": "eps", "repeats": "count"},
        {"counts": COUNTS, "seed": SEED},
    ),
]

EXEMPT = {
    "releases.bernstein_release.BernsteinRelease": "made by release, which checks its arguments",
    "releases.lattice_sensitivity.LatticeSensitivity": "made by lattice_sensitivity, which checks its arguments",
    "releases.dpb_settings.DpbDomain": "the three domains are constants of the module",
    "releases.dpb_settings.DpbDomain.weights": "takes the grid of the domain itself",
    "experiments.dpb_rivals.line_rivals": "trains networks for seconds a call; its arguments go to sweep_domain",
}
