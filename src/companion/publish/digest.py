"""Give a built site one hash, so that two builds of one commit can be compared; times of provenance are left aside.

Such a time stands in the provenance file (JSON) of a figure, which holds one key a
line.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from companion.paths import CompanionError

_TIME = re.compile(rb'(?m)^ "made": ".*",$')


def _without_times(path: Path) -> bytes:
    return (
        _TIME.sub(b"", path.read_bytes())
        if path.suffix == ".json"
        else path.read_bytes()
    )


def file_digests(site: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of a site, times of provenance aside; raise CompanionError if none is there."""
    if not (site / "index.html").is_file():
        raise CompanionError(f"no built site in {site}: it has no index.html")
    return {
        path.relative_to(site).as_posix(): hashlib.sha256(
            _without_times(path)
        ).hexdigest()
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
