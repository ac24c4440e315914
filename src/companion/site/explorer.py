"""Show the ring whose budget can be moved by hand, with a still picture for whoever has no script."""

from __future__ import annotations

import csv
import html
import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.addnodes import only
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from companion.site.links import note_page
from companion.site.nodes import Nodes, paragraph

__all__ = ["ROLE", "RingExplorer", "explorer_data"]


#: Under this name the environment keeps which page has the interactive figure.
ROLE = "ring-explorer"


#: What stands in its place in print.
STILL = (
    "In the book on the web this figure can be moved: sliders change its parameters, and picture and measures "
    "follow. Here it is printed as a still picture."
)


#: What is read of a row of the second figure.
MEASURES = ("nll", "gain", "spent", "modes")


def _table_rows(env: BuildEnvironment, name: str) -> list[dict[str, str]]:
    page, _, figure = name.partition("/")
    place = f"figures/{page}/{figure}.csv"
    env.note_dependency(place)
    with (Path(env.srcdir) / place).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def explorer_data(pixels: list[dict[str, str]], measures: list[dict[str, str]]) -> dict[str, Any]:
    """Return the document that the script reads: log-ratios in hundredths, row by row from below, and measures.

    Raises ValueError where the two tables do not have the same budgets, or a picture is not square; KeyError where a
    column is missing.
    """
    budgets = sorted({float(row["eps"]) for row in pixels})
    if not budgets or budgets != sorted({float(row["eps"]) for row in measures}):
        raise ValueError(f"both figures must have the same budgets, got {budgets}")
    columns = [name for name in pixels[0] if name.startswith("x")]
    pictures: dict[str, list[list[int]]] = {}
    for variant in ("clip", "released"):
        pictures[variant] = []
        for eps in budgets:
            rows = [row for row in pixels if row["variant"] == variant and float(row["eps"]) == eps]
            if len(rows) != len(columns):
                raise ValueError(f"a picture must be square, got {len(rows)} rows of {len(columns)} at eps {eps:g}")
            rows.sort(key=lambda row: float(row["y"]))
            pictures[variant].append([round(100 * float(row[name])) for row in rows for name in columns])
    numbers: dict[str, list[dict[str, float]]] = {}
    for law in ("clip", "released", "projection"):
        chosen = sorted((row for row in measures if row["law"] == law), key=lambda row: float(row["eps"]))
        if len(chosen) != len(budgets):
            raise ValueError(f"law {law} must have one row a budget, got {len(chosen)}")
        numbers[law] = [{name: round(float(row[name]), 4) for name in MEASURES} for row in chosen]
    constants = sorted(
        (float(row["eps"]), float(row["log_constant"])) for row in measures if row["law"] == "projection"
    )
    return {
        "budgets": budgets,
        "side": max(float(row["y"]) for row in pixels),
        "pixels": len(columns),
        "pictures": pictures,
        "measures": numbers,
        "logConstant": [round(value, 6) for _, value in constants],
    }


class RingExplorer(SphinxDirective):
    """Print the interactive figure made of `<page>/<pixels>`, whose picture it replaces, and `<page>/<measures>`."""

    required_arguments = 2

    def run(self) -> Nodes:
        """Return the block with its data, or a report."""
        try:
            document = explorer_data(*(_table_rows(self.env, name) for name in self.arguments))
        except (OSError, KeyError, ValueError) as error:
            return [self.state.document.reporter.warning(f"no interactive figure: {error!r}", line=self.lineno)]
        note_page(self.env, ROLE)
        text = json.dumps(document, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
        still = "fig-" + self.arguments[0].replace("/", "-")
        markup = (
            f'<div class="mf-explorer" id="ring-explorer" data-still="{html.escape(still)}" hidden>'
            f'<script type="application/json" class="mf-explorer-data">{text}</script></div>'
        )
        return [
            only("", nodes.raw("", markup, format="html"), expr="html"),
            only("", paragraph(nodes.emphasis(STILL, STILL)), expr="latex"),
        ]
