"""Print the index of the ledger: a line for each claim, by text and by page, that leads to the page of the claim."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from companion.site.sphinx_claims import ClaimsDirective, claim_block
from companion.site.sphinx_links import note_page, page_of, reference, to_page
from companion.site.sphinx_nodes import Nodes, badge, container, paragraph, table
from companion.site.sphinx_notices import board
from companion.site.sphinx_store import CLAIMS, Claims, anchor
from companion.site.sphinx_tally import groups_of

__all__ = ["Ledger", "section", "source_title", "words_of", "write_words"]

#: The texts of a claim in which a reader may search.
WORDS = ("statement", "condition", "breaks", "counterexample", "correction", "reason", "note")


def section(name: str, title: str, *children: Any, classes: tuple[str, ...] = ()) -> Any:
    """Return a section with its own address."""
    return nodes.section("", nodes.title(title, title), *children, ids=[name], names=[name], classes=list(classes))


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
