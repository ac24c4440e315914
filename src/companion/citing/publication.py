"""Say what is published, and where, as far as the build was told.

Title, authors, year and version come from CITATION.cff alone. The addresses of the
repository and of the site come from the machine that publishes, through
COMPANION_REPOSITORY and COMPANION_SITE: a book that is built on a desk names none, so
that no page sends a reader to an address where nothing is.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import yaml

from companion.paths import CompanionError
from companion.provenance import commit

REPOSITORY = "COMPANION_REPOSITORY"
SITE = "COMPANION_SITE"


@dataclass(frozen=True)
class Publication:
    """Hold what a citation of this book says.

    `repository` and `site` are None where the build was not told.
    """

    title: str
    authors: tuple[str, ...]
    year: int
    version: str
    commit: str | None
    repository: str | None = None
    site: str | None = None
    publisher: str | None = None

    @property
    def tag(self) -> str:
        """The name of the release in the repository."""
        return f"v{self.version}"

    def address(self, page: str) -> str | None:
        """Return the address of a page, for example `claims/MBDE-L9`.

        It is None where the site has none.
        """
        if self.site is None:
            return None
        return f"{self.site}/{page}.html"


def _address(name: str) -> str | None:
    text = os.environ.get(name, "").strip().rstrip("/")
    if text and not re.fullmatch(r"https://[^/?#]+(/[^?#]*)?", text):
        raise CompanionError(
            f"{name} must be an https address without query or fragment, got {text!r}"
        )
    return text or None


def find_publication(root: Path) -> Publication:
    """Return what `root/CITATION.cff` and the environment say.

    Raises CompanionError for an address that is none.
    """
    document = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    book = document["preferred-citation"]
    return Publication(
        title=book["title"],
        authors=tuple(
            item.get("name") or f"{item['given-names']} {item['family-names']}"
            for item in book["authors"]
        ),
        year=book["year"],
        version=str(document["version"]),
        commit=commit(root)["id"],
        repository=_address(REPOSITORY),
        site=_address(SITE),
        publisher=book.get("publisher", {}).get("name"),
    )
