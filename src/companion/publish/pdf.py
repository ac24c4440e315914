"""Print the book: Sphinx writes LaTeX, XeLaTeX sets it, the log is judged, and only then the old PDF is replaced."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, PackageLoader

from companion.paths import CompanionError, Layout
from companion.profiles import check_profile
from companion.publish.archive import EPOCH, epoch, put
from companion.publish.latex import Log, ensure_latex, read_log
from companion.publish.publication import Publication, find_publication
from companion.run.build import alone, prepare
from companion.run.provenance import sha256_of
from companion.site.render import run_jupyter_book, stage

__all__ = ["Printed", "edition", "print_book", "typeset"]

_PAGES = re.compile(r"Output written on .*\((\d+) pages?")
_SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}


@dataclass(frozen=True)
class Printed:
    """Say what was printed: the PDF, its sum, its pages and bytes, what the log says, and the seconds it took."""

    path: Path
    sha256: str
    pages: int
    size: int
    log: Log
    seconds: float


def _escape(text: str) -> str:
    return re.sub(r"[#$%&_{}]|[\\~^]", lambda found: _SPECIAL.get(found[0], "\\" + found[0]), text)


def edition(publication: Publication, profile: str, moment: int) -> str:
    """Return the LaTeX that says which edition this is: on the title page, behind it, and in the file's own record."""
    templates = Environment(
        loader=PackageLoader("companion.publish", "."), trim_blocks=True, keep_trailing_newline=True,
        variable_start_string="<<", variable_end_string=">>", block_start_string="<%", block_end_string="%>",
    )  # fmt: skip
    templates.filters["tex"] = _escape
    day, trailer = time.strftime("%-d %B %Y", time.gmtime(moment)), f"<{moment:032x}>"
    return templates.get_template("edition.tex.j2").render(book=publication, profile=profile, day=day, trailer=trailer)


def typeset(folder: Path, name: str, moment: int) -> tuple[int, Log]:
    """Run XeLaTeX until all references stand; return the pages and what the log says.

    Raises CompanionError with the first faults where there are some.
    """
    environment = {
        **os.environ,
        EPOCH: str(moment),
        "FORCE_SOURCE_DATE": "1",
        "TZ": "UTC",
        "max_print_line": "100000",  # so that no line of the log is broken
        "LC_ALL": "C.UTF-8",
    }
    command = ["latexmk", "-xelatex", "-interaction=nonstopmode", "-halt-on-error", "-norc", "-silent", f"{name}.tex"]
    try:
        answer = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
    except OSError as error:
        raise CompanionError(f"latexmk cannot be run: {error.strerror}") from error
    journal = folder / f"{name}.log"
    text = journal.read_text(encoding="utf-8", errors="replace") if journal.is_file() else ""
    log, pages = read_log(text), _PAGES.search(text)
    if answer.returncode != 0 or pages is None or not (folder / f"{name}.pdf").is_file():
        told = "\n".join(log.faults[:30]) or answer.stdout.decode("utf-8", errors="replace")[-2000:]
        raise CompanionError(f"XeLaTeX failed (all output in {journal.name}):\n{told}")
    if log.faults:
        raise CompanionError(f"the print has {len(log.faults)} fault(s):\n" + "\n".join(log.faults[:30]))
    return int(pages[1]), log


def print_book(layout: Layout, profile: str, *, jobs: int | None = None, force: bool = False) -> Printed:
    """Write `_build/pdf/mollified-<version>.pdf` and its sum; on any failure the old ones stay as they were.

    Executes what changed first, as a build does. Raises CompanionError that says what failed.
    """
    started = time.monotonic()
    check_profile(profile)
    ensure_latex()
    publication, moment = find_publication(layout.root), epoch(layout.root)
    with alone(layout):
        run = prepare(layout, profile, layout.stage / "claims.json", jobs=jobs, force=force)
        stage(layout, run.entries, run.notices)
        folder = run_jupyter_book(layout, "latex", layout.build / "print", layout.build / "print.log")
        sources = [
            path for path in folder.glob("*.tex") if r"\documentclass" in path.read_text(encoding="utf-8")[:2000]
        ]
        if len(sources) != 1:
            raise CompanionError(
                f"Sphinx must write one document, got {', '.join(path.name for path in sources) or 'none'}"
            )
        name = f"mollified-{publication.version}"
        os.replace(sources[0], folder / f"{name}.tex")
        (folder / "edition.tex").write_text(edition(publication, profile, moment), encoding="utf-8", newline="\n")
        try:
            pages, log = typeset(folder, name, moment)
        finally:
            if (journal := folder / f"{name}.log").is_file():
                shutil.copyfile(journal, layout.build / "print-tex.log")
        done = put(folder / f"{name}.pdf", layout.build / "pdf")
    return Printed(done, sha256_of(done), pages, done.stat().st_size, log, time.monotonic() - started)
