r"""One round of MBDE on a finite space, given by rationals, with a classifier that meets the weak learning assumption.

The classifier is $c=s\,c^*$ with a rational shape s, $\max|s|=1$, and a rational $e^{c^*}\in(1,2]$; step and edges are
rational. Every quantity is computed from its definition, in balls. Source: v1 Definition 1 and (28).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from flint import arb, ctx

from mollified._validate import check_fraction, check_fractions, check_rng
from mollified.ball_mbde import ball
from mollified.exact_level import Law, exact_probabilities
from mollified.instances import random_law

__all__ = ["Regime", "WeakRound", "high_example", "low_example", "random_round", "two_points"]

Regime = Literal["low", "high"]

ONE, THIRD = Fraction(1), Fraction(1, 3)
BITS = 256


@dataclass(frozen=True)
class WeakRound:
    r"""Hold P, $Q_{t-1}$, the shape of $c_t$, $e^{c^*_t}$, $\theta_t$ in (0, 1), and edges that the assumption allows.

    `gamma_p` and `gamma_q` lie in (0, 1], strictly below the exact edges. Raises ValueError or TypeError otherwise.
    """

    p: Law
    q: Law
    shape: tuple[Fraction, ...]
    exp_c: Fraction
    theta: Fraction
    gamma_p: Fraction
    gamma_q: Fraction

    def __post_init__(self) -> None:
        law = exact_probabilities("p", self.p)
        exact_probabilities("q", self.q, size=len(law))
        shape = check_fractions("shape", self.shape, size=len(law))
        if max(abs(s) for s in shape) != 1:
            raise ValueError(f"shape must have largest absolute value 1, got {self.shape!r}")
        if not 1 < check_fraction("exp_c", self.exp_c) <= 2:
            raise ValueError(f"exp_c must lie in (1, 2], got {self.exp_c!r}")
        if not 0 < check_fraction("theta", self.theta) < 1:
            raise ValueError(f"theta must lie in (0, 1), got {self.theta!r}")
        for name, edge in (("gamma_p", self.edge_p), ("gamma_q", self.edge_q)):
            asked = getattr(self, name)
            if not 0 < check_fraction(name, asked) < edge:
                raise ValueError(f"{name} must lie in (0, {edge}), below the edge, got {asked!r}")

    @property
    def edge_p(self) -> Fraction:
        r"""$\mathbb E_P[c]/c^*$."""
        return sum((a * s for a, s in zip(self.p, self.shape, strict=True)), Fraction(0))

    @property
    def edge_q(self) -> Fraction:
        r"""$\mathbb E_Q[-c]/c^*$."""
        return -sum((b * s for b, s in zip(self.q, self.shape, strict=True)), Fraction(0))

    @property
    def c_star(self) -> arb:
        r"""$c^*$ as a ball."""
        with ctx.workprec(BITS):
            return ball(self.exp_c).log()

    @property
    def u(self) -> arb:
        r"""$\theta c^*$ as a ball."""
        with ctx.workprec(BITS):
            return ball(self.theta) * self.c_star

    def moment(self, power: Fraction) -> arb:
        r"""Return $\mathbb E_Q e^{\lambda c}$ as a ball, $\lambda$ = `power`."""
        exponent = check_fraction("power", power)
        with ctx.workprec(BITS):
            step = ball(exponent) * self.c_star
            return sum((ball(b) * (step * ball(s)).exp() for b, s in zip(self.q, self.shape, strict=True)), arb(0))

    @property
    def drop(self) -> arb:
        r"""The drop of the divergence, $\theta\,\mathbb E_P[c]-\log\mathbb E_Qe^{\theta c}$, as a ball; v1 (28)."""
        with ctx.workprec(BITS):
            return self.u * ball(self.edge_p) - self.moment(self.theta).log()

    def text(self) -> dict[str, object]:
        """Return the values of a counterexample; c is written as its shape and e^c*."""
        return {
            "P": self.p,
            "Q": self.q,
            "shape": self.shape,
            "exp_c_star": self.exp_c,
            "theta": self.theta,
            "gamma_P": self.gamma_p,
            "gamma_Q": self.gamma_q,
        }


def two_points(p: Fraction, q: Fraction, exp_c: Fraction, theta: Fraction, gammas: Sequence[Fraction]) -> WeakRound:
    r"""Return the round on two points with $P=(p,1-p)$, $Q=(q,1-q)$ and $c=(c^*,-c^*)$; raises as `WeakRound`."""
    first, second = check_fraction("p", p), check_fraction("q", q)
    edges = check_fractions("gammas", gammas, size=2)
    return WeakRound((first, 1 - first), (second, 1 - second), (ONE, -ONE), exp_c, theta, *edges)


def high_example() -> WeakRound:
    r"""Return $P=(4,1)/5$, $Q=(1,4)/5$, $c=\pm\log\frac{11}{10}$, $\theta=\frac12$, $\gamma_P=\gamma_Q=\frac12$."""
    half = Fraction(1, 2)
    return two_points(Fraction(4, 5), Fraction(1, 5), Fraction(11, 10), half, (half, half))


def low_example() -> WeakRound:
    r"""Return $P=(2,1)/3$, $Q=(1,2)/3$, $c=\pm\log2$, $\theta=\frac12$, $\gamma_P=\gamma_Q=\frac3{10}$."""
    edge = Fraction(3, 10)
    return two_points(Fraction(2, 3), THIRD, Fraction(2), Fraction(1, 2), (edge, edge))


def _draw(rng: np.random.Generator) -> tuple[Law, Law, tuple[Fraction, ...]] | None:
    """Return laws and a shape with both edges positive, or None."""
    size = int(rng.integers(2, 6))
    p, q = random_law(rng, size), random_law(rng, size)
    if rng.random() < 0.5:
        values = [ONE if a > b else -ONE for a, b in zip(p, q, strict=True)]
    else:
        values = [Fraction(int(k), 16) for k in rng.integers(-16, 17, size)]
        values[int(rng.integers(size))] = ONE if rng.random() < 0.5 else -ONE
    on_p = sum((a * s for a, s in zip(p, values, strict=True)), Fraction(0))
    on_q = sum((b * s for b, s in zip(q, values, strict=True)), Fraction(0))
    return (p, q, tuple(values)) if on_p > 0 > on_q else None


def random_round(rng: np.random.Generator, *, regime: Regime | None = None, largest: bool = False) -> WeakRound:
    r"""Return a random round; with `largest` $c^*=\log2$, with a `regime` $\gamma_Q$ below 1/3 or at least 1/3.

    Two to five points, atoms down to about $2^{-12}$; edges from a tenth of the exact ones to within $2^{-20}$ of them.
    Raises TypeError or ValueError for a bad rng or regime.
    """
    rng = check_rng("rng", rng)
    if regime not in (None, "low", "high"):
        raise ValueError(f"regime must be low, high or None, got {regime!r}")
    while True:
        drawn = _draw(rng)
        if drawn is None:
            continue
        p, q, shape = drawn
        edge_p = sum((a * s for a, s in zip(p, shape, strict=True)), Fraction(0))
        edge_q = -sum((b * s for b, s in zip(q, shape, strict=True)), Fraction(0))
        share = [1 - Fraction(1, 2**20) if rng.random() < 0.5 else Fraction(int(k), 10) for k in rng.integers(1, 10, 2)]
        asked = edge_q * share[1]
        if regime == "low":
            asked = min(edge_q, THIRD) * share[1]
        elif regime == "high":
            if edge_q <= THIRD:
                continue
            asked = THIRD + (edge_q - THIRD) * share[1]
        exp_c = Fraction(2) if largest or rng.random() < 0.3 else 1 + Fraction(int(rng.integers(1, 100)), 100)
        theta = Fraction(int(rng.integers(1, 100)), 100)
        return WeakRound(p, q, shape, exp_c, theta, edge_p * share[0], asked)
