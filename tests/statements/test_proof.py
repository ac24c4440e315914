"""Proof facts: what is true is proved, a near miss is not, and a proof's own near misses are refuted or true."""

import pytest

from statements import (
    Unproved,
    boxes,
    concave_between,
    convex,
    cosh,
    double_zero,
    exp,
    log,
    nonnegative,
    normal_tail,
    prove,
    single_zero,
    sinh,
    sqrt,
    tanh,
    zero,
)  # fmt: skip
from tests.statements.spaces import ψ

PROVED = {
    "chord": lambda u=(0, None), s=(-1, 1): concave_between(
        cosh(u) + s * sinh(u) - exp(u * s), s, -1, 1, second=-(u**2) * exp(u * s)
    ),
    "Hoeffding": lambda u, γ=(-1, 1): double_zero(
        u**2 / 2 - u * γ - ψ(u, γ), u, second=((sinh(u) - γ * cosh(u)) / (cosh(u) - γ * sinh(u))) ** 2
    ),
    "at log 2": lambda γ: zero(cosh(log(2)) - γ * sinh(log(2)) - (5 - 3 * γ) / 4),
    "rate": lambda u=(0, None), γ=(0, 1): nonnegative(sinh(u) / (cosh(u) - γ * sinh(u)) - tanh(u)),
    "threshold": lambda z=(1 / 3, 1): nonnegative(4 / (5 - 3 * z) - 1),
    "tangent": lambda x=(0, None): single_zero(exp(x) - 1 - x, x, first=exp(x) - 1),
    "convex": lambda x=(0.1, None): convex(-log(x), x, second=1 / x**2),
    "boxes": lambda u=(0, 2), g=(-1, 1): boxes(0.5 + u**2 - u * g),
    "boxes with constants": lambda u=(0, 1): boxes(log(3) - 1 - u / 11 + sqrt(10) / 10**30),
    "boxes with a tail": lambda u=(0, 2): boxes(0.6 * exp(-(u**2) / 2) - normal_tail(u)),
    "two facts": lambda u=(0, None), v=(0, None): (zero(cosh(u) - tanh(u / 2) * sinh(u) - 1), nonnegative(v * sinh(u))),
}
UNPROVED = {
    "chord, narrower": lambda u=(0, None), s=(-1, 1): concave_between(
        cosh(u) + 0.98 * s * sinh(u) - exp(u * s), s, -1, 1, second=-(u**2) * exp(u * s)
    ),
    "Hoeffding, 2 % less": lambda u, γ=(-1, 1): double_zero(
        0.49 * u**2 - u * γ - ψ(u, γ), u, second=((sinh(u) - γ * cosh(u)) / (cosh(u) - γ * sinh(u))) ** 2 - 0.02
    ),
    "no identity": lambda u: zero(cosh(u) ** 2 - sinh(u) ** 2 - 1.001),
    "threshold too low": lambda z=(0.33, 1): nonnegative(4 / (5 - 3 * z) - 1),
    "not defined": lambda x=(-1, 1): convex(-log(x), x, second=1 / x**2),
    "not defined at an end": lambda x=(0, 1): nonnegative(-log(1 - x)),
    "pole": lambda x: nonnegative(1 / (x - 1) ** 2),
    "wrong certificate": lambda x=(0, None): single_zero(exp(x) - 1 - x, x, first=exp(x)),
    "concave": lambda x=(0.1, None): convex(log(x), x, second=-1 / x**2),
    "negative somewhere": lambda u=(0, 2), g=(-1, 1): boxes(0.2 + u**2 - u * g),
    "negative by less than the error of a float": lambda u=(0.3, 0.4): boxes(u - 0.3 - 1 / 10**18),
    "unbounded": lambda u: boxes(1 + u**2),
    "starts elsewhere": lambda x: single_zero(exp(x) - 1 - x, x, first=exp(x) - 1),
    "odd": lambda x: nonnegative(x**3),
}


@pytest.mark.parametrize("name", PROVED)
def test_proved(name):
    found = prove(PROVED[name], name)
    assert found.universal
    assert found.controls.refuted, "no near miss of the proof was false"
    assert found.controls.survived == []
    assert f"proved for all arguments: {name}" in found.line()


@pytest.mark.parametrize("name", UNPROVED)
def test_not_proved(name):
    with pytest.raises(Unproved):
        prove(UNPROVED[name])
