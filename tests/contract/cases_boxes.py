"""Cases for what `mollified.boxes` exports."""

from __future__ import annotations

import numpy as np

from mollified.boxes import BoxSampler
from tests.contract.kinds import NAN, Case

FLOORS = [None, "m", [], [[0.4, 0.4]], [0.4, NAN], [-0.1, 0.9], [0.1, 0.1], [0.8, 0.8]]
LAWS = [None, 3, "P", [], [0.5], [0.5, NAN], [-0.5, 1.5], [0, 0], ["a", "b"], [[0.5, 0.5], [0.5, 0.6]]]
WIDTHS = [0, 63, 1.5, "two", None]
SPLITS = [None, "no-such-split", 0.2, 1.1, NAN]
PUBLIC = [None, "q", [], [0.5, NAN], [0.0, 1.0], [0.5, 0.6]]


def sampler():
    return BoxSampler.from_reference([0.5, 0.5], 1.0)


CASES = [
    Case(
        "boxes.project",
        lambda: {"P": [0.9, 0.1], "m": [0.35, 0.35], "E": 2.0, "weights": [1.0, 1.0]},
        {},
        # With weights the total of P does not matter.
        {
            "P": LAWS[:-1],
            "m": FLOORS[:5],
            "E": [None, "e", NAN, 1.0, 0.5],
            "weights": ["w", [1.0], [1.0, 0.0], [NAN, 1.0]],
        },
        private=("P",),
    ),
    Case(
        "boxes.box_floor",
        lambda: {"q0": [0.5, 0.5], "eps": 1.0, "split": "minimax", "gamma": 2.0},
        {"eps": "eps"},
        {"q0": PUBLIC, "split": SPLITS[1:2], "gamma": [0.5, NAN, "g"]},
    ),
    Case(
        "boxes.BoxSampler",
        lambda: {"floor": [0.35, 0.35], "eps": 1.0, "bits": 20},
        {"eps": "eps"},
        {"floor": FLOORS, "bits": WIDTHS},
    ),
    Case(
        "boxes.BoxSampler.from_reference",
        lambda: {"q0": [0.5, 0.5], "eps": 1.0, "split": "even", "gamma": None, "bits": 20},
        {"eps": "eps"},
        {"q0": PUBLIC, "split": SPLITS, "gamma": [0.5, NAN, "g"], "bits": WIDTHS},
    ),
    Case("boxes.BoxSampler.project", lambda: {"P": [0.9, 0.1]}, {}, {"P": LAWS}, make=sampler, private=("P",)),
    Case("boxes.BoxSampler.weights", lambda: {"P": [0.9, 0.1]}, {}, {"P": LAWS}, make=sampler, private=("P",)),
    Case("boxes.BoxSampler.log_prob", lambda: {"P": [0.9, 0.1]}, {}, {"P": LAWS}, make=sampler, private=("P",)),
    Case(
        "boxes.BoxSampler.draw",
        lambda: {"P": [0.9, 0.1], "random_bytes": np.random.default_rng(1).bytes, "users": ["one"]},
        {"random_bytes": "callable"},
        {"P": LAWS, "users": [3, "one", ["one", "two"], []]},
        make=sampler,
        private=("P",),
    ),
]
EXEMPT = {"boxes.Certificate": "made by BoxSampler alone"}
