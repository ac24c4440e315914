"""The tables that scripts read, and the links of words to the glossary, on a small book."""

import json
import re

import pytest

from companion.site.computed import Claims
from companion.site.finding import claim_preview, table_of_numbers
from tests.companion.test_sphinx_ext import CLAIMS, claim, make_book, sphinx, write

SOURCES = {
    "v1": {"short": "version 1", "authors": ["Ann First", "Bob Both"], "venue": "preprint"},
    "v3": {"short": "version 3", "authors": ["Bob Both"], "venue": "A Conference (ABC)"},
    "notes": {"short": "the notes", "authors": ["Anonymous Authors"], "venue": None},
}
GLOSSARY = """# Glossary

```{glossary}
Ring
  Eight spots, $n=8$, see {term}`Spot`. [One](../notebooks/one.md)

Noise, $Z$
  What is added.

Spot
  A bump.
```
"""
TEXT = """# Other ring

A ring, two rings, white noise in a [ring](one.ipynb), string and noise-free.

```{claim-card} MBDE-L9
```
"""
WORDS = """
search: {notebooks/other: [wheel]}
plain: []
"""


def test_numbers_of_a_text_are_named_by_its_id_its_authors_its_place_and_its_claims():
    claims = [
        claim(
            "MBDE-T5", "false", places=[{"source": "v1", "at": "Theorem 5"}, {"source": "v3", "at": "(7), after (8)"}]
        )
    ]
    table = table_of_numbers(Claims({"claims": claims, "scoreboard": {}, "sources": SOURCES}))
    v1, v3, notes = table["texts"]
    assert v1["words"] == ["v1", "mbde", "first", "both"]
    assert v3["words"] == ["v3", "both", "abc"]
    assert notes == {"title": "the notes", "words": ["notes"], "rows": []}
    assert v1["rows"] == [["theorem", "5", "Theorem 5", ["MBDE-T5"]]]
    assert v3["rows"] == [["equation", "7", "(7)", ["MBDE-T5"]]], "(8) is near, not there"
    assert table["claims"] == {"MBDE-T5": ["Title of MBDE-T5", "✗ false as printed"]}


def test_preview_of_a_claim_has_its_verdict_its_formulas_and_its_places():
    one = claim("A-1", "false", corrected=True, statement="If $a<b$ then\n\n$$\na^2\n$$", title="Less & more")
    text = claim_preview(Claims({"claims": [one], "scoreboard": {}, "sources": SOURCES}), one)
    assert "<strong>A-1</strong> Less &amp; more" in text
    assert '<span class="mf-badge mf-false">✗ false as printed, corrected</span>' in text
    assert r'<span class="math">\(a&lt;b\)</span> then <span class="math">\[ a^2 \]</span>' in text
    assert "version 1: Lemma 9; version 3: Lemma 3" in text


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    root = make_book(tmp_path_factory.mktemp("book"))
    write(root / "book/glossary.md", GLOSSARY)
    write(root / "notebooks/other.md", TEXT)
    write(root / "book/words.yml", WORDS)
    index = root / "index.md"
    write(
        index,
        index.read_text(encoding="utf-8").replace("book/ledger\n", "book/ledger\nbook/glossary\nnotebooks/other\n"),
    )
    status, log = sphinx(root, "html", "-W", "--keep-going")
    assert status == 0, log
    return root


def table(book, name, variable):
    text = (book / f"_out/html/_static/{name}").read_text(encoding="utf-8")
    return json.loads(text.removeprefix(f"window.{variable} = ").removesuffix(";\n"))


@pytest.mark.slow
def test_a_word_is_a_link_where_a_page_says_it_first(book):
    text = (book / "_out/html/notebooks/other.html").read_text(encoding="utf-8")
    links = re.findall(r'<a [^>]*href="([^"]*#term-[^"]*)"[^>]*><span class="mf-word">([^<]*)<', text)
    assert [word for _, word in links] == ["ring", "noise"]
    assert links[0][0] == "../book/glossary.html#term-Ring"
    assert "mf-word" not in (book / "_out/html/book/glossary.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_scripts_know_numbers_words_and_previews(book):
    numbers, previews = (
        table(book, "numbers-table.js", "mfNumbers.table"),
        table(book, "preview-texts.js", "mfPreviews"),
    )
    assert set(numbers["claims"]) == {entry["id"] for entry in CLAIMS}
    search = numbers["words"]
    assert search["notebooks/other"] == ["wheel"]
    assert search["notebooks/one"] == ["Ring"]
    assert search["book/glossary#term-Ring"] == ["Ring"]
    assert set(previews) == {*numbers["claims"], "term-Ring", "term-Noise-Z", "term-Spot"}
    assert previews["term-Ring"].startswith("<p><strong>Ring</strong></p><p>Eight spots")
    assert "<a" not in "".join(previews.values())
    assert "One" not in previews["term-Ring"], "the link to the page is left out"


@pytest.mark.slow
def test_words_of_a_page_that_is_not_there_are_reported(book):
    write(book / "book/words.yml", WORDS.replace("notebooks/other", "notebooks/nowhere"))
    try:
        _, log = sphinx(book, "html", "-E")
    finally:
        write(book / "book/words.yml", WORDS)
    assert "book/words.yml: no such page: notebooks/nowhere" in log
