"""Sentences of accuracy in public docstrings, each held by tests at the ends that it
states.
"""

from collections.abc import Callable
from typing import TypeVar

Test = TypeVar("Test", bound=Callable[..., object])

#: By public name, "privacy.gaussian_sigma": the beginnings of the sentences that tests
#: hold.
SENTENCES: dict[str, list[str]] = {}


def states(name: str, *sentences: str) -> Callable[[Test], Test]:
    """Register a test as one that holds these sentences of a public docstring."""

    def register(test: Test) -> Test:
        SENTENCES.setdefault(name, []).extend(sentences)
        return test

    return register
