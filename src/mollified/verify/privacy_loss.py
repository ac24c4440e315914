r"""Checks of the sentence that equates $(\varepsilon,\delta)$-DP with a loss bounded with probability $1-\delta$.

Sufficient, not necessary. Exactly: $\delta(\varepsilon)=\mathbb E[(1-e^{\varepsilon-c})_+]$, c the loss of a draw.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Literal

import numpy as np

from mollified._validate import Array, check_count, check_fraction, check_trials
from mollified.adversary import search_worst
from mollified.checks import Check, Tally
from mollified.instances import random_law

__all__ = ["loss_climb", "loss_form", "loss_sweep"]

ONE = Fraction(1)
#: What rounding may take from a margin: sums of at most 8 terms below 30, relative to 1.
ROUNDING = 1e-12
Direction = Literal["necessary", "sufficient"]
Form = Literal["equal", "tail", "capped"]


def _choice(name: str, value: object, *words: str) -> None:
    if not isinstance(value, str) or value not in words:
        raise ValueError(f"{name} must be {' or '.join(words)}, got {value!r}")


def loss_form(rng: np.random.Generator, instances: int, *, form: Form, claimed: Fraction = ONE) -> Check:
    r"""Check the two statements that replace the printed one, on random pairs of laws, zeros included, exactly.

    "equal": $\max_S(P(S)-e^\varepsilon P'(S))$, over all subsets, is $\mathbb E_P[(1-e^{\varepsilon-c})_+]$; "tail":
    $P[c>\varepsilon']\le\delta/(1-e^{\varepsilon-\varepsilon'})$ for that delta and $\varepsilon'>\varepsilon$, with
    near equality in every third instance; "capped": $\delta\le P[c>\varepsilon](1-e^{\varepsilon-\max c})$,
    infinite losses included (the exercise). `claimed` is that share of the right side.
    """
    rng, instances = check_trials(rng, instances)
    _choice("form", form, "equal", "tail", "capped")
    share, tally = check_fraction("claimed", claimed, above=0), Tally("exact")
    for index in range(instances):
        size = int(rng.integers(2, 5))
        level = 1 + Fraction(int(rng.integers(0, 200)), 100)
        above = level * (1 + Fraction(int(rng.integers(1, 300)), 100))
        two = random_law(rng, size, spread=5)
        one = random_law(rng, size, spread=5)
        if index % 3 == 0:  # one set with ratio a little above e^eps', the rest below
            mass = Fraction(1, 2) / above
            two = (mass, ONE - mass)
            one = (mass * above * Fraction(1001, 1000), ONE - mass * above * Fraction(1001, 1000))
        elif index % 3 == 1:  # an output that is impossible under the second law
            one, two = (*(p / 2 for p in one), Fraction(1, 2)), (*two, Fraction(0))
        gaps = [p - level * q for p, q in zip(one, two, strict=True)]
        best = max(sum(chosen, Fraction(0)) for r in range(len(gaps) + 1) for chosen in combinations(gaps, r))
        if form == "equal":
            # e^{eps - c} = e^eps q / p
            mean = sum(
                (p * max(Fraction(0), 1 - level * q / p) for p, q in zip(one, two, strict=True) if p > 0), ONE * 0
            )
            slack, held = -abs(best - share * mean), best == share * mean
        elif form == "capped":
            ratios = [q / p for p, q in zip(one, two, strict=True) if p > 0]
            exceed = sum((p for p, q in zip(one, two, strict=True) if p > level * q), Fraction(0))
            slack = share * exceed * (1 - level * min(ratios)) - best
            held = slack >= 0
        else:
            exceed = sum((p for p, q in zip(one, two, strict=True) if p > above * q), Fraction(0))
            slack = share * best / (1 - level / above) - exceed
            held = slack >= 0
        tally.add(float(slack), decided=held, P=one, P2=two, exp_eps=level, exp_eps_above=above)
    return tally.check()


def _float_margin(one: Array, two: Array, eps: Array, above: Array, form: Form, share: float) -> Array:
    """Return the margins of `loss_form` for rows of laws (N, s) and levels (N,)."""
    gap = one - np.exp(eps)[:, None] * two
    masks = np.array(list(product((0.0, 1.0), repeat=one.shape[1])))
    best = (gap @ masks.T).max(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = np.where(one > 0, np.log(one) - np.log(two), -np.inf)
    if form == "equal":
        mean = (one * np.clip(1 - np.exp(np.minimum(eps[:, None] - loss, 0.0)), 0.0, None)).sum(axis=1)
        return np.asarray(-np.abs(best - share * mean))
    exceed = np.where(loss > above[:, None], one, 0.0).sum(axis=1)
    return np.asarray(share * best / -np.expm1(eps - above) - exceed)


def _outcome(margin: Array, one: Array, two: Array, eps: Array, above: Array) -> Check:
    worst, failed = int(margin.argmin()), int((margin < -ROUNDING).sum())
    values = {
        "P": str(one[worst].tolist()),
        "P2": str(two[worst].tolist()),
        "eps": repr(float(eps[worst])),
        "eps_above": repr(float(above[worst])),
    }
    return Check(
        instances=len(margin),
        violations=failed,
        worst_slack=float(margin[worst]),
        arithmetic="float",
        tolerance=ROUNDING,
        counterexample=values if failed else None,
    )


def loss_sweep(rng: np.random.Generator, instances: int, *, form: Form, claimed: Fraction = ONE) -> Check:
    r"""Check `loss_form` on random laws on six points, all at once, in floats: tolerance 1e-12.

    Atoms down to $e^{-12}$, one in ten of P' zero; eps from 0 to 3, eps' up to 3 above. In a third of the rows the loss
    has two values, one just above eps'.
    """
    rng, instances = check_trials(rng, instances)
    _choice("form", form, "equal", "tail")
    share = float(check_fraction("claimed", claimed, above=0))
    spread = rng.choice([0.5, 3.0, 12.0], size=(instances, 1))
    one, two = (np.exp(-spread * rng.random((instances, 6))) for _ in range(2))
    two = np.where(rng.random((instances, 6)) < 0.1, 0.0, two)
    two[:, 0] = np.maximum(two[:, 0], 1e-6)
    eps, gap = 3 * rng.random(instances), 0.01 + 3 * rng.random(instances)
    edge = np.arange(instances) % 3 == 0
    high = 0.9 * rng.random(instances) + 0.05
    one, two = one / one.sum(axis=1, keepdims=True), two / two.sum(axis=1, keepdims=True)
    one[edge] = np.stack([high, 1 - high, *([np.zeros(instances)] * 4)], axis=1)[edge]
    low = high * np.exp(-(eps + gap) * (1 + 1e-3))
    two[edge] = np.stack([low, 1 - low, *([np.zeros(instances)] * 4)], axis=1)[edge]
    margin = _float_margin(one, two, eps, eps + gap, form, share)
    return _outcome(margin, one, two, eps, eps + gap)


def loss_climb(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE, starts: int = 4000) -> Check:
    r"""Search for the pair of laws that comes closest to the bound on $P[c>\varepsilon']$, relative to it, in floats.

    Three points; the margin is (bound - tail)/bound where the tail is positive. `instances` is the number of starts
    refined by Nelder-Mead. Tolerance 1e-12.
    """
    rng, instances = check_trials(rng, instances)
    starts = check_count("starts", starts)
    share = float(check_fraction("claimed", claimed, above=0))

    def decode(z: Array) -> tuple[Array, Array, Array, Array]:
        one, two = (np.exp(np.clip(part, -20, 20)) for part in (z[:, :3], z[:, 3:6]))
        eps = 3 / (1 + np.exp(-z[:, 6]))
        above = eps + 0.01 + 3 / (1 + np.exp(-z[:, 7]))
        return one / one.sum(axis=1, keepdims=True), two / two.sum(axis=1, keepdims=True), eps, above

    def margin(z: Array) -> Array:
        one, two, eps, above = decode(z)
        slack = _float_margin(one, two, eps, above, "tail", share)
        exceed = np.where(np.log(one) - np.log(two) > above[:, None], one, 0.0).sum(axis=1)
        return np.where(exceed > 1e-6, slack / np.maximum(exceed + slack, 1e-12), np.inf)

    found = search_worst(margin, 8, rng, starts=max(starts, instances), refine=instances, spread=2.0)
    one, two, eps, above = decode(found.point[np.newaxis, :])
    failed = int((found.refined < -ROUNDING).sum())
    single = _outcome(np.array([found.margin]), one, two, eps, above)
    return Check(
        instances=len(found.refined),
        violations=failed,
        worst_slack=found.margin,
        arithmetic="float",
        tolerance=ROUNDING,
        counterexample=single.counterexample,
    )
