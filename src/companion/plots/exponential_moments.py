"""Draw the figures of the page on exponential moments: chords of the exponential, and bounds against the edge."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from companion.drawing import BIG, colour, label, line, tint
from companion.style import new_figure, roles, text_ink

__all__ = ["draw_chords", "draw_moment_ranges"]


def _title(size: float) -> str:
    return r"$c^{*}=\log2$" if size == 1 else rf"$c^{{*}}={size:g}\,\log2$"


def draw_chords(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the exponential between its ends with the chord for log 2 and the one for the range itself."""
    sizes = sorted(table["size"].unique(), reverse=True)
    figure, panels = new_figure(1, len(sizes), aspect=0.5)
    for axes, size in zip(panels, sizes, strict=True):
        rows = table[table["size"] == size]
        line(axes, rows["x"], rows["exp"], color=roles().ink, linestyle="-", linewidth=2.4)
        line(axes, rows["x"], rows["wide"], index=1)
        axes.set_title(_title(size), fontsize=BIG)
        end = round(0.9 * float(rows["x"].max()), 1 if size > 0.5 else 2)
        axes.set(xlabel="$x$", xticks=[-end, 0, end])
        far = rows.iloc[int(0.62 * len(rows))]
        label(axes, far["x"], far["exp"], "$e^x$", va="top", ha="left", fontsize=BIG)
        if size < 1:
            line(axes, rows["x"], rows["own"], index=0)
            near = rows.iloc[int(0.42 * len(rows))]
            axes.annotate(
                r"chord for $c^{*}$",
                (near["x"], near["own"]),
                xytext=(-6, 22),
                textcoords="offset points",
                color=text_ink(colour(0)),
                fontsize=BIG,
                ha="right",
                arrowprops={"arrowstyle": "-", "color": colour(0)},
            )
        at = rows.iloc[int(0.42 * len(rows))]
        above: dict[str, Any] = {"xytext": (-4, 5), "textcoords": "offset points", "ha": "right", "va": "bottom"}
        label(axes, at["x"], at["wide"], r"chord for $\log2$", colour(1), fontsize=BIG, **above)
    panels[0].set_ylabel("value")
    return figure


def draw_moment_ranges(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the bounds on the log-moment against the edge, with the range of values that classifiers reach."""
    sizes = sorted(table["size"].unique(), reverse=True)
    figure, panels = new_figure(1, len(sizes), aspect=0.62, sharex=True, sharey=True)
    for axes, size in zip(panels, sizes, strict=True):
        rows = table[table["size"] == size]
        axes.fill_between(rows["gamma"], rows["lowest"], rows["sharp"], color=tint(True), linewidth=0)
        line(axes, rows["gamma"], rows["hoeffding"], index=2)
        line(axes, rows["gamma"], rows["sharp"], index=0, linewidth=2.4)
        line(axes, rows["gamma"], rows["printed"], index=1, linewidth=2.2)
        axes.set_title(_title(size), fontsize=BIG)
        axes.set(xlabel=r"edge $\gamma_Q$", xlim=(0, 1), ylim=(-1.35, 0.65))
        label(axes, 0.06, -0.95, "shaded: values\nthat occur", va="center")
    first, second = panels[0], panels[-1]
    label(first, 0.5, 0.0, "Hoeffding", colour(2), ha="left", va="bottom", fontsize=BIG)
    label(first, 0.04, 0.42, "sharp = printed", colour(0), ha="left", va="bottom", fontsize=BIG)
    label(second, 0.27, 0.35, "printed", colour(1), ha="left", va="bottom", fontsize=BIG)
    label(second, 0.62, -0.38, "sharp", colour(0), ha="left", va="bottom", fontsize=BIG)
    first.set_ylabel(r"$\log\,\mathrm{E}_Q\,e^{c}$, in units of $c^{*}$")
    return figure
