"""Build document nodes that pages share, and say each verdict and grade in words."""

from __future__ import annotations

from collections.abc import Sequence

from docutils import nodes

from companion.ledger.evidence import Sharpness
from companion.ledger.records import ClaimRecord, SharpnessRecord
from companion.ledger.verdicts import UNSETTLED, VERDICTS
from statements.outcome import largest

#: Sign and words of each verdict that a ledger as accepted can have.
LABELS = {
    name: (verdict.sign, verdict.label)
    for name, verdict in VERDICTS.items()
    if name not in UNSETTLED
}

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

Nodes = list[nodes.Node]


def first_above(
    node: nodes.Node,
    kinds: type[nodes.Element] | tuple[type[nodes.Element], ...],
) -> nodes.Element | None:
    """Return the innermost node of some kinds in which a node stands, if any."""
    above = node.parent
    while above is not None and not isinstance(above, kinds):
        above = above.parent
    return above


def paragraph(*parts: str | nodes.Node, classes: Sequence[str] = ()) -> nodes.paragraph:
    """Return a paragraph of texts and inline nodes."""
    children = [nodes.Text(part) if isinstance(part, str) else part for part in parts]
    return nodes.paragraph("", "", *children, classes=list(classes))


def grade_of(claim: ClaimRecord) -> str:
    """Return the name of the grade of a claim: one of `GRADES`."""
    if claim["verdict"] == "false":
        return "counterexample"
    return claim["grade"] or "none"


def grade_words(claim: ClaimRecord) -> str:
    """Return the grade of a claim in words, with the sizes for which it is proved."""
    if sizes := claim.get("sizes"):
        return f"proved for {sizes}"
    return GRADES[grade_of(claim)]


def verdict_words(verdict: str) -> str:
    """Return a verdict as sign and words; raise ValueError for an unknown one."""
    if verdict not in VERDICTS:
        known = ", ".join(VERDICTS)
        raise ValueError(f"verdict must be one of {known}, got {verdict!r}")
    return f"{VERDICTS[verdict].sign} {VERDICTS[verdict].label}"


def badge_text(claim: ClaimRecord, *, graded: bool = False) -> str:
    """Return what the badge of a claim says.

    It is the verdict, and whether it is in our reading, corrected, or proved; a badge
    that is `graded` names any grade. Raises ValueError for an unknown verdict.
    """
    verdict = claim["verdict"]
    text = verdict_words(verdict)
    if "reading" in claim:
        text += ", in our reading"
    if verdict == "false" and claim["corrected"]:
        return f"{text}, corrected"
    if verdict not in _GRADED:
        return text
    match grade_of(claim):
        case "proved":
            return f"{text}, {grade_words(claim)} {PROVED}"
        case "sizes":
            return f"{text}, {grade_words(claim)}"
    return f"{text} ({grade_words(claim)})" if graded else text


def badge_classes(claim: ClaimRecord) -> list[str]:
    """Return the classes of a badge, which give it its colours.

    The badge of a proved claim is filled.
    """
    classes = ["mf-badge", f"mf-{claim['verdict']}"]
    if claim["verdict"] in _GRADED and grade_of(claim) == "proved":
        classes.append("mf-proved")
    return classes


def badge(claim: ClaimRecord) -> nodes.inline:
    """Return a verdict as `badge_text` says it, coloured by it."""
    text = badge_text(claim)
    return nodes.inline(text, text, classes=badge_classes(claim))


def sharpness_words(record: SharpnessRecord) -> str:
    """Say how near to the truth an inequality is, in a sentence of MyST.

    The right side of the inequality stands in it as code.
    """
    sharpness = Sharpness(**record)
    side = f"``{' '.join(sharpness.side.split())}``"
    if sharpness.attained:
        return f"Sharp: both sides are equal on an instance of {side}."
    if sharpness.sharp:
        return f"Sharp: with {side} moved by {_percent(sharpness.share)} it fails."
    if sharpness.factor:
        return (
            f"Loose: on the instances tried a factor of {sharpness.factor:.3g} "
            f"at {side} would do."
        )
    if sharpness.share:
        return (
            f"Not shown to be sharp: the smallest change of {side} that fails is "
            f"{_percent(sharpness.share)}."
        )
    return f"Not shown to be sharp: no change of {side} that was tried fails."


def reach_words(claim: ClaimRecord) -> str:
    """Say how far the instances of a claim go.

    Where it was checked that small ones are the worst, say why.
    """
    sentences = []
    if reach := claim.get("reach"):
        sentences.append(f"Instances go up to {largest(reach)}.")
    if small := claim.get("small"):
        sentences.append(f"Small instances are the worst ones: {small.rstrip('.')}.")
    return " ".join(sentences)


def _percent(share: float | None) -> str:
    return f"{100 * (share or 0):.3g} %"
