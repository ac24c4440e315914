"""Keep and show what a notebook computes: evidence, values, figures and tables.

What a notebook shows is kept in two forms: MyST for the book and HTML for whoever opens
the notebook itself. Nothing that differs between two runs is shown; time and commit
stay in the JSON file beside the figure.
"""

from __future__ import annotations

import html
import os
import re
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING

import pandas as pd

from companion.figures import save_figure
from companion.ledger.evidence import Counts, Evidence
from companion.ledger.exercises import RECORD, refuse
from companion.ledger.registry import find_spec, load_registry
from companion.paths import (
    OUTPUT,
    RUN_VARIABLE,
    CompanionError,
    Layout,
    check_asserts,
    json_text,
    write_whole,
)
from companion.profiles import check_profile
from companion.shown import Figure, Shown, display, small_table
from companion.snapshots.compare import distance_from_reference

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

    from companion.checks import Claims

_KEY = re.compile(r"[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*")


class Page:
    """The run of one notebook.

    In a build everything goes to the folder that COMPANION_RUN names; at the keyboard
    it goes to `_build/interactive/<page>/`, or outside the book to
    `mollified-output/<page>/` in the working directory, which is emptied of evidence
    and values when the page is made. Raises ValueError for a bad name and
    CompanionError for an unknown profile, where asserts are switched off, or outside
    the book where the data that came with the package are missing.
    """

    def __init__(self, name: str, profile: str = "quick") -> None:
        if not isinstance(name, str) or not re.fullmatch(
            r"[a-z0-9]+(-[a-z0-9]+)*", name
        ):
            raise ValueError(
                f"name must be lower-case words joined by hyphens, got {name!r}"
            )
        check_asserts()
        self.name = name
        self.profile = check_profile(profile)
        run = os.environ.get(RUN_VARIABLE)
        self._layout = Layout.for_page()
        self.in_build = bool(run)
        at_keyboard = self._layout.outside or self._layout.build / "interactive"
        self.directory = Path(run or at_keyboard / name)
        self._values: dict[str, str] = {}
        self._solutions: dict[str, dict[str, object]] = {}
        self._calls: Counter[tuple[str, str]] = Counter()
        files = [self.directory / "values.json", self.directory / RECORD]
        for old in [*files, *(self.directory / "evidence").glob("*.json")]:
            old.unlink(missing_ok=True)
        (self.directory / "evidence").mkdir(parents=True, exist_ok=True)
        write_whole(self.directory / "values.json", json_text({}))
        if self._layout.outside and not run:
            print(
                f"What this run computes is kept in {OUTPUT}/{name}, "
                "in the folder that it runs in."
            )

    def keep(self, evidence: Evidence) -> None:
        """Write a test of a claim, with its control, where the ledger reads it."""
        key = evidence.claim, evidence.role
        self._calls[key] += 1
        file = f"{evidence.claim}.{evidence.role}.{self._calls[key]}.json"
        record = json_text(evidence.to_record())
        write_whole(self.directory / "evidence" / file, record)

    def claims(self, seed: int) -> Claims:
        """Return what checks the claims of this page as its cells state them.

        Its random numbers are from a seed.
        """
        from companion.checks import Claims

        return Claims(self, seed)

    def solved(
        self,
        label: str,
        check: Counts,
        control: Counts,
        control_note: str,
    ) -> Shown:
        """Note that the solution of exercise `ex-<page>-<n>` was run.

        Returns one line that says how. Raises ValueError where the answer fails, the
        control does not, or the label is another page's or not new.
        """
        solution = Evidence(
            label, self.name, "as-printed", check, control, control_note
        )
        refuse(self.name, solution)
        if label in self._solutions:
            raise ValueError(f"label must be new on this page, got {label!r} again")
        self._solutions[label] = solution.to_record()
        write_whole(self.directory / RECORD, json_text(self._solutions))
        plural = "s" if check.instances > 1 else ""
        text = (
            f"The solution was run: no failure on {check.instances:,} "
            f"instance{plural} ({check.arithmetic} arithmetic); control, "
            f"{control_note}: {control.violations:,} of {control.instances:,} fail."
        )
        return display(Shown(text, f"<p>{html.escape(text)}</p>", text))

    def value(self, key: str, value: object, template: str = "{}") -> str:
        """Keep a number for the prose as text, and return that text.

        Prose anywhere in the book prints it by `{val}` with `<page>:<key>`. `template`
        is a format string with one field. Raises ValueError for a bad key, a key used
        before, or a template without a field.
        """
        if not isinstance(key, str) or not _KEY.fullmatch(key):
            raise ValueError(f"key must be words joined by - _ or ., got {key!r}")
        if key in self._values:
            raise ValueError(
                f"key must be new on this page, got {key!r} again "
                f"(it is {self._values[key]!r})"
            )
        if all(field is None for _, field, _, _ in Formatter().parse(template)):
            raise ValueError(
                f"template must have a field for the value, got {template!r}"
            )
        text = template.format(value)
        self._values[key] = text
        write_whole(self.directory / "values.json", json_text(self._values))
        return text

    def figure(
        self,
        figure: str,
        table: pd.DataFrame,
        draw: Callable[[], Drawing],
    ) -> Figure:
        """Draw and save a figure of this page: its `table`, and what `draw` returns.

        At the keyboard data other than the accepted ones are a warning; a build
        compares them itself. Raises CompanionError for an unknown figure or one of
        another page, and where the table or the drawing is not as it must be.
        """
        spec = find_spec(load_registry(self._layout.registry), figure)
        if spec.page != self.name:
            raise CompanionError(
                f"figure {figure!r} belongs to page {spec.page!r}, "
                f"this is {self.name!r}"
            )
        if not isinstance(table, pd.DataFrame):
            raise TypeError(f"table must be a pandas.DataFrame, got {table!r:.80}")
        if not callable(draw):
            raise TypeError(
                f"draw must be a function without arguments, got {draw!r:.80}"
            )
        folder = self.directory / "figures" / self.name
        files = save_figure(self._layout, spec, self.profile, folder, table, draw)
        if self.in_build:
            address = f"../figures/{self.name}/{figure}.svg"
            return Figure(self.name, figure, table, address)
        far = distance_from_reference(self._layout, spec, self.profile, table)
        if far.changed:
            words = far.message(self.profile)
            if self._layout.outside:  # there is no command to accept them
                words = far.finding(self.profile)
            warnings.warn(words, stacklevel=2)
        return Figure(self.name, figure, table, files[".png"])

    def table(
        self,
        table: pd.DataFrame,
        *,
        caption: str,
        floatfmt: str = ".4g",
    ) -> Shown:
        """Return a small table for display.

        Numbers are written by `floatfmt`, integers with commas, text as MyST; there is
        no index. Raises ValueError for an empty caption or a table without rows or with
        more than 60.
        """
        return small_table(table, caption, floatfmt)
