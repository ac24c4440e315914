"""Count visits to a doctor in the RAND Health Insurance Experiment.

The source is the file that statsmodels ships. `python data/provenance/visits.py` writes
data/datasets/visits.csv: how many of the 5,638 persons seen in the first study year
made 0, 1, ..., 19 visits, or 20 and more. One row of the source is one person in one
year, so in one year a person is one record.
"""

from __future__ import annotations

import csv
from collections import Counter
from importlib import resources
from pathlib import Path

TARGET = Path(__file__).resolve().parents[1] / "datasets" / "visits.csv"
YEAR = 1
TOP = 20


def counted() -> list[tuple[str, int]]:
    """Return (visits, persons) for 0 to 19 visits and "20+", in this order."""
    source = resources.files("statsmodels.datasets.randhie") / "src" / "randhie.csv"
    table = csv.DictReader(source.read_text(encoding="utf-8").splitlines())
    rows = [row for row in table if int(row["year"]) == YEAR]
    if len({row["zper"] for row in rows}) != len(rows):
        raise ValueError("a person has more than one row in the year")
    visits = Counter(min(int(row["mdvis"]), TOP) for row in rows)
    return [
        (f"{value}+" if value == TOP else str(value), visits[value])
        for value in range(TOP + 1)
    ]


def written() -> str:
    """Return the text of the file."""
    return "".join(
        f"{value},{persons}\n" for value, persons in [("visits", "persons"), *counted()]
    )


if __name__ == "__main__":
    TARGET.write_text(written(), encoding="utf-8", newline="\n")
