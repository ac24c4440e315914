"""Write requirements.lock: a pin for each package that the book and its tests need.

`.binder/requirements.txt` gets those of its pins that the notebooks need, with
JupyterLab, and without PyTorch, which Binder takes from conda.

`uv pip compile --universal` resolves against the package index alone (no configuration
file, no folder of local wheels), so that no local version such as `+cpu` can enter. The
CUDA packages that the Linux wheel of PyTorch asks for are dropped: a CPU wheel does not
need them, and pip resolves them where they are needed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DROPPED = re.compile(r"^(nvidia-|cuda-|triton\b)")
HEADER = """\
# Made by `make lock` (tools/lock.py) from pyproject.toml; do not edit. No hashes and no
# index: pip's hash mode would refuse a CPU wheel of PyTorch. CUDA packages are left
# out; pip adds them where they are needed.
"""
BINDER = """\
# Made by `make lock` (tools/lock.py): the pins of requirements.lock that the notebooks
# need, and JupyterLab; do not edit. PyTorch is not among them: it comes from
# environment.yml beside this file, in a build without CUDA.
"""


def prune(resolved: str) -> list[str]:
    """Return the pins of a resolution, some dropped.

    Raises ValueError for a line that is no plain pin.
    """
    pins = []
    for line in resolved.splitlines():
        text = line.strip()
        if not text or text.startswith("#") or DROPPED.match(text):
            continue
        if not re.match(r"^[a-z0-9][a-z0-9.-]*==[^ +]+( ; .+)?$", text):
            raise ValueError(f"not a plain pin: {text!r}")
        pins.append(text)
    return pins


def resolve(uv: str, *arguments: str) -> list[str]:
    """Return the pins of one resolution, on every platform.

    It takes no configuration from this machine.
    """
    command = [
        uv,
        "pip",
        "compile",
        "--universal",
        "--python-version",
        "3.11",
        "--no-config",
        "--no-header",
    ]
    command += ["--no-annotate", "--quiet", *arguments, "pyproject.toml"]
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PIP_", "UV_"))
    }
    return prune(
        subprocess.run(
            command, cwd=ROOT, env=clean, check=True, capture_output=True, text=True
        ).stdout
    )


def without_torch(pins: list[str]) -> list[str]:
    """Return the pins without that of PyTorch; raise ValueError where there is none."""
    left = [pin for pin in pins if not pin.startswith("torch==")]
    if len(left) == len(pins):
        raise ValueError("no pin of torch to leave out")
    return left


def main() -> None:
    """Resolve, prune and write the lock, and what Binder takes of it."""
    uv = shutil.which("uv")
    if uv is None:
        sys.exit(
            "uv is not on the PATH: install it (`pip install uv`) and run `make "
            "lock` again"
        )
    pins = resolve(uv, "--extra", "book", "--extra", "test")
    (ROOT / "requirements.lock").write_text(
        HEADER + "\n".join(pins) + "\n", encoding="utf-8"
    )
    print(f"requirements.lock: {len(pins)} pins")
    binder = without_torch(
        resolve(
            uv, "--extra", "book", "--extra", "lab", "--constraint", "requirements.lock"
        )
    )
    (ROOT / ".binder" / "requirements.txt").write_text(
        BINDER + "\n".join(binder) + "\n", encoding="utf-8"
    )
    print(f".binder/requirements.txt: {len(binder)} pins")


if __name__ == "__main__":
    main()
