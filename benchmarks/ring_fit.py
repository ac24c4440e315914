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
    """Return the exact test cross-entropy of each round for logits (T, N) at the nodes."""
    p = np.exp(TARGET.log_prob(GRID.points)) * GRID.weights
    current = REFERENCE.log_prob(GRID.points)
    found = []
    for step, logit in zip(variant.steps(EPS, ROUNDS), logits, strict=True):
        q = np.exp(current) * GRID.weights
        found.append(-0.5 * float(p @ log_expit(logit) + q @ log_expit(-logit)))
        current = current + step * variant.classifier(logit)
        current -= logsumexp(current + np.log(GRID.weights))
    return found


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
        network = torch.nn.Sequential(
            *(part for layer in layers for part in (layer, torch.nn.Tanh()))
        )[:-1]
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
        with np.load(out) as found:
            total = float(found["total"])
            normalise = float(found["normalise"])
            return (
                total - normalise,
                normalise,
                losses(found["logits"], VARIANTS["successors"]),
            )


def show(title: str, seconds: float, values: list[float]) -> None:
    """Print one line."""
    print(
        f"{title:44s} {seconds:8.2f} s   test loss by round: {', '.join(f'{x:.4f}' for x in values)}",
        flush=True,
    )


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
    print(
        f"({key}) {ratio:.0f} times faster (demanded: {DEMANDED[key]}); mean test loss of rounds 1..{rounds} "
        f"{mine:.4f} beside {theirs:.4f}: {'equal or lower' if mine <= theirs else 'HIGHER'}"
    )


def main() -> None:
    """Print all fits and the ratios."""
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
    given = parser.parse_args()
    torch.set_num_threads(1 if given.cpu_time else 2)
    print(
        f"{torch.get_num_threads()} thread(s) of torch {torch.__version__}, CPU, {CLOCK.__name__}",
        flush=True,
    )
    ours("clip", 0)
    own: dict[str, list[tuple[float, list[float]]]] = {"clip": [], "successors": []}
    loop = []
    peer = []
    whole = []

    def turn(seed: int) -> None:
        for name, kept in own.items():
            kept += [ours(name, 10 * seed + index) for index in range(3)]

    for seed in range(1, given.runs + 1):
        turn(2 * seed)
        loop.append(plain(seed))
        show("(b) plain torch loop, as printed", *loop[-1])
        turn(2 * seed + 1)
    for name, title in (
        ("clip", "ours, as printed (clip)"),
        ("successors", "ours, the successors' sigmoid"),
    ):
        seconds = statistics.median(x for x, _ in own[name])
        values = np.mean([item for _, item in own[name]], axis=0)
        show(f"{title}, median of {len(own[name])}", seconds, list(values))
    compare("b", loop, own["clip"], ROUNDS)
    if not given.peer or not Path(given.peer, "utils", "mbde.py").is_file():
        print(
            f"(a) left out: no copy of the successors' repository at {given.peer!r} (--peer or MOLLIFIED_PEER)"
        )
        return
    for kept in own.values():
        kept.clear()
    for seed in range(1, given.runs + 1):
        turn(2 * seed)
        rounds, normalise, values = successors(
            Path(given.peer).resolve(), given.peer_python, seed
        )
        peer.append((rounds, values))
        whole.append((rounds + normalise, values))
        show("(a) successors' baseline, rounds alone", rounds, values)
        show("    with its adaptive normalisers", rounds + normalise, values)
        turn(2 * seed + 1)
    # With another classifier the current laws differ after the first round, and their
    # losses cannot be compared.
    same = {"clip": 1, "successors": ROUNDS}
    print("rounds alone, against our whole fit (normaliser and all):")
    for name in own:
        print(f"  ours {name}: ", end="")
        compare("a", peer, own[name], same[name])
    print("with their normalisers:")
    for name in own:
        print(f"  ours {name}: ", end="")
        compare("a", whole, own[name], same[name])


if __name__ == "__main__":
    main()
