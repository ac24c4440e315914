"""Say on a page where its notebook failed; templates say where figures or verdicts are not as accepted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from companion.run.notices import Notices, read_notices
from companion.site.nodes import paragraph

__all__ = ["connect_notices", "notices"]


#: The folder of the notebooks, among the documents.
_NOTEBOOKS = "notebooks/"


PART = "The notebook of this page failed on the machine of this build: the page ends with the cell that failed."


def notices(env: BuildEnvironment) -> Notices:
    """Return what is not as accepted in this build."""
    return read_notices(Path(env.srcdir))


def _notice(title: str, *body: Any) -> Any:
    return nodes.admonition("", nodes.title(title, title), *body, classes=["warning", "mf-notice"])


def _mark_failed(app: Sphinx, tree: Any) -> None:
    """Say under the title of a notebook that failed, and at its end, that the page ends there."""
    name = app.env.docname
    text = notices(app.env).notebooks.get(name.removeprefix(_NOTEBOOKS)) if name.startswith(_NOTEBOOKS) else None
    section = next(iter(tree.findall(nodes.section)), None)
    if text is None or section is None:
        return
    section.insert(1, _notice("Only a part of the page", paragraph(PART)))
    words = paragraph(nodes.literal(text, text), ". The rest was not run.")
    list(tree.findall(nodes.section))[-1].append(_notice("The notebook failed here", words))


def connect_notices(app: Sphinx) -> None:
    """Have a page that ends early say so, above the line that says how to run it."""
    app.connect("doctree-read", _mark_failed, priority=920)
