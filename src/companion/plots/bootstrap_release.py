"""Draw the figures of the page on releasing data: error by records, a real release, many histograms, the audit."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from companion.drawing import BIG, colour, label, line, tint
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_audits", "draw_error_by_records", "draw_histograms", "draw_visits"]


def _power(value: float) -> str:
    """Return a power of ten for a label."""
    return rf"$10^{{{round(math.log10(value))}}}$"


def draw_error_by_records(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the error against the number of released records, between sampling noise and Gaussian noise."""
    figure, axes = new_figure(aspect=0.66)
    by = {name: table[table["method"] == name] for name in ("exact", "paper", "sampling")}
    first, last = table["records"].min(), table["records"].max()
    sampled = by["sampling"][by["sampling"]["error"] > 0.25 * facts["gaussian"]]
    line(axes, sampled["records"], sampled["error"], index=2, color=roles().muted, linestyle="-", linewidth=1.4)
    for height, words in ((facts["gaussian"], "Gaussian noise"), (facts["laplace"], "discrete Laplace noise")):
        axes.axhline(height, color=roles().muted, linewidth=1.4, linestyle="--")
        label(axes, first, height / 1.06, words, va="top", fontsize=BIG)
    line(axes, by["paper"]["records"], by["paper"]["error"], index=1, linewidth=2.4)
    line(axes, by["exact"]["records"], by["exact"]["error"], index=0, linewidth=2.8, linestyle="-")
    middle = by["paper"].iloc[len(by["paper"]) // 2]
    label(axes, middle["records"], 1.25 * middle["error"], "as the paper proves it", colour(1), fontsize=BIG)
    near = by["exact"].iloc[(by["exact"]["records"] - 2e5).abs().argmin()]
    label(axes, near["records"], 1.3 * near["error"], "exact accounting", colour(0), fontsize=BIG)
    between = math.sqrt(facts["gaussian"] * facts["laplace"])
    words = "$m$ draws without privacy"
    label(axes, 1.4 * (1 - 1 / facts["size"]) / between**2, between, words, roles().muted, va="center", fontsize=BIG)
    axes.axvline(facts["n"], color=roles().muted, linewidth=1, linestyle=":")
    label(axes, 1.15 * facts["n"], table["error"].max(), "$m=n$", va="top")
    axes.set(xscale="log", yscale="log", xlim=(first / 1.3, last), xlabel="released records $m$")
    axes.set(ylabel=r"error of the masses, $\sqrt{\mathrm{E}\|\cdot\|_2^2}$", ylim=(facts["laplace"] / 1.7, None))
    return figure


def draw_visits(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the data as bars, one release as points and where 95 % of releases lie, by the paper's k and the exact."""
    figure, panels = new_figure(2, 1, aspect=0.95, sharex=True, sharey=True)
    words = {"paper": "as the paper proves it", "exact": "exact accounting"}
    for index, (axes, method) in enumerate(zip(panels, ("paper", "exact"), strict=True)):
        rows, ink = table[table["method"] == method], colour(1 - index)
        axes.bar(rows["symbol"], 100 * rows["truth"], width=0.82, color=tint(True), linewidth=0, zorder=1)
        axes.vlines(rows["symbol"], 100 * rows["low"], 100 * rows["high"], color=ink, linewidth=3, alpha=0.55, zorder=2)
        shape: dict[str, Any] = {"linestyle": "", "marker": MARKERS[1 - index], "markersize": 6, "markevery": 1}
        axes.plot(rows["symbol"], 100 * rows["released"], color=ink, **shape)
        axes.axhline(0, color=roles().ink, linewidth=0.8)
        text = f"{words[method]}: $k={facts['k_' + method]}$"
        label(axes, 0.98, 0.9, text, ink, ha="right", va="top", fontsize=BIG, transform=axes.transAxes)
        axes.set(ylabel="share of persons, %")
    label(panels[0], 0.98, 0.72, "bars: the data", ha="right", va="top", transform=panels[0].transAxes)
    last = facts["size"] - 1
    panels[1].set(xlabel="visits to a doctor in a year", xlim=(-0.7, last + 0.7))
    panels[1].set_xticks([0, 5, 10, 15, last], ["0", "5", "10", "15", f"{last}+"])
    return figure


def draw_histograms(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the mechanism's squared error over Laplace noise's, against how many histograms are released."""
    figure, axes = new_figure(aspect=0.58)
    axes.axhline(1, color=roles().ink, linewidth=1)
    least = float(table["histograms"].min())
    for index, (delta, rows) in enumerate(table.groupby("delta", sort=True)):
        line(axes, rows["histograms"], rows["ratio"], index=index, marker=MARKERS[index], markersize=5)
        words = rf"$\delta=$ {_power(float(str(delta)))}"
        label(axes, least / 1.12, rows["ratio"].iloc[0], words, colour(index), ha="right", va="center", fontsize=BIG)
    most = float(table["histograms"].max())
    label(axes, most, 1.08, "Laplace noise is better", ha="right", va="bottom", fontsize=BIG)
    label(axes, most, 0.92, "the mechanism is better", ha="right", va="top", fontsize=BIG)
    axes.set(xscale="log", yscale="log", xlim=(least / 2.4, most * 1.15))
    ticks = [d for d in (1, 2, 4, 8, 16, 32, 64) if least <= d <= most]
    axes.set_xticks(ticks, [str(d) for d in ticks])
    axes.set_yticks([0.5, 1, 2, 4, 8], ["0.5", "1", "2", "4", "8"])
    axes.minorticks_off()
    axes.set(xlabel="histograms released from one data set", ylabel="squared error, over Laplace noise")
    return figure


def draw_audits(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw what the audit finds for samplers with too few, enough and more pseudo-records, below their true level."""
    figure, axes = new_figure(aspect=0.6)
    axes.axhline(facts["eps"], color=roles().ink, linewidth=1.2)
    line(axes, table["used"], table["level"], index=0, marker=MARKERS[0], markersize=7, linestyle="-", markevery=1)
    axes.vlines(table["used"], 0, table["bound"], color=colour(1), linewidth=5, alpha=0.45)
    shape: dict[str, Any] = {"linestyle": "", "marker": "_", "markersize": 22, "markeredgewidth": 3, "markevery": 1}
    axes.plot(table["used"], table["bound"], color=colour(1), **shape)
    first, last = table.iloc[0], table.iloc[-1]
    label(axes, first["used"] + 0.1, first["level"], r"true $\epsilon$ of the sampler", colour(0), fontsize=BIG)
    label(axes, first["used"] + 0.1, 0.55 * first["bound"], "what the\naudit proves\n(99.9 %)", colour(1), fontsize=BIG)
    words = rf"promised: $\epsilon={facts['eps']:g}$"
    label(axes, last["used"] + 0.4, 1.03 * facts["eps"], words, ha="right", va="bottom", fontsize=BIG)
    names = [f"{used}\n(promised)" if used == facts["k"] else str(used) for used in table["used"]]
    axes.set_xticks(list(table["used"]), names)
    axes.set(xlim=(first["used"] - 0.5, last["used"] + 0.5), ylim=(0, 1.12 * first["level"]))
    axes.set(xlabel="pseudo-records that the sampler adds to a symbol", ylabel=r"$\epsilon$ (nats)")
    return figure
