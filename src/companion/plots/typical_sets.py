"""Draw the figures of the page on typical sets: types, the loss of a release, bounds beside exact values."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import matplotlib.patheffects as effects
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import LinearSegmentedColormap, LogNorm
from matplotlib.figure import Figure
from numpy.typing import NDArray

from companion.drawing import BIG, SMALL, colour, label, line
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_bounds", "draw_loss", "draw_records", "draw_simplex"]

#: The corners of the triangle: all draws of the first symbol below left, second below right, third on top.
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])


def _place(shares: Any) -> NDArray[np.float64]:
    """Return the points (n, 2) in the triangle of rows (n, 3) that sum to one."""
    return np.asarray(np.asarray(shares, dtype=np.float64) @ CORNERS)


def _ring(law: NDArray[np.float64], gamma: float) -> NDArray[np.float64]:
    """Return the corners (n, 2) of the set |h_i - p_i| <= gamma within the triangle: half-planes cut one by one."""
    polygon = [np.array(corner) for corner in np.eye(3)]
    for axis in range(3):
        for sign in (1.0, -1.0):
            kept: list[NDArray[np.float64]] = []
            for start, end in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
                here, there = (gamma - sign * (point[axis] - law[axis]) for point in (start, end))
                if here >= 0:
                    kept.append(start)
                if here * there < 0:
                    kept.append(start + (end - start) * here / (here - there))
            polygon = kept
    return _place(polygon)


def _outline(axes: Axes, corners: NDArray[np.float64], ink: str, style: str, width: float) -> None:
    closed = np.vstack([corners, corners[:1]])
    axes.plot(closed[:, 0], closed[:, 1], color=ink, linestyle=style, linewidth=width, marker="", zorder=3)


def draw_simplex(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw every type as a hexagon, dark where likely, with two typical sets and the histogram of the data."""
    figure, axes = new_figure(aspect=0.86)
    m, law = facts["m"], np.array([facts[f"law_{i}"] for i in (1, 2, 3)])
    points = _place(table[["one", "two", "three"]].to_numpy() / m)
    angles = np.pi / 6 + np.pi / 3 * np.arange(6)
    hexagon = np.column_stack([np.cos(angles), np.sin(angles)]) / (m * np.sqrt(3))
    shades = LinearSegmentedColormap.from_list("shade", [roles().background, roles().cycle[0], roles().ink])
    # not quite to the ink: the marks must stay visible on top
    shades = LinearSegmentedColormap.from_list("shade", shades(np.linspace(0.0, 0.8, 64)))
    top = float(table["probability"].max())
    cells = PolyCollection(
        list(points[:, None, :] + hexagon),
        array=np.maximum(table["probability"].to_numpy(), 1e-6),
        cmap=shades,
        norm=LogNorm(1e-6, top),
        edgecolors=mpl.colors.to_rgba(roles().muted, 0.35),
        linewidths=0.4,
    )
    axes.add_collection(cells)
    _outline(axes, CORNERS, roles().muted, "-", 1.0)
    outer, inner = _ring(law, facts["gamma_outer"]), _ring(law, facts["gamma_inner"])
    for ring, ink, style, width in ((outer, colour(4), "--", 2.4), (inner, colour(1), "-", 3.0)):
        _outline(axes, ring, roles().background, "-", width + 2.4)
        _outline(axes, ring, ink, style, width)
    own, centre = _place([[facts[f"data_{i}"] for i in (1, 2, 3)]])[0], _place([law])[0]
    halo = [effects.withStroke(linewidth=5, foreground=roles().background)]
    arrow = {"arrowstyle": "-|>", "color": roles().ink, "linewidth": 1.8, "shrinkA": 6, "shrinkB": 8}
    pointer = axes.annotate("", centre, own, arrowprops={**arrow, "path_effects": halo})
    pointer.set_zorder(4)
    spot: dict[str, Any] = {"color": roles().background, "markeredgecolor": roles().ink, "zorder": 6, "linestyle": ""}
    axes.plot(*own, marker="o", markersize=11, markeredgewidth=2, **spot)
    axes.plot(*centre, marker="X", markersize=12, markeredgewidth=1.2, **spot)
    share = 100 * facts["probability_inner"]
    notes = (
        ((0.985, 0.80), rf"solid: $\gamma={facts['gamma_inner']:.3f}$,", colour(1)),
        ((0.985, 0.755), f"holds {share:.1f} %", colour(1)),
        ((0.985, 0.66), rf"dashed: $\gamma={facts['gamma_outer']:.3f}$,", colour(4)),
        ((0.985, 0.615), f"promised {100 * (1 - facts['delta']):.0f} %", colour(4)),
    )
    for (x, y), text, ink in notes:
        label(axes, x, y, text, ink, ha="right", va="center", fontsize=BIG)
    label(axes, 0.03, 0.80, "circle: the data's histogram", va="center", fontsize=SMALL)
    label(axes, 0.03, 0.755, "cross: smoothed", va="center", fontsize=SMALL)
    offsets = (((0, -0.025), "right", "top", "all $d_1$"), ((1, -0.025), "left", "top", "all $d_2$"))
    for (x, y), side, edge, text in (*offsets, ((0.5, 0.885), "center", "bottom", "all $d_3$")):
        label(axes, x, y, text, ha=side, va=edge, fontsize=BIG)
    for quarter in (0.25, 0.5, 0.75):
        axes.plot([quarter] * 2, [0, -0.012], color=roles().muted, linewidth=1, marker="", linestyle="-")
        label(axes, quarter, -0.018, f"{quarter:g}", ha="center", va="top", ink=roles().muted)
    label(axes, 0.5, -0.062, "share of $d_2$ along this edge", ha="center", va="top", ink=roles().muted)
    bar = figure.colorbar(cells, ax=axes, orientation="vertical", shrink=0.62, aspect=26, pad=0.01, extend="min")
    bar.set_label(f"probability of the type ({facts['m']:.0f} draws)")
    bar.outline.set_visible(False)
    axes.set(xlim=(-0.09, 1.09), ylim=(-0.11, 0.94), aspect="equal")
    axes.set_axis_off()
    return figure


def draw_loss(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the law of the privacy loss as bars, and the levels that three arguments need."""
    figure, axes = new_figure(aspect=0.56)
    step = float(table["loss"].iloc[1] - table["loss"].iloc[0])
    axes.bar(table["loss"], table["probability"], width=step, color=colour(0), linewidth=0)
    top = float(table["probability"].max())
    marks = (
        (facts["exact"], "enough:\nexact curve", colour(3), "-", 0.93),
        (facts["hoeffding"], "enough by\nHoeffding", colour(2), "--", 0.93),
        (facts["eps"], r"$\epsilon$ of" + "\nTheorem 2", colour(4), "-.", 0.93),
        (facts["pure"], "pure privacy:\nall $m$ draws", roles().muted, ":", 0.93),
    )
    for x, text, ink, style, height in marks:
        axes.axvline(x, color=ink, linestyle=style, linewidth=2.2)
        side, shift = ("right", -5) if text.startswith("pure") else ("left", 5)
        place: dict[str, Any] = {"ha": side, "va": "top", "xytext": (shift, 0), "textcoords": "offset points"}
        label(axes, x, height * 1.12 * top, text, ink, fontsize=BIG, **place)
    label(
        axes,
        -0.35,
        0.55 * top,
        "the loss\nthat occurs",
        colour(0),
        ha="left",
        va="center",
        fontsize=BIG,
    )
    axes.set(xlabel="privacy loss (nats)", ylabel="probability", ylim=(0, 1.12 * top))
    axes.set(xlim=(-0.36, facts["pure"] * 1.02))
    return figure


def draw_bounds(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw exact probabilities and their bounds against the number of draws, on a logarithmic axis."""
    figure, axes = new_figure(aspect=0.66)
    last = float(table["m"].max())
    # name, words, colour, style, where the words stand (a draw), offset in points, and which side of the line
    lines = (
        ("atypical_bound", "bound of Theorem 7", 4, "--", 390, (0, 14), "right", "bottom"),
        ("atypical", "atypical, exactly", 4, "-", 300, (-8, -8), "right", "top"),
        ("loss_bound", "bound on the loss\n(Hoeffding)", 2, "--", 250, (10, 6), "left", "bottom"),
        ("loss", "loss above its\nlevel, exactly", 2, "-", 120, (12, 2), "left", "bottom"),
        ("delta", r"exact $\delta$", 3, ":", 60, (-10, -4), "right", "top"),
    )
    for name, text, index, style, where, offset, side, edge in lines:
        shown = table[table[name] > 1e-13]
        mark = MARKERS[index] if style == "-" else ""
        line(axes, shown["m"], shown[name], color=colour(index), linestyle=style, marker=mark, markersize=6)
        height = float(np.exp(np.interp(where, shown["m"], np.log(shown[name]))))
        place: dict[str, Any] = {"ha": side, "va": edge, "xytext": offset, "textcoords": "offset points"}
        label(axes, where, height, text, colour(index), fontsize=BIG, **place)
    axes.axhline(1, color=roles().muted, linewidth=1, linestyle="-")
    axes.set(yscale="log", xlabel="number of draws $m$", ylabel="probability", xlim=(0, last * 1.02))
    axes.set(ylim=(1e-13, 4))
    return figure


def draw_records(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the records that may be released against k: the theorem, its sharper form, and pure privacy."""
    figure, axes = new_figure(aspect=0.62)
    rows = table[table["pure"] > 0]
    for name, index, style in (("pure", 0, "-"), ("theorem", 4, "--"), ("sharper", 2, "-.")):
        shown = rows[rows[name] > 0]
        line(axes, shown["k"], shown[name], color=colour(index), linestyle=style, linewidth=2.4)
    short = rows[(rows["theorem"] < rows["pure"]) & (rows["theorem"] > 0)]
    axes.fill_between(short["k"], short["theorem"], short["pure"], color=roles().fill, linewidth=0)
    for name, index in (("theorem", 4), ("sharper", 2)):
        k = facts[f"from_{name}"]
        axes.plot(k, k * facts["eps"], marker=MARKERS[index], markersize=9, color=colour(index), linestyle="")
        label(
            axes,
            k,
            k * facts["eps"],
            f"$k={k:.0f}$",
            colour(index),
            ha="left",
            va="top",
            xytext=(8, -4),
            textcoords="offset points",
            fontsize=BIG,
        )
    right = float(rows["k"].max())
    for name, text, index, at in (
        ("pure", "pure privacy", 0, 0.25),
        ("theorem", "Theorem 2", 4, 0.4),
        ("sharper", "sharper form", 2, 0.3),
    ):
        x = at * right
        y = float(np.exp(np.interp(np.log(x), np.log(rows["k"]), np.log(np.maximum(rows[name], 0.5)))))
        above = name == "sharper"
        side, edge, offset = ("right", "bottom", (-8, 4)) if above else ("left", "top", (6, -8))
        place: dict[str, Any] = {"ha": side, "va": edge, "xytext": offset, "textcoords": "offset points"}
        label(axes, x, y, text, colour(index), fontsize=BIG, **place)
    axes.set(xscale="log", yscale="log", xlabel="pseudocount $k$", ylabel="records that may be released")
    axes.set(xlim=(float(rows["k"].min()), right), ylim=(1, 2.5 * float(rows["sharper"].max())))
    return figure
