"""Cases for private GANs: networks, private gradients, accounting, checks and studies."""

from __future__ import annotations

import numpy as np
import torch

from mollified.experiments.gan_runs import plane
from mollified.training.private_gan import GanSettings
from mollified.training.wgan import Perceptron
from tests.contract.kinds import NAN, Case

OPEN_UNIT = [0.0, 1.0, -0.5, NAN, "q", None, True]
LEVEL = [0.0, -1.0, NAN, "one", None, True]
SOURCES = [None, 3, "g"]
SETTINGS = [None, 3, "s", {}]
SEEDS = [-1, 1.5, "seed", None]
SIZES = [None, 3, "s", [], [2], [2, 0], [2, 1.5]]
LISTS = [None, 3, "n", [], [0.0], [NAN], ["one"]]
NOISES = [*LISTS, [0.1]]
TENSORS = [None, 3, np.zeros((2, 2))]
TINY = GanSettings(noise=1.0, steps=2, batch=4, width=2)
PATHS = [None, 3, "n", [], [-1], [1.5], ["two"]]


def source():
    return torch.Generator().manual_seed(1)


def critic():
    return Perceptron((2, 3, 1), source())


EXEMPT = {
    "training.wgan.check_generator": "it is what the refusals of all others rest on",
    "training.wgan.check_tensor": "it is what the refusals of all others rest on",
    "training.wgan.Perceptron.forward": "inner loop: shapes are refused by torch",
    "training.wgan.Perceptron.backward": "inner loop: takes what forward returns",
    "training.wgan.Perceptron.summed_gradient": "inner loop: takes what forward and backward return",
    "training.wgan.RmsProp.step": "inner loop: shapes are refused by torch",
    "training.dp_sgd.pair_norms": "inner loop: takes what forward and backward return",
}

CASES = [
    Case(
        "training.wgan.Perceptron",
        lambda: {"sizes": (2, 3, 1), "generator": source()},
        {},
        {"sizes": SIZES, "generator": SOURCES},
    ),
    Case(
        "training.wgan.Perceptron.views",
        lambda: {"flat": torch.zeros(13, dtype=torch.float64)},
        {},
        {"flat": [None, 3, torch.zeros(2)]},
        make=critic,
    ),
    Case(
        "training.wgan.RmsProp",
        lambda: {"flat": torch.zeros(3), "rate": 0.1, "decay": 0.9},
        {},
        {"flat": [None, 3], "rate": LEVEL, "decay": [-0.1, 1.0, NAN, "d", None]},
    ),
    Case(
        "training.dp_sgd.poisson_batch",
        lambda: {"records": 10, "rate": 0.5, "generator": source()},
        {"records": "count"},
        {"rate": [0.0, 1.5, NAN, "q", None], "generator": SOURCES},
    ),
    Case(
        "training.dp_sgd.pair_gradient",
        lambda: {
            "critic": critic(),
            "real": torch.ones(2, 2, dtype=torch.float64),
            "fake": torch.zeros(2, 2, dtype=torch.float64),
            "clip": 1.0,
            "out": torch.zeros(13, dtype=torch.float64),
        },
        {},
        {
            "critic": [None, 3],
            "real": [*TENSORS, torch.zeros(2, 3)],
            "fake": [*TENSORS, torch.zeros(3, 2)],
            "clip": LEVEL,
            "out": [None, 3],
        },
    ),
    Case(
        "training.private_gan.GanSettings",
        lambda: {
            "noise": 1.0,
            "clip": 1.0,
            "steps": 2,
            "inner": 1,
            "batch": 4,
            "weight_clip": 0.5,
            "critic_rate": 0.1,
            "generator_rate": 0.1,
            "width": 2,
            "latent": 2,
        },
        {"steps": "count", "inner": "count", "batch": "count", "width": "count", "latent": "count"},
        {
            "noise": [-1.0, NAN, "one", None],
            "clip": LEVEL,
            "weight_clip": LEVEL,
            "critic_rate": LEVEL,
            "generator_rate": LEVEL,
        },
    ),
    Case(
        "training.private_gan.train_gan",
        lambda: {"data": np.ones((5, 2)), "settings": TINY, "generator": source()},
        {},
        {"data": [None, "x", [], [[NAN, 1.0]]], "settings": [*SETTINGS, GanSettings(noise=1.0)], "generator": SOURCES},
    ),
    Case(
        "training.private_gan.generator_sample",
        lambda: {"network": Perceptron((2, 3, 2), source()), "n": 3, "generator": source()},
        {"n": "count"},
        {"network": SETTINGS, "generator": SOURCES},
    ),
    Case(
        "training.private_gan.modes_covered",
        lambda: {"points": np.ones((3, 2)), "centres": np.zeros((2, 2)), "radius": 1.0, "least": 0.1},
        {"points": "points"},
        {"centres": [None, "c", [], [[NAN, 1.0]]], "radius": LEVEL, "least": OPEN_UNIT},
    ),
    Case(
        "training.gan_accounting.published_noise",
        lambda: {"eps": 1.0, "rate": 0.1, "inner": 5, "delta": 0.1},
        {"inner": "count"},
        {"eps": LEVEL, "rate": OPEN_UNIT, "delta": OPEN_UNIT},
    ),
    Case(
        "training.gan_accounting.whole_run_level",
        lambda: {"rate": 0.1, "noise": 2.0, "steps": 2, "delta": 0.1, "side": "upper"},
        {"steps": "count", "side": "choice"},
        {"rate": OPEN_UNIT, "noise": [0.1, NAN, "s", None], "delta": OPEN_UNIT},
    ),
    Case(
        "training.gan_accounting.low_noise_bracket",
        lambda: {"rate": 0.1, "noise": 0.1, "steps": 20, "delta": 0.1},
        {"steps": "count"},
        {"rate": OPEN_UNIT, "noise": LEVEL, "delta": OPEN_UNIT},
    ),
    Case(
        "training.gan_accounting.noise_for_level",
        lambda: {"eps": 500.0, "rate": 0.1, "steps": 20, "delta": 0.1},
        {"steps": "count"},
        {"eps": LEVEL, "rate": OPEN_UNIT, "delta": OPEN_UNIT},
    ),
    # studies
    Case("experiments.gan_runs.plane", lambda: {"nodes": 21}, {}, {"nodes": [0, 4, 6, 1.5, "two", None]}),
    Case(
        "experiments.gan_runs.gan_draws",
        lambda: {"settings": GanSettings(1.0, steps=2), "seed": 1},
        {},
        {"settings": SETTINGS, "seed": SEEDS},
    ),
    Case(
        "experiments.gan_runs.gan_draws_of",
        lambda: {"settings": [GanSettings(1.0, steps=2)], "seeds": [1]},
        {},
        {"settings": [None, 3, "s", [None]], "seeds": PATHS},
    ),
    Case(
        "experiments.gan_runs.kernel_loss",
        lambda: {"draws": np.ones((3, 2)), "grid": plane(21)},
        {},
        {"draws": [None, "d", [], [1.0]], "grid": []},
    ),
    Case(
        "experiments.gan_runs.gan_measures", lambda: {"draws": np.ones((3, 2))}, {}, {"draws": [None, "d", [], [1.0]]}
    ),
    Case(
        "experiments.gan_runs.spent_bracket", lambda: {"noise": 2.0, "steps": 2}, {"steps": "count"}, {"noise": LEVEL}
    ),
    Case(
        "experiments.gan_runs.modes_by_noise",
        lambda: {"noises": [2.0], "seeds": 1, "steps": 2, "first": 0},
        {"seeds": "count", "steps": "count"},
        {"noises": NOISES, "first": SEEDS},
    ),
    Case(
        "experiments.gan_runs.modes_by_training",
        lambda: {"trainings": ["ours"], "seeds": 1, "steps": 2, "first": 0},
        {"seeds": "count", "steps": "count"},
        {"trainings": [None, 3, "ours", [], ["none"]], "first": SEEDS},
    ),
    Case(
        "experiments.comparison.grid_contenders",
        lambda: {"seed": 0, "epochs": 1},
        {},
        {"seed": SEEDS, "epochs": [-1, 1.5, "two", None]},
    ),
    Case(
        "experiments.comparison.contender_densities",
        lambda: {"seeds": [0], "steps": 2, "accounted": 2.0, "epochs": 1},
        {"steps": "count"},
        {"seeds": PATHS, "accounted": LEVEL, "epochs": [-1, 1.5, "two", None]},
    ),
    Case(
        "experiments.comparison.contender_losses",
        lambda: {"seeds": 1, "steps": 2, "accounted": 2.0, "epochs": 1, "first": 0},
        {"seeds": "count", "steps": "count"},
        {"accounted": LEVEL, "epochs": [-1, 1.5, "two", None], "first": SEEDS},
    ),
    Case(
        "experiments.comparison.comparison_panels",
        lambda: {"seed": 0, "steps": 2, "accounted": 2.0, "epochs": 1, "every": 10},
        {"steps": "count", "every": "count"},
        {"seed": SEEDS, "accounted": LEVEL, "epochs": [-1, 1.5, "two", None]},
    ),
]
