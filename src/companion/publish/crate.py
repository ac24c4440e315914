"""Write the RO-Crate 1.2 of a release: a zip of its files, and what they are.

What the release is, its authors, licences and the texts that it is about are what
`codemeta.json` says.
"""

from __future__ import annotations

import mimetypes
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from rocrate.model.contextentity import ContextEntity
from rocrate.rocrate import ROCrate

from companion.archive import epoch, put, write_zip
from companion.figures import SUFFIXES
from companion.ledger.registry import load_registry
from companion.paths import (
    CompanionError,
    Layout,
    Record,
    files_below,
    json_text,
    read_json,
    write_whole,
)

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


def _present(layout: Layout) -> dict[str, Path]:
    """Return the files of the crate that are there, by their places."""
    files = {}
    for name in ROOT_FILES:
        if (layout.root / name).is_file():
            files[name] = layout.root / name
    claims = layout.stage / "claims.json"
    if claims.is_file():
        files["claims.json"] = claims
    for folder, (place, _) in FOLDERS.items():
        for name, path in files_below(layout.root / place).items():
            if not _HIDDEN.search(name):
                files[f"{folder}/{name}"] = path
    return files


#: A thing of JSON-LD has a `name`, or the parts of one, and may have an `@id`.
Thing = dict[str, str]
Things = str | Thing | list[Thing] | list[str]
#: What the crate holds in place of a thing.
Linked: TypeAlias = "str | ContextEntity | list[Linked]"


def _linked(crate: ROCrate, thing: Things) -> Linked:
    """Return JSON-LD with each thing in it as an entity of the crate of its own."""
    if isinstance(thing, list):
        return [_linked(crate, item) for item in thing]
    if not isinstance(thing, dict):
        return thing
    name = thing.get("name") or f"{thing['givenName']} {thing['familyName']}"
    slug = "-".join(re.findall("[a-z0-9]+", name.lower()))
    identifier = thing.get("@id", f"#{slug}")
    if known := crate.dereference(identifier):
        return known
    properties = {"name": name, **thing}
    properties.pop("@id", None)
    linked = {key: _linked(crate, value) for key, value in properties.items()}
    return crate.add(ContextEntity(crate, identifier, properties=linked))


def _described(about: Record, files: Mapping[str, Path]) -> ROCrate:
    """Return the crate of files, of a release as `codemeta.json` describes it."""
    crate = ROCrate(version="1.2")
    root = crate.root_dataset
    licences = [
        {"@id": address, "@type": "CreativeWork", "name": address.rpartition("/")[2]}
        for address in about["license"]
    ]
    properties: dict[str, Things] = {
        "description": about["description"],
        "version": about["version"],
        "datePublished": about["datePublished"],
        "author": about["author"],
        "publisher": about["author"][0],
        "about": about["referencePublication"],
        "license": licences,
        "name": f"{about['name']}, version {about['version']}",
        "keywords": ", ".join(about["keywords"]),
    }
    for key, value in properties.items():
        root[key] = _linked(crate, value)
    types = {**mimetypes.types_map, **_FORMATS}
    parts: dict[str, list[ContextEntity]] = {folder: [] for folder in ("", *FOLDERS)}
    for place, path in files.items():
        folder = place.rpartition("/")[0].partition("/")[0]
        if folder == "site":  # described as a whole
            continue
        description = {
            "name": place,
            "encodingFormat": types.get(path.suffix, "text/plain"),
            "contentSize": str(path.stat().st_size),
        }
        parts[folder].append(crate.add_file(path, place, properties=description))
    folders = [
        crate.add_dataset(
            dest_path=f"{folder}/", properties={"name": title, "hasPart": parts[folder]}
        )
        for folder, (_, title) in FOLDERS.items()
    ]
    root["hasPart"] = [*folders, *parts[""]]
    return crate


def write_crate(layout: Layout) -> tuple[Path, int]:
    """Write `_build/crate/mollified-<version>-ro-crate.zip` and its sum.

    Returns it, and how many files it has. The old ones stay until both are complete.
    Raises CompanionError where the book is not built.
    """
    files = dict(sorted(_present(layout).items()))
    wanted = ["site/index.html", "claims.json"]
    wanted += [f"executed/{page}.ipynb" for page in layout.pages()]
    for spec in load_registry(layout.registry).values():
        wanted += [f"figures/{spec.page}/{spec.id}{suffix}" for suffix in SUFFIXES]
    missing = [place for place in wanted if place not in files]
    if missing:
        raise CompanionError(
            f"not built: {', '.join(missing)}: build the book first (`make book`)"
        )
    about = read_json(layout.root / "codemeta.json")
    with tempfile.TemporaryDirectory(dir=layout.build) as draft:
        metadata = Path(draft, METADATA)
        archive = Path(draft, f"mollified-{about['version']}-ro-crate.zip")
        write_whole(metadata, json_text(_described(about, files).metadata.generate()))
        write_zip(archive, {**files, METADATA: metadata}, epoch(layout.root))
        return put(archive, layout.build / "crate"), len(files)
