import json
from dataclasses import asdict, replace

import pytest

from companion.ledger.evidence import ROLES, Counts, Evidence, Sharpness
from companion.ledger.verdicts import GRADES, judge

GOOD = Evidence(
    "MBDE-L1",
    "apples",
    "as-printed",
    Counts(8, 0, 0.25, seed=1),
    Counts(4, 4),
    "half of it",
)
#: A counterexample in exact arithmetic, whose control passes.
REFUTED = replace(
    GOOD, check=Counts(8, 1, -1.0, case={"x": "1/3"}), control=Counts(4, 0)
)


def item(role="as-printed", base=GOOD, **changes):
    """A test with another role or part, and other counts."""
    part = changes.pop("part", "")
    sizes = "3 points" if changes.get("scope") == "sizes" else ""
    return replace(
        base, role=role, part=part, sizes=sizes, check=replace(base.check, **changes)
    )


CONDITION = item("under-condition")
CORRECTED = item("corrected")
BROKEN_STEP = item("proof-step", REFUTED)
WELL_POSED = item("well-posed")
RAN = item("rerun", arithmetic="float")
#: A run that does not show it, with the worst run written out, in floats.
UNSEEN = item("rerun", REFUTED, arithmetic="float")
RAN_VARIANT = replace(RAN, role="rerun-variant")
UNSEEN_VARIANT = replace(UNSEEN, role="rerun-variant")
WITHOUT_RUN = item("rerun", UNSEEN, case={})


@pytest.mark.parametrize(
    ("evidence", "fails", "expected"),
    [
        ([], None, "not-yet-checked"),
        ([GOOD], None, "holds"),
        ([WELL_POSED], None, "definition"),
        ([WELL_POSED, GOOD], None, "holds"),
        # a refuted statement: what decides is whether a condition serves, and the
        # text's own words, not the role
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
        # a step and a correction decide nothing by themselves; what the book itself
        # adds must not fail
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
    assert (
        judgement.verdict == judge(evidence[::-1], fails=fails).verdict == expected
    ), judgement.reason
    assert (judgement.grade == "rerun") == (
        expected in ("reproduced", "variant-only", "not-reproduced")
    )
    assert judgement.proof_gap == any(
        one.role == "proof-step" and one.check.violations for one in evidence
    )
    assert judgement.corrected == any(one.role == "corrected" for one in evidence)
    assert judge(evidence, outside=True).verdict == (
        "unsound" if evidence else "outside"
    )


@pytest.mark.parametrize("role", ROLES)
def test_a_control_that_is_not_caught_makes_everything_unsound(role):
    """A passing test whose control passes; a failing test whose control fails; also
    beside sound evidence.
    """
    for bad in (
        replace(item(role), control=Counts(4, 0)),
        replace(item(role, REFUTED), control=Counts(4, 1)),
    ):
        assert judge([GOOD, bad]).reason == f"control not caught ({role}): half of it"


@pytest.mark.parametrize(
    ("changes", "grade"),
    [
        ({"scope": "universal"}, "proved"),
        ({"scope": "universal", "arithmetic": "certified"}, "proved"),
        ({}, "exact"),
        ({"arithmetic": "certified"}, "exact"),
        ({"scope": "sizes"}, "sizes"),
        ({"arithmetic": "float", "scope": "sizes"}, "numerical"),
        ({"arithmetic": "float", "scope": "universal"}, "numerical"),
    ],
)
def test_grades(changes, grade):
    assert judge([item(arithmetic="float"), item(**changes)]).grade == grade


def test_the_grade_of_a_refutation_or_of_a_condition_is_that_of_its_own_evidence():
    proved = item("under-condition", scope="universal")
    assert judge([REFUTED, proved]).grade == "proved"
    assert (
        judge([REFUTED, item("under-condition", arithmetic="float")]).grade
        == "numerical"
    )
    assert (
        judge([REFUTED, item(scope="universal")], fails="conclusion").grade == "exact"
    )


def test_a_proof_for_small_sizes_stands_between_instances_and_a_proof():
    exact = item()
    sizes = item(scope="sizes")
    proved = item(scope="universal")
    grades = [
        judge(found).grade
        for found in ([exact], [exact, sizes], [exact, sizes, proved])
    ]
    assert grades == ["exact", "sizes", "proved"]
    assert [GRADES.index(grade) for grade in grades] == [1, 2, 3]


def test_a_verdict_says_for_which_sizes_it_is_proved():
    two = item(scope="sizes", part="rate")
    three = replace(item(scope="sizes", part="gain"), sizes="4 points")
    assert judge([two, three]).sizes == "3 points; 4 points"
    assert judge([two, item()]).sizes == "", "a part is exact on instances only"
    assert judge([REFUTED, item("under-condition", scope="sizes")]).sizes == "3 points"
    assert (
        judge([REFUTED, item("corrected", scope="sizes")], fails="conclusion").sizes
        == ""
    )


def sharp(share, factor=None, side="n", role="as-printed", part=""):
    return replace(item(role, part=part), sharpness=Sharpness(share, factor, side))


@pytest.mark.parametrize(
    ("evidence", "fails", "side"),
    [
        ([GOOD], None, None),
        ([sharp(0.02), GOOD], None, "n"),
        # of two inequalities, and of two parts, the loosest; of one inequality the
        # sharpest that was seen
        ([sharp(0.02), sharp(0.1, side="m")], None, "m"),
        ([sharp(0.02), sharp(None, 0.8, "m", part="rate")], None, "m"),
        ([sharp(0.02), sharp(None, 0.8)], None, "n"),
        # that of the statement that stands
        (
            [REFUTED, sharp(0.02), sharp(0.1, side="m", role="under-condition")],
            None,
            "m",
        ),
        ([REFUTED, sharp(0.1, side="m", role="corrected")], "conclusion", "m"),
        ([GOOD, sharp(0.1, side="m", role="corrected")], None, None),
        ([REFUTED, sharp(0.1, side="m", role="corrected")], None, None),
    ],
)
def test_a_verdict_says_how_sharp_the_statement_is_that_stands(evidence, fails, side):
    for given in (evidence, evidence[::-1]):
        found = judge(given, fails=fails).sharpness
        assert (found.side if found else None) == side
    assert judge([sharp(0.02), sharp(None, 0.8)]).sharpness.sharp


@pytest.mark.parametrize("role", ["as-printed", "well-posed", "under-condition"])
def test_the_grade_is_that_of_the_weakest_part(role):
    """A part counts with its strongest test, and no strong test of one part lends its
    grade to another.
    """
    proved = item(role, scope="universal", part="rate")
    exact = item(role, part="gain")
    numerical = item(role, arithmetic="float", part="gain")
    before = [REFUTED] if role == "under-condition" else []
    grades = [
        judge([*before, *found]).grade
        for found in (
            [proved],
            [proved, exact],
            [proved, numerical],
            [proved, exact, numerical],
            [numerical],
        )
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
        ({"sizes": "3 points"}, "sizes go with"),
        ({"check": Counts(8, 0, scope="sizes")}, "sizes go with"),
    ],
)
def test_records_that_contradict_themselves_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        replace(GOOD, **changes)


def test_a_record_can_be_written_and_read_again():
    sharp = replace(GOOD, sharpness=Sharpness(0.02, None, "2 * n"))
    for evidence in (
        GOOD,
        REFUTED,
        replace(GOOD, note="so"),
        replace(GOOD, part="rate"),
        item(scope="sizes"),
        sharp,
    ):
        assert (
            Evidence.from_record(json.loads(json.dumps(evidence.to_record())))
            == evidence
        )
    assert not {"part", "sizes", "sharpness"} & GOOD.to_record().keys()


@pytest.mark.parametrize(
    "sharpness",
    [
        Sharpness(0.02, None, "2 * n"),
        Sharpness(None, 0.8, "2 * n"),
        Sharpness(0.5, 1.25, "2 * n"),
        Sharpness(None, None, "2 * n", attained=True),
    ],
)
def test_sharpness_can_be_written_and_read_again(sharpness):
    assert Sharpness(**json.loads(json.dumps(asdict(sharpness)))) == sharpness


def test_sharp_is_a_refuted_change_of_a_tenth_or_equality_and_the_loosest_come_first():
    loose = [
        Sharpness(None, 20.0, "far below"),
        Sharpness(0.5, 0.6, "far above"),
        Sharpness(None, 0.8, "above"),
        Sharpness(0.11, None, "not measured"),
    ]
    sharp = [
        Sharpness(0.1, None, "a tenth"),
        Sharpness(0.02, None, "2 %"),
        Sharpness(None, None, "=", attained=True),
    ]
    assert not any(one.sharp for one in loose)
    assert all(one.sharp for one in sharp)
    assert sorted([*sharp, *loose], key=lambda one: one.rank) == [*loose, *sharp]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((0.0, None, "n"), "share must be positive"),
        ((float("nan"), None, "n"), "share must be positive"),
        ((None, 0.0, "n"), "factor must be positive"),
        ((None, float("inf"), "n"), "factor must be positive"),
        ((0.02, None, " "), "side must name"),
    ],
)
def test_impossible_sharpness_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        Sharpness(*given)
