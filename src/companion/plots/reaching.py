"""Draw the figures of the page on reaching the target."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from companion.drawing import BIG, colour, label, line, tint
from companion.style import new_figure, roles

__all__ = ["draw_gain_ratios", "draw_lasting_edges", "draw_overshoot", "draw_two_limits"]


def draw_two_limits(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the divergence of the mollification and of the best output of MBDE against the budget."""
    figure, axes = new_figure(aspect=0.58)
    line(axes, table["eps"], table["mollification"], index=0, linewidth=2.2)
    line(axes, table["eps"], table["outputs"], index=1, linewidth=2.2)
    axes.axhline(facts["start"], color=roles().muted, linewidth=1, linestyle=":")
    last = float(table["eps"].max())
    label(axes, last, facts["start"], r"$\mathrm{KL}(P,Q_0)$", ha="right", va="bottom", fontsize=BIG)
    middle = table.iloc[len(table) // 4]
    label(axes, middle["eps"], middle["outputs"] + 0.006, "best output of MBDE", colour(1), va="bottom", fontsize=BIG)
    label(axes, 0.06, 0.005, "mollification of $P$", colour(0), va="bottom", fontsize=BIG)
    axes.plot([facts["eps_p"]], [facts["at_eps_p"]], marker="o", markersize=8, color=colour(1), linestyle="")
    text = f"{facts['at_eps_p']:.4f} nats left where $P$\nis in the mollifier"
    label(
        axes,
        facts["eps_p"],
        facts["at_eps_p"],
        text,
        fontsize=BIG,
        xytext=(12, 16),
        textcoords="offset points",
        va="bottom",
    )
    axes.set(xlabel=r"budget $\varepsilon$ (nats)", ylabel=r"$\mathrm{KL}(P,\cdot)$ (nats)", xlim=(0, last))
    axes.set_ylim(-0.004, 1.15 * facts["start"])
    return figure


def draw_gain_ratios(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the share of the best gain that an output of MBDE can have, with its floor at one half."""
    figure, axes = new_figure(aspect=0.58)
    random, coin = table[table["kind"] == "random"], table[table["kind"] == "coin"]
    axes.scatter(random["eps"], random["ratio"], s=12, alpha=0.35, color=colour(0), linewidths=0)
    line(axes, coin["eps"], coin["ratio"], index=1, linestyle="-", linewidth=2.2)
    axes.axhline(0.5, color=roles().ink, linewidth=1.4, linestyle="--")
    label(axes, float(table["eps"].max()), 0.492, "proved floor: 1/2", ha="right", va="top", fontsize=BIG)
    place = coin.iloc[(coin["ratio"] - 0.68).abs().argmin()]
    beside: dict[str, Any] = {"xytext": (-8, 2), "textcoords": "offset points", "ha": "right"}
    label(axes, place["eps"], place["ratio"], "coin", colour(1), va="bottom", fontsize=BIG, **beside)
    label(
        axes,
        float(table["eps"].min()),
        1.015,
        "dots: random targets and references",
        colour(0),
        va="bottom",
        fontsize=BIG,
    )
    axes.set(
        xscale="log",
        xlabel=r"budget $\varepsilon$ (nats)",
        ylabel="gain of the best output /\ngain of the mollification",
    )
    axes.set_ylim(0.43, 1.09)
    return figure


def draw_overshoot(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the divergence after T rounds against the budget: it is zero at one budget, and small edges overshoot."""
    figure, axes = new_figure(aspect=0.58)
    lowest = 1e-4
    for index, (edge, rows) in enumerate(table.groupby("edge")):
        landing = facts.get(f"landing_{edge:g}", np.inf)
        for part in (rows[rows["eps"] < landing], rows[rows["eps"] > landing]):
            line(axes, part["eps"], part["divergence"], index=index, linewidth=2.2)
        if landing < rows["eps"].max():
            mark: dict[str, Any] = {"marker": "v", "markersize": 10, "linestyle": "", "clip_on": False, "zorder": 6}
            axes.plot([landing], [lowest], color=colour(index), **mark)
        first = rows.iloc[len(rows) // 8]
        place: dict[str, Any] = {"xytext": (0, 4), "textcoords": "offset points", "va": "bottom", "fontsize": BIG}
        if index == 0:
            place |= {"xytext": (10, -8), "va": "top", "ha": "right"}
        label(axes, first["eps"], first["divergence"], rf"$\gamma_P={edge:g}$", colour(index), **place)
    axes.set(xscale="log", yscale="log", xlabel=r"budget $\varepsilon$ (nats)", ylabel=r"$\mathrm{KL}(P,Q_1)$ (nats)")
    axes.set_ylim(lowest, None)
    return figure


def draw_lasting_edges(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the pairs of edges that cannot last with classifiers of full range, and those that can."""
    figure, axes = new_figure(aspect=0.7)
    last = float(table["edge_q"].max())
    axes.fill_between(table["edge_q"], table["edge_p"], last, color=tint(False), linewidth=0, zorder=0.5)
    shown = table[table["edge_p"] > 0]
    line(axes, shown["edge_q"], shown["edge_p"], index=0, linewidth=2.4)
    above = table[table["enough"] > 0]
    ends = [*above["edge_q"], facts["simple"]], [*above["enough"], 0.0]
    line(axes, *ends, index=1, linewidth=1.6)
    label(axes, 0.62 * last, 0.72 * last, "give out at some step,\nfor every $P$ and $Q_0$", ha="center", fontsize=BIG)
    label(axes, 0.06 * last, 0.13 * last, "last for ever, at all budgets,\nfor some $P$ and $Q_0$", fontsize=BIG)
    place: dict[str, Any] = {"xytext": (10, 6), "textcoords": "offset points", "fontsize": BIG}
    label(axes, 0.08, facts["simple"] - 0.08, r"$\gamma_P+\gamma_Q=\frac{1}{4}\log 2$: enough", colour(1), **place)
    axes.set(
        xlabel=r"edge over $Q_{t-1}$, $\gamma_Q$", ylabel=r"edge over $P$, $\gamma_P$", xlim=(0, last), ylim=(0, last)
    )
    return figure
