"""Label folded code by what it is, instead of "Show code cell source"."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

__all__ = ["connect_folds", "fold_label"]

#: What a cell with this in it is called, the first that fits; what a group matches follows the words.
_KINDS = (
    (re.compile(r"^page = Page\(", re.M), "Setup"),
    (re.compile(r"\bpage\.figure\(\s*[\"']([\w.-]+)"), "Figure: code of"),
    (re.compile(r"\bpage\.table\("), "Table: code"),
    (re.compile(r"\bpage\.value\("), "Numbers in the text: code"),
)
_OTHER = "Code for the cells below"


def fold_label(source: str) -> str:
    """Return the label of a folded cell from its code."""
    for pattern, words in _KINDS:
        if match := pattern.search(source):
            return " ".join((words, *match.groups()))
    return _OTHER


def _label(_app: Sphinx, tree: Any) -> None:
    for cell in tree.findall(nodes.container):
        if "prompt_show" in cell and (code := next(iter(cell.findall(nodes.literal_block)), None)):
            cell["prompt_show"] = cell["prompt_hide"] = fold_label(code.astext())


def connect_folds(app: Sphinx) -> None:
    """Label the folded cells of each page that is read."""
    app.connect("doctree-read", _label)
