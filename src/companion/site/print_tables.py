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
_COMMAND = re.compile(
    r"\\(?:left|right|mathrm|mathbf|mathbb|mathcal|text|operatorname|displaystyle|[,;!: ])"
)


def length(node: Any) -> tuple[int, int]:
    """Return how many letters a block has in print, and how many its longest word has."""
    total = longest = 0
    for leaf in node.findall(
        lambda item: (
            isinstance(item, nodes.Text) and not isinstance(item.parent, nodes.raw)
        )
    ):
        text = leaf.astext()
        breaks = r"[ \t\n\u200b-]"
        if isinstance(leaf.parent, nodes.math):
            text = re.sub(
                r"[{}^_ ]", "", re.sub(r"\\[A-Za-z]+", "x", _COMMAND.sub("", text))
            )
            breaks = r"(?<=[=,<>+-])"
        total += len(text)
        longest = max(longest, *map(len, re.split(breaks, text)))
    return total, longest


def widths(
    natural: list[float], least: list[float], *, right: list[bool], blocks: bool = False
) -> tuple[str, str]:
    """Return the size of type and, in LaTeX, the columns of these natural and least widths, in letters.

    Where all fits, columns are as wide as their texts; else every column gets its
    longest word and a share of what is left by what it still wants. `blocks` says that
    a cell has more than one paragraph: then columns need a width.
    """
    gaps = GAP * len(natural)
    for size, room in () if blocks else SIZES[:2]:
        if sum(natural) + gaps <= room:
            return size, "".join("r" if at else "l" for at in right)
    size, room = next(
        (pair for pair in SIZES if sum(least) + gaps <= pair[1]), SIZES[-1]
    )
    # Square roots, so that one long column does not starve the others.
    roots = [
        max(0.0, wish - need) ** 0.5 for wish, need in zip(natural, least, strict=True)
    ]
    scale = max(0.0, room - gaps - sum(least)) / (sum(roots) or 1.0)
    given = [need + scale * root + GAP for need, root in zip(least, roots, strict=True)]
    line = max(sum(given), room)
    return size, "".join(f"Q{{{width / line:.4f}}}" for width in given)


def columns_of(table: Any) -> tuple[str, str]:
    """Return the size of type and the columns of a table."""
    natural = []
    least = []
    right = []
    blocks = False
    for column in zip(*(row.children for row in table.findall(nodes.row)), strict=True):
        heads = [
            entry for entry in column if isinstance(entry.parent.parent, nodes.thead)
        ]
        sizes = [
            (1.3 if entry in heads else 1.0, length(block))
            for entry in column
            for block in entry
        ]
        natural.append(max([1.0, *(scale * total for scale, (total, _) in sizes)]))
        least.append(max([1.0, *(scale * longest for scale, (_, longest) in sizes)]))
        right.append(
            all(entry in heads or "text-right" in entry["classes"] for entry in column)
        )
        blocks |= any(
            len(entry) > 1 or not isinstance(block, nodes.paragraph)
            for entry in column
            for block in entry
        )
    return widths(natural, least, right=right, blocks=blocks)


def set_tables(document: Any) -> None:
    """Give every table of a document its widths, its size of type, and leave to break where it is long."""
    for table in list(document.findall(nodes.table)):
        size, spec = columns_of(table)
        boxed = _inside_box(table)
        rows = len(list(table.findall(nodes.row)))
        if rows > LONG and not boxed:
            table["classes"].append("longtable")
        # A table of few rows begins where there is room for all of them, a longer one
        # with a few.
        room = (
            ""
            if boxed
            else f"\\needspace{{{2 * rows + 2 if rows <= FEW else 8}\\baselineskip}}"
        )
        opened = latex(f"{room}\\begingroup\\{size}")
        closed = latex("\\endgroup")
        table.parent.replace(
            table, [opened, tabular_col_spec(spec=spec), table, closed]
        )


def _inside_box(node: Any) -> bool:
    """Return whether a node is printed in a frame: in a note, an exercise or a solution."""
    above = node.parent
    framed = isinstance(above, nodes.Admonition) or type(above).__name__ in (
        "exercise_node",
        "solution_node",
    )
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
