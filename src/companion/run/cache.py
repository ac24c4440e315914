"""Keep each execution under a key made of everything it depends on, so that only what changed runs again."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from companion.ledger.registry import FigureSpec, specs_of_page
from companion.paths import Layout, json_text, remove
from companion.provenance import describe_machine, sha256_of, versions
from companion.run.dependencies import closure_of, code_of_notebook
from companion.run.execute import counted_variables

MANIFEST = "entry.json"
#: How many executions of one page are kept: going back to the last source costs
#: nothing.
KEPT = 3

_OWN = ("execute.py", "kernel_pool.py", "normalise.py", "cache.py")
#: What no execution reads from data/, or is counted one by one.
_HANDLED_DATA = ("results", "provenance", "figures.yml", "claims.yml", "sources.yml")


@dataclass(frozen=True)
class Key:
    """Hold the key of an execution and its parts, each with a hash."""

    digest: str
    parts: Mapping[str, str]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def key_of(
    layout: Layout, page: str, profile: str, registry: Mapping[str, FigureSpec]
) -> Key:
    """Return the key of the execution of one page.

    It covers the notebook, the profile, every file under src that it imports, its
    entries of the registry, the data sets, the lock, the versions of Python and of the
    libraries that compute, and the variables of the environment that can change what
    they give.
    """
    root = layout.root
    source = layout.notebook(page)
    own = Path(__file__).parent
    sources = closure_of(code_of_notebook(source), layout.source, layout.notebooks)
    locks = [*root.glob("*.lock"), *root.glob("requirements*.txt")] or [
        *root.glob("pyproject.toml")
    ]
    read = [
        path
        for path in layout.data.rglob("*")
        if path.is_file()
        and path.suffix != ".md"
        and path.relative_to(layout.data).parts[0] not in _HANDLED_DATA
    ]
    files = {
        path.relative_to(root).as_posix(): path
        for path in (source, *sources, *locks, *read)
    }
    parts = {
        "profile": profile,
        "versions": json.dumps(
            {**versions(), "architecture": describe_machine()["architecture"]},
            sort_keys=True,
        ),
        **{
            f"variable {name}": _hash(value)
            for name, value in counted_variables().items()
        },
        **{f"companion/{name}": sha256_of(own / name) for name in _OWN},
        **{name: sha256_of(path) for name, path in files.items()},
        **{
            f"figure {spec.id}": _hash(repr(spec))
            for spec in specs_of_page(registry, page)
        },
    }
    return Key(_hash(json.dumps(parts, sort_keys=True))[:32], parts)


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
    files = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path != folder / MANIFEST
    ]
    return {path.relative_to(folder).as_posix(): sha256_of(path) for path in files}


def _entry(folder: Path) -> Entry | None:
    """Return the execution in a folder, None where it is damaged: a file has not the hash it had when it was kept."""
    try:
        document = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        sound = document["files"] == _files(folder)
        return (
            Entry(folder, document["parts"], document["seconds"], document["usage"])
            if sound
            else None
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _by_age(layout: Layout, page: str, profile: str) -> list[Path]:
    """Return the folders of the kept executions of a page, the newest first."""
    folders = layout.cache(profile, page).glob("*")
    return sorted(folders, key=lambda folder: folder.stat().st_mtime_ns, reverse=True)


def find_entry(layout: Layout, page: str, profile: str, digest: str) -> Entry | None:
    """Return the kept execution with this key, None where there is none or it is damaged."""
    return _entry(layout.cache(profile, page) / digest)


def newest(layout: Layout, page: str, profile: str) -> Entry | None:
    """Return the newest kept execution of a page that is not damaged, whatever its key; None where there is none."""
    return next(
        (
            entry
            for folder in _by_age(layout, page, profile)
            if (entry := _entry(folder))
        ),
        None,
    )


def keep(layout: Layout, page: str, profile: str, key: Key, made: Entry) -> Entry:
    """Make a finished execution a kept one, by one rename: it is there whole or not at all.

    Its folder holds notebook.ipynb and run/. Older executions of the page beyond the
    last few are removed.
    """
    entry = replace(
        made, folder=layout.cache(profile, page) / key.digest, parts=dict(key.parts)
    )
    document = {
        "files": _files(made.folder),
        "parts": entry.parts,
        "seconds": entry.seconds,
        "usage": entry.usage,
    }
    (made.folder / MANIFEST).write_text(
        json_text(document), encoding="utf-8", newline="\n"
    )
    entry.folder.parent.mkdir(parents=True, exist_ok=True)
    remove(entry.folder)
    made.folder.replace(entry.folder)
    for old in _by_age(layout, page, profile)[KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
    return entry
