"""The outcome of testing a statement on instances: what was tried, what failed, by how much."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from mollified._validate import check_count, check_finite, check_interval

__all__ = ["Arithmetic", "Check", "Scope", "Tally"]

Arithmetic = Literal["exact", "certified", "float"]
Scope = Literal["instances", "universal"]


def _check_options(arithmetic: object, tolerance: object, seed: object, scope: object) -> None:
    """Raise an error that names the first option that makes no sense."""
    if arithmetic not in ("exact", "certified", "float"):
        raise ValueError(f"arithmetic must be exact, certified or float, got {arithmetic!r}")
    if scope not in ("instances", "universal"):
        raise ValueError(f"scope must be instances or universal, got {scope!r}")
    check_interval("tolerance", tolerance, 0.0, math.inf)
    if arithmetic != "float" and tolerance != 0.0:
        raise ValueError(f"tolerance must be 0 for {arithmetic} arithmetic, got {tolerance!r}")
    if seed is not None:
        check_count("seed", seed, minimum=0)


@dataclass(frozen=True)
class Check:
    """Hold the outcome of a test of one inequality or identity.

    `worst_slack` is the smallest margin by which the statement held, in the units of the statement
    (nats unless said); it is negative where the statement failed by more than `tolerance`.
    `arithmetic` is "exact" (rationals), "certified" (ball arithmetic) or "float"; `scope` is "universal"
    where the whole parameter set was covered (a proof by subdivision), else "instances".
    `counterexample` names the values of the worst violation, as strings that can be parsed again.

    Raises ValueError where the counts make no sense, or where an exact test has a tolerance.
    """

    instances: int
    violations: int
    worst_slack: float
    arithmetic: Arithmetic
    tolerance: float = 0.0
    seed: int | None = None
    scope: Scope = "instances"
    counterexample: Mapping[str, str] | None = field(default=None)

    def __post_init__(self) -> None:
        check_count("instances", self.instances)
        check_count("violations", self.violations, minimum=0)
        check_finite("worst_slack", self.worst_slack)
        _check_options(self.arithmetic, self.tolerance, self.seed, self.scope)
        if self.violations > self.instances:
            raise ValueError(f"violations must not exceed instances, got {self.violations} > {self.instances}")
        if self.counterexample is not None and not isinstance(self.counterexample, Mapping):
            raise TypeError(f"counterexample must be a mapping or None, got {self.counterexample!r}")

    @property
    def passed(self) -> bool:
        """Whether no instance failed."""
        return self.violations == 0


def _text(value: object) -> str:
    """Write a value so that it can be parsed again: fractions as 1/3, sequences in brackets."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "(" + ", ".join(_text(item) for item in value) + ")"
    return str(value)


class Tally:
    """Collect the outcomes of single instances into a `Check`.

    `add` takes the margin by which one instance held (negative: it failed) and, for the report, the values of
    that instance; a margin below `-tolerance` is a violation. `decided` overrides the margin's sign where exact
    arithmetic has decided an instance whose margin is only known rounded. `keep` says which violation is written
    out: the worst, or the first (where a minimal one, chosen by hand, is tried before the random ones).
    """

    def __init__(
        self,
        arithmetic: Arithmetic,
        *,
        tolerance: float = 0.0,
        seed: int | None = None,
        scope: Scope = "instances",
        keep: Literal["worst", "first"] = "worst",
    ) -> None:
        _check_options(arithmetic, tolerance, seed, scope)
        if keep not in ("worst", "first"):
            raise ValueError(f"keep must be worst or first, got {keep!r}")
        self.arithmetic, self.tolerance, self.seed, self.scope = arithmetic, tolerance, seed, scope
        self.keep = keep
        self.instances = self.violations = 0
        self.worst: float | None = None
        self.worst_failure: float | None = None
        self.counterexample: Mapping[str, str] | None = None

    def add(self, slack: float, *, decided: bool | None = None, **values: object) -> None:
        """Count one instance; `values` are kept, as strings, if it is the violation to report.

        Raises ValueError or TypeError for a margin that is not a finite number (a NaN is no outcome).
        """
        slack = check_finite("slack", slack)
        if decided is not None and not isinstance(decided, bool | np.bool_):
            raise TypeError(f"decided must be a bool or None, got {decided!r}")
        failed = slack < -self.tolerance if decided is None else not decided
        self.instances += 1
        self.worst = slack if self.worst is None else min(self.worst, slack)
        if failed:
            self.violations += 1
            if self.worst_failure is None or (self.keep == "worst" and slack < self.worst_failure):
                self.worst_failure = slack
                self.counterexample = {name: _text(value) for name, value in values.items()}

    def check(self) -> Check:
        """Return the outcome; ValueError where nothing was tried."""
        if self.worst is None:
            raise ValueError(f"instances must be at least 1, got {self.instances}")
        return Check(
            instances=self.instances,
            violations=self.violations,
            worst_slack=self.worst,
            arithmetic=self.arithmetic,
            tolerance=self.tolerance,
            seed=self.seed,
            scope=self.scope,
            counterexample=self.counterexample,
        )
