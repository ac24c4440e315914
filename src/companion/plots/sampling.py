"""Draw the figures of the page on exact sampling."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from companion.drawing import BIG, colour, label, line
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_chain_privacy", "draw_proposal_leak"]

TITLES = {
    "normalised": r"envelope $e^{\varepsilon/2}Q_0$ of $Q_T$",
    "unnormalised": r"envelope $e^{\varepsilon/4}Q_0$ of the weight",
}


def draw_proposal_leak(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the law of the number of proposals under two data sets, one panel for each envelope."""
    figure, panels = new_figure(1, 2, aspect=0.58, sharey=True)
    most = int(table["n"].max())
    for axes, (envelope, title) in zip(panels, TITLES.items(), strict=True):
        rows = table[table["envelope"] == envelope]
        for index, (_, law) in enumerate(rows.groupby("data")):
            ink = colour(4 * index)
            axes.plot(law["n"], law["probability"], color=ink, linestyle=("-", "--")[index], marker="", linewidth=1.8)
            seen = law[law["frequency"] > 0]
            face = ("none", ink)[index]
            axes.plot(
                seen["n"],
                seen["frequency"],
                color=ink,
                linestyle="",
                marker=MARKERS[index],
                markersize=(9, 5)[index],
                markerfacecolor=face,
                markeredgewidth=1.4,
                markeredgecolor=ink,
            )
        axes.set(yscale="log", xlabel="number of proposals $n$", ylim=(3e-6, 2))
        axes.set_title(title, fontsize=BIG)
        axes.set_xticks(range(1, most + 1), [*map(str, range(1, most)), rf"$\geq${most}"])
    left, right = panels
    left.set_ylabel("probability")
    label(left, 0.97, 0.80, "$D$ and $D'$ agree", ha="right", transform=left.transAxes, fontsize=BIG)
    label(left, 0.05, 0.06, "lines: law\nmarkers: simulated", transform=left.transAxes)
    laws = table[table["envelope"] == "unnormalised"].set_index(["data", "n"])["probability"]
    near: dict[str, Any] = {"textcoords": "offset points", "fontsize": BIG, "ha": "right"}
    label(right, 3, float(laws["D", 3]), "$D$", colour(0), xytext=(-10, -8), **near)
    label(right, 5, float(laws["D'", 5]), "$D'$", colour(4), xytext=(18, 10), **near)
    return figure


def draw_chain_privacy(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the level of a chain that is stopped after n steps, against the level of its target."""
    figure, axes = new_figure(aspect=0.58)
    exact, last = float(table["exact"].iloc[0]), int(table["n"].max())
    axes.axhline(exact, color=roles().ink, linewidth=1.4, linestyle=":")
    names = {"fixed start": "fixed start", "draw of Q0": "start drawn from $Q_0$"}
    for index, (start, rows) in enumerate(table.groupby("start", sort=False)):
        ink = colour((4, 0)[index])
        line(
            axes,
            rows["n"],
            rows["level"],
            color=ink,
            linestyle=("--", "-")[index],
            marker=MARKERS[index],
            markersize=6,
            markevery=1,
        )
        first = rows.iloc[0]
        label(
            axes,
            first["n"],
            first["level"],
            names[str(start)],
            ink,
            xytext=(14, (0, -4)[index]),
            textcoords="offset points",
            va="center",
            fontsize=BIG,
        )
    label(
        axes,
        last,
        exact,
        f"level of the exact draw: {exact:.3f}",
        xytext=(0, 7),
        textcoords="offset points",
        ha="right",
        va="bottom",
        fontsize=BIG,
    )
    axes.set(xscale="log", xlabel="steps $n$ of the chain", ylabel="privacy level (nats)")
    axes.set(xlim=(0.9, 1.1 * last), ylim=(0.9 * table["level"].min(), 1.06 * table["level"].max()))
    ticks = [n for n in (1, 2, 3, 5, 10, 20, 30, 50, 100) if n <= last]
    axes.set_xticks(ticks, map(str, ticks))
    axes.set_xticks([], minor=True)
    return figure
