"""Give every claim and every figure a page of its own, at an address that stays.

The addresses are `claims/<id>` and `claims/fig-<id>`. The pages are small MyST sources
in the stage, written from the computed ledger, the registry of figures and the executed
notebooks: caption and text of a figure are those that its notebook shows, so nothing is
written twice.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from posixpath import normpath

from companion.ledger.records import ClaimRecord
from companion.ledger.registry import FigureSpec
from companion.paths import CompanionError, read_json

#: Where the pages lie, in the sources and on the site.
FOLDER = "claims"

#: A figure as a notebook shows it (`companion.shown`): the fence, its name, the text
#: and the caption.
_SHOWN = re.compile(
    r"(?P<fence>`{4,})\{bookfigure\} (?P<name>\S+)\n"
    r"(?P<body>:alt: [^\n]*\n\n.*?)\n(?P=fence)",
    re.DOTALL,
)
#: The page of a claim that was entered twice, at the address that it had.
_MERGED = """\
---
orphan: true
---
# {name}

This statement was entered twice. It is {{claim}}`{now}`.
"""
#: A page that has one directive and is in no table of contents.
_PAGE = """\
---
orphan: true
---
{fence}{{{directive}}} {argument}
{body}{fence}
"""
#: The least length of a fence.
_FENCE = 4
#: A link to a file, relative to the page where the caption stands.
_LINK = re.compile(r"\]\((?![a-z]+:|[#/])(?P<path>[^)\s]+)\)")


def claim_address(claim: str) -> str:
    """Return the address of a claim's page, without suffix."""
    return f"{FOLDER}/{claim}"


def figure_address(figure: str) -> str:
    """Return the address of a figure's page, without suffix."""
    return f"{FOLDER}/fig-{figure}"


def figure_anchor(figure: str) -> str:
    """Return the address of the figure `page/id` on the page of its notebook."""
    return "fig-" + figure.replace("/", "-")


def shown_figures(notebook: Path) -> dict[str, str]:
    """Return options and caption of each figure that an executed notebook shows.

    The names are `page/id`.
    """
    figures: dict[str, str] = {}
    for cell in read_json(notebook)["cells"]:
        for output in cell.get("outputs", []):
            text = "".join(output.get("data", {}).get("text/markdown", ""))
            if match := _SHOWN.search(text):
                figures.setdefault(match["name"], match["body"])
    return figures


def _source(directive: str, argument: str, body: str = "") -> str:
    """Return a page; its fence is longer than any run of backticks in the body."""
    longest = max(map(len, re.findall(r"`+", body)), default=0)
    fence = "`" * max(_FENCE, longest + 1)
    return _PAGE.format(fence=fence, directive=directive, argument=argument, body=body)


def address_sources(
    claims: Iterable[ClaimRecord],
    registry: Mapping[str, FigureSpec],
    notebooks: Mapping[str, Path],
    partial: Collection[str] = (),
) -> dict[str, str]:
    """Return the MyST source of each page, by address.

    Figures of pages that were not executed have none. Of the notebooks in `partial`,
    which did not come to their end, the figures that they do not show have none either.
    Raises CompanionError for a figure that its notebook computes and never shows.
    """
    pages = {}
    for claim in claims:
        pages[claim_address(claim["id"])] = _source("claim-page", claim["id"])
        for name in claim.get("formerly", []):
            pages[claim_address(name)] = _MERGED.format(name=name, now=claim["id"])
    hidden = []
    for page, path in notebooks.items():
        bodies = shown_figures(path)
        own = sorted(name for name, spec in registry.items() if spec.page == page)
        for name in own:
            if body := bodies.get(f"{page}/{name}"):
                # Its links as they read from here.
                moved = _LINK.sub(
                    lambda match: f"]({normpath('../notebooks/' + match['path'])})",
                    body,
                )
                source = _source("figure-page", f"{page}/{name}", f"{moved}\n")
                pages[figure_address(name)] = source
            elif page not in partial:
                hidden.append(name)
    if hidden:
        raise CompanionError(
            "figures of data/figures.yml that their notebook does not show: "
            + ", ".join(hidden)
        )
    return pages
