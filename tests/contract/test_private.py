"""Public functions refuse unwelcome private data, and no message holds a value of it.

Which arguments may be private is said by their names, in `arguments.PRIVATE`.
"""

import inspect
import warnings
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import torch

from mollified.boxes import ContinuousBoxSampler, project
from mollified.laws import Gaussian
from tests.contract.arguments import PRIVATE
from tests.contract.test_contract import CHECKED, EXPORTED, arguments, call

#: Digits that stand in the planted values, and a word.
SECRET = 31415926
WORD = "Rosebud"
#: Arguments that hold data or a law as numbers, by package: how they are told apart
#: from names that mean other things.
COUNTS = {("bootstrap", "counts"), ("mechanisms", "counts")}
LAWS = {("boxes", "P"), ("sampling", "law"), ("laws", "probabilities")}
ANSWERS = {("privacy", "answer")}
#: Public arguments that are arrays, whose entries a message shows.
PUBLIC_ARRAYS = {
    "base",
    "eps",
    "floor",
    "high",
    "low",
    "m",
    "n",
    "oscillation",
    "q0",
    "reference",
    "released",
    "start",
    "x",
}


class Loud:
    """An object whose text is the secret."""

    def __repr__(self):
        return WORD

    __str__ = __repr__


def said(error: BaseException) -> str:
    """Return all that a traceback of an error would print of messages."""
    parts = [str(error)]
    if error.__cause__ is not None:
        parts.append(said(error.__cause__))
    if error.__context__ is not None and not error.__suppress_context__:
        parts.append(said(error.__context__))
    return " ".join(parts)


def silent(text: str) -> bool:
    return WORD not in text and "314159" not in text


def unwelcome(kind: str) -> dict[str, object]:
    """Return the ten inputs that nobody should give, each with the secret in it."""
    good = (
        np.array([SECRET, 2 * SECRET, 7])
        if kind == "counts"
        else np.array([0.31415926, 0.5, 0.18584074])
    )
    double = good.astype(np.float64)
    return {
        "NaN": [double[0], float("nan"), double[2]],
        "negative": [-good[0], good[1], good[2]],
        "float counts": double * (1 if kind == "counts" else SECRET),
        "uint64 above 2^63": np.array([(1 << 63) + SECRET, 1, 1], dtype=np.uint64),
        "a mask": np.ma.masked_array(good, [True, False, False]),
        "a gradient": torch.tensor(double, requires_grad=True),
        "bfloat16": torch.tensor(double, dtype=torch.bfloat16),
        "strings": [str(one) for one in good],
        "another order": pd.Series(good).sort_values(),
        "labels": pd.Series(good, index=["b", "a", "c"]),
        "another dimension": np.stack([[good, good], [good, good]]),
        "no array": {WORD: SECRET},
        "a word among numbers": [WORD, 0.5, 0.5],
        "numbers of Python that float refuses": [Loud(), 1, 1],
        "16 bits": (double % 1000).astype(np.float16),
        "complex": double + 0j,
        "booleans": [True, False, False],
        "ragged": [[SECRET], [0.5, 0.5]],
        "beyond all floats": [SECRET * 10**400, 1, 1],
        "a sparse tensor": torch.tensor(double).to_sparse(),
        "a tensor without numbers": torch.tensor(double, device="meta"),
        "a complex tensor": torch.tensor(double + 0j),
        "a tensor of truths": torch.tensor([True, False, False]),
    }


#: What an argument that is a list of real numbers, of any sign, may hold all the same.
WELCOME = {
    "answers": {"negative", "float counts", "uint64 above 2^63"},
    "counts": set(),
    "laws": set(),
}


def kind_of(name: str, argument: str, value: object) -> str | None:
    key = (name.split(".")[0], argument)
    if not isinstance(value, list | np.ndarray | tuple):
        return None
    for kind, members in (("counts", COUNTS), ("laws", LAWS), ("answers", ANSWERS)):
        if key in members:
            return kind
    return None


TAKERS = [
    (name, number, argument, kind)
    for name, number in CHECKED
    for argument, value in arguments(name, number).items()
    if (kind := kind_of(name, argument, value.good)) is not None
]


@pytest.mark.parametrize(("name", "number", "argument", "kind"), TAKERS)
def test_unwelcome_data_are_refused_by_name_and_nothing_of_them_is_said(
    name, number, argument, kind
):
    good = {key: value.good for key, value in arguments(name, number).items()}
    for what, value in unwelcome(kind).items():
        if what in WELCOME[kind]:
            continue
        with warnings.catch_warnings(record=True) as noted:
            warnings.simplefilter("always")
            with pytest.raises((ValueError, TypeError)) as caught:
                call(name, {**good, argument: value})
        assert type(caught.value) in (ValueError, TypeError), what
        assert argument in str(caught.value), (what, str(caught.value))
        assert silent(said(caught.value)), (what, str(caught.value))
        assert not noted, (what, [str(one.message) for one in noted])


@pytest.mark.parametrize("method", ["draw", "log_prob"])
@pytest.mark.parametrize(
    "what",
    sorted(set(unwelcome("laws")) - {"negative", "float counts", "uint64 above 2^63"}),
)
def test_a_density_that_gives_what_is_no_density_is_refused_and_not_shown(what, method):
    """Three points in the place of a pool: logs of any sign and size are welcome."""
    sampler = ContinuousBoxSampler(Gaussian.standard(1), 1.0, pool=4)
    law = SimpleNamespace(log_prob=lambda x: unwelcome("laws")[what])
    more = (
        {"x": np.zeros((3, 1)), "rng": np.random.default_rng(1)}
        if method == "log_prob"
        else {"user": "Ann"}
    )
    for _ in range(2):  # who was not drawn is not noted
        with warnings.catch_warnings(record=True) as noted:
            warnings.simplefilter("always")
            with pytest.raises((ValueError, TypeError), match=r"^P must") as caught:
                getattr(sampler, method)(law, **more)
        assert silent(said(caught.value)), str(caught.value)
        assert not noted


def test_the_walk_meets_every_sampler_of_data():
    met = {name for name, *_ in TAKERS}
    assert {
        "bootstrap.bootstrap_mechanism",
        "bootstrap.release_exact",
        "bootstrap.smoothed_law",
        "boxes.BoxSampler.draw",
        "boxes.BoxSampler.weights",
        "boxes.BoxSampler.log_prob",
        "boxes.BoxSampler.project",
        "boxes.project",
        "privacy.laplace_mechanism",
        "mechanisms.ks_release",
        "mechanisms.noisy_histogram",
        "sampling.FiniteSampler.sample",
        "sampling.FiniteSampler.weights",
        "sampling.nearest_weights",
    } <= met


#: Random instances for pages: no data are in them.
PUBLIC = {"boosting.FiniteRuns"}
HOLDERS = [
    (name, number)
    for name, number in CHECKED
    if any(argument in PRIVATE for argument in arguments(name, number))
    and name not in PUBLIC
]


@pytest.mark.parametrize(("name", "number"), HOLDERS)
def test_no_message_shows_an_object_a_word_or_a_number_that_may_be_private(
    name, number
):
    """In the private argument itself, and in each other one that takes no arrays: data
    may come in a wrong place."""
    known = arguments(name, number)
    good = {key: value.good for key, value in known.items()}
    for argument in known:
        wrong = [
            Loud(),
            [Loud()],
            {WORD: SECRET},
            [SECRET, SECRET],
            np.array([SECRET, SECRET]),
        ]
        if argument in PRIVATE:
            wrong += [WORD, [WORD], SECRET + 0.5, -SECRET, np.array([WORD, "a"])]
        for value in wrong:
            if argument in PUBLIC_ARRAYS:
                continue
            try:
                with warnings.catch_warnings(record=True) as noted:
                    warnings.simplefilter("always")
                    call(name, {**good, argument: value})
            except Exception as error:
                assert silent(said(error)), (argument, type(value), str(error))  # noqa: PT017
            assert all(silent(str(one.message)) for one in noted)


def test_a_docstring_that_calls_an_argument_private_names_one_that_is_treated_so():
    for name, taker in EXPORTED.items():
        told = inspect.getdoc(taker) or ""
        for argument in inspect.signature(taker).parameters:
            if f"`{argument}` is private" in told:
                assert argument in PRIVATE, name


def test_a_message_would_show_a_public_value():
    """The control: the same functions show what is not private."""
    broken = [SECRET, float("nan")]
    with pytest.raises(TypeError, match=WORD):
        project([0.5, 0.5], [0.3, 0.3], WORD)
    with pytest.raises(ValueError, match="314159"):
        project([0.5, 0.5], broken, 2.0)
    with pytest.raises(ValueError, match=r"^P must") as caught:
        project(broken, [0.3, 0.3], 2.0)
    assert silent(str(caught.value))
