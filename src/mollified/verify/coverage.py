r"""Checks of mode coverage (v1, v2, v3, section 5): which region the formula cuts out, and whether its $t$ exists.

All but the last in exact rational arithmetic. A density enters through its steps, or only through the law of its own
value $q(X)$, $X\sim Q$: any law on $(0,\infty)$ is that of a density on an interval, of length $\int\nu(dv)/v$.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

import numpy as np

from mollified._validate import check_fraction, check_trials
from mollified.checks import Check, Tally
from mollified.coverage import mode_coverage
from mollified.gaussian import Gaussian
from mollified.instances import random_law
from mollified.spaces import Grid

__all__ = ["cuts_out_highest", "finds_high_density", "largest_threshold", "perfect_score", "threshold_exists"]

Form = Literal["printed", "corrected"]
LEVEL = Fraction(19, 20)
ONE, ZERO = Fraction(1), Fraction(0)


def _check_form(form: object) -> None:
    if form not in ("printed", "corrected"):
        raise ValueError(f"form must be printed or corrected, got {form!r}")


@dataclass(frozen=True)
class _Steps:
    """Hold a density that is constant on cells of some lengths, values rising."""

    lengths: tuple[Fraction, ...]
    values: tuple[Fraction, ...]

    def region(self, form: Form) -> list[int]:
        """Return the cells of the region: of {q < t} with mass `LEVEL`, or {q >= t}, t the largest with that mass."""
        masses = [length * value for length, value in zip(self.lengths, self.values, strict=True)]
        if form == "printed":
            held = [index for index in range(len(masses)) if sum(masses[: index + 1], ZERO) <= LEVEL]
            assert sum((masses[index] for index in held), ZERO) == LEVEL
            return held
        return [index for index in range(len(masses)) if sum(masses[index + 1 :], ZERO) < LEVEL]


def _random_steps(rng: np.random.Generator, share: Fraction = LEVEL) -> _Steps:
    """Return a density whose lowest cells hold `share` exactly: for 19/20 the printed threshold exists."""
    low, high = int(rng.integers(1, 5)), int(rng.integers(1, 4))
    values = [ZERO]
    for _ in range(low + high):
        values.append(values[-1] + Fraction(int(rng.integers(1, 40)), 10))
    masses = [share * part for part in random_law(rng, low)] + [(ONE - share) * part for part in random_law(rng, high)]
    return _Steps(tuple(m / v for m, v in zip(masses, values[1:], strict=True)), tuple(values[1:]))


def cuts_out_highest(rng: np.random.Generator, instances: int, *, form: Form = "printed") -> Check:
    r"""Check that the region is one of high density: 19/20 of $Q$ at least, and no density outside above one in it.

    "printed": $\{q<t\}$ with $Q(q<t)=\frac{19}{20}$; "corrected": $\{q\ge t\}$, $t$ the largest with
    $Q(q\ge t)\ge\frac{19}{20}$. A target that sits where $q$ is largest must then score 1. First instance: densities
    38/39 on a length of 39/40, and 2 on 1/40. The margin is the gap of densities. Exact.
    """
    rng, instances = check_trials(rng, instances)
    _check_form(form)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        steps = _random_steps(rng)
        if index == 0:
            steps = _Steps((Fraction(39, 40), Fraction(1, 40)), (Fraction(38, 39), Fraction(2)))
        inside = steps.region(form)
        outside = [cell for cell in range(len(steps.values)) if cell not in inside]
        gap = min(steps.values[cell] for cell in inside) - max((steps.values[cell] for cell in outside), default=ZERO)
        mass = sum((steps.lengths[cell] * steps.values[cell] for cell in inside), ZERO)
        top = len(steps.values) - 1
        tally.add(
            float(gap),
            decided=gap > 0 and mass >= LEVEL and top in inside,
            lengths=steps.lengths,
            densities=steps.values,
            region=inside,
            coverage_of_the_mode=int(top in inside),
        )
    return tally.check()


def perfect_score(
    rng: np.random.Generator, instances: int, *, form: Form = "printed", claimed: Fraction = LEVEL
) -> Check:
    r"""Check that the perfect model, $Q=P$, scores `claimed`.

    Both forms give it $\frac{19}{20}$ by definition, where a set of exactly that mass can be cut out, as in all
    tried. So a higher score is no better fit. Exact; the margin is minus the distance.
    """
    rng, instances = check_trials(rng, instances)
    _check_form(form)
    claimed = check_fraction("claimed", claimed, minimum=0, maximum=1)
    tally = Tally("exact")
    for _ in range(instances):
        steps = _random_steps(rng, LEVEL if form == "printed" else ONE - LEVEL)
        score = sum((steps.lengths[cell] * steps.values[cell] for cell in steps.region(form)), ZERO)
        distance = abs(score - claimed)
        tally.add(
            0.0 - float(distance), decided=distance == 0, lengths=steps.lengths, densities=steps.values, score=score
        )
    return tally.check()


@dataclass(frozen=True)
class _Values:
    """Hold the law of q(X) under Q: atoms (value, mass), and pieces (low, high, mass) spread evenly."""

    atoms: tuple[tuple[Fraction, Fraction], ...]
    pieces: tuple[tuple[Fraction, Fraction, Fraction], ...]

    def below(self, t: Fraction) -> Fraction:
        """Return Q(q < t)."""
        held = sum((mass for value, mass in self.atoms if value < t), ZERO)
        spread = (mass * min(max((t - low) / (high - low), ZERO), ONE) for low, high, mass in self.pieces)
        return held + sum(spread, ZERO)

    def ends(self) -> list[Fraction]:
        """Return where Q(q < t) jumps or bends, rising, from 0 to beyond the largest value."""
        found = {ZERO, *(v for v, _ in self.atoms), *(e for low, high, _ in self.pieces for e in (low, high))}
        return [*sorted(found), max(found) + 1]

    def after(self, t: Fraction) -> Fraction:
        """Return Q(q <= t), the limit of Q(q < s) as s falls to t."""
        return self.below(t) + sum((mass for value, mass in self.atoms if value == t), ZERO)


def _random_values(rng: np.random.Generator, atoms: int) -> _Values:
    pieces = int(rng.integers(1, 4))
    masses = random_law(rng, atoms + pieces)
    at = [Fraction(int(rng.integers(1, 60)), 20) for _ in range(atoms)]
    spread = []
    for mass in masses[atoms:]:
        low = Fraction(int(rng.integers(0, 60)), 20)
        spread.append((low, low + Fraction(int(rng.integers(1, 30)), 20), mass))
    return _Values(tuple(zip(at, masses[:atoms], strict=True)), tuple(spread))


def threshold_exists(rng: np.random.Generator, instances: int, *, plateaus: bool = True) -> Check:
    r"""Check that some $t$ has $Q(q<t)=\frac{19}{20}$ exactly, for random laws of the density value.

    With `plateaus` the law may have atoms (the density is constant on a set that has mass); without, it has none, and
    then $t$ exists because $Q(q<t)$ is continuous. First instances: the uniform density on [0, 1], where $Q(q<t)$ is 0
    or 1; and a plateau at 38/39 of mass exactly 19/20, with the rest spread from there upwards. Exact; the margin is
    minus the distance from 19/20 to the values taken.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    first = [
        _Values(((ONE, ONE),), ()),
        _Values(((Fraction(38, 39), LEVEL),), ((Fraction(38, 39), Fraction(3), ONE - LEVEL),)),
    ]
    for index in range(instances):
        law = _random_values(rng, int(rng.integers(1, 4)) if plateaus else 0)
        if plateaus and index < len(first):
            law = first[index]
        ends, hit, distance = law.ends(), False, ONE
        for left, right in pairwise(ends):
            # On (left, right] Q(q < t) rises from after(left), taken there only if it is flat, to below(right).
            low, high = law.after(left), law.below(right)
            hit |= low < LEVEL <= high or low == LEVEL == high
            distance = min(distance, max(low - LEVEL, LEVEL - high, ZERO))
        tally.add(0.0 if hit else -float(distance), decided=bool(hit), atoms=law.atoms, pieces=law.pieces)
    return tally.check()


def largest_threshold(rng: np.random.Generator, instances: int, *, strict: bool = False) -> Check:
    r"""Check that there is a largest $t$ with $Q(q\ge t)\ge\frac{19}{20}$, plateaus or not.

    $Q(q\ge t)$ falls from 1 and is continuous from the left, so the $t$ that qualify are an interval that holds its
    right end. With `strict` the region is $\{q>t\}$, whose mass is continuous from the right: then the right end is
    lost where the density has a plateau. First instance: the uniform density on [0, 1]. Exact; the margin is that of
    the mass at the end of the interval.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    spare = ONE - LEVEL
    for index in range(instances):
        law = _random_values(rng, int(rng.integers(0, 4))) if index else _Values(((ONE, ONE),), ())
        ends = law.ends()
        # The last point where Q(q < t) <= 1/20: an end, or on the line that crosses 1/20 between two ends.
        last = max(end for end in ends if law.below(end) <= spare)
        following = ends[ends.index(last) + 1]
        rise = law.below(following) - law.after(last)
        if law.after(last) <= spare < law.below(following):
            last += (following - last) * (spare - law.after(last)) / rise
        mass = ONE - (law.after(last) if strict else law.below(last))
        tally.add(float(mass - LEVEL), decided=mass >= LEVEL, t=last, mass=mass, atoms=law.atoms, pieces=law.pieces)
    return tally.check()


def finds_high_density(*, form: Literal["high-density", "printed"] = "high-density") -> Check:
    r"""Check what a coverage metric must do: a target on the model's mode scores 1, one in its tail 0, the model 0.95.

    The model is $N(0,1)$; the targets are $N(0,\frac1{100})$, $N(\pm4,\frac1{100})$ and $N(0,1)$ itself, on a grid. A
    metric with its sign flipped exchanges the first two. Float, with the target's mass on one cell as tolerance.
    """
    model = Gaussian.standard(1)
    cases = [(0.0, 0.01, 1.0), (4.0, 0.01, 0.0), (-4.0, 0.01, 0.0), (0.0, 1.0, 0.95)]
    grid = Grid(np.array([-8.0]), np.array([8.0]), 8001)
    tally = Tally("float", tolerance=0.01)
    for mean, variance, wanted in cases:
        target = Gaussian(np.array([mean]), variance)
        score = mode_coverage(model.log_prob(grid.points), target.log_prob(grid.points), grid, form=form)
        tally.add(-abs(score - wanted), mean=mean, variance=variance, wanted=wanted, score=score)
    return tally.check()
