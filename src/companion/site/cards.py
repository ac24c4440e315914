"""Show claims: the role `claim`, the cards, the scoreboard, and the page that each claim has."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.util.docutils import ReferenceRole, SphinxDirective, SphinxRole

from companion.site.links import (
    CLAIMS,
    Claims,
    anchor,
    filtered,
    linked_place,
    load_claims,
    note_card,
    printed_at,
    reference,
    to_page,
)
from companion.site.nodes import Nodes, badge, container, fold, labelled, paragraph, parse, table
from companion.site.page_notices import claim_notice

__all__ = [
    "CONSEQUENCES",
    "GROUPS",
    "MEANINGS",
    "RERUN",
    "SEEN_INSTEAD",
    "STANDING",
    "ClaimCard",
    "ClaimRole",
    "ClaimsDirective",
    "PlaceRole",
    "break_parts",
    "claim_block",
    "correction_label",
    "groups_of",
    "tally",
]


#: Verdicts on sentences about experiments that were run again.
RERUN = ("reproduced", "variant-only", "not-reproduced")


#: What is counted, by the name that the filter of the ledger knows, and the words under the number.
GROUPS = {
    "holds": "hold as printed",
    "holds-with-condition": "hold under a condition",
    "false": "false as printed",
    "corrected": "of these corrected and tested",
    "rerun": "experiments run again",
}


def groups_of(claim: dict[str, Any]) -> list[str]:
    """Return the names under which a claim is found in the ledger: its verdict, and the groups it belongs to."""
    verdict = str(claim["verdict"])
    mended = ["corrected"] if verdict == "false" and claim["corrected"] else []
    return [verdict, *mended, *(["rerun"] if verdict in RERUN else [])]


def tally(claims: Claims, docname: str) -> Any:
    """Return a list of the numbers with their words; the numbers are those of the ledger."""
    found = [name for claim in claims.five for name in groups_of(claim)]
    line = nodes.bullet_list("", classes=["mf-tally"])
    for name, words in GROUPS.items():
        count = str(found.count(name))
        number = nodes.inline(count, count, classes=["mf-tally-number", f"mf-tally-{name}"])
        content = nodes.inline("", "", number, nodes.Text(" "), nodes.inline(words, words))
        line += nodes.list_item("", paragraph(filtered(name, docname, content)))
    return line


MEANINGS = {
    "holds": "tested as printed, no violation; the test was shown to be able to fail",
    "holds-with-condition": "a counterexample as printed; true with a hypothesis that is not stated there",
    "false": "an exact counterexample to the statement as printed; a correction is given where one is known",
    "definition": "a definition or notation, found to be well posed",
    "reproduced": "a sentence about an experiment; our own runs of it, as printed, show the same",
    "variant-only": "our runs as printed do not show it; our runs of a variant do",
    "not-reproduced": "our runs do not show it; this says nothing about what the authors saw",
    "outside": "quoted from elsewhere, or informal: nothing that is run here can decide it",
    "not-yet-checked": "entered in the ledger, no evidence recorded yet",
}


#: Verdicts under which a statement stands, with or without a condition.
STANDING = ("holds", "holds-with-condition")


#: What becomes of what a text draws from a statement that is false as printed.
CONSEQUENCES = {
    "fails": "What the text draws from it is lost.",
    "weaker": "What the text draws from it stands with another constant or an added hypothesis.",
    "survives": "What the text draws from it stands as printed.",
}


#: What a correction is called; under these verdicts it is what was seen instead.
SEEN_INSTEAD = ("variant-only", "not-reproduced")


COLUMNS = ("Tested", "Instances", "Violations", "Smallest margin", "Arithmetic", "Seed", "Control")


class ClaimsDirective(SphinxDirective):
    """Give a directive the ledger; where that or a claim is missing, warn, which ends the build."""

    def run(self) -> Nodes:
        """Return the nodes, or a report."""
        try:
            claims = load_claims(self.env)
        except (OSError, ValueError, KeyError) as error:
            return self.warn(f"cannot read {CLAIMS}: {error!r}")
        return self.build(claims)

    def warn(self, message: str) -> Nodes:
        """Return a report."""
        return [self.state.document.reporter.warning(message, line=self.lineno)]

    def build(self, claims: Claims) -> Nodes:
        """Return the nodes for the ledger given."""
        raise NotImplementedError


def _evidence(item: dict[str, Any]) -> list[Any]:
    control = item["control"]
    arithmetic = item["arithmetic"]
    if item["scope"] == "universal":
        arithmetic += ", covers all instances"
    return [
        item["role"].replace("-", " "),
        f"{item['instances']:,}",
        f"{item['violations']:,}",
        f"{item['worst_slack'] + 0.0:.3g}",  # without the sign of a zero
        arithmetic,
        "none" if item.get("seed") is None else str(item["seed"]),
        f"{control['note']}: {control['violations']:,} of {control['instances']:,} fail",
    ]


def _evidence_fold(evidence: list[dict[str, Any]]) -> Nodes:
    if not evidence:
        return []
    blocks: Nodes = [table(COLUMNS, [_evidence(item) for item in evidence])]
    for item in evidence:
        example = item.get("counterexample")
        if example:
            pairs = [nodes.literal(text, text) for text in (f"{name} = {value}" for name, value in example.items())]
            kind = "Worst run" if item["role"].startswith("rerun") else "Counterexample"
            parts: list[Any] = [f"{kind} ({item['role'].replace('-', ' ')}): "]
            for place, pair in enumerate(pairs):
                parts += [", ", pair] if place else [pair]
            blocks.append(paragraph(*parts, "."))
        if item.get("note"):
            blocks.append(paragraph(f"Note ({item['role'].replace('-', ' ')}): {item['note']}"))
    tests = "1 test" if len(evidence) == 1 else f"{len(evidence)} tests"
    return fold(f"Evidence: {tests}", *blocks, classes=["mf-evidence"])


def break_parts(directive: SphinxDirective, claim: dict[str, Any]) -> Nodes:
    """Return which step breaks, with a counterexample in words; nothing for a claim that was not refuted."""
    if claim["verdict"] not in ("false", "holds-with-condition"):
        return []
    parts = (("breaks", "What breaks"), ("counterexample", "Counterexample"))
    return [labelled(words, parse(directive, claim[key])) for key, words in parts if claim.get(key)]


def correction_label(claim: dict[str, Any]) -> str:
    """Return what the correction of a claim is called: for one about a run it is what was seen."""
    return "What our rerun shows" if claim["verdict"] in SEEN_INSTEAD else "Corrected statement"


def claim_block(directive: SphinxDirective, claims: Claims, claim: dict[str, Any], *, where: str) -> Any:
    """Return the full entry of one claim: statement, hypotheses, places, verdict, evidence.

    `where` it stands, "card", "ledger" or "page", says what its head repeats and where its links lead.
    """
    docname, name = directive.env.docname, str(claim["id"])
    mark = badge(claim["verdict"], claim["grade"], corrected=claim["corrected"], reading="reading" in claim)
    kind, title = claim["kind"].replace("-", " "), nodes.strong(claim["title"], claim["title"])
    here = nodes.reference("", "", nodes.Text("#"), refid=anchor(name), classes=["mf-here"], internal=True)
    here["reftitle"] = f"Link to claim {name}"
    label: Any = nodes.literal(name, name)
    if where == "page":
        parts: list[Any] = [f"{kind[:1].upper()}{kind[1:]}: ", mark]
    else:
        label = label if where == "ledger" else reference(name, docname, label)
        parts = [label, f" {kind}: ", title, " ", mark, " ", here]
    head = paragraph(*parts, classes=["mf-claim-head"])
    blocks: Nodes = [head, *claim_notice(directive.env, name), *parse(directive, claim["statement"])]
    if claim["hypotheses"]:
        listing = "\n".join("- " + item.replace("\n", "\n  ") for item in claim["hypotheses"])
        blocks.append(labelled("Hypotheses as printed", parse(directive, listing)))
    blocks += break_parts(directive, claim)
    for key, words in (("condition", "Condition that is needed"), ("correction", correction_label(claim))):
        if claim.get(key):
            blocks.append(labelled(words, parse(directive, claim[key]), "mf-correction"))
    if claim["verdict"] == "false" and claim.get("conclusion"):
        blocks.append(paragraph(CONSEQUENCES[claim["conclusion"]]))
    if claim["proof_gap"]:
        stands = "; the statement stands" if claim["verdict"] in STANDING else ""
        blocks.append(paragraph(f"A step of the printed proof does not hold as printed{stands}."))
    for key, words in (
        ("words", "Words that name the case"),
        ("reading", "Our reading"),
        ("reason", "Why it is outside"),
        ("note", "Note"),
    ):
        if claim.get(key):
            blocks.append(labelled(words, parse(directive, claim[key])))
    blocks.append(paragraph("Printed at: ", *printed_at(claims, claim, docname), ".", classes=["mf-places"]))
    blocks += _evidence_fold(claim["evidence"])
    if where != "card" and claim["notebook"]:
        link: Any = nodes.Text(claim["notebook"])
        if claim["page"]:
            link = to_page(claim["page"], name, docname, link)
            blocks.append(paragraph("Checked on the page ", link, ".", classes=["mf-places"]))
        else:
            blocks.append(paragraph(f"A page for it is planned: {link}.", classes=["mf-places"]))
    classes = ["mf-claim", *(f"mf-is-{group}" for group in groups_of(claim))]
    return container(*blocks, classes=classes, ids=[anchor(name)])


class ClaimRole(ReferenceRole):
    """Print a claim's id and verdict as a link to its page: {claim}`MBDE-L9`."""

    def run(self) -> tuple[Nodes, Nodes]:
        """Return the link, or a report where the claim is unknown."""
        try:
            claim = load_claims(self.env).by_id.get(self.target)
        except (OSError, ValueError, KeyError) as error:
            return [], [self.inliner.reporter.warning(f"cannot read {CLAIMS}: {error!r}", line=self.lineno)]
        if claim is None:
            return [], [self.inliner.reporter.warning(f"unknown claim {self.target!r}", line=self.lineno)]
        mark = badge(claim["verdict"], corrected=claim["corrected"], reading="reading" in claim)
        content = nodes.inline("", "", nodes.Text(self.title + " "), mark, classes=["mf-claim-link"])
        return [reference(self.target, self.env.docname, content)], []


class PlaceRole(SphinxRole):
    """Print a place in a text of a series with its numbers as links to the numbering: {place}`v1: Theorem 7`."""

    def run(self) -> tuple[Nodes, Nodes]:
        """Return the place without the name of the text, or a report where it has no number or the text is unknown."""
        source, _, at = self.text.partition(":")
        try:
            parts = linked_place(load_claims(self.env), source.strip(), at.strip(), self.env.docname)
        except (OSError, ValueError, KeyError) as error:
            return [], [self.inliner.reporter.warning(f"cannot read {CLAIMS}: {error!r}", line=self.lineno)]
        if all(isinstance(part, nodes.Text) for part in parts):
            return [], [self.inliner.reporter.warning(f"no number of a text in {self.text!r}", line=self.lineno)]
        return parts, []


class ClaimCard(ClaimsDirective):
    """Print a claim with its verdict and evidence on the page that checks it."""

    required_arguments = 1

    def build(self, claims: Claims) -> Nodes:
        """Return the card and remember where it stands."""
        name = self.arguments[0].strip()
        claim = claims.by_id.get(name)
        if claim is None:
            return self.warn(f"unknown claim {name!r}")
        if not note_card(self.env, name, self.lineno):
            return self.warn(f"second card of {name} on this page")
        block = claim_block(self, claims, claim, where="card")
        block["classes"].append("mf-card")
        return [block]
