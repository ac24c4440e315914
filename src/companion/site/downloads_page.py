"""Let each page be downloaded: the line that says how it was run, and the list of all downloads."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat
from docutils import nodes
from sphinx.addnodes import only
from sphinx.application import Sphinx
from sphinx.util import logging

from companion.paths import ROOT_VARIABLE, CompanionError, Layout
from companion.publish.downloads import FOLDER, parameters
from companion.publish.launch import Launch, files_at, launch_of
from companion.publish.packages import package_names
from companion.publish.publication import find_publication
from companion.run.costs import load_costs, told
from companion.site.generated import Generated
from companion.site.nodes import Nodes, paragraph
from companion.site.render import toc_documents

__all__ = ["Downloads", "connect_downloads", "connect_run", "downloads", "run_line"]

_logger = logging.getLogger(__name__)


#: The folder of the notebooks, among the documents.
_NOTEBOOKS = "notebooks/"


#: What a page can be had as: the words, and how the file's name ends.
FORMS = (("notebook", "ipynb"), ("text", "md"))


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
    if not name.startswith(_NOTEBOOKS) or not root:
        return
    page, layout = name.removeprefix(_NOTEBOOKS), Layout(Path(root).resolve())
    launch = None
    try:
        costs = load_costs(layout).get(page)
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


def connect_run(app: Sphinx) -> None:
    """Have the line put on each page as it is read."""
    app.connect("doctree-read", _add_line, priority=910)


_read_notebook: Any = nbformat.read


class Downloads(Generated):
    """Print a list of all notebooks with links to both forms of their download, and with their parameters.

    With the argument `package` it prints links to the wheel and the source archive instead.
    """

    optional_arguments = 1

    def run(self) -> Nodes:
        """Return the table, or a report where a notebook cannot be read."""
        source, pages = Path(self.env.srcdir), []
        folder = "../" * self.env.docname.count("/") + FOLDER
        if self.arguments:
            root = Path(os.environ.get(ROOT_VARIABLE, source))
            return self.fill("package", names=package_names(root), folder=folder)
        try:
            for document in toc_documents(source / "_toc.yml"):
                if document.startswith(_NOTEBOOKS):
                    self.env.note_dependency(f"{document}.ipynb")
                    given = parameters(_read_notebook(source / f"{document}.ipynb", as_version=4))
                    pages.append((document.removeprefix(_NOTEBOOKS), given))
        except (OSError, ValueError, CompanionError) as error:
            return self.warn(f"no list of downloads: {error!r}")
        return self.fill("downloads", pages=pages, folder=folder)


def _lead_to_downloads(_app: Sphinx, page: str, _template: str, context: dict[str, Any], _tree: Any) -> None:
    """Replace the link to the executed source, which has MyST that only the book shows, by the two downloads."""
    if not page.startswith(_NOTEBOOKS):
        return
    groups = [button for button in context.get("header_buttons", []) if button.get("label") == "download-buttons"]
    for group in groups:
        kept = [button for button in group["buttons"] if button["type"] != "link"]
        links = [
            {
                "type": "link",
                "url": context["pathto"](f"{FOLDER}/{page.removeprefix(_NOTEBOOKS)}{suffix}", 1),
                "text": suffix,
                "icon": "fas fa-code",
                "tooltip": tooltip,
                "label": label,
            }
            for suffix, tooltip, label in (
                (".ipynb", "Download the notebook, to run it yourself", "download-notebook-button"),
                (".md", "Download the notebook as text (jupytext)", "download-source-button"),
            )
        ]
        group["buttons"] = [*links, *kept]


def connect_downloads(app: Sphinx) -> None:
    """Know the directive, and have the buttons replaced after the theme made them."""
    app.add_directive("downloads", Downloads)
    app.connect("html-page-context", _lead_to_downloads, priority=900)
