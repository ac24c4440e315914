"""Spaces that the tests of the kernel share, and known statements, with verdicts."""

from statements import (
    E,
    Space,
    assume,
    choice,
    cosh,
    counts,
    exp,
    floor,
    law,
    log,
    normal_tail,
    real,
    shape,
    sinh,
    sqrt,
    vector,
    whole,
    xlog,
)


def KL(P, Q):
    return sum(xlog(p, p / q) for p, q in zip(P, Q))


class Line(Space):
    x = real(-2, 2, corner=(0, 1))
    y = real(0.01, 3)
    n = whole(1, 20)
    square = lambda x: x**2
    both = lambda x, y: x + y


class Laws(Space):
    P = law(zeros=0.2)
    Q = law()
    s = shape()
    θ = real(0.01, 0.99)
    divergence = lambda P, Q: KL(P, Q)
    edge = lambda Q, s: -E(Q, s)


class Counted(Space):
    data = counts(0, 9)
    n = lambda data: sum(data)
    some = assume(lambda n: n >= 1)


class Mixed(Line):
    side = choice(-1, 1)
    v = vector(-1, 1, corner=1)
    square = lambda x, side: side * x**2
    apart = assume(lambda x, y: x < y)


def tail(n, k):
    """Take one instance at a time: a loop over an integer."""
    value = 1
    for step in range(k):
        value = value * (n - step) / (step + 1)
    return value


def ψ(u, γ):
    return log(cosh(u) - γ * sinh(u))


#: What is true, with the space that it is true on.
TRUE = {
    "identity": (Line, lambda x, y: (x + y) ** 2 == x**2 + 2 * x * y + y**2),
    "square": (Line, lambda x: x**2 >= 0),
    "mean": (Line, lambda y: y + 1 / y >= 2),
    "logarithm": (Line, lambda y: log(y) <= y - 1),
    "addition": (Line, lambda x, y: exp(x) * exp(y) == exp(x + y)),
    "chain": (Line, lambda y: 1 - 1 / y <= log(y) <= y - 1),
    "or": (Line, lambda x: x >= 0 or -x >= 0),
    "not": (Line, lambda x, y: not (x > y and y > x)),
    "tuple": (Line, lambda x, y: (abs(x) >= x, max(x, y) >= min(x, y))),
    "gibbs": (Laws, lambda divergence: divergence >= 0),
    "entries": (Laws, lambda P: 0 <= P <= 1),
    "vector": (Laws, lambda P: sum((P - 1) ** 2) == sum(p**2 for p in P) - 2 + len(P)),
    "generator": (Laws, lambda P: all(0 <= p <= 1 for p in P) and sum(P) == 1),
    "jensen": (Laws, lambda Q, s, θ: E(Q, exp(θ * s)) >= exp(θ * E(Q, s))),
    "chord": (Laws, lambda Q, s, θ, edge: log(E(Q, exp(θ * s))) <= ψ(θ, edge)),
    "choice": (Mixed, lambda side: side**2 == 1),
    "constraint": (Mixed, lambda x, y: x < y),
    "if": (Line, lambda x, y: (x if x > y else y) >= x),
    "root": (Line, lambda y: sqrt(y) ** 2 == y),
    "normal": (Line, lambda x: normal_tail(x) + normal_tail(-x) == 1),
    "rounding": (Line, lambda x: floor(x) <= x < floor(x) + 1),
    "binomial": (Line, lambda n: tail(n, 2) == n * (n - 1) / 2),
    "histogram": (Counted, lambda data, n: sum(x / n for x in data) == 1),
}
#: What is false, and the shortest example of it where one is known.
FALSE = {
    "too strict": (Line, lambda x: x**2 > 0, {"x": "0"}),
    "two percent": (Line, lambda y: log(y) <= y - 1.02, None),
    "sign": (Line, lambda x, y: exp(x) * exp(y) == exp(x - y), None),
    "reversed": (Laws, lambda P, Q, divergence: divergence >= KL(Q, P), None),
    "chain": (Line, lambda y: 1 - 1 / y <= log(y) <= (y - 1) / 2, None),
    "and": (Line, lambda x: x >= -2 and x <= 1.9, None),
    "never": (Laws, lambda divergence: divergence > 0, None),
    "two points": (
        Laws,
        lambda P, Q, divergence: divergence <= 0,
        {"P": "(1, 0)", "Q": "(1/2, 1/2)"},
    ),
    "whole": (Line, lambda n: n < 14, {"n": "14"}),
    "binomial": (Line, lambda n: tail(n, 2) <= n**2 / 2.2, None),
    "rounded": (Line, lambda x: floor(x) == x, {"x": "1/2"}),
    "tiny": (Line, lambda y: exp(-1000 * y) <= exp(-1000.5 * y), None),
}
