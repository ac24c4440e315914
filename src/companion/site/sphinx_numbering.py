"""Print every number of the texts of a series in order, with its claims, verdicts, and numbers in the other texts."""

from __future__ import annotations

from typing import Any

from docutils import nodes

from companion.ledger.numbering import Row, elsewhere, mentions, rows_of
from companion.site.sphinx_claims import ClaimsDirective
from companion.site.sphinx_ledger import section, source_title
from companion.site.sphinx_links import linked_place, note_page, reference, to_claim
from companion.site.sphinx_nodes import Nodes, badge, paragraph, table
from companion.site.sphinx_store import Claims

__all__ = ["Numbering"]

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
