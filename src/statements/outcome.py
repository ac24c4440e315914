r"""How a statement came out, in plain words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from statements.arithmetic import BITS
from statements.mutants import KINDS, Challenge
from statements.render import name as letter
from statements.search import POINTS, Decision

#: The arithmetics, from the one that decides most to the one that decides nothing, and
#: how the reader is told.
ARITHMETICS = {
    "exact": "in rational numbers",
    "certified": "in intervals of python-flint",
    "float": "in floats only",
}
#: Where fewer of what was looked at meet the hypotheses, one in so many, the reader is
#: told.
THIN = 100


@dataclass(frozen=True)
class Doubt:
    """Hold one instance that was not decided, and the reason."""

    example: dict[str, str]
    why: str

    def line(self) -> str:
        """Return the instance and the reason."""
        return f"{values(self.example)}: {self.why}"


@dataclass(frozen=True)
class Span:
    """Hold for which values of an argument a proof holds; an end that is empty is not there."""

    name: str
    low: str
    high: str

    def __str__(self) -> str:
        if self.low and self.high:
            return f"{self.name} in [{self.low}, {self.high}]"
        if self.low:
            return f"{self.name} >= {self.low}"
        return f"{self.name} <= {self.high}" if self.high else f"real {self.name}"


@dataclass
class Outcome:
    """Hold how one statement came out: `decided` counts instances that hold, fail, or are undecided or undefined.

    `looked` instances meet the hypotheses, of `drawn` that were tried; `reach` says how
    many points the largest have, and how large their integers become; `sizes` for which
    sizes all instances are proved, and by what. `doubts` has an instance of each kind
    that decides nothing. An example may be given `by_hand`. `step` says what a proof
    proves where that is not the statement, `over` for which arguments.
    """

    role: str
    text: str
    latex: list[Any]
    looked: int = 0
    drawn: int = 0
    decided: Counter[str] = field(default_factory=Counter)
    worst: float = 1.0
    arithmetic: str = "exact"
    equal: int = 0
    example: dict[str, str] | None = None
    by_hand: bool = False
    script: str | None = None
    reach: dict[str, int] = field(default_factory=dict)
    sizes: str = ""
    controls: Challenge = field(default_factory=Challenge)
    doubts: dict[str, Doubt] = field(default_factory=dict)
    universal: bool = False
    step: str = ""
    over: list[Span] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """Say false, holds, or undecided where floats alone, or nothing, spoke for it."""
        if self.arithmetic == "float":
            return "undecided"
        if self.decided["fails"]:
            return "false"
        return (
            "holds" if self.decided and set(self.decided) == {"holds"} else "undecided"
        )

    @property
    def settled(self) -> int:
        """How many instances hold or fail."""
        return self.decided["holds"] + self.decided["fails"]

    def line(self) -> str:
        """Return one line for the reader."""
        if self.universal:
            return f"Proved for all {spans(self.over) or 'arguments'}: {self.step or 'the statement'}."
        if self.verdict == "false":
            return f"False: {values(self.example or {})}."
        tries = f"{self.looked:,} tries ({self.settled:,} settled exactly)"
        if self.verdict == "undecided":
            return f"Undecided in {tries}; {'; '.join(self._open())}."
        proved = f"Proved for {self.sizes}." if self.sizes else ""
        parts = [
            proved,
            f"No counterexample in {tries}.",
            self._thin(),
            self.controls.line(),
        ]
        return " ".join(part for part in parts if part)

    def details(self) -> list[str]:
        """Return what the line leaves out, a sentence each."""
        found = (
            []
            if self.universal
            else [
                f"Settled {ARITHMETICS[self.arithmetic]}: {self.settled:,} instances."
            ]
        )
        if self.decided["fails"]:
            shown = (
                "the one shown was given by hand"
                if self.by_hand
                else "the one shown is the simplest found"
            )
            found.append(f"{self.decided['fails']:,} of them fail; {shown}.")
        if self.reach:
            found.append(f"Instances go up to {largest(self.reach)}.")
        if self.equal:
            found.append(
                f"{self.equal:,} have sides that agree to {BITS[-1]} bits; they count as equal."
            )
        return found + _survivors(self.controls)

    def _open(self) -> list[str]:
        """Say why nothing is decided."""
        if self.arithmetic == "float":
            doubt = self.doubts.get("float")
            return [
                f"a float took part, and floats decide nothing: {doubt.line() if doubt else 'no reason kept'}"
            ]
        counts = {
            kind: count
            for kind, count in self.decided.items()
            if kind not in ("holds", "fails")
        }
        return [
            f"{count:,} {kind}, for example {self.doubts[kind].line()}"
            for kind, count in counts.items()
        ]

    def _thin(self) -> str:
        """Say where few instances meet the hypotheses."""
        if self.looked * THIN >= self.drawn:
            return ""
        return f"Few of them: the hypotheses hold for {self.looked:,} of {self.drawn:,} instances drawn."

    def count(self, found: Decision) -> None:
        """Add how one instance was decided."""
        if found.outcome == "unmet":
            return
        self.decided[found.outcome] += 1
        if found.outcome in ("holds", "fails"):
            self.equal += found.equal
            self.worst = min(self.worst, found.margin)
            if found.outcome == "fails" or not self.decided["fails"]:
                self.arithmetic = max(
                    self.arithmetic, found.arithmetic, key=list(ARITHMETICS).index
                )

    def reaches(self, sizes: Mapping[str, int]) -> None:
        """Note how far instances go, the largest of each."""
        for name, size in sizes.items():
            self.reach[name] = max(size, self.reach.get(name, size))

    def join(self, other: "Outcome") -> None:
        """Add what a further space shows of the same statement."""
        self.looked += other.looked
        self.drawn += other.drawn
        self.decided += other.decided
        self.worst = min(self.worst, other.worst)
        self.equal += other.equal
        self.reaches(other.reach)
        self.arithmetic = max(
            self.arithmetic, other.arithmetic, key=list(ARITHMETICS).index
        )
        self.doubts = {**other.doubts, **self.doubts}
        if self.example is None and other.example is not None:
            self.example = other.example
            self.script = other.script
            self.by_hand = other.by_hand
        self.controls.join(other.controls)
        known = {str(item) for item in self.latex}
        self.latex += [item for item in other.latex[1:] if str(item) not in known]


def largest(reach: Mapping[str, int]) -> str:
    """Return how far instances go, names as formulas."""
    return ", ".join(
        f"{size:,} {name}" if name == POINTS else f"${letter(name)}$ = {size:,}"
        for name, size in reach.items()
    )


def spans(over: Sequence[Span]) -> str:
    """Return the ranges of a proof in one line."""
    return ", ".join(map(str, over))


def values(example: dict[str, str]) -> str:
    """Return an instance in one line."""
    return ", ".join(f"{name} = {value}" for name, value in example.items())


def _survivors(controls: Challenge) -> list[str]:
    """Name what was not refuted, kind by kind."""
    found = []
    for kind, name in KINDS.items():
        refuted, tried = controls.count(kind)
        left = controls.words("survived", kind)
        if tried:
            named = (
                f"; not refuted: {', '.join(left)}"
                if left and kind != "definition"
                else ""
            )
            found.append(f"{refuted} of {tried} {name}s fail{named}.")
    found += [side.line() for side in controls.sides]
    if controls.broken:
        found.append(f"{len(controls.broken)} changed texts cannot be computed.")
    return found
