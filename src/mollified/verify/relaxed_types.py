r"""Checks of the method of types for the bootstrapping mechanism: Lemma 2, the most probable outputs, the decay rate.

Laws are $h_i=(n_i+k)/(n+k|\Sigma|)$, types $h^*_i=j_i/m$; then $e^{-m\mathcal H(h^*)}=\prod(h^*_i)^{j_i}$ and
$e^{-m\operatorname{KL}(h^*\|h)}=\prod(h_i/h^*_i)^{j_i}$ are rationals. Source: bootstrapping paper, section 5.2,
Appendix E.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

import numpy as np
from flint import ctx

from mollified._validate import check_fraction, check_trials
from mollified.ball_mbde import BITS, ball
from mollified.bootstrap_mechanism import smoothed_law
from mollified.checks import Check, Tally
from mollified.exact_level import Law

__all__ = [
    "canonical_instance",
    "decay_rate",
    "divergence_defined",
    "entropy_cancels",
    "most_probable",
    "response_formula",
    "type_probability",
    "typical_mass",
]

ONE = Fraction(1)


def _types(size: int, m: int) -> Iterator[tuple[int, ...]]:
    """Return all rows of `size` counts with total m."""
    if size == 1:
        yield (m,)
        return
    for first in range(m + 1):
        for rest in _types(size - 1, m - first):
            yield (first, *rest)


def _counts(rng: np.random.Generator, most: int = 6) -> tuple[list[int], int]:
    """Return random counts on 2 to 4 symbols, often zero, and a pseudocount."""
    size = int(rng.integers(2, 5))
    counts = [int(rng.integers(most)) * int(rng.integers(2)) for _ in range(size)]
    counts[int(rng.integers(size))] += 1
    return counts, int(rng.integers(1, 4))


def _entropy_factor(drawn: Sequence[int]) -> Fraction:
    r"""Return $e^{-m\mathcal H}$ of the type; $0^0=1$."""
    return math.prod((Fraction(j, sum(drawn)) ** j for j in drawn), start=ONE)


def _divergence_factor(drawn: Sequence[int], law: Law) -> Fraction:
    r"""Return $e^{-m\operatorname{KL}(h^*\|h)}$."""
    pairs = zip(drawn, law, strict=True)
    return math.prod(((h / Fraction(j, sum(drawn))) ** j for j, h in pairs if j), start=ONE)


def _class_size(drawn: Sequence[int]) -> int:
    return math.factorial(sum(drawn)) // math.prod(math.factorial(j) for j in drawn)


def type_probability(rng: np.random.Generator, instances: int, *, entropy: bool = True) -> Check:
    r"""Check Lemma 2 on every data set of m records: its probability, drawn record by record, is (38). Exact.

    `entropy` False drops $\mathcal H$, which leaves (up to a polynomial factor) the probability of the whole type.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        counts, k = _counts(rng)
        m = int(rng.integers(1, 5))
        law, smoothed = smoothed_law(counts, k), [count + k for count in counts]
        for data in product(range(len(counts)), repeat=m):
            by_draws = Fraction(math.prod(smoothed[x] for x in data), sum(smoothed) ** m)
            drawn = [data.count(symbol) for symbol in range(len(counts))]
            formula = _divergence_factor(drawn, law) * (_entropy_factor(drawn) if entropy else 1)
            tally.add(-float(abs(by_draws - formula)), decided=by_draws == formula, counts=counts, k=k, data=data)
    return tally.check()


def divergence_defined(rng: np.random.Generator, instances: int, *, swap: bool = False) -> Check:
    r"""Check that $\mathcal H$ and $\operatorname{KL}(h^*\|h)$ of types are finite, >= 0, and 0 where they should be.

    Exact, by $0<e^{-m\mathcal H}\le1$ and $0<e^{-m\operatorname{KL}}\le1$ with equality if and only if the type is a
    point,
    or the law. `swap` asks for $\operatorname{KL}(h\|h^*)$, which is infinite where a symbol was not drawn.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for index in range(instances):
        counts, k = _counts(rng)
        law = smoothed_law(counts, k)
        drawn: Sequence[int] = rng.multinomial(int(rng.integers(1, 9)), [1 / len(counts)] * len(counts)).tolist()
        if index % 3 == 0:
            drawn = [count + k for count in counts]
        entropy, divergence = _entropy_factor(drawn), _divergence_factor(drawn, law)
        if swap and 0 in drawn:
            divergence = Fraction(0)  # e to the minus infinity
        same = all(Fraction(j, sum(drawn)) == h for j, h in zip(drawn, law, strict=True))
        good = 0 < entropy <= 1 and 0 < divergence <= 1
        good = good and (entropy == 1) == (max(drawn) == sum(drawn)) and (divergence == 1) == same
        slack = float(min(1 - entropy, 1 - divergence)) if good else -1.0
        tally.add(slack, decided=good, counts=counts, k=k, drawn=drawn)
    return tally.check()


def most_probable(rng: np.random.Generator, instances: int, *, classes: bool) -> Check:
    r"""Check that the type of the smoothed data, $j=mh$ integral, has the highest probability. Exact, over all types.

    `classes` compares type classes, for which it is true; without it single data sets are compared, the other reading.
    That constant data sets of a most frequent value are the most probable single ones is checked as well. First
    instance: counts (1, 0), k = 1, m = 3, so h = (2, 1)/3.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        counts, k = _counts(rng, most=3) if index else ([1, 0], 1)
        law, own = smoothed_law(counts, k), [count + k for count in counts]
        shrink = math.gcd(*own)
        times = int(rng.integers(1, 3)) if sum(own) < 8 else 1
        own = [times * count // shrink for count in own] if index else own
        if sum(own) > 12:
            continue
        chance, largest = {}, Fraction(0)
        for drawn in _types(len(own), sum(own)):
            single = math.prod((h**j for h, j in zip(law, drawn, strict=True)), start=ONE)
            chance[drawn], largest = single * (_class_size(drawn) if classes else 1), max(largest, single)
        best = max(chance, key=lambda drawn: chance[drawn])
        rival = max(value for drawn, value in chance.items() if drawn != tuple(own))
        mine = chance[tuple(own)]
        tally.add(
            float(mine - rival),
            decided=mine >= rival and largest == max(law) ** sum(own),
            counts=counts,
            k=k,
            own=own,
            own_chance=mine,
            best=best,
            best_chance=chance[best],
        )
    return tally.check()


def decay_rate(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check $(m+1)^{-|\Sigma|}e^{-cm\operatorname{KL}}\le P[\text{type}]\le e^{-cm\operatorname{KL}}$ with c = 1.

    Exact, by powers. Both sides together say that $-\frac1m\log P$ tends to KL. `claimed` is c.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for index in range(instances):
        counts, k = _counts(rng)
        law, m = smoothed_law(counts, k), int(rng.integers(1, 400))
        drawn: Sequence[int] = rng.multinomial(m, rng.dirichlet([0.5] * len(counts))).tolist()
        if index % 4 == 0:
            drawn = [m, *[0] * (len(counts) - 1)]
        chance = _class_size(drawn) * math.prod((h**j for h, j in zip(law, drawn, strict=True)), start=ONE)
        power, root = claimed.numerator, claimed.denominator
        upper = _divergence_factor(drawn, law) ** power
        polynomial = Fraction(1, (m + 1) ** len(counts)) ** root
        chance_power = chance**root
        good = upper * polynomial <= chance_power <= upper
        logs = [math.log(x.numerator) - math.log(x.denominator) for x in (upper, polynomial, chance_power)]
        slack = min(logs[0] - logs[2], logs[2] - logs[0] - logs[1]) / (m * root)
        tally.add(slack, decided=good, counts=counts, k=k, drawn=drawn)
    return tally.check()


def typical_mass(rng: np.random.Generator, instances: int, *, rate: Fraction = Fraction(1, 2)) -> Check:
    r"""Check $P[D^*\notin T_{[\tilde D],\gamma}]\le2e^{-cm\gamma^2}$, c = 1/2 as for $m=L$; the mass is summed exactly.

    Certified. Every third instance has m = 1 and two equal symbols; `rate` is c.
    """
    rng, instances = check_trials(rng, instances)
    rate = check_fraction("rate", rate, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for index in range(instances):
            counts, k = _counts(rng) if index % 3 else ([1, 1], 1)
            m = int(rng.integers(1, 11 if len(counts) < 4 else 7)) if index % 3 else 1
            gamma = Fraction(int(rng.integers(1, 64)), 64) if index % 3 else Fraction(499, 1000)
            law = smoothed_law(counts, k)
            outside = Fraction(0)
            for drawn in _types(len(counts), m):
                if any(abs(Fraction(j, m) - h) > gamma for j, h in zip(drawn, law, strict=True)):
                    chance = math.prod((h**j for h, j in zip(law, drawn, strict=True)), start=ONE)
                    outside += _class_size(drawn) * chance
            bound = 2 * (-ball(rate * m * gamma**2)).exp()
            slack = bound - ball(outside)
            tally.add(float(slack.mid()), decided=bool(slack > 0), counts=counts, k=k, m=m, gamma=gamma)
    return tally.check()


def entropy_cancels(rng: np.random.Generator, instances: int, *, reverse: bool = False) -> Check:
    r"""Check (42): the change of the score between neighbours is the difference of the two divergences. Exact.

    $e^{m(u(D)-u(D'))}$ is computed from draws, the right side from the divergences; `reverse` takes the divergences of
    the laws from the type, $\sum h\log(h/h^*)$, over the symbols drawn.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        counts, k = _counts(rng)
        size, giver = len(counts), int(np.argmax(counts))
        other = list(counts)
        other[giver] -= 1
        other[(giver + 1 + int(rng.integers(size - 1))) % size] += 1
        one, two = smoothed_law(counts, k), smoothed_law(other, k)
        drawn: Sequence[int] = rng.multinomial(int(rng.integers(1, 9)), [1 / size] * size).tolist()
        left = math.prod(((a / b) ** j for a, b, j in zip(one, two, drawn, strict=True)), start=ONE)
        right = _divergence_factor(drawn, one) / _divergence_factor(drawn, two)
        if reverse:
            right = 1 / right
        slack = -abs(float(left) - float(right))
        tally.add(slack, decided=left == right, counts=counts, other=other, k=k, drawn=drawn)
    return tally.check()


def response_formula(rng: np.random.Generator, instances: int, *, second: bool = True) -> Check:
    r"""Check $\Delta u(D^*)=\max_{i\ne j}(h^*_i\log\frac{k+1}k-h^*_j\log\frac{n+k}{n+k-1})$ over all pairs.

    Exact, as $e^{m\Delta u}$, by enumeration of the pairs. `second` False drops the second term.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        size, n, k, m = (int(rng.integers(low, high)) for low, high in ((2, 4), (1, 5), (1, 4), (1, 9)))
        drawn: Sequence[int] = rng.multinomial(m, [1 / size] * size).tolist()
        largest, stated = ONE, ONE
        for giver, taker in product(range(size), repeat=2):
            if giver == taker:
                continue
            least = Fraction(n + k - 1, n + k) ** drawn[taker] if second else ONE
            stated = max(stated, (1 + Fraction(1, k)) ** drawn[giver] * least)
            for counts in _types(size, n):
                if counts[giver]:
                    up, down = counts[giver] + k, counts[taker] + k
                    ratio = Fraction(up, up - 1) ** drawn[giver] * Fraction(down, down + 1) ** drawn[taker]
                    largest = max(largest, ratio, 1 / ratio)
        tally.add(-abs(float(largest - stated)), decided=largest == stated, size=size, n=n, k=k, drawn=drawn)
    return tally.check()


def canonical_instance(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that the mechanism is the exponential mechanism at $\varepsilon=2m\lambda$.

    $\Delta u=\lambda$ over all outputs and pairs, by enumeration, compared exactly: $e^{m\Delta u}=(1+\frac1k)^m$.
    Then the weights $e^{\varepsilon u/(2\Delta u)}$ are $e^{mu}$, which sum to 1: the probabilities of the draws.
    Exact. `claimed` states that share of $\Delta u$.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for _ in range(instances):
        size, n, k, m = (int(rng.integers(low, high)) for low, high in ((2, 4), (1, 4), (1, 4), (1, 4)))
        largest, one = ONE, True
        for counts in _types(size, n):
            law = smoothed_law(counts, k)
            weights = [
                (_class_size(drawn), _entropy_factor(drawn) * _divergence_factor(drawn, law))
                for drawn in _types(size, m)
            ]
            one = one and sum(many * weight for many, weight in weights) == 1
            for giver, taker in product(range(size), repeat=2):
                if giver == taker or not counts[giver]:
                    continue
                moved = [c - (i == giver) + (i == taker) for i, c in enumerate(counts)]
                other = smoothed_law(moved, k)
                for drawn in _types(size, m):
                    ratio = _divergence_factor(drawn, law) / _divergence_factor(drawn, other)
                    largest = max(largest, ratio, 1 / ratio)
        stated = (1 + Fraction(1, k)) ** m
        equal = one and largest**claimed.denominator == stated**claimed.numerator
        tally.add(-abs(float(largest) - float(stated) ** float(claimed)), decided=equal, size=size, n=n, k=k, m=m)
    return tally.check()
