r"""Checks of the remarks on the low boosting regime, after v1 and v2 Theorem 6 and v3 Theorem 5."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from flint import arb, ctx

from mollified._validate import check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.bounds import kl_drop, kl_drop_hoeffding
from mollified.checks import Check, Tally
from mollified.weak_round import BITS

__all__ = ["condition_minor", "useful_condition"]

#: The bounds on the drop that the remarks may mean: printed in the low regime, (43), and the one of this book.
Bound = Literal["low", "hoeffding", "sharp"]

ONE = Fraction(1)
BOUNDS: tuple[Bound, ...] = ("low", "hoeffding", "sharp")


def _value(bound: Bound, theta: Any, c_star: Any, gamma_p: Any, gamma_q: Any) -> Any:
    if bound == "hoeffding":
        return kl_drop_hoeffding(theta, c_star, gamma_p, gamma_q)
    if bound == "sharp":
        return kl_drop(theta, c_star, gamma_p, gamma_q, form="corrected")
    return kl_drop(theta, c_star, gamma_p, gamma_q, form="printed", regime="low")


def useful_condition(
    rng: np.random.Generator, instances: int, *, bound: Bound, needed: bool = True, claimed: Fraction = ONE
) -> Check:
    r"""Check that a bound is >= 0 exactly if $\gamma_P+\gamma_Q\ge c^*\theta/2$, both directions. Certified.

    "low" is (9), "hoeffding" (43): both are $\gamma_P+\gamma_Q-c^*\theta/2$ times a positive factor. The bound of this
    book, "sharp", is positive under the condition but does not need it; without `needed` only that direction is
    checked. Else the first instance is $\theta=\frac9{10}$, $c^*=\frac{69}{100}$, $\gamma_P=\frac3{10}$,
    $\gamma_Q=\frac1{1000}$. Random ones lie on both sides of the threshold: within 5 % of it, on it, or farther.
    `claimed` multiplies the threshold. Source: after v1 Theorem 6.
    """
    rng, instances = check_trials(rng, instances)
    if not isinstance(bound, str) or bound not in BOUNDS:
        raise ValueError(f"bound must be one of {', '.join(BOUNDS)}, got {bound!r}")
    factor = check_fraction("claimed", claimed, above=0)
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        while tally.instances < instances:
            c_star, theta = Fraction(int(rng.integers(1, 70)), 100), Fraction(int(rng.integers(1, 100)), 100)
            total = c_star * theta / 2 * (1 + Fraction(int(rng.integers(-50, 51)), 1000))
            if rng.random() < 0.3:
                total *= 2 if rng.random() < 0.5 else Fraction(1, 2)
            share = Fraction(int(rng.integers(1, 100)), 100)
            edges = [total * share, total * (1 - share)]
            if needed and not tally.instances:
                theta, c_star, edges = Fraction(9, 10), Fraction(69, 100), [Fraction(3, 10), Fraction(1, 1000)]
            margin = sum(edges) - c_star * theta / 2
            asked = sum(edges) >= factor * c_star * theta / 2
            value = _value(bound, *(ball(x) for x in (theta, c_star, *edges)))
            if not asked and not needed:
                continue
            if margin == 0 and bound != "sharp":  # zero by the formula, of which the ball must not know better
                useful = bool(value.contains(0))
            else:
                useful = bool(value > 0)
                if not useful and not bool(value < 0):
                    raise ArithmeticError(f"the sign of the bound is not decided for {theta}, {c_star}, {edges}")
            size = 0.0 if margin == 0 and bound != "sharp" else abs(float(value.mid()))
            tally.add(
                size if useful == asked else -size,
                decided=useful == asked,
                theta=theta,
                c_star=c_star,
                gamma_P=edges[0],
                gamma_Q=edges[1],
            )
    return tally.check()


def condition_minor(rng: np.random.Generator, instances: int, *, decay: bool = True) -> Check:
    r"""Check: for fixed edges the condition holds, and the bounds are positive, from some round on. Certified.

    The condition is $\gamma_P+\gamma_Q\ge c^*\theta_t/2$, the bounds are those of `useful_condition`. From the round
    $t_0=\lceil\log(g/L)/\log r\rceil$ on, $g=\gamma_P+\gamma_Q$, $L=\frac{\log2}2$, $r=\theta_1$, tried for
    20 rounds, with $c_t^*=\log2$ and with some smaller $c_t^*$. Without `decay` every step is $\theta_1$.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            eps = Fraction(round(1000 * math.exp(rng.uniform(0, 9.9))), 10**6)
            edges, share = Fraction(int(rng.integers(1, 200)), 1000), Fraction(int(rng.integers(1, 100)), 100)
            both, log2 = [ball(edges * share), ball(edges * (1 - share))], arb(2).log()
            ratio = ball(eps) / (ball(eps) + 4 * log2)
            start = max(1, math.ceil(float(((2 * ball(edges) / log2).log() / ratio.log()).upper())))
            slacks = []
            for t in range(start, start + 20):
                theta = ratio ** (t if decay else 1)
                for scale in (ONE, Fraction(int(rng.integers(1, 100)), 100)):
                    c_star = ball(scale) * log2
                    slacks.append(ball(edges) - c_star * theta / 2)
                    slacks += [_value(bound, theta, c_star, *both) / (theta * c_star) for bound in BOUNDS]
            holds = all(bool(slack > 0) for slack in slacks)
            least = min(float(slack.mid()) for slack in slacks)
            tally.add(least, decided=holds, eps=eps, gamma_P=edges * share, gamma_Q=edges * (1 - share), first=start)
    return tally.check()
