"""Give a built site one hash, so that two builds of one commit can be compared; times of provenance are left aside.

A time stands in two places: in the fold-out under a figure, where it is marked with the class `mf-time`, and in the
provenance file (JSON) beside it. Everything else counts, byte for byte.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path

from companion.paths import CompanionError

__all__ = ["TIME_CLASS", "differences", "file_digests", "site_digest"]

#: The class of a time of provenance on a page.
TIME_CLASS = "mf-time"
_TIME = re.compile(rf'(<span class="{TIME_CLASS}">)[^<]*(</span>)'.encode())
#: What a provenance file says of time, and the keys by which it is known to be one.
_TIME_KEY, _PROVENANCE = "made", {"figure", "cells", "sha256"}


def _without_times(path: Path) -> bytes:
    content = path.read_bytes()
    if path.suffix == ".html":
        return _TIME.sub(rb"\1\2", content)
    if path.suffix == ".json":
        try:
            document = json.loads(content)
        except ValueError:
            return content
        if isinstance(document, dict) and set(document) >= _PROVENANCE:
            kept = {name: value for name, value in document.items() if name != _TIME_KEY}
            return json.dumps(kept, sort_keys=True, ensure_ascii=False).encode()
    return content


def file_digests(site: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of a site, times of provenance aside; raise CompanionError if none is there."""
    if not (site / "index.html").is_file():
        raise CompanionError(f"no built site in {site}: it has no index.html")
    return {
        path.relative_to(site).as_posix(): hashlib.sha256(_without_times(path)).hexdigest()
        for path in sorted(site.rglob("*"))
        if path.is_file()
    }


def site_digest(digests: Mapping[str, str]) -> str:
    """Return one SHA-256 of a site from those of its files, names included."""
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(digests.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def differences(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """Return in words which files two sites do not share."""
    found = []
    for name in sorted(set(one) | set(other)):
        if one.get(name) != other.get(name):
            where = "only in the first" if name not in other else "only in the second" if name not in one else "differs"
            found.append(f"{name}: {where}")
    return found
