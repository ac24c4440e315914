r"""Checks of the lecture's definitions of an algorithm and of differential privacy, on finite mechanisms. Exact."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import numpy as np
from flint import arb, ctx

from mollified._validate import check_count, check_fraction, check_trials
from mollified.checks import Check, Tally
from mollified.exact_level import Law
from mollified.finite_mechanisms import (
    data_sets,
    excess,
    largest_excess,
    neighbour_pairs,
    pure_ratio,
    random_table,
    thinned_law,
    thinned_records,
)
from mollified.instances import random_law

__all__ = [
    "every_run",
    "few_records",
    "output_data_sets",
    "pure_form",
    "pure_to_approximate",
    "reads_histogram",
    "rounded_exponentials",
    "single_outputs",
]

ONE, HALF = Fraction(1), Fraction(1, 2)
#: Three outputs, the fewest for which single outputs are not enough, at e^eps = 2.
THREE: tuple[Law, Law] = (
    (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)),
    (Fraction(1, 12), Fraction(1, 12), Fraction(5, 6)),
)


def reads_histogram(rng: np.random.Generator, instances: int, *, first: bool = False) -> Check:
    r"""Check that a randomised algorithm is given by one law for each histogram: the order of records is not seen.

    Random tables, read through tuples of up to three records in all orders. `first` answers with the first record,
    which is no function of the histogram. Source: lecture, definition of a randomised algorithm.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for _ in range(instances):
        table = random_table(rng, data_sets(3, 2), 2, zeros=0.3)
        records = tuple(int(value) for value in rng.integers(0, 2, size=int(rng.integers(2, 4))))
        if len(set(records)) == 1:
            records = (0, 1, *records[2:])
        laws = set()
        for order in permutations(records):
            law = table[order.count(0), order.count(1)]
            if first:
                law = (Fraction(int(order[0] == 0)), Fraction(int(order[0] == 1)))
            laws.add(law)
        fine = len(laws) == 1 and all(sum(law) == 1 and min(law) >= 0 for law in laws)
        tally.add(float(1 - len(laws)), decided=fine, records=records)
    return tally.check()


def output_data_sets(*, most: int = 3, signed: bool = False) -> Check:
    r"""Check that an algorithm can answer with a data set: keep each record with probability one half.

    All data sets of at most `most` records over two values: the law has mass one on $\mathbb N^2$. `signed` adds a
    fair sign to each count instead, which leaves $\mathbb N^2$ where a count is zero.
    """
    most, tally = check_count("most", most), Tally("exact", keep="first")
    space = data_sets(most + 2, 2)
    for counts in data_sets(most, 2):
        if signed:
            inside = [
                all(c + s >= 0 for c, s in zip(counts, signs, strict=True)) for signs in product((-1, 1), repeat=2)
            ]
            mass = Fraction(sum(inside), len(inside))
        else:
            mass = sum(thinned_law(counts, HALF, space), Fraction(0))
        tally.add(float(mass - 1), decided=mass == 1, D=counts, mass=mass)
    return tally.check()


def single_outputs(rng: np.random.Generator, instances: int, *, delta: bool = True) -> Check:
    r"""Check that (1) for all single outputs, in both orders, gives (1) for all sets of outputs.

    The least delta of single outputs against that of all events. With `delta` the pair may need one, as printed; the
    first instance is (1/3, 1/3, 1/3) against (1/12, 1/12, 5/6) at $e^\varepsilon=2$, the second has disjoint supports.
    Without, $e^\varepsilon$ is the pure level of the pair. Source: lecture, first note after (1).
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        size = int(rng.integers(3, 6))
        one, two = random_law(rng, size, spread=4), random_law(rng, size, spread=4)
        level = 1 + Fraction(int(rng.integers(1, 200)), 100)
        if delta and index == 0:
            (one, two), level = THREE, Fraction(2)
        elif delta and index == 1:
            one, two, level = (
                (HALF, HALF, Fraction(0), Fraction(0)),
                (Fraction(0), Fraction(0), HALF, HALF),
                Fraction(2),
            )
        if not delta:
            level = max(max(p / q, q / p) for p, q in zip(one, two, strict=True))
        gaps = [p - level * q for a, b in ((one, two), (two, one)) for p, q in zip(a, b, strict=True)]
        singles = max(Fraction(0), *gaps)
        events = max(excess(one, two, level), excess(two, one, level))
        slack = singles - events
        tally.add(float(slack), decided=slack >= 0, P=one, P2=two, exp_eps=level, singles=singles, events=events)
    return tally.check()


def every_run(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that under $\varepsilon$-DP each output has ratios within $e^{\pm\varepsilon}$ to all neighbours at once.

    Random mechanisms at their exact level, all D of at most two records over two values and all outputs; `claimed` is a
    share of $e^\varepsilon$. One instance for each D and output.
    """
    rng, instances = check_trials(rng, instances)
    share, data = check_fraction("claimed", claimed, above=0), data_sets(2, 2)
    near, tally = neighbour_pairs(data), Tally("exact")
    for _ in range(instances):
        table = random_table(rng, data, int(rng.integers(2, 5)))
        level = pure_ratio(table)
        assert level is not None
        level *= share
        for one in data:
            for output, p in enumerate(table[one]):
                ratios = [p / table[two][output] for first, two in near if first == one]
                worst = max(max(ratio, 1 / ratio) for ratio in ratios)
                tally.add(float(1 - worst / level), decided=worst <= level, D=one, output=output, exp_eps=level)
    return tally.check()


def pure_form(rng: np.random.Generator, instances: int, *, allowed: Fraction = Fraction(0)) -> Check:
    r"""Check that (1) with delta = 0 for all events says no more and no less than a bound on the ratio of each output.

    Random pairs with zeros, $e^\varepsilon$ from 1 to 4: $\max_S(P(S)-e^\varepsilon P'(S))\le0$ iff
    $P\le e^\varepsilon P'$ everywhere. `allowed` is a delta that is let pass as pure.
    """
    rng, instances = check_trials(rng, instances)
    small, tally = check_fraction("allowed", allowed, minimum=0), Tally("exact")
    for index in range(instances):
        table = random_table(rng, [(0,), (1,)], int(rng.integers(2, 5)), zeros=0.2)
        one, two = table.values()
        level = 1 + Fraction(int(rng.integers(1, 300)), 100)
        if index % 2:  # just at the level, or just below it
            ratio = max((p / q for p, q in zip(one, two, strict=True) if q > 0), default=ONE)
            level = max(ONE, ratio * (1 if index % 4 == 1 else Fraction(999, 1000)))
        by_events = excess(one, two, level) <= small
        by_outputs = all(p <= level * q for p, q in zip(one, two, strict=True))
        tally.add(0.0 if by_events == by_outputs else -1.0, P=one, P2=two, exp_eps=level)
    return tally.check()


def few_records(*, most: int = 4, claimed: Fraction = ONE, together: bool = False) -> Check:
    r"""Check that publishing each record with probability delta is $(\varepsilon,\delta)$-DP at every level.

    On average $n\delta$ records are published. delta = c/n for n = 1..most and c from 1/10 to 1, $e^\varepsilon$ from
    1 to 100; the least delta is delta itself.
    `together` publishes all records or none, with the same delta and mean; `claimed` is a share of delta.
    """
    most, tally = check_count("most", most), Tally("exact", keep="first")
    share = check_fraction("claimed", claimed, above=0)
    for n, few in product(range(1, most + 1), (Fraction(1, 10), HALF, ONE)):
        small = few / n
        table = thinned_records(n, small, together=together)
        published = [sum(out) for out in table]
        mean = sum((p * size for p, size in zip(table[0, n], published, strict=True)), Fraction(0))
        for level in (ONE, Fraction(3, 2), Fraction(100)):
            slack = share * small - largest_excess(table, level)
            fine = slack >= 0 and mean == n * small
            tally.add(float(slack), decided=fine, n=n, delta=small, exp_eps=level, mean=mean)
    return tally.check()


def rounded_exponentials(*, digits: int = 1) -> Check:
    r"""Check $e\approx2.7$ and $e^{0.1}\approx1.1$: equal to that many decimals after rounding. Balls of 128 bits."""
    digits, tally, saved = check_count("digits", digits), Tally("certified", scope="universal"), ctx.prec
    try:
        ctx.prec = 128
        for exponent, printed in ((ONE, Fraction(27, 10)), (Fraction(1, 10), Fraction(11, 10))):
            value = (arb(exponent.numerator) / exponent.denominator).exp()
            off = abs(value - arb(printed.numerator) / printed.denominator)
            unit = arb(10) ** (-digits) / 2
            tally.add(float((unit - off).mid()), decided=bool(off < unit), exponent=exponent, printed=printed)
    finally:
        ctx.prec = saved
    return tally.check()


def pure_to_approximate(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that $\varepsilon_0$-DP is $(\varepsilon,\delta)$-DP with the delta of randomised response.

    $\delta=\frac{e^{\varepsilon_0}-e^\varepsilon}{e^{\varepsilon_0}+1}$ for $\varepsilon<\varepsilon_0$. Random pairs
    at their exact level, every other one randomised response; `claimed` is a share of delta. The book's exercise.
    """
    rng, instances = check_trials(rng, instances)
    share, tally = check_fraction("claimed", claimed, above=0), Tally("exact")
    for index in range(instances):
        table = random_table(rng, [(0,), (1,)], int(rng.integers(2, 5)))
        if index % 2 == 0:
            truth = HALF + Fraction(int(rng.integers(1, 50)), 101)
            table = {(0,): (truth, 1 - truth), (1,): (1 - truth, truth)}
        top = pure_ratio(table)
        assert top is not None
        level = 1 + (top - 1) * Fraction(int(rng.integers(0, 100)), 100)
        slack = share * (top - level) / (top + 1) - largest_excess(table, level)
        tally.add(float(slack), decided=slack >= 0, P=table[0,], P2=table[1,], exp_eps=level, exp_eps_0=top)
    return tally.check()
