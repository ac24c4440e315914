"""Draw the figures of the page on post-processing: decisions after one draw and after several."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from companion.drawing import BIG, colour, label, line, tint
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_decision_curves", "draw_level_by_use"]

USES = {"sample": "the whole sample", "majority": "its majority", "one": "one draw picked at random"}


def draw_decision_curves(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the best decisions from k draws, over the wedge that one draw may not leave."""
    figure, axes = new_figure(aspect=0.8)
    ratio = float(np.exp(facts["eps"]))
    corner = 1 / (1 + ratio)
    mirrored = ratio * corner
    axes.fill([0, corner, 1, mirrored], [0, mirrored, 1, corner], color=tint(True), linewidth=0, zorder=0.5)
    axes.plot([0, 1], [0, 1], color=roles().muted, linewidth=1, linestyle="-", marker="")
    for index, draws in enumerate(sorted(int(count) for count in table["draws"].unique())):
        rows = table[table["draws"] == draws]
        line(axes, rows["other"], rows["own"], index=index, marker=MARKERS[index], markersize=7, linewidth=2.2)
        place = rows.iloc[(rows["own"] - 0.86).abs().argmin()] if draws > 1 else rows.iloc[1]
        text = "1 draw" if draws == 1 else f"{draws} draws"
        label(
            axes,
            place["other"],
            place["own"],
            text,
            colour(index),
            xytext=(12, -14),
            textcoords="offset points",
            fontsize=BIG,
        )
    axes.plot([0], [1], color=roles().ink, marker="*", markersize=16, linestyle="", clip_on=False, zorder=6)
    label(axes, 0.03, 1.0, "$f$ that reads the data", va="bottom", fontsize=BIG)
    label(axes, 0.97, 0.06, rf"shaded: level $\varepsilon$, $e^{{\varepsilon}}={ratio:g}$", ha="right", fontsize=BIG)
    axes.set(xlim=(-0.03, 1.02), ylim=(0, 1.08), xlabel="probability of the decision under $D'$")
    axes.set_ylabel("probability under $D$")
    return figure


def draw_level_by_use(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the level that is spent against the number of draws, by what is read off them."""
    figure, axes = new_figure(aspect=0.56)
    last = float(table["draws"].max())
    for index, (use, text) in enumerate(USES.items()):
        rows = table[table["use"] == use]
        level = rows["level"] / facts["eps"]
        line(axes, rows["draws"], level, index=index, marker=MARKERS[index], markersize=7)
        label(axes, last + 0.3, float(level.iloc[-1]), text, colour(index), va="center", fontsize=BIG)
    axes.set(xlabel="draws $k$", ylabel=r"level spent, in units of $\varepsilon$", ylim=(0, None))
    axes.set(xlim=(0.5, last + 0.2), xticks=sorted(table["draws"].unique()))
    return figure
