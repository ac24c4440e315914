"""Make the environment from the lock; needs nothing but Python with venv and pip.

The stamp `.complete` is written last, so that an interrupted run is not taken for a
whole environment. It holds a hash of what the environment was made from: where that has
not changed, nothing is done.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
#: cffconvert wants an older jsonschema than Jupyter does, so it gets an environment of
#: its own.
CFF_LOCK = ROOT / "tools" / "requirements-cffconvert.lock"
NEEDED = (3, 11)
TOO_NEW = (3, 14)


def key() -> str:
    """Return a hash of all that the environment is made from."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    parts = [
        json.dumps([project["build-system"], project["project"]], sort_keys=True),
        LOCK.read_text(encoding="utf-8"),
        CFF_LOCK.read_text(encoding="utf-8"),
        str(ROOT),
        sys.version,
    ]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def create(folder: Path) -> Path:
    """Make an empty environment and return its Python."""
    try:
        venv.EnvBuilder(clear=True, with_pip=True, symlinks=os.name != "nt").create(
            folder
        )
    except subprocess.CalledProcessError:
        sys.exit(
            "this Python cannot make an environment with pip: install its venv "
            "package (python3-venv)"
        )
    return folder / ("Scripts" if os.name == "nt" else "bin") / "python"


def pip(python: Path, *arguments: str) -> None:
    """Run pip of an environment, with paths as UTF-8; end where it fails."""
    command = [str(python), "-m", "pip", *arguments, "--disable-pip-version-check"]
    utf8 = {**os.environ, "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}
    status = subprocess.run(command, cwd=ROOT, env=utf8, check=False).returncode
    if status:
        sys.exit(f"pip failed: {' '.join(arguments)}")


def point_to_sources(folder: Path, root: Path) -> None:
    """Name the sources of an editable install from where the environment lies.

    The install itself writes a whole path. Python reads that file in the encoding of
    the locale before anything else, and ends where it cannot: what stands between an
    environment in `root` and the sources is ASCII, whatever `root` is called.
    """
    packages = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder)}))
    for path in packages.glob("__editable__.*.pth"):
        path.write_text(
            os.path.relpath(root / "src", packages) + "\n", encoding="utf-8"
        )


def main(folder: Path) -> None:
    """Make the environment where it is missing, incomplete or out of date."""
    if not NEEDED <= sys.version_info[:2] < TOO_NEW:
        sys.exit(
            f"Python 3.11, 3.12 or 3.13 is needed, {sys.executable} is "
            f"{sys.version.split()[0]}; say PYTHON=..."
        )
    stamp = folder / ".complete"
    wanted = key()
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        stamp.touch()
        return
    if folder.is_symlink():
        sys.exit(
            f"{folder} is a link to {folder.resolve()}: remove the link, then run "
            f"make env again"
        )
    stamp.unlink(missing_ok=True)
    print(
        f"making {folder} from requirements.lock (about a minute, 1.5 GB)", flush=True
    )
    python = create(folder)
    pip(python, "install", "--quiet", "-r", str(LOCK))
    pip(python, "install", "--quiet", "--no-deps", "--no-build-isolation", "-e", ".")
    point_to_sources(folder, ROOT)
    pip(python, "check")
    pip(
        create(folder / "tools" / "cffconvert"),
        "install",
        "--quiet",
        "-r",
        str(CFF_LOCK),
    )
    draft = stamp.with_suffix(".part")
    draft.write_text(wanted, encoding="utf-8")
    draft.replace(stamp)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else ".venv").absolute())
