"""Draw the figures of the page on rates: errors against n, exponents by dimension, and a cdf that falls."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from companion.drawing import BIG, band, colour, label, line
from companion.style import new_figure, roles

__all__ = ["draw_error_curves", "draw_exponents", "draw_falling_cdf"]

#: Series: colour and line style of the cycle, words.
WORDS = {
    "choice": (3, "--", "paper's $m$, $s$"),
    "theorem": (0, "-", "best by Theorem 2"),
    "exact": (2, "-.", "exact privacy"),
}


def draw_error_curves(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw error against n on log scales, a panel a dimension, with the floor and the rate that Theorem 6 claims."""
    dims = sorted(table["dimension"].unique())
    figure, axes = new_figure(len(dims), 1, aspect=1.75, sharex=True)
    last = float(table["n"].max())
    for panel, d in zip(axes, dims, strict=True):
        rows = table[table["dimension"] == d]
        floor, printed = (rows[rows["series"] == name] for name in ("floor", "printed"))
        panel.fill_between(floor["n"], floor["error"] / 1e6, floor["error"], color=roles().grid, linewidth=0)
        line(panel, floor["n"], floor["error"], color=roles().muted, linestyle="-", linewidth=1.2)
        line(panel, printed["n"], printed["error"], color=roles().ink, linestyle=":", linewidth=2)
        ends = [("floor", float(floor["error"].iloc[-1]), roles().muted)]
        ends.append(("claimed rate", float(printed["error"].iloc[-1]), roles().ink))
        for name, (index, style, words) in WORDS.items():
            part = rows[rows["series"] == name]
            line(panel, part["n"], part["error"], index=index, linestyle=style, linewidth=2.2)
            dots = rows[rows["series"] == f"{name} simulated"]
            panel.plot(dots["n"], dots["error"], linestyle="", marker="o", markersize=6, color=colour(index))
            ends.append((words, float(part["error"].iloc[-1]), colour(index)))
        low, high = 0.4 * min(end[1] for end in ends), 3 * float(rows["error"].max())
        ends.sort(key=lambda end: end[1])
        place = 0.0
        for words, value, ink in ends:  # keep the words apart: at least a factor of the height
            gap = (high / low) ** 0.105
            place = max(value, place * gap)
            label(panel, last * 1.35, place, words, ink, va="center", fontsize=BIG, clip_on=False)
        panel.set(xscale="log", yscale="log", ylim=(low, high), xlim=(float(table["n"].min()) * 0.8, last * 1.1))
        panel.set(ylabel="KS error")
        label(panel, 0.02, 0.05, f"$d={d}$", va="bottom", fontsize=BIG, transform=panel.transAxes)
    axes[-1].set(xlabel="records $n$")
    return figure


def draw_exponents(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the exponent of each rate by dimension, what is impossible shaded, measured exponents as open circles."""
    figure, axes = new_figure(aspect=0.85)
    last = int(table["dimension"].max())
    band(axes, 0.5, 1.0)
    label(axes, last, 0.9, "faster than any estimator", roles().muted, ha="right", va="center", fontsize=BIG)
    axes.axhline(0, color=roles().muted, linewidth=1, linestyle="-")
    names = [("printed", 1, ":", "claimed"), ("smoothed", 4, (0, (6, 2, 1, 2)), "smoothed")]
    names += [(name, *rest) for name, rest in WORDS.items()]
    shift = {"printed": 0.06, "exact": 0.0, "theorem": 0.03, "smoothed": -0.03, "choice": 0.0}
    for name, index, style, words in names:
        rows = table[table["column"] == name]
        ink = roles().ink if name == "printed" else colour(index)
        line(axes, rows["dimension"], rows["exponent"], color=ink, linestyle=style, linewidth=2.2)
        seen = rows.dropna(subset=["measured"])
        axes.plot(
            seen["dimension"],
            seen["measured"],
            linestyle="",
            marker="o",
            markersize=7,
            markerfacecolor="none",
            markeredgecolor=ink,
            markeredgewidth=1.6,
        )
        end = float(rows["exponent"].iloc[-1])
        label(axes, last + 0.15, end + shift[name], words, ink, va="center", fontsize=BIG, clip_on=False)
    axes.set(xlabel="dimension $d$", ylabel="exponent $a$ of $n^{-a}$", xlim=(0.8, last + 0.05), ylim=(-0.4, 1.0))
    return figure


def draw_falling_cdf(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw a corrected cdf that falls and leaves [0, 1], its running maximum, and the true cdf."""
    figure, axes = new_figure(aspect=0.62)
    line(axes, table["x"], table["true"], color=roles().ink, linestyle="--", linewidth=1.6)
    line(axes, table["x"], table["mended"], color=colour(2), linestyle="-", linewidth=5, alpha=0.35)
    line(axes, table["x"], table["corrected"], color=colour(3), linestyle="-", linewidth=2.2)
    for edge in (0, 1):
        axes.axhline(edge, color=roles().muted, linewidth=1, linestyle="-")
    falls = table["corrected"].diff() < -1e-12
    runs = (falls != falls.shift()).cumsum()
    for _, run in table[falls].groupby(runs[falls]):
        piece = table.loc[run.index[0] - 1 : run.index[-1]]
        line(axes, piece["x"], piece["corrected"], color=roles().accent, linestyle="-", linewidth=4)
        middle = float(piece["x"].mean()), float(piece["corrected"].mean())
        away: dict[str, Any] = {"xytext": (10, 2), "textcoords": "offset points"}
        label(axes, middle[0], middle[1], "falls", roles().accent, va="center", fontsize=BIG, **away)
    label(axes, 0.62, 0.40, "true $F$", va="top", ha="left", fontsize=BIG)
    label(axes, 0.03, 0.93, r"corrected $\hat F^c$", colour(3), va="top", fontsize=BIG)
    label(axes, 0.03, 0.81, "its running maximum", colour(2), va="top", fontsize=BIG)
    axes.set(xlabel="$x$", ylabel="cumulative share", xlim=(0, 1), ylim=(-0.12, 1.18))
    return figure
