"""Build the book: execute what changed, judge the claims, render.

Only then are the pages replaced.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from filelock import FileLock, Timeout

from companion.ledger.claims import JudgedClaim, Ledger, judged, load_claims
from companion.ledger.exercises import exercise_faults, run_faults
from companion.ledger.verdicts import Judgement
from companion.paths import CompanionError, Layout
from companion.run.cache import Entry, failed_pages
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
    """Return every exercise of these pages without a solution that was run.

    Each is a line `page: fault`.
    """
    lines: list[str] = []
    for page, entry in sorted(entries.items()):
        text = layout.notebook(page).read_text(encoding="utf-8")
        faults = exercise_faults(text) or run_faults(text, entry.run)
        lines += [f"{page}: {fault}" for fault in faults]
    return lines


@dataclass(frozen=True)
class Run:
    """Hold what a run of all pages gave, and what of it is not as it must be.

    `executed` names what is new.
    """

    entries: dict[str, Entry]
    executed: tuple[str, ...]
    ledger: Ledger
    disagreements: list[str]
    figures: dict[str, Distance]
    exercises: list[str]
    notices: Notices

    @property
    def failed(self) -> str:
        """What failed, each notebook with its traceback; empty where none did."""
        return failures(self.entries)

    @property
    def judged(self) -> list[JudgedClaim]:
        """The claims of the notebooks that came to their end."""
        whole = self.entries.keys() - failed_pages(self.entries).keys()
        return [item for item in self.ledger.claims if item.claim.notebook in whole]

    @property
    def differences(self) -> list[str]:
        """The disagreements, without those of claims whose notebook failed."""
        failed = failed_pages(self.entries)
        claims = [item.claim for item in self.ledger.claims]
        lost = {claim.id for claim in claims if claim.notebook in failed}
        return [
            line for line in self.disagreements if line.partition(": ")[0] not in lost
        ]

    @property
    def changed(self) -> list[Distance]:
        """The figures whose data are more than a tolerance from the accepted ones."""
        return [far for far in self.figures.values() if far.changed]


def run_book(
    layout: Layout,
    profile: str,
    pages: Sequence[str] | None = None,
    *,
    jobs: int | None = None,
    force: bool = False,
) -> Run:
    """Execute what changed, judge every claim, and compare every figure.

    It is for some `pages`, or for all. Claims are judged on the notebooks that came to
    their end. The caller holds the build folder. Raises CompanionError before any work
    where the ledger or the registry is not as it must be; all else that is not is in
    what is returned.
    """
    homes = {claim.id: claim.notebook for claim in load_claims(layout.root)}
    entries, executed = execute_pages(layout, profile, pages, jobs=jobs, force=force)
    failed = failed_pages(entries)
    whole = {page: entry for page, entry in entries.items() if page not in failed}
    ledger, faults = judged(
        layout.root,
        [entry.run / "evidence" for _, entry in sorted(whole.items())],
        entries,
    )
    figures = distances(layout, entries, profile)
    notices = notices_of(layout, profile, entries, figures, faults, homes)
    return Run(
        entries,
        executed,
        ledger,
        faults,
        figures,
        check_exercises(layout, whole),
        notices,
    )


def verdict_lines(run: Run, pages: Collection[str]) -> list[str]:
    """Return the verdict of each claim of these pages, then what is not as expected.

    Claims that differ from the ledger have a line in the second part alone. A page
    that failed has no verdicts.
    """
    differences = run.differences
    differ = {line.partition(": ")[0] for line in differences}
    lines = [
        f"  {item.claim.id}: {_verdict(item.judgement)}"
        for item in run.judged
        if item.claim.notebook in pages and item.claim.id not in differ
    ]
    lines.append(f"{len(run.judged)} claim(s) judged")
    if differences:
        lines.append(f"not as the ledger expects: {len(differences)}")
    return lines + [f"  {line}" for line in differences]


def _verdict(judgement: Judgement) -> str:
    """Return a verdict with its grade, where it has one."""
    if judgement.grade is None:
        return judgement.verdict
    return f"{judgement.verdict}, {judgement.grade}"


def prepare(
    layout: Layout,
    profile: str,
    *,
    jobs: int | None = None,
    whole: bool = True,
) -> Run:
    """Run the book and stage its pages.

    The caller holds the build folder. What is not as accepted is a notice, or an error
    where the build is strict. Raises CompanionError that says what failed; a notebook
    that failed is an error unless the book may be in part.
    """
    recover(layout)
    faults = verify_manifest(layout.root)
    if faults:
        raise CompanionError(
            "accepted data are not as they were accepted; nothing was executed:\n"
            + "\n".join(faults)
            + "\nBring the file back from the repository, or accept the figure again."
        )
    run = run_book(layout, profile, jobs=jobs)
    refuse(run, profile, whole=whole)
    stage(layout, run.ledger.to_record(), run.entries, run.notices)
    return run


def refuse(run: Run, profile: str, *, whole: bool) -> None:
    """Raise CompanionError where a run gave what no page may show.

    Exercises must agree with their solutions. Where the build is strict, all must be as
    accepted; a notebook that failed is an error there, and where the book must be
    `whole`.
    """
    messages = [far.message(profile) for far in run.changed]
    if run.failed and (strict() or whole):
        raise CompanionError("\n".join([*messages, run.failed]))
    if messages and strict():
        raise CompanionError("\n".join(messages))
    if run.exercises:
        raise CompanionError(
            "exercises and their solutions do not agree:\n" + "\n".join(run.exercises)
        )
    if run.disagreements and strict():
        raise CompanionError(
            "the ledger and the evidence do not agree:\n" + "\n".join(run.disagreements)
        )


def build(
    layout: Layout,
    profile: str,
    *,
    jobs: int | None = None,
) -> tuple[Run, int, float]:
    """Build the whole book for one profile.

    On any failure the pages that were there stay as they were. The caller holds the
    build folder. Returns the run, how many pages were written, and the seconds it took.
    A notebook that failed has its page as far as it ran, unless the build is strict;
    `failed` then holds it. Raises CompanionError that says what failed, tracebacks of
    notebooks included.
    """
    started = time.monotonic()
    run = prepare(layout, profile, jobs=jobs, whole=False)
    html, pages = render(layout, strict=not run.failed)
    write_downloads(layout, run.entries, run.ledger.to_record(), html)
    swap(layout, html)
    return run, pages, time.monotonic() - started
