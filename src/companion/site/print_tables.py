"""Set tables and formulas for print: widths of columns, formulas wider than the line."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.addnodes import tabular_col_spec

#: Sizes of type tried in turn, with how many letters of it the line holds.
SIZES = (("small", 100), ("footnotesize", 112), ("scriptsize", 128))
#: What stands between two columns, in letters.
GAP = 2.6
#: With more rows than this, a table may break over pages.
LONG = 3
#: Up to this many rows are kept on one page where they fit.
FEW = 7
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


def widths(natural: list[float], least: list[float], *, right: list[bool], blocks: bool = False) -> tuple[str, str]:
    """Return the size of type and, in LaTeX, the columns of these natural and least widths, in letters.

    Where all fits, columns are as wide as their texts; else every column gets its longest word and a share of what is
    left by what it still wants. `blocks` says that a cell has more than one paragraph: then columns need a width.
    """
    gaps = GAP * len(natural)
    if not blocks:
        for size, room in SIZES[:2]:
            if sum(natural) + gaps <= room:
                return size, "".join("r" if at else "l" for at in right)
    for size, room in SIZES:
        if sum(least) + gaps <= room or size == SIZES[-1][0]:
            break
    # Square roots, so that one long column does not starve the others.
    roots = [max(0.0, wish - need) ** 0.5 for wish, need in zip(natural, least, strict=True)]
    scale = max(0.0, room - gaps - sum(least)) / (sum(roots) or 1.0)
    given = [need + scale * root + GAP for need, root in zip(least, roots, strict=True)]
    line = max(sum(given), room)
    return size, "".join(f"Q{{{width / line:.4f}}}" for width in given)


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


def set_tables(document: Any) -> None:
    """Give every table of a document its widths, its size of type, and leave to break where it is long."""
    for table in list(document.findall(nodes.table)):
        natural, least, right, blocks = _measure(table)
        if not natural or any(entry.get("morecols") for entry in table.findall(nodes.entry)):
            continue
        size, spec = widths(natural, least, right=right, blocks=blocks)
        parent, place = table.parent, table.parent.index(table)
        boxed = _inside_box(table)
        rows = len(list(table.findall(nodes.row)))
        if rows > LONG and not boxed:
            table["classes"].append("longtable")
        # A table of few rows begins where there is room for all of them, a longer one with a few.
        room = "" if boxed else f"\\needspace{{{2 * rows + 2 if rows <= FEW else 8}\\baselineskip}}"
        opened = nodes.raw("", f"{room}\\begingroup\\{size}", format="latex")
        closed = nodes.raw("", "\\endgroup", format="latex")
        columns = tabular_col_spec(spec=spec)
        parent.remove(table)
        for node in reversed((opened, columns, table, closed)):
            parent.insert(place, node)


def _inside_box(node: Any) -> bool:
    """Return whether a node is printed in a frame: in a note, an exercise or a solution."""
    above = node.parent
    framed = isinstance(above, nodes.Admonition) or type(above).__name__ in ("exercise_node", "solution_node")
    return framed or (above is not None and _inside_box(above))


_TAG = re.compile(r"\\tag\*?\{((?:[^{}]|\{[^{}]*\})*)\}")


def latex(text: str) -> Any:
    """Return LaTeX that is written as it is, and by no other writer."""
    return nodes.raw("", text, format="latex")


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
