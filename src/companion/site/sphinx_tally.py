"""Say in one line how the claims stand, each number a link to those claims in the ledger."""

from __future__ import annotations

from typing import Any

from docutils import nodes

from companion.site.sphinx_links import filtered
from companion.site.sphinx_nodes import paragraph
from companion.site.sphinx_store import Claims

__all__ = ["GROUPS", "RERUN", "groups_of", "tally"]

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
    found = [name for claim in claims.all for name in groups_of(claim)]
    line = nodes.bullet_list("", classes=["mf-tally"])
    for name, words in GROUPS.items():
        count = str(found.count(name))
        number = nodes.inline(count, count, classes=["mf-tally-number", f"mf-tally-{name}"])
        content = nodes.inline("", "", number, nodes.Text(" "), nodes.inline(words, words))
        line += nodes.list_item("", paragraph(filtered(name, docname, content)))
    return line
