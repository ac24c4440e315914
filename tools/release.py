"""Check the tag of a release, write its notes, and collect its files with their sums.

- `python tools/release.py check v1.0.0` ends with an error unless the tag is the
  version everywhere.
- `python tools/release.py notes v1.0.0` prints the section of the changelog.
- `python tools/release.py assets v1.0.0` fills `_build/release` from what the build
  made.

Needs nothing but Python.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import shutil
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent
#: What the build makes, by the name that it has in the release.
MADE = {
    "{name}-site.zip": "_build/archive/{name}-site.zip",
    "{name}.pdf": "_build/pdf/{name}.pdf",
    "{name}-note.pdf": "_build/note/{name}-note.pdf",
    "{name}-counterexamples.zip": "_build/note/{name}-counterexamples.zip",
    "{name}-ro-crate.zip": "_build/crate/{name}-ro-crate.zip",
    "claims.json": "_build/stage/claims.json",
}
#: The frozen results: the accepted data of every figure, with hashes and reasons, and
#: what the pages cost.
RESULTS = "data/results"
#: Every entry of the zip has this time, so that the same files give the same zip.
FIXED_TIME = (2020, 1, 1, 0, 0, 0)


def versions(root: Path) -> dict[str, str]:
    """Return the version that each place states."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    places = {"pyproject.toml": project["project"]["version"]}
    citation = (root / "CITATION.cff").read_text(encoding="utf-8")
    stated = re.findall(r'(?m)^\s*version: "?([0-9.]+)"?$', citation)
    for number, text in enumerate(stated, 1):
        places[f"CITATION.cff ({number})"] = text
    return places


def check(root: Path, tag: str) -> str:
    """Return the version of a tag; end with an error where a place states another."""
    match = re.fullmatch(r"v(\d+\.\d+\.\d+)", tag)
    if match is None:
        sys.exit(f"a release has a tag like v1.0.0, got {tag!r}")
    wrong = [
        f"{place} says {text}"
        for place, text in versions(root).items()
        if text != match[1]
    ]
    if wrong:
        sys.exit(f"the tag is {tag}, but {'; '.join(wrong)}")
    return match[1]


def notes(root: Path, tag: str) -> str:
    """Return the section of the changelog on a version.

    Ends with an error where there is none or it is empty.
    """
    version = check(root, tag)
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = re.compile(rf"\[?v?{re.escape(version)}\]?(?:\s|$)")
    sections = re.split(r"(?m)^## ", text)[1:]
    own = [section for section in sections if heading.match(section)]
    body = ""
    if len(own) == 1:
        body = own[0].partition("\n")[2]
        body = re.sub(r"(?m)^\[[^\]]+\]: .*\n?", "", body).strip()
    if not body:
        sys.exit(
            f"CHANGELOG.md must have one section on version {version} that says "
            f"something; it has {len(own)}"
        )
    return body + "\n"


def _load_zips() -> ModuleType:
    """Load the module that writes zips by its path, since no package is installed."""
    path = ROOT / "src" / "companion" / "zips.py"
    spec = importlib.util.spec_from_file_location("zips", path)
    if spec is None or spec.loader is None:
        sys.exit(f"{path} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pack(folder: Path, target: Path) -> None:
    """Write a folder as a zip in which nothing depends on the machine or the hour."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    entries = [
        (f"{target.stem}/{path.relative_to(folder).as_posix()}", path.read_bytes())
        for path in files
    ]
    _load_zips().write_entries(target, entries, FIXED_TIME)


def uncommitted(root: Path) -> list[str]:
    """Return the figures of the build that were not made from committed files.

    What was noted as they were made says so.
    """
    names = []
    for path in sorted((root / "_build" / "stage" / "figures").glob("*/*.json")):
        commit = json.loads(path.read_text(encoding="utf-8")).get("commit") or {}
        if not commit.get("id") or commit.get("modified") is not False:
            names.append(path.stem)
    return names


def _sources(root: Path, name: str) -> dict[str, Path]:
    """Return what the build makes for a release; end with an error that names gaps."""
    sources = {
        file.format(name=name): root / place.format(name=name)
        for file, place in MADE.items()
    }
    missing = [
        path.relative_to(root).as_posix()
        for path in sources.values()
        if not path.is_file()
    ]
    if missing:
        sys.exit(
            f"not there: {', '.join(missing)}; run make book, make pdf, make note, "
            "make archive and python -m companion crate"
        )
    return sources


def assets(root: Path, tag: str) -> str:
    """Fill `_build/release` with the files of the release and SHA256SUMS.

    All or nothing; returns the sums. Ends with an error that names what the build has
    not made, or the figures that were made from uncommitted changes.
    """
    if stale := uncommitted(root):
        sys.exit(
            f"made from uncommitted changes: {', '.join(stale)}; "
            "commit, run make clean and make book"
        )
    name = f"mollified-{check(root, tag)}"
    sources = _sources(root, name)
    draft = root / "_build" / "release.new"
    target = root / "_build" / "release"
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    for file, path in sources.items():
        shutil.copyfile(path, draft / file)
    pack(root / RESULTS, draft / f"{name}-results.zip")
    sums = "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(draft.iterdir())
    )
    (draft / "SHA256SUMS").write_text(sums, encoding="utf-8", newline="\n")
    shutil.rmtree(target, ignore_errors=True)
    draft.replace(target)
    return sums


def main(arguments: list[str]) -> None:
    """Run one command and print what it returns."""
    commands: dict[str, Callable[[Path, str], str]] = {
        "check": check,
        "notes": notes,
        "assets": assets,
    }
    if len(arguments) != 2 or arguments[0] not in commands:
        sys.exit(f"usage: python tools/release.py {'|'.join(commands)} TAG")
    print(commands[arguments[0]](ROOT, arguments[1]).rstrip("\n"))


if __name__ == "__main__":
    main(sys.argv[1:])
