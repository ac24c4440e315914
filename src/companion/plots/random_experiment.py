"""Draw the figures of the page on random Gaussians: means and deviations, methods compared, the plane."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import PowerNorm
from matplotlib.figure import Figure

from companion.drawing import BIG, SMALL, colour, label, line
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_methods", "draw_plane", "draw_plane_losses", "draw_spreads"]

NAMES = {
    "clip": "MBDE, clipped",
    "tanh": "MBDE, tanh",
    "released": "MBDE, as released",
    "record": "DPB, one record",
    "input": "DPB, whole input",
}


def _sized(table: pd.DataFrame) -> list[int]:
    return sorted(int(m) for m in table.loc[table["eps"] > 0, "m"].unique())


def _strong(index: int, count: int) -> bool:
    """Tell whether a value of m is drawn strongly: the first, the middle and the last."""
    return index in (0, count // 2, count - 1)


def draw_spreads(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw mean and deviation of coverage, by both formulas, and of the loss, over budgets, a line for each m."""
    figure, panels = new_figure(2, 3, aspect=0.82, sharex=True)
    shown = table[(table["variant"] == "clip") & (table["optimiser"] == "fast") & (table["repeats"] == 4)]
    low, high = facts["low"], facts["high"]
    sizes = _sized(shown)
    for column, (what, title) in enumerate(
        (("coverage", "coverage"), ("coverage_printed", "coverage as printed"), ("nll", "loss (nats)"))
    ):
        upper, lower = panels[0, column], panels[1, column]
        place = 0
        for index, m in enumerate(sizes):
            rows = shown[(shown["m"] == m) & (shown["measure"] == what)].sort_values("eps")
            strong = _strong(index, len(sizes))
            ink = colour(place) if strong else roles().grid
            style: dict[str, Any] = {"linewidth": 2.0 if strong else 1.0, "zorder": 3 if strong else 2}
            if strong:
                style.update(marker=MARKERS[place], markersize=5)
            for axes, values in ((upper, rows["mean"]), (lower, rows["deviation"])):
                line(
                    axes,
                    rows["eps"],
                    values,
                    index=place,
                    **{**style, "color": ink, "label": f"$m={m}$" if strong else None},
                )
            more = table[(table["variant"] == "clip") & (table["repeats"] > 4) & (table["m"] == m)]
            more = more[more["measure"] == what].sort_values("eps")
            if len(more):
                lower.plot(more["eps"], more["deviation"], color=ink, linestyle=":", linewidth=1.4, marker="")
            if strong:
                first = rows.iloc[-1]
                spread = float(first["deviation"])
                lower.errorbar(
                    [float(first["eps"]) + 0.06 * (place + 1)],
                    [spread],
                    yerr=[[spread * (1 - low)], [spread * (high - 1)]],
                    color=ink,
                    linewidth=1.4,
                    capsize=3,
                    linestyle="",
                )
                place += 1
        upper.set_title(title, fontsize=BIG)
        lower.set(xlabel=r"$\varepsilon$", xlim=(0, 2.35))
        if what != "nll":
            upper.set_ylim(0.66, 1.02)
            lower.set_ylim(-0.004, 0.16)
        else:
            lower.set_ylim(0, None)
    panels[0, 0].set_ylabel("mean of four repeats")
    panels[1, 0].set_ylabel("standard deviation")
    handles, names = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=3, fontsize=SMALL)
    return figure


def draw_methods(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the deviations of MBDE and DPB, with new placements on the left and the same placement on the right."""
    figure, panels = new_figure(1, 2, aspect=0.62, sharey=True)
    methods = ("clip", "tanh", "record", "input")
    for axes, placement, title in zip(
        panels, ("new", "same"), ("new means in each repeat", "the same means in each repeat"), strict=True
    ):
        rows = table[table["placement"] == placement]
        cells = rows[["m", "eps"]].drop_duplicates().sort_values(["m", "eps"]).itertuples(index=False, name=None)
        places = {cell: index for index, cell in enumerate(cells)}
        for index, method in enumerate(methods):
            seen = rows[rows["method"] == method]
            x = [places[cell] for cell in seen[["m", "eps"]].itertuples(index=False, name=None)]
            axes.plot(
                np.array(x) + 0.12 * (index - 1.5),
                seen["deviation"],
                linestyle="",
                marker=MARKERS[index],
                markersize=7,
                markevery=1,
                color=colour(index),
                label=NAMES[method],
            )
        first = {m: [at for (size, _), at in places.items() if size == m] for m in sorted({cell[0] for cell in places})}
        axes.set_xticks([float(np.mean(at)) for at in first.values()], [f"{m}" for m in first])
        for at in list(first.values())[1:]:
            axes.axvline(min(at) - 0.5, color=roles().muted, linewidth=0.6, linestyle="-")
        axes.set(yscale="log", xlabel="$m$; in each column the budget grows")
        axes.set_title(title, fontsize=BIG)
    panels[0].set_ylabel("standard deviation of the loss (nats)")
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=2, fontsize=SMALL)
    return figure


def _image(axes: Axes, table: pd.DataFrame, column: str) -> None:
    square = table.pivot(index="y", columns="x", values=column)
    side = float(table["x"].max())
    # The square root shows low and high densities on one scale; values above the target's largest are cut.
    norm = PowerNorm(0.5, vmin=0.0, vmax=1.0, clip=True)
    extent = (-side, side, -side, side)
    axes.imshow(square.to_numpy(), origin="lower", extent=extent, norm=norm, cmap="cividis", interpolation="nearest")
    axes.set(xticks=[], yticks=[])
    axes.grid(visible=False)
    axes.spines[["bottom", "left"]].set_visible(False)


def draw_plane(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the target and, for each budget, DPB in both units and MBDE in two variants."""
    methods = ("record", "input", "clip", "released")
    levels = sorted({float(name.split("_")[1]) for name in table.columns if "_" in name})
    figure, panels = new_figure(len(levels), 1 + len(methods), aspect=0.27 * len(levels))
    for row, level in enumerate(levels):
        for column, method in enumerate(methods, start=1):
            axes = panels[row, column]
            _image(axes, table, f"{method}_{level:g}")
            axes.set_xlabel(f"loss {facts[f'{method}_{level:g}']:.2f}", fontsize=SMALL)
            if row == 0:
                axes.set_title(NAMES[method].replace(", ", ",\n"), fontsize=SMALL)
        panels[row, 1].set_ylabel(rf"$\varepsilon={level:g}$", fontsize=BIG)
    _image(panels[0, 0], table, "target")
    panels[0, 0].set_title("target $P$", fontsize=SMALL)
    for axes in panels[1:, 0]:
        axes.set_visible(False)
    return figure


def draw_plane_losses(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the losses against the budget at two scales of the square, relative to the uniform density on the box."""
    scales = sorted(table["half_width"].unique(), reverse=True)
    figure, panels = new_figure(1, len(scales), aspect=0.62)
    methods = ("clip", "tanh", "released", "record", "input")
    for axes, scale in zip(np.atleast_1d(panels), scales, strict=True):
        here = table[table["half_width"] == scale]
        for index, method in enumerate(methods):
            rows = here[here["method"] == method].groupby("eps")["nll"].agg(["min", "median", "max"])
            axes.fill_between(rows.index, rows["min"], rows["max"], color=colour(index), alpha=0.2, linewidth=0)
            line(
                axes, rows.index, rows["median"], index=index, marker=MARKERS[index], markersize=6, label=NAMES[method]
            )
        for what, words, side in (("reference", "$Q_0$", "bottom"), ("uniform", "uniform on the box", "top")):
            height = float(here.loc[here["method"] == what, "nll"].median())
            axes.axhline(height, color=roles().muted, linewidth=1, linestyle="-")
            label(axes, 0.98, height, words, ha="right", va=side, transform=axes.get_yaxis_transform())
        axes.margins(y=0.09)
        axes.set(xlabel=r"$\varepsilon$")
        axes.set_title(f"means in $[-{scale:g},{scale:g}]^2$", fontsize=BIG)
    np.atleast_1d(panels)[0].set_ylabel(r"$-\mathrm{E}_P\,\log Q$ (nats)")
    handles, names = np.atleast_1d(panels)[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=3, fontsize=SMALL)
    return figure
