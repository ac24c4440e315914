"""Write the SHA-256 sums of files as `sha256sum` does, and check them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from companion.paths import CompanionError
from companion.run.provenance import sha256_of

__all__ = ["NAME", "check_sums", "read_sums", "sums_text"]

#: The name of a list of sums, at the root of what it lists.
NAME = "SHA256SUMS"

_LINE = re.compile(r"([0-9a-f]{64})  (.+)")


def sums_text(root: Path, files: Iterable[Path]) -> str:
    """Return one line for each file, sorted by its path; raise CompanionError for a name that a list cannot hold."""
    names = sorted(path.relative_to(root).as_posix() for path in files)
    odd = [name for name in names if re.search(r"[\n\r\\]", name)]
    if odd:
        raise CompanionError(f"a list of sums cannot hold these names: {', '.join(map(repr, odd))}")
    return "".join(f"{sha256_of(root / name)}  {name}\n" for name in names)


def read_sums(path: Path) -> dict[str, str]:
    """Return the sum of each name in a list; raise CompanionError where a line is none or a name comes twice."""
    found: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        match = _LINE.fullmatch(line)
        if match is None or match[2] in found:
            raise CompanionError(f"{path.name} has a line that is no sum, or a name twice: {line!r}")
        found[match[2]] = match[1]
    return found


def check_sums(root: Path) -> list[str]:
    """Return what differs under `root` from its list of sums: changed, missing and unlisted files.

    Raises CompanionError where there is no list or it cannot be read.
    """
    if not (root / NAME).is_file():
        raise CompanionError(f"there is no {NAME} in {root.name}")
    wanted = read_sums(root / NAME)
    there = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()} - {NAME}
    faults = [f"missing: {name}" for name in sorted(wanted.keys() - there)]
    faults += [f"not listed: {name}" for name in sorted(there - wanted.keys())]
    changed = [name for name in sorted(wanted.keys() & there) if sha256_of(root / name) != wanted[name]]
    return faults + [f"changed: {name}" for name in changed]
