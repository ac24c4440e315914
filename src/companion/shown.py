"""Show one thing as MyST in the book, as HTML in a notebook, as text in a terminal."""

from __future__ import annotations

import base64
import html
import math
import numbers
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Context, Decimal
from pathlib import Path

import pandas as pd

from companion.paths import RUN_VARIABLE
from companion.plain_text import plain_html

#: How many backticks a fence has at least, and how many rows a small table at most.
FENCE = 4
MOST_ROWS = 60


@dataclass(eq=False)
class Shown:
    """Hold one thing as MyST for the book, as HTML for a notebook, and as text."""

    markdown: str
    markup: str
    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(
        self,
        include: object = None,
        exclude: object = None,
    ) -> dict[str, str]:
        """Return the forms, of which the front end picks.

        MyST is for the book alone, since no notebook shows it.
        """
        forms = {"text/html": self.markup, "text/plain": self.text}
        if os.environ.get(RUN_VARIABLE):
            return {"text/markdown": self.markdown, **forms}
        return forms


class _Displayed(Shown):
    """What stands on the page already, and is not shown again at the end of a cell."""

    def _ipython_display_(self) -> None:
        """Show nothing more."""


def display(shown: Shown) -> Shown:
    """Show one thing where its call stands in a cell, at the end or not, and return it.

    Outside IPython nothing is shown.
    """
    ipython = sys.modules.get("IPython")
    if ipython is None:
        return shown
    shell = ipython.get_ipython()
    if shell is None:
        return shown
    shell.display_pub.publish(shown._repr_mimebundle_())
    return _Displayed(shown.markdown, shown.markup, shown.text)


@dataclass(eq=False)
class Figure:
    """A figure of this page: its `table`, and `show` to display it.

    `picture` is its address for the page, or the file, which is put into the output.
    """

    page: str
    id: str
    table: pd.DataFrame
    picture: Path | str

    def __repr__(self) -> str:
        return (
            f"Figure {self.id}: {len(self.table)} rows; "
            "call .show(caption=..., alt=...)"
        )

    def show(self, caption: str, alt: str) -> Shown:
        """Return the figure for display, with its caption (MyST).

        `alt` is its text for who cannot see it. Raises ValueError where either is
        empty.
        """
        caption = one_paragraph("caption", caption)
        alt = one_paragraph("alt", alt)
        ticks = max(map(len, re.findall(r"`+", caption)), default=0)
        fence = "`" * max(FENCE, 1 + ticks)
        body = (
            f"{fence}{{bookfigure}} {self.page}/{self.id}\n"
            f":alt: {alt}\n\n{caption}\n{fence}\n"
        )
        source = self.picture
        if isinstance(source, Path):
            # Put into the output, so that a notebook may be moved.
            data = base64.b64encode(source.read_bytes()).decode("ascii")
            source = f"data:image/png;base64,{data}"
        markup = (
            f'<figure><img src="{source}" alt="{html.escape(alt)}" '
            f'style="max-width: 100%; background: white">'
            f"<figcaption>{plain_html(caption)}</figcaption></figure>"
        )
        return display(Shown(body, markup, f"Figure {self.id}: {alt}"))


def scientific(value: float, *, upward: bool = False) -> str:
    r"""Return a number as a formula of two digits, $1.7\times10^{-4}$.

    It is rounded to the nearest, or never downwards where `upward`, for numbers that
    are said to be a bound. Raises ValueError where the number is not finite.
    """
    if not math.isfinite(value):
        raise ValueError(f"value must be finite, got {value!r}")
    rounding = ROUND_HALF_EVEN
    if upward:
        rounding = ROUND_CEILING
    rounded = Context(prec=2, rounding=rounding).plus(Decimal(value))
    mantissa, power = f"{float(rounded):.1e}".split("e")
    if not int(power):
        return f"${mantissa}$"
    return f"${mantissa}\\times10^{{{int(power)}}}$"


def one_paragraph(name: str, value: object) -> str:
    """Return a text on one line, however it is broken in the source of a page.

    Raises ValueError where it is no text, or empty.
    """
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{name} must be a non-empty text, got {value!r}")
    return " ".join(value.split())


def _cell(value: object, floatfmt: str) -> str:
    """Return a value as it stands in a table."""
    if isinstance(value, float):
        return format(value, floatfmt)
    if isinstance(value, numbers.Integral) and not isinstance(value, bool):
        return f"{int(value):,}"
    return str(value).replace("\n", " ")


def _grid(head: Sequence[str], marks: Sequence[str], rows: Sequence[list[str]]) -> str:
    """Return a table in Markdown; `marks` say on which side columns stand."""
    lines = []
    for line in (head, marks, *rows):
        cells = [item.replace("|", "\\|") for item in line]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _row(tag: str, items: Sequence[str]) -> str:
    """Return cells of HTML."""
    return "".join(f"<{tag}>{plain_html(item)}</{tag}>" for item in items)


def small_table(table: pd.DataFrame, caption: str, floatfmt: str) -> Shown:
    """Return a small table for display, see `Page.table`."""
    caption = one_paragraph("caption", caption)
    if not isinstance(table, pd.DataFrame) or not 1 <= len(table) <= MOST_ROWS:
        raise ValueError(
            f"table must be a DataFrame of 1 to {MOST_ROWS} rows, got {table!r:.200}"
        )
    head = [str(name) for name in table.columns]
    marks = [
        "--:" if table[name].dtype.kind in "iuf" else ":--" for name in table.columns
    ]
    rows = [
        [_cell(value, floatfmt) for value in row]
        for row in table.itertuples(index=False, name=None)
    ]
    body = "".join(f"<tr>{_row('td', row)}</tr>" for row in rows)
    plain = "\n".join("  ".join(row) for row in (head, *rows))
    return display(
        Shown(
            f"````{{table}} {caption}\n{_grid(head, marks, rows)}\n````\n",
            f"<table><caption>{plain_html(caption)}</caption>"
            f"<tr>{_row('th', head)}</tr>{body}</table>",
            f"{caption}\n{plain}",
        )
    )
