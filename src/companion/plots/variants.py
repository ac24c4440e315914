"""Draw the readings of MBDE side by side: densities on the ring, log-ratios on the line, gains, budgets spent."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from companion.drawing import BIG, SMALL, band, colour, label, line
from companion.plots.ring import MODES
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_budgets", "draw_gains", "draw_line_ratios", "draw_ring_pictures"]

#: Each variant's place in the palette and its words.
INDEX = {"clip": 0, "tanh": 5, "successors": 3, "released": 4}
WORDS = {
    "projection": "closest member $\\hat P$",
    "clip": "printed (clip)",
    "tanh": "printed (tanh)",
    "successors": "successors'",
    "released": "released",
}
DOMAINS = {"ring": "ring", "mixture-sd": "1D mixture"}


def draw_ring_pictures(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the densities, a row a budget, a column a variant, on one logarithmic scale, with gain and budget spent."""
    levels, names = sorted(table["eps"].unique()), ["projection", "clip", "successors", "released"]
    figure, panels = new_figure(len(levels), len(names), aspect=0.98)
    norm = Normalize(-5.0, float(table[names].max().max()))
    shown = None
    for row, level in enumerate(levels):
        rows = table[table["eps"] == level]
        for column, name in enumerate(names):
            axes = panels[row, column]
            square = rows.pivot(index="y", columns="x", values=name)
            x = square.columns.to_numpy()
            edge = float(x[-1] + (x[1] - x[0]) / 2)
            shown = axes.imshow(
                square.to_numpy(), origin="lower", extent=(-edge, edge, -edge, edge), norm=norm, cmap="cividis"
            )
            axes.scatter(MODES[:, 0], MODES[:, 1], s=26, facecolors="none", edgecolors="white", linewidths=0.8)
            axes.set(xticks=[], yticks=[])
            axes.grid(visible=False)
            axes.spines[:].set_visible(False)
            gain, used = facts[f"gain_{name}_{level:g}"], facts[f"spent_{name}_{level:g}"]
            axes.set_xlabel(f"gains {gain:.2f}, spends {used:.2f}", fontsize=8.5)
            if row == 0:
                axes.set_title(WORDS[name], fontsize=BIG)
        panels[row, 0].set_ylabel(rf"$\varepsilon={level:g}$", fontsize=BIG)
    assert shown is not None
    bar = figure.colorbar(shown, ax=panels.ravel().tolist(), location="bottom", extend="min", aspect=45, pad=0.02)
    bar.set_label("$\\log_{10}$ of the density per unit area (one scale for all panels)", fontsize=SMALL)
    bar.outline.set_visible(False)
    return figure


def draw_line_ratios(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw log Q/Q0 in units of eps/2 along the line for each budget: a band from -1 to 1 is what is allowed."""
    levels = sorted(table["eps"].unique())
    figure, panels = new_figure(1, len(levels), aspect=0.52, sharey=True)
    for axes, level in zip(panels, levels, strict=True):
        rows = table[table["eps"] == level]
        band(axes, -1, 1, strong=True)
        for name in ("released", "clip", "successors"):
            line(axes, rows["x"], rows[name] / (level / 2), index=INDEX[name], linestyle="-", linewidth=2)
        line(axes, rows["x"], rows["projection"] / (level / 2), color=roles().ink, linestyle=":", linewidth=1.4)
        axes.set_title(rf"$\varepsilon={level:g}$", fontsize=BIG)
        axes.set(xlabel="$x$", xlim=(-3, 3), xticks=[-2, 0, 2])
    panels[0].set_ylabel(r"$\log\,(Q_3/Q_0)$ in units of $\varepsilon/2$")
    label(panels[0], -2.9, 0.92, "allowed", va="top", fontsize=BIG)
    words = panels[0]
    for name in ("released", "clip", "successors"):
        words.plot([], [], color=colour(INDEX[name]), linestyle="-", marker="", linewidth=2, label=WORDS[name])
    words.plot([], [], color=roles().ink, linestyle=":", marker="", label=WORDS["projection"])
    figure.legend(*words.get_legend_handles_labels(), loc="outside lower center", ncols=4, fontsize=SMALL)
    return figure


def _panel(axes: Axes, rows: pd.DataFrame, column: str, recipe: str) -> None:
    """Draw medians over the repeats against eps with the range of the repeats, for each variant."""
    for name, index in INDEX.items():
        runs = rows[(rows["variant"] == name) & (rows["recipe"] == recipe)]
        if runs.empty:
            continue
        seen = runs.groupby("eps")[column].agg(["median", "min", "max"])
        axes.fill_between(seen.index, seen["min"], seen["max"], color=colour(index), alpha=0.3, linewidth=0)
        hollow = name == "tanh"
        axes.plot(
            seen.index,
            seen["median"],
            color=colour(index),
            linestyle="--" if hollow else "-",
            marker=MARKERS[list(INDEX).index(name)],
            markersize=6 if hollow else 7,
            label=WORDS[name],
        )


def _own(axes: Axes, rows: pd.DataFrame, column: str) -> None:
    """Mark the medians of runs that were trained by each variant's own recipe, where there are any."""
    for name, index in INDEX.items():
        runs = rows[(rows["variant"] == name) & (rows["recipe"] == "own")]
        if not runs.empty:
            seen = runs.groupby("eps")[column].median()
            axes.plot(
                seen.index, seen, linestyle="", marker="o", markersize=11, markerfacecolor="none",
                markeredgewidth=1.4, markeredgecolor=colour(index),
            )  # fmt: skip


def draw_gains(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the gain as a share of eps/2 against eps: above one no member of the mollifier can be."""
    figure, panels = new_figure(1, 2, aspect=0.62, sharey=True)
    for axes, (name, words) in zip(panels, DOMAINS.items(), strict=True):
        rows = table[table["domain"] == name].copy()
        rows["share"] = rows["gain"] / (rows["eps"] / 2)
        bounds = rows[rows["recipe"] == "none"]
        top = 16.0
        axes.axhspan(1, top, color=roles().grid, alpha=0.45, linewidth=0)
        axes.axhline(1, color=roles().ink, linewidth=1.4, linestyle="-")
        _panel(axes, rows, "share", "fast")
        _own(axes, rows, "share")
        for key, style, text in (("mollification", ":", "closest member"), ("family", "-.", "best of MBDE, $T=3$")):
            curve = bounds[bounds["variant"] == key]
            line(
                axes,
                curve["eps"],
                curve["share"],
                color=roles().ink,
                linestyle=style,
                linewidth=1.5,
                zorder=4,
                label=text,
            )
        axes.set(xscale="log", yscale="log", xlabel=r"$\varepsilon$", ylim=(0.2, top))
        ticks = sorted(rows["eps"].unique())
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.minorticks_off()
        axes.set_yticks([0.25, 0.5, 1, 2, 5, 10], ["0.25", "0.5", "1", "2", "5", "10"])
        axes.set_title(words, fontsize=BIG)
    panels[0].set_ylabel(r"gain $\Delta$ in units of $\varepsilon/2$")
    label(panels[0], min(table["eps"]), 14.5, r"above $\varepsilon/2$: outside", va="top", fontsize=SMALL)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize=SMALL)
    return figure


def draw_budgets(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the budget that runs show to be spent, and the level that hard pairs reach, against eps."""
    figure, panels = new_figure(1, 2, aspect=0.66, sharey=True)
    low, high = float(table["eps"].min()), float(table["eps"].max())
    for axes, (name, words) in zip(panels, DOMAINS.items(), strict=True):
        rows = table[table["domain"] == name]
        ends = [0.8 * low, 1.25 * high]
        axes.fill_between(ends, ends, [60, 60], color=roles().grid, alpha=0.45, linewidth=0)
        axes.plot(ends, ends, color=roles().ink, linewidth=1.6, linestyle="-", marker="")
        runs, pairs = rows[rows["kind"] == "run"], rows[rows["kind"] == "pair"]
        _panel(axes, runs, "level", "fast")
        _own(axes, runs, "level")
        for variant, index in INDEX.items():
            worst = pairs[pairs["variant"] == variant].groupby("eps")["level"].max()
            if not worst.empty:
                axes.plot(
                    worst.index, worst, linestyle="", marker="x", markersize=8, markeredgewidth=2, color=colour(index)
                )
        axes.set(xscale="log", yscale="log", xlabel=r"budget asked for, $\varepsilon$ (nats)")
        axes.set(xlim=ends, ylim=(0.05, 60))
        ticks = sorted(rows["eps"].unique())
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.minorticks_off()
        axes.set_yticks([0.1, 0.25, 1, 5, 20], ["0.1", "0.25", "1", "5", "20"])
        axes.set_title(words, fontsize=BIG)
    panels[0].set_ylabel("budget that the output shows (nats)")
    label(panels[0], 0.85 * low, 45, "overspent", va="top", fontsize=BIG)
    label(panels[0], 1.2 * high, 0.065, r"line: spent $=\varepsilon$", ha="right", fontsize=SMALL)
    panels[0].plot(
        [], [], linestyle="", marker="x", markersize=8, markeredgewidth=2, color=roles().ink, label="worst pair"
    )
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize=SMALL)
    return figure
