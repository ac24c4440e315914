"""Draw the figures of the page on the weak learning assumption."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle

from companion.drawing import BIG, SMALL, colour, label, line, number, tint
from companion.style import new_figure, roles

__all__ = ["draw_edges", "draw_edges_against_tv", "draw_far_but_unlearnable"]

#: Two pairs of edges that one may ask for: one that a classifier has, and one that only the total variation allows.
ASKED = ((0.3, 0.4), (0.8, 0.15))
#: The part of both axes that is drawn large.
LOW, HIGH = -0.55, 1.18


def draw_edges(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the set of pairs of edges, the line of total variation, and what two assumptions ask for."""
    figure, axes = new_figure(aspect=0.86)
    upper, lower = (table[table["part"] == part][["edge_p", "edge_q"]].to_numpy() for part in ("upper", "lower"))
    place = (0.03, 0.03, 0.27, 0.27)
    below: dict[str, Any] = {"facecolor": roles().background, "edgecolor": "none", "zorder": 2}
    axes.add_patch(Rectangle(place[:2], *place[2:], transform=axes.transAxes, **below))
    overview = axes.inset_axes(place)
    for panel in (axes, overview):
        shape: dict[str, Any] = {"facecolor": tint(False), "edgecolor": colour(0), "linewidth": 2}
        panel.add_patch(Polygon(np.vstack([upper, lower[1:]]), closed=True, **shape))
    box: dict[str, Any] = {"fill": False, "edgecolor": roles().muted, "linestyle": ":", "linewidth": 1}
    overview.add_patch(Rectangle((LOW, LOW), HIGH - LOW, HIGH - LOW, **box))
    overview.set(xlim=(-1.25, 1.25), ylim=(-1.25, 1.25), aspect="equal", xticks=[], yticks=[])
    overview.grid(False)
    axes.scatter(*upper[1:-1].T, color=colour(0), s=55, zorder=3)
    ends = np.array([-0.1, HIGH])
    axes.plot(ends, 2 * facts["tv"] - ends, color=colour(4), linestyle="--", linewidth=1.8, marker="")
    for asked, ink, style in zip(ASKED, (colour(3), colour(2)), ("-", ":"), strict=True):
        corner = [[asked[0], HIGH], [asked[0], asked[1]], [HIGH, asked[1]]]
        axes.plot(*np.array(corner).T, color=ink, linestyle=style, linewidth=2, marker="")
        axes.scatter(*asked, color=ink, marker="D" if style == "-" else "X", s=90, zorder=4)
    axes.plot([0, facts["edge"]], [0, facts["edge"]], color=roles().muted, linewidth=1, linestyle="-", marker="")
    axes.scatter(facts["edge"], facts["edge"], color=roles().ink, marker="s", s=80, zorder=4)
    axes.scatter(0, 0, color=roles().ink, marker="+", s=90, zorder=4)
    near: dict[str, Any] = {"textcoords": "offset points", "fontsize": BIG}
    label(axes, 0.24, 0.14, f"equal edges:\nat most {number(facts['edge'])}", fontsize=BIG)
    label(axes, -0.25, 0.5, "all classifiers", colour(0), fontsize=BIG)
    label(axes, ASKED[0][0], 0.95, "possible", colour(3), xytext=(7, 0), **near)
    label(axes, ASKED[1][0], 0.95, "impossible", colour(2), xytext=(7, 0), **near)
    label(axes, 0.93, -0.34, "edges\nadd up\nto 2 TV", colour(4), fontsize=BIG)
    axes.set(xlim=(LOW, HIGH), ylim=(LOW, HIGH), xlabel=r"edge on $P$: $\mathbb{E}_P[c]$")
    axes.set(ylabel=r"edge on $Q$: $\mathbb{E}_Q[-c]$", aspect="equal")
    return figure


def draw_edges_against_tv(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the largest equal edge of many pairs against their total variation, between its two bounds."""
    figure, axes = new_figure(aspect=0.66)
    tv = np.linspace(0, 1, 201)
    line(axes, tv, tv, color=colour(3), linestyle="--", linewidth=1.8)
    line(axes, tv, tv / (2 - tv), color=colour(4), linestyle="-", linewidth=1.8)
    random = table[table["family"] == "random"]
    axes.scatter(random["tv"], random["edge"], color=colour(0), s=12, alpha=0.7, linewidths=0)
    worst = table[table["family"] == "extremal"]
    axes.scatter(worst["tv"], worst["edge"], color=colour(4), marker="D", s=30, zorder=3)
    label(axes, 0.44, 0.47, "TV", colour(3), ha="right", va="bottom", fontsize=BIG)
    label(axes, 0.62, 0.25, r"TV$/(2-$TV$)$, reached by" + "\n" + r"$(1,0)$ and $(1-g,g)$", colour(4), fontsize=BIG)
    axes.set(xlim=(0, 1.01), ylim=(0, 1.01), xlabel="total variation of $P$ and $Q$", ylabel="largest equal edge")
    return figure


def draw_far_but_unlearnable(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw, above, the divergence that grows without bound and, below, the total variation and edge that do not."""
    figure, (upper, lower) = new_figure(2, 1, aspect=0.72, sharex=True)
    line(upper, table["n"], table["kl"], index=0)
    line(lower, table["n"], table["tv"], index=3)
    line(lower, table["n"], table["edge"], index=4)
    last = float(table["n"].iloc[-1])
    above: dict[str, Any] = {"xytext": (0, 4), "textcoords": "offset points", "ha": "right", "va": "bottom"}
    for column, text, index in (("tv", "total variation", 3), ("edge", "largest equal edge", 4)):
        label(lower, last, float(table[column].iloc[-1]), text, colour(index), fontsize=BIG, **above)
    share = facts["share"]
    upper.set(ylabel="KL$(P,Q)$ (nats)", ylim=(0, None))
    lower.set(ylim=(0, 1.5 * share), ylabel="TV, edge")
    lower.set(xlabel=rf"$n$, where $P=({1 - share:g},{share:g})$ and $Q=(1-b,b)$ with $b={share:g}\cdot10^{{-n}}$")
    upper.tick_params(labelsize=SMALL)
    return figure
