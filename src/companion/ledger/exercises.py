"""Exercises of a page: read them from its source, record that their solutions were run, find what is missing.

An exercise is written with the directives of sphinx-exercise. Its solution stands
between `solution-start` and `solution-end` and calls `claim.solution` with the label of
the exercise, so that no solution is printed unchecked.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

from companion.ledger.verdicts import Evidence

#: Where a run notes the solutions that it checked.
RECORD = "solutions.json"

_OPTIONS = r"(?P<options>(?::[a-z]+:.*\n)*)"
_EXERCISE = re.compile(
    rf"(?m)^[`:]{{3,}}\{{exercise(?:-start)?\}} *(?P<title>.*?) *\n{_OPTIONS}"
)
_SOLUTION = re.compile(
    rf"(?m)^[`:]{{3,}}\{{solution-start\}} *(?P<label>.*?) *\n{_OPTIONS}(?P<body>(?s:.*?))^[`:]{{3,}}\{{solution-end\}}"
)
_CALL = re.compile(r"claim\.solution\(\s*[\"']([^\"']+)[\"']")


def refuse(page: str, found: Evidence) -> None:
    """Raise ValueError unless a solution is one of this page, `ex-<page>-<n>`, passes, and has a control that fails."""
    label = found.claim
    if not re.fullmatch(rf"ex-{re.escape(page)}-[1-9]\d*", label):
        raise ValueError(f"label must be ex-{page}-<n>, got {label!r}")
    if not found.passed:
        raise ValueError(
            f"the solution of {label} fails on {found.check.violations} of {found.check.instances} instances"
        )
    if not found.control_caught:
        raise ValueError(
            f"the control of {label} ({found.control_note}) fails on none of its instances"
        )


def read_exercises(text: str) -> list[tuple[str, str]]:
    """Return label and title of the exercises of the source of a page, in order."""
    labels = re.compile(r"(?m)^:label: *(.*?) *$")
    found = [
        (labels.search(match["options"]), match["title"])
        for match in _EXERCISE.finditer(text)
    ]
    return [(label[1] if label else "", title) for label, title in found]


def exercise_faults(text: str) -> list[str]:
    """Return what is wrong with the exercises of a page: each needs one folded solution with a call."""
    exercises = read_exercises(text)
    bare = [label or title for label, title in exercises if not (label and title)]
    faults = [f"{name}: an exercise needs a title and a label" for name in bare]
    folded = [
        match
        for match in _SOLUTION.finditer(text)
        if ":class: dropdown" in match["options"]
    ]
    solved = Counter(
        match["label"]
        for match in folded
        if _CALL.findall(match["body"]) == [match["label"]]
    )
    asked = Counter(label for label, _ in exercises)
    return faults + [
        f"{label}: not one exercise with one folded solution that calls claim.solution with its label"
        for label in asked | solved
        if not asked[label] == solved[label] == 1
    ]


def run_faults(text: str, run: Path) -> list[str]:
    """Return the exercises of a page whose solution was not run, and solutions that were run for none."""
    path = run / RECORD
    ran = set(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else set()
    labels = {label for label, _ in read_exercises(text)}
    faults = [f"the solution of {label} was not run" for label in sorted(labels - ran)]
    return faults + [
        f"a solution was run for {label}, which is no exercise"
        for label in sorted(ran - labels)
    ]
