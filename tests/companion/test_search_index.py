"""The tables that scripts read: numbers, previews, and the words of the search."""

import pytest

from companion.site import template_directives as generated
from companion.site.ledger_view import Claims
from companion.site.search_index import claim_preview, table_of_numbers
from tests.companion.test_sphinx_ext import claim
from tests.repository import ROOT, yaml_of
from tests.site_checks import toc_pages

SOURCES = {
    "v1": {
        "short": "version 1",
        "authors": ["Ann First", "Bob Both"],
        "venue": "preprint",
    },
    "v3": {
        "short": "version 3",
        "authors": ["Bob Both"],
        "venue": "A Conference (ABC)",
    },
    "notes": {"short": "the notes", "authors": ["Anonymous Authors"], "venue": None},
}


def test_numbers_of_a_text_are_named_by_its_id_its_authors_its_place_and_its_claims():
    places = [
        {"source": "v1", "at": "Theorem 5"},
        {"source": "v3", "at": "(7), after (8)"},
    ]
    one = claim("MBDE-T5", "false", places=places)
    table = table_of_numbers(
        Claims({"claims": [one], "scoreboard": {}, "sources": SOURCES})
    )
    v1, v3, notes = table["texts"]
    assert v1["words"] == ["v1", "mbde", "first", "both"]
    assert v3["words"] == ["v3", "both", "abc"]
    assert notes == {"title": "the notes", "words": ["notes"], "rows": []}
    assert v1["rows"] == [["theorem", "5", "Theorem 5", ["MBDE-T5"]]]
    assert v3["rows"] == [["equation", "7", "(7)", ["MBDE-T5"]]], (
        "(8) is near, not there"
    )
    assert table["claims"] == {"MBDE-T5": ["Title of MBDE-T5", "✗ false as printed"]}


@pytest.mark.parametrize(
    ("template", "given", "seen"),
    [
        ("ledger", {}, "mf-grade-sizes mf-kind-lemma"),
        ("ledger", {}, "✓ holds, proved for 2 and 3 points by z3 5.4.1"),
        (
            "scoreboard",
            {},
            "[1 is proved for small sizes](mf:filter:holds&grade=sizes)",
        ),
        (
            "scoreboard",
            {"compact": True},
            "[1 is proved for small sizes](mf:filter:holds&grade=sizes)",
        ),
    ],
)
def test_a_proof_for_small_sizes_is_seen_in_the_ledger_and_on_the_scoreboard(
    template, given, seen
):
    one = claim("A-1", "holds", grade="sizes", sizes="2 and 3 points by z3 5.4.1")
    claims = Claims({"claims": [one], "scoreboard": {"holds": 1}, "sources": SOURCES})
    page = generated.MYST_TEMPLATES.get_template(f"{template}.md.j2")
    text = page.render(claims=claims, notices={}, in_html=True, **given)
    assert seen in text.replace("\\", "")


def test_preview_of_a_claim_has_its_verdict_its_formulas_and_its_places():
    one = claim(
        "A-1",
        "false",
        corrected=True,
        statement="If $a<b$ then\n\n$$\na^2\n$$",
        title="Less & more",
    )
    text = claim_preview(
        Claims({"claims": [one], "scoreboard": {}, "sources": SOURCES}), one
    )
    assert "<strong>A-1</strong> Less &amp; more" in text
    assert (
        '<span class="mf-badge mf-false">✗ false as printed, corrected</span>' in text
    )
    assert (
        r'<span class="math">\(a&lt;b\)</span> then <span class="math">\[ a^2 \]</span>'
        in text
    )
    assert "version 1: Lemma 9; version 3: Lemma 3" in text


def test_words_of_the_search_are_those_of_pages():
    entries = yaml_of("book/words.yml")
    assert set(entries) == {"search", "plain"}
    assert set(entries["search"]) <= set(toc_pages(ROOT / "_toc.yml"))
