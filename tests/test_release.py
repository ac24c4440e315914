"""A release says the same everywhere: README, versions, citation files, licences,
changelog.
"""

import importlib.metadata
import json
import os
import re
import subprocess
import zipfile

import pandas as pd
import pytest
from pybtex.database import parse_string

import companion
import mollified
from tests.companion.sums import check_sums
from tests.repository import PROJECT, ROOT, load_tool, program, text_of, yaml_of

README = text_of("README.md")
METADATA = load_tool("metadata")
RELEASE = load_tool("release")


def test_readme_is_one_screen():
    assert len(README.splitlines()) <= 50
    assert max(map(len, re.sub(r"<img [^>]*>", "", README).splitlines())) <= 150


def test_bibtex_is_that_of_the_citation_file():
    citation = yaml_of("CITATION.cff")
    book = citation["preferred-citation"]
    (text,) = re.findall(r"```bibtex\n(.*?)```", README, flags=re.DOTALL)
    (entry,) = parse_string(text, "bibtex").entries.values()
    assert entry.type == book["type"]
    assert [str(person) for person in entry.persons["author"]] == [
        f"{{{item['name']}}}" for item in book["authors"]
    ]
    wanted = {
        "title": book["title"],
        "year": str(book["year"]),
        "version": str(citation["version"]),
    }
    assert dict(entry.fields) == {**wanted, "publisher": book["publisher"]["name"]}


def test_files_that_are_named_are_there():
    named = re.findall(
        r"\]\(([^)#:]+)\)|(?:src|srcset)=\"([^\":]+)\"|^\| `([^|]+)` \|",
        README,
        flags=re.MULTILINE,
    )
    paths = [
        part.strip("`, ")
        for groups in named
        for text in groups
        if text
        for part in text.split("`, `")
    ]
    assert {"LICENSE", "book/pictures/readme.dark.svg", "notebooks"} <= {
        path.strip("/") for path in paths
    }
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_text_for_the_picture_names_the_number_that_the_data_give():
    table = pd.read_csv(ROOT / "data/results/figures/quick/records-allowed.csv")
    at = table[table["k"] == 100].set_index("bound")["m"]
    numbers = re.findall(r"\d[\d,]{2,}", re.search(r'alt="([^"]*)"', README)[1])
    assert numbers == [f"{at['exact'] / at['printed']:,.0f}"]


# Versions and citation files


def test_versions_and_days_agree_everywhere():
    citation = yaml_of("CITATION.cff")
    version = PROJECT["version"]
    day = str(citation["date-released"])
    installed = {
        importlib.metadata.version("mollified"),
        companion.__version__,
        mollified.__version__,
    }
    assert installed == {version}, "another version is installed: run `make env`"
    assert RELEASE.check(ROOT, f"v{version}") == version
    newest = re.search(
        r"(?m)^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$", text_of("CHANGELOG.md")
    )
    assert newest.groups() == (version, day)
    assert day.startswith(str(citation["preferred-citation"]["year"]))


def test_metadata_are_as_the_tool_writes_them():
    assert {
        name: text_of(name) for name in ("codemeta.json", ".zenodo.json")
    } == METADATA.written(ROOT)


def test_no_identifier_is_made_up():
    known = {
        "https://w3id.org/codemeta/3.0",
        *(item["url"] for item in yaml_of("data/sources.yml")),
    }
    known |= {
        f"https://spdx.org/licenses/{name}" for name in ("BSD-3-Clause", "CC-BY-4.0")
    }
    for name in ("CITATION.cff", "codemeta.json", ".zenodo.json"):
        assert set(re.findall(r"https?://[^\s\"'>,]+", text_of(name))) <= known, name
        assert not re.search(
            r"orcid|\bdoi\b|10\.\d{4,}/", text_of(name), re.IGNORECASE
        ), name


# Licences


@pytest.mark.slow
def test_every_file_has_a_licence():
    environment = {
        **os.environ,
        "REUSE_ENCODING_MODULE": "charset_normalizer",
    }  # else it asks for a system library
    command = [program("reuse"), "lint", "--json"]
    answer = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    report = json.loads(answer.stdout)
    assert answer.returncode == 0, {
        key: value for key, value in report["non_compliant"].items() if value
    }
    assert set(report["summary"]["used_licenses"]) == {
        path.stem for path in (ROOT / "LICENSES").iterdir()
    }
    assert len(report["files"]) > 500


def test_the_licence_of_the_data_is_the_one_that_their_source_states():
    from statsmodels.datasets import randhie

    text = text_of("LICENSES/LicenseRef-PublicDomain-RAND-HIE.txt")
    assert randhie.COPYRIGHT in text


# What a tag makes

NAME = "mollified-1.2.3"
RUN = "_build/stage/figures/kl-drop/drop-run.json"


@pytest.fixture
def book(tmp_path):
    """A book at version 1.2.3 with what a build makes."""
    sections = [
        "# Changelog",
        "## [Unreleased]",
        "## [1.2.3] - 2026-01-02",
        "### Added",
        "- It.",
        "## 1.2.2",
        "Old.",
    ]
    files = {
        "pyproject.toml": '[project]\nversion = "1.2.3"\n',
        "CITATION.cff": "version: 1.2.3\npreferred-citation:\n  version: 1.2.3\n",
        "CHANGELOG.md": "\n\n".join(sections) + "\n",
        "data/results/figures/a.csv": "x\n1\n",
        "data/results/manifest.json": "{}",
        RUN: '{"commit": {"id": "ab", "modified": false}}',
        **{place.format(name=NAME): place for place in RELEASE.MADE.values()},
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def released(book, tag="v1.2.3"):
    return RELEASE.notes(book, tag), RELEASE.assets(book, tag)


@pytest.mark.parametrize("tag", ["v1.2.4", "1.2.3", "v1.2", "v1.2.3-rc1", ""])
def test_a_wrong_tag_is_refused(book, tag):
    with pytest.raises(
        SystemExit, match=r"the tag is v1\.2\.4, but pyproject|a release has a tag like"
    ):
        released(book, tag)


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "CITATION.cff",
            "  version: 1.2.3",
            "  version: 1.2.2",
            r"v1\.2\.3, but CITATION\.cff \(2\) says 1\.2\.2",
        ),
        ("CHANGELOG.md", "[1.2.3]", "[1.2.0]", "must have one section"),
        ("CHANGELOG.md", "### Added\n\n- It.\n", "", "must have one section"),
        ("CHANGELOG.md", "1.2.2", "1.2.3", "must have one section"),
        (RUN, "false", "true", "uncommitted changes: drop-run;"),
        (
            RUN,
            '{"id": "ab", "modified": false}',
            "null",
            "uncommitted changes: drop-run;",
        ),
        *[
            (place.format(name=NAME), None, None, "not there")
            for place in RELEASE.MADE.values()
        ],
    ],
)
def test_a_release_is_refused_where_a_file_is_missing_or_does_not_agree(
    book, name, old, new, fault
):
    released(book)
    path = book / name
    if old is None:
        path.unlink()
    else:
        path.write_text(
            path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8"
        )
    with pytest.raises(SystemExit, match=fault):
        released(book)
    assert check_sums(book / "_build/release") == [], "the old release stays"


def test_assets_are_complete_with_sums_that_agree_and_the_same_each_time(book):
    notes, sums = released(book)
    assert notes == "### Added\n\n- It.\n"
    folder = book / "_build/release"
    names = {name.format(name=NAME) for name in RELEASE.MADE}
    assert {path.name for path in folder.iterdir()} == names | {
        f"{NAME}-results.zip",
        "SHA256SUMS",
    }
    assert check_sums(folder) == []
    with zipfile.ZipFile(folder / f"{NAME}-results.zip") as packed:
        assert packed.namelist() == [
            f"{NAME}-results/figures/a.csv",
            f"{NAME}-results/manifest.json",
        ]
    os.utime(book / "data/results/manifest.json", (1, 1))
    assert (
        released(book)[1] == sums == (folder / "SHA256SUMS").read_text(encoding="utf-8")
    )
