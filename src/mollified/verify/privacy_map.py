r"""Checks of the arrows on the map of privacy notions whose price grows with the number of records. Exact."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np

from mollified._validate import check_count, check_trials
from mollified.checks import Check, Tally
from mollified.finite_mechanisms import data_sets, make_table, pure_ratio, random_table, truncated_geometric

__all__ = ["chain_levels", "local_answers"]

ONE = Fraction(1)


def chain_levels(rng: np.random.Generator, instances: int, *, missing: int = 0) -> Check:
    r"""Check what central privacy says of data sets that are no neighbours, under both relations.

    For at most N records: $2N\varepsilon$ between any two data sets when records come and go; $n\varepsilon$ between
    any two of n records when they are replaced. Random mechanisms on two values, N = 1..3, at their exact levels; every
    third one is the truncated geometric lead of one value over the other, or count of one value, which attain both.
    `missing` steps fewer are claimed.
    """
    rng, instances = check_trials(rng, instances)
    missing, tally = check_count("missing", missing, minimum=0), Tally("exact", keep="first")
    for index in range(instances):
        most = int(rng.integers(1, 4))
        data = data_sets(most, 2)
        table = random_table(rng, data, int(rng.integers(2, 4)))
        level = 1 + Fraction(int(rng.integers(1, 200)), 100)
        if index % 3 == 0:
            lead = truncated_geometric(range(2 * most + 1), 0, 2 * most, level)
            table = make_table(data, lambda c, law=lead, n=most: law[c[0] - c[1] + n])  # type: ignore[misc]
        near, far = pure_ratio(table), pure_ratio(table, "all")
        assert near is not None
        assert far is not None
        slack = near ** (2 * most - missing) - far
        tally.add(float(slack), decided=slack >= 0, N=most, exp_eps=near, far=far)
        of_size = {c: law for c, law in table.items() if sum(c) == most}
        if index % 3 == 0:
            count = truncated_geometric(range(most + 1), 0, most, level)
            of_size = {c: count[c[0]] for c in of_size}
        near, far = pure_ratio(of_size, "replace"), pure_ratio(of_size, "all")
        assert near is not None
        assert far is not None
        slack = near ** (most - missing) - far
        tally.add(float(slack), decided=slack >= 0, n=most, exp_eps=near, far=far)
    return tally.check()


def local_answers(*, most: int = 4, missing: int = 0) -> Check:
    r"""Check the level of n records that each give an $\varepsilon$-private answer, locally.

    $\varepsilon$ for a replaced record, $n\varepsilon$ for any two data sets of that size, and no less. Randomised
    response with $e^\varepsilon=2,3$ on n = 2..most binary records, all answers in order. `missing` claims the level of
    n - missing records. The book's exercise.
    """
    most, missing = check_count("most", most, minimum=2), check_count("missing", missing, minimum=0)
    tally = Tally("exact")
    for n, level in product(range(2, most + 1), (Fraction(2), Fraction(3))):
        answers = list(product((0, 1), repeat=n))
        laws = {}
        for records in answers:
            law = []
            for answer in answers:
                lies = sum(a != r for a, r in zip(answer, records, strict=True))
                law.append(level ** (n - lies) / (1 + level) ** n)
            laws[records] = law
        near = far = ONE
        for one, two in product(answers, repeat=2):
            ratio = max(p / q for p, q in zip(laws[one], laws[two], strict=True))
            far = max(far, ratio)
            if sum(a != b for a, b in zip(one, two, strict=True)) == 1:
                near = max(near, ratio)
        wanted = level ** (n - missing)
        fine = near == level and far == wanted
        tally.add(float(1 - far / wanted), decided=fine, n=n, exp_eps=level, near=near, far=far)
    return tally.check()
