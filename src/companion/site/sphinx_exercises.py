"""Give the exercises of sphinx-exercise addresses that are unique on a page and stay the same."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

__all__ = ["mend_addresses"]

#: sphinx-exercise gives one of these to the body of every exercise and of every solution.
REPEATED = ("exercise-content", "solution-content")


def mend_addresses(app: Sphinx, tree: Any) -> None:
    """Make the ids of the bodies unique; let the solution of `ex-page-1` have the address `solution-of-ex-page-1`.

    Without this a solution's address counts the directives of the page, so that it moves when one is added.
    """
    data: dict[str, Any] = app.env.get_domain("std").data
    for node in tree.findall(lambda item: type(item).__name__ == "solution_node"):
        name, address = node["label"], f"solution-of-{node['target_label']}"
        node["ids"] = [address]
        for store in (data["labels"], data["anonlabels"]):
            if name in store:
                store[name] = (store[name][0], address, *store[name][2:])
    for section in tree.findall(nodes.section):
        if section["ids"] and section["ids"][0] in REPEATED:
            section["ids"] = [f"text-of-{section.parent['ids'][0]}"]
