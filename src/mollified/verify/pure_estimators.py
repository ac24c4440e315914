r"""Checks of what pure-DP estimators are worth at (eps, delta): the histograms of Table 1 as usually described.

A release that is $(\varepsilon_0,0)$-DP is $(\varepsilon,\delta)$-DP for every $\varepsilon\le\varepsilon_0$ with
$\delta=(e^{\varepsilon_0}-e^\varepsilon)/(1+e^{\varepsilon_0})$, and no smaller one in general. Laws are finite; levels
are given by rational $e^\varepsilon$.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mollified._validate import Array, _echo, check_count, check_eps, check_fraction, check_rng
from mollified.adversary import search_worst
from mollified.checks import Check, Tally
from mollified.instances import random_fraction, random_law

__all__ = ["only_pure", "pure_floats", "pure_is_approximate", "pure_search", "spent_delta"]

Laws = tuple[list[Fraction], list[Fraction]]


def _smoothed() -> Laws:
    """Return the smoothed histogram of one record, two bins, k = 1, m = 2, by the number of ones."""
    law = [Fraction(4, 9), Fraction(4, 9), Fraction(1, 9)]
    return law, law[::-1]


def _perturbed() -> Laws:
    r"""Return geometric noise, q = 1/2, on both counts of one record, by the loss: 2 log 2, 0, -2 log 2.

    A noise x has probability $\frac13 2^{-|x|}$; x <= 0 has probability 2/3.
    """
    near = Fraction(2, 3)
    law = [near**2, 2 * near * (1 - near), (1 - near) ** 2]
    return law, law[::-1]


def _exponential() -> Laws:
    r"""Return the exponential mechanism for one record, two bins, one released record, $e^{n\varepsilon/2}=4$."""
    law = [Fraction(4, 5), Fraction(1, 5)]
    return law, law[::-1]


ESTIMATORS = {"smoothed": _smoothed, "perturbed": _perturbed, "exponential": _exponential}


def _spent(laws: Laws, exp_eps: Fraction) -> Fraction:
    """Return the exact delta in the worse direction."""
    one, two = laws
    return max(
        sum((max(p - exp_eps * q, Fraction(0)) for p, q in zip(*pair, strict=True)), Fraction(0))
        for pair in ((one, two), (two, one))
    )


def spent_delta(estimator: str, exp_eps: Fraction) -> Fraction:
    """Return the exact delta at log exp_eps of one of the small estimators of `only_pure`.

    Raises ValueError or TypeError for another name, or exp_eps <= 1.
    """
    if estimator not in ESTIMATORS:
        raise ValueError(f"estimator must be one of {', '.join(ESTIMATORS)}, got {_echo(estimator)}")
    exp_eps = check_fraction("exp_eps", exp_eps)
    if exp_eps <= 1:
        raise ValueError(f"exp_eps must be > 1, got {exp_eps!r}")
    return _spent(ESTIMATORS[estimator](), exp_eps)


def only_pure(*, exp_eps: Fraction = Fraction(3), delta: Fraction = Fraction(1, 5)) -> Check:
    r"""Check that an estimator of the table that is not (eps, 0)-DP is not (eps, delta)-DP either.

    Exact; one small instance of each of three estimators, each with losses of exactly log 4 at most and attained: so
    none is (log 3, 0)-DP. With delta = 0 the statement holds. Raises ValueError or TypeError unless exp_eps > 1 and
    0 <= delta < 1.
    """
    exp_eps, delta = check_fraction("exp_eps", exp_eps), check_fraction("delta", delta)
    if exp_eps <= 1:
        raise ValueError(f"exp_eps must be > 1, got {exp_eps!r}")
    if not 0 <= delta < 1:
        raise ValueError(f"delta must lie in [0, 1), got {delta!r}")
    tally = Tally("exact", keep="first")
    for name, make in ESTIMATORS.items():
        laws = make()
        spent = _spent(laws, exp_eps)
        if spent == 0:
            continue  # it is (eps, 0)-DP: not an instance
        tally.add(
            float(spent - delta),
            decided=spent > delta,
            estimator=name,
            exp_eps=exp_eps,
            delta=spent,
            law=laws[0],
            neighbour=laws[1],
        )
    return tally.check()


def _promised(exp_pure: Fraction, exp_eps: Fraction) -> Fraction:
    return (exp_pure - exp_eps) / (1 + exp_pure)


def pure_is_approximate(rng: np.random.Generator, tries: int, *, claimed: Fraction = Fraction(1)) -> Check:
    r"""Check exactly that laws within $e^{\varepsilon_0}$ of each other are close at (eps, delta), delta as above.

    The pure level is that of the two laws, read off exactly. First comes a pair that attains delta, which `claimed`
    multiplies. Raises ValueError or TypeError for a bad rng, tries < 1, or claimed < 0.
    """
    rng, tries, claimed = check_rng("rng", rng), check_count("tries", tries), check_fraction("claimed", claimed)
    if claimed < 0:
        raise ValueError(f"claimed must be >= 0, got {claimed!r}")
    tally = Tally("exact", keep="first")

    def add(one: list[Fraction], two: list[Fraction], share: Fraction) -> None:
        exp_pure = max(max(p / q, q / p) for p, q in zip(one, two, strict=True))
        if exp_pure == 1:
            return
        exp_eps = 1 + share * (exp_pure - 1)
        slack = claimed * _promised(exp_pure, exp_eps) - _spent((one, two), exp_eps)
        tally.add(float(slack), decided=slack >= 0, law=one, neighbour=two, exp_eps=exp_eps, exp_pure=exp_pure)

    add(*_exponential(), Fraction(2, 3))
    while tally.instances < tries:
        size = int(rng.integers(2, 6))
        share = random_fraction(rng, Fraction(0), Fraction(63, 64))
        add(list(random_law(rng, size)), list(random_law(rng, size)), share)
    return tally.check()


def _margins(logits: Array, claimed: float) -> Array:
    """Return claimed times the promised delta less the spent one, for rows: two laws by logits, and the share."""
    size = (logits.shape[1] - 1) // 2
    raw = np.clip(logits, -30, 30)
    one, two = (np.exp(part) / np.exp(part).sum(axis=1, keepdims=True) for part in (raw[:, :size], raw[:, size:-1]))
    pure = np.abs(np.log(one) - np.log(two)).max(axis=1)
    eps = pure / (1 + np.exp(-raw[:, -1]))
    spent = [np.maximum(p - np.exp(eps)[:, None] * q, 0).sum(axis=1) for p, q in ((one, two), (two, one))]
    # (e^a - e^b)/(1 + e^a), stable for large a
    promised = -np.expm1(eps - pure) / (1 + np.exp(-pure))
    return np.asarray(claimed * promised - np.maximum(*spent))


def pure_floats(rng: np.random.Generator, tries: int, *, claimed: float = 1.0) -> Check:
    """Check `pure_is_approximate` in floats on random pairs of laws on 2 to 5 symbols, vectorised.

    First of each size comes a pair that attains the bound up to 1e-12. Tolerance 1e-13: sums of at most 5 products
    of numbers of relative error 1e-14, each at most 1. Raises ValueError or TypeError for a bad rng, tries < 1 or
    claimed <= 0.
    """
    rng, tries = check_rng("rng", rng), check_count("tries", tries)
    scale = check_eps("claimed", claimed)
    tally = Tally("float", tolerance=1e-13)
    for size in range(2, 6):
        rows = rng.normal(size=(tries // 4 + 1, 2 * size + 1)) * rng.exponential(2.0, (tries // 4 + 1, 1))
        rows[0] = 0.0  # two outputs exchanged attain the bound
        rows[0, [0, size + 1]] = 30.0
        for margin, row in zip(_margins(rows, scale).tolist(), rows, strict=True):
            tally.add(margin, logits=row.tolist() if margin < -1e-13 else "")
    return tally.check()


def pure_search(rng: np.random.Generator, starts: int, *, claimed: float = 1.0) -> Check:
    """Search adversarially for a pair of laws that violates `pure_is_approximate`, on 2, 3 and 4 symbols.

    An instance is a search. Raises as `pure_floats`.
    """
    rng, starts = check_rng("rng", rng), check_count("starts", starts)
    scale = check_eps("claimed", claimed)
    tally = Tally("float", tolerance=1e-13)
    for size in (2, 3, 4):
        found = search_worst(
            lambda rows: _margins(rows, scale), 2 * size + 1, rng, starts=starts, refine=6, evaluations=300
        )
        tally.add(float(found.margin), size=size, point=found.point.tolist())
    return tally.check()
