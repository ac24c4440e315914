"""What the docstrings of `mollified.laws` say of accuracy, at the stated ends, in balls
of 300 bits and rationals."""

import math
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from mollified.laws import Discrete, FiniteSpace, Gaussian, Grid, Mixture, Uniform, kl
from tests.accuracy import states

MASSES = (1.5e-323, 1e-320, 1e-300, 1e-12, 0.5, 0.99, 1 - 2.0**-53)
MEANS = (0.0, 3.0, 1e8, -1e16)


@pytest.fixture(autouse=True)
def _balls_of_300_bits():
    with ctx.workprec(300):
        yield


def ball(value):
    return arb(fmpq(value.numerator, value.denominator))


@states("laws.Discrete", "Probabilities may be zero; their total may miss one")
def test_totals_are_taken_up_to_their_end_and_left_as_they_are():
    for miss in (9.9e-10, -9.9e-10):
        law = Discrete([0.5, 0.5 + miss, 0.0])
        assert law.probabilities.tolist() == [0.5, 0.5 + miss, 0.0]
        assert law.log_prob(np.array([[1.0]]))[0] == np.log(0.5 + miss)
        with pytest.raises(ValueError, match="sum to 1"):
            Discrete([0.5, 0.5 + 1.02 * miss, 0.0])


class Uniforms(np.random.Generator):
    """A generator of these words over 2^53."""

    def __init__(self, words):
        super().__init__(np.random.PCG64(0))
        self.words = words

    def random(self, size):
        assert size == len(self.words)
        return self.words * 2.0**-53


def first_words(law, words):
    """Return for each point the first word that leads beyond it, found by halving."""
    points = np.arange(law.size)
    low = np.zeros(law.size, dtype=np.int64)
    high = np.full(law.size, words)
    while (low < high).any():
        middle = (low + high) // 2
        beyond = law.sample(law.size, Uniforms(middle))[:, 0] > points
        high = np.where(beyond, middle, high)
        low = np.where(beyond, low, np.minimum(middle + 1, high))
    return low.tolist()


@states("laws.Discrete.sample", "The uniform numbers have 53 bits")
@pytest.mark.parametrize("k", [1, 2, 7, 1000, 30_000])
def test_each_probability_is_met_by_the_words_that_lead_to_it(k):
    """The 2^53 uniform numbers that lead to a point are counted by the ends of its
    interval."""
    rng = np.random.default_rng(k)
    words = 1 << 53
    wide = np.exp(rng.uniform(-100, 0, k))
    for given in (
        rng.dirichlet(np.ones(k)),
        np.full(k, 1 / k) * (1 + 9e-10),
        wide / wide.sum(),
    ):
        law = Discrete(given)
        total = sum(map(F, given.tolist()))
        ends = first_words(law, words)
        for p, first, last in zip(given.tolist(), [0, *ends], ends, strict=False):
            assert abs(F(last - first, words) - F(p) / total) <= F(k + 3, 10**16)


@states("laws.FiniteSpace", "Sums on it have error 0")
@states(
    "laws.FiniteSpace.integrate",
    "Return the sum of `values`, shape (size,), correctly rounded",
)
@pytest.mark.parametrize("size", [1, 2, 1000, 10**5])
def test_sums_are_correctly_rounded(size):
    rng = np.random.default_rng(size)
    wide = rng.choice([-1.0, 1.0], size) * np.exp(rng.uniform(-700, 700, size))
    for values in (
        wide,
        rng.normal(size=size),
        np.full(size, 5e-324),
        np.full(size, 0.1),
    ):
        found = FiniteSpace(size).integrate(values)
        assert (found.value, found.error) == (float(sum(map(F, values.tolist()))), 0.0)


def test_a_sum_may_pass_the_largest_float_on_its_way():
    """The sum of fractions overflowed there."""
    top = 1.7e308
    assert FiniteSpace(4).integrate([top, top, -top, 1.0]).value == top
    assert FiniteSpace(2).integrate([top, top]).value == math.inf
    assert FiniteSpace(2).integrate([-top, -top]).value == -math.inf


@states(
    "laws.FiniteSpace.supremum",
    "Return the largest of `values`, shape (size,), with error 0",
)
def test_the_largest_value_has_no_error():
    found = FiniteSpace(3).supremum([-1.7e308, -np.inf, 5e-324])
    assert (found.value, found.error) == (5e-324, 0.0)


def above(x):
    """Return the chance that a standard normal number exceeds x."""
    return (x / arb(2).sqrt()).erfc() / 2 if x.is_finite() else arb(0)


def outside(law, lower, upper):
    """Return the mass of a Gaussian beyond the corners of a box, axis by axis."""
    total = arb(0)
    for mean, variance, low, high in zip(
        law.mean, np.diag(law.covariance), lower, upper, strict=True
    ):
        spread = arb(variance).sqrt()
        total += above((arb(high) - arb(mean)) / spread) + above(
            (arb(mean) - arb(low)) / spread
        )
    return total


@states(
    "laws.Gaussian.box",
    "Return the corners",
    "Each axis gets",
    "The sum over axes is a union bound",
)
@pytest.mark.parametrize("mass", MASSES)
def test_boxes_of_gaussians_leave_the_mass_said(mass):
    """At a mean of 1e16 the digits of the corners lost all of the margin: half of the
    mass for a millionth."""
    for mean, variance, dim in product(MEANS, (1e-12, 1.0, 2.0, 1e10), (1, 2, 50)):
        law = Gaussian(np.full(dim, mean), variance)
        left = outside(law, *law.box(mass))
        assert left <= arb(mass)
        if mean == 0 and 1e-310 < mass < 0.9:
            assert left > arb(mass) * (1 - arb(10) ** -8)


@states(
    "laws.Mixture.box", "Return the corners", "The box holds the box of each component"
)
@states(
    "laws.Grid.covering", "Return a grid on a box", "The box holds `box(mass)` of each"
)
@pytest.mark.parametrize("mass", MASSES[2:])
def test_boxes_of_mixtures_and_grids_leave_the_mass_said(mass):
    for mean in MEANS:
        parts = [
            Gaussian([mean], 1.0),
            Gaussian([mean + 5.0], 0.01),
            Gaussian([-1e17], 1.0),
        ]
        mixture = Mixture(parts, [0.25, 0.75, 0.0])
        left = [outside(part, *mixture.box(mass)) for part in parts[:2]]
        assert left[0] / 4 + 3 * left[1] / 4 <= arb(mass)
        grid = Grid.covering(
            [parts[0], mixture, Uniform([-20.0], [1.0])], mass=mass, nodes=5
        )
        corners = grid.points[0], grid.points[-1]
        assert all(outside(part, *corners) <= arb(mass) for part in parts[:2])
        assert corners[0][0] <= -20.0 < 1.0 <= corners[1][0]
    plane = Gaussian([1.0, -2.0], [[2.0, 0.8], [0.8, 1.0]])
    grid = Grid.covering([plane], mass=mass, nodes=5)
    assert outside(plane, grid.points[0], grid.points[-1]) <= arb(mass)


def rule(grid, step):
    """Return the weights of the trapezoidal rule on each of so many nodes."""
    weights = np.ones(())
    for axis in grid.axes:
        nodes = axis[::step]
        sides = np.full(len(nodes), (axis[-1] - axis[0]) / (len(nodes) - 1))
        sides[[0, -1]] /= 2
        weights = np.multiply.outer(weights, sides)
    return weights


@states("laws.Grid", "The error of an integral is estimated")
@states("laws.Grid.integrate", "Return T_h")
@pytest.mark.parametrize("nodes", [5, 16001, [401, 401], [1001, 1001]])
def test_rules_err_by_less_than_the_rounding_that_is_added(nodes):
    dim = 1 if isinstance(nodes, int) else 2
    grid = Grid([0.0] * dim, [1.0] * dim, nodes)
    rng = np.random.default_rng(1)
    for values in (rng.normal(size=len(grid.points)), np.ones(len(grid.points))):
        found = grid.integrate(values)
        table = values.reshape(grid.shape)
        rules = [
            math.fsum((rule(grid, step) * table[(slice(None, None, step),) * dim]).flat)
            for step in (1, 2, 4)
        ]
        added = 32 * 2.0**-53 * math.fsum(grid.weights * np.abs(values))
        assert abs(found.value - rules[0]) <= added
        estimate = max(abs(rules[0] - rules[1]), abs(rules[1] - rules[2]) / 4) + added
        assert math.isclose(found.error, estimate, rel_tol=1e-9, abs_tol=2 * added)


ESTIMATE = "On the line, and for small"


@states("laws.Grid", ESTIMATE)
def test_the_estimate_is_three_times_the_error_of_a_smooth_function():
    """x (1 - x) vanishes at both ends and its slope does not: three times there too."""
    grid = Grid([0.0], [1.0], 401)
    x = grid.points[:, 0]
    for values, truth in (
        (np.exp(x), math.e - 1),
        (x * (1 - x), 1 / 6),
        (np.cos(x), math.sin(1)),
    ):
        found = grid.integrate(values)
        assert found.error == pytest.approx(3 * abs(found.value - truth), rel=1e-3)
    wide = Grid([-4.0], [4.0], 41)
    found = wide.integrate(
        np.exp(-4 * wide.points[:, 0] ** 2)
    )  # its slope is the same at both ends
    assert found.error > 100 * abs(found.value - math.sqrt(math.pi) / 2)


@states("laws.Grid", ESTIMATE)
def test_the_estimate_brackets_one_kink_and_one_jump_wherever_it_is():
    grid = Grid([0.0], [1.0], 401)
    step = 1 / 400
    x = grid.points[:, 0]
    for a in 0.4 + step * np.linspace(0, 4, 81):
        jump = grid.integrate((x <= a).astype(float))
        assert abs(jump.value - a) <= jump.error + 1e-15 <= 2 * step
        for slope in (0.0, -30.0, -3.0, 7.0, 7.5, 30.0):
            kink = grid.integrate(np.exp(-8 * np.abs(x - a)) + slope * (x * x - 1 / 3))
            truth = (2 - math.exp(-8 * a) - math.exp(-8 * (1 - a))) / 8
            assert abs(kink.value - truth) <= (3.1 if slope else 1.01) * kink.error
            assert slope or 16 * step**2 / 24 < kink.error < 16 * step**2 / 3


@states("laws.Grid.log_integral", "With v and e the integral and its error")
def test_the_error_of_a_log_is_its_larger_side():
    grid = Grid([0.0], [1.0], 9)
    for shift in (-5000.0, 0.0, 600.0):
        logs = np.linspace(0.0, 3.0, 9) + shift
        scaled = grid.integrate(np.exp(logs - logs.max()))
        found = grid.log_integral(logs)
        sides = [
            abs(math.log1p(side * scaled.error / scaled.value)) for side in (-1, 1)
        ]
        assert found.error == pytest.approx(max(sides), rel=1e-12)
    spike = np.full(9, -np.inf)
    assert grid.log_integral(spike).error == math.inf
    spike[3] = 0.0
    assert grid.log_integral(spike).error == math.inf  # there e >= v


@states(
    "laws.Grid.supremum",
    "Return the largest value at a node",
    "The error is the largest change",
    "It errs on the small side",
)
def test_the_supremum_is_between_the_value_and_the_value_with_its_error():
    line = Grid([-1.0], [1.0], 21)
    plane = Grid([-1.0, -1.0], [1.0, 1.0], 21)
    for grid, shift in ((line, 0.0), (line, 0.03), (line, 0.05), (plane, 0.03)):
        result = grid.supremum(-np.sum((grid.points - shift) ** 2, axis=1))
        assert result.value <= 0.0 <= result.value + result.error
    values = np.array([-np.inf, 2.0, 5.0, -np.inf, 1.0])
    assert (Grid([0.0], [1.0], 5).supremum(values)) == (type(result)(5.0, 3.0))


def exact_kl(log_p, log_q):
    """Return the sum of p log(p/q) - p + q, for the logs as they are."""
    total = arb(0)
    for a, b in zip(log_p, log_q, strict=True):
        p, q = (arb(x).exp() for x in (a, b))
        total += p * (arb(a) - arb(b)) - p + q
    return total


KEPT = "Computed as the integral"


@states("laws.kl", KEPT)
@pytest.mark.parametrize("size", [0.4, 0.041, 0.039, 1e-3, 1e-6, 1e-9, 1e-12])
@pytest.mark.parametrize("k", [2, 1000])
def test_small_divergences_keep_their_digits(size, k):
    """On both sides of the series for log ratios below 0.02; the plain sum is the
    control."""
    tilt = 1 + size * np.where(np.arange(k) % 2, -1.0, 1.0) / 2
    p = np.log(tilt / k)
    q = np.full(k, -math.log(k))
    truth = exact_kl(p.tolist(), q.tolist())
    found = kl(p, q, FiniteSpace(k)).value
    assert abs(arb(found) - truth) <= truth * arb(10) ** -11
    if size < 1e-5:
        assert (
            abs(arb(float(np.sum(np.exp(p) * (p - q)))) - truth) > truth * arb(10) ** -6
        )


@states("laws.kl", KEPT)
def test_the_value_is_never_negative():
    """Among the smallest floats p log(p/q) - p + q came out as -5e-324."""
    for tiny in np.linspace(-746.0, -743.0, 40):
        for other in tiny - np.linspace(0.0, 3.0, 20):
            assert (
                kl(np.array([0.0, tiny]), np.array([0.0, other]), FiniteSpace(2)).value
                >= 0.0
            )
    rng = np.random.default_rng(1)
    logs = rng.uniform(-700, 0, (2, 200, 3))
    p, q = logs - np.log(np.exp(logs).sum(axis=2, keepdims=True))
    assert min(kl(a, b, FiniteSpace(3)).value for a, b in zip(p, q, strict=True)) >= 0.0


@states(
    "laws.kl",
    "It differs from the integral of p log(p/q) by",
    "Raises ValueError or TypeError where `log_p`",
)
def test_masses_that_differ_are_counted_as_error_or_refused():
    halves = np.log([0.5, 0.25, 0.25])
    space = FiniteSpace(3)
    for miss, counted in ((9e-10, 0.0), (1.1e-9, 1.1e-9), (9.9e-4, 9.9e-4)):
        other = halves + math.log1p(miss)
        found = kl(halves, other, space)
        assert found.error == pytest.approx(counted, rel=1e-6)
        plain = float(np.sum(np.exp(halves) * (halves - other)))
        assert abs(found.value - plain) == pytest.approx(miss, rel=1e-6)
    for miss in (1.01e-3, -1.01e-3):
        with pytest.raises(ValueError, match=r"^log_q must"):
            kl(halves, halves + math.log1p(miss), space)
    grid = Grid(
        [0.0], [1.0], 5
    )  # the mass is right but for an error of a tenth that the grid admits
    coarse = np.log(1 + 0.4 * np.array([1.0, -1.0, 1.0, -1.0, 1.0]))
    assert grid.integrate(np.exp(coarse)).error > 0.1
    assert kl(coarse, coarse, grid).value == 0.0
