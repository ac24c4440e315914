"""Compute a verdict from evidence: the one place where a claim is judged.

The rules are printed in the book on the page *How a verdict is computed* (`book/verdicts.md`); this module is their
only implementation. Evidence is what notebooks record while they run; nobody writes a verdict by hand.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

#: How the ids of this book's own results begin.
OURS = "FR-"
#: What a piece of evidence is about.
ROLES = ("as-printed", "under-condition", "corrected", "proof-step", "well-posed", "rerun", "rerun-variant")

#: What a test covers, from the least: instances that were tried, all instances of small sizes, every instance.
SCOPES = ("instances", "sizes", "universal")

#: The words that a field of evidence may have.
_WORDS = {"role": ROLES, "arithmetic": ("exact", "certified", "float"), "scope": SCOPES}

#: The counts that a record of a test holds.
_COUNTED = ("instances", "violations", "worst_slack", "arithmetic", "seed", "scope")

#: How strong the support is, from the weakest: in floats, exact on instances, proved for small sizes, proved.
GRADES = ("numerical", "exact", "sizes", "proved")

#: A claim is sharp where a change of its right side by this share, or by less, is refuted.
SHARP = 0.1

#: Every verdict that can come out, with the words that the reader sees.
VERDICTS = {
    "holds": "holds",
    "holds-with-condition": "holds under a condition that is not stated",
    "false": "false as printed",
    "definition": "definition, well posed",
    "reproduced": "seen in our rerun",
    "variant-only": "seen in our rerun of a variant only",
    "not-reproduced": "not seen in our rerun",
    "outside": "outside the evidence of this book",
    "not-yet-checked": "not yet checked",
    "unresolved": "unresolved: the evidence does not decide it",
    "unsound": "unsound: a control did not come out the other way",
}
#: Those that no sound ledger has.
UNSETTLED = ("unresolved", "unsound")


@dataclass(frozen=True)
class Counts:
    """Hold how a test came out: what was tried, what failed, the smallest margin, and the case where it is."""

    instances: int
    violations: int
    worst_slack: float = 0.0
    arithmetic: str = "exact"
    case: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
    scope: str = "instances"

    @property
    def count(self) -> str:
        """Say for how many instances it holds."""
        return f"{self.instances - self.violations:,} of {self.instances:,}"


@dataclass(frozen=True)
class Sharpness:
    """Hold how near to the truth the right side `side` of an inequality is, on the instances tried.

    `share` is the smallest change of the right side, in the direction that makes the statement stronger, that was
    refuted exactly; None where none was. `factor` is the number by which the right side could be multiplied on these
    instances: below 1 for an upper bound, above 1 for a lower one; None where it was not computed. `attained` says
    that both sides are equal on an instance. Raises ValueError where a number is not possible, or no side is named.
    """

    share: float | None
    factor: float | None
    side: str
    attained: bool = False

    def __post_init__(self) -> None:
        if self.share is not None and not 0 < self.share < math.inf:
            raise ValueError(f"share must be positive and finite, got {self.share!r}")
        if self.factor is not None and not 0 < self.factor < math.inf:
            raise ValueError(f"factor must be positive and finite, got {self.factor!r}")
        if not self.side.strip():
            raise ValueError("side must name the right side of the inequality")

    @property
    def sharp(self) -> bool:
        """Whether the right side is attained, or a change of it by the share `SHARP` or less was refuted."""
        return self.attained or (self.share is not None and self.share <= SHARP)

    @property
    def rank(self) -> tuple[bool, float]:
        """Order by looseness, the loosest first: those that are not sharp by their factor, the sharp by their share."""
        if self.sharp:
            return True, 0.0 if self.attained else -(self.share or 0.0)
        return False, -abs(math.log(self.factor)) if self.factor else 0.0

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Sharpness:
        """Read the JSON object that `to_record` writes; a number may be written in quotes."""
        share, factor = (None if record[name] is None else float(record[name]) for name in ("share", "factor"))
        return cls(share, factor, record["side"], record.get("attained", False))

    def to_record(self) -> dict[str, Any]:
        """Return the JSON object that `from_record` reads."""
        return {"share": self.share, "factor": self.factor, "side": self.side, "attained": self.attained}


@dataclass(frozen=True)
class Evidence:
    """Hold one recorded test of a claim, with the control that shows that the test could come out otherwise.

    `part` names what of the statement the test covers; `sizes` for which sizes a test covers every instance, such as
    "k <= 3"; `sharpness` how near to the truth an inequality is. Raises ValueError where a field is of an unknown kind,
    or contradicts another.
    """

    claim: str
    notebook: str
    role: str
    check: Counts
    control: Counts
    control_note: str
    note: str = ""
    part: str = ""
    sizes: str = field(default="", kw_only=True)
    sharpness: Sharpness | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        given = {"role": self.role, "arithmetic": self.check.arithmetic, "scope": self.check.scope}
        for name, known in _WORDS.items():
            if given[name] not in known:
                raise ValueError(f"{name} must be {' or '.join(known)}, got {given[name]!r}")
        for name, counts in (("check", self.check), ("control", self.control)):
            if not 0 <= counts.violations <= counts.instances or not counts.instances:
                raise ValueError(
                    f"{name}: violations must lie in 0..instances >= 1, got {counts.violations} of {counts.instances}"
                )
        if not math.isfinite(self.check.worst_slack):
            raise ValueError(f"worst_slack must be finite, got {self.check.worst_slack!r}")
        if not self.control_note.strip():
            raise ValueError("control_note must say what the control breaks")
        if (self.check.scope == "sizes") != bool(self.sizes.strip()):
            raise ValueError(f"sizes go with the scope 'sizes', got {self.sizes!r} with {self.check.scope!r}")

    @property
    def passed(self) -> bool:
        """Whether no instance violated the statement under test."""
        return not self.check.violations

    @property
    def control_caught(self) -> bool:
        """Whether the control came out the other way: the test can fail, and can pass."""
        return (self.control.violations > 0) == self.passed

    @property
    def decisive(self) -> bool:
        """Whether the arithmetic proves the outcome on the instances tried."""
        return self.check.arithmetic in ("exact", "certified")

    @property
    def refutes(self) -> bool:
        """Whether this is an exact or certified counterexample, written out."""
        return not self.passed and self.decisive and bool(self.check.case)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Evidence:
        """Read the JSON object that a notebook wrote."""
        check = Counts(**{name: record[name] for name in _COUNTED}, case=record["counterexample"] or {})
        control = dict(record["control"])
        words = control.pop("note"), record["note"], record.get("part", "")
        about = record["claim"], record["notebook"], record["role"]
        sizes, given = record.get("sizes", ""), record.get("sharpness")
        sharpness = Sharpness.from_record(given) if given else None
        return cls(*about, check, Counts(**control), *words, sizes=sizes, sharpness=sharpness)

    def to_record(self) -> dict[str, Any]:
        """Return the JSON object that `from_record` reads."""
        control = {"note": self.control_note, "instances": self.control.instances}
        return {
            **{name: getattr(self, name) for name in ("claim", "notebook", "role", "note")},
            **{name: getattr(self.check, name) for name in _COUNTED},
            "counterexample": (not self.passed and self.check.case) or None,
            "control": control | {"violations": self.control.violations},
            **({"part": self.part} if self.part else {}),
            **({"sizes": self.sizes} if self.sizes else {}),
            **({"sharpness": self.sharpness.to_record()} if self.sharpness else {}),
        }


@dataclass(frozen=True)
class Judgement:
    """Hold a computed verdict: `grade` says how strong the support is, `reason` why it came out so."""

    verdict: str
    grade: str | None
    proof_gap: bool
    corrected: bool
    reason: str


def _strength(item: Evidence) -> int:
    """Return the place of a piece of evidence in `GRADES`: in floats the least, else by what it covers."""
    return (1 + SCOPES.index(item.check.scope)) if item.decisive else 0


def _grade(evidence: Sequence[Evidence]) -> str:
    """Name the support of the part that has the least; each part of the statement by its strongest test."""
    parts: dict[str, int] = {}
    for item in evidence:
        parts[item.part] = max(_strength(item), parts.get(item.part, 0))
    return GRADES[min(parts.values())]


def judge(evidence: Sequence[Evidence], *, outside: bool = False, fails: str | None = None) -> Judgement:
    """Compute the verdict on one claim from all its evidence; the kind of the claim plays no part.

    `fails` says why no added hypothesis saves a refuted statement: its "conclusion" has to change, or its own "words"
    name the case of the counterexample; None where the ledger is silent.
    """
    by_role = {role: [item for item in evidence if item.role == role] for role in ROLES}
    verdict, grade, reason = _unsound(evidence, by_role, outside) or _decided(by_role, fails)
    gap = any(not item.passed for item in by_role["proof-step"])
    return Judgement(verdict, grade, gap, bool(by_role["corrected"]), reason)


_Outcome = tuple[str, str | None, str]


def _unsound(evidence: Sequence[Evidence], by_role: Mapping[str, Sequence[Evidence]], outside: bool) -> _Outcome | None:
    """Return verdict, no grade and reason, where the statement itself is not to be looked at; else None."""
    if outside and evidence:
        return "unsound", None, "evidence recorded for a claim marked outside"
    if outside:
        return "outside", None, "no evidence of this book can decide it"
    if not evidence:
        return "not-yet-checked", None, "no evidence recorded"
    for item in evidence:
        if not item.control_caught:
            return "unsound", None, f"control not caught ({item.role}): {item.control_note}"
    for item in [*by_role["under-condition"], *by_role["corrected"]]:
        if not item.passed:
            return "unsound", None, f"{item.role} statement violated"
    if any(not (item.passed or item.refutes) for item in by_role["proof-step"]):
        return "unresolved", None, "proof step fails in floats only"
    return None


def _decided(by_role: Mapping[str, Sequence[Evidence]], fails: str | None) -> _Outcome:
    """Return verdict, grade and reason from evidence that is sound."""
    direct, conditions = [*by_role["as-printed"], *by_role["well-posed"]], by_role["under-condition"]
    if (by_role["rerun"] or by_role["rerun-variant"]) and not direct and not conditions:
        return _rerun(by_role["rerun"], by_role["rerun-variant"])
    failed = [item for item in direct if not item.passed]
    if failed and not any(item.refutes for item in failed):
        return "unresolved", None, "violated in floats only: no exact counterexample"
    if failed and fails is None and not conditions:
        return "unresolved", None, "refuted, and nothing says why no condition mends it"
    if failed and fails == "conclusion" and conditions:
        return "unresolved", None, "the conclusion is to change, and a condition mends it"
    if failed and fails is None:
        return "holds-with-condition", _grade(conditions), "refuted as printed, passes with the condition"
    if failed:
        grade = GRADES[max(_strength(item) for item in failed if item.refutes)]
        return "false", grade, "exact counterexample to the printed statement"
    if fails is not None:
        return "unresolved", None, "the ledger says why it fails, and no test refutes it"
    if conditions:
        return "unresolved", None, "a condition was tested, its need was not shown"
    if not direct:
        return "unresolved", None, "no evidence on the statement as printed"
    if not by_role["as-printed"]:
        return "definition", _grade(direct), "well posed on the instances tried"
    return "holds", _grade(direct), "no violation on any instance"


def _rerun(reruns: Sequence[Evidence], variants: Sequence[Evidence]) -> _Outcome:
    """Return verdict, grade and reason for a sentence about a run, from own runs alone.

    `reruns` follow the text as printed; `variants` another reading, or released code.
    """
    failed = [item for item in reruns if not item.passed]
    if not reruns:
        return "unresolved", None, "only a variant was run, not the experiment as printed"
    if not failed:
        return "reproduced", "rerun", "seen in every rerun"
    if not all(item.check.case for item in failed):
        return "unresolved", None, "a rerun fails and its worst run is not written out"
    if variants and all(item.passed for item in variants):
        return "variant-only", "rerun", "a rerun fails, the variants pass"
    return "not-reproduced", "rerun", "a rerun fails" + (", and so does a variant" if variants else "")
