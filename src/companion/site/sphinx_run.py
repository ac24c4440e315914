"""Put one line under the title of each notebook: how to get it, what it last cost to run, where it starts at once."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.addnodes import only
from sphinx.application import Sphinx
from sphinx.util import logging

from companion.paths import ROOT_VARIABLE, CompanionError, Layout
from companion.publish.launch import Launch, files_at, launch_of
from companion.publish.publication import find_publication
from companion.run.costs import costs_of_page, load_costs, told
from companion.site.sphinx_nodes import Nodes, paragraph

__all__ = ["FOLDER", "connect", "downloads", "run_line"]

#: The folder of the notebooks, among the documents.
FOLDER = "notebooks/"
#: What a page can be had as: the words, and how the file's name ends.
FORMS = (("notebook", "ipynb"), ("text", "md"))

_logger = logging.getLogger(__name__)


def downloads(page: str) -> list[tuple[str, str]]:
    """Return the words and the address, seen from a page under `notebooks/`, of each form of a notebook."""
    return [(words, f"../downloads/{page}.{suffix}") for words, suffix in FORMS]


def _link(words: str, address: str, title: str) -> Any:
    return nodes.reference("", words, refuri=address, internal=False, reftitle=title)


def run_line(page: str, cost: str | None, launch: Launch | None) -> Nodes:
    """Return the line for a browser, with links, and the line for print, which says only what it costs."""
    (first, ipynb), (second, md) = downloads(page)
    parts: list[Any] = [
        nodes.strong("", "Run this page:"),
        " download it as a ",
        _link(first, ipynb, "Download this page as a Jupyter notebook"),
        " or as ",
        _link(second, md, "Download this page as MyST text, which jupytext opens as a notebook"),
    ]
    if launch is not None:
        parts += [", or ", _link(launch.text.lower().replace("binder", "Binder"), launch.address, launch.text)]
    parts.append(f". {cost[0].upper()}{cost[1:]}." if cost else ".")
    shown: Nodes = [only("", paragraph(*parts, classes=["mf-run"]), expr="html")]
    if cost:
        shown.append(only("", paragraph(nodes.emphasis("", f"To run this page: {cost}.")), expr="latex"))
    return shown


def _add_line(app: Sphinx, tree: Any) -> None:
    """Put the line under the title of a notebook; a page that is no notebook stays as it is."""
    name, root = app.env.docname, os.environ.get(ROOT_VARIABLE)
    if not name.startswith(FOLDER) or not root:
        return
    page, layout = name.removeprefix(FOLDER), Layout(Path(root).resolve())
    launch = None
    try:
        costs = costs_of_page(load_costs(layout), page)
        if (layout.root / "CITATION.cff").is_file():
            publication = find_publication(layout.root)
            launch = launch_of(publication, page, files_at(layout.root, publication.tag))
    except CompanionError as error:
        _logger.warning("%s", error, location=name)
        return
    section = next(iter(tree.findall(nodes.section)), None)
    if section is None or not isinstance(section[0], nodes.title):
        _logger.warning("no title to put the line under that says how to run the page", location=name)
        return
    section[1:1] = run_line(page, told(costs) if costs else None, launch)


def connect(app: Sphinx) -> None:
    """Have the line put on each page as it is read."""
    app.connect("doctree-read", _add_line, priority=910)
