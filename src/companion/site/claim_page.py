"""Print the page of one claim, and the scoreboard of all."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives

from companion.site.cards import MEANINGS, STANDING, ClaimsDirective, claim_block, tally
from companion.site.claim_map import grounds
from companion.site.links import Claims, filtered, reference, to_line
from companion.site.nodes import LABELS, Nodes, address_page, badge, container, paragraph, table
from companion.site.page_ends import note_cited
from companion.site.page_notices import board

__all__ = ["ClaimPage", "Scoreboard"]


class Scoreboard(ClaimsDirective):
    """Print how many claims have each verdict, each with a link to those claims; `:compact:` for one line of it."""

    option_spec = {"compact": directives.flag}  # noqa: RUF012

    def build(self, claims: Claims) -> Nodes:
        """Return the table, or the line."""
        if "compact" in self.options:
            return [tally(claims, self.env.docname)]
        rows: list[list[Any]] = []
        for verdict in LABELS:
            count = claims.counts.get(verdict, 0)
            number = nodes.Text(str(count))
            link = filtered(verdict, self.env.docname, number)
            rows.append([badge(verdict), [paragraph(link)], MEANINGS[verdict]])
        total = sum(claims.counts.values())
        corrected = sum(1 for claim in claims.five if claim["corrected"])
        gaps = sum(1 for claim in claims.five if claim["proof_gap"] and claim["verdict"] in STANDING)
        text = f"{total} claims in the ledger; {corrected} carry a corrected statement that was tested as well"
        text += f"; for {gaps} the statement stands while a step of its printed proof does not." if gaps else "."
        heads = ("Verdict", "Claims", "What it means")
        grid = table(heads, rows, classes=["mf-scoreboard"])
        return [grid, paragraph(text, classes=["mf-places"]), *self._beyond(claims), *board(self.env)]

    def _beyond(self, claims: Claims) -> Nodes:
        """Return a small table of the claims that lie beyond the five texts, by source and verdict."""
        rows: list[list[Any]] = []
        beyond = [claim for claim in claims.all if claim not in claims.five]
        for source, verdict in dict.fromkeys((claim["places"][0]["source"], claim["verdict"]) for claim in beyond):
            own = [item for item in beyond if (item["places"][0]["source"], item["verdict"]) == (source, verdict)]
            names = [reference(item["id"], self.env.docname, nodes.literal("", item["id"])) for item in own]
            cell = paragraph(*(part for name in names for part in (name, " ")))
            rows.append([claims.source_name(source), [badge(verdict)], [cell]])
        lead = paragraph("Beyond the five texts, and not counted above:", classes=["mf-places"])
        return [lead, table(("Source", "Verdict", "Claims"), rows, classes=["mf-scoreboard"])] if rows else []


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
        blocks: Nodes = [claim_block(self, claims, claim, where="page"), *grounds(claims, claim, self.env.docname)]
        blocks += self._others(claims, claim)
        return [address_page(name, title, *blocks, self._around(claims, claim))]

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
