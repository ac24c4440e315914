"""Read the numbers that a place of the ledger names, and collect which claims stand at which number of a text.

A place is a line such as "Lemma 9 and (17), section 8.2". What it names after words like "after" or "proof of" is
*near* the number and not at it. Ranges such as "(29)-(32)" count for every number in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

#: Kinds of numbers, in the order in which they are shown, with what stands before the number.
KINDS = {
    "definition": "Definition ",
    "lemma": "Lemma ",
    "theorem": "Theorem ",
    "corollary": "Corollary ",
    "proposition": "Proposition ",
    "algorithm": "Algorithm ",
    "figure": "Figure ",
    "appendix-figure": "Figure ",
    "table": "Table ",
    "equation": "",
    "footnote": "footnote ",
    "abstract": "abstract",
    "section": "section ",
    "appendix": "appendix ",
}
#: Kinds that most texts count together.
STATEMENTS = ("definition", "lemma", "theorem", "corollary", "proposition")
#: Kinds that say where in a text, and not which statement: they count where nothing else in a place is named.
WHEREABOUTS = ("section", "appendix", "abstract")

_NAMED = re.compile(
    r"\b(?P<name>Definition|Lemma|Theorem|Corollary|Proposition|Algorithm|Figure|Table|footnote|[Ss]ection|[Aa]ppendix)"
    r"(?P<plural>s?) (?P<number>\d+(?:\.\d+)?|(?<=ppendix )[A-Z]\b)"
    r"(?: and (?P<second>\d+)(?![\d.)]))?(?P<appendix> of the appendix)?"
)
_EQUATION = re.compile(r"\((?P<first>\d{1,3})\)(?:-\((?P<last>\d{1,3})\))?")
_ABSTRACT = re.compile(r"\b[Aa]bstract\b")
_NEAR = re.compile(r"\b(?:after|before|with|against|text on|proof of)\b")


@dataclass(frozen=True)
class Mention:
    """Hold one number that a place names, and the characters of the place that name it (None within a range)."""

    kind: str
    number: str
    near: bool
    span: tuple[int, int] | None

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
        return "-".join(part for part in (self.kind, self.number.replace(".", "-")) if part)

    @property
    def label(self) -> str:
        """The number as the text prints it."""
        if self.kind == "equation":
            return f"({self.number})"
        return f"{KINDS[self.kind]}{self.number}" + (" of the appendix" if self.kind == "appendix-figure" else "")


def _found(part: str, offset: int) -> Iterator[Mention]:
    """Yield what one part of a place, up to a comma or semicolon, names."""
    marks = [match.start() for match in _NEAR.finditer(part)]

    def mention(kind: str, number: str, at: int, span: tuple[int, int] | None) -> Mention:
        near = kind not in WHEREABOUTS and any(mark < at for mark in marks)
        return Mention(kind, number, near, span and (offset + span[0], offset + span[1]))

    for match in _NAMED.finditer(part):
        kind = ("appendix-" if match["appendix"] else "") + match["name"].lower()
        end = match.end() if match["appendix"] else match.end("number")
        yield mention(kind, match["number"], match.start(), (match.start(), end))
        if match["plural"] and match["second"]:
            yield mention(kind, match["second"], match.start(), match.span("second"))
    for match in _EQUATION.finditer(part):
        first, last = int(match["first"]), int(match["last"] or match["first"])
        spans = {last: (match.start("last") - 1, match.end()), first: (match.start(), match.end("first") + 1)}
        for number in range(first, last + 1):
            yield mention("equation", str(number), match.start(), spans.get(number))
    for match in _ABSTRACT.finditer(part):
        yield mention("abstract", "", match.start(), match.span())


def mentions(at: str) -> list[Mention]:
    """Return the numbers that a place names, in order.

    A section or the abstract is marked *near* where the same part between semicolons names a number as well: then
    it only says where that number stands.
    """
    found: list[Mention] = []
    for segment in re.finditer(r"[^;]+", at):
        parts = re.finditer(r"[^,]+", segment[0])
        own = [item for part in parts for item in _found(part[0], segment.start() + part.start())]
        numbered = any(item.kind not in WHEREABOUTS for item in own)
        found += [replace(item, near=item.near or (numbered and item.kind in WHEREABOUTS)) for item in own]
    return found


@dataclass
class Row:
    """Hold one number of a text, the claims that stand at it, and those of the text around it."""

    mention: Mention
    here: list[dict[str, Any]] = field(default_factory=list)
    around: list[dict[str, Any]] = field(default_factory=list)


def _order(row: Row) -> tuple[int, tuple[int, ...]]:
    kind = row.mention.kind
    rank = 0 if kind in STATEMENTS else list(KINDS).index(kind)
    parts = [part for part in row.mention.number.split(".") if part]
    return rank, tuple(int(part) if part.isdigit() else ord(part) for part in parts)


def rows_of(claims: Iterable[Mapping[str, Any]], source: str) -> list[Row]:
    """Return the numbers of one text that the claims name: statements, algorithms, figures, equations, the rest.

    Definitions, lemmas, theorems and the like are counted together, as most texts do. A section has the claims of its
    text that no number names.
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

    Of several numbers of one kind in both texts the one at the same position is taken. Where the other text gives
    the statement no number of this kind, its other numbers are returned, and where it has none, its sections.
    """
    found: dict[tuple[str, str], Mention] = {}
    for claim in row.here:
        ours = [item for item in _at(claim, source) if item.kind == row.mention.kind]
        theirs = _at(claim, other)
        alike = [item for item in theirs if item.kind == row.mention.kind]
        if len(alike) == len(ours):
            alike = [item for item, mine in zip(alike, ours, strict=True) if mine.key == row.mention.key]
        numbered = [item for item in theirs if item.kind not in WHEREABOUTS]
        for item in alike or numbered or theirs:
            found.setdefault(item.key, item)
    return list(found.values())


def _every(claim: Mapping[str, Any], source: str) -> list[Mention]:
    """Return all that the places of a claim in one text name."""
    return [item for place in claim["places"] if place["source"] == source for item in mentions(place["at"])]


def _at(claim: Mapping[str, Any], source: str) -> list[Mention]:
    return list({item.key: item for item in _every(claim, source) if not item.near}.values())
