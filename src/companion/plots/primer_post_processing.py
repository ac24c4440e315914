"""Draw the figures of the primer's page on post-processing: tests, odds, and the map of the notions of privacy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from companion.drawing import BIG, SMALL, colour, label, line, number, tint
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_map", "draw_odds", "draw_tests"]


def draw_tests(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the region that (eps, delta) leaves to tests, the best tests on the output, and those after a function."""
    figure, axes = new_figure(aspect=0.82)
    factor, delta = float(np.exp(facts["eps"])), facts["delta_output"]
    alpha = np.linspace(0, 1, 401)
    top = np.minimum(np.minimum(factor * alpha + delta, 1 - (1 - delta - alpha) / factor), 1.0)
    bottom = np.maximum(np.maximum((alpha - delta) / factor, 1 - delta - factor * (1 - alpha)), 0.0)
    axes.fill_between(alpha, bottom, top, color=tint(True), linewidth=0, zorder=0.5)
    axes.plot([0, 1], [0, 1], color=roles().muted, linewidth=1.0, linestyle="-", marker="")
    near: dict[str, Any] = {"textcoords": "offset points", "fontsize": BIG}
    for index, (curve, words) in enumerate((("output", "best tests on the output"), ("bit", "on one bit of it"))):
        rows = table[table["curve"] == curve]
        line(axes, rows["alpha"], rows["beta"], index=4 * index, marker=MARKERS[index], markersize=6, linewidth=2.2)
        at = rows.iloc[6 if curve == "output" else 1]
        label(
            axes,
            at["alpha"],
            at["beta"],
            words,
            colour(4 * index),
            xytext=(12, -12) if index else (-10, 8),
            ha="left" if index else "right",
            va="top" if index else "bottom",
            **near,
        )
    text = rf"shaded: $\varepsilon={facts['eps']:g}$, $\delta={number(delta)}$"
    label(axes, 0.98, 0.05, text, ha="right", fontsize=BIG)
    label(axes, 0.012, 0.34, r"$\beta=e^{\varepsilon}\alpha+\delta$", va="bottom", fontsize=BIG)
    axes.set(xlim=(0, 1), ylim=(0, 1.02), xlabel=r"$\alpha$: says “$D$” although it is $D'$")
    axes.set_ylabel(r"$\beta$: says “$D$” when it is $D$")
    return figure


def draw_odds(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the range of the posterior probability against the prior one, for each level."""
    figure, axes = new_figure(aspect=0.72)
    levels = sorted((float(eps) for eps in table["eps"].unique()), reverse=True)
    for index, eps in enumerate(levels):
        rows = table[table["eps"] == eps]
        axes.fill_between(rows["prior"], rows["low"], rows["high"], color=tint(index > 0), linewidth=0, zorder=0.5)
        for column in ("low", "high"):
            line(axes, rows["prior"], rows[column], index=0 if index else 4, linestyle="-" if index else "--")
        top = float(np.ceil(1e3 * facts[f"high_{eps:g}"]) / 1e3)
        text = rf"$\varepsilon={eps:g}$: from one half to at most {top:g}"
        spot, ha = ((0.02, 0.93), "left") if index == 0 else ((0.98, 0.07), "right")
        label(axes, *spot, text, colour(0 if index else 4), ha=ha, va="center", fontsize=BIG)
    axes.axvline(0.5, color=roles().muted, linewidth=1.0, linestyle=":")
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="probability of $D$ before the output")
    axes.set_ylabel("and after it")
    return figure


BOXES: dict[str, tuple[float, float, str]] = {
    "mollifier": (0.44, 0.94, "one draw from a density\nin a mollifier"),
    "sampler": (0.13, 0.66, "private sampler:\nany two laws\n$P, P'$ of a user"),
    "integral": (0.72, 0.66, "integral privacy:\nany two data sets"),
    "local": (0.13, 0.09, "local DP:\nany two values\nof one record"),
    "replace": (0.48, 0.09, "central DP:\none record\nreplaced"),
    "add-remove": (0.87, 0.09, "central DP:\none record\nadded or removed"),
}
#: For each arrow: how much it bends, where along it the price stands, and how far beside it.
BENDS: dict[tuple[str, str], tuple[float, float, float, float]] = {
    ("mollifier", "sampler"): (0.0, 0.5, -0.02, 0.02),
    ("mollifier", "integral"): (0.0, 0.5, 0.03, 0.02),
    ("sampler", "integral"): (0.0, 0.5, 0.0, 0.03),
    ("integral", "local"): (0.1, 0.5, -0.075, 0.035),
    ("local", "integral"): (0.1, 0.5, 0.06, -0.035),
    ("integral", "replace"): (0.12, 0.5, -0.05, 0.0),
    ("replace", "integral"): (0.12, 0.5, 0.055, -0.005),
    ("integral", "add-remove"): (0.12, 0.5, -0.042, 0.0),
    ("add-remove", "integral"): (0.12, 0.5, 0.06, 0.02),
    ("add-remove", "replace"): (0.22, 0.5, 0.0, 0.075),
    ("replace", "add-remove"): (0.22, 0.5, 0.0, -0.085),
    ("local", "replace"): (0.0, 0.5, 0.0, 0.035),
}
PRICES = {
    ("local", "integral"): r"$n\varepsilon$",
    ("replace", "integral"): r"$n\varepsilon$",
    ("add-remove", "integral"): r"$2N\varepsilon$",
    ("replace", "add-remove"): "nothing",
    ("integral", "local"): r"$\varepsilon$ ($n=1$)",
}


def draw_map(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the notions as boxes and what follows from what as arrows, each with the level that it costs."""
    figure, axes = new_figure(aspect=0.84)
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.axis("off")
    boxes = {}
    for name, (x, y, words) in BOXES.items():
        frame = {
            "boxstyle": "round,pad=0.45",
            "facecolor": tint(name in ("mollifier", "sampler", "integral")),
            "edgecolor": roles().ink,
            "linewidth": 1.0,
        }
        boxes[name] = axes.text(
            x, y, words, ha="center", va="center", fontsize=SMALL, color=roles().ink, bbox=frame, zorder=4
        )
    for row in table.to_dict("records"):
        key, cost = (str(row["source"]), str(row["target"])), float(row["price"])
        bend, share, dx, dy = BENDS[key]
        none, grows = cost < 0, bool(row["grows"])
        ink = roles().muted if none else colour(4) if grows else colour(0)
        style = ":" if none else "--" if grows else "-"
        axes.annotate(
            "",
            xy=BOXES[key[1]][:2],
            xytext=BOXES[key[0]][:2],
            zorder=2,
            arrowprops={
                "arrowstyle": "-|>",
                "color": ink,
                "linewidth": 2.0,
                "linestyle": style,
                "mutation_scale": 16,
                "connectionstyle": f"arc3,rad={bend}",
                "patchA": boxes[key[0]].get_bbox_patch(),
                "patchB": boxes[key[1]].get_bbox_patch(),
                "shrinkA": 2,
                "shrinkB": 2,
            },
        )
        start, end = BOXES[key[0]], BOXES[key[1]]
        x, y = ((1 - share) * a + share * b for a, b in zip(start[:2], end[:2], strict=True))
        price = r"$\varepsilon$" if cost == 1 else rf"${cost:g}\varepsilon$"
        label(axes, x + dx, y + dy, PRICES.get(key, price), ink, ha="center", va="center", fontsize=BIG)
    return figure
