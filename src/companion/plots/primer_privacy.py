"""Draw the figures of the primer's page on privacy: two laws and their gap, the loss in both orders, leaked records."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from companion.drawing import BIG, colour, label, line, number, tint
from companion.style import MARKERS, new_figure, roles

__all__ = ["draw_exposed", "draw_losses", "draw_outputs"]

ORDERS = {"added": "$D'$: one record more", "removed": "$D'$: one record less"}


def draw_outputs(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the law under D as bars, e^eps times that under D' as steps, and the gap above them, in both orders."""
    figure, panels = new_figure(2, 1, aspect=0.95, sharex=True)
    edge: dict[str, Any] = {"edgecolor": roles().ink, "linewidth": 0.7}
    for axes, (order, words) in zip(panels, ORDERS.items(), strict=True):
        rows = table[(table["order"] == order) & (table["output"] <= 16)]
        bound = np.exp(facts["eps"]) * rows["other"]
        axes.bar(rows["output"], rows["own"], width=0.86, color=tint(False), **edge)
        axes.bar(
            rows["output"],
            rows["counted"],
            bottom=bound.where(rows["counted"] > 0, 0),
            width=0.86,
            color=colour(4),
            **edge,
        )
        axes.step(rows["output"], bound, where="mid", color=colour(0), linewidth=2.2, linestyle="-", marker="")
        text = rf"{words}" + "\n" + rf"bars above the line: $\delta={number(facts[f'delta_{order}'])}$"
        label(axes, 16.4, 0.3, text, roles().ink, ha="right", va="top", fontsize=BIG)
        at = rows.iloc[6 if order == "added" else 4]
        label(
            axes,
            float(at["output"]),
            float(np.exp(facts["eps"]) * at["other"]),
            r"$e^{\varepsilon}P'$",
            colour(0),
            xytext=(-8, 6) if order == "removed" else (2, 10),
            textcoords="offset points",
            ha="right" if order == "removed" else "left",
            va="bottom",
            fontsize=BIG,
        )
        peak = rows.iloc[6]
        label(axes, 6, 0.4 * float(peak["own"]), "$P$", ha="center", va="center", fontsize=BIG)
        axes.set(ylabel="probability", ylim=(0, 0.31), xlim=(-0.7, 16.6))
    panels[1].set_xlabel("published number, less the smaller of the two counts")
    return figure


def draw_losses(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the law of the privacy loss in both orders; hatched beyond eps, solid what counts towards delta."""
    figure, panels = new_figure(2, 1, aspect=0.95, sharex=True)
    edge: dict[str, Any] = {"edgecolor": roles().ink, "linewidth": 0.7}
    eps = facts["eps"]
    for axes, (order, words) in zip(panels, ORDERS.items(), strict=True):
        rows = table[(table["order"] == order) & (table["probability"] > 2e-4)]
        width = 0.045
        beyond, rest = rows[rows["loss"] > eps], rows[rows["loss"] <= eps]
        axes.bar(rest["loss"], rest["probability"], width=width, color=tint(False), **edge)
        axes.bar(beyond["loss"], beyond["probability"], width=width, color=tint(True), hatch="//", **edge)
        axes.bar(beyond["loss"], beyond["counted"], width=width, color=colour(4), **edge)
        axes.axvline(eps, color=roles().ink, linewidth=1.6, linestyle="--")
        label(axes, eps + 0.03, 0.188, r"$\varepsilon$", va="top", fontsize=BIG)
        text = (
            rf"{words}"
            + "\n"
            + rf"hatched: $P[L>\varepsilon]={number(facts[f'exceeds_{order}'])}$"
            + "\n"
            + rf"solid: $\delta={number(facts[f'delta_{order}'])}$"
        )
        label(axes, 2.28, 0.188, text, ha="right", va="top", fontsize=BIG)
        if order == "added":
            mass = facts["infinite"]
            axes.plot([2.18], [mass], color=colour(4), marker=">", markersize=9, linestyle="", clip_on=False)
            text = rf"$L=\infty$: {number(mass)}"
            label(axes, 2.28, mass + 0.014, text, colour(4), ha="right", va="bottom", fontsize=BIG)
        axes.set(ylabel="probability", ylim=(0, 0.195), xlim=(-1.35, 2.3))
    panels[1].set_xlabel("privacy loss $L$ (nats)")
    return figure


def draw_exposed(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the probability that some record is published against the size of the data set, by delta."""
    figure, axes = new_figure(aspect=0.58)
    last = float(table["n"].max())
    for index, power in enumerate(sorted(table["power"].unique())):
        rows = table[table["power"] == power]
        line(axes, rows["n"], rows["probability"], index=index, marker=MARKERS[index], markersize=6, markevery=4)
        text = (
            rf"$\delta={facts['fixed']:g}$"
            if power == 0
            else rf"$\delta=n^{{-{power:g}}}$"
            if power != 1
            else r"$\delta=1/n$"
        )
        end = float(rows["probability"].iloc[-1])
        label(
            axes,
            1.15 * last,
            end * (1.12 if power == 0 else 0.86 if power == 1 else 1),
            text,
            colour(index),
            va="center",
            fontsize=BIG,
            clip_on=False,
        )
    axes.set(xscale="log", yscale="log", xlabel="records $n$", ylabel="P[some record is published]")
    axes.set(xlim=(float(table["n"].min()), last), ylim=(None, 1.4))
    return figure
