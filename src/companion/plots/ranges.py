"""Draw the figures of the page on ranges: mollifiers on the unit interval, counterexamples, scale and shift."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from companion.plots._parts import BIG, band, colour, label, line, number, tint
from companion.style import new_figure, roles

__all__ = ["draw_counterexamples", "draw_mollifier_curves", "draw_scale_and_shift", "draw_tilt_towards_reference"]


def draw_mollifier_curves(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the densities of a mollifier for each level, with the two printed ranges of the smallest level."""
    figure, axes = new_figure(aspect=0.6)
    levels = sorted(table["eps"].unique(), reverse=True)
    least = levels[-1]
    low, high = facts[f"necessary_low_{least:g}"], facts[f"necessary_high_{least:g}"]
    inner_low, inner_high = facts[f"sufficient_low_{least:g}"], facts[f"sufficient_high_{least:g}"]
    band(axes, low, high)
    band(axes, inner_low, inner_high, strong=True)
    for level in levels:
        index = 0 if level == least else 4
        rows = table[table["eps"] == level]
        for _, curve in rows.groupby("member"):
            line(axes, curve["x"], curve["density"], color=colour(index), linestyle="-" if index == 0 else "--")
        middle = rows[(rows["x"] - 0.5).abs() < 1e-9]
        text = rf"$\varepsilon={level:g}$"
        label(axes, 0.5, float(middle["density"].max()), text, colour(index), ha="center", va="bottom", fontsize=BIG)
    axes.set(xlim=(0, 1), xlabel="$x$", ylabel="density $Q(x)$")
    beside = {"transform": axes.get_yaxis_transform(), "va": "center", "clip_on": False}
    half = f"{least / 2:g}"
    label(axes, 1.02, 1.0, f"sufficient:\n$[e^{{-{half}}}, e^{{{half}}}]$", **beside)
    label(axes, 1.02, (inner_high + high) / 2 + 0.015, f"“necessary”:\n$(e^{{-{least:g}}}, e^{{{least:g}}})$", **beside)
    return figure


def draw_counterexamples(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw a pair that leaves the range called necessary, and a spike that touches both of its ends."""
    figure, (left, right) = new_figure(1, 2, aspect=0.56)
    cases = (("pair", left, facts["low"], facts["high"]), ("spike", right, facts["spike_low"], facts["spike_high"]))
    for name, axes, low, high in cases:
        band(axes, low, high)
        for edge in (low, high):
            axes.axhline(edge, color=roles().muted, linewidth=1, linestyle="-")
        rows = table[table["set"] == name]
        for member, (_, curve) in enumerate(rows.groupby("member")):
            line(axes, curve["x"], curve["density"], index=4 * member)
        axes.set(xlim=(0, 1), xlabel="$x$")
    left.set_title("two close densities", fontsize=BIG)
    right.set_title("a spike and the uniform density", fontsize=BIG)
    left.set_ylabel("density")
    left.set_ylim(0.4, 1.6)
    label(left, 0.03, facts["high"], rf"$e^{{{facts['eps']:g}}}$", va="bottom")
    label(left, 0.97, facts["low"], rf"$e^{{-{facts['eps']:g}}}$", va="top", ha="right")
    label(left, 0.05, 0.5, "$Q_1$", colour(0), va="bottom", ha="left", xytext=(0.05, 0.62), textcoords="data")
    label(left, 0.30, 0.74, "$Q_2$", colour(4), va="top", ha="left", xytext=(0.2, 0.62), textcoords="data")
    label(right, 0.03, facts["spike_high"], "$e$", va="top")
    label(right, 0.03, facts["spike_low"], "$e^{-1}$", va="bottom")
    label(right, 0.03, 1.0, "uniform", colour(4), va="bottom")
    label(right, 0.68, 1.9, "spike", colour(0))
    return figure


def draw_scale_and_shift(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw a density and its image by scale and shift, with the range that the image fits."""
    figure, axes = new_figure(aspect=0.55)
    band(axes, facts["low"], facts["high"], strong=True)
    curves = {str(name): rows for name, rows in table.groupby("curve")}
    for mode in (facts["mode"], facts["mode_2"]):
        axes.axvline(mode, color=roles().muted, linewidth=1, linestyle=":")
    line(axes, curves["Q"]["x"], curves["Q"]["density"], color=colour(4), linestyle="--")
    line(axes, curves["image"]["x"], curves["image"]["density"], color=colour(0), linewidth=2.2)
    axes.set(xlim=(0, 1), xlabel="$x$", ylabel="density", ylim=(0, None))
    near: dict[str, Any] = {"textcoords": "offset points", "fontsize": BIG}
    label(axes, facts["mode"], facts["max"], "$Q$", colour(4), xytext=(14, -14), **near)
    between = (facts["mode"] + facts["mode_2"]) / 2
    text = f"$aQ+(1-a)$\n$a={number(facts['a'])}$"
    label(axes, between, 0.93, text, colour(0), ha="center", va="bottom", fontsize=BIG)
    half = f"{facts['eps'] / 2:g}"
    text = rf"range $[e^{{-{half}}}, e^{{{half}}}]$"
    label(axes, 0.01, facts["high"], text, xytext=(0, 4), textcoords="offset points", va="bottom")
    return figure


def draw_tilt_towards_reference(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw a target, a Gaussian reference, and the largest mixture of both within the relative mollifier."""
    figure, axes = new_figure(aspect=0.6)
    curves = {str(name): rows for name, rows in table.groupby("curve")}
    low, high = curves["low"], curves["high"]
    axes.fill_between(low["x"], low["density"].to_numpy(), high["density"].to_numpy(), color=tint(False), linewidth=0)
    line(axes, curves["P"]["x"], curves["P"]["density"], color=colour(4), linestyle="--")
    line(axes, curves["Q0"]["x"], curves["Q0"]["density"], color=roles().muted, linestyle="-.")
    line(axes, curves["mixed"]["x"], curves["mixed"]["density"], color=colour(0), linewidth=2.4)
    axes.set(xlim=(-3.5, 3.5), xlabel="$x$", ylabel="density", ylim=(0, None))
    tops = {name: float(rows["density"].max()) for name, rows in curves.items()}
    for name, at, ink in (("P", facts["mode_P"], colour(4)), ("mixed", facts["mode_mixed"], colour(0))):
        axes.plot([at] * 2, [0, tops[name]], color=ink, linewidth=1.2, linestyle=":", marker="")
        axes.plot([at], [tops[name]], color=ink, marker="o", markersize=7, linestyle="")
    near: dict[str, Any] = {"textcoords": "offset points", "fontsize": BIG}
    label(axes, facts["mode_P"], tops["P"], "$P$", colour(4), xytext=(-12, 2), ha="right", **near)
    label(axes, 0.0, tops["Q0"], "$Q_0$", xytext=(0, 3), ha="center", va="bottom", **near)
    text = f"$aP+(1-a)\\,Q_0$\n$a={number(facts['a'])}$"
    label(axes, 0.0, 0.27, text, colour(0), ha="center", va="top", fontsize=BIG)
    edge = high.iloc[(high["x"] - 1.0).abs().argmin()]
    text = f"allowed:\n$Q_0\\,e^{{\\pm{facts['eps'] / 2:g}}}$"
    label(
        axes,
        edge["x"],
        edge["density"],
        text,
        xytext=(34, 20),
        textcoords="offset points",
        arrowprops={"arrowstyle": "-", "color": roles().muted, "shrinkA": 0, "shrinkB": 0},
    )
    return figure
