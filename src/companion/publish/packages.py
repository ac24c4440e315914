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
from companion.publish.archive import EPOCH, epoch
from companion.run.provenance import ORIGIN, commit

#: What the package is made from, and what lies there and is no source.
SOURCES = ("pyproject.toml", "setup.py", "README.md", "LICENSE*", "src", "data")
_MADE = shutil.ignore_patterns("__pycache__", "*.egg-info", "*.pyc", ".*")


def wheel_name(root: Path) -> str | None:
    """Return the name of the wheel of the package of `root`, None where there is no package."""
    if not (root / "pyproject.toml").is_file():
        return None
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return f"{project['name']}-{project['version']}-py3-none-any.whl"


def write_wheel(root: Path, folder: Path) -> str | None:
    """Write the wheel of the package of `root`, where there is one, into a folder; return its name.

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
        environment = {**os.environ, EPOCH: str(epoch(root)), "PYTHONHASHSEED": "0"}
        command += ["--wheel-dir", str(folder), str(copy)]
        answer = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if answer.returncode != 0 or not (folder / name).is_file():
            raise CompanionError(f"the package for the downloads could not be built:\n{answer.stderr[-3000:]}")
    return name
