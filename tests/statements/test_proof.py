"""Facts: what is true is proved, a mutant of it is not, and those of proofs fail."""

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from statements import (
    Effort,
    Space,
    Unproved,
    boxes,
    check,
    concave_between,
    convex,
    cosh,
    double_zero,
    exp,
    log,
    nonnegative,
    normal_tail,
    prove,
    real,
    single_zero,
    sinh,
    sqrt,
    tanh,
    zero,
)
from tests.statements.spaces import ψ

PROVED = {
    "chord": lambda u=(0, None), s=(-1, 1): concave_between(
        cosh(u) + s * sinh(u) - exp(u * s), s, -1, 1, second=-(u**2) * exp(u * s)
    ),
    "Hoeffding": lambda u, γ=(-1, 1): double_zero(
        u**2 / 2 - u * γ - ψ(u, γ),
        u,
        second=((sinh(u) - γ * cosh(u)) / (cosh(u) - γ * sinh(u))) ** 2,
    ),
    "at log 2": lambda γ: zero(cosh(log(2)) - γ * sinh(log(2)) - (5 - 3 * γ) / 4),
    "rate": lambda u=(0, None), γ=(0, 1): nonnegative(
        sinh(u) / (cosh(u) - γ * sinh(u)) - tanh(u)
    ),
    "threshold": lambda z=(1 / 3, 1): nonnegative(4 / (5 - 3 * z) - 1),
    "tangent": lambda x=(0, None): single_zero(exp(x) - 1 - x, x, first=exp(x) - 1),
    "convex": lambda x=(0.1, None): convex(-log(x), x, second=1 / x**2),
    "boxes": lambda u=(0, 2), g=(-1, 1): boxes(0.5 + u**2 - u * g),
    "boxes with constants": lambda u=(0, 1): boxes(
        log(3) - 1 - u / 11 + sqrt(10) / 10**30
    ),
    "boxes with a tail": lambda u=(0, 2): boxes(
        0.6 * exp(-(u**2) / 2) - normal_tail(u)
    ),
    "two facts": lambda u=(0, None), v=(0, None): (
        zero(cosh(u) - tanh(u / 2) * sinh(u) - 1),
        nonnegative(v * sinh(u)),
    ),
}
UNPROVED = {
    "chord, narrower": lambda u=(0, None), s=(-1, 1): concave_between(
        cosh(u) + 0.98 * s * sinh(u) - exp(u * s), s, -1, 1, second=-(u**2) * exp(u * s)
    ),
    "Hoeffding, 2 % less": lambda u, γ=(-1, 1): double_zero(
        0.49 * u**2 - u * γ - ψ(u, γ),
        u,
        second=((sinh(u) - γ * cosh(u)) / (cosh(u) - γ * sinh(u))) ** 2 - 0.02,
    ),
    "no identity": lambda u: zero(cosh(u) ** 2 - sinh(u) ** 2 - 1.001),
    "threshold too low": lambda z=(0.33, 1): nonnegative(4 / (5 - 3 * z) - 1),
    "not defined": lambda x=(-1, 1): convex(-log(x), x, second=1 / x**2),
    "not defined at an end": lambda x=(0, 1): nonnegative(-log(1 - x)),
    "pole": lambda x: nonnegative(1 / (x - 1) ** 2),
    "wrong certificate": lambda x=(0, None): single_zero(
        exp(x) - 1 - x, x, first=exp(x)
    ),
    "concave": lambda x=(0.1, None): convex(log(x), x, second=-1 / x**2),
    "negative somewhere": lambda u=(0, 2), g=(-1, 1): boxes(0.2 + u**2 - u * g),
    "negative by less than the error of a float": lambda u=(0.3, 0.4): boxes(
        u - 0.3 - 1 / 10**18
    ),
    "unbounded": lambda u: boxes(1 + u**2),
    "starts elsewhere": lambda x: single_zero(exp(x) - 1 - x, x, first=exp(x) - 1),
    "odd": lambda x: nonnegative(x**3),
}


@pytest.mark.parametrize("name", PROVED)
def test_proved(name):
    outcome = prove(PROVED[name], name)
    assert outcome.universal
    assert outcome.controls.refuted, "no near miss of the proof was false"
    assert outcome.controls.words("survived") == []
    assert outcome.line().startswith("Proved for all ")
    assert outcome.line().endswith(f": {name}.")


@pytest.mark.parametrize("name", UNPROVED)
def test_not_proved(name):
    with pytest.raises(Unproved):
        prove(UNPROVED[name])


class Small(Space):
    u = real(0, 2)
    γ = real(-1, 1)
    gap = lambda u, γ: u**2 / 2 - u * γ - log(cosh(u) - γ * sinh(u))
    twice = lambda u: 2 * u


BEND = lambda u, γ: ((sinh(u) - γ * cosh(u)) / (cosh(u) - γ * sinh(u))) ** 2
WHOLE = lambda u=(0, None), γ=(-1, 1): double_zero(
    u**2 / 2 - u * γ - log(cosh(u) - γ * sinh(u)),
    u,
    second=((sinh(u) - γ * cosh(u)) / (cosh(u) - γ * sinh(u))) ** 2,
)
SHORT = lambda u=(0, 1), γ=(-1, 1): double_zero(
    u**2 / 2 - u * γ - log(cosh(u) - γ * sinh(u)),
    u,
    second=((sinh(u) - γ * cosh(u)) / (cosh(u) - γ * sinh(u))) ** 2,
)
FEW = Effort(samples=2000, exact=20, mutants=0)


@pytest.mark.parametrize(
    "printed",
    [
        lambda u, γ: log(cosh(u) - γ * sinh(u)) <= u**2 / 2 - u * γ,
        lambda u, γ: u**2 / 2 - u * γ >= log(cosh(u) - γ * sinh(u)),
        lambda gap: gap >= 0,
    ],
)
def test_facts_that_are_the_statement_prove_it(printed):
    outcomes = check(
        Small, rng=np.random.default_rng(1), printed=printed, proof=WHOLE, effort=FEW
    )
    assert outcomes[1].line() == "Proved for all u >= 0, γ in [-1, 1]: the statement."


@pytest.mark.parametrize(
    ("printed", "proof"),
    [
        (
            lambda u, γ: exp(u) >= 1 + γ,
            lambda y=(0, None): single_zero(exp(y) - 1, y, first=exp(y)),
        ),  # other names
        (
            lambda u, γ: exp(u) + γ >= 0,
            lambda u=(0, None): single_zero(exp(u) - 1, u, first=exp(u)),
        ),  # something else
        (lambda gap: gap >= 0, SHORT),  # not for all of the space
        (lambda gap: gap > 0, WHOLE),  # not strict
        (lambda gap, u: (gap >= 0, exp(u) >= 1), WHOLE),  # one part of two
        (lambda gap, u: gap >= 0 or u >= 1, WHOLE),  # no conjunction
        (
            lambda u, twice: 2 * u == twice,
            lambda u=(0, None): nonnegative(u**2),
        ),  # an equation needs an identity
    ],
)
def test_facts_that_are_less_need_the_name_of_the_step(printed, proof):
    with pytest.raises(Unproved, match="part="):
        check(
            Small,
            rng=np.random.default_rng(1),
            printed=printed,
            proof=proof,
            effort=FEW,
        )
    outcomes = check(
        Small,
        rng=np.random.default_rng(1),
        printed=printed,
        proof=proof,
        part="a step",
        effort=FEW,
    )
    assert outcomes[1].line().endswith(": a step.")


def twice(u):
    return u + u


def test_an_identity_is_proved_by_zero():
    printed = lambda u, twice: twice == 2 * u
    outcomes = check(
        Small,
        rng=np.random.default_rng(1),
        printed=printed,
        proof=lambda u: zero(twice(u) - 2 * u),
        effort=FEW,
    )
    assert outcomes[1].universal
    with pytest.raises(Unproved, match="part="):
        check(
            Small,
            rng=np.random.default_rng(1),
            printed=printed,
            proof=lambda v: zero(v - v),
            effort=FEW,
        )


def test_proofs_in_several_threads_do_not_take_each_others_facts():
    names = ["chord", "tangent", "convex", "two facts"]

    def judged(name):
        return prove(PROVED[name], name).line()

    alone = [judged(name) for name in names]
    saved = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(judged, names * 3))
    finally:
        sys.setswitchinterval(saved)
    assert together == alone * 3
