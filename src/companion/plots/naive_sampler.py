"""Draw the figures of the page on the naive sampler."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from companion.drawing import BIG, SMALL, colour, label, line, tint
from companion.plots.hulls import CORNERS
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_hulls_by_level", "draw_losses_by_support", "draw_losses_of_random_laws"]


def draw_hulls_by_level(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the hull of randomised response and the relative mollifier on three points, one panel a level.

    Where they cross both are small: that panel is enlarged, with the whole triangle inset.
    """
    groups = list(table.groupby("root"))
    figure, panels = new_figure(1, len(groups), aspect=0.5)
    for axes, (_, rows) in zip(np.atleast_1d(panels), groups, strict=True):
        root = float(rows["root"].iloc[0])
        places = {name: part[["x1", "x2", "x3"]].to_numpy() @ CORNERS for name, part in rows.groupby("shape")}
        crossing = root < 2 and not math.isclose(root, 2)
        whole = axes.inset_axes((0.64, 0.5, 0.36, 0.34)) if crossing else axes
        for panel in (axes, whole) if crossing else (axes,):
            width = 1.0 if crossing and panel is whole else 2.2
            hull: dict[str, Any] = {"facecolor": tint(True), "edgecolor": colour(4), "linestyle": "--"}
            outline: dict[str, Any] = {"facecolor": "none", "edgecolor": colour(0)}
            panel.add_patch(Polygon(places["hull"], closed=True, linewidth=width, **hull))
            panel.add_patch(Polygon(places["relative"], closed=True, linewidth=width, **outline))
            panel.set(aspect="equal")
            panel.set_axis_off()
        whole.add_patch(Polygon(CORNERS, closed=True, fill=False, edgecolor=roles().muted, linewidth=1.2))
        for corner, name, side in zip(CORNERS, "123", ("right", "left", "center"), strict=True):
            whole.text(*corner, name, ha=side, va="bottom" if side == "center" else "top", fontsize=SMALL)
        whole.set(xlim=(-0.08, 1.08), ylim=(-0.12, 1.1))
        if crossing:
            axes.set(xlim=(0.22, 0.78), ylim=(0.1, 0.685))
        words = "equal" if math.isclose(root, 2) else "they cross" if crossing else "hull larger"
        text = rf"$\varepsilon={2 * math.log(root):.2f}$: {words}" + ("\n(enlarged)" if crossing else "")
        label(axes, 0.5, -0.02, text, ha="center", va="top", fontsize=BIG, transform=axes.transAxes)
    above: dict[str, Any] = {"fontsize": BIG, "va": "bottom"}
    first, second = np.atleast_1d(panels)[:2]
    label(first, 0.0, 1.0, "dashed: laws of the\nnaive sampler", colour(4), transform=first.transAxes, **above)
    label(second, 0.0, 1.0, "solid: mollifier around\nthe uniform law", colour(0), transform=second.transAxes, **above)
    return figure


def draw_losses_by_support(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the loss of the naive sampler and of the mollification against the number of points that P lives on."""
    groups = list(table.groupby("root"))
    figure, panels = new_figure(1, len(groups), aspect=0.55, sharey=True)
    for axes, (_, rows) in zip(np.atleast_1d(panels), groups, strict=True):
        root = float(rows["root"].iloc[0])
        line(axes, rows["j"], rows["uniform"], color=roles().muted, linestyle=":", linewidth=1.4)
        line(axes, rows["j"], rows["naive"], color=colour(4), linestyle="--", linewidth=2.2)
        line(axes, rows["j"], rows["relative"], color=colour(0), linestyle="-", linewidth=2.2)
        last = facts[f"last_{root:g}"]
        axes.axvspan(1, last + 0.5, color=tint(False), linewidth=0, zorder=0.5)
        axes.set(xscale="log", xlim=(1, facts["size"]), ylim=(0, None), xlabel="points that $P$ lives on")
        axes.set_title(rf"$\varepsilon={2 * math.log(root):.2f}$")
    first = np.atleast_1d(panels)[0]
    first.set_ylabel("KL from $P$ (nats)")
    top = np.atleast_1d(panels)[-1]
    kept = groups[-1][1]
    label(top, 5, float(kept["uniform"].iloc[4]), "uniform law", roles().muted, va="bottom", fontsize=BIG)
    label(top, 8, float(kept["naive"].iloc[7]), "naive", colour(4), va="bottom", fontsize=BIG)
    label(top, 5.6, 0.6, "molli-\nfication", colour(0), ha="right", va="center", fontsize=BIG)
    return figure


def draw_losses_of_random_laws(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the losses of two projections against those of the naive sampler, for random laws of three kinds."""
    figure, panels = new_figure(1, 2, aspect=0.56, sharex=True, sharey=True)
    most = 1.06 * float(table[["naive", "own", "relative"]].to_numpy().max())
    names = {"own": "onto the sampler's own hull", "relative": "onto the mollifier around uniform"}
    for axes, (column, title) in zip(panels, names.items(), strict=True):
        line(axes, [0, most], [0, most], color=roles().muted, linestyle="-", linewidth=1.2)
        for index, kind in enumerate(("even", "uneven", "concentrated")):
            rows = table[table["kind"] == kind]
            mark: dict[str, Any] = {"marker": MARKERS[index], "s": 16, "linewidths": 0, "alpha": 0.8}
            axes.scatter(rows["naive"], rows[column], color=colour((3, 1, 2)[index]), **mark)
        axes.set(xlim=(0, most), ylim=(0, most), xlabel="KL, naive sampler (nats)", aspect="equal")
        axes.set_title(title)
        label(axes, 0.97 * most, 0.45 * most, "projection closer", ha="right", fontsize=SMALL)
        label(axes, 0.03 * most, 0.93 * most, "naive sampler closer", fontsize=SMALL)
    panels[0].set_ylabel("KL, projection (nats)")
    for index, kind in enumerate(("even", "uneven", "concentrated")):
        mark = {"marker": MARKERS[index], "s": 36, "color": colour((3, 1, 2)[index])}
        height = (0.22 - 0.07 * index) * most
        panels[0].scatter(0.62 * most, height, **mark)
        label(panels[0], 0.66 * most, height, kind, colour((3, 1, 2)[index]), va="center", fontsize=SMALL)
    return figure
