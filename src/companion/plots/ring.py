"""Draw the figures of the page on the ring: densities, log-ratios by round, and samples beside their law."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, Normalize, PowerNorm
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from companion.drawing import BIG, SMALL, colour, label, line
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_densities", "draw_log_ratios", "draw_samples"]

#: The modes of the target, to be marked.
ANGLES = 2 * np.pi * np.arange(8) / 8
MODES = 4 * np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])


def _image(axes: Axes, rows: pd.DataFrame, column: str, norm: Normalize) -> AxesImage:
    """Show one column of a table over x and y as an image."""
    square = rows.pivot(index="y", columns="x", values=column)
    x, y = square.columns.to_numpy(), square.index.to_numpy()
    step = (x[1] - x[0]) / 2
    extent = (x[0] - step, x[-1] + step, y[0] - step, y[-1] + step)
    shown = axes.imshow(
        square.to_numpy(), origin="lower", extent=extent, norm=norm, cmap="cividis", interpolation="nearest"
    )
    axes.set(xticks=[], yticks=[])
    axes.grid(visible=False)
    axes.spines[["top", "right", "bottom", "left"]].set_visible(False)
    return shown


def _modes(axes: Axes) -> None:
    """Mark where the modes of the target are."""
    axes.scatter(MODES[:, 0], MODES[:, 1], s=30, facecolors="none", edgecolors="white", linewidths=0.8, marker="o")


def draw_densities(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw target and reference, and for each level the learned density above the projection, on one scale."""
    levels = sorted(table["eps"].unique())
    figure, panels = new_figure(2, 1 + len(levels), aspect=0.66)
    columns = ["target", "reference", "learned", "projected"]
    top = float(table[columns].max().max())
    norm = LogNorm(1e-5, top, clip=True)
    first = table[table["eps"] == levels[0]]
    shown = _image(panels[0, 0], first, "target", norm)
    _image(panels[1, 0], first, "reference", norm)
    panels[0, 0].set_title("target $P$", fontsize=BIG)
    panels[1, 0].set_title("reference $Q_0$", fontsize=BIG)
    for place, level in enumerate(levels, start=1):
        rows = table[table["eps"] == level]
        _image(panels[0, place], rows, "learned", norm)
        _image(panels[1, place], rows, "projected", norm)
        panels[0, place].set_title(rf"$Q_T$, $\varepsilon={level:g}$", fontsize=BIG)
        panels[0, place].set_xlabel(f"gain {facts[f'delta_{level:g}']:.2f} nats")
        panels[1, place].set_xlabel(f"gain {facts[f'delta_projection_{level:g}']:.2f} nats")
        panels[1, place].set_title(rf"$\hat P$, $\varepsilon={level:g}$", fontsize=BIG)
    for axes in panels.ravel():
        _modes(axes)
    bar = figure.colorbar(shown, ax=panels.ravel().tolist(), location="bottom", extend="min", aspect=45, pad=0.02)
    bar.set_label("density per unit area (one scale for all panels)", fontsize=SMALL)
    bar.outline.set_visible(False)
    return figure


def draw_log_ratios(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the largest log-ratio after each round and what is promised, in percent of half the level."""
    figure, axes = new_figure(aspect=0.66)
    last = int(table["t"].max())
    boundings = list(dict.fromkeys(table["bounding"]))
    for index, (level, rows) in enumerate(table.groupby("eps")):
        promised = rows[rows["bounding"] == boundings[0]]
        shares = 100 * promised["promised"] / promised["half"]
        line(axes, promised["t"], shares, index=index, linewidth=1.5)
        label(
            axes,
            0.82,
            float(shares.iloc[0]),
            rf"$\varepsilon={level:g}$",
            colour(index),
            ha="right",
            va="center",
            fontsize=BIG,
        )
        for place, name in enumerate(boundings):
            seen = rows[rows["bounding"] == name]
            face = colour(index) if place == 0 else "none"
            axes.plot(
                seen["t"] + 0.05 * (2 * place - 1),
                100 * seen["observed"] / seen["half"],
                linestyle="",
                color=colour(index),
                marker=MARKERS[place],
                markersize=8,
                markerfacecolor=face,
                markeredgewidth=1.6,
                markeredgecolor=colour(index),
            )
    axes.axhline(100, color=roles().ink, linewidth=1.2, linestyle="-")
    axes.set(xlim=(0.35, last + 0.35), ylim=(0, 112), xticks=range(1, last + 1), xlabel="round $t$")
    axes.set_ylabel(r"$\sup\,|\log\,Q_t/Q_0|$, % of $\varepsilon/2$")
    for place, name in enumerate(boundings):
        axes.plot(
            [],
            [],
            linestyle="",
            color=roles().ink,
            marker=MARKERS[place],
            markersize=8,
            markerfacecolor=roles().ink if place == 0 else "none",
            markeredgewidth=1.6,
            markeredgecolor=roles().ink,
            label=f"observed, {name}",
        )
    axes.plot([], [], color=roles().ink, linestyle="-", linewidth=1.5, marker="", label="promised")
    axes.legend(loc="lower right", fontsize=BIG)
    label(axes, 0.4, 100, r"$\varepsilon/2$", xytext=(0, 3), textcoords="offset points", va="bottom", fontsize=BIG)
    return figure


def draw_samples(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw for each level the counts of exact samples beside the counts expected, on one scale."""
    levels = sorted(table["eps"].unique())
    figure, panels = new_figure(2, len(levels), aspect=0.84)
    norm = PowerNorm(0.5, 0, float(table[["count", "expected"]].max().max()))
    for place, level in enumerate(levels):
        rows = table[table["eps"] == level]
        shown = _image(panels[0, place], rows, "count", norm)
        _image(panels[1, place], rows, "expected", norm)
        panels[0, place].set_title(rf"$\varepsilon={level:g}$", fontsize=BIG)
        label(
            panels[1, place],
            0.5,
            -0.04,
            rf"$\chi^2={facts[f'chi_{level:g}']:.0f}$, limit "
            f"{facts[f'critical_{level:g}']:.0f}",
            ha="center",
            va="top",
            transform=panels[1, place].transAxes,
        )
    panels[0, 0].set_ylabel("drawn", fontsize=BIG)
    panels[1, 0].set_ylabel("expected", fontsize=BIG)
    bar = figure.colorbar(shown, ax=panels.ravel().tolist(), location="bottom", aspect=45, pad=0.03)
    bar.set_label("draws per bin", fontsize=SMALL)
    bar.outline.set_visible(False)
    return figure
