"""What the docstrings of `mollified.boosting` say of accuracy, at the stated ends,
against balls of 300 bits."""

import math
from itertools import product

import numpy as np
import pytest
from flint import arb, ctx

from mollified.boosting import (
    BoostedDensity,
    FiniteRuns,
    edges_below,
    family_gain,
    random_runs,
    theta,
)
from mollified.boosting.theta import LOG2
from mollified.laws import Discrete, FiniteSpace, Gaussian, Grid
from tests.accuracy import states
from tests.mollified.helpers import ALPHA, Tabular, chi_square


@pytest.fixture(autouse=True)
def _balls_of_300_bits():
    with ctx.workprec(300):
        yield


def normalised(row):
    balls = [arb(float(x)) for x in row]
    total = sum(balls, arb(0))
    return [x / total for x in balls]


def exact_rounds(runs, at):
    """Return edges over P and Q, step lengths and drops of one run, by their
    definitions."""
    p = normalised(runs.target[at])
    q = normalised(runs.reference[at])
    eps = arb(float(runs.eps[at]))
    step = eps / (eps + 4 * arb(2).log())
    for t in range(runs.rounds):
        row = [arb(float(x)) for x in runs.shape[at, t]]
        u = step ** (t + 1) * arb(float(runs.scale[at, t])) * arb(2).log()
        grown = [a * (u * c).exp() for a, c in zip(q, row, strict=True)]
        mass = sum(grown, arb(0))
        edge_p = sum((a * c for a, c in zip(p, row, strict=True)), arb(0))
        edge_q = -sum((a * c for a, c in zip(q, row, strict=True)), arb(0))
        yield edge_p, edge_q, u, u * edge_p - mass.log()
        q = [a / mass for a in grown]


def runs_at_the_ends():
    """Return runs of few and many points and rounds, and some whose edges are as small
    as they may be."""
    rng = np.random.default_rng(5)
    yield from (
        random_runs(rng, count, size, rounds)
        for count, size, rounds in ((20, 2, 1), (6, 6, 200), (2, 1000, 5))
    )
    yield from (
        small_edges(rng, edge, over_p)
        for edge, over_p in product((0.9e-9, 1.1e-9, 1e-8, 1e-7), (True, False))
    )


def small_edges(rng, edge, over_p):
    """Return runs of one round with two-valued classifiers, moved so that one of the
    edges is as small as said."""
    p, q = (rng.dirichlet(np.ones(5), 200) for _ in range(2))
    raw = np.where(rng.random((200, 5)) < 0.5, -1.0, 1.0)
    raw *= np.sign(((p - q) * raw).sum(axis=1, keepdims=True))
    on_p, on_q = ((law * raw).sum(axis=1, keepdims=True) for law in (p, q))
    apart = (on_p - on_q)[:, 0] > 1e-3
    raw -= on_p - edge if over_p else on_q + edge
    shape = (raw / np.abs(raw).max(axis=1, keepdims=True))[apart, None, :]
    return FiniteRuns(
        p[apart], q[apart], shape, np.ones(shape.shape[:2]), np.ones(len(shape))
    )


@states("boosting.FiniteRuns", "Edges err by")
@states(
    "boosting.edges_below",
    "Return admissible edges",
    "They are the exact ones times",
    "They are below the exact ones",
    "Zero stands",
)
def test_edges_drops_and_gains_of_runs_and_edges_below():
    """Steps are as small as 1e-200. Without the 1e-14, a fifth of the small edges was
    not below the exact one."""
    # steps down to 1e-200
    learnable = 0
    ctx.prec = 1500
    for runs in runs_at_the_ends():
        error = arb(2e-15 + 2e-17 * runs.rounds)
        below = edges_below(runs)
        share = arb(2e-15 + 3e-16 * runs.rounds)  # of the steps
        for at in range(len(runs)):
            lengths = gain = arb(0)
            for t, (edge_p, edge_q, u, drop) in enumerate(exact_rounds(runs, at)):
                assert abs(arb(float(runs.edge_p[at, t])) - edge_p) < error
                assert abs(arb(float(runs.edge_q[at, t])) - edge_q) < error
                assert (
                    abs(arb(float(runs.drop[at, t])) - drop)
                    < share * u + arb(10) ** -300
                )
                lengths, gain = lengths + u, gain + drop
                if runs.learnable[at, t]:
                    learnable += 1
                    for found, edge in zip(below, (edge_p, edge_q), strict=True):
                        wanted = edge * (1 - arb(2) ** -30) - arb(1e-14)
                        assert abs(arb(float(found[at, t])) - wanted) < error + arb(
                            1e-16
                        )
                        assert 0 < arb(float(found[at, t])) < edge
                else:
                    assert below[0][at, t] == below[1][at, t] == 0
            assert (
                abs(arb(float(runs.gain[at])) - gain)
                < share * lengths + arb(10) ** -300
            )
    assert learnable > 500


@states("boosting.random_runs", "Atoms down to")
def test_random_runs_keep_to_their_ranges_and_reach_the_ends():
    rng = np.random.default_rng(6)
    runs = random_runs(rng, 20_000, 2, 1)
    assert 1e-3 <= runs.eps.min() < 1.01e-3 < 19.8 < runs.eps.max() <= 20
    least = 0.01 / math.log(2)
    assert least * (1 - 1e-12) <= runs.scale.min() < 1.01 * least
    assert abs((runs.scale == 1).mean() - 0.4) < 5 * math.sqrt(
        0.24 / 20_000
    )  # false alarm below 1e-6
    smallest = min(random_runs(rng, 5000, 6, 1).p.min() for _ in range(4))
    assert smallest < math.exp(-28)


def exact_gain(p, q, oscillation):
    """Return the gain of the projection, its level by bisection."""
    target, base = ([arb(float(x)) for x in law] for law in (p, q))
    low = -arb(oscillation)
    high = arb(0)
    factor = arb(oscillation).exp()

    def closest(level):
        floors = [level.exp() * b for b in base]
        pairs = zip(target, floors, strict=True)
        return [
            floor if a < floor else factor * floor if a > factor * floor else a
            for a, floor in pairs
        ]

    for _ in range(320):
        middle = arb(((low + high) / 2).mid())
        low, high = (
            (middle, high) if sum(closest(middle), arb(0)) < 1 else (low, middle)
        )
    made = closest(low)
    return sum(
        (
            a * (c / b).log()
            for a, b, c in zip(target, base, made, strict=True)
            if a > 0
        ),
        arb(0),
    )


@states("boosting.family_gain", "The largest gain that MBDE can have")
@pytest.mark.parametrize("oscillation", [1e-12, 1e-6, 0.1, 5.0, 50.0, 700.0])
def test_gains_of_the_family_err_by_less_than_1e_12(oscillation):
    rng = np.random.default_rng(8)
    for k, spread in product((2, 5, 100), (1.0, 0.05)):
        wide = np.exp(rng.uniform(-600, 0, k))
        for q in (rng.dirichlet(np.ones(k)), wide / wide.sum()):
            p = rng.dirichlet(np.full(k, spread))
            found = family_gain([p], [q], [oscillation])[0]
            assert abs(arb(float(found)) - exact_gain(p, q, oscillation)) < arb(1e-12)


def test_oscillations_beyond_the_range_are_refused():
    """Above 709 the factor overflowed."""
    with pytest.raises(ValueError, match=r"^oscillation .*700"):
        family_gain([[0.5, 0.5]], [[0.5, 0.5]], [701.0])


SPACES = "`thetas` has shape (T,), one step per classifier"


@states("boosting.BoostedDensity", SPACES)
@pytest.mark.parametrize("rounds", [1, 50])
@pytest.mark.parametrize("eps", [1e-9, 1.0, 1e3])
def test_normalisers_on_a_finite_space_err_by_rounding(eps, rounds):
    rng = np.random.default_rng(rounds)
    for k in (1, 2, 1000):
        q = rng.dirichlet(np.ones(k))
        steps = theta(eps, rounds)
        tables = LOG2 * rng.uniform(-1, 1, (rounds, k))
        density = BoostedDensity(
            Discrete(q), steps, [Tabular(table) for table in tables], FiniteSpace(k)
        )
        total = arb(0)
        for x in range(k):
            power = sum(
                (
                    arb(float(s)) * arb(float(c))
                    for s, c in zip(steps, tables[:, x], strict=True)
                ),
                arb(0),
            )
            total += arb(float(q[x])) * power.exp()
        largest = np.abs(density.statistic(density.space.points) + np.log(q)).max()
        assert abs(arb(density.log_normaliser.value) - total.log()) < arb(
            1e-15 * (1 + float(largest))
        )


@states("boosting.BoostedDensity", SPACES)
def test_on_a_grid_the_error_is_an_estimate():
    """A jump between two nodes is seen to the width of a cell."""
    grid = Grid([-8.0], [8.0], 1601)

    class Step:
        bound = LOG2

        def __call__(self, x):
            return np.where(x[:, 0] > 0.003, LOG2, -LOG2)

    density = BoostedDensity(Gaussian.standard(1), [1.0], [Step()], grid)
    share = math.erfc(0.003 / math.sqrt(2)) / 2
    miss = abs(density.log_normaliser.value - math.log(2 * share + (1 - share) / 2))
    assert 1e-4 < miss < 2 * density.log_normaliser.error < 0.02


@states(
    "boosting.BoostedDensity",
    "The privacy certificate does not depend on that integral",
)
def test_a_wrong_integral_leaves_the_promised_level():
    class Wrong(FiniteSpace):
        def log_integral(self, log_values):
            found = super().log_integral(log_values)
            return type(found)(found.value + 1, 0.0)

    reference = Discrete([0.5, 0.5])
    tables = [Tabular([LOG2, -LOG2])]
    right, wrong = (
        BoostedDensity(reference, [0.3], tables, kind(2)).certificate()
        for kind in (FiniteSpace, Wrong)
    )
    assert (right.promised, right.level) == (wrong.promised, wrong.level)
    assert (right.valid, wrong.valid) == (True, False)


@states("boosting.BoostedDensity.sample", "Draw n points exactly, by rejection from")
@pytest.mark.parametrize("step", [1e-6, 0.5, 2.0])
def test_draws_follow_the_density(step):
    """False alarm 1e-6 each; control: the density without its last round."""
    reference = Discrete([0.1, 0.2, 0.3, 0.4])
    space = FiniteSpace(4)
    tables = [
        Tabular(LOG2 * np.array(row)) for row in ([1, -1, 1, -1], [-1, 1, 0.5, 0])
    ]
    density = BoostedDensity(reference, [step, step], tables, space)
    counts = np.bincount(
        density.sample(50_000, np.random.default_rng(9))[:, 0].astype(int), minlength=4
    )
    assert chi_square(counts, np.exp(density.log_prob(space.points))) > ALPHA
    if step > 0.1:
        short = BoostedDensity(reference, [step], tables[:1], space)
        assert chi_square(counts, np.exp(short.log_prob(space.points))) < ALPHA
