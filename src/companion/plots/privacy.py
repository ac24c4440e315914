"""Draw the figure of the page on private sampling."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from companion.drawing import BIG, colour, label, number, tint
from companion.style import new_figure, roles

__all__ = ["draw_events"]

TITLES = {"inside": "two members of a mollifier", "outside": "two other laws"}


def draw_events(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the probability of every event under two laws, with the wedge that the privacy level allows."""
    figure, panels = new_figure(1, 2, aspect=0.56, sharex=True, sharey=True)
    lowest = 0.7 * float(table[["under_one", "under_two"]].min().min())
    ends = np.array([lowest, 1.15])
    factor = np.exp(facts["eps"])
    for axes, (family, title) in zip(panels, TITLES.items(), strict=True):
        axes.set(xscale="log", yscale="log", xlim=ends, ylim=ends, xlabel="$Q(S)$", aspect="equal")
        axes.fill_between(ends, ends / factor, ends * factor, color=tint(False), linewidth=0, zorder=0.5)
        for slope in (factor, 1 / factor):
            axes.plot(ends, ends * slope, color=roles().muted, linewidth=1, linestyle="-", marker="")
        rows = table[table["family"] == family]
        beyond = rows["log_ratio"].abs() > facts["eps"]
        for chosen, ink, marker, size in ((~beyond, colour(0), "o", 12), (beyond, colour(4), "X", 34)):
            axes.scatter(
                rows["under_one"][chosen], rows["under_two"][chosen], s=size, marker=marker, color=ink, linewidths=0
            )
        axes.set_title(title, fontsize=BIG)
        text = f"{int(beyond.sum())} of {len(rows)} events\noutside the wedge"
        label(axes, 0.04, 0.96, text, va="top", transform=axes.transAxes)
    start = float(np.sqrt(lowest * 0.22))
    along: dict[str, Any] = {"rotation": 45, "rotation_mode": "anchor", "ha": "center"}
    power = "" if facts["eps"] == 1 else f"^{{{number(facts['eps'])}}}"
    label(panels[0], start, start * factor * 1.10, f"$Q'=e{power}\\,Q$", va="bottom", **along)
    inverse = f"^{{-{number(facts['eps'])}}}"
    label(panels[0], start * factor, start / 1.10, f"$Q'=e{inverse}\\,Q$", va="top", **along)
    panels[0].set_ylabel("$Q'(S)$")
    return figure
