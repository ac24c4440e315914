"""Names of Sphinx and MyST that are private or not documented, each in one function.

The book stands on them where no public name does the same. Each docstring says which
name of which package it is, at which version, and why; `tests/companion/test_compat.py`
fails where one is gone, so that an upgrade says what it broke.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


@contextmanager
def sections_within(directive: SphinxDirective, box: nodes.Element) -> Iterator[None]:
    """Let headings that MyST parses meanwhile become sections of `box`.

    Private: `state._renderer` of a directive, and `_level_to_section` of it, in
    myst-parser 3.0.1. `nested_parse` with `match_titles` would hang a section below the
    last one of the document, before what stands above it in the text; no argument says
    otherwise.
    """
    renderer: Any = cast(Any, directive.state)._renderer
    levels = renderer._level_to_section
    renderer._level_to_section = {0: box}
    try:
        yield
    finally:
        renderer._level_to_section = levels


def highlighted(app: Sphinx, text: str) -> str:
    """Return a plain text as HTML, as Sphinx writes a block of it.

    Not documented: `highlighter` of the builder of HTML, in Sphinx 7.4.7. The public
    way, a literal block, is gone when a page is complete.
    """
    builder: Any = app.builder
    return str(builder.highlighter.highlight_block(text, "text"))


def rendered(app: Sphinx, node: nodes.Node) -> str:
    """Return a node as the HTML that Sphinx writes of it, apart from a page.

    Not documented: `render_partial` of the builder of HTML, in Sphinx 7.4.7. Previews
    need the HTML of a part of a page.
    """
    builder: Any = app.builder
    return str(builder.render_partial(node)["fragment"])


def solution_labels(app: Sphinx) -> list[dict[str, tuple[str, ...]]]:
    """Return the tables of labels in which a solution has its address.

    Not documented: `data` of the standard domain, with `labels` and `anonlabels`, in
    Sphinx 7.4.7. sphinx-exercise writes its labels there, and so must whoever moves
    them.
    """
    data = app.env.get_domain("std").data
    return [data["labels"], data["anonlabels"]]
