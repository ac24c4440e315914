r"""Prove that a function is positive on a box by ball arithmetic and bisection.

The function is evaluated on whole boxes; where its ball is positive the box is proved, where it is negative at the
middle a counterexample is found, else the box is cut in two. A function with a zero on the boundary cannot be proved
this way: near a zero, prove the sign of the derivative instead and combine the parts (`prove_root`, `combine`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

from mollified._validate import _echo, check_callable, check_count, check_fraction
from mollified.checks import Check

__all__ = ["combine", "enclose", "prove_positive", "prove_root"]

Box = Sequence[tuple[Fraction, Fraction]]

BITS = 128
#: Bisection stops here: more boxes mean that the function touches zero, or is evaluated too crudely.
MOST_BOXES = 200_000


def _ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def enclose(low: Fraction, high: Fraction) -> arb:
    """Return a ball that contains [low, high]; TypeError or ValueError for ends that are not ordered rationals."""
    low, high = check_fraction("low", low), check_fraction("high", high)
    if low > high:
        raise ValueError(f"low must be at most high, got {low!r} > {high!r}")
    return _ball(low).union(_ball(high))


def _check_box(box: object) -> list[tuple[Fraction, Fraction]]:
    if not isinstance(box, Sequence) or isinstance(box, str) or not box:
        raise TypeError(f"box must be a non-empty sequence of intervals, got {_echo(box)}")
    sides = []
    for side in box:
        pair = isinstance(side, Sequence) and not isinstance(side, str) and len(side) == 2
        if not pair or any(isinstance(end, bool) or not isinstance(end, int | Fraction) for end in side):
            raise TypeError(f"box must hold pairs of rationals, got {_echo(box)}")
        low, high = check_fraction("box", side[0]), check_fraction("box", side[1])
        if low > high:
            raise ValueError(f"box must have ordered sides, got {_echo(box)}")
        sides.append((low, high))
    return sides


def prove_positive(function: Callable[..., Any], box: Box, *, bits: int = BITS, most_boxes: int = MOST_BOXES) -> Check:
    r"""Prove $f>0$ on a closed box, or find a rational point with $f<0$. Certified; scope "universal".

    `function` takes one ball a side and returns a ball that contains f of all its points. The worst slack is the
    smallest lower bound over the boxes of the proof: a lower bound of the minimum, not the minimum. Raises
    ArithmeticError where `most_boxes` boxes do not decide; TypeError or ValueError for bad arguments.
    """
    check_callable("function", function)
    sides = _check_box(box)
    bits, most_boxes = check_count("bits", bits, minimum=53), check_count("most_boxes", most_boxes)
    width = [high - low for low, high in sides]
    pending, proved, worst = [sides], 0, None
    with ctx.workprec(bits):
        while pending:
            current = pending.pop()
            value = function(*(enclose(low, high) for low, high in current))
            if value > 0:
                lower = float(value.lower())
                proved, worst = proved + 1, lower if worst is None else min(worst, lower)
                continue
            middle = [(low + high) / 2 for low, high in current]
            at = function(*(_ball(x) for x in middle))
            if at < 0:
                point = {f"x{index}": str(x) for index, x in enumerate(middle)}
                return Check(proved + 1, 1, float(at.upper()), "certified", scope="universal", counterexample=point)
            if proved + len(pending) >= most_boxes:
                raise ArithmeticError(f"{most_boxes} boxes do not decide the sign near {[float(x) for x in middle]}")
            relative = [(high - low) / w if w else Fraction(0) for (low, high), w in zip(current, width, strict=True)]
            side = relative.index(max(relative))
            if relative[side] == 0:
                raise ArithmeticError(f"the sign at {[str(x) for x in middle]} is not decided at {bits} bits")
            low, high = current[side]
            for part in ((low, middle[side]), (middle[side], high)):
                pending.append([*current[:side], part, *current[side + 1 :]])
    assert worst is not None
    return Check(proved, 0, worst, "certified", scope="universal")


def prove_root(
    derivative: Callable[..., Any], box: Box, *, root: str, bits: int = BITS, most_boxes: int = MOST_BOXES
) -> Check:
    r"""Prove $f>0$ beside a zero of f at one end of the first side of a box, from the sign of $\partial_1 f$.

    `root` is "low" (f is zero at the lower end, so $\partial_1f>0$ proves it) or "high". That f vanishes there is for
    the caller to show by hand. Raises as `prove_positive`, and ValueError for another `root`.
    """
    if root not in ("low", "high"):
        raise ValueError(f"root must be low or high, got {_echo(root)}")
    check_callable("derivative", derivative)
    sign = 1 if root == "low" else -1
    return prove_positive(lambda *x: sign * derivative(*x), box, bits=bits, most_boxes=most_boxes)


def combine(*parts: Check) -> Check:
    """Return one check for parts of a proof that cover the whole: counts add up, the worst slack is the smallest.

    Universal if all parts are; the first counterexample is kept. Raises TypeError for what is no Check, ValueError
    for none, and for parts of unlike arithmetic.
    """
    if not parts:
        raise ValueError("parts must hold at least one check, got none")
    if not all(isinstance(part, Check) for part in parts):
        raise TypeError(f"parts must be checks, got {_echo(parts)}")
    if len({part.arithmetic for part in parts}) > 1:
        raise ValueError(f"parts must share one arithmetic, got {[part.arithmetic for part in parts]!r}")
    universal = all(part.scope == "universal" for part in parts)
    return Check(
        instances=sum(part.instances for part in parts),
        violations=sum(part.violations for part in parts),
        worst_slack=min(part.worst_slack for part in parts),
        arithmetic=parts[0].arithmetic,
        tolerance=max(part.tolerance for part in parts),
        scope="universal" if universal else "instances",
        counterexample=next((part.counterexample for part in parts if part.counterexample), None),
    )
