"""Print the book: give each page its print form, for the LaTeX that `_config.yml` and `book/_latex` describe."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from docutils import nodes
from sphinx.addnodes import start_of_file, toctree
from sphinx.application import Sphinx
from sphinx.builders.latex.nodes import thebibliography
from sphinx.config import Config
from sphinx.transforms.post_transforms import SphinxPostTransform

from companion.site.nodes import paragraph
from companion.site.permalinks import FOLDER
from companion.site.print_tables import latex, set_formulas, set_tables

#: What stands where the list of sources is to be printed.
SOURCES = "% sources"
#: The heading of what the first page of the book says, which in print is a chapter.
ABOUT = "About this book"

#: Tags of cells whose code is folded away in the book on the web; in print it is left
#: out.
FOLDED = ("tag_hide-input", "tag_hide-cell", "tag_remove-input")


def _file_of(node: Any) -> str:
    while node is not None:
        if "docname" in getattr(node, "attributes", {}):
            return str(node["docname"])
        node = node.parent
    return ""


def _labels(block: Any) -> Any:
    """Return the LaTeX of the addresses of a block, to which links within the book lead."""
    file = _file_of(block)
    return latex(
        "".join(
            rf"\phantomsection\label{{\detokenize{{{file}:{address}}}}}"
            for address in block["ids"]
        )
    )


def _arrange(document: Any, captions: Mapping[str, str]) -> None:
    """Let the first page be a chapter of its own, before the others; give parts, by their first page, headings."""
    root = next(
        child for child in document.children if isinstance(child, nodes.section)
    )
    files = list(root.findall(start_of_file))
    inner = {
        id(other)
        for node in files
        for other in node.findall(start_of_file)
        if other is not node
    }
    outer = [node for node in files if id(node) not in inner]
    for node in outer:
        node.parent.remove(node)
    title = root.children[0]
    own = root.children[1:]
    root.children = [title]
    root += nodes.section(
        "", nodes.title(ABOUT, ABOUT), *own, ids=["about-this-book"], names=[]
    )
    for node in outer:
        if caption := captions.get(node["docname"]):
            root += latex(r"\part{" + re.sub(r"([#$%&_{}])", r"\\\1", caption) + "}")
        root += node


def _drop_folded_code(document: Any) -> None:
    """Leave out code that is folded away in the book on the web, and empty boxes."""
    for cell in list(document.findall(nodes.container)):
        if "cell" not in cell["classes"] or not set(FOLDED) & set(cell["classes"]):
            continue
        for part in list(cell.children):
            if isinstance(part, nodes.container) and "cell_input" in part["classes"]:
                cell.remove(part)
        if not cell.children:
            cell.parent.remove(cell)


def _mark_addresses(document: Any) -> None:
    """Give blocks and rows that have an address one in print too, rows in their first cell."""
    for row in document.findall(nodes.row):
        first = next(iter(row.findall(nodes.paragraph)), None)
        if row["ids"] and first is not None:
            first.insert(0, _labels(row))
    for block in list(document.findall(nodes.container)):
        if block["ids"] and "mf-claim" not in block["classes"]:
            block.insert(0, _labels(block))


def _open_folds(document: Any) -> None:
    """Print what fold-outs hold, under their summary."""
    for block in list(document.findall(nodes.container)):
        if "mf-fold-body" not in block["classes"]:
            continue
        if summary := block.get("summary"):
            block.insert(
                0, paragraph(latex(r"{\mflabelled "), nodes.Text(summary), latex("}"))
            )
        block.insert(0, latex(r"\begingroup\mfevidence "))
        block.append(latex(r"\par\endgroup"))


def _frame_claims(document: Any) -> None:
    """Put every claim into a frame by its verdict; its small parts get small labels and small type."""
    for block in list(document.findall(nodes.container)):
        if "mf-claim" not in block["classes"]:
            continue
        verdict = next(
            name[6:] for name in block["classes"] if name.startswith("mf-is-")
        )
        address = _labels(block)
        block["classes"] = []
        block["ids"] = []
        # In the first line: what stands before it is lost where the frame begins at the
        # foot of a page.
        block.children[0].insert(0, address)
        block.insert(0, latex(rf"\begin{{mfclaim}}{{{verdict}}}"))
        block.append(latex(r"\end{mfclaim}"))
    for text in document.findall(nodes.paragraph):
        if "mf-label" in text["classes"]:
            words = text.astext()
            text.children = []
            text += [
                latex(r"{\mflabelled "),
                nodes.Text(words),
                latex(r"}\par\nopagebreak"),
            ]
        elif "mf-places" in text["classes"]:
            text.insert(0, latex(r"\begingroup\mfquiet "))
            text.append(latex(r"\par\endgroup"))
    for mark in document.findall(nodes.inline):
        if "mf-badge" in mark["classes"]:
            words = mark.astext().replace(
                " ", "\u00a0", 1
            )  # the mark stays with the first word
            mark.children = []
            mark += nodes.Text(words)


def configure(_app: Sphinx, config: Config) -> None:
    """Number figures through the whole book, and in print leave out the pages of claims and figures."""
    config.numfig_secnum_depth = (
        0  # through the whole book, as on the web, where chapters have no numbers
    )
    if os.environ.get("COMPANION_BUILDER") == "latex":
        # In print a claim has its card, or its entry in the ledger: the pages of their
        # own are not even read.
        config.exclude_patterns = [*config.exclude_patterns, f"{FOLDER}/**"]


class PrintForm(SphinxPostTransform):
    """Give the assembled book its print form."""

    default_priority = (
        60  # when links are resolved and what other builders show is gone
    )
    formats = ("latex",)

    def run(self, **_: Any) -> None:
        """Rearrange the book in place."""
        toc = self.env.get_doctree(self.env.config.root_doc).findall(toctree)
        captions = {
            node["entries"][0][1]: node["caption"]
            for node in toc
            if node.get("caption") and node["entries"]
        }
        _arrange(self.document, captions)
        # Sphinx moves the list of sources to the end: a mark keeps its place.
        if first := next(iter(self.document.findall(nodes.citation)), None):
            first.parent.insert(first.parent.index(first), latex(SOURCES))
        _drop_folded_code(self.document)
        _open_folds(self.document)
        _mark_addresses(self.document)
        _frame_claims(self.document)
        set_tables(self.document)
        set_formulas(self.document)


class SourcesInPlace(SphinxPostTransform):
    """Print the list of sources on its page, and not as a chapter after all others."""

    default_priority = 760  # when Sphinx has gathered them
    formats = ("latex",)

    def run(self, **_: Any) -> None:
        """Move the list back."""
        for group in list(self.document.findall(thebibliography)):
            group.parent.remove(group)
            for mark in [
                node
                for node in self.document.findall(nodes.raw)
                if node.astext() == SOURCES
            ]:
                mark.replace_self(group)
