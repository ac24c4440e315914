"""What a notebook shows: one thing as MyST in the book, as HTML in a notebook, as text in a terminal."""

from __future__ import annotations

import base64
import html
import math
import numbers
import os
import re
import sys
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Context, Decimal
from pathlib import Path
from typing import Any

import pandas as pd

from companion.paths import RUN_VARIABLE
from companion.plain_text import plain_html


class Shown:
    """Show one thing as MyST in the book, as HTML in a notebook and as text in a terminal."""

    def __init__(self, markdown: str, markup: str, text: str) -> None:
        self.markdown = markdown
        self.markup = markup
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(
        self, include: Any = None, exclude: Any = None
    ) -> dict[str, str]:
        """Return the forms, of which the front end picks; MyST is for the book alone, since no notebook shows it."""
        forms = {"text/html": self.markup, "text/plain": self.text}
        return (
            {"text/markdown": self.markdown, **forms}
            if os.environ.get(RUN_VARIABLE)
            else forms
        )


class _Displayed(Shown):
    """What stands on the page already, and is not shown again at the end of a cell."""

    def _ipython_display_(self) -> None:
        """Show nothing more."""


def display(shown: Shown) -> Shown:
    """Show one thing where its call stands in a cell, at the end or not, and return it; outside IPython return it."""
    if (
        "IPython" not in sys.modules
        or (shell := sys.modules["IPython"].get_ipython()) is None
    ):
        return shown
    shell.display_pub.publish(shown._repr_mimebundle_())
    return _Displayed(shown.markdown, shown.markup, shown.text)


class Figure:
    """A figure of this page: its `table`, and `show` to display it."""

    def __init__(
        self, page: str, figure: str, table: pd.DataFrame, picture: Path | str
    ) -> None:
        """Hold its table and its picture: the address for the page, or the file, which is put into the output."""
        self._page = page
        self.id = figure
        self.table = table
        self._picture = picture

    def __repr__(self) -> str:
        return f"Figure {self.id}: {len(self.table)} rows; call .show(caption=..., alt=...)"

    def show(self, caption: str, alt: str) -> Shown:
        """Return the figure for display, with its caption (MyST) and its text for who cannot see it.

        Raises ValueError where either is empty.
        """
        caption = one_paragraph("caption", caption)
        alt = one_paragraph("alt", alt)
        fence = "`" * max(
            4, 1 + max((len(run) for run in re.findall(r"`+", caption)), default=0)
        )
        body = f"{fence}{{bookfigure}} {self._page}/{self.id}\n:alt: {alt}\n\n{caption}\n{fence}\n"
        source = self._picture
        if isinstance(
            source, Path
        ):  # put into the output, so that a notebook may be moved
            source = f"data:image/png;base64,{base64.b64encode(source.read_bytes()).decode('ascii')}"
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
    rounded = Context(
        prec=2, rounding=ROUND_CEILING if upward else ROUND_HALF_EVEN
    ).plus(Decimal(value))
    mantissa, power = f"{float(rounded):.1e}".split("e")
    return f"${mantissa}\\times10^{{{int(power)}}}$" if int(power) else f"${mantissa}$"


def one_paragraph(name: str, value: object) -> str:
    """Return a text on one line, however it is broken in the source of a page.

    Raises ValueError where it is no text, or empty.
    """
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{name} must be a non-empty text, got {value!r}")
    return " ".join(value.split())


def small_table(table: pd.DataFrame, caption: str, floatfmt: str) -> Shown:
    """Return a small table for display, see `Page.table`."""
    caption = one_paragraph("caption", caption)
    if not isinstance(table, pd.DataFrame) or not 1 <= len(table) <= 60:
        raise ValueError(
            f"table must be a DataFrame of 1 to 60 rows, got {table!r:.200}"
        )
    numeric = [table[name].dtype.kind in "iuf" for name in table.columns]

    def cell(value: Any) -> str:
        if isinstance(value, float):
            return format(value, floatfmt)
        counted = isinstance(value, numbers.Integral) and not isinstance(value, bool)
        return (f"{value:,}" if counted else str(value)).replace("\n", " ")

    rows = [
        [cell(value) for value in row]
        for row in table.itertuples(index=False, name=None)
    ]
    head = [str(name) for name in table.columns]
    lines = [head, ["--:" if right else ":--" for right in numeric], *rows]
    escaped = [[item.replace("|", "\\|") for item in line] for line in lines]
    grid = "\n".join("| " + " | ".join(line) + " |" for line in escaped)
    body = f"````{{table}} {caption}\n{grid}\n````\n"
    cells = "".join(
        "<tr>" + "".join(f"<td>{plain_html(item)}</td>" for item in line) + "</tr>"
        for line in rows
    )
    header = "".join(f"<th>{plain_html(name)}</th>" for name in head)
    markup = f"<table><caption>{plain_html(caption)}</caption><tr>{header}</tr>{cells}</table>"
    plain = "\n".join(["  ".join(head), *("  ".join(line) for line in rows)])
    return display(Shown(body, markup, f"{caption}\n{plain}"))
