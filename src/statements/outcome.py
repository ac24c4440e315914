r"""How a statement came out, in plain words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from statements.arithmetic import BITS
from statements.batches import POINTS
from statements.challenge import KINDS, Challenge
from statements.decisions import Decision
from statements.render.texts import Written
from statements.render.texts import name as letter

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
    """Hold for which values of an argument a proof holds.

    An end that is empty is not there.
    """

    name: str
    low: str
    high: str

    def __str__(self) -> str:
        if self.low and self.high:
            return f"{self.name} in [{self.low}, {self.high}]"
        if self.low:
            return f"{self.name} >= {self.low}"
        if self.high:
            return f"{self.name} <= {self.high}"
        return f"real {self.name}"


@dataclass
class Outcome:
    """Hold how one statement came out.

    `decided` counts instances that hold, fail, or are undecided or undefined. `looked`
    instances meet the hypotheses, of `drawn` that were tried; `reach` says how many
    points the largest have, and how large their integers become; `sizes` for which
    sizes all instances are proved, and by what. `doubts` has an instance of each kind
    that decides nothing. An example may be given `by_hand`. `step` says what a proof
    proves where that is not the statement, `over` for which arguments.
    """

    role: str
    text: str
    latex: list[Written]
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
        """Say false, holds, or undecided where floats, or nothing, spoke for it."""
        if self.arithmetic == "float":
            return "undecided"
        if self.decided["fails"]:
            return "false"
        if set(self.decided) == {"holds"}:
            return "holds"
        return "undecided"

    @property
    def settled(self) -> int:
        """How many instances hold or fail."""
        return self.decided["holds"] + self.decided["fails"]

    def line(self) -> str:
        """Return one line for the reader."""
        if self.universal:
            over = spans(self.over) or "arguments"
            return f"Proved for all {over}: {self.step or 'the statement'}."
        if self.verdict == "false":
            return f"False: {values(self.example or {})}."
        tries = f"{self.looked:,} tries ({self.settled:,} settled exactly)"
        if self.verdict == "undecided":
            return f"Undecided in {tries}; {'; '.join(self._open())}."
        parts = [f"No counterexample in {tries}.", self._thin(), self.controls.line()]
        if self.sizes:
            parts.insert(0, f"Proved for {self.sizes}.")
        return " ".join(filter(None, parts))

    def details(self) -> list[str]:
        """Return what the line leaves out, a sentence each."""
        sentences = []
        if not self.universal:
            how = ARITHMETICS[self.arithmetic]
            sentences.append(f"Settled {how}: {self.settled:,} instances.")
        if self.decided["fails"]:
            how = "was given by hand" if self.by_hand else "is the simplest found"
            fails = self.decided["fails"]
            sentences.append(f"{fails:,} of them fail; the one shown {how}.")
        if self.reach:
            sentences.append(f"Instances go up to {largest(self.reach)}.")
        if self.equal:
            sentences.append(
                f"{self.equal:,} have sides that agree to {BITS[-1]} bits; they count"
                " as equal."
            )
        return sentences + _survivors(self.controls)

    def _open(self) -> list[str]:
        """Say why nothing is decided."""
        if self.arithmetic == "float":
            reason = "no reason kept"
            if "float" in self.doubts:
                reason = self.doubts["float"].line()
            return [f"a float took part, and floats decide nothing: {reason}"]
        return [
            f"{count:,} {kind}, for example {self.doubts[kind].line()}"
            for kind, count in self.decided.items()
            if kind not in ("holds", "fails")
        ]

    def _thin(self) -> str:
        """Say where few instances meet the hypotheses."""
        if self.looked * THIN >= self.drawn:
            return ""
        return (
            f"Few of them: the hypotheses hold for {self.looked:,} of {self.drawn:,}"
            " instances drawn."
        )

    def count(self, decision: Decision) -> None:
        """Add how one instance was decided."""
        if decision.outcome == "unmet":
            return
        self.decided[decision.outcome] += 1
        if decision.outcome in ("holds", "fails"):
            self.equal += decision.equal
            self.worst = min(self.worst, decision.margin)
            if decision.outcome == "fails" or not self.decided["fails"]:
                self._weaken(decision.arithmetic)

    def _weaken(self, arithmetic: str) -> None:
        """Note an arithmetic that took part: the one that decides less stays."""
        ranks = list(ARITHMETICS)
        self.arithmetic = max(self.arithmetic, arithmetic, key=ranks.index)

    def reaches(self, sizes: Mapping[str, int]) -> None:
        """Note how far instances go, the largest of each."""
        for name, size in sizes.items():
            self.reach[name] = max(size, self.reach.get(name, size))

    def join(self, other: Outcome) -> None:
        """Add what a further space shows of the same statement."""
        self.looked += other.looked
        self.drawn += other.drawn
        self.decided += other.decided
        self.worst = min(self.worst, other.worst)
        self.equal += other.equal
        self.reaches(other.reach)
        self._weaken(other.arithmetic)
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
    parts = []
    for name, size in reach.items():
        if name == POINTS:
            parts.append(f"{size:,} {name}")
        else:
            parts.append(f"${letter(name)}$ = {size:,}")
    return ", ".join(parts)


def spans(over: Sequence[Span]) -> str:
    """Return the ranges of a proof in one line."""
    return ", ".join(map(str, over))


def values(example: dict[str, str]) -> str:
    """Return an instance in one line."""
    return ", ".join(f"{name} = {value}" for name, value in example.items())


def _survivors(controls: Challenge) -> list[str]:
    """Name what was not refuted, kind by kind."""
    sentences = []
    for kind, name in KINDS.items():
        refuted, tried = controls.count(kind)
        if not tried:
            continue
        left = controls.words("survived", kind)
        named = ""
        if left and kind != "definition":
            named = f"; not refuted: {', '.join(left)}"
        sentences.append(f"{refuted} of {tried} {name}s fail{named}.")
    sentences += [side.line() for side in controls.sides]
    if broken := controls.words("broken"):
        sentences.append(f"{len(broken)} changed texts cannot be computed.")
    return sentences
