"""Draw the figures of the page on the mixture on the line: loss and coverage, densities, places of the modes."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from companion.drawing import BIG, SMALL, colour, label, line, tint
from companion.style import MARKERS, new_figure, roles, text_ink

__all__ = ["draw_curves", "draw_densities", "draw_modes", "draw_simple_logits"]

TITLES = {
    "standard-deviation": "0.01, 0.1, 0.1 standard deviations",
    "variance": "0.01, 0.1, 0.1 variances",
}
NAMES = {"clip": "printed, clipped", "tanh": "printed, tanh", "released": "as released", "mollification": r"$\hat P$"}
#: Where the modes of the target lie.
MODES = {"standard-deviation": (0.3003, 0.6), "variance": (0.3103,)}


def _curve(axes: Axes, rows: pd.DataFrame, index: int, name: str | None) -> None:
    """Draw the middle of the seeds with their range as a band, and the first four seeds as thin lines."""
    rows = rows.sort_values("eps")
    axes.fill_between(rows["eps"], rows["low"], rows["high"], color=colour(index), alpha=0.25, linewidth=0)
    line(axes, rows["eps"], rows["middle"], index=index, label=name, linewidth=2)


def draw_curves(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw loss above and coverage below against the budget, a column for each reading of the mixture."""
    figure, panels = new_figure(2, 2, aspect=0.95, sharex=True, sharey="row")
    for column, (reading, title) in enumerate(TITLES.items()):
        here = table[table["reading"] == reading]
        upper, lower = panels[0, column], panels[1, column]
        for index, variant in enumerate(("clip", "tanh", "released")):
            rows = here[here["variant"] == variant]
            for axes, what in ((upper, "nll"), (lower, "coverage")):
                _curve(axes, rows[(rows["optimiser"] == "fast") & (rows["measure"] == what)], index, NAMES[variant])
                own = rows[(rows["optimiser"] == "own") & (rows["measure"] == what)].sort_values("eps")
                axes.plot(
                    own["eps"],
                    own["middle"],
                    linestyle="",
                    marker=MARKERS[index],
                    markersize=7,
                    markerfacecolor="none",
                    markeredgecolor=colour(index),
                    markeredgewidth=1.5,
                )
        exact = here[here["optimiser"] == "exact"]
        for variant, index, name in (
            ("best of MBDE", 3, "best that MBDE can output"),
            ("mollification", 4, r"mollification $\hat P$"),
        ):
            rows = exact[(exact["variant"] == variant) & (exact["eps"] > 0) & (exact["measure"] == "nll")]
            line(upper, rows["eps"], rows["middle"], index=index, linewidth=1.5, label=name)
        covered = exact[(exact["variant"] == "mollification") & (exact["measure"] == "coverage")]
        line(lower, covered["eps"], covered["middle"], index=4, linewidth=1.5)
        for what, words, place in (("reference", "$Q_0$", "bottom"), ("target", "$P$", "bottom")):
            height = facts[f"{what}_nll_{reading}"]
            upper.axhline(height, color=roles().muted, linewidth=1, linestyle="-")
            label(upper, 0.11, height, words, va=place, fontsize=BIG)
        lower.axhline(0.95, color=roles().muted, linewidth=1, linestyle="-")
        upper.set_title(title, fontsize=BIG)
        lower.set(xlabel=r"$\varepsilon$", xscale="log")
        lower.set_xticks([0.1, 1, 5, 20], ["0.1", "1", "5", "20"])
        lower.minorticks_off()
    label(panels[1, 0], 0.11, 0.95, r"coverage of $P$ itself", va="bottom")
    panels[0, 0].set_ylabel(r"$-\mathrm{E}_P\,\log Q$ (nats)")
    panels[1, 0].set_ylabel("mode coverage")
    panels[1, 0].set_ylim(0.94, 1.004)
    handles, names = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=3, fontsize=SMALL)
    return figure


def draw_densities(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the target and the outputs of one seed, a column for each budget and a row for each reading."""
    levels = sorted(table["eps"].unique())
    figure, panels = new_figure(2, len(levels), aspect=0.95, sharex=True, sharey="row")
    for row, (reading, title) in enumerate(TITLES.items()):
        for column, level in enumerate(levels):
            axes = panels[row, column]
            rows = table[(table["reading"] == reading) & (table["eps"] == level)]
            axes.fill_between(rows["x"], 0, rows["target"], color=tint(True), linewidth=0)
            axes.plot(rows["x"], rows["reference"], color=roles().muted, linewidth=1, linestyle="-", marker="")
            for index, name, words in (
                (0, "clip_fast", "printed, clipped; fast optimiser"),
                (1, "clip_own", "printed, clipped; printed optimiser"),
                (2, "released_fast", "as released; fast optimiser"),
                (4, "mollification", r"mollification $\hat P$"),
            ):
                width = 1.3 if name == "mollification" else 2.0
                line(axes, rows["x"], rows[name], index=index, linewidth=width, label=words)
            axes.set_title(rf"$\varepsilon={level:g}$, {title.split(', 0.1, 0.1 ')[1]}", fontsize=BIG)
            axes.set(xlim=(-0.6, 1.6), ylim=(0, 4.2 if row == 0 else 2.1))
            if row == 1:
                axes.set_xlabel("$x$")
        panels[row, 0].set_ylabel("density")
        first = table[(table["reading"] == reading) & (table["eps"] == levels[0])]
        top = float(first["target"].max())
        words = f"$P$ (up to {top:.1f})" if row == 0 else "$P$"
        label(panels[row, 0], 0.36 if row == 0 else 0.5, 3.7 if row == 0 else 1.75, words, fontsize=BIG)
        label(panels[row, 0], -0.55, 0.42, "$Q_0$", fontsize=BIG)
    handles, names = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=2, fontsize=SMALL)
    return figure


def draw_modes(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw where the outputs have their local maxima against the budget, by variant and reading."""
    figure, panels = new_figure(2, 4, aspect=0.95, sharex=True, sharey=True)
    for row, reading in enumerate(TITLES):
        for column, variant in enumerate(NAMES):
            axes = panels[row, column]
            rows = table[(table["reading"] == reading) & (table["variant"] == variant) & (table["height"] > 0.01)]
            for place in MODES[reading]:
                axes.axhline(place, color=colour(4), linewidth=1.6, linestyle="-")
            for optimiser, hollow in (("fast", False), ("exact", False), ("own", True)):
                seen = rows[rows["optimiser"] == optimiser]
                ink = colour(1 if hollow else 0)
                axes.plot(
                    seen["eps"],
                    seen["x"],
                    linestyle="",
                    markevery=1,
                    color=ink,
                    marker=MARKERS[1 if hollow else 0],
                    markersize=7 if hollow else 4.5,
                    markerfacecolor="none" if hollow else ink,
                    markeredgecolor=ink,
                    markeredgewidth=1.5 if hollow else 0,
                )
            axes.axvspan(0.08, 2.0, color=tint(False), linewidth=0, zorder=0.4)
            if row == 0:
                axes.set_title(NAMES[variant], fontsize=SMALL)
            else:
                axes.set_xlabel(r"$\varepsilon$")
            axes.set(xscale="log", xlim=(0.08, 26), ylim=(-0.15, 0.75))
            axes.set_xticks([0.1, 1, 10], ["0.1", "1", "10"])
            axes.minorticks_off()
        panels[row, 0].set_ylabel("local maxima at $x$")
        words = "standard deviations" if row == 0 else "variances"
        panels[row, 3].annotate(
            words, (1.04, 0.5), xycoords="axes fraction", rotation=90, va="center", fontsize=SMALL, color=roles().ink
        )
    label(panels[0, 0], 0.1, 0.62, "modes of $P$", colour(4), va="bottom")
    first = panels[0, 1]
    for hollow, words in ((False, "fast optimiser"), (True, "printed optimiser")):
        ink = colour(1 if hollow else 0)
        first.plot(
            [],
            [],
            linestyle="",
            marker=MARKERS[1 if hollow else 0],
            markersize=7 if hollow else 4.5,
            markerfacecolor="none" if hollow else ink,
            markeredgecolor=ink,
            markeredgewidth=1.5 if hollow else 0,
            label=words,
        )
    handles, names = first.get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=2, fontsize=SMALL)
    return figure


def draw_simple_logits(table: pd.DataFrame, facts: dict[str, Any]) -> Figure:
    """Draw the gain of logits of different flexibility against the budget, a panel for each reading."""
    figure, panels = new_figure(1, 2, aspect=0.5, sharey=True)
    for axes, (reading, title) in zip(panels, TITLES.items(), strict=True):
        for index, (learner, rows) in enumerate(table[table["reading"] == reading].groupby("learner", sort=False)):
            rows = rows.sort_values("eps")
            line(axes, rows["eps"], rows["gain"], index=index, linewidth=2.2)
            at = rows.iloc[-1]
            axes.annotate(
                str(learner),
                (at["eps"], at["gain"]),
                xytext=(-2, -16 if learner == "quadratic" else 5),
                textcoords="offset points",
                ha="right",
                color=text_ink(colour(index)),
                fontsize=BIG,
            )
        axes.axvspan(5, 20, color=tint(False), linewidth=0, zorder=0.4)
        axes.set_title(title, fontsize=BIG)
        axes.set(xlabel=r"$\varepsilon$", ylim=(0, 1.7))
    panels[0].set_ylabel("gain over $Q_0$ (nats)")
    return figure
