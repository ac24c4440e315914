"""Draw the figures of the page on the bootstrapping experiments: errors by bins, losses, the noise in one count."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from companion.drawing import colour, label, line, number
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_figure_one", "draw_losses", "draw_noise"]

#: Words for each variant.
WORDS = {
    "none": "no privacy",
    "recipe": "mechanism, Corollary 3",
    "theorem": "mechanism, Theorem 2",
    "exact": "mechanism, exact",
    "smoothed": "smoothed (pure DP)",
    "perturbed": "Laplace (pure DP)",
    "clipped": "Laplace, clipped (pure DP)",
    "exponential": "exponential (pure DP)",
    "discrete-laplace": "discrete Laplace",
    "gaussian": "Gaussian",
    "discrete-gaussian": "discrete Gaussian",
    "opendp": "discrete Gaussian, OpenDP's scale",
    "raw": "raw records",
}
#: Colour and line style by variant, the same in every figure.
LOOKS = {
    "exact": 0,
    "theorem": 1,
    "recipe": 2,
    "perturbed": 3,
    "smoothed": 4,
    "exponential": 5,
    "gaussian": 3,
    "opendp": 5,
}


def _beside(axes: Axes, ends: list[tuple[float, str, str]], gap: float) -> None:
    """Write the words right of the lines' ends, moved apart to at least `gap` in the share of the axis."""
    low, high = np.log10(axes.get_ylim())
    ordered = sorted((float((np.log10(end) - low) / (high - low)), words, ink) for end, words, ink in ends)
    places = [place for place, _, _ in ordered]
    for index in range(1, len(places)):
        places[index] = max(places[index], places[index - 1] + gap)
    shift = max(0.0, places[-1] - 1.0)
    if shift:
        places[-1] -= shift
        for index in range(len(places) - 2, -1, -1):
            places[index] = min(places[index], places[index + 1] - gap)
    for place, (_, words, ink) in zip(places, ordered, strict=True):
        label(axes, 1.015, place, words, ink, va="center", transform=axes.transAxes, clip_on=False)


def draw_figure_one(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the mean error against the number of bins, with bands from 10 % to 90 %, one panel a level."""
    shown = ("smoothed", "recipe", "theorem", "exponential", "perturbed", "exact")
    levels = sorted(table["eps"].unique())
    figure, panels = new_figure(len(levels), 1, aspect=0.58 * len(levels), sharex=True, squeeze=False)
    for axes, level in zip(panels[:, 0], levels, strict=True):
        rows = table[table["eps"] == level]
        axes.set(xscale="log", yscale="log", ylabel="KS distance to the truth", ylim=(0.0045, 0.9))
        ends = []
        for variant in ("none", *shown):
            curve = rows[rows["variant"] == variant].sort_values("bins")
            if variant == "none":
                line(axes, curve["bins"], curve["mean"], color=roles().ink, linestyle="-", linewidth=1.0)
                ink = roles().ink
            else:
                index = LOOKS[variant]
                ink = colour(index)
                axes.fill_between(curve["bins"], curve["low"], curve["high"], color=ink, alpha=0.14, linewidth=0)
                line(axes, curve["bins"], curve["mean"], index=index, marker=MARKERS[index % len(MARKERS)])
            ends.append((float(curve["mean"].iloc[-1]), WORDS[variant], ink))
        axes.set_title(rf"$\epsilon={level:g}$")
        _beside(axes, ends, 0.068)
        bins = sorted(rows["bins"].unique())
        axes.set_xticks(bins, [f"{size}" for size in bins])
        axes.minorticks_off()
        ticks = [0.01, 0.03, 0.1, 0.3]
        axes.set_yticks(ticks, [number(tick) for tick in ticks])
    panels[-1, 0].set_xlabel("bins $s$")
    return figure


def draw_losses(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the error over that without privacy, one row a variant, one mark a level."""
    levels = sorted(table["eps"].unique())
    wide = table.pivot_table(index="variant", columns="eps", values="ratio").sort_values(levels[0])
    figure, axes = new_figure(aspect=0.62)
    for place, (variant, row) in enumerate(wide.iterrows()):
        ours = variant in ("recipe", "theorem", "exact")
        ink = colour(0) if ours else roles().muted
        axes.plot([row[at] for at in levels], [place] * len(levels), color=ink, linewidth=1.2, marker="", linestyle="-")
        for level, marker, face in zip(levels, MARKERS, (ink, roles().background), strict=False):
            axes.plot(
                row[level], place, marker=marker, color=ink, markerfacecolor=face, markersize=8, markeredgewidth=1.6
            )
    axes.axvline(1.0, color=roles().ink, linewidth=1)
    words = {**WORDS, "raw": f"{facts['raw']} raw records"}
    axes.set_yticks(range(len(wide)), [words[str(variant)] for variant in wide.index])
    axes.set(xscale="log", xlabel="KS distance, times that without privacy", xlim=(0.9, 1.6 * float(wide.max().max())))
    ticks = [tick for tick in (1, 2, 5, 10, 20, 50) if tick < 1.6 * float(wide.max().max())]
    axes.set_xticks(ticks, [f"{tick}" for tick in ticks])
    axes.minorticks_off()
    top = wide.iloc[-1]
    for level in levels:
        label(axes, float(top[level]), len(wide) - 1.28, rf"$\epsilon={level:g}$", ha="center", va="top")
    axes.set_ylim(-0.6, len(wide) - 0.3)
    return figure


def draw_noise(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the noise that one count receives against the level, with the sampling error of the largest count."""
    shown = ("smoothed", "recipe", "theorem", "exact", "perturbed", "opendp")
    figure, axes = new_figure(aspect=0.62)
    low, high = float(table["eps"].min()), float(table["eps"].max())
    axes.set(xscale="log", yscale="log", xlim=(low, high), ylim=(0.25, 3000))
    axes.axhspan(0.25, facts["sampling"], color=roles().fill, linewidth=0, zorder=0.4)
    label(axes, low * 1.06, 0.33, "shaded: less than the sampling\nerror of the largest count", va="bottom")
    ends = []
    for variant in shown:
        curve = table[table["variant"] == variant].sort_values("eps")
        index = LOOKS[variant]
        line(axes, curve["eps"], curve["noise"], index=index)
        ends.append((float(curve["noise"].iloc[-1]), WORDS[variant], colour(index)))
    curve = table[table["variant"] == "gaussian"].sort_values("eps")
    axes.plot(curve["eps"], curve["noise"], linestyle="", marker="o", color=roles().ink, markersize=4)
    ends.append((float(curve["noise"].iloc[-1]) * 0.99, "Gaussian (dots)", roles().ink))
    _beside(axes, ends, 0.062)
    ticks = [tick for tick in (0.1, 0.2, 0.5, 1, 2, 5, 10) if low <= tick <= high]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    axes.set(xlabel=r"$\epsilon$ (nats)", ylabel="noise in one count (records)")
    axes.set_yticks([1, 10, 100, 1000], ["1", "10", "100", "1000"])
    return figure
