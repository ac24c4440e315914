"""The README says in one screen what is true: commands, picture, citation, files."""

import re

import pandas as pd
from pybtex.database import parse_string

from tests.repository import ROOT, text_of, yaml_of

TEXT = text_of("README.md")
LINES = 50


def citation_faults(readme, citation):
    """Return in what the BibTeX of a README differs from what a CITATION.cff says of the book."""
    found = re.findall(r"```bibtex\n(.*?)```", readme, flags=re.S)
    if len(found) != 1:
        return [f"{len(found)} entries"]
    (entry,) = parse_string(found[0], "bibtex").entries.values()
    book = citation["preferred-citation"]
    wanted = {
        "title": book["title"],
        "year": str(book["year"]),
        "version": str(citation["version"]),
        "publisher": book["publisher"]["name"],
        "author": " and ".join(f"{{{author['name']}}}" for author in book["authors"]),
    }
    given = {**dict(entry.fields), "author": " and ".join(str(person) for person in entry.persons["author"])}
    faults = [f"{key}: {given.get(key)!r} is not {value!r}" for key, value in wanted.items() if given.get(key) != value]
    return faults + ([] if entry.type == book["type"] else [f"type: {entry.type}"])


def file_faults(readme):
    """Return the files that a README names, in links or pictures, and that are not there."""
    named = re.findall(r"\]\(([^)#:]+)\)|(?:src|srcset)=\"([^\":]+)\"|^\| `([^|]+)` \|", readme, flags=re.M)
    paths = [part.strip("`, ") for groups in named for text in groups if text for part in text.split("`, `")]
    return [path for path in paths if not (ROOT / path).exists()] if len(paths) > 5 else ["too few files named"]


def picture_numbers(readme):
    """Return the numbers that the text for the picture names."""
    return re.findall(r"\d[\d,]{2,}", re.search(r'alt="([^"]*)"', readme)[1])


def test_readme_is_one_screen():
    assert len(TEXT.splitlines()) <= LINES
    assert max(map(len, re.sub(r"<img [^>]*>", "", TEXT).splitlines())) <= 150


def test_bibtex_is_that_of_the_citation_file():
    citation = yaml_of("CITATION.cff")
    assert citation_faults(TEXT, citation) == []
    for field in ("title", "year", "version", "publisher", "author"):
        changed = re.sub(rf"(?m)^(  {field}\s*= \{{+)[^}}]*", r"\g<1>3", TEXT)
        assert len(citation_faults(changed, citation)) == 1, field


def test_files_that_are_named_are_there():
    assert file_faults(TEXT) == []
    assert file_faults(TEXT.replace("](LICENSE)", "](NOTICE)")) == ["NOTICE"]
    assert file_faults(TEXT.replace("readme.dark.svg", "night.svg")) == ["book/pictures/night.svg"]


def test_the_text_for_the_picture_names_the_number_that_the_data_give():
    table = pd.read_csv(ROOT / "data/results/figures/quick/records-allowed.csv")
    at = table[table["k"] == 100].set_index("bound")["m"]
    assert picture_numbers(TEXT) == [f"{at['exact'] / at['printed']:,.0f}"]
    assert picture_numbers(TEXT.replace("1,720", "1,721")) == ["1,721"]
