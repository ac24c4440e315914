"""Every check of a statement: it comes out as its docstring says, and its control the other way."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from fractions import Fraction

import numpy as np
import pytest

import mollified.verify
import tests.mollified.verify_tables

F = Fraction
#: Instances of each check on random instances.
TRIES = 40

#: check: (arguments under which the statement holds, arguments under which it fails, arithmetic)
TABLE: dict[str, tuple[dict[str, object], dict[str, object], str]] = {}

#: Functions of the package that are no checks, with their own tests below.
HELPERS: set[str] = set()

#: Further arguments that make a statement fail, or hold.
MORE_FAIL: dict[str, list[dict[str, object]]] = {}
MORE_HOLD: dict[str, list[dict[str, object]]] = {}
FRACTION = re.compile(r"-?\d+(/\d+)?")

# Further tables, one module a topic, in the same form: TABLE and perhaps MORE_FAIL, MORE_HOLD, HELPERS.
for _module in pkgutil.iter_modules(tests.mollified.verify_tables.__path__):
    _topic = importlib.import_module(f"tests.mollified.verify_tables.{_module.name}")
    assert not set(TABLE) & set(_topic.TABLE), f"{_module.name} repeats a check"
    TABLE |= _topic.TABLE
    MORE_FAIL |= getattr(_topic, "MORE_FAIL", {})
    MORE_HOLD |= getattr(_topic, "MORE_HOLD", {})
    HELPERS |= getattr(_topic, "HELPERS", set())


def found(name):
    module, function = name.split(".")
    return getattr(importlib.import_module(f"mollified.verify.{module}"), function)


def run(name, arguments, seed=5, tries=TRIES):
    check = found(name)
    if "rng" in inspect.signature(check).parameters:
        return check(np.random.default_rng(seed), tries, **arguments)
    return check(**arguments)


HOLDS = [(name, good) for name, (good, _, _) in TABLE.items()] + [(k, a) for k, many in MORE_HOLD.items() for a in many]
FAILS = [(name, bad) for name, (_, bad, _) in TABLE.items()] + [(k, a) for k, many in MORE_FAIL.items() for a in many]


@pytest.mark.parametrize(("name", "arguments"), HOLDS, ids=lambda v: v if isinstance(v, str) else "")
def test_the_true_statement_passes(name, arguments):
    check = run(name, arguments)
    assert check.passed, check
    assert check.counterexample is None
    assert check.arithmetic == TABLE[name][2]
    # an identity in balls reports the width of its balls (1024 bits) as the distance
    assert check.worst_slack >= -(2.0**-900 if check.arithmetic == "certified" else check.tolerance)


@pytest.mark.parametrize(("name", "arguments"), FAILS, ids=lambda v: v if isinstance(v, str) else "")
def test_the_wrong_statement_is_refuted_with_a_counterexample(name, arguments):
    check = run(name, arguments)
    assert not check.passed, check
    assert check.worst_slack <= 0
    assert check.counterexample
    assert check.arithmetic == TABLE[name][2]


@pytest.mark.parametrize(("name", "arguments"), FAILS, ids=lambda v: v if isinstance(v, str) else "")
def test_the_numbers_of_an_exact_counterexample_can_be_parsed_again(name, arguments):
    """Each value is a fraction, or a nested sequence of fractions; other values are words that say what they are."""
    check = run(name, arguments)
    if check.arithmetic != "exact":
        return
    numbers = 0
    for value in check.counterexample.values():
        tokens = re.findall(r"[^\s(),\[\]]+", value)
        if all(FRACTION.fullmatch(token) for token in tokens):
            numbers += len([Fraction(token) for token in tokens])
    assert numbers >= 1, check.counterexample


def test_the_same_seed_gives_the_same_outcome_and_another_seed_the_same_verdict():
    name = next(name for name in sorted(TABLE) if "rng" in inspect.signature(found(name)).parameters)
    good, bad, _ = TABLE[name]
    assert run(name, good, seed=1) == run(name, good, seed=1)
    assert run(name, good, seed=2).passed
    assert not run(name, bad, seed=2).passed


def test_every_check_is_in_the_table():
    names = set()
    for module in pkgutil.iter_modules(mollified.verify.__path__):
        loaded = importlib.import_module(f"mollified.verify.{module.name}")
        names |= {f"{module.name}.{name}" for name in loaded.__all__}
    assert names == set(TABLE) | HELPERS
