r"""Checks of the exponential-moment lemmas, v1 Lemmas 12 to 14 (v2 13 to 15), and of the steps of their proofs."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, ctx

from mollified._validate import check_fraction, check_trials
from mollified.ball_mbde import BITS as IDENTITY_BITS
from mollified.ball_mbde import ball
from mollified.bounds import Form, exponential_moment, gamma_function, kl_drop_hoeffding
from mollified.checks import Check, Tally
from mollified.finite_runs import FiniteRuns
from mollified.instances import random_fraction, random_law, random_signs
from mollified.sweep import edges_below, sweep
from mollified.weak_round import BITS, high_example, random_round, two_points

__all__ = [
    "attained",
    "before_edge",
    "centred_interval",
    "centred_mean",
    "chord_in_mean",
    "hoeffding_lemma",
    "insert_edge",
    "moment_at_one",
    "moment_bound",
    "printed_below",
    "rewrite_gamma",
]

ONE, ZERO = Fraction(1), Fraction(0)
#: Rounds of the runs of a sweep: a statement on one round needs no long runs.
ROUNDS = 5


def _mean(law: tuple[Fraction, ...], values: tuple[Fraction, ...]) -> Fraction:
    return sum((a * x for a, x in zip(law, values, strict=True)), ZERO)


def hoeffding_lemma(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check $\mathbb E e^{\lambda X}\le e^{\lambda^2(b-a)^2/8}$ for centred X in [a, b], v1 (33). Certified.

    X has two to five values, one of them a and one b; $\lambda(b-a)$ from 1/64 to 12. `claimed` multiplies the
    exponent.
    """
    rng, instances = check_trials(rng, instances)
    factor = ball(check_fraction("claimed", claimed, above=0))
    tally = Tally("certified")
    with ctx.workprec(BITS):
        while tally.instances < instances:
            law = random_law(rng, int(rng.integers(2, 6)))
            values = random_signs(rng, len(law))
            if tally.instances % 3 == 0:
                law, values = (Fraction(1, 2),) * 2, (ONE, -ONE)
            if min(values) == max(values):
                continue
            mean = _mean(law, values)
            centred = tuple(x - mean for x in values)
            width = max(values) - min(values)
            power = Fraction(int(2 ** rng.uniform(0, 9.5)), 64) / width
            moment = sum((ball(a) * (ball(power) * ball(x)).exp() for a, x in zip(law, centred, strict=True)), arb(0))
            slack = factor * (ball(power) * ball(width)) ** 2 / 8 - moment.log()
            tally.add(float(slack.mid()), decided=bool(slack > 0), law=law, X=centred, power=power)
    return tally.check()


def _swept(
    rng: object,
    instances: object,
    claimed: object,
    certified: bool,
    margin: Callable[[FiniteRuns, Any], tuple[Any, Any]],
) -> Check:
    """Sweep over random runs; `margin` gets the factor in the arithmetic of the runs."""
    generator, count = check_trials(rng, instances)
    factor = check_fraction("claimed", claimed, above=0)

    def statement(runs: FiniteRuns) -> tuple[Any, Any]:
        balls = np.asarray(runs.eps).dtype == object
        return margin(runs, ball(factor) if balls else float(factor))

    found = sweep(generator, count, statement, most_rounds=ROUNDS)
    return found.certified if certified else found.floats


def moment_bound(
    rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE, certified: bool = False
) -> Check:
    r"""Check $\mathbb E_Qe^{\theta c}\le\exp(\frac{u^2}2-u\gamma_Q)$, v1 Lemma 13, on random runs of MBDE.

    All instances in floats, or with `certified` the 200 of least margin in balls. $\gamma_Q$ is the exact edge less
    $2^{-30}$ of it. `claimed` multiplies $u^2/2$.
    """

    def margin(runs: FiniteRuns, factor: Any) -> tuple[Any, Any]:
        edge = edges_below(runs)[1]
        bound = -kl_drop_hoeffding(runs.theta, runs.c_star, 0.0, edge)  # the log of (34), without cancellation
        return (bound + (factor - 1) * runs.u**2 / 2 - runs.log_z) / runs.u, runs.learnable

    return _swept(rng, instances, claimed, certified, margin)


def before_edge(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE, certified: bool = False) -> Check:
    r"""Check $\log\mathbb E_Qe^{\theta c}+\theta\,\mathbb E_Q[-c]\le u^2/2$ for any classifier, v1 (36)-(38).

    Arithmetic and `claimed` as in `moment_bound`; no edge needs to be positive.
    """

    def margin(runs: FiniteRuns, factor: Any) -> tuple[Any, Any]:
        slack = factor * runs.u / 2 - runs.log_z / runs.u - runs.edge_q
        return slack, np.ones(slack.shape, dtype=bool)

    return _swept(rng, instances, claimed, certified, margin)


def centred_interval(rng: np.random.Generator, instances: int, *, shifted: bool) -> Check:
    r"""Check the interval in the proof of v1 Lemma 13: $-c^*\le c-\mathbb E_Qc\le c^*$. Exact, in units of $c^*$.

    Classifiers meet the assumption. With `shifted` the interval is $[-c^*-\mathbb E_Qc,\,c^*-\mathbb E_Qc]$, of the
    same width. The first instance is $Q=(1,2)/3$, $c=(c^*,-c^*)$, where $c-\mathbb E_Qc=\frac43c^*$ at the first point.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    third, quarter = Fraction(1, 3), Fraction(1, 4)
    for index in range(instances):
        one = random_round(rng)
        if index == 0:
            one = two_points(2 * third, third, Fraction(2), Fraction(1, 2), (quarter, quarter))
        mean = -one.edge_q
        low, high = (-1 - mean, 1 - mean) if shifted else (-ONE, ONE)
        slack = min(min(s - mean - low, high - (s - mean)) for s in one.shape)
        tally.add(float(slack), decided=slack >= 0, P=one.p, Q=one.q, shape=one.shape, mean=mean)
    return tally.check()


def centred_mean(rng: np.random.Generator, instances: int, *, centred: bool = True) -> Check:
    r"""Check v1 (35): $\mathbb E_Q[\lambda X]$ and $\mathbb E_Q[c-\mathbb E_Qc]$ are both zero. Exact.

    In units of $c^*$; without `centred`, X is the classifier itself.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        one = random_round(rng)
        mean = -one.edge_q if centred else ZERO
        values = tuple(s - mean for s in one.shape)
        scaled = _mean(one.q, tuple(one.theta * x for x in values))
        gap = max(abs(scaled), abs(_mean(one.q, values)))
        tally.add(-float(gap), decided=gap == 0, Q=one.q, shape=one.shape, power=one.theta)
    return tally.check()


def chord_in_mean(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check $\mathbb E_Qe^c\le\frac54-\frac34\cdot\frac1{\log2}\mathbb E_Q[-c]$, v1 (46)-(48). Exact.

    Classifiers with values in $\{-\log2,0,\log2\}$, for which both sides are rational; equality where 0 is not taken.
    `claimed` multiplies the 5/4.
    """
    rng, instances = check_trials(rng, instances)
    factor = check_fraction("claimed", claimed, above=0)
    powers = {-1: Fraction(1, 2), 0: ONE, 1: Fraction(2)}
    tally = Tally("exact")
    for _ in range(instances):
        law = random_law(rng, int(rng.integers(2, 6)))
        steps = [int(k) for k in rng.integers(-1, 2, len(law))]
        left = sum((a * powers[k] for a, k in zip(law, steps, strict=True)), ZERO)
        right = factor * Fraction(5, 4) + Fraction(3, 4) * sum((a * k for a, k in zip(law, steps, strict=True)), ZERO)
        tally.add(float(right - left), decided=right >= left, Q=law, shape=steps)
    return tally.check()


def moment_at_one(rng: np.random.Generator, instances: int, *, form: Form, largest: bool = False) -> Check:
    r"""Check v1 Lemma 14, $\mathbb E_Qe^c\le\frac{5-3\gamma_Q}4$; corrected, $\cosh c^*-\gamma_Q\sinh c^*$. Certified.

    With `largest` every classifier has $c^*=\log2$ (and the two bounds agree). Else the first instance is
    $Q=(1,4)/5$, $c=\pm\log\frac{11}{10}$, $\gamma_Q=\frac12$: $\frac{521}{550}$ against $\frac78$.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified", keep="first")
    for index in range(instances):
        one = high_example() if index == 0 and not largest else random_round(rng, largest=largest)
        with ctx.workprec(BITS):
            slack = exponential_moment(one.c_star, ball(one.gamma_q), form=form) - one.moment(ONE)
            tally.add(float(slack.mid()), decided=bool(slack > 0), **one.text())
    return tally.check()


def insert_edge(rng: np.random.Generator, instances: int, *, form: Form, largest: bool = False) -> Check:
    r"""Check v1 (49), $\frac54-\frac34\frac{\mathbb E_Q[-c]}{\log2}<\frac54-\frac34\gamma_Q$. Certified.

    Corrected, the right side has $\gamma_Q\frac{c^*}{\log2}$ for $\gamma_Q$. `largest` and the first instance are
    those of `moment_at_one`.
    """
    rng, instances = check_trials(rng, instances)
    if not isinstance(form, str) or form not in ("printed", "corrected"):
        raise ValueError(f"form must be printed or corrected, got {form!r}")
    tally = Tally("certified", keep="first")
    for index in range(instances):
        one = high_example() if index == 0 and not largest else random_round(rng, largest=largest)
        with ctx.workprec(BITS):
            scale = one.c_star / arb(2).log()
            inserted = ball(one.gamma_q) * (scale if form == "corrected" else 1)
            slack = 3 * (ball(one.edge_q) * scale - inserted) / 4
            tally.add(float(slack.mid()), decided=bool(slack > 0), **one.text())
    return tally.check()


def rewrite_gamma(rng: np.random.Generator, instances: int, *, constant: Fraction = Fraction(4)) -> Check:
    r"""Check $\frac54-\frac34\gamma=e^{-\Gamma(\gamma)}$ for $0<\gamma\le1$, v1 (50)-(52). Certified.

    Both sides agree to within $2^{-200}$. `constant` stands in place of the 4 in $\Gamma(z)=\log\frac4{5-3z}$.
    """
    rng, instances = check_trials(rng, instances)
    numerator = check_fraction("constant", constant, above=0)
    tally = Tally("certified")
    with ctx.workprec(IDENTITY_BITS):
        for _ in range(instances):
            edge = random_fraction(rng, Fraction(1, 1000), ONE, 997)
            gamma = gamma_function(ball(edge)) + ball(numerator / 4).log()
            gap = abs((-gamma).exp() - ball((5 - 3 * edge) / 4))
            tally.add(-float(gap.upper()), decided=bool(gap < arb(2) ** -200), gamma=edge)
    return tally.check()


def attained(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that two values attain the bound: $\mathbb E_Qe^{\theta c}=\cosh u-\gamma\sinh u$ on two points. Exact.

    $Q=(\frac{1-\gamma}2,\frac{1+\gamma}2)$, $c=(c^*,-c^*)$, and $e^{u}$ rational, so that both sides are. `claimed` < 1
    states a bound that is smaller by that factor; it is violated every time.
    """
    rng, instances = check_trials(rng, instances)
    factor = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for _ in range(instances):
        edge = random_fraction(rng, ZERO, ONE, 997)
        grown = 1 + Fraction(int(rng.integers(1, 1001)), 1000)
        moment = (1 - edge) / 2 * grown + (1 + edge) / 2 / grown
        bound = (grown + 1 / grown) / 2 - edge * (grown - 1 / grown) / 2
        slack = factor * bound - moment
        tally.add(float(slack), decided=slack >= 0, gamma=edge, exp_u=grown)
    return tally.check()


def printed_below(rng: np.random.Generator, instances: int, *, least: Fraction) -> Check:
    r"""Check $\frac{5-3\gamma}4<\cosh c^*-\gamma\sinh c^*$ for edges from `least` on, $c^*<\log2$. Certified.

    So that the printed Lemma 14 fails for a two-valued classifier of any size; true from 3/5 on. The edge is `least` in
    half of the instances, and $\log2-c^*$ goes down to $2^{-40}$.
    """
    rng, instances = check_trials(rng, instances)
    start = check_fraction("least", least, minimum=0, maximum=1)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        log2 = arb(2).log()
        for _ in range(instances):
            edge = start if rng.random() < 0.5 else random_fraction(rng, start, ONE, 997)
            missing = Fraction(int(2 ** rng.uniform(0, 39)), 2**40)
            c_star, gamma = log2 - ball(missing), ball(edge)
            slack = exponential_moment(c_star, gamma, form="corrected") - exponential_moment(
                c_star, gamma, form="printed"
            )
            tally.add(float(slack.mid()), decided=bool(slack > 0), gamma=edge, log2_minus_c_star=missing)
    return tally.check()
