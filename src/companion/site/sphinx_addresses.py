"""Print the page of one claim, or of one figure: the directives `claim-page` and `figure-page`."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.addnodes import index

from companion.site.sphinx_cite import note_cited
from companion.site.sphinx_claims import ClaimsDirective, claim_block
from companion.site.sphinx_figures import BookFigure
from companion.site.sphinx_links import reference, to_figure, to_line
from companion.site.sphinx_nodes import Nodes, container, paragraph, table
from companion.site.sphinx_notices import figure_notice
from companion.site.sphinx_store import Claims

__all__ = ["ClaimPage", "FigurePage"]


def _page(name: str, title: str, *body: Any) -> Any:
    """Return a page with its title; its name is a main entry of the index, which the search shows first."""
    entry = index(entries=[("single", name, "address", "main", None)])
    return nodes.section("", nodes.title(title, title), entry, *body, ids=["address"], names=["address"])


class ClaimPage(ClaimsDirective):
    """Print all that the ledger says of one claim, and lead to the claims before and after it."""

    required_arguments = 1

    def build(self, claims: Claims) -> Nodes:
        """Return the page, or a report where the claim is unknown."""
        name = self.arguments[0].strip()
        claim = claims.by_id.get(name)
        if claim is None:
            return self.warn(f"unknown claim {name!r}")
        keys = [(claims.sources.get(place["source"], {}).get("bibtex"), place["at"]) for place in claim["places"]]
        title = f"{name}: {claim['title']}"
        note_cited(self.env, f"mollified-{name}", title, [(str(key), at) for key, at in keys if key])
        blocks: Nodes = [claim_block(self, claims, claim, where="page"), *self._others(claims, claim)]
        return [_page(name, title, *blocks, self._around(claims, claim))]

    def _link(self, claim: dict[str, Any]) -> Any:
        text = f"{claim['id']}: {claim['title']}"
        return reference(claim["id"], self.env.docname, nodes.inline(text, text))

    def _others(self, claims: Claims, claim: dict[str, Any]) -> Nodes:
        """Return links to the claims of other texts that stand in the place of this one."""
        named = set(claim.get("counterparts", []))
        found = [item for item in claims.all if item["id"] in named or claim["id"] in item.get("counterparts", [])]
        parts: list[Any] = []
        for item in found:
            parts += [", " if parts else "In another form: ", self._link(item)]
        return [paragraph(*parts, ".", classes=["mf-places"])] if parts else []

    def _around(self, claims: Claims, claim: dict[str, Any]) -> Any:
        """Return links to the ledger and to the claims before and after this one that the same text states first."""
        source = claim["places"][0]["source"]
        own = [item for item in claims.all if item["places"][0]["source"] == source]
        place = own.index(claim)
        line = to_line(claim["id"], self.env.docname, nodes.inline("", "The ledger of claims"))
        links = [paragraph(line, f", {claims.source_name(source)}: claim {place + 1} of {len(own)}")]
        if place > 0:
            links.append(paragraph("Before: ", self._link(own[place - 1])))
        if place + 1 < len(own):
            links.append(paragraph("After: ", self._link(own[place + 1])))
        return container(*links, classes=["mf-around-claim"])


class FigurePage(BookFigure):
    """Print one figure with its caption and how it was made; the body is as for `bookfigure`."""

    option_spec = {"alt": directives.unchanged_required}  # noqa: RUF012

    def run(self) -> Nodes:
        """Return the page, or a report."""
        page, _, name = self.arguments[0].strip().partition("/")
        found = self.read()
        if found.fault is not None:
            return [found.fault]
        title = f"Figure {name}"
        note_cited(self.env, f"mollified-fig-{name}", title, on=f"notebooks/{page}")
        place = paragraph(
            "Shown on the page ", to_figure(f"{page}/{name}", self.env.docname), ".", classes=["mf-places"]
        )
        grid = table(("What", "Value"), found.rows, classes=["mf-provenance"])
        made = nodes.section("", nodes.title("", "How it was made"), grid, *self.downloads(found), ids=["made"])
        notice = figure_notice(self.env, f"{page}/{name}")
        return [_page(f"fig-{name}", title, self.picture(found, f"fig-{name}"), *notice, place, made)]
