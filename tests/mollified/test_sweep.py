"""Sweeps and searches: a true bound passes both, a bound two per cent too large fails both, certified."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from mollified.adversary import decode_runs, search_worst, vector_size
from mollified.bounds import kl_drop
from mollified.sweep import edges_below, sweep


def statement(share):
    def margins(runs):
        gamma_p, gamma_q = edges_below(runs)
        bound = kl_drop(runs.theta, runs.c_star, gamma_p, gamma_q, form="corrected")
        return (runs.drop - bound * share) / runs.u, runs.learnable & (bound > 0)

    return margins


def test_a_true_bound_survives():
    result = sweep(np.random.default_rng(1), 4_000, statement(1), certify=50)
    assert result.floats.passed
    assert result.certified.passed
    assert result.certified.instances == 50
    assert result.floats.instances == len(result.margins)
    assert 3_000 < result.floats.instances <= 4_500
    assert result.margins.min() == result.floats.worst_slack


def test_a_bound_two_per_cent_too_large_is_refuted_in_balls():
    factor = Fraction(102, 100)
    result = sweep(np.random.default_rng(1), 4_000, lambda r: statement_scaled(r, factor), certify=50)
    assert result.floats.violations > 50
    assert result.certified.violations == 50
    assert {"P", "Q0", "c", "eps"} <= set(result.certified.counterexample)


def statement_scaled(runs, factor):
    gamma_p, gamma_q = edges_below(runs)
    bound = kl_drop(runs.theta, runs.c_star, gamma_p, gamma_q, form="corrected")
    return (runs.drop - bound * factor.numerator / factor.denominator) / runs.u, runs.learnable & (bound > 0)


def test_a_statement_that_never_applies_is_no_evidence():
    with pytest.raises(ValueError, match="apply"):
        sweep(np.random.default_rng(1), 100, lambda r: (r.drop, r.drop > 1e9))


def test_the_search_finds_a_needle():
    """A margin that is negative only in a ball of radius 0.1: found from random starts of spread 3."""
    centre = np.array([1.0, -2.0, 0.5])
    found = search_worst(lambda z: ((z - centre) ** 2).sum(axis=1) - 0.01, 3, np.random.default_rng(2), starts=500)
    assert found.margin == pytest.approx(-0.01, abs=1e-6)
    assert found.point == pytest.approx(centre, abs=1e-2)
    assert (np.diff(found.refined) >= 0).all()
    assert found.evaluated > 500


def test_the_search_gets_below_a_bound_that_is_too_large_and_not_below_the_true_one():
    def margin(share):
        def one(z):
            runs = decode_runs(z, 2, 1)
            values, applies = statement(share)(runs)
            return np.where(applies[:, 0], values[:, 0], np.inf)

        return one

    options = {"starts": 1_000, "refine": 4, "evaluations": 200}
    size = vector_size(2, 1)
    assert search_worst(margin(1.02), size, np.random.default_rng(3), **options).margin < -1e-4
    assert search_worst(margin(1.0), size, np.random.default_rng(3), **options).margin > -1e-13


def test_no_start_is_an_error():
    with pytest.raises(ValueError, match="margin"):
        search_worst(lambda z: np.full(len(z), np.inf), 2, np.random.default_rng(1), starts=5)


def test_decoded_runs_have_the_promised_ranges():
    runs = decode_runs(5 * np.random.default_rng(4).standard_normal((300, vector_size(3, 2))), 3, 2)
    assert runs.rounds == 2
    assert len(runs) == 300
    assert 1e-3 <= runs.eps.min() <= runs.eps.max() <= 20
    assert 0.01 <= runs.c_star.min() <= runs.c_star.max() <= np.log(2) + 1e-15
