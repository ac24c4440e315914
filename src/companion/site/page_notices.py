"""Say on a page where its figures or verdicts are not as accepted, and where its notebook failed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from companion.run.notices import Notices, read_notices
from companion.site.links import reference, to_address
from companion.site.nodes import Nodes, paragraph

__all__ = ["board", "claim_notice", "connect_notices", "figure_notice"]


#: The folder of the notebooks, among the documents.
_NOTEBOOKS = "notebooks/"


PART = "The notebook of this page failed on the machine of this build: the page ends with the cell that failed."


def _notices(env: BuildEnvironment) -> Notices:
    return read_notices(Path(env.srcdir))


def _notice(title: str, *body: Any) -> Any:
    return nodes.admonition("", nodes.title(title, title), *body, classes=["warning", "mf-notice"])


def _told(title: str, text: str | None) -> Nodes:
    shown = f"{title}, on the machine of this build"
    return [] if text is None else [_notice(shown, paragraph(f"{text[:1].upper()}{text[1:]}"))]


def figure_notice(env: BuildEnvironment, name: str) -> Nodes:
    """Return the notice of a figure, `page/id`, whose data are not the accepted ones; nothing where they are."""
    return _told("Not the accepted data", _notices(env).figures.get(name))


def claim_notice(env: BuildEnvironment, claim: str) -> Nodes:
    """Return the notice of a claim whose verdict is not the accepted one; nothing where it is."""
    return _told("Not the accepted verdict", _notices(env).claims.get(claim))


def board(env: BuildEnvironment) -> Nodes:
    """Return all notices in one list, each with a link; nothing where there are none."""
    found, docname = _notices(env), env.docname
    rows: list[list[Any]] = []
    for page, text in found.notebooks.items():
        rows.append([f"Notebook {page} failed, and its page ends there: ", nodes.literal(text, text)])
    for claim, text in found.claims.items():
        rows.append([reference(claim, docname, nodes.literal(claim, claim)), f": {text}"])
    for name, text in found.figures.items():
        words = name.partition("/")[2]
        rows.append(["Figure ", to_address(name, docname, nodes.inline(words, words)), f": {text}"])
    items = [nodes.list_item("", paragraph(*row)) for row in rows]
    return [_notice("Not as accepted on the machine of this build", nodes.bullet_list("", *items))] if rows else []


def _mark_failed(app: Sphinx, tree: Any) -> None:
    """Say under the title of a notebook that failed, and at its end, that the page ends there."""
    name = app.env.docname
    text = _notices(app.env).notebooks.get(name.removeprefix(_NOTEBOOKS)) if name.startswith(_NOTEBOOKS) else None
    section = next(iter(tree.findall(nodes.section)), None)
    if text is None or section is None:
        return
    section.insert(1, _notice("Only a part of the page", paragraph(PART)))
    words = paragraph(nodes.literal(text, text), ". The rest was not run.")
    list(tree.findall(nodes.section))[-1].append(_notice("The notebook failed here", words))


def connect_notices(app: Sphinx) -> None:
    """Have a page that ends early say so, above the line that says how to run it."""
    app.connect("doctree-read", _mark_failed, priority=920)
