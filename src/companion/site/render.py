"""Stage what Jupyter Book reads, render it, and put the pages in place of the old."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from sphinx_external_toc.parsing import MalformedError, parse_toc_yaml

from companion.ledger.records import LedgerRecord
from companion.ledger.registry import load_registry
from companion.paths import (
    CompanionError,
    Layout,
    files_below,
    json_text,
    remove,
    write_whole,
)
from companion.run.cache import VALUES, Entry, failed_pages
from companion.run.deviations import NAME, Notices
from companion.run.execute import child_environment
from companion.site.ledger_view import CLAIMS
from companion.site.minify import slim
from companion.site.permalinks import address_sources

#: What pages need of the root.
STAGED = (
    "book/**/*",
    "_config.yml",
    "_toc.yml",
    "LICENSE",
    "LICENSE-TEXT",
    "CITATION.cff",
)
#: Warnings are errors, of links too, and all of them are told.
STRICT = ("-W", "-n", "--keep-going")
#: How many lines of complaints are told.
MOST_COMPLAINTS = 60
_COMPLAINT = re.compile(r"\b(WARNING|ERROR|CRITICAL|SEVERE)\b|Exception|Error:")
_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def toc_documents(toc: Path) -> list[str]:
    """Return the documents that a table of contents names, in order.

    Raises CompanionError where it is bad.
    """
    try:
        return list(parse_toc_yaml(toc))
    except (OSError, MalformedError) as error:
        raise CompanionError(f"{toc.name} cannot be read: {error}") from error


def _texts(
    layout: Layout,
    ledger: LedgerRecord,
    entries: Mapping[str, Entry],
    notices: Notices,
) -> dict[str, str]:
    """Return what is written for the stage: ledger, a page an address, notices."""
    notebooks = {page: entry.notebook for page, entry in entries.items()}
    registry = load_registry(layout.registry)
    pages = address_sources(
        ledger["claims"], registry, notebooks, failed_pages(entries)
    )
    texts = {f"{address}.md": text for address, text in pages.items()}
    texts[CLAIMS] = json_text(ledger)
    if notices:
        texts[NAME] = json_text(asdict(notices))
    return texts


def stage(
    layout: Layout,
    ledger: LedgerRecord,
    entries: Mapping[str, Entry],
    notices: Notices,
) -> None:
    """Fill the stage anew with the book's own layout.

    It gets pages, executed notebooks, figures, values, the computed ledger as
    claims.json, and a page for each address. Raises CompanionError for a claim or a
    figure without a page.
    """
    texts = _texts(layout, ledger, entries, notices)
    files = {}
    for pattern in STAGED:
        for path in layout.root.glob(pattern):
            files[str(path.relative_to(layout.root))] = path
    for page, entry in entries.items():
        files[f"notebooks/{page}.ipynb"] = entry.notebook
        files[f"values/{page}.json"] = entry.run / VALUES
        for name, path in files_below(entry.run / "figures").items():
            files[f"figures/{name}"] = path
    remove(layout.stage)
    for name, text in texts.items():
        write_whole(layout.stage / name, text)
    for name, path in files.items():
        if path.is_file():
            (layout.stage / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, layout.stage / name)


def _complaints(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    marked = [line for line in lines if _COMPLAINT.search(line)]
    return "\n".join((marked or lines)[-MOST_COMPLAINTS:])


def run_jupyter_book(
    layout: Layout,
    builder: str,
    out: Path,
    log: Path,
    *,
    strict: bool = True,
) -> Path:
    """Render the stage with one builder; return the folder that it wrote.

    That is `out/_build/<builder>`. Warnings are errors where it is `strict`: not in a
    book in part, where links lead to what is not there. Raises CompanionError with the
    complaints of Sphinx; the whole output is kept in `log`.
    """
    remove(out)
    stage = layout.stage
    command = [
        *(sys.executable, "-m", "companion.site.build_process", "build", str(stage)),
        *("--config", str(stage / "_config.yml")),
        *("--toc", str(stage / "_toc.yml")),
        *("--path-output", str(out)),
        *("--builder", builder),
    ]
    if strict:
        command += STRICT
    environment = child_environment(
        layout, NO_COLOR="1", COMPANION_STAGE=str(stage), COMPANION_BUILDER=builder
    )
    with log.open("wb") as stream:
        answer = subprocess.run(
            command,
            env=environment,
            cwd=layout.root,
            stdout=stream,
            stderr=subprocess.STDOUT,
            check=False,
        )
    text = _ANSI.sub("", log.read_text(encoding="utf-8", errors="replace"))
    log.write_text(text, encoding="utf-8")
    folder = out / "_build" / builder
    if answer.returncode != 0 or not folder.is_dir():
        where = log.relative_to(layout.root).as_posix()
        raise CompanionError(
            f"Jupyter Book failed (all output in {where}):\n{_complaints(text)}"
        )
    return folder


def render(layout: Layout, *, strict: bool = True) -> tuple[Path, int]:
    """Render the stage; return the folder of the pages and how many there are.

    Raises CompanionError with the complaints of Sphinx; the whole output is kept in
    _build/render.log.
    """
    html = run_jupyter_book(
        layout,
        "html",
        layout.build / "render",
        layout.build / "render.log",
        strict=strict,
    )
    # It has a hash of, among others, the place of the environment.
    (html / ".buildinfo").unlink(missing_ok=True)
    slim(html)
    return html, len(toc_documents(layout.stage / "_toc.yml"))


def swap(layout: Layout, html: Path) -> None:
    """Put new pages in place of the old, which are there until these are complete."""
    new = layout.build / "html.new"
    old = layout.build / "html.old"
    for leftover in (new, old):
        remove(leftover)
    os.replace(html, new)
    if layout.html.exists():
        os.replace(layout.html, old)
    os.replace(new, layout.html)
    shutil.rmtree(old, ignore_errors=True)


def recover(layout: Layout) -> None:
    """Put the old pages back where a build was cut short between the two renames."""
    old = layout.build / "html.old"
    if old.is_dir() and not layout.html.exists():
        os.replace(old, layout.html)
