"""Compute, draw and save one figure: pictures for light and dark pages, its data, and how it was made."""

from __future__ import annotations

import inspect
import json
import logging
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure as Drawing

from companion import style
from companion.paths import CompanionError, Layout
from companion.provenance import commit, describe_machine, numerics, sha256_of, versions
from companion.references import FigureChanged, check_key, compare_with_reference, table_text
from companion.registry import FigureSpec, accepted_parameters, resolve

__all__ = [
    "SUFFIXES",
    "FigureChanged",
    "MadeFigure",
    "compare_with_reference",
    "compute",
    "make",
    "save",
]

#: The files of one figure.
SUFFIXES = (".svg", ".dark.svg", ".png", ".pdf", ".csv", ".json")

#: What keeps dates and program names out of the files, so that the same figure has the same bytes.
_PLAIN: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}


@dataclass(frozen=True)
class MadeFigure:
    """Hold a figure that was computed, drawn and saved: its table, facts, parameters and files."""

    spec: FigureSpec
    profile: str
    params: Mapping[str, Any]
    table: pd.DataFrame
    facts: dict[str, Any]
    directory: Path
    seconds: float | None  # None where cells computed the table

    @property
    def cell(self) -> str:
        """The notebook whose cells compute and draw the figure."""
        return f"notebooks/{self.spec.page}.md"

    @property
    def as_registered(self) -> bool:
        """Whether the parameters are those of the registry, so that the data can be compared."""
        return dict(self.params) == self.spec.parameters(self.profile)

    def file(self, suffix: str) -> Path:
        """Return the path of one file; raise ValueError for a suffix that is not in `SUFFIXES`."""
        if suffix not in SUFFIXES:
            raise ValueError(f"suffix must be one of {', '.join(SUFFIXES)}, got {suffix!r}")
        return self.directory / f"{self.spec.id}{suffix}"


def compute(
    spec: FigureSpec, profile: str, overrides: Mapping[str, Any] | None = None
) -> tuple[pd.DataFrame, dict[str, Any], dict[str, Any]]:
    """Return the table, the facts and the parameters of a figure, `overrides` put over the registry.

    Raises CompanionError that lists the known parameters where one is unknown, before any work.
    """
    function = resolve(spec.compute)
    known = accepted_parameters(function)
    chosen = spec.parameters(profile, overrides)
    open_ended = any(
        given.kind is inspect.Parameter.VAR_KEYWORD for given in inspect.signature(function).parameters.values()
    )
    unknown = sorted(set(chosen) - known - {"seed"})
    if unknown and not open_ended:
        raise CompanionError(
            f"figure {spec.id}: unknown parameter {', '.join(unknown)}; known: {', '.join(sorted(known)) or 'none'}"
        )
    if overrides and "seed" in overrides and "seed" not in known:
        raise CompanionError(f"figure {spec.id} takes no seed; known parameters: {', '.join(sorted(known)) or 'none'}")
    passed = {name: value for name, value in chosen.items() if name != "seed" or "seed" in known or open_ended}
    answer = function(**passed)
    if not (isinstance(answer, tuple) and len(answer) == 2 and isinstance(answer[0], pd.DataFrame)):
        raise CompanionError(f"{spec.compute} must return (pandas.DataFrame, dict), got {type(answer).__name__}")
    table, facts = answer
    check_key(spec, table)
    return table, dict(facts), chosen


def _drawn(drawing: Any, name: str) -> Drawing:
    if not isinstance(drawing, Drawing):
        raise CompanionError(f"{name} must return a matplotlib Figure, got {type(drawing).__name__}")
    style.thin_markers(drawing)
    style.rasterise_dense(drawing)
    return drawing


def _close(drawing: Drawing) -> None:
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close(drawing)


def _plain(value: Any) -> Any:
    """Return a value as JSON can hold it."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value.item() if hasattr(value, "item") else value


def make(
    layout: Layout,
    spec: FigureSpec,
    profile: str,
    directory: Path,
    overrides: Mapping[str, Any] | None = None,
) -> MadeFigure:
    """Compute a figure, draw it in both themes and save all its files under `directory`.

    Every file but the JSON (which holds time and commit) has the same bytes each time.
    Raises CompanionError where the registry, the function or the table is not as it must be.
    """
    started = time.perf_counter()
    table, facts, params = compute(spec, profile, overrides)
    made = MadeFigure(spec, profile, params, table, facts, directory, time.perf_counter() - started)
    return save(layout, made, lambda: resolve(spec.draw)(table.copy(), dict(facts)))


def save(layout: Layout, made: MadeFigure, draw: Callable[[], Any]) -> MadeFigure:
    """Draw a figure in both themes and save all its files; see `make`."""
    spec, profile, directory, table = made.spec, made.profile, made.directory, made.table
    by = {"compute": spec.compute, "draw": spec.draw} if spec.compute else dict.fromkeys(("compute", "draw"), made.cell)
    text = table_text(spec.id, table)
    directory.mkdir(parents=True, exist_ok=True)
    made.file(".csv").write_text(text, encoding="utf-8", newline="\n")
    logging.getLogger("fontTools").setLevel(logging.ERROR)  # its remarks on subset fonts would land in the notebook
    with style.theme("light", salt=spec.id) as colours:
        drawing = _drawn(draw(), by["draw"])
        for kind in ("svg", "pdf"):
            drawing.savefig(made.file(f".{kind}"), format=kind, metadata=_PLAIN[kind])
        paper: dict[str, Any] = {"facecolor": colours.background, "transparent": False}  # for any viewer
        drawing.savefig(made.file(".png"), format="png", metadata=_PLAIN["png"], **paper)
        _close(drawing)
    with style.theme("dark", salt=spec.id):
        drawing = _drawn(draw(), by["draw"])
        drawing.savefig(made.file(".dark.svg"), format="svg", metadata=_PLAIN["svg"])
        _close(drawing)
    record = {
        "figure": spec.id,
        "page": spec.page,
        **by,
        "params": {name: _plain(value) for name, value in made.params.items() if name != "seed"},
        "seed": made.params.get("seed"),
        "profile": profile,
        "as_registered": made.as_registered,
        "command": f"make figure FIG={spec.id}" + ("" if profile == "quick" else f" PROFILE={profile}"),
        "versions": versions(),
        "commit": commit(layout.root),
        "machine": describe_machine(),
        "numerics": numerics(),
        "made": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "seconds": None if made.seconds is None else round(made.seconds, 3),
        "sha256": sha256_of(made.file(".csv")),
    }
    text = json.dumps(record, indent=1, ensure_ascii=False, sort_keys=True)
    made.file(".json").write_text(text + "\n", encoding="utf-8", newline="\n")
    return made
