"""The errata, the numbering, and the links between a number and the card of its claim,
on a small book made here.
"""

import json
import re

import pytest

from tests.companion.test_sphinx_ext import (
    built,
    claim,
    evidence,
    make_book,
    page_of,
    sphinx,
    write,
)

pytestmark = pytest.mark.slow

PLACES = {"v1": "Theorem 7, (10)-(11), section 4", "v3": "Theorem 6, (13), section 3"}
FALSE = {
    "corrected": True,
    "correction": "It is $1$.",
    "evidence": [evidence("as-printed", 3)],
}


def placed(**places):
    return [{"source": source, "at": at} for source, at in places.items()]


CLAIMS = [
    claim(
        "MBDE-T7",
        "false",
        kind="theorem",
        places=placed(**PLACES),
        breaks="Step (69).",
        counterexample="$x=3$",
        conclusion="weaker",
        slip="A factor $c$ is lost.",
        stands="the bound, with the factor $c$",
        proof="one#a-bound",
        **FALSE,
    ),
    claim(
        "MBDE-L9",
        "holds",
        places=placed(v1="Lemma 9", v3="(14)"),
        counterparts=["V3-N"],
    ),
    claim(
        "V3-N",
        "definition",
        places=placed(v3="Definition 1"),
        page=None,
        notebook="later",
    ),
    claim(
        "MBDE-E2",
        "false",
        kind="equation",
        places=placed(v1="(2)"),
        breaks="A.",
        conclusion="weaker",
        **FALSE,
    ),
    claim(
        "MBDE-L3",
        "false",
        kind="lemma",
        places=placed(v1="Lemma 3"),
        breaks="B.",
        conclusion="weaker",
        **FALSE,
    ),
    claim(
        "MBDE-R",
        "false",
        kind="remark",
        places=placed(v1="after (2)"),
        breaks="C.",
        conclusion="fails",
        **FALSE,
    ),
    claim(
        "MBDE-H",
        "holds-with-condition",
        places=placed(v1="section 4, after Theorem 7"),
        condition="Only for $x>0$.",
        stands="for $x>0$",
    ),
    claim(
        "MBDE-S",
        "variant-only",
        places=placed(v1="section 5"),
        correction="Only with $x>1$.",
    ),
    claim(
        "MBDE-U",
        "not-reproduced",
        places=placed(v1="section 5"),
        correction="Half of the runs.",
    ),
    claim("MBDE-Y", "reproduced", places=placed(v1="section 5")),
    claim("LEC-9", "false", places=placed(lecture="slide 2"), **FALSE),
]
PAGES = {
    ("index.md"): (
        "# "
        "Root\n\n```{toctree}\nnotebooks/one\nbook/ledger\nbook/errata\nbook/numbering\n```\n"
    ),
    "book/errata.md": "# Errata\n\n```{errata}\n```\n",
    "book/numbering.md": "# Numbering\n\n```{numbering}\n```\n",
}
NOTEBOOK = """# One

```{claim-card} MBDE-T7
```

## A bound

It is so.

*Proof.* Add.

*Proof of more.* Add more.
"""


def made(root, claims=CLAIMS):
    make_book(root)
    ledger = json.loads((root / "claims.json").read_text(encoding="utf-8"))
    ledger["claims"] = claims
    for name in ("v1", "v3"):
        ledger["sources"][name]["series"] = "The papers"
    write(root / "claims.json", json.dumps(ledger))
    for name, text in PAGES.items():
        write(root / name, text)
    (root / "notebooks/one.ipynb").unlink()
    write(root / "notebooks/one.md", NOTEBOOK)
    return root


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    return built(made(tmp_path_factory.mktemp("book")))


def row(text, anchor):
    start = text.index(f'id="{anchor}"')
    return text[start : text.index("</tr>", start)]


def plain(text):
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def test_errata_are_sorted_by_consequence_then_by_weight(book):
    text = page_of(book, "book/errata")
    ids = re.findall(r'id="(erratum-[^"]+)"', text)
    assert ids == [
        "erratum-mbde-r",
        "erratum-mbde-t7",
        "erratum-mbde-l3",
        "erratum-mbde-e2",
    ]
    assert (
        text.index('id="errata-fails"')
        < text.index(ids[0])
        < text.index('id="errata-weaker"')
        < text.index(ids[1])
    )
    named = (
        "4 statements are false as printed, 2 of them theorems, lemmas, propositions "
        "or corollaries"
    )
    assert f"{named}: 1 with a consequence that is lost, 3 with one" in plain(text)
    assert 'id="errata-survives"' not in text
    assert (
        text.index('id="condition-mbde-h"')
        > text.index('id="errata-conditions"')
        > text.index(ids[-1])
    )
    assert re.findall(r'id="(rerun-[^"]+)"', text) == ["rerun-mbde-u", "rerun-mbde-s"]
    words = plain(text[text.index('id="errata-reruns"') :])
    for part in (
        "did not show as printed (2)",
        "⊖ not seen in our rerun",
        "of a variant only",
        "What our rerun shows",
    ):
        assert part in words
    assert text.index('id="condition-mbde-h"') < text.index('id="errata-reruns"')
    assert not re.search("slide 2|MBDE-Y", text), (
        "a text that is in no series, and what was seen"
    )


def test_an_erratum_is_one_line_with_place_slip_and_what_stands(book):
    text = page_of(book, "book/errata")
    line = row(text, "erratum-mbde-t7")
    assert plain(line).endswith(
        "MBDE-T7 Title of MBDE-T7 v1 Theorem 7 , (10) - (11) ; v3 Theorem 6 , "
        r"(13) A factor \(c\) is lost. "
        r"The bound, with the factor \(c\)"
    )
    assert 'href="ledger.html#claim-mbde-t7"' in line, (
        "this book has no pages of claims"
    )
    assert 'href="numbering.html#v1-theorem-7"' in line
    assert "section 4" not in line
    assert "Step (69)." not in text, "the details are on the page of the claim"
    assert plain(row(text, "condition-mbde-h")).endswith(
        r"v1 section 4, after Theorem 7 For \(x&gt;0\)"
    )


def test_a_card_leads_to_the_proof(book):
    one = page_of(book, "notebooks/one")
    assert one.count('id="proof-a-bound"') == 1
    assert re.search(r'<p[^>]* id="proof-a-bound"[^>]*><em>Proof\.</em> Add\.</p>', one)
    assert re.search(r'href="#proof-a-bound"[^>]*><span>Our proof</span>', one)


def test_a_proof_that_is_not_there_is_a_fault(tmp_path):
    status, log = sphinx(
        made(tmp_path, [{**CLAIMS[0], "proof": "one#no-such-section"}]),
        "html",
        "-W",
        "--keep-going",
    )
    assert status != 0
    assert "no-such-section" in log


def test_a_number_leads_to_the_card_and_the_card_back_to_the_number(book):
    numbering = page_of(book, "book/numbering")
    one = page_of(book, "notebooks/one")
    for anchor in (
        "v1-theorem-7",
        "v1-equation-10",
        "v1-equation-11",
        "v3-theorem-6",
        "v3-equation-13",
    ):
        assert 'href="../notebooks/one.html#claim-mbde-t7"' in row(numbering, anchor)
        assert f'href="../book/numbering.html#{anchor}"' in one
    card = one[one.index('id="claim-mbde-t7"') :]
    assert (
        "version 1: Theorem 7 , (10) - (11) , section 4; version 3: Theorem 6"
        in plain(card)
    )
    assert "#v1-section-4" not in one, (
        "a section that only says where a number stands is no link"
    )
    assert "What breaks Step (69)." in plain(card)
    assert "stands in a weaker form. What stands: the bound, with the factor" in plain(
        card
    )


def test_a_row_has_verdict_other_numbers_and_the_text_around_it(book):
    numbering = page_of(book, "book/numbering")
    theorem = row(numbering, "v1-theorem-7")
    assert "✗ false as printed, corrected" in theorem
    assert 'href="#v3-theorem-6"' in theorem
    assert "In the text around it" in theorem
    assert "MBDE-H" in theorem
    assert 'href="#v3-equation-13"' in row(numbering, "v1-equation-11")
    lemma = row(numbering, "v1-lemma-9")
    assert 'href="ledger.html#claim-mbde-l9"' in lemma, "a claim without a card"
    assert 'href="#v3-equation-14"' in lemma
    assert re.search(
        r'href="#v3-definition-1">Definition 1</a> \(in another form\)', lemma
    )
    assert re.search(
        r'href="#v1-lemma-9">Lemma 9</a> \(in another form\)',
        row(numbering, "v3-definition-1"),
    )
    assert "slide 2" not in numbering
    rows = re.findall(r'<tr[^>]* id="(v1-[^"]+)"', numbering)
    statements = ["v1-lemma-3", "v1-theorem-7", "v1-lemma-9"]
    assert rows == [
        *statements,
        "v1-equation-2",
        "v1-equation-10",
        "v1-equation-11",
        "v1-section-5",
    ]
