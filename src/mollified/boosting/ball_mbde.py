r"""MBDE on a finite space in ball arithmetic: membership proved, not sampled."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import arb, ctx, fmpq

from mollified._validate import check_count, check_fraction
from mollified.mollifiers.exact_level import ExactLevel, exact_probabilities

__all__ = ["ball", "ball_mbde", "ball_theta"]

#: Working precision in bits; the slack of Theorem 4 is (eps/2) theta_T, so T log2(1 + 4 log2/eps) bits are needed:
#: 600 for eps = 1/1000, T = 50.
BITS = 1024


def ball(value: Fraction) -> arb:
    """Return a ball of the working precision that contains a rational; TypeError for anything else.

    >>> bool(ball(Fraction(1, 4)) == arb("0.25"))
    True
    """
    number = check_fraction("value", value)
    return arb(fmpq(number.numerator, number.denominator))


def _eps_ball(level: ExactLevel) -> arb:
    if level.eps is not None:
        return ball(level.eps)
    assert level.exp_eps is not None
    return ball(level.exp_eps).log()


def ball_theta(level: ExactLevel, rounds: int) -> list[arb]:
    r"""Return $\theta_1,\dots,\theta_T$ as balls that contain the true values. Source: Algorithm 1.

    Raises TypeError for a level that is not exact, ValueError for rounds < 1.
    """
    if not isinstance(level, ExactLevel):
        raise TypeError(f"level must be an ExactLevel, got {level!r}")
    rounds = check_count("rounds", rounds)
    with ctx.workprec(BITS):
        eps = _eps_ball(level)
        ratio = eps / (eps + 4 * arb(2).log())
        return [ratio**t for t in range(1, rounds + 1)]


def ball_mbde(reference: Sequence[Fraction], classifiers: Sequence[Sequence[Fraction]], level: ExactLevel) -> list[arb]:
    r"""Return $Q_T(x)$ as balls, for classifiers $c_t(x)=s_t(x)\log2$ given by the rationals $s_t(x)$.

    Any rational $s_t$ is accepted, also beyond [-1, 1]: those are the broken classifiers that the membership
    test must find. Raises TypeError or ValueError for shapes that do not fit. Source: v1 (6)-(7).
    """
    base = exact_probabilities("reference", reference)
    if not isinstance(classifiers, Sequence) or isinstance(classifiers, str) or len(classifiers) == 0:
        raise ValueError(f"classifiers must be a non-empty sequence of rows, got {classifiers!r}")
    for row in classifiers:
        if not isinstance(row, Sequence) or isinstance(row, str):
            raise TypeError(f"classifiers must be a sequence of rows, got {classifiers!r}")
        if len(row) != len(base):
            raise ValueError(f"classifiers must have rows of {len(base)} entries, got {classifiers!r}")
        if any(isinstance(s, bool) or not isinstance(s, int | Fraction) for s in row):
            raise TypeError(f"classifiers must hold ints or fractions, got {classifiers!r}")
    steps = ball_theta(level, len(classifiers))
    with ctx.workprec(BITS):
        log2 = arb(2).log()
        weights = []
        for x, anchor in enumerate(base):
            exponent = sum(
                (step * ball(Fraction(row[x])) for step, row in zip(steps, classifiers, strict=True)), arb(0)
            )
            weights.append(ball(anchor) * (exponent * log2).exp())
        total = sum(weights, arb(0))
        return [weight / total for weight in weights]
