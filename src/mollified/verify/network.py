r"""A check of what a run on the ring can show."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from mollified._validate import check_count, check_fraction, check_fractions
from mollified.ball_mbde import ball, ball_theta
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel

__all__ = ["no_ring"]


def no_ring(*, eps: Fraction, radii: Sequence[Fraction], shows: bool, rounds: int = 3) -> Check:
    r"""Check whether an output of MBDE from $Q_0=N(0,I)$ can be higher at a radius than at the origin. Certified.

    $\log Q_T/Q_0$ varies by at most $\frac\varepsilon2(1-\theta_T)$, and $\log Q_0$ falls by $\rho^2/2$: a ring at
    radius $\rho$ needs $\rho^2/2<\frac\varepsilon2(1-\theta_T)$. With `shows` the claim is that the ring can be
    there, without it that it cannot.
    """
    eps = check_fraction("eps", eps, above=0)
    values = check_fractions("radii", radii)
    rounds = check_count("rounds", rounds)
    reach = ball(eps) / 2 * (1 - ball_theta(ExactLevel(eps=eps), rounds)[-1])
    tally = Tally("certified")
    for radius in values:
        fall = radius**2 / 2
        slack = (reach - ball(fall)) * (1 if shows else -1)
        tally.add(
            float(slack.mid()), decided=bool(slack > 0), eps=eps, T=rounds, radius=radius, reach=float(reach.mid())
        )
    return tally.check()
