"""Pack the built site into a zip that opens from a folder, the same bytes each time.

The zip has the sums of all its files.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from companion.citing.publication import find_publication
from companion.paths import CompanionError, Layout, files_below, remove, write_whole
from companion.provenance import git, sha256_of
from companion.zips import write_entries

#: The name of a list of sums, at the root of what it lists.
NAME = "SHA256SUMS"
#: Where this is set, dates come from it.
EPOCH = "SOURCE_DATE_EPOCH"
#: The first moment that a zip can hold, where nothing else is known, and the last, in
#: seconds.
FIRST = 315532800
LAST = 4354819198


def sums_text(files: Mapping[str, Path]) -> str:
    """Return one line for each file, sorted by its name, as `sha256sum` writes it."""
    return "".join(
        f"{sha256_of(path)}  {name}\n" for name, path in sorted(files.items())
    )


def epoch(root: Path) -> int:
    """Return the moment that dates in the file come from, in seconds.

    It is SOURCE_DATE_EPOCH, the commit's time, or 1980. Raises CompanionError where
    SOURCE_DATE_EPOCH is no whole number.
    """
    seconds = os.environ.get(EPOCH, "").strip()
    if seconds:
        if not (seconds.isascii() and seconds.isdigit()):
            raise CompanionError(
                f"{EPOCH} must be a whole number of seconds, got {seconds!r}"
            )
        return int(seconds)
    return int(git(root, "log", "-1", "--format=%ct") or FIRST)


def write_zip(
    target: Path,
    files: Mapping[str, Path],
    moment: int,
    folder: str = "",
) -> None:
    """Write files, by their names, and their list of sums into a zip.

    They lie within a folder of the zip. `moment` is the date of all entries, in
    seconds; nothing in the zip depends on the machine.
    """
    date = time.gmtime(min(max(FIRST, moment), LAST))[:6]

    def entries() -> Iterator[tuple[str, bytes]]:
        for name, path in sorted(files.items()):
            yield f"{folder}{name}", path.read_bytes()
        yield f"{folder}{NAME}", sums_text(files).encode()

    write_entries(target, entries(), date)


def put(draft: Path, folder: Path) -> Path:
    """Move the drafted file into `folder`; return where it lies.

    The folder then holds it and its list of sums alone. Both are complete before the
    old folder goes.
    """
    new = folder.with_name(f"{folder.name}.new")
    remove(new)
    new.mkdir(parents=True)
    draft.replace(new / draft.name)
    write_whole(new / NAME, sums_text({draft.name: new / draft.name}))
    remove(folder)
    new.replace(folder)
    return folder / draft.name


def pack(layout: Layout) -> tuple[Path, int]:
    """Write `_build/archive/mollified-<version>-site.zip` and its sum.

    Returns it, and how many files the site has. The old ones stay until both are
    complete. Raises CompanionError where there is no site.
    """
    if not (layout.html / "index.html").is_file():
        raise CompanionError("there are no pages to pack: build the book first")
    name = f"mollified-{find_publication(layout.root).version}"
    files = files_below(layout.html)
    with tempfile.TemporaryDirectory(dir=layout.build) as draft:
        path = Path(draft, f"{name}-site.zip")
        write_zip(path, files, epoch(layout.root), f"{name}/")
        return put(path, layout.build / "archive"), len(files)
