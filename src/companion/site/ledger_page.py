"""Print the ledger, the numbers of the texts in order, and the errata of each series."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from companion.ledger.numbering import elsewhere, mentions, rows_of
from companion.site.computed import CLAIMS, CONSEQUENCES, Claims, anchor
from companion.site.generated import Generated
from companion.site.links import note_page, page_of
from companion.site.nodes import Nodes

__all__ = ["Errata", "Ledger", "Numbering", "words_of", "write_words"]


#: The texts of a claim in which a reader may search.
WORDS = ("statement", "condition", "breaks", "counterexample", "correction", "reason", "note")


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

    def build(self, claims: Claims) -> Nodes:
        """Return the claims by text, by page, and in the numbering of each text that is in no series."""
        note_page(self.env, "ledger")
        return self.fill("ledger", claims)


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


class Numbering(Generated):
    """Print, for each text of a series, tables of all numbers that the ledger names."""

    def build(self, claims: Claims) -> Nodes:
        """Return one section for each text."""
        note_page(self.env, "numbering")
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

        return self.fill("numbering", claims, texts=texts, others=others)


class Errata(Generated):
    """Print what is false as printed, by consequence and weight, what needs a condition, what a rerun did not show."""

    def build(self, claims: Claims) -> Nodes:
        """Return, for each series, a count, a section for each consequence, the conditions and the reruns."""
        note_page(self.env, "errata")
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
                return self.warn(f"errata without a conclusion: {', '.join(faults)}")
            address = "errata" if not parts else f"errata-{nodes.make_id(title)}"
            parts.append((title, nodes.make_id(title), address, own))
        return self.fill("errata", claims, parts=parts)
