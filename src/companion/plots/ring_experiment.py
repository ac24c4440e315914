"""Draw the figures of the page on the ring: eight budgets, loss and coverage, coverage by domain and by start."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from companion.drawing import BIG, SMALL, colour, label, line, number
from companion.style import LINESTYLES, MARKERS, new_figure, roles

__all__ = ["draw_coverage_by_domain", "draw_coverage_by_start", "draw_eight_budgets", "draw_ring_metrics"]

ORDER = ["clip", "tanh", "released", "successors", "mollification"]
NAMES = {
    "clip": "as printed, clip",
    "tanh": "as printed, tanh",
    "released": "as released",
    "successors": "sigmoid",
    "mollification": "mollification",
}
DOMAINS = {
    "ring": "ring, radius 4",
    "small-ring": "ring, radius 1",
    "mixture-sd": "1D mixture",
    "random-1d": "random 1D, mean",
}
ANGLES = 2 * np.pi * np.arange(8) / 8


def draw_eight_budgets(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the density of each budget, four a row, as printed above as released; all on one logarithmic scale."""
    levels = sorted(table["eps"].unique(), reverse=True)
    shown = [name for name in table.columns if name in ORDER]
    across = 4
    blocks = [levels[start : start + across] for start in range(0, len(levels), across)]
    rows = len(blocks) * len(shown)
    figure, panels = new_figure(rows, across, aspect=0.29 * rows + 0.1, squeeze=False)
    norm = Normalize(-5, -0.6, clip=True)
    for block, chosen in enumerate(blocks):
        for column, level in enumerate(chosen):
            here = table[table["eps"] == level]
            for place, name in enumerate(shown):
                axes = panels[block * len(shown) + place, column]
                square = here.pivot(index="y", columns="x", values=name)
                x, y = square.columns.to_numpy(), square.index.to_numpy()
                half = (x[1] - x[0]) / 2
                image = axes.imshow(
                    square.to_numpy(),
                    origin="lower",
                    extent=(x[0] - half, x[-1] + half, y[0] - half, y[-1] + half),
                    norm=norm,
                    cmap="cividis",
                    interpolation="bilinear",
                )
                dots = {"s": 22, "facecolors": "none", "edgecolors": "white", "linewidths": 0.8, "marker": "o"}
                axes.scatter(4 * np.cos(ANGLES), 4 * np.sin(ANGLES), **dots)
                axes.set(xticks=[], yticks=[])
                axes.grid(visible=False)
                axes.spines[["top", "right", "bottom", "left"]].set_visible(False)
                axes.set_xlabel(f"spends {number(facts[f'spent_{name}_{level:g}'])}", fontsize=SMALL)
                if place == 0:
                    axes.set_title(rf"$\varepsilon={level:g}$", fontsize=BIG)
                if column == 0:
                    axes.set_ylabel(NAMES[name].replace("as printed, ", "printed, "), fontsize=BIG)
    bar = figure.colorbar(image, ax=panels.ravel().tolist(), location="bottom", extend="min", aspect=45, pad=0.02)
    bar.set_ticks([-5, -4, -3, -2, -1], labels=["$10^{-5}$", "$10^{-4}$", "$10^{-3}$", "$10^{-2}$", "$10^{-1}$"])
    bar.set_label("density per unit area (one scale for all panels)", fontsize=SMALL)
    bar.outline.set_visible(False)
    return figure


def _variants(table: pd.DataFrame) -> list[str]:
    return [name for name in ORDER if name in set(table["variant"])]


def _curves(axes: Axes, table: pd.DataFrame, column: str, *, names: bool) -> None:
    """Draw one line a variant: the mean over the places, with a band from the least to the largest."""
    for name in _variants(table):
        index, rows = ORDER.index(name), table[table["variant"] == name]
        recipes = list(dict.fromkeys(rows["recipe"]))
        spread = rows[rows["recipe"] == recipes[-1]].groupby("eps")[column]
        axes.fill_between(
            spread.min().index, spread.min(), spread.max(), color=colour(index), alpha=0.25, linewidth=0, zorder=1
        )
        mean = rows[rows["recipe"] == recipes[0]].groupby("eps")[column].mean()
        line(axes, mean.index, mean, index=index, linewidth=2, label=NAMES[name] if names else None)
        own = rows[(rows["recipe"] == recipes[0]) & (rows["eps"] > 0)]
        if name != "mollification":
            axes.plot(own["eps"], own[column], linestyle="", marker=MARKERS[index], markersize=3.5, color=colour(index))


def draw_ring_metrics(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw loss and coverage against the budget: lines through the repeats, bands over seeds, and what limits them."""
    figure, (upper, lower) = new_figure(2, 1, aspect=1.0, sharex=True)
    _curves(upper, table, "nll", names=True)
    _curves(lower, table, "coverage", names=False)
    eps = np.linspace(0, table["eps"].max(), 101)
    third = (eps / (eps + 4 * np.log(2))) ** 3
    cap = facts["nll_q0"] - eps / 2 * (1 - third)
    upper.fill_between(eps, cap, facts["nll_q0"], color=roles().fill, linewidth=0, zorder=0.4)
    upper.axhline(facts["nll_q0"], color=roles().muted, linewidth=1.2, linestyle="-")
    lower.axhline(facts["coverage_q0"], color=roles().muted, linewidth=1.2, linestyle="-")
    lower.axhline(0.95, color=roles().muted, linewidth=1.2, linestyle=":")
    label(upper, 5, facts["nll_q0"], "$Q_0$", ha="right", va="bottom", fontsize=BIG)
    label(upper, 4.95, float(cap[-1]) + 0.35, "allowed as printed", ha="right", va="bottom", fontsize=SMALL)
    label(lower, 5, facts["coverage_q0"], "$Q_0$", ha="right", va="bottom", fontsize=BIG)
    label(lower, 0.1, 0.95, "0.95, the score of $P$ itself", va="bottom", fontsize=SMALL)
    upper.set(ylabel=r"$-\mathbb{E}_P\log Q_T$ (nats)", ylim=(3.4, 10.6))
    lower.set(yscale="log", ylabel="mode coverage (share of $P$)", xlabel=r"budget $\varepsilon$", ylim=(4e-4, 1.9))
    upper.legend(fontsize=SMALL, loc="lower left")
    return figure


def draw_coverage_by_domain(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw both formulas of coverage on four domains: as the words mean it above, as the formula is printed below."""
    figure, panels = new_figure(2, len(DOMAINS), aspect=0.66, sharex=True, sharey=True)
    for place, (name, title) in enumerate(DOMAINS.items()):
        rows = table[table["domain"] == name]
        for axes, column in zip(panels[:, place], ("coverage", "coverage_printed"), strict=True):
            for variant in _variants(rows):
                index = ORDER.index(variant)
                mean = rows[rows["variant"] == variant].groupby("eps")[column].mean()
                line(axes, mean.index, mean, index=index, linewidth=2, label=NAMES[variant])
            axes.axhline(0.95, color=roles().muted, linewidth=1, linestyle=":")
            axes.set(xscale="symlog", xlim=(0, 5.5), ylim=(0, 1.06))
            axes.set_xscale("symlog", linthresh=0.5, linscale=0.7)
            axes.set_xticks([0, 0.5, 1, 2, 5], labels=["0", "½", "1", "2", "5"])
            axes.minorticks_off()
        panels[0, place].set_title(title, fontsize=BIG)
        panels[1, place].set_xlabel(r"$\varepsilon$", fontsize=BIG)
    panels[0, 0].set_ylabel(r"words: $P(q\geq t)$", fontsize=BIG)
    panels[1, 0].set_ylabel("formula: $P(q<t)$", fontsize=BIG)
    handles, texts = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, texts, loc="outside lower center", ncols=4, fontsize=SMALL)
    return figure


def draw_coverage_by_start(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the printed coverage on the 1D mixture from several references, one line each, tanh."""
    figure, axes = new_figure(aspect=0.62)
    chosen = table[(table["variant"] == "tanh") & (table["domain"] == "mixture-sd")]
    for index in sorted(set(chosen["place_0"].astype(int))):
        rows = chosen[chosen["place_0"] == index]
        first = rows.iloc[0]
        held = facts[f"held_{index}"] > 0.5
        ordered = rows.sort_values("eps")
        text = f"$N({first['mean']:g},{first['variance']:g})$, " + ("covers $P$" if held else "misses $P$")
        line(
            axes,
            ordered["eps"],
            ordered["coverage_printed"],
            color=colour(index),
            linestyle=LINESTYLES[index],
            linewidth=2.2,
            marker=MARKERS[index],
            markersize=5,
            label=text,
        )
    axes.set_xscale("symlog", linthresh=0.5, linscale=0.7)
    axes.set_xticks([0, 0.5, 1, 2, 5], labels=["0", "½", "1", "2", "5"])
    axes.minorticks_off()
    axes.set(xlabel=r"budget $\varepsilon$", ylabel="coverage by the printed formula", ylim=(0, 1.06), xlim=(0, 5.5))
    axes.legend(fontsize=SMALL, loc="lower right")
    return figure
