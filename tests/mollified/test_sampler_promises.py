"""What the samplers of the package promise: each public one says that its numerics are idealised, or is exact."""

import importlib
import inspect
import pkgutil
import re

import pytest

import mollified
from mollified.bootstrap import release_exact
from mollified.sampling import FiniteSampler, rejection_sample

#: Callables with an `rng` that release nothing about data: module, or dotted name -> the reason.
NO_SAMPLERS = {
    "audit": "estimates a level",
    "release_audit": "estimates a level",
    "clipped_ratio.learn_log_ratio": "trains",
    "clipped_ratio.pool_scores": "draws from the reference, which holds no data",
    "exact_training": "trains",
    "finite_runs": "makes random instances",
    "grid_mbde": "trains",
    "random_laws": "makes random instances",
    "kernel_density": "deals records into folds",
    "mbde.mbde": "trains; BoostedDensity.sample draws",
    "network": "trains",
    "polynomial_learner": "trains",
    "targets": "makes targets",
    "weak_learner": "trains",
}
#: Callables that draw from random bytes by integers alone.
EXACT = {
    "box_sampler.BoxSampler.draw",
    "release_law.release_exact",
    "uniform_integers.uniform_integers",
    "finite_sampler.FiniteSampler.sample",
}


def drawing():
    """Return the public callables below `mollified` that take `rng` or `random_bytes`, but for checks and studies."""
    found = {}
    for info in pkgutil.walk_packages(mollified.__path__, "mollified."):
        folder, _, name = info.name.removeprefix("mollified.").partition(".")
        if info.ispkg or folder.startswith("_") or folder == "experiments" or name.startswith(("_", "instances")):
            continue
        module = importlib.import_module(info.name)
        for public in module.__all__:
            value = getattr(module, public)
            members = {public: value} if inspect.isfunction(value) else {}
            if inspect.isclass(value):
                members = {f"{public}.{key}": member for key, member in vars(value).items() if key[0] != "_"}
            for key, member in members.items():
                if inspect.isfunction(member) and {"rng", "random_bytes"} & set(inspect.signature(member).parameters):
                    found[f"{name}.{key}"] = member
    return found


FOUND = drawing()
EXEMPT = {name for name in FOUND if name in NO_SAMPLERS or name.split(".")[0] in NO_SAMPLERS}


def says(function) -> bool:
    """Whether the docstring of a sampler says that its numerics are idealised."""
    return re.search(r"idealised\s+numerics", inspect.getdoc(function) or "", re.IGNORECASE) is not None


@pytest.mark.parametrize("name", sorted(set(FOUND) - EXEMPT - EXACT))
def test_each_public_sampler_says_that_its_numerics_are_idealised(name):
    assert says(FOUND[name]), f"the docstring of {name} does not say 'Idealised numerics'"


@pytest.mark.parametrize("name", sorted(EXACT))
def test_an_exact_sampler_takes_bytes_from_the_secure_source(name):
    import secrets

    parameters = inspect.signature(FOUND[name]).parameters
    assert parameters["random_bytes"].default is secrets.token_bytes
    assert "exact" in inspect.getdoc(FOUND[name]).lower()
    assert not says(FOUND[name])


def test_the_lists_name_what_exists_and_the_test_can_fail():
    modules = {name.split(".")[0] for name in FOUND}
    assert set(NO_SAMPLERS) <= set(FOUND) | modules
    assert set(FOUND) >= EXACT
    assert len(set(FOUND) - EXEMPT - EXACT) >= 12
    assert says(rejection_sample)
    assert not says(release_exact)
    assert not says(FiniteSampler.sample)
