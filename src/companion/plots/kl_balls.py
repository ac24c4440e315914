"""Draw the figures of the page on KL balls: what the level adds to a radius, and what a bad output excludes."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from companion.drawing import BIG, colour, label, line
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_bad_output", "draw_exact_curve", "draw_growth_by_level"]


def draw_exact_curve(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw what the three bounds add to a radius at one level, over the pairs that were tried."""
    figure, axes = new_figure(aspect=0.62)
    curve, pairs = (table[table["kind"] == kind] for kind in ("curve", "pair"))
    eps, radius = facts["eps"], facts["radius"]
    axes.scatter(pairs["delta"], pairs["extra"], s=7, marker="o", color=roles().muted, alpha=0.55, linewidths=0)
    line(axes, curve["delta"], curve["printed"], index=1)
    line(axes, curve["delta"], curve["corrected"], index=2)
    line(axes, curve["delta"], curve["exact"], index=0, linewidth=2.6)
    axes.axvline(radius, color=roles().muted, linewidth=1, linestyle=":")
    beside: dict[str, Any] = {"textcoords": "offset points", "fontsize": BIG}
    label(axes, 1.2e-4, eps, r"printed: $\varepsilon$", colour(1), va="bottom", xytext=(0, 4), **beside)
    corrected = curve[curve["delta"] > 0.012].iloc[0]
    label(
        axes, corrected["delta"], corrected["corrected"], "closed form", colour(2), ha="right", xytext=(-8, 4), **beside
    )
    exact = curve[curve["delta"] > 0.035].iloc[0]
    label(axes, exact["delta"], exact["exact"], "least bound", colour(0), va="top", xytext=(8, -6), **beside)
    label(axes, radius, 0.03 * eps, r"$\log(1+e^{-\varepsilon})$", ha="right", xytext=(-5, 0), **beside)
    axes.set(xscale="log", xlim=(1e-4, 3), ylim=(0, 1.14 * eps))
    axes.set(xlabel=r"$\delta=\mathrm{KL}(P,Q')$ (nats)", ylabel=r"$\mathrm{KL}(P,Q)-\delta$ (nats)")
    return figure


def draw_growth_by_level(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the share of the level that the least bound adds, against the level, for several radii."""
    figure, axes = new_figure(aspect=0.58)
    axes.axhline(100, color=roles().muted, linewidth=1, linestyle="-")
    label(axes, 9.5, 101, r"printed: all of $\varepsilon$", ha="right", va="bottom", fontsize=BIG)
    for index, delta in enumerate(sorted({float(value) for value in table["delta"]})):
        rows = table[table["delta"] == delta]
        line(axes, rows["eps"], 100 * rows["share"], index=index, linewidth=2.2)
        place = rows.iloc[0] if delta > 0 else rows[rows["eps"] > 0.35].iloc[0]
        label(
            axes,
            float(place["eps"]),
            100 * float(place["share"]),
            rf"$\delta={delta:g}$",
            colour(index),
            va="bottom" if delta > 0 else "top",
            xytext=(3, 3) if delta > 0 else (6, -4),
            textcoords="offset points",
            fontsize=BIG,
        )
    axes.set(xscale="log", xlim=(0.01, 10), ylim=(0, 112))
    axes.set(xlabel=r"level $\varepsilon$ (nats)", ylabel=r"least bound adds, % of $\varepsilon$")
    return figure


def draw_bad_output(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the divergences of both possible outputs and of the law of one draw, with the two floors."""
    figure, axes = new_figure(aspect=0.62)
    last = int(table["d"].max())
    mark: dict[str, Any] = {"linestyle": "", "markersize": 6, "clip_on": False}
    axes.plot(table["d"], table["bad"], marker=MARKERS[1], color=colour(1), **mark)
    axes.plot(table["d"], table["good"], marker=MARKERS[0], color=colour(3), **mark)
    line(axes, table["d"], table["averaged"], index=0, linestyle="-", marker=MARKERS[3], markersize=5)
    line(axes, table["d"], table["printed"], index=2, linewidth=2.2)
    line(axes, table["d"], table["floor"], index=4, linestyle=":")
    bold: dict[str, Any] = {"textcoords": "offset points", "fontsize": BIG, "ha": "right"}
    label(axes, last, facts["delta"], "the bad output", colour(1), va="bottom", xytext=(0, 8), **bold)
    label(axes, last, 0.0, "the good output", colour(3), va="top", xytext=(0, -8), **bold)
    label(axes, last, facts["printed"], "printed floor for every output", colour(2), va="bottom", xytext=(0, 4), **bold)
    start = table.iloc[1]
    bold["ha"] = "left"
    label(axes, start["d"], start["averaged"], "law of one draw", colour(0), va="bottom", xytext=(6, 2), **bold)
    low = table[table["floor"] > -0.12].iloc[-1]
    label(axes, low["d"] + 1.4, -0.1, "its floor", colour(4), va="center", fontsize=BIG)
    axes.set(xlim=(-0.3, last + 0.3), ylim=(-0.2, 1.15 * facts["delta"]), xticks=range(0, last + 1, 2))
    axes.set(xlabel="records in which $D$ differs from $D'$", ylabel=r"$\mathrm{KL}(P,\,\cdot\,)$ (nats)")
    return figure
