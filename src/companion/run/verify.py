"""Verify the book: execute every notebook anew, judge every claim, compare every figure, and report.

No kept execution is used and no page is rendered. Whatever goes wrong is listed, and all the rest is still done.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.ledger.accepted import FigureChanged, compare_file
from companion.ledger.claims import (
    LedgerError,
    Scoreboard,
    count_verdicts,
    errata_of,
    examine,
    load_claims,
    load_sources,
    read_evidence,
)
from companion.ledger.exercises import RECORD, exercise_faults, run_faults
from companion.ledger.verdicts import Evidence
from companion.paths import CompanionError, Layout
from companion.profiles import check_profile
from companion.run.acceptance import verify_manifest
from companion.run.build import alone
from companion.run.cache import Entry
from companion.run.notices import tables_of
from companion.run.runner import BuildFailed, execute_pages
from companion.run.verify_report import Fault, compose, sentence_of, write_report

__all__ = ["Verified", "run_verify", "verify"]


@dataclass(frozen=True)
class Verified:
    """Say how a verification came out, and where its report lies."""

    sentence: str
    faults: list[Fault]
    scoreboard: Scoreboard
    report: Path


def _figures(layout: Layout, entries: Mapping[str, Entry], profile: str) -> tuple[list[dict[str, str]], list[Fault]]:
    """Return the state of each figure of the notebooks that came to their end, and those that are not as accepted."""
    states, faults = [], []
    for page, spec, path in tables_of(layout, {page: entry.run for page, entry in entries.items()}):
        accepted, state = layout.reference(profile, spec.id), "identical"
        try:
            if not path.is_file():
                raise FigureChanged(f"figure {spec.id} was not made")
            if not accepted.is_file() or path.read_bytes() != accepted.read_bytes():
                compare_file(layout, spec, profile, path)
                state = "within tolerance"
        except FigureChanged as error:
            state = "changed"
            faults.append(Fault("figure", spec.id, str(error)))
        states.append({"figure": spec.id, "page": page, "state": state})
    return states, faults


def _evidence(entries: Mapping[str, Entry], failures: dict[str, str]) -> dict[str, list[Evidence]]:
    """Return the evidence of each notebook that came to its end; one whose evidence cannot be read has failed."""
    found: dict[str, list[Evidence]] = {}
    for page, entry in entries.items():
        try:
            found[page] = read_evidence([entry.run / "evidence"])
        except LedgerError as error:
            failures[page] = f"its evidence cannot be read:\n{error}"
    return found


def _notebook(entry: Entry | None, tests: int, message: str | None) -> dict[str, Any]:
    solved = entry.run / RECORD if entry else None
    return {
        "state": "ran" if message is None else "failed",
        "tests": tests,
        "solutions": len(json.loads(solved.read_text(encoding="utf-8"))) if solved and solved.is_file() else 0,
        "seconds": entry.seconds if entry else 0.0,
        "processor_seconds": entry.usage.get("cpu_seconds") if entry else None,
        "peak_mib": entry.usage.get("peak_mib") if entry else None,
        "message": message,
    }


def verify(layout: Layout, profile: str, *, jobs: int | None = None) -> Verified:
    """Run every notebook anew, `jobs` at a time (default: one a core), and write `_build/verify/report.md` and `.json`.

    Raises CompanionError before any work where the profile, `jobs`, the ledger or the registry is not as it must be,
    or a build is running.
    """
    started = time.monotonic()
    check_profile(profile)
    with alone(layout):
        try:
            claims = load_claims(layout.root)
        except LedgerError as error:
            raise CompanionError(f"the ledger is not as it must be:\n{error}") from error
        failures: dict[str, str] = {}
        try:
            entries = execute_pages(layout, profile, jobs=jobs, force=True)[0]
        except BuildFailed as error:
            failures = {failure.page: failure.message for failure in error.failures}
            entries = {page: entry for page, entry in error.entries.items() if entry.failed is None}
        evidence = _evidence(entries, failures)
        flat = [item for page in sorted(evidence) for item in evidence[page]]
        judgements, wrong = examine(claims, flat, evidence, errata_of(load_sources(layout.root)))
        figures, changed = _figures(layout, entries, profile)
        own = Counter(claim.notebook for claim in claims)
        lost = "\n({} claim(s) of this notebook have no verdict in this run)"
        faults = [Fault("notebook", page, text + lost.format(own[page])) for page, text in sorted(failures.items())]
        faults += [Fault("claim", *fault.split(": ", 1)) for fault in wrong] + changed
        for page in evidence:
            text = layout.notebook(page).read_text(encoding="utf-8")
            told = exercise_faults(page, text) or run_faults(page, text, entries[page].run)
            faults += [Fault("exercise", page, fault.removeprefix(f"{page}: ")) for fault in told]
        faults += [Fault("accepted data", *fault.split(": ", 1)) for fault in verify_manifest(layout.root)]
        notebooks = [
            {"page": page, **_notebook(entries.get(page), len(evidence.get(page, ())), failures.get(page))}
            for page in layout.pages()
        ]
        document = compose(layout, profile, claims, judgements, flat, notebooks, figures, faults)
        document["seconds"] = round(time.monotonic() - started, 1)
        report = write_report(layout, layout.build / "verify", document)
    return Verified(sentence_of(document), faults, count_verdicts(judgements), report)


def run_verify(layout: Layout, options: Any) -> int:
    """Run the command `verify`: print the scoreboard and every fault; return 0 where there is none, else 1."""
    done = verify(layout, options.profile, jobs=options.jobs)
    print()
    print("\n".join(done.scoreboard.lines()))
    for fault in done.faults:
        print(f"\n{fault.kind} {fault.name}: {fault.message}")
    print(f"\n{done.sentence}")
    print(f"Report: {done.report}")
    return 1 if done.faults else 0
