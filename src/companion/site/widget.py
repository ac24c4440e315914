"""Show a figure that can be moved by sliders, computed in the browser, in the place of a still picture."""

from __future__ import annotations

import html
import re
from fractions import Fraction
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.addnodes import only
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from companion.site.explorer import STILL
from companion.site.links import note_page
from companion.site.nodes import Nodes, paragraph

__all__ = ["Widget", "slider", "widgets_on"]

_NAME = re.compile(r"[a-z]+(-[a-z]+)*")
#: What stands in print for a figure that keeps the still picture beside it.
BESIDE = "The book on the web has a figure here that can be moved by sliders; the figure above is on the same matter."
#: Under this and its name the environment keeps which page has a figure.
ROLE = "widget-"
FIELDS = ("slider", "label", "min", "max", "step", "value")
#: A step, or how many values a decade has; `whole` rounds what the slider goes through.
_STEP = re.compile(r"(?:whole )?(\d+(?:\.\d+)?)( a decade)?")


def slider(line: str) -> dict[str, str]:
    """Read `name | label | min | max | step | value`; raise ValueError where it is not of that form.

    Values are decimals or ratios of whole numbers, the step as in `0.01`, `5 a decade`, `whole 5 a decade`.
    """
    parts = [part.strip() for part in line.split("|")]
    if len(parts) != len(FIELDS) or not all(parts):
        raise ValueError(f"a slider must be {' | '.join(FIELDS)}, got {line!r}")
    low, high, value = (Fraction(parts[at]) for at in (2, 3, 5))
    step = _STEP.fullmatch(parts[4])
    if step is None or not (low <= value <= high and float(step[1]) > 0 and (low > 0 or not step[2])):
        raise ValueError(f"a slider must have min <= value <= max and a step > 0, over decades min > 0, got {line!r}")
    return dict(zip(FIELDS, parts, strict=True))


def widgets_on(env: BuildEnvironment, page: str) -> list[str]:
    """Return the names of the figures of a page."""
    pages: dict[str, str] = getattr(env, "companion_pages", {})
    return [role.removeprefix(ROLE) for role, where in pages.items() if role.startswith(ROLE) and where == page]


class Widget(SphinxDirective):
    """Print the interactive figure `<name>`, formulas in `<name>.js`, in the place of the figure `<page>/<figure>`.

    With `:keep:` that figure stays on the screen as it is in print, and the interactive one stands where it is written.
    """

    required_arguments = 2
    has_content = True
    option_spec: ClassVar = {"keep": directives.flag}

    def run(self) -> Nodes:
        """Return the block with its sliders, or a report."""
        name, figure = self.arguments
        try:
            if not _NAME.fullmatch(name):
                raise ValueError(f"name must be lower-case words joined by hyphens, got {name!r}")
            sliders = [slider(line) for line in self.content if line.strip()]
        except ValueError as error:
            return [self.state.document.reporter.warning(f"no interactive figure: {error}", line=self.lineno)]
        note_page(self.env, ROLE + name)
        parts = [
            "<span " + " ".join(f'data-{key}="{html.escape(text)}"' for key, text in given.items()) + " hidden></span>"
            for given in sliders
        ]
        keep = "keep" in self.options
        still, words = "" if keep else html.escape("fig-" + figure.replace("/", "-")), BESIDE if keep else STILL
        markup = (
            f'<div class="mf-explorer mf-widget" id="widget-{name}" data-widget="{name}" data-still="{still}" hidden>'
            f"{''.join(parts)}</div>"
        )
        return [
            only("", nodes.raw("", markup, format="html"), expr="html"),
            only("", paragraph(nodes.emphasis(words, words)), expr="latex"),
        ]
