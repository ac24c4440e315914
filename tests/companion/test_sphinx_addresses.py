"""The pages of claims and figures, and the citation that ends every page, on a small
book made here.
"""

import html
import json
import re

import pytest
from pybtex.database import parse_string

from companion import provenance
from companion.ledger.registry import FigureSpec
from companion.site.cite_footer import PAPERS
from companion.site.permalinks import address_sources
from tests.companion.test_sphinx_ext import (
    CLAIMS,
    built,
    make_book,
    page_of,
    sphinx,
    write,
)
from tests.companion.toy import commit_all

pytestmark = pytest.mark.slow

RING = FigureSpec(id="ring", page="one", key=("x",))


def add_addresses(root):
    """Give the small book claims and figures, a citation and a bibliography."""
    ledger = json.loads((root / "claims.json").read_text(encoding="utf-8"))
    for name, key in (("v1", "first2018"), ("v3", "third2020")):
        ledger["sources"][name]["bibtex"] = key
    claims = {claim["id"]: claim for claim in ledger["claims"]}
    claims["MBDE-Y"]["counterparts"] = ["V3-T7"]
    claims["MBDE-L9"] |= {"uses": ["MBDE-T5", "MBDE-D1.b"], "stands_on": ["MBDE-D1.b"]}
    write(
        root / "book/map.md", "---\norphan: true\n---\n# Map\n\n```{claim-map}\n```\n"
    )
    write(root / "claims.json", json.dumps(ledger))
    sources = address_sources(
        ledger["claims"], {"ring": RING}, {"one": root / "notebooks/one.ipynb"}
    )
    for address, text in sources.items():
        write(root / f"{address}.md", text)
    return root


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    return built(add_addresses(make_book(tmp_path_factory.mktemp("book"))))


def codes(text):
    """Return what the two code blocks of the citation hold."""
    fold = text[text.index('<details class="mf-fold mf-cite">') :]
    return [
        html.unescape(re.sub(r"<[^>]+>", "", part))
        for part in re.findall(r"(?s)<pre>(.*?)</pre>", fold)
    ]


def test_each_claim_and_each_figure_has_a_page_with_its_name(book):
    for claim in CLAIMS:
        assert f"<h1>{claim['id']}: Title of {claim['id']}<" in page_of(
            book, f"claims/{claim['id']}"
        )
    text = page_of(book, "claims/fig-ring")
    for words in (
        "<h1>Figure ring<",
        "A ring of eight spots.",
        r"\(8\)",
        '<span class="mf-value">0.125</span>',
    ):
        assert words in text
    assert 'href="MBDE-L9.html"' in text, "a claim in the caption"
    assert 'href="../notebooks/one.html#fig-one-ring"' in text
    assert "make figure FIG=ring" in re.sub(r"<[^>]+>", "", text)
    assert 'href="../claims/fig-ring.html"' in page_of(book, "notebooks/one")


def test_page_of_a_claim_has_all_that_the_ledger_says(book):
    """What a card says too is tested there."""
    text = page_of(book, "claims/MBDE-L9")
    false = page_of(book, "claims/MBDE-T5")
    assert 'href="../notebooks/one.html#claim-mbde-l9"' in text, "the card is linked"
    assert re.search(
        (
            r"Checked on the page <a "
            r'[^>]*href="\.\./notebooks/one\.html"[^>]*><span>One</span></a>'
        ),
        false,
    )
    said = {
        "MBDE-T5": ("Corrected statement", "Counterexample (as printed)", "(1/2,"),
        "MBDE-D1.b": ("Condition that is needed",),
        "MBDE-X": (
            "⊖ not seen in our rerun",
            "What our rerun shows",
            "Worst run (rerun)",
        ),
        "MBDE-Y": ("⊕ seen in our rerun<", "rerun variant"),
        "LEC-1": ("Why it is outside",),
        "V3-T7": ("A page for it is planned: later",),
    }
    assert [
        (name, words)
        for name in said
        for words in said[name]
        if words not in page_of(book, f"claims/{name}")
    ] == []
    assert "Corrected statement" not in page_of(book, "claims/MBDE-X")


def test_page_of_a_claim_leads_to_its_line_and_to_the_claims_around_it(book):
    text = page_of(book, "claims/MBDE-T5")
    around = text[text.index("mf-around-claim") :]
    assert 'href="../book/ledger.html#claim-mbde-t5"' in around
    assert "version 1: claim 2 of 5" in around
    assert re.search(r'Before: <a [^>]*href="MBDE-L9\.html"', around)
    assert re.search(r'After: <a [^>]*href="MBDE-D1\.b\.html"', around)
    alone = page_of(book, "claims/LEC-1")
    assert "Before:" not in alone
    assert "After:" not in alone


def test_claims_that_stand_for_each_other_are_linked_both_ways(book):
    for name, other in (("MBDE-Y", "V3-T7"), ("V3-T7", "MBDE-Y")):
        assert re.search(
            rf'In another form: <a [^>]*href="{other}\.html"',
            page_of(book, f"claims/{name}"),
        )
    assert "In another form" not in page_of(book, "claims/LEC-1")


def test_map_links_claims_and_says_what_falls_and_what_stands_by_another_proof(book):
    text = page_of(book, "book/map")
    card = page_of(book, "claims/MBDE-L9")
    drawn = text[text.index("<svg") : text.index("</svg>")]
    names = ("MBDE-T5", "MBDE-L9", "MBDE-D1.b")
    assert set(re.findall(r'<a [^>]*href="([^"]+)"', drawn)) == {
        f"../claims/{name}.html" for name in names
    }
    assert drawn.count('stroke-width="2.5"') == 1, "the false one is thick"
    words = re.sub(
        r"\s+", " ", re.sub("<[^>]+>", "", text[text.index("If this is false") :])
    )
    assert re.search("MBDE-T5.*MBDE-L9.*stands by another proof", words)
    assert "True, though the printed proof rests on a false statement" in card
    assert "True, though" not in page_of(book, "claims/MBDE-T5")
    assert "Used by" in page_of(book, "claims/MBDE-D1.b")


def test_a_claim_cites_the_papers_that_state_it_and_a_figure_its_page(book):
    text, entry = codes(page_of(book, "claims/MBDE-L9"))
    assert (
        "Ann First. The first paper. 2018. v1 of “A book & more”. Place: Lemma 9."
        in text
    )
    assert "Bob Third. The third paper. 2020. Place: Lemma 3." in text
    (own,) = parse_string(entry, bib_format="bibtex").entries.values()
    assert (own.key, own.fields["note"]) == (
        "mollified-MBDE-L9",
        "Stated in ``The first paper'', Lemma 9; version 0.1.0",
    )
    assert len(codes(page_of(book, "claims/LEC-1"))[0].splitlines()) == 1, (
        "a text that the bibliography does not have"
    )
    assert "“Figure ring of ‘One’”" in codes(page_of(book, "claims/fig-ring"))[0]


def test_entries_of_all_pages_and_the_file_that_they_name_are_read_together(book):
    out = book / "_out/html"
    cited = {
        path: text
        for path in out.rglob("*.html")
        if "mf-cite" in (text := path.read_text(encoding="utf-8"))
    }
    named = {
        (path.parent / re.search(r'href="([^"]*)" download>', text)[1]).resolve()
        for path, text in cited.items()
    }
    assert named == {out.resolve() / PAPERS}
    whole = "\n".join(
        [
            *(codes(text)[1] for text in cited.values()),
            (out / PAPERS).read_text(encoding="utf-8"),
        ]
    )
    entries = parse_string(whole, bib_format="bibtex").entries
    assert len(entries) == len(cited) + 2 > len(CLAIMS)
    assert "“A book \\& more”" in entries["first2018"].fields["note"].replace(
        "``", "“"
    ).replace("''", "”")


def test_the_commit_is_named_where_the_sources_are_those_of_it(tmp_path):
    root = add_addresses(make_book(tmp_path / "book"))
    commit_all(root)
    assert (
        f"commit {provenance.commit(root)['id'][:12]}"
        in codes(page_of(built(root), "claims/MBDE-L9"))[0]
    )
    write(root / "notebooks/more.txt", "not in the commit")
    status, log = sphinx(root, "html", "-W", "-E", "-a")
    assert status == 0, log
    assert "commit" not in codes(page_of(root, "claims/MBDE-L9"))[0]
