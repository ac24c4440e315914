"""Draw the figures of the page on DPB: densities on the ring, losses by unit and noise, degrees, random lines."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import PowerNorm
from matplotlib.figure import Figure

from companion.drawing import BIG, SMALL, colour, label, line
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_degrees", "draw_losses", "draw_random", "draw_ring_row"]

#: What each curve is, in the order of the study.
NAMES = {
    ("record", "published"): "one record, published noise",
    ("record", "exact"): "one record, exact noise",
    ("input", "exact"): "whole input, exact noise",
}
TITLES = {
    "ring": "ring",
    "mixture-sd": "1D, standard dev.",
    "mixture-variance": "1D, variances",
}


def draw_ring_row(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw, for each level, the densities with published noise above those with exact noise, on one scale."""
    levels = [float(name.split("_")[1]) for name in table.columns if name.startswith("published_")]
    half = (len(levels) + 1) // 2
    figure, panels = new_figure(4, half, aspect=1.06)
    size = round(len(table) ** 0.5)
    drawn = [name for name in table.columns if name.startswith(("published_", "exact_"))]
    norm = PowerNorm(0.7, 0, float(table[drawn].max().max()))
    for place, level in enumerate(levels):
        for kind, name in enumerate(("published", "exact")):
            axes = panels[2 * (place // half) + kind, place % half]
            values = table[f"{name}_{level:g}"].to_numpy().reshape(size, size).T
            shown = axes.imshow(values, origin="lower", extent=(-6, 6, -6, 6), norm=norm, cmap="cividis")
            axes.set(xticks=[], yticks=[])
            axes.grid(visible=False)
            axes.set_title(rf"$\varepsilon={level:g}$" if kind == 0 else "", fontsize=BIG)
            axes.set_xlabel(f"{facts[f'{name}_{level:g}']:.2f} nats", fontsize=SMALL)
            if place % half == 0:
                axes.set_ylabel(f"{name} noise", fontsize=SMALL)
    bar = figure.colorbar(shown, ax=panels.ravel().tolist(), location="bottom", aspect=45, pad=0.02)
    bar.set_label("density per unit area (one scale for all panels)", fontsize=SMALL)
    bar.outline.set_visible(False)
    return figure


def _curve(axes: Axes, rows: pd.DataFrame, index: int) -> None:
    """Draw the mean over repeats, the band between the smallest and the largest, and the first four repeats."""
    grouped = rows.groupby("eps")["nll"]
    levels = grouped.mean().index.to_numpy()
    axes.fill_between(levels, grouped.min(), grouped.max(), color=colour(index), alpha=0.18, linewidth=0)
    first = rows[rows["repeat"] < 4]
    axes.plot(first["eps"], first["nll"], linestyle="", marker=".", markersize=3, color=colour(index), alpha=0.8)
    line(axes, levels, grouped.mean(), index=index, marker=MARKERS[index], markersize=5)


def draw_losses(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw, for each domain, the loss against the level by unit and calibration, with reference lines."""
    domains = list(dict.fromkeys(table["domain"]))
    figure, panels = new_figure(1, len(domains), aspect=0.62)
    for axes, name in zip(np.atleast_1d(panels), domains, strict=True):
        part = table[table["domain"] == name]
        for index, key in enumerate(NAMES):
            _curve(axes, part[(part["unit"] == key[0]) & (part["calibration"] == key[1])], index)
        uniform, kernel = facts[f"{name}.uniform"], facts[f"{name}.kernel"]
        axes.axhline(uniform, color=roles().ink, linewidth=1.2, linestyle="-", marker="")
        axes.axhline(kernel, color=roles().ink, linewidth=1.2, linestyle=":", marker="")
        span = uniform - kernel
        label(axes, 0.11, kernel, "kernel estimate", va="bottom", xytext=(0, 2), textcoords="offset points")
        axes.set(xscale="log", xlabel=r"$\varepsilon$", ylim=(kernel - 0.08 * span, uniform + 0.42 * span))
        axes.set_title(TITLES.get(name, name), fontsize=SMALL)
        axes.set(xticks=[0.1, 1, 10, 100], xticklabels=["0.1", "1", "10", "100"])
    panels[0].set_ylabel(r"loss $-\mathbb{E}_P\log Q$ (nats)")
    for index, key in enumerate(NAMES):
        panels[0].plot([], [], color=colour(index), marker=MARKERS[index], linestyle="-", label=NAMES[key])
    panels[0].plot([], [], color=roles().ink, marker="", linestyle="-", linewidth=1.2, label="uniform on the box")
    figure.legend(loc="outside lower center", ncols=2, fontsize=SMALL)
    return figure


def draw_degrees(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the loss by degree and order: without noise, with exact noise, with published noise."""
    kinds = {"none": "no noise", "exact": "exact noise", "published": "published noise"}
    figure, panels = new_figure(1, len(kinds), aspect=0.58, sharey=True)
    for axes, (kind, title) in zip(panels, kinds.items(), strict=True):
        part = table[table["noise"] == kind]
        for index, (order, rows) in enumerate(part.groupby("order")):
            for repair, style in (("shift", "-"), ("clip", ":")):
                chosen = rows[rows["repair"] == repair]
                line(
                    axes,
                    chosen["degree"],
                    chosen["nll"],
                    index=index,
                    linestyle=style,
                    marker=MARKERS[index],
                    markersize=6,
                    markerfacecolor=colour(index) if repair == "shift" else "none",
                    markeredgewidth=1.2,
                    markeredgecolor=colour(index),
                    label=f"$h={order}$, {repair}" if kind == "none" else None,
                )
        axes.axhline(facts["uniform"], color=roles().ink, linewidth=1.2, linestyle="-")
        axes.set(xscale="log", xlabel="degree $K$", ylim=(3.6, 5.25))
        axes.set(xticks=sorted(table["degree"].unique()))
        axes.set_xticklabels([str(k) for k in sorted(table["degree"].unique())])
        axes.minorticks_off()
        axes.set_title(title, fontsize=SMALL)
    panels[0].set_ylabel(r"loss $-\mathbb{E}_P\log Q$ (nats)")
    label(
        panels[0], 5.2, facts["uniform"], "uniform on the box", va="bottom", xytext=(0, 2), textcoords="offset points"
    )
    figure.legend(loc="outside lower center", ncols=3, fontsize=SMALL)
    return figure


def draw_random(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw mean and standard deviation over the repeats against the level, one line for each m, in both units."""
    rows = (("record", "published", "one record,\npublished noise"), ("input", "exact", "whole input,\nexact noise"))
    figure, panels = new_figure(2, 2, aspect=0.9, sharex=True)
    for place, (unit, calibration, title) in enumerate(rows):
        part = table[(table["unit"] == unit) & (table["calibration"] == calibration)]
        for m, some in part.groupby("m"):
            grouped = some.groupby("eps")["nll"]
            strong = m in (1, 5, 10)
            index = {1: 0, 5: 1, 10: 2}.get(int(str(m)), 0)
            ink = colour(index) if strong else roles().muted
            options = {"color": ink, "linewidth": 2.2 if strong else 0.8, "alpha": 1.0 if strong else 0.6}
            for axes, values in ((panels[place, 0], grouped.mean()), (panels[place, 1], grouped.std())):
                line(axes, values.index, values, index=index if strong else 0, **options)
            if strong:
                last = float(grouped.mean().iloc[-1])
                label(panels[place, 0], 2.04, last, f"$m={m}$", ink, va="center", clip_on=False)
        panels[place, 0].axhline(facts["uniform"], color=roles().ink, linewidth=1.2, linestyle="-")
        panels[place, 0].set_ylabel(f"{title}\nmean loss (nats)")
        panels[place, 1].set_ylabel("standard deviation (nats)")
        panels[place, 1].set_ylim(bottom=0)
    label(
        panels[0, 0], 1.0, facts["uniform"], "uniform on $[-1,2]$", va="top", xytext=(0, -3), textcoords="offset points"
    )
    for axes in panels[1]:
        axes.set(xlabel=r"$\varepsilon$", xlim=(0, 2.35))
    return figure
