"""Print the errata: what is false as printed, by its consequence, and what our runs did not show."""

from __future__ import annotations

from typing import Any

from docutils import nodes

from companion.site.cards import (
    CONSEQUENCES,
    SEEN_INSTEAD,
    ClaimsDirective,
    break_parts,
    correction_label,
)
from companion.site.links import (
    Claims,
    note_page,
    printed_at,
    reference,
    to_claim,
)
from companion.site.nodes import Nodes, badge, container, labelled, paragraph, parse, section

__all__ = ["Errata", "erratum_anchor"]


#: Headings by what becomes of what a text draws from a statement, in the order shown.
CONSEQUENCE_GROUPS = {
    "fails": "What is drawn from it is lost",
    "weaker": "What is drawn from it stands in a weaker form",
    "survives": "What is drawn from it stands as printed",
}


#: What stands above the statements about experiments that a rerun did not show.
RERUNS = (
    "These are sentences about runs, and no errata in the strict sense: the runs were not published with their seeds "
    "and outputs, and the printed figures are not in our copies of the texts. Each entry says what our own runs show; "
    "what the authors saw is not judged."
)


#: Kinds by weight; other kinds come after these.
WEIGHTS = (
    ("definition", "theorem", "algorithm", "corollary", "proposition"),
    ("lemma",),
    ("equation", "proof-step"),
)


def erratum_anchor(claim: str) -> str:
    """Return the stable address of an erratum."""
    return f"erratum-{claim.lower()}"


def _weight(claim: dict[str, Any]) -> int:
    return next((place for place, kinds in enumerate(WEIGHTS) if claim["kind"] in kinds), len(WEIGHTS))


def _unseen(claim: dict[str, Any]) -> int:
    return -SEEN_INSTEAD.index(claim["verdict"])


def _recorded(claim: dict[str, Any]) -> Nodes:
    """Return the first counterexample that the run recorded against the printed statement."""
    for item in claim["evidence"]:
        if item["role"] in ("as-printed", "proof-step") and item["violations"] and item.get("counterexample"):
            pairs = [f"{name} = {value}" for name, value in item["counterexample"].items()]
            parts: list[Any] = []
            for pair in pairs:
                parts += [*([", "] if parts else []), nodes.literal(pair, pair)]
            return [labelled("Counterexample, as recorded by the run", [paragraph(*parts, ".")])]
    return []


class Errata(ClaimsDirective):
    """Print what is false as printed, by consequence and weight, what needs a condition, what a rerun did not show."""

    def build(self, claims: Claims) -> Nodes:
        """Return, for each series, a count, a section for each consequence, the conditions and the reruns."""
        note_page(self.env, "errata")
        series: dict[str, set[str]] = {}
        for name, source in claims.sources.items():
            title = source.get("series") or source.get("errata")
            if title:
                series.setdefault(str(title), set()).add(name)
        blocks: Nodes = []
        for title, texts in series.items():
            own = [claim for claim in claims.all if texts & {place["source"] for place in claim["places"]}]
            address = "errata" if title == next(iter(series)) else f"errata-{nodes.make_id(title)}"
            parts = self._series(claims, own, address)
            if len(series) == 1:
                blocks += parts
            else:
                blocks.append(section(f"errata-of-{nodes.make_id(title)}", title, *parts))
        return blocks

    def _series(self, claims: Claims, own: list[dict[str, Any]], address: str) -> Nodes:
        false = sorted((claim for claim in own if claim["verdict"] == "false"), key=_weight)
        conditional = sorted((claim for claim in own if claim["verdict"] == "holds-with-condition"), key=_weight)
        groups = {name: [claim for claim in false if claim.get("conclusion") == name] for name in CONSEQUENCE_GROUPS}
        unsorted = [claim["id"] for claim in false if claim.get("conclusion") not in CONSEQUENCE_GROUPS]
        if unsorted:
            return self.warn(f"errata without a conclusion: {', '.join(unsorted)}")
        counted = ", ".join(f"{len(groups[name])} {words[0].lower()}{words[1:]}" for name, words in self._counts())
        blocks: Nodes = [paragraph(f"{len(false)} statements are false as printed: {counted}.")]
        for name, title in CONSEQUENCE_GROUPS.items():
            if groups[name]:
                entries = [self._erratum(claims, claim) for claim in groups[name]]
                blocks.append(section(f"{address}-{name}", f"{title} ({len(entries)})", *entries))
        if conditional:
            lines = [self._condition(claims, claim) for claim in conditional]
            title = f"Statements that hold under a condition ({len(lines)})"
            blocks.append(section(f"{address}-conditions", title, *lines))
        unseen = sorted((claim for claim in own if claim["verdict"] in SEEN_INSTEAD), key=_unseen)
        if unseen:
            lines = [self._rerun(claims, claim) for claim in unseen]
            title = f"Statements about experiments that our rerun did not show as printed ({len(lines)})"
            blocks.append(section(f"{address}-reruns", title, paragraph(RERUNS), *lines))
        return blocks

    @staticmethod
    def _counts() -> list[tuple[str, str]]:
        words = ("with a consequence that is lost", "with one that is weaker", "with one that stands as printed")
        return list(zip(CONSEQUENCE_GROUPS, words, strict=True))

    def _head(self, claim: dict[str, Any], address: str) -> Any:
        here = nodes.reference("", "", nodes.Text("#"), refid=address, classes=["mf-here"], internal=True)
        here["reftitle"] = f"Link to {claim['id']} on this page"
        title = to_claim(claim, self.env.docname, nodes.strong(claim["title"], claim["title"]))
        mark = badge(claim["verdict"], corrected=claim["corrected"], reading="reading" in claim)
        kind = claim["kind"].replace("-", " ")
        return paragraph(f"{kind[:1].upper()}{kind[1:]}: ", title, " ", mark, " ", here, classes=["mf-claim-head"])

    def _erratum(self, claims: Claims, claim: dict[str, Any]) -> Any:
        address = erratum_anchor(claim["id"])
        printed = paragraph("Printed at: ", *printed_at(claims, claim, self.env.docname), ".", classes=["mf-places"])
        blocks: Nodes = [self._head(claim, address), printed, *parse(self, claim["statement"])]
        if claim["hypotheses"]:
            listing = "\n".join("- " + item.replace("\n", "\n  ") for item in claim["hypotheses"])
            blocks.append(labelled("Hypotheses as printed", parse(self, listing)))
        blocks += break_parts(self, claim)
        if not claim.get("counterexample"):
            blocks += _recorded(claim)
        if claim.get("correction"):
            blocks.append(labelled("Corrected statement", parse(self, claim["correction"]), "mf-correction"))
        name = nodes.literal(claim["id"], claim["id"])
        more = ("Evidence: ", reference(claim["id"], self.env.docname, name), ".")
        blocks.append(paragraph(CONSEQUENCES[claim["conclusion"]], " ", *more, classes=["mf-places"]))
        return container(*blocks, classes=["mf-claim", "mf-is-false", "mf-erratum"], ids=[address])

    def _rerun(self, claims: Claims, claim: dict[str, Any]) -> Any:
        address = f"rerun-{claim['id'].lower()}"
        printed = paragraph("Printed at: ", *printed_at(claims, claim, self.env.docname), ".", classes=["mf-places"])
        blocks: Nodes = [self._head(claim, address), printed, *parse(self, claim["statement"])]
        if claim.get("correction"):
            blocks.append(labelled(correction_label(claim), parse(self, claim["correction"]), "mf-correction"))
        name = nodes.literal(claim["id"], claim["id"])
        more = ("Evidence: ", reference(claim["id"], self.env.docname, name), ".")
        blocks.append(paragraph(*more, classes=["mf-places"]))
        kind = f"mf-is-{claim['verdict']}"
        return container(*blocks, classes=["mf-claim", kind, "mf-erratum"], ids=[address])

    def _condition(self, claims: Claims, claim: dict[str, Any]) -> Any:
        address = f"condition-{claim['id'].lower()}"
        printed = paragraph("Printed at: ", *printed_at(claims, claim, self.env.docname), ".", classes=["mf-places"])
        blocks = [self._head(claim, address), printed, *parse(self, claim["condition"])]
        return container(*blocks, classes=["mf-claim", "mf-is-holds-with-condition", "mf-erratum"], ids=[address])
