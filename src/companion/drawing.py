"""Hold what the drawings share: lines in house colours without markers, and labels written beside the lines."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import matplotlib.patheffects as effects
from matplotlib.axes import Axes
from matplotlib.text import Text

from companion.style import LINESTYLES, MARKERS, new_figure, roles, text_ink

__all__ = ["BIG", "MARKERS", "SMALL", "band", "colour", "label", "line", "new_figure", "number", "roles", "tint"]

#: Text sizes in points, large enough for a page that is half as wide.
BIG, SMALL = 11.0, 10.0


def colour(index: int) -> str:
    """Return a colour of the palette of the theme, by index."""
    cycle = roles().cycle
    return cycle[index % len(cycle)]


def tint(strong: bool) -> str:
    """Return a pale or a stronger shade of the accent, for the inner and outer part of a band."""
    pale, deep = mpl.colors.to_rgb(roles().background), mpl.colors.to_rgb(roles().accent)
    share = 0.36 if strong else 0.15
    red, green, blue = ((1 - share) * a + share * b for a, b in zip(pale, deep, strict=True))
    return mpl.colors.to_hex((red, green, blue))


def line(axes: Axes, x: Any, y: Any, index: int = 0, **options: Any) -> None:
    """Draw a line in colour and line style `index` of the house cycle; options go to `Axes.plot`."""
    chosen = {"color": colour(index), "linestyle": LINESTYLES[index % len(LINESTYLES)], "marker": "", **options}
    axes.plot(x, y, **chosen)


def band(axes: Axes, low: float, high: float, *, strong: bool = False) -> None:
    """Fill the range between two values of y."""
    axes.axhspan(low, high, color=tint(strong), linewidth=0, zorder=0.5)


def label(axes: Axes, x: float, y: float, text: str, ink: str | None = None, **options: Any) -> Text:
    """Write beside a line, with an edge in the colour of the page that keeps it legible over lines.

    A colour of the palette is replaced by its shade for words, which is darker on white.
    """
    chosen: dict[str, Any] = {"fontsize": SMALL, "color": text_ink(ink) if ink else roles().ink, "zorder": 5, **options}
    written = axes.annotate(text, (x, y), **chosen) if "xytext" in chosen else axes.text(x, y, text, **chosen)
    written.set_path_effects([effects.withStroke(linewidth=3, foreground=roles().background)])
    return written


def number(value: float) -> str:
    """Return a number for a label: at most three significant digits."""
    return f"{value:.3g}"
