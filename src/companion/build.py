"""Build the book: execute what changed, judge the claims, render, and only then replace the pages."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from filelock import FileLock, Timeout

from companion.ledger.claims import judged, load_claims
from companion.ledger.exercises import exercise_faults, run_faults
from companion.paths import CompanionError, Layout
from companion.run.cache import Entry
from companion.run.deviations import Notices, distances, notices_of, strict
from companion.run.runner import execute_pages, failures
from companion.site.downloads import write_downloads
from companion.site.render import recover, render, stage, swap
from companion.snapshots.compare import Distance
from companion.snapshots.update import verify_manifest


@contextmanager
def alone(layout: Layout) -> Iterator[None]:
    """Hold the build folder for one command at a time.

    Raises CompanionError where another one holds it, or where nothing can be written
    there.
    """
    try:
        layout.build.mkdir(parents=True, exist_ok=True)
        held = FileLock(layout.build / ".lock").acquire(timeout=0)
    except Timeout as error:
        raise CompanionError(
            "another command is at work on this book: try again when it has ended"
        ) from error
    except OSError as error:
        raise CompanionError(str(error)) from error
    with held:
        yield


def check_exercises(layout: Layout, entries: Mapping[str, Entry]) -> list[str]:
    """Return every exercise of these pages without a solution that was run, `page: fault`."""
    faults: list[str] = []
    for page, entry in sorted(entries.items()):
        text = layout.notebook(page).read_text(encoding="utf-8")
        faults += [
            f"{page}: {fault}"
            for fault in exercise_faults(text) or run_faults(text, entry.run)
        ]
    return faults


@dataclass(frozen=True)
class Run:
    """Hold what a run of all pages gave, and what of it is not as it must be; `executed` names what is new."""

    entries: dict[str, Entry]
    executed: tuple[str, ...]
    ledger: dict[str, Any]
    disagreements: list[str]
    figures: dict[str, Distance]
    exercises: list[str]
    notices: Notices

    @property
    def failed(self) -> str:
        """What failed, each notebook with its traceback; nothing where all came to their end."""
        return failures(self.entries)


def run_book(
    layout: Layout, profile: str, *, jobs: int | None = None, force: bool = False
) -> Run:
    """Execute what changed, judge every claim on what came to its end, and compare every figure.

    The caller holds the build folder. Raises CompanionError before any work where the
    ledger or the registry is not as it must be; all else that is not is in what is
    returned.
    """
    pages = {claim["id"]: claim["notebook"] for claim in load_claims(layout.root)}
    entries, executed = execute_pages(layout, profile, jobs=jobs, force=force)
    whole = {page: entry for page, entry in entries.items() if entry.failed is None}
    ledger, faults = judged(
        layout.root, [entry.run / "evidence" for _, entry in sorted(whole.items())]
    )
    figures = distances(layout, entries, profile)
    notices = notices_of(layout, profile, entries, figures, faults, pages)
    return Run(
        entries,
        executed,
        ledger,
        faults,
        figures,
        check_exercises(layout, whole),
        notices,
    )


def prepare(
    layout: Layout, profile: str, *, jobs: int | None = None, whole: bool = True
) -> Run:
    """Run the book and stage its pages.

    The caller holds the build folder. What is not as accepted is a notice, or an error
    where the build is strict. Raises CompanionError that says what failed; a notebook
    that failed is an error unless the book may be in part.
    """
    recover(layout)
    if faults := verify_manifest(layout.root):
        raise CompanionError(
            "accepted data are not as they were accepted; nothing was executed:\n"
            + "\n".join(faults)
            + "\nBring the file back from the repository, or accept the figure again."
        )
    run = run_book(layout, profile, jobs=jobs)
    told = [far.told(profile) for far in run.figures.values() if far.tolerances > 1]
    if run.failed and (strict() or whole):
        raise CompanionError("\n".join([*told, run.failed]))
    if told and strict():
        raise CompanionError("\n".join(told))
    if run.exercises:
        raise CompanionError(
            "exercises and their solutions do not agree:\n" + "\n".join(run.exercises)
        )
    if run.disagreements and strict():
        raise CompanionError(
            "the ledger and the evidence do not agree:\n" + "\n".join(run.disagreements)
        )
    stage(layout, run.ledger, run.entries, run.notices)
    return run


def build(
    layout: Layout, profile: str, *, jobs: int | None = None
) -> tuple[Run, int, float]:
    """Build the whole book for one profile; on any failure the pages that were there stay as they were.

    The caller holds the build folder. Returns the run, how many pages were written, and
    the seconds it took. A notebook that failed has its page as far as it ran, unless
    the build is strict; `failed` then holds it. Raises CompanionError that says what
    failed, tracebacks of notebooks included.
    """
    started = time.monotonic()
    run = prepare(layout, profile, jobs=jobs, whole=False)
    html, pages = render(layout, strict=not run.failed)
    write_downloads(layout, run.entries, run.ledger, html)
    swap(layout, html)
    return run, pages, time.monotonic() - started
