"""Make the wheel and the source archive that the site offers in `downloads/`, with the same bytes each time.

The wheel is built offline by the setuptools of this environment from a copy of the
files, so that the checkout stays as it is. The copy carries the commit that it is from,
which is how an installed package knows it; the archive is the copy.
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
from companion.paths import CompanionError, json_text, write_whole
from companion.provenance import ORIGIN, commit

#: What the package and the book are made from, and what lies there and is no source.
SOURCES = (
    *(
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
    ),
    *(
        "requirements.lock",
        "environment.yml",
        "_config.yml",
        "_toc.yml",
        "CITATION.cff",
        "CHANGELOG.md",
    ),
)
_MADE = shutil.ignore_patterns("__pycache__", "*.egg-info", "*.pyc", ".*")


def package_names(root: Path) -> tuple[str, ...]:
    """Return the names of the wheel and the source archive of the package of `root`; () where it has none."""
    if not (root / "pyproject.toml").is_file():
        return ()
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    stem = f"{project['name']}-{project['version']}"
    return f"{stem}-py3-none-any.whl", f"{stem}.zip"


def write_packages(root: Path, folder: Path) -> tuple[str, ...]:
    """Write the wheel and the source archive of the package of `root` into a folder; return their names, wheel first.

    Raises CompanionError with the words of pip where it fails.
    """
    names = package_names(root)
    if not names:
        return ()
    with tempfile.TemporaryDirectory() as work:
        copy = Path(work, "source")
        copy.mkdir()
        for path in {path for pattern in SOURCES for path in root.glob(pattern)}:
            if path.is_dir():
                shutil.copytree(path, copy / path.name, ignore=_MADE)
            else:
                shutil.copyfile(path, copy / path.name)
        write_whole(copy / ORIGIN, json_text(commit(root)))
        for path in copy.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        files = {
            path.relative_to(copy).as_posix(): path
            for path in copy.rglob("*")
            if path.is_file()
        }
        write_zip(
            folder / names[1], files, epoch(root), f"{names[1].removesuffix('.zip')}/"
        )
        command = [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "-q",
            "--no-deps",
            "--no-index",
            "--no-build-isolation",
        ]
        environment = {**os.environ, EPOCH: str(epoch(root)), "PYTHONHASHSEED": "0"}
        command += ["--wheel-dir", str(folder), str(copy)]
        answer = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False
        )
        if answer.returncode != 0 or not (folder / names[0]).is_file():
            raise CompanionError(
                f"the package for the downloads could not be built:\n{answer.stderr[-3000:]}"
            )
    return names
