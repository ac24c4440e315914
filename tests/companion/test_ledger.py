from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from companion.ledger import claims as ledger
from companion.ledger.claims import (
    BEYOND,
    TEXTS,
    LedgerError,
    count_verdicts,
    examine,
    load_claims,
    load_sources,
    read_evidence,
)
from tests.companion.test_verdicts import GOOD, REFUTED

ROOT = Path(__file__).parents[2]

HOLDS = {
    "id": "MBDE-L1",
    "kind": "lemma",
    "title": "Doubling is growth",
    "places": [{"source": "v1", "at": "Lemma 1"}],
    "statement": "Twice $x$ is more than $x$ for $x > 0$.",
    "hypotheses": ["$x > 0$"],
    "notebook": "apples",
    "expected": "holds",
}
FALSE = {
    **HOLDS,
    "id": "MBDE-L2",
    "expected": "false",
    "fails": "conclusion",
    "correction": "Twice $x$ is at least $x$.",
}
BREAKS = {
    "breaks": "The last step.",
    "conclusion": "weaker",
    "slip": "A sign is lost.",
    "stands": "the bound, with another sign",
}
OUTSIDE = {**HOLDS, "id": "LEC-1", "notebook": None, "expected": "outside", "outside": "informal", "reason": "an aim"}
LATER = {**HOLDS, "id": "BS-1", "notebook": "pears"}
EVIDENCE = [
    GOOD,
    replace(REFUTED, claim="MBDE-L2"),
    replace(GOOD, claim="MBDE-L2", role="corrected"),
]


@pytest.fixture
def root(tmp_path):
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "apples.md").write_text("# Apples\n")
    (tmp_path / "data").mkdir()
    sources = [{"id": "v1", "short": "v1", "title": "A paper", "authors": ["Nobody"], "year": 2020}]
    (tmp_path / "data" / "sources.yml").write_text(yaml.safe_dump(sources))
    claims(tmp_path, HOLDS, FALSE, OUTSIDE, LATER)
    record(tmp_path, *EVIDENCE)
    return tmp_path


def claims(root, *entries):
    (root / "data" / "claims.yml").write_text(yaml.safe_dump(list(entries)))


def record(root, *evidence):
    folder = root / "evidence"
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.json"):
        old.unlink()
    for number, item in enumerate(evidence):
        (folder / f"{number}.json").write_text(json.dumps(item.to_record()))


def judged(root, pages=("apples",)):
    judgements, faults = examine(load_claims(root), read_evidence([root / "evidence"]), pages)
    if faults:
        raise LedgerError(faults)
    return judgements


def faults_of(root, call=load_claims):
    with pytest.raises(LedgerError) as caught:
        call(root)
    assert str(caught.value) == "\n".join(["the ledger is not as it must be:", *caught.value.faults])
    return caught.value.faults


# ---- reading


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": "L1"}, "L1: 'L1' does not match"),
        ({"kind": "guess"}, "'guess' is not one of"),
        ({"places": []}, "should be non-empty"),
        ({"places": [{"source": "v4", "at": "1"}]}, "'v4' is not one of"),
        ({"notebook": None}, "None is not of type 'string'"),
        ({"expected": False}, "False is not one of"),
        ({"expected": "holds-with-condition"}, "'condition' is a required property"),
        ({"condition": "only here"}, "should not be valid"),
        ({"expected": "variant-only"}, "'correction' is a required property"),
        ({"expected": "unresolved"}, "'unresolved' is not one of"),
        ({"expected": "outside"}, "'outside' is a required property"),
        ({"reason": "no reason"}, "should not be valid"),
        ({"colour": "red"}, "Additional properties"),
        ({"breaks": "The last step."}, "'conclusion' is a dependency of 'breaks'"),
        ({"conclusion": "weaker"}, "'stands' is a dependency of 'conclusion'"),
        ({**FALSE, **BREAKS, "slip": "x" * 101}, "is too long"),
        ({**FALSE, "conclusion": "weaker"}, "'slip' is a required property"),
        ({"stands": "the bound"}, "should not be valid"),
        ({"short_proof": "By $x>0$."}, "'breaks' is a required property"),
        ({**BREAKS, "cause": "MBDE-L3"}, "'false' was expected"),
        ({**FALSE, **BREAKS, "program": "x"}, "is too short"),
        ({**FALSE, **BREAKS, "follows": "Growth."}, "'short_proof' is a dependency of 'follows'"),
        ({**FALSE, **BREAKS, "short_proof": "Yes.", "follows": "No.", "cause": "MBDE-L3"}, "should not be valid"),
        ({"counterexample": "$x=3$"}, "'breaks' is a dependency of 'counterexample'"),
        ({"statement": "$x$ is"}, "is too short"),
    ],
)
def test_every_fault_of_the_schema_is_named_with_its_claim(root, change, message):
    entry = {**HOLDS, **change}
    claims(root, entry, LATER)
    faults = faults_of(root)
    assert any(fault.startswith(f"claims.yml: {entry['id']}: ") and message in fault for fault in faults), faults


def test_all_faults_are_listed_at_once(root):
    claims(root, {**HOLDS, "kind": "guess"}, {**FALSE, "statement": "The $ is not closed"}, LATER, LATER)
    faults = faults_of(root)
    assert len(faults) == 3
    assert faults[0].startswith("claims.yml: MBDE-L1: 'guess'")
    assert faults[1] == "claims.yml: MBDE-L2: a $ is not closed"
    assert faults[2] == "BS-1: this id is given 2 times"


def test_an_open_dollar_is_found_in_every_text(root):
    text, false = "An $x that is not closed", {**FALSE, **BREAKS, "short_proof": "Yes.", "follows": "No."}
    for key in (*TEXTS, "hypotheses"):
        more = {"words": {"fails": "words"}, "condition": {"expected": "holds-with-condition"}}.get(key, {})
        entry = {**false, **more, key: [text] if key == "hypotheses" else text}
        claims(root, entry)
        assert "claims.yml: MBDE-L2: a $ is not closed" in faults_of(root), key


@pytest.mark.parametrize(
    "text", ["As in\n$$x > 0$$\nhere.", "As in\n$$\nx > 0\n$$\nhere.", "As in\n\n$$\nx > 0\n$$\nhere."]
)
def test_a_display_must_be_a_paragraph_of_its_own(root, text):
    claims(root, {**HOLDS, "note": text})
    assert faults_of(root) == ["claims.yml: MBDE-L1: $$ must open and close a paragraph of its own"]


def test_a_counterpart_must_be_in_the_ledger(root):
    claims(root, {**HOLDS, "counterparts": ["BS-1"]}, LATER)
    assert len(load_claims(root)) == 2
    claims(root, {**HOLDS, "counterparts": ["BS-2"]}, LATER)
    assert faults_of(root) == ["claims.yml: MBDE-L1: its counterpart BS-2 is not in the ledger"]


def test_a_cause_must_be_a_claim_with_a_short_proof(root):
    lead, step = {**FALSE, **BREAKS}, {**FALSE, **BREAKS, "id": "MBDE-L3", "cause": "MBDE-L2"}
    claims(root, {**lead, "short_proof": "Yes.", "follows": "No."}, step)
    assert len(load_claims(root)) == 2
    claims(root, lead, step)
    assert faults_of(root) == ["claims.yml: MBDE-L3: its cause MBDE-L2 is no claim with a short proof"]


def test_a_key_given_twice_is_not_read_over(root):
    (root / "data" / "claims.yml").write_text("- id: MBDE-L1\n  id: MBDE-L2\n")
    (fault,) = faults_of(root)
    assert "claims.yml: not valid YAML" in fault
    assert "key given twice: id" in fault


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- id: [", "not valid YAML"),
        ("id: MBDE-L1\n", "claims.yml: the file: "),
        ("- MBDE-L1\n", "claims.yml: entry 1: 'MBDE-L1' is not of type 'object'"),
        ("- {id: MBDE-L1, hypotheses: 3}\n", "3 is not of type 'array'"),
        ("- {id: [1, 2]}\n", "is not of type 'string'"),
    ],
)
def test_files_of_another_shape_are_faults(root, text, message):
    (root / "data" / "claims.yml").write_text(text)
    assert any(message in fault for fault in faults_of(root))


def test_an_empty_ledger_is_a_fault(root):
    claims(root)
    assert faults_of(root) == ["claims.yml: the file: [] should be non-empty"]
    (root / "data" / "claims.yml").unlink()
    assert faults_of(root) == ["claims.yml: cannot be read: No such file or directory"]


def test_evidence_that_cannot_be_read_is_named(root):
    folder = root / "evidence"
    (folder / "8.json").write_text("{}")
    (folder / "9.json").write_text("not JSON")
    broken = GOOD.to_record() | {"role": "hearsay"}
    (folder / "7.json").write_text(json.dumps(broken))
    with pytest.raises(LedgerError) as caught:
        read_evidence([folder])
    assert [fault.split(":")[0] for fault in caught.value.faults] == ["7.json", "8.json", "9.json"]
    assert "role must be as-printed or" in caught.value.faults[0]


# ---- judging


@pytest.mark.parametrize(
    ("evidence", "pages", "fault"),
    [
        ([*EVIDENCE, replace(GOOD, claim="MBDE-L9")], ["apples"],
         "MBDE-L9: evidence for a claim that is not in the ledger"),
        ([*EVIDENCE, replace(GOOD, notebook="pears")], ["apples"],
         "MBDE-L1: evidence from pears, the ledger names apples"),
        (EVIDENCE, ["apples", "pears"], "BS-1: notebook pears recorded no evidence for it"),
        (EVIDENCE[1:], ["apples"], "MBDE-L1: notebook apples recorded no evidence for it"),
        ([*EVIDENCE, replace(GOOD, role="corrected")], ["apples"],
         "MBDE-L1: a correction was tested that the ledger does not print"),
    ],
)  # fmt: skip
def test_evidence_that_the_ledger_does_not_ask_for_is_named(root, evidence, pages, fault):
    record(root, *evidence)
    assert faults_of(root, lambda root: judged(root, pages)) == [fault]


def test_a_false_claim_says_why_no_condition_mends_it(root):
    """And quotes the words where they name the case; a claim that is not false has no such reason."""
    without = {key: FALSE[key] for key in FALSE if key != "fails"}
    named = {**FALSE, "fails": "words", "words": "for all $x$"}
    for entry in (without, {**FALSE, "fails": "words"}, {**FALSE, "words": "all"}, {**HOLDS, "fails": "conclusion"}):
        claims(root, entry)
        assert len(faults_of(root)) == 1
    claims(root, HOLDS, named, OUTSIDE, LATER)
    record(root, *EVIDENCE, replace(GOOD, claim="MBDE-L2", role="under-condition"))
    assert judged(root)["MBDE-L2"].verdict == "false", "the words of the text outweigh a condition"
    claims(root, HOLDS, FALSE, OUTSIDE, LATER)
    assert "computed 'unresolved' (the conclusion is to change, and a condition" in faults_of(root, judged)[0]


@pytest.mark.parametrize("words", ["$x < 1$ (implicit)", "$x$ whole (not stated in Lemma 1)", "$x$ (not printed)"])
def test_a_hypothesis_that_is_not_printed_is_refused(root, words):
    claims(root, {**HOLDS, "hypotheses": [words]})
    assert len(faults_of(root)) == 1


def test_a_claim_that_was_merged_has_its_id_for_itself(root):
    claims(root, {**HOLDS, "formerly": ["MBDE-L3"]}, FALSE)
    assert len(load_claims(root)) == 2
    claims(root, {**HOLDS, "formerly": ["MBDE-L2"]}, FALSE)
    assert faults_of(root) == ["MBDE-L2: this id is given 2 times"]


@pytest.mark.parametrize("expected", [True, False])
def test_a_gap_in_the_proof_must_be_the_expected_one(root, expected):
    step = replace(REFUTED, role="proof-step") if not expected else replace(GOOD, role="proof-step")
    claims(root, {**HOLDS, "proof_gap": expected})
    record(root, GOOD, step)
    (fault,) = faults_of(root, judged)
    assert fault == f"MBDE-L1: proof_gap is {expected} in the ledger, {not expected} computed"


@pytest.mark.parametrize("expected", ["false", "holds"])
def test_a_printed_correction_must_be_tested_whatever_the_verdict(root, expected):
    entry = {**FALSE, "id": "MBDE-L1", "expected": expected}
    claims(root, entry if expected == "false" else {key: entry[key] for key in entry if key != "fails"})
    direct = REFUTED if expected == "false" else GOOD
    record(root, direct)
    assert faults_of(root, judged) == ["MBDE-L1: the ledger prints a correction that no evidence has tested"]
    record(root, direct, replace(GOOD, role="corrected"))
    assert judged(root)["MBDE-L1"].verdict == expected


def test_a_correction_of_a_claim_that_is_not_yet_checked_needs_no_test(root):
    claims(root, {**FALSE, "id": "MBDE-L1", "notebook": "pears"})
    record(root)
    assert judged(root)["MBDE-L1"].verdict == "not-yet-checked"


def test_a_false_claim_of_a_series_must_say_what_breaks(root):
    claims_, evidence = load_claims(root), read_evidence([root / "evidence"])
    (fault,) = examine(claims_, evidence, ["apples"], ["v1"])[1]
    assert fault.startswith("MBDE-L2: it is false, and the ledger has no `breaks` and `conclusion`")
    assert examine(claims_, evidence, ["apples"], ["v3"])[1] == []
    claims(root, HOLDS, {**FALSE, **BREAKS}, OUTSIDE, LATER)
    assert examine(load_claims(root), evidence, ["apples"], ["v1"])[1] == []


def test_sentences_about_runs_are_judged_by_reruns(root):
    """Seen, seen in a variant, not seen; the last two print what was seen, and none needs `breaks`."""
    unseen = replace(REFUTED, role="rerun", arithmetic="float")
    variant, corrected = replace(GOOD, role="rerun-variant"), replace(GOOD, role="corrected")
    for expected, evidence in {
        "reproduced": [replace(GOOD, role="rerun")],
        "variant-only": [unseen, variant, corrected],
        "not-reproduced": [unseen, corrected],
    }.items():
        correction = {} if expected == "reproduced" else {"correction": "Half of the runs show it."}
        claims(root, {**HOLDS, "kind": "experiment", "expected": expected, **correction})
        record(root, *evidence)
        judgement = judged(root)["MBDE-L1"]
        assert (judgement.verdict, judgement.grade) == (expected, "rerun")
        board = ledger.judged(root, [root / "evidence"])[1]
        assert board.counts[expected] == 1
        assert any(line.split()[-1] == "1" and "rerun" in line for line in board.lines())
    record(root, unseen)
    assert faults_of(root, judged) == ["MBDE-L1: the ledger prints a correction that no evidence has tested"]
    record(root, unseen, variant)
    (fault,) = faults_of(root, judged)
    assert "expected 'not-reproduced', computed 'variant-only'" in fault


def test_texts_of_a_series_are_those_with_errata(root):
    path = root / "data" / "sources.yml"
    path.write_text(path.read_text() + "  series: The papers\n")
    assert ledger.judged(root, [root / "evidence"])[1].faults[0].startswith("MBDE-L2: it is false")


# ---- writing


def test_the_judged_ledger_holds_verdicts_evidence_and_the_scoreboard(root):
    document, board = ledger.judged(root, [root / "evidence"])
    assert document["scoreboard"] == board.counts
    assert board.total == 4
    assert (board.counts["holds"], board.counts["false"], board.counts["not-yet-checked"]) == (1, 1, 1)
    first, second, third, last = document["claims"]
    assert (first["verdict"], first["grade"], first["page"]) == ("holds", "exact", "notebooks/apples")
    assert [item["role"] for item in second["evidence"]] == ["as-printed", "corrected"]
    assert (second["corrected"], second["proof_gap"]) == (True, False)
    assert (third["page"], last["page"], last["evidence"]) == (None, None, [])
    assert document["sources"]["v1"]["short"] == "v1"
    lines = board.lines()
    assert lines[0] == "Claims in the ledger: 4"
    assert any(line.split() == ["false", "as", "printed", "1"] for line in lines)


# ---- the real ledger


@pytest.fixture(scope="module")
def real():
    return load_claims(ROOT)


def test_the_real_ledger_loads_without_fault(real):
    assert len(real) > 100
    assert max(Counter(claim.id for claim in real).values()) == 1
    assert list(load_sources(ROOT))[:5] == ["v1", "v2", "v3", "lecture", "bootstrapping"]


def test_every_notebook_checks_some_claim(real):
    assert {path.stem for path in (ROOT / "notebooks").glob("*.md")} <= {claim.notebook for claim in real}


def test_what_lies_beyond_the_five_texts_is_judged_and_counted_apart(real):
    later = {name for name, source in load_sources(ROOT).items() if source.get("beyond")}
    beyond = [claim for claim in real if claim.id.startswith(BEYOND)]
    assert {name for claim in beyond for name in claim.sources} == later
    assert not {name for claim in real if claim not in beyond for name in claim.sources} & later
    judgements, _ = examine(real, [], [])
    assert count_verdicts(judgements)[1] == len(real) - len(beyond) == 575


@pytest.mark.parametrize(
    "alike",
    [
        ("V3-modes", "MBDE-T5", "MBDE-T5-proof", "MBDE-L14", "MBDE-T6-high", "BS-T4"),
        ("MBDE-T5-IP", "MBDE-X-k1", "V3-unb", "MBDE-X-mhtrain"),
        ("BS-C3", "BS-C3-L", "BS-C3-recipe"),
        ("MBDE-D1", "MBDE-D1-any", "V3-E7", "V3-AM"),
    ],
)
def test_like_cases_have_like_verdicts(real, alike):
    assert len({claim.expected for claim in real if claim.id in alike}) == 1
    assert set(alike) <= {claim.id for claim in real}


def test_claims_that_cannot_be_checked_say_why(real):
    for claim in real:
        assert (claim.notebook is None) <= (claim.expected == "outside"), claim.id
        if claim.expected == "outside":
            assert claim.entry["reason"].strip()
        if claim.expected == "false":
            assert claim.entry.get("correction") or claim.entry.get("note"), claim.id
