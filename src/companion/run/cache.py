"""Keep each execution under a key, so that only what changed runs again.

The key is made of everything that the execution depends on.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from companion.ledger.registry import FigureSpec, specs_of_page
from companion.paths import (
    Layout,
    files_below,
    json_text,
    read_json,
    remove,
    write_whole,
)
from companion.provenance import describe_machine, sha256_of, versions
from companion.run.dependencies import closure_of, code_of_notebook
from companion.run.execute import counted_variables

MANIFEST = "entry.json"
#: The numbers for the prose, in the folder that a notebook wrote to.
VALUES = "values.json"
#: How many executions of one page are kept: going back to the last source costs
#: nothing.
KEPT = 3
#: How many digits of its hash name an execution.
DIGITS = 32

_OWN = ("execute.py", "normalise.py", "cache.py")
#: What no execution reads from data/, or is counted one by one.
_HANDLED_DATA = (
    "results",
    "addresses.txt",
    "claims.yml",
    "figures.yml",
    "provenance",
    "sources.yml",
)


@dataclass(frozen=True)
class Key:
    """Hold the key of an execution and its parts, each with a hash."""

    digest: str
    parts: Mapping[str, str]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def key_of(
    layout: Layout,
    page: str,
    profile: str,
    registry: Mapping[str, FigureSpec],
) -> Key:
    """Return the key of the execution of one page.

    It covers the notebook, the profile, every file under src that it imports, its
    entries of the registry, the data sets, the lock, the versions of Python and of the
    libraries that compute, and the variables of the environment that can change what
    they give.
    """
    own = Path(__file__).parent
    architecture = describe_machine()["architecture"]
    parts = {
        "profile": profile,
        "versions": json.dumps(
            {**versions(), "architecture": architecture}, sort_keys=True
        ),
    }
    for name, value in counted_variables().items():
        parts[f"variable {name}"] = _hash(value)
    for name in _OWN:
        parts[f"companion/{name}"] = sha256_of(own / name)
    root = layout.root
    notebook = layout.notebook(page)
    locks = [*root.glob("*.lock"), *root.glob("requirements*.txt")]
    data_sets = [
        path
        for name, path in files_below(layout.data).items()
        if name.partition("/")[0] not in _HANDLED_DATA and path.suffix != ".md"
    ]
    files = [
        notebook,
        *closure_of(code_of_notebook(notebook), layout.source, layout.notebooks),
        *(locks or root.glob("pyproject.toml")),
        *data_sets,
    ]
    for path in files:
        parts[path.relative_to(root).as_posix()] = sha256_of(path)
    for spec in specs_of_page(registry, page):
        parts[f"figure {spec.id}"] = _hash(repr(spec))
    return Key(_hash(json.dumps(parts, sort_keys=True))[:DIGITS], parts)


@dataclass(frozen=True)
class Entry:
    """Hold one complete execution, or what there is of one that `failed`, and how."""

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

    @property
    def values(self) -> dict[str, str]:
        """The numbers that the notebook recorded for the prose."""
        path = self.run / VALUES
        return read_json(path) if path.is_file() else {}


def failed_pages(entries: Mapping[str, Entry]) -> dict[str, str]:
    """Return how each page failed that did, sorted by page."""
    return {
        page: entry.failed
        for page, entry in sorted(entries.items())
        if entry.failed is not None
    }


def _files(folder: Path) -> dict[str, str]:
    files = files_below(folder)
    files.pop(MANIFEST, None)
    return {name: sha256_of(path) for name, path in files.items()}


def _entry(folder: Path) -> Entry | None:
    """Return the execution in a folder, None where it is damaged.

    It is where a file has not the hash that it had when it was kept.
    """
    try:
        document = read_json(folder / MANIFEST)
        if document["files"] != _files(folder):
            return None
        return Entry(folder, document["parts"], document["seconds"], document["usage"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _by_age(layout: Layout, page: str, profile: str) -> list[Path]:
    """Return the folders of the kept executions of a page, the newest first."""
    folders = layout.cache(profile, page).glob("*")
    return sorted(folders, key=lambda folder: folder.stat().st_mtime_ns, reverse=True)


def find_entry(layout: Layout, page: str, profile: str, digest: str) -> Entry | None:
    """Return the execution with this key, None where there is none that is sound."""
    return _entry(layout.cache(profile, page) / digest)


def newest(layout: Layout, page: str, profile: str) -> Entry | None:
    """Return the newest execution of a page that is not damaged, whatever its key."""
    entries = map(_entry, _by_age(layout, page, profile))
    return next(filter(None, entries), None)


def keep(layout: Layout, page: str, profile: str, key: Key, finished: Entry) -> Entry:
    """Keep a finished execution: by one rename it is there whole or not at all.

    Its folder holds notebook.ipynb and run/. Older executions of the page beyond the
    last few are removed.
    """
    folder = layout.cache(profile, page) / key.digest
    entry = replace(finished, folder=folder, parts=dict(key.parts))
    document = {
        "files": _files(finished.folder),
        "parts": entry.parts,
        "seconds": entry.seconds,
        "usage": entry.usage,
    }
    write_whole(finished.folder / MANIFEST, json_text(document))
    folder.parent.mkdir(parents=True, exist_ok=True)
    remove(folder)
    finished.folder.replace(folder)
    for old in _by_age(layout, page, profile)[KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
    return entry
