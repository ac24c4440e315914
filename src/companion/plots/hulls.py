"""Draw the figure of the page on convex mollifiers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle

from companion.drawing import BIG, SMALL, colour, label, tint
from companion.style import new_figure, roles

__all__ = ["draw_simplex"]

#: Where the three points of the space are drawn: the corners of an equilateral triangle.
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])


def draw_simplex(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw both mollifiers on three points with P and what each sampler makes of it; the whole simplex inset."""
    figure, axes = new_figure(aspect=0.74)
    places = {name: rows[["x1", "x2", "x3"]].to_numpy() @ CORNERS for name, rows in table.groupby("shape")}
    overview = axes.inset_axes((0.72, 0.03, 0.28, 0.30))
    for panel, width in ((axes, 1.0), (overview, 0.6)):
        panel.add_patch(Polygon(CORNERS, closed=True, fill=False, edgecolor=roles().muted, linewidth=1.2))
        hull: dict[str, Any] = {"facecolor": tint(False), "edgecolor": colour(4), "linestyle": "--"}
        panel.add_patch(Polygon(places["hull"], closed=True, linewidth=2 * width, **hull))
        outline: dict[str, Any] = {"facecolor": "none", "edgecolor": colour(0)}
        panel.add_patch(Polygon(places["relative"], closed=True, linewidth=2.2 * width, **outline))
        panel.set_aspect("equal")
        panel.set_axis_off()
    corners = np.vstack([places["hull"], places["relative"], places["P"]])
    (left, bottom), (right, top) = corners.min(axis=0) - 0.06, corners.max(axis=0) + 0.06
    right += 0.14  # room for the inset, which covers nothing there
    axes.set(xlim=(left, right), ylim=(bottom, top))
    overview.set(xlim=(-0.12, 1.12), ylim=(-0.12, 1.0))
    box: dict[str, Any] = {"fill": False, "edgecolor": roles().muted, "linestyle": ":", "linewidth": 1}
    overview.add_patch(Rectangle((left, bottom), right - left, top - bottom, **box))
    for corner, name, ha, va in zip(CORNERS, "123", ("right", "left", "center"), ("top", "top", "bottom"), strict=True):
        overview.text(*corner, name, ha=ha, va=va, fontsize=SMALL)
    target = places["P"][0]
    for name, ink, style in (("naive", colour(4), "--"), ("mollification", colour(0), "-")):
        arrow = {"arrowstyle": "-|>", "color": ink, "linewidth": 1.4, "shrinkA": 6, "shrinkB": 5, "linestyle": style}
        axes.annotate("", places[name][0], target, arrowprops=arrow)
    for name, ink, marker in (("P", roles().ink, "D"), ("naive", colour(4), "s"), ("mollification", colour(0), "o")):
        axes.plot(*places[name][0], color=ink, marker=marker, markersize=9, linestyle="")
        overview.plot(*places[name][0], color=ink, marker=marker, markersize=4, linestyle="")
    centre = CORNERS.mean(axis=0)
    axes.plot(*centre, color=roles().ink, marker="P", markersize=8, linestyle="")
    near: dict[str, Any] = {"textcoords": "offset points", "fontsize": BIG}
    label(axes, centre[0], centre[1], "uniform law $Q_0$", xytext=(0, 9), ha="center", **near)
    label(axes, target[0], target[1], "$P$", xytext=(-8, 8), ha="right", **near)
    label(axes, places["naive"][0][0], places["naive"][0][1], "naive sampler", colour(4), xytext=(8, 9), **near)
    label(
        axes,
        places["mollification"][0][0],
        places["mollification"][0][1],
        "mollification",
        colour(0),
        xytext=(8, -16),
        **near,
    )
    peak = places["hull"][places["hull"][:, 1].argmax()]
    label(axes, peak[0], peak[1], "hull of\nrandomised response", colour(4), xytext=(8, 0), **near)
    side = places["relative"][places["relative"][:, 1] > centre[1]]
    side = side[side[:, 0].argmax()]
    label(axes, side[0], side[1], "mollifier\nrelative to $Q_0$", colour(0), xytext=(36, -52), **near)
    return figure
