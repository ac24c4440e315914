"""Build the few document nodes that the pages share, and say each verdict and its grade in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docutils import nodes

from companion.ledger.evidence import Sharpness
from statements.outcome import largest

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

#: Verdicts that a ledger as accepted cannot have: the evidence decides nothing, or a
#: control did not fail.
UNSETTLED = {"unresolved": ("?", "unresolved"), "unsound": ("!", "unsound")}

#: How strong the support of a verdict is: its name in addresses, and the words that a
#: reader sees.
GRADES = {
    "proved": "proved",
    "sizes": "proved for small sizes",
    "exact": "exact, on instances",
    "numerical": "numerical",
    "counterexample": "exact counterexample",
    "rerun": "own runs",
    "none": "not tested",
}
#: Verdicts of statements that stand: their grade says how strongly.
_GRADED = ("holds", "holds-with-condition", "definition")
#: What a badge of a proved claim ends with, as proofs do.
PROVED = "■"

Nodes = list[Any]


def paragraph(*parts: Any, classes: Sequence[str] = ()) -> Any:
    """Return a paragraph of texts and inline nodes."""
    children = [nodes.Text(part) if isinstance(part, str) else part for part in parts]
    return nodes.paragraph("", "", *children, classes=list(classes))


def grade_of(claim: Mapping[str, Any]) -> str:
    """Return the name of the grade of a claim: one of `GRADES`."""
    return "counterexample" if claim["verdict"] == "false" else claim["grade"] or "none"


def grade_words(claim: Mapping[str, Any]) -> str:
    """Return the grade of a claim in words, with the sizes for which it is proved."""
    if sizes := claim.get("sizes"):
        return f"proved for {sizes}"
    return GRADES[grade_of(claim)]


def verdict_words(verdict: str) -> str:
    """Return a verdict as symbol and words; raise ValueError for an unknown one."""
    known = {**LABELS, **UNSETTLED}
    if verdict not in known:
        raise ValueError(f"verdict must be one of {', '.join(known)}, got {verdict!r}")
    return " ".join(known[verdict])


def badge_text(claim: Mapping[str, Any], *, graded: bool = False) -> str:
    """Return what the badge of a claim says: its verdict, whether it is in our reading, corrected, or proved.

    A badge that is `graded` names any grade. Raises ValueError for an unknown verdict.
    """
    verdict = claim["verdict"]
    grade = grade_of(claim)
    text = verdict_words(verdict) + ", in our reading" * ("reading" in claim)
    if verdict == "false" and claim["corrected"]:
        return f"{text}, corrected"
    if verdict not in _GRADED:
        return text
    if grade in ("proved", "sizes"):
        return f"{text}, {grade_words(claim)}" + f" {PROVED}" * (grade == "proved")
    return f"{text} ({grade_words(claim)})" if graded else text


def badge_classes(claim: Mapping[str, Any]) -> list[str]:
    """Return the classes of a badge, which give it its colours: those of a proved claim are filled."""
    filled = claim["verdict"] in _GRADED and grade_of(claim) == "proved"
    return ["mf-badge", f"mf-{claim['verdict']}", *(["mf-proved"] if filled else [])]


def badge(claim: Mapping[str, Any]) -> Any:
    """Return a verdict as `badge_text` says it, coloured by it."""
    text = badge_text(claim)
    return nodes.inline(text, text, classes=badge_classes(claim))


def sharpness_words(record: Mapping[str, Any]) -> str:
    """Say how near to the truth an inequality is, in a sentence of MyST that has its right side as code."""
    found = Sharpness.from_record(record)
    side = f"``{' '.join(found.side.split())}``"
    if found.attained:
        return f"Sharp: both sides are equal on an instance of {side}."
    if found.sharp:
        return f"Sharp: with {side} moved by {_percent(found.share)} it fails."
    if found.factor:
        return f"Loose: on the instances tried a factor of {found.factor:.3g} at {side} would do."
    if found.share:
        return f"Not shown to be sharp: the smallest change of {side} that fails is {_percent(found.share)}."
    return f"Not shown to be sharp: no change of {side} that was tried fails."


def reach_words(claim: Mapping[str, Any]) -> str:
    """Say how far the instances of a claim go, and why small ones are the worst where that was checked."""
    reach = claim.get("reach", {})
    found = [f"Instances go up to {largest(reach)}."] if reach else []
    if claim.get("small"):
        found.append(
            f"Small instances are the worst ones: {claim['small'].rstrip('.')}."
        )
    return " ".join(found)


def _percent(share: float | None) -> str:
    return f"{100 * (share or 0):.3g} %"
