"""Draw the figures of the page on budgets: noise for groups, divided budgets, promised gains, many draws."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from companion.drawing import BIG, band, colour, label, line
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_budget_shares", "draw_group_costs", "draw_promised_gains", "draw_told_apart"]

NOISES = {
    "geometric": "geometric noise",
    "laplace": "Laplace noise, $m^2$",
    "printed": "version 1: $m$",
    "mbde": "MBDE: 1",
}
WAYS = {
    "full": r"classifiers by $k(1-\theta_T)$",
    "budget": r"$\varepsilon$ by $k$",
    "classifiers": "classifiers by $k$",
}


def draw_group_costs(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the factor on the variance against the size of the group that is protected."""
    figure, axes = new_figure(aspect=0.6)
    last = float(table["m"].max())
    for index, (noise, text) in enumerate(NOISES.items()):
        rows = table[table["noise"] == noise]
        line(axes, rows["m"], rows["factor"], index=index, marker=MARKERS[index], markersize=6, markevery=3)
        va = {"geometric": "bottom", "laplace": "top"}.get(noise, "center")
        label(axes, 1.2 * last, float(rows["factor"].iloc[-1]), text, colour(index), va=va, fontsize=BIG)
    axes.set(xscale="log", yscale="log", xlabel="size $m$ of the group", ylabel="variance, in units of that for $m=1$")
    axes.set(xlim=(0.9, 1.1 * last), ylim=(0.6, None))
    return figure


def draw_budget_shares(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the share of the budget that k draws spend against the budget, for the ways to divide it."""
    figure, axes = new_figure(aspect=0.56)
    at = {"full": 0.5, "budget": 12.0, "classifiers": 2.2}
    for index, (way, text) in enumerate(WAYS.items()):
        rows = table[table["way"] == way]
        line(axes, rows["eps"], 100 * rows["share"], index=index, linewidth=2.2)
        near = rows.iloc[(rows["eps"] - at[way]).abs().argmin()]
        above = way == "full"
        label(
            axes,
            near["eps"],
            100 * near["share"],
            text,
            colour(index),
            xytext=(0, 5) if above else (-8, -4),
            textcoords="offset points",
            ha="center" if above else "right",
            va="bottom" if above else "top",
            fontsize=BIG,
        )
    draws, rounds = int(facts["draws"]), int(facts["rounds"])
    axes.set(xscale="log", xlabel=rf"budget $\varepsilon$ of all $k={draws}$ draws (nats)", ylim=(0, 112))
    axes.set(ylabel=rf"level spent, % of $\varepsilon$ ($T={rounds}$)")
    return figure


def draw_promised_gains(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the guaranteed gain against the edge of the learner, for the ways to divide the budget."""
    figure, axes = new_figure(aspect=0.6)
    last = float(table["edge"].max())
    for index, (way, text) in enumerate(WAYS.items()):
        rows = table[table["way"] == way]
        line(axes, rows["edge"], 100 * rows["share"], index=index, linewidth=2.2)
        end = rows.iloc[-1]
        offset = {"full": 3, "budget": -3, "classifiers": 0}[way]
        label(
            axes,
            1.02 * last,
            100 * end["share"],
            text,
            colour(index),
            xytext=(0, offset),
            textcoords="offset points",
            va={"full": "bottom", "budget": "top", "classifiers": "center"}[way],
            annotation_clip=False,
            fontsize=BIG,
        )
    axes.axvline(facts["classifiers_better_up_to"], color=roles().muted, linewidth=1.2, linestyle=":")
    axes.axhline(0, color=roles().muted, linewidth=1, linestyle="-")
    axes.set(xlabel=r"edges $\gamma_P=\gamma_Q=\gamma$ of the learner", xlim=(0, last))
    axes.set(ylabel=r"promised gain, % of $\gamma\varepsilon/(2k)$")
    return figure


def draw_told_apart(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the error of the best test between two inputs against the number of draws."""
    figure, axes = new_figure(aspect=0.58)
    shown = table[table["floor"] > 1e-13]
    line(axes, table["draws"], table["error"], index=0, linewidth=2.4)
    line(axes, shown["draws"], shown["floor"], index=1, linewidth=2.0)
    axes.axvline(facts["draws_within_one"], color=roles().muted, linewidth=1.2, linestyle=":")
    band(axes, 1e-13, 0.01)
    half = table.iloc[(table["draws"] - 2500).abs().argmin()]
    label(
        axes,
        half["draws"],
        half["error"],
        "two inputs of MBDE",
        colour(0),
        xytext=(-8, 0),
        textcoords="offset points",
        ha="right",
        va="top",
        fontsize=BIG,
    )
    low = shown.iloc[(shown["floor"] - 1e-6).abs().argmin()]
    label(
        axes,
        low["draws"],
        low["floor"],
        "least that the level allows",
        colour(1),
        xytext=(-8, 0),
        textcoords="offset points",
        ha="right",
        fontsize=BIG,
    )
    label(axes, facts["draws_within_one"], 0.04, r" level $\leq1$", roles().muted, ha="right", fontsize=BIG)
    label(axes, 1.2, 2e-13, "shaded: error below 1 %", va="bottom")
    axes.set(xscale="log", yscale="log", xlabel="draws $k$", ylabel="error of the best test")
    axes.set(xlim=(1, float(table["draws"].max()) * 1.1), ylim=(1e-13, 1))
    return figure
