"""Run the commands that `python -m companion --help` lists."""

from __future__ import annotations

import argparse
import errno
import os
import pkgutil
import shutil
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from companion.ledger.registry import check_reason, find_spec, load_registry
from companion.paths import CompanionError, Layout, check_asserts
from companion.profiles import DEFAULT, PROFILES

#: The status of a command where data are not the accepted ones, and where a reader
#: interrupts it.
CHANGED = 3
INTERRUPTED = 130
#: What the system says where the machine, and not the book, is at fault, and what
#: helps.
_ADVICE = {
    errno.ENOSPC: (
        "The disk is full. Free some space and run the command again: "
        "what was finished is kept."
    ),
    errno.EDQUOT: (
        "Your share of the disk is used up. Free some space and try again: "
        "what was finished is kept."
    ),
    errno.EROFS: (
        "The disk cannot be written to. Work in a copy of the book on one that can."
    ),
    errno.EACCES: (
        "A file or folder may not be written or read. "
        "Look at its owner and its rights, then try again."
    ),
    errno.ENOMEM: "Memory ran out. Run fewer notebooks side by side with JOBS=1.",
}
_KILLED = (
    "A kernel that dies without a traceback was mostly ended from outside, often "
    "because memory ran out. Run the command again, with JOBS=1 where memory is "
    "short: what was finished is kept."
)


def advice(text: str) -> list[str]:
    """Return what helps against the mishaps that an error message names.

    The message may be a traceback; for any other text there is nothing.
    """
    words = [
        advice for number, advice in _ADVICE.items() if os.strerror(number) in text
    ]
    if "kernel died" in text:
        words.append(_KILLED)
    return words


@contextmanager
def _keeping(what: str, result: Path) -> Iterator[None]:
    """Say under each failure that the result of the last good run is unchanged."""
    before = ""
    if result.exists():
        before = f"\n{what} of the last good build are unchanged."
    try:
        yield
    except (CompanionError, OSError) as error:
        raise CompanionError(f"{error}{before}") from error


def _build(layout: Layout, options: argparse.Namespace) -> int:
    from companion.build import build
    from companion.ledger.claims import scoreboard_lines

    with _keeping("The pages", layout.html):
        built, pages, seconds = build(layout, options.profile, jobs=options.jobs)
    print("", *scoreboard_lines(built.ledger.scoreboard), sep="\n")
    as_accepted = ", every verdict and figure is as accepted"
    if built.notices:
        print(*built.notices.lines(), sep="\n")
        as_accepted = ""
    print(
        f"Profile {options.profile}: {len(built.executed)} notebook(s) executed, "
        f"{pages} pages{as_accepted}, {seconds:.1f} s"
    )
    print(f"Start page: {layout.html / 'index.html'}")
    if built.failed:
        raise CompanionError(
            f"{built.failed}\nTheir pages end there; all other pages are written."
        )
    return 0


def _execute(layout: Layout, options: argparse.Namespace) -> int:
    from companion.build import run_book, verdict_lines

    run = run_book(layout, options.profile, options.pages, jobs=options.jobs)
    messages = [far.message(options.profile) for far in run.changed]
    print(f"{len(run.executed)} notebook(s) executed")
    print(*verdict_lines(run, options.pages), *messages, sep="\n")
    if run.failed:
        raise CompanionError(run.failed)
    if run.differences:
        return 1
    return CHANGED if messages else 0


def _figures_of(layout: Layout, page: str, profile: str) -> Path:
    """Execute a notebook apart from the kept executions.

    Returns the folder of its figures, those for print included.
    """
    from companion.figures import PRINT_VARIABLE
    from companion.run.runner import execute_apart, raise_failures

    entries = execute_apart(
        layout, [page], profile, layout.build / "apart", variables={PRINT_VARIABLE: "1"}
    )
    raise_failures(entries)
    return entries[page].run / "figures" / page


def _figure(layout: Layout, options: argparse.Namespace) -> int:
    """Execute the page of a figure, keep its files, and say how its data compare."""
    from companion.figures import PRINTED, SUFFIXES
    from companion.snapshots.compare import distance_from_reference

    profile = options.profile
    spec = find_spec(load_registry(layout.registry), options.figure)
    figures = _figures_of(layout, spec.page, profile)
    folder = layout.build / "figures" / spec.page
    folder.mkdir(parents=True, exist_ok=True)
    for suffix in (*SUFFIXES, *PRINTED):
        print(shutil.copy(figures / f"{spec.id}{suffix}", folder))
    far = distance_from_reference(layout, spec, profile, folder / f"{spec.id}.csv")
    if far.changed:
        print(far.message(profile))
        return CHANGED
    print("the data are the accepted ones, within tolerance")
    return 0


def _accept(layout: Layout, options: argparse.Namespace) -> int:
    from companion.snapshots.compare import read_table
    from companion.snapshots.update import accept_table

    profile = options.profile
    why = check_reason(options.why)
    registry = load_registry(layout.registry)
    lacking = [
        name
        for name in sorted(registry)
        if not layout.reference(profile, name).is_file()
    ]
    names = dict.fromkeys(options.figures or lacking)
    specs = [find_spec(registry, name) for name in names]
    folders = {
        page: _figures_of(layout, page, profile)
        for page in {spec.page for spec in specs}
    }
    for spec in specs:
        table = read_table(folders[spec.page] / f"{spec.id}.csv")
        digest, new = accept_table(layout, spec, profile, table, why)
        state = "accepted" if new else "was accepted before with the same data"
        print(
            f"figure {spec.id} (profile {profile}) {state}: "
            f"{layout.reference(profile, spec.id)} [{digest[:8]}]"
        )
    return 0


def _pdf(layout: Layout, options: argparse.Namespace) -> int:
    from companion.publish.pdf import print_book

    with _keeping("The PDF and the sum", layout.build / "pdf"):
        path, pages = print_book(layout, options.profile, jobs=options.jobs)
    print(f"{path}: {pages} pages, {path.stat().st_size / 1e6:.1f} MB")
    return 0


def _archive(layout: Layout, options: argparse.Namespace) -> int:
    """Build first, so that the archive is never older than its sources."""
    from companion.archive import pack
    from companion.build import build

    with _keeping("The archive and the sum", layout.build / "archive"):
        built, pages, _ = build(layout, options.profile, jobs=options.jobs)
        if built.failed:
            raise CompanionError(built.failed)
        path, files = pack(layout)
    print(f"{path}: {pages} pages, {files} files, {path.stat().st_size / 1e6:.1f} MB")
    return 0


def _crate(layout: Layout, options: argparse.Namespace) -> int:
    from companion.publish.crate import write_crate

    path, files = write_crate(layout)
    print(f"{path}: {files} files, {path.stat().st_size / 1e6:.1f} MB")
    return 0


def _digest(layout: Layout, options: argparse.Namespace) -> int:
    """Print the hash of the built site, or compare it with another, file by file."""
    from companion.publish.digest import differences, file_digests, site_digest

    own = file_digests(layout.html)
    print(f"{site_digest(own)}  {len(own)} files, times of provenance aside")
    if options.other is None:
        return 0
    different = differences(own, file_digests(options.other.resolve()))
    print("\n".join(different) or "the other site is the same")
    return CHANGED if different else 0


#: Those that write nothing; each of the others has the build folder for itself.
READING = ("digest",)


def jobs(text: str) -> int:
    """Return a number of notebooks.

    Raises ArgumentTypeError unless it is a whole number, at least 1.
    """
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(
            f"must be a whole number, at least 1, got {text!r}"
        )
    return int(text)


#: What several commands take: the flag, and what `add_argument` is told of it.
_PROFILE = (
    "--profile",
    {"default": DEFAULT, "choices": PROFILES, "help": f"default: {DEFAULT}"},
)
_JOBS = (
    "--jobs",
    {
        "type": jobs,
        "help": "how many notebooks run side by side (default: all cores)",
    },
)
#: Each command: what runs it, or where that is found; what it does; what it takes.
COMMANDS: dict[str, tuple[Any, ...]] = {
    "build": (
        _build,
        "execute what changed, judge the claims, render the pages",
        _PROFILE,
        _JOBS,
    ),
    "pdf": (
        _pdf,
        "execute what changed, judge the claims, print the book as a PDF",
        _PROFILE,
        _JOBS,
    ),
    "archive": (
        _archive,
        "build the book and pack its pages into a zip",
        _PROFILE,
        _JOBS,
    ),
    "execute": (
        _execute,
        "execute what changed, judge the claims, compare the figures",
        _PROFILE,
        _JOBS,
        (
            "pages",
            {
                "nargs": "*",
                "metavar": "PAGE",
                "help": "names of notebooks (default: all)",
            },
        ),
    ),
    "verify": (
        "companion.verify:run_verify",
        "run all notebooks anew, judge the claims, report",
        _PROFILE,
        _JOBS,
    ),
    "figure": (
        _figure,
        "make one figure again and compare its data",
        _PROFILE,
        ("figure", {"metavar": "FIGURE"}),
    ),
    "accept": (
        _accept,
        "accept the data of figures, with a reason",
        _PROFILE,
        (
            "figures",
            {
                "nargs": "*",
                "metavar": "FIGURE",
                "help": "default: those without accepted data",
            },
        ),
        ("--why", {"required": True, "help": "the reason, in one line"}),
    ),
    "note": (
        "companion.publish.note:run_note",
        "print the errata as a note of at most eight pages",
        _PROFILE,
    ),
    "crate": (_crate, "write the RO-Crate of the release from the built book"),
    "digest": (
        _digest,
        "print the hash of the built site, or compare it with another one",
        (
            "other",
            {
                "nargs": "?",
                "type": Path,
                "metavar": "SITE",
                "help": "folder of another built site",
            },
        ),
    ),
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m companion", description="Build and check the book."
    )
    parser.add_argument(
        "--root", type=Path, help="folder of the book (default: found upward from here)"
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, (run, text, *takes) in COMMANDS.items():
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(run=run)
        for flag, options in takes:
            command.add_argument(flag, **options)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Returns 0 for success, 1 for a failure, 3 for a changed figure, 130 for Ctrl-C.
    """
    options = _parser().parse_args(arguments)
    # A request to terminate ends it as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        check_asserts()
        layout = Layout(options.root.resolve()) if options.root else Layout.find()
        if not layout.notebooks.is_dir():
            raise CompanionError(
                f"{layout.root} is no book: it has no notebooks/ folder"
            )
        from companion.build import alone

        run = options.run
        if isinstance(run, str):
            run = pkgutil.resolve_name(run)
        reads = options.command in READING
        with nullcontext() if reads else alone(layout):
            return int(run(layout, options))
    except (CompanionError, OSError) as error:
        if isinstance(error, OSError) and error.errno not in _ADVICE:
            raise
        print("\n".join([f"error: {error}", *advice(str(error))]), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(
            "\ninterrupted: finished notebooks are kept, the pages are unchanged",
            file=sys.stderr,
        )
        return INTERRUPTED
