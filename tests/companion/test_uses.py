"""The ledger says what a proof rests on: without circles, and a true claim on a false
step has another proof.
"""

import pytest

from companion.ledger.claim import Claim
from companion.ledger.claims import (
    BEYOND,
    depths,
    false_grounds,
    faults_of_uses,
    load_claims,
)
from tests.repository import ROOT

KINDS = ("lemma", "theorem", "corollary", "proposition")
#: Stated without a proof that the texts print.
WITHOUT = {
    "MBDE-L12",
    "LEC-pl",
    "LEC-par",
    "LEC-lap1",
    "LEC-gauss-0",
    "BS-P1",
    "BS-T6-min",
    "BS-L2",
}


def entry(name, expected="holds", **more):
    return Claim(name, "lemma", name, (), name, (), "apples", expected, **more)


SOUND = [
    entry("A"),
    entry("B", "false"),
    entry("C", uses=("A", "B"), stands_on=("A",)),
    entry("D", "false", uses=("B",)),
    entry("E", uses=("C",)),
]


def test_a_sound_ledger_has_no_fault():
    assert faults_of_uses(SOUND) == []
    assert depths({claim.id: claim.uses for claim in SOUND}) == {
        "A": 0,
        "B": 0,
        "C": 1,
        "D": 1,
        "E": 2,
    }


@pytest.mark.parametrize(
    ("extra", "named"),
    [
        (
            entry("F", uses=("D", "B")),
            "F: its printed proof rests on D, which is false",
        ),
        (
            entry("F", "holds-with-condition", uses=("B",)),
            "F: its printed proof rests on B",
        ),
        (entry("F", uses=("F",)), "F <- F"),
        (entry("A", stands_on=("C",)), "circle: A <- C <- A"),
    ],
)
def test_a_fault_of_uses_is_named(extra, named):
    assert any(named in fault for fault in faults_of_uses([*SOUND, extra]))


def test_only_a_true_claim_is_marked():
    assert false_grounds(("A", "B"), "holds", {"B", "D"}) == ["B"]
    assert false_grounds(("B",), "false", {"B", "D"}) == []
    assert false_grounds(("C",), "holds", {"B", "D"}) == []


def test_every_printed_proof_is_in_the_ledger():
    claims = load_claims(ROOT)
    own = [
        claim
        for claim in claims
        if claim.kind in KINDS and not claim.id.startswith(BEYOND)
    ]
    assert {claim.id for claim in own if not claim.uses} == WITHOUT


def test_a_gap_is_a_true_claim_on_a_false_step():
    """What the evidence found to have a broken proof is what `uses` says, computed from
    two sides.

    (79) cites Theorem 6 for what is a definition: nothing of it breaks.
    """
    claims = load_claims(ROOT)
    false = {claim.id for claim in claims if claim.expected == "false"}
    marked = {
        claim.id
        for claim in claims
        if claim.expected == "holds" and false_grounds(claim.uses, "holds", false)
    }
    assert marked - {"MBDE-L16-E79"} == {
        claim.id for claim in claims if claim.proof_gap
    }
