"""The projection onto a relative mollifier, against that of the pages in rationals."""

import math
from fractions import Fraction

import numpy as np
import pytest

from mollified.laws import Discrete, FiniteSpace, Gaussian, Grid, Mixture, random_law, random_root
from mollified.mollifiers import RelativeMollifier
from mollified.mollifiers.instances import clip, completed, constant
from mollified.mollifiers.relative_mollifier import clip_constant
from tests.mollified.sampling_tests import ALPHA, chi_square


def test_constant_against_exact_rationals():
    """Random rational instances with eps up to 20 and ratios up to 2^40: the laws agree to 1e-11 in every log.

    The residual mass of 1e-12 moves log C by at most 1e-12 over the mass that is not clipped, hence the comparison of
    C only where that share is at least 0.01; the laws themselves differ by at most the residual, relative to an atom
    only where it is large. So: total variation at most 2e-12, and log C to 1e-9 on large shares.
    """
    rng = np.random.default_rng(33)
    compared = 0
    for index in range(300):
        size, root = int(rng.integers(2, 9)), random_root(rng)
        spread = 40 if index % 2 else 8
        p, base = (np.array(random_law(rng, size, spread=spread)) for _ in range(2))
        exact = clip(p / (exact_c := constant(p, base, root)), base / root, root * base)
        eps = 2 * (math.log(root.numerator) - math.log(root.denominator))
        logs = [np.array([math.log(v.numerator) - math.log(v.denominator) for v in law]) for law in (p, base)]
        log_c = clip_constant(*logs, np.ones(size), eps)
        ours = np.exp(logs[1] + np.clip(logs[0] - logs[1] - log_c, -eps / 2, eps / 2))
        assert abs(ours.sum() - 1) <= 2e-12
        assert sum(abs(a - float(b)) for a, b in zip(ours, exact, strict=True)) / 2 <= 2e-12
        free = sum(e for e, q in zip(exact, base, strict=True) if q / root < e < root * q)
        if free >= Fraction(1, 100):
            compared += 1
            assert log_c == pytest.approx(math.log(exact_c.numerator) - math.log(exact_c.denominator), abs=1e-9)
    assert compared > 50


@pytest.mark.parametrize("depth", [-500.0, -100.0, 100.0, 500.0])
def test_constant_far_away_in_log_space(depth):
    """Unnormalised log P shifted by `depth`: log C shifts with it, C itself would underflow or overflow.

    One ulp of a log near 500 is 1.1e-13 and the mass changes by at most that: residual <= 1e-12.
    """
    rng = np.random.default_rng(34)
    p, q0 = (rng.dirichlet(np.full(6, weight)) for weight in (0.5, 0.7))
    anchor = clip_constant(np.log(p), np.log(q0), np.ones(6), 1.0)
    shifted = clip_constant(np.log(p) + depth, np.log(q0), np.ones(6), 1.0)
    assert shifted == pytest.approx(anchor + depth, abs=1e-11)
    mass = np.exp(np.log(q0) + np.clip(np.log(p) + depth - np.log(q0) - shifted, -0.5, 0.5)).sum()
    assert abs(mass - 1) <= 1e-12


def test_a_tiny_part_of_the_reference_under_the_target():
    """P has ratio e^500 on an atom of mass e^-500: C is e^0 elsewhere, nothing overflows."""
    log_q0 = np.array([-500.0, math.log(0.5), math.log1p(-0.5 - math.exp(-500.0))])
    log_p = np.log([0.5, 0.25, 0.25])
    log_c = clip_constant(log_p, log_q0, np.ones(3), 1.0)
    image = log_q0 + np.clip(log_p - log_q0 - log_c, -0.5, 0.5)
    assert image[0] == -499.5
    assert abs(np.exp(image).sum() - 1) <= 1e-12
    assert log_c == pytest.approx(-math.log(2), abs=1e-12)


def test_error_where_no_constant_exists_names_the_condition():
    mollifier = RelativeMollifier(Discrete([0.25, 0.75]), 2 * math.log(2))
    with pytest.raises(ValueError, match=r"target has no mollification .* Q0\(\{P > 0\}\) = 0.25 is below .* 0.333"):
        mollifier.project(Discrete([1.0, 0.0]), FiniteSpace(2))
    completed = np.exp(mollifier.complete(Discrete([1.0, 0.0]), FiniteSpace(2)))
    np.testing.assert_allclose(completed, [0.5, 0.5], rtol=0, atol=2e-16)


def test_boundary_of_the_condition():
    """Q0(P>0) = 1/(1+r) exactly: the constant exists, everything is clipped, the mass is one; a hair less fails."""
    for r in (2.0, 4.0, 1.5, 10.0):
        eps, q = 2 * math.log(r), 1 / (1 + r)
        image = RelativeMollifier(Discrete([q, 1 - q]), eps).project(Discrete([1.0, 0.0]), FiniteSpace(2))
        law = np.exp(image.log_prob(FiniteSpace(2).points))
        np.testing.assert_allclose(law, [r * q, (1 - q) / r], rtol=1e-12)
        assert abs(law.sum() - 1) <= 1e-12
        less = q * (1 - 1e-9)
        with pytest.raises(ValueError, match="no mollification"):
            RelativeMollifier(Discrete([less, 1 - less]), eps).project(Discrete([1.0, 0.0]), FiniteSpace(2))


def test_boundary_with_several_atoms_in_the_support():
    """At the boundary every C up to the smallest breakpoint serves, and its upper end is returned."""
    q0, p = np.array([0.1, 0.15, 0.25, 0.5]), np.array([0.5, 0.5, 0.0, 0.0])
    eps = 2 * math.log(3)  # 1/(1+3) = 0.25 = q0[0] + q0[1]
    with np.errstate(divide="ignore"):
        log_c = clip_constant(np.log(p), np.log(q0), np.ones(4), eps)
    assert log_c == pytest.approx(math.log(min(0.5 / 0.1, 0.5 / 0.15) / 3), abs=1e-11)
    np.testing.assert_allclose(np.clip(p / math.exp(log_c), q0 / 3, 3 * q0), q0 * [3, 3, 1 / 3, 1 / 3], rtol=1e-11)


def test_target_inside_is_its_own_projection_and_a_point_mass_reference_is_fixed():
    q0 = Discrete([0.4, 0.6])
    image = RelativeMollifier(q0, 1.0).project(Discrete([0.45, 0.55]), FiniteSpace(2))
    np.testing.assert_allclose(np.exp(image.log_prob(FiniteSpace(2).points)), [0.45, 0.55], rtol=1e-12)
    lone = RelativeMollifier(Discrete([1.0, 0.0]), 1.0).project(Discrete([0.5, 0.5]), FiniteSpace(2))
    assert np.exp(lone.log_prob(FiniteSpace(2).points)).tolist() == pytest.approx([1.0, 0.0])


def test_reference_without_mass_one_is_refused():
    with pytest.raises(ValueError, match="reference must have total mass one, got 20"):
        clip_constant(np.zeros(2), np.log([10.0, 10.0]), np.ones(2), 1.0)


def test_completion_of_sparse_targets_against_the_exact_one():
    rng = np.random.default_rng(35)
    free = 0
    for _ in range(200):
        size, root = int(rng.integers(2, 7)), random_root(rng)
        q0, p = np.array(random_law(rng, size)), np.array(random_law(rng, size))
        p[rng.random(size) < 0.5] *= 0
        p = p / sum(p) if sum(p) else np.array([Fraction(x == 0) for x in range(size)])
        exact = completed(p, q0, root, clip(p / constant(p, q0, root), q0 / root, root * q0))
        mollifier = RelativeMollifier(Discrete(q0.astype(float)), 2 * math.log(root))
        law = np.exp(mollifier.complete(Discrete(p.astype(float)), FiniteSpace(size)))
        assert np.abs(law - exact.astype(float)).sum() / 2 <= 2e-12
        assert mollifier.contains(Discrete(law), FiniteSpace(size)).contained
        free += sum(q0[p > 0]) * (1 + root) < 1
    assert 5 < free < 195


def test_projection_on_a_grid_is_a_member_and_keeps_the_mass():
    target = Mixture([Gaussian([-1.5], 0.09), Gaussian([1.0], 0.25)], [0.5, 0.5])
    reference = Gaussian.standard(1)
    grid = Grid.covering([target, reference], nodes=2001)
    for eps in (0.1, 1.0, 5.0):
        mollifier = RelativeMollifier(reference, eps)
        image = mollifier.project(target, grid)
        seen = mollifier.contains(image, grid)
        assert seen.contained
        assert seen.violation <= 1e-12
        assert abs(seen.mass - 1) <= 1e-12
        half = mollifier.contains(image, grid)
        assert not RelativeMollifier(reference, eps / 2).contains(image, grid).contained, half


def test_log_ratio_where_the_reference_has_no_mass():
    mollifier = RelativeMollifier(Discrete([0.5, 0.5, 0.0]), 1.0)
    image = mollifier.project(Discrete([1.0, 0.0, 0.0]), FiniteSpace(3))
    assert image.dim == 1
    assert image.log_ratio(FiniteSpace(3).points)[2] == 0.0
    assert image.log_prob(FiniteSpace(3).points)[2] == -math.inf


def test_samples_follow_the_density():
    """Chi-square at 1e-6; control: the density at twice the level is told apart."""
    q0, p = Discrete([0.1, 0.2, 0.3, 0.4]), Discrete([0.7, 0.1, 0.1, 0.1])
    points = FiniteSpace(4).points
    image = RelativeMollifier(q0, 1.0).project(p, FiniteSpace(4))
    draws = image.sample(40_000, np.random.default_rng(36))
    assert draws.shape == (40_000, 1)
    counts = np.bincount(draws[:, 0].astype(int), minlength=4)
    assert chi_square(counts, np.exp(image.log_prob(points))) > ALPHA
    other = RelativeMollifier(q0, 1.2).project(p, FiniteSpace(4))
    assert chi_square(counts, np.exp(other.log_prob(points))) < ALPHA
