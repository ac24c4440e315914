"""Print the report of a verification as Markdown: one screen of summary, then what it rests on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.verdicts import VERDICTS

__all__ = ["markdown"]


def _cell(value: object) -> str:
    text = "–" if value is None else str(value)
    return " ".join(text.replace("|", "\\|").split())


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Return a table; a heading that begins with > is set to the right."""
    names = [name.removeprefix(">") for name in head]
    marks = ["--:" if name.startswith(">") else ":--" for name in head]
    lines = [names, marks, *([_cell(value) for value in row] for row in rows)]
    return [*("| " + " | ".join(line) + " |" for line in lines), ""]


def _counted(number: float) -> str:
    return f"{number:,.1f}"


def _fence(text: str) -> list[str]:
    mark = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    return [f"{mark}text", *text.rstrip().splitlines(), mark, ""]


def _commit(book: Mapping[str, Any]) -> str:
    if book["commit"] is None:
        return "none: not in a repository"
    changed = "with changes that are not committed" if book["modified"] else "nothing changed since"
    return f"`{book['commit']}`, {changed}"


def _lock(lock: Mapping[str, Any] | None) -> str:
    if lock is None:
        return "none"
    other = ", ".join(f"{name} {version}" for name, version in lock["differing"].items())
    state = f"{len(lock['differing'])} in another version: {other}" if other else "all of them in the version it names"
    return f"{lock['installed']} of {lock['pins']} pins installed, {state}"


def _summary(report: Mapping[str, Any]) -> list[str]:
    machine = report["machine"]
    asked = [figure for figure in report["figures"] if figure["state"] != "not asked for"]
    packages = ", ".join(f"{name} {version}" for name, version in sorted(report["packages"].items()))
    peaks = [one["peak_mib"] for one in report["notebooks"] if one["peak_mib"] is not None]
    rows = [
        ("Made", report["made"].replace("T", " ").replace("Z", " UTC")),
        ("Version", report["book"]["version"]),
        ("Commit", _commit(report["book"])),
        ("Profile", report["profile"]),
        ("Machine", f"{machine['cpus']} processors, {machine['architecture']}, {machine['system']}"),
        (
            "Time",
            f"{_counted(report['seconds'])} s on the clock with {report['workers']} notebook(s) at a time, "
            f"{_counted(report['processor_seconds'])} processor seconds",
        ),
        ("Most memory", f"{max(peaks):,} MiB in one notebook" if peaks else "not told"),
        ("Notebooks", f"{len(report['notebooks'])}, all run anew; no kept execution was used"),
        (
            "Figures",
            f"{len(asked)} of {len(report['figures'])} computed and compared; no cell reads the data of the others",
        ),
        ("Lock", _lock(report["lock"])),
        ("Packages", packages),
    ]
    counts = [(VERDICTS[name], count) for name, count in report["scoreboard"].items()]
    return [
        *("# Verification of the book", "", f"**{report['sentence']}**", ""),
        *_table(("", ""), rows),
        *_table(("Verdict", ">claims"), [*counts, ("in all", len(report["claims"]))]),
    ]


def _faults(report: Mapping[str, Any]) -> list[str]:
    if not report["faults"]:
        return []
    lines = ["## What is not as it must be", ""]
    for fault in report["faults"]:
        lines += [f"- {fault['kind']} `{fault['name']}`", "", *_fence(fault["message"])]
    return lines


def _tested(item: Mapping[str, Any]) -> tuple[object, ...]:
    control = item["control"]
    role = item["role"].replace("-", " ") + (f" ({item['note']})" if item["note"] else "")
    return (
        role,
        f"{item['violations']:,} of {item['instances']:,}",
        f"{item['worst_slack']:.3g}",
        item["arithmetic"],
        item["seed"],
        f"{control['note']}: {control['violations']:,} of {control['instances']:,} fail",
    )


def _claims(report: Mapping[str, Any]) -> list[str]:
    rows: list[tuple[object, ...]] = []
    for claim in report["claims"]:
        verdict = VERDICTS[claim["verdict"]] + (", a step of the proof breaks" if claim["proof_gap"] else "")
        if not claim["as_expected"]:
            verdict = f"**{verdict}** (expected: {VERDICTS[claim['expected']]})"
        grade = f"{verdict} ({claim['grade']})" if claim["grade"] else verdict
        tests = [_tested(item) for item in claim["evidence"]] or [("–",) * 6]
        rows.append((f"`{claim['id']}`", grade, *tests[0]))
        rows += [("", "", *test) for test in tests[1:]]
    head = ("claim", "verdict", "tested", ">fail", ">smallest margin", "arithmetic", ">seed", "control")
    told = (
        "One line for each test. A verdict is computed from the tests alone; a control is a broken version that the "
        "same test must reject (or, where the statement fails, a mended one that it must pass)."
    )
    return ["## Claims", "", told, "", *_table(head, rows)]


def _notebooks(report: Mapping[str, Any]) -> list[str]:
    head = ("notebook", "state", ">cells", ">tests", ">solutions", ">s", ">processor s", ">peak MiB")
    keys = ("page", "state", "cells", "evidence", "solutions", "seconds", "processor_seconds", "peak_mib")
    rows = [[one[key] for key in keys] for one in report["notebooks"]]
    figures = [[one[key] for key in ("figure", "page", "state", "processor_seconds")] for one in report["figures"]]
    return [
        *("## Notebooks", "", *_table(head, rows)),
        *("## Figures", ""),
        "*Identical*: the data are the accepted ones to the last digit. *Not asked for*: no cell reads its data.",
        *("", *_table(("figure", "notebook", "data", ">processor s"), figures)),
    ]


def _inputs(report: Mapping[str, Any]) -> list[str]:
    rows = [(f"`{name}`", f"`{digest}`") for name, digest in sorted(report["inputs"].items())]
    return ["## Hashes (SHA-256)", "", *_table(("file", "hash"), rows)]


def markdown(report: Mapping[str, Any]) -> str:
    """Return the text of a report that fits `verify.schema.json`."""
    parts = [_summary(report), _faults(report), _claims(report), _notebooks(report), _inputs(report)]
    return "\n".join(line for part in parts for line in part).rstrip() + "\n"
