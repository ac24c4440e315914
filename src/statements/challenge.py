r"""How the changed texts of a statement came out, and how sharp its right sides are."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

#: The kinds of changed texts, and how one of them is called.
KINDS = {
    "sharper": "sharper version",
    "variant": "variant",
    "definition": "changed definition",
}


class Tried(NamedTuple):
    """Hold how one changed text came out.

    The `kind` is sharper, variant or definition; the outcome refuted, survived or
    broken.
    """

    words: str
    kind: str
    outcome: str


@dataclass(frozen=True)
class Side:
    """Hold how sharp one comparison is.

    `share` is the smallest change of the right side, at most 10 % in the direction that
    asks for more, that an exact instance refutes. Without one, `slack` is the share by
    which the side could move on the instances tried, rounded down, and `factor` is 1 -
    slack, or 1 + slack; it is None where the side may be negative, or where any would
    do.
    """

    text: str
    share: float | None = None
    slack: float | None = None
    factor: float | None = None

    @property
    def looseness(self) -> float:
        """The share by which the side could move, infinite where any would do."""
        if self.share is not None:
            return self.share
        if self.slack is not None:
            return self.slack
        return math.inf

    def line(self) -> str:
        """Return one sentence for the reader."""
        if self.share is not None:
            percent = 100 * self.share
            return f"Sharp: with `{self.text}` moved by {percent:.0f} % it fails."
        head = "Loose: on these instances"
        if self.factor is not None:
            return f"{head} a factor of {self.factor:.3g} at `{self.text}` would do."
        if self.slack is not None:
            return f"{head} `{self.text}` could move by {100 * self.slack:.0f} %."
        return f"{head} `{self.text}` could move by any share."


@dataclass
class Challenge:
    """Hold the changed texts that were tried, and how sharp each comparison is.

    It is `attained` where an instance refutes the strict inequality.
    """

    tries: list[Tried] = field(default_factory=list)
    sides: list[Side] = field(default_factory=list)
    attained: bool = False

    def words(self, outcome: str, *kinds: str) -> list[str]:
        """Return the words of what came out so, of some kinds, or of all."""
        wanted = kinds or tuple(KINDS)
        return [
            item.words
            for item in self.tries
            if item.outcome == outcome and item.kind in wanted
        ]

    @property
    def refuted(self) -> list[str]:
        """What an exact instance refutes."""
        return self.words("refuted")

    @property
    def tried(self) -> int:
        """How many are counted."""
        return len(self.tries)

    @property
    def loosest(self) -> Side | None:
        """The comparison that could move by most."""
        return max(self.sides, key=lambda side: side.looseness, default=None)

    def count(self, kind: str) -> tuple[int, int]:
        """Return how many of a kind were refuted, and how many could be computed."""
        refuted = len(self.words("refuted", kind))
        return refuted, refuted + len(self.words("survived", kind))

    def line(self) -> str:
        """Return how many sharper versions fail, and how sharp the statement is.

        Where there is no sharper version, it is about the variants.
        """
        for kind in ("sharper", "variant"):
            refuted, tried = self.count(kind)
            if not tried:
                continue
            noun = KINDS[kind] + ("s" if tried > 1 else "")
            verb = "fails" if refuted == 1 else "fail"
            sentence = f"{refuted} of {tried} {noun} {verb}."
            side = self.loosest
            if side is None or side.share is not None:
                return sentence
            return f"{sentence} {side.line()}"
        return ""

    def counts(self) -> str:
        """Return what was refuted, kind by kind."""
        counted = {name: self.count(kind) for kind, name in KINDS.items()}
        return ", ".join(
            f"{refuted} of {tried} {name}s"
            for name, (refuted, tried) in counted.items()
            if tried
        )

    def join(self, other: Challenge) -> None:
        """Add what a further space shows of the same statement.

        What is refuted there is refuted; changes of definitions count here alone.
        """
        here = {item.words for item in self.tries}
        there = {item.words: item.outcome for item in other.tries}
        refuted = {
            item.words: item._replace(outcome="refuted")
            for item in self.tries
            if there.get(item.words) == "refuted"
        }
        self.tries = [refuted.get(item.words, item) for item in self.tries]
        for item in other.tries:
            if item.words not in here and item.kind != "definition":
                self.tries.append(item)
        self.attained |= other.attained
        self._join_sides(other.sides)

    def _join_sides(self, others: list[Side]) -> None:
        """Keep of each right side what moves it by less."""
        sides = {side.text: side for side in self.sides}
        for other in others:
            side = sides.get(other.text, other)
            sides[other.text] = min(side, other, key=lambda one: one.looseness)
        self.sides = list(sides.values())
