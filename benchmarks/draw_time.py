"""What the processor time of one draw tells about the law.

Ten kinds of laws on 1,000 points, one draw at a time. Draws of all kinds come in a
random order, each of a law of its own. For each kind: the median time, and the share of
draws that the best single threshold, chosen on the same times, tells from those of all
other kinds (both weighted equally; .5 is guessing). A threshold chosen on n draws tells
about .5 + .6 / sqrt(n) where nothing is to be told. At the end the same for a sampler
that stops early, which must be told: the projection as pages use it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from mollified.boxes import BoxSampler, project

POINTS = 1000
EPS = 1.0


def kinds(rng: np.random.Generator) -> dict[str, Callable[[], Any]]:
    """Return makers of laws by name; each call makes a new law."""
    reference = np.full(POINTS, 1 / POINTS)

    def on_few(count: int) -> Any:
        law = np.zeros(POINTS)
        law[rng.choice(POINTS, count, replace=False)] = 1 / count
        return law

    def spread(least: float) -> Any:
        law = np.exp(rng.uniform(np.log(least), 0.0, POINTS))
        return law / law.sum()

    def tiny() -> Any:
        law = np.full(POINTS, 5e-324)
        law[rng.integers(POINTS)] = 1.0
        return law

    return {
        "the reference": lambda: reference.copy(),
        "near the reference": lambda: rng.dirichlet(np.full(POINTS, 1e4)),
        "Dirichlet(1)": lambda: rng.dirichlet(np.ones(POINTS)),
        "Dirichlet(.05)": lambda: rng.dirichlet(np.full(POINTS, 0.05)),
        "one point": lambda: on_few(1),
        "ten points": lambda: on_few(10),
        "half of the points": lambda: on_few(POINTS // 2),
        "sorted": lambda: np.sort(rng.dirichlet(np.ones(POINTS))),
        "over 200 powers of ten": lambda: spread(1e-200),
        "one point, subnormal elsewhere": tiny,
    }


def seconds(
    draw: Callable[[Any], Any], draws: int, rng: np.random.Generator
) -> dict[str, Any]:
    """Return the processor seconds of each draw by kind, in a random order."""
    makers = kinds(rng)
    order = rng.permutation(np.repeat(np.arange(len(makers)), draws))
    names = list(makers)
    taken: dict[str, list[float]] = {name: [] for name in names}
    for place in [*order[:200], *order]:  # the first ones warm up
        law = makers[names[place]]()
        start = time.process_time_ns()
        draw(law)
        taken[names[place]].append((time.process_time_ns() - start) / 1e9)
    return {name: np.array(times[-draws:]) for name, times in taken.items()}


def told(one: Any, others: Any) -> float:
    """Return the share that the best threshold tells apart, both weighted equally."""
    times = np.concatenate([one, others])
    weights = np.concatenate(
        [np.full(len(one), 0.5 / len(one)), np.full(len(others), -0.5 / len(others))]
    )
    order = np.argsort(times, kind="stable")
    sums = np.cumsum(weights[order])
    ends = np.append(np.diff(times[order]) > 0, True)
    return 0.5 + float(np.abs(sums[ends]).max())


def table(
    name: str, draw: Callable[[Any], Any], draws: int, rng: np.random.Generator
) -> float:
    """Print a row a kind; return the largest share."""
    taken = seconds(draw, draws, rng)
    shares = []
    print(f"{name}, {draws:,} draws a kind")
    for kind, times in taken.items():
        others = np.concatenate(
            [other for label, other in taken.items() if label != kind]
        )
        shares.append(told(times, others))
        print(
            f"  {kind:32s} median {1e6 * np.median(times):7.1f} us"
            f"   told {shares[-1]:.3f}",
            flush=True,
        )
    return max(shares)


def main() -> None:
    """Print both tables and the verdict."""
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    rng = np.random.default_rng(1)
    sampler = BoxSampler.from_reference(np.full(POINTS, 1 / POINTS), EPS)
    ours = table("BoxSampler.draw", sampler.draw, draws, rng)
    early = table(
        "project, which ends early",
        lambda law: project(law, sampler.floor, np.e),
        draws // 10,
        rng,
    )
    print(
        f"largest share told: draw {ours:.3f}, a projection that ends early {early:.3f}"
    )


if __name__ == "__main__":
    main()
