"""Draw the figures of the page on the KL drop: its shape, its bounds, their slack, and the rounds of a run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from companion.drawing import BIG, SMALL, colour, label, line, tint
from companion.style import new_figure, roles

__all__ = ["draw_bounds_by_size", "draw_run_rounds", "draw_shapes", "draw_slack_counts"]


def draw_shapes(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the drop against the step size where it has a maximum and where it has none."""
    figure, axes = new_figure(aspect=0.52)
    for index, law in enumerate(("inside", "top")):
        rows = table[table["law"] == law]
        line(axes, rows["theta"], rows["drop"], index=index, linewidth=2.4)
        axes.axhline(facts[f"divergence_{law}"], color=colour(index), linewidth=1, linestyle=":")
    axes.axhline(0, color=roles().muted, linewidth=1, linestyle="-")
    axes.plot([1], [facts["divergence_inside"]], marker="o", markersize=9, color=colour(0), linestyle="")
    label(
        axes,
        1.0,
        facts["divergence_inside"] - 0.06,
        "maximum: $Q_\\theta=P$",
        colour(0),
        ha="center",
        va="top",
        fontsize=BIG,
    )
    label(axes, 1.75, 0.50, "$P$ sits where $c$ is largest:\nno maximum", colour(1), va="top", fontsize=BIG)
    last = float(table["theta"].max())
    label(axes, last, facts["divergence_top"], "$\\log2$", colour(1), ha="right", va="bottom", fontsize=BIG)
    axes.set(xlabel=r"step size $\theta$", ylabel="drop of the divergence (nats)", xlim=(0, last), ylim=(-0.5, 0.78))
    return figure


def draw_bounds_by_size(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the bounds on the drop against the size of the classifier, for an edge of either regime."""
    edges = sorted(table["edge"].unique())
    figure, panels = new_figure(1, len(edges), aspect=0.62, sharex=True, sharey=True)
    for axes, edge in zip(panels, edges, strict=True):
        rows = table[table["edge"] == edge]
        axes.fill_between(rows["size"], rows["sharp"], 3.0, color=tint(False), linewidth=0, zorder=0.5)
        line(axes, rows["size"], rows["hoeffding"], index=2)
        line(axes, rows["size"], rows["sharp"], index=0, linewidth=2.6)
        line(axes, rows["size"], rows["printed"], index=1, linewidth=2.2)
        regime = "high" if edge >= 1 / 3 else "low"
        axes.set_title(rf"{regime} regime, $\gamma_P=\gamma_Q={edge:g}$", fontsize=BIG)
        axes.set(xlabel=r"$c^{*}/\log2$", xlim=(float(rows["size"].min()), 1), ylim=(0, 2.5))
        axes.set_xticks([0.2, 0.4, 0.6, 0.8, 1])
        above = rows[rows["printed"] < 2.2].iloc[0]
        label(axes, above["size"] + 0.05, 2.15, "printed", colour(1), va="bottom", fontsize=BIG)
        sharp, hoeffding = float(rows["sharp"].iloc[-1]), float(rows["hoeffding"].iloc[-1])
        near = sharp - hoeffding < 0.02
        if near:
            label(axes, 0.97, sharp - 0.06, r"sharp $\approx$ (43)", colour(0), ha="right", va="top", fontsize=BIG)
        else:
            label(axes, 0.97, sharp + 0.03, "sharp", colour(0), ha="right", va="bottom", fontsize=BIG)
            label(axes, 0.06, float(rows["hoeffding"].iloc[0]) - 0.05, "(43)", colour(2), va="top", fontsize=BIG)
    label(panels[0], 0.06, 1.0, "shaded: some classifier\ndrops by less", va="center")
    panels[0].set_ylabel(r"lower bound on the drop, in units of $\theta c^{*}$")
    return figure


def draw_slack_counts(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw how far the true drop exceeds the sharp bound and (43), two-valued classifiers apart."""
    figure, panels = new_figure(2, 1, aspect=0.8, sharex=True, sharey=True)
    total = facts["rounds"]
    titles = {"sharp": "sharp bound", "hoeffding": "bound (43)"}
    for axes, (bound, title) in zip(panels, titles.items(), strict=True):
        floor = None
        for index, (kind, hatch) in enumerate((("two values", "//"), ("other", ""))):
            rows = table[(table["bound"] == bound) & (table["kind"] == kind)]
            heights = 100 * rows["count"].to_numpy() / total
            bottom = np.zeros(len(rows)) if floor is None else floor
            axes.bar(
                rows["low"],
                heights,
                width=rows["high"] - rows["low"],
                bottom=bottom,
                align="edge",
                color=colour(4 if index == 0 else 5),
                hatch=hatch,
                edgecolor=roles().background,
                linewidth=0.5,
            )
            floor = bottom + heights
        axes.set_title(title, fontsize=BIG)
        axes.set_ylabel("% of rounds", fontsize=SMALL)
    two = 100 * facts["two"] / total
    label(panels[0], 0.07, 0.7 * two, "$c=\\pm c^{*}$ only (hatched):\nequality", colour(4), va="center", fontsize=BIG)
    label(
        panels[1],
        0.06,
        0.7 * two,
        "no equality: the same classifiers\nhave slack here",
        colour(4),
        va="center",
        fontsize=BIG,
    )
    panels[1].set_xlabel(r"(true drop $-$ bound) $/\,(\theta c^{*})^2$")
    return figure


def draw_run_rounds(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the drop of each round of a run beside the printed, the Hoeffding and the sharp bound."""
    figure, axes = new_figure(aspect=0.6)
    series = (
        ("drop", roles().ink, "o", "-"),
        ("sharp", colour(0), "s", "-"),
        ("hoeffding", colour(2), "^", "-."),
        ("printed", colour(1), "X", "--"),
    )
    last = table.iloc[-1]
    for name, ink, marker, style in series:
        width = 2.4 if name == "drop" else 1.8
        axes.plot(table["t"], table[name], color=ink, marker=marker, linestyle=style, linewidth=width, markersize=7)
    label(axes, last["t"] + 0.12, last["printed"], "printed", colour(1), va="center", fontsize=BIG)
    label(axes, last["t"] + 0.12, last["drop"] + 0.012, "true", va="center", fontsize=BIG)
    label(axes, last["t"] + 0.12, last["sharp"] - 0.014, "sharp, (43)", colour(0), va="center", fontsize=BIG)
    low = table[table["edge_q"] < 1 / 3]
    if len(low):
        start = float(low["t"].iloc[0]) - 0.5
        axes.axvspan(start, float(last["t"]) + 0.5, color=tint(False), linewidth=0, zorder=0.5)
        label(axes, start + 0.06, 1.0, r"low regime, $\gamma_Q<1/3$", va="top", fontsize=BIG)
    axes.set(xlabel="round $t$", ylabel=r"drop, in units of $\theta_t$ (nats)")
    axes.set(xlim=(0.7, float(last["t"]) + 1.0), ylim=(0.4, 1.02), xticks=range(1, int(last["t"]) + 1))
    return figure
