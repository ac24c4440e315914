"""Read what a run left beside the pages: the ledger, the values, the provenance of figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sphinx.environment import BuildEnvironment

__all__ = ["CLAIMS", "Claims", "anchor", "load_claims", "load_json"]

#: The computed ledger, at the root of the sources.
CLAIMS = "claims.json"

#: The order in which the texts are shown.
ORDER = ("v1", "v2", "v3", "lecture", "bootstrapping")

_cache: dict[Path, tuple[int, Any]] = {}


def anchor(claim: str) -> str:
    """Return the stable address of a claim within a page."""
    return f"claim-{claim.lower()}"


def load_json(env: BuildEnvironment, name: str) -> Any:
    """Return a JSON document under the source folder, and have the current page depend on it.

    Raises OSError where there is no such file and ValueError where it is no JSON.
    """
    path = Path(env.srcdir) / name
    env.note_dependency(name)
    stamp = path.stat().st_mtime_ns
    if path not in _cache or _cache[path][0] != stamp:
        _cache[path] = (stamp, json.loads(path.read_text(encoding="utf-8")))
    return _cache[path][1]


class Claims:
    """Give the claims of the computed ledger by id."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.all: list[dict[str, Any]] = document["claims"]
        given: dict[str, dict[str, Any]] = document["sources"]
        known = [name for name in ORDER if name in given]
        self.sources = {name: given[name] for name in [*known, *(name for name in given if name not in ORDER)]}
        self.counts: dict[str, int] = document["scoreboard"]
        self.by_id = {str(claim["id"]): claim for claim in self.all}

    @property
    def pages(self) -> list[str]:
        """The names of all pages that check a claim, or will, in order of first mention."""
        return list(dict.fromkeys(claim["notebook"] for claim in self.all if claim["notebook"]))

    def source_name(self, source: str) -> str:
        """Return the short name of a source text."""
        return str(self.sources.get(source, {}).get("short", source))


def load_claims(env: BuildEnvironment) -> Claims:
    """Return the computed ledger, and have the current page depend on it.

    Raises OSError where it was not computed.
    """
    return Claims(load_json(env, CLAIMS))
