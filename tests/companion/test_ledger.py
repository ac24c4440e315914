import json
from dataclasses import asdict, replace

import pytest
import yaml

from companion.ledger.claims import (
    BEYOND,
    count_verdicts,
    examine,
    judged,
    load_claims,
    load_sources,
    read_evidence,
    scoreboard_lines,
)
from companion.ledger.evidence import Sharpness
from companion.paths import CompanionError
from tests.companion.test_verdicts import GOOD, REFUTED
from tests.repository import ROOT

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
    "breaks": "The last step.",
    "conclusion": "survives",
    "slip": "A sign is lost.",
    "stands": "the bound, with another sign",
}
WEAKER = {**FALSE, "conclusion": "weaker"}
PROOF = {"short_proof": "Yes.", "follows": "No."}
OUTER = {
    "notebook": None,
    "expected": "outside",
    "outside": "informal",
    "reason": "an aim",
}
OUTSIDE = {**HOLDS, "id": "LEC-1", **OUTER}
LATER = {**HOLDS, "id": "BS-1", "notebook": "pears"}
STEP = {**WEAKER, "id": "MBDE-L3", "cause": "MBDE-L2"}
LOOSE = {
    **HOLDS,
    "kind": "remark",
    "statement": "Twice $x$ could well be more than $x$, arbitrarily large as well.",
}
READ = "has to be read before it is tested: give `reading`, or put it outside"
DISPLAY = "MBDE-L1: $$ must open and close a paragraph of its own"
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
    sources = [
        {
            "id": "v1",
            "short": "v1",
            "title": "A paper",
            "authors": ["Nobody"],
            "year": 2020,
        }
    ]
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


def faults_of(root):
    with pytest.raises(CompanionError) as caught:
        load_claims(root)
    head, *faults = str(caught.value).splitlines()
    assert head == "the ledger is not as it must be:"
    return faults


# ---- reading


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": "L1"}, "'L1': an id is the series of its text, a hyphen,"),
        ({"places": [{"source": "v4", "at": "1"}]}, "'v4' is not one of"),
        ({"hypotheses": ["$x < 1$ (implicit)"]}, "should not be valid"),
        ({"notebook": None}, "None is not of type 'string'"),
        ({"expected": "holds-with-condition"}, "'condition' is a required property"),
        ({"condition": "only here"}, "should not be valid"),
        ({"expected": "variant-only"}, "'correction' is a required property"),
        ({"expected": "unresolved"}, "'unresolved' is not one of"),
        ({"expected": "outside"}, "'outside' is a required property"),
        ({"reason": "no reason"}, "should not be valid"),
        ({"colour": "red"}, "Additional properties"),
        ({"breaks": "The last step."}, "'conclusion' is a dependency of 'breaks'"),
        ({"conclusion": "weaker"}, "'stands' is a dependency of 'conclusion'"),
        ({"stands": "the bound"}, "should not be valid"),
        ({"cause": "MBDE-L3"}, "'holds' is not one of ['false', False]"),
        ({**FALSE, "follows": "Growth."}, "'short_proof' is a dependency of 'follows'"),
        ({**FALSE, **PROOF, "cause": "MBDE-L3"}, "should not be valid"),
        ({"counterexample": "$x=3$"}, "'breaks' is a dependency of 'counterexample'"),
        ({"expected": "false"}, "'fails' is a required property"),
        ({"fails": "conclusion"}, "should not be valid"),
        ({**FALSE, "fails": "words"}, "'words' is a required property"),
        ({**FALSE, "words": "all"}, "should not be valid"),
    ],
)
def test_every_fault_of_the_schema_is_named_with_its_claim(root, change, message):
    entry = {**HOLDS, **change}
    claims(root, entry, LATER)
    faults = faults_of(root)
    assert any(
        fault.startswith(f"claims.yml: {entry['id']}: ") and message in fault
        for fault in faults
    ), faults


@pytest.mark.parametrize(
    "name", ["fails", "slip", "stands", "breaks", "correction", "conclusion"]
)
def test_a_false_claim_has_what_the_errata_say_of_it(root, name):
    claims(root, {key: value for key, value in FALSE.items() if key != name})
    required = f"claims.yml: MBDE-L2: '{name}' is a required property"
    assert required in faults_of(root)


def test_false_without_quotes_is_one_fault_that_says_what_to_write(root):
    claims(root, {**FALSE, "expected": False}, {**WEAKER, **PROOF, "id": "MBDE-L3"})
    (fault,) = faults_of(root)
    assert fault.startswith("claims.yml: MBDE-L2: ")
    assert 'write expected: "false", in quotes' in fault


@pytest.mark.parametrize(
    ("entries", "faults"),
    [
        (
            [{**HOLDS, "kind": "guess"}, {**FALSE, "places": []}],
            ["MBDE-L1: 'guess' is not one of", "MBDE-L2: [] should be non-empty"],
        ),
        ([LATER, LATER], ["BS-1: this id is given 2 times"]),
        ([{**HOLDS, "formerly": ["MBDE-L3"]}, FALSE], []),
        (
            [{**HOLDS, "formerly": ["MBDE-L2"]}, FALSE],
            ["MBDE-L2: this id is given 2 times"],
        ),
        (
            [{**HOLDS, "statement": "The $ is not closed"}, LATER],
            ["MBDE-L1: a $ is not closed"],
        ),
        ([{**HOLDS, "hypotheses": ["$x"]}, LATER], ["MBDE-L1: a $ is not closed"]),
        ([{**HOLDS, "note": "As in\n\n$$\nx > 0\n$$\n\nhere."}], []),
        ([{**HOLDS, "note": "As in\n$$x > 0$$\nhere."}], [DISPLAY]),
        ([{**HOLDS, "note": "As in\n$$\nx > 0\n$$\nhere."}], [DISPLAY]),
        ([{**HOLDS, "note": "As in\n\n$$\nx > 0\n$$\nhere."}], [DISPLAY]),
        ([{**HOLDS, "counterparts": ["BS-1"]}, LATER], []),
        (
            [{**HOLDS, "counterparts": ["BS-2"]}, LATER],
            ["MBDE-L1: it names BS-2, which is not in the ledger"],
        ),
        (
            [{**HOLDS, "uses": ["BS-2"]}, LATER],
            ["MBDE-L1: it names BS-2, which is not in the ledger"],
        ),
        (
            [{**HOLDS, "uses": ["BS-1"]}, {**LATER, "stands_on": ["MBDE-L1"]}],
            ["proofs rest on each other in a circle"],
        ),
        ([{**WEAKER, **PROOF}, STEP], []),
        ([FALSE, STEP], ["MBDE-L3: its cause MBDE-L2 is no claim with a short proof"]),
        ([WEAKER], ["MBDE-L2: its conclusion is 'weaker': give `short_proof`"]),
        ([LOOSE], [f"MBDE-L1: *could* {READ}"]),
        (
            [{**LOOSE, "statement": LOOSE["statement"].replace("could ", "can ")}],
            [f"MBDE-L1: *well* {READ}"],
        ),
        ([{**LOOSE, "reading": "It *is* more."}], []),
        ([{**LOOSE, **OUTER}], []),
        ([{**LOOSE, "kind": "lemma"}], []),
        (
            [
                {
                    **LOOSE,
                    (
                        "statement"
                    ): r"It could not be $\small x$, arbitrarily small as well.",
                }
            ],
            [],
        ),
        ([], ["the file: [] should be non-empty"]),
    ],
)
def test_all_faults_of_a_ledger_are_named(root, entries, faults):
    claims(root, *entries)
    found = faults_of(root) if faults else load_claims(root)[len(entries) :]
    assert len(found) == len(faults)
    assert all(
        fault.startswith(f"claims.yml: {text}")
        for fault, text in zip(found, faults, strict=True)
    ), found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- id: [", "claims.yml: not valid YAML"),
        ("- id: MBDE-L1\n  id: MBDE-L2\n", "key given twice: id"),
        ("id: MBDE-L1\n", "claims.yml: the file: "),
        ("- MBDE-L1\n", "claims.yml: entry 1: 'MBDE-L1' is not of type 'object'"),
        ("- {id: [1, 2]}\n", "[1, 2]: an id is"),
    ],
)
def test_files_of_another_shape_are_faults(root, text, message):
    (root / "data" / "claims.yml").write_text(text)
    assert any(message in fault for fault in faults_of(root))


def test_evidence_that_cannot_be_read_is_named(root):
    folder = root / "evidence"
    (folder / "8.json").write_text("{}")
    (folder / "9.json").write_text("not JSON")
    (folder / "7.json").write_text(json.dumps(GOOD.to_record() | {"role": "hearsay"}))
    with pytest.raises(
        CompanionError,
        match=r"(?s)7\.json: .*role must be as-printed or.*8\.json: .*9\.json: ",
    ):
        read_evidence([folder])


# ---- judging


STEP_OF_L1 = replace(GOOD, role="proof-step")
BROKEN_STEP = replace(REFUTED, role="proof-step")
MENDED = replace(GOOD, claim="MBDE-L2", role="under-condition")
UNTESTED = "the ledger prints a correction that no evidence has tested"
MENDS = (
    "MBDE-L2: expected 'false', computed 'unresolved' (the conclusion is to change, "
    "and a condition mends it)"
)


@pytest.mark.parametrize(
    ("holds", "false", "more", "fault"),
    [
        ({}, {}, [], ""),
        (
            {},
            {},
            [replace(GOOD, claim="BS-9")],
            "BS-9: evidence for a claim that is not in the ledger",
        ),
        (
            {},
            {},
            [replace(GOOD, notebook="pears")],
            "MBDE-L1: evidence from pears, the ledger names apples",
        ),
        (
            {},
            {},
            [replace(GOOD, role="corrected")],
            "MBDE-L1: a correction was tested that the ledger does not print",
        ),
        ({"correction": "Thrice."}, {}, [], f"MBDE-L1: {UNTESTED}"),
        (
            {},
            {},
            [BROKEN_STEP],
            "MBDE-L1: proof_gap is False in the ledger, True computed",
        ),
        (
            {"proof_gap": True},
            {},
            [STEP_OF_L1],
            "MBDE-L1: proof_gap is True in the ledger, False computed",
        ),
        ({}, {"fails": "words", "words": "for all $x$"}, [MENDED], ""),
        ({}, {}, [MENDED], MENDS),
    ],
)
def test_where_ledger_and_evidence_do_not_agree_is_named(
    root, holds, false, more, fault
):
    claims(root, {**HOLDS, **holds}, {**FALSE, **false}, OUTSIDE, LATER)
    record(root, *EVIDENCE, *more)
    faults = examine(load_claims(root), read_evidence([root / "evidence"]), ["apples"])[
        1
    ]
    assert faults == ([fault] if fault else [])


def test_a_refuted_claim_that_the_ledger_is_silent_on_says_what_to_write(root):
    claims(root, HOLDS)
    record(root, REFUTED)
    (fault,) = judged(root, [root / "evidence"])[1]
    assert "expected 'holds', computed 'unresolved' (refuted at " in fault
    assert ", ".join(f"{key} = {x}" for key, x in REFUTED.check.case.items()) in fault
    assert 'expected: "false" with `fails: conclusion` or `fails: words`' in fault
    assert "test a `condition`" in fault


def test_evidence_that_is_missing_is_named(root):
    record(root, EVIDENCE[1])
    faults = judged(root, [root / "evidence"])[1]
    assert faults == [
        "MBDE-L1: notebook apples recorded no evidence for it",
        f"MBDE-L2: {UNTESTED}",
    ]


# ---- writing


def test_the_judged_ledger_holds_verdicts_evidence_and_the_scoreboard(root):
    ledger, _ = judged(root, [root / "evidence"])
    counts = ledger.scoreboard
    assert (counts["holds"], counts["false"], counts["not-yet-checked"]) == (1, 1, 1)
    first, second, third, last = ledger.to_record()["claims"]
    assert (first["verdict"], first["grade"], first["page"]) == (
        "holds",
        "exact",
        "notebooks/apples",
    )
    assert [item["role"] for item in second["evidence"]] == ["as-printed", "corrected"]
    assert (second["corrected"], second["proof_gap"]) == (True, False)
    assert (third["page"], last["page"], last["evidence"]) == (None, None, [])
    lines = scoreboard_lines(counts)
    assert lines[0] == "Claims in the ledger: 4"
    assert any(line.split() == ["false", "as", "printed", "1"] for line in lines)


def test_the_judged_ledger_says_sizes_and_sharpness_where_there_are_some(root):
    plain = judged(root, [root / "evidence"])[0].claims[0].to_record()
    assert not {"sizes", "sharpness"} & plain.keys()
    check = replace(GOOD.check, scope="sizes")
    sharp = Sharpness(None, 0.8, "2 * n")
    record(root, replace(GOOD, check=check, sizes="3 points", sharpness=sharp))
    first = judged(root, [root / "evidence"])[0].claims[0].to_record()
    assert (first["grade"], first["sizes"], first["sharpness"]) == (
        "sizes",
        "3 points",
        asdict(sharp),
    )


# ---- the real ledger


@pytest.fixture(scope="module")
def real():
    return load_claims(ROOT)


def test_the_texts_of_the_book_come_first():
    assert list(load_sources(ROOT))[:5] == [
        "v1",
        "v2",
        "v3",
        "lecture",
        "bootstrapping",
    ]


def test_every_notebook_checks_some_claim(real):
    assert {path.stem for path in (ROOT / "notebooks").glob("*.md")} <= {
        claim.notebook for claim in real
    }


def sources_of(claims):
    return {place.source for claim in claims for place in claim.places}


def test_what_lies_beyond_the_five_texts_is_judged_and_counted_apart(real):
    later = {
        name for name, source in load_sources(ROOT).items() if source.get("beyond")
    }
    beyond = [claim for claim in real if claim.id.startswith(BEYOND)]
    own = [claim for claim in real if not claim.id.startswith(BEYOND)]
    assert sources_of(beyond) == later
    assert not sources_of(own) & later
    judgements, _ = examine(real, [], [])
    assert sum(count_verdicts(judgements).values()) == len(own) > 500


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
    verdicts = {claim.id: claim.expected for claim in real}
    assert len({verdicts[name] for name in alike}) == 1


def test_a_false_claim_is_corrected_or_has_a_note(real):
    for claim in real:
        if claim.expected == "false":
            assert claim.correction or claim.note, claim.id
