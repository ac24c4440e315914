"""Build the few document nodes that the directives share: badges, tables, fold-outs, parsed MyST."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective

__all__ = ["GRADES", "LABELS", "badge", "container", "fold", "labelled", "paragraph", "parse", "table"]

#: Symbol and words of each verdict; a reader who sees no colour reads the same.
LABELS = {
    "holds": ("✓", "holds"),
    "holds-with-condition": ("◐", "holds under a condition"),
    "false": ("✗", "false as printed"),
    "definition": ("≡", "definition"),
    "reproduced": ("⊕", "seen in our rerun"),
    "variant-only": ("⊙", "seen in our rerun of a variant only"),
    "not-reproduced": ("⊖", "not seen in our rerun"),
    "outside": ("○", "outside"),
    "not-yet-checked": ("…", "not yet checked"),
}

#: Verdicts that a ledger as accepted cannot have: the evidence decides nothing, or a control did not fail.
UNSETTLED = {"unresolved": ("?", "unresolved"), "unsound": ("!", "unsound")}

#: How strong the support of a verdict is.
GRADES = {"proved": "proved", "exact": "exact arithmetic", "numerical": "numerical", "rerun": "own runs"}

Nodes = list[Any]


def paragraph(*parts: Any, classes: Sequence[str] = ()) -> Any:
    """Return a paragraph of texts and inline nodes."""
    children = [nodes.Text(part) if isinstance(part, str) else part for part in parts]
    return nodes.paragraph("", "", *children, classes=list(classes))


def container(*children: Any, classes: Sequence[str] = (), ids: Sequence[str] = ()) -> Any:
    """Return a block that holds others; in HTML a div."""
    return nodes.container("", *children, classes=list(classes), ids=list(ids))


def badge(verdict: str, grade: str | None = None, *, corrected: bool = False, reading: bool = False) -> Any:
    """Return a verdict as symbol and words, with whether it is on our reading; raise ValueError for an unknown one."""
    known = {**LABELS, **UNSETTLED}
    if verdict not in known:
        raise ValueError(f"verdict must be one of {', '.join(known)}, got {verdict!r}")
    symbol, words = known[verdict]
    text = f"{symbol} {words}" + ", in our reading" * reading + ", corrected" * (corrected and verdict == "false")
    if grade is not None and verdict in ("holds", "holds-with-condition"):
        text += f" ({GRADES[grade]})"
    return nodes.inline(text, text, classes=["mf-badge", f"mf-{verdict}"])


def labelled(label: str, body: Iterable[Any], *classes: str) -> Any:
    """Return parsed text under a small label, for example the hypotheses of a claim."""
    head = nodes.paragraph("", "", nodes.strong(label, label), classes=["mf-label"])
    return container(head, *body, classes=["mf-part", *classes])


def fold(summary: str, *body: Any, classes: Sequence[str] = ()) -> Nodes:
    """Return a fold-out, closed at first, that needs no script; in print its summary is a label."""
    names = html.escape(" ".join(["mf-fold", *classes]))
    opened = f'<details class="{names}"><summary>{html.escape(summary)}</summary>'
    inside = container(*body, classes=["mf-fold-body"])
    inside["summary"] = summary
    return [
        nodes.raw("", opened, format="html"),
        inside,
        nodes.raw("", "</details>", format="html"),
    ]


def table(
    head: Sequence[str], rows: Iterable[Sequence[Any]], *, classes: Sequence[str] = (), ids: Sequence[str] = ()
) -> Any:
    """Return a table; a cell is a text, an inline node or a list of blocks; `ids` are the addresses of the rows."""
    body = [list(row) for row in rows]
    group = nodes.tgroup("", cols=len(head))
    group += [nodes.colspec(colwidth=1) for _ in head]

    def line(cells: Iterable[Any]) -> Any:
        row = nodes.row()
        for cell in cells:
            row += nodes.entry("", *(cell if isinstance(cell, list) else [paragraph(cell)]))
        return row

    group += nodes.thead("", line(head))
    lines = [line(row) for row in body]
    for row, address in zip(lines, ids, strict=False):
        row["ids"].append(address)
    group += nodes.tbody("", *lines)
    return container(nodes.table("", group, classes=list(classes)), classes=["mf-table"])


def parse(directive: SphinxDirective, text: str) -> Nodes:
    """Return the nodes of a MyST text, parsed where the directive stands."""
    box = nodes.container()
    source = directive.env.doc2path(directive.env.docname)
    directive.state.nested_parse(StringList(text.splitlines(), source=source), directive.content_offset, box)
    return list(box.children)


def address_page(name: str, title: str, *body: Any) -> Any:
    """Return a page with its title; its name is a main entry of the index, which the search shows first."""
    entry = addnodes.index(entries=[("single", name, "address", "main", None)])
    return nodes.section("", nodes.title(title, title), entry, *body, ids=["address"], names=["address"])


def section(name: str, title: str, *children: Any, classes: tuple[str, ...] = ()) -> Any:
    """Return a section with its own address."""
    return nodes.section("", nodes.title(title, title), *children, ids=[name], names=[name], classes=list(classes))
