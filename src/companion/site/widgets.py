"""Show figures that can be moved by hand, computed in the browser, with a still picture for whoever has no script."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any, ClassVar

import pandas as pd
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.addnodes import only
from sphinx.util.docutils import SphinxDirective

from companion.site.nodes import Nodes, paragraph

#: What stands in print for a figure that takes the place of a still picture, and for one that stands beside it.
STILL = (
    "In the book on the web this figure can be moved: sliders change its parameters, and picture and measures "
    "follow. Here it is printed as a still picture."
)
BESIDE = "The book on the web has a figure here that can be moved by sliders; the figure above is on the same matter."
FIELDS = ("slider", "label", "min", "max", "step", "value")


def _shown(markup: str, words: str) -> Nodes:
    """Return a block for a browser, and in print some words."""
    return [
        only("", nodes.raw("", markup, format="html"), expr="html"),
        only("", paragraph(nodes.emphasis(words, words)), expr="latex"),
    ]


def _address(figure: str) -> str:
    return html.escape("fig-" + figure.replace("/", "-"))


def explorer_data(pixels: pd.DataFrame, measures: pd.DataFrame) -> dict[str, Any]:
    """Return the document that the script reads: log-ratios in hundredths, row by row from below, and measures."""
    columns = [name for name in pixels.columns if name.startswith("x")]
    pictures = {
        variant: [
            [round(100 * value) for value in rows.sort_values("y")[columns].to_numpy().ravel().tolist()]
            for _, rows in pixels[pixels["variant"] == variant].groupby("eps")
        ]
        for variant in ("clip", "released")
    }
    laws = {law: measures[measures["law"] == law].sort_values("eps") for law in ("clip", "released", "projection")}
    return {
        "budgets": sorted(pixels["eps"].unique().tolist()),
        "side": float(pixels["y"].max()),
        "pixels": len(columns),
        "pictures": pictures,
        "measures": {
            law: rows[["nll", "gain", "spent", "modes"]].round(4).to_dict("records") for law, rows in laws.items()
        },
        "logConstant": laws["projection"]["log_constant"].round(6).tolist(),
    }


class RingExplorer(SphinxDirective):
    """Print the interactive figure made of `<page>/<pixels>`, whose picture it replaces, and `<page>/<measures>`."""

    required_arguments = 2

    def run(self) -> Nodes:
        """Return the block with its data."""
        names = [Path(self.env.srcdir) / "figures" / f"{name}.csv" for name in self.arguments]
        text = json.dumps(explorer_data(*map(pd.read_csv, names)), separators=(",", ":"), allow_nan=False)
        markup = (
            f'<div class="mf-explorer" id="ring-explorer" data-still="{_address(self.arguments[0])}" hidden>'
            f'<script type="application/json" class="mf-explorer-data">{text}</script></div>'
        )
        return _shown(markup, STILL)


class Widget(SphinxDirective):
    """Print the interactive figure `<name>`, formulas in `<name>.js`, in the place of the figure `<page>/<figure>`.

    Each line is a slider: `name | label | min | max | step | value`, with decimals or ratios of whole numbers, and a
    step as in `0.01`, `5 a decade`, `whole 5 a decade`. With `:keep:` the figure stays on the screen as it is in print,
    and the interactive one stands where it is written.
    """

    required_arguments = 2
    has_content = True
    option_spec: ClassVar = {"keep": directives.flag}

    def run(self) -> Nodes:
        """Return the block with its sliders, or a report."""
        name, figure = self.arguments
        parts = []
        for line in self.content:
            values = [html.escape(part.strip()) for part in line.split("|")]
            if len(values) != len(FIELDS):
                raise self.warning(f"a slider must be {' | '.join(FIELDS)}, got {line!r}")
            given = " ".join(f'data-{key}="{text}"' for key, text in zip(FIELDS, values, strict=True))
            parts.append(f"<span {given} hidden></span>")
        keep = "keep" in self.options
        markup = (
            f'<div class="mf-explorer mf-widget" id="widget-{name}" data-widget="{name}" '
            f'data-still="{"" if keep else _address(figure)}" hidden>{"".join(parts)}</div>'
        )
        return _shown(markup, BESIDE if keep else STILL)
