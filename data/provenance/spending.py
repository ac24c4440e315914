"""Add up what persons of the RAND Health Insurance Experiment spent.

The source is the file that statsmodels ships. `python data/provenance/spending.py`
writes data/datasets/spending.csv: a line for each person with 20 dollars or more in all
years, of whole dollars for visits, drugs, supplies, mental care and hospital stays.
Lines are sorted; no more is kept.
"""

from __future__ import annotations

import csv
from importlib import resources
from pathlib import Path

TARGET = Path(__file__).resolve().parents[1] / "datasets" / "spending.csv"
KINDS = {
    "visits": "outpdol",
    "drugs": "drugdol",
    "supplies": "suppdol",
    "mental": "mentdol",
    "hospital": "inpdol",
}
LEAST = 20


def written() -> str:
    """Return the text of the file."""
    source = resources.files("statsmodels.datasets.randhie") / "src" / "randhie.csv"
    spent: dict[str, list[float]] = {}
    for row in csv.DictReader(source.read_text(encoding="utf-8").splitlines()):
        so_far = spent.get(row["zper"], [0.0] * len(KINDS))
        more = [float(row[column]) for column in KINDS.values()]
        spent[row["zper"]] = [a + b for a, b in zip(so_far, more, strict=True)]
    lines = [",".join(KINDS)]
    for person in sorted([round(sum_) for sum_ in sums] for sums in spent.values()):
        if sum(person) >= LEAST:
            lines.append(",".join(map(str, person)))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TARGET.write_text(written(), encoding="utf-8", newline="\n")
