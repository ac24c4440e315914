"""Draw and save one figure: its picture, its data, and how it was made."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure as Drawing

from companion import drawing as house
from companion.ledger.registry import FigureSpec
from companion.paths import RUN_VARIABLE, CompanionError, Layout, json_text, write_whole
from companion.provenance import (
    commit,
    describe_machine,
    numerics,
    sha256_of,
    versions,
)
from companion.snapshots.compare import check_key, table_text

#: The files of one figure, and those that a build leaves out: no page shows them, and
#: they take as long as the rest.
SUFFIXES = (".svg", ".csv", ".json")
PRINTED = (".png", ".pdf")
#: Where this is set, an execution writes those as well.
PRINT_VARIABLE = "COMPANION_PRINT"

#: What keeps dates and program names out of the files, so that the same figure has the
#: same bytes.
_PLAIN: dict[str, dict[str, str | None]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}


def save_figure(
    layout: Layout,
    spec: FigureSpec,
    profile: str,
    directory: Path,
    table: pd.DataFrame,
    draw: Callable[[], Drawing],
) -> dict[str, Path]:
    """Draw a figure, save its files under `directory`, and return each by its suffix.

    Every file but the JSON (which holds time and commit) has the same bytes each time.
    Raises CompanionError where the table or the drawing is not as it must be.
    """
    check_key(spec, table)
    files = {
        suffix: directory / f"{spec.id}{suffix}" for suffix in (*SUFFIXES, *PRINTED)
    }
    write_whole(files[".csv"], table_text(spec.id, table))
    # Its remarks on subset fonts would land in the notebook.
    logging.getLogger("fontTools").setLevel(logging.ERROR)
    with house.style(spec.id):
        drawing = draw()
        if not isinstance(drawing, Drawing):
            kind = type(drawing).__name__
            raise CompanionError(
                f"{spec.page} must return a matplotlib Figure, got {kind}"
            )
        _save_pictures(drawing, files)
    record = _record(layout, spec, profile, files[".csv"])
    write_whole(files[".json"], json_text(record))
    return files


def _save_pictures(drawing: Drawing, files: Mapping[str, Path]) -> None:
    """Save a drawing as SVG, and for print unless a build leaves that out."""
    house.thin_markers(drawing)
    house.rasterise_dense(drawing)
    drawing.savefig(files[".svg"], format="svg", metadata=_PLAIN["svg"])
    if RUN_VARIABLE not in os.environ or PRINT_VARIABLE in os.environ:
        drawing.set_layout_engine("none")  # the first file has laid it out
        drawing.savefig(files[".pdf"], format="pdf", metadata=_PLAIN["pdf"])
        drawing.savefig(
            files[".png"],
            format="png",
            metadata=_PLAIN["png"],
            facecolor=house.GROUND,  # for any viewer
            transparent=False,
        )
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close(drawing)


def _record(
    layout: Layout,
    spec: FigureSpec,
    profile: str,
    table: Path,
) -> dict[str, object]:
    """Return how a figure was made, with the hash of its table."""
    option = "" if profile == "quick" else f" PROFILE={profile}"
    return {
        "figure": spec.id,
        "page": spec.page,
        "cells": f"notebooks/{spec.page}.md",
        "profile": profile,
        "command": f"make figure FIG={spec.id}{option}",
        "versions": versions(),
        "commit": commit(layout.root),
        "machine": describe_machine(),
        "numerics": numerics(),
        "made": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "sha256": sha256_of(table),
    }
