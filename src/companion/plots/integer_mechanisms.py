"""Draw the figures of the page on integer mechanisms: three laws, their deltas, a count capped at its own n."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from companion.drawing import BIG, SMALL, colour, label, line, tint
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_capped_counts", "draw_exact_deltas", "draw_output_laws"]

FLOOR = 1e-6


def draw_output_laws(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw, for each mechanism, both laws on a log axis and the band of ratios; what leaves the band is marked."""
    figure, panels = new_figure(3, 1, aspect=1.35, sharex=True, sharey=True)
    factor, count = float(np.exp(facts["eps"])), int(facts["count"])
    words = {
        "geometric": "geometric: all within the band",
        "binomial": rf"binomial: $\delta={facts['delta_binomial']:.4f}$",
        "discrete Gaussian": rf"discrete Gaussian: $\delta={facts['delta_gaussian']:.4f}$",
    }
    for axes, (name, rows) in zip(panels, table.groupby("mechanism", sort=False), strict=True):
        for _, row in rows[rows["two"] > 0].iterrows():
            axes.fill_between(
                [row["output"] - 0.42, row["output"] + 0.42],
                max(row["two"] / factor, FLOOR / 10),
                max(row["two"] * factor, FLOOR / 10),
                color=tint(True),
                linewidth=0,
            )
        for shade, column, marker in ((1, "two", "_"), (0, "one", MARKERS[0])):
            seen = rows[rows[column] > FLOOR]
            axes.plot(seen["output"], seen[column], linestyle="", marker=marker, markevery=1,
                      color=colour(shade),
                      markersize=11 if marker == "_" else 5.5, markeredgewidth=2 if marker == "_" else 0)  # fmt: skip
        outside = rows[(rows["excess"] > 1e-12) & (rows["one"] > FLOOR)]
        axes.plot(outside["output"], outside["one"], linestyle="", marker="o", markersize=11, markevery=1,
                  markerfacecolor="none",
                  color=roles().ink, markeredgewidth=1.4)  # fmt: skip
        axes.set(yscale="log", ylim=(FLOOR, 6), ylabel="probability")
        label(axes, float(table["output"].max()) + 0.4, 1.0, words[str(name)], ha="right", va="bottom", fontsize=BIG)
    label(panels[0], float(table["output"].min()) - 0.4, 1.2e-5,
          f"dots: count {count}\ndashes: count {count + 1}\nshaded: within $e^{{\\pm\\varepsilon}}$",
          ha="left", va="bottom", fontsize=SMALL)  # fmt: skip
    last = panels[-1]
    left = table[(table["mechanism"] == "discrete Gaussian") & (table["excess"] > 1e-12) & (table["one"] > FLOOR)]
    at = left.iloc[len(left) // 2]
    label(last, at["output"], at["one"], "circled: above the band", ha="left", va="top", textcoords="offset points",
          xytext=(40, -24), fontsize=SMALL)  # fmt: skip
    last.set(xlabel="output")
    last.xaxis.set_major_locator(MaxNLocator(integer=True))
    return figure


def draw_exact_deltas(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the exact deltas against eps on a log axis: the geometric one ends, the others do not."""
    figure, axes = new_figure(aspect=0.72)
    shown = table.where(table > 1e-7)
    axes.axvline(facts["eps"], color=roles().muted, linewidth=1.0, zorder=0.6)
    last = table[table["geometric"] > 0].iloc[-1]
    geometric = pd.concat(
        [shown[table["geometric"] > 0][["eps", "geometric"]],
         pd.DataFrame({"eps": [facts["eps"]], "geometric": [1e-9]})]
    )  # fmt: skip
    line(axes, geometric["eps"], geometric["geometric"], index=0, linewidth=2.6)
    line(axes, table["eps"], shown["continuous"], index=3, linewidth=1.6)
    line(axes, table["eps"], shown["gaussian"], index=2, linewidth=2.4)
    line(axes, table["eps"], shown["binomial"], index=1, linewidth=2.4)
    label(axes, last["eps"], 2e-5, "geometric:\n$\\delta=0$ from here", colour(0), ha="right", va="center",
          textcoords="offset points", xytext=(-6, 0), fontsize=BIG)  # fmt: skip
    axes.set(yscale="log", ylim=(1e-6, 0.5), xlim=(0, table["eps"].max()))
    for name, shade, words, goal, side, right in (
        ("binomial", 1, "binomial", 8e-4, "left", 10),
        ("gaussian", 2, "discrete Gaussian", 6e-6, "right", -10),
        ("continuous", 3, "Gaussian", 6e-5, "right", -10),
    ):
        at = table[table[name] >= goal].iloc[-1]
        label(axes, at["eps"], at[name], words, colour(shade), ha=side, va="center", textcoords="offset points",
              xytext=(right, 4 if side == "left" else -8), fontsize=BIG)  # fmt: skip
    axes.set(xlabel=r"$\varepsilon$ (nats)", ylabel=r"exact $\delta$")
    return figure


def draw_capped_counts(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the laws for n and n - 1 records side by side, for the cap n and a public cap."""
    caps = list(dict.fromkeys(table["cap"]))
    figure, panels = new_figure(len(caps), 1, aspect=0.95, sharex=True, sharey=True)
    n, factor = int(facts["records"]), float(np.exp(facts["eps"]))
    for axes, cap in zip(panels, caps, strict=True):
        rows = table[table["cap"] == cap]
        axes.bar(rows["output"] - 0.2, rows["one"], width=0.36, color=colour(0), label=f"{n} records")
        axes.bar(rows["output"] + 0.2, rows["two"], width=0.36, color=roles().background, edgecolor=colour(1),
                 hatch="///", linewidth=1.2, label=f"{n - 1} records")  # fmt: skip
        words = "truncated at its own $n$" if cap == "n" else f"truncated at {cap}, for all data sets"
        axes.set_ylim(0, 0.95)
        axes.set(ylabel="probability")
        label(axes, -0.4, 0.9, words, va="top", ha="left", fontsize=BIG)
        at = rows[rows["output"] == n].iloc[0]
        if cap == "n":
            label(axes, n, at["one"], f"only with {n} records", ha="center", va="bottom", textcoords="offset points",
                  xytext=(0, 4), fontsize=BIG)  # fmt: skip
        else:
            worst = rows[rows["output"] >= n]
            label(axes, float(worst["output"].mean()), float(worst["one"].max()),
                  f"ratio {factor:g} at most", ha="center", va="bottom", textcoords="offset points",
                  xytext=(0, 4), fontsize=BIG)  # fmt: skip
    panels[0].legend(loc="center left", fontsize=SMALL, frameon=False)
    panels[-1].set(xlabel="released number of records")
    panels[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
    return figure
