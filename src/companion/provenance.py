"""Say how a figure was made: function, parameters, seed, versions, commit, kind of machine and of arithmetic, time.

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
from typing import Any

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
    """Return the versions of Python and of the watched distributions that are installed."""
    return {"python": platform.python_version(), **installed(WATCHED)}


def installed(names: Iterable[str]) -> dict[str, str]:
    """Return the versions of those distributions that are installed."""
    found = {}
    for name in names:
        with suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return found


def describe_machine() -> dict[str, Any]:
    """Return the kind of machine: count of processors, architecture, name of the operating system."""
    return {
        "cpus": os.cpu_count() or 1,
        "architecture": platform.machine(),
        "system": platform.system(),
    }


def _blas(config: dict[str, Any]) -> str:
    blas = config["Build Dependencies"]["blas"]
    return f"{blas['name']} {blas['version']}"


def numerics() -> dict[str, str]:
    """Return what can move the last digits beside versions: instruction set, threads, builds of the linear algebra.

    PyTorch and SciPy are asked only where something has imported them.
    """
    import numpy as np  # here, since `setup.py` loads this module where nothing is installed
    import threadpoolctl

    config: dict[str, Any] = np.show_config(mode="dicts")  # type: ignore[assignment]
    simd = config["SIMD Extensions"]
    found = {
        "instructions": " ".join(
            simd.get("found") or simd.get("baseline") or ["unknown"]
        ),
        "threads": os.environ.get("OMP_NUM_THREADS") or str(os.cpu_count() or 1),
        "numpy_blas": _blas(config),
    }
    if (scipy := sys.modules.get("scipy")) is not None:
        found["scipy_blas"] = _blas(scipy.show_config(mode="dicts"))
    if (torch := sys.modules.get("torch")) is not None:
        found["threads"] = str(torch.get_num_threads())
        found["torch_capability"] = str(torch.backends.cpu.get_cpu_capability())
        names = (
            r"BLAS_INFO=\w+",
            r"Math Kernel Library Version [\w.]+",
            r"MKL-DNN v[\w.]+",
        )
        parts = [re.search(name, torch.__config__.show()) for name in names]
        found["torch_build"] = ", ".join(
            part[0].removeprefix("BLAS_INFO=") for part in parts if part
        )
    kernels = {
        str(pool["architecture"])
        for pool in threadpoolctl.threadpool_info()
        if pool.get("architecture")
    }
    return {**found, "blas_kernel": ", ".join(sorted(kernels))} if kernels else found


def _git(root: Path, *arguments: str) -> str | None:
    try:
        command = ["git", "-C", str(root), *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, timeout=30, check=True
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None


def commit(root: Path) -> dict[str, Any]:
    """Return the commit of the sources and whether files under src, notebooks or data differ from it.

    For an installed package it is the commit that was installed. Where `root` is not a
    repository of its own, for example a source archive, the commit is None.
    """
    if (root / ORIGIN).is_file():
        origin: dict[str, Any] = json.loads((root / ORIGIN).read_text(encoding="utf-8"))
        return {"id": origin["id"], "modified": origin["modified"]}
    top, _, head = (
        _git(root, "rev-parse", "--show-toplevel", "HEAD") or ""
    ).rpartition("\n")
    if not top or Path(top).resolve() != root.resolve():
        return {"id": None, "modified": None}
    changed = _git(root, "status", "--porcelain", "--", "src", "notebooks", "data")
    return {"id": head, "modified": bool(changed)}
