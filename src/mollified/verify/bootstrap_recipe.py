r"""Checks of Corollary 3 of the bootstrapping paper, its proof, and the recipe that follows it.

Certified: gamma, delta, eps rational, L and U as balls, every comparison decided.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal, NamedTuple

import numpy as np
from flint import arb, ctx

from mollified._validate import check_count, check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.bootstrap_accountant import certified_delta
from mollified.bootstrap_recipe import (
    certified_lower,
    certified_upper,
    least_records,
    most_records,
    quadratic,
    recipe,
    root_rounded,
)
from mollified.checks import Check, Tally

__all__ = [
    "log_inequality",
    "minimum_pseudocount",
    "one_positive_root",
    "pseudocount_allowed",
    "quadratic_equivalence",
    "recipe_private",
    "smallest_gap",
    "sufficient_bound",
    "whole_number",
]

ONE, HALF = Fraction(1), Fraction(1, 2)
BITS = 256
Form = Literal["printed", "corrected"]


class Setting(NamedTuple):
    """gamma, delta, eps, n and |Sigma|."""

    gamma: Fraction
    delta: Fraction
    eps: Fraction
    n: int
    size: int


#: The smallest on the grid of tenths, one with a smaller eps, one with the sizes of the paper's Figure 1.
EXAMPLES = (
    Setting(Fraction(9, 10), Fraction(4, 5), Fraction(23, 10), 1, 2),
    Setting(HALF, HALF, Fraction(1, 10), 10, 2),
    Setting(Fraction(1, 4), Fraction(1, 100), Fraction(1, 20), 10_000, 2),
)


def _round(value: float) -> Fraction:
    return Fraction(max(1, round(10**6 * value)), 10**6)


def _settings(rng: np.random.Generator, instances: int) -> Iterator[Setting]:
    """Return the examples, then random settings: logs of all but gamma uniform."""
    yield from EXAMPLES[:instances]
    for _ in range(instances - len(EXAMPLES)):
        yield Setting(
            _round(float(rng.uniform(0.01, 0.99))),
            _round(float(np.exp(rng.uniform(np.log(1e-6), np.log(0.9))))),
            _round(float(np.exp(rng.uniform(np.log(0.01), np.log(20.0))))),
            int(np.exp(rng.uniform(0, np.log(1e6)))),
            int(np.exp(rng.uniform(np.log(2), np.log(1000)))),
        )


def _form(form: object) -> None:
    if not isinstance(form, str) or form not in ("printed", "corrected"):
        raise ValueError(f"form must be printed or corrected, got {form!r}")


def whole_number(
    rng: np.random.Generator, instances: int, *, form: Form = "printed", real: bool = False, claimed: Fraction = ONE
) -> Check:
    r"""Check that some integer m has $L\le m\le U$ at a $k\ge k_0$, that is $\lceil L\rceil\le U$. Certified.

    k is $\lceil k_0\rceil$ (at least 2), or in every third instance more; "corrected": $k_0$ from $\lceil L\rceil$.
    `real` asks for a real m only, $L\le U$. `claimed` is that share of the root. The margin is U less the least m. The
    first instances are EXAMPLES. Source: Corollary 3.
    """
    rng, instances = check_trials(rng, instances)
    _form(form)
    share, tally = check_fraction("claimed", claimed, above=0), Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for index, s in enumerate(_settings(rng, instances)):
            k = max(2, int(share * root_rounded(*s, form)))
            if index % 3 == 0 and index >= len(EXAMPLES):
                k += int(rng.integers(0, k + 1))
            upper = certified_upper(s.gamma, s.eps, s.n, s.size, k)
            least = certified_lower(s.gamma, s.delta) if real else arb(least_records(s.gamma, s.delta))
            slack = upper - least
            tally.add(float(slack.mid()), decided=bool(slack >= 0), **s._asdict(), k=k)
    return tally.check()


def smallest_gap(*, most: int = 1, form: Form = "printed") -> Check:
    r"""Try every setting of a grid in the order n, |Sigma|, k: gamma, delta in tenths, eps = 1/10..5. Certified.

    n = 1..most, |Sigma| = 2..most + 1, $k=\lceil k_0\rceil\ge2$; the counterexample is the first in that order with no
    integer in [L, U]. Instances with $\lceil k_0\rceil=1$ are outside Theorem 2 and not counted. Source: Corollary 3.
    """
    most = check_count("most", most)
    _form(form)
    tally, tenths = Tally("certified", keep="first"), [Fraction(i, 10) for i in range(1, 51)]
    for n in range(1, most + 1):
        for size in range(2, most + 2):
            found = []
            for gamma in tenths[:9]:
                for delta in tenths[:9]:
                    least = least_records(gamma, delta)
                    for eps in tenths:
                        k = root_rounded(gamma, delta, eps, n, size, form)
                        if k >= 2:
                            m = most_records(gamma, eps, n, size, k)
                            found.append((k, Setting(gamma, delta, eps, n, size), m - least))
            for k, setting, slack in sorted(found, key=lambda entry: entry[0]):
                tally.add(float(slack), decided=slack >= 0, **setting._asdict(), k=k)
    return tally.check()


def recipe_private(rng: np.random.Generator, instances: int, *, form: Form = "printed", times: int = 1) -> Check:
    r"""Check that the mechanism at the recipe's k and m is $(\varepsilon,\delta)$-DP, by its exact delta. Certified.

    Replace-one neighbours; the margin is $\delta$ less a certified upper bound. `times` as many records are too many.
    EXAMPLES first; settings with m = 0, or over $10^7$ records, are not counted. Source: section 5.1, steps 1 to 3.
    """
    rng, instances = check_trials(rng, instances)
    _form(form)
    times, tally = check_count("times", times), Tally("certified")
    for s in _settings(rng, instances):
        k, m = recipe(*s, form)
        if m == 0 or m * times > 10**7:
            continue
        upper = certified_delta(s.eps, s.n, s.size, k, m * times)[1]
        slack = ball(s.delta) - upper
        tally.add(float(slack.mid()), decided=bool(slack >= 0), **s._asdict(), k=k, m=m * times)
    return tally.check()


def one_positive_root(rng: np.random.Generator, instances: int, *, flip: bool = False) -> Check:
    r"""Check that the quadratic has two real roots of unlike sign, so exactly one positive. Certified.

    $a_2>0$, product of the roots $a_0/a_2<0$, positive discriminant. `flip` takes $-a_0$. Source: Corollary 3.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for s in _settings(rng, instances):
            low = certified_lower(s.gamma, s.delta)
            a2 = ball(s.eps * s.size)
            a1 = ball(s.eps * s.n) - 2 * s.size * ball(s.gamma) * low
            a0 = -(2 * s.n * ball(s.gamma) + 1) * low * (-1 if flip else 1)
            held = bool(a2 > 0) and bool(a0 / a2 < 0) and bool(a1 * a1 - 4 * a2 * a0 > 0)
            tally.add(float(-(a0 / a2).mid()), decided=held, **s._asdict())
    return tally.check()


def log_inequality(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check $U\ge U_L$ of (26)-(27), for k = 1..500 and random k up to 1e9. Certified.

    `claimed` is that share of $1/k$, the bound on $\log\frac{k+1}k$; the margin is relative to $U_L$.
    """
    rng, instances = check_trials(rng, instances)
    share, tally = check_fraction("claimed", claimed, above=0), Tally("certified")
    with ctx.workprec(BITS):
        for index, s in enumerate(_settings(rng, 500 + instances)):
            k = index + 1 if index < 500 else int(np.exp(rng.uniform(0, np.log(1e9))))
            bound = s.eps * k / (Fraction(1, s.n + k * s.size) + 2 * s.gamma) / share
            slack = certified_upper(s.gamma, s.eps, s.n, s.size, k) / ball(bound) - 1
            tally.add(float(slack.mid()), decided=bool(slack >= 0), **s._asdict(), k=k)
    return tally.check()


def _at_bound(rng: np.random.Generator, s: Setting, k: int, low: arb) -> Setting:
    """Return the setting with an eps at which U_L is L up to 2 %."""
    near = low * ball(Fraction(1, s.n + k * s.size) + 2 * s.gamma) / k
    eps = Fraction(int(10**9 * float(near.mid())) + 1, 10**9)
    return s._replace(eps=eps * Fraction(int(rng.integers(980, 1021)), 1000))


def quadratic_equivalence(rng: np.random.Generator, instances: int, *, drop: bool = False) -> Check:
    r"""Check that $U_L\ge L$, $\frac\varepsilon L\ge(\frac1N+2\gamma)\frac1k$ and (30) are one condition. Certified.

    eps is set so that the two sides of (28) differ by at most 2 %. `drop` leaves out the last $L$ of (30).
    Source: (28)-(30).
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for s in _settings(rng, instances):
            k, low = int(rng.integers(1, 50)), certified_lower(s.gamma, s.delta)
            s = _at_bound(rng, s._replace(n=1 + s.n % 50, size=2 + s.size % 5), k, low)
            rate = Fraction(1, s.n + k * s.size) + 2 * s.gamma
            first, second = ball(s.eps * k / rate) - low, ball(s.eps) / low - ball(rate / k)
            third = (
                ball(s.eps * s.size * k * k)
                + (ball(s.eps * s.n) - 2 * ball(s.gamma) * low * s.size) * k
                - (2 * ball(s.gamma) * low * s.n + (0 if drop else 1) * low)
            )
            signs = [bool(value >= 0) for value in (first, second, third)]
            same = len(set(signs)) == 1 and (drop or quadratic(s.gamma, s.eps, s.n, s.size, k, low).overlaps(third))
            tally.add(float(abs(third).mid()) * (1 if same else -1), decided=same, **s._asdict(), k=k)
    return tally.check()


def sufficient_bound(rng: np.random.Generator, instances: int, *, converse: bool = False) -> Check:
    r"""Check that $L\le U_L$ implies $L\le U$, near equality; `converse` the other way, which is false. Certified.

    Only settings that meet the premise are counted. Source: (28).
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for s in _settings(rng, 3 * instances):
            k, low = int(rng.integers(2, 50)), certified_lower(s.gamma, s.delta)
            s = _at_bound(rng, s, k, low)
            simple = ball(s.eps * k / (Fraction(1, s.n + k * s.size) + 2 * s.gamma)) - low
            full = certified_upper(s.gamma, s.eps, s.n, s.size, k) - low
            premise, conclusion = (full, simple) if converse else (simple, full)
            if premise >= 0 and tally.instances < instances:
                tally.add(float(conclusion.mid()), decided=bool(conclusion >= 0), **s._asdict(), k=k)
    return tally.check()


#: k = 2 is allowed although the rounded root is 3, k = 3 although it is 4, k = 48 although it is 49.
SMALLER = (
    Setting(Fraction(2, 5), Fraction(9, 10), Fraction(41, 10), 1, 2),
    Setting(HALF, HALF, Fraction(4), 1, 2),
    Setting(Fraction(1, 4), Fraction(1, 10), ONE, 100, 2),
)


def minimum_pseudocount(rng: np.random.Generator, instances: int, *, corrected: bool = False, shift: int = 0) -> Check:
    r"""Check that $\lceil k_0\rceil$ is the least k >= 2 that is allowed. Certified; roots of 3 or more are counted.

    As printed: no integer m meets (1) and (2) at $\lceil k_0\rceil-1$. `corrected`: it is the least integer with
    $L\le U_L$. `shift` moves k. Source: section 5.1, step 2.
    """
    rng, instances = check_trials(rng, instances)
    shift, tally = check_count("shift", shift, minimum=0), Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for s in [*SMALLER, *_settings(rng, instances)]:
            k = root_rounded(*s) + shift
            if k < 3 + shift:
                continue
            low = certified_lower(s.gamma, s.delta)
            if corrected:
                below, at = (quadratic(s.gamma, s.eps, s.n, s.size, j, low) for j in (k - 1, k))
                tally.add(-float(below.mid()), decided=bool(below < 0) and bool(at > 0), **s._asdict(), k=k)
            else:
                m = least_records(s.gamma, s.delta)
                slack = m - certified_upper(s.gamma, s.eps, s.n, s.size, k - 1)
                tally.add(float(slack.mid()), decided=bool(slack > 0), **s._asdict(), smaller_k=k - 1, m=m)
    return tally.check()


def pseudocount_allowed(rng: np.random.Generator, instances: int, *, relaxed: bool = False, times: int = 1) -> Check:
    r"""Check that the recipe's k is one that Theorem 2 allows, on settings with large eps.

    As printed: $\lceil k_0\rceil\ge2$; the first is gamma = delta = 1/2, eps = 20, n = 10. `relaxed`, where
    $\lceil k_0\rceil=1$: the conclusion of Theorem 2 holds with k = 1 as well, by the exact delta at `times`
    $\lfloor U\rfloor$ records. Certified.
    """
    rng, instances = check_trials(rng, instances)
    times, tally = check_count("times", times), Tally("certified", keep="first")
    index = 0
    while tally.instances < instances:
        s = Setting(
            _round(float(rng.uniform(0.3, 0.99))),
            _round(float(np.exp(rng.uniform(np.log(1e-3), np.log(0.9))))),
            _round(float(rng.uniform(5, 100))),
            int(rng.integers(1, 100)),
            int(rng.integers(3, 20)),
        )
        s, index = (Setting(HALF, HALF, Fraction(20), 10, 2) if index == 0 else s), index + 1
        k = root_rounded(*s)
        if not relaxed:
            tally.add(float(k - 2), decided=k >= 2, **s._asdict(), k=k)
        elif k == 1:
            m = times * most_records(s.gamma, s.eps, s.n, s.size, k)
            slack = ball(s.delta) - certified_delta(s.eps, s.n, s.size, k, m)[1]
            tally.add(float(slack.mid()), decided=bool(slack >= 0), **s._asdict(), k=k, m=m)
    return tally.check()
