"""Draw the small pictures of the first page and of the README.

They show accepted data of the book's figures. `python tools/teasers.py` draws them into
`book/pictures`, where they are kept; a test draws them again and compares.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from companion import drawing
from companion.drawing import colour, line
from companion.paths import Layout

ROOT = Path(__file__).resolve().parents[1]
#: Where the pictures lie, and the name of the one of the README, which shows all three.
FOLDER = ROOT / "book/pictures"
README = "readme"
#: Width and height of one picture in inches; at 96 pixels an inch it is 304 pixels
#: wide.
SIZE = (3.17, 1.72)
TEXT = 9.0
#: The pseudocount at which the exact number of records is set against that of the
#: theorem.
MIDDLE = 100
PROFILE = "quick"
_LONG = re.compile(r"-?\d+\.\d{3,}")

Draw = Callable[[Sequence[Axes], pd.DataFrame], None]


def _square(
    axes: Axes, rows: pd.DataFrame, column: str, top: float, title: str
) -> None:
    square = rows.pivot(index="y", columns="x", values=column).to_numpy()
    norm = LogNorm(1e-5, top, clip=True)
    axes.imshow(
        square, origin="lower", norm=norm, cmap="cividis", interpolation="nearest"
    )
    axes.set(xticks=[], yticks=[])
    axes.grid(visible=False)
    axes.spines[["bottom", "left"]].set_visible(False)
    axes.set_title(title, fontsize=TEXT, loc="center", pad=4)


def _ring(panels: Sequence[Axes], table: pd.DataFrame) -> None:
    """Draw the target and the closest members of the mollifier at two budgets."""
    budgets = sorted(table["eps"].unique())[-2:]
    top = float(table[["target", "projected"]].max().max())
    _square(panels[0], table[table["eps"] == budgets[0]], "target", top, "the target")
    for axes, eps in zip(panels[1:], budgets, strict=True):
        _square(
            axes,
            table[table["eps"] == eps],
            "projected",
            top,
            rf"mollified, $\varepsilon={eps:g}$",
        )


def _words(
    axes: Axes, x: float, y: float, text: str, ink: str | None = None, **options: Any
) -> None:
    """Write into a picture, at shares of its width and height."""
    shown = drawing.WRITTEN.get(ink, ink) if ink else drawing.INK
    axes.text(
        x, y, text, color=shown, fontsize=TEXT, transform=axes.transAxes, **options
    )


def _plain(axes: Axes, x: str, y: str) -> None:
    axes.grid(visible=False)
    axes.set_xlabel(x, fontsize=TEXT, labelpad=2)
    axes.set_ylabel(y, fontsize=TEXT, labelpad=2)
    axes.tick_params(labelsize=TEXT - 1)
    axes.minorticks_off()


def _bound(panels: Sequence[Axes], table: pd.DataFrame) -> None:
    """Draw a lower bound as printed, and the best one, by the classifier's size."""
    (axes,) = panels
    rows = table[table["edge"] == table["edge"].min()]
    axes.fill_between(
        rows["size"], rows["sharp"], 2.6, color=drawing.PALE, linewidth=0, zorder=0.5
    )
    line(axes, rows["size"], rows["printed"], index=1, linewidth=2.2)
    line(axes, rows["size"], rows["sharp"], index=0, linewidth=2.4)
    axes.set(
        xlim=(float(rows["size"].min()), 1),
        ylim=(0, 2.5),
        xticks=[0.25, 0.5, 0.75, 1],
        yticks=[0, 1, 2],
    )
    _words(axes, 0.42, 0.78, "as printed", colour(1))
    _words(axes, 0.97, 0.05, "the best bound", colour(0), ha="right")
    _words(axes, 0.04, 0.3, "no bound\ncan lie here")
    _plain(axes, "size of the classifier", "drop, at least")


def _records(panels: Sequence[Axes], table: pd.DataFrame) -> None:
    """Draw how many records may be released, by the theorem and exactly."""
    (axes,) = panels
    lines = {str(name): rows[rows["m"] > 0] for name, rows in table.groupby("bound")}
    for name, index in (("exact", 0), ("printed", 4)):
        line(axes, lines[name]["k"], lines[name]["m"], index=index, linewidth=2.4)
    both = lines["exact"].merge(lines["printed"], on="k")
    middle = both[both["k"] == MIDDLE].iloc[0]
    arrow = {
        "arrowstyle": "<->",
        "color": drawing.INK,
        "linewidth": 1,
        "shrinkA": 3,
        "shrinkB": 3,
    }
    axes.annotate(
        "", (MIDDLE, middle["m_x"]), (MIDDLE, middle["m_y"]), arrowprops=arrow
    )
    times = rf"$\times${middle['m_x'] / middle['m_y']:,.0f}"
    at = (MIDDLE / 1.2, float(np.sqrt(middle["m_x"] * middle["m_y"])))
    axes.text(*at, times, fontsize=TEXT, ha="right", va="center")
    _words(axes, 0.4, 0.8, "exactly", colour(0), ha="right")
    _words(axes, 0.98, 0.08, "by the theorem", colour(4), ha="right")
    axes.set(
        xscale="log",
        yscale="log",
        xlim=(1, 1e4),
        xticks=[1, 100, 1e4],
        yticks=[1, 1e4, 1e8],
    )
    _plain(axes, "records added of each value", "released")


#: Each picture: the figure of the book whose data it shows, how many panels side by
#: side, and how it is drawn.
TEASERS: dict[str, tuple[str, int, Draw]] = {
    "ring": ("ring-densities", 3, _ring),
    "bound": ("drop-bounds", 1, _bound),
    "records": ("records-allowed", 1, _records),
}
#: What of a file says when it was drawn, by its form.
UNDATED = {
    "svg": ("Date", "Creator"),
    "pdf": ("CreationDate", "ModDate", "Creator", "Producer"),
}


def _drawing(names: Sequence[str], tables: dict[str, pd.DataFrame]) -> Figure:
    figure = Figure(figsize=(SIZE[0] * len(names), SIZE[1]))
    boxes: Any = figure.subfigures(1, len(names), squeeze=False)
    for box, name in zip(boxes[0], names, strict=True):
        figure_name, panels, draw = TEASERS[name]
        draw(box.subplots(1, panels, squeeze=False)[0], tables[figure_name])
    return figure


def _short(svg: bytes) -> bytes:
    """Return a picture with coordinates of a hundredth of a point.

    No eye tells it from one with finer ones.
    """

    def rounded(number: re.Match[str]) -> str:
        return f"{float(number[0]):.2f}"

    def shorter(path: re.Match[str]) -> str:
        return _LONG.sub(rounded, path[0])

    paths = re.sub(r' d="[^"]*"', shorter, svg.decode())
    return re.sub(r"[ \t]+$", "", paths, flags=re.MULTILINE).encode()


def _picture(
    name: str, shown: Sequence[str], form: str, tables: dict[str, pd.DataFrame]
) -> bytes:
    """Return a picture in one form, without what says when it was drawn."""
    stream = io.BytesIO()
    with drawing.style(name):
        _drawing(shown, tables).savefig(
            stream, format=form, metadata=dict.fromkeys(UNDATED[form])
        )
    content = stream.getvalue()
    return _short(content) if form == "svg" else content


def draw_all(layout: Layout) -> dict[str, bytes]:
    """Return every picture by its file name.

    All are SVG, that of the README for dark pages as well, the others PDF too. The same
    data give the same bytes.
    """
    tables = {
        figure: pd.read_csv(layout.reference(PROFILE, figure))
        for figure, _, _ in TEASERS.values()
    }
    pictures: dict[str, bytes] = {}
    for name in TEASERS:
        for form in UNDATED:
            pictures[f"{name}.{form}"] = _picture(name, [name], form, tables)
    light = _picture(README, list(TEASERS), "svg", tables)
    pictures[f"{README}.svg"] = light
    pictures[f"{README}.dark.svg"] = drawing.in_the_dark(light.decode()).encode()
    return pictures


if __name__ == "__main__":
    for name, data in draw_all(Layout(ROOT)).items():
        (FOLDER / name).write_bytes(data)
        print(f"book/pictures/{name}: {len(data):,} bytes")
