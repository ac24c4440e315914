"""Print the ledger, the numbers of the texts in order, and the errata of each series."""

from __future__ import annotations

from typing import Any

from docutils import nodes

from companion.ledger.numbering import elsewhere, mentions, rows_of
from companion.site.computed import CONSEQUENCES
from companion.site.generated import Generated
from companion.site.links import noted
from companion.site.nodes import Nodes

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


#: Kinds by weight, for the errata; other kinds come after these.
WEIGHTS = ("definition theorem algorithm corollary proposition", "lemma", "equation proof-step")


class Ledger(Generated):
    """Print one line for each claim, with a place for the filters that a script adds.

    In print, where claims have no pages of their own, the first section has every claim in full.
    """

    def run(self) -> Nodes:
        """Return the claims by text, by page, and in the numbering of each text that is in no series."""
        noted(self.env, "pages")["ledger"] = self.env.docname
        return self.fill("ledger")


class Numbering(Generated):
    """Print, for each text of a series, tables of all numbers that the ledger names."""

    def run(self) -> Nodes:
        """Return one section for each text."""
        claims = self.claims
        noted(self.env, "pages")["numbering"] = self.env.docname
        series = {name: source["series"] for name, source in claims.sources.items() if "series" in source}
        texts = []
        for text, own in series.items():
            rows = rows_of(claims.all, text)
            parts = [(*table[:2], [row for row in rows if row.mention.kind in table[2]]) for table in TABLES]
            texts.append((text, [other for other in series if other != text and series[other] == own], parts))

        def others(row: Any, text: str, other: str) -> list[tuple[str, str, str]]:
            """Return address, label and a remark of the same statements in another text, then of their counterparts."""
            found = elsewhere(row, text, other)
            shown = [(item.anchor, item.label, "") for item in found]
            for claim in claims.counterparts(*row.here):
                for place in claim["places"]:
                    named = [item for item in mentions(place["at"]) if not item.near]
                    if place["source"] == other and named and named[0] not in found:
                        shown.append((named[0].anchor, named[0].label, " (in another form)"))
            return shown

        return self.fill("numbering", texts=texts, others=others)


class Errata(Generated):
    """Print what is false as printed, by consequence and weight, what needs a condition, what a rerun did not show."""

    def run(self) -> Nodes:
        """Return, for each series, a count, a section for each consequence, the conditions and the reruns."""
        claims = self.claims
        series: dict[str, set[str]] = {}
        for name, source in claims.sources.items():
            if title := source.get("series") or source.get("errata"):
                series.setdefault(str(title), set()).add(name)
        parts: list[tuple[str, str, str, list[dict[str, Any]]]] = []
        for title, texts in series.items():
            own = [claim for claim in claims.all if texts & {place["source"] for place in claim["places"]}]
            own.sort(key=lambda claim: [claim["kind"] in kinds.split() for kinds in WEIGHTS], reverse=True)
            faults = [c["id"] for c in own if c["verdict"] == "false" and c.get("conclusion") not in CONSEQUENCES]
            if faults:
                raise self.warning(f"errata without a conclusion: {', '.join(faults)}")
            address = "errata" if not parts else f"errata-{nodes.make_id(title)}"
            parts.append((title, nodes.make_id(title), address, own))
        return self.fill("errata", parts=parts)
