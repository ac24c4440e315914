"""All public classes: comparing, hashing, showing and copying an object neither fails
nor takes pages."""

import copy
import dataclasses
import importlib
import inspect
import pickle
import pkgutil
from typing import Protocol

import numpy as np
import pytest

import mollified
from mollified.boosting import random_runs
from mollified.bootstrap import Parameters
from mollified.boxes import BoxSampler, Certificate
from mollified.laws import Discrete, FiniteSpace, Gaussian, Integral
from mollified.mechanisms.bernstein_release import release_lattice
from mollified.mollifiers import RelativeMollifier
from mollified.privacy import Audit, Register, textbook_law
from mollified.sampling import metropolis_sample, rejection_sample
from mollified.training import FAST, GridRun
from tests.contract.arguments import OBJECTS

LARGE = BoxSampler.from_reference(np.full(10_000, 1e-4), 1.0)
LINE = Gaussian.standard(1)


def moved(x):
    return np.clip(x[:, 0], -0.5, 0.5)


#: An object of each public class that tests/contract makes none of.
MADE = {
    "boosting.FiniteRuns": lambda: random_runs(np.random.default_rng(1), 3, 2, 2),
    "bootstrap.Parameters": lambda: Parameters(1, 2, 0.1, 0.2),
    "boxes.BoxSampler": lambda: LARGE,
    "boxes.Certificate": lambda: LARGE.certificate,
    "laws.Integral": lambda: Integral(1.0, 0.0),
    "mollifiers.Membership": lambda: RelativeMollifier(
        Discrete([0.5, 0.5]), 1.0
    ).contains(Discrete([0.4, 0.6]), FiniteSpace(2)),
    "privacy.Audit": lambda: Audit(1, 0, 10, 0.0, 0.9, 0.1),
    "privacy.Register": Register,
    "sampling.Chains": lambda: metropolis_sample(
        moved, np.zeros((3, 1)), 2, 1.0, np.random.default_rng(1)
    ),
    "sampling.RejectionSample": lambda: rejection_sample(
        LINE, moved, 0.5, 3, np.random.default_rng(1)
    ),
    "training.GridRun": lambda: GridRun(*[None] * len(dataclasses.fields(GridRun))),
    "training.Recipe": lambda: FAST,
}
#: Classes of records that are not exported.
OTHERS = {
    "privacy.floating_point.OutputLaw": lambda: textbook_law(0, 1, 4),
    "mechanisms.bernstein_release.BernsteinRelease": lambda: release_lattice(
        np.zeros((3, 1)), -1.0, 1.0, 3, 0.5, 0.1, np.random.default_rng(1)
    ),
}


def public_classes() -> set[str]:
    """Return the dotted names of the classes that are exported, but for protocols."""
    found = set()
    for package in (
        module.name
        for module in pkgutil.iter_modules(mollified.__path__)
        if module.ispkg
    ):
        module = importlib.import_module(f"mollified.{package}")
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            if inspect.isclass(value) and Protocol not in value.__bases__:
                found.add(f"{package}.{name}")
    return found


OBJECT = (
    {name: (lambda value=value: value) for name, value in OBJECTS.items()}
    | MADE
    | OTHERS
)


def test_there_is_an_object_of_each_public_class():
    assert public_classes() <= set(OBJECT)


@pytest.mark.parametrize("name", sorted(OBJECT))
def test_objects_compare_hash_and_show_themselves(name):
    one = OBJECT[name]()
    other = OBJECT[name]()
    assert one == one
    assert isinstance(one == other, bool)
    assert one != "another thing"
    assert isinstance(hash(one), int)
    assert len(repr(one)) < 1200


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in sorted(OBJECT)
        if name not in ("privacy.Register", "training.GridRun")
    ],
)
def test_a_copy_of_a_record_is_equal_to_it(name):
    one = OBJECT[name]()
    if not dataclasses.is_dataclass(one) or name.startswith(
        ("boosting.Bo", "mollifiers.Mollification")
    ):
        return
    other = copy.deepcopy(one)
    if (
        name != "boxes.ContinuousBoxSampler"
    ):  # its reference is an object that compares by identity
        assert other == one
        assert hash(other) == hash(one)


def test_records_that_differ_in_one_entry_differ():
    one = BoxSampler.from_reference([0.5, 0.25, 0.25], 1.0)
    two = BoxSampler.from_reference([0.5, 0.25, 0.25 + 1e-12], 1.0)
    assert one != two
    assert one == BoxSampler.from_reference([0.5, 0.25, 0.25], 1.0)
    assert one != BoxSampler.from_reference([0.5, 0.25, 0.25], 1.0, bits=52)
    assert isinstance(one.certificate, Certificate)
    assert pickle.loads(pickle.dumps(one.certificate)) == one.certificate
