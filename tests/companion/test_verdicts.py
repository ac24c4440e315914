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


CONDITION, CORRECTED = item("under-condition"), item("corrected")
BROKEN_STEP, WELL_POSED = item("proof-step", REFUTED), item("well-posed")
RAN = item("rerun", arithmetic="float")
#: A run that does not show it, with the worst run written out, in floats.
UNSEEN = item("rerun", REFUTED, arithmetic="float")
RAN_VARIANT, UNSEEN_VARIANT = replace(RAN, role="rerun-variant"), replace(UNSEEN, role="rerun-variant")
WITHOUT_RUN = item("rerun", UNSEEN, case={})


@pytest.mark.parametrize(
    ("evidence", "fails", "expected"),
    [
        ([], None, "not-yet-checked"),
        ([GOOD], None, "holds"),
        ([WELL_POSED], None, "definition"),
        ([WELL_POSED, GOOD], None, "holds"),
        # a refuted statement: what decides is whether a condition serves, and the text's own words, not the role
        *[
            ([item(role, REFUTED), *more], fails, expected)
            for role in ("as-printed", "well-posed")
            for fails, more, expected in (
                (None, [CONDITION], "holds-with-condition"),
                (None, [], "unresolved"),
                ("conclusion", [], "false"),
                ("conclusion", [CONDITION], "unresolved"),
                ("words", [], "false"),
                ("words", [CONDITION], "false"),
            )
        ],
        # a refutation is exact, and written out
        ([item(base=REFUTED, arithmetic="certified")], "conclusion", "false"),
        ([item(base=REFUTED, arithmetic="float")], "conclusion", "unresolved"),
        ([item(base=REFUTED, case={})], "conclusion", "unresolved"),
        # a condition, and a reason for falsehood, need one
        ([GOOD, CONDITION], None, "unresolved"),
        ([CONDITION], None, "unresolved"),
        ([GOOD], "conclusion", "unresolved"),
        ([WELL_POSED], "words", "unresolved"),
        # a step and a correction decide nothing by themselves; what the book itself adds must not fail
        ([BROKEN_STEP], None, "unresolved"),
        ([GOOD, item("proof-step")], None, "holds"),
        ([GOOD, BROKEN_STEP], None, "holds"),
        ([GOOD, item("proof-step", REFUTED, arithmetic="float")], None, "unresolved"),
        ([CORRECTED], None, "unresolved"),
        ([GOOD, CORRECTED], None, "holds"),
        ([WELL_POSED, CORRECTED], None, "definition"),
        ([REFUTED, item("corrected", REFUTED)], "conclusion", "unsound"),
        ([REFUTED, item("under-condition", REFUTED)], None, "unsound"),
        # reruns decide sentences about runs and nothing else
        ([RAN], None, "reproduced"),
        ([RAN, UNSEEN_VARIANT], None, "reproduced"),
        ([RAN, BROKEN_STEP], None, "reproduced"),
        ([UNSEEN], None, "not-reproduced"),
        ([UNSEEN, UNSEEN_VARIANT], None, "not-reproduced"),
        ([RAN, UNSEEN, RAN_VARIANT, RAN_VARIANT], None, "variant-only"),
        ([RAN_VARIANT], None, "unresolved"),
        ([UNSEEN, WITHOUT_RUN, RAN_VARIANT], None, "unresolved"),
        ([UNSEEN, item("corrected", REFUTED)], None, "unsound"),
        ([RAN, CONDITION], None, "unresolved"),
        ([WELL_POSED, UNSEEN], None, "definition"),
        ([GOOD, UNSEEN], None, "holds"),
        ([REFUTED, RAN], "conclusion", "false"),
        ([REFUTED, RAN, CONDITION], None, "holds-with-condition"),
    ],
)
def test_a_verdict_follows_from_the_evidence_in_any_order(evidence, fails, expected):
    judgement = judge(evidence, fails=fails)
    assert judgement.verdict == judge(evidence[::-1], fails=fails).verdict == expected, judgement.reason
    assert (judgement.grade == "rerun") == (expected in ("reproduced", "variant-only", "not-reproduced"))
    assert judgement.proof_gap == any(one.role == "proof-step" and one.check.violations for one in evidence)
    assert judgement.corrected == any(one.role == "corrected" for one in evidence)
    assert judge(evidence, outside=True).verdict == ("unsound" if evidence else "outside")


@pytest.mark.parametrize("role", ROLES)
def test_a_control_that_is_not_caught_makes_everything_unsound(role):
    """A passing test whose control passes; a failing test whose control fails; also beside sound evidence."""
    for bad in (replace(item(role), control=Counts(4, 0)), replace(item(role, REFUTED), control=Counts(4, 1))):
        assert judge([GOOD, bad]).reason == f"control not caught ({role}): half of it"


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
        ({"check": Counts(8, 0, float("nan"))}, "worst_slack must be finite, got nan"),
        ({"control_note": "  "}, "control_note must say"),
    ],
)
def test_records_that_contradict_themselves_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        replace(GOOD, **changes)


def test_a_record_can_be_written_and_read_again():
    for evidence in (GOOD, REFUTED, replace(GOOD, note="so"), replace(GOOD, part="rate")):
        assert Evidence.from_record(evidence.to_record()) == evidence
