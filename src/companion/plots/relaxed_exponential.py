"""Draw the figures of the page on the relaxed exponential mechanism."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from companion.drawing import BIG, colour, label, line, tint
from companion.style import new_figure, roles

__all__ = ["draw_probable_types", "draw_sensitivities", "draw_two_outputs"]

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])


def draw_two_outputs(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the delta that the two outputs need against the score that D' gives the second output."""
    figure, axes = new_figure(aspect=0.56)
    low, high = float(table["t"].min()), float(table["t"].max())
    axes.axvspan(low, facts["both_up_to"], color=tint(False), linewidth=0, zorder=0.5)
    axes.axhline(facts["delta"], color=roles().ink, linewidth=1.6, linestyle=":")
    places: dict[str, tuple[float, dict[str, Any]]] = {
        "one": (1.2, {"xytext": (10, 0), "ha": "left", "va": "top"}),
        "two": (-6.0, {"xytext": (-8, 4), "ha": "right", "va": "bottom"}),
    }
    for index, (name, text) in enumerate((("one", "$D$ against $D'$"), ("two", "$D'$ against $D$"))):
        line(axes, table["t"], table[name].where(table[name] > 0), index=index, linewidth=2.4)
        x, options = places[name]
        at = table.iloc[(table["t"] - x).abs().argmin()]
        label(axes, at["t"], at[name], text, colour(index), fontsize=BIG, textcoords="offset points", **options)
    label(axes, high, 0.8 * facts["delta"], r"$\delta$ promised", ha="right", va="top", fontsize=BIG)
    label(axes, low + 0.2, 0.3, "$\\{r_1\\}$ typical\nfor $D'$ too", va="center", fontsize=BIG)
    axes.set(yscale="log", xlim=(low, high), ylim=(1e-5, 2), xlabel="score $u(D',r_2)$ (the score of $r_1$ is $-1$)")
    axes.set(ylabel=r"$\delta$ needed at $\epsilon=2\log2$")
    return figure


def draw_sensitivities(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the sensitivity over typical outputs against gamma, by reading, one panel for each number of symbols."""
    sizes = sorted(table["size"].unique())
    figure, panels = new_figure(1, len(sizes), aspect=0.6, sharey=True)
    places: dict[str, tuple[float, dict[str, Any]]] = {
        "formula": (0.8, {"xytext": (-8, 2), "va": "bottom", "ha": "right"}),
        "pair": (0.98, {"xytext": (0, -26), "va": "top", "ha": "right"}),
        "letter": (0.2, {"xytext": (-6, 10), "va": "bottom", "ha": "center"}),
    }
    words = {"formula": "formula (62)", "pair": "typical for\none of the pair", "letter": "all pairs"}
    for axes, size in zip(np.atleast_1d(panels), sizes, strict=True):
        for index, reading in enumerate(("formula", "pair", "letter")):
            rows = table[(table["size"] == size) & (table["reading"] == reading)]
            line(axes, rows["gamma"], rows["share"], index=index, linewidth=2.4)
            if size == sizes[-1]:
                x, options = places[reading]
                near = rows.iloc[(rows["gamma"] - x).abs().argmin()]
                options["textcoords"] = "offset points"
                label(axes, near["gamma"], near["share"], words[reading], colour(index), fontsize=BIG, **options)
        axes.set_title(rf"$|\Sigma|={size}$", fontsize=BIG)
        axes.set(xlabel=r"width $\gamma$ of the typical set", xlim=(0, 1), ylim=(0, 2.2), yticks=(0, 0.5, 1, 1.5, 2))
    np.atleast_1d(panels)[0].set_ylabel(r"sensitivity $\Delta u_\delta$, in units of $\lambda$")
    return figure


def draw_probable_types(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw two simplices of types: areas show the probability of the class, and of one data set."""
    figure, panels = new_figure(1, 2, aspect=0.56)
    places = table[["j1", "j2", "j3"]].to_numpy() / facts["m"] @ CORNERS
    own = np.array(facts["own"]) / facts["m"] @ CORNERS
    titles = {"class": "all data sets of a type", "single": "one data set of a type"}
    for axes, (kind, title) in zip(panels, titles.items(), strict=True):
        axes.add_patch(Polygon(CORNERS, closed=True, fill=False, edgecolor=roles().muted, linewidth=1.2))
        chance = table[f"{kind}_probability"].to_numpy()
        axes.scatter(*places.T, s=520 * chance / chance.max(), color=colour(0), linewidth=0, zorder=3)
        axes.scatter(*places.T, s=4, color=roles().muted, linewidth=0, zorder=2)
        axes.scatter(*own, s=800, facecolor="none", edgecolor=colour(4), linewidth=2, linestyle="--", zorder=4)
        shifts = (("$d_1$", (-12, -6), "right"), ("$d_2$", (12, -6), "left"), ("$d_3$", (0, 12), "center"))
        for (x, y), (name, shift, ha) in zip(CORNERS, shifts, strict=True):
            options: dict[str, Any] = {"xytext": shift, "textcoords": "offset points", "ha": ha}
            label(axes, x, y, name, fontsize=BIG, **options)
        top = f"most probable: the corner $d_{facts['best_single'].index(facts['m']) + 1}$"
        if kind == "class":
            top = "most probable: the ring, type of $\\tilde D$"
        label(axes, 0.5, -0.2, top, colour(0 if kind == "single" else 4), fontsize=BIG, ha="center", va="center")
        axes.set_title(title, fontsize=BIG)
        axes.set(xlim=(-0.15, 1.15), ylim=(-0.28, 1.0), aspect="equal")
        axes.set_axis_off()
    return figure
