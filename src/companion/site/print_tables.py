"""Set tables and formulas for print: widths of columns, formulas wider than a line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from docutils import nodes
from sphinx.addnodes import tabular_col_spec

from companion.site.nodes import first_above

#: Sizes of type tried in turn, with how many letters of it the line holds.
SIZES = (("small", 100), ("footnotesize", 112), ("scriptsize", 128))
#: How much wider than other letters those of a head are.
HEAD = 1.3
#: What stands between two columns, in letters.
GAP = 2.6
#: With more rows than this, a table may break over pages.
LONG = 3
#: Up to this many rows are kept on one page where they fit.
FEW = 7
_COMMAND = re.compile(
    r"\\(?:left|right|mathrm|mathbf|mathbb|mathcal|text|operatorname|displaystyle"
    r"|[,;!: ])"
)


def _letters(leaf: nodes.Text) -> tuple[str, str]:
    """Return a text as it is printed, and where a line of it may break."""
    text = leaf.astext()
    if not isinstance(leaf.parent, nodes.math):
        return text, r"[ \t\n\u200b-]"
    symbols = re.sub(r"\\[A-Za-z]+", "x", _COMMAND.sub("", text))
    return re.sub(r"[{}^_ ]", "", symbols), r"(?<=[=,<>+-])"


def length(node: nodes.Element) -> tuple[int, int]:
    """Return how many letters a block has in print, and how many its longest word."""
    total = 0
    longest = 0
    for leaf in node.findall(nodes.Text):
        if isinstance(leaf.parent, nodes.raw):
            continue
        text, breaks = _letters(leaf)
        total += len(text)
        longest = max(longest, *map(len, re.split(breaks, text)))
    return total, longest


def _type_size(needed: float) -> tuple[str, int]:
    """Return the largest type in which so many letters fit, else the smallest."""
    return next((size for size in SIZES if needed <= size[1]), SIZES[-1])


def widths(
    natural: list[float],
    least: list[float],
    *,
    right: list[bool],
    blocks: bool = False,
) -> tuple[str, str]:
    """Return the size of type and, in LaTeX, the columns, whose widths are in letters.

    `natural` are their natural widths, `least` the least. Where all fits, columns are
    as wide as their texts; else every column gets its longest word and a share of what
    is left by what it still wants. `blocks` says that a cell has more than one
    paragraph: then columns need a width.
    """
    gaps = GAP * len(natural)
    if not blocks:
        for size, room in SIZES[:2]:
            if sum(natural) + gaps <= room:
                return size, "".join("r" if at else "l" for at in right)
    size, room = _type_size(sum(least) + gaps)
    # Square roots, so that one long column does not starve the others.
    roots = [
        max(0.0, wish - need) ** 0.5 for wish, need in zip(natural, least, strict=True)
    ]
    scale = max(0.0, room - gaps - sum(least)) / (sum(roots) or 1.0)
    wide = [need + scale * root + GAP for need, root in zip(least, roots, strict=True)]
    line = max(sum(wide), room)
    return size, "".join(f"Q{{{width / line:.4f}}}" for width in wide)


class Column(NamedTuple):
    """Hold a column: its natural and its least width, its side, if it has blocks."""

    natural: float
    least: float
    right: bool
    blocks: bool

    @classmethod
    def of(cls, entries: Sequence[nodes.entry]) -> Column:
        """Return the column with these entries."""
        natural = [1.0]
        least = [1.0]
        right = True
        blocks = False
        for entry in entries:
            in_head = isinstance(entry.parent.parent, nodes.thead)
            scale = HEAD if in_head else 1.0
            right = right and (in_head or "text-right" in entry["classes"])
            blocks = blocks or len(entry) > 1
            for block in entry:
                total, longest = length(block)
                natural.append(scale * total)
                least.append(scale * longest)
                blocks = blocks or not isinstance(block, nodes.paragraph)
        return cls(max(natural), max(least), right, blocks)


def columns_of(table: nodes.table) -> tuple[str, str]:
    """Return the size of type and the columns of a table."""
    rows = [row.children for row in table.findall(nodes.row)]
    columns = [Column.of(entries) for entries in zip(*rows, strict=True)]
    natural, least, right, blocks = map(list, zip(*columns, strict=True))
    return widths(natural, least, right=right, blocks=any(blocks))


def set_tables(document: nodes.document) -> None:
    """Give every table of a document its widths and its size of type.

    A long table may break over pages.
    """
    for table in list(document.findall(nodes.table)):
        size, spec = columns_of(table)
        # In a note, an exercise or a solution.
        boxed = first_above(table, nodes.Admonition) is not None
        rows = len(list(table.findall(nodes.row)))
        if rows > LONG and not boxed:
            table["classes"].append("longtable")
        # A table of few rows begins where there is room for all of them, a longer one
        # with a few.
        lines = 2 * rows + 2 if rows <= FEW else 8
        room = "" if boxed else f"\\needspace{{{lines}\\baselineskip}}"
        opened = latex(f"{room}\\begingroup\\{size}")
        closed = latex("\\endgroup")
        table.parent.replace(
            table, [opened, tabular_col_spec(spec=spec), table, closed]
        )


_TAG = re.compile(r"\\tag\*?\{((?:[^{}]|\{[^{}]*\})*)\}")


def latex(text: str) -> nodes.raw:
    """Return LaTeX that is written as it is, and by no other writer."""
    return nodes.raw("", text, format="latex")


def set_formulas(document: nodes.document) -> None:
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
