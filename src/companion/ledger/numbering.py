"""Read the numbers that a place of the ledger names, and collect which claims stand at which number of a text.

A place is a line such as "Lemma 9 and (17), section 8.2". What it names after words
like "after" or "proof of" is *near* the number and not at it. Ranges such as
"(29)-(32)" count for every number in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

#: Kinds that most texts count together.
STATEMENTS = ("definition", "lemma", "theorem", "corollary", "proposition")
#: Kinds that say where in a text, and not which statement: they count where nothing
#: else in a place is named.
WHEREABOUTS = ("abstract", "section", "appendix")
#: Kinds of numbers, in the order in which they are shown.
KINDS = (
    *STATEMENTS,
    "algorithm",
    "figure",
    "appendix-figure",
    "table",
    "equation",
    "footnote",
    *WHEREABOUTS,
)

_NAMED = re.compile(
    r"\b(?P<name>Definition|Lemma|Theorem|Corollary|Proposition|Algorithm|Figure|Table|footnote|[Ss]ection|[Aa]ppendix)"
    r"(?P<plural>s?) (?P<number>\d+(?:\.\d+)?|(?<=ppendix )[A-Z]\b)"
    r"(?: and (?P<second>\d+)(?![\d.)]))?(?P<appendix> of the appendix)?"
)
_EQUATION = re.compile(r"\((?P<first>\d{1,3})\)(?:-\((?P<last>\d{1,3})\))?")
_PART = re.compile(r"[^,]+")
_ABSTRACT = re.compile(r"\b[Aa]bstract\b")
_NEAR = re.compile(r"\b(?:after|before|with|against|text on|proof of)\b")


@dataclass(frozen=True)
class Mention:
    """Hold one number that a place names, and the characters of the place that name it (None within a range)."""

    kind: str
    number: str
    span: tuple[int, int] | None
    near: bool

    @property
    def key(self) -> tuple[str, str]:
        """The kind and the number."""
        return self.kind, self.number

    @property
    def only_where(self) -> bool:
        """Whether it is a section that only says where another number stands: no row of its own follows from it."""
        return self.near and self.kind in WHEREABOUTS

    @property
    def anchor(self) -> str:
        """The address of the number within those of one text."""
        return "-".join(
            part for part in (self.kind, self.number.replace(".", "-")) if part
        )

    @property
    def label(self) -> str:
        """The number as the text prints it."""
        if self.kind == "equation":
            return f"({self.number})"
        if self.kind == "appendix-figure":
            return f"Figure {self.number} of the appendix"
        name = (
            self.kind
            if self.kind in ("footnote", *WHEREABOUTS)
            else self.kind.capitalize()
        )
        return f"{name} {self.number}".strip()


def _found(at: str, start: int, end: int) -> Iterator[Mention]:
    """Yield what one part of a place, up to a comma or semicolon, names."""
    mark = _NEAR.search(at, start, end)
    last = mark.start() if mark else end
    for match in _NAMED.finditer(at, start, end):
        kind = ("appendix-" if match["appendix"] else "") + match["name"].lower()
        stop = match.end() if match["appendix"] else match.end("number")
        yield Mention(
            kind, match["number"], (match.start(), stop), match.start() > last
        )
        if match["plural"] and match["second"]:
            yield Mention(
                kind, match["second"], match.span("second"), match.start() > last
            )
    for match in _EQUATION.finditer(at, start, end):
        first = int(match["first"])
        final = int(match["last"] or match["first"])
        spans = {
            final: (match.start("last") - 1, match.end()),
            first: (match.start(), match.end("first") + 1),
        }
        for number in range(first, final + 1):
            yield Mention(
                "equation", str(number), spans.get(number), match.start() > last
            )
    for match in _ABSTRACT.finditer(at, start, end):
        yield Mention("abstract", "", match.span(), match.start() > last)


def mentions(at: str) -> list[Mention]:
    """Return the numbers that a place names, in order.

    A section or the abstract is marked *near* where the same part between semicolons
    names a number as well: then it only says where that number stands.
    """
    found: list[Mention] = []
    for segment in re.finditer(r"[^;]+", at):
        parts = _PART.finditer(at, *segment.span())
        own = [item for part in parts for item in _found(at, *part.span())]
        numbered = any(item.kind not in WHEREABOUTS for item in own)
        found += [
            replace(item, near=numbered) if item.kind in WHEREABOUTS else item
            for item in own
        ]
    return found


@dataclass
class Row:
    """Hold one number of a text, the claims that stand at it, and those of the text around it."""

    mention: Mention
    here: list[dict[str, Any]] = field(default_factory=list)
    around: list[dict[str, Any]] = field(default_factory=list)


def _order(row: Row) -> tuple[int, tuple[int, ...]]:
    kind = row.mention.kind
    rank = 0 if kind in STATEMENTS else KINDS.index(kind)
    parts = [part for part in row.mention.number.split(".") if part]
    return rank, tuple(int(part) if part.isdigit() else ord(part) for part in parts)


def rows_of(claims: Iterable[Mapping[str, Any]], source: str) -> list[Row]:
    """Return the numbers of one text that the claims name: statements, algorithms, figures, equations, the rest.

    Definitions, lemmas, theorems and the like are counted together, as most texts do. A
    section has the claims of its text that no number names.
    """
    rows: dict[tuple[str, str], Row] = {}
    for claim in claims:
        for mention in _every(claim, source):
            if not mention.only_where:
                row = rows.setdefault(mention.key, Row(mention))
                stands = row.around if mention.near else row.here
                stands += [] if claim in stands else [dict(claim)]
    for row in rows.values():
        row.around = [claim for claim in row.around if claim not in row.here]
    return sorted(rows.values(), key=_order)


def elsewhere(row: Row, source: str, other: str) -> list[Mention]:
    """Return the numbers that the same statements have in another text.

    Of several numbers of one kind in both texts the one at the same position is taken.
    Where the other text gives the statement no number of this kind, its other numbers
    are returned, and where it has none, its sections.
    """
    found: dict[tuple[str, str], Mention] = {}
    for claim in row.here:
        ours = [item for item in _at(claim, source) if item.kind == row.mention.kind]
        theirs = _at(claim, other)
        alike = [item for item in theirs if item.kind == row.mention.kind]
        if len(alike) == len(ours):
            alike = [
                item
                for item, mine in zip(alike, ours, strict=True)
                if mine.key == row.mention.key
            ]
        numbered = [item for item in theirs if item.kind not in WHEREABOUTS]
        for item in alike or numbered or theirs:
            found.setdefault(item.key, item)
    return list(found.values())


def _every(claim: Mapping[str, Any], source: str) -> list[Mention]:
    """Return all that the places of a claim in one text name."""
    return [
        item
        for place in claim["places"]
        if place["source"] == source
        for item in mentions(place["at"])
    ]


def _at(claim: Mapping[str, Any], source: str) -> list[Mention]:
    return list(
        {item.key: item for item in _every(claim, source) if not item.near}.values()
    )
