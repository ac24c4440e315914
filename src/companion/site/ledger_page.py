"""Print the ledger, the numbers of the texts in order, and the errata of each series."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from companion.ledger.numbering import Row, elsewhere, mentions, rows_of
from companion.site.cards import (
    ClaimsDirective,
    claim_block,
    groups_of,
)
from companion.site.links import CLAIMS, Claims, anchor, linked_place, note_page, page_of, reference, to_claim, to_page
from companion.site.nodes import Nodes, badge, container, paragraph, section, table
from companion.site.page_notices import board

__all__ = ["Ledger", "Numbering", "source_title", "words_of", "write_words"]


#: The texts of a claim in which a reader may search.
WORDS = ("statement", "condition", "breaks", "counterexample", "correction", "reason", "note")


def source_title(claims: Claims, source: str) -> str:
    """Return the name of a text as a heading, with its year."""
    entry = claims.sources[source]
    year = f" ({entry['year']})" if entry.get("year") else ""
    name = claims.source_name(source)
    return f"{name[:1].upper()}{name[1:]}{year}"


class Ledger(ClaimsDirective):
    """Print one line for each claim, with a place for the filters that a script adds."""

    def build(self, claims: Claims) -> Nodes:
        """Return the claims by text, by page, and in the numbering of each text that is in no series.

        In print, where claims have no pages of their own, the first section has every claim in full.
        """
        note_page(self.env, "ledger")
        return [
            *board(self.env),
            container(ids=["mf-filters"], classes=["mf-filters"]),
            self._by_text(claims),
            self._by_page(claims),
            *self._by_numbering(claims),
        ]

    def _by_text(self, claims: Claims) -> Any:
        in_full = self.env.app.builder.format != "html"
        groups = []
        for source in claims.sources:
            own = [claim for claim in claims.all if claim["places"][0]["source"] == source]
            if not own:
                continue
            lines = (
                [claim_block(self, claims, claim, where="ledger") for claim in own] if in_full else [self._lines(own)]
            )
            name = claims.sources[source].get("title", source)
            count = "1 claim that it states" if len(own) == 1 else f"{len(own)} claims that it states"
            lead = paragraph(nodes.emphasis(name, name), f"; {count} first.")
            title = source_title(claims, source)
            groups.append(section(f"claims-of-{source}", title, lead, *lines, classes=("mf-group",)))
        return section("claims-by-text", "Every claim, by the text that states it first", *groups)

    def _lines(self, own: list[dict[str, Any]]) -> Any:
        rows = [[[paragraph(self._link(claim))], claim["title"], _first_places(claim), _mark(claim)] for claim in own]
        grid = table(("Claim", "What it says", "Printed at", "Verdict"), rows, classes=["mf-claims"])
        for row, claim in zip(next(iter(grid.findall(nodes.tbody))).children, own, strict=True):
            row["ids"].append(anchor(claim["id"]))
            row["classes"] += ["mf-claim", *(f"mf-is-{group}" for group in groups_of(claim))]
        return grid

    def _by_page(self, claims: Claims) -> Any:
        blocks: Nodes = []
        for page in claims.pages:
            own = [claim for claim in claims.all if claim["notebook"] == page]
            built = next((claim for claim in own if claim["page"]), None)
            head: Any = nodes.Text(page)
            if built is not None:
                head = to_page(built["page"], "", self.env.docname, head)
            note = "" if built is not None else " (planned)"
            links: list[Any] = []
            for claim in own:
                links += [" ", self._link(claim)]
            blocks.append(paragraph(nodes.strong("", "", head), f"{note}:", *links, classes=["mf-index"]))
        return section("claims-by-page", "By the page that checks it", *blocks)

    def _by_numbering(self, claims: Claims) -> Nodes:
        """Return the claims of each text that neither the page of the numbering nor the first section has in order."""
        groups = []
        for source, entry in claims.sources.items():
            own = [claim for claim in claims.all if any(place["source"] == source for place in claim["places"])]
            if "series" in entry or all(claim["places"][0]["source"] == source for claim in own):
                continue
            places = [(claim, place) for claim in own for place in claim["places"] if place["source"] == source]
            rows: list[list[Any]] = []
            for claim, place in places:
                rows.append([place["at"], [paragraph(self._link(claim), " ", claim["title"])], _mark(claim)])
            grid = table(("Printed at", "Claim", "Verdict"), rows)
            title = source_title(claims, source)
            groups.append(section(f"numbering-of-{source}", title, grid, classes=("mf-numbering",)))
        title = "In the text's own numbering" if len(groups) == 1 else "In each text's own numbering"
        return [section("claims-by-numbering", title, *groups)] if groups else []

    def _link(self, claim: dict[str, Any]) -> Any:
        return reference(claim["id"], self.env.docname, nodes.literal(claim["id"], claim["id"]))


def words_of(claim: dict[str, Any]) -> str:
    """Return the words of a claim that its line does not show, in lower case, for the filter of the page."""
    texts = [claim.get(key) or "" for key in WORDS] + claim["hypotheses"]
    return " ".join(" ".join([claim["kind"], *texts]).lower().split())


def write_words(app: Sphinx, error: Exception | None) -> None:
    """Write the words of all claims beside the script of the ledger, which loads them when a reader searches."""
    if error is not None or app.builder.format != "html" or page_of(app.env, "ledger") is None:
        return
    claims = json.loads((Path(app.srcdir) / CLAIMS).read_text(encoding="utf-8"))["claims"]
    words = json.dumps({anchor(claim["id"]): words_of(claim) for claim in claims}, ensure_ascii=False, indent=0)
    text = f"window.mfLedgerWords = {words};\n"
    (Path(app.outdir) / "_static" / "ledger-words.js").write_text(text, encoding="utf-8")


def _first_places(claim: dict[str, Any]) -> str:
    """Return the places in the text that states a claim first."""
    first = claim["places"][0]["source"]
    return "; ".join(place["at"] for place in claim["places"] if place["source"] == first)


def _mark(claim: dict[str, Any]) -> Any:
    return badge(claim["verdict"], corrected=claim["corrected"], reading="reading" in claim)


#: The tables of one text: address, heading, kinds of numbers.
TABLES = (
    (
        "statements",
        "Definitions, lemmas, theorems, algorithms",
        ("definition", "lemma", "theorem", "corollary", "proposition", "algorithm"),
    ),
    ("equations", "Equations", ("equation",)),
    ("figures", "Figures, tables and footnotes", ("figure", "appendix-figure", "table", "footnote")),
    ("sections", "Statements without a number, by section", ("abstract", "section", "appendix")),
)


class Numbering(ClaimsDirective):
    """Print, for each text of a series, tables of all numbers that the ledger names."""

    def build(self, claims: Claims) -> Nodes:
        """Return one section for each text."""
        note_page(self.env, "numbering")
        series = {name: source["series"] for name, source in claims.sources.items() if "series" in source}
        return [
            self._text(claims, text, [other for other in series if other != text and series[other] == own])
            for text, own in series.items()
        ]

    def _text(self, claims: Claims, text: str, others: list[str]) -> Any:
        rows = rows_of(claims.all, text)
        parts: Nodes = []
        for name, title, kinds in TABLES:
            own = [row for row in rows if row.mention.kind in kinds]
            if not own:
                continue
            numbered = name != "sections"
            heads = ["Number", "Claims", *(claims.source_name(other) for other in others if numbered)]
            lines = [self._row(claims, row, text, others if numbered else []) for row in own]
            addresses = [f"{text}-{row.mention.anchor}" for row in own]
            grid = table([head[:1].upper() + head[1:] for head in heads], lines, classes=["mf-numbers"], ids=addresses)
            parts.append(section(f"{text}-{name}", title, grid))
        return section(f"numbering-{text}", source_title(claims, text), *parts)

    def _row(self, claims: Claims, row: Row, text: str, others: list[str]) -> list[Any]:
        label = row.mention.label
        here = nodes.reference("", "", nodes.Text(label), refid=f"{text}-{row.mention.anchor}", internal=True)
        cells: list[Any] = [[paragraph(here)], self._claims(row)]
        return [*cells, *(self._other(claims, row, text, other) for other in others)]

    def _claims(self, row: Row) -> Nodes:
        blocks: Nodes = []
        for claim in row.here:
            mark = badge(claim["verdict"], corrected=claim["corrected"], reading="reading" in claim)
            title = to_claim(claim, self.env.docname, nodes.Text(claim["title"]))
            name = reference(claim["id"], self.env.docname, nodes.literal(claim["id"], claim["id"]))
            blocks.append(paragraph(title, " ", mark, " ", name))
        if row.around:
            parts: list[Any] = []
            for claim in row.around:
                mark = badge(claim["verdict"], corrected=claim["corrected"], reading="reading" in claim)
                inside = nodes.inline("", "", nodes.Text(f"{claim['id']} "), mark, classes=["mf-claim-link"])
                parts += [" ", reference(claim["id"], self.env.docname, inside)]
            blocks.append(paragraph("In the text around it:", *parts, classes=["mf-places", "mf-around"]))
        return blocks

    def _other(self, claims: Claims, row: Row, text: str, other: str) -> Nodes:
        """Return the numbers of the same statements in another text, and of those that stand in their place."""
        links: list[Any] = []

        def add(address: str, label: str, after: str = "") -> None:
            link = nodes.reference("", "", nodes.Text(label), refid=address, internal=True)
            links.extend([*([", "] if links else []), link, nodes.Text(after)])

        found = elsewhere(row, text, other)
        for item in found:
            add(f"{other}-{item.anchor}", item.label)
        for claim in self._counterparts(claims, row):
            for place in claim["places"]:
                named = [item for item in mentions(place["at"]) if not item.near]
                if place["source"] == other and named and named[0] not in found:
                    add(f"{other}-{named[0].anchor}", named[0].label, " (in another form)")
        head = f"{claims.source_name(other)}: "
        before = nodes.inline(head, head[:1].upper() + head[1:], classes=["mf-head"])
        if links:
            return [paragraph(before, *links)]
        places = [place["at"] for claim in row.here for place in claim["places"] if place["source"] == other]
        distinct = list(dict.fromkeys(places))
        return [paragraph(before.deepcopy(), *linked_place(claims, other, at, self.env.docname)) for at in distinct]

    @staticmethod
    def _counterparts(claims: Claims, row: Row) -> list[dict[str, Any]]:
        ids = {claim["id"] for claim in row.here}
        named = {other for claim in row.here for other in claim.get("counterparts", [])}
        return [claim for claim in claims.all if claim["id"] in named or ids & set(claim.get("counterparts", []))]
