"""Checks of the page on the ring: arguments under which each statement holds, and fails; tables made by hand."""

import pandas as pd


def runs(**columns):
    """Two variants, three budgets and two places: the printed one within its budget, the released one beyond."""
    rows = []
    for variant, speed in (("clip", 0.5), ("released", 3.0)):
        for place in (0, 1):
            for eps in (0.5, 1.0, 2.0):
                rows.append({"variant": variant, "place_0": place, "eps": eps, "nll": 10 - speed * eps - 0.01 * place})
    table = pd.DataFrame(rows)
    table["spent"] = 2 * (10 - table["nll"] - 0.01 * table["place_0"]) * 0.99
    table["dip"] = (table["eps"] - 1) ** 2
    for name, value in columns.items():
        table[name] = value
    return table


MANY = pd.DataFrame(
    [
        {"variant": variant, "place_0": place, "eps": 1.0, "nll": start + place % 3}
        for variant, start in (("clip", 1.0), ("released", 1.5))
        for place in range(20)
    ]
)
ALL = runs()
CLIP, RELEASED = ALL[ALL["variant"] == "clip"], ALL[ALL["variant"] == "released"]
PAIR = {"column": "nll", "first": "released", "second": "clip"}
DIP = {"table": ALL, "column": "dip", "low": 0.75, "high": 1.5}
FALL = {"table": CLIP, "column": "nll", "start": 0.5, "stop": 2.0}

TABLE = {
    "reruns.moves_one_way": (
        {"table": ALL, "column": "nll"},
        {"table": ALL, "column": "nll", "falls": False},
        "float",
    ),
    "reruns.inside_mollifier": ({"table": CLIP}, {"table": RELEASED}, "float"),
    "reruns.dips_then_rises": (DIP, {**DIP, "flip": True}, "float"),
    "reruns.changes": ({**FALL, "most": -0.7}, {**FALL, "most": -0.8}, "float"),
    "reruns.within": (
        {"table": CLIP, "column": "nll", "low": 8.9},
        {"table": CLIP, "column": "nll", "high": 9.0},
        "float",
    ),
    "reruns.better_in_pairs": ({"table": ALL, **PAIR}, {"table": ALL, **PAIR, "lower": False}, "float"),
    "reruns.sign_test": (
        {"table": MANY, "column": "nll", "first": "clip", "second": "released"},
        {"table": MANY, "column": "nll", "first": "released", "second": "clip"},
        "float",
    ),
}

HELPERS = {"reruns.shuffled"}

MORE_FAIL = {
    "reruns.moves_one_way": [{"table": ALL, "column": "nll", "least": 0.3}, {"table": ALL, "column": "dip"}],
    "reruns.inside_mollifier": [
        {"table": CLIP, "width": 0.98},
        {"table": CLIP.assign(promised=0.9 * CLIP["eps"]), "sharp": True},
    ],
    "reruns.dips_then_rises": [
        {**DIP, "column": "nll"},
        {**DIP, "depth": 0.3},
        {**DIP, "start": -0.1},
    ],
    "reruns.changes": [{**FALL, "least": -0.1, "most": 0.1}],
    "reruns.better_in_pairs": [{"table": ALL, **PAIR, "factor": 3.0}],
}
MORE_HOLD = {
    "reruns.inside_mollifier": [{"table": CLIP.assign(promised=CLIP["eps"]), "sharp": True}],
    "reruns.dips_then_rises": [{**DIP, "start": 0.5}, {"table": ALL, "column": "dip", "low": 0.6, "high": 1.9}],
    "reruns.changes": [{**FALL, "least": -0.76, "most": 0.0}],
}
