"""Draw the figures of the page on the information limit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from companion.drawing import BIG, SMALL, colour, label, line
from companion.style import new_figure, roles

__all__ = ["draw_causes", "draw_curves", "draw_margins", "draw_splits", "draw_ten", "draw_worth"]

TITLES = {
    "ring": "ring",
    "mixture-sd": "1D mixture, st. dev.",
    "mixture-variance": "1D mixture, variances",
    "random-1d": "random 1D, $m=5$",
    "random-2d": "random 2D, $m=5$",
}
#: Curves: words, colour of the cycle, line style.
CURVES = {
    "projection": ("mollification", 0, "-"),
    "family": ("best output of MBDE", 4, "--"),
    "bayes": ("MBDE, best classifier, clip", 2, "-."),
    "bayes-tanh": ("the same, tanh", 2, ":"),
}
#: Points: words, colour, marker.
POINTS = {
    "closed": ("one classifier, closed form", 0, "o"),
    "clip": ("MBDE trained, clip", 2, "s"),
    "tanh": ("MBDE trained, tanh", 2, "^"),
}


def _points(axes: Axes, x: Any, rows: pd.DataFrame, index: int, marker: str, hollow: bool) -> None:
    one_target = not str(rows["domain"].iloc[0]).startswith("random")
    spread = np.maximum(np.stack([rows["gain"] - rows["low"], rows["high"] - rows["gain"]]), 0)
    axes.errorbar(
        x,
        rows["gain"],
        yerr=spread if one_target else None,
        color=colour(index),
        linestyle="",
        marker=marker,
        markersize=6,
        markerfacecolor=roles().background if hollow else colour(index),
        markeredgecolor=colour(index),
        markeredgewidth=1.4,
        elinewidth=1.2,
        zorder=4,
    )


def draw_curves(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw, for each domain, gains against the budget below the ceiling of half of it."""
    figure, panels = new_figure(2, 3, aspect=0.92)
    names = list(dict.fromkeys(table["domain"]))
    for axes, name in zip(panels.flat, names, strict=False):
        rows = table[table["domain"] == name]
        last = float(rows["eps"].max())
        axes.plot([0, last], [0, last / 2], color=roles().ink, linewidth=1.2, linestyle=(0, (1, 1)), marker="")
        divergence = facts[f"kl_{name}"]
        if divergence < 1.05 * last / 2:
            axes.axhline(divergence, color=roles().muted, linewidth=1, linestyle="-")
            label(axes, 0.05, divergence, r"$\mathrm{KL}(P,Q_0)$", roles().muted, va="bottom")
        axes.axhline(0, color=roles().muted, linewidth=2.4)
        for method, (_, index, style) in CURVES.items():
            found = rows[rows["method"] == method].sort_values("eps")
            x, y = np.append(0, found["eps"]), np.append(0, found["gain"])
            axes.plot(x, y, color=colour(index), linestyle=style, linewidth=1.8, marker="")
        for method, (_, index, marker) in POINTS.items():
            found = rows[rows["method"] == method]
            if method == "closed":
                found = found[found["eps"].isin([0.5, 1.0, 1.5, 2.0, 3.0, 5.0])]
            if len(found):
                _points(axes, found["eps"], found, index, marker, hollow=method == "tanh")
        axes.set_title(TITLES.get(name, name), fontsize=BIG)
        axes.set(xlim=(0, 1.04 * last), ylim=(-0.02 * last / 2, 1.06 * max(divergence, last / 2)))
        axes.set_ylim(top=1.08 * min(max(divergence, rows["gain"].max()), last / 2))
    for axes in panels[1]:
        axes.set_xlabel(r"budget $\varepsilon$ (nats)")
    panels[0, 2].set_xlabel(r"budget $\varepsilon$ (nats)")
    for axes in panels[:, 0]:
        axes.set_ylabel(r"gain $\Delta$ (nats)")
    key = panels.flat[-1]
    key.axis("off")
    ceiling = {"color": roles().ink, "linewidth": 1.2, "linestyle": (0, (1, 1)), "marker": ""}
    key.plot([], [], label=r"ceiling $\varepsilon/2$", **ceiling)
    key.plot([], [], color=roles().muted, linewidth=2.4, linestyle="-", marker="", label="$Q_0$: gain 0")
    for words, index, style in CURVES.values():
        key.plot([], [], color=colour(index), linestyle=style, linewidth=1.8, marker="", label=words)
    for method, (words, index, marker) in POINTS.items():
        face = roles().background if method == "tanh" else colour(index)
        options: dict[str, Any] = {"markerfacecolor": face, "markeredgecolor": colour(index), "markeredgewidth": 1.4}
        key.plot([], [], color=colour(index), linestyle="", marker=marker, markersize=6, label=words, **options)
    key.legend(loc="center", fontsize=SMALL, borderaxespad=0)
    return figure


#: Methods of the second figure, from the weakest: words, colour, marker, hollow.
STEPS = {
    "clip": ("three rounds, trained", 2, "s", False),
    "bayes": ("three rounds, best classifier", 2, "s", True),
    "one-round": ("one round, trained", 4, "D", False),
    "bayes-1": ("one round, best classifier", 4, "D", True),
    "family": ("best output of MBDE", 1, "v", True),
    "closed": ("closed form, trained", 0, "o", False),
}


def draw_causes(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the share of the mollification's gain that each method has, for two budgets side by side."""
    budgets = sorted(table["eps"].unique())
    budgets = [budgets[0], budgets[-1]] if len(budgets) > 2 else budgets
    figure, panels = new_figure(1, len(budgets), aspect=0.62, sharey=True, squeeze=False)
    names = list(dict.fromkeys(table["domain"]))
    for axes, level in zip(panels[0], budgets, strict=True):
        for offset, (method, (words, index, marker, hollow)) in enumerate(STEPS.items()):
            rows = table[(table["eps"] == level) & (table["method"] == method)].set_index("domain").loc[names]
            y = np.arange(len(names)) + 0.12 * (offset - 2.5)
            face = roles().background if hollow else colour(index)
            axes.plot(
                100 * rows["share"],
                y,
                linestyle="",
                marker=marker,
                markersize=7,
                color=colour(index),
                markerfacecolor=face,
                markeredgecolor=colour(index),
                markeredgewidth=1.5,
                label=words,
            )
        axes.axvline(100, color=roles().ink, linewidth=1.2)
        axes.set_title(rf"$\varepsilon={level:g}$", fontsize=BIG)
        axes.set(xlim=(50, 102), xlabel="% of the mollification's gain", ylim=(len(names) - 0.4, -0.6))
        axes.set_yticks(range(len(names)), [TITLES.get(name, name).replace(", ", ",\n") for name in names])
    handles, words = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, words, loc="outside lower center", ncols=2, fontsize=SMALL)
    return figure


def draw_margins(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the certified half width of the clip against the size of the pool, as a share of half the budget."""
    figure, axes = new_figure(aspect=0.55)
    for index, (level, rows) in enumerate(table.groupby("eps")):
        line(axes, rows["pool"], 100 * rows["share"], index=index, label=rf"$\varepsilon={level:g}$")
    first, last = float(table["pool"].min()), float(table["pool"].max())
    axes.axhline(50, color=roles().muted, linewidth=1.2)
    axes.axhline(100, color=roles().ink, linewidth=1.2)
    label(axes, last, 51, r"no pool: $\varepsilon/4$, the range of MBDE", ha="right", va="bottom", fontsize=BIG)
    label(axes, first, 101, r"$\varepsilon/2$: the mollification", ha="left", va="bottom", fontsize=BIG)
    axes.set(xscale="log", xlim=(first, last), ylim=(45, 108), xlabel="draws of $Q_0$ in the pool")
    axes.set_ylabel(r"half width $a$, % of $\varepsilon/2$")
    axes.legend(loc="center right", fontsize=BIG)
    return figure


def draw_splits(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw gain and covered mass on the ring against the budget, for the even split and for the upward one."""
    figure, (left, right) = new_figure(1, 2, aspect=0.5)
    words = {"even": "$b=e^{-\\varepsilon/2}$, even", "upward": "$b=(1+e^{-\\varepsilon})/2$"}
    for index, (split, rows) in enumerate(table.groupby("split", sort=False)):
        line(left, rows["eps"], rows["gain"], index=index, linewidth=2.2, label=words[str(split)])
        left.plot(rows["eps"], rows["most"], color=colour(index), linewidth=1, linestyle=(0, (1, 1)), marker="")
        line(right, rows["eps"], 100 * rows["covered"], index=index, linewidth=2.2)
    last = float(table["eps"].max())
    left.axhline(facts["kl"], color=roles().muted, linewidth=1)
    label(left, 0.02 * last, facts["kl"], r"$\mathrm{KL}(P,Q_0)$", va="bottom", fontsize=SMALL)
    left.set(
        xlabel=r"budget $\varepsilon$ (nats)",
        ylabel=r"gain $\Delta$ (nats)",
        xlim=(0, last),
        ylim=(0, 1.15 * facts["kl"]),
    )
    left.legend(loc="lower right", fontsize=SMALL)
    right.set(xlabel=r"budget $\varepsilon$ (nats)", xlim=(0, last), ylim=(0, 100))
    right.set_ylabel("mass where 95 % of $P$ is, %")
    return figure


def draw_worth(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the divergence of the target from N(0, vI) against v, with its least value for each domain."""
    figure, axes = new_figure(aspect=0.62)
    axes.axvline(1, color=roles().muted, linewidth=1.2)
    for index, (name, rows) in enumerate(table.groupby("domain", sort=False)):
        rows = rows.sort_values("variance")
        line(axes, rows["variance"], rows["kl"], index=index, label=TITLES.get(str(name), str(name)))
        start = float(rows[rows["variance"] == 1.0]["kl"].iloc[0])
        best, saved = facts[f"best_{name}"], facts[f"saved_{name}"]
        axes.plot(best, start - saved, marker="o", markersize=8, color=colour(index), linestyle="")
    start = float(table[(table["domain"] == "ring") & (table["variance"] == 1.0)]["kl"].iloc[0])
    arrow = {"arrowstyle": "<->", "color": roles().ink, "linewidth": 1.2}
    least = start - facts["saved_ring"]
    axes.annotate("", (facts["best_ring"], start), (facts["best_ring"], least), arrowprops=arrow)
    text = f"{facts['saved_ring']:.2f} nats:\nas much as\na budget of {facts['budget_ring']:.1f}"
    label(axes, facts["best_ring"] * 1.12, (start + least) / 2 + 0.9, text, va="center", fontsize=BIG)
    label(axes, 1.06, 8.3, "$N(0,I)$", va="center", fontsize=BIG)
    axes.set(xscale="log", ylim=(0, 9), xlabel="variance $v$ of $Q_0=N(0,vI)$")
    axes.set(xlim=(float(table["variance"].min()), float(table["variance"].max())))
    axes.set_ylabel(r"$\mathrm{KL}(P,Q_0)$ (nats)")
    handles, words = axes.get_legend_handles_labels()
    figure.legend(handles, words, loc="outside lower center", ncols=3, fontsize=SMALL)
    return figure


def draw_ten(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw, for both targets in ten dimensions, the shares of the mollification's gain, with three standard errors."""
    figure, axes = new_figure(aspect=0.52)
    last = float(table["eps"].max())
    for index, (name, rows) in enumerate(table.groupby("target", sort=False)):
        axes.errorbar(
            rows["eps"],
            100 * rows["share"],
            yerr=300 * rows["share_error"],
            color=colour(index),
            marker="os"[index % 2],
            markersize=7,
            linestyle="-",
            linewidth=1.8,
            capsize=4,
            label=f"closed form, {name}",
        )
        shares = 100 * rows["family"] / rows["best"]
        line(axes, rows["eps"], shares, index=index, linestyle="--", label=f"best output of MBDE, {name}")
    axes.axhline(100, color=roles().ink, linewidth=1.2)
    axes.set(xlabel=r"budget $\varepsilon$ (nats)", ylim=(75, 102), xlim=(0, 1.03 * last))
    axes.set_ylabel("% of the mollification's gain")
    axes.legend(loc="lower left", bbox_to_anchor=(0.3, 0.28), fontsize=SMALL)
    return figure
