"""Print what was corrected since a version, and where an error can be reported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from companion.ledger.corrections import Correction, is_first_version, load_corrections, since_last_version
from companion.paths import CompanionError
from companion.publish.publication import find_publication
from companion.site.cards import ClaimsDirective
from companion.site.links import Claims, reference, to_page
from companion.site.nodes import Nodes, badge, container, labelled, paragraph, parse, section
from companion.site.statement import root_of

__all__ = ["Corrections", "WhereToReport"]


#: The form of the issue tracker, under .github/ISSUE_TEMPLATE.
FORM = "error-in-the-book.yml"


class WhereToReport(SphinxDirective):
    """Print which version this copy is, and where an error in it can be reported."""

    def run(self) -> Nodes:
        """Return two paragraphs, or a report where CITATION.cff is not as it must be."""
        try:
            published = find_publication(root_of(self.env))
        except CompanionError as error:
            return [self.state.document.reporter.warning(str(error), line=self.lineno)]
        built: list[Any] = [f"This copy is version {published.version}"]
        if published.commit:
            short = published.commit[:12]
            built += [", made from commit ", nodes.literal(short, short)]
        if published.repository is None:
            words = "This copy was not told the address of an issue tracker: write to whoever you have the book from, "
            words += "and keep the order above, so that the report can be passed on as it is."
            return [paragraph(*built, "."), paragraph(words)]
        address = f"{published.repository}/issues/new?template={FORM}"
        link = nodes.reference("", "the form for errors in the book", refuri=address)
        return [paragraph(*built, "."), paragraph("Use ", link, " in the issue tracker; it asks for the same things.")]


class Corrections(ClaimsDirective):
    """Print what was corrected since the last version, then what earlier versions corrected."""

    def build(self, claims: Claims) -> Nodes:
        """Return a section for each version, or a report where an entry names what is not so."""
        root = root_of(self.env)
        verdicts = {name: str(claim["verdict"]) for name, claim in claims.by_id.items()}
        try:
            version = find_publication(root).version
            found = load_corrections(root, verdicts, self.env.found_docs, version)
        except CompanionError as error:
            return self.warn(str(error))
        blocks: Nodes = [self._since(claims, found, version)]
        earlier = [item for item in found if item.wrong_in is not None and item.corrected_in != version]
        for name in dict.fromkeys(item.corrected_in for item in earlier):
            own = [item for item in earlier if item.corrected_in == name]
            blocks.append(self._section(claims, f"corrected-in-{name}", f"Corrected in version {name}", own))
        before = [item for item in found if item.wrong_in is None]
        if before:
            lead = "No reader had a version with these errors. They are told because each changed a verdict, "
            lead += "and a verdict that has moved once deserves a second look."
            title = "Before the first version"
            blocks.append(self._section(claims, "corrected-before-publication", title, before, lead))
        return blocks

    def _since(self, claims: Claims, found: Sequence[Correction], version: str) -> Any:
        now = since_last_version(found, version)
        if now:
            lead = f"Version {version} corrects what earlier versions said in {len(now)} place{'s' * (len(now) != 1)}."
        elif is_first_version(root_of(self.env), version):
            lead = f"Version {version} is the first one: there is no earlier version to correct."
        else:
            lead = f"Version {version} corrects nothing that earlier versions said."
        return self._section(claims, "corrected-now", "Since the last version", now, lead)

    def _section(self, claims: Claims, name: str, title: str, own: Sequence[Correction], lead: str = "") -> Any:
        head: Nodes = [paragraph(lead)] if lead else []
        return section(name.replace(".", "-"), title, *head, *(self._entry(claims, item) for item in own))

    def _entry(self, claims: Claims, item: Correction) -> Any:
        head: list[Any] = []
        for name in item.claims:
            head += [*([", "] if head else []), reference(name, self.env.docname, nodes.literal(name, name))]
        head += [", on the page " if head else "On the page ", to_page(item.page, "", self.env.docname, nodes.Text(""))]
        moved: Nodes = []
        if item.was and item.now:
            moved = [paragraph("Verdict before: ", badge(item.was), "; now: ", badge(item.now), ".")]
        closing = f"Corrected on {item.date:%Y-%m-%d}, in version {item.corrected_in}"
        closing += f"; wrong since version {item.wrong_in}" if item.wrong_in else ""
        parts = [
            paragraph(*head, classes=["mf-claim-head"]),
            labelled("The book said", parse(self, item.said)),
            labelled("What is right", parse(self, item.right), "mf-correction"),
            *moved,
            paragraph(f"{closing}. Found by {item.reported_by}.", classes=["mf-places"]),
        ]
        return container(*parts, classes=["mf-claim", f"mf-is-{item.now}" if item.now else "mf-is-corrected"])
