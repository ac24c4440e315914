"""Show claims: the roles `claim` and `place`, the cards, the page that each claim has, and the scoreboard."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import ReferenceRole, SphinxRole

from companion.site.addresses import claim_address
from companion.site.computed import Claims, load_claims
from companion.site.copies import copies
from companion.site.generated import Generated, led
from companion.site.links import link, noted
from companion.site.nodes import Nodes, badge
from companion.site.page_ends import note_cited


class ClaimRole(ReferenceRole):
    """Print a claim's id and verdict as a link to its page: {claim}`MBDE-L9`."""

    def run(self) -> tuple[Nodes, Nodes]:
        """Return the link, or a report where the claim is unknown."""
        claim = load_claims(self.env).by_id.get(self.target)
        if claim is None:
            return [], [self.inliner.reporter.warning(f"unknown claim {self.target!r}", line=self.lineno)]
        mark = badge(claim["verdict"], corrected=claim["corrected"], reading="reading" in claim)
        content = nodes.inline("", "", nodes.Text(self.title + " "), mark, classes=["mf-claim-link"])
        return [link("entry", self.target, self.env.docname, content)], []


class PlaceRole(SphinxRole):
    """Print a place in a text of a series with its numbers as links to the numbering: {place}`v1: Theorem 7`."""

    def run(self) -> tuple[Nodes, Nodes]:
        """Return the place without the name of the text, or a report where it has no number or the text is unknown."""
        source, _, at = self.text.partition(":")
        text = load_claims(self.env).place(source.strip(), at.strip())
        if "mf:number:" not in text:
            return [], [self.inliner.reporter.warning(f"no number of a text in {self.text!r}", line=self.lineno)]
        parts, faults = self.inliner.parse(text, self.lineno, None, nodes.paragraph())
        box = nodes.Element("", *parts)
        led(self.env.docname, box)
        return list(box.children), faults


class _OfOne(Generated):
    """Print what the ledger says of the claim that the argument names."""

    required_arguments = 1

    def build(self, claims: Claims) -> Nodes:
        """Return the nodes for the claim, or a report where it is unknown."""
        claim = claims.by_id.get(self.arguments[0].strip())
        if claim is None:
            raise self.warning(f"unknown claim {self.arguments[0].strip()!r}")
        return self.show(claims, claim)

    def show(self, claims: Claims, claim: dict[str, Any]) -> Nodes:
        """Return the nodes for one claim."""
        raise NotImplementedError

    def copies(self, claims: Claims, claim: dict[str, Any]) -> str:
        """Return what a reader may copy, as HTML."""
        publication, _ = getattr(self.env.app, "companion_publication", (None, None))
        if self.env.app.builder.format != "html":
            return ""
        there = self.env.app.builder.get_relative_uri(self.env.docname, claim_address(claim["id"]))
        return copies(claim, claims.sources, publication, there or f"{claim['id']}.html")


class ClaimCard(_OfOne):
    """Print a claim with its verdict and evidence on the page that checks it."""

    def show(self, claims: Claims, claim: dict[str, Any]) -> Nodes:
        """Return the card and remember where it stands."""
        here = noted(self.env, "cards").setdefault(self.env.docname, set())
        if claim["id"] in here:
            raise self.warning(f"second card of {claim['id']} on this page")
        here.add(claim["id"])
        return self.fill("claim_card", claims, claim=claim, copy=self.copies(claims, claim))


class ClaimPage(_OfOne):
    """Print all that the ledger says of one claim, and lead to the claims before and after it."""

    def show(self, claims: Claims, claim: dict[str, Any]) -> Nodes:
        """Return the page."""
        name, title = claim["id"], f"{claim['id']}: {claim['title']}"
        keys = [(claims.sources.get(place["source"], {}).get("bibtex"), place["at"]) for place in claim["places"]]
        note_cited(self.env, f"mollified-{name}", title, [(str(key), at) for key, at in keys if key])
        own = claims.first(claim["places"][0]["source"])
        given = {"claim": claim, "own": own, "at": own.index(claim), "copy": self.copies(claims, claim)}
        return self.address_page(name, *self.fill("claim_page", claims, **given))


class Scoreboard(Generated):
    """Print how many claims have each verdict, each with a link to those claims; `:compact:` for one line of it."""

    option_spec = {"compact": directives.flag}  # noqa: RUF012

    def build(self, claims: Claims) -> Nodes:
        """Return the table, or the line."""
        return self.fill("tally" if "compact" in self.options else "scoreboard", claims)
