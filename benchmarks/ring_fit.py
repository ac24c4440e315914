"""One MBDE fit on the ring beside two others, and at what test loss.

T = 3, eps = 1, 10,000 samples a class. The others:

(a) the successors' public PyTorch baseline, run as a process of its own from a copy of
their repository
    (github.com/hradghoukasian/private_sampling): --peer FOLDER or MOLLIFIED_PEER, and
    --peer-python or MOLLIFIED_PEER_PYTHON for a Python that has numpy < 2.3, scipy and
    torch (else this one). Left out where no copy is named. It adds the sigmoid, so that
    ours is timed with that variant too.
(b) a plain loop: `mollified.boosting.mbde` with a network of torch, autograd, 750 full
Nesterov steps as printed,
    exact rejection sampling, and a normaliser by quadrature.

All on the CPU, torch alone. Test losses are exact cross-entropies by quadrature, each
round against that run's own current law. Ours is timed before and after each of the
others; ratios are of medians. On a busy machine --cpu-time compares the processor's
seconds of one thread each, which other programs disturb less.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import chain
from pathlib import Path

import numpy as np
import torch
from scipy.special import log_expit, logsumexp

from mollified.boosting import mbde
from mollified.boosting.classifiers import BoundedLogit
from mollified.experiments.mbde_sweep import domain, domain_grid
from mollified.training import FAST, PRINTED, VARIANTS, Variant, grid_mbde

EPS = 1.0
ROUNDS = 3
CPU = torch.device("cpu")
TARGET = domain("ring")
REFERENCE, GRID = domain_grid(TARGET)
DEMANDED = {"a": 80, "b": 20}
CLOCK = time.process_time if "--cpu-time" in sys.argv else time.perf_counter


def losses(logits: np.ndarray, variant: Variant) -> list[float]:
    """Return exact test losses of the rounds for logits (T, N) at the nodes."""
    p = np.exp(TARGET.log_prob(GRID.points)) * GRID.weights
    current = REFERENCE.log_prob(GRID.points)
    values = []
    for step, logit in zip(variant.steps(EPS, ROUNDS), logits, strict=True):
        q = np.exp(current) * GRID.weights
        values.append(-0.5 * float(p @ log_expit(logit) + q @ log_expit(-logit)))
        current = current + step * variant.classifier(logit)
        current -= logsumexp(current + np.log(GRID.weights))
    return values


def ours(name: str, seed: int) -> tuple[float, list[float]]:
    """Return seconds and losses of one fit of a variant with the fast recipe."""
    start = CLOCK()
    rng = np.random.default_rng(seed)
    (run,) = grid_mbde(
        TARGET,
        REFERENCE,
        GRID,
        [EPS],
        [VARIANTS[name]],
        ROUNDS,
        rng,
        recipe=FAST,
        device=CPU,
    )
    return CLOCK() - start, run.losses


class Plain:
    """Train the papers' network with autograd, on all points, as printed."""

    def fit(self, target, current, _iteration, rng):
        """Draw 10,000 points of each law, train, and return the clipped logit."""
        both = np.concatenate([law.sample(10_000, rng) for law in (target, current)])
        generator = torch.Generator().manual_seed(int(rng.integers(2**62)))
        layers = [
            torch.nn.Linear(*sizes, dtype=torch.float64)
            for sizes in ((2, 25), (25, 25), (25, 25), (25, 1))
        ]
        for layer in layers:
            torch.nn.init.xavier_uniform_(layer.weight, generator=generator)
            torch.nn.init.zeros_(layer.bias)
        parts = [[layer, torch.nn.Tanh()] for layer in layers]
        network = torch.nn.Sequential(*chain.from_iterable(parts))[:-1]
        points = torch.tensor(both)
        labels = (torch.arange(20_000) < 10_000).double()
        step = torch.optim.SGD(
            network.parameters(),
            lr=PRINTED.rate,
            momentum=PRINTED.momentum,
            nesterov=True,
        )
        for _ in range(PRINTED.epochs):
            step.zero_grad()
            torch.nn.functional.binary_cross_entropy_with_logits(
                network(points)[:, 0], labels
            ).backward()
            step.step()
        network.requires_grad_(False)
        return BoundedLogit(lambda x: network(torch.tensor(x))[:, 0].numpy(), "clip")


def plain(seed: int) -> tuple[float, list[float]]:
    """Return the seconds and the losses of one fit by the plain loop."""
    start = CLOCK()
    density = mbde(
        TARGET, REFERENCE, EPS, ROUNDS, Plain(), GRID, np.random.default_rng(seed)
    )[-1]
    seconds = CLOCK() - start
    return seconds, losses(
        np.stack([item.logit(GRID.points) for item in density.classifiers]),
        VARIANTS["clip"],
    )


def successors(
    folder: Path, python: str, seed: int
) -> tuple[float, float, list[float]]:
    """Return seconds and losses of one fit by the public baseline.

    Seconds are those of the rounds and of the normalisers.
    """
    with tempfile.TemporaryDirectory() as place:
        points = Path(place, "points.npz")
        out = Path(place, "out.npz")
        np.savez(points, points=GRID.points)
        script = Path(__file__).with_name("successors_fit.py")
        command = [
            python,
            str(script),
            str(folder),
            str(out),
            str(points),
            str(EPS),
            str(seed),
            CLOCK.__name__,
        ]
        subprocess.run(command, check=True, cwd=place, stderr=subprocess.DEVNULL)
        with np.load(out) as results:
            total = float(results["total"])
            normalise = float(results["normalise"])
            return (
                total - normalise,
                normalise,
                losses(results["logits"], VARIANTS["successors"]),
            )


def show(title: str, seconds: float, values: list[float]) -> None:
    """Print one line."""
    by_round = ", ".join(f"{loss:.4f}" for loss in values)
    print(f"{title:44s} {seconds:8.2f} s   test loss by round: {by_round}", flush=True)


def compare(
    key: str,
    other: list[tuple[float, list[float]]],
    own: list[tuple[float, list[float]]],
    rounds: int,
) -> None:
    """Print the ratio of the medians, and mean test losses over the first `rounds`.

    Beside them stands what is demanded.
    """
    ratio = statistics.median(x for x, _ in other) / statistics.median(
        x for x, _ in own
    )
    theirs, mine = (
        statistics.mean(statistics.mean(values[:rounds]) for _, values in item)
        for item in (other, own)
    )
    verdict = "equal or lower" if mine <= theirs else "HIGHER"
    print(
        f"({key}) {ratio:.0f} times faster (demanded: {DEMANDED[key]});"
        f" mean test loss of rounds 1..{rounds}"
        f" {mine:.4f} beside {theirs:.4f}: {verdict}"
    )


#: Seconds and losses of one fit.
Fit = tuple[float, list[float]]


def parsed() -> argparse.Namespace:
    """Return the arguments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--runs", type=int, default=1, help="runs of each of the others"
    )
    parser.add_argument("--peer", default=os.environ.get("MOLLIFIED_PEER"))
    parser.add_argument(
        "--peer-python",
        default=os.environ.get("MOLLIFIED_PEER_PYTHON") or sys.executable,
    )
    parser.add_argument(
        "--cpu-time", action="store_true", help="processor seconds of one thread"
    )
    return parser.parse_args()


def turn(own: dict[str, list[Fit]], seed: int) -> None:
    """Add three fits of each of our variants."""
    for name, fits in own.items():
        fits += [ours(name, 10 * seed + index) for index in range(3)]


def beside_loop(runs: int) -> None:
    """Print our fits beside those of the plain loop."""
    own: dict[str, list[Fit]] = {"clip": [], "successors": []}
    loop = []
    for seed in range(1, runs + 1):
        turn(own, 2 * seed)
        loop.append(plain(seed))
        show("(b) plain torch loop, as printed", *loop[-1])
        turn(own, 2 * seed + 1)
    for name, title in (
        ("clip", "ours, as printed (clip)"),
        ("successors", "ours, the successors' sigmoid"),
    ):
        seconds = statistics.median(x for x, _ in own[name])
        values = np.mean([item for _, item in own[name]], axis=0)
        show(f"{title}, median of {len(own[name])}", seconds, list(values))
    compare("b", loop, own["clip"], ROUNDS)


def beside_successors(folder: Path, python: str, runs: int) -> None:
    """Print our fits beside those of the successors' public baseline."""
    own: dict[str, list[Fit]] = {"clip": [], "successors": []}
    peer = []
    whole = []
    for seed in range(1, runs + 1):
        turn(own, 2 * seed)
        rounds, normalise, values = successors(folder, python, seed)
        peer.append((rounds, values))
        whole.append((rounds + normalise, values))
        show("(a) successors' baseline, rounds alone", rounds, values)
        show("    with its adaptive normalisers", rounds + normalise, values)
        turn(own, 2 * seed + 1)
    # With another classifier the current laws differ after the first round, and their
    # losses cannot be compared.
    same = {"clip": 1, "successors": ROUNDS}
    for words, fits in (
        ("rounds alone, against our whole fit (normaliser and all):", peer),
        ("with their normalisers:", whole),
    ):
        print(words)
        for name in own:
            print(f"  ours {name}: ", end="")
            compare("a", fits, own[name], same[name])


def main() -> None:
    """Print all fits and the ratios."""
    arguments = parsed()
    torch.set_num_threads(1 if arguments.cpu_time else 2)
    print(
        f"{torch.get_num_threads()} thread(s) of torch {torch.__version__}, CPU,"
        f" {CLOCK.__name__}",
        flush=True,
    )
    ours("clip", 0)
    beside_loop(arguments.runs)
    if not arguments.peer or not Path(arguments.peer, "utils", "mbde.py").is_file():
        print(
            "(a) left out: no copy of the successors' repository at"
            f" {arguments.peer!r} (--peer or MOLLIFIED_PEER)"
        )
        return
    folder = Path(arguments.peer).resolve()
    beside_successors(folder, arguments.peer_python, arguments.runs)


if __name__ == "__main__":
    main()
