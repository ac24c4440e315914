"""Print the book: what Sphinx writes as LaTeX, and the steps that give each page its print form."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docutils import nodes
from sphinx.addnodes import start_of_file, tabular_col_spec, toctree
from sphinx.application import Sphinx
from sphinx.builders.latex.nodes import thebibliography
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import make_refnode

from companion.site.addresses import FOLDER
from companion.site.links import anchor, page_of
from companion.site.nodes import Nodes, paragraph

__all__ = [
    "ABOUT",
    "LONG",
    "STYLE",
    "TALL",
    "PrintForm",
    "Widths",
    "address_rows",
    "arrange",
    "connect_print",
    "drop_folded_code",
    "frame_claims",
    "length",
    "mark_addresses",
    "name_formulas",
    "note_sources",
    "open_folds",
    "return_sources",
    "set_formulas",
    "set_tables",
    "shorten_ledger",
    "split_rows",
    "widths",
]

#: Sizes of type tried in turn, with how many letters of it the line holds.
SIZES = (("small", 100), ("footnotesize", 112), ("scriptsize", 128))
#: What stands between two columns, in letters.
GAP = 2.6
#: With more rows than this, a table may break over pages.
LONG = 3
#: Up to this many rows are kept on one page where they fit.
FEW = 7
#: A row whose cell has more paragraphs than this is printed as several, since a page can only break between rows.
TALL = 16

_COMMAND = re.compile(r"\\(?:left|right|mathrm|mathbf|mathbb|mathcal|text|operatorname|displaystyle|[,;!: ])")


def length(node: Any) -> tuple[int, int]:
    """Return how many letters a block has in print, and how many its longest word has."""
    total = longest = 0
    for leaf in node.findall(lambda item: isinstance(item, nodes.math | nodes.Text)):
        if isinstance(leaf, nodes.Text) and isinstance(leaf.parent, nodes.math | nodes.raw):
            continue
        text = leaf.astext()
        if isinstance(leaf, nodes.math):
            bare = re.sub(r"\\[A-Za-z]+", "x", _COMMAND.sub("", text))
            bare = re.sub(r"[{}^_ ]", "", bare)
            pieces = [len(piece) for piece in re.split(r"(?<=[=,<>+-])", bare)]
            total, longest = total + len(bare), max([longest, *pieces])
        else:
            total += len(text)
            parts = re.split(r"[ \t\n\u200b-]", text)
            longest = max([longest, *(len(part) for part in parts)])
    return total, longest


@dataclass(frozen=True)
class Widths:
    """Say how a table is set: the size of its type and the columns in LaTeX."""

    size: str
    columns: str


def widths(natural: list[float], least: list[float], *, right: list[bool], blocks: bool = False) -> Widths:
    """Return how to set columns of these natural and least widths, in letters.

    Where all fits, columns are as wide as their texts; else the line is shared: every column gets its longest word
    and a share of what is left by what it still wants. `blocks` says that a cell has more than one paragraph, so that
    columns need a width. Raises ValueError where the lists differ in length or are empty.
    """
    if not natural or not len(natural) == len(least) == len(right):
        raise ValueError(f"natural, least and right must have one entry a column, got {natural}, {least}, {right}")
    gaps = GAP * len(natural)
    if not blocks:
        for size, room in SIZES[:2]:
            if sum(natural) + gaps <= room:
                return Widths(size, "".join("r" if at else "l" for at in right))
    for size, room in SIZES:
        if sum(least) + gaps <= room or size == SIZES[-1][0]:
            break
    free = max(0.0, room - gaps - sum(least))
    wanted = [max(0.0, wish - need) for wish, need in zip(natural, least, strict=True)]
    # Square roots, so that one long column does not starve the others.
    roots = [wish**0.5 for wish in wanted]
    scale = free / sum(roots) if sum(roots) else 0.0
    given = [need + min(wish, scale * root) for need, wish, root in zip(least, wanted, roots, strict=True)]
    over = free - (sum(given) - sum(least))
    unmet = [wish - (got - need) for wish, got, need in zip(wanted, given, least, strict=True)]
    if over > 0 and sum(unmet) > 0:
        share = min(1.0, over / sum(unmet))
        given = [got + share * lack for got, lack in zip(given, unmet, strict=True)]
    total = sum(got + GAP for got in given)
    line = max(total, room)
    return Widths(size, "".join(f"Q{{{(got + GAP) / line:.4f}}}" for got in given))


def _measure(table: Any) -> tuple[list[float], list[float], list[bool], bool]:
    head = next(iter(table.findall(nodes.thead)), None)
    rows = list(table.findall(nodes.row))
    count = max((len(row.children) for row in rows), default=0)
    natural, least, right, blocks = [1.0] * count, [1.0] * count, [True] * count, False
    for row in rows:
        in_head = head is not None and row.parent is head
        for place, entry in enumerate(row.children):
            for block in entry.children:
                total, longest = length(block)
                scale = 1.3 if in_head else 1.0
                natural[place] = max(natural[place], scale * total)
                least[place] = max(least[place], scale * longest)
            blocks = blocks or len(entry.children) > 1 or not all(isinstance(b, nodes.paragraph) for b in entry)
            if not in_head and "text-right" not in entry.get("classes", []):
                right[place] = False
    return natural, least, right, blocks


def split_rows(table: Any) -> None:
    """Print a row with a very tall cell as several rows, of which only the first repeats the other cells."""
    for row in list(table.findall(nodes.row)):
        tallest = max((len(entry.children) for entry in row.children), default=0)
        if tallest <= TALL or any(entry.get("morerows") for entry in row.children):
            continue
        columns = [list(entry.children) for entry in row.children]
        parent, place = row.parent, row.parent.index(row)
        for start in range(TALL, tallest, TALL):
            extra = nodes.row()
            for column in columns:
                extra += nodes.entry("", *column[start : start + TALL])
            place += 1
            parent.insert(place, extra)
        for entry, column in zip(row.children, columns, strict=True):
            entry.children = column[:TALL]


def set_tables(document: Any) -> None:
    """Give every table of a document its widths, its size of type, and leave to break where it is long."""
    for table in list(document.findall(nodes.table)):
        natural, least, right, blocks = _measure(table)
        if not natural or any(entry.get("morecols") for entry in table.findall(nodes.entry)):
            continue
        found = widths(natural, least, right=right, blocks=blocks)
        split_rows(table)
        parent, place = table.parent, table.parent.index(table)
        boxed = _inside(table, (nodes.Admonition,))
        rows = len(list(table.findall(nodes.row)))
        if rows > LONG and not boxed:
            table["classes"].append("longtable")
        # A table of few rows begins where there is room for all of them, a longer one with a few.
        room = "" if boxed else f"\\needspace{{{2 * rows + 2 if rows <= FEW else 8}\\baselineskip}}"
        opened = nodes.raw("", f"{room}\\begingroup\\{found.size}", format="latex")
        closed = nodes.raw("", "\\endgroup", format="latex")
        columns = tabular_col_spec(spec=found.columns)
        parent.remove(table)
        for node in reversed((opened, columns, table, closed)):
            parent.insert(place, node)


def _inside(node: Any, kinds: tuple[type, ...]) -> bool:
    while node.parent is not None:
        node = node.parent
        if isinstance(node, kinds) or type(node).__name__ in ("exercise_node", "solution_node"):
            return True
    return False


#: The heading of what the first page of the book says, which in print is a chapter.
ABOUT = "About this book"
#: Tags of cells whose code is folded away in the book on the web; in print it is left out.
FOLDED = ("tag_hide-input", "tag_hide-cell", "tag_remove-input")

_TAG = re.compile(r"\\tag\*?\{((?:[^{}]|\{[^{}]*\})*)\}")


def latex(text: str) -> Any:
    """Return LaTeX that is written as it is, and by no other writer."""
    return nodes.raw("", text, format="latex")


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


def shorten_ledger(document: Any, ledger: str, cards: Mapping[str, Collection[str]]) -> int:
    """Leave one line in the ledger of a claim whose card is printed on a page; return of how many.

    `cards` has the addresses of the cards on each page.
    """
    there = {_file_of(block): block for block in document.findall(start_of_file)}
    where = {address: page for page in sorted(cards) if page in there for address in cards[page]}
    count = 0
    for block in list(document.findall(nodes.container)):
        address = next(iter(block["ids"]), "")
        if "mf-claim" not in block["classes"] or _file_of(block) != ledger or where.get(address, ledger) == ledger:
            continue
        target = rf"\detokenize{{{where[address]}:{address}}}"
        line = paragraph(*(node for node in block.children[0].children if "mf-here" not in _classes(node)))
        line.insert(0, latex(r"\begingroup\small\mfline " + label(ledger, address)))
        line.append(latex(rf"\dotfill\ \hyperref[{target}]{{page \pageref*{{{target}}}}}\par\endgroup"))
        block.replace_self(line)
        count += 1
    return count


def _classes(node: Any) -> list[str]:
    return list(node.get("classes", [])) if isinstance(node, nodes.Element) else []


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


#: The style of the book in print, beside the pages.
STYLE = "book/_latex/mollified.sty"

ELEMENTS = {
    "papersize": "a4paper",
    "pointsize": "10pt",
    "extraclassoptions": "openany,oneside",
    "babel": r"\usepackage{polyglossia}\setmainlanguage{english}",
    "fontpkg": "",
    "fncychap": "",
    "geometry": r"\usepackage[a4paper,hmargin=2.4cm,top=2.6cm,bottom=2.6cm,headsep=16pt]{geometry}",
    "sphinxsetup": "verbatimwithframe=false, VerbatimColor={rgb}{0.965,0.973,0.980}, verbatimsep=4pt",
    "fvset": r"\fvset{fontsize=\footnotesize}",
    "preamble": r"\usepackage{mollified}",
    "figure_align": "H",  # where the text says, and away from the long tables that a float would push off the page
    "makeindex": "",
    "printindex": "",
}


def _configure(_app: Sphinx, config: Config) -> None:
    config.latex_elements = {**ELEMENTS, **config.latex_elements}
    config.latex_additional_files = [*config.latex_additional_files, STYLE]
    config.latex_use_xindy = False
    config.latex_show_urls = "no"
    if os.environ.get("COMPANION_BUILDER") == "latex":
        # In print a claim has its card, or its entry in the ledger: the pages of their own are not even read.
        config.exclude_patterns = [*config.exclude_patterns, f"{FOLDER}/**"]


def _number_throughout(app: Sphinx) -> None:
    """Number figures through the whole book, as on the web, where chapters have no numbers."""
    if app.builder.format == "latex":
        app.config.numfig_secnum_depth = 0


def _link(app: Sphinx, env: BuildEnvironment, node: Any, content: Any) -> Any:
    """Lead links to a claim, in print, to its card on a page, else to the ledger; None for other links."""
    kind = node["reftype"]
    if app.builder.format != "latex" or not kind.startswith("companion-"):
        return None
    cards: dict[str, dict[str, int]] = getattr(env, "companion_cards", {})
    name, source = node["reftarget"], node["refdoc"]
    holders = [page for page in sorted(cards) if name in cards[page]]
    if not holders:
        return None
    page = source if source in holders else holders[0]
    return make_refnode(app.builder, source, page, anchor(name), content)


class PrintForm(SphinxPostTransform):
    """Give the assembled book its print form."""

    default_priority = 60  # when links are resolved and what other builders show is gone
    formats = ("latex",)

    def run(self, **_: Any) -> None:
        """Rearrange the book in place."""
        arrange(self.document, self._parts())
        self.document.settings.mf_sources = note_sources(self.document)
        drop_folded_code(self.document)
        shorten_ledger(self.document, page_of(self.env, "ledger") or "", self._cards())
        open_folds(self.document)
        address_rows(self.document)
        mark_addresses(self.document)
        frame_claims(self.document)
        set_tables(self.document)
        set_formulas(self.document)
        name_formulas(self.document)

    def _cards(self) -> dict[str, set[str]]:
        cards: dict[str, dict[str, int]] = getattr(self.env, "companion_cards", {})
        return {page: {anchor(name) for name in names} for page, names in cards.items()}

    def _parts(self) -> list[tuple[str, str]]:
        tree: nodes.document = self.env.get_doctree(self.env.config.root_doc)
        return [
            (node["caption"], node["entries"][0][1])
            for node in tree.findall(toctree)
            if node.get("caption") and node["entries"]
        ]


class SourcesInPlace(SphinxPostTransform):
    """Print the list of sources on its page, and not as a chapter after all others."""

    default_priority = 760  # when Sphinx has gathered them
    formats = ("latex",)

    def run(self, **_: Any) -> None:
        """Move the list back."""
        mark = getattr(self.document.settings, "mf_sources", None)
        if mark is not None:
            return_sources(self.document, mark)


def connect_print(app: Sphinx) -> None:
    """Have the book printed so."""
    app.connect("config-inited", _configure, priority=400)
    app.connect("builder-inited", _number_throughout)
    app.connect("missing-reference", _link, priority=400)
    app.add_post_transform(PrintForm)
    app.add_post_transform(SourcesInPlace)
