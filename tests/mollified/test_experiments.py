"""The studies of the experiments: coverage, modes, metrics of a run, perfect learners, random targets."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.special import expit, log_expit
from scipy.stats import norm

from mollified.boosting import PolynomialLearner, spent_level
from mollified.experiments import variant_runs as study
from mollified.experiments.coverage import mode_coverage
from mollified.experiments.mbde_sweep import domain, domain_grid
from mollified.experiments.modes import modes_on_line, modes_shown
from mollified.experiments.random_experiment import deviation_interval
from mollified.experiments.random_plane import plane_target
from mollified.experiments.reference_worth import matched_variance, tuned_gains, turned_ring
from mollified.experiments.run_metrics import measure
from mollified.laws import FiniteSpace, Gaussian, Grid, mixture_1d, ring
from mollified.training import VARIANTS, GridRun

WIDE = Grid([-30.0], [30.0], 12001)


def exact(model, target, level, rising=False):
    """The mass of the target on the atoms taken by falling model mass until `level`, the last in part; rationals."""
    covered, held = Fraction(0), Fraction(0)
    for q, p in sorted(zip(model, target, strict=True), key=lambda pair: pair[0], reverse=not rising):
        share = min(Fraction(1), (level - held) / q)
        if share <= 0:
            break
        covered, held = covered + share * p, held + share * q
    return covered


def law(rng, size):
    parts = [int(item) for item in rng.permutation(np.arange(1, 40))[:size]]
    return [Fraction(part, sum(parts)) for part in parts]


@pytest.mark.parametrize("form", ["high-density", "printed"])
def test_small_cases_are_exact(form):
    """200 pairs of laws on 2 to 9 atoms, no two of one mass in the model, at levels n/20."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        size, level = int(rng.integers(2, 10)), Fraction(int(rng.integers(1, 20)), 20)
        model, target = law(rng, size), law(rng, size)
        found = mode_coverage(
            np.log([float(x) for x in model]), np.log([float(x) for x in target]), FiniteSpace(size), float(level), form
        )
        assert found == pytest.approx(float(exact(model, target, level, form == "printed")), abs=1e-12)


def closed_form(narrow, wide, level=0.95):
    """P(|x| <= z wide) for P = N(0, narrow^2): what a centred N(0, wide^2) covers at `level`."""
    return 1 - 2 * norm.sf(norm.ppf((1 + level) / 2) * wide / narrow)


def known_answers(metric):
    """Whether a metric gives the closed forms of centred Gaussians; the error is at most the target's on a cell."""
    for narrow, wide in ((1.0, 2.0), (2.0, 1.0), (0.3, 3.0), (1.0, 1.0)):
        p, q = (Gaussian([0.0], scale**2).log_prob(WIDE.points) for scale in (narrow, wide))
        cell = float(np.exp(p.max())) * 60 / 12000
        if abs(metric(q, p, WIDE) - closed_form(narrow, wide)) > 2 * cell:
            return False
    return True


def test_closed_forms_hold_and_a_flipped_sign_is_caught():
    """The control of the issue: a metric that ranks by the negative of the density fails the same known answers."""
    assert known_answers(mode_coverage)
    assert not known_answers(lambda q, p, space: mode_coverage(-q, p, space))
    assert not known_answers(lambda q, p, space: mode_coverage(q, p, space, form="printed"))
    assert not known_answers(lambda q, p, space: 1 - mode_coverage(q, p, space))
    assert not known_answers(lambda q, p, space: mode_coverage(p, q, space))


CENTRES = 4 * np.column_stack([np.cos(np.pi * np.arange(8) / 4), np.sin(np.pi * np.arange(8) / 4)])
SQUARE = Grid(np.array([-7.0, -7.0]), np.array([7.0, 7.0]), 141)


def test_ring_shows_its_modes_and_a_gaussian_none():
    assert modes_shown(ring().log_prob(SQUARE.points), SQUARE, CENTRES, 0.5) == 8
    assert modes_shown(Gaussian.standard(2).log_prob(SQUARE.points), SQUARE, CENTRES, 0.5) == 0


SHORT = Grid(np.array([-3.0]), np.array([3.0]), 601)


def on_line(values):
    return modes_on_line(np.asarray(values, dtype=float), SHORT)


def test_places_on_the_line():
    x = SHORT.points[:, 0]
    two = np.log(np.exp(-8 * (x + 1) ** 2) + 0.5 * np.exp(-8 * (x - 1) ** 2))
    np.testing.assert_allclose(on_line(two), [-1.0, 1.0], atol=0.011)
    np.testing.assert_allclose(on_line(Gaussian.standard(1).log_prob(SHORT.points)), [0.0], atol=1e-12)
    assert len(on_line(-two)) == 1  # control: upside down, the valley
    assert len(on_line(x)) == 0  # a slope has none, and the ends do not count


def test_a_plateau_is_one_mode_and_a_step_is_none():
    x = SHORT.points[:, 0]
    np.testing.assert_allclose(on_line(-np.maximum(np.abs(x - 1) - 0.5, 0)), [1.0], atol=1e-12)
    assert len(on_line(np.minimum(x, 0.0))) == 0


TARGET, REFERENCE = Gaussian([1.0], 0.25), Gaussian.standard(1)
FINE = Grid([-12.0], [12.0], 4801)


def run(mean, variant="clip", eps=1.0):
    """log N(mean, 1)/N(0, 1) = mean x - mean^2/2 as a run of three rounds."""
    ratio = mean * FINE.points[:, 0] - mean * mean / 2
    made = VARIANTS[variant]
    return GridRun(made, eps, made.steps(eps, 3), ratio, [0.6, 0.5, 0.4], 0.7)


def test_metrics_are_the_closed_forms():
    """P = N(1, 1/4), Q = N(m, 1): -E log Q = (log 2 pi + 1/4 + (1 - m)^2)/2; the gain is its fall from m = 0."""
    means = [0.0, 0.5, 1.0, -0.7]
    table = measure([run(mean) for mean in means], TARGET, REFERENCE, FINE)
    nll = [(np.log(2 * np.pi) + 0.25 + (1 - m) ** 2) / 2 for m in means]
    assert table["nll"].tolist() == pytest.approx(nll, abs=1e-9)
    assert table["gain"].tolist() == pytest.approx([nll[0] - item for item in nll], abs=1e-9)
    assert table["spent"].tolist() == pytest.approx([2 * (12 * abs(m) + m * m / 2) for m in means])
    assert table["coverage"].is_monotonic_increasing is False
    assert table.loc[2, "coverage"] == table["coverage"].max()
    assert table["coverage_printed"].between(0, 1).all()
    assert list(table["loss_1"]) == [0.6] * 4
    assert list(table["loss_3"]) == [0.4] * 4
    assert list(table["largest"]) == [0.7] * 4


GRID = Grid([-8.0], [8.0], 2001)


def logit_of(learner, target, current, x):
    return learner.fit(target, current, 1, np.random.default_rng(0)).logit(np.asarray(x)[:, np.newaxis])


def test_quadratic_logit_is_exact_for_two_gaussians():
    target, current = Gaussian(np.array([0.5]), 0.5), Gaussian.standard(1)
    x = np.linspace(-2, 2, 9)
    odds = target.log_prob(x[:, np.newaxis]) - current.log_prob(x[:, np.newaxis])
    np.testing.assert_allclose(logit_of(PolynomialLearner(2, "clip", GRID), target, current, x), odds, atol=1e-6)
    line = logit_of(PolynomialLearner(1, "clip", GRID), target, current, x)
    assert np.abs(line - odds).max() > 0.1  # control: a line cannot


def test_linear_logit_against_an_independent_optimiser():
    target, current = domain("mixture-variance"), Gaussian.standard(1)
    x = GRID.points[:, 0]
    p, q = (np.exp(law.log_prob(GRID.points)) * GRID.weights for law in (target, current))

    def loss(w):
        logit = w[0] + w[1] * x
        return -(p @ log_expit(logit) + q @ log_expit(-logit))

    def slope(w):
        miss = (p + q) * expit(w[0] + w[1] * x) - p
        return np.array([miss.sum(), miss @ x])

    best = minimize(loss, np.zeros(2), jac=slope, tol=1e-12).x
    found = logit_of(PolynomialLearner(1, "clip", GRID), target, current, [0.0, 1.0])
    np.testing.assert_allclose(found, [best[0], best.sum()], atol=1e-5)


def test_perfect_gain_of_shifted_gaussians_against_the_closed_form(monkeypatch):
    """P = N(m, 1): the path is N(lambda m, 1), so that the gain is m^2 (1 - (1 - lambda)^2) / 2."""
    shift = 1.5
    monkeypatch.setattr(study, "domain", lambda name: hard_shift(shift))
    share = 1 - math.prod(1 - step for step in VARIANTS["released"].steps(2.0, 3))
    expected = shift**2 * (1 - (1 - share) ** 2) / 2
    assert study.perfect_gain("mixture-sd", 2.0) == pytest.approx(expected, rel=1e-6)


def hard_shift(shift):
    from mollified.laws.mixture import Mixture

    return Mixture([Gaussian(np.array([shift]), 1.0)], np.ones(1))


def test_perfect_gain_on_the_mixture_against_adaptive_quadrature():
    share = 1 - math.prod(1 - step for step in VARIANTS["released"].steps(1.0, 3))
    target = mixture_1d()

    def log_p(x):
        return float(target.log_prob(np.array([[x]]))[0])

    edges = [-8.0, 0.2, 0.28, 0.3, 0.32, 0.4, 1.2, 8.0]
    pieces = list(pairwise(edges))
    mass = sum(quad(lambda x: math.exp(share * log_p(x) + (1 - share) * norm.logpdf(x)), a, b)[0] for a, b in pieces)
    mean = sum(quad(lambda x: math.exp(log_p(x)) * (log_p(x) - norm.logpdf(x)), a, b)[0] for a, b in pieces)
    assert study.perfect_gain("mixture-sd", 1.0) == pytest.approx(share * mean - math.log(mass), rel=1e-6)


@pytest.mark.slow
def test_interval_covers_as_often_as_it_says():
    low, high = deviation_interval(4)
    found = np.random.default_rng(5).standard_normal((200_000, 4)).std(axis=1, ddof=1)
    share = ((found * low <= 1) & (found * high >= 1)).mean()
    # 200,000 trials at 0.95: five standard errors are 0.0025, a false alarm rate below 1e-6.
    assert share == pytest.approx(0.95, abs=0.0025)
    assert deviation_interval(20)[1] < high


@pytest.mark.slow
@pytest.mark.parametrize("eps", [0.5, 1.0])
def test_coverage_bound_holds_for_a_hostile_output(eps):
    """Take the tilt that lowers the density where the target lies and raises it far out."""
    target = domain("random-1d", (1, 0), 0)
    reference, grid = domain_grid(target)
    x, width = grid.points[:, 0], spent_level(eps, 3) / 2
    for edge in np.linspace(0.5, 2.5, 9):
        hostile = reference.log_prob(grid.points) + np.where(np.abs(x) > edge, width, 0.0)
        assert mode_coverage(hostile, target.log_prob(grid.points), grid) > 0.9999


@pytest.mark.slow
def test_scales_share_their_placement():
    large, small = plane_target(3, 0, 1, 4.0), plane_target(3, 0, 1, 1.0)
    for one, other in zip(large.components, small.components, strict=True):
        np.testing.assert_allclose(one.mean, 4 * other.mean, rtol=1e-12)


@pytest.mark.slow
def test_the_turned_ring_has_the_log_ratio_of_the_ring():
    target = turned_ring(np.random.default_rng(1), 4)
    means = np.stack([item.mean for item in target.components])
    first, second = means[0] / 4, means[2] / 4
    points = Gaussian.standard(4).sample(50, np.random.default_rng(2))
    flat = points @ np.stack([first, second], axis=1)
    ratio = target.log_prob(points) - Gaussian.standard(4).log_prob(points)
    assert np.allclose(ratio, ring().log_prob(flat) - Gaussian.standard(2).log_prob(flat), atol=1e-9)


@pytest.mark.slow
def test_the_matched_variance_of_the_ring_and_what_matching_saves():
    assert math.isclose(matched_variance(ring()), 8.25)
    tuned = tuned_gains(["mixture-sd"], 1, [1.0], None).iloc[0]
    assert tuned["tuned"] < tuned["unit"]
