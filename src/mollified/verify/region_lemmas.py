r"""Checks of the mass and the divergence of two laws on a region, a set of points of a finite space.

Source: v1 (12), Lemma 15, (73)-(75); v2 Lemma 16.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from flint import arb, ctx

from mollified._validate import check_fraction, check_trials
from mollified.ball_mbde import BITS, ball
from mollified.bounds import captured_mass
from mollified.checks import Check, Tally
from mollified.exact_level import Law
from mollified.instances import random_law, random_sparse_law

__all__ = ["mass_difference", "mass_from_divergence", "region_from_whole", "region_terms"]

ONE, ZERO = Fraction(1), Fraction(0)
Region = tuple[int, ...]

#: Identities in balls must agree to this; the balls have BITS bits.
CLOSE = arb(2) ** -900


def _region(rng: np.random.Generator, size: int) -> Region:
    """Return a region that is neither empty nor everything."""
    while True:
        chosen = tuple(x for x in range(size) if rng.random() < 0.5)
        if 0 < len(chosen) < size:
            return chosen


def _near(rng: np.random.Generator, law: Law) -> Law:
    """Return a law that differs from another by about a thousandth of each atom."""
    weights = [p * (1 + Fraction(int(rng.integers(-50, 51)), 50_000)) for p in law]
    return tuple(w / sum(weights) for w in weights)


def _restricted(p: Sequence[Fraction], logs: Sequence[arb], region: Sequence[int]) -> arb:
    return sum((ball(p[x]) * logs[x] for x in region if p[x]), arb(0))


def _log_ratios(p: Sequence[Fraction], q: Sequence[Fraction]) -> list[arb]:
    return [(ball(a) / ball(b)).log() if a else arb(0) for a, b in zip(p, q, strict=True)]


def region_terms(rng: np.random.Generator, instances: int, *, absolute: bool = False) -> Check:
    r"""Check that $M(B,Q)$ and $\operatorname{KL}(P,Q;B)$ (v1 (12)) are well defined: finite, and additive in B.

    Certified. The parts on B and its complement add up to the divergence, and $\operatorname{KL}(P,Q;B)\ge
    P(B)-Q(B)\ge-1$, so that the integral exists. P may vanish where Q does not. `absolute` takes the absolute value of
    each part.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            size = int(rng.integers(2, 6))
            p, q, region = random_sparse_law(rng, size), random_law(rng, size), _region(rng, size)
            rest = tuple(x for x in range(size) if x not in region)
            logs = _log_ratios(p, q)
            parts = [_restricted(p, logs, region), _restricted(p, logs, rest)]
            if absolute:
                parts = [abs(part) for part in parts]
            gap = abs(sum(parts, arb(0)) - _restricted(p, logs, range(size)))
            low = parts[0] - ball(sum((p[x] - q[x] for x in region), ZERO))
            fine = bool(gap < CLOSE) and bool(low > -CLOSE)
            tally.add(-float(gap.upper()) if low > -CLOSE else float(low.mid()), decided=fine, P=p, Q=q, B=region)
    return tally.check()


def mass_difference(
    rng: np.random.Generator, instances: int, *, inverse: bool = False, common_support: bool = True
) -> Check:
    r"""Check (74), $\int_B(\mathrm dP-\mathrm dQ)=\int_B(1-\frac{\mathrm dQ}{\mathrm dP})\,\mathrm dP$, in rationals.

    Exact. `inverse` puts $\mathrm dP/\mathrm dQ$ as (75) prints it; the first instance is then $P=(\frac34,\frac14)$,
    $Q=(\frac14,\frac34)$ and B the first point. Without `common_support` P vanishes at points of B where Q does not.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        size = int(rng.integers(2, 6))
        p = random_law(rng, size) if common_support else random_sparse_law(rng, size)
        q, region = random_law(rng, size), _region(rng, size)
        if index == 0 and common_support:
            p, q, region = (Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)), (0,)
        left = sum((p[x] - q[x] for x in region), ZERO)
        right = sum(((1 - (p[x] / q[x] if inverse else q[x] / p[x])) * p[x] for x in region if p[x]), ZERO)
        slack = 0.0 if left == right else -float(abs(left - right))
        tally.add(slack, decided=left == right, P=p, Q=q, B=region, left=left, right=right)
    return tally.check()


def mass_from_divergence(rng: np.random.Generator, instances: int, *, factor: Fraction = ONE) -> Check:
    r"""Check Lemma 15 (73), $Q(B)\ge P(B)-k\operatorname{KL}(P,Q;B)$ with k = `factor`. Certified.

    Any two laws, so $Q_t$ and $Q_0$ alike. Equality holds where P = Q on B; half of the pairs are near that.
    """
    rng, instances = check_trials(rng, instances)
    factor = check_fraction("factor", factor, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        while tally.instances < instances:
            size = int(rng.integers(2, 6))
            p, region = random_sparse_law(rng, size), _region(rng, size)
            q = random_law(rng, size)
            if rng.random() < 0.5:
                p = random_law(rng, size)
                q = _near(rng, p)
            if all(p[x] == q[x] for x in region):
                continue
            mass = ball(sum((p[x] for x in region), ZERO))
            bound = captured_mass(mass, ball(factor) * _restricted(p, _log_ratios(p, q), region), form="printed")
            slack = ball(sum((q[x] for x in region), ZERO)) - bound
            tally.add(float(slack.mid()), decided=bool(slack > 0), P=p, Q=q, B=region)
    return tally.check()


def region_from_whole(rng: np.random.Generator, instances: int, *, factor: Fraction = ONE) -> Check:
    r"""Check that the divergence on a region exceeds the whole by at most TV. Certified.

    $\operatorname{KL}(P,Q;B)\le\operatorname{KL}(P,Q)+k\operatorname{TV}(P,Q)$, and with
    $\sqrt{\operatorname{KL}/2}$ for TV; k = `factor`. Certified. Lemma 15 on the complement of B. Nearly attained
    by $Q=(\frac12,\frac12)$, $P=(\frac12+\delta,\frac12-\delta)$ on the first point.
    """
    rng, instances = check_trials(rng, instances)
    factor = check_fraction("factor", factor, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        turn = 0
        while tally.instances < instances:
            turn += 1
            size = int(rng.integers(2, 6))
            p, q, region = random_law(rng, size), random_law(rng, size), _region(rng, size)
            if turn % 2:
                tilt = Fraction(1, 2 ** int(rng.integers(5, 20)))
                p, q, region = (Fraction(1, 2) + tilt, Fraction(1, 2) - tilt), (Fraction(1, 2), Fraction(1, 2)), (0,)
            if p == q:
                continue
            logs = _log_ratios(p, q)
            whole = _restricted(p, logs, range(len(p)))
            distance = ball(sum((abs(a - b) for a, b in zip(p, q, strict=True)), ZERO) / 2)
            local = _restricted(p, logs, region)
            for term in (distance, (whole / 2).sqrt()):
                slack = whole + ball(factor) * term - local
                tally.add(float(slack.mid()), decided=bool(slack > 0), P=p, Q=q, B=region)
    return tally.check()
