"""Hold what notebooks record while they run.

That is how a test came out, its control, and how sharp an inequality is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

#: What a piece of evidence is about.
ROLES = (
    "as-printed",
    "under-condition",
    "corrected",
    "proof-step",
    "well-posed",
    "rerun",
    "rerun-variant",
    "small",
)

#: What a test covers, from the least: instances that were tried, all instances of small
#: sizes, every instance.
SCOPES = ("instances", "sizes", "universal")

#: What decides an instance, from the surest.
ARITHMETICS = ("exact", "certified", "float")

#: The counts that a record of a test holds.
_COUNTED = ("instances", "violations", "worst_slack", "arithmetic", "seed", "scope")
#: What a record has only where it says something.
_OPTIONAL = ("part", "sizes", "sharpness", "reach")

#: Instances go far where their points are so many, or one of their integers is so
#: large.
FAR = 100
#: A claim is sharp where a change of its right side by this share, or by less, is
#: refuted.
SHARP = 0.1


@dataclass(frozen=True)
class Counts:
    """Hold how a test came out.

    That is what was tried, what failed, the smallest margin, and the case where it is.
    """

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
    """Hold how near to the truth the right side of an inequality is.

    `side` names the right side; all numbers are of the instances tried.

    `share` is the smallest change of the right side, in the direction that makes the
    statement stronger, that was refuted exactly; None where none was. `factor` is the
    number by which the right side could be multiplied on these instances: below 1 for
    an upper bound, above 1 for a lower one; None where it was not computed. `attained`
    says that both sides are equal on an instance. Raises ValueError where a number is
    not possible, or no side is named.
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
        """Whether the right side is attained, or a change of it by `SHARP` refuted."""
        return self.attained or (self.share is not None and self.share <= SHARP)

    @property
    def rank(self) -> tuple[bool, float]:
        """Order by looseness, the loosest first.

        Those that are not sharp are ordered by their factor, the sharp by their share.
        """
        if not self.sharp:
            looseness = abs(math.log(self.factor)) if self.factor else 0.0
            return False, -looseness
        if self.attained or self.share is None:
            return True, 0.0
        return True, -self.share


@dataclass(frozen=True)
class Evidence:
    """Hold one recorded test of a claim, with its control.

    The control shows that the test could come out otherwise. `part` names what of the
    statement the test covers; `sizes` for which sizes a test covers every instance, and
    by what; `sharpness` how near to the truth an inequality is; `reach` how many points
    the largest instances have, and how large their integers become. Raises ValueError
    where a field is of an unknown kind, or contradicts another.
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
    reach: Mapping[str, int] = field(default_factory=dict, kw_only=True)

    def __post_init__(self) -> None:
        _check_word("role", self.role, ROLES)
        _check_word("arithmetic", self.check.arithmetic, ARITHMETICS)
        _check_word("scope", self.check.scope, SCOPES)
        _check_counts("check", self.check)
        _check_counts("control", self.control)
        if not math.isfinite(self.check.worst_slack):
            raise ValueError(
                f"worst_slack must be finite, got {self.check.worst_slack!r}"
            )
        if not self.control_note.strip():
            raise ValueError("control_note must say what the control breaks")
        if (self.check.scope == "sizes") != bool(self.sizes.strip()):
            raise ValueError(
                "sizes go with the scope 'sizes', "
                f"got {self.sizes!r} with {self.check.scope!r}"
            )

    @property
    def passed(self) -> bool:
        """Whether no instance violated the statement under test."""
        return not self.check.violations

    @property
    def control_caught(self) -> bool:
        """Whether the control came out the other way, so that the test can do both."""
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
        sharpness = record.get("sharpness")
        control = record["control"]
        return cls(
            record["claim"],
            record["notebook"],
            record["role"],
            Counts(
                **{name: record[name] for name in _COUNTED},
                case=record["counterexample"] or {},
            ),
            Counts(**{name: control[name] for name in control if name != "note"}),
            control["note"],
            record["note"],
            record.get("part", ""),
            sizes=record.get("sizes", ""),
            sharpness=Sharpness(**sharpness) if sharpness else None,
            reach=record.get("reach", {}),
        )

    def to_record(self) -> dict[str, object]:
        """Return the JSON object that `from_record` reads."""
        fields = asdict(self)
        check = fields["check"]
        return {
            "counterexample": (not self.passed and check["case"]) or None,
            "control": {
                "note": self.control_note,
                "instances": self.control.instances,
                "violations": self.control.violations,
            },
            **{name: check[name] for name in _COUNTED},
            **{name: fields[name] for name in ("claim", "notebook", "role", "note")},
            **{name: fields[name] for name in _OPTIONAL if fields[name]},
        }


def _check_word(name: str, word: str, known: Sequence[str]) -> None:
    if word not in known:
        raise ValueError(f"{name} must be {' or '.join(known)}, got {word!r}")


def _check_counts(name: str, counts: Counts) -> None:
    if not 0 <= counts.violations <= counts.instances or not counts.instances:
        raise ValueError(
            f"{name}: violations must lie in 0..instances >= 1, "
            f"got {counts.violations} of {counts.instances}"
        )
