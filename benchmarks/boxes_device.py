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
    module = importlib.import_module("mollified.boxes.projection")
    project: Callable[..., Any] = module.project
    return project


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
        law = np.maximum(p / r, floor)
        total = law.sum()
        if abs(total - 1) <= 1e-12 or high - low <= 4e-16 * high:
            return np.asarray(law)
        low, high = (r, high) if total > 1 else (low, r)


class Bench:
    """Time functions on a device, from when it is idle until it is idle again."""

    def __init__(self, device: str) -> None:
        self.device = device
        self.on_gpu = device.startswith("cuda")

    def _wait(self) -> None:
        if self.on_gpu:
            torch.cuda.synchronize()

    def timed(
        self, run: Callable[[], Any], laws: int, times: int = 3
    ) -> tuple[float, Any]:
        """Return the least seconds for one law, and what came out last."""
        seconds = []
        result = None
        for _ in range(times):
            self._wait()
            start = time.perf_counter()
            result = run()
            self._wait()
            seconds.append(time.perf_counter() - start)
        return min(seconds) / laws, result


def compare(bench: Bench, P: np.ndarray, few: int) -> None:
    """Print the seconds of each way; stop where the device's result is off."""
    project = our_project()
    perturb = theirs(Path(os.environ["MOLLIFIED_PARK"]))
    laws, atoms = P.shape
    floor = 1 / (E + atoms - 1)
    m = np.full(atoms, floor)
    there = torch.asarray(P, device=bench.device)

    def there_and_back() -> torch.Tensor:
        return project(torch.asarray(P, device=bench.device), m, E).cpu()

    project(there[:1], m, E)  # the device's libraries are loaded
    ours, projected = bench.timed(lambda: project(there, m, E), laws)
    back, _ = bench.timed(there_and_back, laws)
    host, exact = bench.timed(lambda: project(P, m, E), laws, 1)
    apart = np.abs(projected.cpu().numpy() - exact).max()
    off = float(abs(projected.sum(axis=1) - 1).max())
    if not (apart <= 1e-12 and off <= 1e-12):
        raise SystemExit(
            f"the device's result is {apart} from NumPy's, its total {off} from one"
        )
    copied, _ = bench.timed(P.copy, laws)
    public, _ = bench.timed(lambda: [perturb(row, EPS) for row in P[:few]], few)
    equal, _ = bench.timed(lambda: [bisected(row, floor) for row in P[:few]], few)
    print(
        f"{laws:,} laws on {atoms:,} atoms; at most {apart:.0e} from NumPy's,"
        f" {off:.0e} from a total of one"
    )
    for name, seconds in (
        (f"ours, on {bench.device}", ours),
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


def main() -> None:
    """Print a table for each size."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--laws", type=int, default=100_000)
    arguments = parser.parse_args()
    bench = Bench(arguments.device)
    name = arguments.device
    if bench.on_gpu:
        name = torch.cuda.get_device_name(name)
    print(name, "torch", torch.__version__, "numpy", np.__version__)
    rng = np.random.default_rng(1)
    for laws, atoms, few in ((arguments.laws, 1000, 1000), (1, 1_000_000, 1)):
        P = rng.standard_gamma(0.5, (laws, atoms))
        P /= P.sum(axis=1, keepdims=True)
        compare(bench, P, few)


if __name__ == "__main__":
    main()
