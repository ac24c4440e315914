"""Draw the figures of the page on what the papers leave open."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from companion.drawing import BIG, SMALL, colour, label, line
from companion.style import WIDTH, new_figure, roles

__all__ = ["draw_losses", "draw_outcomes", "draw_rounds", "draw_sensitivity"]

#: Names of the domains for readers.
NAMES = {
    "ring": "ring",
    "mixture-sd": "mixture, st. dev.",
    "mixture-variance": "mixture, variances",
    "random-1d": "random 1D",
    "random-2d": "random 2D",
}


def _rows(axes: Axes, titles: list[str], strong: set[int]) -> None:
    """Give the y axis one row a title, the first on top; a strong one begins a group."""
    axes.set_yticks(range(len(titles)), titles, fontsize=SMALL)
    axes.set_ylim(len(titles) - 0.4, -0.6)
    for place, tick in enumerate(axes.get_yticklabels()):
        tick.set_fontweight("bold" if place in strong else "normal")
    for place in strong - {0}:
        axes.axhline(place - 0.5, color=roles().muted, linewidth=0.8)


def _keys(axes: Axes, words: tuple[str, str], aspect: float) -> None:
    """Write what the circles and the squares are above the panel; `aspect` is that of the figure."""
    axes.set_title(" ")
    height, start = 1 + 0.16 / (WIDTH * aspect - 0.7), 0.01
    for index, word in enumerate(words):
        axes.plot([start], [height], "os"[index], color=colour(index), transform=axes.transAxes, clip_on=False)
        place = {"transform": axes.transAxes, "va": "center", "fontsize": BIG}
        label(axes, start + 0.04, height, word, colour(index), **place)
        start = 0.3


def draw_sensitivity(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw gain, budget spent and coverage at the largest budget, one row a setting, with the base as a line."""
    rows = table[table["eps"] == table["eps"].max()].reset_index(drop=True)
    strong = {int(place) for place in rows.index[rows["setting"].str.endswith("-base")]}
    figure, panels = new_figure(1, 3, aspect=0.16 + 0.034 * len(rows), sharey=True)
    eps = float(rows["eps"].iloc[0])
    columns = (
        ("share", 1.0, "gain / cap"),
        ("spent", 1 / eps, r"spent / $\varepsilon$"),
        ("coverage", 1.0, "coverage"),
    )
    for axes, (column, factor, title) in zip(panels, columns, strict=True):
        for place, row in rows.iterrows():
            at = int(str(place))
            base = max(start for start in strong if start <= at)
            middle, start = row[column] * factor, rows[column].iloc[base] * factor
            flat: dict[str, Any] = {"linestyle": "-", "marker": "", "solid_capstyle": "butt"}
            axes.plot([start, middle], [at, at], color=colour(0), linewidth=2.2, **flat)
            low, high = row[f"{column}_low"] * factor, row[f"{column}_high"] * factor
            axes.plot([low, high], [at, at], color=roles().ink, linewidth=4, alpha=0.45, **flat)
            solid = at in strong
            face = roles().ink if solid else colour(0)
            axes.plot([middle], [at], marker="D" if solid else "o", markersize=6, color=face, linestyle="")
        for first in strong:
            last = min([other for other in strong if other > first], default=len(rows)) - 1
            start = rows[column].iloc[first] * factor
            axes.plot([start, start], [first, last + 0.4], color=roles().muted, linewidth=1, linestyle=":", marker="")
        axes.set(xlim=(-0.04, 1.06), xlabel=title)
        axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
        axes.grid(axis="y", visible=False)
    _rows(panels[0], [str(title) for title in rows["title"]], strong)
    return figure


def draw_losses(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw how far the test loss of both recipes is above the least possible, one row a problem."""
    table = table.assign(excess=(table["loss"] - table["least"]).clip(lower=1e-5))
    kinds = list(dict.fromkeys(zip(table["domain"], table["problem"], strict=True)))
    order = sorted(kinds, key=lambda kind: kind[0])
    figure, axes = new_figure(aspect=0.2 + 0.045 * len(order))
    for index, (recipe, mark) in enumerate((("fast", "o"), ("printed", "s"))):
        for place, (name, problem) in enumerate(order):
            rows = table[(table["domain"] == name) & (table["problem"] == problem) & (table["variant"] == recipe)]
            at = [place + 0.16 * (2 * index - 1)] * len(rows)
            axes.plot(rows["excess"], at, marker=mark, color=colour(index), linestyle="", markersize=6, alpha=0.8)
    axes.set(xscale="log", xlabel="test loss above the least possible (nats)")
    strong = {place for place, kind in enumerate(order) if place == 0 or order[place - 1][0] != kind[0]}
    titles = [f"{NAMES[name]}: {problem.replace('released', 'raw logit')}" for name, problem in order]
    _rows(axes, titles, strong)
    for tick in axes.get_yticklabels():
        tick.set_fontweight("normal")
    _keys(axes, ("fast", "as printed"), 0.2 + 0.045 * len(order))
    return figure


def draw_outcomes(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw gain and budget spent of whole runs: each variant trained as its source says, and fast."""
    eps = float(table["eps"].max())
    rows = table[table["eps"] == eps]
    kinds = list(dict.fromkeys(zip(rows["domain"], rows["variant"], strict=True)))
    figure, panels = new_figure(1, 2, aspect=0.26 + 0.045 * len(kinds), sharey=True)
    for axes, column in zip(panels, ("gain", "spent"), strict=True):
        for place, (name, variant) in enumerate(kinds):
            runs = rows[(rows["domain"] == name) & (rows["variant"] == variant)]
            ends = [float(runs[f"{column}_{how}"].mean()) for how in ("own", "fast")]
            axes.plot(ends, [place, place], color=roles().muted, linewidth=1.5, linestyle="-", marker="")
            for index, how, mark in ((0, "fast", "o"), (1, "own", "s")):
                values = runs[f"{column}_{how}"]
                at = [place + 0.12 * (2 * index - 1)] * len(values)
                axes.plot(values, at, marker=mark, color=colour(index), linestyle="", markersize=5.5, alpha=0.8)
        axes.set_xlim(0, 1.06 * max(axes.get_xlim()[1], eps if column == "spent" else 0))
        axes.grid(axis="y", visible=False)
    panels[1].axvline(eps, color=roles().ink, linewidth=1.2, linestyle="--")
    label(panels[1], eps, 0.5, r"$\varepsilon$ ", ha="right", fontsize=BIG)
    panels[0].set_xlabel(rf"gain at $\varepsilon={eps:g}$ (nats)")
    panels[1].set_xlabel(r"$2\,\sup|\log\,Q_3/Q_0|$ (nats)")
    strong = {place for place, kind in enumerate(kinds) if place == 0 or kinds[place - 1][0] != kind[0]}
    _rows(panels[0], [f"{NAMES[name]}: {variant}" for name, variant in kinds], strong)
    for tick in panels[0].get_yticklabels():
        tick.set_fontweight("normal")
    panels[1].set_title(" ")
    _keys(panels[0], ("fast", "as its source says"), 0.26 + 0.045 * len(kinds))
    return figure


def draw_rounds(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the share of the longest run's gain against the number of rounds, for each budget."""
    figure, axes = new_figure(aspect=0.56)
    longest = int(table["rounds"].max())
    for index, (eps, rows) in enumerate(table.groupby("eps")):
        shift = 1.0 + 0.02 * (2 * index - 1)
        axes.scatter(
            rows["rounds"] * shift, rows["share"], s=22, color=colour(index), alpha=0.45, linewidths=0, zorder=3
        )
        theory = rows.drop_duplicates("rounds").sort_values("rounds")
        line(axes, theory["rounds"], theory["theory"], index=index, linewidth=2)
        words = rf"$\varepsilon={float(str(eps)):g}$: dots runs, line theory"
        label(axes, *((1.02, 0.94) if index == 0 else (2.1, 0.56)), words, colour(index), fontsize=BIG)
    axes.axvline(3, color=roles().muted, linewidth=1, linestyle=":")
    label(axes, 3.06, 0.32, "the papers' T", roles().muted, fontsize=BIG)
    ticks = sorted(table["rounds"].unique())
    axes.set(xscale="log", xlabel="boosting rounds T", ylabel=f"gain / gain of {longest} rounds", ylim=(0.25, 1.05))
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.xaxis.set_minor_formatter(NullFormatter())
    return figure
