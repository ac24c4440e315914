"""Give every claim and every figure a page of its own, at an address that stays: `claims/<id>`, `claims/fig-<id>`.

The pages are small MyST sources in the stage, written from the computed ledger, the
registry of figures and the executed notebooks: caption and text of a figure are those
that its notebook shows, so nothing is written twice.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from companion.ledger.registry import FigureSpec
from companion.paths import CompanionError

#: Where the pages lie, in the sources and on the site.
FOLDER = "claims"

#: A figure as a notebook shows it (`companion.shown`): the fence, its name, the text
#: and the caption.
_SHOWN = re.compile(
    r"(?P<fence>`{4,})\{bookfigure\} (?P<name>\S+)\n(?P<body>:alt: [^\n]*\n\n.*?)\n(?P=fence)",
    re.DOTALL,
)
#: The page of a claim that was entered twice, at the address that it had.
_MERGED = "---\norphan: true\n---\n# {name}\n\nThis statement was entered twice. It is {{claim}}`{now}`.\n"
#: A link to a file, relative to the page where the caption stands.
_LINK = re.compile(r"\]\((?![a-z]+:|[#/])(?P<path>[^)\s]+)\)")


def claim_address(claim: str) -> str:
    """Return the address of a claim's page, without suffix."""
    return f"{FOLDER}/{claim}"


def figure_address(figure: str) -> str:
    """Return the address of a figure's page, without suffix."""
    return f"{FOLDER}/fig-{figure}"


def shown_figures(notebook: Path) -> dict[str, str]:
    """Return the options and the caption of each figure that an executed notebook shows, by `page/id`."""
    document = json.loads(notebook.read_text(encoding="utf-8"))
    found: dict[str, str] = {}
    for cell in document["cells"]:
        for output in cell.get("outputs", []):
            text = output.get("data", {}).get("text/markdown", "")
            if match := _SHOWN.search("".join(text)):
                found.setdefault(match["name"], match["body"])
    return found


def _moved(text: str) -> str:
    """Return a text of a notebook with its links as they read from the folder of the pages made here."""
    return _LINK.sub(
        lambda match: f"]({posixpath.normpath('../notebooks/' + match['path'])})", text
    )


def _source(directive: str, argument: str, body: str = "") -> str:
    fence = "`" * max(
        4, 1 + max((len(run) for run in re.findall(r"`+", body)), default=0)
    )
    return f"---\norphan: true\n---\n{fence}{{{directive}}} {argument}\n{body}{fence}\n"


def address_sources(
    claims: Iterable[Mapping[str, Any]],
    registry: Mapping[str, FigureSpec],
    notebooks: Mapping[str, Path],
    partial: Collection[str] = (),
) -> dict[str, str]:
    """Return the MyST source of each page, by address; figures of pages that were not executed have none.

    Of the notebooks in `partial`, which did not come to their end, the figures that
    they do not show have none either. Raises CompanionError for a figure that its
    notebook computes and never shows.
    """
    pages = {}
    for claim in claims:
        pages[claim_address(claim["id"])] = _source("claim-page", claim["id"])
        for name in claim.get("formerly", []):
            pages[claim_address(name)] = _MERGED.format(name=name, now=claim["id"])
    hidden = []
    for page, path in notebooks.items():
        bodies = shown_figures(path)
        for name in sorted(
            name for name, spec in registry.items() if spec.page == page
        ):
            if body := bodies.get(f"{page}/{name}"):
                pages[figure_address(name)] = _source(
                    "figure-page", f"{page}/{name}", f"{_moved(body)}\n"
                )
            elif page not in partial:
                hidden.append(name)
    if hidden:
        raise CompanionError(
            f"figures of data/figures.yml that their notebook does not show: {', '.join(hidden)}"
        )
    return pages
