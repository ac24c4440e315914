"""The glue between statements and the ledger: what a claim in a cell records, shows, and refuses."""

import json
import linecache
import re

import jupytext
import pytest

from companion.page import Page
from companion.paths import CompanionError, Layout
from companion.verdicts import Evidence, judge
from statements import E, NotRefuted, Space, double_zero, exp, law, log, real, shape


class Steps(Space):
    Q, s, θ = law(), shape(), real(0.01, 3, corner=1)
    γ = lambda Q, s: -E(Q, s)
    φ = lambda Q, s, θ: log(E(Q, exp(θ * s)))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_RUN", str(tmp_path))
    return tmp_path


@pytest.fixture
def claim(folder):
    return Page("kl-drop").claims(7)


def judged(folder, fails=None):
    records = [json.loads(path.read_text()) for path in sorted((folder / "evidence").glob("*.json"))]
    return judge([Evidence.from_record(record) for record in records], fails=fails), records


def test_a_statement_that_holds(folder, claim):
    shown = claim("MBDE-L1", on=Steps, printed=lambda φ, θ, γ: φ <= θ**2 / 2 - θ * γ)
    judgement, (record,) = judged(folder)
    assert (judgement.verdict, judgement.grade) == ("holds", "exact")
    assert record["instances"] == 300
    assert record["control"]["violations"] >= 5
    assert "As printed, holds: " in shown.text
    assert r"\varphi \le \frac{\theta^{2}}{2} - \theta\,\gamma" in shown.markdown
    assert list((folder / "scripts").glob("*")) == []


def test_a_constant_that_is_changed_shows_a_counterexample(folder, claim):
    """With a corrected statement the printed one is false, and the example is kept as a program."""
    printed, corrected = (lambda φ, θ, γ: φ <= 0.49 * θ**2 - θ * γ), (lambda φ, θ, γ: φ <= 0.5 * θ**2 - θ * γ)
    shown = claim("MBDE-L1", on=Steps, printed=printed, corrected=corrected)
    judgement, _ = judged(folder, fails="conclusion")
    assert (judgement.verdict, judgement.corrected) == ("false", True)
    assert "fail, for example `Q = (" in shown.markdown
    assert [path.name for path in (folder / "scripts").iterdir()] == ["MBDE-L1.1.py"]


def test_a_condition_and_a_proof_under_it(folder, claim):
    claim("MBDE-L1", on=Steps, printed=lambda φ, θ: φ <= θ**2, condition=lambda θ: θ == 1)
    claim(
        "MBDE-L1", role="under-condition", part="nothing", proof=lambda x: double_zero(exp(x) - 1 - x, x, second=exp(x))
    )
    judgement, _ = judged(folder)
    assert (judgement.verdict, judgement.grade) == ("holds-with-condition", "proved")


def test_a_step_that_fails_is_a_gap_in_the_proof_of_another_claim(folder, claim):
    """The lemma keeps its verdict; the example of the step is no program against the lemma."""
    claim("MBDE-L1", on=Steps, printed=lambda φ, θ, γ: φ <= θ**2 / 2 - θ * γ)
    claim("MBDE-L2", on=Steps, step_of="MBDE-L1", printed=lambda γ: γ <= 0, corrected=lambda γ: γ <= 1)
    records = [json.loads(path.read_text()) for path in sorted((folder / "evidence").glob("*.json"))]
    lemma = judge([Evidence.from_record(record) for record in records if record["claim"] == "MBDE-L1"])
    assert (lemma.verdict, lemma.proof_gap) == ("holds", True)
    assert {(record["claim"], record["role"]) for record in records} == {
        ("MBDE-L1", "as-printed"), ("MBDE-L1", "proof-step"), ("MBDE-L2", "as-printed"), ("MBDE-L2", "corrected")
    }  # fmt: skip
    assert [path.name for path in (folder / "scripts").iterdir()] == ["MBDE-L2.1.py"]


def test_what_is_meant_in_words_that_are_not_printed(folder, claim):
    """A statement alone may have a role of its own; with a condition the printed one is as printed."""
    claim("MBDE-L1", on=Steps, role="as-printed", printed=lambda φ, θ: φ <= θ**2, condition=lambda θ: θ == 1)
    shown = claim("MBDE-L1", on=Steps, role="under-condition", printed=lambda φ, θ, γ: φ <= θ**2 / 2 - θ * γ)
    judgement, records = judged(folder)
    assert [record["role"] for record in records] == ["as-printed", "under-condition", "under-condition"]
    assert judgement.verdict == "holds-with-condition"
    assert "Under the condition, holds: " in shown.text


def test_one_outcome_for_several_claims(folder, claim):
    claim(
        "MBDE-L1", "MBDE-L2", role="corrected", part="so", proof=lambda x: double_zero(exp(x) - 1 - x, x, second=exp(x))
    )
    assert {record["claim"] for record in judged(folder)[1]} == {"MBDE-L1", "MBDE-L2"}


def test_what_is_not_decided_or_has_no_control_is_refused(claim):
    with pytest.raises(CompanionError, match="MBDE-L1: the evidence does not decide it"):
        claim("MBDE-L1", on=Steps, printed=lambda γ: log(γ) <= 0)
    with pytest.raises(CompanionError, match=r"false: .* fail, for example .*Nothing came out the other way"):
        claim("MBDE-L1", on=Steps, printed=lambda φ, θ: φ <= θ**2 / 2)
    claim("MBDE-L1", on=Steps, printed=lambda φ, θ: φ <= θ**2 / 2, control=lambda φ, θ: φ <= θ + 1)


def test_twins_and_solutions(folder, claim):
    shown = claim.twin("MBDE-L1", on=Steps, printed=lambda φ, θ, γ: φ <= 0.49 * θ**2 - θ * γ)
    assert shown.text.splitlines()[1].startswith("A false twin of MBDE-L1, false: ")
    assert list((folder / "evidence").glob("*")) == []
    with pytest.raises(NotRefuted):
        claim.twin("MBDE-L1", on=Steps, printed=lambda φ, θ: φ <= θ)
    false, at = (lambda φ, θ, γ: φ <= 0.49 * θ**2 - θ * γ), (lambda: {"Q": (3 / 5, 2 / 5), "s": (-1, 1), "θ": 1 / 2})
    shown = claim.twin("MBDE-L1", on=Steps, printed=false, at=at)
    assert "Q = (3/5, 2/5), s = (-1, 1), θ = 1/2" in shown.text
    claim.solution("ex-kl-drop-1", on=Steps, printed=lambda φ, θ: φ <= θ)
    assert "ex-kl-drop-1" in (folder / "solutions.json").read_text()


def test_same_seed_same_evidence(folder):
    found = []
    for _ in range(2):
        Page("kl-drop").claims(7)("MBDE-L1", on=Steps, printed=lambda φ, θ: φ <= θ)
        found.append(judged(folder)[1])
    assert found[0] == found[1]


def test_a_result_of_the_book_is_checked_and_one_that_is_only_tempting_refuted(claim):
    true, false = (lambda φ, θ, γ: φ <= θ**2 / 2 - θ * γ), (lambda φ, θ, γ: φ <= 0.49 * θ**2 - θ * γ)
    assert "A result of this book, holds: " in claim.ours(on=Steps, printed=true).text
    assert "One might think so, false: " in claim.ours(false=True, on=Steps, printed=false).text
    with pytest.raises(CompanionError, match="came out otherwise: false"):
        claim.ours(on=Steps, printed=false)
    with pytest.raises(CompanionError, match="came out otherwise: holds"):
        claim.ours(false=True, on=Steps, printed=true)


@pytest.mark.parametrize(
    ("page", "old", "new"),
    [
        ("kl-drop", "drop == θ * E(P, c) - φ)", "drop == 1.01 * θ * E(P, c) - φ)"),
        ("relative-mollifiers", "(Q / Q_0) * (Q_0 / R) <= r**2)", "(Q / Q_0) * (Q_0 / R) <= 0.98 * r**2)"),
        ("private-sampling", '"MBDE-L4", on=Events, printed=lambda Q, R, S: E(Q, S) <=', "\\g<0> 0.97 *"),
    ],
)
def test_a_reader_who_changes_a_constant_in_a_cell_sees_a_counterexample(folder, page, old, new):
    """The first two cells of the page, and that of the claim; as they are, nothing is raised."""
    cells = [cell.source for cell in jupytext.read(Layout.find().notebook(page)).cells if cell.cell_type == "code"]
    start, cell = cells[:2], next(cell for cell in cells if old in cell)
    changed = re.sub(re.escape(old), new, cell, count=1)
    assert changed != cell

    def run(*sources):
        names = {}
        for at, source in enumerate(sources):
            place = f"<cell {page} {at} {hash(source)}>"
            linecache.cache[place] = (len(source), None, source.splitlines(keepends=True), place)
            exec(compile(source, place, "exec"), names)

    run(*start, cell)
    with pytest.raises(CompanionError, match=r"false: .* fail, for example [PQ].* = "):
        run(*start, changed)
