"""Make the wheel and the source archive that the site offers in `downloads/`.

Their bytes are the same each time. The wheel is built offline by the setuptools of this
environment from a copy of the files, so that the checkout stays as it is. The copy
carries the commit that it is from, which is how an installed package knows it; the
archive is the copy.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from companion.archive import EPOCH, epoch, write_zip
from companion.paths import CompanionError, files_below, json_text, write_whole
from companion.provenance import ORIGIN, commit

#: What the package and the book are made from, and what lies there and is no source.
SOURCES = (
    "pyproject.toml",
    "setup.py",
    "README.md",
    "LICENSE*",
    "src",
    "data",
    "notebooks",
    "book",
    "tools",
    "Makefile",
    "requirements.lock",
    "environment.yml",
    "_config.yml",
    "_toc.yml",
    "CITATION.cff",
    "CHANGELOG.md",
)
_MADE = shutil.ignore_patterns("__pycache__", "*.egg-info", "*.pyc", ".*")
#: How much of what pip says is told where it fails, in letters.
MOST_TOLD = 3000


def package_names(root: Path) -> tuple[str, ...]:
    """Return the names of the wheel and the source archive of the package of `root`.

    There are none where it has no package.
    """
    if not (root / "pyproject.toml").is_file():
        return ()
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    stem = f"{project['name']}-{project['version']}"
    return f"{stem}-py3-none-any.whl", f"{stem}.zip"


def _copy_sources(root: Path, copy: Path) -> None:
    """Copy what the package is made from, with the commit that it is from."""
    copy.mkdir()
    for pattern in SOURCES:
        for path in root.glob(pattern):
            if path.is_dir():
                shutil.copytree(path, copy / path.name, ignore=_MADE)
            else:
                shutil.copyfile(path, copy / path.name)
    write_whole(copy / ORIGIN, json_text(commit(root)))
    for path in copy.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)


def _build_wheel(source: Path, folder: Path, moment: int) -> str:
    """Build the wheel of a source into a folder; return what pip says of a failure."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--no-index",
        "--no-build-isolation",
        "--wheel-dir",
        str(folder),
        str(source),
    ]
    environment = {**os.environ, EPOCH: str(moment), "PYTHONHASHSEED": "0"}
    answer = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False
    )
    return answer.stderr if answer.returncode else ""


def write_packages(root: Path, folder: Path) -> tuple[str, ...]:
    """Write the wheel and the source archive of the package of `root` into a folder.

    Returns their names, wheel first. Raises CompanionError with the words of pip where
    it fails.
    """
    names = package_names(root)
    if not names:
        return ()
    wheel, archive = names
    moment = epoch(root)
    with tempfile.TemporaryDirectory() as work:
        copy = Path(work, "source")
        _copy_sources(root, copy)
        stem = archive.removesuffix(".zip")
        write_zip(folder / archive, files_below(copy), moment, f"{stem}/")
        complaint = _build_wheel(copy, folder, moment)
        if complaint or not (folder / wheel).is_file():
            raise CompanionError(
                "the package for the downloads could not be built:\n"
                + complaint[-MOST_TOLD:]
            )
    return names
