"""Give the templates the numbers of the texts in order, and the errata of each series."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from docutils import nodes

from companion.ledger.numbering import elsewhere, mentions, rows_of
from companion.site.template_directives import Generated

#: The tables of one text: address, heading, kinds of numbers.
TABLES = (
    (
        "statements",
        "Definitions, lemmas, theorems, algorithms",
        ("definition", "lemma", "theorem", "corollary", "proposition", "algorithm"),
    ),
    ("equations", "Equations", ("equation",)),
    (
        "figures",
        "Figures, tables and footnotes",
        ("figure", "appendix-figure", "table", "footnote"),
    ),
    (
        "sections",
        "Statements without a number, by section",
        ("abstract", "section", "appendix"),
    ),
)

#: Kinds by weight, for the errata; other kinds come after these.
WEIGHTS = (
    "definition theorem algorithm corollary proposition",
    "lemma",
    "equation proof-step",
)


def numbering(directive: Generated) -> dict[str, Any]:
    """Return, for each text of a series, tables of all numbers that the ledger names."""
    claims = directive.claims
    series = {
        name: source["series"]
        for name, source in claims.sources.items()
        if "series" in source
    }
    texts = []
    for text, own in series.items():
        rows = rows_of(claims.all, text)
        parts = [
            (*table[:2], [row for row in rows if row.mention.kind in table[2]])
            for table in TABLES
        ]
        texts.append(
            (
                text,
                [other for other in series if other != text and series[other] == own],
                parts,
            )
        )

    def others(row: Any, text: str, other: str) -> list[tuple[str, str, str]]:
        """Return address, label and a remark of the same statements in another text, then of their counterparts."""
        found = elsewhere(row, text, other)
        shown = [(item.anchor, item.label, "") for item in found]
        for claim in claims.counterparts(*row.here):
            for place in claim["places"]:
                named = [item for item in mentions(place["at"]) if not item.near]
                if place["source"] == other and named and named[0] not in found:
                    shown.append(
                        (named[0].anchor, named[0].label, " (in another form)")
                    )
        return shown

    return {"texts": texts, "others": others}


def of_series(
    claims: Iterable[dict[str, Any]], sources: Mapping[str, Any]
) -> Iterator[tuple[str, dict[str, Any], list[dict[str, Any]]]]:
    """Yield title, texts and claims of each series of texts that has errata, theorems first."""
    series: dict[str, dict[str, Any]] = {}
    for name, source in sources.items():
        if title := source.get("series") or source.get("errata"):
            series.setdefault(str(title), {})[name] = source
    for title, texts in series.items():
        own = [
            claim
            for claim in claims
            if texts.keys() & {place["source"] for place in claim["places"]}
        ]
        own.sort(
            key=lambda claim: [claim["kind"] in kinds.split() for kinds in WEIGHTS],
            reverse=True,
        )
        yield title, texts, own


def errata(directive: Generated) -> dict[str, Any]:
    """Return what is false as printed, by series, and what makes an address of a title."""
    claims = directive.claims
    return {
        "parts": list(of_series(claims.all, claims.sources)),
        "make_id": nodes.make_id,
    }
