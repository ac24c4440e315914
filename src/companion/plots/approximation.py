"""Draw the figures of the page on the gain: the product example, Gamma, slacks of the lower bounds, real runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from companion.drawing import BIG, SMALL, colour, label, line, tint
from companion.style import new_figure, roles

__all__ = ["draw_gain_slack", "draw_gamma_line", "draw_product_gains", "draw_run_gains"]


def draw_product_gains(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the gain of the product example against T, between what is printed below it and the bounds that hold."""
    figure, axes = new_figure(aspect=0.66)
    rounds = table["T"]
    axes.fill_between(rounds, table["gain"], table["printed"], color=tint(True), linewidth=0)
    line(axes, rounds, table["barrier"], color=roles().muted, linestyle="-", linewidth=1.6)
    line(axes, rounds, table["printed"], index=1, linestyle="--", linewidth=2.2)
    line(axes, rounds, table["corrected"], index=0, linestyle="-", linewidth=2.2)
    line(axes, rounds, table["gain"], color=roles().ink, linestyle="none", marker="o", markersize=6)
    line(axes, rounds, table["closed"], index=2, linestyle=":", linewidth=2.2)
    last = float(rounds.iloc[-1])
    row = table.iloc[-1]
    beside: dict[str, Any] = {"va": "center", "clip_on": False, "fontsize": BIG}
    label(axes, last + 0.2, row["barrier"], "barrier", **beside)
    label(axes, last + 0.2, row["printed"] + 0.03, "printed bound", colour(1), **beside)
    label(axes, last + 0.2, row["gain"] - 0.03, "gain = sum", colour(0), **beside)
    label(axes, last + 0.2, row["closed"] - 0.02, "closed form", colour(2), **beside)
    axes.set(xlabel="rounds $T$", ylabel="gain over $Q_0$ (nats)", ylim=(0, 1.06 * row["barrier"]))
    axes.set(xlim=(0.7, last + 2.3))
    axes.set(xticks=list(rounds))
    return figure


def draw_gamma_line(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw Gamma and the line x log 2, with the high regime marked."""
    figure, axes = new_figure(aspect=0.6)
    axes.axvspan(1 / 3, 1, color=tint(False), linewidth=0, zorder=0.4)
    axes.axhline(0, color=roles().muted, linewidth=1, linestyle="-")
    line(axes, table["x"], table["line"], index=1, linestyle="--", linewidth=2.2)
    line(axes, table["x"], table["gamma"], index=0, linestyle="-", linewidth=2.4)
    axes.plot([1], [table["gamma"].iloc[-1]], marker="o", color=roles().ink, markersize=7, zorder=6, clip_on=False)
    axes.plot([1 / 3], [0], marker="o", color=colour(0), markersize=7, zorder=6)
    label(axes, 0.47, 0.47 * np.log(2) + 0.03, r"$x\log2$", colour(1), ha="right", va="bottom", fontsize=BIG)
    label(axes, 0.68, 0.26, r"$\Gamma(x)$", colour(0), ha="left", va="top", fontsize=BIG)
    label(
        axes, 0.975, float(table["gamma"].iloc[-1]) + 0.005, "equal at 1 only", ha="right", va="bottom", fontsize=SMALL
    )
    label(axes, 0.35, -0.03, r"$\Gamma(1/3)=0$", colour(0), ha="left", va="top", fontsize=SMALL)
    label(axes, 0.66, -0.2, r"high regime, $\gamma_Q\geq1/3$", ha="center", va="center", fontsize=SMALL)
    axes.set(xlabel="$x$", ylabel="nats", xlim=(0, 1), ylim=(-0.27, 0.78))
    return figure


def draw_gain_slack(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw histograms of gain over bound: the printed bound above, the corrected one below, failures left of one."""
    figure, both = new_figure(2, 1, aspect=0.9, sharex=True)
    titles = {"printed": "printed lower bound", "corrected": "corrected lower bound"}
    for axes, name in zip(both, titles, strict=True):
        rows = table[table["bound"] == name]
        share = 100 * rows["count"] / rows["count"].sum()
        width, fails = rows["right"] - rows["left"], rows["right"] <= 1e-9
        for chosen, ink, hatch in ((fails, colour(1), "///"), (~fails, colour(0), "")):
            axes.bar(
                rows["left"][chosen],
                share[chosen],
                width[chosen],
                align="edge",
                color=ink if not hatch else roles().background,
                edgecolor=ink if hatch else roles().background,
                hatch=hatch,
                linewidth=0.8,
            )
        axes.axvline(0, color=roles().ink, linewidth=1.4)
        axes.set(ylabel="% of runs", ylim=(0, 1.28 * float(share.max())))
        label(axes, -1.95, 1.14 * float(share.max()), titles[name], va="center", fontsize=BIG)
        below = 100 * facts[f"below_{name}"] / facts[f"runs_{name}"]
        text = f"{below:.0f} % fail" if facts[f"below_{name}"] else "none fails"
        label(axes, -1.95, 0.9 * float(share.max()), text, colour(1), va="center", fontsize=BIG)
    text = "equality: two-valued\nclassifiers, same edges\nin every round"
    label(both[1], 0.1, 0.6 * both[1].get_ylim()[1], text, va="center")
    ticks = (-2, -1, 0, 1)
    both[1].set(xlabel="gain / lower bound (log scale)", xlim=(-2.03, 1.22), xticks=ticks)
    both[1].set_xticklabels(["0.01", "0.1", "1", "10"])
    return figure


def draw_run_gains(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the gain of real runs between the corrected lower bound and the barrier, as shares of eps/2."""
    figure, both = new_figure(1, 2, aspect=0.55, sharey=True)
    titles = {"ring": "ring", "line": "line"}
    for axes, name in zip(both, titles, strict=True):
        rows = table[table["setting"] == name]
        half = rows["eps"] / 2
        axes.fill_between(rows["eps"], rows["corrected"] / half, rows["barrier"] / half, color=tint(False), linewidth=0)
        line(axes, rows["eps"], rows["barrier"] / half, color=roles().muted, linestyle="-", linewidth=1.6)
        line(axes, rows["eps"], rows["gain"] / half, color=roles().ink, linestyle="-", marker="o", markersize=5)
        line(axes, rows["eps"], rows["corrected"] / half, index=0, linestyle="--", linewidth=2.2)
        axes.set(xscale="log", xlabel=r"$\varepsilon$ (nats)", ylim=(0, 1.08))
        axes.set(xticks=[0.1, 1, 10], xticklabels=["0.1", "1", "10"])
        label(axes, 0.5, 1.02, titles[name], transform=axes.transAxes, ha="center", va="bottom", fontsize=BIG)
    rows = table[table["setting"] == "line"]
    last = rows.iloc[-1]
    for column, text, ink in (
        ("barrier", "barrier", None),
        ("gain", "gain", None),
        ("corrected", "lower\nbound", colour(0)),
    ):
        height = last[column] / (last["eps"] / 2)
        side: dict[str, Any] = {"transform": both[1].get_yaxis_transform(), "va": "center", "clip_on": False}
        label(both[1], 1.04, height, text, ink, **side)
    both[0].set_ylabel(r"share of $\varepsilon/2$")
    return figure
