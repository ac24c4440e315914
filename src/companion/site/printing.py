"""Print the book: what Sphinx writes as LaTeX, and the steps that give each page its print form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from docutils import nodes
from sphinx.addnodes import start_of_file
from sphinx.builders.latex.nodes import thebibliography

from companion.site.nodes import Nodes, paragraph
from companion.site.print_tables import _TAG, latex

__all__ = [
    "ABOUT",
    "address_rows",
    "arrange",
    "drop_folded_code",
    "frame_claims",
    "mark_addresses",
    "name_formulas",
    "note_sources",
    "open_folds",
    "return_sources",
    "set_formulas",
]


#: The heading of what the first page of the book says, which in print is a chapter.
ABOUT = "About this book"


#: Tags of cells whose code is folded away in the book on the web; in print it is left out.
FOLDED = ("tag_hide-input", "tag_hide-cell", "tag_remove-input")


def _file_of(node: Any) -> str:
    while node is not None:
        if "docname" in getattr(node, "attributes", {}):
            return str(node["docname"])
        node = node.parent
    return ""


def label(docname: str, address: str) -> str:
    """Return the LaTeX of an address that links within the book lead to."""
    return rf"\phantomsection\label{{\detokenize{{{docname}:{address}}}}}"


def arrange(document: Any, parts: Sequence[tuple[str, str]]) -> None:
    """Let the first page be a chapter of its own, before the others, and let parts have headings.

    `parts` has the caption of each part with its first page.
    """
    root = next((child for child in document.children if isinstance(child, nodes.section)), None)
    if root is None:
        return
    files = list(root.findall(start_of_file))
    outer = [
        node for node in files if not any(node in other.findall(start_of_file) for other in files if other is not node)
    ]
    for node in outer:
        node.parent.remove(node)
    title, own = root.children[0], root.children[1:]
    root.children = [title]
    about = nodes.section("", nodes.title(ABOUT, ABOUT), *own, ids=["about-this-book"], names=[])
    root += about
    captions = {page: caption for caption, page in parts}
    for node in outer:
        caption = captions.get(node["docname"])
        if caption:
            root += latex(rf"\part{{{_escape(caption)}}}")
        root += node


def _escape(text: str) -> str:
    return re.sub(r"([#$%&_{}])", r"\\\1", text)


def note_sources(document: Any) -> Any:
    """Return a mark where the list of sources stands, None where there is none; Sphinx moves the list to the end."""
    first = next(iter(document.findall(nodes.citation)), None)
    if first is None:
        return None
    mark = latex("")
    first.parent.insert(first.parent.index(first), mark)
    return mark


def return_sources(document: Any, mark: Any) -> None:
    """Put the list of sources back where it was marked."""
    for group in list(document.findall(thebibliography)):
        group.parent.remove(group)
        mark.replace_self(group)
        return


def drop_folded_code(document: Any) -> int:
    """Leave out code that is folded away in the book on the web, and empty boxes; return how many cells had some."""
    count = 0
    for cell in list(document.findall(nodes.container)):
        if "cell" not in cell["classes"] or not set(FOLDED) & set(cell["classes"]):
            continue
        for part in list(cell.children):
            if isinstance(part, nodes.container) and "cell_input" in part["classes"]:
                cell.remove(part)
                count += 1
        if not cell.children:
            cell.parent.remove(cell)
    return count


def address_rows(document: Any) -> None:
    """Give rows of tables that have an address one in print too, in their first cell."""
    for row in document.findall(nodes.row):
        first = next(iter(row.findall(nodes.paragraph)), None)
        if row["ids"] and first is not None:
            docname = _file_of(row)
            first.insert(0, latex("".join(label(docname, address) for address in row["ids"])))


def mark_addresses(document: Any) -> None:
    """Give blocks that have an address one in print too."""
    for block in list(document.findall(nodes.container)):
        if block["ids"] and "mf-claim" not in block["classes"]:
            docname = _file_of(block)
            block.insert(0, latex("".join(label(docname, address) for address in block["ids"])))


def _lines(table: Any) -> Nodes:
    """Return a table as paragraphs, one a row, each value after the head of its column."""
    rows = list(table.findall(nodes.row))
    heads = [entry.astext() for entry in rows[0].children]
    found = []
    for row in rows[1:]:
        line: list[Any] = []
        for place, entry in enumerate(row.children):
            inner = [node for block in entry.children for node in block.children]
            if place:
                name = heads[place][:1].lower() + heads[place][1:]
                line += ["; " if place > 1 else ": ", f"{name} ", *inner]
            else:
                line += [nodes.strong("", "", *inner)]
        found.append(paragraph(*line, "."))
    return found


def open_folds(document: Any) -> None:
    """Print what fold-outs hold, under their summary; tables in a claim become lines, since a frame is narrow."""
    for block in list(document.findall(nodes.container)):
        if "mf-fold-body" not in block["classes"]:
            continue
        for table in list(block.findall(nodes.table)):
            box, place = table.parent, table.parent.index(table)
            box.remove(table)
            for line in reversed(_lines(table)):
                box.insert(place, line)
        summary = block.get("summary")
        if summary:
            block.insert(0, paragraph(latex(r"{\mflabelled "), nodes.Text(summary), latex("}")))
        block.insert(0, latex(r"\begingroup\mfevidence "))
        block.append(latex(r"\par\endgroup"))


def frame_claims(document: Any) -> None:
    """Put every claim into a frame by its verdict; its small parts get small labels and small type."""
    for block in list(document.findall(nodes.container)):
        if "mf-claim" not in block["classes"]:
            continue
        verdict = next(name[6:] for name in block["classes"] if name.startswith("mf-is-"))
        docname = _file_of(block)
        address = "".join(label(docname, name) for name in block["ids"])
        for link in list(block.findall(nodes.reference)):
            if "mf-here" in link["classes"]:
                link.parent.remove(link)
        block["classes"], block["ids"] = [], []
        # In the first line: what stands before it is lost where the frame begins at the foot of a page.
        block.children[0].insert(0, latex(address))
        block.insert(0, latex(rf"\begin{{mfclaim}}{{{verdict}}}"))
        block.append(latex(r"\end{mfclaim}"))
    for text in document.findall(nodes.paragraph):
        if "mf-label" in text["classes"]:
            words = text.astext()
            text.children = []
            text += [latex(r"{\mflabelled "), nodes.Text(words), latex(r"}\par\nopagebreak")]
        elif "mf-places" in text["classes"]:
            text.insert(0, latex(r"\begingroup\mfquiet "))
            text.append(latex(r"\par\endgroup"))
    for mark in document.findall(nodes.inline):
        if "mf-badge" in mark["classes"]:
            mark["classes"] = [name for name in mark["classes"] if name != "mf-badge"]
            words = mark.astext().replace(" ", "\u00a0", 1)  # the mark stays with the first word
            mark.children = []
            mark += nodes.Text(words)
    boxes = [node for node in document.findall(nodes.Element) if _is_box(node)]
    for box in boxes:
        box.parent.insert(box.parent.index(box), latex(r"\needspace{6\baselineskip}"))


def _is_box(node: Any) -> bool:
    return isinstance(node, nodes.Admonition) or type(node).__name__ in ("exercise_node", "solution_node")


def set_formulas(document: Any) -> None:
    """Let display formulas be scaled to the line where they are wider."""
    for block in list(document.findall(nodes.math_block)):
        if block.get("nowrap") or block.get("label"):
            continue
        text = "\n".join(line for line in block.astext().splitlines() if line.strip())
        tag = _TAG.search(text)
        body = _TAG.sub("", text).strip()
        if tag:
            block.replace_self(latex(f"\\mftagged{{{tag[1]}}}{{%\n{body}}}"))
        elif body:
            block.replace_self(latex(f"\\mfdisplay{{%\n{body}}}"))


def name_formulas(document: Any) -> None:
    """Give formulas in headings a plain text, for the bookmarks."""
    for title in document.findall(nodes.title):
        for formula in list(title.findall(nodes.math)):
            text = formula.astext()
            formula.replace_self(latex(rf"\texorpdfstring{{\({text}\)}}{{{_plain(text)}}}"))


_LETTERS = {
    "varepsilon": "ε", "epsilon": "ε", "delta": "δ", "Delta": "Δ", "alpha": "α", "beta": "β", "gamma": "γ",
    "theta": "θ", "lambda": "λ", "mu": "μ", "rho": "ρ", "sigma": "σ", "ell": "ℓ", "infty": "∞", "le": "≤", "ge": "≥",
    "to": "→", "chi": "χ", "phi": "φ", "varphi": "φ", "times": "×", "cdot": "·", "ne": "≠", "log": "log ", "sqrt": "√",
}  # fmt: skip


def _plain(text: str) -> str:
    words = re.sub(r"\\([A-Za-z]+)\s*", lambda match: _LETTERS.get(match[1], ""), text)
    return re.sub(r"[\\{}$]", "", words.replace("_", "").replace("^", "")).replace("#", "").strip()
