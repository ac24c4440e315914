"""Describe the parts of a release as an RO-Crate 1.2: files, licences, authors, texts, and what made what."""

from __future__ import annotations

import importlib.metadata
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rocrate.model.contextentity import ContextEntity
from rocrate.rocrate import ROCrate

from companion.crate_parts import FOLDERS, FigureRecord, Part
from companion.figures import SUFFIXES
from companion.provenance import sha256_of

__all__ = ["Describer"]

#: The specification that the crate follows.
VERSION = "1.2"
_WORDS = {
    ".svg": "picture for light pages", ".dark.svg": "picture for dark pages", ".png": "picture, pixels",
    ".pdf": "picture for print", ".csv": "data", ".json": "how it was made",
}  # fmt: skip
_LICENCE_NAMES = {
    "BSD-3-Clause": "BSD 3-Clause License",
    "CC-BY-4.0": "Creative Commons Attribution 4.0 International",
}


def _refs(identifiers: Iterable[str]) -> list[dict[str, str]]:
    return [{"@id": name} for name in identifiers]


def _slug(text: str) -> str:
    return "-".join("".join(char if char.isascii() and char.isalnum() else " " for char in text).lower().split())


def _homepage(name: str) -> str | None:
    """Return the address that an installed distribution gives for itself, its homepage before others."""
    try:
        given = importlib.metadata.metadata(name)
    except importlib.metadata.PackageNotFoundError:
        return None
    listed = (text.partition(",") for text in given.get_all("Project-URL") or [])
    urls = {label.strip().lower(): url.strip() for label, _, url in listed}
    named = [urls[label] for label in ("homepage", "home", "source", "repository", "documentation") if label in urls]
    home = [given["Home-page"]] if "Home-page" in given else []
    return next(iter([*named, *home, *urls.values()]), None)


class Describer:
    """Fill an RO-Crate; `citation` is CITATION.cff and `texts` the sources of the ledger, as read."""

    def __init__(self, citation: Mapping[str, Any], texts: Sequence[Mapping[str, Any]]) -> None:
        self.crate = ROCrate(version=VERSION)
        self.citation, self.texts = citation, texts
        self.date = str(citation["date-released"])
        self._actions: list[str] = []

    def _entity(self, identifier: str, kind: str | list[str], /, **properties: Any) -> str:
        """Add an entity of the context unless it is there, and return its name."""
        if self.crate.dereference(identifier) is None:
            given = {key: value for key, value in properties.items() if value not in (None, "", [])}
            self.crate.add(ContextEntity(self.crate, identifier, properties={"@type": kind, **given}))
        return identifier

    def _licences(self, names: Sequence[str]) -> list[dict[str, str]]:
        found = []
        for name in names:
            if name.startswith("LicenseRef-"):
                found.append(f"LICENSES/{name}.txt")
            else:
                address = f"https://spdx.org/licenses/{name}"
                title = _LICENCE_NAMES[name]
                found.append(self._entity(address, "CreativeWork", name=title, identifier=name, url=address))
        return _refs(found)

    def _author(self, item: Mapping[str, str]) -> str:
        if "name" in item:
            return self._entity(f"#{_slug(item['name'])}", "Organization", name=item["name"])
        name = f"{item['given-names']} {item['family-names']}"
        parts = {"givenName": item["given-names"], "familyName": item["family-names"]}
        return self._entity(f"#{_slug(name)}", "Person", name=name, **parts)

    def _texts(self) -> list[dict[str, str]]:
        found = []
        for reference, text in zip(self.citation["references"], self.texts, strict=True):
            identifier = text.get("url") or f"#text-{text['id']}"
            year = reference.get("year")
            authors = _refs([self._author(item) for item in reference["authors"]])
            more = {"datePublished": str(year) if year else None, "description": reference.get("notes")}
            found.append(
                self._entity(
                    identifier, "ScholarlyArticle", name=reference["title"], author=authors, url=text.get("url"), **more
                )
            )
        return _refs(found)

    def _software(self, name: str, version: str) -> str:
        url = "https://www.python.org/" if name == "python" else _homepage(name)
        return self._entity(f"#{_slug(name)}-{version}", "SoftwareApplication", name=name, version=version, url=url)

    def _action(self, identifier: str, /, **properties: Any) -> None:
        self._actions.append(self._entity(identifier, "CreateAction", **properties))

    def add_files(self, parts: Sequence[Part], names: Mapping[str, str]) -> None:
        """Add every file of the crate but those of the site, each in its folder; `names` says what a file is."""
        inside: dict[str, list[str]] = {folder: [] for folder in FOLDERS}
        top: list[str] = []
        for part in parts:
            if part.folder == "site":
                continue
            code = part.source.suffix in (".py", ".ipynb") or part.folder == "notebooks"
            properties: dict[str, Any] = {
                "@type": ["File", "SoftwareSourceCode"] if code else "File",
                "name": names.get(part.place, part.place),
                "encodingFormat": part.format,
                "contentSize": str(part.source.stat().st_size),
                "sha256": sha256_of(part.source),
            }
            if part.licences:
                properties["license"] = self._licences(part.licences)
            self.crate.add_file(part.source, part.place, properties=properties)
            (top if part.folder is None else inside[part.folder]).append(part.place)
        for folder, title in FOLDERS.items():
            own = [part for part in parts if part.folder == folder]
            used = list(dict.fromkeys(name for part in own for name in part.licences))
            about: dict[str, Any] = {
                "name": title,
                "description": f"{title}: {len(own)} files",
                "license": self._licences(used),
            }
            about |= {"datePublished": self.date, "hasPart": _refs(inside[folder])}
            kept = {key: value for key, value in about.items() if value}
            self.crate.add_dataset(dest_path=f"{folder}/", properties=kept)
        self.crate.root_dataset["hasPart"] = _refs([*(f"{folder}/" for folder in FOLDERS), *top])

    def add_figures(self, figures: Sequence[FigureRecord]) -> None:
        """Say of each figure with which functions, parameters, seed and versions it was made, when and from what."""
        for figure in figures:
            record, own = figure.record, f"{figure.page}-{figure.id}"
            made = sorted({record[key] for key in ("compute", "draw")})
            tools = [by if by.endswith(".md") else f"src/{by.partition(':')[0].replace('.', '/')}.py" for by in made]
            tools += [self._software(name, version) for name, version in record["versions"].items()]
            settings = {"parameters": json.dumps(record["params"], sort_keys=True), "seed": record["seed"]}
            settings |= {key: record[key] for key in ("compute", "draw", "profile", "command")}
            machine, head = record["machine"], record["commit"]
            state = "outside a repository" if head["id"] is None else f"at commit {head['id']}"
            if head["modified"]:
                state += " with changes that were not committed"
            took = "" if record["seconds"] is None else f"{record['seconds']} s to compute "
            kind = f"{machine['cpus']} processors, {machine['architecture']}, {machine['system']}"
            self._action(
                f"#make-{own}",
                name=f"Figure {figure.id} of the page {figure.page} is made",
                description=f"{took}on {kind}, {state}",
                instrument=_refs(tools),
                agent={"@id": self._author(self.citation["authors"][0])},
                object=_refs(
                    [
                        "data/figures.yml",
                        *(
                            self._entity(f"#{own}-{name}", "PropertyValue", name=name, value=str(value))
                            for name, value in settings.items()
                            if value is not None
                        ),
                    ]
                ),
                result=_refs(figure.place(suffix) for suffix in SUFFIXES),
                endTime=record["made"],
            )

    def add_executions(self, pages: Sequence[str]) -> None:
        """Say that each executed notebook comes from its source, and the ledger from all of them."""
        papermill = self._software("papermill", importlib.metadata.version("papermill"))
        for page in pages:
            self._action(
                f"#execute-{page}",
                name=f"The notebook {page} is executed",
                instrument=_refs([papermill]),
                object=_refs([f"notebooks/{page}.md"]),
                result=_refs([f"executed/{page}.ipynb"]),
            )
        self._action(
            "#judge",
            name="Every claim is judged on the evidence that the notebooks recorded",
            instrument=_refs(["src/companion/verdicts.py"]),
            object=_refs(["data/claims.yml", "data/sources.yml", *(f"executed/{page}.ipynb" for page in pages)]),
            result=_refs(["claims.json"]),
        )

    def add_root(self) -> None:
        """Say what the release is: title, version, date, authors, licences, and the texts that it is about."""
        root, given = self.crate.root_dataset, self.citation
        authors = _refs([self._author(item) for item in given["authors"]])
        root["name"] = f"{given['title']}, version {given['version']}"
        root["description"] = given["abstract"]
        root["version"] = str(given["version"])
        root["datePublished"] = self.date
        root["keywords"] = ", ".join(given["keywords"])
        root["author"] = authors
        root["publisher"] = authors[0]
        root["license"] = self._licences(given["license"])
        root["about"] = self._texts()
        # A citation must have an address, and most of the texts have none.
        root["citation"] = _refs(text["url"] for text in self.texts if text.get("url"))
        root["mentions"] = _refs(self._actions)

    def document(self) -> str:
        """Return the metadata as text, its entities in the order in which they were added."""
        made: dict[str, Any] = self.crate.metadata.generate()
        return json.dumps(made, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def file_names(figures: Sequence[FigureRecord], pages: Sequence[str]) -> dict[str, str]:
    """Return what the files of the crate are, in words, by place."""
    names = {
        "claims.json": "The ledger with its verdicts and the evidence for each",
        "data/claims.yml": "The ledger of claims, as it is edited",
        "data/figures.yml": "The registry of figures",
        "data/results/manifest.json": "Hash of the accepted data of each figure, with the reason",
        "data/results/CHANGES.md": "Log of accepted data",
    }
    for page in pages:
        names[f"notebooks/{page}.md"] = f"Notebook {page}"
        names[f"executed/{page}.ipynb"] = f"Notebook {page}, executed"
    for figure in figures:
        for suffix in SUFFIXES:
            told = f": {figure.alt}" if suffix in (".svg", ".png") and figure.alt else ""
            names[figure.place(suffix)] = f"Figure {figure.id}, {_WORDS[suffix]}{told}"
    return names
