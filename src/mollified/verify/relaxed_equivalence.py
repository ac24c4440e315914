r"""Checks of Theorem 5: the bootstrapping mechanism as a relaxed exponential mechanism, its law and its m.

$a=1/(n+k|\Sigma|)$, $\lambda=\log\frac{k+1}k$; $\varepsilon$ is a rational multiple of $\lambda$, so that the printed
m is rational. Source: bootstrapping paper, Theorem 5, (63), (64).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

import numpy as np

from mollified._validate import _echo, check_trials
from mollified.bootstrap_mechanism import smoothed_law
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel
from mollified.relaxed_exponential import formula_share, log_sign
from mollified.verify.relaxed_sensitivity import _formula, _letter, _small

__all__ = ["equivalence", "selection", "whole_records"]

Scale = Literal["formula", "definition"]


def equivalence(rng: np.random.Generator, instances: int, *, scale: Scale) -> Check:
    r"""Check Theorem 5 with $\varepsilon=2m(2\gamma+a)\lambda$, so that the printed m is whole: both laws are the same.

    "definition": $\Delta u_\delta$ is computed from the typical outputs of the data set; the mechanism then draws from
    $h^s/\sum h^s$, $s=(2\gamma+a)\lambda/\Delta u_\delta$, which is h only for s = 1 or equal entries (decided
    exactly).
    "formula": $\Delta u_\delta$ is set to (62), s = 1. First instance: one record, two symbols, k = 1, m = 3,
    $\gamma=\frac56$, s = 2. Raises ValueError for another scale.
    """
    rng, instances = check_trials(rng, instances)
    if scale not in ("formula", "definition"):
        raise ValueError(f"scale must be formula or definition, got {_echo(scale)}")
    tally = Tally("exact", keep="first")
    for index in range(instances):
        n, size, k, gamma, m = _small(rng) if index else (1, 2, 1, Fraction(5, 6), 3)
        counts = rng.multinomial(n, [1 / size] * size).tolist() if index else [1, 0]
        share = formula_share(n, size, k, gamma)
        change = _letter(counts, k, gamma, m)
        if change is None or log_sign(change.terms) == 0:
            continue  # no typical output, or one whose score never changes: the definition gives no mechanism
        terms = [(share, Fraction(k + 1, k))] if scale == "formula" else change.terms
        law = smoothed_law(counts, k)
        same = log_sign([*terms, _formula(k, share)]) == 0 or len(set(law)) == 1
        size_of_scale = float(share) * math.log1p(1 / k) if scale == "formula" else change.value
        power = float(share) * math.log1p(1 / k) / size_of_scale
        whole = Fraction(round(power))
        top = max(law)
        exact = abs(power - float(whole)) < 1e-12 and log_sign(
            [(whole * c, b) for c, b in terms] + [_formula(k, share)]
        )
        other: Fraction | float = float(top) ** power / sum(float(h) ** power for h in law)
        if exact == 0:
            other = top ** int(whole) / sum(h ** int(whole) for h in law)
        tally.add(
            -abs(float(top) ** m - float(other) ** m),
            decided=same,
            counts=counts,
            k=k,
            m=m,
            gamma=gamma,
            eps_over_lambda=2 * m * share,
            constant_by_bootstrap=top**m,
            constant_by_definition=other**m,
        )
    return tally.check()


def selection(rng: np.random.Generator, instances: int, *, matched: bool) -> Check:
    r"""Check (63): with $t=\varepsilon/(2(2\gamma+a)\lambda)$, $e^{-t[\mathcal H+\operatorname{KL}]}$ is a probability.

    Exact. It is $P^{s}$, s = t/m, P the bootstrap's, and sums to $(\sum h^s)^m$, which is 1 only for s = 1.
    `matched` takes t = m. First instance: one record, two symbols, k = 1, m = 1, t = 2.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        n, size, k, _, m = _small(rng)
        power = 1 if matched else int(rng.integers(1, 4))
        counts: Sequence[int] = rng.multinomial(n, [1 / size] * size).tolist()
        if index == 0 and not matched:
            counts, k, m, power = [1, 0], 1, 1, 2
        law = smoothed_law(counts, k)
        total = sum(h**power for h in law) ** m
        printed, true = max(law) ** (m * power), max(law) ** (m * power) / total
        tally.add(
            -abs(float(total) - 1),
            decided=printed == true,
            counts=counts,
            k=k,
            m=m,
            t=m * power,
            printed=printed,
            normalised=true,
        )
    return tally.check()


def whole_records(rng: np.random.Generator, instances: int, *, rational: bool) -> Check:
    r"""Check that the printed m of Theorem 5 is no whole number where $\varepsilon$ (`rational`) is rational. Exact.

    m is whole only if $e^{\varepsilon}=(\frac{k+1}k)^{2m(2\gamma+a)}$; the left side is transcendental, the right side
    algebraic. The two whole numbers next to the printed m are tried. With `rational` False $\varepsilon$ is a multiple
    of $\lambda$, for which the printed m can be whole.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for _ in range(instances):
        n, size, k, gamma, m = _small(rng)
        share = formula_share(n, size, k, gamma)
        eps = Fraction(int(rng.integers(1, 400)), 100)
        printed = float(eps) / (2 * float(share) * math.log1p(1 / k)) if rational else float(m)
        for whole in {max(1, math.floor(printed)), math.ceil(printed)}:
            power = 2 * whole * share
            if rational:
                # e^(eps q) against ((k+1)/k)^p, power = p/q
                level = ExactLevel(eps=eps * power.denominator)
                equal = level.compare(Fraction(k + 1, k) ** power.numerator) == 0
            else:
                equal = whole == m
            values = {"eps": eps} if rational else {"eps_over_lambda": 2 * m * share}
            tally.add(
                0.0 if not equal else -1.0, decided=not equal, n=n, size=size, k=k, gamma=gamma, m=whole, **values
            )
    return tally.check()
