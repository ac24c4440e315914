"""Draw the figures of the page on accounting: levels by method, shares of the sum, Gaussian releases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from companion.drawing import BIG, colour, label, line
from companion.style import new_figure, roles

__all__ = ["draw_gaussian_levels", "draw_growth_shares", "draw_levels_by_method"]

NAMES = {
    "simple": "simple",
    "advanced": "advanced",
    "mean": "exact mean",
    "renyi": "Rényi",
    "exact": "exact",
}
INK = {"exact": 0, "advanced": 1, "simple": 2, "mean": 3, "renyi": 4}
#: Where a name is written: near which number of runs, how far off in points, and on which side of the place it ends.
Places = Mapping[str, tuple[int, float, float, str]]


def _methods(axes: Axes, table: pd.DataFrame, places: Places) -> None:
    """Draw the methods that are named in `places`, and dp-accounting as rings."""
    for name, (at, dx, dy, side) in places.items():
        rows = table[table["method"] == name]
        index = INK[name]
        line(axes, rows["runs"], rows["eps"], index=index, linewidth=3.0 if name == "exact" else 1.9)
        row = rows.iloc[(rows["runs"] - at).abs().argmin()]
        place: dict[str, Any] = {"xytext": (dx, dy), "textcoords": "offset points", "ha": side, "va": "center"}
        label(axes, row["runs"], row["eps"], NAMES[name], colour(index), fontsize=BIG, **place)
    dots = table[table["method"] == "library"]
    ink = roles().ink
    hollow: dict[str, Any] = {"markerfacecolor": "none", "markeredgecolor": ink, "markeredgewidth": 1.8, "zorder": 6}
    axes.plot(dots["runs"], dots["eps"], linestyle="", marker="o", markersize=9, **hollow)
    axes.set(xscale="log", xlabel="runs $K$")


def draw_levels_by_method(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the level of K runs against K, and each method's over the exact one; dp-accounting as rings."""
    figure, (left, right) = new_figure(1, 2, aspect=0.56)
    places: Places = {
        "simple": (300, -8, 8, "right"),
        "exact": (700, 8, -14, "left"),
    }
    _methods(left, table, places)
    left.set(yscale="log", ylabel=r"$\varepsilon$ (nats)")
    exact = table[table["method"] == "exact"].set_index("runs")["eps"]
    ratio = table.assign(eps=[eps / exact[k] for eps, k in zip(table["eps"], table["runs"], strict=True)])
    shown = {
        "simple": (60, 6, 6, "left"),
        "advanced": (3000, 0, 14, "right"),
        "mean": (150, 6, 9, "left"),
        "renyi": (4000, 0, -13, "center"),
    }
    _methods(right, ratio, shown)
    last = ratio[ratio["method"] == "library"].iloc[-1]
    place: dict[str, Any] = {"xytext": (0, -14), "textcoords": "offset points", "ha": "center", "va": "center"}
    label(right, last["runs"], last["eps"], "rings: dp-accounting", fontsize=BIG, **place)
    right.set(ylim=(0.9, 2.0), ylabel="over the exact level")
    return figure


def draw_gaussian_levels(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the level of K Gaussian releases against K, one line a method, dp-accounting as rings."""
    figure, axes = new_figure(aspect=0.66)
    places: Places = {
        "simple": (12, 10, -8, "left"),
        "advanced": (10, -8, 10, "right"),
        "exact": (200, 10, -14, "left"),
    }
    _methods(axes, table, places)
    ring = table[table["method"] == "library"].iloc[1]
    place: dict[str, Any] = {"xytext": (10, -14), "textcoords": "offset points", "ha": "left", "va": "center"}
    label(axes, ring["runs"], ring["eps"], "rings: dp-accounting", fontsize=BIG, **place)
    axes.set(yscale="log", ylabel=r"$\varepsilon$ (nats)")
    return figure


def draw_growth_shares(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the share of the sum that is needed against K, one line a level, and its limit as a thin line."""
    figure, axes = new_figure(aspect=0.68)
    for index, (eps0, rows) in enumerate(table.groupby("eps0", sort=False)):
        ink = colour(index)
        line(axes, rows["runs"], rows["share"], index=index, linestyle="-", linewidth=2.4)
        axes.axhline(rows["limit"].iloc[0], color=ink, linewidth=1.1, linestyle=":")
        last = rows.iloc[-1]
        place: dict[str, Any] = {"xytext": (6, 3), "textcoords": "offset points", "va": "bottom"}
        label(axes, last["runs"], last["share"], rf"$\varepsilon_0={eps0:g}$", ink, fontsize=BIG, **place)
    most = table["runs"].max()
    axes.set(
        xscale="log", yscale="log", xlabel="runs $K$", ylabel=r"needed over promised, $\varepsilon_K/(K\varepsilon_0)$"
    )
    axes.set_xlim(1, 12 * most)
    axes.set_xticks([10.0**k for k in range(len(str(int(most))))])
    return figure
