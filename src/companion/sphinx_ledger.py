"""Print the whole ledger: every claim once in full, then by page, then in each text's own numbering."""

from __future__ import annotations

from typing import Any

from docutils import nodes

from companion.sphinx_claims import ClaimsDirective, claim_block
from companion.sphinx_links import note_page, reference, to_page
from companion.sphinx_nodes import Nodes, badge, container, paragraph, table
from companion.sphinx_store import Claims

__all__ = ["Ledger", "section", "source_title"]


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
    """Print all claims, with a place for the filters that a script adds."""

    def build(self, claims: Claims) -> Nodes:
        """Return three sections."""
        note_page(self.env, "ledger")
        return [
            container(ids=["mf-filters"], classes=["mf-filters"]),
            self._in_full(claims),
            self._by_page(claims),
            self._by_numbering(claims),
        ]

    def _in_full(self, claims: Claims) -> Any:
        groups = []
        for source in claims.sources:
            own = [claim for claim in claims.all if claim["places"][0]["source"] == source]
            if not own:
                continue
            entries = [claim_block(self, claims, claim, in_ledger=True) for claim in own]
            name = claims.sources[source].get("title", source)
            count = "1 claim that it states" if len(own) == 1 else f"{len(own)} claims that it states"
            lead = paragraph(nodes.emphasis(name, name), f"; {count} first.")
            title = source_title(claims, source)
            groups.append(section(f"claims-of-{source}", title, lead, *entries, classes=("mf-group",)))
        return section("claims-by-text", "Every claim, by the text that states it first", *groups)

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

    def _by_numbering(self, claims: Claims) -> Any:
        groups = []
        for source in claims.sources:
            rows: list[list[Any]] = []
            for claim in claims.all:
                for place in claim["places"]:
                    if place["source"] == source:
                        mark = badge(claim["verdict"], corrected=claim["corrected"])
                        rows.append([place["at"], [paragraph(self._link(claim), " ", claim["title"])], mark])
            if rows:
                title = source_title(claims, source)
                grid = table(("Printed at", "Claim", "Verdict"), rows)
                groups.append(section(f"numbering-of-{source}", title, grid, classes=("mf-numbering",)))
        return section("claims-by-numbering", "In each text's own numbering", *groups)

    def _link(self, claim: dict[str, Any]) -> Any:
        return reference(claim["id"], self.env.docname, nodes.literal(claim["id"], claim["id"]))
