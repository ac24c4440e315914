"""Hold what notebooks record while they run: how a test came out, its control, and how sharp an inequality is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
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

#: The words that a field of evidence may have.
_WORDS = {"role": ROLES, "arithmetic": ("exact", "certified", "float"), "scope": SCOPES}

#: The counts that a record of a test holds.
_COUNTED = ("instances", "violations", "worst_slack", "arithmetic", "seed", "scope")

#: Instances go far where their points are so many, or one of their integers is so
#: large.
FAR = 100
#: A claim is sharp where a change of its right side by this share, or by less, is
#: refuted.
SHARP = 0.1


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
        share, factor = (
            None if record[name] is None else float(record[name])
            for name in ("share", "factor")
        )
        return cls(share, factor, record["side"], record.get("attained", False))

    def to_record(self) -> dict[str, Any]:
        """Return the JSON object that `from_record` reads."""
        return {
            "share": self.share,
            "factor": self.factor,
            "side": self.side,
            "attained": self.attained,
        }


@dataclass(frozen=True)
class Evidence:
    """Hold one recorded test of a claim, with the control that shows that the test could come out otherwise.

    `part` names what of the statement the test covers; `sizes` for which sizes a test
    covers every instance, and by what; `sharpness` how near to the truth an inequality
    is; `reach` how many points the largest instances have, and how large their integers
    become. Raises ValueError where a field is of an unknown kind, or contradicts
    another.
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
        given = {
            "role": self.role,
            "arithmetic": self.check.arithmetic,
            "scope": self.check.scope,
        }
        for name, known in _WORDS.items():
            if given[name] not in known:
                raise ValueError(
                    f"{name} must be {' or '.join(known)}, got {given[name]!r}"
                )
        for name, counts in (("check", self.check), ("control", self.control)):
            if not 0 <= counts.violations <= counts.instances or not counts.instances:
                raise ValueError(
                    f"{name}: violations must lie in 0..instances >= 1, got {counts.violations} of {counts.instances}"
                )
        if not math.isfinite(self.check.worst_slack):
            raise ValueError(
                f"worst_slack must be finite, got {self.check.worst_slack!r}"
            )
        if not self.control_note.strip():
            raise ValueError("control_note must say what the control breaks")
        if (self.check.scope == "sizes") != bool(self.sizes.strip()):
            raise ValueError(
                f"sizes go with the scope 'sizes', got {self.sizes!r} with {self.check.scope!r}"
            )

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
        check = Counts(
            **{name: record[name] for name in _COUNTED},
            case=record["counterexample"] or {},
        )
        control = dict(record["control"])
        words = control.pop("note"), record["note"], record.get("part", "")
        about = record["claim"], record["notebook"], record["role"]
        sizes = record.get("sizes", "")
        given = record.get("sharpness")
        sharpness = Sharpness.from_record(given) if given else None
        more = {
            "sizes": sizes,
            "sharpness": sharpness,
            "reach": record.get("reach", {}),
        }
        return cls(*about, check, Counts(**control), *words, **more)

    def to_record(self) -> dict[str, Any]:
        """Return the JSON object that `from_record` reads."""
        control = {"note": self.control_note, "instances": self.control.instances}
        return {
            **{
                name: getattr(self, name)
                for name in ("claim", "notebook", "role", "note")
            },
            **{name: getattr(self.check, name) for name in _COUNTED},
            "counterexample": (not self.passed and self.check.case) or None,
            "control": control | {"violations": self.control.violations},
            **({"part": self.part} if self.part else {}),
            **({"sizes": self.sizes} if self.sizes else {}),
            **({"sharpness": self.sharpness.to_record()} if self.sharpness else {}),
            **({"reach": dict(self.reach)} if self.reach else {}),
        }
