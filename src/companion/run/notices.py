"""Say what of a run on this machine is not as accepted: data of figures, verdicts, notebooks that failed.

Where the variable CI is set, and not empty, each is an error; else a reader gets the book all the same, with notices.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from companion.ledger.accepted import FigureChanged, compare_with_reference
from companion.ledger.registry import FigureSpec, load_registry, specs_of_page
from companion.paths import Layout, json_text
from companion.run.acceptance import read_manifest
from companion.run.cache import Entry

__all__ = ["NAME", "Notices", "changed_figures", "last_line", "notices_of", "read_notices", "strict", "tables_of"]

#: The file beside the pages that holds the notices, where there are some.
NAME = "notices.json"


def strict() -> bool:
    """Return whether what is not as accepted is an error: where the variable CI is set and not empty."""
    return bool(os.environ.get("CI"))


@dataclass(frozen=True)
class Notices:
    """Hold one text for each figure (`page/id`), claim and notebook that is not as accepted on this machine."""

    figures: dict[str, str] = field(default_factory=dict)
    claims: dict[str, str] = field(default_factory=dict)
    notebooks: dict[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.figures or self.claims or self.notebooks)

    def lines(self) -> list[str]:
        """Return the notices as lines for a terminal, nothing where there are none."""
        rows = [f"  notebook {name} failed: {text}" for name, text in self.notebooks.items()]
        rows += [f"  claim {name}: {text}" for name, text in self.claims.items()]
        rows += [f"  figure {name.partition('/')[2]}: {text}" for name, text in self.figures.items()]
        return [f"Not as accepted on this machine: {len(rows)}", *rows] if rows else []

    def text(self) -> str:
        """Return the notices as JSON."""
        return json_text(asdict(self))


def last_line(text: str) -> str:
    """Return the last line of a traceback, which says what happened."""
    return text.strip().splitlines()[-1][:300]


def tables_of(layout: Layout, runs: Mapping[str, Path]) -> Iterator[tuple[str, FigureSpec, Path]]:
    """Yield page, figure and the table that a run wrote, or should have; `runs` has a folder a page."""
    registry = load_registry(layout.registry)
    for page, run in runs.items():
        for spec in specs_of_page(registry, page):
            yield page, spec, run / "figures" / page / f"{spec.id}.csv"


def changed_figures(layout: Layout, runs: Mapping[str, Path], profile: str) -> dict[str, FigureChanged]:
    """Return each figure (`page/id`) whose data are not the accepted ones, and how; `runs` has a folder a page."""
    found = {}
    for page, spec, path in tables_of(layout, dict(sorted(runs.items()))):
        try:
            if path.is_file():
                compare_with_reference(layout, spec, profile, path)
        except FigureChanged as error:
            found[f"{page}/{spec.id}"] = error
    return found


def _computed_with(own: Mapping[str, Any], accepted: Mapping[str, Any]) -> str:
    """Return how what computed a figure here differs from what computed its accepted data."""
    here, there = ({**made.get("versions", {}), **made.get("numerics", {})} for made in (own, accepted))
    if not there:
        return "What computed the accepted data was not recorded."
    other = [name for name in sorted({*here} & {*there}) if here[name] != there[name]]
    if not other:
        return "Versions, instruction set, threads and builds are those that computed the accepted data."
    told = "; ".join(f"{name.replace('_', ' ')} {here[name]}, there {there[name]}" for name in other)
    return f"Computed with other means than the accepted data: {told}."


def _figure_text(layout: Layout, profile: str, name: str, entry: Entry, change: FigureChanged) -> str:
    distance, (page, _, figure) = change.distance, name.partition("/")
    many = "1 value is" if distance.cells == 1 else f"{distance.cells} values are"
    told = f"{many} more than one tolerance away from the accepted data; the furthest: {distance}."
    made = json.loads((entry.run / "figures" / page / f"{figure}.json").read_text(encoding="utf-8"))
    accepted = read_manifest(layout).get(f"figures/{profile}/{figure}.csv")
    if distance.fault:
        told = f"the figure {distance.fault}."
    return told if accepted is None else f"{told} {_computed_with(made, accepted)}"


def notices_of(
    layout: Layout,
    profile: str,
    entries: Mapping[str, Entry],
    figures: Mapping[str, FigureChanged],
    faults: Sequence[str],
    pages: Mapping[str, str | None],
) -> Notices:
    """Return the notices of a run, from its executions, the changed figures and the faults of the ledger.

    `pages` are the notebooks of the claims: of one that failed, the claims have no verdict in this run.
    """
    failed = {page: entry.failed for page, entry in sorted(entries.items()) if entry.failed is not None}
    claims: dict[str, str] = {}
    for name, _, fault in (fault.partition(": ") for fault in faults):
        page = pages.get(name)
        lost = f"its notebook {page} failed, so that it has no verdict in this run" if page in failed else fault
        claims[name] = f"{claims[name]}; {lost}" if name in claims else lost
    return Notices(
        {name: _figure_text(layout, profile, name, entries[name.partition("/")[0]], figures[name]) for name in figures},
        claims,
        {page: last_line(message) for page, message in failed.items()},
    )


def read_notices(folder: Path) -> Notices:
    """Return the notices that lie beside the pages, none where there is no file."""
    path = folder / NAME
    return Notices(**json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else Notices()
