"""Draw the figures of the page on hazards of implementation: outputs in floats, levels after rounding to integers."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from companion.drawing import BIG, colour, label, line
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_float_outputs", "draw_rounded_levels"]

BESIDE: dict[str, Any] = {"textcoords": "offset points", "fontsize": BIG}


def draw_float_outputs(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the possible outputs in a short interval as ticks in two rows, and below delta against the level."""
    figure, (upper, lower) = new_figure(2, 1, aspect=0.95, height_ratios=[1, 1.7])
    outputs = table[table["kind"] == "output"]
    for row, series in enumerate(("0", "1")):
        rows = outputs[outputs["series"] == series]
        alone, both = rows[rows["value"] == 0], rows[rows["value"] == 1]
        upper.vlines(alone["at"], 1.1 - row, 1.8 - row, color=colour(row), linewidth=1.5)
        upper.vlines(both["at"], 1.1 - row, 1.8 - row, color=roles().ink, linewidth=1.5)
        upper.plot(both["at"], [1.45 - row] * len(both), marker="o", linestyle="", color=roles().ink, markersize=6)
    low, high = outputs["at"].min(), outputs["at"].max()
    upper.set(xlabel="possible outputs (dot: possible for both answers)", ylim=(0, 1.95), xlim=(low, high))
    upper.set_yticks([1.45, 0.45], ["answer 0", "answer 1"])
    upper.tick_params(axis="y", length=0)
    upper.grid(visible=False)
    upper.ticklabel_format(axis="x", useOffset=False)
    upper.locator_params(axis="x", nbins=4)
    deltas = table[table["kind"] == "delta"]
    answers = [name for name in deltas["series"].unique() if name not in ("real", "integer")]
    last = float(deltas["at"].max())
    for name in answers:
        rows = deltas[deltas["series"] == name]
        line(lower, rows["at"], rows["value"], color=colour(1), linestyle="-", linewidth=2.2)
        up = facts[f"share_{name}"]
        label(lower, last, up, f"in floats, {name} against {int(name) + 1}", colour(1), ha="right", va="bottom",
              xytext=(-4, 3), **BESIDE)  # fmt: skip
    for index, name in ((0, "real"), (2, "integer")):
        rows = deltas[deltas["series"] == name]
        line(lower, rows["at"], rows["value"], index=index, linewidth=2.6 - 0.3 * index)
    zero = deltas[(deltas["series"] == "real") & (deltas["value"] <= 0)]["at"].min()
    lower.plot([zero], [0], marker=MARKERS[3], markersize=9, color=roles().ink, linestyle="", clip_on=False, zorder=4)
    label(
        lower, 0.12, 0.53, "real numbers (solid) and\nintegers (dash-dotted): zero from 1 on", colour(0), fontsize=BIG
    )
    lower.set(
        xlabel=r"level $\varepsilon$ (nats)", ylabel=r"exact $\delta(\varepsilon)$", xlim=(0, last), ylim=(0, 0.93)
    )
    return figure


def draw_rounded_levels(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the exact level after rounding against the bits for both rules, and below the distance to the law."""
    figure, (upper, lower) = new_figure(2, 1, aspect=0.95, sharex=True)
    eps = facts["eps"]
    upper.axhline(eps, color=roles().ink, linewidth=1.4)
    upper.axhspan(eps, 10, color=roles().fill, linewidth=0, zorder=0.4)
    words = {"nearest": "nearest integers", "inside": "integers inside the mollifier"}
    places = {"nearest": (8, -6, "left", "top"), "inside": (10, -4, "left", "top")}
    for index, (rule, rows) in enumerate(table.groupby("rule", sort=False)):
        at: dict[str, Any] = {"color": colour(1 - index), "linestyle": ("--", "-")[index], "linewidth": 2.2}
        marks: dict[str, Any] = {"marker": MARKERS[1 - index], "markersize": 7 if index else 8, "markevery": 1}
        line(upper, rows["bits"], rows["level"], **at, **marks)
        first = rows.iloc[2]
        right, up, side, level = places[str(rule)]
        label(upper, first["bits"], first["level"], words[str(rule)], colour(1 - index), ha=side, va=level,
              xytext=(right, up), **BESIDE)  # fmt: skip
        if rule == "inside":
            line(lower, rows["bits"], rows["distance"], **at, **marks)
            line(lower, rows["bits"], rows["bound"], color=roles().ink, linestyle=":", linewidth=2)
            middle = rows.iloc[len(rows) // 2]
            label(lower, middle["bits"], middle["bound"], r"bound $k/2^b$", ha="left", va="bottom",
                  xytext=(8, 6), **BESIDE)  # fmt: skip
            label(lower, middle["bits"], middle["distance"], "to the law", colour(0), ha="right", va="top",
                  xytext=(-8, -8), **BESIDE)  # fmt: skip
    label(
        upper,
        float(table["bits"].max()),
        eps,
        "above: level broken",
        ha="right",
        va="bottom",
        xytext=(-4, 12),
        **BESIDE,
    )
    top = max(1.15 * eps, 1.08 * float(table["level"].max()))
    upper.set(ylabel="exact level (nats)", ylim=(-0.04 * top, top))
    lower.set(xlabel="bits $b$: the weights sum to $2^b$", ylabel="total variation", yscale="log")
    return figure
