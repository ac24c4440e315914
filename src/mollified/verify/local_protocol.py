r"""Checks of the practical remarks of version 3: one message from each user, and a reference from public data."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
from flint import arb, ctx

from mollified._validate import check_count, check_trials
from mollified.ball_mbde import BITS, ball
from mollified.checks import Check, Tally
from mollified.instances import random_family, random_root
from mollified.verify.post_processing import PAIR, family_ratio

__all__ = ["best_member", "one_message"]

ONE = Fraction(1)


def one_message(rng: np.random.Generator, instances: int, *, asked: int = 1) -> Check:
    r"""Check that one message from each user keeps each user's own level, whatever the others say. Exact.

    Two to four users, each with a table of two laws at its exact level; the input of one is changed and all transcripts
    compared. With `asked` = 2 the server asks that user again, with its columns shifted by the
    first answer; the first instance has (2/3, 1/3), (1/3, 2/3) both times. Source: v3 section 3.
    """
    rng, instances = check_trials(rng, instances)
    asked = check_count("asked", asked)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        tables = [
            PAIR if index == 0 else random_family(rng, 2, int(rng.integers(2, 4)))
            for _ in range(int(rng.integers(2, 5)))
        ]
        inputs, level = [int(rng.integers(2)) for _ in tables], family_ratio(tables[0])
        ratios, points = [], len(tables[0][0])
        for transcript in product(*[range(len(table[0])) for table in tables]):
            others = prod((t[i][a] for t, i, a in zip(tables[1:], inputs[1:], transcript[1:], strict=True)), start=ONE)
            for again in product(range(points), repeat=asked - 1):
                later = [(transcript[0] + answer) % points for answer in again]
                masses = [others * prod((law[a] for a in (transcript[0], *later)), start=ONE) for law in tables[0]]
                ratios += [masses[0] / masses[1], masses[1] / masses[0]]
        slack = 1 - max(ratios) / level
        tally.add(
            float(slack), decided=slack >= 0, user=tables[0], asked=asked, largest_ratio=max(ratios), exp_eps=level
        )
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
