"""Mode coverage: exact small cases, closed forms, invariances, and a metric with the sign flipped that is caught."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm

from mollified.experiments.coverage import mode_coverage
from mollified.laws import FiniteSpace, Gaussian, Grid

LINE = Grid([-30.0], [30.0], 12001)


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
        p, q = (Gaussian([0.0], scale**2).log_prob(LINE.points) for scale in (narrow, wide))
        cell = float(np.exp(p.max())) * 60 / 12000
        if abs(metric(q, p, LINE) - closed_form(narrow, wide)) > 2 * cell:
            return False
    return True


def test_closed_forms_hold_and_a_flipped_sign_is_caught():
    """The control of the issue: a metric that ranks by the negative of the density fails the same known answers."""
    assert known_answers(mode_coverage)
    assert not known_answers(lambda q, p, space: mode_coverage(-q, p, space))
    assert not known_answers(lambda q, p, space: mode_coverage(q, p, space, form="printed"))
    assert not known_answers(lambda q, p, space: 1 - mode_coverage(q, p, space))
    assert not known_answers(lambda q, p, space: mode_coverage(p, q, space))


def test_the_printed_form_is_the_complement_at_the_other_level():
    """The lowest 95 % and the highest 5 % of the model share out the line."""
    p, q = (Gaussian([mean], 1.0).log_prob(LINE.points) for mean in (0.5, 0.0))
    both = mode_coverage(q, p, LINE, 0.05) + mode_coverage(q, p, LINE, 0.95, "printed")
    assert both == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("level", [0.05, 0.5, 0.95])
def test_a_law_covers_itself_at_the_level(level):
    for form in ("high-density", "printed"):
        q = Gaussian([0.3], 0.5).log_prob(LINE.points)
        assert mode_coverage(q, q, LINE, level, form) == pytest.approx(level, abs=1e-12)
        assert mode_coverage(np.zeros(7), np.zeros(7), FiniteSpace(7), level, form) == pytest.approx(level)


def test_invariances():
    """Constants on either side, the order of the points, and atoms without mass change nothing."""
    rng = np.random.default_rng(2)
    model, target = rng.normal(size=12), rng.normal(size=12)
    value = mode_coverage(model, target, FiniteSpace(12))
    assert mode_coverage(model + 300, target - 500, FiniteSpace(12)) == pytest.approx(value, rel=1e-12)
    order = rng.permutation(12)
    assert mode_coverage(model[order], target[order], FiniteSpace(12)) == pytest.approx(value, rel=1e-12)
    empty = np.append(model, -math.inf), np.append(target, -math.inf)
    assert mode_coverage(*empty, FiniteSpace(13)) == pytest.approx(value, rel=1e-12)
