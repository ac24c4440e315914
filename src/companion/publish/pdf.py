"""Print the book as a PDF.

A browser prints its pictures, Sphinx writes LaTeX, XeLaTeX sets it, and its log is
judged. Only then the old PDF is replaced.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

from jinja2 import Environment, PackageLoader

from companion.archive import EPOCH, epoch, put
from companion.build import prepare
from companion.citing.citation import escape
from companion.citing.publication import Publication, find_publication
from companion.paths import CompanionError, Layout, write_whole
from companion.site.browser import open_page
from companion.site.render import run_jupyter_book

ADVICE = (
    "tools/tex.sh installs what it needs on Debian and Ubuntu; on any system TeX Live "
    "with latexmk does"
)
#: A line or a table may stand out over the margin by this much, in points (one
#: centimetre), and no more.
WIDE = 28.45
#: A formula that is wider than the line may be scaled down to this many percent, and no
#: more.
SCALED = 60

#: How many faults are told, and how much of what latexmk says, in letters.
MOST_FAULTS = 30
MOST_TOLD = 2000

_FAULT = re.compile(
    r"! |Missing character: "
    r"|LaTeX Warning: (?:(?:Hyper reference|Reference|Citation) .* undefined"
    r"|There were (?:undefined references|multiply-defined labels)"
    r"|Label .* multiply defined|Label\(s\) may have changed"
    r"|Float too large for page by )"
    r"|LaTeX Font Warning: Some font shapes were not available"
    r"|Package longtable Warning: Table widths have changed"
)
_OVERFULL = re.compile(r"Overfull \\[hv]box \((\d+(?:\.\d+)?)pt too (?:wide|high)\)")
_SCALED = re.compile(r"mollified: formula scaled to (\d+) percent")
_PAGES = re.compile(r"Output written on .*\((\d+) pages?")


def ensure_latex() -> None:
    """Raise CompanionError that says what to do where a program lacks."""
    lacking = [name for name in ("xelatex", "latexmk") if shutil.which(name) is None]
    if lacking:
        raise CompanionError(
            f"the book cannot be printed without {', '.join(lacking)}: {ADVICE}"
        )


def _is_fault(line: str) -> bool:
    if overfull := _OVERFULL.match(line):
        return float(overfull[1]) > WIDE
    if scaled := _SCALED.match(line):
        return int(scaled[1]) < SCALED
    return bool(_FAULT.match(line))


def faults_of(text: str) -> list[str]:
    """Return the faults in the log of a last run of XeLaTeX, each once.

    The lines of the log must not be wrapped.
    """
    return list(dict.fromkeys(filter(_is_fault, text.splitlines())))


def edition(publication: Publication, profile: str, moment: int) -> str:
    """Return the LaTeX that says which edition this is.

    It stands on the title page, behind it, and in the file's own record.
    """
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
    """Write each figure of the stage, an SVG, as PDF beside it, by a browser."""
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


def _run_latex(folder: Path, name: str, moment: int) -> tuple[bool, str]:
    """Run XeLaTeX until all references stand; return whether it did, and its output."""
    environment = {
        **os.environ,
        EPOCH: str(moment),
        "FORCE_SOURCE_DATE": "1",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        "max_print_line": "100000",  # so that no line of the log is broken
    }
    command = [
        "latexmk",
        "-xelatex",
        "-interaction=nonstopmode",
        "-halt-on-error",
        "-norc",
        "-silent",
        f"{name}.tex",
    ]
    answer = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    output = answer.stdout.decode("utf-8", errors="replace")
    return answer.returncode == 0, output


def typeset(folder: Path, name: str, moment: int) -> int:
    """Run XeLaTeX until all references stand and return the number of pages.

    Raises CompanionError with the first faults of the log where there are some.
    """
    good, output = _run_latex(folder, name, moment)
    log = folder / f"{name}.log"
    text = log.read_text(encoding="utf-8", errors="replace") if log.is_file() else ""
    faults = faults_of(text)
    first = "\n".join(faults[:MOST_FAULTS])
    pages = _PAGES.search(text)
    if not good or pages is None or not (folder / f"{name}.pdf").is_file():
        message = first or output[-MOST_TOLD:]
        if "not found" in message or "cannot be found" in message:
            message += f"\n{ADVICE}"
        raise CompanionError(f"XeLaTeX failed (all output in {log.name}):\n{message}")
    if faults:
        raise CompanionError(f"the print has {len(faults)} fault(s):\n{first}")
    return int(pages[1])


def print_book(layout: Layout, profile: str, *, jobs: int | None) -> tuple[Path, int]:
    """Write `_build/pdf/mollified-<version>.pdf` and its sum.

    Returns it and the number of its pages. The caller holds the build folder. Executes
    what changed first, as a build does. On any failure, which CompanionError tells, the
    old PDF and its sum stay as they were.
    """
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
    write_whole(folder / "edition.tex", edition(publication, profile, moment))
    try:
        pages = typeset(folder, name, moment)
    finally:
        if (journal := folder / f"{name}.log").is_file():
            shutil.copyfile(journal, layout.build / "print-tex.log")
    return put(folder / f"{name}.pdf", layout.build / "pdf"), pages
