"""Read the exercises of a page, and find those whose solution was not run.

An exercise is written with the directives of sphinx-exercise. Its solution stands
between `solution-start` and `solution-end` and calls `claim.solution` with the label of
the exercise, so that no solution is printed unchecked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from companion.ledger.evidence import Evidence
from companion.paths import read_json

#: Where a run notes the solutions that it checked.
RECORD = "solutions.json"

_OPTIONS = r"(?P<options>(?::[a-z]+:.*\n)*)"
_EXERCISE = re.compile(
    rf"(?m)^[`:]{{3,}}\{{exercise(?:-start)?\}} *(?P<title>.*?) *\n{_OPTIONS}"
)
_SOLUTION = re.compile(
    rf"(?m)^[`:]{{3,}}\{{solution-start\}} *(?P<label>.*?) *\n{_OPTIONS}"
    r"(?P<body>(?s:.*?))^[`:]{3,}\{solution-end\}"
)
_LABEL = re.compile(r"(?m)^:label: *(.*?) *$")
_CALL = re.compile(r"claim\.solution\(\s*[\"']([^\"']+)[\"']")


def refuse(page: str, solution: Evidence) -> None:
    """Raise ValueError unless a solution is of this page, passes, and has a control.

    Its label is `ex-<page>-<n>`; the control has to fail.
    """
    label = solution.claim
    if not re.fullmatch(rf"ex-{re.escape(page)}-[1-9]\d*", label):
        raise ValueError(f"label must be ex-{page}-<n>, got {label!r}")
    check = solution.check
    if not solution.passed:
        raise ValueError(
            f"the solution of {label} fails "
            f"on {check.violations} of {check.instances} instances"
        )
    if not solution.control_caught:
        raise ValueError(
            f"the control of {label} ({solution.control_note}) "
            "fails on none of its instances"
        )


def read_exercises(text: str) -> list[tuple[str, str]]:
    """Return label and title of the exercises of the source of a page, in order."""
    exercises = []
    for match in _EXERCISE.finditer(text):
        label = _LABEL.search(match["options"])
        exercises.append((label[1] if label else "", match["title"]))
    return exercises


def _solved_labels(text: str) -> Iterator[str]:
    """Give the labels of folded solutions that check the exercise of their label."""
    for match in _SOLUTION.finditer(text):
        folded = ":class: dropdown" in match["options"]
        if folded and _CALL.findall(match["body"]) == [match["label"]]:
            yield match["label"]


def exercise_faults(text: str) -> list[str]:
    """Return what is wrong with the exercises of a page.

    Each needs a title, a label, and one folded solution with a call.
    """
    exercises = read_exercises(text)
    faults = [
        f"{label or title}: an exercise needs a title and a label"
        for label, title in exercises
        if not (label and title)
    ]
    solved = Counter(_solved_labels(text))
    asked = Counter(label for label, _ in exercises)
    for label in asked | solved:
        if not asked[label] == solved[label] == 1:
            faults.append(
                f"{label}: not one exercise with one folded solution "
                "that calls claim.solution with its label"
            )
    return faults


def run_faults(text: str, run: Path) -> list[str]:
    """Return the faults of solutions that were run.

    They are exercises whose solution was not run, and solutions of no exercise.
    """
    path = run / RECORD
    ran = set(read_json(path)) if path.is_file() else set()
    labels = {label for label, _ in read_exercises(text)}
    faults = [f"the solution of {label} was not run" for label in sorted(labels - ran)]
    return faults + [
        f"a solution was run for {label}, which is no exercise"
        for label in sorted(ran - labels)
    ]
