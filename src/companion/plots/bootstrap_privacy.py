"""Draw the figures of the page on plain bootstrapping: the unique value, the loss on two symbols, the exact type."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from companion.drawing import BIG, colour, label, line, number, tint
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_loss", "draw_same_type", "draw_unique"]


def draw_unique(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the probability that the unique value is released against the number of records released."""
    figure, axes = new_figure(aspect=0.58)
    delta = facts["delta"]
    axes.axhline(delta, color=roles().muted, linewidth=1.2, linestyle=":")
    for index, (n, rows) in enumerate(table.groupby("n")):
        line(axes, rows["m"], rows["probability"], index=index, linewidth=2.4)
        spot = rows[rows["m"] >= 12].iloc[0]
        label(
            axes,
            spot["m"],
            spot["probability"],
            f"$n={n:,}$".replace(",", "{,}"),
            colour(index),
            xytext=(-7, 3),
            textcoords="offset points",
            ha="right",
            va="bottom",
            fontsize=BIG,
        )
        allowed = facts[f"allowed_{n}"]
        if allowed >= 1:
            axes.plot([allowed], [delta], marker=MARKERS[index], color=colour(index), linestyle="", markersize=9)
            text = f"at most {allowed:,.0f}"
            label(
                axes,
                allowed,
                delta,
                text,
                colour(index),
                xytext=(9, -5),
                textcoords="offset points",
                va="top",
                fontsize=BIG,
            )
    most = float(table["m"].max())
    label(axes, most, delta, rf"$\delta={delta:g}$", ha="right", va="bottom", fontsize=BIG)
    axes.set(xscale="log", yscale="log", xlim=(0.9, 1.1 * most), ylim=(0.5 * table["probability"].min(), 1.6))
    axes.set(xlabel="records released, $m$", ylabel=r"P[the unique value appears] = least $\delta$")
    return figure


def draw_loss(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the law of the loss as bars, the part beyond eps, and within it the part that counts for delta."""
    figure, axes = new_figure(aspect=0.62)
    eps = facts["eps"]
    shown = table[table["probability"] > 1e-7]
    width = 0.72 * float(shown["loss"].diff().iloc[1])
    beyond, rest = shown[shown["loss"] > eps], shown[shown["loss"] <= eps]
    edge: dict[str, Any] = {"edgecolor": roles().ink, "linewidth": 0.8}
    axes.bar(rest["loss"], rest["probability"], width=width, color=tint(False), **edge)
    axes.bar(beyond["loss"], beyond["probability"], width=width, color=tint(True), hatch="//", **edge)
    axes.bar(beyond["loss"], beyond["counted"], width=0.5 * width, color=colour(4), **edge)
    axes.axvline(eps, color=roles().ink, linewidth=1.6, linestyle="--")
    top = 2.2 * float(shown["probability"].max())
    beside: dict[str, Any] = {"textcoords": "offset points", "fontsize": BIG}
    label(axes, eps, top, rf"$\epsilon={eps:g}$", ha="right", va="top", xytext=(-5, -3), **beside)
    first = beyond.iloc[0]
    text = rf"hatched: $P[c>\epsilon]={number(facts['exceeds'])}$"
    label(axes, first["loss"], first["probability"], text, xytext=(22, 26), va="bottom", **beside)
    second = beyond.iloc[1]
    text = rf"solid: $\delta(\epsilon)={number(facts['delta'])}$"
    label(axes, second["loss"], second["probability"], text, colour(4), xytext=(22, 12), va="bottom", **beside)
    axes.set(yscale="log", ylim=(1e-7, top))
    axes.set(xlabel=r"privacy loss $c_{\mathcal{M}}(D^*;D,D')$ (nats)", ylabel="probability")
    return figure


def draw_same_type(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the probability of the exact distribution, and of a neighbourhood of it, against m."""
    figure, axes = new_figure(aspect=0.58)
    for index, (radius, rows) in enumerate(table.groupby("radius")):
        line(axes, rows["m"], rows["probability"], index=index, marker=MARKERS[index], markersize=5, linewidth=2.0)
        last = rows.iloc[len(rows) * 3 // 5] if radius == 0 else rows.iloc[len(rows) // 2]
        text = "exactly one half" if radius == 0 else rf"within $\gamma={radius:g}$"
        label(
            axes,
            last["m"],
            last["probability"],
            text,
            colour(index),
            xytext=(8, 8) if radius == 0 else (8, -6),
            textcoords="offset points",
            va="bottom" if radius == 0 else "top",
            fontsize=BIG,
        )
    axes.set(xscale="log", ylim=(0, 1.04), xlabel="records released, $m$ (even)", ylabel="probability")
    return figure
