"""What the samplers of the package promise: each public one says that its numerics are idealised, or is exact."""

import inspect
import re
import secrets

import pytest

from mollified.bootstrap.mechanism import releases
from mollified.laws import Distribution
from mollified.training.clipped_ratio import ClippedRatio
from tests.contract.test_contract import EXPORTED

#: Callables with an `rng` that release nothing about data, by the reason.
NO_SAMPLERS = {
    "trains": {
        "boosting.BayesLearner.fit", "boosting.PolynomialLearner.fit", "boosting.mbde", "training.NetworkLearner.fit",
        "training.grid_mbde",
    },
    "makes random instances": {
        "boosting.random_runs", "boosting.run_batches", "laws.member_of_box", "laws.random_law", "laws.random_root",
        "laws.random_sparse_law",
    },
    "estimates a level": {"bootstrap.audit_bootstrap", "privacy.audit"},
}  # fmt: skip
#: Callables that draw from random bytes by integers alone.
EXACT = {
    "boxes.BoxSampler.draw", "bootstrap.release_exact", "sampling.FiniteSampler.sample", "sampling.uniform_integers",
}  # fmt: skip
DRAWING = {n for n, f in EXPORTED.items() if {"rng", "random_bytes"} & set(inspect.signature(f).parameters)}
IDEALISED = DRAWING.difference(EXACT, *NO_SAMPLERS.values())
#: Samplers that pages use though no package exports them.
INNER = {function.__qualname__: function for function in (releases, Distribution.sample, ClippedRatio.sample)}


def says(function) -> bool:
    """Whether the docstring of a sampler says that its numerics are idealised."""
    return re.search(r"idealised\s+numerics", inspect.getdoc(function) or "", re.IGNORECASE) is not None


@pytest.mark.parametrize("name", sorted(IDEALISED | set(INNER)))
def test_each_public_sampler_says_that_its_numerics_are_idealised(name):
    assert says({**EXPORTED, **INNER}[name])


@pytest.mark.parametrize("name", sorted(EXACT))
def test_an_exact_sampler_takes_bytes_from_the_secure_source(name):
    assert inspect.signature(EXPORTED[name]).parameters["random_bytes"].default is secrets.token_bytes
    assert "exact" in inspect.getdoc(EXPORTED[name]).lower()
    assert not says(EXPORTED[name])


def test_the_lists_name_what_exists():
    assert EXACT.union(*NO_SAMPLERS.values()) <= DRAWING
    assert len(IDEALISED) >= 12
