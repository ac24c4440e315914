"""Draw the figures of the page on MBDE: step sizes, the level reached, and what the rounds do to a density."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from companion.drawing import BIG, band, colour, label, line, number, tint
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_absolute_counterexample", "draw_log_ratio_spread", "draw_reached", "draw_step_sizes"]


def draw_step_sizes(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the step sizes and the share of the level that is spent, by round."""
    figure, (upper, lower) = new_figure(2, 1, aspect=0.95, sharex=True)
    last = int(table["t"].max())
    for index, (level, rows) in enumerate(table.groupby("eps")):
        ink, text = colour(index), rf"$\varepsilon={level:g}$"
        line(upper, rows["t"], rows["theta"], index=index, marker=MARKERS[index], markersize=6)
        line(lower, rows["t"], 100 * rows["share"], index=index, marker=MARKERS[index], markersize=6)
        label(upper, last + 0.2, float(rows["theta"].iloc[-1]), text, ink, va="center", fontsize=BIG)
        label(lower, 0.8, 100 * float(rows["share"].iloc[0]), text, ink, ha="right", va="center", fontsize=BIG)
    lower.axhline(100, color=roles().muted, linewidth=1, linestyle="-")
    upper.set(yscale="log", ylabel=r"step size $\theta_t$")
    lower.set(xlabel="rounds", ylabel=r"level spent, % of $\varepsilon$", ylim=(0, 107))
    lower.set(xlim=(-0.2, last + 1.5), xticks=range(1, last + 1))
    return figure


def draw_reached(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the level that the worst inputs reach against the smaller atom, with the sharp bound."""
    figure, axes = new_figure(aspect=0.58)
    smallest, most = float(table["atom"].min()), int(table["rounds"].max())
    for index, (rounds, rows) in enumerate(table.groupby("rounds")):
        line(axes, rows["atom"], rows["level"], index=index, marker=MARKERS[index], markersize=6)
        bound = float(rows["bound"].iloc[0])
        axes.axhline(bound, color=colour(index), linewidth=1.4, linestyle=":")
        above = rounds == most
        label(
            axes,
            smallest * 0.85,
            bound,
            f"$T={rounds}$: bound {bound:.3f}",
            colour(index),
            va="bottom" if above else "top",
            xytext=(0, 4 if above else -5),
            textcoords="offset points",
            fontsize=BIG,
        )
    axes.set(xscale="log", xlabel="smaller atom of $Q_0$", ylabel="level reached (nats)")
    axes.set(xlim=(smallest * 0.7, 0.6), ylim=(0, 1.12 * table["bound"].max()))
    return figure


def draw_absolute_counterexample(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw a step density and one round of MBDE: outside the absolute range, inside the relative one."""
    figure, axes = new_figure(aspect=0.56)
    band(axes, facts["low"], facts["high"])
    for edge in (facts["low"], facts["high"]):
        axes.axhline(edge, color=roles().muted, linewidth=1, linestyle="-")
    for piece, row in enumerate(table.itertuples(index=False)):
        ends = [piece / 2, (piece + 1) / 2]
        axes.fill_between(ends, [row.relative_low] * 2, [row.relative_high] * 2, color=tint(True), linewidth=0)
        line(axes, ends, [row.q0] * 2, color=roles().ink, linestyle="--")
        line(axes, ends, [row.q1] * 2, color=colour(4), linewidth=2.6, linestyle="-")
    last = table.iloc[-1]
    half = f"{facts['eps'] / 2:g}"
    label(axes, 0.02, 1.0, "absolute range " + rf"$[e^{{-{half}}}, e^{{{half}}}]$", va="center")
    label(
        axes,
        0.98,
        last["relative_high"],
        r"relative range $Q_0\,[e^{-" + half + r"}, e^{" + half + "}]$",
        xytext=(0, 4),
        textcoords="offset points",
        ha="right",
        va="bottom",
    )
    label(axes, 0.49, last["q1"], f"$Q_1={number(last['q1'])}$", colour(4), ha="right", va="bottom", fontsize=BIG)
    label(axes, 0.49, last["q0"], f"$Q_0={number(last['q0'])}$", ha="right", va="top", fontsize=BIG)
    first = table.iloc[0]
    label(axes, 0.51, first["q0"], f"$Q_0={number(first['q0'])}$", ha="left", va="bottom", fontsize=BIG)
    label(axes, 0.51, first["q1"], f"$Q_1={number(first['q1'])}$", colour(4), ha="left", va="top", fontsize=BIG)
    axes.set(xlim=(0, 1), ylim=(0.3, 1.85), xlabel="$x$", ylabel="density")
    return figure


def draw_log_ratio_spread(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the log-ratio of each round's density to the reference, with what each round's bound allows."""
    figure, axes = new_figure(aspect=0.62)
    half, last = facts["eps"] / 2, int(table["t"].max())
    band(axes, -half, half)
    beside: dict[str, Any] = {"transform": axes.get_yaxis_transform(), "clip_on": False}
    for index, (t, rows) in enumerate(table.groupby("t")):
        ink = colour(index)
        line(axes, rows["x"], rows["log_ratio"], index=index, linewidth=2.2)
        bound = float(rows["bound"].iloc[0])
        for sign in (-1, 1):
            axes.axhline(sign * bound, color=ink, linewidth=1.2, linestyle="--")
        place = "bottom" if t == last else "top" if t == last - 1 else "center"
        label(axes, 1.015, bound, f"bound, $t={t}$", ink, va=place, **beside)
        start = rows[rows["log_ratio"] > 0.9 * rows["log_ratio"].max()].iloc[0]
        label(axes, start["x"] - 0.03, start["log_ratio"], f"$t={t}$", ink, ha="right", va=place)
    label(axes, -0.47, -0.55 * half, r"shaded: $\pm\varepsilon/2$", va="center")
    axes.set(xlabel="$x$", ylabel=r"$\log\,Q_t/Q_0$ (nats)", xlim=(-0.5, 1.5), ylim=(-1.12 * half, 1.12 * half))
    return figure
