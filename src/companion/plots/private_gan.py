"""Draw the figures of the page on private GANs: modes by noise and by training, accounting, and the comparison."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from companion.drawing import BIG, SMALL, colour, label, line
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_accounting", "draw_losses", "draw_noises", "draw_panels", "draw_trainings"]

#: Share of the target within two standard deviations of its modes.
FULL = 1 - math.exp(-2)
#: Spread of the seeds of one group along the axis, in units of the distance of two groups.
SPREAD = 0.6

TITLES = {
    "target": ("target $P$", ""),
    "clip": (r"MBDE, $\varepsilon=0.25$", "as described (clip)\nwhole input, local, one draw"),
    "projection": (r"best of the mollifier, $\varepsilon=0.25$", "mollification of $P$\nwhole input, local, one draw"),
    "released": ("MBDE, nominal 0.25", "released code, no bound\nno level follows"),
    "dpb-published": (r"private KDE, $\varepsilon=100$", "published noise\none record, central, density"),
    "dpb-exact": (r"private KDE, $\varepsilon=100$", "exact noise\none record, central, density"),
    "gan-formula": ("DPGAN, nominal 5000", "formula's noise, our training\none record, central, generator"),
    "gan-defaults": ("DPGAN, nominal 5000", "formula's noise, WGAN's defaults\none record, central, generator"),
    "gan-accounted": ("DPGAN, accounted", "{level}, $\\delta=0.1$\none record, central, generator"),
}
NAMES = {
    "clip": "MBDE 0.25, clip",
    "tanh": "MBDE 0.25, tanh",
    "projection": "mollification, 0.25",
    "released": "MBDE 0.25, released",
    "dpb-published": "DPB 100, published noise",
    "dpb-exact": "DPB 100, exact noise",
    "gan-formula": "DPGAN, formula's noise",
    "gan-accounted": "DPGAN, accounted",
}


def _strips(groups: list[tuple[str, pd.DataFrame]], aspect: float) -> Figure:
    """Draw modes covered (above) and share of draws near a mode (below) by group, one point a seed."""
    figure, (upper, lower) = new_figure(2, 1, aspect=aspect, sharex=True)
    for place, (_, rows) in enumerate(groups):
        offsets = np.linspace(-SPREAD / 2, SPREAD / 2, len(rows)) if len(rows) > 1 else np.zeros(1)
        for index, (axes, column) in enumerate(((upper, "modes"), (lower, "near"))):
            ordered = np.sort(rows[column].to_numpy())
            axes.plot(place + offsets, ordered, linestyle="", marker=MARKERS[index], color=colour(index), markersize=5)
    upper.axhline(8, color=roles().muted, linewidth=1, linestyle="-")
    lower.axhline(FULL, color=roles().muted, linewidth=1, linestyle="-")
    label(lower, -0.45, FULL + 0.02, "the target", va="bottom")
    upper.set(ylabel="modes covered, of 8", ylim=(-0.4, 8.6), yticks=range(0, 9, 2))
    lower.set(ylabel="draws near a mode", ylim=(0, 1.05), xlim=(-0.5, len(groups) - 0.5))
    lower.yaxis.set_major_formatter(PercentFormatter(1.0))
    lower.set_xticks(range(len(groups)), [name for name, _ in groups])
    return figure


def _level(low: float, high: float) -> str:
    """Write a level or a bracket: powers of ten where it is large."""
    if high < 1000:
        return rf"$\varepsilon={high:.2g}$" if high > 0 else r"$\varepsilon=0$"
    power = math.floor(math.log10(high))
    return rf"$\varepsilon={high / 10**power:.1f}\cdot10^{{{power}}}$"


def draw_noises(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw modes and share near a mode for each noise multiplier, with the level of the whole run below."""
    groups = []
    for index, (noise, rows) in enumerate(table.groupby("noise", sort=True)):
        low, high = float(rows["eps_low"].iloc[0]), float(rows["eps_high"].iloc[0])
        first = "formula" if index == 0 else rf"$\sigma={noise:g}$"
        groups.append((f"{first}\n{_level(low, high)}", rows))
    figure = _strips(groups, 0.72)
    figure.axes[1].set_xlabel(r"noise multiplier, and level of all critic steps at $\delta=0.1$ (one record, central)")
    for text in figure.axes[1].get_xticklabels():
        text.set_fontsize(9 if len(groups) < 7 else 7.5)
    return figure


def draw_trainings(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw modes and share near a mode for each way to train, at one noise."""
    names = list(dict.fromkeys(table["training"]))
    figure = _strips([(name.replace(" ", "\n", 1), table[table["training"] == name]) for name in names], 0.66)
    figure.axes[1].set_xlabel("training (noise of the published formula at 5000)")
    return figure


def draw_accounting(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw what all steps spend at the published noise, against the level that was asked for."""
    figure, axes = new_figure(aspect=0.62)
    ends = np.array([table["claimed"].min(), table["claimed"].max()])
    axes.fill_between(table["claimed"], table["eps_low"], table["eps_high"], color=roles().fill, linewidth=0)
    line(axes, table["claimed"], table["eps_low"], index=0, marker=MARKERS[0], markersize=6)
    line(axes, table["claimed"], table["eps_high"], index=0, linestyle="-")
    line(axes, ends, ends, index=1)
    middle = table.iloc[len(table) // 2]
    steps = int(facts["steps"])
    label(
        axes,
        middle["claimed"] * 0.75,
        middle["eps_high"] * 1.5,
        f"spent by all {steps:,} steps",
        colour(0),
        ha="right",
        fontsize=BIG,
    )
    label(axes, ends[1], ends[1] / 3, "asked for", colour(1), ha="right", va="top", fontsize=BIG)
    axes.set(xscale="log", yscale="log", xlabel=r"level $\varepsilon$ put into the published formula")
    axes.set(ylabel=r"least $\varepsilon$ of the whole run, $\delta=0.1$")
    return figure


def draw_losses(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the loss of each contender, one point a seed, with the losses of N(0, I) and of the uniform density."""
    names = [name for name in NAMES if name in set(table["contender"])]
    figure, axes = new_figure(aspect=0.6)
    for place, name in enumerate(names):
        values = table[table["contender"] == name]["loss"].to_numpy()
        index = 0 if name in ("clip", "tanh", "projection") else 2 if name == "released" else 1
        heights = -place + np.linspace(-0.22, 0.22, len(values)) if len(values) > 1 else np.array([-place])
        axes.plot(values, heights, linestyle="", marker=MARKERS[index], color=colour(index), markersize=5.5)
    for value, text in (
        (facts["entropy"], "target itself"),
        (facts["uniform"], "uniform on\nthe square"),
        (facts["reference"], r"$N(0,I)$"),
    ):
        axes.axvline(value, color=roles().muted, linewidth=1.2, linestyle="--")
        label(axes, value, 0.75, text, ha="center", va="bottom", fontsize=SMALL)
    axes.set_yticks([-place for place in range(len(names))], [NAMES[name] for name in names])
    axes.tick_params(axis="y", labelsize=BIG)
    axes.grid(visible=False, axis="y")
    axes.set(xlabel=r"loss $-\mathbb{E}_P\log Q$ (nats)", ylim=(-len(names) + 0.4, 1.75), xlim=(3, 10.9))
    return figure


def draw_panels(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw target and contenders in one picture, each on its own scale, with the unit of its privacy below."""
    figure, panels = new_figure(3, 3, aspect=1.3)
    level = rf"$\varepsilon={facts['accounted_level']:.2g}$ for all steps"
    for axes, (name, (title, unit)) in zip(panels.ravel(), TITLES.items(), strict=True):
        square = table.pivot(index="y", columns="x", values=name)
        axes.imshow(square.to_numpy(), origin="lower", extent=(-6.15, 6.15, -6.15, 6.15), cmap="cividis", vmin=0.0)
        axes.set(xticks=[], yticks=[])
        axes.grid(visible=False)
        axes.spines[["top", "right", "bottom", "left"]].set_visible(False)
        axes.set_title(title, fontsize=SMALL, loc="center")
        axes.set_xlabel(unit.replace("{level}", level), fontsize=8.5)
    return figure
