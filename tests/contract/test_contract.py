"""Tests over all that `mollified` exports: good arguments work, errors name bad ones.

The arguments come from the signature; arguments.py says what is good and bad for their
names. Samplers say what they promise.
"""

import importlib
import inspect
import numbers
import pkgutil
import secrets
from types import FunctionType
from typing import Protocol

import numpy as np
import pytest

import mollified
from tests.contract.arguments import (
    ARGUMENTS,
    CALLS,
    EXEMPT,
    OBJECTS,
    PACKAGES,
    PRIVATE,
    Argument,
    Fresh,
)


def exported_callables() -> dict[str, object]:
    """Return what takes arguments by its dotted name below `mollified`: functions,
    classes, methods of OBJECTS."""
    found = {}
    for package in (
        module.name
        for module in pkgutil.iter_modules(mollified.__path__)
        if module.ispkg
    ):
        module = importlib.import_module(f"mollified.{package}")
        for name in getattr(
            module, "__all__", ()
        ):  # the experiments export nothing: a page is trusted
            value = getattr(module, name)
            dotted = f"{package}.{name}"
            if inspect.isfunction(value):
                found[dotted] = value
            elif inspect.isclass(value) and Protocol not in value.__bases__:
                for method, member in vars(value).items():
                    if method[0] != "_" and isinstance(
                        member, FunctionType | classmethod | staticmethod
                    ):
                        found[f"{dotted}.{method}"] = getattr(
                            OBJECTS.get(dotted, value), method
                        )
                if inspect.isfunction(vars(value).get("__init__")):
                    found[dotted] = value
    return {
        name: taker
        for name, taker in found.items()
        if set(inspect.signature(taker).parameters) - {"self"}
    }


EXPORTED = exported_callables()
CHECKED = [
    (name, number)
    for name in sorted(set(EXPORTED) - set(EXEMPT))
    for number in range(len(CALLS[name]) if isinstance(CALLS.get(name), list) else 1)
]


def arguments(name: str, number: int) -> dict[str, Argument]:
    """Return the arguments of a callable by its signature, but for flags (booleans)."""
    own = CALLS.get(name, {})
    known = {
        **ARGUMENTS,
        **PACKAGES.get(name.split(".")[0], {}),
        **(own[number] if isinstance(own, list) else own),
    }
    return {
        parameter.name: known[parameter.name]
        for parameter in inspect.signature(EXPORTED[name]).parameters.values()
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        and parameter.annotation not in ("bool", bool)
    }


#: Of a name that is none, a message says the type: it may be data in a wrong place.
NAMES = {"user", "users", "people"}


def call(name: str, given: dict) -> None:
    EXPORTED[name](
        **{
            key: np.random.default_rng(1) if value is Fresh else value
            for key, value in given.items()
        }
    )


@pytest.mark.parametrize(("name", "number"), CHECKED)
def test_good_arguments_work_and_bad_ones_are_named_and_echoed(name, number):
    known = arguments(name, number)
    good = {argument: value.good for argument, value in known.items()}
    call(name, good)
    for argument in known:
        for value in known[argument].bad:
            with pytest.raises((ValueError, TypeError)) as caught:
                call(name, {**good, argument: value})
            message = str(caught.value)
            assert argument in message, f"{argument}={value!r}: {message}"
            if argument not in PRIVATE | NAMES and (
                value is None or isinstance(value, numbers.Number | str)
            ):
                assert repr(value)[:16] in message, f"{argument}={value!r}: {message}"


#: Callables with an `rng` that release nothing about data: they train, make random
#: instances, or estimate a level.
NO_SAMPLERS = {
    "boosting.BayesLearner.fit",
    "boosting.PolynomialLearner.fit",
    "boosting.mbde",
    "training.NetworkLearner.fit",
    "training.grid_mbde",
    "boosting.random_runs",
    "boosting.run_batches",
    "laws.member_of_box",
    "laws.random_law",
    "laws.random_root",
    "laws.random_sparse_law",
    "bootstrap.audit_bootstrap",
    "privacy.audit",
}
#: Callables that draw from random bytes by integers alone.
EXACT = {
    "boxes.BoxSampler.draw",
    "bootstrap.release_exact",
    "sampling.FiniteSampler.sample",
    "sampling.uniform_integers",
}
DRAWING = {
    n
    for n, f in EXPORTED.items()
    if {"rng", "random_bytes"} & set(inspect.signature(f).parameters)
}


@pytest.mark.parametrize("name", sorted(DRAWING - NO_SAMPLERS))
def test_each_sampler_is_said_to_be_idealised_or_takes_bytes_from_a_secure_source(
    name,
):
    said = " ".join((inspect.getdoc(EXPORTED[name]) or "").lower().split())
    assert ("idealised numerics" in said) == (name not in EXACT)
    if name in EXACT:
        assert "exact" in said
        assert (
            inspect.signature(EXPORTED[name]).parameters["random_bytes"].default
            is secrets.token_bytes
        )


def test_each_argument_has_bad_values_and_each_name_is_of_what_is_exported():
    assert set(CALLS) | set(EXEMPT) <= set(EXPORTED)
    assert NO_SAMPLERS | EXACT <= DRAWING
    assert all(
        known.bad
        for name, number in CHECKED
        for known in arguments(name, number).values()
    )
