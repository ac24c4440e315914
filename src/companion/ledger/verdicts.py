"""Compute a verdict from evidence: the one place where a claim is judged.

The rules are printed in the book on the page *How a verdict is computed*
(`book/verdicts.md`); this module is their only implementation. Evidence is what
notebooks record while they run; nobody writes a verdict by hand.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain
from typing import NamedTuple

from companion.ledger.evidence import ROLES, SCOPES, Evidence, Sharpness

#: How the ids of this book's own results begin.
OURS = "FR-"
#: How strong the support is, from the weakest: in floats, exact on instances, proved
#: for small sizes, proved.
GRADES = ("numerical", "exact", "sizes", "proved")


class Verdict(NamedTuple):
    """Hold how a verdict is shown.

    It has a sign, for who sees no colour, words on a badge, and words on a line of its
    own.
    """

    sign: str
    label: str
    words: str


#: Every verdict that can come out, as the reader sees it.
VERDICTS = {
    "holds": Verdict("✓", "holds", "holds"),
    "holds-with-condition": Verdict(
        "◐", "holds under a condition", "holds under a condition that is not stated"
    ),
    "false": Verdict("✗", "false as printed", "false as printed"),
    "definition": Verdict("≡", "definition", "definition, well posed"),
    "reproduced": Verdict("⊕", "seen in our rerun", "seen in our rerun"),
    "variant-only": Verdict(
        "⊙",
        "seen in our rerun of a variant only",
        "seen in our rerun of a variant only",
    ),
    "not-reproduced": Verdict("⊖", "not seen in our rerun", "not seen in our rerun"),
    "outside": Verdict("○", "outside", "outside the evidence of this book"),
    "not-yet-checked": Verdict("…", "not yet checked", "not yet checked"),
    "unresolved": Verdict(
        "?", "unresolved", "unresolved: the evidence does not decide it"
    ),
    "unsound": Verdict(
        "!", "unsound", "unsound: a control did not come out the other way"
    ),
}
#: Those that no sound ledger has.
UNSETTLED = ("unresolved", "unsound")


@dataclass(frozen=True)
class Judgement:
    """Hold a computed verdict.

    `grade` says how strong the support is, `reason` why it came out so; `sizes` says
    for which sizes it is proved, where the grade is that; `sharpness` how near to the
    truth the statement is that stands: the printed one, the one under a condition, or
    the corrected one; `reach` how far the instances of it go, of the part where that is
    the least; `small` why small instances are the worst, where that was checked.
    """

    verdict: str
    grade: str | None
    proof_gap: bool
    corrected: bool
    reason: str
    sizes: str = ""
    sharpness: Sharpness | None = None
    reach: Mapping[str, int] = field(default_factory=dict)
    small: str = ""

    def to_record(self) -> dict[str, object]:
        """Return what the machine-readable ledger says of it."""
        always = ("verdict", "grade", "proof_gap", "corrected")
        record = asdict(self)
        del record["reason"]
        return {
            name: value for name, value in record.items() if value or name in always
        }


def _strength(item: Evidence) -> int:
    """Return the place in `GRADES`: in floats the least, else by what is covered."""
    if not item.decisive:
        return 0
    return 1 + SCOPES.index(item.check.scope)


def _grade(evidence: Sequence[Evidence]) -> str:
    """Name the support of the part that has the least, each by its strongest test."""
    parts: dict[str, int] = {}
    for item in evidence:
        parts[item.part] = max(_strength(item), parts.get(item.part, 0))
    return GRADES[min(parts.values())]


#: By verdict, the roles of the statement that stands.
_STANDS = {
    "holds": ("as-printed", "well-posed"),
    "definition": ("well-posed",),
    "holds-with-condition": ("under-condition",),
    "false": ("corrected",),
}


def _sharpness(evidence: Sequence[Evidence]) -> Sharpness | None:
    """Return that of the inequality that is the loosest.

    Each inequality of each part counts by the sharpest that was seen.
    """
    best: dict[tuple[str, str], Sharpness] = {}
    for item in evidence:
        sharpness = item.sharpness
        if sharpness:
            key = item.part, sharpness.side
            if key not in best or best[key].rank <= sharpness.rank:
                best[key] = sharpness
    return min(best.values(), key=lambda one: one.rank, default=None)


def _reach(evidence: Sequence[Evidence], settled: Container[str]) -> Mapping[str, int]:
    """Return how far instances go, of the part where that is the least.

    Parts that are proved, or `settled`, do not count.
    """
    proved = {item.part for item in evidence if item.check.scope == "universal"}
    seen: dict[str, dict[str, int]] = {}
    for item in evidence:
        if not item.reach or item.part in proved or item.part in settled:
            continue
        part = seen.setdefault(item.part, {})
        for name, size in item.reach.items():
            part[name] = max(size, part.get(name, size))
    return min(seen.values(), key=lambda part: max(part.values()), default={})


def judge(
    evidence: Sequence[Evidence],
    *,
    outside: bool = False,
    fails: str | None = None,
) -> Judgement:
    """Compute the verdict on one claim from all its evidence.

    The kind of the claim plays no part. `fails` says why no added hypothesis saves a
    refuted statement: its "conclusion" has to change, or its own "words" name the case
    of the counterexample; None where the ledger is silent.
    """
    by_role = {
        role: tuple(item for item in evidence if item.role == role) for role in ROLES
    }
    verdict, grade, reason = _unsound(evidence, by_role, outside) or _decided(
        by_role, fails
    )
    roles = _STANDS.get(verdict, ())
    stands = list(chain.from_iterable(by_role[role] for role in roles))
    small = {item.part: item.note for item in by_role["small"]}
    sizes = dict.fromkeys(item.sizes for item in stands if item.sizes)
    return Judgement(
        verdict,
        grade,
        bool(_failed(by_role["proof-step"])),
        bool(by_role["corrected"]),
        reason,
        "; ".join(sizes) if grade == "sizes" else "",
        _sharpness(stands),
        _reach(stands, small),
        " ".join(small.values()),
    )


#: The verdict, its grade, and the reason.
_Outcome = tuple[str, str | None, str]
_ByRole = Mapping[str, tuple[Evidence, ...]]


def _failed(evidence: Sequence[Evidence]) -> list[Evidence]:
    return [item for item in evidence if not item.passed]


def _unresolved(reason: str) -> _Outcome:
    return "unresolved", None, reason


def _unsound(
    evidence: Sequence[Evidence],
    by_role: _ByRole,
    outside: bool,
) -> _Outcome | None:
    """Return the outcome where the statement itself is not to be looked at."""
    if outside:
        if evidence:
            return "unsound", None, "evidence recorded for a claim marked outside"
        return "outside", None, "no evidence of this book can decide it"
    if not evidence:
        return "not-yet-checked", None, "no evidence recorded"
    for item in evidence:
        if not item.control_caught:
            reason = f"control not caught ({item.role}): {item.control_note}"
            return "unsound", None, reason
    for role in ("under-condition", "corrected", "small"):
        if _failed(by_role[role]):
            return "unsound", None, f"{role} statement violated"
    if not all(item.refutes for item in _failed(by_role["proof-step"])):
        return _unresolved("proof step fails in floats only")
    return None


def _decided(by_role: _ByRole, fails: str | None) -> _Outcome:
    """Return the outcome of evidence that is sound."""
    direct = by_role["as-printed"] + by_role["well-posed"]
    conditions = by_role["under-condition"]
    runs = by_role["rerun"] + by_role["rerun-variant"]
    if runs and not direct + conditions:
        return _rerun(by_role["rerun"], by_role["rerun-variant"])
    failed = _failed(direct)
    if failed:
        return _refuted(failed, conditions, fails)
    if fails is not None:
        return _unresolved("the ledger says why it fails, and no test refutes it")
    if conditions:
        return _unresolved("a condition was tested, its need was not shown")
    if not direct:
        return _unresolved("no evidence on the statement as printed")
    if not by_role["as-printed"]:
        return "definition", _grade(direct), "well posed on the instances tried"
    return "holds", _grade(direct), "no violation on any instance"


def _refuted(
    failed: Sequence[Evidence],
    conditions: Sequence[Evidence],
    fails: str | None,
) -> _Outcome:
    """Return the outcome where a test of the printed statement failed."""
    refuting = [item for item in failed if item.refutes]
    if not refuting:
        return _unresolved("violated in floats only: no exact counterexample")
    if fails is None and not conditions:
        case = refuting[0].check.case
        example = ", ".join(f"{name} = {value}" for name, value in case.items())
        return _unresolved(
            f"refuted at {example}, and nothing says why no condition mends it: write "
            'expected: "false" with `fails: conclusion` or `fails: words`, or test a '
            "`condition`"
        )
    if fails == "conclusion" and conditions:
        return _unresolved("the conclusion is to change, and a condition mends it")
    if fails is None:
        reason = "refuted as printed, passes with the condition"
        return "holds-with-condition", _grade(conditions), reason
    grade = GRADES[max(map(_strength, refuting))]
    return "false", grade, "exact counterexample to the printed statement"


def _rerun(reruns: Sequence[Evidence], variants: Sequence[Evidence]) -> _Outcome:
    """Return the outcome of a sentence about a run, from own runs alone.

    `reruns` follow the text as printed; `variants` another reading, or released code.
    """
    if not reruns:
        return _unresolved("only a variant was run, not the experiment as printed")
    failed = _failed(reruns)
    if not failed:
        return "reproduced", "rerun", "seen in every rerun"
    if not all(item.check.case for item in failed):
        return _unresolved("a rerun fails and its worst run is not written out")
    if not variants:
        return "not-reproduced", "rerun", "a rerun fails"
    if not _failed(variants):
        return "variant-only", "rerun", "a rerun fails, the variants pass"
    return "not-reproduced", "rerun", "a rerun fails, and so does a variant"
