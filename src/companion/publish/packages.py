"""Make the wheel that the site offers in `downloads/`, with the same bytes each time.

It is built offline by the setuptools of this environment from a copy of the files, so that the checkout stays as it is.
The copy carries the commit that it is from, which is how an installed package knows it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from companion.paths import CompanionError, json_text, write_whole
from companion.run.provenance import ORIGIN, commit

__all__ = ["wheel_name", "write_wheel"]

#: What the package is made from, and what lies there and is no source.
SOURCES = ("pyproject.toml", "setup.py", "README.md", "LICENSE*", "src", "data")
_MADE = shutil.ignore_patterns("__pycache__", "*.egg-info", "*.pyc", ".*")
#: The time of all files, where SOURCE_DATE_EPOCH does not name another: 1 January 2020.
EPOCH = "1577836800"


def wheel_name(root: Path) -> str | None:
    """Return the name of the wheel of the package of `root`; None where it has none."""
    if not (root / "pyproject.toml").is_file():
        return None
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return f"{project['name']}-{project['version']}-py3-none-any.whl"


def write_wheel(root: Path, folder: Path) -> str | None:
    """Write the wheel of the package of `root`, if it has one, into a folder and return its name.

    Raises CompanionError with the words of pip where it fails.
    """
    name = wheel_name(root)
    if name is None:
        return None
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
        command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-index", "--no-build-isolation"]
        answer = subprocess.run(
            [*command, "--wheel-dir", work, str(copy)],
            env={"SOURCE_DATE_EPOCH": EPOCH, **os.environ, "PYTHONHASHSEED": "0"},
            capture_output=True,
            text=True,
            check=False,
        )
        if answer.returncode != 0 or not Path(work, name).is_file():
            raise CompanionError(f"the package for the downloads could not be built:\n{answer.stderr[-3000:]}")
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(Path(work, name), folder / name)
    return name
