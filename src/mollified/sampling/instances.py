r"""Instances of rejection, and of what it draws from: outputs of MBDE on finite spaces.

$Q_0$ is the reference; Q and $Q_1$ are what two data sets lead to, $\propto vQ_0$ with
$\frac1q\le v\le q$ and $q=e^{\varepsilon/4}$. Functions here are formulas that
statements use, and check no argument.
"""

from __future__ import annotations

from mollified.laws.instances import Value
from statements import E, Space, law, real, shape

__all__ = ["OutputPairs", "Rejection", "drawn"]


def drawn(Q0: Value, Q: Value, R: Value) -> Value:
    """Return the law of the first accepted draw of Q0 under the envelope R Q0.

    Above the envelope acceptance is certain.
    """
    accepted = [p * min(1, q / (R * p)) for p, q in zip(Q0, Q, strict=True)]
    return [mass / sum(accepted) for mass in accepted]


class Rejection(Space):
    """A law, proposals, and an envelope that may be too low."""

    Q0 = law(spread=6)
    Q = law(zeros=0.2)
    over = real(0.5, 20_000, corner=1, log=True)
    R = lambda Q0, Q, over: over * max(Q / Q0)


class OutputPairs(Space):
    """Two densities of the form of an output of MBDE, as the number of rounds grows."""

    Q0 = law()
    c = shape()
    c1 = shape()
    q = real(1.001, 20_000, log=True)
    v = lambda c, q: 1 / q + (q - 1 / q) * (1 + c) / 2
    v1 = lambda c1, q: 1 / q + (q - 1 / q) * (1 + c1) / 2
    Q = lambda Q0, v: Q0 * v / E(Q0, v)
    Q1 = lambda Q0, v1: Q0 * v1 / E(Q0, v1)
