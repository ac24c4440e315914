"""Pack the built site into a zip that opens from a folder, with the sums of all its files, the same bytes each time."""

from __future__ import annotations

import os
import shutil
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path

from companion.paths import CompanionError, Layout
from companion.publish.checksums import NAME, sums_text
from companion.publish.deposit import epoch, put
from companion.publish.publication import find_publication
from companion.site.render import LEFTOVERS

__all__ = ["Archive", "pack"]

#: What Sphinx leaves for itself.
LEFT_OUT = (*LEFTOVERS, ".doctrees", "objects.inv.bak")
#: The first and the last moment that a zip can hold.
EARLIEST, LATEST = (1980, 1, 1, 0, 0, 0), (2107, 12, 31, 23, 59, 58)


@dataclass(frozen=True)
class Archive:
    """Say what was packed: the zip, its sum, how many files of how many bytes it holds."""

    path: Path
    sha256: str
    files: int
    unpacked: int


def _moment(seconds: int) -> tuple[int, int, int, int, int, int]:
    year, month, day, hour, minute, second = time.gmtime(seconds)[:6]
    return max(EARLIEST, min((year, month, day, hour, minute, second), LATEST))


def _add(archive: zipfile.ZipFile, name: str, content: bytes, moment: tuple[int, int, int, int, int, int]) -> None:
    entry = zipfile.ZipInfo(name, moment)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3  # so that the modes count, whatever system packs
    entry.external_attr = 0o100644 << 16
    archive.writestr(entry, content, compresslevel=9)


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
                _add(archive, f"{folder}/{name}", path.read_bytes(), moment)
            _add(archive, f"{folder}/{NAME}", sums, moment)
        done = put(draft, layout.build / "archive")
    finally:
        shutil.rmtree(draft.parent, ignore_errors=True)
    size = sum(os.path.getsize(path) for path in files)
    return Archive(done.path, done.sha256, len(files) + 1, size)
