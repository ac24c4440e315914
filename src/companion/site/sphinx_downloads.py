"""Lead readers to the notebooks that run outside the book: the theme's download button, and a list of all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from companion.paths import CompanionError
from companion.publish.downloads import FOLDER, parameters
from companion.site.render import toc_documents
from companion.site.sphinx_links import to_page
from companion.site.sphinx_nodes import Nodes, paragraph, table

__all__ = ["Downloads", "connect"]

_NOTEBOOKS = "notebooks/"
_read: Any = nbformat.read


class Downloads(SphinxDirective):
    """Print a list of all notebooks with links to both forms of their download, and with their parameters."""

    def run(self) -> Nodes:
        """Return the table, or a report where a notebook cannot be read."""
        source = Path(self.env.srcdir)
        here, on_site = "../" * self.env.docname.count("/"), self.env.app.builder.format == "html"
        rows = []
        try:
            for document in toc_documents(source / "_toc.yml"):
                if not document.startswith(_NOTEBOOKS):
                    continue
                page = document.removeprefix(_NOTEBOOKS)
                self.env.note_dependency(f"{document}.ipynb")
                given = parameters(_read(source / f"{document}.ipynb", as_version=4))
                title = paragraph(to_page(document, "", self.env.docname, nodes.Text(page)))
                links: list[Any] = []
                for suffix in (".ipynb", ".md"):
                    link = nodes.reference(suffix, suffix, refuri=f"{here}{FOLDER}/{page}{suffix}")
                    links += [" ", link if on_site else suffix]
                named: list[Any] = []
                for name, value in given.items():
                    text = f"{name} = {value!r}"
                    named += [", ", nodes.literal(text, text)]
                rows.append([[title], [paragraph(*links[1:])], [paragraph(*named[1:])]])
        except (OSError, ValueError, CompanionError) as error:
            return [self.state.document.reporter.warning(f"no list of downloads: {error!r}", line=self.lineno)]
        return [table(("Page", "Download", "Parameters"), rows)]


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


def connect(app: Sphinx) -> None:
    """Know the directive, and have the buttons replaced after the theme made them."""
    app.add_directive("downloads", Downloads)
    app.connect("html-page-context", _lead_to_downloads, priority=900)
