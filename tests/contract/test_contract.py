"""One test over every public callable of `mollified`: good arguments work, bad ones are named in an error.

Each module `cases_<module>.py` here holds `CASES` (see kinds.py) and may hold `EXEMPT`, a dictionary from the
dotted name of a public callable that needs no case to the reason.
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

#: Names below `mollified` of all public modules; a package holds nothing but modules. Instances of statements, in a
#: sub-package, are left out: their formulas take coordinates, and the kernel checks them in every arithmetic.
MODULES = [
    module.name.removeprefix("mollified.")
    for module in pkgutil.walk_packages(mollified.__path__, "mollified.")
    if not module.ispkg and not any(part.startswith("_") for part in module.name.split("."))
    if not (module.name.endswith(".instances") and module.name.count(".") > 1)
]


def resolve(case: Case):
    """Return the callable of a case: the longest module that `target` begins with, then its attributes."""
    parts = name_of(case).split(".")
    if case.make is not None:
        return getattr(case.make(), parts[-1])
    depth = next(n for n in range(len(parts), 0, -1) if ".".join(parts[:n]) in MODULES)
    found = importlib.import_module(f"mollified.{'.'.join(parts[:depth])}")
    for part in parts[depth:]:
        found = getattr(found, part)
    return found


def name_of(case: Case) -> str:
    return case.target.removeprefix("mollified.")


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_good_arguments_work_and_bad_ones_are_named_and_echoed(case):
    function, good = resolve(case), dict(case.good())
    function(**good)
    for argument in sorted({*case.bad, *case.extra}):
        assert argument in good, f"{case.target} gives no good value of {argument}"
        for value in [*(BAD[case.bad[argument]] if argument in case.bad else []), *case.extra.get(argument, [])]:
            with pytest.raises((ValueError, TypeError)) as caught:
                function(**{**good, argument: value})
            message = str(caught.value)
            assert argument in message, f"{argument}={value!r}: {message}"
            # an object other than an array is echoed as it is, an array perhaps after conversion
            beginning = "array(" if isinstance(value, np.ndarray) else repr(value)[:16]
            assert beginning in message, f"{argument}={value!r}: {message}"


def public_callables() -> list[str]:
    """Return the dotted names, below `mollified`, of the public functions and methods that take arguments."""
    names = []
    for module_name in MODULES:
        module = importlib.import_module(f"mollified.{module_name}")
        assert hasattr(module, "__all__"), f"mollified.{module_name} has no __all__"
        for name in module.__all__:
            value = getattr(module, name)
            if get_origin(value) is not None or getattr(value, "_is_protocol", False):
                continue
            dotted = f"{module_name}.{name}"
            if inspect.isfunction(value):
                names += [dotted] if takes_arguments(value) else []
            elif inspect.isclass(value) and not issubclass(value, BaseException):
                own = vars(value).get("__init__")
                names += [dotted] if inspect.isfunction(own) and takes_arguments(own, skip=1) else []
                for method, member in vars(value).items():
                    function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
                    skip = 0 if isinstance(member, staticmethod) else 1
                    if method.startswith("_") or not inspect.isfunction(function):
                        continue
                    names += [f"{dotted}.{method}"] if takes_arguments(function, skip) else []
    return names


def takes_arguments(function, skip: int = 0) -> bool:
    return len(inspect.signature(function).parameters) > skip


def test_every_public_callable_has_a_case():
    covered = {name_of(case) for case in CASES}
    missing = [name for name in public_callables() if name not in covered and name not in EXEMPT]
    assert not missing, f"no case in tests/contract for {missing}"


def test_cases_and_exemptions_name_what_exists():
    names = set(public_callables())
    assert {name_of(case) for case in CASES} <= names
    assert set(EXEMPT) <= names
    assert not {name_of(case) for case in CASES} & set(EXEMPT)


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_every_argument_that_can_be_bad_is_tried(case):
    """Each parameter of a callable gets a bad value from its case, but for flags (booleans)."""
    parameters = {
        name
        for name, parameter in inspect.signature(resolve(case)).parameters.items()
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        and parameter.annotation not in ("bool", bool)
    }
    assert parameters == {*case.bad, *case.extra}
