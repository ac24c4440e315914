"""What the docstrings of `mollified.mollifiers` say of accuracy, at the stated ends, in
balls and rationals."""

import math
from fractions import Fraction as F
from types import SimpleNamespace

import numpy as np
import pytest
from flint import arb, ctx

from mollified.laws import (
    Discrete,
    FiniteSpace,
    Gaussian,
    Grid,
    Uniform,
    random_law,
    random_root,
)
from mollified.mollifiers import RelativeMollifier, repair_error, repaired
from mollified.mollifiers.instances import clip, completed, constant
from tests.accuracy import states
from tests.mollified.helpers import ALPHA, chi_square


@pytest.fixture(autouse=True)
def _balls_of_300_bits():
    with ctx.workprec(300):
        yield


def floats(law):
    return Discrete([float(q) for q in law])


def laws(k, rng):
    wide = np.exp(rng.uniform(-600, 0, k))
    return [
        Discrete(law)
        for law in (
            np.full(k, 1 / k),
            rng.dirichlet(np.full(k, 0.5)),
            wide / wide.sum(),
        )
    ]


@states(
    "mollifiers.RelativeMollifier.project",
    "The constant is solved on `space`, in log space, to a residual mass",
)
@states(
    "mollifiers.Mollification",
    "Its normalisation is that of the space on which C was solved",
)
@pytest.mark.parametrize("k", [1, 2, 100, 10_000])
@pytest.mark.parametrize("eps", [1e-12, 1e-3, 1.0, 40.0, 1400.0])
def test_the_mass_of_a_projection_misses_one_by_at_most_1e_12(eps, k):
    """A hundredth more is left to the rounding of the logs that are added up here."""
    rng = np.random.default_rng(k)
    space = FiniteSpace(k)
    given = laws(k, rng)
    for reference in given[::2]:
        mollifier = RelativeMollifier(reference, eps)
        for target in given:
            if (
                np.exp(reference.log_prob(space.points))[target.probabilities > 0].sum()
                < 0.9
            ):
                continue
            logs = mollifier.project(target, space).log_prob(space.points)
            mass = sum((arb(x).exp() for x in logs.tolist()), arb(0))
            assert abs(mass - 1) <= arb(1.01e-12)


@states(
    "mollifiers.Mollification",
    "Its normalisation is that of the space on which C was solved",
)
def test_the_mass_of_a_projection_errs_as_the_quadrature_does():
    for nodes in (65, 1601):
        grid, fine = (Grid([-9.0], [9.0], count) for count in (nodes, 40_001))
        image = RelativeMollifier(Gaussian.standard(1), 1.0).project(
            Gaussian([1.0], 0.5), grid
        )
        there = grid.integrate(np.exp(image.log_prob(grid.points)))
        elsewhere = fine.integrate(np.exp(image.log_prob(fine.points)))
        assert abs(there.value - 1) <= 1e-12
        assert abs(elsewhere.value - 1) <= 3.1 * there.error


@states("mollifiers.Mollification.sample", "Draw n points exactly")
@pytest.mark.parametrize("eps", [0.01, 1.0, 8.0])
def test_draws_follow_the_projection(eps):
    """False alarm 1e-6 each; control: the reference."""
    reference = Discrete([0.1, 0.2, 0.3, 0.4])
    target = Discrete([0.7, 0.1, 0.1, 0.1])
    space = FiniteSpace(4)
    image = RelativeMollifier(reference, eps).project(target, space)
    counts = np.bincount(
        image.sample(100_000, np.random.default_rng(2))[:, 0].astype(int), minlength=4
    )
    assert chi_square(counts, np.exp(image.log_prob(space.points))) > ALPHA
    if eps >= 1:
        assert chi_square(counts, reference.probabilities) < ALPHA


@states("mollifiers.RelativeMollifier.complete", "Where it has none, the optimum is")
def test_completion_of_sparse_targets_against_the_exact_one():
    rng = np.random.default_rng(35)
    for _ in range(100):
        size = int(rng.integers(2, 7))
        root = random_root(rng)
        q0 = np.array(random_law(rng, size))
        p = np.array(random_law(rng, size))
        p[rng.random(size) < 0.5] *= 0
        p = p / sum(p) if sum(p) else np.array([F(x == 0) for x in range(size)])
        exact = completed(
            p, q0, root, clip(p / constant(p, q0, root), q0 / root, root * q0)
        )
        mollifier = RelativeMollifier(floats(q0), 2 * math.log(root))
        law = np.exp(mollifier.complete(floats(p), FiniteSpace(size)))
        assert np.abs(law - exact.astype(float)).sum() / 2 <= 2e-12
        assert mollifier.contains(Discrete(law), FiniteSpace(size)).contained


CONTAINED = "Contained means:"


@states("mollifiers.Membership", "`violation` is the largest")
@states(
    "mollifiers.RelativeMollifier.contains",
    CONTAINED,
    "A finite space is checked completely",
)
def test_a_law_just_inside_is_a_member_and_one_just_outside_is_not():
    """The violation is that of the rationals, up to the rounding of logs of magnitude
    at most 30."""
    rng = np.random.default_rng(20)
    for _ in range(200):
        size = int(rng.integers(2, 9))
        base, law = (random_law(rng, size, spread=8) for _ in range(2))
        distances = [abs(math.log(q / q0)) for q, q0 in zip(law, base, strict=True)]
        worst = max(distances)
        for eps, inside in ((2.000002 * worst, True), (1.999998 * worst, False)):
            seen = RelativeMollifier(floats(base), eps).contains(
                floats(law), FiniteSpace(size)
            )
            assert seen.contained == inside
            assert seen.violation == pytest.approx(worst - eps / 2, abs=1e-13)
            assert distances[seen.index] == pytest.approx(worst, abs=1e-13)
            assert seen.where.tolist() == [float(seen.index)]


@states("mollifiers.RelativeMollifier.contains", CONTAINED)
@pytest.mark.parametrize("tolerance", [1e-12, 1e-9, 0.1])
def test_the_tolerance_is_that_of_the_violation_and_of_the_mass(tolerance):
    base = np.array([0.9, 0.1])
    mollifier = RelativeMollifier(Discrete(base), 0.2)
    space = FiniteSpace(2)
    for extra, inside in (
        (0.0, True),
        (0.9 * tolerance, True),
        (1.1 * tolerance, False),
    ):
        top = 0.1 * math.exp(0.1 + extra)
        near = SimpleNamespace(
            dim=1, log_prob=lambda x, law=(1 - top, top): np.log(law)
        )
        assert mollifier.contains(near, space, tolerance=tolerance).contained == inside
        heavy = SimpleNamespace(
            dim=1, log_prob=lambda x, law=base * (1 + extra): np.log(law)
        )
        wide = RelativeMollifier(Discrete(base), 1.0)
        assert wide.contains(heavy, space, tolerance=tolerance).contained == inside


@states(
    "mollifiers.RelativeMollifier.contains",
    CONTAINED,
    "A finite space is checked completely",
)
@pytest.mark.parametrize("factor", [1.0, 0.99, 1.01])
def test_on_a_grid_the_violation_is_that_of_a_node_and_not_above_the_true_one(factor):
    """A density that rises from 1/2 to 3/2, times the factor; the trapezoid rule is
    exact for a line."""
    grid = Grid([0.0], [1.0], 101)
    base = Uniform([0.0], [1.0])
    line = SimpleNamespace(
        dim=1, log_prob=lambda x: np.log(factor * (0.5 + x[:, 0])), sample=None
    )
    seen = RelativeMollifier(base, 0.2).contains(line, grid)
    assert (seen.contained, seen.index) == (False, 0)
    assert seen.violation == pytest.approx(-math.log(factor / 2) - 0.1, abs=1e-15)
    assert seen.mass == pytest.approx(factor, abs=1e-13)
    assert RelativeMollifier(base, 1.5).contains(line, grid).contained == (factor == 1)
    between = SimpleNamespace(dim=1, log_prob=lambda x: np.abs(x[:, 0] - 0.5037) * -2.0)
    assert (
        RelativeMollifier(base, 0.2).contains(between, grid).violation
        <= 2 * 0.5037 - 0.1
    )


@states("mollifiers.repair_error", "Return a bound on")
@pytest.mark.parametrize("repair", ["shift", "clip"])
def test_the_bound_of_a_repair_holds_for_functions_that_are_off_by_as_much_as_is_said(
    repair,
):
    rng = np.random.default_rng(3)
    nodes = 40
    weights = np.full(nodes, 1 / nodes)
    closest = 0.0
    for error in (0.0, 1e-9, 0.1, 0.9, 0.999):
        for _ in range(300):
            density = rng.dirichlet(np.full(nodes, 0.3)) * nodes
            moved = density + error * rng.choice([-1.0, 1.0, 0.3], nodes)
            bound = repair_error(error, density.max(), repair)
            off = np.abs(repaired(moved, weights, repair) - density).max()
            assert off <= bound + 1e-12 * density.max()
            closest = max(closest, off / bound if bound else 0.0)
    assert closest > 0.1
