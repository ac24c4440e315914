"""Show claims: the role `claim`, the cards, and the page that each claim has."""

from __future__ import annotations

from docutils import nodes
from sphinx.util.docutils import ReferenceRole

from companion.ledger.records import ClaimRecord
from companion.site.clipboard import copies
from companion.site.ledger_view import load_claims
from companion.site.links import link
from companion.site.nodes import Nodes, badge
from companion.site.notes import notes_of, publication_of
from companion.site.permalinks import claim_address
from companion.site.template_directives import Generated


class ClaimRole(ReferenceRole):
    """Print a claim's id and verdict as a link to its page: {claim}`MBDE-L9`."""

    def run(self) -> tuple[Nodes, Nodes]:
        """Return the link, or a report where the claim is unknown."""
        claim = load_claims(self.env).by_id.get(self.target)
        if claim is None:
            report = self.inliner.reporter.warning(
                f"unknown claim {self.target!r}", line=self.lineno
            )
            return [], [report]
        name = nodes.Text(f"{self.title} ")
        content = nodes.inline("", "", name, badge(claim), classes=["mf-claim-link"])
        return [link("entry", self.target, self.env.docname, content)], []


class _OfOne(Generated):
    """Print what the ledger says of the claim that the argument names."""

    required_arguments = 1

    @property
    def claim(self) -> ClaimRecord:
        """The claim, or a report where it is unknown."""
        name = self.arguments[0]
        if name not in self.claims.by_id:
            raise self.warning(f"unknown claim {name!r}")
        return self.claims.by_id[name]

    def fill_one(self, template: str, **values: object) -> Nodes:
        """Return the nodes of a template that knows the claim.

        It knows as HTML what a reader may copy of the claim, too.
        """
        claim = self.claim
        copy = ""
        if self.env.app.builder.format == "html":
            name = claim["id"]
            there = self.address_of(claim_address(name)) or f"{name}.html"
            publication = publication_of(self.env)
            copy = copies(claim, self.claims.sources, publication, there)
        return self.fill(template, claim=claim, copy=copy, **values)


class ClaimCard(_OfOne):
    """Print a claim with its verdict and evidence on the page that checks it."""

    def run(self) -> Nodes:
        """Return the card and remember where it stands."""
        name = self.claim["id"]
        here = notes_of(self.env).cards.setdefault(self.env.docname, set())
        if name in here:
            raise self.warning(f"second card of {name} on this page")
        here.add(name)
        return self.fill_one("claim_card")


class ClaimPage(_OfOne):
    """Print all that the ledger says of one claim.

    It leads to the claims before and after it.
    """

    def run(self) -> Nodes:
        """Return the page."""
        claim = self.claim
        name = claim["id"]
        printed = []
        for place in claim["places"]:
            if key := self.claims.sources[place["source"]].get("bibtex"):
                printed.append((key, place["at"]))
        own = self.claims.first(claim["places"][0]["source"])
        body = self.fill_one("claim_page", own=own, at=own.index(claim))
        title = f"{name}: {claim['title']}"
        return self.address_page(name, title, body, printed=printed)
