"""Draw the figures of the page on the Gaussian mechanism: noise added and needed, where the rule fails, errors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from companion.drawing import BIG, colour, label, line, tint
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_first_failures", "draw_missed_errors", "draw_noise_ratio"]

BESIDE: dict[str, Any] = {"textcoords": "offset points", "fontsize": BIG}


def _power(delta: float) -> str:
    exponent = math.log10(delta)
    whole = abs(exponent - round(exponent)) < 1e-9 and exponent < -2.5
    return f"10^{{{round(exponent)}}}" if whole else f"{delta:g}"


def draw_noise_ratio(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw printed over smallest sigma against eps, a line a delta; below 1 the rule adds too little."""
    figure, axes = new_figure(aspect=0.6)
    low, high = float(table["eps"].min()), float(table["eps"].max())
    bottom, top = 0.0, 1.08 * float(table["ratio"].max())
    axes.fill_between([low, high], bottom, 1.0, color=tint(True), linewidth=0)
    axes.axhline(1.0, color=roles().ink, linewidth=1.4)
    for index, delta in enumerate(table["delta"].unique().tolist()):
        part = table[table["delta"] == delta]
        line(axes, part["eps"], part["ratio"], index=index, linewidth=2.2)
        crossing = facts[f"crossing_{index}"]
        axes.plot([crossing], [1.0], linestyle="", marker=MARKERS[index], markersize=8, color=colour(index))
        at = part[part["eps"] >= (0.13, 0.22, 0.2)[index % 3]].iloc[0]
        side: dict[str, Any] = {"va": "bottom", "xytext": (2, 5)}
        if index == 0:
            side = {"va": "top", "xytext": (0, -5)}
        label(axes, at["eps"], at["ratio"], rf"$\delta={_power(float(delta))}$", colour(index), **side, **BESIDE)
    label(axes, high, 1.0, "more noise than needed", ha="right", va="bottom", xytext=(-4, 6), **BESIDE)
    label(axes, low, 0.5, "too little noise:\nnot $(\\varepsilon,\\delta)$-DP", ha="left", va="center",
          xytext=(10, 0), **BESIDE)  # fmt: skip
    axes.set(xscale="log", xlim=(low, high), ylim=(bottom, top), xlabel=r"$\varepsilon$")
    axes.set(ylabel=r"printed $\sigma$ / smallest sufficient $\sigma$")
    axes.set_xticks([0.1, 1, 10, 100], ["0.1", "1", "10", "100"])
    return figure


def draw_first_failures(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the largest eps at which the printed noise is enough, against delta on a logit scale."""
    figure, axes = new_figure(aspect=0.6)
    place = np.log10(table["delta"] / (1 - table["delta"]))
    top = 1.25 * float(table["eps"].max())
    axes.fill_between(place, table["eps"], top, color=tint(True), linewidth=0)
    line(axes, place, table["eps"], index=0, linewidth=2.4)
    shown = (1e-12, 1e-9, 1e-6, 1e-3, 0.1, 0.5, 0.9, 0.99)
    ticks = [(value, math.log10(value / (1 - value))) for value in shown if value >= table["delta"].min()]
    axes.set_xticks([at for _, at in ticks], [f"${_power(value)}$" for value, _ in ticks])
    least = math.log10(facts["least_delta"] / (1 - facts["least_delta"]))
    axes.axhline(1.0, color=colour(2), linewidth=1.8, linestyle="--")
    axes.plot([least], [facts["least"]], linestyle="", marker=MARKERS[0], markersize=8, color=roles().ink)
    label(axes, least, facts["least"], rf"least: $\varepsilon={facts['least']:.3f}$", ha="right", va="top",
          xytext=(0, -8), **BESIDE)  # fmt: skip
    left = float(place.min())
    label(axes, left, 1.0, r"$\varepsilon\leq1$, as in the source that the lecture cites", colour(2), va="bottom",
          xytext=(6, 3), **BESIDE)  # fmt: skip
    label(axes, left, 0.5 * float(table["eps"].max()), r"printed noise is enough for every query", va="center",
          xytext=(6, 0), **BESIDE)  # fmt: skip
    label(axes, float(place.max()), 0.8 * top, "not enough", ha="right", va="center", xytext=(-30, 0), **BESIDE)
    axes.set(xlim=(left, float(place.max())), ylim=(0, top), xlabel=r"$\delta$", ylabel=r"$\varepsilon$")
    return figure


def draw_missed_errors(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw how often some error reaches the printed and the corrected threshold, against the number of values."""
    figure, axes = new_figure(aspect=0.56)
    last = float(table["K"].max())
    for index, (form, part) in enumerate(table.groupby("form", sort=False)):
        line(axes, part["K"], 100 * part["missed"], index=2 * index, marker=MARKERS[index], markersize=6, linewidth=2.2)
        at = part[part["K"] >= 100].iloc[0]
        side: dict[str, Any] = {"ha": "left", "va": "top", "xytext": (0, -14)}
        if index == 0:
            side = {"ha": "right", "va": "bottom", "xytext": (-8, 6)}
        label(axes, at["K"], 100 * at["missed"], f"{form} threshold", colour(2 * index), **side, **BESIDE)
    axes.axhline(100 * facts["beta"], color=roles().ink, linewidth=1.6, linestyle="--")
    label(axes, last, 100 * facts["beta"], rf"promised: at most $\beta={100 * facts['beta']:g}$ %", ha="right",
          va="bottom", xytext=(-4, 4), **BESIDE)  # fmt: skip
    axes.set(xscale="log", yscale="log", xlabel="$K$, values released at once")
    axes.set(ylabel="some error reaches the threshold, %", ylim=(0.3, 130))
    axes.set_yticks([1, 5, 10, 50, 100], ["1", "5", "10", "50", "100"])
    axes.minorticks_off()
    return figure
