"""Pack the built site into a zip that opens from a folder, with the sums of all its files, the same bytes each time."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from companion.paths import CompanionError, Layout
from companion.publish.publication import find_publication
from companion.run.provenance import sha256_of
from companion.site.render import LEFTOVERS

__all__ = ["EPOCH", "NAME", "Archive", "Moment", "Published", "add", "epoch", "pack", "put", "sums_text"]

#: The name of a list of sums, at the root of what it lists.
NAME = "SHA256SUMS"
#: Where this is set, dates come from it.
EPOCH = "SOURCE_DATE_EPOCH"
#: The moment where nothing else is known: the first that a zip can hold.
FIRST = 315532800

#: What Sphinx leaves for itself.
LEFT_OUT = (*LEFTOVERS, ".doctrees", "objects.inv.bak")
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


def _moment(seconds: int) -> Moment:
    year, month, day, hour, minute, second = time.gmtime(seconds)[:6]
    return max(EARLIEST, min((year, month, day, hour, minute, second), LATEST))


def add(archive: zipfile.ZipFile, name: str, content: bytes, moment: Moment) -> None:
    """Add a file to a zip so that nothing depends on the machine: its date and permissions are fixed."""
    entry = zipfile.ZipInfo(name, moment)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3  # so that the modes count, whatever system packs
    entry.external_attr = 0o100644 << 16
    archive.writestr(entry, content, compresslevel=9)


def sums_text(root: Path, files: Iterable[Path]) -> str:
    """Return one line for each file, sorted by its path; raise CompanionError for a name that a list cannot hold."""
    names = sorted(path.relative_to(root).as_posix() for path in files)
    odd = [name for name in names if re.search(r"[\n\r\\]", name)]
    if odd:
        raise CompanionError(f"a list of sums cannot hold these names: {', '.join(map(repr, odd))}")
    return "".join(f"{sha256_of(root / name)}  {name}\n" for name in names)


@dataclass(frozen=True)
class Published:
    """Say where a file lies, and its sum."""

    path: Path
    sha256: str


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


def put(draft: Path, folder: Path) -> Published:
    """Let `folder` hold the drafted file and its list of sums, and nothing else; return where the file lies.

    What is written is written beside it first, so that the folder is never half old and half new.
    """
    new, old = folder.with_name(f"{folder.name}.new"), folder.with_name(f"{folder.name}.old")
    if draft.parent != new:
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(parents=True)
        shutil.copyfile(draft, new / draft.name)
    for other in new.iterdir():
        if other.name != draft.name:
            other.unlink()
    (new / NAME).write_text(sums_text(new, [new / draft.name]), encoding="utf-8", newline="\n")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        os.replace(folder, old)
    os.replace(new, folder)
    shutil.rmtree(old, ignore_errors=True)
    path = folder / draft.name
    return Published(path, sha256_of(path))


def pack(layout: Layout) -> Archive:
    """Write `_build/archive/mollified-<version>-site.zip` and its sum; the old ones stay until both are complete.

    Raises CompanionError where there is no site.
    """
    if not (layout.html / "index.html").is_file():
        raise CompanionError("there are no pages to pack: build the book first")
    folder = f"mollified-{find_publication(layout.root).version}"
    files = sorted(
        path
        for path in layout.html.rglob("*")
        if path.is_file() and not set(path.relative_to(layout.html).parts) & set(LEFT_OUT)
    )
    links = [path.name for path in files if path.is_symlink()]
    if links:
        raise CompanionError(f"the site has links to files, which a zip does not keep: {', '.join(links)}")
    moment = _moment(epoch(layout.root))
    draft = layout.build / "archive.new" / f"{folder}-site.zip"
    shutil.rmtree(draft.parent, ignore_errors=True)
    draft.parent.mkdir(parents=True)
    try:
        with zipfile.ZipFile(draft, "w") as archive:
            listed = [(path.relative_to(layout.html).as_posix(), path) for path in files]
            sums = sums_text(layout.html, files).encode()
            for name, path in sorted(listed):
                add(archive, f"{folder}/{name}", path.read_bytes(), moment)
            add(archive, f"{folder}/{NAME}", sums, moment)
        done = put(draft, layout.build / "archive")
    finally:
        shutil.rmtree(draft.parent, ignore_errors=True)
    size = sum(os.path.getsize(path) for path in files)
    return Archive(done.path, done.sha256, len(files) + 1, size)
