"""How a page is cited: BibTeX that a parser reads back, and text; for every claim of
the ledger.
"""

import re

import pytest
from pybtex.database import parse_string
from pybtex.exceptions import PybtexError
from pybtex.style.formatting.plain import Style

from companion.citing.citation import (
    Cited,
    bibtex,
    entries,
    escape,
    load_papers,
    plain,
)
from companion.citing.publication import Publication
from tests.repository import ROOT, yaml_of

BOOK = Publication(
    "Private sampling, rebuilt",
    ("The authors & co", "Ada von L"),
    2026,
    "1.2.3",
    "ab" * 20,
)
ONLINE = Publication(
    BOOK.title,
    BOOK.authors,
    2026,
    "1.2.3",
    None,
    "https://example.org/book",
    "https://example.org",
    "The press",
)
PAPERS = load_papers(ROOT / "book/references.bib", BOOK.title)
CLAIMS = yaml_of("data/claims.yml")
#: The book itself, the source of its own results, is cited as in CITATION.cff.
SOURCES = {item["id"]: item for item in yaml_of("data/sources.yml")}

STYLE = Style()
NASTY = (
    '100% of {x}_1 & #2 ~ \\alpha^2 "é" < > | $\\mathcal{M}_\\varepsilon$ ε δ – “ß” }'
)


def cited(claim):
    printed = tuple(
        (SOURCES[place["source"]]["bibtex"], place["at"])
        for place in claim["places"]
        if place["source"] != "frontier"
    )
    return Cited(
        f"mollified-{claim['id']}",
        f"{claim['id']}: {claim['title']}",
        f"claims/{claim['id']}",
        printed,
    )


def faults(text):
    """Return what a parser, a style or TeX would stumble over."""
    try:
        parsed = parse_string(text, bib_format="bibtex")
        for label, entry in enumerate(parsed.entries.values()):
            STYLE.format_entry(str(label), entry)
    except (PybtexError, ValueError, KeyError) as error:
        return [repr(error)]
    broken = []
    for entry in parsed.entries.values():
        for name, value in entry.fields.items():
            outside = re.sub(r"\$[^$]*\$", "", value)
            if name != "url" and re.search(
                r"(?<!\\)[$%&#_^~<>|\"]|\\(?![a-zA-Z$%&#_'\"`^{])|[^\x00-\x7f]", outside
            ):
                broken.append(f"{name}: {value}")
    return broken


def test_entries_of_all_claims_and_the_papers_are_one_file_that_is_read_back():
    """In one file, as a reader has them who cites several: a key that is there twice is
    a fault.
    """
    blocks = [bibtex(BOOK, cited(claim), PAPERS) for claim in CLAIMS]
    papers = "\n".join(entries(PAPERS))
    whole = "\n".join([*blocks, papers])
    assert faults(whole) == []
    assert "repeated" in faults(f"{whole}\n{papers}")[0], "the control"
    read_back = parse_string(whole, bib_format="bibtex").entries
    names = [f"mollified-{claim['id']}" for claim in CLAIMS]
    assert [*read_back] == [*names, *PAPERS]
    for name, claim in zip(names, CLAIMS, strict=True):
        note = read_back[name].fields["note"]
        assert claim["id"] in read_back[name].fields["title"]
        assert note.lower().endswith("version 1.2.3, commit abababababab")
        assert all(
            PAPERS[key].fields["title"] in note for key, _ in cited(claim).printed[:1]
        )
        assert "url" not in read_back[name].fields
    assert len(names) == len({name.lower() for name in names}) > 500


def test_each_text_of_the_ledger_is_in_the_bibliography_with_its_title_and_authors():
    for source in (item for item in SOURCES.values() if item["id"] != "frontier"):
        paper = PAPERS[source["bibtex"]]
        assert (
            paper.fields["title"].lower() == source["title"].replace("&", "and").lower()
        )
        assert [
            author
            for author in source["authors"]
            if author.lower() not in paper.text.lower()
        ] == []


def test_an_address_is_given_only_where_there_is_a_site():
    page = Cited("mollified-x", "A title", "claims/x")
    assert "url" not in bibtex(BOOK, page, PAPERS)
    assert "http" not in plain(BOOK, page, PAPERS)
    entry = parse_string(bibtex(ONLINE, page, PAPERS), bib_format="bibtex").entries[
        "mollified-x"
    ]
    assert entry.fields["url"] == "https://example.org/claims/x.html"
    assert entry.fields["note"] == "Version 1.2.3"
    assert entry.fields["publisher"] == "{The press}"
    text = plain(ONLINE, page, PAPERS)
    assert text.endswith(
        "Version 1.2.3. https://example.org/book, v1.2.3. "
        "https://example.org/claims/x.html\n"
    )


def test_the_book_as_a_whole_is_a_book_and_a_paper_that_is_not_known_an_error():
    with pytest.raises(KeyError, match="nobody2000"):
        bibtex(
            BOOK,
            Cited("mollified-x", "A title", "x", [("nobody2000", "Lemma 1")]),
            PAPERS,
        )
    entry = parse_string(
        bibtex(BOOK, Cited("mollified", BOOK.title, "index"), PAPERS),
        bib_format="bibtex",
    ).entries
    assert entry["mollified"].type == "book"
    assert "booktitle" not in entry["mollified"].fields
    assert [str(person) for person in entry["mollified"].persons["author"]] == [
        r"{The authors \& co}",
        "{Ada von L}",
    ]


def test_what_tex_reads_in_its_own_way_is_escaped_and_formulas_are_kept():
    text = bibtex(BOOK, Cited("mollified-x", NASTY, "x"), PAPERS)
    assert faults(text) == []
    assert r"$\mathcal{M}_\varepsilon$ $\varepsilon$ $\delta$ -- ``{\ss}''" in text
    assert escape("a & b_1") == r"a \& b\_1"
    assert escape("é, 5 %") == r"{\'e}, 5 \%"
    text = bibtex(
        BOOK, Cited("mollified-x", "A title", "x"), PAPERS
    )  # the control: what is put in as it is
    assert [
        letter
        for letter in '{}%&#_^~<>|"é\\'
        if faults(text.replace("A title", f"A {letter} title")) == []
    ] == []
