"""Exact privacy of the bootstrapping mechanism at n = 10^6, 10^4 symbols, m = 10^8.

And what it costs by m. Seconds and peak memory of delta, of its certified bracket and
of the largest m, in a process of their own; beside dp-accounting's privacy loss
distribution on the lattice of the loss (where nothing is rounded) for the same question
in the same run, at 10^6 records and at --peer of them, by default 10^8, which takes it
a minute or two. With --folder a CSV file and a picture of the cost against m.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pandas as pd
from dp_accounting.pld.pld_pmf import SparsePLDPmf
from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution
from timing import medians

from mollified.bootstrap import bootstrap_delta, certified_delta, largest_m, step_loss

N = 10**6
SIZE = 10**4
K = 1000
M = 10**8
EPS = 0.5
DELTA = 1e-6
QUESTIONS: dict[str, Callable[[int], object]] = {
    "delta": lambda m: bootstrap_delta(EPS, N, SIZE, K, m),
    "bracket": lambda m: certified_delta(EPS, N, SIZE, K, m),
    "largest m": lambda m: largest_m(EPS, DELTA, N, SIZE, K),
}


def library(m: int) -> float:
    """Return delta by the library, 1e-12 of mass cut off."""
    total = N + K * SIZE
    step = {1: (K + 1) / total, -1: K / total, 0: 1 - (2 * K + 1) / total}
    one = PrivacyLossDistribution(
        SparsePLDPmf(step, step_loss(K), 0.0, pessimistic_estimate=True)
    )
    return float(
        one.self_compose(m, tail_mass_truncation=1e-12).get_delta_for_epsilon(EPS)
    )


def peak() -> float:
    """Return the largest resident size of this process so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def alone(name: str) -> None:
    """Answer one question once in a fresh process.

    Print seconds of the first call, peak memory with all imports, and the answer.
    """
    before = peak()
    start = time.perf_counter()
    answer = QUESTIONS[name](M)
    seconds = time.perf_counter() - start
    print(
        f"{name:10s} first call {seconds:8.4f} s, peak {peak():6.0f} MiB"
        f" (imports {before:.0f}); answer {answer}"
    )


def cost(function: Callable[[int], object], m: int, runs: int) -> float:
    """Return the median processor seconds of several calls."""
    seconds = []
    for _ in range(runs):
        start = time.process_time()
        function(m)
        seconds.append(time.process_time() - start)
    return statistics.median(seconds)


def curves(largest_peer: int, runs: int) -> pd.DataFrame:
    """Return the cost by m of each question that depends on it, and of the library."""
    rows = []
    for power in range(2, 13):
        m = 10**power
        for name in ("delta", "bracket"):
            rows.append((name, m, cost(QUESTIONS[name], m, runs)))
        if m <= largest_peer:
            rows.append(("dp-accounting", m, cost(library, m, 1)))
        print(
            "  ".join(
                f"{name} {seconds:.6f} s" for name, at, seconds in rows if at == m
            ),
            f" m = 10^{power}",
            flush=True,
        )
    return pd.DataFrame(rows, columns=["what", "m", "seconds"])


def picture(table: pd.DataFrame, path: Path) -> None:
    """Draw the cost against m on logarithmic axes."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
    for what, rows in table.groupby("what"):
        axes.loglog(rows["m"], rows["seconds"], marker="o", label=what)
    axes.set(xlabel="records drawn, m", ylabel="processor seconds")
    axes.legend()
    figure.savefig(path)
    plt.close(figure)


def parsed() -> argparse.Namespace:
    """Return the arguments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--folder", type=Path, help="where bootstrap_accountant.csv and .svg go"
    )
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument(
        "--peer",
        type=int,
        default=M,
        help="the largest m at which the library is asked",
    )
    parser.add_argument(
        "--alone", choices=[*QUESTIONS], help="answer one question and stop"
    )
    return parser.parse_args()


def beside_library(largest: int, runs: int) -> None:
    """Print our seconds and the library's at 10^6 records, and at the largest m."""
    small = min(largest, 10**6)
    ours, theirs = medians(lambda: QUESTIONS["delta"](small), lambda: library(small), 3)
    print(
        f"m = {small:,}, medians: ours {ours:.6f} s, dp-accounting {theirs:.4f} s,"
        f" ratio {theirs / ours:,.0f}"
    )
    if largest > small:
        start = time.perf_counter()
        far = abs(library(largest) - bootstrap_delta(EPS, N, SIZE, K, largest))
        theirs = time.perf_counter() - start
        ours = cost(QUESTIONS["delta"], largest, runs)
        print(
            f"m = {largest:,}: ours {ours:.6f} s, dp-accounting {theirs:.1f} s,"
            f" ratio {theirs / ours:,.0f}, {far:.0e} apart"
        )


def main() -> None:
    """Print the figures; write the files where a folder is named."""
    arguments = parsed()
    if arguments.alone:
        alone(arguments.alone)
        return
    print(
        f"n = {N:,}, {SIZE:,} symbols, k = {K:,}, m = {M:,}, eps = {EPS:g},"
        f" delta = {DELTA:g}"
    )
    for name in QUESTIONS:
        subprocess.run([sys.executable, __file__, "--alone", name], check=True)
    beside_library(arguments.peer, arguments.runs)
    table = curves(min(arguments.peer, 10**7), arguments.runs)
    if arguments.folder:
        arguments.folder.mkdir(parents=True, exist_ok=True)
        files = [
            arguments.folder / f"bootstrap_accountant.{end}" for end in ("csv", "svg")
        ]
        table.to_csv(files[0], index=False)
        picture(table, files[1])
        print(f"written: {files[0]}, {files[1]}")


if __name__ == "__main__":
    main()
