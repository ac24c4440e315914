"""Print what was corrected since a version, and where an error can be reported."""

from __future__ import annotations

from companion.ledger.corrections import is_first_version, load_corrections, since_last_version
from companion.paths import CompanionError
from companion.publish.publication import find_publication
from companion.site.computed import Claims
from companion.site.generated import Generated
from companion.site.nodes import Nodes
from companion.site.statement import root_of

__all__ = ["Corrections", "WhereToReport"]


#: The form of the issue tracker, under .github/ISSUE_TEMPLATE.
FORM = "error-in-the-book.yml"


class WhereToReport(Generated):
    """Print which version this copy is, and where an error in it can be reported."""

    def run(self) -> Nodes:
        """Return two paragraphs, or a report where CITATION.cff is not as it must be."""
        try:
            return self.fill("report", book=find_publication(root_of(self.env)), form=FORM)
        except CompanionError as error:
            return self.warn(str(error))


class Corrections(Generated):
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
        return self.fill(
            "corrections",
            claims,
            version=version,
            first=is_first_version(root, version),
            now=since_last_version(found, version),
            earlier=[item for item in found if item.wrong_in is not None and item.corrected_in != version],
            before=[item for item in found if item.wrong_in is None],
        )
