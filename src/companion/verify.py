"""Verify the book: execute every notebook, judge every claim, compare every figure.

No kept execution is used and no page is rendered. Whatever goes wrong is listed, and
all the rest is still done. The report is JSON for programs, and Markdown that a reader
can attach to a review.
"""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import jinja2

from companion import __version__
from companion.build import Run, run_book
from companion.ledger.claims import JudgedClaim, scoreboard_lines
from companion.ledger.exercises import RECORD
from companion.ledger.verdicts import VERDICTS
from companion.paths import Layout, json_text, read_json, write_whole
from companion.provenance import (
    commit,
    describe_machine,
    installed,
    sha256_of,
    versions,
)
from companion.run.cache import Entry, failed_pages
from companion.run.normalise import without_paths
from companion.snapshots.compare import Distance
from companion.snapshots.update import verify_manifest

#: What the verdicts rest on, beside the code that the commit names.
INPUTS = (
    "data/claims.yml",
    "data/figures.yml",
    "data/results/manifest.json",
    "requirements.lock",
)
#: Libraries that notebooks check against, beside those that compute.
COMPARED = ("opendp", "dp-accounting", "joblib")
#: The form of the report, and how many names its sentence has of one kind.
FORMAT = "verification 3"
MOST_NAMES = 10
#: What a fault can be of, in words for the sentence.
KINDS = {
    "notebook": "notebook(s) that failed",
    "claim": "claim(s) not as the ledger says",
    "figure": "figure(s) with other data than the accepted ones",
    "exercise": "notebook(s) with exercises not in order",
    "accepted data": "file(s) of accepted data not accounted for",
}


@dataclass(frozen=True)
class Fault:
    """Hold one thing that is not as it must be: its kind and name, what is wrong."""

    kind: str
    name: str
    message: str


def _state(far: Distance) -> str:
    if far.changed:
        return "changed"
    return "within tolerance" if far.tolerances else "identical"


def _notebook(page: str, entry: Entry, message: str | None) -> dict[str, object]:
    """Return what the report says of a notebook; `message` says how it failed."""
    tests = 0
    solutions = 0
    if message is None:
        tests = len(list(entry.run.glob("evidence/*.json")))
        solved = entry.run / RECORD
        if solved.is_file():
            solutions = len(read_json(solved))
    return {
        "page": page,
        "state": "ran" if message is None else "failed",
        "tests": tests,
        "solutions": solutions,
        "seconds": entry.seconds,
        "processor_seconds": entry.usage.get("cpu_seconds"),
        "peak_mib": entry.usage.get("peak_mib"),
        "message": message,
    }


def _failure(faults: Sequence[Fault]) -> str:
    """Return the overall sentence of a report with faults."""
    parts = []
    for kind, words in KINDS.items():
        names = sorted({fault.name for fault in faults if fault.kind == kind})
        if names:
            parts.append(f"{len(names)} {words} ({', '.join(names[:MOST_NAMES])})")
    return f"NOT VERIFIED: {'; '.join(parts)}."


def _success(claims: Sequence[JudgedClaim], states: Sequence[str], pages: int) -> str:
    """Return the overall sentence of a report without faults."""
    verdicts = Counter(item.judgement.verdict for item in claims)
    aside = ""
    checked = len(claims)
    for name in ("outside", "not-yet-checked"):
        checked -= verdicts[name]
        if verdicts[name]:
            aside += f"; {verdicts[name]} more claims are {VERDICTS[name].words}"
    tests = sum(len(item.evidence) for item in claims)
    return (
        f"VERIFIED: each of {checked} claims has the verdict that the ledger prints, "
        f"computed from {tests} tests, each with a control, in {pages} notebooks that "
        f"were all run anew; the data of {len(states)} figures were computed again "
        f"and agree with the accepted ones ({states.count('identical')} to the last "
        f"digit){aside}."
    )


def _cell(value: object) -> str:
    """Return a value as a cell of a table."""
    return "–" if value is None else " ".join(str(value).replace("|", "\\|").split())


def _write(folder: Path, document: Mapping[str, object]) -> Path:
    """Write report.json and report.md into the folder and return the latter.

    Each is there whole or not at all.
    """
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("companion", "."),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters.update(
        cell=_cell, count="{:,}".format, verdict=lambda name: VERDICTS[name].words
    )
    report = environment.get_template("verify.md.j2")
    write_whole(folder / "report.json", json_text(document))
    write_whole(folder / "report.md", report.render(document).rstrip() + "\n")
    return folder / "report.md"


def _failed(layout: Layout, run: Run) -> dict[str, str]:
    """Return the traceback of each notebook that failed, without paths."""
    paths = {
        str(layout.root): "<book>",
        sys.prefix: "<python>",
        sys.base_prefix: "<python>",
    }
    return {
        page: without_paths(text, paths)
        for page, text in failed_pages(run.entries).items()
    }


def _all_faults(
    layout: Layout,
    run: Run,
    failed: Mapping[str, str],
    profile: str,
) -> list[Fault]:
    """Return what is not as it must be; of a notebook that failed, that alone."""
    lost = Counter(item.claim.notebook for item in run.ledger.claims)
    notebooks = [
        f"{page}: {text}\n"
        f"({lost[page]} claim(s) of this notebook have no verdict in this run)"
        for page, text in failed.items()
    ]
    figures = [
        f"{far.figure}: {far.message(profile)}"
        for page, far in _figures(run, failed)
        if far.changed
    ]
    lines = {
        "notebook": notebooks,
        "claim": run.differences,
        "figure": figures,
        "exercise": run.exercises,
        "accepted data": verify_manifest(layout.root),
    }
    faults = []
    for kind, own in lines.items():
        faults += [Fault(kind, *line.partition(": ")[::2]) for line in own]
    return faults


def _figures(run: Run, failed: Container[str]) -> list[tuple[str, Distance]]:
    """Return page and distance of the figures of notebooks that came to their end."""
    figures = []
    for name, far in run.figures.items():
        page = name.partition("/")[0]
        if page not in failed:
            figures.append((page, far))
    return figures


def _report(
    layout: Layout,
    run: Run,
    profile: str,
    failed: Mapping[str, str],
    faults: Sequence[Fault],
) -> dict[str, object]:
    """Return the report on a run, as JSON has it, but for the seconds that it took."""
    wrong = {fault.name for fault in faults if fault.kind == "claim"}
    claims = run.ledger.claims
    root = layout.root
    inputs = {name: sha256_of(root / name) for name in INPUTS if (root / name).exists()}
    figures = [
        {"figure": far.figure, "page": page, "state": _state(far)}
        for page, far in _figures(run, failed)
    ]
    notebooks = [
        _notebook(page, run.entries[page], failed.get(page)) for page in layout.pages()
    ]
    states = [figure["state"] for figure in figures]
    sentence = _failure(faults) if faults else _success(claims, states, len(notebooks))
    head = commit(layout.root)
    return {
        "report": FORMAT,
        "sentence": sentence,
        "passed": not faults,
        "faults": list(map(asdict, faults)),
        "made": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "book": {
            "version": __version__,
            "commit": head["id"],
            "modified": head["modified"],
        },
        "profile": profile,
        "machine": describe_machine(),
        "packages": {**versions(), **installed(COMPARED)},
        "inputs": inputs,
        "scoreboard": run.ledger.scoreboard,
        "notebooks": notebooks,
        "figures": figures,
        "claims": [_claim(item, wrong) for item in claims],
    }


def _claim(item: JudgedClaim, wrong: Container[str]) -> dict[str, object]:
    expected = item.judgement.verdict == item.claim.expected
    as_expected = expected and item.claim.id not in wrong
    return {**item.to_record(), "as_expected": as_expected}


def run_verify(layout: Layout, options: Namespace) -> int:
    """Run every notebook anew, write the report, print scoreboard and faults.

    The report is `_build/verify/report.md` and `.json`. The caller holds the build
    folder. Returns 0 where there is no fault, else 1. Apart from times and memory the
    same sources give the same report. Raises CompanionError before any work where
    ledger or registry are not as they must be.
    """
    started = time.monotonic()
    profile = options.profile
    run = run_book(layout, profile, jobs=options.jobs, force=True)
    failed = _failed(layout, run)
    faults = _all_faults(layout, run, failed, profile)
    document = _report(layout, run, profile, failed, faults)
    document["seconds"] = round(time.monotonic() - started, 1)
    report = _write(layout.build / "verify", document)
    print("", *scoreboard_lines(run.ledger.scoreboard), sep="\n")
    for fault in faults:
        print(f"\n{fault.kind} {fault.name}: {fault.message}")
    print(f"\n{document['sentence']}\nReport: {report}")
    return 1 if faults else 0
