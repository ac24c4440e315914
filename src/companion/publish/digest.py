"""Give a built site one hash, so that two builds of one commit can be compared; times of provenance are left aside.

A time stands in two places: in the fold-out under a figure, where it is marked with the class `mf-time`, and in the
provenance file (JSON) beside it. Everything else counts, byte for byte.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from companion.paths import CompanionError

#: The class of a time of provenance on a page.
TIME_CLASS = "mf-time"
#: Such a time on a page, and in a provenance file, which holds one key a line.
_TIME = re.compile(rf'(?m)(?<=<span class="{TIME_CLASS}">)[^<]*|^ "made": ".*",$'.encode())


def _without_times(path: Path) -> bytes:
    content = path.read_bytes()
    return _TIME.sub(b"", content) if path.suffix in (".html", ".json") else content


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
    found = {name: "differs" for name in one.keys() & other if one[name] != other[name]}
    found |= dict.fromkeys(one.keys() - other, "only in the first")
    found |= dict.fromkeys(other.keys() - one, "only in the second")
    return [f"{name}: {words}" for name, words in sorted(found.items())]
