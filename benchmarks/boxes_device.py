"""The projection onto a box on a device of PyTorch, beside other ways.

They are NumPy, the authors' code, and their bisection carried on.

    MOLLIFIED_PARK=FOLDER python benchmarks/boxes_device.py --device cuda

Needs numpy and torch only; FOLDER holds the authors' `visualize_finiteSpace.py` (see
`boxes.py`), of which the one function is taken, as it stands. Times are wall seconds,
the least of three, from when the device is idle until it is idle again; the authors'
function has one law a call and one core. Stops with an error where the device's result
is farther than 1e-12 from NumPy's or from a total of one.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import os
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

EPS = 1.0
E = float(np.exp(EPS))
ROOT = Path(__file__).parents[1]


def our_project() -> Callable[..., Any]:
    """Return our function without the packages above it.

    Those need an installation and python-flint.
    """
    for name in ("mollified", "mollified.boxes"):
        package = types.ModuleType(name)
        package.__path__ = [str(ROOT / "src" / name.replace(".", "/"))]
        sys.modules[name] = package
    found: Callable[..., Any] = importlib.import_module(
        "mollified.boxes.projection"
    ).project
    return found


def theirs(folder: Path) -> Callable[[np.ndarray, float], np.ndarray]:
    """Return the authors' function, without the drawing that its file imports."""
    tree = ast.parse((folder / "visualize_finiteSpace.py").read_text(encoding="utf-8"))
    tree.body = [
        part
        for part in tree.body
        if isinstance(part, ast.FunctionDef) and part.name == "perturb_discrete"
    ]
    names: dict[str, Any] = {"np": np}
    exec(compile(tree, str(folder), "exec"), names)
    return names["perturb_discrete"]  # type: ignore[no-any-return]


def bisected(p: np.ndarray, floor: float) -> np.ndarray:
    """Return max(p / r, floor) by bisection of r, until the total is one within 1e-12.

    It is the authors' way, and has their ends.
    """
    low = 1.0
    high = 1 / (E * floor)
    while True:
        r = (low + high) / 2
        made = np.maximum(p / r, floor)
        total = made.sum()
        if abs(total - 1) <= 1e-12 or high - low <= 4e-16 * high:
            return np.asarray(made)
        low, high = (r, high) if total > 1 else (low, r)


def main() -> None:
    """Print a table for each size."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--laws", type=int, default=100_000)
    given = parser.parse_args()
    project = our_project()
    perturb = theirs(Path(os.environ["MOLLIFIED_PARK"]))
    cuda = given.device.startswith("cuda")
    wait: Callable[[], None] = torch.cuda.synchronize if cuda else lambda: None

    def timed(run: Callable[[], Any], laws: int, times: int = 3) -> tuple[float, Any]:
        seconds = []
        made = None
        for _ in range(times):
            wait()
            start = time.perf_counter()
            made = run()
            wait()
            seconds.append(time.perf_counter() - start)
        return min(seconds) / laws, made

    def compare(laws: int, atoms: int, few: int) -> None:
        P = rng.standard_gamma(0.5, (laws, atoms))
        P /= P.sum(axis=1, keepdims=True)
        floor = 1 / (E + atoms - 1)
        m = np.full(atoms, floor)
        there = torch.asarray(P, device=given.device)
        project(there[:1], m, E)  # the device's libraries are loaded
        ours, made = timed(lambda: project(there, m, E), laws)
        back, _ = timed(
            lambda: project(torch.asarray(P, device=given.device), m, E).cpu(), laws
        )
        host, exact = timed(lambda: project(P, m, E), laws, 1)
        apart = np.abs(made.cpu().numpy() - exact).max()
        off = float(abs(made.sum(axis=1) - 1).max())
        if not (apart <= 1e-12 and off <= 1e-12):
            raise SystemExit(
                f"the device's result is {apart} from NumPy's, its total {off} from one"
            )
        copied, _ = timed(P.copy, laws)
        public, _ = timed(lambda: [perturb(row, EPS) for row in P[:few]], few)
        equal, _ = timed(lambda: [bisected(row, floor) for row in P[:few]], few)
        print(
            f"{laws:,} laws on {atoms:,} atoms; at most {apart:.0e} from NumPy's,"
        f" {off:.0e} from a total of one"
        )
        for name, seconds in (
            (f"ours, on {given.device}", ours),
            ("ours, with the way there and back", back),
            ("ours, NumPy", host),
            ("a bare copy of the batch, NumPy", copied),
            ("authors' code, to 1e-5", public),
            ("the same bisection, to 1e-12", equal),
        ):
            print(
                f"  {name:36s} {seconds:10.2e} s a law,"
            f" ratio to the first {seconds / ours:9.1f}",
                flush=True,
            )

    name = torch.cuda.get_device_name(given.device) if cuda else given.device
    print(name, "torch", torch.__version__, "numpy", np.__version__)
    rng = np.random.default_rng(1)
    compare(given.laws, 1000, 1000)
    compare(1, 1_000_000, 1)


if __name__ == "__main__":
    main()
