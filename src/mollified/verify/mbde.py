r"""Checks for the pages on MBDE: step sizes, range, membership, and the level that T rounds spend."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np
from flint import arb, ctx, fmpq, fmpq_poly

from mollified._validate import check_array, check_count, check_fraction, check_fractions, check_trials
from mollified.ball_mbde import BITS, ball_mbde, ball_membership, ball_theta
from mollified.checks import Check, Tally
from mollified.classifiers import BOUNDINGS, Bounding, bounded
from mollified.exact_level import ExactLevel
from mollified.instances import member_of_box, random_law, random_signs
from mollified.theta import LOG2, theta_sum

__all__ = [
    "absolute_range",
    "attained_level",
    "bounded_classifiers",
    "circular_step",
    "data_dependent_start",
    "geometric_identity",
    "geometric_ratio",
    "limit_identity",
    "membership",
    "missing_index",
    "no_ring",
    "product_form",
    "range_lemma",
    "sigmoid_edge",
    "sigmoid_level",
    "sigmoid_values",
    "spent",
    "steps_vanish",
    "sum_below_limit",
    "unused_share",
]

Law = tuple[Fraction, ...]
ONE = Fraction(1)


def _random_level(rng: np.random.Generator) -> ExactLevel:
    """Return an exact eps, from 1/1000 to 20, log-uniform."""
    return ExactLevel(eps=Fraction(round(1000 * float(np.exp(rng.uniform(0, 9.9)))), 10**6))


def geometric_identity(rounds: int, *, exponent_shift: int = 0) -> Check:
    r"""Prove $(1-r)\sum_{t=1}^Tr^t=r-r^{T+1}$ as an identity of polynomials, for every T up to `rounds`.

    With $r=\varepsilon/(\varepsilon+4\log2)\in(0,1)$ this is (18)-(19), and $r^{T+1}>0$ gives Lemma 9 for every
    $\varepsilon$ at once. `exponent_shift` puts a wrong power on the right.
    """
    rounds = check_count("rounds", rounds)
    exponent_shift = check_count("exponent_shift", exponent_shift, minimum=-1)
    tally = Tally("exact", scope="universal")
    for last in range(1, rounds + 1):
        left = fmpq_poly([1, -1]) * fmpq_poly([0] + [1] * last)
        right = fmpq_poly([0, 1]) - fmpq_poly([0] * (last + 1 + exponent_shift) + [1])
        tally.add(0.0 if left == right else -1.0, decided=left == right, T=last)
    return tally.check()


def sum_below_limit(rng: np.random.Generator, instances: int, *, divisor: int = 4) -> Check:
    r"""Check Lemma 9, $\sum_{t\le T}\theta_t<\varepsilon/(4\log2)$, in ball arithmetic; T up to 50. Certified.

    `divisor` 5 states a limit that is too small.
    """
    rng, instances = check_trials(rng, instances)
    divisor = check_count("divisor", divisor)
    tally = Tally("certified")
    saved, ctx.prec = ctx.prec, BITS
    try:
        for _ in range(instances):
            level, rounds = _random_level(rng), int(rng.integers(1, 51))
            assert level.eps is not None
            total = sum(ball_theta(level, rounds), arb(0))
            limit = arb(fmpq(level.eps.numerator, level.eps.denominator)) / (divisor * arb(2).log())
            slack = limit - total
            tally.add(float(slack.mid()), decided=bool(slack > 0), eps=level.eps, T=rounds)
    finally:
        ctx.prec = saved
    return tally.check()


def steps_vanish(rng: np.random.Generator, instances: int, *, faster: int = 0) -> Check:
    r"""Check $\theta_t(\varepsilon)\le(\varepsilon/(4\log2))^t$, hence $\theta_t\to0$ as $\varepsilon\to0$. Certified.

    `faster` claims the power t + `faster`, which fails for small $\varepsilon$.
    """
    rng, instances = check_trials(rng, instances)
    faster = check_count("faster", faster, minimum=0)
    tally = Tally("certified")
    saved, ctx.prec = ctx.prec, BITS
    try:
        for _ in range(instances):
            level, t = _random_level(rng), int(rng.integers(1, 9))
            assert level.eps is not None
            step = ball_theta(level, t)[-1]
            bound = (arb(fmpq(level.eps.numerator, level.eps.denominator)) / (4 * arb(2).log())) ** (t + faster)
            slack = (bound / step).log()
            tally.add(float(slack.mid()), decided=bool(slack > 0), eps=level.eps, t=t)
    finally:
        ctx.prec = saved
    return tally.check()


def _instance(rng: np.random.Generator, limit: Fraction, most_rounds: int = 6) -> tuple[Law, list[Law], ExactLevel]:
    size, rounds = int(rng.integers(2, 6)), int(rng.integers(1, most_rounds + 1))
    base = random_law(rng, size, spread=20)
    return base, [random_signs(rng, size, limit) for _ in range(rounds)], _random_level(rng)


def membership(rng: np.random.Generator, instances: int, *, limit: Fraction = ONE, width: Fraction = ONE) -> Check:
    r"""Check $Q_T\in\mathcal M_{\varepsilon,Q_0}$ (v3 Theorem 4) for random classifiers, references, eps and T.

    Certified. Ball arithmetic decides every instance. `limit` > 1 lets classifiers leave $[-\log2,\log2]$; `width` <
    1 claims a mollifier of that share of the level.
    """
    rng, instances = check_trials(rng, instances)
    limit = check_fraction("limit", limit, above=0)
    width = check_fraction("width", width, above=0)
    tally = Tally("certified")
    for _ in range(instances):
        base, rows, level = _instance(rng, limit)
        assert level.eps is not None
        claimed = ExactLevel(eps=level.eps * width)
        inside, x, slack = ball_membership(ball_mbde(base, rows, level), base, claimed)
        tally.add(slack, decided=inside, Q0=base, c=rows, eps=level.eps, x=x)
    return tally.check()


def range_lemma(
    rng: np.random.Generator, instances: int, *, forget_normaliser: bool = False, quarter: bool = False
) -> Check:
    r"""Check Lemma 10, $|\langle\theta,c\rangle-\varphi|\le\varepsilon/2$, and its two halves (25), (27). Certified.

    `quarter` claims $\varepsilon/4$ for the difference; `forget_normaliser` tests $\langle\theta,c\rangle$ alone
    against $\varepsilon/4$, which is (25) and true.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    saved, ctx.prec = ctx.prec, BITS
    try:
        for _ in range(instances):
            base, rows, level = _instance(rng, ONE)
            assert level.eps is not None
            eps = arb(fmpq(level.eps.numerator, level.eps.denominator))
            steps = ball_theta(level, len(rows))
            pairing = [
                arb(2).log()
                * sum(
                    (step * fmpq(row[x].numerator, row[x].denominator) for step, row in zip(steps, rows, strict=True)),
                    arb(0),
                )
                for x in range(len(base))
            ]
            log_z = sum(
                (fmpq(q.numerator, q.denominator) * s.exp() for q, s in zip(base, pairing, strict=True)),
                arb(0),
            ).log()
            bound = eps / 4 if quarter or forget_normaliser else eps / 2
            for s in pairing:
                slack = bound - abs(s if forget_normaliser else s - log_z)
                tally.add(float(slack.mid()), decided=bool(slack > 0), Q0=base, c=rows, eps=level.eps)
            if forget_normaliser:
                slack = bound - abs(log_z)
                tally.add(float(slack.mid()), decided=bool(slack > 0), Q0=base, c=rows, eps=level.eps)
    finally:
        ctx.prec = saved
    return tally.check()


def product_form(rng: np.random.Generator, instances: int, *, skip_normaliser: bool = False) -> Check:
    r"""Check that T normalised updates give the product form (6)-(7): $Q_T=e^{\langle\theta,c\rangle-\varphi}Q_0$.

    Certified. The recursion and the closed form are computed in balls of 1024 bits and must overlap to within 2^-200;
    `skip_normaliser` leaves out $\varphi$.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    saved, ctx.prec = ctx.prec, BITS
    try:
        for _ in range(instances):
            base, rows, level = _instance(rng, ONE)
            closed = ball_mbde(base, rows, level)
            current = [arb(fmpq(q.numerator, q.denominator)) for q in base]
            log2 = arb(2).log()
            for step, row in zip(ball_theta(level, len(rows)), rows, strict=True):
                raised = [
                    q * (step * fmpq(s.numerator, s.denominator) * log2).exp()
                    for q, s in zip(current, row, strict=True)
                ]
                total = arb(1) if skip_normaliser else sum(raised, arb(0))
                current = [q / total for q in raised]
            gaps = [abs(a - b) for a, b in zip(closed, current, strict=True)]
            same = all(gap.upper() < arb(2) ** -200 for gap in gaps)
            tally.add(-max(float(gap.upper()) for gap in gaps), decided=same, Q0=base, c=rows, eps=level.eps)
    finally:
        ctx.prec = saved
    return tally.check()


def absolute_range(*, densities: Sequence[Fraction], level: ExactLevel | None = None) -> Check:
    r"""Check Theorem 5 of v1 and v2 read absolutely: $Q_T(x)\in[e^{-\varepsilon/2},e^{\varepsilon/2}]$. Certified.

    $Q_0$ has the two given density values on the halves of [0, 1] (mass one: they add up to 2), T = 1, c = -log 2 on
    the first half and +log 2 on the second, $\varepsilon=1/5$. Values 1/2 and 3/2 refute it; the uniform values 1, 1
    do not. What is true for every $Q_0$ is the bound on $Q_T/Q_0$.
    """
    values = check_fractions("densities", densities, size=2)
    if min(values) <= 0 or sum(values) != 2:
        raise ValueError(f"densities must be two values > 0 that add up to 2, got {densities!r}")
    if level is not None and not isinstance(level, ExactLevel):
        raise TypeError(f"level must be an ExactLevel or None, got {level!r}")
    level = level or ExactLevel(eps=Fraction(1, 5))
    base = tuple(value / 2 for value in values)
    learned = ball_mbde(base, [(-ONE, ONE)], level)
    uniform = (Fraction(1, 2),) * 2
    inside, x, slack = ball_membership(learned, uniform, level)
    tally = Tally("certified")
    tally.add(
        slack,
        decided=inside,
        Q0=base,
        c="(-log 2, log 2)",
        eps=level.eps,
        T=1,
        x=x,
        Q1=[float(2 * q.mid()) for q in learned],
    )
    return tally.check()


def spent(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check the sharp level: two outputs of T rounds from one $Q_0$ differ by at most $\varepsilon(1-\theta_T)$.

    Certified. `claimed` < 1 states that share of it; the extreme pairs (opposite signs everywhere against one small
    atom) come close to the bound, so 0.98 is already too small.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("certified")
    saved, ctx.prec = ctx.prec, BITS
    try:
        for index in range(instances):
            base, rows, level = _instance(rng, ONE)
            other = [random_signs(rng, len(base)) for _ in rows]
            if index % 4 == 0:
                atom = Fraction(1, 2 ** int(rng.integers(20, 80)))
                base = (atom, 1 - atom)
                rows, other = [(ONE, -ONE)] * len(rows), [(-ONE, ONE)] * len(rows)
            assert level.eps is not None
            one, two = ball_mbde(base, rows, level), ball_mbde(base, other, level)
            eps = arb(fmpq(level.eps.numerator, level.eps.denominator))
            bound = eps * (1 - ball_theta(level, len(rows))[-1]) * fmpq(claimed.numerator, claimed.denominator)
            for a, b in zip(one, two, strict=True):
                slack = bound - abs((a / b).log())
                tally.add(float(slack.mid()), decided=bool(slack > 0), Q0=base, c=rows, c2=other, eps=level.eps)
    finally:
        ctx.prec = saved
    return tally.check()


def attained_level(eps: float, rounds: int, atoms: object) -> list[float]:
    r"""Return the level reached on two points by opposite classifiers, for each mass of the small atom, in nats.

    $Q_0=(a,1-a)$, $c_t=\pm\log2$ on the atom and the opposite elsewhere, against the same with signs changed:
    $2S+\log\frac{ae^{-S}+(1-a)e^{S}}{ae^{S}+(1-a)e^{-S}}$ with $S=\log2\sum_t\theta_t$, which tends to $4S$ as a -> 0.
    Floats; errs by rounding only. Raises ValueError for atoms outside (0, 1), and as `theta_sum` does.
    """
    a = check_array("atoms", atoms, ndim=1)
    if ((a <= 0) | (a >= 1)).any():
        raise ValueError(f"atoms must lie in (0, 1), got {atoms!r}")
    half = LOG2 * theta_sum(eps, rounds)
    ratio = np.log((a * np.exp(-half) + (1 - a) * np.exp(half)) / (a * np.exp(half) + (1 - a) * np.exp(-half)))
    return [float(value) for value in 2 * half + ratio]


def circular_step(*, use_previous: bool) -> Check:
    r"""Check that line 3 of Algorithm 1 can be executed: find a classifier that agrees with its own density. Exact.

    As printed, $c_t\leftarrow\mathrm{WL}(P,Q_t)$ with $Q_t\propto Q_{t-1}e^{\theta_tc_t}$: $c_t$ must be a fixed point.
    On two points with $P=(3,2)/5$, $Q_0=(1,1)/2$, $\theta_1=1/2$ ($\varepsilon=4\log2$) and the learner that returns
    $\log2\,\mathrm{sign}(P-Q)$, the candidates $\pm$ give $Q_1=(2,1)/3$ and $(1,2)/3$, on which the learner answers the
    opposite sign: no execution exists. With `use_previous` the learner sees $Q_0$ and answers (+, -) at once.
    """
    target = (Fraction(3, 5), Fraction(2, 5))
    start = (Fraction(1, 2), Fraction(1, 2))
    tally = Tally("exact")
    answers = {}
    for sign in (1, -1):
        # exp(theta c) = 2^{+-1/2}; the ratio of the two weights is 2^{sign}, rational
        heavy = Fraction(2, 3)
        updated = (heavy, 1 - heavy) if sign == 1 else (1 - heavy, heavy)
        seen = start if use_previous else updated
        difference = target[0] - seen[0]
        answers[sign] = (difference > 0) - (difference < 0)
    consistent = [sign for sign, answer in answers.items() if sign == answer]
    tally.add(
        1.0 if consistent else -1.0,
        decided=bool(consistent),
        P=target,
        Q0=start,
        theta="1/2",
        answers=answers,
    )
    return tally.check()


def sigmoid_edge(rng: np.random.Generator, instances: int, *, centred: bool = False) -> Check:
    r"""Check that a classifier with values in (0, 1) can satisfy the weak learning assumption. Exact.

    The printed network ends in a sigmoid; then $\mathbb E_Q[-c]<0$ for every Q, so the second inequality of (3) fails
    for every $\gamma_Q>0$. `centred` shifts the same values to $2c-1$, for which it can hold; instances with the best
    classifier for a random pair (P, Q) on a finite space.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    cases: list[tuple[Law, Law]] = [((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)))]
    for _ in range(instances):
        size = int(rng.integers(2, 6))
        cases.append((random_law(rng, size), random_law(rng, size)))
    for target, current in cases:
        values = [Fraction(9, 10) if p > q else Fraction(1, 10) for p, q in zip(target, current, strict=True)]
        if centred:
            values = [2 * value - 1 for value in values]
            if sum(q * v for q, v in zip(current, values, strict=True)) >= 0:
                continue
        edge_q = -sum((q * v for q, v in zip(current, values, strict=True)), Fraction(0)) / max(map(abs, values))
        tally.add(float(edge_q), decided=edge_q > 0, P=target, Q=current, c=values, edge_Q=edge_q)
    return tally.check()


def geometric_ratio(rounds: int, *, additive: bool = False) -> Check:
    r"""Prove $\theta_t=r\,\theta_{t-1}$ for $\theta_t=r^t$, as polynomials in r, for t up to `rounds`.

    `additive` claims $\theta_t=r+\theta_{t-1}$.
    """
    rounds = check_count("rounds", rounds)
    tally = Tally("exact", scope="universal")
    r = fmpq_poly([0, 1])
    for t, (before, after) in enumerate(pairwise(fmpq_poly([0] * k + [1]) for k in range(1, rounds + 2)), start=2):
        same = after == (r + before if additive else r * before)
        tally.add(0.0 if same else -1.0, decided=same, t=t)
    return tally.check()


def limit_identity(*, constant: int = 1) -> Check:
    r"""Prove $r/(1-r)=\varepsilon/K$ for $r=\varepsilon/(\varepsilon+K)$, (21), for all positive $\varepsilon$ and K.

    Cleared of denominators both sides are polynomials of degree at most 2 in each variable: agreement on a 3 x 3 grid
    of rationals proves the identity. `constant` = 2 puts a wrong factor in.
    """
    constant = check_count("constant", constant)
    tally = Tally("exact", scope="universal")
    for eps in (Fraction(1), Fraction(2), Fraction(5)):
        for k in (Fraction(1), Fraction(3), Fraction(7)):
            r = eps / (eps + k)
            gap = r / (1 - r) - constant * eps / k
            tally.add(float(-abs(gap)), decided=gap == 0, eps=eps, K=k)
    return tally.check()


def missing_index(*, indexed: bool) -> Check:
    r"""Check Lemma 9 for the update as v2 prints it, with a step size that lacks its index. Exact.

    Read as one number, $\theta(\varepsilon)=\theta_1$ in every round; at $\varepsilon=4\log2$ (r = 1/2) three rounds
    add up to 3/2, above the limit 1 that Lemma 9 promises and Lemma 10 needs. With the index they add up to 7/8.
    """
    r, rounds = Fraction(1, 2), 3
    total = sum((r**t if indexed else r for t in range(1, rounds + 1)), Fraction(0))
    tally = Tally("exact")
    tally.add(float(1 - total), decided=total < 1, r=r, T=rounds, total=total)
    return tally.check()


def bounded_classifiers(rng: np.random.Generator, instances: int, *, method: Bounding) -> Check:
    r"""Check that a bounded logit is a classifier: values in $[-\log2,\log2]$, sign kept. Floats, tolerance 0.

    Logits are normal draws scaled up to 700. `method` "none" leaves the range.
    """
    rng, instances = check_trials(rng, instances)
    if method not in BOUNDINGS:
        raise ValueError(f"method must be one of {', '.join(BOUNDINGS)}, got {method!r}")
    tally = Tally("float")
    logits = rng.standard_normal(instances) * np.exp(rng.uniform(-3, 6.5, instances))
    for logit, value in zip(logits, bounded(logits, method), strict=True):
        kept = np.sign(value) == np.sign(logit)
        tally.add(LOG2 - abs(float(value)) if kept else -1.0, logit=logit, value=value)
    return tally.check()


def data_dependent_start(rng: np.random.Generator, instances: int, *, allow_start: bool) -> Check:
    r"""Check the level where $Q_0$ is itself private but depends on the data (v2 Algorithm 1). Certified.

    $Q_0,Q_0'$ range in the relative mollifier of level $\varepsilon_0=2\log r$ around a third law; the printed
    reading claims $\varepsilon$ for the outputs, the corrected one (`allow_start`) $\varepsilon_0+\varepsilon$. The
    first instance is two points with $Q_0=(1,2)/3$, $Q_0'=(2,1)/3$, T = 1 and $\varepsilon=1/10$.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified", keep="first")
    saved, ctx.prec = ctx.prec, BITS
    try:
        for index in range(instances):
            base, rows, level = _instance(rng, ONE, 3)
            root = 1 + Fraction(int(rng.integers(1, 200)), 100)
            low, high = tuple(q / root for q in base), tuple(min(ONE, root * q) for q in base)
            starts = [member_of_box(rng, low, high) for _ in range(2)]
            other = [random_signs(rng, len(base)) for _ in rows]
            start_ratio = max(max(a / b, b / a) for a, b in zip(starts[0], starts[1], strict=True))
            if index == 0:
                third = Fraction(1, 3)
                starts, level = [(third, 2 * third), (2 * third, third)], ExactLevel(eps=Fraction(1, 10))
                rows, other, start_ratio = [(-ONE, ONE)], [(ONE, -ONE)], Fraction(2)
            assert level.eps is not None
            one, two = ball_mbde(starts[0], rows, level), ball_mbde(starts[1], other, level)
            bound = arb(fmpq(level.eps.numerator, level.eps.denominator))
            if allow_start:
                bound += arb(fmpq(start_ratio.numerator, start_ratio.denominator)).log()
            slack = min(
                (bound - abs((a / b).log()) for a, b in zip(one, two, strict=True)), key=lambda s: float(s.mid())
            )
            tally.add(
                float(slack.mid()),
                decided=bool(slack > 0),
                Q0=starts[0],
                Q02=starts[1],
                c=rows,
                c2=other,
                eps=level.eps,
            )
    finally:
        ctx.prec = saved
    return tally.check()


def sigmoid_values(*, centred: bool) -> Check:
    r"""Check that the printed output range of the network, (0, 1), lies within $[-\log2,\log2]$. Certified.

    The value 9/10 exceeds log 2 = 0.693...; the `centred` value 9/10 - 1/2 does not.
    """
    value = Fraction(9, 10) - (Fraction(1, 2) if centred else 0)
    slack = arb(2).log() - fmpq(value.numerator, value.denominator)
    tally = Tally("certified")
    tally.add(float(slack.mid()), decided=bool(slack > 0), value=value)
    return tally.check()


def sigmoid_level(rng: np.random.Generator, instances: int, *, divisor: int = 2) -> Check:
    r"""Check that classifiers with values in (0, 1) spend less than $\varepsilon/(2\log2)$. Certified.

    Adding a constant to $c_t$ changes nothing, and its oscillation is at most 1. `divisor` 4 claims half of that level.
    """
    rng, instances = check_trials(rng, instances)
    divisor = check_count("divisor", divisor)
    tally = Tally("certified")
    saved, ctx.prec = ctx.prec, BITS
    try:
        for index in range(instances):
            base, rows, level = _instance(rng, ONE, 3)
            assert level.eps is not None
            if index % 4 == 0:
                base = (Fraction(1, 2**60), 1 - Fraction(1, 2**60))
                rows = [(ONE, -ONE)] * len(rows)
            laws = []
            for sign in (1, -1):
                eps = fmpq(level.eps.numerator, level.eps.denominator)
                exponents = [
                    sum(
                        (
                            step * fmpq((1 + sign * row[x]).numerator, 2 * (1 + sign * row[x]).denominator)
                            for step, row in zip(ball_theta(level, len(rows)), rows, strict=True)
                        ),
                        arb(0),
                    )
                    for x in range(len(base))
                ]
                weights = [fmpq(q.numerator, q.denominator) * s.exp() for q, s in zip(base, exponents, strict=True)]
                laws.append([w / sum(weights, arb(0)) for w in weights])
            bound = arb(eps) / (divisor * arb(2).log())
            for a, b in zip(laws[0], laws[1], strict=True):
                slack = bound - abs((a / b).log())
                tally.add(float(slack.mid()), decided=bool(slack > 0), Q0=base, c=rows, eps=level.eps)
    finally:
        ctx.prec = saved
    return tally.check()


def unused_share(*, eps: Fraction, share: Fraction, rounds: int = 3) -> Check:
    r"""Check that after T rounds at most `share` of the budget is left: $\theta_T(\varepsilon)\le$ `share`. Certified.

    $\theta_T$ grows with $\varepsilon$, so the check at one $\varepsilon$ covers all smaller ones.
    """
    eps = check_fraction("eps", eps, above=0)
    share = check_fraction("share", share, minimum=0, maximum=1)
    rounds = check_count("rounds", rounds)
    left = ball_theta(ExactLevel(eps=eps), rounds)[-1]
    slack = fmpq(share.numerator, share.denominator) - left
    tally = Tally("certified")
    tally.add(float(slack.mid()), decided=bool(slack > 0), eps=eps, T=rounds, left=float(left.mid()))
    return tally.check()


def no_ring(*, eps: Fraction, radii: Sequence[Fraction], shows: bool, rounds: int = 3) -> Check:
    r"""Check whether an output of MBDE from $Q_0=N(0,I)$ can be higher at a radius than at the origin. Certified.

    $\log Q_T/Q_0$ varies by less than $\frac\varepsilon2(1-\theta_T)$, and $\log Q_0$ falls by $\rho^2/2$: a ring at
    radius $\rho$ needs $\rho^2/2<\frac\varepsilon2(1-\theta_T)$. With `shows` the claim is that the ring can be
    there, without it that it cannot.
    """
    eps = check_fraction("eps", eps, above=0)
    values = check_fractions("radii", radii)
    rounds = check_count("rounds", rounds)
    reach = arb(fmpq(eps.numerator, eps.denominator)) / 2 * (1 - ball_theta(ExactLevel(eps=eps), rounds)[-1])
    tally = Tally("certified")
    for radius in values:
        fall = radius**2 / 2
        slack = (reach - fmpq(fall.numerator, fall.denominator)) * (1 if shows else -1)
        tally.add(
            float(slack.mid()), decided=bool(slack > 0), eps=eps, T=rounds, radius=radius, reach=float(reach.mid())
        )
    return tally.check()
