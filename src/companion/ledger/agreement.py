"""Compare the quick profile of a figure with its paper profile, on the rows that both have."""

from __future__ import annotations

import math
from dataclasses import dataclass

from companion.ledger.accepted import excess, read_rows, rounded, row_label
from companion.ledger.registry import FigureSpec
from companion.paths import Layout

__all__ = ["Agreement", "compare_profiles"]

#: What stands in a cell that a profile does not fill.
EMPTY = {"", "nan"}


@dataclass(frozen=True)
class Agreement:
    """Hold how many rows both profiles have, how many cells differ by too much, and the worst of them in words."""

    rows: int
    apart: int
    worst: str


def compare_profiles(layout: Layout, spec: FigureSpec, *, shift: int = 0) -> Agreement:
    """Compare the accepted data of the two profiles, each cell within the agreement that the registry states.

    Without one the tolerance of the figure holds: the same seeds give the same rows. Columns that one profile lacks,
    and cells that it leaves empty, are left out. With a `shift` each row is compared with the one so many places
    further on: the control, which must fail.
    """
    allowed = spec.agreement or spec
    columns, quick = read_rows(layout.reference("quick", spec.id).read_text(encoding="utf-8"))
    others, paper = read_rows(layout.reference("paper", spec.id).read_text(encoding="utf-8"))
    by_key = {tuple(rounded(row[name]) for name in spec.key): row for row in paper}
    found = [(row, by_key.get(tuple(rounded(row[name]) for name in spec.key))) for row in quick]
    pairs = [(row, match) for row, match in found if match is not None]
    apart, most, worst = 0, 1.0, ""
    for place, (row, _) in enumerate(pairs):
        was = pairs[(place + shift) % len(pairs)][1]
        for column in columns:
            if column in spec.key or column not in others or {row[column], was[column]} & EMPTY:
                continue
            over = excess(allowed, column, row[column], was[column])
            apart += over > 1
            if over > most:
                most = over
                times = "" if math.isinf(over) else f", {over:.3g} times what is allowed"
                worst = f"{column} at {row_label(spec, row)}: {row[column]}, in the other profile {was[column]}{times}"
    return Agreement(len(pairs), apart, worst)
