"""The ledger says what a proof rests on: without circles, and a true claim on a false step has another proof."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from companion.ledger.claims import BEYOND, load_claims
from companion.ledger.uses import depths, false_grounds, faults_of_uses
from tests.companion.test_sphinx_ext import claim, make_book, sphinx, write

ROOT = Path(__file__).parents[2]
KINDS = ("lemma", "theorem", "corollary", "proposition")
#: Stated without a proof that the texts print.
WITHOUT = {"MBDE-L12", "LEC-pl", "LEC-par", "LEC-lap1", "LEC-gauss-0", "BS-P1", "BS-T6-min", "BS-L2"}


def entry(name: str, expected: str = "holds", **more: Any) -> dict[str, Any]:
    return {"id": name, "expected": expected, **more}


SOUND = [
    entry("A"),
    entry("B", "false"),
    entry("C", uses=["A", "B"], stands_on=["A"]),
    entry("D", "false", uses=["B"]),
    entry("E", uses=["C"]),
]


def test_a_sound_ledger_has_no_fault() -> None:
    assert faults_of_uses(SOUND) == []
    assert depths(SOUND) == {"A": 0, "B": 0, "C": 1, "D": 1, "E": 2}


@pytest.mark.parametrize(
    ("extra", "named"),
    [
        (entry("F", uses=["D", "B"]), "F: its printed proof rests on D, which is false"),
        (entry("F", "holds-with-condition", uses=["B"]), "F: its printed proof rests on B"),
        (entry("F", uses=["F"]), "F <- F"),
        (entry("A", stands_on=["C"]), "circle: A <- C <- A"),
    ],
)
def test_a_fault_of_uses_is_named(extra: dict[str, Any], named: str) -> None:
    assert any(named in fault for fault in faults_of_uses([*SOUND, extra]))


def test_only_a_true_claim_is_marked() -> None:
    assert false_grounds(SOUND[2], {"B", "D"}) == ["B"]
    assert false_grounds(SOUND[3], {"B", "D"}) == []
    assert false_grounds(SOUND[4], {"B", "D"}) == []  # C is true, so E rests on nothing false
    assert false_grounds({**SOUND[2], "verdict": "false"}, {"B"}) == []


def test_every_printed_proof_is_in_the_ledger() -> None:
    claims = load_claims(ROOT)
    own = [claim for claim in claims if claim["kind"] in KINDS and not claim["id"].startswith(BEYOND)]
    assert {claim["id"] for claim in own if "uses" not in claim} == WITHOUT


def test_a_gap_is_a_true_claim_on_a_false_step() -> None:
    """What the evidence found to have a broken proof is what `uses` says, computed from two sides.

    (79) cites Theorem 6 for what is a definition: nothing of it breaks.
    """
    claims = load_claims(ROOT)
    false = {claim["id"] for claim in claims if claim["expected"] == "false"}
    marked = {claim["id"] for claim in claims if claim["expected"] == "holds" and false_grounds(claim, false)}
    assert marked - {"MBDE-L16-E79"} == {claim["id"] for claim in claims if claim.get("proof_gap")}


@pytest.mark.slow
def test_the_map_links_every_claim_and_says_what_falls(tmp_path: Path) -> None:
    make_book(tmp_path)
    ledger = json.loads((tmp_path / "claims.json").read_text(encoding="utf-8"))
    ledger["claims"] = [
        claim("MBDE-A", "false", kind="theorem"),
        claim("MBDE-B", "false", uses=["MBDE-A"]),
        claim("MBDE-C", "holds", uses=["MBDE-B", "MBDE-D"], stands_on=["MBDE-D"]),
        claim("MBDE-D", "holds", kind="equation"),
    ]
    write(tmp_path / "claims.json", json.dumps(ledger))
    (tmp_path / "notebooks/one.ipynb").unlink()
    names = [item["id"] for item in ledger["claims"]]
    tree = "".join(f"claims/{name}\n" for name in names)
    write(tmp_path / "index.md", f"# Root\n\n```{{toctree}}\nbook/ledger\nbook/map\n{tree}```\n")
    write(tmp_path / "book/map.md", "# Map\n\n```{claim-map}\n```\n")
    for name in names:
        write(tmp_path / f"claims/{name}.md", f"```{{claim-page}} {name}\n```\n")
    status, log = sphinx(tmp_path, "html", "--keep-going")
    assert status == 0, log
    page = (tmp_path / "_out/html/book/map.html").read_text(encoding="utf-8")
    drawn = page[page.index("<svg") : page.index("</svg>")]
    assert {f"../claims/{name}.html" for name in names} <= set(re.findall(r'href="([^"]+)"', page))
    assert drawn.count("<a ") == 4
    assert drawn.count('stroke-width="2.5"') == 2, "the two false ones are thick"
    words = re.sub(r"\s+", " ", re.sub("<[^>]+>", "", page[page.index("If this is false") :]))
    order = [words.index(text) for text in ("MBDE-A", "MBDE-B", "MBDE-C", "stands by another proof,")]
    assert order == sorted(order)
    card = (tmp_path / "_out/html/claims/MBDE-C.html").read_text(encoding="utf-8")
    assert "True, though the printed proof rests on a false statement" in card
    assert "True, though" not in (tmp_path / "_out/html/claims/MBDE-B.html").read_text(encoding="utf-8")
    assert "Used by" in (tmp_path / "_out/html/claims/MBDE-D.html").read_text(encoding="utf-8")
