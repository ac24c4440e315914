"""Draw every figure in one house style, on paper white and on night black.

Colours keep the hues of Okabe and Ito (2008), which colour-blind readers tell apart;
their lightness is moved so that each stands out from its background by 3:1 and differs
in grey from the next, and line style and marker change with the colour. Text in SVG is
drawn as paths: a picture inside a page cannot reach the fonts of that page, so this is
the only way that looks the same on every machine and off the network.
"""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.patheffects as effects
import matplotlib.style
import numpy as np
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.collections import Collection, PathCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from numpy.typing import ArrayLike

#: Width in inches: 691 CSS pixels as SVG, within the text column of 700.
WIDTH = 7.2
#: Text sizes in points, large enough for a page that is half as wide.
BIG = 11.0
SMALL = 10.0
#: About how many markers a line carries at most.
MARKS = 9
#: Artists with more points than this are drawn as pixels, in SVG and PDF too.
DENSE = 2000

#: Settings that do not depend on the constants here.
HOUSE = Path(__file__).with_name("house.mplstyle")

LINESTYLES: tuple[Any, ...] = (
    "-",
    "--",
    "-.",
    ":",
    (0, (6, 1, 1, 1, 1, 1)),
    (0, (3, 1)),
)
MARKERS = ("o", "s", "^", "D", "v", "X")

#: The colours of a figure by what they are for: ground of the page, letters, axes,
#: lines of the grid, what is stressed, areas, and a pale and a stronger shade of the
#: accent for bands.
GROUND = "#ffffff"
INK = "#1b1f24"
MUTED = "#57606a"
GRID = "#d0d7de"
ACCENT = "#015e94"
FILL = "#dbe9f4"
PALE = "#d9e7ef"
DEEP = "#a4c5d8"
#: The palette in order, and the shade in which words about a colour of it are written,
#: 4.5:1 at least.
PALETTE = ("#015e94", "#c18501", "#762a58", "#03936b", "#8e3c00", "#2a94c8")
WRITTEN = dict(
    zip(
        PALETTE,
        ("#015e94", "#8f6200", "#762a58", "#02704f", "#8e3c00", "#1b6f99"),
        strict=True,
    )
)
#: What stands for each colour on night black; any other colour, as those of a heat map,
#: is the same on both.
_NIGHT = ("#49aade", "#ffc879", "#c3719f", "#59d6a8", "#e86d18", "#9dcaff")
DARK = {
    GROUND: "#121212",
    INK: "#e6e8eb",
    MUTED: "#a9b1ba",
    GRID: "#3a4047",
    FILL: "#1f3a4d",
    PALE: "#1a2931",
    DEEP: "#26495b",
    **dict(zip((*PALETTE, *WRITTEN.values()), _NIGHT * 2, strict=True)),
}


def in_the_dark(text: str) -> str:
    """Return styles, or a whole SVG, with the colours of a dark page."""
    return re.sub(r"#[0-9a-f]{6}\b", lambda match: DARK.get(match[0], match[0]), text)


#: The settings of what is drawn as letters are, and as axes are.
_IN_INK = (
    "text.color",
    "axes.labelcolor",
    "axes.titlecolor",
    "legend.labelcolor",
    "xtick.labelcolor",
    "ytick.labelcolor",
    "hatch.color",
    "patch.edgecolor",
)
_IN_GREY = ("axes.edgecolor", "xtick.color", "ytick.color")


def style(salt: str = "companion") -> AbstractContextManager[None]:
    """Draw in the house style within the block; `salt` fixes the identifiers in an SVG.

    Settings of the person at the keyboard are put aside, so that a figure looks the
    same everywhere.
    """
    settings = {
        **dict.fromkeys(_IN_INK, INK),
        **dict.fromkeys(_IN_GREY, MUTED),
        "grid.color": GRID,
        "axes.prop_cycle": cycler(color=PALETTE, linestyle=LINESTYLES, marker=MARKERS),
        "figure.figsize": (WIDTH, WIDTH * 0.5),
        "svg.hashsalt": salt,
    }
    return mpl.style.context([HOUSE, settings], after_reset=True)


def new_figure(
    rows: int = 1,
    columns: int = 1,
    *,
    aspect: float = 0.5,
    **options: Any,
) -> tuple[Figure, Any]:
    """Return a figure of full text width and its axes.

    `aspect` is height over width of the whole. It belongs to no window, so that nothing
    has to be closed; `options` go to `matplotlib.figure.Figure.subplots`.
    """
    figure = Figure(figsize=(WIDTH, WIDTH * aspect))
    return figure, figure.subplots(rows, columns, **options)


def _points(artist: Line2D | Collection) -> int:
    if isinstance(artist, Line2D):
        return len(np.atleast_1d(artist.get_xdata(orig=True)))
    if isinstance(artist, PathCollection):
        return len(np.atleast_2d(artist.get_offsets()))
    values = artist.get_array()
    sizes = [int(np.shape(path.vertices)[0]) for path in artist.get_paths()]
    return max(0 if values is None else int(np.size(values)), sum(sizes))


def _artists(drawn: Figure) -> list[Line2D | Collection]:
    """Return the lines and collections of all axes, each with its insets."""
    artists: list[Line2D | Collection] = []
    for axes in drawn.axes:
        for part in (axes, *axes.child_axes):
            artists += [*part.lines, *part.collections]
    return artists


def thin_markers(drawn: Figure) -> None:
    """Put only about `MARKS` markers on each longer line, shifted from line to line.

    The cycle gives every line a marker, so that lines can be told apart in grey; a
    marker on each of five hundred points would hide the line. A line that says itself
    which points to mark is left alone.
    """
    count = 0
    for artist in _artists(drawn):
        if not isinstance(artist, Line2D):
            continue
        size = _points(artist)
        marked = artist.get_marker() not in ("None", "none", "", " ", None)
        if marked and size > 2 * MARKS and artist.get_markevery() is None:
            step = max(1, size // MARKS)
            artist.set_markevery(((count * step) // 3 % step, step))
            count += 1


def rasterise_dense(drawn: Figure) -> None:
    """Draw as pixels what has more than `DENSE` points.

    A dense scatter in SVG can weigh 26 MB, as pixels 72 kB.
    """
    for artist in _artists(drawn):
        if _points(artist) > DENSE:
            artist.set_rasterized(True)


def colour(index: int) -> str:
    """Return a colour of the palette, by index."""
    return PALETTE[index % len(PALETTE)]


def line(
    axes: Axes,
    x: ArrayLike,
    y: ArrayLike,
    index: int = 0,
    **options: Any,
) -> None:
    """Draw a line in colour and line style `index` of the house cycle.

    `options` go to `Axes.plot`.
    """
    chosen = {
        "color": colour(index),
        "linestyle": LINESTYLES[index % len(LINESTYLES)],
        "marker": "",
        **options,
    }
    axes.plot(x, y, **chosen)


def band(axes: Axes, low: float, high: float, *, strong: bool = False) -> None:
    """Fill the range between two values of y."""
    shade = PALE
    if strong:
        shade = DEEP
    axes.axhspan(low, high, color=shade, linewidth=0, zorder=0.5)


def label(
    axes: Axes,
    x: float,
    y: float,
    text: str,
    ink: str | None = None,
    **options: Any,
) -> Text:
    """Write beside a line, with an edge that keeps it legible over lines.

    The edge has the colour of the page. A colour of the palette is replaced by its
    shade for words, which is darker. With `xytext` the words stand so many points away.
    """
    chosen: dict[str, Any] = {
        "fontsize": SMALL,
        "color": WRITTEN.get(ink, ink) if ink else INK,
        "zorder": 5,
        **options,
    }
    if "xytext" in chosen:
        chosen.setdefault("textcoords", "offset points")
        written: Text = axes.annotate(text, (x, y), **chosen)
    else:
        written = axes.text(x, y, text, **chosen)
    written.set_path_effects([effects.withStroke(linewidth=3, foreground=GROUND)])
    return written


def legend_below(figure: Figure, axes: Axes, columns: int) -> None:
    """Write what the lines of some axes mean under the whole figure."""
    figure.legend(
        *axes.get_legend_handles_labels(),
        loc="outside lower center",
        ncols=columns,
        fontsize=SMALL,
    )


def bare(axes: Axes) -> None:
    """Leave a picture without ticks, grid and frame."""
    axes.set(xticks=[], yticks=[])
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)


def colour_bar(
    figure: Figure,
    image: Any,
    panels: Any,
    words: str,
    **options: Any,
) -> Any:
    """Return a colour scale under all panels, without a frame."""
    bar = figure.colorbar(
        image, ax=panels, location="bottom", **{"aspect": 45, "pad": 0.02, **options}
    )
    bar.set_label(words, fontsize=SMALL)
    bar.outline.set_visible(False)
    return bar


def number(value: float) -> str:
    """Return a number for a label: at most three significant digits."""
    return f"{value:.3g}"
