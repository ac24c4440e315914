"""Exercises: how they are read, what is missing, and that every page of the book has
two or three that were run.
"""

import json
import re

import pytest

from companion.build import check_exercises
from companion.ledger.evidence import Counts
from companion.ledger.exercises import RECORD, exercise_faults, read_exercises
from companion.page import Page
from companion.paths import Layout
from companion.run.cache import Entry
from tests.repository import ROOT

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
CALL = re.search(r"(?s)```\{code-cell\}.*?\)\n```\n", SOUND)[0]
UNSOLVED = (
    "ex-apples-1: not one exercise with one folded solution that calls claim.solution "
    "with its label"
)
GIVEN = {
    "label": "ex-apples-1",
    "check": Counts(4, 0),
    "control": Counts(4, 2),
    "control_note": "one more",
}


@pytest.mark.parametrize("page", PAGES)
def test_exercises_of_a_page_are_two_or_three_each_with_its_solution(page):
    text = (ROOT / "notebooks" / f"{page}.md").read_text(encoding="utf-8")
    assert exercise_faults(text) == []
    assert len(read_exercises(text)) in ((0, 2, 3) if page in WITHOUT else (2, 3))


def test_an_exercise_is_read_with_its_solution():
    assert read_exercises(SOUND) == [("ex-apples-1", "How many are $x$?")]
    assert exercise_faults(SOUND) == []
    assert read_exercises("# A page\n\n```python\n{exercise}\n```\n") == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("label: ex-apples-1", "label: ex-apples-2", UNSOLVED),
        (
            ":label: ex-apples-1\n",
            "",
            "How many are $x$?: an exercise needs a title and a label",
        ),
        (
            " How many are $x$?",
            "",
            "ex-apples-1: an exercise needs a title and a label",
        ),
        ("{solution-end}", "{solution-ended}", UNSOLVED),
        ('    "ex-apples-1"', '    "ex-apples-2"', UNSOLVED),
        (":class: dropdown\n", "", UNSOLVED),
        (
            CALL + "```{solution-end}\n```\n",
            "```{solution-end}\n```\n" + CALL,
            UNSOLVED,
        ),
        (SOUND, SOUND + SOUND, UNSOLVED),
    ],
)
def test_what_is_missing_is_named(old, new, fault):
    assert fault in exercise_faults(SOUND.replace(old, new))


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_RUN", str(tmp_path / "run"))
    return tmp_path / "run"


def test_a_solution_that_passes_is_noted_and_said(run):
    page = Page("apples")
    shown = page.solved(**GIVEN)
    words = (
        "no failure on 4 instances (exact arithmetic); control, one more: 2 of 4 fail."
    )
    assert repr(shown) == shown.markdown == f"The solution was run: {words}"
    assert (
        json.loads((run / RECORD).read_text())["ex-apples-1"]["control"]["violations"]
        == 2
    )
    with pytest.raises(
        ValueError, match="label must be new on this page, got 'ex-apples-1' again"
    ):
        page.solved(**GIVEN)
    Page("apples")
    assert not (run / RECORD).exists(), "begun again"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"check": Counts(4, 1), "control": Counts(4, 0)},
            "the solution of ex-apples-1 fails on 1 of 4 instances",
        ),
        (
            {"control": Counts(4, 0)},
            "the control of ex-apples-1 (one more) fails on none of its instances",
        ),
        (
            {"check": Counts(0, 0)},
            "check: violations must lie in 0..instances >= 1, got 0 of 0",
        ),
        ({"label": "ex-pears-1"}, "label must be ex-apples-<n>, got 'ex-pears-1'"),
        ({"control_note": " "}, "control_note must say what the control breaks"),
    ],
)
def test_a_solution_that_does_not_pass_is_refused(run, changes, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Page("apples").solved(**{**GIVEN, **changes})


def test_a_build_names_exercises_whose_solution_was_not_run(run, tmp_path):
    layout = Layout(tmp_path)
    entry = Entry(tmp_path, {}, 1.0)
    page = tmp_path / "notebooks" / "apples.md"
    run.mkdir()
    for text, labels, faults in (
        (SOUND, [], ["apples: the solution of ex-apples-1 was not run"]),
        (SOUND, ["ex-apples-1"], []),
        (
            "# Apples\n",
            ["ex-apples-1"],
            ["apples: a solution was run for ex-apples-1, which is no exercise"],
        ),
        (SOUND.replace(CALL, ""), ["ex-apples-1"], [f"apples: {UNSOLVED}"]),
    ):
        page.parent.mkdir(exist_ok=True)
        page.write_text(text, encoding="utf-8")
        (run / RECORD).write_text(json.dumps(dict.fromkeys(labels)), encoding="utf-8")
        assert check_exercises(layout, {"apples": entry}) == faults
