"""Keep a formula or a verdict on one line with the punctuation that touches it; a browser would part them."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

__all__ = ["KEEP", "KeepTogether", "keep_together"]

#: The class of what stays on one line; the style sheet says so.
KEEP = "mf-keep"

_OPENING = re.compile(r"[(\[“‘]+\Z")
_CLOSING = re.compile(r"[.,;:!?)\]”’-]+")


def _is_box(node: Any) -> bool:
    """Return whether a browser sees a box in the line: a formula, a verdict, or a link that ends in a verdict."""
    if isinstance(node, nodes.math) or (isinstance(node, nodes.inline) and "mf-badge" in node["classes"]):
        return True
    link = isinstance(node, nodes.reference) or (isinstance(node, nodes.inline) and "mf-claim-link" in node["classes"])
    return link and bool(node.children) and _is_box(node.children[-1])


def keep_together(parent: Any) -> None:
    """Wrap each formula and each verdict among the children of a node with the punctuation that touches it."""
    left, made = list(reversed(parent.children)), []
    while left:
        node, before, after = left.pop(), "", ""
        if not _is_box(node):
            made.append(node)
            continue
        if made and isinstance(made[-1], nodes.Text) and (found := _OPENING.search(made[-1])):
            before, text = found[0], str(made.pop())
            made += [nodes.Text(text[: found.start()])] if found.start() else []
        if left and isinstance(left[-1], nodes.Text) and (found := _CLOSING.match(left[-1])):
            after, text = found[0], str(left.pop())
            left += [nodes.Text(text[found.end() :])] if text[found.end() :] else []
        parts = [*([nodes.Text(before)] if before else []), node, *([nodes.Text(after)] if after else [])]
        made.append(nodes.inline("", "", *parts, classes=[KEEP]) if len(parts) > 1 else node)
    parent.children = []
    parent.extend(made)


class KeepTogether(SphinxPostTransform):
    """Do so on every page for a browser, when the links are resolved."""

    default_priority = 900
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Wrap throughout the page."""
        parents = {id(node.parent): node.parent for node in self.document.findall(_is_box)}
        for parent in parents.values():
            keep_together(parent)
