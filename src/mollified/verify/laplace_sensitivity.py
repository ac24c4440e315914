r"""Checks of the lecture's sensitivities: the definition, its maximum, and the four questions to the audience."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Literal, get_args

import numpy as np

from mollified._validate import _echo, check_fraction, check_fractions, check_trials
from mollified.checks import Check, Tally
from mollified.instances import random_fraction
from mollified.query_sensitivity import Answer, Relation, histograms, query_sensitivity, sum_query

__all__ = [
    "average_salary",
    "count_answers",
    "is_norm",
    "maximum_attained",
    "order_free",
    "supremum_serves",
    "unbounded_average",
    "whole_changes",
]

ZERO, ONE = Fraction(0), Fraction(1)
Question = Literal["blond", "male-and-blond", "colours", "first-names", "all-given-names"]
Size = Literal["l1", "squared"]

#: Types of record and their answers. People are (sex, colour) for the first three questions, name lists for the others.
_COLOURS = ("blond", "dark", "brown", "red", "other")
_PEOPLE = tuple(itertools.product(("male", "female"), _COLOURS))
_NAMES = 4


def _rows(question: Question) -> list[Answer]:
    if question == "blond":
        return [(Fraction(colour == "blond"),) for _, colour in _PEOPLE]
    if question == "male-and-blond":
        return [(Fraction(sex == "male"), Fraction(colour == "blond")) for sex, colour in _PEOPLE]
    if question == "colours":
        return [tuple(Fraction(colour == wanted) for wanted in _COLOURS[:4]) for _, colour in _PEOPLE]
    most = 1 if question == "first-names" else 2
    given = [held for size in range(most + 1) for held in itertools.combinations(range(_NAMES), size)]
    return [tuple(Fraction(name in held) for name in range(_NAMES)) for held in given]


def count_answers(
    *, question: Question, l1: Fraction, l2_squared: Fraction, relation: Relation = "add-remove"
) -> Check:
    r"""Check that a counting query has $\Delta_1$ = `l1` and $\Delta_2^2$ = `l2_squared`. Exact, by brute force.

    Over all data sets of at most 2 records and all their neighbours; for counts of records that is all there is, since
    the change does not depend on the rest of the data. Names: a list of 4, one of them a person or (`all-given-names`)
    up to two. Raises TypeError or ValueError for an unknown question or relation, claims that are no rationals.
    """
    if question not in get_args(Question):
        raise ValueError(f"question must be one of {', '.join(get_args(Question))}, got {_echo(question)}")
    claims = check_fraction("l1", l1), check_fraction("l2_squared", l2_squared)
    rows = _rows(question)
    tally = Tally("exact", scope="instances" if "names" in question else "universal")
    found = query_sensitivity(sum_query(rows), len(rows), 2, relation)
    for name, value, claimed in zip(("l1", "l2_squared"), found, claims, strict=True):
        tally.add(-float(abs(value - claimed)), decided=value == claimed, found=value, claimed=claimed, norm=name)
    return tally.check()


def _salaries(rng: np.random.Generator, most: Fraction, size: int) -> list[Fraction]:
    return [random_fraction(rng, ZERO, most, 97) for _ in range(size)]


def average_salary(rng: np.random.Generator, instances: int, *, share: Fraction = Fraction(1, 2)) -> Check:
    r"""Check the average of salaries in [0, B]: a change of at most $\frac B{n+1}$, and of `share` times B. Exact.

    One salary is added to n >= 1 random ones. First tried: salaries 0 and B, n = 1, where both are equalities for the
    share 1/2. Raises TypeError or ValueError for a share <= 0.
    """
    rng, instances = check_trials(rng, instances)
    share = check_fraction("share", share, above=0)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        top = random_fraction(rng, ONE, Fraction(10**5), 997)
        held = [ZERO] if index == 0 else _salaries(rng, top, int(rng.integers(1, 7)))
        new = top if index == 0 else random_fraction(rng, ZERO, top, 97)
        n = len(held)
        change = abs((sum(held, ZERO) + new) / (n + 1) - sum(held, ZERO) / n)
        slack = min(top / (n + 1), share * top) - change
        tally.add(float(slack / top), decided=slack >= 0, B=top, salaries=held, added=new, change=change)
    return tally.check()


def unbounded_average(rng: np.random.Generator, instances: int, *, clipped: bool = False) -> Check:
    r"""Check that one record changes the average salary by more than any bound c, if salaries are unbounded. Exact.

    The salary 0 and a second one of 2c + 2: the average moves by c + 1. `clipped`: salaries are clipped to [0, 1000]
    first, and the claim fails for c >= 500.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        bound = random_fraction(rng, ONE, Fraction(10**6), 997)
        added = 2 * bound + 2
        change = (min(added, Fraction(1000)) if clipped else added) / 2
        tally.add(float(change - bound), decided=change > bound, bound=bound, added=added, change=change)
    return tally.check()


def _smooth(weight: Fraction, n: int) -> Fraction:
    return n + weight / (n + 1)


def maximum_attained(*, weights: Sequence[Fraction] = (ONE,)) -> Check:
    r"""Check that the maximum in $\Delta_1$ exists for the query $f(D)=n+\frac w{n+1}$, n the number of records. Exact.

    A record that joins n others changes it by $|1-\frac w{(n+1)(n+2)}|$, which tends to 1. For 0 < w < 4 every change
    is below 1, so that the supremum 1 is not attained; for other w the empty data set attains it. The counterexample
    writes out the first changes. Raises TypeError or ValueError for weights that are no rationals.
    """
    chosen = check_fractions("weights", weights)
    tally = Tally("exact", keep="first")
    for weight in chosen:
        changes = [abs(_smooth(weight, n + 1) - _smooth(weight, n)) for n in range(20)]
        supremum = max(ONE, changes[0])
        # From n = 1 on |1 - w/((n+1)(n+2))| < max(1, |1 - w/2|), or = 1 for w = 0: the first data set decides.
        attained = changes[0] == supremum
        tally.add(float(changes[0] - supremum), decided=attained, weight=weight, supremum=supremum, changes=changes[:6])
    return tally.check()


def whole_changes(rng: np.random.Generator, instances: int, *, whole: bool = True) -> Check:
    r"""Check that bounded queries with whole numbers have a largest change, that of a small data set. Exact.

    The query $f(D)=(an\bmod M,\,bn\bmod N)$ of the number n of records has changes that repeat after MN records; no
    larger data set, up to $10^6$ times as large, may change it by more than the first MN do. Without `whole` the query
    is $n+\frac w{n+1}$, 0 < w < 4. Source: lecture, definition of $\Delta_1$. Raises TypeError or ValueError for no
    generator or instances < 1.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for _ in range(instances):
        m, n, a, b = (int(rng.integers(2, 12)) for _ in range(4))
        weight = random_fraction(rng, Fraction(1, 50), Fraction(199, 50), 97)

        def change(size: int, m: int = m, n: int = n, a: int = a, b: int = b, w: Fraction = weight) -> Fraction:
            if not whole:
                return abs(_smooth(w, size + 1) - _smooth(w, size))
            return Fraction(sum(abs(k * (size + 1) % r - k * size % r) for k, r in ((a, m), (b, n))))

        largest = max(change(size) for size in range(m * n))
        later = max(change(int(size)) for size in rng.integers(m * n, m * n * 10**6, 40))
        tally.add(float(largest - later), decided=later <= largest, M=m, N=n, a=a, b=b, largest=largest, later=later)
    return tally.check()


def supremum_serves(rng: np.random.Generator, instances: int, *, scale: Fraction = ONE) -> Check:
    r"""Check that noise for the supremum gives $\varepsilon$-DP where no maximum exists: $f(D)=n+\frac w{n+1}$. Exact.

    0 < w < 4, supremum 1; noise of `scale`$/\varepsilon$. The exponent of the density ratio,
    $\frac\varepsilon{\text{scale}}(|o-f(D')|-|o-f(D)|)$, stays below $\varepsilon$ for all sizes, both directions, and
    outputs o. With any scale < 1 large data sets break it. Raises TypeError or ValueError for a scale <= 0.
    """
    rng, instances = check_trials(rng, instances)
    scale = check_fraction("scale", scale, above=0)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        weight, eps = (
            random_fraction(rng, Fraction(1, 50), Fraction(199, 50), 97),
            random_fraction(rng, ONE / 10, ONE * 5),
        )
        n = int(10 ** rng.uniform(0, 6)) - 1
        one, two = _smooth(weight, n), _smooth(weight, n + 1)
        output = random_fraction(rng, one - 5, two + 5, 97)
        if index == 0:
            weight, eps, n = ONE, ONE, 99
            one, two, output = _smooth(ONE, 99), _smooth(ONE, 100), Fraction(0)
        exponent = eps / scale * abs(abs(output - two) - abs(output - one))
        slack = eps - exponent
        tally.add(float(slack), decided=slack > 0, w=weight, n=n, eps=eps, output=output, exponent=exponent)
    return tally.check()


def order_free(rng: np.random.Generator, instances: int, *, names: bool = False, first: bool = False) -> Check:
    r"""Check that counting queries depend on the histogram alone: the same for records in any order. Exact.

    Random types of record with rational answers in R^K, or (`names`) one of 5 names each. `first`: the query returns
    the first record's answer, which is no function of the histogram.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        dim = 5 if names else int(rng.integers(1, 4))
        if names:
            rows = [tuple(Fraction(k == x) for k in range(dim)) for x in range(dim)]
        else:
            rows = [tuple(random_fraction(rng, -ONE, ONE, 12) for _ in range(dim)) for _ in range(4)]
        records = [int(x) for x in rng.integers(0, len(rows), 6)]
        moved = [records[i] for i in rng.permutation(6)]
        answers = []
        for listed in (records, moved):
            counts = tuple(listed.count(x) for x in range(len(rows)))
            answers.append(rows[listed[0]] if first else sum_query(rows)(counts))
            if not first:
                direct = tuple(sum((rows[x][k] for x in listed), ZERO) for k in range(dim))
                assert direct == answers[-1]
        wrong = sum((abs(a - b) for a, b in zip(*answers, strict=True)), ZERO)
        tally.add(-float(wrong), decided=wrong == 0, records=records, moved=moved, one=answers[0], two=answers[1])
    return tally.check()


def is_norm(rng: np.random.Generator, instances: int, *, size: Size = "l1") -> Check:
    r"""Check $\Delta_1(cf)=|c|\Delta_1(f)$ and $\Delta_1(f+g)\le\Delta_1(f)+\Delta_1(g)$ on random queries. Exact.

    Finite by brute force over data sets of at most 3 records of 2 types and arbitrary answers to each; it is the
    smallest number that bounds every change. `size` "squared" takes squared l1 changes, which is no such measure.
    Raises ValueError for another size.
    """
    rng, instances = check_trials(rng, instances)
    if size not in ("l1", "squared"):
        raise ValueError(f"size must be l1 or squared, got {_echo(size)}")
    tally = Tally("exact")
    sets = [counts for n in range(5) for counts in histograms(2, n)]

    def measure(table: dict[tuple[int, ...], Answer]) -> Fraction:
        query: Callable[[tuple[int, ...]], Answer] = table.__getitem__
        value = query_sensitivity(query, 2, 3)[0]
        return value if size == "l1" else value * value

    for _ in range(instances):
        f, g = ({c: tuple(random_fraction(rng, -ONE, ONE, 12) for _ in range(2)) for c in sets} for _ in range(2))
        factor = random_fraction(rng, Fraction(-4), Fraction(4), 24)
        scaled = {c: tuple(factor * v for v in f[c]) for c in sets}
        added = {c: tuple(a + b for a, b in zip(f[c], g[c], strict=True)) for c in sets}
        wrong = abs(measure(scaled) - abs(factor) * measure(f))
        slack = measure(f) + measure(g) - measure(added)
        tally.add(float(min(slack, -wrong)), decided=slack >= 0 and wrong == 0, factor=factor, f=list(f.values()))
    return tally.check()
