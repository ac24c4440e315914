"""The object a notebook talks to: it records evidence, values, figures and tables, and shows them.

What a notebook shows is kept in two forms: MyST for the book and HTML for whoever opens the notebook itself.
Nothing that differs between two runs is shown; time and commit stay in the JSON file beside the figure.
"""

from __future__ import annotations

import html
import json
import math
import os
import re
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any

import pandas as pd

from companion.exercises import RECORD, solution_record
from companion.figures import FigureChanged, MadeFigure, compare_with_reference, make, save
from companion.paths import OUTPUT, RUN_VARIABLE, CompanionError, Layout
from companion.profiles import check_profile
from companion.references import check_key
from companion.registry import FigureSpec, find_spec, load_registry
from companion.shown import CheckLike, Figure, Shown, non_empty, small_table
from companion.verdicts import Evidence

if TYPE_CHECKING:
    from companion.stated import Claims

__all__ = ["RUN_VARIABLE", "Page"]

#: Set to "off" where a reader executes a notebook with parameters of their own.
GATE_VARIABLE = "COMPANION_GATE"

_KEY = re.compile(r"[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*")


def _write_json(path: Path, document: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(document, indent=1, ensure_ascii=False, sort_keys=True, allow_nan=False)
    draft = path.with_name(path.name + ".part")
    draft.write_text(text + "\n", encoding="utf-8", newline="\n")
    draft.replace(path)


class Page:
    """The run of one notebook.

    In a build everything goes to the folder that COMPANION_RUN names; at the keyboard it goes to
    `_build/interactive/<page>/`, or outside the book to `mollified-output/<page>/` in the working directory, which
    is emptied of evidence and values when the page is made. Raises ValueError for a bad name and CompanionError for
    an unknown profile, or outside the book where the data that came with the package are missing.
    """

    def __init__(self, name: str, profile: str = "quick") -> None:
        if not isinstance(name, str) or not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
            raise ValueError(f"name must be lower-case words joined by hyphens, got {name!r}")
        self.name, self.profile = name, check_profile(profile)
        run = os.environ.get(RUN_VARIABLE)
        self._layout = Layout.for_page()
        self.in_build = bool(run)
        at_keyboard = (self._layout.outside or self._layout.build / "interactive") / name
        self.directory = Path(run) if run else at_keyboard
        self._values: dict[str, str] = {}
        self._solutions: dict[str, Any] = {}
        self._calls: Counter[tuple[str, str]] = Counter()
        self._unshown: list[Evidence] = []
        files = [self.directory / "values.json", self.directory / RECORD]
        for old in [*files, *(self.directory / "evidence").glob("*.json")]:
            old.unlink(missing_ok=True)
        (self.directory / "evidence").mkdir(parents=True, exist_ok=True)
        _write_json(self.directory / "values.json", {})
        if self._layout.outside and not run:
            print(f"What this run computes is kept in {OUTPUT}/{name}, in the folder that it runs in.")

    def record(
        self,
        claim: str,
        *,
        role: str,
        check: CheckLike,
        control: CheckLike,
        control_note: str,
        note: str = "",
        part: str = "",
    ) -> Shown:
        """Write a test of a claim, and of a broken version that must come out the other way, as evidence.

        `check` and `control` say how many instances were tried and how many failed; `control_note` says
        what the control breaks. `part` names what the test covers where that is a part of the statement: the
        grade is that of the part with the least support. Returns one line that says how it came out. Raises
        ValueError where a field makes no sense; whether the evidence decides the claim is for the ledger to judge.
        """
        claim, control_note = non_empty("claim", claim), non_empty("control_note", control_note)
        for name, value in (("check", check), ("control", control)):
            for attribute in ("instances", "violations"):
                if not hasattr(value, attribute):
                    raise TypeError(f"{name} must say its {attribute}, got {value!r}")
        slack, tolerance = float(check.worst_slack), float(check.tolerance)
        for name, number in (("worst_slack", slack), ("tolerance", tolerance)):
            if not math.isfinite(number):
                raise ValueError(f"check.{name} must be finite, got {number!r} (claim {claim})")
        example = check.counterexample
        evidence = Evidence(
            claim=claim,
            notebook=self.name,
            role=role,
            instances=int(check.instances),
            violations=int(check.violations),
            worst_slack=slack,
            arithmetic=check.arithmetic,
            tolerance=tolerance,
            seed=None if check.seed is None else int(check.seed),
            scope=check.scope,
            counterexample={str(key): str(value) for key, value in example.items()} if example else None,
            control_note=control_note,
            control_instances=int(control.instances),
            control_violations=int(control.violations),
            note=note,
            part=part,
        )
        self._calls[claim, role] += 1
        self._unshown.append(evidence)
        stem = f"{claim}.{role}.{self._calls[claim, role]}"
        _write_json(self.directory / "evidence" / f"{stem}.json", evidence.to_record())
        return self._summary(evidence)

    def claims(self, seed: int) -> Claims:
        """Return what checks the claims of this page as its cells state them, with random numbers from a seed."""
        from companion.stated import Claims

        return Claims(self, seed)

    def solution(self, label: str, *, check: CheckLike, control: CheckLike, control_note: str) -> Shown:
        """Note that the solution of exercise `ex-<page>-<n>` was run, and return one line that says how.

        `check` tests the answer, `control` a wrong answer. Raises ValueError where the answer fails, the control
        does not, or the label is another page's or was used before.
        """
        record = solution_record(self.name, label, check, control, control_note)
        if label in self._solutions:
            raise ValueError(f"label must be new on this page, got {label!r} again")
        self._solutions[label] = record
        _write_json(self.directory / RECORD, self._solutions)
        counted = (
            f"no failure on {record['instances']:,} instance{'s' * (record['instances'] > 1)} "
            f"({record['arithmetic']} arithmetic); control, "
            f"{record['control_note']}: {record['control_violations']:,} of {record['control_instances']:,} fail"
        )
        text = f"The solution was run: {counted}."
        return Shown(text, f"<p>{html.escape(text)}</p>", text)

    def summary(self) -> Shown:
        """Return a folded table of all tests recorded since the last summary.

        Raises ValueError where there is none.
        """
        if not self._unshown:
            raise ValueError("summary must follow at least one record, got none since the last one")
        head = ("claim", "tested", "fail", "arithmetic", "control", "control fails")
        rows = [
            (
                item.claim,
                item.role.replace("-", " ") + (f" ({item.note})" if item.note else ""),
                f"{item.violations} of {item.instances}",
                item.arithmetic,
                item.control_note,
                f"{item.control_violations} of {item.control_instances}",
            )
            for item in self._unshown
        ]
        self._unshown = []
        grid = [head, (":--",) * len(head), *rows]
        linked = [line if at < 2 else (f"{{claim}}`{line[0]}`", *line[1:]) for at, line in enumerate(grid)]
        escaped = ["| " + " | ".join(item.replace("|", "\\|") for item in line) + " |" for line in linked]
        counted = "1 test, with its control" if len(rows) == 1 else f"{len(rows)} tests, each with its control"
        title = f"Evidence recorded here: {counted}"
        body = f"````{{dropdown}} {title}\n" + "\n".join(escaped) + "\n````\n"
        cells = "".join("<tr>" + "".join(f"<td>{html.escape(item)}</td>" for item in row) + "</tr>" for row in rows)
        header = "".join(f"<th>{item}</th>" for item in head)
        plain = "\n".join("  ".join(row) for row in (head, *rows))
        return Shown(body, f"<table><tr>{header}</tr>{cells}</table>", plain)

    @staticmethod
    def _summary(evidence: Evidence) -> Shown:
        counted = (
            f"{evidence.violations} of {evidence.instances} instances fail "
            f"({evidence.arithmetic} arithmetic, smallest margin {evidence.worst_slack:.3g}); "
            f"control, {evidence.control_note}: "
            f"{evidence.control_violations} of {evidence.control_instances} fail"
        )
        role = evidence.role.replace("-", " ")
        return Shown(
            f"Recorded for **{evidence.claim}** ({role}): {counted}.",
            f"<p>Recorded for <b>{html.escape(evidence.claim)}</b> ({role}): {html.escape(counted)}.</p>",
            f"Recorded for {evidence.claim} ({role}): {counted}.",
        )

    def value(self, key: str, value: object, template: str = "{}") -> str:
        """Keep a number for the prose as text, and return that text.

        Prose anywhere in the book prints it by `{val}` with `<page>:<key>`. `template` is a format string
        with one field. Raises ValueError for a bad key, a key used before, or a template without a field.
        """
        if not isinstance(key, str) or not _KEY.fullmatch(key):
            raise ValueError(f"key must be words joined by - _ or ., got {key!r}")
        if key in self._values:
            raise ValueError(f"key must be new on this page, got {key!r} again (it is {self._values[key]!r})")
        if all(field is None for _, field, _, _ in Formatter().parse(template)):
            raise ValueError(f"template must have a field for the value, got {template!r}")
        text = template.format(value)
        self._values[key] = text
        _write_json(self.directory / "values.json", self._values)
        return text

    def figure(
        self, figure: str, table: pd.DataFrame | None = None, draw: Callable[[], Any] | None = None, **overrides: Any
    ) -> Figure:
        """Draw and save a figure of this page: its `table`, and what `draw` returns, a matplotlib figure.

        `draw` is called once for each theme. Without both the registry says what computes and draws, and `overrides`
        replace its parameters: in a build they must not change anything, else FigureChanged is raised; at the keyboard
        they, and data other than the accepted ones, are a warning. Raises CompanionError for an unknown figure,
        parameter, or a figure of another page, and where the table or the drawing is not as it must be.
        """
        spec = self._spec(figure, table, draw)
        directory = self.directory / "figures" / self.name
        if table is None or draw is None:
            made = make(self._layout, spec, self.profile, directory, overrides)
        else:
            check_key(spec, table)
            made = save(self._layout, MadeFigure(spec, self.profile, {}, table, {}, directory, None), draw)
        self._check(made)
        return Figure(made, f"../figures/{self.name}" if self.in_build else None)

    def _spec(self, figure: str, table: pd.DataFrame | None, draw: Callable[[], Any] | None) -> FigureSpec:
        spec = find_spec(load_registry(self._layout.registry), figure)
        if spec.page != self.name:
            raise CompanionError(f"figure {figure!r} belongs to page {spec.page!r}, this is {self.name!r}")
        given = [name for name, value in (("table", table), ("draw", draw)) if value is not None]
        if len(given) != (0 if spec.compute else 2):
            wanted = "data/figures.yml says what computes and draws it" if spec.compute else "give its table and draw"
            raise CompanionError(f"figure {figure!r}: {wanted}, got {' and '.join(given) or 'neither'}")
        if table is not None and not isinstance(table, pd.DataFrame):
            raise TypeError(f"table must be a pandas.DataFrame, got {table!r:.80}")
        if draw is not None and not callable(draw):
            raise TypeError(f"draw must be a function without arguments, got {draw!r:.80}")
        return spec

    def _check(self, made: MadeFigure) -> None:
        """Refuse other parameters in a build, which compares the data itself; at the keyboard warn of either."""
        try:
            if not made.as_registered:
                differing = sorted(
                    name for name, value in made.params.items() if made.spec.parameters(self.profile).get(name) != value
                )
                raise FigureChanged(
                    f"figure {made.spec.id} is made with parameters that differ from data/figures.yml: "
                    f"{', '.join(differing)}"
                )
            if not self.in_build:
                compare_with_reference(self._layout, made.spec, self.profile, made.table)
        except FigureChanged as error:
            if not self.in_build:
                warnings.warn(error.finding if self._layout.outside else str(error), stacklevel=3)
            elif os.environ.get(GATE_VARIABLE) != "off":
                raise

    def table(self, table: pd.DataFrame, *, caption: str, floatfmt: str = ".4g") -> Shown:
        """Return a small table for display; numbers by `floatfmt`, integers with commas, text as MyST, no index.

        Raises ValueError for an empty caption or a table without rows or with more than 60.
        """
        return small_table(table, caption, floatfmt)
