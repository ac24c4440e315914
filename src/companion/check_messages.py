"""Show a check: one line with its sign for each statement, and one fold for all.

In the fold stand the formulas, what their names stand for, which changed texts fail,
and the seed. A line says ✓ where the statement holds or is proved, ✗ where it is false,
and ? where it is not decided.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from itertools import starmap
from typing import NamedTuple

from companion.plain_text import plain_html, plain_words
from companion.shown import Shown
from statements import Outcome
from statements.outcome import Span, spans, values
from statements.render.texts import Written
from statements.render.texts import name as letter
from statements.render.texts import value as exact

SIGNS = {"holds": "✓", "false": "✗", "undecided": "?"}
#: What the fold is called.
FOLD = "How it was checked"


class CheckedStatement(NamedTuple):
    """Hold one statement that was checked: what it is called, and how it came out."""

    head: str
    outcome: Outcome


def _equation(name: str, text: str) -> str:
    """Return a name and its exact value, as a formula, or as code where it is none."""
    formula = exact(text)
    if formula:
        return f"${letter(name)} = {formula}$"
    return f"${letter(name)}$ = `{text}`"


def _range(span: Span) -> str:
    """Return the range of an argument as a formula."""
    name = letter(span.name)
    low = exact(span.low)
    high = exact(span.high)
    if low and high:
        return rf"${name} \in [{low}, {high}]$"
    if low:
        return rf"${name} \ge {low}$"
    if high:
        return rf"${name} \le {high}$"
    return rf"${name} \in \mathbb{{R}}$"


def _line(statement: CheckedStatement) -> str:
    """Return the one line of a statement as MyST."""
    outcome = statement.outcome
    line = outcome.line()
    if outcome.example:
        formulas = ", ".join(starmap(_equation, outcome.example.items()))
        line = line.replace(values(outcome.example), formulas)
    if outcome.over:
        line = line.replace(
            spans(outcome.over), ", ".join(map(_range, outcome.over)), 1
        )
    return f"{SIGNS[outcome.verdict]} *{statement.head}.* {line}"


def _display(item: Written) -> str:
    """Return a formula as a display, or where there is none its source."""
    if item.latex:
        return f"$$\n{item.latex}\n$$\n"
    return f"```python\n{item.source}\n```\n"


def _markup(item: Written) -> str:
    if item.latex:
        return f"<p>\\[{html.escape(item.latex)}\\]</p>"
    return f"<pre>{html.escape(item.source)}</pre>"


def plain_line(statement: CheckedStatement) -> str:
    """Return the one line of a statement for a terminal."""
    outcome = statement.outcome
    return f"{SIGNS[outcome.verdict]} {plain_words(statement.head)}. {outcome.line()}"


def message(checked: Sequence[CheckedStatement], seed: int | None) -> Shown:
    """Return the lines of a check, and its fold."""
    lines = [_line(item) for item in checked]
    folded, markup = _fold(checked)
    if seed is not None:
        folded.append(f"Seed {seed}.\n")
    body = [
        "\n\n".join(lines),
        f"\n\n````{{dropdown}} {FOLD}\n:class-container: mf-check\n\n",
        "\n".join(folded),
        "````\n",
    ]
    shown = "".join(f"<p>{plain_html(line)}</p>" for line in lines)
    fold = f"<details><summary>{FOLD}</summary>{''.join(markup)}</details>"
    plain = "\n".join(map(plain_line, checked))
    return Shown("".join(body), f"{shown}{fold}", plain)


def _fold(checked: Sequence[CheckedStatement]) -> tuple[list[str], list[str]]:
    """Return what stands in the fold, as MyST and as HTML; each formula once."""
    folded: list[str] = []
    markup: list[str] = []
    seen: set[str] = set()
    for item in checked:
        written = [piece for piece in item.outcome.latex if piece.source not in seen]
        seen.update(piece.source for piece in written)
        head = f"*{item.head}.*"
        details = " ".join(item.outcome.details())
        folded += [f"{head}\n", *map(_display, written), f"{details}\n"]
        markup += [
            f"<p>{plain_html(head)}</p>",
            *map(_markup, written),
            f"<p>{plain_html(details)}</p>",
        ]
    return folded, markup
