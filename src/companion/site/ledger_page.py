"""Give the templates the numbers of the texts in order, and the errata by series."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TypeVar

from docutils import nodes

from companion.ledger.numbering import Row, elsewhere, mentions, rows_of
from companion.ledger.records import EntryRecord, SourceRecord
from companion.site.ledger_view import Claims
from companion.site.template_directives import Generated, Values

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
    ("definition", "theorem", "algorithm", "corollary", "proposition"),
    ("lemma",),
    ("equation", "proof-step"),
)


#: A place in another text: its address, its label, and a remark.
Place = tuple[str, str, str]


def _others(claims: Claims, row: Row, text: str, other: str) -> list[Place]:
    """Return where the statements of a row stand in another text.

    After them come their counterparts there.
    """
    same = elsewhere(row, text, other)
    places = [(item.anchor, item.label, "") for item in same]
    for claim in claims.counterparts(*row.here):
        for place in claim["places"]:
            own = (item for item in mentions(place["at"]) if not item.near)
            first = next(own, None)
            if place["source"] == other and first and first not in same:
                places.append((first.anchor, first.label, " (in another form)"))
    return places


def _tables(claims: Claims, text: str) -> list[tuple[str, str, list[Row]]]:
    rows = rows_of(claims.all, text)
    return [
        (address, heading, [row for row in rows if row.mention.kind in kinds])
        for address, heading, kinds in TABLES
    ]


def numbering(directive: Generated) -> Values:
    """Return tables of all numbers that the ledger names, for each text of a series."""
    claims = directive.claims
    series = {
        name: source["series"]
        for name, source in claims.sources.items()
        if "series" in source
    }
    texts = []
    for text, own in series.items():
        siblings = [name for name in series if name != text and series[name] == own]
        texts.append((text, siblings, _tables(claims, text)))

    return {"texts": texts, "others": partial(_others, claims)}


Entry = TypeVar("Entry", bound=EntryRecord)


def of_series(
    claims: Iterable[Entry],
    sources: Mapping[str, SourceRecord],
) -> Iterator[tuple[str, dict[str, SourceRecord], list[Entry]]]:
    """Yield title, texts and claims of each series of texts that has errata.

    Theorems come first.
    """
    series: dict[str, dict[str, SourceRecord]] = {}
    for name, source in sources.items():
        if title := source.get("series") or source.get("errata"):
            series.setdefault(title, {})[name] = source
    for title, texts in series.items():
        own = [
            claim
            for claim in claims
            if texts.keys() & {place["source"] for place in claim["places"]}
        ]
        own.sort(
            key=lambda claim: [claim["kind"] in kinds for kinds in WEIGHTS],
            reverse=True,
        )
        yield title, texts, own


def errata(directive: Generated) -> Values:
    """Return what is false as printed, by series, and what makes an id of a title."""
    claims = directive.claims
    return {
        "parts": list(of_series(claims.all, claims.sources)),
        "make_id": nodes.make_id,
    }
