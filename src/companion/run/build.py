"""Build the book: execute what changed, judge the claims, render, and only then replace the pages."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from companion.ledger.claims import Scoreboard, load_claims, write_claims_json
from companion.ledger.exercises import exercise_faults, run_faults
from companion.paths import CompanionError, Layout
from companion.profiles import check_profile
from companion.publish.downloads import write_downloads
from companion.run.acceptance import verify_manifest
from companion.run.cache import Entry
from companion.run.notices import Notices, changed_figures, notices_of, strict
from companion.run.runner import BuildFailed, execute_pages
from companion.site.render import recover, render, stage, swap

__all__ = ["Prepared", "alone", "build", "check_exercises", "execute_pages", "judge_claims", "prepare"]


@contextmanager
def alone(layout: Layout) -> Iterator[None]:
    """Hold the build folder for one build at a time; raise CompanionError where another one holds it."""
    layout.build.mkdir(parents=True, exist_ok=True)
    with (layout.build / ".lock").open("w", encoding="utf-8") as stream:
        try:
            import fcntl
        except ImportError:  # no such lock on this system: two builds at once are up to the reader
            yield
            return
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CompanionError("another build of this book is running") from error
        yield


def judge_claims(layout: Layout, entries: Mapping[str, Entry], out: Path, *, tolerant: bool = False) -> Scoreboard:
    """Judge every claim on the evidence of the executions that came to their end, and write claims.json.

    Raises LedgerError where a verdict is not the expected one; where it is `tolerant`, the scoreboard says so.
    """
    folders = [entry.run / "evidence" for _, entry in sorted(entries.items()) if entry.failed is None]
    return write_claims_json(layout.root, folders, out, strict=not tolerant)


def check_exercises(layout: Layout, entries: Mapping[str, Entry]) -> list[str]:
    """Return every exercise of these pages without a solution that was run, `page: fault`."""
    faults: list[str] = []
    for page, entry in sorted(entries.items()):
        text = layout.notebook(page).read_text(encoding="utf-8")
        own = [f"{page}: {fault}" for fault in exercise_faults(page, text)]
        faults += own or run_faults(page, text, entry.run)
    return faults


@dataclass(frozen=True)
class Prepared:
    """Hold the executions, the names of those that are new, the judged ledger, the notices, and what failed."""

    entries: dict[str, Entry]
    executed: tuple[str, ...]
    scoreboard: Scoreboard
    notices: Notices
    failed: BuildFailed | None


def prepare(
    layout: Layout, profile: str, claims: Path, *, jobs: int | None = None, force: bool = False, whole: bool = True
) -> Prepared:
    """Check the ledger, execute what changed, check the exercises, and judge the claims into the file `claims`.

    The caller holds the build folder. What is not as accepted is a notice, or an error where the build is strict.
    Raises CompanionError that says what failed; a notebook that failed is an error unless the book may be in part.
    """
    recover(layout)
    claim_pages = {claim.id: claim.notebook for claim in load_claims(layout.root)}
    if faults := verify_manifest(layout.root):
        raise CompanionError(
            "accepted data are not as they were accepted; nothing was executed:\n"
            + "\n".join(faults)
            + "\nBring the file back from the repository, or accept the figure again."
        )
    failed = None
    try:
        entries, executed = execute_pages(layout, profile, jobs=jobs, force=force)
    except BuildFailed as error:
        entries, executed, failed = dict(error.entries), error.executed, error
    figures = changed_figures(layout, {page: entry.run for page, entry in entries.items()}, profile)
    if failed is not None and (strict() or whole or set(failed.failures) - set(entries)):
        raise CompanionError("\n".join([*map(str, figures.values()), str(failed)])) from failed
    if figures and strict():
        raise CompanionError("\n".join(map(str, figures.values())))
    whole_ones = {page: entry for page, entry in entries.items() if entry.failed is None}
    if faults := check_exercises(layout, whole_ones):
        raise CompanionError("exercises and their solutions do not agree:\n" + "\n".join(faults))
    scoreboard = judge_claims(layout, entries, claims, tolerant=not strict())
    notices = notices_of(layout, profile, entries, figures, scoreboard.faults, claim_pages)
    return Prepared(entries, executed, scoreboard, notices, failed)


def build(
    layout: Layout,
    profile: str,
    *,
    jobs: int | None = None,
    force: bool = False,
    render_pages: bool = True,
) -> tuple[Prepared, int, float]:
    """Build the whole book for one profile; on any failure the pages that were there stay as they were.

    Returns what was prepared, how many pages were written, and the seconds it took. A notebook that failed has its page
    as far as it ran, unless the build is strict; `failed` then holds it.
    Raises CompanionError that says what failed, tracebacks of notebooks included.
    """
    started = time.monotonic()
    check_profile(profile)
    pages = 0
    with alone(layout):
        claims = (layout.stage if render_pages else layout.build) / "claims.json"
        run = prepare(layout, profile, claims, jobs=jobs, force=force, whole=not render_pages)
        if render_pages:
            stage(layout, run.entries, run.notices)
            html, pages = render(layout, strict=run.failed is None)
            write_downloads(layout, run.entries, claims, html)
            swap(layout, html)
    return run, pages, time.monotonic() - started
