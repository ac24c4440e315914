"""Claims as plain Markdown."""

from __future__ import annotations

import pytest

from companion.ledger.claim_text import claim_line, claim_text

SOURCES = {"v1": {"short": "version 1"}}


def claim(**changes):
    plain = {
        "id": "MBDE-L1", "kind": "proof-step", "title": "Growth", "verdict": "holds", "grade": "exact",
        "corrected": False, "statement": "It grows.\n", "hypotheses": [], "places": [],
    }  # fmt: skip
    return {**plain, **changes}


def test_a_claim_has_its_statement_hypotheses_verdict_and_places():
    given = claim(hypotheses=["$x>0$\nand", "$y$"], places=[{"source": "v1", "at": "Lemma 1"}], note="Read so.")
    assert claim_line(given) == "**MBDE-L1** Growth: ✓ holds (exact arithmetic)"
    assert claim_text(given, SOURCES).split("\n\n") == [
        "**MBDE-L1**, proof step: **Growth**. ✓ holds (exact arithmetic)",
        "It grows.",
        "*Hypotheses as printed:*",
        "- $x>0$\n  and\n- $y$",
        "*Note:* Read so.",
        "*Printed at:* version 1: Lemma 1.",
    ]


def test_what_breaks_is_said_of_refuted_claims_only():
    given = {"breaks": "Step 2.", "counterexample": "$x=0$", "correction": "It shrinks.", "grade": None}
    refuted = claim_text(claim(verdict="false", corrected=True, **given), SOURCES)
    assert "✗ false as printed, corrected" in refuted
    assert "*What breaks:* Step 2.\n\n*Counterexample:* $x=0$\n\n*Corrected statement:* It shrinks." in refuted
    seen = claim_text(claim(verdict="not-reproduced", **given), SOURCES)
    assert "*What our rerun shows:* It shrinks." in seen
    assert "Step 2." not in seen


def test_an_unknown_verdict_is_refused():
    with pytest.raises(ValueError, match="verdict must be one of"):
        claim_text(claim(verdict="perhaps"), SOURCES)
