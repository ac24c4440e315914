"""Keep each execution under a key made of everything it depends on, so that only what changed runs again."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.ledger.registry import FigureSpec, specs_of_page
from companion.paths import Layout, json_text
from companion.run.dependencies import closure_of, code_of_notebook
from companion.run.provenance import describe_machine, sha256_of, versions

__all__ = ["Entry", "Key", "find_entry", "keep", "key_of"]

#: Change this where the meaning of a kept execution changes.
FORMAT = 1
MANIFEST = "entry.json"
#: How many executions of one page are kept: going back to the last source costs nothing.
KEPT = 3

_OWN = ("execute.py", "engine.py", "normalise.py", "cache.py", "usage.py")
#: What no execution reads from data/, or is counted one by one.
_HANDLED_DATA = ("results", "claims.yml", "sources.yml", "corrections.yml", "README.md")


@dataclass(frozen=True)
class Key:
    """Hold the key of an execution and its parts, each with a hash."""

    digest: str
    parts: Mapping[str, str]

    def changed_since(self, parts: Mapping[str, str]) -> list[str]:
        """Return the parts that differ from those of an older key, in words."""
        names = sorted(set(self.parts) | set(parts))
        return [name for name in names if self.parts.get(name) != parts.get(name)]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _locks(root: Path) -> list[Path]:
    found = sorted({*root.glob("*.lock"), *root.glob("requirements*.txt")})
    return found or [path for path in [root / "pyproject.toml"] if path.is_file()]


def _names_in(code: str) -> set[str]:
    """Return the words of a program in small letters, parts of `snake_case` and of file names included."""
    return set(re.findall(r"[a-z0-9]+", code.lower()))


def _is_named(place: Path, words: set[str]) -> bool:
    """Return whether code with these words may read a data file: it says its name without suffix, or its folder."""
    named = [Path(place.name.split(".")[0]), *place.parents][:-1]
    return any(_names_in(path.name) <= words for path in named)


def key_of(
    layout: Layout, page: str, profile: str, parameters: Mapping[str, Any], registry: Mapping[str, FigureSpec]
) -> Key:
    """Return the key of the execution of one page.

    It covers the notebook, the parameters, the profile, every file under src that it imports, its entries of the
    registry, the other data files whose name or folder that code mentions, the lock, and the versions of Python and of
    the libraries that compute.
    """
    source = layout.notebook(page)
    specs = specs_of_page(registry, page)
    cells = code_of_notebook(source)
    closure = closure_of(cells, layout.source, layout.notebooks)
    own = Path(__file__).parent
    parts = {
        "format": str(FORMAT),
        "profile": profile,
        "parameters": _hash(json.dumps(dict(parameters), sort_keys=True, default=repr)),
        "versions": json.dumps({**versions(), "architecture": describe_machine()["architecture"]}, sort_keys=True),
        f"notebooks/{page}.md": sha256_of(source),
        **{f"companion/{name}": sha256_of(own / name) for name in _OWN},
        **{path.relative_to(layout.root).as_posix(): sha256_of(path) for path in closure.files},
        **{path.name: sha256_of(path) for path in _locks(layout.root)},
    }
    for spec in specs:
        parts[f"figure {spec.id}"] = _hash(repr(spec))
    read = [path.read_text(encoding="utf-8") for path in closure.files if path.suffix == ".py"]
    words = _names_in("\n".join([*cells, *read, repr(specs)]))
    for path in sorted(layout.data.rglob("*")) if layout.data.is_dir() else []:
        place = path.relative_to(layout.data)
        handled = path == layout.registry or place.parts[0] in _HANDLED_DATA or place.suffix == ".md"
        if path.is_file() and not handled and (closure.whole or _is_named(place, words)):
            parts[f"data/{place.as_posix()}"] = sha256_of(path)
    digest = _hash(json.dumps(parts, sort_keys=True))
    return Key(digest[:32], parts)


@dataclass(frozen=True)
class Entry:
    """Hold one complete execution that is kept, or what there is of one that `failed`, and how."""

    folder: Path
    parts: Mapping[str, str]
    seconds: float
    usage: Mapping[str, float] = field(default_factory=dict)
    failed: str | None = None

    @property
    def notebook(self) -> Path:
        """The executed, normalised notebook."""
        return self.folder / "notebook.ipynb"

    @property
    def run(self) -> Path:
        """The folder that the notebook wrote to: evidence, values, figures."""
        return self.folder / "run"


def _files(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): sha256_of(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path != folder / MANIFEST
    }


def _manifest(path: Path) -> dict[str, Any] | None:
    """Return what a manifest says of an execution, or None where it cannot be read."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        kept = {name: dict(document[name]) for name in ("files", "parts", "usage")}
        return {**kept, "seconds": float(document["seconds"])}
    except (OSError, ValueError, KeyError, TypeError):
        return None


def find_entry(layout: Layout, page: str, profile: str, digest: str) -> tuple[Entry | None, str | None]:
    """Return the kept execution with this key, or None, and what is wrong with it where it is damaged.

    Every file is compared with the hash it had when it was kept.
    """
    folder = layout.cache(profile, page) / digest
    if not folder.is_dir():
        return None, None
    document = _manifest(folder / MANIFEST)
    if document is None:
        return None, f"{page}: the kept execution has no readable {MANIFEST}"
    wrong = sorted({name for name, _ in set(document["files"].items()) ^ set(_files(folder).items())})
    if wrong:
        return None, f"{page}: the kept execution is damaged ({', '.join(wrong[:3])})"
    return Entry(folder, document["parts"], document["seconds"], document["usage"]), None


def latest_parts(layout: Layout, page: str, profile: str) -> tuple[dict[str, str], float] | None:
    """Return the parts of the key and the seconds of the newest kept execution, or None."""
    entries = sorted(layout.cache(profile, page).glob(f"*/{MANIFEST}"), key=lambda path: path.stat().st_mtime)
    whole = [document for path in entries if (document := _manifest(path)) is not None]
    return (whole[-1]["parts"], whole[-1]["seconds"]) if whole else None


def _prune(folder: Path) -> None:
    """Remove older executions beyond the last few, and folders without a manifest."""
    whole = sorted(folder.glob(f"*/{MANIFEST}"), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in set(folder.iterdir()) - {path.parent for path in whole[:KEPT]}:
        shutil.rmtree(old, ignore_errors=True)


def keep(
    layout: Layout, page: str, profile: str, key: Key, draft: Path, seconds: float,
    usage: Mapping[str, float] | None = None,
) -> Entry:  # fmt: skip
    """Make a finished execution a kept one, by one rename: it is there whole or not at all.

    `draft` holds notebook.ipynb and run/. Older executions of the page beyond the last few are removed.
    """
    used = dict(usage or {})
    document = {"files": _files(draft), "parts": dict(key.parts), "seconds": round(seconds, 3), "usage": used}
    (draft / MANIFEST).write_text(json_text(document), encoding="utf-8", newline="\n")
    folder = layout.cache(profile, page)
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / key.digest
    shutil.rmtree(target, ignore_errors=True)
    os.replace(draft, target)
    os.utime(target / MANIFEST)
    _prune(folder)
    return Entry(target, key.parts, seconds, used)
