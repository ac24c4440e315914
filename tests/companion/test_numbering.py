"""Numbers of the texts: how a place is read, and that the ledger has every number that
the texts print.
"""

import pytest

from companion.ledger.claims import load_claims
from companion.ledger.numbering import elsewhere, mentions, rows_of
from tests.repository import ROOT

VERSIONS = ("v1", "v2", "v3")

TEXTS = (*VERSIONS, "bootstrapping")

#: What the texts print, typed from reading them: numbered statements, algorithms,
#: figures and tables.
PRINTED = {
    "v1": {
        "definition": (1, 2, 3),
        "lemma": (4, *range(9, 19)),
        "theorem": (5, 6, 7, 8),
        "algorithm": (1,),
        "figure": range(1, 9),
    },
    "v2": {
        "definition": (1, 2, 3),
        "lemma": (4, *range(9, 20)),
        "theorem": (5, 6, 7, 8),
        "algorithm": (1,),
        "figure": range(1, 8),
    },
    "v3": {
        "definition": (1, 3),
        "lemma": (2,),
        "theorem": (4, 5, 6, 7),
        "algorithm": (1,),
        "figure": range(1, 6),
    },
    "bootstrapping": {
        "definition": (1, 2, 3, 4),
        "lemma": (1, 2),
        "theorem": (2, 4, 5, 6, 7),
        "corollary": (3,),
        "proposition": (1,),
        "figure": (1,),
        "table": (1,),
    },
}
#: The numbers of displayed equations: version 2 jumps from (6) to (9).
EQUATIONS = {
    "v1": range(1, 103),
    "v2": [*range(1, 7), *range(9, 103)],
    "v3": range(1, 16),
    "bootstrapping": range(1, 70),
}


@pytest.mark.parametrize(
    ("at", "here", "around"),
    [
        ("Lemma 9 and (17), section 8.2", ["lemma-9", "equation-17"], ["section-8-2"]),
        (
            "Theorem 5, (11)-(12) (LBS), section 3",
            ["theorem-5", "equation-11", "equation-12"],
            ["section-3"],
        ),
        (
            "section 4, before Theorems 6 and 7; abstract",
            ["abstract"],
            ["section-4", "theorem-6", "theorem-7"],
        ),
        ("(13) against (91)", ["equation-13"], ["equation-91"]),
        ("proof of Lemma 13, section 8.3", [], ["lemma-13", "section-8-3"]),
        ("Definition 1 and the text before it", ["definition-1"], []),
        (
            "section 5; Figure 4 and Figure 1 of the appendix",
            ["section-5", "figure-4", "appendix-figure-1"],
            [],
        ),
        (
            "section 3, text on Figure 3; caption of Figure 3",
            ["figure-3"],
            ["section-3", "figure-3"],
        ),
        ("(i) of section 8.1", ["section-8-1"], []),
        ("(1) and footnote 1, section 2", ["footnote-1", "equation-1"], ["section-2"]),
        ("Corollary 3; Appendix C", ["corollary-3", "appendix-C"], []),
        (
            "Appendix B, (15)-(17)",
            ["equation-15", "equation-16", "equation-17"],
            ["appendix-B"],
        ),
    ],
)
def test_a_place_names_numbers_at_it_and_around_it(at, here, around):
    for near, names in ((False, here), (True, around)):
        assert sorted(
            item.anchor for item in mentions(at) if item.near == near
        ) == sorted(names)


def test_spans_are_the_words_that_name_a_number():
    at = "Theorems 6 and 7, (29)-(32), Figure 1 of the appendix"
    words = {item.anchor: at[slice(*item.span)] for item in mentions(at) if item.span}
    assert words == {
        "theorem-6": "Theorems 6",
        "theorem-7": "7",
        "equation-29": "(29)",
        "equation-32": "(32)",
        "appendix-figure-1": "Figure 1 of the appendix",
    }


def entry(name, **places):
    return {
        "id": name,
        "places": [{"source": source, "at": at} for source, at in places.items()],
    }


CLAIMS = [
    entry(
        "A",
        v1="Theorem 6, (8)-(9)",
        v2="Theorem 6, (6) and (9)",
        v3="Theorem 5, (11)-(12)",
    ),
    entry("B", v1="Lemma 10", v2="Lemma 11"),
    entry("C", v1="after Theorem 6", v2="section 4"),
    entry("D", v1="(3)", v2="Definition 1"),
    entry("E", v1="section 8.10"),
    entry("F", v1="section 8.9"),
]


def test_rows_are_in_order_and_know_what_stands_there_around_and_in_another_text():
    rows = rows_of(CLAIMS, "v1")
    labels = [row.mention.label for row in rows]
    assert labels == [
        "Theorem 6",
        "Lemma 10",
        "(3)",
        "(8)",
        "(9)",
        "section 8.9",
        "section 8.10",
    ]
    assert [claim["id"] for claim in rows[0].here] == ["A"]
    assert [claim["id"] for claim in rows[0].around] == ["C"]
    known = {row.mention.anchor: row for row in rows}

    def other(anchor, text):
        return [item.label for item in elsewhere(known[anchor], "v1", text)]

    assert other("theorem-6", "v3") == ["Theorem 5"]
    assert (other("equation-8", "v2"), other("equation-9", "v2")) == (["(6)"], ["(9)"])
    assert other("equation-9", "v3") == ["(12)"]
    assert (other("lemma-10", "v2"), other("lemma-10", "v3")) == (["Lemma 11"], [])
    assert other("equation-3", "v2") == ["Definition 1"], (
        "the other text gives it no number of this kind"
    )


# ---- the real ledger


@pytest.fixture(scope="module")
def rows():
    claims = [claim.record for claim in load_claims(ROOT)]
    return {
        text: {row.mention.key: row for row in rows_of(claims, text)} for text in TEXTS
    }


@pytest.mark.parametrize("text", TEXTS)
def test_every_number_that_a_text_prints_has_a_row_with_a_claim(rows, text):
    wanted = {
        (kind, str(number))
        for kind, numbers in PRINTED[text].items()
        for number in numbers
    }
    wanted |= {("equation", str(number)) for number in EQUATIONS[text]}
    there = {key for key, row in rows[text].items() if row.here}
    assert sorted(wanted - there) == []
    kinds = {kind for kind, _ in wanted}
    assert (
        sorted(key for key in rows[text] if key[0] in kinds and key not in wanted) == []
    ), "no such number is printed"


def test_numbers_of_lemmas_shift_by_one_from_lemma_9_on(rows):
    for number in PRINTED["v1"]["lemma"]:
        (same,) = elsewhere(rows["v1"]["lemma", str(number)], "v1", "v2")
        assert same.label == f"Lemma {number + (number >= 9)}"
    for number in range(15, 103):
        (same,) = elsewhere(rows["v1"]["equation", str(number)], "v1", "v2")
        assert same.label == f"({number})"
