"""Build the few document nodes that the pages share, and say each verdict in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docutils import nodes

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


def badge_text(verdict: str, grade: str | None = None, *, corrected: bool = False, reading: bool = False) -> str:
    """Return a verdict as symbol and words, with whether it is on our reading; raise ValueError for an unknown one."""
    known = {**LABELS, **UNSETTLED}
    if verdict not in known:
        raise ValueError(f"verdict must be one of {', '.join(known)}, got {verdict!r}")
    symbol, words = known[verdict]
    text = f"{symbol} {words}" + ", in our reading" * reading + ", corrected" * (corrected and verdict == "false")
    graded = grade is not None and verdict in ("holds", "holds-with-condition")
    return f"{text} ({GRADES[str(grade)]})" if graded else text


def badge(verdict: str, grade: str | None = None, *, corrected: bool = False, reading: bool = False) -> Any:
    """Return a verdict as `badge_text` says it, coloured by it."""
    text = badge_text(verdict, grade, corrected=corrected, reading=reading)
    return nodes.inline(text, text, classes=["mf-badge", f"mf-{verdict}"])
