"""Write what a release says of itself: codemeta.json, .zenodo.json, its addresses.

They come from CITATION.cff, pyproject.toml and the ledger. `data/addresses.txt` lists
the addresses of claims and figures, which are printed elsewhere from then on: a test
holds that none of them goes.

cffconvert can write both too, but loses the second licence, takes the developers for a
person and leaves out the texts that the book is about. No identifier is made up: an
address or a DOI is written only where a source has one.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import yaml
from packaging.requirements import Requirement

from companion.site.permalinks import claim_address, figure_address

ROOT = Path(__file__).resolve().parent.parent


def _sources(root: Path) -> tuple[dict[str, Any], dict[str, Any], list[dict[str, Any]]]:
    citation = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    texts = yaml.safe_load((root / "data" / "sources.yml").read_text(encoding="utf-8"))
    return citation, project, [text for text in texts if not text.get("beyond")]


def _people(reference: dict[str, Any]) -> list[str]:
    return [
        item.get("name") or f"{item['given-names']} {item['family-names']}"
        for item in reference["authors"]
    ]


def _author(item: dict[str, str]) -> dict[str, str]:
    if "name" in item:
        return {"@type": "Organization", "name": item["name"]}
    return {
        "@type": "Person",
        "givenName": item["given-names"],
        "familyName": item["family-names"],
    }


def _article(reference: dict[str, Any], text: dict[str, Any]) -> dict[str, Any]:
    article = {"@type": "ScholarlyArticle", "name": reference["title"]}
    # "Anonymous authors" and the like are a name, and no organisation of that name is
    # known.
    article["author"] = [
        _author(item) if "given-names" in item else item["name"]
        for item in reference["authors"]
    ]
    if reference.get("year"):
        article["datePublished"] = str(reference["year"])
    if text.get("url"):
        article |= {"@id": text["url"], "url": text["url"]}
    return article


def _reference(reference: dict[str, Any]) -> str:
    venue = (reference.get("conference") or {}).get("name") or reference.get("notes")
    parts = [
        ", ".join(_people(reference)),
        reference["title"],
        venue,
        str(reference.get("year") or ""),
    ]
    return ". ".join(part for part in parts if part) + "."


def _requirement(text: str) -> dict[str, str]:
    need = Requirement(text)
    bounds = ",".join(sorted(str(item) for item in need.specifier))
    code = {"@type": "SoftwareSourceCode", "name": need.name, "version": bounds}
    return {key: value for key, value in code.items() if value}


def codemeta(root: Path) -> dict[str, Any]:
    """Return the description of the software in the terms of CodeMeta 3.0."""
    citation, project, texts = _sources(root)
    pairs = zip(citation["references"], texts, strict=True)
    return {
        "@context": "https://w3id.org/codemeta/3.0",
        "@type": "SoftwareSourceCode",
        "name": citation["title"],
        "description": citation["abstract"],
        "version": str(citation["version"]),
        "datePublished": str(citation["date-released"]),
        "author": [_author(item) for item in citation["authors"]],
        "copyrightHolder": [_author(item) for item in citation["authors"]],
        "copyrightYear": int(str(citation["date-released"])[:4]),
        "license": [
            f"https://spdx.org/licenses/{name}" for name in citation["license"]
        ],
        "keywords": citation["keywords"],
        "isAccessibleForFree": True,
        "programmingLanguage": {"@type": "ComputerLanguage", "name": "Python"},
        "runtimePlatform": f"Python {project['requires-python']}",
        "softwareRequirements": [
            _requirement(text) for text in project["dependencies"]
        ],
        "referencePublication": [
            _article(reference, text) for reference, text in pairs
        ],
    }


def zenodo(root: Path) -> dict[str, Any]:
    """Return the metadata that Zenodo reads when it archives a release.

    It takes one licence; a note names both.
    """
    citation, _, texts = _sources(root)
    code, prose = citation["license"]
    notes = (
        f"Code is under {code}, text and figures are under {prose}; REUSE.toml says "
        "which file is under which."
    )
    return {
        "title": citation["title"],
        "upload_type": "software",
        "description": citation["abstract"],
        "creators": [{"name": name} for name in _people(citation)],
        "version": str(citation["version"]),
        "publication_date": str(citation["date-released"]),
        "access_right": "open",
        "license": code,
        "language": "eng",
        "keywords": citation["keywords"],
        "notes": notes,
        "references": [_reference(reference) for reference in citation["references"]],
        "related_identifiers": [
            {
                "identifier": f"arXiv:{text['arxiv']}",
                "relation": "isSupplementTo",
                "scheme": "arxiv",
            }
            for text in texts
            if text.get("arxiv")
        ],
    }


def written(root: Path) -> dict[str, str]:
    """Return the text of each file by its name."""
    documents = {"codemeta.json": codemeta(root), ".zenodo.json": zenodo(root)}
    return {
        name: json.dumps(document, indent=2, ensure_ascii=False) + "\n"
        for name, document in documents.items()
    }


def addresses(root: Path) -> list[str]:
    """Return the addresses of all claims, merged ones included, and of figures."""
    data = root / "data"
    claims = yaml.safe_load((data / "claims.yml").read_text(encoding="utf-8"))
    figures = yaml.safe_load((data / "figures.yml").read_text(encoding="utf-8"))
    names = [figure_address(name) for name in figures]
    for claim in claims:
        names += map(claim_address, [claim["id"], *claim.get("formerly", [])])
    return sorted(names)


def main() -> None:
    """Write all files of this release; addresses of earlier ones stay in the list."""
    for name, text in written(ROOT).items():
        (ROOT / name).write_text(text, encoding="utf-8", newline="\n")
    path = ROOT / "data" / "addresses.txt"
    names = {*path.read_text(encoding="utf-8").split(), *addresses(ROOT)}
    text = "".join(f"{name}\n" for name in sorted(names))
    path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
