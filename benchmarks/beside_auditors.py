r"""Let auditors that others wrote look for violations.

`python benchmarks/beside_auditors.py` needs an environment of its own, with this
package, opendp, torch, scikit-learn, tensorboard, numba, tqdm and tensorflow (2.21
runs), and on the path folders of three repositories, which no registry has:

- `eth-sri/dp-sniper` (MIT), commit ee087b2, its root: a classifier, Clopper and
  Pearson's bounds;
- `cmla-psu/statdp` (MIT), commit d1f1e8f, its root: a search for an event, a test on
  fresh draws;
- `google/differential-privacy` (Apache 2.0), commit b5b0286, its folder
  `python/dp_auditorium`: the tester by the hockey-stick divergence, without the
  generators beside it, which need Vizier.

So: `git clone https://github.com/eth-sri/dp-sniper`, `git checkout ee087b2`, and so on.
Nothing of them is kept here, and none of their lines is changed. Each sampler is
audited on a pair of inputs where its level is attained, or nearly, and so is what might
be taken for it; the auditors' own searches for pairs are not used. A quarter of an hour
on one processor. The classifier and the tester are seeded, OpenDP's noise and StatDP's
test are not. Arguments choose kinds: `box ks`.

Two things are ours. For a delta > 0 DP-Sniper's lower bound of p has delta subtracted.
StatDP tests pure levels: there every output is replaced, with probability
$\delta/(e^\varepsilon-1+\delta)$, by one that lies below all; on the events that
contain it, such as StatDP's half-lines, the ratio is at most $e^\varepsilon$ just where
$P(S)\le e^\varepsilon P'(S)+\delta$. All three see the same draws; each of them selects
on some and counts on others.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import logging
import math
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
for package in ("dp_auditorium", "dp_auditorium.testers"):
    sys.modules[package] = importlib.util.module_from_spec(
        importlib.util.find_spec(package)
    )

import tensorflow as tf  # noqa: E402
import torch  # noqa: E402
from dp_auditorium.configs import property_tester_config  # noqa: E402
from dp_auditorium.configs.privacy_property import ApproximateDp  # noqa: E402
from dp_auditorium.testers import hockey_stick_tester  # noqa: E402
from dpsniper.attack.dpsniper import DPSniper  # noqa: E402
from dpsniper.classifiers.classifier_factory import MultiLayerPerceptronFactory  # noqa: E402
from dpsniper.classifiers.torch_optimizer_factory import AdamOptimizerFactory  # noqa: E402
from dpsniper.mechanisms.abstract import Mechanism  # noqa: E402
from dpsniper.probability.estimators import EpsEstimator, PrEstimator  # noqa: E402
from dpsniper.search.ddconfig import DDConfig  # noqa: E402
from dpsniper.utils.paths import set_output_directory  # noqa: E402
from dpsniper.utils.torch import torch_initialize  # noqa: E402
from statdp.hypotest import hypothesis_test  # noqa: E402
from statdp.selectors import select_event  # noqa: E402

from mollified import privacy  # noqa: E402
from mollified.bootstrap import (  # noqa: E402
    bootstrap_mechanism,
    certified_delta,
    release_exact,
)
from mollified.boxes import BoxSampler, ContinuousBoxSampler  # noqa: E402
from mollified.laws import Gaussian  # noqa: E402
from mollified.mechanisms import ks_release, noisy_histogram  # noqa: E402
from mollified.mechanisms.histogram_release import (  # noqa: E402
    discrete_gaussian_scale,
    gaussian_scale,
    laplace_scale,
)
from mollified.sampling import FiniteSampler, nearest_weights  # noqa: E402

Array = npt.NDArray[np.float64]
#: An input and how many outputs of it are wanted, to the outputs, one a row.
Draw = Callable[[Any, int], Any]
#: How often each auditor may err on a sampler that keeps its level.
ERROR = 1e-6
MANY = 400_000
SOME = 60_000
RNG = np.random.default_rng(1)


def as_they_are(rows: Array) -> Array:
    """Return what StatDP gets: a column as numbers, more as a row each."""
    return rows[:, 0] if rows.shape[1] == 1 else rows


@dataclass(frozen=True)
class Case:
    """Hold a sampler, its promise, two inputs, and how auditors see its outputs.

    `share` is the probability of DP-Sniper's event on the second input, `view` what
    StatDP gets.
    """

    name: str
    eps: float
    delta: float
    draw: Draw
    pair: tuple[Any, Any]
    draws: int = MANY
    share: float = 0.05
    view: Callable[[Array], Array] = as_they_are
    broken: bool = field(default=False, kw_only=True)

    def worse(self, name: str, draw: Draw) -> Case:
        """Return the case of something else that promises the same."""
        return replace(self, name=name, draw=draw, broken=True)

    def rows(self) -> list[Array]:
        """Return draws on the two inputs, one a row."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            drawn = [np.asarray(self.draw(data, self.draws)) for data in self.pair]
        return [rows.astype(np.float64).reshape(self.draws, -1) for rows in drawn]


class Bank(Mechanism):
    """Give DP-Sniper the draws of either input, each once."""

    def __init__(self, rows: list[Array]) -> None:
        self.rows = rows
        self.used = [0, 0]

    def m(self, a: int, n_samples: int = 1) -> Array:
        """Return the next draws of an input."""
        start = self.used[a]
        self.used[a] += n_samples
        if self.used[a] > len(self.rows[a]):
            raise ValueError(f"n_samples must leave draws, got {n_samples!r}")
        return self.rows[a][start : self.used[a]]


class AtDelta(EpsEstimator):
    """Bound eps at a delta: DP-Sniper's estimator with delta subtracted from p."""

    def __init__(self, estimator: PrEstimator, delta: float) -> None:
        super().__init__(estimator)
        self.delta = delta

    def _compute_eps(self, p1: float, p2: float) -> float:
        return float(EpsEstimator._compute_eps(max(p1 - self.delta, 0.0), p2))


def sniped(case: Case, rows: list[Array]) -> float:
    """Return DP-Sniper's lower bound on eps."""
    bank = Bank(rows)
    fifth = case.draws // 5000 * 1000
    sizes = {"n_train": fifth, "n": fifth, "n_check": 3 * fifth, "n_final": 3 * fifth}
    batches = {"training_batch_size": fifth // 100, "prediction_batch_size": 10**6}
    config = DDConfig(
        c=case.share, confidence=1 - ERROR, n_processes=1, **sizes, **batches
    )
    adam = AdamOptimizerFactory(learning_rate=0.01, step_size=500)
    factory = MultiLayerPerceptronFactory(
        in_dimensions=rows[0].shape[1],
        optimizer_factory=adam,
        regularization_weight=1e-4,
        epochs=10,
    )
    attack = DPSniper(bank, factory, config).best_attack(0, 1)
    estimator = AtDelta(PrEstimator(bank, config.n_check, config), case.delta)
    return float(estimator.compute_eps_estimate(0, 1, attack)[1])


class Here:
    """Do in this process what StatDP gives to a pool of processes."""

    _processes = 1
    imap_unordered = staticmethod(map)


def lowered(case: Case, values: Array) -> Array:
    """Return outputs, some replaced by one below all: a level at delta is then pure."""
    lost = RNG.random(len(values)) < case.delta / (math.expm1(case.eps) + case.delta)
    return np.where(lost, -1e9, values + RNG.random(len(values)))


def tested(case: Case, rows: list[Array]) -> float:
    """Return StatDP's p value for eps."""
    shown = [case.view(row) for row in rows]
    if case.delta > 0:
        shown = [lowered(case, values) for values in shown]
    streams: list[Iterator[Any]] = [iter(values.tolist()) for values in shown]

    def algorithm(prng: np.random.Generator, side: int) -> Any:
        return next(streams[side])

    third = case.draws // 3
    chosen = select_event(algorithm, ((0, 1, {}),), case.eps, third, Here(), quiet=True)
    sizes = case.eps, case.draws - third - 10
    return float(hypothesis_test(algorithm, *chosen, *sizes, Here(), report_p2=False))


def stuck(case: Case, rows: list[Array]) -> float:
    """Return the hockey-stick tester's lower bound on delta."""
    config = property_tester_config.HockeyStickPropertyTesterConfig(
        training_config=hockey_stick_tester.make_default_hs_training_config(),
        approximate_dp=ApproximateDp(case.eps, case.delta),
    )
    model = hockey_stick_tester.make_default_hs_base_model()
    tester = hockey_stick_tester.HockeyStickPropertyTester(config, model)
    middle = np.concatenate(rows).mean(axis=0)
    width = np.concatenate(rows).std(axis=0)
    scaled = [(row - middle) / width for row in rows]
    with contextlib.redirect_stdout(io.StringIO()):
        return float(tester.estimate_lower_bound(*scaled, ERROR))


def each(call: Callable[[Any], Any]) -> Draw:
    """Return the draw that calls a sampler once an output."""
    return lambda given, n: np.array([call(given) for _ in range(n)])


def law_draw(law: Callable[[Any], Any]) -> Draw:
    """Return the draw from a law on few points, in floats; a row has a one there."""
    return lambda given, n: np.eye(len(law(given)))[
        RNG.choice(len(law(given)), n, p=law(given))
    ]


def points(rows: Array) -> Array:
    """Return which point a row with one one is."""
    return rows.argmax(axis=1)


def whole(rows: Array) -> Array:
    """Return a column of integers."""
    return rows[:, 0].astype(int)


def box_cases() -> Iterator[Case]:
    """Yield the boxes on points: one has all her mass on the rarest point, one none."""
    public = np.array([0.6, 0.3, 0.1])
    people = (np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0]))
    for split in ("even", "universal", "hindsight", "minimax"):
        sampler = BoxSampler.from_reference(public, 1.0, split)

        def draw(law: Array, n: int, sampler: BoxSampler = sampler) -> Array:
            return np.eye(3)[sampler.draw(np.tile(law, (n, 1)), RNG.bytes)]

        case = Case(
            f"`BoxSampler.draw`, {split}", sampler.level, 0.0, draw, people, view=points
        )
        yield case
        if split == "universal":
            one = each(sampler.draw)
            name = f"{case.name}, a law a call, the system's bytes"
            alone = replace(case, draw=lambda law, n, one=one: np.eye(3)[one(law, n)])
            yield replace(alone, name=name, draws=SOME)
            loose = BoxSampler.from_reference(public, 2.0)
            yield case.worse(
                "`project` at twice the level, in floats", law_draw(loose.project)
            )
            mixed = law_draw(lambda law: (public + law) / 2)
            yield case.worse("half the law and half the reference", mixed)


class Own(Gaussian):
    """A reference whose points come from the person's law."""

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        """Draw from the mean that is the person's."""
        return self.mean + rng.standard_normal((n, 1))

    def log_prob(self, x: Array) -> Array:
        """Return the log density of the public law."""
        return np.asarray(Gaussian.standard(1).log_prob(x))


def continuous_cases() -> Iterator[Case]:
    """Yield the box on the line: people far on either side of the public law."""
    sampler = ContinuousBoxSampler(Gaussian.standard(1), 1.0, pool=16)
    people = (Gaussian([3.0], 1.0), Gaussian([-3.0], 1.0))
    draw = each(lambda law: sampler.draw(law, RNG.bytes, rng=RNG))
    level = math.log(float(sampler.certificate.exp_level))
    case = Case("`ContinuousBoxSampler.draw`", level, 0.0, draw, people, SOME, 0.12)
    yield case
    near = (Gaussian([0.5], 1.0), Gaussian([-0.5], 1.0))
    own = {law: replace(sampler, reference=Own(law.mean, 1.0)) for law in near}
    draw = each(lambda law: own[law].draw(law, RNG.bytes, rng=RNG))
    yield replace(case.worse("its pool from the person's law", draw), pair=near)


def finite_cases() -> Iterator[Case]:
    """Yield the sampler inside a mollifier, and laws at its ends, rounded freely."""
    public = (Fraction(9, 10), Fraction(1, 10))
    people = ([0.0, 1.0], [1.0, 0.0])
    sampler = FiniteSampler(public, privacy.ExactLevel(eps=Fraction(1)), 53)
    level = math.log(float(sampler.guarantee()))

    def draw(law: list[float], n: int) -> Array:
        return np.eye(2)[sampler.sample(law, n, RNG.bytes)]

    case = Case("`FiniteSampler.sample`", level, 0.0, draw, people, view=points)
    yield case
    for bits in (4, 3):

        def rounded(law: list[float], bits: int = bits) -> Array:
            weights = nearest_weights(
                [Fraction(w, 1 << 53) for w in sampler.weights(law)], bits
            )
            return np.array(weights) / (1 << bits)

        yield case.worse(
            f"`nearest_weights` of the same laws, {bits} bits", law_draw(rounded)
        )


def bootstrap_cases() -> Iterator[Case]:
    """Yield the bootstrap: three values at (eps, delta), two at its pure level."""
    n = 10
    k = 4
    m = 12
    eps = 0.5
    delta = float(certified_delta(eps, n, 3, k, m)[1]) * (1 + 1e-12)
    pair = (np.array([1, 0, n - 1]), np.array([0, 1, n - 1]))
    pure = 3 * math.log(3 / 2)
    few = (np.array([1, 1]), np.array([0, 2]))

    def of(kind: Callable[..., Any], coins: Any, k: int, m: int) -> Draw:
        return each(lambda counts: kind(counts, k, m, coins)[:2])

    for name, kind, coins in (
        ("bootstrap_mechanism", bootstrap_mechanism, RNG),
        ("release_exact", release_exact, RNG.bytes),
    ):
        case = Case(
            f"`bootstrap.{name}`, k = 4, m = 12",
            eps,
            delta,
            of(kind, coins, k, m),
            pair,
            MANY // 2,
            0.15,
            lambda rows: rows[:, 1] - rows[:, 0],
        )
        yield case
        for fewer in (k - 1, k // 2):
            yield case.worse(f"{fewer} pseudo-records", of(kind, coins, fewer, m))
        case = Case(
            f"`bootstrap.{name}`, k = 2, m = 3",
            pure,
            0.0,
            of(kind, coins, 2, 3),
            few,
            MANY // 2,
            0.03,
            whole,
        )
        yield case
        yield case.worse("1 pseudo-record", of(kind, coins, 1, 3))


def count_cases() -> Iterator[Case]:
    """Yield noise on a count of 1 or 0, and the same with half the scale."""
    half = MANY // 2

    def geometric(eps: float) -> Draw:
        return lambda count, n: privacy.geometric_counts(count, eps, 0, 4, n)

    name = "`privacy.geometric_counts` on 0..4"
    case = Case(name, 1.0, 0.0, geometric(1.0), (1, 0), half, view=whole)
    yield case
    yield case.worse("half the scale", geometric(2.0))
    delta = float(privacy.discrete_gaussian_delta(Fraction(1), Fraction(3, 2)).upper())

    def gaussian(sigma: float) -> Draw:
        return lambda count, n: count + privacy.discrete_gaussian_noise(sigma, n)

    name = "`privacy.discrete_gaussian_noise`"
    sigma = math.sqrt(1.5)
    case = Case(
        name, 1.0, delta, gaussian(sigma), (1, 0), half, 0.05, lambda rows: -rows[:, 0]
    )
    yield case
    yield case.worse("half the scale", gaussian(sigma / 2))
    delta = float(privacy.binomial_delta(8, Fraction(math.e)))

    def coins(trials: int) -> Draw:
        return lambda count, n: count + privacy.binomial_noise(trials, RNG, n)

    name = "`privacy.binomial_noise`, 8 coins"
    case = Case(
        name, 1.0, delta, coins(8), (1, 0), MANY, 0.04, lambda rows: -rows[:, 0]
    )
    yield case
    yield case.worse("2 coins, half the scale", coins(2))

    def laplace(eps: float) -> Draw:
        return each(
            lambda count: privacy.laplace_mechanism(np.array([count]), 1.0, eps, RNG)
        )

    case = Case(
        "`privacy.laplace_mechanism`, Laplace", 1.0, 0.0, laplace(1.0), (1.0, 0.0)
    )
    yield case
    yield case.worse("half the scale", laplace(2.0))


def histogram_cases() -> Iterator[Case]:
    """Yield noise on two counts, one record replaced, and with half the scale."""
    n = 10
    eps = 1.0
    delta = 0.05

    def of(noise: Any, scale: float) -> Draw:
        return each(
            lambda counts: n * noisy_histogram(counts, noise, scale, RNG, repair="none")
        )

    def corner(rows: Array) -> Array:
        return np.stack([-rows[:, 0], rows[:, 1]], axis=1)

    def steps(rows: Array) -> Array:
        return np.rint(np.clip(corner(rows), [-6, 4], [-5, 5])).astype(int)

    def gap(rows: Array) -> Array:
        return rows[:, 1] - rows[:, 0]

    for noise, scale, less, view in (
        ("laplace", laplace_scale(eps), 0.0, corner),
        ("discrete-laplace", laplace_scale(eps), 0.0, steps),
        ("gaussian", gaussian_scale(eps, delta), delta, gap),
        ("discrete-gaussian", discrete_gaussian_scale(eps, delta), delta, gap),
    ):
        pair = (np.array([6, 4]), np.array([5, 5]))
        name = f"`noisy_histogram`, {noise}"
        case = Case(name, eps, less, of(noise, scale), pair, MANY // 2, 0.05, view)
        yield case
        yield case.worse("half the scale", of(noise, scale / 2))


def ks_cases() -> Iterator[Case]:
    """Yield the exponential mechanism: all records in one bin, and one moved."""

    def of(eps: float) -> Draw:
        return lambda counts, n: ks_release(counts, 6, eps, RNG, draws=n)[:, :1]

    pair = (np.array([8, 0]), np.array([7, 1]))
    case = Case(
        "`ks_release`, 6 records", 1.0, 0.0, of(1.0), pair, 2 * SOME, 0.03, whole
    )
    yield case
    yield case.worse("eps doubled inside", of(2.0))


AUDITORS = (sniped, tested, stuck)
NAMES = ("DP-Sniper", "StatDP", "hockey stick")


def line(case: Case) -> str:
    """Return the line of a case: its promise, the auditors' findings, the seconds."""
    clocks = [time.process_time()]
    rows = case.rows()
    clocks.append(time.process_time())
    findings = []
    for auditor in AUDITORS:
        findings.append(auditor(case, rows))
        clocks.append(time.process_time())
    against = [findings[0] > case.eps, findings[1] < ERROR, findings[2] > case.delta]
    names = ", ".join(name for name, met in zip(NAMES, against, strict=True) if met)
    name = f"*broken:* {case.name}" if case.broken else case.name
    seconds = " + ".join(f"{b - a:.0f}" for a, b in pairwise(clocks))
    cells = [
        name,
        f"({case.eps:.4f}, {case.delta:.4f})",
        f"{case.draws:,}",
        f"{findings[0]:.3f}",
        f"{findings[1]:.1e}",
        f"{findings[2]:.4f}",
        names or "none",
        seconds,
    ]
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Print the table; names in the arguments choose kinds."""
    logging.getLogger().setLevel(logging.WARNING)
    torch_initialize(torch_threads=1)
    torch.manual_seed(1)
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    tf.keras.utils.set_random_seed(1)
    print(
        f"Each verdict at confidence 1 - {ERROR:g}. Seconds: of draws, and of "
        f"each auditor.\n"
    )
    heads = (
        "sampler",
        "promised",
        "draws a side",
        "DP-Sniper: eps >=",
        "StatDP: p",
        "hockey stick: delta >=",
    )
    print("| " + " | ".join([*heads, "violation found by", "seconds"]) + " |")
    print("| :-- | :-- | --: | --: | --: | --: | :-- | :-- |")
    kinds = (
        box_cases,
        continuous_cases,
        finite_cases,
        bootstrap_cases,
        count_cases,
        histogram_cases,
        ks_cases,
    )
    with tempfile.TemporaryDirectory() as folder:
        set_output_directory(folder)
        for kind in kinds:
            if (
                len(sys.argv) == 1
                or kind.__name__.removesuffix("_cases") in sys.argv[1:]
            ):
                for case in kind():
                    print(line(case), flush=True)


if __name__ == "__main__":
    main()
