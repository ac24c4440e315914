"""Say how a figure was made: versions, commit, kind of machine and of arithmetic.

Nothing here tells one machine from another of its kind: no name, no user, no path.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

#: The distributions whose version can move a number or a line of a figure.
WATCHED = ("numpy", "scipy", "pandas", "torch", "python-flint", "matplotlib", "seaborn")

#: What the installed data say of the commit that they were installed from.
ORIGIN = Path("data", "origin.json")


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@cache
def versions() -> dict[str, str]:
    """Return the versions of Python and of the watched distributions."""
    return {"python": platform.python_version(), **installed(WATCHED)}


def installed(names: Iterable[str]) -> dict[str, str]:
    """Return the versions of those distributions that are installed."""
    numbers = {}
    for name in names:
        with suppress(importlib.metadata.PackageNotFoundError):
            numbers[name] = importlib.metadata.version(name)
    return numbers


class Commit(TypedDict):
    """The commit of the sources, and whether files differ from it."""

    id: str | None
    modified: bool | None


def describe_machine() -> dict[str, str | int]:
    """Return the kind of machine.

    That is how many processors it has, which, and the operating system.
    """
    return {
        "cpus": os.cpu_count() or 1,
        "architecture": platform.machine(),
        "system": platform.system(),
    }


def _blas(config: dict[str, Any]) -> str:
    blas = config["Build Dependencies"]["blas"]
    return f"{blas['name']} {blas['version']}"


def numerics() -> dict[str, str]:
    """Return what can move the last digits beside versions.

    That is the instruction set, threads, and builds of the linear algebra. PyTorch and
    SciPy are asked only where something has imported them.
    """
    # Here, since `setup.py` loads this module where nothing is installed.
    import numpy as np
    import threadpoolctl

    config: dict[str, Any] = np.show_config(mode="dicts")  # type: ignore[assignment]
    simd = config["SIMD Extensions"]
    instructions = simd.get("found") or simd.get("baseline") or ["unknown"]
    state = {
        "instructions": " ".join(instructions),
        "threads": os.environ.get("OMP_NUM_THREADS") or str(os.cpu_count() or 1),
        "numpy_blas": _blas(config),
    }
    scipy = sys.modules.get("scipy")
    if scipy is not None:
        state["scipy_blas"] = _blas(scipy.show_config(mode="dicts"))
    state.update(_torch_numerics())
    kernels = {
        str(pool["architecture"])
        for pool in threadpoolctl.threadpool_info()
        if pool.get("architecture")
    }
    if kernels:
        state["blas_kernel"] = ", ".join(sorted(kernels))
    return state


#: What the configuration of PyTorch says of its linear algebra.
_TORCH_BUILD = (
    r"BLAS_INFO=\w+",
    r"Math Kernel Library Version [\w.]+",
    r"MKL-DNN v[\w.]+",
)


def _torch_numerics() -> dict[str, str]:
    """Return threads and build of PyTorch, where something has imported it."""
    torch = sys.modules.get("torch")
    if torch is None:
        return {}
    parts = [re.search(name, torch.__config__.show()) for name in _TORCH_BUILD]
    return {
        "threads": str(torch.get_num_threads()),
        "torch_capability": str(torch.backends.cpu.get_cpu_capability()),
        "torch_build": ", ".join(
            part[0].removeprefix("BLAS_INFO=") for part in parts if part
        ),
    }


def git(root: Path, *arguments: str) -> str | None:
    """Return what git says of a folder, None where it fails or is not there."""
    try:
        command = ["git", "-C", str(root), *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, timeout=30, check=True
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None


def commit(root: Path) -> Commit:
    """Return the commit of the sources.

    It is modified where files under src, notebooks or data differ from it. For an
    installed package it is the commit that was installed. Where `root` is not a
    repository of its own, for example a source archive, the commit is None.
    """
    if (root / ORIGIN).is_file():
        origin: Commit = json.loads((root / ORIGIN).read_text(encoding="utf-8"))
        return origin
    answer = git(root, "rev-parse", "--show-toplevel", "HEAD") or ""
    top, _, head = answer.rpartition("\n")
    if not top or Path(top).resolve() != root.resolve():
        return {"id": None, "modified": None}
    changed = git(root, "status", "--porcelain", "--", "src", "notebooks", "data")
    return {"id": head, "modified": bool(changed)}
