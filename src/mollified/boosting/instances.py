r"""Instances of a step or a run of MBDE on a finite space, in the papers' letters.

P is the target and Q the density before the step; the classifier is $c=s\,c^*$ with
$\max|s|=1$ and $c^*=\text{scale}\cdot\log2$; $Q_\theta\propto Qe^{\theta c}$. Functions
here are formulas that statements use: they work in floats, in numbers that decide, and
in SymPy, and check no argument. Source: v1 Algorithm 1, Definition 1, (28).
"""

from __future__ import annotations

from mollified.laws.instances import Value
from statements import (
    E,
    Space,
    choice,
    cosh,
    exp,
    law,
    log,
    real,
    shape,
    sinh,
    vector,
    whole,
    xlog,
)

__all__ = [
    "KL",
    "Γ",
    "Decay",
    "Edges",
    "Outputs",
    "Rounds",
    "Runs",
    "Steps",
    "TwoParts",
    "TwoRuns",
    "TwoSteps",
    "TwoValued",
    "exponent",
    "gain",
    "learns",
    "steps",
    "tilt",
    "θ",
    "ψ",
]


def KL(P: Value, Q: Value) -> Value:
    r"""Return $\operatorname{KL}(P,Q)$ in nats.

    Points that P does not have count as zero.
    """
    return sum(xlog(P, P / Q))


def tilt(Q: Value, f: Value) -> Value:
    r"""Return the density proportional to $Qe^f$."""
    return Q * exp(f) / sum(Q * exp(f))


def gain(P: Value, Q: Value, f: Value) -> Value:
    r"""Return by how much the divergence from P falls when Q is tilted by f.

    It is computed from its definition.
    """
    return KL(P, Q) - KL(P, tilt(Q, f))


def ψ(u: Value, γ: Value) -> Value:
    r"""Return $\log(\cosh u-\gamma\sinh u)$.

    It is this book's bound on $\log\mathbb E_Qe^{\theta c}$.
    """
    return log(cosh(u) - γ * sinh(u))


def Γ(z: Value) -> Value:
    r"""Return $\log\frac4{5-3z}$. Source: v1 (8)."""
    return log(4 / (5 - 3 * z))


class Steps(Space):
    """A step of any length by any classifier; P may miss points that Q has."""

    P = law(zeros=0.15)
    Q = law()
    s = shape()
    scale = real(0.01, 1, corner=1)
    θ = real(0.001, 64, log=True)
    c_star = lambda scale: scale * log(2)
    c = lambda s, c_star: s * c_star
    u = lambda θ, c_star: θ * c_star
    φ = lambda Q, θ, c: log(E(Q, exp(θ * c)))
    Qθ = lambda Q, θ, c: tilt(Q, θ * c)
    drop = lambda P, Q, Qθ: KL(P, Q) - KL(P, Qθ)


class TwoSteps(Steps):
    """Two steps from one density."""

    η = real(0.001, 64, log=True)


class Rounds(Steps):
    """A step shorter than one by a weak learner's classifier.

    γ_P and γ_Q are its edges, or bounds below them.
    """

    θ = real(0.01, 0.99)
    share_P = real(0.1, 1, corner=1)
    share_Q = real(0.1, 1, corner=1)
    edge_P = lambda P, s: E(P, s)
    edge_Q = lambda Q, s: -E(Q, s)
    γ_P = lambda share_P, edge_P: share_P * edge_P
    γ_Q = lambda share_Q, edge_Q: share_Q * edge_Q


#: The weak learning assumption: both edges are positive.
learns = lambda γ_P, γ_Q: γ_P > 0 and γ_Q > 0


class TwoValued(Rounds):
    """Two points, and the edges themselves."""

    sizes = (2,)
    share_P = choice(1)
    share_Q = choice(1)


class Edges(Space):
    """Step length and edges alone, their sum at, or around, half the length."""

    c_star = real(0.01, 0.69)
    θ = real(0.01, 0.99)
    near = real(0.5, 2, corner=1)
    part = real(0.01, 0.99)
    u = lambda θ, c_star: θ * c_star
    γ_P = lambda u, near, part: near * u / 2 * part
    γ_Q = lambda u, near, part: near * u / 2 * (1 - part)


class Decay(Space):
    """Edges that stay while the step shrinks.

    The round is `later` after the first that the sentence speaks of.
    """

    ε = real(0.001, 20, log=True)
    scale = real(0.01, 1, corner=1)
    later = whole(0, 20)
    γ_P = real(0.0001, 0.2)
    γ_Q = real(0.0001, 0.2)


def θ(ε: Value) -> Value:
    r"""Return $\theta_1=\frac\varepsilon{\varepsilon+4\log2}$.

    $\theta_t$ is its power t. Source: v1 Algorithm 1.
    """
    return ε / (ε + 4 * log(2))


def steps(ε: Value, T: Value) -> Value:
    r"""Return $\theta_1+\dots+\theta_T=\frac\varepsilon{4\log2}(1-\theta_T)$.

    Source: v1 Algorithm 1.
    """
    return ε / (4 * log(2)) * (1 - θ(ε) ** T)


def exponent(Q: Value, f: Value) -> Value:
    r"""Return $f-\varphi=f-\log\mathbb E_Qe^f$.

    It is the logarithm of the density proportional to $Qe^f$ over Q.
    """
    return f - log(E(Q, exp(f)))


class _Returned(Space):
    r"""A target, a reference and what MBDE returns; Δ is the gain.

    L is $\log(Q_T/Q_0)$, which subclasses add.
    """

    P = law()
    Q_0 = law()
    s = shape()
    ε = real(0.001, 20, log=True)
    Q_T = lambda Q_0, L: Q_0 * exp(L)
    Δ = lambda P, Q_0, Q_T: KL(P, Q_0) - KL(P, Q_T)


class Outputs(_Returned):
    r"""All that can be returned: $\sum_t\theta_tc_t$ is a `share` of its bound.

    The bound is $\frac\varepsilon4=\log2\sum_t\theta_t$, the share is times s. After T
    rounds the share is at most $1-\theta_T$, for the last sum has no end.
    """

    sizes = (2, 3, 4)
    sizes_far = (200, 100)
    share = real(0.001, 1, corner=1)
    L = lambda Q_0, ε, share, s: exponent(Q_0, share * ε / 4 * s)


class Runs(_Returned):
    """A run of T rounds with one classifier, c.

    γ_P and γ_Q are its least edges, or bounds below them. Its edge over the density
    falls from round to round, so the least one is that of the last round.
    """

    sizes = (2, 3, 4)
    sizes_far = (200, 100)
    scale = real(0.01, 1, corner=1)
    T = whole(1, 1000, corner=1, log=True)
    share_P = real(0.1, 1, corner=1)
    share_Q = real(0.1, 1, corner=1)
    c = lambda s, scale: s * scale * log(2)
    L = lambda Q_0, ε, T, c: exponent(Q_0, steps(ε, T) * c)
    γ_P = lambda share_P, P, s: share_P * E(P, s)
    γ_Q = lambda share_Q, Q_0, ε, T, c, s: (
        -share_Q * E(tilt(Q_0, steps(ε, T - 1) * c), s)
    )


class TwoParts(_Returned):
    """A run of j rounds with one classifier, c, and k more with another one, d.

    γ_P and γ_Q as in `Runs`.
    """

    sizes = (2, 3)
    sizes_far = (200, 100)
    z = shape()
    j = whole(1, 500, corner=1, log=True)
    k = choice(0, 1, 25, 500)
    scale = real(0.01, 1, corner=1)
    scale_d = real(0.01, 1, corner=1)
    share_P = real(0.1, 1, corner=1)
    share_Q = real(0.1, 1, corner=1)
    T = lambda j, k: j + k
    c = lambda s, scale: s * scale * log(2)
    d = lambda z, scale_d: z * scale_d * log(2)
    L = lambda Q_0, ε, j, T, c, d: exponent(
        Q_0, steps(ε, j) * (c - d) + steps(ε, T) * d
    )
    Q_j = lambda Q_0, ε, j, c: tilt(Q_0, steps(ε, j - 1) * c)
    Q_k = lambda Q_0, ε, j, T, c, d: tilt(
        Q_0, steps(ε, j) * (c - d) + steps(ε, T - 1) * d
    )
    γ_P = lambda share_P, P, s, z, k: (
        share_P * (min(E(P, s), E(P, z)) if k > 0 else E(P, s))
    )
    γ_Q = lambda share_Q, Q_j, Q_k, s, z, k: (
        -share_Q * (max(E(Q_j, s), E(Q_k, z)) if k > 0 else E(Q_j, s))
    )


class TwoRuns(Space):
    r"""Two runs of T rounds by any classifiers in $\pm\log2$.

    Only their mean with weights θ_t enters, $s\log2$.
    """

    Q0 = law(spread=20)
    ε = real(0.001, 20, log=True)
    T = whole(1, 1000, log=True)
    s = vector(-1, 1, corner=(-1, 1))
    s1 = vector(-1, 1, corner=(-1, 1))
    Q = lambda Q0, s, ε, T: tilt(Q0, steps(ε, T) * log(2) * s)
    Q1 = lambda Q0, s1, ε, T: tilt(Q0, steps(ε, T) * log(2) * s1)
