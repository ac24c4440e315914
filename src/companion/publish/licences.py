"""Read from REUSE.toml under which licence a file is."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from companion.paths import CompanionError

__all__ = ["Licences"]


def _pattern(glob: str) -> re.Pattern[str]:
    """Return a glob of REUSE.toml as a pattern: `*` stays within a folder, `**` does not."""
    parts = re.split(r"(\*\*|\*)", glob)
    return re.compile("".join({"**": ".*", "*": "[^/]*"}.get(part, re.escape(part)) for part in parts))


class Licences:
    """Say under which licences a file of the repository is, by the annotations of `REUSE.toml`."""

    def __init__(self, root: Path) -> None:
        try:
            document = tomllib.loads((root / "REUSE.toml").read_text(encoding="utf-8"))
            self._rules: list[tuple[list[re.Pattern[str]], tuple[str, ...]]] = []
            for rule in document["annotations"]:
                paths = rule["path"] if isinstance(rule["path"], list) else [rule["path"]]
                names = tuple(str(rule["SPDX-License-Identifier"]).split(" AND "))
                self._rules.append(([_pattern(path) for path in paths], names))
        except (OSError, KeyError, TypeError, tomllib.TOMLDecodeError) as error:
            raise CompanionError(f"REUSE.toml does not say which file is under which licence: {error!r}") from error

    def of(self, path: str) -> tuple[str, ...]:
        """Return the licences of a file, the last rule that names it; raise CompanionError where none does."""
        for patterns, names in reversed(self._rules):
            if any(pattern.fullmatch(path) for pattern in patterns):
                return names
        raise CompanionError(f"REUSE.toml names no licence for {path!r}")
