"""Give every claim and every figure a page of its own, at an address that stays: `claims/<id>`, `claims/fig-<id>`.

The pages are small MyST sources in the stage, written from the computed ledger, the registry of figures and the
executed notebooks: caption and text of a figure are those that its notebook shows, so nothing is written twice.
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

#: What a file on every system, an address and an anchor can be called; with a hyphen between words.
_NAME = re.compile(r"[A-Za-z0-9]+(\.[A-Za-z0-9]+)*(-[A-Za-z0-9]+(\.[A-Za-z0-9]+)*)*")
#: A figure as a notebook shows it (`companion.shown`): the fence, its name, the text and the caption.
_SHOWN = re.compile(
    r"(?P<fence>`{4,})\{bookfigure\} (?P<name>\S+)\n(?P<body>:alt: [^\n]*\n\n.*?)\n(?P=fence)", re.DOTALL
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


def check_names(addresses: Iterable[str]) -> None:
    """Raise CompanionError for an address with an unusual character, and for two that differ in case at most."""
    known: dict[str, str] = {}
    for address in addresses:
        name = address.removeprefix(f"{FOLDER}/")
        if not _NAME.fullmatch(name):
            raise CompanionError(f"an address has letters, digits, dots and hyphens between them, got {name!r}")
        other = known.setdefault(name.lower(), name)
        if known[name.lower()] is not name:
            raise CompanionError(f"two addresses must not be the same or differ in case alone: {other!r}, {name!r}")


def shown_figures(notebook: Path) -> dict[str, str]:
    """Return the options and the caption of each figure that an executed notebook shows, by `page/id`."""
    document = json.loads(notebook.read_text(encoding="utf-8"))
    found: dict[str, str] = {}
    for cell in document["cells"]:
        for output in cell.get("outputs", []):
            text = output.get("data", {}).get("text/markdown", "")
            match = _SHOWN.search(text if isinstance(text, str) else "".join(text))
            if match:
                found.setdefault(match["name"], match["body"])
    return found


def _moved(text: str) -> str:
    """Return a text of a notebook with its links as they read from the folder of the pages made here."""
    return _LINK.sub(lambda match: f"]({posixpath.normpath('../notebooks/' + match['path'])})", text)


def _source(directive: str, argument: str, body: str = "") -> str:
    fence = "`" * max(4, 1 + max((len(run) for run in re.findall(r"`+", body)), default=0))
    return f"---\norphan: true\n---\n{fence}{{{directive}}} {argument}\n{body}{fence}\n"


def address_sources(
    claims: Iterable[Mapping[str, Any]],
    registry: Mapping[str, FigureSpec],
    notebooks: Mapping[str, Path],
    partial: Collection[str] = (),
) -> dict[str, str]:
    """Return the MyST source of each page, by address; figures of pages that were not executed have none.

    Of the notebooks in `partial`, which did not come to their end, the figures that they do not show have none either.

    Raises CompanionError for an id that makes no address, and for a figure that its notebook computes and never shows.
    """
    pages = []
    for claim in claims:
        pages.append((claim_address(claim["id"]), _source("claim-page", claim["id"])))
        pages += [
            (claim_address(name), _MERGED.format(name=name, now=claim["id"])) for name in claim.get("formerly", [])
        ]
    shown = {page: shown_figures(path) for page, path in notebooks.items()}
    figures = {name: f"{spec.page}/{name}" for name, spec in registry.items() if spec.page in shown}
    bodies = {place: body for page in shown.values() for place, body in page.items()}
    figures = {name: place for name, place in figures.items() if registry[name].page not in partial or place in bodies}
    hidden = sorted(name for name, place in figures.items() if place not in bodies)
    if hidden:
        raise CompanionError(f"figures of data/figures.yml that their notebook does not show: {', '.join(hidden)}")
    for name, place in figures.items():
        pages.append((figure_address(name), _source("figure-page", place, f"{_moved(bodies[place])}\n")))
    check_names(address for address, _ in pages)
    return dict(pages)
