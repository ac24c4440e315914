"""Show figures that can be moved by hand, computed in the browser.

Whoever has no script sees a still picture.
"""

from __future__ import annotations

import html
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.addnodes import only
from sphinx.util.docutils import SphinxDirective

from companion.site.nodes import Nodes, paragraph
from companion.site.permalinks import figure_anchor

#: What stands in print for a figure that takes the place of a still picture, and for
#: one that stands beside it.
STILL = (
    "In the book on the web this figure can be moved: sliders change its parameters, "
    "and picture and measures follow. Here it is printed as a still picture."
)
BESIDE = (
    "The book on the web has a figure here that can be moved by sliders; the figure "
    "above is on the same matter."
)
FIELDS = ("slider", "label", "min", "max", "step", "value")


class Widget(SphinxDirective):
    """Print an interactive figure `<name>` in the place of one, `<page>/<figure>`.

    Its formulas are in `book/_scripts/figures/<name>.js`. Each line is a slider: `name
    | label | min | max | step | value`, with decimals or ratios of whole numbers, and a
    step as in `0.01`, `5 a decade`, `whole 5 a decade`. With `:keep:` the figure stays
    on the screen as it is in print, and the interactive one stands where it is written.
    """

    required_arguments = 2
    has_content = True
    option_spec: ClassVar = {"keep": directives.flag}

    def run(self) -> Nodes:
        """Return the block with its sliders, or a report."""
        name, figure = self.arguments
        sliders = "".join(map(self._slider, self.content))
        if "keep" in self.options:
            still = ""
            words = BESIDE
        else:
            still = html.escape(figure_anchor(figure))
            words = STILL
        markup = (
            f'<div class="mf-explorer mf-widget" id="widget-{name}" '
            f'data-widget="{name}" data-still="{still}" hidden>{sliders}</div>'
        )
        printed = paragraph(nodes.emphasis("", words))
        return [
            only("", nodes.raw("", markup, format="html"), expr="html"),
            only("", printed, expr="latex"),
        ]

    def _slider(self, line: str) -> str:
        """Return a slider as an element that holds its fields."""
        values = [html.escape(part.strip()) for part in line.split("|")]
        if len(values) != len(FIELDS):
            raise self.warning(f"a slider must be {' | '.join(FIELDS)}, got {line!r}")
        fields = zip(FIELDS, values, strict=True)
        data = " ".join(f'data-{field}="{value}"' for field, value in fields)
        return f"<span {data} hidden></span>"
