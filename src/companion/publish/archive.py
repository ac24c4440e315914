"""Pack the built site into a zip that opens from a folder, with the sums of all its files, the same bytes each time."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from companion.paths import CompanionError, Layout
from companion.publish.publication import find_publication
from companion.run.provenance import sha256_of
from companion.site.render import LEFTOVERS

__all__ = ["EARLIEST", "EPOCH", "NAME", "Archive", "add", "epoch", "pack", "put", "sums_text"]

#: The name of a list of sums, at the root of what it lists.
NAME = "SHA256SUMS"
#: Where this is set, dates come from it.
EPOCH = "SOURCE_DATE_EPOCH"
#: The moment where nothing else is known: the first that a zip can hold.
FIRST = 315532800

#: The first and the last moment that a zip can hold.
EARLIEST, LATEST = (1980, 1, 1, 0, 0, 0), (2107, 12, 31, 23, 59, 58)

Moment = tuple[int, int, int, int, int, int]


@dataclass(frozen=True)
class Archive:
    """Say what was packed: the zip, its sum, how many files of how many bytes it holds."""

    path: Path
    sha256: str
    files: int
    unpacked: int


def add(archive: zipfile.ZipFile, name: str, content: bytes, moment: Moment) -> None:
    """Add a file to a zip so that nothing depends on the machine: its date and permissions are fixed."""
    entry = zipfile.ZipInfo(name, moment)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3  # so that the modes count, whatever system packs
    entry.external_attr = 0o100644 << 16
    archive.writestr(entry, content, compresslevel=9)


def sums_text(root: Path, files: Iterable[Path]) -> str:
    """Return one line for each file, sorted by its path, as `sha256sum` writes it."""
    named = {path.relative_to(root).as_posix(): path for path in files}
    return "".join(f"{sha256_of(path)}  {name}\n" for name, path in sorted(named.items()))


def epoch(root: Path) -> int:
    """Return the moment that dates in the file come from, in seconds: SOURCE_DATE_EPOCH, the commit's time, or 1980.

    Raises CompanionError where SOURCE_DATE_EPOCH is no whole number.
    """
    given = os.environ.get(EPOCH, "").strip()
    if given:
        if not (given.isascii() and given.isdigit()):
            raise CompanionError(f"{EPOCH} must be a whole number of seconds, got {given!r}")
        return int(given)
    try:
        command = ["git", "-C", str(root), "log", "-1", "--format=%ct"]
        answer = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return FIRST
    text = answer.stdout.strip()
    return int(text) if answer.returncode == 0 and text.isdigit() else FIRST


def put(draft: Path, folder: Path) -> Path:
    """Move the drafted file into `folder`, which then holds it and its list of sums alone; return where it lies.

    Both are complete before the old folder goes.
    """
    new = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    draft.replace(new / draft.name)
    (new / NAME).write_text(sums_text(new, [new / draft.name]), encoding="utf-8", newline="\n")
    shutil.rmtree(folder, ignore_errors=True)
    new.replace(folder)
    return folder / draft.name


def pack(layout: Layout) -> Archive:
    """Write `_build/archive/mollified-<version>-site.zip` and its sum; the old ones stay until both are complete.

    Raises CompanionError where there is no site.
    """
    if not (layout.html / "index.html").is_file():
        raise CompanionError("there are no pages to pack: build the book first")
    folder = f"mollified-{find_publication(layout.root).version}"
    there = [path for path in layout.html.rglob("*") if path.is_file() and path.name not in LEFTOVERS]
    files = {path.relative_to(layout.html).as_posix(): path for path in there}
    moment = min(max(EARLIEST, time.gmtime(epoch(layout.root))[:6]), LATEST)
    with tempfile.TemporaryDirectory(dir=layout.build) as draft:
        path = Path(draft, f"{folder}-site.zip")
        with zipfile.ZipFile(path, "w") as archive:
            for name, file in sorted(files.items()):
                add(archive, f"{folder}/{name}", file.read_bytes(), moment)
            add(archive, f"{folder}/{NAME}", sums_text(layout.html, there).encode(), moment)
        done = put(path, layout.build / "archive")
    return Archive(done, sha256_of(done), len(there) + 1, sum(path.stat().st_size for path in there))
