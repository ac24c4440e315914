"""Add to the pages of notebooks a download, labels of folds, and where one failed."""

from __future__ import annotations

import re
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import only
from sphinx.application import Sphinx

from companion.run.deviations import read_notices
from companion.site.downloads import FOLDER
from companion.site.nodes import paragraph

#: The folder of the notebooks, among the documents.
NOTEBOOKS = "notebooks/"
#: What a folded cell with this in it is called, the first that fits; what a group
#: matches follows the words.
_KINDS = (
    (re.compile(r"^page = Page\(", re.MULTILINE), "Setup"),
    (re.compile(r"\bpage\.figure\(\s*[\"']([\w.-]+)"), "Figure: code of"),
    (re.compile(r"\bpage\.table\("), "Table: code"),
    (re.compile(r"\bpage\.value\("), "Numbers in the text: code"),
)
_OTHER = "Code for the cells below"
PART = (
    "The notebook of this page failed on the machine of this build: the page ends with "
    "the cell that failed."
)


def fold_label(source: str) -> str:
    """Return the label of a folded cell from its code."""
    for pattern, words in _KINDS:
        if match := pattern.search(source):
            return " ".join((words, *match.groups()))
    return _OTHER


def _notice(title: str, *body: nodes.Node) -> nodes.admonition:
    return nodes.admonition(
        "", nodes.title(title, title), *body, classes=["warning", "mf-notice"]
    )


def label_folds(tree: nodes.document) -> None:
    """Label the folded cells of a page by what they are.

    The theme would say "Show code cell source" of each.
    """
    for cell in tree.findall(nodes.container):
        code = cell.next_node(nodes.literal_block)
        if "prompt_show" in cell and code is not None:
            label = fold_label(code.astext())
            cell["prompt_show"] = label
            cell["prompt_hide"] = label


def complete(app: Sphinx, tree: nodes.document) -> None:
    """Lead under the title of a notebook to its download.

    Say here and at the end of the page that the notebook failed, if it did.
    """
    label_folds(tree)
    if not app.env.docname.startswith(NOTEBOOKS):
        return
    page = app.env.docname.removeprefix(NOTEBOOKS)
    sections = list(tree.findall(nodes.section))
    link = nodes.reference(
        "",
        "download it as a notebook",
        refuri=f"../{FOLDER}/{page}.ipynb",
        internal=False,
    )
    heading = nodes.strong("", "Run this page:")
    line = paragraph(heading, " ", link, ".", classes=["mf-run"])
    sections[0].insert(1, only("", line, expr="html"))
    if text := read_notices(Path(app.srcdir)).notebooks.get(page):
        sections[0].insert(1, _notice("Only a part of the page", paragraph(PART)))
        words = paragraph(nodes.literal(text, text), ". The rest was not run.")
        sections[-1].append(_notice("The notebook failed here", words))
