"""Make the wheel and the source archive that the site offers in `downloads/`, with the same bytes each time.

They are built offline by the setuptools of this environment from a copy of the files, so that the checkout stays as it
is. The copy carries the commit that it is from, which is how an installed package knows it.
"""

from __future__ import annotations

import gzip
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

from companion.paths import CompanionError, json_text
from companion.run.provenance import ORIGIN, commit

__all__ = ["package_names", "write_packages"]

#: What the package is made from.
SOURCES = ("pyproject.toml", "setup.py", "README.md", "LICENSE*", "src", "data")
#: What lies there and is no source.
_MADE = shutil.ignore_patterns("__pycache__", "*.egg-info", "*.pyc", ".*")
#: The time of all files, where SOURCE_DATE_EPOCH does not name another: 1 January 2020.
EPOCH = 1577836800
_BUILD = """import sys
from setuptools import build_meta
folder = sys.argv[1]  # setuptools replaces the arguments by its own
build_meta.build_sdist(folder)
build_meta.build_wheel(folder)
"""


def package_names(root: Path) -> tuple[str, ...]:
    """Return the names of the wheel and the source archive of the package of `root`; () where it has none."""
    if not (root / "pyproject.toml").is_file():
        return ()
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    stem = f"{project['name']}-{project['version']}"
    return f"{stem}-py3-none-any.whl", f"{stem}.tar.gz"


def _copy(root: Path, target: Path) -> None:
    for path in sorted({path for pattern in SOURCES for path in root.glob(pattern)}):
        if path.is_dir():
            shutil.copytree(path, target / path.name, ignore=_MADE)
        else:
            shutil.copyfile(path, target / path.name)
    (target / ORIGIN).write_text(json_text(commit(root)), encoding="utf-8")


def _fix(folder: Path, time: int) -> None:
    """Give all files one time and one set of rights."""
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
        os.utime(path, (time, time))


def _pack(archive: Path, time: int) -> None:
    """Write a source archive anew, without its owners and hours, its files in the order of their names."""
    tar = io.BytesIO()
    with tarfile.open(archive) as old, tarfile.open(fileobj=tar, mode="w", format=tarfile.USTAR_FORMAT) as new:
        for member in sorted(old.getmembers(), key=lambda item: item.name):
            entry = tarfile.TarInfo(member.name)
            entry.type, entry.size, entry.mtime = member.type, member.size, time
            entry.mode = 0o755 if member.isdir() else 0o644
            new.addfile(entry, old.extractfile(member) if member.isfile() else None)
    archive.write_bytes(gzip.compress(tar.getvalue(), mtime=time))


def write_packages(root: Path, folder: Path) -> tuple[str, ...]:
    """Write the wheel and the source archive of the package of `root` into a folder; return their names, wheel first.

    Raises CompanionError with the words of setuptools where it fails.
    """
    names = package_names(root)
    if not names:
        return ()
    time = int(os.environ.get("SOURCE_DATE_EPOCH", EPOCH))
    with tempfile.TemporaryDirectory() as name:
        copy, out = Path(name, "source"), Path(name, "out")
        copy.mkdir()
        out.mkdir()
        _copy(root, copy)
        _fix(copy, time)
        answer = subprocess.run(
            [sys.executable, "-c", _BUILD, str(out)],
            cwd=copy,
            env={**os.environ, "SOURCE_DATE_EPOCH": str(time), "PYTHONHASHSEED": "0"},
            capture_output=True,
            text=True,
            check=False,
        )
        if answer.returncode != 0 or {path.name for path in out.iterdir()} != set(names):
            raise CompanionError(f"the package for the downloads could not be built:\n{answer.stderr[-3000:]}")
        _pack(out / names[1], time)
        folder.mkdir(parents=True, exist_ok=True)
        for made in names:
            shutil.copyfile(out / made, folder / made)
    return names
