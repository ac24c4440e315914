r"""Checks of the setting of the experiments (v1, v2, v3, section 5): the ring and the loss."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import arb, ctx, fmpq

from mollified._validate import check_count, check_fraction, check_trials
from mollified.ball_mbde import BITS, ball
from mollified.checks import Check, Tally
from mollified.instances import random_law

__all__ = ["likelihood_is_proper", "modes_stand_apart"]


def modes_stand_apart(*, modes: int = 8, radius: Fraction = Fraction(4), variance: Fraction = Fraction(1, 4)) -> Check:
    r"""Check that the ring's density is higher at each centre than half-way to either neighbour, where it has a valley.

    The density is $\frac1n\sum_iN(m_i,\sigma^2I)$ with $m_i$ regularly spaced on a circle. By symmetry one pair of
    neighbours would do; all are tried. Certified; the margin is a difference of log densities (nats).
    """
    modes = check_count("modes", modes, minimum=2)
    radius, variance = check_fraction("radius", radius, above=0), check_fraction("variance", variance, above=0)
    tally = Tally("certified")

    def place(turn: Fraction, length: arb) -> tuple[arb, arb]:
        angle = fmpq(2 * turn.numerator, turn.denominator)
        return length * arb.cos_pi_fmpq(angle), length * arb.sin_pi_fmpq(angle)

    with ctx.workprec(BITS):
        centres = [place(Fraction(index, modes), ball(radius)) for index in range(modes)]
        middle = ball(radius) * arb.cos_pi_fmpq(fmpq(1, modes))

        def height(point: tuple[arb, arb]) -> arb:
            away = [(point[0] - x, point[1] - y) for x, y in centres]
            # Products, because the power of a ball around zero is not a number.
            squares = [x * x + y * y for x, y in away]
            return sum((((-square) / (2 * ball(variance))).exp() for square in squares), arb(0)).log()

        for index in range(modes):
            valley = place(Fraction(2 * index + 1, 2 * modes), middle)
            margin = height(centres[index]) - height(valley)
            tally.add(float(margin.mid()), decided=bool(margin > 0), mode=index, radius=radius, variance=variance)
    return tally.check()


def likelihood_is_proper(rng: np.random.Generator, instances: int, *, swapped: bool = False) -> Check:
    r"""Check that no law has a lower negative log-likelihood $-\mathbb E_P\log Q$ than $Q=P$, on random finite laws.

    The excess is $\operatorname{KL}(P,Q)\ge0$, so the metric exists and is smallest at the target. With `swapped` the
    average is over the model, $-\mathbb E_Q\log P$, which a model on the most likely point makes smaller. Certified;
    nats. First instance: $P=(\frac34,\frac14)$, $Q=(\frac9{10},\frac1{10})$.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for index in range(instances):
            size = int(rng.integers(2, 6))
            target, model = random_law(rng, size), random_law(rng, size)
            if index == 0:
                target, model = (Fraction(3, 4), Fraction(1, 4)), (Fraction(9, 10), Fraction(1, 10))
            over, logs = (model, target) if swapped else (target, model)
            loss = -sum((ball(w) * ball(v).log() for w, v in zip(over, logs, strict=True)), arb(0))
            least = -sum((ball(w) * ball(w).log() for w in target), arb(0))
            excess = loss - least
            holds = bool(excess > 0) or target == model
            tally.add(float(excess.mid()), decided=holds, P=target, Q=model, excess=float(excess.mid()))
    return tally.check()
