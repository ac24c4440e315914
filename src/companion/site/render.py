"""Stage what Jupyter Book reads, render it, check the pages, and put them in place of the old ones."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sphinx_external_toc.parsing import MalformedError, parse_toc_yaml

from companion.ledger.registry import load_registry
from companion.paths import CompanionError, Layout, json_text, remove, write_whole
from companion.run.cache import Entry
from companion.run.deviations import NAME, Notices
from companion.run.execute import child_environment
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
#: Without a collector of garbage it takes a fifth less time, and 1.8 GiB in place of
#: 0.9, which nobody takes apart.
_PROGRAM = """import gc, os, sys; gc.disable()
from jupyter_book.cli.main import main
try: main()
except SystemExit as end: sys.stdout.flush(); end.code or os._exit(0); raise
"""
_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def toc_documents(toc: Path) -> list[str]:
    """Return the documents that a table of contents names, in order; raise CompanionError where it is bad."""
    try:
        return list(parse_toc_yaml(toc))
    except (OSError, MalformedError) as error:
        raise CompanionError(f"{toc.name} cannot be read: {error}") from error


def stage(
    layout: Layout,
    ledger: Mapping[str, Any],
    entries: Mapping[str, Entry],
    notices: Notices,
) -> None:
    """Fill the stage anew with the book's own layout: pages, executed notebooks, figures, values, a page an address.

    The computed ledger is its file claims.json. Raises CompanionError for a claim or a
    figure without a page.
    """
    notebooks = {page: entry.notebook for page, entry in entries.items()}
    partial = {page for page, entry in entries.items() if entry.failed is not None}
    addresses = address_sources(
        ledger["claims"], load_registry(layout.registry), notebooks, partial
    )
    texts = {
        "claims.json": json_text(ledger),
        **{f"{address}.md": text for address, text in addresses.items()},
    }
    copied = {
        str(path.relative_to(layout.root)): path
        for pattern in STAGED
        for path in layout.root.glob(pattern)
    }
    for page, entry in entries.items():
        copied |= {
            f"notebooks/{page}.ipynb": entry.notebook,
            f"values/{page}.json": entry.run / "values.json",
        }
        copied |= {
            str(path.relative_to(entry.run)): path
            for path in (entry.run / "figures").rglob("*")
        }
    remove(layout.stage)
    for name, text in {
        **texts,
        **({NAME: json_text(asdict(notices))} if notices else {}),
    }.items():
        write_whole(layout.stage / name, text)
    for name, path in copied.items():
        if path.is_file():
            (layout.stage / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, layout.stage / name)


def _complaints(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    marked = [
        line
        for line in lines
        if re.search(r"\b(WARNING|ERROR|CRITICAL|SEVERE)\b|Exception|Error:", line)
    ]
    return "\n".join((marked or lines)[-60:])


def run_jupyter_book(
    layout: Layout, builder: str, out: Path, log: Path, *, strict: bool = True
) -> Path:
    """Render the stage with one builder; return the folder that it wrote, `out/_build/<builder>`.

    Warnings are errors where it is `strict`: not in a book in part, where links lead to
    what is not there. Raises CompanionError with the complaints of Sphinx; the whole
    output is kept in `log`.
    """
    remove(out)
    command = [sys.executable, "-c", _PROGRAM, "build", str(layout.stage)]
    command += [
        "--config",
        str(layout.stage / "_config.yml"),
        "--toc",
        str(layout.stage / "_toc.yml"),
    ]
    command += [
        "--path-output",
        str(out),
        "--builder",
        builder,
        *(["-W", "-n", "--keep-going"] if strict else []),
    ]
    named = {"COMPANION_STAGE": str(layout.stage), "COMPANION_BUILDER": builder}
    environment = child_environment(layout, NO_COLOR="1", **named)
    both = subprocess.STDOUT
    with log.open("wb") as stream:
        answer = subprocess.run(
            command,
            env=environment,
            cwd=layout.root,
            stdout=stream,
            stderr=both,
            check=False,
        )
    text = _ANSI.sub("", log.read_text(encoding="utf-8", errors="replace"))
    log.write_text(text, encoding="utf-8")
    made = out / "_build" / builder
    if answer.returncode != 0 or not made.is_dir():
        where = log.relative_to(layout.root).as_posix()
        raise CompanionError(
            f"Jupyter Book failed (all output in {where}):\n{_complaints(text)}"
        )
    return made


def render(layout: Layout, *, strict: bool = True) -> tuple[Path, int]:
    """Render the stage as pages; return the folder of the pages and how many there are.

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
    (html / ".buildinfo").unlink(
        missing_ok=True
    )  # it has a hash of, among others, the place of the environment
    slim(html)
    return html, len(toc_documents(layout.stage / "_toc.yml"))


def swap(layout: Layout, html: Path) -> None:
    """Put new pages in place of the old ones; an old set is there until the new one is complete."""
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
