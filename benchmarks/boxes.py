"""The projection onto a box, beside what one runs instead.

100,000 laws on 1,000 atoms in one call, one law on 10^6 atoms.
Beside it, in the same run: the authors' public code for finite spaces (a
bisection for each law, to 1e-5) and for the line (bisection with an adaptive
quadrature), from a copy of github.com/phy811/Optimal-LDP-Sampling made outside this
repository and named by MOLLIFIED_PARK, the same bisection carried on to our precision,
and SciPy's SLSQP. Each line has the CPU time of a law and how far the total of the
result is from one. Peers run on fewer laws than we do where they are slow; times are
for one law. On 10^6 atoms the mass above the floor is 2e-6, less than the authors'
tolerance: their bisection stops at once, with a law in which nothing of P is left; so
that line is no comparison, and says what it is.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from boxes_device import EPS, E, bisected
from scipy.optimize import minimize

from mollified.boxes import box_floor, project


def timed(run: Callable[[], Any], laws: int, times: int = 3) -> tuple[float, Any]:
    """Return the least CPU seconds for one law, and what came out last."""
    seconds = []
    result = None
    for _ in range(times):
        start = time.process_time()
        result = run()
        seconds.append(time.process_time() - start)
    return min(seconds) / laws, result


def line(name: str, seconds: float, ours: float, laws: Any, cells: Any = 1.0) -> None:
    """Print one row."""
    off = np.abs(np.sum(np.asarray(laws) * cells, axis=-1) - 1).max()
    print(
        f"  {name:44s} {seconds:11.2e} s a law, ratio {seconds / ours:10.1f},"
        f" total off by {off:.0e}",
        flush=True,
    )


def solver(P: np.ndarray, m: np.ndarray) -> np.ndarray:
    """Return the projection in KL by SciPy's SLSQP."""
    one = {"type": "eq", "fun": lambda q: q.sum() - 1, "jac": np.ones_like}
    bounds = list(zip(m, E * m, strict=True))
    options = {"ftol": 1e-14, "maxiter": 1000}
    done = minimize(
        lambda q: -P @ np.log(q),
        m / m.sum(),
        jac=lambda q: -P / q,
        bounds=bounds,
        constraints=one,
        method="SLSQP",
        options=options,
    )
    return np.asarray(done.x)


def on_the_line(folder: str) -> None:
    """Print their continuous mechanism beside ours on a grid.

    It is run for one mixture of Gaussians on [-4, 4].
    """
    sys.path.insert(0, folder)
    from measure import ContinuousMeasure
    from propMech import ProposedMech_Continuous

    def target(x: np.ndarray) -> Any:
        return np.asarray(
            np.exp(-((x[0] - 0.5) ** 2) / 2) + np.exp(-((x[0] + 0.7) ** 2) / 2)
        ).reshape(())

    def ceiling(x: np.ndarray) -> Any:
        return np.asarray(np.exp(-(np.maximum(np.abs(x[0]) - 1, 0) ** 2) / 2)).reshape(
            ()
        )

    ranges = [(-4, 4)]
    raw = ContinuousMeasure(1, target, ranges)
    normalised = raw.normalize()
    mechanism = ProposedMech_Continuous(
        EPS, ContinuousMeasure(1, ceiling, ranges), 0.0, 1.0
    )
    theirs, density = timed(lambda: mechanism(normalised), 1)
    x = np.arange(-4 + 0.0005, 4, 0.001)
    w = np.full(len(x), 0.001)
    h, p = (np.array([f(np.array([a])) for a in x]) for f in (ceiling, target))
    mass = float(h @ w)
    ours, got = timed(
        lambda: project(p, h / mass * mass / (E - 1 + mass), E, weights=w), 1
    )
    print("one mixture on the line, ours on 8,000 points")
    line("ours", ours, ours, got, w)
    values = np.array([float(density.density(np.array([a]))) for a in x])
    line("authors' code, one law", theirs, ours, values, w)


def beside_bisection(
    rng: np.random.Generator,
    laws: int,
    atoms: int,
    few: int,
    perturb: Callable[[np.ndarray, float], np.ndarray] | None,
) -> None:
    """Print the projection beside bisections, of which `few` laws are timed."""
    P = rng.dirichlet(np.full(atoms, 0.5), laws)
    m = box_floor(np.full(atoms, 1 / atoms), EPS, "minimax")
    print(f"{laws:,} laws on {atoms:,} atoms")
    ours, projected = timed(lambda: project(P, m, E), laws)
    line("ours, one call", ours, ours, projected)
    if perturb is not None:
        theirs, other = timed(lambda: [perturb(row, EPS) for row in P[:few]], few)
        line("authors' code, a law a call, to 1e-5", theirs, ours, other)
        above = np.max(projected[:few], axis=1) - m[0]
        share = max(((np.max(other, axis=1) - m[0]) / above).min(), 0)
        print(
            "    above the floor its largest probability has"
            f" {100 * share:.1f} % of ours, or more"
        )
    theirs, other = timed(lambda: [bisected(row, m[0]) for row in P[:few]], few)
    line("the same bisection, to 1e-12", theirs, ours, other)


def beside_solver(rng: np.random.Generator, atoms: int) -> None:
    """Print the projection of 1,000 laws beside one law by SciPy's solver."""
    P = rng.dirichlet(np.full(atoms, 0.5), 1000)
    m = box_floor(rng.dirichlet(np.full(atoms, 5.0)), EPS)
    ours, projected = timed(lambda: project(P, m, E), 1000)
    seconds, other = timed(lambda: solver(P[0] + 1e-300, m), 1, 1)
    print(f"1,000 laws on {atoms:,} atoms; the solver has one")
    line("ours, one call", ours, ours, projected)
    line("SciPy's SLSQP", seconds, ours, other)


def main() -> None:
    """Print a table for each size."""
    rng = np.random.default_rng(1)
    folder = os.environ.get("MOLLIFIED_PARK")
    perturb = None
    if folder:
        sys.path.insert(0, folder)
        with contextlib.redirect_stdout(None):
            from visualize_finiteSpace import perturb_discrete as perturb
    else:
        print(
            "MOLLIFIED_PARK names no copy of the authors' code: its lines are left out"
        )
    beside_bisection(rng, 100_000, 1000, 2000, perturb)
    beside_bisection(rng, 1, 1_000_000, 1, perturb)
    for atoms in (50, 200):
        beside_solver(rng, atoms)
    if folder:
        on_the_line(folder)


if __name__ == "__main__":
    main()
