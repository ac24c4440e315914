"""The RO-Crate of a release: what it holds, what it says of it, and that a damaged one
is found.
"""

import json
import re
import zipfile

import pytest
from rocrate.rocrate import ROCrate

from companion.archive import NAME
from companion.cli import main
from companion.figures import SUFFIXES
from companion.paths import CompanionError, Layout
from companion.publish.crate import METADATA, write_crate
from tests.companion.sums import check_sums
from tests.companion.toy import make_book, write

LICENCES = [
    f"https://spdx.org/licenses/{name}" for name in ("BSD-3-Clause", "CC-BY-4.0")
]
MAKERS = {"@type": "Organization", "name": "The toy makers"}
ABOUT = {
    "name": "toy: a book",
    "description": "A toy.",
    "version": "1.2.3",
    "datePublished": "2026-01-02",
    "author": [MAKERS],
    "license": LICENCES,
    "keywords": ["toys"],
    "referencePublication": [
        {
            "@type": "ScholarlyArticle",
            "name": "A paper",
            "@id": "https://example.org/paper",
            "author": [{"@type": "Person", "givenName": "No", "familyName": "Body"}],
        },
    ],
}


@pytest.fixture
def book(tmp_path, monkeypatch):
    """A toy book as a build leaves it."""
    monkeypatch.delenv("COMPANION_ROOT", raising=False)
    layout = Layout(make_book(tmp_path))
    write(tmp_path, "codemeta.json", json.dumps(ABOUT))
    for page in layout.pages():
        write(tmp_path, f"_build/stage/notebooks/{page}.ipynb", "{}")
    for suffix in SUFFIXES:
        write(
            tmp_path, f"_build/stage/figures/apples/growth{suffix}", f"growth {suffix}"
        )
    write(tmp_path, "_build/stage/claims.json", "{}")
    write(tmp_path, "_build/html/index.html", "<h1>A toy</h1>")
    write(tmp_path, "src/toy/__pycache__/toy.pyc", "no source")
    return layout


def unpacked(layout, folder):
    with zipfile.ZipFile(write_crate(layout)[0]) as archive:
        archive.extractall(folder)
    return folder


def faults(folder):
    """Return what is wrong with an unpacked crate, as its sums say and as rocrate reads
    it back.

    Every file that is described must be there, every file that is there and not part of
    the site must be described, and whatever an entity refers to must be an entity too.
    """
    crate = ROCrate(folder)
    messages = check_sums(folder)
    known = {entity.id: entity for entity in crate.get_entities()}
    named = set(
        re.findall(r'"@id": "(.*?)"', (folder / METADATA).read_text(encoding="utf-8"))
    )
    messages += [
        f"{name} is not described"
        for name in sorted(named - known.keys() - {crate.metadata.profile})
    ]
    described = {name for name, entity in known.items() if entity.type == "File"}
    there = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file()
    } - {METADATA, NAME}
    there = {name for name in there if not name.startswith("site/")}
    return messages + [
        f"{name} is described or there, and not both"
        for name in sorted(there ^ described)
    ]


def test_crate_holds_the_release_and_describes_all_of_it(book, tmp_path):
    folder = unpacked(book, tmp_path / "out")
    assert faults(folder) == []
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
    wanted = {
        "notebooks/apples.md",
        "executed/apples.ipynb",
        "claims.json",
        "data/claims.yml",
        "site/index.html",
    }
    assert wanted | {f"figures/apples/growth{suffix}" for suffix in SUFFIXES} <= names
    assert "src/toy/__pycache__" not in names
    root = ROCrate(folder).root_dataset
    release = (root["name"], root["version"], root["datePublished"])
    assert release == ("toy: a book, version 1.2.3", "1.2.3", "2026-01-02")
    assert [item.id for item in root["license"]] == LICENCES
    assert [author["name"] for author in root["author"]] == ["The toy makers"]
    (text,) = root["about"]
    assert (text.id, [author["name"] for author in text["author"]]) == (
        "https://example.org/paper",
        ["No Body"],
    )


def test_a_file_that_no_one_listed_or_described_is_found(book, tmp_path):
    folder = unpacked(book, tmp_path / "out")
    (folder / "data/more.csv").write_text("a\n")
    assert faults(folder) == [
        "not listed: data/more.csv",
        "data/more.csv is described or there, and not both",
    ]


@pytest.mark.parametrize(
    "name",
    [
        "html/index.html",
        "stage/claims.json",
        "stage/notebooks/pears.ipynb",
        "stage/figures/apples/growth.svg",
    ],
)
def test_two_crates_have_the_same_bytes_and_a_book_that_is_not_built_makes_none(
    book, name
):
    path, _ = write_crate(book)
    before = path.read_bytes()
    assert check_sums(path.parent) == []
    assert main(["--root", str(book.root), "crate"]) == 0
    assert path.read_bytes() == before
    (book.build / name).unlink()
    with pytest.raises(
        CompanionError, match=f"not built: .*{re.escape(name.rpartition('/')[2])}"
    ):
        write_crate(book)
    assert path.read_bytes() == before, "the old one stays"
