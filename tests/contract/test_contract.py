"""One test over all that the sub-packages of `mollified` export: good arguments work, bad ones are named in an error.

Each module `cases_<sub-package>.py` here holds `CASES` (see kinds.py) and may hold `EXEMPT`, a dictionary from the
dotted name of an exported callable that needs no case to the reason.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from typing import get_origin

import numpy as np
import pytest

import mollified
import tests.contract
from tests.contract.kinds import BAD, Case

CASE_MODULES = [
    importlib.import_module(f"tests.contract.{module.name}")
    for module in pkgutil.iter_modules(tests.contract.__path__)
    if module.name.startswith("cases_")
]
CASES: list[Case] = [case for module in CASE_MODULES for case in module.CASES]
EXEMPT: dict[str, str] = {
    name: reason for module in CASE_MODULES for name, reason in getattr(module, "EXEMPT", {}).items()
}
#: The experiments export nothing: a page imports from a module, and is trusted.
PACKAGES = [module.name for module in pkgutil.iter_modules(mollified.__path__) if module.ispkg]


def resolve(case: Case):
    """Return the callable of a case: what a sub-package exports, or a method of it."""
    package, *parts = case.target.split(".")
    if case.make is not None:
        return getattr(case.make(), parts[-1])
    found = importlib.import_module(f"mollified.{package}")
    for part in parts:
        found = getattr(found, part)
    return found


def name_of(case: Case) -> str:
    return case.target


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_good_arguments_work_and_bad_ones_are_named_and_echoed(case):
    """Each parameter has a bad value too, but for flags (booleans)."""
    function, good = resolve(case), dict(case.good())
    function(**good)
    assert {*case.bad, *case.extra} == {
        name
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        and parameter.annotation not in ("bool", bool)
    }
    for argument in sorted({*case.bad, *case.extra}):
        assert argument in good, f"{case.target} gives no good value of {argument}"
        for value in [*(BAD[case.bad[argument]] if argument in case.bad else []), *case.extra.get(argument, [])]:
            with pytest.raises((ValueError, TypeError)) as caught:
                function(**{**good, argument: value})
            message = str(caught.value)
            assert argument in message, f"{argument}={value!r}: {message}"
            if argument in case.private:
                assert not (isinstance(value, list) and value) or repr(value)[1:-1] not in message
                continue
            # an object other than an array is echoed as it is, an array perhaps after conversion
            beginning = "array(" if isinstance(value, np.ndarray) else repr(value)[:16]
            assert beginning in message, f"{argument}={value!r}: {message}"


def exported_callables() -> set[str]:
    """Return the dotted names, below `mollified`, of the exported functions and methods that take arguments."""
    names = set()
    for package in PACKAGES:
        module = importlib.import_module(f"mollified.{package}")
        for name in getattr(module, "__all__", ()):
            value, dotted = getattr(module, name), f"{package}.{name}"
            if get_origin(value) is not None or getattr(value, "_is_protocol", False):
                continue
            if inspect.isfunction(value) and takes_arguments(value):
                names.add(dotted)
            elif inspect.isclass(value):
                own = vars(value).get("__init__")
                names |= {dotted} if inspect.isfunction(own) and takes_arguments(own, skip=1) else set()
                for method, member in vars(value).items():
                    function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
                    skip = 0 if isinstance(member, staticmethod) else 1
                    if method.startswith("_") or not inspect.isfunction(function):
                        continue
                    names |= {f"{dotted}.{method}"} if takes_arguments(function, skip) else set()
    return names


def takes_arguments(function, skip: int = 0) -> bool:
    return len(inspect.signature(function).parameters) > skip


def test_what_is_exported_has_a_case_or_a_reason_and_nothing_else_has():
    covered = {name_of(case) for case in CASES}
    assert exported_callables() == covered | set(EXEMPT)
    assert not covered & set(EXEMPT)
