"""Show claims: the role `claim`, the cards, and the page that each claim has."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.util.docutils import ReferenceRole

from companion.site.clipboard import copies
from companion.site.ledger_view import load_claims
from companion.site.links import link, noted
from companion.site.nodes import Nodes, badge
from companion.site.permalinks import claim_address
from companion.site.template_directives import Generated


class ClaimRole(ReferenceRole):
    """Print a claim's id and verdict as a link to its page: {claim}`MBDE-L9`."""

    def run(self) -> tuple[Nodes, Nodes]:
        """Return the link, or a report where the claim is unknown."""
        claim = load_claims(self.env).by_id.get(self.target)
        if claim is None:
            return [], [
                self.inliner.reporter.warning(
                    f"unknown claim {self.target!r}", line=self.lineno
                )
            ]
        mark = badge(claim)
        content = nodes.inline(
            "", "", nodes.Text(self.title + " "), mark, classes=["mf-claim-link"]
        )
        return [link("entry", self.target, self.env.docname, content)], []


class _OfOne(Generated):
    """Print what the ledger says of the claim that the argument names."""

    required_arguments = 1

    @property
    def claim(self) -> dict[str, Any]:
        """The claim, or a report where it is unknown."""
        found: dict[str, Any] | None = self.claims.by_id.get(self.arguments[0])
        if found is None:
            raise self.warning(f"unknown claim {self.arguments[0]!r}")
        return found

    def fill_one(self, template: str, **values: Any) -> Nodes:
        """Return the nodes of a template that knows the claim, and as HTML what a reader may copy of it."""
        app = self.env.app
        claim = self.claim
        copy = ""
        if app.builder.format == "html":
            publication, _ = app.companion_publication  # type: ignore[attr-defined]
            there = app.builder.get_relative_uri(
                self.env.docname, claim_address(claim["id"])
            )
            copy = copies(
                claim, self.claims.sources, publication, there or f"{claim['id']}.html"
            )
        return self.fill(template, claim=claim, copy=copy, **values)


class ClaimCard(_OfOne):
    """Print a claim with its verdict and evidence on the page that checks it."""

    def run(self) -> Nodes:
        """Return the card and remember where it stands."""
        name = self.claim["id"]
        here = noted(self.env, "cards").setdefault(self.env.docname, set())
        if name in here:
            raise self.warning(f"second card of {name} on this page")
        here.add(name)
        return self.fill_one("claim_card")


class ClaimPage(_OfOne):
    """Print all that the ledger says of one claim, and lead to the claims before and after it."""

    def run(self) -> Nodes:
        """Return the page."""
        claim = self.claim
        sources = self.claims.sources
        keys = [
            (str(key), place["at"])
            for place in claim["places"]
            if (key := sources[place["source"]].get("bibtex"))
        ]
        cited = (
            f"mollified-{claim['id']}",
            f"{claim['id']}: {claim['title']}",
            tuple(keys),
            "",
        )
        noted(self.env, "cited")[self.env.docname] = cited
        own = self.claims.first(claim["places"][0]["source"])
        return self.address_page(
            claim["id"], *self.fill_one("claim_page", own=own, at=own.index(claim))
        )
