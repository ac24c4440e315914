"""Draw the figures of the page on relative mollifiers: projections, and the exact level of the set."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from companion.drawing import BIG, colour, label, line, tint
from companion.style import new_figure, roles

__all__ = ["draw_continuous", "draw_exact_levels", "draw_finite", "draw_moving_mode"]


def _allowed(axes: Axes, table: pd.DataFrame, width: float) -> None:
    """Draw the range that the mollifier allows at each point, and the reference as a tick within it."""
    axes.bar(
        table["x"] + 1,
        table["high"] - table["low"],
        width,
        bottom=table["low"],
        color=tint(True),
        linewidth=0,
        label=r"allowed: $Q_0\,e^{\pm\varepsilon/2}$",
    )
    axes.hlines(
        table["q0"],
        table["x"] + 1 - width / 2,
        table["x"] + 1 + width / 2,
        color=roles().ink,
        linewidth=1.5,
        linestyle="-",
        label="$Q_0$",
    )


def draw_finite(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw P, the allowed range around the reference, and the projection, point by point."""
    figure, axes = new_figure(aspect=0.56)
    _allowed(axes, table, 0.62)
    place = table["x"] + 1
    axes.plot(
        place,
        table["p"],
        color=colour(4),
        marker="D",
        markersize=8,
        markerfacecolor="none",
        markeredgewidth=1.8,
        linestyle="",
        label="target $P$",
    )
    axes.plot(
        place, table["projected"], color=colour(0), marker="o", markersize=8, linestyle="", label=r"projection $\hat P$"
    )
    axes.set(xticks=place, xlabel="point $x$", ylabel="probability", ylim=(-0.012, None))
    axes.grid(visible=False, axis="x")
    axes.legend(loc="upper right", fontsize=BIG)
    return figure


def draw_continuous(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the projection of a density at several levels, and below its log-ratio to the reference."""
    levels = sorted(table["eps"].unique())
    rows_above = -(-len(levels) // 2)
    ratios = [1.0] * rows_above + [1.7]
    figure, panels = new_figure(rows_above + 1, 2, aspect=1.2, sharex=True, height_ratios=ratios)
    grid = panels[0, 0].get_gridspec()
    for unused in panels[-1]:
        unused.remove()
    lower = figure.add_subplot(grid[rows_above, :])
    upper = panels[:-1].ravel()
    for axes in upper[len(levels) :]:
        axes.set_axis_off()
    top = float(table[["p", "q0", "projected"]].max().max())
    for index, (axes, level) in enumerate(zip(upper, levels, strict=False)):
        rows = table[table["eps"] == level]
        axes.fill_between(rows["x"], rows["p"], color=tint(True), linewidth=0)
        line(axes, rows["x"], rows["q0"], color=roles().muted, linestyle=":", linewidth=1.5)
        line(axes, rows["x"], rows["projected"], color=colour(index), linewidth=2)
        axes.set(ylim=(0, 1.1 * top), xlim=(-3.5, 3.5))
        axes.tick_params(labelbottom=index >= len(levels) - 2)
        label(
            axes,
            0.98,
            0.96,
            rf"$\varepsilon={level:g}$",
            colour(index),
            ha="right",
            va="top",
            transform=axes.transAxes,
            fontsize=BIG,
        )
        line(lower, rows["x"], rows["log_ratio"], index=index)
        label(
            lower,
            3.42,
            float(rows["log_ratio"].iloc[-1]),
            rf"$\varepsilon={level:g}$",
            colour(index),
            ha="right",
            va="bottom",
        )
    for axes in upper[::2]:
        axes.set_ylabel("density")
    first = table[table["eps"] == levels[0]]
    peak = first.loc[first["p"].idxmax()]
    near: dict[str, Any] = {"textcoords": "offset points", "fontsize": BIG}
    label(upper[0], peak["x"], peak["p"], "$P$", xytext=(-12, -12), ha="right", **near)
    label(upper[0], 0.0, float(first["q0"].max()), "$Q_0$", xytext=(0, 3), ha="center", **near)
    between = first.iloc[(first["x"] + 0.15).abs().argmin()]
    label(
        upper[0],
        between["x"],
        between["projected"],
        r"$\hat P$",
        colour(0),
        xytext=(0, -6),
        ha="center",
        va="top",
        **near,
    )
    lower.axhline(0, color=roles().muted, linewidth=1, linestyle="-")
    lower.set(xlabel="$x$", ylabel=r"$\log\,\hat P/Q_0$ (nats)", xlim=(-3.5, 3.5))
    return figure


def draw_moving_mode(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw P, the reference and the projection on two points: the larger atom changes sides."""
    figure, axes = new_figure(aspect=0.55)
    axes.bar([0, 1], table["high"] - table["low"], 0.14, bottom=table["low"], color=tint(True), linewidth=0)
    drawn = {
        "q0": ("$Q_0$", roles().muted, "-.", "s"),
        "p": ("$P$", colour(4), "--", "D"),
        "projected": (r"$\hat P$", colour(0), "-", "o"),
    }
    for name, (text, ink, style, marker) in drawn.items():
        axes.plot([0, 1], table[name], color=ink, linestyle=style, marker=marker, markersize=8, linewidth=2)
        for place, ha, shift in ((0, "right", -0.09), (1, "left", 0.09)):
            value = float(table[name].iloc[place])
            above = value >= float(table.iloc[place][["q0", "projected"]].max())
            va = "center" if name == "p" else "bottom" if above else "top"
            label(axes, place + shift, value, f"{text}: {value:.2f}", ink, ha=ha, va=va, fontsize=BIG)
    axes.set(xticks=[0, 1], xticklabels=["first point", "second point"], ylabel="probability", xlim=(-0.5, 1.5))
    axes.set_ylim(0, 1.08)
    axes.tick_params(axis="x", labelsize=BIG)
    axes.grid(visible=False, axis="x")
    label(axes, 0.09, 0.97, r"bars: allowed, $Q_0\,e^{\pm\varepsilon/2}$", va="center")
    return figure


def draw_exact_levels(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the exact level of the relative mollifier against the smaller atom, with the promised level."""
    figure, axes = new_figure(aspect=0.6)
    for index, (root, rows) in enumerate(table.groupby("root", sort=False)):
        promised, last = float(rows["promised"].iloc[0]), float(rows["level"].iloc[-1])
        axes.plot([0, 0.5], [promised] * 2, color=roles().ink, linewidth=1.4, linestyle=":", marker="")
        line(axes, rows["q"], rows["level"], index=index, linewidth=2.4)
        text = rf"promised $\varepsilon=2\,\log\,{root}={promised:.2f}$"
        label(axes, 0.006, promised, text, xytext=(0, 4), textcoords="offset points", va="bottom")
        label(axes, 0.506, last, f"exact\n{last:.2f}", colour(index), va="center", clip_on=False)
    axes.set(xlim=(0, 0.5), ylim=(0, 1.09 * table["promised"].max()))
    axes.set(xlabel="smaller atom $q$ of $Q_0=(q,1-q)$", ylabel="level (nats)")
    return figure
