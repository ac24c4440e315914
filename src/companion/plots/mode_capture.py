"""Draw the figures of the page on mode capture: what the conditions ask for, what is promised, what is captured."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from companion.drawing import BIG, band, colour, label, line
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_asked_mass", "draw_most_promised", "draw_ring_capture"]


def draw_asked_mass(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the mass that (13), (91) and the corrected condition ask for against the edges."""
    figure, axes = new_figure(aspect=0.62)
    band(axes, 1.0, 1.4)
    names = {"printed": "(13)", "proof": "(91)", "corrected": "corrected"}
    places = {"printed": (0.66, "right", -12), "proof": (0.42, "left", 18), "corrected": (0.52, "right", -12)}
    most = int(table["rounds"].max())
    for index, (name, text) in enumerate(names.items()):
        for count, rows in table[table["condition"] == name].groupby("rounds"):
            bold = count == most or name == "corrected"
            style, width = ("-", 2.6) if bold else ("--", 1.4)
            line(axes, rows["gamma"], rows["mass"], index=index, linestyle=style, linewidth=width)
            if bold:
                at, side, rise = places[name]
                row = rows.iloc[(rows["gamma"] - at).abs().argmin()]
                place: dict[str, Any] = {"xytext": (-4, rise), "textcoords": "offset points", "ha": side}
                label(axes, row["gamma"], row["mass"], text, colour(index), fontsize=BIG, **place)
    label(axes, 0.985, 1.2, "no region has that mass", ha="right", va="center")
    axes.set(xlim=(1 / 3, 1), ylim=(0, 1.4), xlabel=r"edges $\gamma_P=\gamma_Q$", ylabel="least mass $P(B)$ asked for")
    return figure


def draw_most_promised(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the largest share of a region that Theorem 8 can promise against the edges."""
    figure, axes = new_figure(aspect=0.58)
    band(axes, -2.0, 0.0)
    for index, (mass, rows) in enumerate(table.groupby("mass")):
        kept = rows[rows["share"] > -1.6]
        line(axes, kept["gamma"], kept["share"], index=index, linewidth=2.4)
        end = float(facts[f"last_{mass:g}"])
        axes.plot(end, 0.0, color=colour(index), marker=MARKERS[index], markersize=8, zorder=6)
        row = rows.iloc[(rows["gamma"] - 0.42).abs().argmin()]
        label(axes, 0.425, row["share"], f"$P(B)={mass:g}$", colour(index), fontsize=BIG, va="bottom", ha="left")
    label(axes, 0.37, -0.25, "nothing is promised", va="center")
    axes.axhline(0, color=roles().ink, linewidth=1.2)
    axes.set(xlim=(0.35, 1), ylim=(-1.2, 2.05), xlabel=r"edges $\gamma_P=\gamma_Q$ in the first round")
    axes.set_ylabel("most that is promised,\nshare of $P(B)$")
    return figure


def draw_ring_capture(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw promised and captured masses against the level, for eight modes and for one, from the wider reference."""
    figure, panels = new_figure(1, 2, aspect=0.56)
    wide = table[table["variance"] == table["variance"].max()]
    curves = (("output", "$Q_T(B)$", 0), ("start", "$Q_0(B)$", 1), ("bound", "(*)", 2), ("promised", "Theorem 8", 3))
    for axes, region, title in zip(panels, ("all", "one"), ("all eight modes", "one mode"), strict=True):
        rows = wide[wide["region"] == region]
        scale = float(rows["target"].iloc[0])
        low = min(float(rows["bound"].min()), float(rows["promised"].min()))
        band(axes, 1.4 * low, 0.0)
        axes.axhline(scale, color=roles().ink, linewidth=1.2, linestyle=":")
        over: dict[str, Any] = {"xytext": (0, 4), "textcoords": "offset points", "va": "bottom"}
        label(axes, float(rows["eps"].min()), scale, "$P(B)$", fontsize=BIG, **over)
        for column, text, index in curves:
            line(axes, rows["eps"], rows[column], index=index, linewidth=2.4)
            late = column in ("output", "bound")
            row = rows.iloc[-1] if late else rows.iloc[len(rows) // 2]
            shift = (0, 4) if column == "output" else (0, -5)
            side = "bottom" if column == "output" else "top"
            if region == "one":
                row = rows.iloc[{"promised": -1, "output": 1}.get(column, len(rows) // 2)]
                if column == "promised":
                    shift, side = (0, 4), "bottom"
                elif column == "bound":
                    shift = (-10, -6)
            place: dict[str, Any] = {"xytext": shift, "textcoords": "offset points", "va": side, "fontsize": BIG}
            place["ha"] = "right" if row["eps"] == rows["eps"].max() or column == "bound" else "left"
            label(axes, row["eps"], row[column], text, colour(index), **place)
        axes.set(xscale="log", xlabel=r"$\varepsilon$ (nats)", ylim=(1.3 * low, scale + 0.12 * (scale - low)))
        axes.set_xticks([0.25, 1, 5, 20], ["0.25", "1", "5", "20"])
        axes.minorticks_off()
        axes.set_title(title, fontsize=BIG)
    panels[0].set_ylabel("mass")
    return figure
