"""Print the book: a browser prints its pictures, Sphinx writes LaTeX, XeLaTeX sets it, and its log is judged.

Only then the old PDF is replaced.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader

from companion.archive import EPOCH, epoch, put
from companion.build import prepare
from companion.citing.citation import escape
from companion.citing.publication import Publication, find_publication
from companion.paths import CompanionError, Layout
from companion.profiles import check_profile
from companion.site.browser import open_page
from companion.site.render import run_jupyter_book

ADVICE = "tools/tex.sh installs what it needs on Debian and Ubuntu; on any system TeX Live with latexmk does"
#: A line or a table may stand out over the margin by this much, in points (one
#: centimetre), and no more.
WIDE = 28.45
#: A formula that is wider than the line may be scaled down to this many percent, and no
#: more.
SCALED = 60

_FAULT = re.compile(
    r"! |Missing character: |LaTeX Warning: (?:(?:Hyper reference|Reference|Citation) .* undefined"
    r"|There were (?:undefined references|multiply-defined labels)|Label .* multiply defined"
    r"|Label\(s\) may have changed|Float too large for page by )"
    r"|LaTeX Font Warning: Some font shapes were not available|Package longtable Warning: Table widths have changed"
)
_OVERFULL = re.compile(r"Overfull \\[hv]box \((\d+(?:\.\d+)?)pt too (?:wide|high)\)")
_SCALED = re.compile(r"mollified: formula scaled to (\d+) percent")
_PAGES = re.compile(r"Output written on .*\((\d+) pages?")


def ensure_latex() -> None:
    """Raise CompanionError that says what to do where a program lacks that prints the book."""
    if lacking := [
        name for name in ("xelatex", "latexmk") if shutil.which(name) is None
    ]:
        raise CompanionError(
            f"the book cannot be printed without {', '.join(lacking)}: {ADVICE}"
        )


def _is_fault(line: str) -> bool:
    if found := _OVERFULL.match(line):
        return float(found[1]) > WIDE
    if found := _SCALED.match(line):
        return int(found[1]) < SCALED
    return bool(_FAULT.match(line))


def faults_of(text: str) -> list[str]:
    """Return the faults in the log of a last run of XeLaTeX, each once; its lines must not be wrapped."""
    return list(dict.fromkeys(filter(_is_fault, text.splitlines())))


def edition(publication: Publication, profile: str, moment: int) -> str:
    """Return the LaTeX that says which edition this is: on the title page, behind it, and in the file's own record."""
    templates = Environment(
        loader=PackageLoader("companion.publish", "."),
        trim_blocks=True,
        keep_trailing_newline=True,
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
    )
    templates.filters["tex"] = escape
    day = time.strftime("%-d %B %Y", time.gmtime(moment))
    trailer = f"<{moment:032x}>"
    return templates.get_template("edition.tex.j2").render(
        book=publication, profile=profile, day=day, trailer=trailer
    )


def print_pictures(figures: Path) -> None:
    """Write each figure of the stage, an SVG, as PDF beside it: a page of its size in a browser."""
    with open_page() as page:
        for path in sorted(figures.rglob("*.svg")):
            page.goto(path.as_uri())
            sides = page.eval_on_selector(
                ":root",
                "svg => [svg.width, svg.height].map(side => side.baseVal.value)",
            )
            page.pdf(
                path=path.with_suffix(".pdf"),
                width=f"{sides[0]}px",
                height=f"{sides[1]}px",
            )


def typeset(folder: Path, name: str, moment: int) -> int:
    """Run XeLaTeX until all references stand and return the number of pages.

    Raises CompanionError with the first faults of the log where there are some.
    """
    environment = {
        **os.environ,
        EPOCH: str(moment),
        "FORCE_SOURCE_DATE": "1",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
    }
    environment["max_print_line"] = "100000"  # so that no line of the log is broken
    command = [
        "latexmk",
        "-xelatex",
        "-interaction=nonstopmode",
        "-halt-on-error",
        "-norc",
        "-silent",
        f"{name}.tex",
    ]
    quiet: dict[str, Any] = {
        "stdin": subprocess.DEVNULL,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.STDOUT,
    }
    answer = subprocess.run(command, cwd=folder, env=environment, check=False, **quiet)
    journal = folder / f"{name}.log"
    text = (
        journal.read_text(encoding="utf-8", errors="replace")
        if journal.is_file()
        else ""
    )
    faults = faults_of(text)
    pages = _PAGES.search(text)
    told = "\n".join(faults[:30])
    if (
        answer.returncode != 0
        or pages is None
        or not (folder / f"{name}.pdf").is_file()
    ):
        told = told or answer.stdout.decode("utf-8", errors="replace")[-2000:]
        told += (
            f"\n{ADVICE}" if "not found" in told or "cannot be found" in told else ""
        )
        raise CompanionError(f"XeLaTeX failed (all output in {journal.name}):\n{told}")
    if faults:
        raise CompanionError(f"the print has {len(faults)} fault(s):\n{told}")
    return int(pages[1])


def print_book(layout: Layout, profile: str, *, jobs: int | None) -> tuple[Path, int]:
    """Write `_build/pdf/mollified-<version>.pdf` and its sum; return it and the number of its pages.

    The caller holds the build folder. Executes what changed first, as a build does. On
    any failure, which CompanionError tells, the old PDF and its sum stay as they were.
    """
    check_profile(profile)
    ensure_latex()
    publication = find_publication(layout.root)
    moment = epoch(layout.root)
    prepare(layout, profile, jobs=jobs)
    print_pictures(layout.stage / "figures")
    folder = run_jupyter_book(
        layout, "latex", layout.build / "print", layout.build / "print.log"
    )
    (source,) = [
        path
        for path in folder.glob("*.tex")
        if r"\documentclass" in path.read_text(encoding="utf-8")
    ]
    name = f"mollified-{publication.version}"
    source.replace(folder / f"{name}.tex")
    (folder / "edition.tex").write_text(
        edition(publication, profile, moment), encoding="utf-8", newline="\n"
    )
    try:
        pages = typeset(folder, name, moment)
    finally:
        if (journal := folder / f"{name}.log").is_file():
            shutil.copyfile(journal, layout.build / "print-tex.log")
    return put(folder / f"{name}.pdf", layout.build / "pdf"), pages
