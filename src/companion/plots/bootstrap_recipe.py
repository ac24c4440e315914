"""Draw the figures of the page on the recipe: the interval, how often it has no integer, what the recipe costs."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from companion.drawing import BIG, colour, label, line, tint
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_cost", "draw_interval", "draw_share"]


def draw_interval(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw L and U against k, the integers between them as dots, and the two rounded roots."""
    figure, axes = new_figure(aspect=0.62)
    low, first, last = facts["lower"], float(table["k"].min()), float(table["k"].max())
    inside = table[table["upper"] >= low]
    axes.fill_between(inside["k"], low, inside["upper"], color=tint(True), linewidth=0)
    line(axes, table["k"], table["upper"], index=0, linewidth=2.4)
    axes.axhline(low, color=colour(2), linewidth=2.0, linestyle="--")
    whole = range(math.ceil(low), math.floor(table["upper"].max()) + 1)
    for m in whole:
        rows = table[table["upper"] >= m]
        axes.plot(rows["k"], [m] * len(rows), linestyle="", marker="o", markersize=4, color=roles().ink)
    bottom, top = float(table["upper"].min()), float(table["upper"].max())
    beside: dict[str, Any] = {"textcoords": "offset points", "fontsize": BIG}
    for index, (key, text) in enumerate(
        (("printed", r"printed $\lceil k_0\rceil$"), ("corrected", r"corrected $\lceil k_0\rceil$"))
    ):
        ink = colour(4) if key == "printed" else colour(3)
        axes.axvline(facts[key], color=ink, linewidth=1.6, linestyle="-." if index else ":")
        side = "right" if key == "printed" else "left"
        shift = (-5 if key == "printed" else 5, 4)
        label(axes, facts[key], bottom, f"{text} = {facts[key]:g}", ink, ha=side, va="bottom", xytext=shift, **beside)
    label(axes, first, low, f"$L={low:.4g}$", colour(2), va="bottom", xytext=(2, 3), **beside)
    end = table.iloc[-1]
    label(axes, end["k"], end["upper"], "$U$", colour(0), ha="right", va="bottom", xytext=(-12, 0), **beside)
    label(axes, last, math.ceil(low), "integers in $[L,U]$", ha="right", va="top", xytext=(0, -6), **beside)
    axes.set(xlim=(first, last), ylim=(bottom, top + 0.06 * (top - bottom)))
    axes.set(xlabel="pseudocount $k$", ylabel="records released, $m$")
    return figure


def draw_share(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the share of settings in which the printed recipe leaves no integer, with the heuristic."""
    figure, axes = new_figure(aspect=0.56)
    line(axes, table["ratio"], 100 * table["expected"], index=2, linewidth=2.0)
    axes.plot(table["ratio"], 100 * table["share"], linestyle="", marker=MARKERS[0], markersize=7, color=colour(0))
    start = table.iloc[len(table) // 3]
    label(axes, start["ratio"], 100 * start["share"], "measured", colour(0), ha="right", va="top", fontsize=BIG,
          xytext=(-6, -8), textcoords="offset points")  # fmt: skip
    label(axes, start["ratio"], 100 * start["expected"], "heuristic", colour(2), va="bottom", fontsize=BIG,
          xytext=(8, 6), textcoords="offset points")  # fmt: skip
    axes.set(xscale="log", ylim=(-3, 103), xlabel=r"$\epsilon/2\gamma$")
    axes.set(ylabel="settings with no integer $m$, %")
    return figure


def draw_cost(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the expected error at the recipe's k, for three ways to find m, against gamma."""
    figure, axes = new_figure(aspect=0.64)
    names = (
        ("error", "the recipe, corrected"),
        ("error_renyi", "same $k$, Theorem 2*"),
        ("error_exact", r"same $k$, exact $\delta$"),
    )
    for index, (name, text) in enumerate(names):
        line(axes, table["gamma"], table[name], index=index, marker=MARKERS[index], markersize=5, linewidth=2.2)
        at = table.iloc[len(table) // 3]
        label(
            axes,
            at["gamma"],
            at[name],
            text,
            colour(index),
            xytext=(0, 9),
            textcoords="offset points",
            va="bottom",
            ha="right",
            fontsize=BIG,
        )
    axes.axhline(facts["gaussian"], color=roles().muted, linewidth=1.4, linestyle=":")
    text = r"limit $k\to\infty$ (Gaussian noise)"
    label(axes, float(table["gamma"].max()), facts["gaussian"], text, ha="right", va="top",
          fontsize=BIG, xytext=(0, -4), textcoords="offset points")  # fmt: skip
    axes.set(xscale="log", yscale="log", xlabel=r"$\gamma$ chosen in step 1")
    axes.set(ylabel=r"expected squared error of $\hat h^c$", ylim=(0.4 * facts["gaussian"], 2 * table["error"].max()))
    return figure
