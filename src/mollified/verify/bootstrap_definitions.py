r"""Checks of the definitions and first facts of the bootstrapping paper, sections 2 to 4, on all small cases. Exact."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from mollified._validate import check_count, check_trials
from mollified.checks import Check, Tally
from mollified.instances import random_law
from mollified.type_laws import Counts, TypeLaw, compositions, hockey_stick, neighbours, type_law

__all__ = [
    "adjacent_counts",
    "data_sets",
    "loss_defined",
    "post_processing",
    "posterior_draws",
    "posterior_mean",
    "toy_domain",
    "two_forms",
    "with_replacement",
]


def data_sets(*, most: int = 5, as_sets: bool = False) -> Check:
    """Check that a data set of n individuals has n entries: true of tuples, false of sets (`as_sets`). n, size <= most.

    All data sets over up to three symbols. Source: section 3, where braces are printed.
    """
    most, tally = check_count("most", most, minimum=2), Tally("exact", keep="first")
    for size in (2, 3):
        for n in range(1, most + 1):
            for data in product(range(size), repeat=n):
                entries = len(set(data)) if as_sets else len(data)
                tally.add(float(entries - n), decided=entries == n, data=data, entries=entries)
    return tally.check()


def adjacent_counts(*, most: int = 4, add_remove: bool = False) -> Check:
    """Check that data sets of n records differ in one entry iff, up to order, one record moves between two counts.

    All pairs of tuples over up to three symbols, n = 1..most: the pairs of counts found are those of `neighbours`, and
    adjacency is symmetric. `add_remove` asks for n + 1 records instead, for which it is false. Source: section 3.
    """
    most, tally = check_count("most", most), Tally("exact", keep="first")
    for size in (2, 3):
        for n in range(1, most + 1):
            found: dict[Counts, set[Counts]] = {}
            for data in product(range(size), repeat=n):
                others = [
                    (*data[:place], symbol, *data[place + 1 :])
                    for place in range(n)
                    for symbol in range(size)
                    if symbol != data[place]
                ]
                if add_remove:
                    others = [(*data, symbol) for symbol in range(size)]
                reached = found.setdefault(_count(data, size), set())
                reached |= {_count(other, size) for other in others}
            for counts, reached in found.items():
                same = reached == set(neighbours(counts))
                symmetric = all(counts in found.get(other, set()) for other in reached)
                tally.add(0.0 if same and symmetric else -1.0, decided=same and symmetric, counts=counts)
    return tally.check()


def _count(data: tuple[int, ...], size: int) -> Counts:
    return tuple(data.count(symbol) for symbol in range(size))


def with_replacement(*, most: int = 4, replace: bool = True) -> Check:
    r"""Check that m draws from the records, all index sequences alike, are m i.i.d. draws from the fractions.

    All data of n = 1..most records over two or three symbols, m = 1..min(n, 3). `replace` False draws without
    replacement, for which it is false. Source: section 4, paragraph 1.
    """
    most, tally = check_count("most", most), Tally("exact", keep="first")
    for size in (2, 3):
        for n in range(1, most + 1):
            for counts in compositions(n, size):
                records = [symbol for symbol, count in enumerate(counts) for _ in range(count)]
                for m in range(1, min(n, 3) + 1):
                    found: Counter[tuple[int, ...]] = Counter()
                    for places in product(range(n), repeat=m):
                        if replace or len(set(places)) == m:
                            found[tuple(records[place] for place in places)] += 1
                    total = found.total()
                    gap = max(
                        abs(Fraction(found[out], total) - math.prod(Fraction(counts[x], n) for x in out))
                        for out in product(range(size), repeat=m)
                    )
                    tally.add(-float(gap), decided=gap == 0, counts=counts, m=m)
    return tally.check()


def toy_domain(*, most: int = 4, power: bool = False) -> Check:
    r"""Check that $\Sigma^n$ holds the $2^n$ binary vectors of length n for $\Sigma=\{0,1\}$, n = 2..most.

    `power` reads the printed $\Sigma=\{0,1\}^n$, with which $\Sigma^n$ holds $2^{n^2}$. Source: section 4.
    """
    most, tally = check_count("most", most, minimum=2), Tally("exact", keep="first")
    for n in range(2, most + 1):
        symbols = list(product((0, 1), repeat=n)) if power else [0, 1]
        found = len(symbols) ** n
        tally.add(float(2**n - found), decided=found == 2**n, n=n, data_sets=found)
    return tally.check()


def two_forms(rng: np.random.Generator, instances: int, *, absolute: bool = False) -> Check:
    r"""Check that $\max_S(P(S)-e^\varepsilon P'(S))=\sum(P-e^\varepsilon P')_+$ over all subsets S, exactly.

    Random laws on 2 to 5 points and rational $e^\varepsilon>1$: Definition 1 asks for one number to be at most delta.
    `absolute` takes $\frac12\sum|P-e^\varepsilon P'|$, which is right at eps = 0 only. Source: Definition 1.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        size = int(rng.integers(2, 6))
        one, two = random_law(rng, size, spread=4), random_law(rng, size, spread=4)
        level = 1 + Fraction(int(rng.integers(1, 300)), 100)
        gaps = [p - level * q for p, q in zip(one, two, strict=True)]
        subsets = [sum(chosen, Fraction(0)) for r in range(size + 1) for chosen in combinations(gaps, r)]
        parts = [abs(gap) / 2 if absolute else max(gap, Fraction(0)) for gap in gaps]
        found = sum(parts, Fraction(0))
        tally.add(-abs(float(found - max(subsets))), decided=found == max(subsets), P=one, P2=two, exp_eps=level)
    return tally.check()


def loss_defined(*, most: int = 4, possible: bool = True) -> Check:
    r"""Check that the privacy loss is a number or $+\infty$ where D can lead, and changes sign with D, D'.

    Plain bootstrapping, all neighbours over two or three symbols, n, m = 1..most - 1. `possible` False admits all
    outputs, and 0/0 occurs. Source: section 4.
    """
    most, tally = check_count("most", most, minimum=2), Tally("exact", keep="first")
    for size in (2, 3):
        for n in range(1, most):
            for m in range(1, most):
                for counts in compositions(n, size):
                    for other in neighbours(counts):
                        one, two = type_law(counts, m), type_law(other, m)
                        for kind, p in one.items():
                            if possible and p == 0:
                                continue
                            q = two[kind]
                            defined = p > 0 and (q == 0 or (p / q) * (q / p) == 1)
                            tally.add(float(p) if defined else -1.0, decided=defined, D=counts, D2=other, output=kind)
    return tally.check()


def _push(law: TypeLaw, kernel: dict[Counts, tuple[Fraction, ...]]) -> TypeLaw:
    """Return the law of a randomised function of the output; the keys are (0, value)."""
    width = len(next(iter(kernel.values())))
    return {
        (0, value): sum((p * kernel[kind][value] for kind, p in law.items()), Fraction(0)) for value in range(width)
    }


def post_processing(rng: np.random.Generator, instances: int, *, shared: bool = False) -> Check:
    r"""Check that no function of the output, random or not, has a larger delta, at any level. Exact.

    Random smoothed data sets, neighbours, and kernels g of which half are deterministic; `shared` lets the coins of g
    be those of the mechanism: one that flips a record with a fair coin is 0-private, and g flips it back. Source:
    Proposition 1.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for _ in range(instances):
        level = 1 + Fraction(int(rng.integers(0, 200)), 100)
        if shared:
            # M(D) = D xor coin, g(y) = y xor the same coin: delta 0 before, 1 after
            half = Fraction(1, 2)
            before = hockey_stick({(0, 0): half, (0, 1): half}, {(0, 0): half, (0, 1): half}, level)
            after = hockey_stick(
                {(0, 0): Fraction(0), (0, 1): Fraction(1)}, {(0, 0): Fraction(1), (0, 1): Fraction(0)}, level
            )
            tally.add(float(before - after), decided=after <= before, D=(1,), D2=(0,), exp_eps=level)
            continue
        size, m, k = int(rng.integers(2, 4)), int(rng.integers(1, 4)), int(rng.integers(0, 3))
        counts = list(compositions(int(rng.integers(1, 5)), size))
        one = counts[int(rng.integers(len(counts)))]
        near = neighbours(one)
        two = near[int(rng.integers(len(near)))]
        laws = [type_law([c + k for c in data], m) for data in (one, two)]
        width = int(rng.integers(2, 4))
        if rng.random() < 0.5:
            kernel = {kind: random_law(rng, width, spread=4) for kind in laws[0]}
        else:
            kernel = {}
            for kind in laws[0]:
                value = int(rng.integers(width))
                kernel[kind] = tuple(Fraction(int(x == value)) for x in range(width))
        first, second = (_push(law, kernel) for law in laws)
        before, after = hockey_stick(laws[0], laws[1], level), hockey_stick(first, second, level)
        tally.add(float(before - after), decided=after <= before, D=one, D2=two, k=k, m=m, exp_eps=level)
    return tally.check()


def _rising(start: int, steps: int) -> int:
    return math.prod(range(start, start + steps))


def _moment(prior: int, counts: Counts) -> Fraction:
    r"""Return $\mathbb E\prod_i\theta_i^{c_i}$ for $\theta\sim\operatorname{Dirichlet}(k,\dots,k)$, k = `prior`."""
    return Fraction(math.prod(_rising(prior, c) for c in counts), _rising(prior * len(counts), sum(counts)))


def posterior_mean(rng: np.random.Generator, instances: int, *, shift: int = 0) -> Check:
    r"""Check that the posterior mean under Dirichlet(k, ..., k) is $h^{\tilde D}_i=\frac{c_i+k}{n+k|\Sigma|}$, exactly.

    The mean is a ratio of two moments of the prior, $\mathbb E[\theta_i\prod\theta^c]/\mathbb E[\prod\theta^c]$.
    `shift` puts Dirichlet(k + shift). Source: section 2.
    """
    rng, instances = check_trials(rng, instances)
    shift, tally = check_count("shift", shift, minimum=0), Tally("exact")
    for _ in range(instances):
        size, k = int(rng.integers(2, 6)), int(rng.integers(1, 9))
        counts = tuple(int(c) for c in rng.integers(0, 9, size))
        counts = (counts[0] + 1 + int(counts[0] == counts[1]), *counts[1:])
        evidence = _moment(k + shift, counts)
        gap = Fraction(0)
        for i, c in enumerate(counts):
            more = (*counts[:i], c + 1, *counts[i + 1 :])
            mean = _moment(k + shift, more) / evidence
            gap = max(gap, abs(mean - Fraction(c + k, sum(counts) + k * size)))
        tally.add(-float(gap), decided=gap == 0, counts=counts, k=k)
    return tally.check()


def posterior_draws(*, most: int = 4, mean: bool = False) -> Check:
    r"""Check that m records drawn from one *draw* of the posterior have largest loss $\log\frac{k+m}k$, exactly.

    All data of n = 1..most - 1 records over two or three symbols, k, m = 1..most. `mean` draws from the posterior mean,
    the bootstrapping mechanism, whose largest loss is $m\log\frac{k+1}k$. The book's exercise.
    """
    most, tally = check_count("most", most, minimum=2), Tally("exact", keep="first")
    for size, n, k, m in product((2, 3), range(1, most), range(1, most + 1), range(2, most + 1)):
        largest = Fraction(1)
        for counts in compositions(n, size):
            for other in neighbours(counts):
                if mean:
                    laws = [type_law([c + k for c in data], m) for data in (counts, other)]
                else:
                    laws = [_predictive(data, k, m) for data in (counts, other)]
                largest = max(largest, max(p / laws[1][kind] for kind, p in laws[0].items()))
        gap = largest - Fraction(k + m, k)
        tally.add(-abs(float(gap)), decided=gap == 0, n=n, size=size, k=k, m=m, ratio=largest)
    return tally.check()


def _predictive(counts: Counts, k: int, m: int) -> TypeLaw:
    """Return the law of the type of m draws from a random law, itself drawn from the posterior."""
    whole, law = _rising(sum(counts) + k * len(counts), m), {}
    for kind in compositions(m, len(counts)):
        ways = math.factorial(m)
        for drawn, count in zip(kind, counts, strict=True):
            ways = ways // math.factorial(drawn) * _rising(count + k, drawn)
        law[kind] = Fraction(ways, whole)
    return law
