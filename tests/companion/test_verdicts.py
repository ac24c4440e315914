from __future__ import annotations

from dataclasses import replace

import pytest

from companion.verdicts import ROLES, VERDICTS, Evidence, judge

GOOD = Evidence(
    claim="MBDE-L1",
    notebook="apples",
    role="as-printed",
    instances=8,
    violations=0,
    worst_slack=0.25,
    arithmetic="exact",
    tolerance=0.0,
    seed=1,
    scope="instances",
    counterexample=None,
    control_note="half of it",
    control_instances=4,
    control_violations=4,
)
#: A counterexample in exact arithmetic, whose control passes.
REFUTED = replace(GOOD, violations=1, worst_slack=-1.0, counterexample={"x": "1/3"}, control_violations=0)


def item(role="as-printed", base=GOOD, **changes):
    return replace(base, role=role, **changes)


def verdict(*evidence, **options):
    return judge(list(evidence), **options).verdict


def test_an_outside_claim_takes_no_evidence():
    assert verdict(outside=True) == "outside"
    assert verdict(GOOD, outside=True) == "unsound"
    assert verdict(REFUTED, outside=True) == "unsound"


def test_without_evidence_nothing_is_said():
    judgement = judge([])
    assert (judgement.verdict, judgement.grade, judgement.proof_gap, judgement.corrected) == (
        "not-yet-checked",
        None,
        False,
        False,
    )


@pytest.mark.parametrize("role", ROLES)
def test_a_control_that_is_not_caught_makes_everything_unsound(role):
    """A passing test whose control passes; a failing test whose control fails; also beside sound evidence."""
    for bad in (item(role, control_violations=0), item(role, REFUTED, control_violations=1)):
        judgement = judge([GOOD, bad])
        assert judgement.verdict == "unsound"
        assert f"control not caught ({role}): half of it" in judgement.reason


@pytest.mark.parametrize("role", ["under-condition", "corrected"])
def test_what_the_book_itself_adds_must_not_fail(role):
    assert verdict(REFUTED, item(role, REFUTED)) == "unsound"
    assert verdict(REFUTED, item(role)) != "unsound"


def test_a_refutation_needs_an_exact_counterexample_that_is_written_out():
    assert verdict(REFUTED) == "false"
    assert verdict(replace(REFUTED, arithmetic="certified")) == "false"
    assert verdict(replace(REFUTED, arithmetic="float")) == "unresolved"
    assert verdict(replace(REFUTED, counterexample=None)) == "unresolved"
    assert verdict(replace(REFUTED, counterexample={})) == "unresolved"
    assert verdict(item("well-posed", REFUTED)) == "false"


def test_one_refutation_among_passing_tests_is_enough():
    assert verdict(GOOD, REFUTED) == "false"
    assert verdict(GOOD, replace(REFUTED, arithmetic="float"), REFUTED) == "false"


def test_a_condition_needs_a_refutation_and_a_pass():
    condition = item("under-condition")
    assert verdict(REFUTED, condition) == "holds-with-condition"
    assert verdict(GOOD, condition) == "unresolved"
    assert verdict(condition) == "unresolved"
    assert verdict(replace(REFUTED, arithmetic="float"), condition) == "unresolved"


def test_a_broken_proof_step_is_a_gap_and_leaves_the_verdict():
    step = item("proof-step", REFUTED)
    judgement = judge([GOOD, step])
    assert (judgement.verdict, judgement.proof_gap) == ("holds", True)
    assert judge([GOOD, item("proof-step")]).proof_gap is False
    assert judge([REFUTED, step]).proof_gap is True
    assert verdict(GOOD, replace(step, arithmetic="float")) == "unresolved"
    assert verdict(step) == "unresolved"
    assert judge([step]).reason == "no evidence on the statement as printed"


def test_a_correction_is_noted_and_decides_nothing_by_itself():
    judgement = judge([REFUTED, item("corrected")])
    assert (judgement.verdict, judgement.corrected) == ("false", True)
    assert judge([REFUTED]).corrected is False
    assert verdict(item("corrected")) == "unresolved"
    assert verdict(GOOD, item("corrected")) == "holds"


def test_well_posed_alone_is_a_definition_and_as_printed_holds():
    assert verdict(GOOD) == "holds"
    assert verdict(item("well-posed")) == "definition"
    assert verdict(item("well-posed"), GOOD) == "holds"
    assert verdict(item("well-posed"), item("corrected")) == "definition"


@pytest.mark.parametrize(
    ("changes", "grade"),
    [
        ({"scope": "universal"}, "proved"),
        ({"scope": "universal", "arithmetic": "certified"}, "proved"),
        ({}, "exact"),
        ({"arithmetic": "certified"}, "exact"),
        ({"arithmetic": "float"}, "numerical"),
        ({"arithmetic": "float", "scope": "universal"}, "numerical"),
    ],
)
def test_grades(changes, grade):
    assert judge([replace(GOOD, **changes)]).grade == grade
    weakest = replace(GOOD, arithmetic="float")
    assert judge([weakest, replace(GOOD, **changes)]).grade == grade


def test_the_grade_of_a_refutation_or_of_a_condition_is_that_of_its_own_evidence():
    proved = item("under-condition", scope="universal")
    assert judge([REFUTED, proved]).grade == "proved"
    assert judge([REFUTED, item("under-condition", arithmetic="float")]).grade == "numerical"
    assert judge([REFUTED, replace(GOOD, scope="universal")]).grade == "exact"


def test_every_verdict_has_words():
    assert {"holds", "holds-with-condition", "false", "definition", "outside", "not-yet-checked"} <= set(VERDICTS)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"role": "hearsay"}, "role must be one of"),
        ({"arithmetic": "guess"}, "arithmetic must be exact"),
        ({"scope": "some"}, "scope must be instances"),
        ({"instances": 0}, "violations must lie in"),
        ({"violations": 9}, "violations must lie in"),
        ({"violations": -1}, "violations must lie in"),
        ({"control_instances": 0}, "control_violations must lie in"),
        ({"control_violations": 5}, "control_violations must lie in"),
        ({"control_note": "  "}, "control_note must say"),
    ],
)
def test_records_that_contradict_themselves_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        replace(GOOD, **changes)


def test_a_record_can_be_written_and_read_again():
    for evidence in (GOOD, REFUTED, replace(GOOD, seed=None, note="so")):
        assert Evidence.from_record(evidence.to_record()) == evidence
    record = GOOD.to_record()
    del record["control"]
    with pytest.raises(KeyError):
        Evidence.from_record(record)
