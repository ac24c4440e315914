"""Exercises of a page: read them from its source, record that their solutions were run, find what is missing.

An exercise is written with the directives of sphinx-exercise. Its solution stands between `solution-start` and
`solution-end` and calls `claim.solution` with the label of the exercise, so that no solution is printed unchecked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.ledger.verdicts import Counts
from companion.shown import non_empty

__all__ = ["RECORD", "Exercise", "exercise_faults", "read_exercises", "run_faults", "solution_record"]

#: Where a run notes the solutions that it checked.
RECORD = "solutions.json"

_EXERCISE = re.compile(r"(?m)^[`:]{3,}\{exercise(?:-start)?\} *(?P<title>.*?) *\n")
_OPTIONS = re.compile(r"(?::[a-z]+:.*\n)*")
_END = re.compile(r"(?m)^[`:]{3,}\{solution-end\}")
_CALL = re.compile(r"claim\.solution\(\s*[\"'](?P<label>[^\"']+)[\"']")


@dataclass(frozen=True)
class Exercise:
    """Hold one exercise of a page: its label and title, and how its solution is written."""

    label: str
    title: str
    solutions: int
    calls: int
    dropdown: bool


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


def _solutions(text: str) -> dict[str, list[tuple[bool, int]]]:
    """Return the solutions by label: whether each is folded, and how often it calls claim.solution with its label."""
    found: dict[str, list[tuple[bool, int]]] = {}
    for part in re.split(r"(?m)^[`:]{3,}\{solution-start\}", text)[1:]:
        head, body = part.split("\n", 1)
        inside = body if (end := _END.search(body)) is None else body[: end.start()]
        calls = [match["label"] for match in _CALL.finditer(inside if end else "")]
        found.setdefault(head.strip(), []).append(
            (_options(body).get("class") == "dropdown", calls.count(head.strip()))
        )
    return found


def _options(text: str) -> dict[str, str]:
    """Return the options at the beginning of the text of a directive."""
    return dict(re.findall(r"(?m)^:([a-z]+): *(.*?) *$", _OPTIONS.match(text)[0]))  # type: ignore[index]


def read_exercises(text: str) -> list[Exercise]:
    """Return the exercises of the source of a page, in order."""
    solutions, exercises = _solutions(text), []
    for match in _EXERCISE.finditer(text):
        label = _options(text[match.end() :]).get("label", "")
        own = solutions.get(label, [])
        folded, calls = any(folds for folds, _ in own), sum(count for _, count in own)
        exercises.append(Exercise(label, match["title"], len(own), calls, folded))
    return exercises


def exercise_faults(page: str, text: str) -> list[str]:
    """Return what is wrong with the exercises of a page: each needs a label, one folded solution, one call."""
    exercises = read_exercises(text)
    labels = [exercise.label for exercise in exercises]
    faults = [f"label {label} is given twice" for label in sorted({name for name in labels if labels.count(name) > 1})]
    for exercise in exercises:
        name = exercise.label or exercise.title or "an exercise"
        if not _label_pattern(page).fullmatch(exercise.label):
            faults.append(f"{name}: the label must be ex-{page}-<n>, got {exercise.label!r}")
        if not exercise.title:
            faults.append(f"{name}: it has no title")
        if exercise.solutions != 1:
            faults.append(f"{name}: it has {exercise.solutions} solutions")
        elif exercise.calls != 1:
            faults.append(f"{name}: its solution calls claim.solution with its label {exercise.calls} times")
        elif not exercise.dropdown:
            faults.append(f"{name}: its solution is not folded (:class: dropdown)")
    faults += [f"{label}: a solution without an exercise" for label in _solutions(text) if label not in labels]
    return faults


def run_faults(page: str, text: str, run: Path) -> list[str]:
    """Return the exercises of a page whose solution was not run, and solutions that were run for none."""
    path = run / RECORD
    ran: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    labels = {exercise.label for exercise in read_exercises(text)}
    faults = [f"{page}: the solution of {label} was not run" for label in sorted(labels - set(ran))]
    return faults + [
        f"{page}: a solution was run for {label}, which is no exercise" for label in sorted(set(ran) - labels)
    ]
