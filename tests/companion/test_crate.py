"""The RO-Crate of a release: what it holds, what it says of it, and that a damaged one is found."""

import hashlib
import shutil
import zipfile
from pathlib import Path

import pytest
from rocrate.rocrate import ROCrate

from companion.cli import main
from companion.paths import CompanionError, Layout
from companion.publish.crate import METADATA, Licences, list_files, write_crate
from companion.run.figures import SUFFIXES
from companion.run.provenance import sha256_of
from tests.companion.toy import make_book, replace, write

CITATION = """
    cff-version: 1.2.0
    title: "toy: a book"
    abstract: A toy.
    version: 1.2.3
    date-released: 2026-01-02
    authors: [{name: The toy makers}]
    license: [BSD-3-Clause, CC-BY-4.0]
    keywords: [toys]
    preferred-citation:
      type: book
      title: A toy
      authors: [{name: The toy makers}]
      year: 2026
      version: 1.2.3
    references:
      - type: article
        title: A paper
        authors: [{family-names: Body, given-names: No}]
        year: 2020
    """
RULES = """
    version = 1
    [[annotations]]
    path = ["src/**", "REUSE.toml", "_config.yml", "_toc.yml"]
    SPDX-FileCopyrightText = "2026 The toy makers"
    SPDX-License-Identifier = "BSD-3-Clause"
    [[annotations]]
    path = ["book/*.md", "data/**", "CITATION.cff"]
    SPDX-FileCopyrightText = "2026 The toy makers"
    SPDX-License-Identifier = "CC-BY-4.0"
    [[annotations]]
    path = "notebooks/**"
    SPDX-FileCopyrightText = "2026 The toy makers"
    SPDX-License-Identifier = "BSD-3-Clause AND CC-BY-4.0"
    """


@pytest.fixture
def book(tmp_path, monkeypatch):
    """A toy book as a build leaves it."""
    monkeypatch.delenv("COMPANION_ROOT", raising=False)
    layout = Layout(make_book(tmp_path))
    for name, text in {"CITATION.cff": CITATION, "REUSE.toml": RULES}.items():
        write(tmp_path, name, text)
    for page in layout.pages():
        write(tmp_path, f"_build/stage/notebooks/{page}.ipynb", "{}")
    for suffix in SUFFIXES:
        write(tmp_path, f"_build/stage/figures/apples/growth{suffix}", f"growth {suffix}")
    write(tmp_path, "_build/stage/claims.json", "{}")
    write(tmp_path, "_build/html/index.html", "<h1>A toy</h1>")
    write(tmp_path, "_build/html/_static/a.css", "body {}")
    return layout


def unpacked(layout: Layout, folder: Path) -> Path:
    made = write_crate(layout)
    with zipfile.ZipFile(made.archive) as archive:
        archive.extractall(folder)
    return folder


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
        path = folder / entity.id
        if entity.type == "File" and entity.id != METADATA:
            described.add(entity.id)
            if not path.is_file():
                faults.append(f"{entity.id} is described and not there")
            elif (str(path.stat().st_size), sha256_of(path)) != (entity["contentSize"], entity["sha256"]):
                faults.append(f"{entity.id} is not the file that is described")
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    strangers = sorted(name for name in there - described if not name.startswith("site/"))
    return faults + [f"{name} is there and not described" for name in strangers]


def test_crate_holds_the_release_and_describes_all_of_it(book, tmp_path):
    folder = unpacked(book, tmp_path / "out")
    assert crate_faults(folder) == []
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    wanted = {"notebooks/apples.md", "executed/apples.ipynb", "claims.json", "data/claims.yml", "site/index.html"}
    wanted |= {f"figures/apples/growth{suffix}" for suffix in SUFFIXES} | {"site/_static/a.css", METADATA}
    assert wanted <= names
    assert (folder / METADATA).read_text() == (book.build / "crate" / METADATA).read_text()


def test_crate_can_be_read_back_with_authors_and_licences(book, tmp_path):
    crate = ROCrate(unpacked(book, tmp_path / "out"))
    root = crate.root_dataset
    assert (root["name"], root["version"], root["datePublished"]) == (
        "toy: a book, version 1.2.3",
        "1.2.3",
        "2026-01-02",
    )
    assert [item.id for item in root["license"]] == [
        f"https://spdx.org/licenses/{name}" for name in ("BSD-3-Clause", "CC-BY-4.0")
    ]
    assert [author["name"] for author in root["author"]] == ["The toy makers"]
    assert [text["name"] for text in root["about"]] == ["A paper"]
    picture = crate.dereference("figures/apples/growth.svg")
    assert picture["name"] == "Figure growth"
    assert [item.id for item in picture["license"]] == ["https://spdx.org/licenses/CC-BY-4.0"]
    assert crate.dereference("executed/apples.ipynb")["name"] == "Notebook apples, executed"


def test_a_damaged_crate_is_found(book, tmp_path):
    folder = unpacked(book, tmp_path / "out")
    (folder / "claims.json").write_text("{ }")
    (folder / "data/more.csv").write_text("a\n")
    (folder / "executed/apples.ipynb").unlink()
    assert crate_faults(folder) == [
        "executed/apples.ipynb is described and not there",
        "claims.json is not the file that is described",
        "data/more.csv is there and not described",
    ]


def test_two_crates_of_one_book_have_the_same_bytes(book):
    first = write_crate(book).archive.read_bytes()
    for path in book.stage.rglob("*.csv"):
        path.touch()
    assert write_crate(book).archive.read_bytes() == first
    sums = (book.build / "crate" / "mollified-1.2.3-ro-crate.zip.sha256").read_text()
    assert sums == f"{hashlib.sha256(first).hexdigest()}  mollified-1.2.3-ro-crate.zip\n"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("html/index.html", "no built book"),
        ("stage/claims.json", "no built book"),
        ("stage/notebooks/pears.ipynb", "not executed yet: pears"),
        ("stage/figures/apples/growth.pdf", r"figure growth has no \.pdf"),
    ],
)
def test_a_book_that_is_not_built_makes_no_crate(book, name, message):
    before = write_crate(book).archive.read_bytes()
    (book.build / name).unlink()
    with pytest.raises(CompanionError, match=message):
        write_crate(book)
    assert (book.build / "crate" / "mollified-1.2.3-ro-crate.zip").read_bytes() == before, "the old one stays"


def test_a_file_without_a_licence_makes_no_crate(book):
    write(book.root, "book/sound.wav", "la")
    with pytest.raises(CompanionError, match=r"REUSE\.toml names no licence for 'book/sound\.wav'"):
        list_files(book)
    assert Licences(book.root).of("notebooks/a.md") == ("BSD-3-Clause", "CC-BY-4.0")


def test_a_release_without_a_date_makes_no_crate(book):
    replace(book.root, "CITATION.cff", "date-released: 2026-01-02\n", "date-released: soon\n")
    with pytest.raises(CompanionError, match="must name the date of the release, got 'soon'"):
        write_crate(book)


def test_command_writes_the_crate(book, capsys):
    assert main(["--root", str(book.root), "crate"]) == 0
    assert "mollified-1.2.3-ro-crate.zip: " in capsys.readouterr().out
    shutil.rmtree(book.html)
    assert main(["--root", str(book.root), "crate"]) == 1
    assert "build it first" in capsys.readouterr().err
