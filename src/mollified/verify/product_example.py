r"""Checks on the product example: edges that are the same in every round, for runs of any length.

On $\{0,1\}^T$ let P and $Q_0$ be T independent coins, heads with probability $(1+\gamma_P)/2$ and $(1-\gamma_Q)/2$, and
let $c_t=c^*(2x_t-1)$ look at coin t. Then $Q_{t-1}$ leaves coin t alone, so the edges are $\gamma_P$ and $\gamma_Q$ in
every round. The example of the book has $\gamma_P=4/5$ and $\gamma_Q=1/2$, coins 9/10 and 1/4.
Its gain is a sum over coins.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any, Literal

import numpy as np
from flint import arb, ctx

from mollified._validate import _echo, check_count, check_fraction
from mollified.ball_mbde import BITS, ball
from mollified.bounds import gain_lower, gain_share, gain_upper, kl_drop, log_moment
from mollified.checks import Check, Tally

__all__ = ["first_drop", "product_attains", "product_example", "product_gain"]

ONE, ZERO = Fraction(1), Fraction(0)
EDGE_P, EDGE_Q = Fraction(4, 5), Fraction(1, 2)
Lower = Literal["printed", "corrected", "closed"]
#: The laws on {0,1}^T are listed up to this T.
ENUMERATED = 4


def _inputs(ratio: object, scale: object, gamma_p: object, gamma_q: object) -> tuple[Fraction, ...]:
    found = check_fraction("ratio", ratio, above=0), check_fraction("scale", scale, above=0, maximum=1)
    edges = [check_fraction(name, edge, above=0) for name, edge in (("gamma_p", gamma_p), ("gamma_q", gamma_q))]
    for name, value in (("ratio", found[0]), ("gamma_p", edges[0]), ("gamma_q", edges[1])):
        if value >= 1:
            raise ValueError(f"{name} must be < 1, got {value!r}")
    return (*found, *edges)


def _lengths(ratio: Fraction, scale: Fraction, rounds: int) -> list[arb]:
    return [ball(ratio**t * scale) * arb(2).log() for t in range(1, rounds + 1)]


def product_gain(
    rounds: int,
    *,
    ratio: Fraction = Fraction(1, 2),
    scale: Fraction = ONE,
    gamma_p: Fraction = EDGE_P,
    gamma_q: Fraction = EDGE_Q,
) -> arb:
    r"""Return $\Delta(Q_T)$ of the product example as a ball, a sum over coins.

    Coin t adds $u_t\gamma_P-\log\mathbb E_{Q_0}e^{u_t(2x_t-1)}$ nats. $\theta_t$ is `ratio` to the power t, $c^*$ is
    `scale` times log 2. Raises TypeError or ValueError for rounds < 1, edges or a ratio outside (0, 1), a scale outside
    (0, 1]. Certified at 1024 bits.
    """
    rounds = check_count("rounds", rounds)
    r, s, edge_p, edge_q = _inputs(ratio, scale, gamma_p, gamma_q)
    with ctx.workprec(BITS):
        heads = ball((1 - edge_q) / 2)
        return sum(
            (u * ball(edge_p) - (heads * u.exp() + (1 - heads) * (-u).exp()).log() for u in _lengths(r, s, rounds)),
            arb(0),
        )


def _enumerated(rounds: int, r: Fraction, s: Fraction, edge_p: Fraction, edge_q: Fraction) -> tuple[arb, arb]:
    r"""Return $\Delta(Q_T)$ by its definition on all $2^T$ points, and the largest error of an edge."""
    points = list(product((0, 1), repeat=rounds))

    def coins(heads: Fraction) -> list[arb]:
        laws = []
        for point in points:
            mass = ONE
            for x in point:
                mass *= heads if x else 1 - heads
            laws.append(ball(mass))
        return laws

    p, start = coins((1 + edge_p) / 2), coins((1 - edge_q) / 2)
    q, error = start, arb(0)
    for t, u in enumerate(_lengths(r, s, rounds)):
        signs = [2 * point[t] - 1 for point in points]
        on_p = sum((a * sign for a, sign in zip(p, signs, strict=True)), arb(0))
        on_q = -sum((a * sign for a, sign in zip(q, signs, strict=True)), arb(0))
        error = max(error, abs(on_p - ball(edge_p)).upper(), abs(on_q - ball(edge_q)).upper())
        grown = [a * (u * sign).exp() for a, sign in zip(q, signs, strict=True)]
        total = sum(grown, arb(0))
        q = [a / total for a in grown]
    gain = sum((a * (b / c).log() for a, b, c in zip(p, q, start, strict=True)), arb(0))
    return gain, error


def _bound(form: str, eps: arb, rounds: int, scale: Fraction, edge_p: arb, edge_q: arb) -> Any:
    if form not in ("printed", "corrected", "closed"):
        raise ValueError(f"form must be printed, corrected or closed, got {_echo(form)}")
    if form == "closed":
        return gain_share(edge_p, edge_q, form="corrected") * gain_upper(eps, rounds, form="corrected")
    largest = np.full(rounds, ball(scale) * arb(2).log(), dtype=object)
    options = {"c_star": largest} if form == "corrected" else {}
    found = gain_lower(eps, rounds, edge_p, edge_q, form="corrected" if options else "printed", **options)
    return found.item() if isinstance(found, np.ndarray) else found


def _eps(ratio: Fraction) -> arb:
    r"""Return the level at which $\theta_1$ is the given ratio."""
    return 4 * arb(2).log() * ball(ratio / (1 - ratio))


def product_example(
    rounds: int,
    *,
    form: Lower,
    ratio: Fraction = Fraction(1, 2),
    scale: Fraction = ONE,
    gamma_p: Fraction = EDGE_P,
    gamma_q: Fraction = EDGE_Q,
    below: Fraction = Fraction(1, 10**4),
) -> Check:
    r"""Check a lower bound on the gain of the product example for T = 1 to `rounds`. Certified.

    The assumption is strict, so the bound is taken at the exact edges times 1 - `below`. `form` as in
    `approximation.lower_bound`; "closed" is for `scale` 1. Arguments otherwise, and errors, as `product_gain`.
    """
    rounds, below = check_count("rounds", rounds), check_fraction("below", below, above=0, maximum=1)
    r, s, edge_p, edge_q = _inputs(ratio, scale, gamma_p, gamma_q)
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for last in range(1, rounds + 1):
            gain = product_gain(last, ratio=r, scale=s, gamma_p=edge_p, gamma_q=edge_q)
            used = edge_p * (1 - below), edge_q * (1 - below)
            slack = gain - _bound(form, _eps(r), last, s, ball(used[0]), ball(used[1]))
            tally.add(
                float(slack.mid()),
                decided=bool(slack > 0),
                T=last,
                theta_1=r,
                c_over_log2=s,
                coin_P=(1 + edge_p) / 2,
                coin_Q0=(1 - edge_q) / 2,
                gamma_P=used[0],
                gamma_Q=used[1],
            )
    return tally.check()


def product_attains(
    rounds: int,
    *,
    form: Lower = "corrected",
    ratio: Fraction = Fraction(1, 2),
    scale: Fraction = ONE,
    gamma_p: Fraction = EDGE_P,
    gamma_q: Fraction = EDGE_Q,
) -> Check:
    r"""Check that the product example attains a lower bound at its exact edges: the gain equals it, T = 1 to `rounds`.

    Up to T = 4 the gain comes from its definition on all $2^T$ points, where the edges of every round are checked too;
    beyond from the sum over coins. Certified: equal within the width of balls of 1024 bits. Errors as `product_gain`.
    """
    rounds = check_count("rounds", rounds)
    r, s, edge_p, edge_q = _inputs(ratio, scale, gamma_p, gamma_q)
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for last in range(1, rounds + 1):
            gain, error = product_gain(last, ratio=r, scale=s, gamma_p=edge_p, gamma_q=edge_q), arb(0)
            if last <= ENUMERATED:
                gain, error = _enumerated(last, r, s, edge_p, edge_q)
            bound = _bound(form, _eps(r), last, s, ball(edge_p), ball(edge_q))
            gap = max(abs(gain - bound).upper(), error)
            tally.add(-float(gap), decided=bool(gap < arb(2) ** -900), T=last, theta_1=r, gain=float(gain.mid()))
    return tally.check()


def first_drop(*, scale: Fraction) -> Check:
    r"""Check (65) with T = 1 on two points: $\operatorname{KL}(P,Q_1)\le\operatorname{KL}(P,Q_0)-\theta_1\Lambda_1$.

    Certified. P = (3, 1)/4, $Q_0$ = (1, 3)/4, $\theta_1=1/2$, $c_1=\pm$ `scale` log 2, edges 49/100 (exact ones: 1/2).
    """
    s, half, edge = check_fraction("scale", scale, above=0, maximum=1), Fraction(1, 2), Fraction(49, 100)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        largest, step = ball(s) * arb(2).log(), ball(half)
        drop = step * largest * step - log_moment(step * largest, step)
        claimed = kl_drop(step, largest, ball(edge), ball(edge), form="printed", regime="high")
        slack = drop - claimed
        tally.add(
            float(slack.mid()),
            decided=bool(slack > 0),
            P=(Fraction(3, 4), Fraction(1, 4)),
            Q0=(Fraction(1, 4), Fraction(3, 4)),
            c=(s, -s),
            theta_1=half,
            gamma_P=edge,
            gamma_Q=edge,
        )
    return tally.check()
