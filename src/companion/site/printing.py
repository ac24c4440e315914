"""Give each page of the book its print form.

`_config.yml` and `book/_latex` describe the LaTeX that it is for.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from docutils import nodes
from sphinx.addnodes import start_of_file, toctree
from sphinx.application import Sphinx
from sphinx.builders.latex.nodes import thebibliography
from sphinx.config import Config
from sphinx.transforms.post_transforms import SphinxPostTransform

from companion.site.nodes import first_above, paragraph
from companion.site.permalinks import FOLDER
from companion.site.print_tables import latex, set_formulas, set_tables

#: What stands where the list of sources is to be printed.
SOURCES = "% sources"
#: The heading of what the first page of the book says, which in print is a chapter.
ABOUT = "About this book"

#: How the class of a claim begins that names its verdict.
GROUP = "mf-is-"
#: Tags of cells whose code is folded away in the book on the web; in print it is left
#: out.
FOLDED = ("tag_hide-input", "tag_hide-cell", "tag_remove-input")


def _labels(block: nodes.Element) -> nodes.raw:
    """Return the LaTeX of the addresses of a block; links in the book lead there."""
    file = first_above(block, (start_of_file, nodes.document))
    name = file.get("docname", "") if file else ""
    return latex(
        "".join(
            rf"\phantomsection\label{{\detokenize{{{name}:{address}}}}}"
            for address in block["ids"]
        )
    )


def _wrap(block: nodes.Element, before: str, after: str) -> None:
    """Put LaTeX before and after what a block holds."""
    block.insert(0, latex(before))
    block.append(latex(after))


def _blocks(document: nodes.document, name: str) -> list[nodes.container]:
    """Return the blocks of a class."""
    blocks = document.findall(nodes.container)
    return [block for block in blocks if name in block["classes"]]


def _arrange(document: nodes.document, captions: Mapping[str, str]) -> None:
    """Let the first page be a chapter of its own, before the others.

    Parts have headings, by their first page.
    """
    root = document.next_node(nodes.section)
    files = [
        file
        for file in root.findall(start_of_file)
        if first_above(file, start_of_file) is None
    ]
    for file in files:
        file.parent.remove(file)
    title, *own = root.children
    root.children = [title]
    root += nodes.section(
        "", nodes.title(ABOUT, ABOUT), *own, ids=["about-this-book"], names=[]
    )
    for file in files:
        if caption := captions.get(file["docname"]):
            words = re.sub(r"([#$%&_{}])", r"\\\1", caption)
            root += latex(rf"\part{{{words}}}")
        root += file


def _drop_folded_code(document: nodes.document) -> None:
    """Leave out code that is folded away in the book on the web, and empty boxes."""
    for cell in _blocks(document, "cell"):
        if not set(FOLDED) & set(cell["classes"]):
            continue
        for part in list(cell.children):
            if isinstance(part, nodes.container) and "cell_input" in part["classes"]:
                cell.remove(part)
        if not cell.children:
            cell.parent.remove(cell)


def _mark_addresses(document: nodes.document) -> None:
    """Give blocks and rows that have an address one in print, rows in their first cell.

    A claim gets its own where it is framed.
    """
    for row in document.findall(nodes.row):
        first = row.next_node(nodes.paragraph)
        if row["ids"] and first is not None:
            first.insert(0, _labels(row))
    for block in list(document.findall(nodes.container)):
        if block["ids"] and "mf-claim" not in block["classes"]:
            block.insert(0, _labels(block))


def _open_folds(document: nodes.document) -> None:
    """Print what fold-outs hold, under their summary."""
    for block in _blocks(document, "mf-fold-body"):
        if summary := block.get("summary"):
            label = latex(r"{\mflabelled ")
            block.insert(0, paragraph(label, nodes.Text(summary), latex("}")))
        _wrap(block, r"\begingroup\mfevidence ", r"\par\endgroup")


def _frame_claims(document: nodes.document) -> None:
    """Put every claim into a frame by its verdict."""
    for block in _blocks(document, "mf-claim"):
        group = next(name for name in block["classes"] if name.startswith(GROUP))
        address = _labels(block)
        block["classes"] = []
        block["ids"] = []
        # In the first line: what stands before it is lost where the frame begins at the
        # foot of a page.
        block.children[0].insert(0, address)
        verdict = group.removeprefix(GROUP)
        _wrap(block, rf"\begin{{mfclaim}}{{{verdict}}}", r"\end{mfclaim}")


def _set_small_parts(document: nodes.document) -> None:
    """Give the small parts of claims small labels and small type."""
    for text in document.findall(nodes.paragraph):
        if "mf-label" in text["classes"]:
            label = nodes.Text(text.astext())
            text.children = [label]
            _wrap(text, r"{\mflabelled ", r"}\par\nopagebreak")
        elif "mf-places" in text["classes"]:
            _wrap(text, r"\begingroup\mfquiet ", r"\par\endgroup")
    for mark in document.findall(nodes.inline):
        if "mf-badge" in mark["classes"]:
            # The sign stays with the first word.
            words = mark.astext().replace(" ", "\u00a0", 1)
            mark.children = []
            mark.append(nodes.Text(words))


def configure(_app: Sphinx, config: Config) -> None:
    """Number figures, and in print leave out the pages of claims and figures."""
    # Through the whole book, as on the web, where chapters have no numbers.
    config.numfig_secnum_depth = 0
    if os.environ.get("COMPANION_BUILDER") == "latex":
        # In print a claim has its card, or its entry in the ledger: the pages of their
        # own are not even read.
        config.exclude_patterns = [*config.exclude_patterns, f"{FOLDER}/**"]


class PrintForm(SphinxPostTransform):
    """Give the assembled book its print form."""

    # When links are resolved and what other builders show is gone.
    default_priority = 60
    formats = ("latex",)

    def run(self, **_: object) -> None:
        """Rearrange the book in place."""
        toc = self.env.get_doctree(self.env.config.root_doc).findall(toctree)
        captions = {
            node["entries"][0][1]: node["caption"]
            for node in toc
            if node.get("caption") and node["entries"]
        }
        _arrange(self.document, captions)
        # Sphinx moves the list of sources to the end: a mark keeps its place.
        if first := self.document.next_node(nodes.citation):
            first.parent.insert(first.parent.index(first), latex(SOURCES))
        _drop_folded_code(self.document)
        _open_folds(self.document)
        _mark_addresses(self.document)
        _frame_claims(self.document)
        _set_small_parts(self.document)
        set_tables(self.document)
        set_formulas(self.document)


class SourcesInPlace(SphinxPostTransform):
    """Print the list of sources on its page, and not as a chapter after all others."""

    default_priority = 760  # when Sphinx has gathered them
    formats = ("latex",)

    def run(self, **_: object) -> None:
        """Move the list back."""
        for group in list(self.document.findall(thebibliography)):
            group.parent.remove(group)
            for mark in list(self.document.findall(nodes.raw)):
                if mark.astext() == SOURCES:
                    mark.replace_self(group)
