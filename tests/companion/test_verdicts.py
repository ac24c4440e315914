from __future__ import annotations

from dataclasses import replace

import pytest

from companion.ledger.verdicts import ROLES, Counts, Evidence, judge

GOOD = Evidence("MBDE-L1", "apples", "as-printed", Counts(8, 0, 0.25, seed=1), Counts(4, 4), "half of it")
#: A counterexample in exact arithmetic, whose control passes.
REFUTED = replace(GOOD, check=Counts(8, 1, -1.0, case={"x": "1/3"}), control=Counts(4, 0))


def item(role="as-printed", base=GOOD, **changes):
    """A test with another role or part, and other counts."""
    part = changes.pop("part", "")
    return replace(base, role=role, part=part, check=replace(base.check, **changes))


def verdict(*evidence, **options):
    return judge(list(evidence), **options).verdict


def false(*evidence):
    """The verdict where the ledger says that the conclusion has to change."""
    return verdict(*evidence, fails="conclusion")


def test_an_outside_claim_takes_no_evidence():
    assert verdict(outside=True) == "outside"
    assert verdict(GOOD, outside=True) == "unsound"


@pytest.mark.parametrize("role", ROLES)
def test_a_control_that_is_not_caught_makes_everything_unsound(role):
    """A passing test whose control passes; a failing test whose control fails; also beside sound evidence."""
    for bad in (replace(item(role), control=Counts(4, 0)), replace(item(role, REFUTED), control=Counts(4, 1))):
        assert judge([GOOD, bad]).reason == f"control not caught ({role}): half of it"


@pytest.mark.parametrize("role", ["under-condition", "corrected"])
def test_what_the_book_itself_adds_must_not_fail(role):
    assert verdict(REFUTED, item(role, REFUTED)) == "unsound"
    assert verdict(REFUTED, item(role)) != "unsound"


def test_a_refutation_needs_an_exact_counterexample_that_is_written_out():
    assert false(REFUTED) == false(item(base=REFUTED, arithmetic="certified")) == "false"
    for weak in ({"arithmetic": "float"}, {"case": {}}):
        assert false(item(base=REFUTED, **weak)) == "unresolved"


def test_a_condition_needs_a_refutation():
    assert verdict(GOOD, item("under-condition")) == verdict(item("under-condition")) == "unresolved"


@pytest.mark.parametrize("role", ["as-printed", "well-posed"])
@pytest.mark.parametrize(
    ("fails", "condition", "expected"),
    [
        (None, True, "holds-with-condition"),
        (None, False, "unresolved"),
        ("conclusion", False, "false"),
        ("conclusion", True, "unresolved"),
        ("words", False, "false"),
        ("words", True, "false"),
    ],
)
def test_a_refuted_statement_is_false_or_conditional_by_one_rule(role, fails, condition, expected):
    """The role of the evidence plays no part: what decides is whether a condition serves, and the text's own words."""
    evidence = [item(role, REFUTED), *([item("under-condition")] if condition else [])]
    assert verdict(*evidence, fails=fails) == expected
    assert judge(evidence[::-1], fails=fails).verdict == expected


@pytest.mark.parametrize("fails", ["conclusion", "words"])
def test_a_reason_for_falsehood_needs_a_refutation(fails):
    assert verdict(GOOD, fails=fails) == "unresolved"
    assert verdict(item("well-posed"), fails=fails) == "unresolved"


def test_a_broken_proof_step_is_a_gap_and_leaves_the_verdict():
    step = item("proof-step", REFUTED)
    judgement = judge([GOOD, step])
    assert (judgement.verdict, judgement.proof_gap) == ("holds", True)
    assert judge([GOOD, item("proof-step")]).proof_gap is False
    assert judge([REFUTED, step], fails="conclusion").proof_gap is True
    assert verdict(GOOD, item("proof-step", REFUTED, arithmetic="float")) == "unresolved"
    assert verdict(step) == "unresolved"
    assert judge([step]).reason == "no evidence on the statement as printed"


def test_a_correction_is_noted_and_decides_nothing_by_itself():
    judgement = judge([REFUTED, item("corrected")], fails="conclusion")
    assert (judgement.verdict, judgement.corrected) == ("false", True)
    assert judge([REFUTED], fails="conclusion").corrected is False
    assert verdict(item("corrected")) == "unresolved"
    assert verdict(GOOD, item("corrected")) == "holds"


def test_well_posed_alone_is_a_definition_and_as_printed_holds():
    assert verdict(GOOD) == "holds"
    assert verdict(item("well-posed")) == "definition"
    assert verdict(item("well-posed"), GOOD) == "holds"
    assert verdict(item("well-posed"), item("corrected")) == "definition"


RAN = item("rerun", arithmetic="float")
#: A run that does not show it, with the worst run written out, in floats.
UNSEEN = item("rerun", REFUTED, arithmetic="float")
RAN_VARIANT, UNSEEN_VARIANT = replace(RAN, role="rerun-variant"), replace(UNSEEN, role="rerun-variant")
WITHOUT_RUN = item("rerun", UNSEEN, case={})


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        ([RAN], "reproduced"),
        ([RAN, UNSEEN_VARIANT], "reproduced"),
        ([UNSEEN], "not-reproduced"),
        ([UNSEEN, UNSEEN_VARIANT], "not-reproduced"),
        ([RAN, UNSEEN, RAN_VARIANT, RAN_VARIANT], "variant-only"),
        ([RAN_VARIANT], "unresolved"),
        ([UNSEEN, WITHOUT_RUN, RAN_VARIANT], "unresolved"),
        ([UNSEEN, item("corrected", REFUTED)], "unsound"),
        ([RAN, item("proof-step", REFUTED)], "reproduced"),
        ([RAN, item("under-condition")], "unresolved"),
        ([item("well-posed"), UNSEEN], "definition"),
        ([GOOD, UNSEEN], "holds"),
        ([REFUTED, RAN], "false"),
        ([REFUTED, RAN, item("under-condition")], "holds-with-condition"),
    ],
)
def test_reruns_decide_sentences_about_runs_and_nothing_else(evidence, expected):
    fails = "conclusion" if expected == "false" else None
    judgement = judge(evidence, fails=fails)
    assert judgement.verdict == expected, judgement.reason
    assert judge(evidence[::-1], fails=fails).verdict == expected
    if expected in ("reproduced", "variant-only", "not-reproduced"):
        assert judgement.grade == "rerun"


@pytest.mark.parametrize(
    ("changes", "grade"),
    [
        ({"scope": "universal"}, "proved"),
        ({"scope": "universal", "arithmetic": "certified"}, "proved"),
        ({}, "exact"),
        ({"arithmetic": "certified"}, "exact"),
        ({"arithmetic": "float", "scope": "universal"}, "numerical"),
    ],
)
def test_grades(changes, grade):
    assert judge([item(arithmetic="float"), item(**changes)]).grade == grade


def test_the_grade_of_a_refutation_or_of_a_condition_is_that_of_its_own_evidence():
    proved = item("under-condition", scope="universal")
    assert judge([REFUTED, proved]).grade == "proved"
    assert judge([REFUTED, item("under-condition", arithmetic="float")]).grade == "numerical"
    assert judge([REFUTED, item(scope="universal")], fails="conclusion").grade == "exact"


@pytest.mark.parametrize("role", ["as-printed", "well-posed", "under-condition"])
def test_the_grade_is_that_of_the_weakest_part(role):
    """A part counts with its strongest test, and no strong test of one part lends its grade to another."""
    proved = item(role, scope="universal", part="rate")
    exact, numerical = item(role, part="gain"), item(role, arithmetic="float", part="gain")
    before = [REFUTED] if role == "under-condition" else []
    grades = [
        judge([*before, *found]).grade
        for found in ([proved], [proved, exact], [proved, numerical], [proved, exact, numerical], [numerical])
    ]
    assert grades == ["proved", "exact", "numerical", "exact", "numerical"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"role": "hearsay"}, "role must be as-printed or"),
        ({"check": Counts(8, 0, arithmetic="guess")}, "arithmetic must be exact or"),
        ({"check": Counts(8, 0, scope="some")}, "scope must be instances"),
        ({"check": Counts(0, 0)}, "check: violations must lie in"),
        ({"check": Counts(8, 9)}, "check: violations must lie in"),
        ({"control": Counts(4, 5)}, "control: violations must lie in"),
        ({"control_note": "  "}, "control_note must say"),
    ],
)
def test_records_that_contradict_themselves_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        replace(GOOD, **changes)


def test_a_record_can_be_written_and_read_again():
    for evidence in (GOOD, REFUTED, replace(GOOD, note="so"), replace(GOOD, part="rate")):
        assert Evidence.from_record(evidence.to_record()) == evidence
