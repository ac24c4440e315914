"""Say how a figure was made: function, parameters, seed, versions, commit, kind of machine, time.

Nothing here tells one machine from another of its kind: no name, no user, no path.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

__all__ = ["ORIGIN", "commit", "describe_machine", "sha256_of", "versions"]

#: The distributions whose version can move a number or a line of a figure.
WATCHED = ("numpy", "scipy", "pandas", "torch", "python-flint", "matplotlib", "seaborn")

#: What the installed data say of the commit that they were installed from.
ORIGIN = Path("data", "origin.json")


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        for block in iter(lambda: stream.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def versions() -> dict[str, str]:
    """Return the versions of Python and of the watched distributions that are installed."""
    found = {"python": platform.python_version()}
    for name in WATCHED:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def describe_machine() -> dict[str, Any]:
    """Return the kind of machine: count of processors, architecture, name of the operating system."""
    return {"cpus": os.cpu_count() or 1, "architecture": platform.machine(), "system": platform.system()}


def _git(root: Path, *arguments: str) -> str | None:
    try:
        answer = subprocess.run(
            ["git", "-C", str(root), *arguments], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return answer.stdout.strip() if answer.returncode == 0 else None


def commit(root: Path) -> dict[str, Any]:
    """Return the commit of the sources and whether files under src, notebooks or data differ from it.

    For an installed package it is the commit that was installed. Where `root` is not a repository of its own, for
    example a source archive, the commit is None.
    """
    if (root / ORIGIN).is_file():
        origin: dict[str, Any] = json.loads((root / ORIGIN).read_text(encoding="utf-8"))
        return {"id": origin["id"], "modified": origin["modified"]}
    top, _, head = (_git(root, "rev-parse", "--show-toplevel", "HEAD") or "").rpartition("\n")
    if not top or Path(top).resolve() != root.resolve():
        return {"id": None, "modified": None}
    changed = _git(root, "status", "--porcelain", "--", "src", "notebooks", "data")
    return {"id": head, "modified": bool(changed)}
