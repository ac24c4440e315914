"""The README says in one screen what is true: commands, picture, citation, files."""

import re

import pandas as pd
from pybtex.database import parse_string

from tests.repository import ROOT, text_of, yaml_of

TEXT = text_of("README.md")
LINES = 50


def test_readme_is_one_screen():
    assert len(TEXT.splitlines()) <= LINES
    assert max(map(len, re.sub(r"<img [^>]*>", "", TEXT).splitlines())) <= 150


def test_bibtex_is_that_of_the_citation_file():
    citation = yaml_of("CITATION.cff")
    book = citation["preferred-citation"]
    (text,) = re.findall(r"```bibtex\n(.*?)```", TEXT, flags=re.S)
    (entry,) = parse_string(text, "bibtex").entries.values()
    assert entry.type == book["type"]
    assert [str(person) for person in entry.persons["author"]] == [f"{{{item['name']}}}" for item in book["authors"]]
    wanted = {"title": book["title"], "year": book["year"], "version": citation["version"]}
    assert dict(entry.fields) == {name: str(value) for name, value in wanted.items()} | {
        "publisher": book["publisher"]["name"]
    }


def test_files_that_are_named_are_there():
    named = re.findall(r"\]\(([^)#:]+)\)|(?:src|srcset)=\"([^\":]+)\"|^\| `([^|]+)` \|", TEXT, flags=re.M)
    paths = [part.strip("`, ") for groups in named for text in groups if text for part in text.split("`, `")]
    assert {"LICENSE", "book/pictures/readme.dark.svg", "notebooks"} <= {path.strip("/") for path in paths}
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_text_for_the_picture_names_the_number_that_the_data_give():
    table = pd.read_csv(ROOT / "data/results/figures/quick/records-allowed.csv")
    at = table[table["k"] == 100].set_index("bound")["m"]
    numbers = re.findall(r"\d[\d,]{2,}", re.search(r'alt="([^"]*)"', TEXT)[1])
    assert numbers == [f"{at['exact'] / at['printed']:,.0f}"]
