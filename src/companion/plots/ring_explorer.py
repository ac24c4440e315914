"""Draw the still pictures of the interactive figure: densities on the ring, and what is measured of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from companion.drawing import BIG, SMALL, label, line
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_pixels", "draw_ring_measures"]

NAMES = {"clip": "as printed (clip)", "released": "as released", "projection": "mollification"}


def draw_pixels(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the density as printed above the one as released, for four budgets, on one logarithmic scale."""
    budgets = sorted(table["eps"].unique())
    chosen = [budgets[round(place)] for place in np.linspace(0, len(budgets) - 1, 4)]
    figure, panels = new_figure(2, 4, aspect=0.62)
    side = np.sort(table["y"].unique())
    x, y = np.meshgrid(side, side)
    reference = np.exp(-(x**2 + y**2) / 2) / (2 * np.pi)
    norm = LogNorm(1e-4, 0.2, clip=True)
    for row, variant in enumerate(("clip", "released")):
        for column, level in enumerate(chosen):
            rows = table[(table["eps"] == level) & (table["variant"] == variant)].sort_values("y")
            ratio = rows[[f"x{index}" for index in range(len(side))]].to_numpy()
            axes = panels[row, column]
            edge = float(side.max())
            shown = axes.imshow(
                reference * np.exp(ratio),
                origin="lower",
                extent=(-edge, edge, -edge, edge),
                norm=norm,
                interpolation="bilinear",
            )
            axes.grid(visible=False)
            axes.set(xticks=(-4, 0, 4), yticks=(-4, 0, 4))
            axes.tick_params(labelbottom=row == 1, labelleft=column == 0)
            if row == 0:
                axes.set_title(rf"$\varepsilon={level:g}$", fontsize=BIG)
        panels[row, 0].set_ylabel(NAMES[variant], fontsize=BIG)
    bar = figure.colorbar(shown, ax=panels.ravel().tolist(), location="bottom", extend="both", aspect=45, pad=0.03)
    bar.set_label("density per unit area", fontsize=SMALL)
    bar.outline.set_visible(False)
    return figure


def draw_ring_measures(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw loss, budget spent and modes shown against the budget, for the three laws."""
    figure, panels = new_figure(1, 3, aspect=0.46)
    for index, law in enumerate(NAMES):
        rows = table[table["law"] == law].sort_values("eps")
        for axes, column in zip(panels, ("nll", "spent", "modes"), strict=True):
            # A count between two budgets is not known: points only.
            shape = {"linestyle": ""} if column == "modes" else {}
            marker = {"marker": MARKERS[index], "markersize": 8 - 2 * index, "label": NAMES[law], "linewidth": 2}
            line(axes, rows["eps"], rows[column], index=index, **marker, **shape)
    last = float(table["eps"].max())
    panels[0].axhline(facts["nll_target"], color=roles().muted, linewidth=1.2)
    label(panels[0], last, facts["nll_target"], "entropy of $P$", ha="right", va="bottom")
    panels[0].set_ylabel("negative log-likelihood (nats)")
    panels[1].plot([0, last], [0, last], color=roles().ink, linewidth=1.2, linestyle=(0, (1, 1)), marker="")
    label(panels[1], last, last * 1.1, r"allowed: $\varepsilon$", ha="right", va="bottom")
    panels[1].set_ylabel(r"spent: $2\,\sup|\log Q/Q_0|$ (nats)")
    panels[2].set(ylim=(-0.3, 8.5), ylabel="modes shown, of 8")
    for axes in panels:
        axes.set(xlabel=r"budget $\varepsilon$", xlim=(0, 1.04 * last))
    handles, words = panels[0].get_legend_handles_labels()
    figure.legend(handles, words, loc="outside lower center", ncols=3, fontsize=SMALL)
    return figure
