"""Write the RO-Crate 1.2 of a release: a zip, and what each of its files is, its hash, size, format and licence."""

from __future__ import annotations

import mimetypes
import re
import shutil
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import yaml
from rocrate.model.contextentity import ContextEntity
from rocrate.rocrate import ROCrate

from companion.ledger.claims import load_sources
from companion.ledger.registry import load_registry
from companion.paths import CompanionError, Layout, json_text, write_whole
from companion.publish.archive import add, sums_text
from companion.publish.publication import find_publication
from companion.run.figures import SUFFIXES
from companion.run.provenance import sha256_of

__all__ = ["METADATA", "Licences", "WrittenCrate", "list_files", "write_crate"]

METADATA = "ro-crate-metadata.json"
#: Folders of the crate, each with its title; `site` is kept as a whole, the others list their files.
FOLDERS = {
    "notebooks": "Notebooks, as they are edited (MyST text)",
    "executed": "Notebooks, as they were executed for this release",
    "figures": "Figures of the release, each with its data and how it was made",
    "data": "Ledger, registry of figures, accepted data of every figure, data sets",
    "book": "Pages that are no notebooks",
    "src": "Source code of the packages",
    "LICENSES": "Texts of the licences",
    "site": "The rendered book; open site/index.html",
}
#: Files of the root that a reader of the crate needs, beside the folders.
ROOT_FILES = (
    "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff", "codemeta.json", "LICENSE", "LICENSE-TEXT",
    "REUSE.toml", "Makefile", "_config.yml", "_toc.yml", "environment.yml", "pyproject.toml", "requirements.lock",
)  # fmt: skip
_FORMATS = {".md": "text/markdown", ".ipynb": "application/x-ipynb+json", ".yml": "application/yaml"}
_LICENCE_NAMES = {
    "BSD-3-Clause": "BSD 3-Clause License",
    "CC-BY-4.0": "Creative Commons Attribution 4.0 International",
}


@dataclass(frozen=True)
class WrittenCrate:
    """Say what was written: the zip, the metadata beside it, and how many files it holds."""

    archive: Path
    metadata: Path
    files: int


@dataclass(frozen=True)
class Part:
    """Hold one file of a crate: where it lies, its licences, and what it is."""

    source: Path
    licences: tuple[str, ...]
    name: str = ""


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


def _figures(layout: Layout, licences: Licences) -> Iterator[tuple[str, Part]]:
    """Yield the files of each figure of the staged book; raise CompanionError where one lacks."""
    for spec in load_registry(layout.registry).values():
        folder, own = layout.stage / "figures" / spec.page, licences.of(f"data/results/figures/{spec.id}.csv")
        files = {suffix: folder / f"{spec.id}{suffix}" for suffix in SUFFIXES}
        missing = [suffix for suffix, path in files.items() if not path.is_file()]
        if missing:
            raise CompanionError(f"figure {spec.id} has no {', '.join(missing)}: build the book first")
        for suffix, path in files.items():
            yield f"figures/{spec.page}/{spec.id}{suffix}", Part(path, own, f"Figure {spec.id}")


def _under(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        hidden = any(part == "__pycache__" or part.endswith(".egg-info") or part.startswith(".ipynb") for part in parts)
        if path.is_file() and not hidden:
            yield path


def list_files(layout: Layout) -> dict[str, Part]:
    """Return every file of the crate by its place; raise CompanionError where the book is not built."""
    stage, licences = layout.stage, Licences(layout.root)
    if not (layout.html / "index.html").is_file() or not (stage / "claims.json").is_file():
        raise CompanionError("there is no built book to put into a crate: build it first (`make book`)")
    unbuilt = [page for page in layout.pages() if not (stage / "notebooks" / f"{page}.ipynb").is_file()]
    if unbuilt:
        raise CompanionError(f"not executed yet: {', '.join(unbuilt)}: build the book first (`make book`)")
    ledger = "The ledger with its verdicts and the evidence for each"
    found = {"claims.json": Part(stage / "claims.json", licences.of("data/claims.yml"), ledger)}
    for name in filter(lambda name: (layout.root / name).is_file(), ROOT_FILES):
        own = () if name.startswith("LICENSE") else licences.of(name)  # a text of a licence is under none
        found[name] = Part(layout.root / name, own)
    for page in layout.pages():
        own = licences.of(f"notebooks/{page}.md")
        found[f"notebooks/{page}.md"] = Part(layout.notebook(page), own, f"Notebook {page}")
        executed = stage / "notebooks" / f"{page}.ipynb"
        found[f"executed/{page}.ipynb"] = Part(executed, own, f"Notebook {page}, executed")
    found.update(_figures(layout, licences))
    for name in ("data", "book", "src", "LICENSES"):
        for path in _under(layout.root / name):
            place = path.relative_to(layout.root).as_posix()
            found[place] = Part(path, () if name == "LICENSES" else licences.of(place))
    both = licences.of("notebooks/any.md")  # a page holds text and code
    found.update((f"site/{path.relative_to(layout.html).as_posix()}", Part(path, both)) for path in _under(layout.html))
    return dict(sorted(found.items()))


class _Describer:
    """Fill the metadata of a crate; `citation` is CITATION.cff as read."""

    def __init__(self, citation: Mapping[str, Any]) -> None:
        self.crate, self.citation = ROCrate(version="1.2"), citation

    def entity(self, identifier: str, kind: str, /, **properties: Any) -> dict[str, str]:
        """Return a reference to an entity of the context, which is added unless it is there."""
        if self.crate.dereference(identifier) is None:
            given = {key: value for key, value in properties.items() if value not in (None, "", [])}
            self.crate.add(ContextEntity(self.crate, identifier, properties={"@type": kind, **given}))
        return {"@id": identifier}

    def licences(self, names: Any) -> list[dict[str, str]]:
        """Return references to licences."""
        found = []
        for name in names:
            address = f"https://spdx.org/licenses/{name}"
            known = {"name": _LICENCE_NAMES.get(name), "identifier": name, "url": address}
            own = name.startswith("LicenseRef-")
            found.append({"@id": f"LICENSES/{name}.txt"} if own else self.entity(address, "CreativeWork", **known))
        return found

    def author(self, item: Mapping[str, str]) -> dict[str, str]:
        """Return a reference to a person or an organisation."""
        name = item.get("name") or f"{item['given-names']} {item['family-names']}"
        slug = "-".join(re.findall("[a-z0-9]+", name.lower()))
        return self.entity(f"#{slug}", "Organization" if "name" in item else "Person", name=name)

    def files(self, parts: Mapping[str, Part]) -> None:
        """Add every file but those of the site, each in its folder."""
        inside: dict[str, list[dict[str, str]]] = {folder: [] for folder in ("", *FOLDERS)}
        for place, part in parts.items():
            folder = place.rpartition("/")[0].partition("/")[0]
            if folder == "site":
                continue
            suffix = part.source.suffix
            about: dict[str, Any] = {"@type": "File", "name": part.name or place, "sha256": sha256_of(part.source)}
            about["encodingFormat"] = _FORMATS.get(suffix) or mimetypes.types_map.get(suffix, "text/plain")
            about["contentSize"] = str(part.source.stat().st_size)
            about |= {"license": self.licences(part.licences)} if part.licences else {}
            self.crate.add_file(part.source, place, properties=about)
            inside[folder].append({"@id": place})
        for folder, title in FOLDERS.items():
            used = {
                name: None for place, part in parts.items() if place.startswith(f"{folder}/") for name in part.licences
            }
            about = {"name": title, "license": self.licences(used), "hasPart": inside[folder]}
            self.crate.add_dataset(dest_path=f"{folder}/", properties={key: v for key, v in about.items() if v})
        self.crate.root_dataset["hasPart"] = [*({"@id": f"{folder}/"} for folder in FOLDERS), *inside[""]]

    def text(self, reference: Mapping[str, Any], text: Mapping[str, Any]) -> dict[str, str]:
        """Return a reference to one of the texts that the book is about."""
        url, by = text.get("url"), [self.author(item) for item in reference["authors"]]
        more = {"datePublished": str(reference.get("year") or ""), "description": reference.get("notes")}
        known = {"name": reference["title"], "author": by, "url": url, **more}
        return self.entity(url or f"#text-{text['id']}", "ScholarlyArticle", **known)

    def root(self, texts: Mapping[str, Mapping[str, Any]]) -> None:
        """Say what the release is: title, version, date, authors, licences, and the texts that it is about."""
        root, given = self.crate.root_dataset, self.citation
        authors = [self.author(item) for item in given["authors"]]
        about = {
            "name": f"{given['title']}, version {given['version']}", "description": given["abstract"],
            "version": str(given["version"]), "datePublished": str(given["date-released"]), "author": authors,
            "publisher": authors[0], "keywords": ", ".join(given["keywords"]),
            "license": self.licences(given["license"]),
            "about": [self.text(one, text) for one, text in zip(given["references"], texts.values(), strict=True)],
            # A citation must have an address, and most of the texts have none.
            "citation": [{"@id": text["url"]} for text in texts.values() if text.get("url")],
        }  # fmt: skip
        for key, value in about.items():
            root[key] = value


def write_crate(layout: Layout) -> WrittenCrate:
    """Write `_build/crate/`: the metadata, and a zip of the release with its hash beside it.

    An older crate is replaced at the end, so that none is there by half. Raises CompanionError where the book is
    not built, or was built from another version.
    """
    publication = find_publication(layout.root)
    parts = list_files(layout)
    citation = yaml.safe_load((layout.root / "CITATION.cff").read_text(encoding="utf-8"))
    released = citation.get("date-released")
    if not isinstance(released, date):
        raise CompanionError(f"CITATION.cff must name the date of the release, got {released!r}")
    describer = _Describer(citation)
    describer.files(parts)
    sources = load_sources(layout.root)
    describer.root({name: text for name, text in sources.items() if not text.get("beyond")})
    document = json_text(describer.crate.metadata.generate())
    with tempfile.TemporaryDirectory(dir=layout.build) as draft:
        made, moment = Path(draft, "crate"), (released.year, released.month, released.day, 0, 0, 0)
        made.mkdir()
        archive = made / f"mollified-{publication.version}-ro-crate.zip"
        with zipfile.ZipFile(archive, "w") as target:
            add(target, METADATA, document.encode(), moment)
            for place, part in parts.items():
                add(target, place, part.source.read_bytes(), moment)
        write_whole(made / METADATA, document)
        write_whole(made / f"{archive.name}.sha256", sums_text(made, [archive]))
        folder = layout.build / "crate"
        shutil.rmtree(folder, ignore_errors=True)
        made.replace(folder)
    return WrittenCrate(folder / archive.name, folder / METADATA, len(parts))
