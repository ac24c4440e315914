"""Remember what is noted as the pages are read; later steps of the build ask for it.

The book is always read as a whole, so that nothing is ever taken back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from sphinx.environment import BuildEnvironment

from companion.citing.citation import Cited, Paper
from companion.citing.publication import Publication

#: The name of the notes among the attributes of the environment.
_NAME = "companion"


@dataclass
class Notes:
    """Hold what was noted.

    By page: the claims that have a `card`, the address of the `proof` in each section,
    and how a page is `cited`. By directive: the `page` that has it. What all citations
    name: the publication and the papers by their keys.
    """

    cards: dict[str, set[str]] = field(default_factory=dict)
    proofs: dict[str, dict[str, str]] = field(default_factory=dict)
    cited: dict[str, Cited] = field(default_factory=dict)
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
