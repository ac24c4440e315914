"""Say what of a run on this machine is not as accepted.

That may be data of figures, verdicts, notebooks that failed. Where the variable CI is
set, and not empty, each is an error; else a reader gets the book all the same, with
notices.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.ledger.registry import load_registry, specs_of_page
from companion.paths import Layout, read_json
from companion.run.cache import Entry, failed_pages
from companion.snapshots.compare import Distance, distance_from_reference
from companion.snapshots.update import read_manifest

#: The file beside the pages that holds the notices, where there are some.
NAME = "notices.json"


def strict() -> bool:
    """Return whether what is not as accepted is an error.

    It is where the variable CI is set and not empty.
    """
    return bool(os.environ.get("CI"))


@dataclass(frozen=True)
class Notices:
    """Hold what is not as accepted on this machine, and one text for each.

    Figures are named `page/id`, claims and notebooks by their names.
    """

    figures: dict[str, str] = field(default_factory=dict)
    claims: dict[str, str] = field(default_factory=dict)
    notebooks: dict[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.figures or self.claims or self.notebooks)

    def lines(self) -> list[str]:
        """Return the notices as lines for a terminal, none where there are none."""
        rows = [
            f"  notebook {name} failed: {text}" for name, text in self.notebooks.items()
        ]
        rows += [f"  claim {name}: {text}" for name, text in self.claims.items()]
        rows += [
            f"  figure {name.partition('/')[2]}: {text}"
            for name, text in self.figures.items()
        ]
        if not rows:
            return []
        return [f"Not as accepted on this machine: {len(rows)}", *rows]


def last_line(text: str) -> str:
    """Return the last line of a traceback, which says what happened."""
    return text.strip().splitlines()[-1][:300]


def distances(
    layout: Layout,
    entries: Mapping[str, Entry],
    profile: str,
) -> dict[str, Distance]:
    """Return how far the data of each figure (`page/id`) are from the accepted ones.

    A figure is left out that a notebook did not come to before it failed.
    """
    registry = load_registry(layout.registry)
    figures = {}
    for page, entry in sorted(entries.items()):
        for spec in specs_of_page(registry, page):
            path = entry.run / "figures" / page / f"{spec.id}.csv"
            if path.is_file() or entry.failed is None:
                figures[f"{page}/{spec.id}"] = distance_from_reference(
                    layout, spec, profile, path
                )
    return figures


def _means(record: Mapping[str, Any]) -> dict[str, str]:
    """Return what computed a figure, as its record or the manifest says it."""
    return {**record.get("versions", {}), **record.get("numerics", {})}


def _computed_with(here: Mapping[str, str], there: Mapping[str, str]) -> str:
    """Say how what computed a figure here differs from what did its accepted data."""
    if not there:
        return "What computed the accepted data was not recorded."
    differences = [
        f"{name.replace('_', ' ')} {here[name]}, there {there[name]}"
        for name in sorted(here.keys() & there.keys())
        if here[name] != there[name]
    ]
    if not differences:
        return (
            "Versions, instruction set, threads and builds are those that computed "
            "the accepted data."
        )
    return (
        f"Computed with other means than the accepted data: {'; '.join(differences)}."
    )


def _figure_text(layout: Layout, profile: str, record: Path, far: Distance) -> str:
    many = "1 value is" if far.cells == 1 else f"{far.cells} values are"
    text = (
        f"{many} more than one tolerance away from the accepted data; "
        f"the furthest: {far}."
    )
    if far.fault:
        text = f"the figure {far.fault}."
    accepted = read_manifest(layout).get(f"figures/{profile}/{far.figure}.csv")
    if accepted is None or not record.is_file():
        return text
    means = _computed_with(_means(read_json(record)), _means(accepted))
    return f"{text} {means}"


def notices_of(
    layout: Layout,
    profile: str,
    entries: Mapping[str, Entry],
    figures: Mapping[str, Distance],
    faults: Sequence[str],
    pages: Mapping[str, str | None],
) -> Notices:
    """Return the notices of a run.

    They come from its executions, the distances of its figures and the faults of the
    ledger. `pages` are the notebooks of the claims: of one that failed, the claims have
    no verdict in this run.
    """
    failed = {page: last_line(text) for page, text in failed_pages(entries).items()}
    changed: dict[str, str] = {}
    for name, far in figures.items():
        if far.changed:
            run = entries[name.partition("/")[0]].run
            changed[name] = _figure_text(
                layout, profile, run / "figures" / f"{name}.json", far
            )
    claims: dict[str, str] = {}
    for line in faults:
        name, _, fault = line.partition(": ")
        page = pages.get(name)
        if page in failed:
            fault = f"its notebook {page} failed, so that it has no verdict in this run"
        claims[name] = f"{claims[name]}; {fault}" if name in claims else fault
    return Notices(changed, claims, failed)


def read_notices(folder: Path) -> Notices:
    """Return the notices that lie beside the pages, none where there is no file."""
    path = folder / NAME
    return Notices(**read_json(path)) if path.is_file() else Notices()
