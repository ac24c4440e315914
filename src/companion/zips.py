"""Write zips whose bytes depend on nothing but what is in them.

This module needs nothing but Python: `tools/release.py` loads it by its path.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from pathlib import Path

#: Year, month, day, hour, minute, second.
Date = tuple[int, int, int, int, int, int]

#: The modes of a file count in a zip that was packed on this system, whatever packs it.
_UNIX = 3
#: A plain file that all may read.
_MODE = 0o100644


def write_entries(
    target: Path,
    entries: Iterable[tuple[str, bytes]],
    date: Date,
) -> None:
    """Write entries, each a name and its content, into a zip; all have this date."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            entry = zipfile.ZipInfo(name, date)
            entry.create_system = _UNIX
            entry.external_attr = _MODE << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED, compresslevel=9)
