"""Threads that compute with balls do not change each other's digits."""

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest
from flint import ctx

from mollified.bootstrap import certified_delta, pure_records
from mollified.boxes import BoxSampler
from mollified.privacy import (
    ExactLevel,
    certified_response_delta,
    counts_delta,
    textbook_law,
)
from mollified.privacy.gaussian_mechanism import certified_sigma
from statements import Effort, Space, check, log, real
from statements.precision import ONE_AT_A_TIME, working_precision

THREADS = 4
REPEATS = 12
SWITCH_INTERVAL = 1e-5
#: e^(1/3), cut after 67 digits: balls of fewer than 222 bits do not tell them apart.
ROOT = Fraction("1.395612425086089528628125319602586837597906515199406982617516706031")


class Line(Space):
    """A positive number."""

    y = real(0.1, 3)


def digits(ball):
    """Return a ball with all its digits, at whatever precision is at work."""
    return ball.mid().man_exp(), ball.rad().man_exp()


def refuted():
    """Return what the checker says of a false statement."""
    (outcome,) = check(
        Line,
        rng=np.random.default_rng(5),
        printed=lambda y: log(y) <= 0.98 * (y - 1),
        effort=Effort(samples=400, exact=20),
    )
    return outcome.verdict, outcome.arithmetic


TASKS: dict[str, Callable[[], object]] = {
    "delta": lambda: [digits(end) for end in certified_delta(1.0, 50, 3, 4, 30)],
    "two symbols": lambda: [digits(end) for end in certified_delta(0.5, 5, 2, 3, 9)],
    "responses": lambda: digits(
        certified_response_delta(Fraction(1), Fraction(3, 2), 40)
    ),
    "sigma": lambda: certified_sigma(Fraction(1), Fraction(1, 1000)),
    "law": lambda: digits(
        counts_delta(textbook_law(0, 1, 4), textbook_law(1, 1, 4), Fraction(1))
    ),
    "level": lambda: ExactLevel(eps=Fraction(1)).compare(ROOT, Fraction(1, 3)),
    "box": lambda: BoxSampler.from_reference(np.ones(5) / 5, 1.0).level,
    "pure": lambda: pure_records(1e9, 12345),
    "check": refuted,
}


def test_results_of_four_threads_are_those_of_one():
    alone = {name: task() for name, task in TASKS.items()}
    names = [*TASKS] * REPEATS
    saved = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL)
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            results = list(pool.map(lambda name: TASKS[name](), names))
    finally:
        sys.setswitchinterval(saved)
    wrong = [
        name
        for name, result in zip(names, results, strict=True)
        if result != alone[name]
    ]
    assert wrong == []


def test_a_precision_holds_to_its_end_and_the_lock_is_free_then():
    before = ctx.prec
    with working_precision(200):
        with working_precision(100, or_more=True):
            assert ctx.prec == 200
        with working_precision(100):
            assert ctx.prec == 100
        assert ctx.prec == 200
    with pytest.raises(ValueError, match="prec"), working_precision(1):
        pass
    assert ctx.prec == before
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(ONE_AT_A_TIME.acquire, blocking=False).result()
        pool.submit(ONE_AT_A_TIME.release).result()
