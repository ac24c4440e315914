"""Write the RO-Crate of a release: its metadata, and a zip of everything that they describe."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import yaml
from rocrate.rocrate import ROCrate

from companion.crate_graph import Describer, file_names
from companion.crate_parts import Part, figure_records, list_parts
from companion.ledger import load_sources
from companion.paths import CompanionError, Layout
from companion.provenance import sha256_of
from companion.publication import find_publication

__all__ = ["METADATA", "WrittenCrate", "crate_faults", "describe", "write_crate"]

METADATA = "ro-crate-metadata.json"


@dataclass(frozen=True)
class WrittenCrate:
    """Say what was written: the zip, the metadata beside it, and how many files and entities they hold."""

    archive: Path
    metadata: Path
    files: int
    entities: int


def describe(layout: Layout, parts: Sequence[Part]) -> str:
    """Return the metadata of a crate of these parts; raise CompanionError where the book is not as it must be."""
    citation = yaml.safe_load((layout.root / "CITATION.cff").read_text(encoding="utf-8"))
    if not isinstance(citation.get("date-released"), date):
        raise CompanionError(f"CITATION.cff must name the date of the release, got {citation.get('date-released')!r}")
    figures, pages = figure_records(layout), layout.pages()
    describer = Describer(citation, list(load_sources(layout.root).values()))
    describer.add_files(parts, file_names(figures, pages))
    describer.add_figures(figures)
    describer.add_executions(pages)
    describer.add_root()
    return describer.document()


def _pack(archive: Path, parts: Sequence[Part], document: str, released: date) -> None:
    """Write a zip in which nothing depends on the machine: order, dates and permissions are fixed."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:

        def put(place: str, content: bytes) -> None:
            entry = zipfile.ZipInfo(place, (released.year, released.month, released.day, 0, 0, 0))
            entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
            target.writestr(entry, content)

        put(METADATA, document.encode())
        for part in parts:
            put(part.place, part.source.read_bytes())


def crate_faults(folder: Path) -> list[str]:
    """Return what is wrong with an unpacked crate, one a line, as rocrate reads it back.

    Every file that is described must be there with its size and hash, every file that is there and not part of
    the site must be described, and whatever an entity refers to must be an entity too.
    """
    crate = ROCrate(folder)
    known = {entity.id for entity in crate.get_entities()}
    faults, described = [], {METADATA}
    for entity in crate.get_entities():
        for value in entity.properties().values():
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, dict) and item.get("@id", "./") not in known | {crate.metadata.profile}:
                    faults.append(f"{entity.id} refers to {item['@id']}, which is not described")
        kinds = entity.type if isinstance(entity.type, list) else [entity.type]
        path = folder / entity.id
        if "File" in kinds and entity.id != METADATA:
            described.add(entity.id)
            if not path.is_file():
                faults.append(f"{entity.id} is described and not there")
            elif (str(path.stat().st_size), sha256_of(path)) != (entity["contentSize"], entity["sha256"]):
                faults.append(f"{entity.id} is not the file that is described")
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    strangers = sorted(name for name in there - described if not name.startswith("site/"))
    return faults + [f"{name} is there and not described" for name in strangers]


def write_crate(layout: Layout) -> WrittenCrate:
    """Write `_build/crate/`: the metadata, and a zip of the release with its hash beside it.

    An older crate is replaced at the end, so that none is there by half. Raises CompanionError where the book is
    not built, or was built from another version.
    """
    publication = find_publication(layout.root)
    parts = list_parts(layout)
    document = describe(layout, parts)
    released = yaml.safe_load((layout.root / "CITATION.cff").read_text(encoding="utf-8"))["date-released"]
    draft, folder = layout.build / "crate.new", layout.build / "crate"
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    archive = draft / f"mollified-{publication.version}-ro-crate.zip"
    _pack(archive, parts, document, released)
    (draft / METADATA).write_text(document, encoding="utf-8", newline="\n")
    checksum = f"{sha256_of(archive)}  {archive.name}\n"
    archive.with_name(f"{archive.name}.sha256").write_text(checksum, encoding="utf-8", newline="\n")
    shutil.rmtree(folder, ignore_errors=True)
    draft.replace(folder)
    return WrittenCrate(folder / archive.name, folder / METADATA, len(parts), document.count('"@type":'))
