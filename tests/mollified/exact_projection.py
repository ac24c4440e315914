r"""Relative mollifiers on finite spaces in exact arithmetic: membership, level, projection and its certificate."""

from collections.abc import Sequence
from fractions import Fraction

from mollified._validate import exact_probabilities
from mollified.privacy import ExactLevel

__all__ = ["exact_contains", "exact_projection", "projection_mass"]

Weights = Sequence[Fraction]
HALF = Fraction(1, 2)


def exact_contains(q: Weights, reference: Weights, level: ExactLevel) -> tuple[int, str] | None:
    r"""Return (x, side) for a violation of $e^{-\varepsilon/2}\le Q(x)/Q_0(x)\le e^{\varepsilon/2}$, or None.

    Exact. `q` and `reference` are rational probability vectors; `side` is "above" or "below".
    Raises TypeError or ValueError where they are not. Source: v3 (5).
    """
    base = exact_probabilities("reference", reference)
    member = exact_probabilities("q", q, size=len(base))
    if not isinstance(level, ExactLevel):
        raise TypeError(f"level must be an ExactLevel, got {level!r}")
    for x, (mass, anchor) in enumerate(zip(member, base, strict=True)):
        if anchor == 0:
            if mass > 0:
                return x, "above"
        elif mass == 0 or level.compare(mass / anchor, -HALF) < 0:
            return x, "below"
        elif level.compare(mass / anchor, HALF) > 0:
            return x, "above"
    return None


def projection_mass(p: Weights, reference: Weights, root: Fraction, constant: Fraction) -> Fraction:
    r"""Return $\sum_x\min\{\max\{Q_0(x)/r,\,P(x)/C\},\,rQ_0(x)\}$ with $r=e^{\varepsilon/2}$ rational. Exact.

    Source: v3 (8).
    """
    _check_root(root)
    return sum(
        (min(max(q / root, mass / constant), root * q) for mass, q in zip(p, reference, strict=True)), Fraction(0)
    )


def exact_projection(p: Weights, reference: Weights, root: Fraction) -> tuple[Fraction, tuple[Fraction, ...]]:
    r"""Return $(C, \hat P)$ of v3 (8) in rationals, for a rational $r=e^{\varepsilon/2}$.

    The mass is piecewise $A+B/C$ between the rational breakpoints $P(x)r^{\pm1}/Q_0(x)$, so C is rational.
    Raises ValueError where no C exists, that is where $Q_0(\{P>0\})<1/(1+r)$.
    Source: v3 (8); the condition is not in the paper.
    """
    base = exact_probabilities("reference", reference)
    target = exact_probabilities("p", p, size=len(base))
    _check_root(root)
    support = sum((q for mass, q in zip(target, base, strict=True) if mass > 0), Fraction(0))
    if support * (1 + root) < 1:
        raise ValueError(
            f"p has no mollification of the form (8): Q0({{P > 0}}) = {support} < 1/(1 + r) = {1 / (1 + root)}"
        )
    ratios = [mass / q for mass, q in zip(target, base, strict=True) if q > 0 and mass > 0]
    breaks = sorted({ratio * factor for ratio in ratios for factor in (root, 1 / root)})
    low, high = -1, len(breaks)
    while high - low > 1:
        middle = (low + high) // 2
        if projection_mass(target, base, root, breaks[middle]) >= 1:
            low = middle
        else:
            high = middle
    left = breaks[max(low, 0)]
    right = breaks[high] if high < len(breaks) else left
    centre = (left + right) / 2
    varying = fixed = Fraction(0)
    for mass, q in zip(target, base, strict=True):
        if q / root < mass / centre < root * q:
            varying += mass
        else:
            fixed += min(max(q / root, mass / centre), root * q)
    constant = left if varying == 0 or low == -1 else varying / (1 - fixed)
    clipped = tuple(min(max(q / root, mass / constant), root * q) for mass, q in zip(target, base, strict=True))
    if sum(clipped) != 1:
        raise ArithmeticError(f"constant {constant} leaves mass {sum(clipped)} for p = {p!r}")
    return constant, clipped


def _check_root(root: object) -> None:
    if isinstance(root, bool) or not isinstance(root, int | Fraction):
        raise TypeError(f"root must be a fractions.Fraction exp(eps/2), got {root!r}")
    if root <= 1:
        raise ValueError(f"root must be > 1, got {root!r}")
