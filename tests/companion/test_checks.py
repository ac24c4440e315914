"""The glue between statements and the ledger: what a claim in a cell records, shows,
and refuses.
"""

import json
import linecache
import re

import jupytext
import pandas as pd
import pytest

from companion.ledger.evidence import Evidence
from companion.ledger.verdicts import judge
from companion.page import Page
from companion.paths import CompanionError, Layout
from statements import E, Space, double_zero, exp, law, log, real, shape, whole, zero


class Steps(Space):
    Q = law()
    s = shape()
    θ = real(0.01, 3, corner=1)
    γ = lambda Q, s: -E(Q, s)
    φ = lambda Q, s, θ: log(E(Q, exp(θ * s)))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_RUN", str(tmp_path))
    return tmp_path


@pytest.fixture
def claim(folder):
    return Page("kl-drop").claims(7)


def judged(folder, fails=None, claim=None):
    records = [
        json.loads(path.read_text())
        for path in sorted((folder / "evidence").glob("*.json"))
    ]
    own = [record for record in records if claim in (None, record["claim"])]
    return judge([Evidence.from_record(record) for record in own], fails=fails), records


def test_a_statement_that_holds(folder, claim):
    shown = claim(
        "MBDE-L1",
        on=Steps,
        part="one way",
        printed=lambda φ, θ, γ: φ <= θ**2 / 2 - θ * γ,
    )
    judgement, (record,) = judged(folder)
    assert (judgement.verdict, judgement.grade, record["part"]) == (
        "holds",
        "exact",
        "one way",
    )
    assert record["instances"] == 64, "60, and 4 of many points"
    assert record["control"]["violations"] >= 5
    assert shown.text.startswith("✓ As printed. No counterexample in ")
    assert r"\varphi \le \frac{\theta^2}{2} - \theta \gamma" in shown.markdown
    assert list((folder / "scripts").glob("*")) == []


def test_a_statement_that_is_proved_for_small_sizes(folder, claim):
    shown = claim(
        "MBDE-L1", on=Steps, solve=2, printed=lambda Q, s, γ: -1 <= γ <= max(abs(s))
    )
    judgement, (record,) = judged(folder)
    assert (judgement.verdict, judgement.grade) == ("holds", "sizes")
    assert record["scope"] == "sizes"
    assert record["sizes"].startswith("2 points by z3 ")
    assert shown.text.startswith("✓ As printed. Proved for 2 points by z3 ")


def test_a_constant_that_is_changed_shows_a_counterexample(folder, claim):
    """With a corrected statement the printed one is false, and the example is kept as a
    program.
    """
    printed = lambda φ, θ, γ: φ <= 0.49 * θ**2 - θ * γ
    corrected = lambda φ, θ, γ: φ <= 0.5 * θ**2 - θ * γ
    shown = claim("MBDE-L1", on=Steps, printed=printed, corrected=corrected)
    judgement, _ = judged(folder, fails="conclusion")
    assert (judgement.verdict, judgement.corrected) == ("false", True)
    assert "✗ *As printed.* False: $Q = " in shown.markdown
    assert [path.name for path in (folder / "scripts").iterdir()] == ["MBDE-L1.1.py"]


@pytest.mark.parametrize(("part", "grade"), [("", "proved"), ("one step", "exact")])
def test_a_condition_and_a_proof_under_it(folder, claim, part, grade):
    """A proof of a part counts for that part, and lends its grade to no other."""
    claim(
        "MBDE-L1", on=Steps, printed=lambda φ, θ: φ <= θ**2, condition=lambda θ: θ == 1
    )
    step = {
        "part": part,
        "proof": lambda x: double_zero(exp(x) - 1 - x, x, second=exp(x)),
    }
    claim("MBDE-L1", "MBDE-L2", role="under-condition", **step)
    judgement, records = judged(folder, claim="MBDE-L1")
    assert "MBDE-L2" in {record["claim"] for record in records}, (
        "one outcome for several claims"
    )
    assert (judgement.verdict, judgement.grade) == ("holds-with-condition", grade)


def test_a_step_that_fails_is_a_gap_in_the_proof_of_another_claim(folder, claim):
    """The lemma keeps its verdict; the example of the step is no program against the
    lemma.
    """
    claim("MBDE-L1", on=Steps, printed=lambda φ, θ, γ: φ <= θ**2 / 2 - θ * γ)
    claim(
        "MBDE-L2",
        on=Steps,
        step_of="MBDE-L1",
        printed=lambda γ: γ <= 0,
        corrected=lambda γ: γ <= 1,
    )
    lemma, records = judged(folder, claim="MBDE-L1")
    assert (lemma.verdict, lemma.proof_gap) == ("holds", True)
    assert {(record["claim"], record["role"]) for record in records} == {
        ("MBDE-L1", "as-printed"),
        ("MBDE-L1", "proof-step"),
        ("MBDE-L2", "as-printed"),
        ("MBDE-L2", "corrected"),
    }
    assert [path.name for path in (folder / "scripts").iterdir()] == ["MBDE-L2.1.py"]


def test_what_is_meant_in_words_that_are_not_printed(folder, claim):
    """A statement alone may have a role of its own; with a condition the printed one is
    as printed.
    """
    claim(
        "MBDE-L1",
        on=Steps,
        role="as-printed",
        printed=lambda φ, θ: φ <= θ**2,
        condition=lambda θ: θ == 1,
    )
    shown = claim(
        "MBDE-L1",
        on=Steps,
        role="under-condition",
        printed=lambda φ, θ, γ: φ <= θ**2 / 2 - θ * γ,
    )
    judgement, records = judged(folder)
    assert [record["role"] for record in records] == [
        "as-printed",
        "under-condition",
        "under-condition",
    ]
    assert judgement.verdict == "holds-with-condition"
    assert "✓ Under the condition. No counterexample" in shown.text


def test_what_is_not_decided_or_has_no_control_is_refused(claim):
    with pytest.raises(
        CompanionError, match=r"MBDE-L1: \? As printed. Undecided .* It decides nothing"
    ):
        claim("MBDE-L1", on=Steps, printed=lambda γ: log(γ) <= 0)
    with pytest.raises(
        CompanionError, match=r"✗ As printed. False: .*The statement is false"
    ):
        claim("MBDE-L1", on=Steps, printed=lambda φ, θ: φ <= θ**2 / 2)
    claim(
        "MBDE-L1",
        on=Steps,
        printed=lambda φ, θ: φ <= θ**2 / 2,
        control=lambda φ, θ: φ <= θ + 1,
    )


HOLDS = lambda φ, θ, γ: φ <= θ**2 / 2 - θ * γ
FAILS = lambda φ, θ: φ <= θ**2 / 2
TRIVIAL = lambda θ: θ != -1


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ({"printed": FAILS, "corrected": FAILS}, "✗ Corrected. .*change corrected="),
        (
            {"printed": FAILS, "condition": lambda θ: θ <= 100},
            "✗ Under the condition. .*change condition=",
        ),
        ({"printed": FAILS}, "statement is false. .*or else give control=, .* holds"),
        ({"printed": FAILS, "control": FAILS}, "control= is false as well"),
        (
            {"printed": TRIVIAL},
            "No changed text .* control=, a statement that is false",
        ),
        ({"printed": TRIVIAL, "control": TRIVIAL}, "control= holds as well"),
    ],
)
def test_the_advice_is_for_what_came_out(claim, texts, words):
    with pytest.raises(CompanionError, match=words):
        claim("MBDE-L1", on=Steps, **texts)


def test_twins_and_solutions(folder, claim):
    shown = claim.twin(
        "MBDE-L1", on=Steps, printed=lambda φ, θ, γ: φ <= 0.49 * θ**2 - θ * γ
    )
    assert shown.text.startswith("✗ A false twin of MBDE-L1. False: Q = ")
    assert "{claim}" in shown.markdown
    assert "{claim}" not in shown.markup, "outside of the book a role is plain words"
    assert list((folder / "evidence").glob("*")) == []
    with pytest.raises(CompanionError, match="the false twin φ <= θ was not refuted"):
        claim.twin("MBDE-L1", on=Steps, printed=lambda φ, θ: φ <= θ)
    false = lambda φ, θ, γ: φ <= 0.49 * θ**2 - θ * γ
    at = lambda: {"Q": (3 / 5, 2 / 5), "s": (-1, 1), "θ": 1 / 2}
    shown = claim.twin("MBDE-L1", on=Steps, printed=false, at=at)
    assert "Q = (3/5, 2/5), s = (-1, 1), θ = 1/2" in shown.text
    claim.solution("ex-kl-drop-1", on=Steps, printed=lambda φ, θ: φ <= θ)
    assert "ex-kl-drop-1" in (folder / "solutions.json").read_text()


def test_a_result_of_the_book_is_checked_and_one_that_is_only_tempting_refuted(claim):
    true = lambda φ, θ, γ: φ <= θ**2 / 2 - θ * γ
    false = lambda φ, θ, γ: φ <= 0.49 * θ**2 - θ * γ
    assert (
        "✓ A result of this book. No counterexample"
        in claim.ours(on=Steps, printed=true).text
    )
    assert (
        "✓ As stated here. No counterexample"
        in claim("FR-N1", on=Steps, printed=true).text
    ), "it is printed nowhere else"
    assert (
        "✗ One might think so. False: "
        in claim.ours(false=True, on=Steps, printed=false).text
    )
    with pytest.raises(CompanionError, match=r"False: .* It came out otherwise"):
        claim.ours(on=Steps, printed=false)
    with pytest.raises(
        CompanionError, match=r"No counterexample .* It came out otherwise"
    ):
        claim.ours(false=True, on=Steps, printed=true)


class Sums(Space):
    n = whole(2, 9)


def test_why_small_instances_are_the_worst_ones_is_checked(folder, claim):
    claim("MBDE-L1", on=Sums, printed=lambda n: 1 / n <= 1 / 2)
    judgement, _ = judged(folder)
    assert judgement.reach == {"n": 9}
    shown = claim.small(
        "MBDE-L1", "1/n falls.", on=Sums, printed=lambda n: 1 / (n + 1) <= 1 / n
    )
    judgement, records = judged(folder)
    assert (judgement.verdict, judgement.reach, judgement.small) == (
        "holds",
        {},
        "1/n falls.",
    )
    assert shown.text.startswith(
        "✓ Small instances are the worst ones: 1/n falls. No counterexample in "
    )
    assert records[1]["role"] == "small"
    with pytest.raises(CompanionError, match="small instances are not the worst ones"):
        claim.small("MBDE-L1", "n falls.", on=Sums, printed=lambda n: n + 1 <= n)


RUNS = pd.DataFrame(
    [
        (variant, place, eps, loss - slope * eps)
        for variant, slope in (("clip", 0.3), ("tanh", 0.2), ("released", 2.0))
        for place, loss in enumerate((9.0, 10.0))
        for eps in (5.0, 1.0, 0.0)
    ],
    columns=["variant", "place_0", "eps", "nll"],
)
BY = ["variant", "place_0"]
PRINTED = {"variant": ["clip", "tanh"]}


class Drawn:
    """A figure as a page gets it: `coverage-by-start` has accepted data."""

    id = "coverage-by-start"

    def __init__(self, table):
        self.table = table


def test_a_sentence_about_runs_is_evidence_with_the_narrowest_run_and_contenders(
    folder, claim
):
    shown = claim.rerun(
        "MBDE-X-NLL",
        RUNS,
        lambda run: -2 <= run.nll.diff().dropna() < 0,
        by=BY,
        rows=PRINTED,
        swap={"variant": "released"},
    )
    assert shown.text == (
        "Our rerun: seen in 4 of 4 runs, fresh; narrowest: -0.2 < 0 at eps 1 "
        "(variant tanh, place_0 0); "
        "with variant released in place of clip, tanh: 0 of 2."
    )
    assert "`-0.2 < 0 at eps 1`" in shown.markdown
    judgement, (record,) = judged(folder)
    assert (
        judgement.verdict,
        record["instances"],
        record["control"]["violations"],
    ) == ("reproduced", 4, 2)
    assert record["worst_slack"] == pytest.approx(0.2)
    assert record["note"] == "variant clip, tanh; fresh"


def test_a_sentence_that_fails_writes_out_its_worst_run_and_a_variant_may_show_it(
    folder, claim
):
    steep = lambda run: run.nll[0] - run.nll[5] >= 5
    other = {"variant": "released"}
    shown = claim.rerun("MBDE-X-sharp", RUNS, steep, by=BY, rows=PRINTED, swap=other)
    assert (
        "seen in 0 of 4 runs, fresh; fails by most: 1 >= 5 (variant tanh, place_0 "
        in shown.text
    )
    claim.rerun(
        "MBDE-X-sharp",
        RUNS,
        steep,
        by=BY,
        rows=other,
        swap=PRINTED,
        role="rerun-variant",
    )
    judgement, (_, record) = judged(folder)
    assert judgement.verdict == "variant-only"
    assert record["counterexample"]["where"] == "1 >= 5"


def test_a_sentence_without_a_comparison_a_near_miss_and_rows_by_a_function(
    folder, claim
):
    falls = lambda run: run.nll.is_monotonic_decreasing
    early = {"eps": lambda eps: eps < 5}
    shown = claim.rerun(
        "MBDE-X-NLL",
        RUNS,
        falls,
        by=BY,
        rows=early,
        part="late",
        control=lambda run: run.nll.max() < 9.5,
    )
    assert (
        shown.text
        == "Our rerun: seen in 6 of 6 runs, fresh; with run.nll.max() < 9.5: 3 of 6."
    )
    (record,) = judged(folder)[1]
    assert (record["note"], record["part"]) == ("eps < 5; fresh", "late")


def test_the_accepted_data_of_a_figure_are_asked_as_well(folder, claim):
    """Where they say otherwise, both are evidence, and no verdict follows from the
    fresh run alone.
    """
    accepted = pd.read_csv(Layout.find().reference("quick", "coverage-by-start"))
    given = {"by": ["domain", *BY], "rows": {"eps": lambda eps: eps > 0}}
    low = lambda run: run.nll > -1
    miss = lambda run: run.nll > 0
    shown = claim.rerun("MBDE-X-NLL", Drawn(accepted), low, control=miss, **given)
    assert "runs, accepted and fresh; narrowest" in shown.text
    assert judged(folder)[0].verdict == "reproduced"
    shown = claim.rerun(
        "MBDE-X-NLL", Drawn(accepted.assign(nll=-2.0)), low, control=miss, **given
    )
    assert re.search(
        r"seen in (\d+) of \1 runs accepted; 0 of \1 runs fresh", shown.text
    )
    judgement, records = judged(folder)
    assert [record["note"].split("; ")[-1] for record in records] == [
        "accepted and fresh",
        "accepted",
        "fresh",
    ]
    assert judgement.verdict != "reproduced"


@pytest.mark.parametrize(
    ("message", "given"),
    [
        (
            "The control must come out the other way",
            {"swap": {"variant": "tanh"}, "rows": {"variant": "clip"}},
        ),
        ("give swap=, other contenders, or control=", {}),
        (
            "give swap=, other contenders, or control=",
            {"swap": PRINTED, "control": lambda run: run.nll > 9},
        ),
        (
            "no row has variant = 'clop'",
            {"swap": PRINTED, "rows": {"variant": ["clip", "clop"]}},
        ),
        (
            "no row is left by eps > 9",
            {"swap": PRINTED, "rows": {"eps": lambda eps: eps > 9}},
        ),
        (
            "eps repeats in the group {'variant': 'clip'}",
            {"swap": PRINTED, "by": ["variant"]},
        ),
        (
            "one expression of one argument",
            {"swap": PRINTED, "sentence": lambda run, other: run.nll < 9},
        ),
        (
            "NaN, on a side",
            {"swap": PRINTED, "of": lambda table: table.assign(nll=float("nan"))},
        ),
    ],
)
def test_a_rerun_that_says_nothing_is_refused(claim, message, given):
    with pytest.raises(CompanionError, match=re.escape(message)):
        claim.rerun(
            "MBDE-X-NLL",
            RUNS,
            **{"sentence": lambda run: run.nll[5] < run.nll[0], "by": BY, **given},
        )


@pytest.mark.parametrize(
    ("page", "old", "new"),
    [
        ("kl-drop", "drop == θ * E(P, c) - φ", "drop == 1.01 * θ * E(P, c) - φ"),
        (
            "relative-mollifiers",
            "(Q / Q_0) * (Q_0 / R) <= r**2",
            "(Q / Q_0) * (Q_0 / R) <= 0.98 * r**2",
        ),
        (
            "private-sampling",
            "E(Q, S) <= ratio(Q, R)",
            "E(Q, S) <= 0.97 * ratio(Q, R)",
        ),
    ],
)
def test_a_reader_who_changes_a_constant_in_a_cell_sees_a_counterexample(
    folder, page, old, new
):
    """The first two cells of the page, and that of the claim; as they are, nothing is
    raised.
    """
    cells = [
        cell.source
        for cell in jupytext.read(Layout.find().notebook(page)).cells
        if cell.cell_type == "code"
    ]
    start, cell = cells[:2], next(cell for cell in cells if old in cell)
    changed = cell.replace(old, new, 1)
    assert changed != cell

    def run(*sources):
        names = {}
        for at, source in enumerate(sources):
            place = f"<cell {page} {at} {hash(source)}>"
            linecache.cache[place] = (
                len(source),
                None,
                source.splitlines(keepends=True),
                place,
            )
            exec(compile(source, place, "exec"), names)

    run(*start, cell)
    with pytest.raises(CompanionError, match=r"False: [PQ].* = .*give control="):
        run(*start, changed)


FALSE = lambda φ, θ, γ: φ <= 0.49 * θ**2 - θ * γ
TRUE = lambda φ, θ, γ: φ <= θ**2 / 2 - θ * γ


@pytest.fixture
def keyboard(tmp_path, monkeypatch):
    """A page at the keyboard, outside a build."""
    monkeypatch.delenv("COMPANION_RUN", raising=False)
    page = Page("kl-drop")
    page.directory = tmp_path
    (tmp_path / "evidence").mkdir(exist_ok=True)
    return page.claims(7)


def test_at_the_keyboard_a_failing_check_shows_counterexample_and_program(
    tmp_path, keyboard
):
    shown = keyboard("MBDE-L1", on=Steps, printed=FALSE)
    assert shown.text.startswith("✗ As printed. False: Q = ")
    assert "give control=" in shown.text
    program = tmp_path / "scripts" / "MBDE-L1.1.py"
    assert f"This program checks the counterexample: `{program}`" in shown.text
    assert program.read_text().startswith('"""A counterexample')
    assert list((tmp_path / "evidence").iterdir()) == []


@pytest.mark.parametrize(
    ("words", "call"),
    [
        ("the false twin", lambda claim: claim.twin("MBDE-L1", on=Steps, printed=TRUE)),
        ("came out otherwise", lambda claim: claim.ours(on=Steps, printed=FALSE)),
        (
            "is not needed",
            lambda claim: claim(
                "MBDE-L1", on=Steps, printed=TRUE, condition=lambda θ: θ <= 1
            ),
        ),
        (
            "no instance of Steps",
            lambda claim: claim(
                "MBDE-L1", on=Steps, given=lambda θ: θ > 9, printed=TRUE
            ),
        ),
        (
            "none of them is",
            lambda claim: claim(
                "MBDE-L1", on=Steps, printed=TRUE, proof=lambda t=(0, 1): zero(t - t)
            ),
        ),
        (
            "Undecided",
            lambda claim: claim("MBDE-L1", on=Steps, printed=lambda θ: float(θ) > 0),
        ),
    ],
)
def test_what_is_no_evidence_is_shown_at_the_keyboard_and_raised_in_a_build(
    tmp_path, monkeypatch, words, call
):
    monkeypatch.setenv("COMPANION_RUN", str(tmp_path))
    with pytest.raises(CompanionError, match=words):
        call(Page("kl-drop").claims(7))
    monkeypatch.delenv("COMPANION_RUN")
    assert words in call(Page("kl-drop").claims(7)).text


def test_evidence_says_how_sharp_a_statement_is(folder, claim):
    claim("MBDE-L1", on=Steps, printed=TRUE)
    (record,) = judged(folder)[1]
    assert record["sharpness"]["share"] == 0.02
    assert "sharper versions" in record["control"]["note"]
    claim("MBDE-L2", on=Steps, printed=lambda θ: θ <= 4)
    (record,) = judged(folder, claim="MBDE-L2")[1][1:]
    assert record["sharpness"] == {
        "share": None,
        "factor": 0.76,
        "side": "4",
        "attained": False,
    }


def test_a_call_shows_itself_wherever_it_stands_in_a_cell(folder):
    """Two calls in one cell, the first of them not at its end, give two lines."""
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    try:
        seen = []
        shell.display_pub.publish = lambda data, *_, **__: seen.append(
            data["text/plain"]
        )
        cell = "\n".join(
            [
                "from statements import *",
                "from companion.page import Page",
                "claim = Page('kl-drop').claims(7)",
                "class S(Space): x = real(0, 1)",
                "claim('MBDE-L1', on=S, printed=lambda x: x <= 1)",
                "claim.ours(on=S, printed=lambda x: x**2 <= x)",
            ]
        )
        assert shell.run_cell(cell).error_in_exec is None
        assert [text.split(".")[0] for text in seen] == [
            "✓ As printed",
            "✓ A result of this book",
        ]
    finally:
        InteractiveShell.clear_instance()


def test_the_ranges_of_a_proof_are_formulas(claim):
    shown = claim(
        "MBDE-L1",
        proof=lambda γ_P=(0, 1), P=(0, None): zero(γ_P * P - P * γ_P),
        part="a product",
    )
    assert r"$\gamma_P \in [0, 1]$, $P \ge 0$: a product" in shown.markdown
    assert "γ_P in [0, 1], P >= 0: a product" in shown.text


def test_a_step_of_a_proof_is_proved_in_the_role_that_is_named(folder, claim):
    shown = claim(
        "MBDE-L1",
        role="proof-step",
        part="a product",
        proof=lambda t=(0, 1): zero(t * 2 - 2 * t),
    )
    assert "Proof" in shown.text
    assert [record["role"] for record in judged(folder)[1]] == ["proof-step"]
