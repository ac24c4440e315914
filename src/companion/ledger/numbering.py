"""Read the numbers that a place of the ledger names, and the claims at each number.

A place is a line such as "Lemma 9 and (17), section 8.2". What it names after words
like "after" or "proof of" is *near* the number and not at it. Ranges such as
"(29)-(32)" count for every number in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from companion.ledger.records import ClaimRecord

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
    r"\b(?P<name>Definition|Lemma|Theorem|Corollary|Proposition|Algorithm|Figure"
    r"|Table|footnote|[Ss]ection|[Aa]ppendix)"
    r"(?P<plural>s?) (?P<number>\d+(?:\.\d+)?|(?<=ppendix )[A-Z]\b)"
    r"(?: and (?P<second>\d+)(?![\d.)]))?(?P<appendix> of the appendix)?"
)
_EQUATION = re.compile(r"\((?P<first>\d{1,3})\)(?:-\((?P<last>\d{1,3})\))?")
_PART = re.compile(r"[^,]+")
_ABSTRACT = re.compile(r"\b[Aa]bstract\b")
_NEAR = re.compile(r"\b(?:after|before|with|against|text on|proof of)\b")


@dataclass(frozen=True)
class Mention:
    """Hold one number that a place names.

    `span` are the characters of the place that name it, None within a range.
    """

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
        """Whether it is a section that only says where another number stands.

        No row of its own follows from it.
        """
        return self.near and self.kind in WHEREABOUTS

    @property
    def anchor(self) -> str:
        """The address of the number within those of one text."""
        number = self.number.replace(".", "-")
        return f"{self.kind}-{number}" if number else self.kind

    @property
    def label(self) -> str:
        """The number as the text prints it."""
        if self.kind == "equation":
            return f"({self.number})"
        if self.kind == "appendix-figure":
            return f"Figure {self.number} of the appendix"
        name = self.kind
        if name not in ("footnote", *WHEREABOUTS):
            name = name.capitalize()
        return f"{name} {self.number}".strip()


def _mentions_of_part(at: str, start: int, end: int) -> Iterator[Mention]:
    """Give what one part of a place, up to a comma or semicolon, names."""
    mark = _NEAR.search(at, start, end)
    last = mark.start() if mark else end
    yield from _named(at, start, end, last)
    for match in _EQUATION.finditer(at, start, end):
        yield from _equations(match, near=match.start() > last)
    for match in _ABSTRACT.finditer(at, start, end):
        yield Mention("abstract", "", match.span(), match.start() > last)


def _named(at: str, start: int, end: int, last: int) -> Iterator[Mention]:
    """Give the numbers that stand behind the name of their kind.

    Those that begin after `last` are near.
    """
    for match in _NAMED.finditer(at, start, end):
        kind = match["name"].lower()
        stop = match.end("number")
        if match["appendix"]:
            kind = f"appendix-{kind}"
            stop = match.end()
        near = match.start() > last
        yield Mention(kind, match["number"], (match.start(), stop), near)
        if match["plural"] and match["second"]:
            yield Mention(kind, match["second"], match.span("second"), near)


def _equations(match: re.Match[str], *, near: bool) -> Iterator[Mention]:
    """Give the equations of a range; the characters of the first and the last."""
    first = int(match["first"])
    final = first
    spans = {first: (match.start(), match.end("first") + 1)}
    if match["last"]:
        final = int(match["last"])
        # Where both are the same, its characters are those of the first.
        spans.setdefault(final, (match.start("last") - 1, match.end()))
    for number in range(first, final + 1):
        yield Mention("equation", str(number), spans.get(number), near)


def mentions(at: str) -> list[Mention]:
    """Return the numbers that a place names, in order.

    A section or the abstract is marked *near* where the same part between semicolons
    names a number as well: then it only says where that number stands.
    """
    mentioned: list[Mention] = []
    for segment in re.finditer(r"[^;]+", at):
        own: list[Mention] = []
        for part in _PART.finditer(at, *segment.span()):
            own += _mentions_of_part(at, *part.span())
        numbered = any(item.kind not in WHEREABOUTS for item in own)
        for item in own:
            only_where = item.kind in WHEREABOUTS
            mentioned.append(replace(item, near=numbered) if only_where else item)
    return mentioned


@dataclass
class Row:
    """Hold one number of a text, the claims at it, and those of the text around it."""

    mention: Mention
    here: list[ClaimRecord] = field(default_factory=list)
    around: list[ClaimRecord] = field(default_factory=list)


def _order(row: Row) -> tuple[int, tuple[int, ...]]:
    kind = row.mention.kind
    rank = 0 if kind in STATEMENTS else KINDS.index(kind)
    parts = [part for part in row.mention.number.split(".") if part]
    return rank, tuple(int(part) if part.isdigit() else ord(part) for part in parts)


def rows_of(claims: Iterable[ClaimRecord], source: str) -> list[Row]:
    """Return the numbers of one text that the claims name.

    Statements come first, then algorithms, figures, equations, the rest. Definitions,
    lemmas, theorems and the like are counted together, as most texts do. A section has
    the claims of its text that no number names.
    """
    rows: dict[tuple[str, str], Row] = {}
    for claim in claims:
        for mention in _every(claim, source):
            if mention.only_where:
                continue
            row = rows.setdefault(mention.key, Row(mention))
            stands = row.around if mention.near else row.here
            if claim not in stands:
                stands.append(claim)
    for row in rows.values():
        row.around = [claim for claim in row.around if claim not in row.here]
    return sorted(rows.values(), key=_order)


def elsewhere(row: Row, source: str, other: str) -> list[Mention]:
    """Return the numbers that the same statements have in another text.

    Of several numbers of one kind in both texts the one at the same position is taken.
    Where the other text gives the statement no number of this kind, its other numbers
    are returned, and where it has none, its sections.
    """
    mentioned: dict[tuple[str, str], Mention] = {}
    for claim in row.here:
        theirs = _at(claim, other)
        numbered = [item for item in theirs if item.kind not in WHEREABOUTS]
        alike = _counterparts(row.mention, _at(claim, source), theirs)
        for item in alike or numbered or theirs:
            mentioned.setdefault(item.key, item)
    return list(mentioned.values())


def _counterparts(
    mention: Mention,
    ours: Iterable[Mention],
    theirs: Iterable[Mention],
) -> list[Mention]:
    """Return the numbers of the same kind, or where as many, that at its position."""
    own = [item for item in ours if item.kind == mention.kind]
    alike = [item for item in theirs if item.kind == mention.kind]
    if len(alike) != len(own):
        return alike
    pairs = zip(alike, own, strict=True)
    return [item for item, mine in pairs if mine.key == mention.key]


def _every(claim: ClaimRecord, source: str) -> list[Mention]:
    """Return all that the places of a claim in one text name."""
    mentioned: list[Mention] = []
    for place in claim["places"]:
        if place["source"] == source:
            mentioned += mentions(place["at"])
    return mentioned


def _at(claim: ClaimRecord, source: str) -> list[Mention]:
    """Return what stands at the places of a claim in one text, each once."""
    at = [item for item in _every(claim, source) if not item.near]
    return list({item.key: item for item in at}.values())
