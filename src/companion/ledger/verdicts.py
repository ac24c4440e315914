"""Compute a verdict from evidence: the one place where a claim is judged.

The rules are printed in the book on the page *How a verdict is computed*; this module is their only
implementation. Evidence is what notebooks record while they run; nobody writes a verdict by hand.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["FAILS", "ROLES", "VERDICTS", "Counts", "Evidence", "Judgement", "judge"]

#: What a piece of evidence is about.
ROLES = ("as-printed", "under-condition", "corrected", "proof-step", "well-posed", "rerun", "rerun-variant")

#: Why no added hypothesis saves a refuted statement: the conclusion itself has to change, or the sentence's own words
#: name the case of the counterexample.
FAILS = ("conclusion", "words")

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
class Evidence:
    """Hold one recorded test of a claim, with the control that shows that the test could come out otherwise.

    Raises ValueError where a field is missing, of an unknown kind, or contradicts another.
    """

    claim: str
    notebook: str
    role: str
    instances: int
    violations: int
    worst_slack: float
    arithmetic: str
    seed: int | None
    scope: str
    counterexample: Mapping[str, str] | None
    control_note: str
    control_instances: int
    control_violations: int
    note: str = ""
    part: str = ""

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise ValueError(f"role must be one of {', '.join(ROLES)}, got {self.role!r} (claim {self.claim})")
        if self.arithmetic not in ("exact", "certified", "float"):
            raise ValueError(f"arithmetic must be exact, certified or float, got {self.arithmetic!r}")
        if not math.isfinite(self.worst_slack):
            raise ValueError(f"worst_slack must be finite, got {self.worst_slack!r} (claim {self.claim})")
        if self.scope not in ("instances", "universal"):
            raise ValueError(f"scope must be instances or universal, got {self.scope!r}")
        if self.instances < 1 or not 0 <= self.violations <= self.instances:
            raise ValueError(f"violations must lie in 0..instances, got {self.violations} of {self.instances}")
        if self.control_instances < 1 or not 0 <= self.control_violations <= self.control_instances:
            raise ValueError(
                "control_violations must lie in 0..control_instances, "
                f"got {self.control_violations} of {self.control_instances}"
            )
        if not self.control_note.strip():
            raise ValueError(f"control_note must say what the control breaks (claim {self.claim})")

    @classmethod
    def of(
        cls, claim: str, notebook: str, role: str, check: Counts, control: Counts, control_note: str, note: str = "",
        part: str = "",
    ) -> Evidence:  # fmt: skip
        """Return the evidence of a test and its control; `part` names what of the statement the test covers."""
        return cls(
            claim, notebook, role, check.instances, check.violations, check.worst_slack, check.arithmetic, check.seed,
            check.scope, check.case if check.violations and check.case else None, control_note, control.instances,
            control.violations, note, part,
        )  # fmt: skip

    @property
    def passed(self) -> bool:
        """Whether no instance violated the statement under test."""
        return self.violations == 0

    @property
    def control_caught(self) -> bool:
        """Whether the control came out the other way: the test can fail, and can pass."""
        return (self.control_violations > 0) == self.passed

    @property
    def decisive(self) -> bool:
        """Whether the arithmetic proves the outcome on the instances tried."""
        return self.arithmetic in ("exact", "certified")

    @property
    def refutes(self) -> bool:
        """Whether this is an exact or certified counterexample, written out."""
        return not self.passed and self.decisive and bool(self.counterexample)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Evidence:
        """Read the JSON object that a notebook wrote."""
        control = record["control"]
        return cls(
            claim=record["claim"],
            notebook=record["notebook"],
            role=record["role"],
            instances=record["instances"],
            violations=record["violations"],
            worst_slack=record["worst_slack"],
            arithmetic=record["arithmetic"],
            seed=record.get("seed"),
            scope=record["scope"],
            counterexample=record.get("counterexample"),
            control_note=control["note"],
            control_instances=control["instances"],
            control_violations=control["violations"],
            note=record.get("note", ""),
            part=record.get("part", ""),
        )

    def to_record(self) -> dict[str, Any]:
        """Return the JSON object that `from_record` reads."""
        return {
            "claim": self.claim,
            "notebook": self.notebook,
            "role": self.role,
            "instances": self.instances,
            "violations": self.violations,
            "worst_slack": self.worst_slack,
            "arithmetic": self.arithmetic,
            "seed": self.seed,
            "scope": self.scope,
            "counterexample": dict(self.counterexample) if self.counterexample else None,
            "control": {
                "note": self.control_note,
                "instances": self.control_instances,
                "violations": self.control_violations,
            },
            "note": self.note,
            **({"part": self.part} if self.part else {}),
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
    """Order a piece of evidence: 2 proved, 1 exact, 0 numerical."""
    return int(item.decisive) * (1 + (item.scope == "universal"))


def _grade(evidence: Sequence[Evidence]) -> str:
    """Name the support of the part that has the least; each part of the statement by its strongest test."""
    parts: dict[str, int] = {}
    for item in evidence:
        parts[item.part] = max(_strength(item), parts.get(item.part, 0))
    return ("numerical", "exact", "proved")[min(parts.values())]


def _rerun(reruns: Sequence[Evidence], variants: Sequence[Evidence]) -> tuple[str, str | None, str]:
    """Return verdict, grade and reason for a sentence about a run, from own runs alone.

    `reruns` follow the text as printed; `variants` another reading, or released code.
    """
    failed = [item for item in reruns if not item.passed]
    if not reruns:
        return "unresolved", None, "only a variant was run, not the experiment as printed"
    if not failed:
        return "reproduced", "rerun", "seen in every rerun"
    if not all(item.counterexample for item in failed):
        return "unresolved", None, "a rerun fails and its worst run is not written out"
    if variants and all(item.passed for item in variants):
        return "variant-only", "rerun", "a rerun fails, the variants pass"
    return "not-reproduced", "rerun", "a rerun fails" + (", and so does a variant" if variants else "")


def judge(evidence: Sequence[Evidence], *, outside: bool = False, fails: str | None = None) -> Judgement:
    """Compute the verdict on one claim from all its evidence; the kind of the claim plays no part.

    `fails` is what the ledger says of a refuted statement, one of FAILS, or None where it is silent. Raises ValueError
    for another word.

    1. `outside` claims (external or informal) take no evidence.
    2. No evidence: not yet checked.
    3. A control that does not come out the other way makes the whole claim *unsound*.
    4. A correction, or a condition, that fails on an instance: *unsound* (we claimed too much ourselves).
    5. *False* needs a counterexample in exact or certified arithmetic, written out; a violation in floats
       alone leaves the claim *unresolved*. A refuted statement whose conclusion, to the letter, passes under an added
       hypothesis *holds under a condition*, unless its own words name the case of the counterexample. Where
       neither a condition was tested nor `fails` says why none serves, or both are given for a conclusion that
       has to change, it is *unresolved*; so is a condition without a refutation (who needs it?).
    6. Otherwise there is no violation: with as-printed evidence the claim *holds*; where the only evidence on the
       statement itself is that it is well posed, it is a *definition*.
    7. Reruns decide only where no evidence is as printed, well posed or under a condition. Every `rerun` passes:
       *reproduced*. One fails, with its worst run written out, in any arithmetic: *variant-only* where there are
       `rerun-variant` tests and all of them pass, else *not-reproduced*. Variants alone: *unresolved*.
    """
    if fails is not None and fails not in FAILS:
        raise ValueError(f"fails must be one of {', '.join(FAILS)}, got {fails!r}")
    if outside:
        if evidence:
            return Judgement("unsound", None, False, False, "evidence recorded for a claim marked outside")
        return Judgement("outside", None, False, False, "no evidence of this book can decide it")
    if not evidence:
        return Judgement("not-yet-checked", None, False, False, "no evidence recorded")
    for item in evidence:
        if not item.control_caught:
            return Judgement("unsound", None, False, False, f"control not caught ({item.role}): {item.control_note}")

    by_role = {role: [item for item in evidence if item.role == role] for role in ROLES}
    mended = [*by_role["under-condition"], *by_role["corrected"]]
    failing = [item for item in mended if not item.passed]
    if failing:
        return Judgement("unsound", None, False, False, f"{failing[0].role} statement violated")
    broken_steps = [item for item in by_role["proof-step"] if not item.passed]
    if any(not item.refutes for item in broken_steps):
        return Judgement("unresolved", None, False, False, "proof step fails in floats only")
    gap, corrected = bool(broken_steps), bool(by_role["corrected"])

    direct = [*by_role["as-printed"], *by_role["well-posed"]]
    reruns, variants = by_role["rerun"], by_role["rerun-variant"]
    if (reruns or variants) and not direct and not by_role["under-condition"]:
        verdict, grade, reason = _rerun(reruns, variants)
        return Judgement(verdict, grade, gap, corrected, reason)
    failed = [item for item in direct if not item.passed]
    if failed and not any(item.refutes for item in failed):
        return Judgement("unresolved", None, gap, corrected, "violated in floats only: no exact counterexample")
    conditions = by_role["under-condition"]
    if failed and fails is None and not conditions:
        return Judgement("unresolved", None, gap, corrected, "refuted, and nothing says why no condition mends it")
    if failed and fails == "conclusion" and conditions:
        return Judgement("unresolved", None, gap, corrected, "the conclusion is to change, and a condition mends it")
    if failed and fails is None:
        return Judgement(
            "holds-with-condition", _grade(conditions), gap, corrected, "refuted as printed, passes with the condition"
        )
    if failed:
        grade = ("numerical", "exact", "proved")[max(_strength(item) for item in failed if item.refutes)]
        return Judgement("false", grade, gap, corrected, "exact counterexample to the printed statement")
    if fails is not None:
        return Judgement("unresolved", None, gap, corrected, "the ledger says why it fails, and no test refutes it")
    if by_role["under-condition"]:
        return Judgement("unresolved", None, gap, corrected, "a condition was tested, its need was not shown")
    if not direct:
        return Judgement("unresolved", None, gap, corrected, "no evidence on the statement as printed")
    if not by_role["as-printed"]:
        return Judgement("definition", _grade(direct), gap, corrected, "well posed on the instances tried")
    return Judgement("holds", _grade(direct), gap, corrected, "no violation on any instance")
