"""Draw the figures of the page on the Laplace mechanism: two densities, the largest error, the first names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from companion.drawing import BIG, colour, label, line, tint
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_census_errors", "draw_largest_errors", "draw_two_densities"]

BESIDE: dict[str, Any] = {"textcoords": "offset points", "fontsize": BIG}


def draw_two_densities(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw both densities on a log scale within the band of ratios, and below the losses of Laplace and Gauss."""
    figure, (upper, lower) = new_figure(2, 1, aspect=1.0, sharex=True)
    eps, moved = facts["eps"], facts["sensitivity"]
    x, factor = table["output"], float(np.exp(facts["eps"]))
    upper.fill_between(x, table["two"] / factor, table["two"] * factor, color=tint(True), linewidth=0)
    line(upper, x, table["two"], index=1, linewidth=2.2)
    line(upper, x, table["one"], index=0, linewidth=2.4)
    upper.set(yscale="log", ylabel="density of the output")
    right, left = table[x >= 0.62 * x.max()].iloc[0], table[x >= 0.3 * x.min()].iloc[0]
    label(upper, left["output"], left["one"], "answer $f(D)=0$", colour(0), ha="right", va="bottom",
          xytext=(-4, 4), **BESIDE)  # fmt: skip
    label(upper, right["output"], right["two"], rf"answer $f(D')={moved:g}$", colour(1), ha="left", va="bottom",
          xytext=(2, 4), **BESIDE)  # fmt: skip
    label(upper, 0.5 * moved, float(table["two"].min()) / factor * 1.25,
          r"shaded: within $e^{\pm\varepsilon}$ of the dashed", ha="center", va="bottom", fontsize=BIG)  # fmt: skip
    for sign in (-1, 1):
        lower.axhline(sign * eps, color=roles().ink, linewidth=1.3)
        lower.axvline((1 + sign) / 2 * moved, color=roles().muted, linewidth=0.9, zorder=0.6)
    lower.axhspan(-eps, eps, color=tint(True), linewidth=0, zorder=0.5)
    line(lower, x, table["gaussian_loss"], index=2, linewidth=2.0)
    line(lower, x, table["loss"], index=0, linewidth=2.6)
    label(lower, 0.55 * x.max(), eps, r"Laplace: never beyond $\pm\varepsilon$", colour(0), ha="center", va="bottom",
          xytext=(0, 6), **BESIDE)  # fmt: skip
    far = table[x >= 0.7 * x.max()].iloc[0]
    label(lower, far["output"], far["gaussian_loss"], "Gauss, same variance:\nno bound", colour(2), ha="right",
          va="top", xytext=(-8, 4), **BESIDE)  # fmt: skip
    lower.set(xlabel="output", ylabel="privacy loss (nats)", xlim=(x.min(), x.max()))
    lower.set_yticks([-eps, 0, eps], [r"$-\varepsilon$", "0", r"$\varepsilon$"])
    return figure


def draw_largest_errors(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the exact probability against K above the promise, for several beta."""
    figure, axes = new_figure(aspect=0.62)
    last = int(table["K"].max())
    for index, (beta, rows) in enumerate(table.groupby("beta", sort=False)):
        promise, ink = float(rows["promised"].iloc[0]), colour(index)
        axes.fill_between(rows["K"], rows["promised"], rows["exact"], color=tint(False), linewidth=0)
        axes.plot(rows["K"], rows["promised"], color=ink, linestyle="--", marker="", linewidth=1.5)
        line(axes, rows["K"], rows["exact"], color=ink, linestyle="-", marker=MARKERS[index], markersize=6, linewidth=2)
        label(axes, last * 1.25, float(rows["exact"].iloc[-1]), rf"$\beta={beta:g}$", ink, va="center", fontsize=BIG)
        if index == 0:
            label(axes, 60, float(rows["exact"].iloc[-1]), "exact probability", ink, va="bottom", ha="center",
                  xytext=(0, 7), **BESIDE)  # fmt: skip
            label(axes, 60, promise, r"promised, $1-\beta$", ink, va="top", ha="center", xytext=(0, -6), **BESIDE)
    axes.set(xscale="log", xlabel="number of answers $K$", xlim=(0.8, last * 6))
    axes.set(ylabel="probability: all errors below threshold", ylim=(-0.1, 1.03))
    sizes = [10**power for power in range(0, 5) if 10**power <= last]
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    return figure


def draw_census_errors(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the chance that no count is off by more, with the bound, and below the chance of the right order."""
    figure, (upper, lower) = new_figure(2, 1, aspect=1.0, sharex=True)
    errors, union = (table[table["kind"] == kind] for kind in ("error", "union"))
    goal = 1 - facts["beta"]
    upper.axhline(goal, color=roles().muted, linewidth=1.1)
    line(upper, errors["at"], errors["probability"], index=0, linewidth=2.6)
    line(upper, union["at"], union["probability"], index=1, linewidth=2.0)
    places = ((12.0, facts["at_12"], "12", "right", -8, 8), (facts["threshold"], facts["exact"], "", "left", 10, -12))
    for index, (at, value, text, side, right, up) in enumerate(places):
        words = text or rf"$\ln(K/\beta)={at:.2f}$"
        upper.plot([at], [value], marker=MARKERS[index], markersize=8, color=roles().ink, linestyle="")
        label(upper, at, value, f"{words}: {value:.4f}", ha=side, va="center", xytext=(right, up), **BESIDE)
    label(upper, float(errors["at"].min()), goal, f"{goal:g}", va="top", xytext=(4, -4), **BESIDE)
    middle = errors[errors["probability"] >= 0.35].iloc[0]
    label(upper, middle["at"], middle["probability"], "exact", colour(0), ha="right", xytext=(-10, 0), **BESIDE)
    second = union[union["probability"] >= 0.35].iloc[0]
    label(upper, second["at"], second["probability"], "union bound", colour(1), ha="left", xytext=(10, -8), **BESIDE)
    upper.set(ylabel=r"probability: all within $\alpha$", ylim=(0, 1.09))
    lower.axhline(goal, color=roles().muted, linewidth=1.1)
    for index, (kind, text) in enumerate((("pair", "two names"), ("top", "first of 10,000 names"))):
        rows = table[table["kind"] == kind]
        line(lower, rows["at"], rows["probability"], index=2 + index, linewidth=2.4)
        at = rows[rows["probability"] >= 0.72].iloc[0]
        label(lower, at["at"], at["probability"], text, colour(2 + index), ha="left", va="top",
              xytext=(10, -2), **BESIDE)  # fmt: skip
    top, twice = facts["top_gap"], facts["twice"]
    lower.plot([top], [goal], marker="D", markersize=7, color=roles().ink, linestyle="")
    label(lower, top, goal, f"{top:.1f} is enough here", ha="left", va="center", xytext=(8, -16), **BESIDE)
    lower.axvline(twice, color=roles().ink, linewidth=1.4)
    words = f"from a gap of {twice:.1f} on\nall pairs at once,\nwith probability {goal:g}"
    label(lower, twice, 0.35, words, ha="right", va="center", xytext=(-8, 0), **BESIDE)
    lower.set(xlabel=r"error $\alpha$ (above) or gap between the counts (below), people")
    lower.set(ylabel="probability of right order", ylim=(0, 1.09), xlim=(errors["at"].min(), errors["at"].max()))
    return figure
