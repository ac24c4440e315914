"""Write a claim of the ledger as plain Markdown, for a notebook that is read outside the book."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.site.nodes import badge_text

#: The parts of a claim after its statement, in the order of the card in the book.
_PARTS = {
    "breaks": "What breaks",
    "counterexample": "Counterexample",
    "condition": "Condition that is needed",
    "correction": "Corrected statement",
    "reason": "Why it is outside",
    "note": "Note",
}


def _verdict(claim: Mapping[str, Any]) -> str:
    return badge_text(claim["verdict"], claim["grade"], corrected=claim["corrected"], reading="reading" in claim)


def claim_line(claim: Mapping[str, Any]) -> str:
    """Return id, title and verdict of a claim in one line."""
    return f"**{claim['id']}** {claim['title']}: {_verdict(claim)}"


def claim_text(claim: Mapping[str, Any], sources: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a claim as the card on its page: statement, hypotheses, verdict and where it is printed."""
    parts = [f"**{claim['id']}**, {claim['kind'].replace('-', ' ')}: **{claim['title']}**. {_verdict(claim)}"]
    parts.append(claim["statement"].strip())
    if claim["hypotheses"]:
        listing = "\n".join("- " + item.strip().replace("\n", "\n  ") for item in claim["hypotheses"])
        parts.append(f"*Hypotheses as printed:*\n\n{listing}")
    refuted = claim["verdict"] in ("false", "holds-with-condition")
    seen = {"correction": "What our rerun shows"} if claim["verdict"] in ("variant-only", "not-reproduced") else {}
    for key, words in (_PARTS | seen).items():
        if claim.get(key) and (refuted or key not in ("breaks", "counterexample")):
            parts.append(f"*{words}:* {claim[key].strip()}")
    places = "; ".join(f"{sources[place['source']]['short']}: {place['at']}" for place in claim["places"])
    if places:
        parts.append(f"*Printed at:* {places}.")
    return "\n\n".join(parts)
