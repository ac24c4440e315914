"""Verify the book: run every notebook anew, judge every claim, compare every figure that was asked for, and report.

No kept execution is used and no page is rendered. Whatever goes wrong is listed, and all the rest is still done.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.acceptance import verify_manifest
from companion.build import alone
from companion.cache import latest_parts
from companion.exercises import RECORD, exercise_faults, run_faults
from companion.ledger import (
    Claim,
    LedgerError,
    Scoreboard,
    count_verdicts,
    errata_of,
    examine,
    load_claims,
    load_sources,
    read_evidence,
)
from companion.paths import CompanionError, Layout
from companion.profiles import check_profile
from companion.progress import Display
from companion.registry import load_registry
from companion.verdicts import Evidence, Judgement
from companion.verify_page import FIGURES
from companion.verify_report import Fault, Timing, compose, sentence_of, write_report
from companion.verify_run import Ran, run_notebooks

__all__ = ["Verified", "run_verify", "verify"]

#: The verdicts on what was seen in a run.
RERUN = ("reproduced", "variant-only", "not-reproduced")


@dataclass(frozen=True)
class Verified:
    """Say how a verification came out, and where its report lies."""

    passed: bool
    sentence: str
    faults: list[Fault]
    scoreboard: Scoreboard
    report: Path
    seconds: float
    processor_seconds: float


def _claims(layout: Layout) -> list[Claim]:
    try:
        return load_claims(layout.root)
    except LedgerError as error:
        raise CompanionError(f"the ledger is not as it must be:\n{error}") from error


def _longest_first(layout: Layout, profile: str, claims: Sequence[Claim], last: Path) -> list[str]:
    """Return the pages, the longest first, so that none runs alone at the end.

    How long one takes is known from the last report, or a build. Else those with claims about experiments, which are
    run again, go before the others, and long notebooks before short ones.
    """
    known = {
        str(one["page"]): float(one["seconds"]) for one in _read(last).get("notebooks", ()) if one["state"] == "ran"
    }
    runs = Counter(claim.notebook for claim in claims if claim.expected in RERUN)

    def length(page: str) -> tuple[float, int, int, str]:
        kept = latest_parts(layout, page, profile)
        seconds = known.get(page) or (kept[1] if kept else math.inf)
        return -seconds, -runs[page], -layout.notebook(page).stat().st_size, page

    return sorted(layout.pages(), key=length)


def _evidence(ran: Sequence[Ran]) -> dict[str, list[Evidence]]:
    """Return the evidence of each notebook that came to its end; one whose evidence cannot be read has failed."""
    found: dict[str, list[Evidence]] = {}
    for one in ran:
        if one.message is None:
            try:
                found[one.page] = read_evidence([one.run / "evidence"])
            except LedgerError as error:
                one.message = f"its evidence cannot be read:\n{error}"
    return found


def _read(path: Path) -> dict[str, Any]:
    try:
        document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return document


def _exercise_faults(layout: Layout, ran: Sequence[Ran]) -> list[Fault]:
    faults = []
    for one in ran:
        if one.message is None:
            text = layout.notebook(one.page).read_text(encoding="utf-8")
            own = exercise_faults(one.page, text) or run_faults(one.page, text, one.run)
            faults += [Fault("exercise", one.page, fault.removeprefix(f"{one.page}: ")) for fault in own]
    return faults


def _judge(
    layout: Layout, claims: Sequence[Claim], evidence: Mapping[str, Sequence[Evidence]]
) -> tuple[dict[str, Judgement], list[Fault]]:
    """Judge all claims on the notebooks that came to their end; those of the others have no verdict in this run."""
    errata = errata_of(load_sources(layout.root))
    flat = [item for page in sorted(evidence) for item in evidence[page]]
    judgements, faults = examine(claims, flat, evidence, errata)
    split = [fault.partition(": ") for fault in faults]
    return judgements, [Fault("claim", name, message) for name, _, message in split]


def _lost(claims: Sequence[Claim], one: Ran) -> str:
    own = sum(claim.notebook == one.page for claim in claims)
    return f"{one.message}\n({own} claim(s) of this notebook have no verdict in this run)"


def verify(layout: Layout, profile: str, *, jobs: int | None = None) -> Verified:
    """Run every notebook anew, `jobs` at a time (default: one a core), and write `_build/verify/report.md` and `.json`.

    Raises CompanionError before any work where the profile, `jobs`, the ledger or the registry is not as it must be,
    or a build is running.
    """
    started, before = time.monotonic(), sum(os.times()[:4])
    check_profile(profile)
    workers = (os.cpu_count() or 1) if jobs is None else jobs
    with alone(layout):
        claims, registry = _claims(layout), load_registry(layout.registry)
        folder = layout.build / "verify"
        pages = _longest_first(layout, profile, claims, folder / "report.json")
        with Display(len(pages)) as display:
            specs = list(registry.values())
            ran = run_notebooks(layout, profile, pages, specs, folder / "runs", display, jobs=workers)
        evidence = _evidence(ran)
        figures = {one.page: _read(one.run / FIGURES) for one in ran}
        judgements, wrong = _judge(layout, claims, evidence)
        faults = [
            *(Fault("notebook", one.page, _lost(claims, one)) for one in ran if one.message is not None),
            *wrong,
            *(
                Fault("figure", name, figure["message"])
                for page in sorted(figures)
                for name, figure in sorted(figures[page].items())
                if figure["state"] == "changed"
            ),
            *_exercise_faults(layout, ran),
            *(Fault("accepted data", *fault.split(": ", 1)) for fault in verify_manifest(layout.root)),
        ]
        solutions = {one.page: len(_read(one.run / RECORD)) for one in ran}
        processor = sum(one.processor_seconds or 0.0 for one in ran) + max((one.imports for one in ran), default=0.0)
        timing = Timing(workers, time.monotonic() - started, processor + sum(os.times()[:4]) - before)
        document = compose(layout, profile, claims, judgements, evidence, ran, figures, solutions, faults, timing)
        report = write_report(layout, folder, document)
    return Verified(
        not faults,
        sentence_of(document),
        faults,
        count_verdicts(judgements),
        report,
        timing.seconds,
        timing.processor_seconds,
    )


def run_verify(layout: Layout, options: Any) -> int:
    """Run the command `verify`: print the scoreboard and every fault; return 0 where there is none, else 1."""
    done = verify(layout, options.profile, jobs=options.jobs)
    print()
    print("\n".join(done.scoreboard.lines()))
    for fault in done.faults:
        print(f"\n{fault.kind} {fault.name}: {fault.message}")
    print(f"\n{done.sentence}")
    print(f"Profile {options.profile}: {done.seconds:.1f} s, {done.processor_seconds:.1f} processor seconds")
    print(f"Report: {done.report}")
    return 0 if done.passed else 1
