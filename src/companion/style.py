"""Draw every figure in one house style, once on paper white and once on night black.

Colours keep the hues of Okabe and Ito (2008), which colour-blind readers tell apart; their lightness is
moved so that each stands out from its background by 3:1 and differs in grey from the next, and line style
and marker change with the colour. Text in SVG is drawn as paths: a picture inside a page cannot reach the
fonts of that page, so this is the only way that looks the same on every machine and off the network.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import matplotlib as mpl
import matplotlib.style
import numpy as np
from cycler import cycler
from matplotlib.collections import Collection, PathCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

#: Width in inches: 691 CSS pixels as SVG, within the text column of 700.
WIDTH = 7.2
#: About how many markers a line carries at most.
MARKS = 9
#: Artists with more points than this are drawn as pixels, in SVG and PDF too.
DENSE = 2000

#: Settings that both themes share.
HOUSE = Path(__file__).with_name("house.mplstyle")

LINESTYLES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)), (0, (3, 1)))
MARKERS = ("o", "s", "^", "D", "v", "X")

Theme = Literal["light", "dark"]


@dataclass(frozen=True)
class Roles:
    """Name the colours of one theme by what they are for; `cycle` is the palette in order.

    `written` holds, for each colour of the palette, the shade in which words about it are written: 4.5:1 at least.
    """

    background: str
    ink: str
    muted: str
    grid: str
    accent: str
    fill: str
    cycle: tuple[str, ...]
    written: tuple[str, ...]


THEMES: dict[Theme, Roles] = {
    "light": Roles(
        background="#ffffff",
        ink="#1b1f24",
        muted="#57606a",
        grid="#d0d7de",
        accent="#015e94",
        fill="#dbe9f4",
        cycle=("#015e94", "#c18501", "#762a58", "#03936b", "#8e3c00", "#2a94c8"),
        written=("#015e94", "#8f6200", "#762a58", "#02704f", "#8e3c00", "#1b6f99"),
    ),
    "dark": Roles(
        background="#121212",
        ink="#e6e8eb",
        muted="#a9b1ba",
        grid="#3a4047",
        accent="#49aade",
        fill="#1f3a4d",
        cycle=("#49aade", "#ffc879", "#c3719f", "#59d6a8", "#e86d18", "#9dcaff"),
        written=("#49aade", "#ffc879", "#c3719f", "#59d6a8", "#e86d18", "#9dcaff"),
    ),
}

_current: ContextVar[Theme] = ContextVar("companion_theme", default="light")


def roles() -> Roles:
    """Return the colour roles of the theme that is being drawn."""
    return THEMES[_current.get()]


def text_ink(colour: str) -> str:
    """Return the shade of the theme in which to write in a colour of its palette; any other colour is returned."""
    chosen = roles()
    return dict(zip(chosen.cycle, chosen.written, strict=True)).get(colour, colour)


def _settings(colours: Roles) -> dict[str, Any]:
    """Return what depends on the theme, or on the constants above."""
    cycle = cycler(color=list(colours.cycle)) + cycler(linestyle=list(LINESTYLES)) + cycler(marker=list(MARKERS))
    by_role = {
        colours.ink: "text.color axes.labelcolor axes.titlecolor legend.labelcolor xtick.labelcolor ytick.labelcolor "
        "hatch.color patch.edgecolor",
        colours.muted: "axes.edgecolor xtick.color ytick.color",
        colours.grid: "grid.color",
    }
    settings = {name: colour for colour, names in by_role.items() for name in names.split()}
    return {**settings, "axes.prop_cycle": cycle, "figure.figsize": (WIDTH, WIDTH * 0.5)}


@contextmanager
def theme(name: Theme, *, salt: str = "companion") -> Iterator[Roles]:
    """Draw in the theme `name` within the block; `salt` fixes the identifiers in an SVG.

    Settings of the person at the keyboard are put aside, so that a figure looks the same everywhere.
    """
    colours, token = THEMES[name], _current.set(name)
    try:
        with mpl.style.context([HOUSE, {**_settings(colours), "svg.hashsalt": salt}], after_reset=True):
            yield colours
    finally:
        _current.reset(token)


def new_figure(rows: int = 1, columns: int = 1, *, aspect: float = 0.5, **options: Any) -> tuple[Figure, Any]:
    """Return a figure of full text width and its axes; `aspect` is height over width of the whole.

    The figure belongs to no window, so nothing has to be closed and no display is needed. `options` go to
    `matplotlib.figure.Figure.subplots`.
    """
    figure = Figure(figsize=(WIDTH, WIDTH * aspect))
    return figure, figure.subplots(rows, columns, **options)


def _points(artist: Any) -> int:
    if isinstance(artist, Line2D):
        return len(np.atleast_1d(artist.get_xdata(orig=True)))
    if isinstance(artist, PathCollection):
        return len(np.atleast_2d(artist.get_offsets()))
    values = artist.get_array()
    drawn = 0 if values is None else int(np.size(values))
    return max(drawn, sum(len(path.vertices) for path in artist.get_paths()))


def thin_markers(drawn: Figure) -> None:
    """Put only about `MARKS` markers on each longer line, shifted from line to line.

    The cycle gives every line a marker, so that lines can be told apart in grey; a marker on each of five
    hundred points would hide the line. A line that says itself which points to mark is left alone.
    """
    count = 0
    for line in drawn.findobj(Line2D):
        size = _points(line)
        marked = line.get_marker() not in ("None", "none", "", " ", None)
        if marked and size > 2 * MARKS and line.get_markevery() is None:
            step = max(1, size // MARKS)
            line.set_markevery(((count * step) // 3 % step, step))
            count += 1


def rasterise_dense(drawn: Figure) -> None:
    """Draw as pixels every line and collection of more than `DENSE` points.

    One dense scatter in SVG can weigh 26 MB; as pixels it weighs 72 kB.
    """
    for artist in drawn.findobj(lambda item: isinstance(item, Line2D | Collection)):
        if _points(artist) > DENSE:
            artist.set_rasterized(True)
