"""Draw the figures of the page on exact accounting: records allowed, real data kept, delta curves, and their limit."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from companion.drawing import BIG, colour, label, line, number
from companion.style import new_figure, roles

__all__ = ["draw_delta_curves", "draw_gaussian_approach", "draw_real_share", "draw_records_allowed"]

NAMES = {
    "exact": "exact",
    "order": "Theorem 2*, best order",
    "closed": "Theorem 2*, closed form",
    "hoeffding": "Theorem 2 sharpened",
    "printed": "Theorem 2 as printed",
    "pure": "pure privacy",
    "gaussian": "Gaussian limit",
}
INK = {"exact": 0, "order": 1, "closed": 2, "hoeffding": 3, "printed": 4, "pure": 5, "gaussian": 5}


def draw_records_allowed(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the largest number of records against the pseudocount, one line a bound."""
    figure, axes = new_figure(aspect=0.74)
    for name, rows in table.groupby("bound", sort=False):
        shown = rows[rows["m"] > 0]
        wide = 2.8 if name == "exact" else 1.8
        line(axes, shown["k"], shown["m"], index=INK[str(name)], linewidth=wide)
        last = shown.iloc[-1]
        shift = {"order": -5, "exact": 5, "hoeffding": 4, "printed": -4}.get(str(name), 0)
        label(
            axes,
            last["k"],
            last["m"],
            NAMES[str(name)],
            colour(INK[str(name)]),
            xytext=(6, shift),
            textcoords="offset points",
            va="center",
            fontsize=BIG,
        )
    n = facts["n"]
    axes.axhline(n, color=roles().muted, linewidth=1, linestyle="-")
    label(axes, 1.4 * table["k"].max(), 1.15 * n, "as many as the data set has", roles().muted, va="bottom")
    axes.set(xscale="log", yscale="log", xlabel="pseudocount $k$", ylabel="records $m$ that may be released")
    axes.set_xlim(0.9, 60 * table["k"].max())
    axes.set_xticks([10.0**power for power in range(round(math.log10(table["k"].max())) + 1)])
    axes.minorticks_off()
    return figure


def draw_real_share(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the share of real data in the smoothed data against n, one panel a domain, a colour a level."""
    sizes = sorted(table["size"].unique())
    figure, panels = new_figure(1, len(sizes), aspect=0.56, sharey=True)
    for axes, size in zip(panels, sizes, strict=True):
        for index, (level, rows) in enumerate(table[table["size"] == size].groupby("eps")):
            ink = colour(index)
            line(axes, rows["n"], 100 * rows["share_exact"], index=index, linestyle="-", linewidth=2.4)
            line(axes, rows["n"], 100 * rows["share_printed"], index=index, linestyle=":", linewidth=2.0)
            text = rf"$\epsilon={level:g}$"
            if size == sizes[-1]:
                last = rows.iloc[-1]
                label(axes, 1.15 * last["n"], 100 * last["share_exact"], text, ink, va="center", clip_on=False)
            else:
                last = rows.iloc[-2]
                label(axes, last["n"], 100 * last["share_printed"] + 2, text, ink, ha="right", va="bottom")
        axes.set(xscale="log", xlabel="records $n$", ylim=(-2, 103))
        axes.set_title(rf"$|\Sigma|={size:,}$")
    label(panels[-1], 1e3, 97, "solid: exact", va="center", fontsize=BIG)
    label(panels[-1], 1e3, 89, "dotted: Theorem 2", va="center", fontsize=BIG)
    panels[0].set_ylabel("real data in the smoothed data, %")
    return figure


def draw_delta_curves(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw delta against eps on logarithmic axes: the exact curve and what each theorem grants."""
    figure, axes = new_figure(aspect=0.66)
    floor, target = 1e-10, facts["delta"]
    for name, rows in table.groupby("bound", sort=False):
        wide = {"exact": 3.2, "gaussian": 1.4}.get(str(name), 1.9)
        shown = rows[(rows["delta"] > floor / 100) & (rows["delta"] <= 1)]
        line(axes, shown["eps"], shown["delta"], index=INK[str(name)], linewidth=wide)
    axes.axhline(target, color=roles().muted, linewidth=1, linestyle="-")
    axes.axvline(facts["pure"], color=colour(INK["pure"]), linewidth=1.8, linestyle=(0, (3, 1)))
    places = {"exact": (-6, "right"), "order": (6, "left"), "hoeffding": (-6, "right"), "printed": (6, "left")}
    heights = {"exact": 1e-6, "order": 1e-3, "hoeffding": 1e-6, "printed": 1e-8}
    for name, (shift, side) in places.items():
        rows = table[(table["bound"] == name) & (table["delta"] > 0)]
        at = rows.iloc[(rows["delta"].map(lambda d, h=heights[name]: abs(math.log(d / h)))).argmin()]
        label(
            axes,
            at["eps"],
            at["delta"],
            NAMES[name],
            colour(INK[name]),
            xytext=(shift, 0),
            textcoords="offset points",
            ha=side,
            va="center",
            fontsize=BIG,
        )
    label(axes, facts["pure"] / 1.06, 1e-4, "pure privacy", colour(INK["pure"]), ha="right", fontsize=BIG)
    label(axes, 0.6 * facts["pure"], target, rf"$\delta={number(target)}$", roles().muted, ha="right", va="bottom")
    axes.set(xscale="log", yscale="log", xlabel=r"$\epsilon$ (nats)", ylabel=r"$\delta$", ylim=(floor, 2))
    return figure


def draw_gaussian_approach(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw delta against eps for small pseudocounts and for the Gaussian limit, and the distance from it against k."""
    figure, (left, right) = new_figure(1, 2, aspect=0.56)
    curves = table[table["kind"] == "curve"]
    for index, (k, rows) in enumerate(curves.groupby("k")):
        wide = 2.8 if k == 0 else 1.9
        line(left, rows["eps"], rows["delta"], index=index, linewidth=wide)
        if k == 0:
            label(left, 0.1, 0.06, "Gaussian limit", colour(index), fontsize=BIG)
            continue
        at = rows.iloc[len(rows) // 5]
        label(
            left,
            at["eps"],
            at["delta"],
            f"$k={k}$",
            colour(index),
            xytext=(6, 4),
            textcoords="offset points",
            fontsize=BIG,
        )
    left.set(xlabel=r"$\epsilon$ (nats)", ylabel=r"$\delta$", xlim=(0, curves["eps"].max()))
    for index, (kind, rows) in enumerate(table[table["kind"] != "curve"].groupby("kind", sort=False)):
        line(right, rows["k"], rows["delta"], index=index + 3)
        at = rows.iloc[len(rows) // 2]
        text = str(kind).replace("records", "record" if str(kind) == "1 records" else "records")
        label(
            right,
            at["k"],
            at["delta"],
            text,
            colour(index + 3),
            xytext=(6, 4) if index else (-6, -6),
            textcoords="offset points",
            ha="left" if index else "right",
            va="bottom" if index else "top",
            fontsize=BIG,
        )
    right.set(xscale="log", yscale="log", xlabel="pseudocount $k$", ylabel="largest distance from the limit")
    return figure
