"""Remember what is noted as the pages are read; later steps of the build ask for it.

The book is always read as a whole, so that nothing is ever taken back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, cast

from sphinx.environment import BuildEnvironment

from companion.citing.citation import Paper
from companion.citing.publication import Publication

#: The name of the notes among the attributes of the environment.
_NAME = "companion"


class CitedPage(NamedTuple):
    """Hold how a page is cited.

    `printed` are places in papers, each after the key of its paper; `of` is the page
    whose title completes this one, if any.
    """

    key: str
    title: str
    printed: Sequence[tuple[str, str]] = ()
    of: str = ""


@dataclass
class Notes:
    """Hold what was noted.

    By page: the claims that have a `card`, the address of the `proof` in each section,
    and how a page is `cited`. By directive: the `page` that has it. What all citations
    name: the publication and the papers by their keys.
    """

    cards: dict[str, set[str]] = field(default_factory=dict)
    proofs: dict[str, dict[str, str]] = field(default_factory=dict)
    cited: dict[str, CitedPage] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)
    publication: Publication | None = None
    papers: Mapping[str, Paper] = field(default_factory=dict)


def notes_of(env: BuildEnvironment) -> Notes:
    """Return the notes of a build."""
    return cast(Notes, vars(env).setdefault(_NAME, Notes()))


def publication_of(env: BuildEnvironment) -> Publication:
    """Return what is published; raise RuntimeError before the build has read it."""
    publication = notes_of(env).publication
    if publication is None:
        raise RuntimeError("the publication is read when the builder is there")
    return publication
