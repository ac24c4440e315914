"""What a reader sees of a check: one line with its sign for each statement, and one fold with the rest.

In the fold stand the formulas, what their names stand for, which changed texts fail,
and the seed. A line says ✓ where the statement holds or is proved, ✗ where it is false,
and ? where it is not decided.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import NamedTuple

from companion.plain_text import plain_html, plain_words
from companion.shown import Shown
from statements import Outcome
from statements.outcome import Span, spans, values
from statements.render import Written
from statements.render import name as letter
from statements.render import value as exact

SIGNS = {"holds": "✓", "false": "✗", "undecided": "?"}
#: What the fold is called.
FOLD = "How it was checked"


class Told(NamedTuple):
    """Hold one statement that was checked: what it is called, and how it came out."""

    head: str
    outcome: Outcome


def _value(text: str) -> str:
    """Return an exact value as a formula, or as code where it is none."""
    made = exact(text)
    return f"${made}$" if made else f"`{text}`"


def _formulas(example: dict[str, str]) -> str:
    """Return an instance as formulas."""
    found = []
    for name, text in example.items():
        value = _value(text)
        found.append(
            f"${letter(name)} = {value[1:]}"
            if value.startswith("$")
            else f"${letter(name)}$ = {value}"
        )
    return ", ".join(found)


def _range(span: Span) -> str:
    """Return the range of an argument as a formula."""
    low, high = (exact(end) if end else "" for end in (span.low, span.high))
    if low and high:
        return rf"${letter(span.name)} \in [{low}, {high}]$"
    if low:
        return rf"${letter(span.name)} \ge {low}$"
    return (
        rf"${letter(span.name)} \le {high}$"
        if high
        else rf"${letter(span.name)} \in \mathbb{{R}}$"
    )


def _line(told: Told) -> str:
    """Return the one line of a statement as MyST."""
    outcome = told.outcome
    line = outcome.line()
    if outcome.example:
        line = line.replace(values(outcome.example), _formulas(outcome.example))
    if outcome.over:
        line = line.replace(
            spans(outcome.over), ", ".join(map(_range, outcome.over)), 1
        )
    return f"{SIGNS[outcome.verdict]} *{told.head}.* {line}"


def _display(item: Written) -> str:
    """Return a formula as a display, or where there is none its source."""
    return (
        f"$$\n{item.latex}\n$$\n" if item.latex else f"```python\n{item.source}\n```\n"
    )


def _markup(item: Written) -> str:
    if item.latex:
        return f"<p>\\[{html.escape(item.latex)}\\]</p>"
    return f"<pre>{html.escape(item.source)}</pre>"


def told(found: Sequence[Told], seed: int | None) -> Shown:
    """Return the lines of a check, and its fold."""
    lines = [_line(item) for item in found]
    folded: list[str] = []
    markup: list[str] = []
    seen: set[str] = set()
    for item in found:
        written = [piece for piece in item.outcome.latex if piece.source not in seen]
        seen.update(piece.source for piece in written)
        details = " ".join(item.outcome.details())
        folded += [f"*{item.head}.*\n", *map(_display, written), f"{details}\n"]
        markup += [
            f"<p>{plain_html(f'*{item.head}.*')}</p>",
            *map(_markup, written),
            f"<p>{plain_html(details)}</p>",
        ]
    if seed is not None:
        folded.append(f"Seed {seed}.\n")
    body = (
        "\n\n".join(lines)
        + f"\n\n````{{dropdown}} {FOLD}\n:class-container: mf-check\n\n"
        + "\n".join(folded)
        + "````\n"
    )
    shown = "".join(f"<p>{plain_html(line)}</p>" for line in lines)
    fold = f"<details><summary>{FOLD}</summary>{''.join(markup)}</details>"
    plain = [
        f"{SIGNS[item.outcome.verdict]} {plain_words(item.head)}. {item.outcome.line()}"
        for item in found
    ]
    return Shown(body, f"{shown}{fold}", "\n".join(plain))
