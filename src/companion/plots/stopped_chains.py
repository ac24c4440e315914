"""Draw the figures of the page on stopped chains."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from companion.drawing import BIG, band, colour, label, line, number
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_costs", "draw_fixed_start", "draw_independence_levels", "draw_walk_levels"]


def _steps_axis(axes: Axes, last: int) -> None:
    """Scale the axis of the steps logarithmically, with whole numbers as ticks."""
    ticks = [n for n in (1, 2, 5, 10, 20, 50, 100) if n <= last]
    axes.set(xscale="log", xlabel="steps $n$ of the chain")
    axes.set_xticks(ticks, map(str, ticks))
    axes.set_xticks([], minor=True)


def draw_walk_levels(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the level of three chains from a draw of the reference, in units of epsilon, against the steps."""
    figure, axes = new_figure(aspect=0.6)
    last = int(table["n"].max())
    band(axes, 0, 1)
    for height, text in ((1.0, r"$\varepsilon$"), (2.0, r"$2\varepsilon$: the bound for members")):
        axes.axhline(height, color=roles().ink, linewidth=1.4, linestyle=":")
        label(axes, last, height, text, xytext=(0, 4), textcoords="offset points", ha="right", fontsize=BIG)
    near: dict[str, Any] = {"textcoords": "offset points", "fontsize": BIG, "ha": "left"}
    for index, (chain, at, text, shift, side) in enumerate(
        (
            ("members, walk", 5, "two members, walk", (10, 6), "bottom"),
            ("outputs, walk", 3, "two outputs of MBDE, walk", (6, -8), "top"),
            ("members, draws", 3, "two members, proposals from $Q_0$", (-4, 10), "bottom"),
        )
    ):
        rows = table[(table["chain"] == chain) & (table["n"] > 0)]
        ink, style = colour((4, 0, 3)[index]), ("-", "--", "-.")[index]
        line(
            axes, rows["n"], rows["share"], color=ink, linestyle=style, marker=MARKERS[index], markersize=5, markevery=1
        )
        label(axes, at, float(rows[rows["n"] == at]["share"].iloc[0]), text, ink, xytext=shift, va=side, **near)
    _steps_axis(axes, last)
    axes.set(xlim=(0.88, 1.1 * last), ylim=(0, 2.25), ylabel=r"level, in units of $\varepsilon$")
    return figure


def draw_independence_levels(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the sharp level after n steps with proposals from the reference, with what a small atom reaches."""
    figure, axes = new_figure(aspect=0.6)
    last = int(table["n"].max())
    for index, (_, rows) in enumerate(table.groupby("root", sort=False)):
        ink, eps = colour((0, 4, 3)[index]), float(rows["eps"].iloc[0])
        later = rows[rows["n"] > 0]
        axes.plot([-1, last], [eps, eps], color=ink, linewidth=1.2, linestyle=":", marker="")
        line(axes, later["n"], later["level"], color=ink, linestyle="-")
        axes.plot(
            rows["n"],
            rows["reached"],
            color=ink,
            linestyle="",
            marker=MARKERS[index],
            markersize=7,
            markerfacecolor="none",
            markeredgewidth=1.4,
            markeredgecolor=ink,
        )
        text = rf"$\varepsilon={number(eps)}$"
        label(axes, last + 0.3, eps, text, ink, va="center", fontsize=BIG)
    label(axes, 0.35, 0.02, "draw of $Q_0$: level 0", va="bottom")
    axes.set(xlabel="steps $n$ of the chain", ylabel="privacy level (nats)", xticks=range(0, last + 1, 2))
    axes.set(xlim=(-0.4, 1.2 * last), ylim=(-0.12, 1.08 * float(table["eps"].max())))
    return figure


def draw_fixed_start(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the level, and the delta at epsilon, of a chain from a fixed point, for three masses of that point."""
    figure, (left, right) = new_figure(1, 2, aspect=0.6)
    last = int(table["n"].max())
    for index, (atom, rows) in enumerate(table.groupby("atom", sort=False)):
        ink = colour((3, 0, 4)[index])
        options: dict[str, Any] = {"color": ink, "linestyle": ("-.", "--", "-")[index], "marker": MARKERS[index]}
        line(left, rows["n"], rows["level"], markersize=5, markevery=1, **options)
        line(right, rows["n"], rows["delta"], markersize=5, markevery=1, **options)
        top = rows.iloc[1]
        above = float(top["level"]) > 1.5 * facts["eps"]
        place: dict[str, Any] = {"textcoords": "offset points", "va": "bottom" if above else "top"}
        height = float(top["level"]) if above else facts["eps"]
        label(left, top["n"], height, f"mass {atom}", ink, xytext=(8, 3) if above else (-8, -5), **place)
    bound = table[table["atom"] == table["atom"].iloc[0]]
    line(right, bound["n"], bound["bound"], color=roles().ink, linestyle=":", linewidth=2.2)
    label(right, 0.97, 0.95, r"dotted: $(1-e^{-\varepsilon/2})^n$", transform=right.transAxes, ha="right", va="top")
    names = list(table["atom"].unique())
    label(right, 3.2, 0.03, f"mass {names[0]}", colour(3), ha="right", va="top")
    rest = f"mass {', '.join(names[1:])}:\non the dotted line"
    label(right, 0.97, 0.87, rest, transform=right.transAxes, ha="right", va="top")
    left.axhline(facts["eps"], color=roles().ink, linewidth=1.4, linestyle=":")
    label(left, last, facts["eps"], r"$\varepsilon$", xytext=(0, -4), textcoords="offset points", va="top", ha="right")
    left.set(ylabel="privacy level (nats)", ylim=(0, 1.08 * float(table["level"].max())))
    right.set(yscale="log", ylabel=r"smallest $\delta$ at $\varepsilon$")
    for axes in (left, right):
        axes.set(xlabel="steps $n$", xlim=(0.5, last + 0.6), xticks=range(2, last + 1, 2))
    return figure


def draw_costs(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the steps that a chain needs, and the proposals of exact rejection, against epsilon."""
    figure, axes = new_figure(aspect=0.58)
    power = f"10^{{{round(-facts['log'] / 2.302585092994046)}}}"
    line(
        axes,
        table["eps"],
        table["steps"],
        color=colour(4),
        linestyle="--",
        marker=MARKERS[1],
        markersize=5,
        markevery=1,
    )
    line(
        axes, table["eps"], table["mean"], color=colour(0), linestyle="-", marker=MARKERS[0], markersize=5, markevery=1
    )
    at = table.iloc[len(table) // 2]
    near: dict[str, Any] = {"textcoords": "offset points", "fontsize": BIG}
    text = rf"chain from a fixed point, until $\delta\leq{power}$"
    label(axes, 0.03, 0.86, text, colour(4), transform=axes.transAxes, fontsize=BIG)
    text = "exact rejection, on average"
    label(axes, at["eps"], at["mean"], text, colour(0), xytext=(8, -10), ha="left", va="top", **near)
    axes.set(yscale="log", xlabel=r"$\varepsilon$ (nats)", ylabel="evaluations of the density ratio")
    axes.set(xlim=(0, 1.03 * float(table["eps"].max())), ylim=(0.7, 2 * float(table["steps"].max())))
    return figure
