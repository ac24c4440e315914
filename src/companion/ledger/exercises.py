"""Exercises of a page: read them from its source, record that their solutions were run, find what is missing.

An exercise is written with the directives of sphinx-exercise. Its solution stands between `solution-start` and
`solution-end` and calls `claim.solution` with the label of the exercise, so that no solution is printed unchecked.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from companion.ledger.verdicts import Counts
from companion.shown import non_empty

__all__ = ["RECORD", "exercise_faults", "read_exercises", "run_faults", "solution_record"]

#: Where a run notes the solutions that it checked.
RECORD = "solutions.json"

_OPTIONS = r"(?P<options>(?::[a-z]+:.*\n)*)"
_EXERCISE = re.compile(rf"(?m)^[`:]{{3,}}\{{exercise(?:-start)?\}} *(?P<title>.*?) *\n{_OPTIONS}")
_SOLUTION = re.compile(
    rf"(?m)^[`:]{{3,}}\{{solution-start\}} *(?P<label>.*?) *\n{_OPTIONS}(?P<body>(?s:.*?))^[`:]{{3,}}\{{solution-end\}}"
)
_CALL = re.compile(r"claim\.solution\(\s*[\"']([^\"']+)[\"']")


def _label_pattern(page: str) -> re.Pattern[str]:
    return re.compile(rf"ex-{re.escape(page)}-[1-9]\d*")


def solution_record(page: str, label: str, check: Counts, control: Counts, control_note: str) -> dict[str, Any]:
    """Return what a run notes of a solution that passes, with a control that is caught.

    Raises ValueError for a label that is not `ex-<page>-<n>`, an empty note, a check that has violations or
    instances of which there are none, and a control without a violation.
    """
    label, control_note = non_empty("label", label), non_empty("control_note", control_note)
    if not _label_pattern(page).fullmatch(label):
        raise ValueError(f"label must be ex-{page}-<n>, got {label!r}")
    for name, value in (("check", check), ("control", control)):
        if value.instances < 1:
            raise ValueError(f"{name} must have tried something, got {value.instances} instances ({label})")
    if check.violations:
        raise ValueError(f"the solution of {label} fails on {check.violations} of {check.instances} instances")
    if not control.violations:
        raise ValueError(f"the control of {label} ({control_note}) fails on none of {control.instances} instances")
    return {
        "instances": check.instances,
        "arithmetic": check.arithmetic,
        "control_note": control_note,
        "control_instances": control.instances,
        "control_violations": control.violations,
    }


def read_exercises(text: str) -> list[tuple[str, str]]:
    """Return label and title of the exercises of the source of a page, in order."""
    labels = re.compile(r"(?m)^:label: *(.*?) *$")
    found = [(labels.search(match["options"]), match["title"]) for match in _EXERCISE.finditer(text)]
    return [(label[1] if label else "", title) for label, title in found]


def exercise_faults(page: str, text: str) -> list[str]:
    """Return what is wrong with the exercises of a page: each needs a label, one folded solution, one call."""
    exercises, solutions = read_exercises(text), [match.groupdict() for match in _SOLUTION.finditer(text)]
    labels = [label for label, _ in exercises]
    faults = [f"label {label} is given twice" for label, count in Counter(labels).items() if count > 1]
    for label, title in exercises:
        name, own = label or title or "an exercise", [one for one in solutions if one["label"] == label]
        calls = sum(_CALL.findall(one["body"]).count(label) for one in own)
        if not _label_pattern(page).fullmatch(label):
            faults.append(f"{name}: the label must be ex-{page}-<n>, got {label!r}")
        if not title:
            faults.append(f"{name}: it has no title")
        if len(own) != 1:
            faults.append(f"{name}: it has {len(own)} solutions")
        elif calls != 1:
            faults.append(f"{name}: its solution calls claim.solution with its label {calls} times")
        elif ":class: dropdown" not in own[0]["options"]:
            faults.append(f"{name}: its solution is not folded (:class: dropdown)")
    return faults + [
        f"{one['label']}: a solution without an exercise" for one in solutions if one["label"] not in labels
    ]


def run_faults(page: str, text: str, run: Path) -> list[str]:
    """Return the exercises of a page whose solution was not run, and solutions that were run for none."""
    path = run / RECORD
    ran = set(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else set()
    labels = {label for label, _ in read_exercises(text)}
    faults = [f"{page}: the solution of {label} was not run" for label in sorted(labels - ran)]
    return faults + [f"{page}: a solution was run for {label}, which is no exercise" for label in sorted(ran - labels)]
