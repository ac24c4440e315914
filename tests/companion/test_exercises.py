"""Exercises: how they are read, what is missing, and that every page of the book has two or three that were run."""

import json
import re
from pathlib import Path

import pytest

from companion.ledger.exercises import RECORD, exercise_faults, read_exercises, run_faults, solution_record
from companion.ledger.verdicts import Counts
from companion.page import Page
from companion.paths import Layout
from companion.run.build import check_exercises
from companion.run.cache import Entry
from tests.companion.toy import make_book

ROOT = Path(__file__).parents[2]
PAGES = sorted(path.stem for path in (ROOT / "notebooks").glob("*.md"))
#: Pages without exercises so far.
WITHOUT = {
    "convex-mollifiers",
    "exact-sampling",
    "mbde-algorithm",
    "mbde-ring",
    "mollifier-ranges",
    "private-sampling",
    "relative-mollifiers",
}

SOUND = """# Apples

```{exercise} How many are $x$?
:label: ex-apples-1
Count them.
```

```{solution-start} ex-apples-1
:class: dropdown
```
There are three.

```{code-cell} python3
claim.solution(
    "ex-apples-1", printed=lambda: 1 + 1 == 2
)
```
```{solution-end}
```
"""


def outcome(violations, instances=4):
    return Counts(instances, violations)


GIVEN = {"label": "ex-apples-1", "check": outcome(0), "control": outcome(2), "control_note": "one more"}


# ---- the pages of the book


@pytest.mark.parametrize("page", PAGES)
def test_every_page_has_two_or_three_exercises_each_with_its_solution(page):
    text = (ROOT / "notebooks" / f"{page}.md").read_text(encoding="utf-8")
    count = len(read_exercises(text))
    assert exercise_faults(page, text) == []
    assert 2 <= count <= 3 or (count == 0 and page in WITHOUT), f"{count} exercises"


# ---- reading


def test_an_exercise_is_read_with_its_solution():
    assert read_exercises(SOUND) == [("ex-apples-1", "How many are $x$?")]
    assert exercise_faults("apples", SOUND) == []
    assert read_exercises("# A page\n\n```python\n{exercise}\n```\n") == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (":label: ex-apples-1\n", "", "the label must be ex-apples-<n>, got ''"),
        ("ex-apples-1", "ex-pears-1", "ex-pears-1: the label must be ex-apples-<n>"),
        (" How many are $x$?", "", "ex-apples-1: it has no title"),
        ("{solution-start} ex-apples-1", "{solution-start} ex-apples-2", "ex-apples-1: it has 0 solutions"),
        ("{solution-start} ex-apples-1", "{solution-start} ex-apples-2", "ex-apples-2: a solution without an exercise"),
        ('    "ex-apples-1"', '    "ex-apples-2"', "calls claim.solution with its label 0 times"),
        ("{solution-end}", "{solution-ended}", "ex-apples-1: it has 0 solutions"),
        (":class: dropdown\n", "", "ex-apples-1: its solution is not folded"),
    ],
)
def test_what_is_missing_is_named(old, new, message):
    assert old in SOUND
    faults = exercise_faults("apples", SOUND.replace(old, new))
    assert any(message in fault for fault in faults), faults


def test_a_call_outside_the_solution_does_not_count_and_labels_are_given_once():
    call = re.search(r"(?s)```\{code-cell\}.*?\)\n```\n", SOUND)[0]
    faults = exercise_faults("apples", SOUND.replace(call, "") + call)
    assert faults == ["ex-apples-1: its solution calls claim.solution with its label 0 times"]
    twice = exercise_faults("apples", SOUND + SOUND)
    assert "label ex-apples-1 is given twice" in twice
    assert "ex-apples-1: it has 2 solutions" in twice


# ---- running


@pytest.fixture
def run(tmp_path, monkeypatch):
    make_book(tmp_path / "book")
    monkeypatch.setenv("COMPANION_ROOT", str(tmp_path / "book"))
    monkeypatch.setenv("COMPANION_RUN", str(tmp_path / "run"))
    return tmp_path / "run"


def test_a_solution_that_passes_is_noted_and_said(run):
    page = Page("apples")
    shown = page.solved(**GIVEN)
    words = "no failure on 4 instances (exact arithmetic); control, one more: 2 of 4 fail."
    assert repr(shown) == shown.markdown == f"The solution was run: {words}"
    assert json.loads((run / RECORD).read_text())["ex-apples-1"]["control_violations"] == 2
    one = page.solved("ex-apples-2", outcome(0, 1), outcome(2), "one more")
    assert "no failure on 1 instance (" in repr(one)
    with pytest.raises(ValueError, match="label must be new on this page, got 'ex-apples-1' again"):
        page.solved("ex-apples-1", outcome(0), outcome(1), "one more")
    assert run_faults("apples", SOUND, run) == ["apples: a solution was run for ex-apples-2, which is no exercise"]
    Page("apples")
    assert run_faults("apples", SOUND, run) == ["apples: the solution of ex-apples-1 was not run"], "begun again"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"check": outcome(1)}, "the solution of ex-apples-1 fails on 1 of 4 instances"),
        ({"control": outcome(0)}, "the control of ex-apples-1 (one more) fails on none of 4 instances"),
        ({"check": outcome(0, 0)}, "check must have tried something, got 0 instances"),
        ({"label": "ex-pears-1"}, "label must be ex-apples-<n>, got 'ex-pears-1'"),
        ({"label": " "}, "label must be a non-empty text"),
        ({"control_note": ""}, "control_note must be a non-empty text"),
    ],
)
def test_a_solution_that_does_not_pass_is_refused(changes, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        solution_record("apples", **{**GIVEN, **changes})


def test_a_build_names_exercises_whose_solution_was_not_run(run, tmp_path):
    root = tmp_path / "book"
    (root / "notebooks" / "apples.md").write_text(SOUND, encoding="utf-8")
    layout, entry = Layout(root), Entry(tmp_path, {}, 1.0)
    run.mkdir()
    assert check_exercises(layout, {"apples": entry}) == ["apples: the solution of ex-apples-1 was not run"]
    (run / RECORD).write_text('{"ex-apples-1": {}}', encoding="utf-8")
    assert check_exercises(layout, {"apples": entry}) == []
    (root / "notebooks" / "apples.md").write_text(SOUND.replace(":class: dropdown\n", ""), encoding="utf-8")
    (fault,) = check_exercises(layout, {"apples": entry})
    assert fault.startswith("apples: ex-apples-1: its solution is not folded")
