"""Say how far the data of a figure are from the accepted ones.

Those are a CSV file under `data/results/figures/<profile>/`.
"""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from companion.ledger.registry import FigureSpec
from companion.paths import CompanionError, Layout

#: From so many runs on, chaotic runs are compared by their means, with this probability
#: of a false alarm for each mean.
RUNS = 20
FALSE_ALARM = 1e-6


def table_text(figure: str, table: pd.DataFrame) -> str:
    """Return a table as CSV text.

    Lines end in LF; decimals are the shortest that read back as the same float.

    Raises CompanionError where a column is neither text, truth values nor real numbers,
    or is named twice.
    """
    if table.columns.duplicated().any() or not all(
        isinstance(name, str) for name in table.columns
    ):
        raise CompanionError(
            f"figure {figure}: columns must be named once each, "
            f"got {list(table.columns)}"
        )
    plain = table.copy()
    for name, column in table.items():
        kind = column.dtype.kind
        if kind == "b":
            plain[name] = column.map({True: "true", False: "false"})
        elif kind == "f":
            plain[name] = column.astype(float)
        elif kind not in "iu" and not all(isinstance(value, str) for value in column):
            raise CompanionError(
                f"figure {figure}: column {name} must hold text or real numbers only"
            )
    return plain.to_csv(index=False, lineterminator="\n", na_rep="nan")


def read_table(path: Path) -> pd.DataFrame:
    """Return a table of a figure from its file.

    Text stays text; `nan` alone is a missing number.
    """
    return pd.read_csv(path, keep_default_na=False, na_values=["nan"])


def read_texts(source: Path | io.StringIO) -> pd.DataFrame:
    """Return a table with each cell as the text that stands in the file."""
    return pd.read_csv(source, dtype=str, keep_default_na=False)


def _number(text: str) -> float:
    """Return the number that a cell holds, NaN where it holds none."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def _numbers(column: pd.Series[str]) -> np.ndarray:
    return np.array(column.map(_number), dtype=float)


def tolerances_apart(
    spec: FigureSpec,
    new: pd.Series[str],
    old: pd.Series[str],
) -> np.ndarray:
    """Return by how many tolerances the cells of a column differ.

    It is 0 for equal cells, and more than 1 for too much.
    """
    tolerance = spec.tolerance(str(new.name))
    values = _numbers(new)
    accepted = _numbers(old)
    equal = (new.to_numpy() == old.to_numpy()) | (values == accepted)
    comparable = np.isfinite(values) & np.isfinite(accepted)
    with np.errstate(divide="ignore", invalid="ignore"):
        allowed = tolerance.atol + tolerance.rtol * np.abs(accepted)
        distance = np.abs(values - accepted) / allowed
    return np.where(equal, 0.0, np.where(comparable, distance, np.inf))


def means_apart(spec: FigureSpec, new: pd.DataFrame, old: pd.DataFrame) -> Distance:
    """Return by how many tolerances the means over chaotic runs differ, at worst.

    The rows of both tables agree. Elsewhere a chaotic run is another run of the same
    law. So the tolerance of a mean of n runs is the default one and t times
    sqrt((s_a^2 + s_b^2) / n), with the standard deviations s of the new and the
    accepted runs and the quantile t of Student's law with 2 n - 2 degrees of freedom
    that normal runs pass but once in 10^6 means.
    """
    from scipy.stats import t

    columns = [name for name in new.columns if name not in spec.key]
    groups = [old[name].to_numpy() for name in spec.group]
    runs = new[columns].map(_number).groupby(groups)
    accepted = old[columns].map(_number).groupby(groups)
    n = accepted.size().min()
    quantile = t.isf(FALSE_ALARM / 2, 2 * n - 2)
    allowed = quantile * ((runs.var() + accepted.var()) / n) ** 0.5
    allowed += (
        spec.default_tolerance.atol
        + spec.default_tolerance.rtol * accepted.mean().abs()
    )
    far = ((runs.mean() - accepted.mean()).abs() / allowed).fillna(np.inf)
    column = str(far.max().idxmax())
    at = far[column].idxmax()
    parts = [at] if len(groups) == 1 else at
    return Distance(
        spec.id,
        float(far[column][at]),
        int((far > 1).to_numpy().sum()),
        f"mean {column} of {n} runs",
        ", ".join(
            f"{name}={part}" for name, part in zip(spec.group, parts, strict=True)
        ),
        f"{runs.mean()[column][at]:.6g}",
        f"{accepted.mean()[column][at]:.6g}",
        runs=int(n),
    )


def _nine_digits(cell: str) -> str:
    """Return a number to nine digits, without the sign of zero; other text as it is."""
    number = _number(cell)
    return cell if math.isnan(number) else f"{number + 0.0:.9g}"


def by_key(spec: FigureSpec, table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of texts whose index is its key, numbers to nine digits."""
    parts = [table[name].map(_nine_digits) for name in spec.key]
    keys = map("|".join, zip(*parts, strict=True))
    return table.set_axis(pd.Index(keys, dtype=object))


def row_label(spec: FigureSpec, row: pd.Series[str]) -> str:
    """Return the key of a row in words."""
    return ", ".join(f"{name}={row[name]}" for name in spec.key)


def check_key(spec: FigureSpec, table: pd.DataFrame) -> None:
    """Raise CompanionError unless the key columns exist and name each row once."""
    missing = [name for name in spec.key if name not in table.columns]
    if missing:
        raise CompanionError(
            f"figure {spec.id}: key column(s) {', '.join(missing)} "
            f"not in the table; columns: {', '.join(map(str, table.columns))}"
        )
    repeated = table.duplicated(subset=list(spec.key))
    if repeated.any():
        row = row_label(spec, table[repeated].iloc[0])
        raise CompanionError(f"figure {spec.id}: two rows have the same key ({row})")


def accept_command(figure: str, profile: str) -> str:
    """Return the command that accepts the data of a figure."""
    chosen = "" if profile == "quick" else f" PROFILE={profile}"
    return f'make accept FIG={figure}{chosen} WHY="..."'


@dataclass(frozen=True)
class Distance:
    """Hold how many tolerances the worst cell of a figure is from the accepted one.

    It is 0 for equal data; more than 1 is a change. `cells` counts the changed ones;
    `fault` says what else differs (rows, columns), and then the distance is infinite;
    `runs` is the number of chaotic runs whose means were compared, 0 where cells were.
    """

    figure: str
    tolerances: float = 0.0
    cells: int = 0
    column: str = ""
    key: str = ""
    value: str = ""
    accepted: str = ""
    fault: str = ""
    runs: int = 0

    def __str__(self) -> str:
        if self.fault or not self.column:
            return self.fault or "every cell is the accepted one"
        cells = (
            f"{self.column} at {self.key} is {self.value}, accepted was {self.accepted}"
        )
        if math.isinf(self.tolerances):
            return cells
        return f"{cells}, {self.tolerances:.3g} times the tolerance"

    @property
    def changed(self) -> bool:
        """Whether a cell is more than one tolerance away, or something else differs."""
        return self.tolerances > 1

    def finding(self, profile: str) -> str:
        """Say of data that are too far away how they changed."""
        change = self.fault or f"changed in {self.cells} cell(s); worst: {self}"
        return f"figure {self.figure} (profile {profile}) {change}."

    def message(self, profile: str) -> str:
        """Say how the data changed, and how to accept them."""
        accept = accept_command(self.figure, profile)
        return (
            f"{self.finding(profile)} Look at it with "
            f"`make figure FIG={self.figure}`; if it is right: {accept}"
        )


def distance_from_reference(
    layout: Layout,
    spec: FigureSpec,
    profile: str,
    table: pd.DataFrame | Path,
) -> Distance:
    """Return how far a table, or its file, is from the accepted one.

    Rows are compared by key. A cell a is |a - b| / (atol + rtol * |b|) tolerances from
    the reference b; other texts, other rows, other columns and no accepted data are
    infinitely far; NaN equals NaN. Where the registry says `mean_over` and there are at
    least 20 runs, their means stand for them. Raises CompanionError for a table that no
    CSV can hold.
    """
    path = layout.reference(profile, spec.id)
    if isinstance(table, Path) and not table.is_file():
        return _fault(spec, "was not made")
    if not path.is_file():
        return _fault(spec, "has no accepted data yet")
    if isinstance(table, Path):
        text = table.read_text(encoding="utf-8")
    else:
        text = table_text(spec.id, table)
    if text == path.read_text(encoding="utf-8"):
        return Distance(spec.id)
    return _distance(spec, read_texts(io.StringIO(text)), read_texts(path))


def _distance(spec: FigureSpec, new: pd.DataFrame, old: pd.DataFrame) -> Distance:
    """Return how far two tables of texts are apart."""
    columns = list(new.columns)
    were = list(old.columns)
    if columns != were:
        return _fault(spec, f"changed: columns are {columns}, accepted were {were}")
    same_rows = len(new) == len(old) and not any(
        (tolerances_apart(spec, new[name], old[name]) > 1).any() for name in spec.key
    )
    if not same_rows:
        new = by_key(spec, new)
        old = by_key(spec, old)
        other = _other_rows(spec, new, old)
        if other:
            return _fault(spec, other)
        old = old.loc[new.index]
    if spec.mean_over and old.groupby(spec.group).size().min() >= RUNS:
        return means_apart(spec, new, old)
    return _worst_cell(spec, new, old)


def _fault(spec: FigureSpec, fault: str) -> Distance:
    return Distance(spec.id, math.inf, fault=fault)


def _other_rows(spec: FigureSpec, new: pd.DataFrame, old: pd.DataFrame) -> str:
    """Say which rows only one of two tables has, by their index; empty for none."""
    extra = new[~new.index.isin(old.index)]
    gone = old[~old.index.isin(new.index)]
    if extra.empty and gone.empty:
        return ""
    kind = "gone" if extra.empty else "new"
    first = row_label(spec, pd.concat([extra, gone]).iloc[0])
    return (
        f"changed: {len(extra)} row(s) are new and {len(gone)} gone, "
        f"the first {kind} one at {first}"
    )


def _worst_cell(spec: FigureSpec, new: pd.DataFrame, old: pd.DataFrame) -> Distance:
    """Return the distance of two tables with the same rows."""
    columns = list(new.columns)
    far = np.array([tolerances_apart(spec, new[name], old[name]) for name in columns]).T
    if not far.any():
        return Distance(spec.id)
    row, at = map(int, np.unravel_index(far.argmax(), far.shape))
    return Distance(
        spec.id,
        float(far[row, at]),
        int((far > 1).sum()),
        columns[at],
        row_label(spec, new.iloc[row]),
        str(new.iat[row, at]),
        str(old.iat[row, at]),
    )
