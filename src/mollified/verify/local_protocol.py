r"""Checks of the practical remarks of version 3: one message from each user, and a reference from public data."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
from flint import arb, ctx

from mollified._validate import check_count, check_fraction, check_trials
from mollified.ball_mbde import BITS, ball
from mollified.checks import Check, Tally
from mollified.exact_level import Law
from mollified.instances import random_family, random_root
from mollified.verify.post_processing import PAIR, family_ratio

__all__ = ["best_member", "one_message"]

ONE = Fraction(1)


def _transcripts(user: Law, others: Sequence[Law], asked: int) -> list[Fraction]:
    """Return the law of all that the server sees: the answers of one user, asked again and again, and of the others.

    The points of each further answer are shifted by the first answer.
    """
    points, masses = len(user), []
    for first, *again in product(range(points), repeat=asked):
        own = user[first] * prod((user[(first + answer) % points] for answer in again), start=ONE)
        masses += [own * prod(answers, start=ONE) for answers in product(*others)]
    return masses


def one_message(
    rng: np.random.Generator, instances: int, *, asked: int = 1, overheard: Fraction = Fraction(0)
) -> Check:
    r"""Check that one message from each user keeps each user's own level, whatever the others say. Exact.

    Two to four users, each with a table of two laws at its exact level; the input of one is changed. The laws of the
    whole transcript are compared on all single transcripts and on ten random events, which involve the messages of
    all users. With `asked` = 2 the server asks that user again, with its columns shifted by the first answer; with
    `overheard` $=\eta$ the second user's law moves by a share $\eta$ towards the other row of its table when the first
    user's input changes. The first instance has (2/3, 1/3), (1/3, 2/3) for all. Source: v3 section 3.
    """
    rng, instances = check_trials(rng, instances)
    asked = check_count("asked", asked)
    overheard = check_fraction("overheard", overheard, minimum=0, maximum=1)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        tables = [
            PAIR if index == 0 else random_family(rng, 2, int(rng.integers(2, 4)))
            for _ in range(int(rng.integers(2, 5)))
        ]
        inputs, level = [int(rng.integers(2)) for _ in tables], family_ratio(tables[0])
        laws = []
        for changed, user in enumerate(tables[0]):
            others = [table[i] for table, i in zip(tables[1:], inputs[1:], strict=True)]
            moved = overheard * changed
            rows = zip(others[0], tables[1][1 - inputs[1]], strict=True)
            others[0] = tuple((1 - moved) * a + moved * b for a, b in rows)
            laws.append(_transcripts(user, others, asked))
        events = [np.array([number]) for number in range(len(laws[0]))]
        events += [np.flatnonzero(rng.random(len(laws[0])) < rng.uniform(0.1, 0.9)) for _ in range(10)]
        ratios = []
        for event in events:
            one, two = (sum((law[number] for number in event), Fraction(0)) for law in laws)
            if one > 0:
                ratios += [one / two, two / one]
        slack = 1 - max(ratios) / level
        values = {"user": tables[0], "asked": asked, "largest_ratio": max(ratios), "exp_eps": level}
        tally.add(float(slack), decided=slack >= 0, **values)
    return tally.check()


def best_member(rng: np.random.Generator, instances: int, *, towards_target: bool = True) -> Check:
    r"""Check that the mollifier relative to $Q_0$ holds members closer to P than $Q_0$ is. Certified.

    $Q=(1-a)Q_0+aP$ with the largest a at most 9/10 that keeps it in the range:
    $\mathrm{KL}(P,Q)\le(1-a)\mathrm{KL}(P,Q_0)$. With `towards_target` False the mixture is with another law. Source:
    v3 section 3, where the utility is not quantified.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    while tally.instances < instances:
        size, root = int(rng.integers(2, 6)), random_root(rng)
        target, base, other = random_family(rng, 3, size)
        if target == base:
            continue
        aim = target if towards_target else other
        ratios = [p / q for p, q in zip(aim, base, strict=True)]
        limits = [(root - 1) / (v - 1) if v > 1 else (1 - 1 / root) / (1 - v) for v in ratios if v != 1]
        share = min([Fraction(9, 10), *limits])
        member = [(1 - share) * q + share * p for p, q in zip(aim, base, strict=True)]
        inside = all(q / root <= v <= root * q for v, q in zip(member, base, strict=True))
        with ctx.workprec(BITS):
            far, near = (
                sum((ball(p) * ball(p / q).log() for p, q in zip(target, law, strict=True)), arb(0))
                for law in (base, member)
            )
            slack = ball(1 - share) * far - near
            tally.add(float(slack.mid()), decided=inside and bool(slack > 0), P=target, Q0=base, Q=member, root=root)
    return tally.check()
