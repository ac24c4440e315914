"""Put a finished file with its sum in place of the old one, and say which moment its dates come from."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from companion.paths import CompanionError
from companion.publish.checksums import NAME, sums_text
from companion.run.provenance import sha256_of

__all__ = ["EPOCH", "Published", "epoch", "put"]

#: Where this is set, dates come from it.
EPOCH = "SOURCE_DATE_EPOCH"
#: The moment where nothing else is known: the first that a zip can hold.
FIRST = 315532800


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
