"""Draw the figures of the page on composition: curves of several runs, the table of counts, factors for groups."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from companion.drawing import BIG, colour, label, line, tint
from companion.style import new_figure, roles

__all__ = ["draw_composed_curves", "draw_group_factors", "draw_table_levels"]


def draw_composed_curves(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw delta against eps for one to three runs; dots are what the theorem promises."""
    figure, axes = new_figure(aspect=0.68)
    eps0, delta0 = facts["eps0"], facts["delta0"]
    for index, (runs, rows) in enumerate(table.groupby("runs")):
        k = int(str(runs))
        line(axes, rows["eps"], rows["delta"], index=index, linestyle="-", linewidth=2.4)
        x, y = k * eps0, k * delta0
        axes.plot([x], [y], marker="o", markersize=8, color=colour(index), linestyle="", zorder=6)
        plural = "s" if k > 1 else ""
        text = rf"promised: $({k if k > 1 else ''}\varepsilon_0,{k if k > 1 else ''}\delta_0)$"
        label(axes, x, y, text, colour(index), xytext=(6, 8), textcoords="offset points", ha="left", fontsize=BIG)
        label(axes, x - 0.06, 4 * y, f"{k} run{plural}", colour(index), ha="right", va="center", fontsize=BIG)
    axes.set(yscale="log", xlabel=r"$\varepsilon$ (nats)", ylabel=r"$\delta$", ylim=(delta0 / 2, 1))
    axes.set_xlim(0, table["eps"].max())
    return figure


def draw_table_levels(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the lecture's table three times: one cell changed, two, and all eight, with the levels."""
    figure, panels = new_figure(1, 3, aspect=0.42)
    genders, hairs = list(dict.fromkeys(table["gender"])), list(dict.fromkeys(table["hair"]))
    shown: tuple[tuple[str, Any, float], ...] = (
        ("one person added", table["added"], facts["add"]),
        ("one person replaced", table["moved"], facts["replace"]),
        ("the same people 8 times", [1] * len(table), facts["same"]),
    )
    for axes, (title, touched, level) in zip(panels, shown, strict=True):
        for changed, (_, row) in zip(touched, table.iterrows(), strict=True):
            x, y = hairs.index(row["hair"]), genders.index(row["gender"])
            fill = tint(strong=True) if changed else "none"
            edge, width = (roles().accent, 2.5) if changed else (roles().muted, 0.8)
            axes.add_patch(Rectangle((x + 0.04, y + 0.04), 0.92, 0.92, facecolor=fill, edgecolor=edge, linewidth=width))
            text = str(row["people"]) if title != "the same people 8 times" else "all"
            label(axes, x + 0.5, y + 0.5, text, ha="center", va="center", fontsize=BIG)
        axes.set(xlim=(0, 4), ylim=(2, 0), xticks=[], yticks=[])
        axes.grid(visible=False)
        for spine in axes.spines.values():
            spine.set_visible(False)
        axes.set_title(title, loc="center", fontsize=BIG)
        times = "" if round(level) == 1 else f"{level:.0f}"
        axes.set_xlabel(rf"level ${times}\varepsilon$", fontsize=16, color=roles().accent)
    return figure


NAMES = {
    "printed": r"printed: $Ke^{K\varepsilon}$",
    "attained": r"attained: $(e^{K\varepsilon}-1)/(e^\varepsilon-1)$",
    "runs": r"$K$ runs: $K$",
}


def draw_group_factors(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the factor of delta against the size of the group on a logarithmic axis."""
    figure, axes = new_figure(aspect=0.66)
    for index, (name, rows) in enumerate(table.groupby("bound", sort=False)):
        line(axes, rows["count"], rows["factor"], index=index, linewidth=2.8 if name == "attained" else 1.9)
        at = rows[rows["count"] == 6].iloc[0]
        below = name == "attained"
        label(
            axes,
            at["count"],
            at["factor"],
            NAMES[str(name)],
            colour(index),
            xytext=(8, -12) if below else (-8, 8),
            textcoords="offset points",
            ha="left" if below else "right",
            fontsize=BIG,
        )
    axes.set(
        yscale="log", xlabel="records in the group, $K$", ylabel=r"$\delta$ of the group over $\delta$ of a record"
    )
    axes.set_xlim(1, table["count"].max())
    return figure
