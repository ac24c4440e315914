"""Give a built site one hash, so that two builds of one commit can be compared.

Times of provenance are left aside. Such a time stands in the provenance file (JSON) of
a figure, which holds one key a line.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from companion.paths import CompanionError, files_below

_TIME = re.compile(rb'(?m)^ "made": ".*",$')


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def file_digests(site: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of a site, times of provenance aside.

    Raises CompanionError if no site is there.
    """
    if not (site / "index.html").is_file():
        raise CompanionError(f"no built site in {site}: it has no index.html")
    digests = {}
    for name, path in files_below(site).items():
        content = path.read_bytes()
        if path.suffix == ".json":
            content = _TIME.sub(b"", content)
        digests[name] = _sha256(content)
    return digests


def site_digest(digests: Mapping[str, str]) -> str:
    """Return one SHA-256 of a site from those of its files, names included."""
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(digests.items()))
    return _sha256(lines.encode())


def differences(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """Return in words which files two sites do not share."""
    lines = []
    for name in sorted({*one, *other}):
        if name not in other:
            lines.append(f"{name}: only in the first")
        elif name not in one:
            lines.append(f"{name}: only in the second")
        elif one[name] != other[name]:
            lines.append(f"{name}: differs")
    return lines
