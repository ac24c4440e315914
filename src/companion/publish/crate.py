"""Write the RO-Crate 1.2 of a release: a zip of its files, and what they are, by folder and by file.

What the release is, its authors, licences and the texts that it is about are what
`codemeta.json` says.
"""

from __future__ import annotations

import json
import mimetypes
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rocrate.model.contextentity import ContextEntity
from rocrate.rocrate import ROCrate

from companion.archive import epoch, put, write_zip
from companion.figures import SUFFIXES
from companion.ledger.registry import load_registry
from companion.paths import CompanionError, Layout, json_text, write_whole

METADATA = "ro-crate-metadata.json"
#: Folders of the crate: where each lies, from the root of the book, and its title.
#: `site` is described as a whole.
FOLDERS = {
    "notebooks": ("notebooks", "Notebooks, as they are edited (MyST text)"),
    "executed": (
        "_build/stage/notebooks",
        "Notebooks, as they were executed for this release",
    ),
    "figures": (
        "_build/stage/figures",
        "Figures of the release, each with its data and how it was made",
    ),
    "data": (
        "data",
        "Ledger, registry of figures, accepted data of every figure, data sets",
    ),
    "book": ("book", "Pages that are no notebooks"),
    "src": ("src", "Source code of the packages"),
    "LICENSES": (
        "LICENSES",
        "Texts of the licences; REUSE.toml says which file is under which",
    ),
    "site": ("_build/html", "The rendered book; open site/index.html"),
}
#: Files of the root that a reader of the crate needs, beside the folders.
ROOT_FILES = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "CITATION.cff",
    "codemeta.json",
    "LICENSE",
    "LICENSE-TEXT",
    "REUSE.toml",
    "Makefile",
    "_config.yml",
    "_toc.yml",
    "environment.yml",
    "pyproject.toml",
    "requirements.lock",
)
_FORMATS = {
    ".md": "text/markdown",
    ".ipynb": "application/x-ipynb+json",
    ".yml": "application/yaml",
}
_HIDDEN = re.compile(r"(^|/)(__pycache__/|\.ipynb|[^/]+\.egg-info/)")


def list_files(layout: Layout) -> dict[str, Path]:
    """Return every file of the crate by its place; raise CompanionError where the book is not built."""
    found = {
        name: path for name in ROOT_FILES if (path := layout.root / name).is_file()
    }
    found["claims.json"] = layout.stage / "claims.json"
    for folder, (place, _) in FOLDERS.items():
        for path in (layout.root / place).rglob("*"):
            name = path.relative_to(layout.root / place).as_posix()
            if path.is_file() and not _HIDDEN.search(name):
                found[f"{folder}/{name}"] = path
    wanted = ["site/index.html", *(f"executed/{page}.ipynb" for page in layout.pages())]
    for spec in load_registry(layout.registry).values():
        wanted += [f"figures/{spec.page}/{spec.id}{suffix}" for suffix in SUFFIXES]
    missing = [name for name in wanted if name not in found] + [
        name for name in found if not found[name].is_file()
    ]
    if missing:
        raise CompanionError(
            f"not built: {', '.join(missing)}: build the book first (`make book`)"
        )
    return dict(sorted(found.items()))


def _linked(crate: ROCrate, thing: Any) -> Any:
    """Return JSON-LD with each thing in it as an entity of the crate of its own."""
    if isinstance(thing, list):
        return [_linked(crate, item) for item in thing]
    if not isinstance(thing, dict):
        return thing
    name = thing.get("name") or f"{thing['givenName']} {thing['familyName']}"
    identifier = thing.get("@id", f"#{'-'.join(re.findall('[a-z0-9]+', name.lower()))}")
    said = {
        key: _linked(crate, value)
        for key, value in {"name": name, **thing}.items()
        if key != "@id"
    }
    return crate.dereference(identifier) or crate.add(
        ContextEntity(crate, identifier, properties=said)
    )


def _described(about: Mapping[str, Any], files: Mapping[str, Path]) -> ROCrate:
    """Return the crate of files that are described, of a release as `codemeta.json` describes it."""
    crate = ROCrate(version="1.2")
    root = crate.root_dataset
    said = {
        name: about[name]
        for name in ("description", "version", "datePublished", "author")
    }
    said |= {"publisher": about["author"][0], "about": about["referencePublication"]}
    said["license"] = [
        {"@id": address, "@type": "CreativeWork", "name": address.rpartition("/")[2]}
        for address in about["license"]
    ]
    said |= {
        "name": f"{about['name']}, version {about['version']}",
        "keywords": ", ".join(about["keywords"]),
    }
    for key, value in said.items():
        root[key] = _linked(crate, value)
    parts: dict[str, list[Any]] = {folder: [] for folder in ("", *FOLDERS)}
    for place, path in files.items():
        folder = place.rpartition("/")[0].partition("/")[0]
        if folder != "site":
            kind = _FORMATS.get(path.suffix) or mimetypes.types_map.get(
                path.suffix, "text/plain"
            )
            told = {
                "name": place,
                "encodingFormat": kind,
                "contentSize": str(path.stat().st_size),
            }
            parts[folder].append(crate.add_file(path, place, properties=told))
    folders = [
        crate.add_dataset(
            dest_path=f"{folder}/", properties={"name": title, "hasPart": parts[folder]}
        )
        for folder, (_, title) in FOLDERS.items()
    ]
    root["hasPart"] = [*folders, *parts[""]]
    return crate


def write_crate(layout: Layout) -> tuple[Path, int]:
    """Write `_build/crate/mollified-<version>-ro-crate.zip` and its sum; return it, and how many files it has.

    The old ones stay until both are complete. Raises CompanionError where the book is
    not built.
    """
    files = list_files(layout)
    about = json.loads((layout.root / "codemeta.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(dir=layout.build) as draft:
        metadata = Path(draft, METADATA)
        archive = Path(draft, f"mollified-{about['version']}-ro-crate.zip")
        write_whole(metadata, json_text(_described(about, files).metadata.generate()))
        write_zip(archive, {**files, METADATA: metadata}, epoch(layout.root))
        return put(archive, layout.build / "crate"), len(files)
