r"""Checks of what the papers say about reaching the limit, the mollification and the target itself."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import arb, ctx

from mollified._validate import check_count, check_each, check_fraction, check_fractions, check_trials
from mollified.ball_mbde import BITS, ball, ball_mbde, ball_theta
from mollified.bounds import gain_lower, gain_share, gain_upper
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel, exact_probabilities
from mollified.instances import member_of_box, mollifier_box, random_fraction, random_law, random_level
from mollified.theta import spent_level

__all__ = [
    "bound_grows",
    "closer_with_budget",
    "drops_exceed",
    "edges_bring_closer",
    "guarantee_grows",
    "rounds_limited",
    "target_in_mollifier",
    "target_output",
    "variation_bounded",
]

ONE = Fraction(1)


def closer_with_budget(*, p: tuple[Fraction, Fraction]) -> Check:
    r"""Check that a larger budget brings $Q_1$ closer to P, in the high regime with $c^*=\log2$, T = 1. Certified.

    $Q_0=(33,67)/100$ and $c=\pm\log2$, so the edge over $Q_0$ is 0.34; budgets 4 and 20. $P=(21,19)/40$, of edge 0.05,
    refutes it: the larger step goes beyond P.
    """
    target = check_fractions("p", p, size=2)
    exact_probabilities("p", target)
    base, row = (Fraction(33, 100), Fraction(67, 100)), [(ONE, -ONE)]
    tally = Tally("certified")
    with ctx.workprec(BITS):
        near, far = (ball_mbde(base, row, ExactLevel(eps=Fraction(eps))) for eps in (4, 20))
        gain = sum((ball(a) * (new / old).log() for a, new, old in zip(target, far, near, strict=True)), arb(0))
        tally.add(float(gain.mid()), decided=bool(gain > 0), P=target, Q0=base, c="(1, -1)", eps="(4, 20)", T=1)
    return tally.check()


def bound_grows(rng: np.random.Generator, instances: int, *, smallest: Fraction = Fraction(1, 3)) -> Check:
    r"""Check that the corrected bound on the gain grows with the budget for both edges $\ge\frac13$. Certified.

    $c_t^*=\log2$. Each term has the derivative $\gamma_P-\tanh(u-\operatorname{artanh}\gamma_Q)$ in u, and
    $u\le\log2$ gives $\tanh(u-\operatorname{artanh}\frac13)\le\frac13$. `smallest` is the edge over P that is
    allowed; below 1/3 it fails.
    """
    rng, instances = check_trials(rng, instances)
    smallest = check_fraction("smallest", smallest, above=0, maximum=1)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for index in range(instances):
            gamma_p = smallest if index % 3 == 0 else random_fraction(rng, smallest, ONE)
            gamma_q = Fraction(1, 3) if index % 2 == 0 else random_fraction(rng, Fraction(1, 3), ONE)
            low, rounds = random_level(rng).eps, int(rng.integers(1, 9))
            if index % 5 == 0:
                low, rounds = Fraction(60), 1
            assert low is not None
            high = low + random_fraction(rng, Fraction(1, 1000), Fraction(400))
            lower, upper = (
                gain_lower(ball(eps), rounds, ball(gamma_p), ball(gamma_q), form="corrected") for eps in (low, high)
            )
            slack = upper - lower
            values = {"gamma_P": gamma_p, "gamma_Q": gamma_q, "eps": low, "eps2": high, "T": rounds}
            tally.add(float(slack.mid()), decided=bool(slack > 0), **values)
    return tally.check()


def target_in_mollifier(*, modes: tuple[tuple[Fraction, Fraction], ...], level: Fraction, exceeds: bool) -> Check:
    r"""Check $|\log P(x)/Q_0(x)|\le\varepsilon/2$ for a Gaussian mixture on a line. Certified.

    At x = 0, 1/2, 1, 2, 4, ..., 1024. `modes` are (mean, variance), of equal weight; $Q_0=N(0,1)$. With all variances
    v below one the log-ratio grows like
    $\frac{x^2}2(1/v-1)$, so every level is exceeded. `exceeds` states that instead: some x leaves the level.
    """
    pairs = check_each("modes", modes, lambda name, mode: check_fractions(name, mode, size=2))
    if any(variance <= 0 for _, variance in pairs):
        raise ValueError(f"modes must have variances > 0, got {modes!r}")
    level = check_fraction("level", level, above=0)
    tally, worst, where = Tally("certified"), arb(-1), Fraction(0)
    with ctx.workprec(BITS):
        for x in (Fraction(0), Fraction(1, 2), *(Fraction(2**k) for k in range(11))):
            density = sum(
                ((-ball((x - mean) ** 2 / (2 * variance))).exp() / ball(variance).sqrt() for mean, variance in pairs),
                arb(0),
            )
            ratio = abs((density / len(pairs)).log() + ball(x * x / 2))
            if ratio > worst:
                worst, where = ratio, x
        slack = (worst - ball(level / 2)) if exceeds else ball(level / 2) - worst
        tally.add(float(slack.mid()), decided=bool(slack > 0), modes=tuple(pairs), eps=level, x=where)
    return tally.check()


def target_output(rng: np.random.Generator, instances: int, *, factor: Fraction = Fraction(2)) -> Check:
    r"""Check that MBDE can output P itself for $\varepsilon(1-\theta_T)\ge2\varepsilon_P$. Certified.

    P lies in $\mathcal M_{\varepsilon_P,Q_0}$. One classifier in all rounds,
    $c=(\log\frac P{Q_0}-\text{middle})/\sum_t\theta_t$, bounded by $\log2$; every third P reaches both ends of the
    mollifier. `factor` < 2 claims that a smaller budget is enough: the classifier is then too large for some P.
    """
    rng, instances = check_trials(rng, instances)
    factor = check_fraction("factor", factor, above=0)
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for index in range(instances):
            root = 1 + Fraction(int(rng.integers(1, 300)), 100)
            base = random_law(rng, int(rng.integers(2, 6)))
            p = member_of_box(rng, *mollifier_box(base, root))
            if index % 3 == 0:
                base = (1 / (1 + root), root / (1 + root))  # room for the whole range
                p = (base[1], base[0])
            rounds = int(rng.integers(4, 9))  # T rounds spend less than 4 T log 2, whatever eps is
            level = ball(root).log() * 2 * ball(factor)
            low, high = 0.0, 1e6
            for _ in range(200):  # the budget with eps (1 - theta_T) = level, in floats, then a little more
                middle = (low + high) / 2
                below = spent_level(middle, rounds) < float(level.mid())
                low, high = (middle, high) if below else (low, middle)
            eps = Fraction(high) * (1 + Fraction(1, 2**40))
            spent = ball(eps) * (1 - ball_theta(ExactLevel(eps=eps), rounds)[-1])
            assert spent >= level
            ratios = [(ball(a) / ball(b)).log() for a, b in zip(p, base, strict=True)]
            top, bottom = (pick(ratios, key=lambda s: float(s.mid())) for pick in (max, min))
            largest = (top - bottom) / 2 / (spent / 4 / arb(2).log())
            slack = arb(2).log() - largest
            tally.add(float(slack.mid()), decided=bool(slack > 0), P=p, Q0=base, root=root, eps=eps, T=rounds)
    return tally.check()


def variation_bounded(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that a target of the mollifier is close to $Q_0$ in total variation. Exact.

    $\operatorname{TV}(P,Q_0)\le\tanh(\varepsilon_P/4)=(r-1)/(r+1)$, so edges satisfy
    $(\gamma_P+\gamma_Q)/2<\tanh(\varepsilon_P/4)$. `claimed` < 1 states that share; $Q_0=(1,r)/(1+r)$ and
    $P=(r,1)/(1+r)$ reach the bound.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for index in range(instances):
        root, base = 1 + Fraction(int(rng.integers(1, 900)), 100), random_law(rng, int(rng.integers(2, 6)))
        p = member_of_box(rng, *mollifier_box(base, root))
        if index % 3 == 0:
            base, p = (1 / (1 + root), root / (1 + root)), (root / (1 + root), 1 / (1 + root))
        variation = sum((abs(a - b) for a, b in zip(p, base, strict=True)), Fraction(0)) / 2
        slack = claimed * (root - 1) / (root + 1) - variation
        tally.add(float(slack), decided=slack >= 0, P=p, Q0=base, root=root)
    return tally.check()


def drops_exceed(*, rounds: int, eps: Fraction = Fraction(100)) -> Check:
    r"""Check that T rounds with edges of 1/3 and $c_t^*=\log2$ would need more than there is to gain. Certified.

    From $Q_0=(1,3)/4$ towards $P=(3,1)/4$, $\operatorname{KL}(P,Q_0)=\frac12\log3$; at $\varepsilon=100$ the corrected
    bounds of three rounds add up to more, those of two do not. So the assumption fails by the third round.
    """
    rounds, eps = check_count("rounds", rounds), check_fraction("eps", eps, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        third = ball(Fraction(1, 3))
        slack = gain_lower(ball(eps), rounds, third, third, form="corrected") - arb(3).log() / 2
        values = {"P": "(3/4, 1/4)", "Q0": "(1/4, 3/4)", "gamma": "1/3", "eps": eps, "T": rounds}
        tally.add(float(slack.mid()), decided=bool(slack > 0), **values)
    return tally.check()


def edges_bring_closer(*, shrinking: bool) -> Check:
    r"""Check that edges of 1/3, kept for ever, bring $\operatorname{KL}(P,Q_T)$ below 1/10 for large budgets.

    $P=(3,1)/4$, $Q_0=(1,3)/4$, $c_t=\pm s_t$. With `shrinking`, $s_t=2^{-t}(\log2)/5$: for every $\varepsilon$ and T
    the log-odds grow by less than $\frac25\log2$, so $Q_T(1)<(1+3\cdot2^{-2/5})^{-1}$, the edges 1/2 and
    $1-2Q_{t-1}(1)$ stay above 1/3, and the divergence stays above its value at that limit. Else $s_t=\log2$: the
    edges do not last, at $\varepsilon=100$ they are below 1/3 after one round, and the statement asks for nothing.
    """
    tally = Tally("certified")
    with ctx.workprec(BITS):
        if shrinking:
            reached = 1 / (1 + 3 * (-2 * arb(2).log() / 5).exp())
        else:
            reached = ball_mbde((Fraction(1, 4), Fraction(3, 4)), [(ONE, -ONE)], ExactLevel(eps=Fraction(100)))[0]
        lasting = 1 - 2 * reached > ball(Fraction(1, 3))
        left = ball(Fraction(3, 4)) * (ball(Fraction(3, 4)) / reached).log()
        left += ball(Fraction(1, 4)) * (ball(Fraction(1, 4)) / (1 - reached)).log()
        slack = ball(Fraction(1, 10)) - left if lasting else ball(Fraction(1, 3)) - (1 - 2 * reached)
        classifiers = "2^-t (log 2)/5 (1, -1)" if shrinking else "log 2 (1, -1)"
        tally.add(float(slack.mid()), decided=bool(slack > 0), P="(3/4, 1/4)", Q0="(1/4, 3/4)", c=classifiers)
    return tally.check()


def guarantee_grows(rng: np.random.Generator, instances: int, *, smallest: Fraction = Fraction(1, 3)) -> Check:
    r"""Check that the closed form of the corrected bound grows with the budget for $\gamma_Q\ge\frac13$. Certified.

    $\frac\varepsilon2(1-\theta_T)$ grows and the share is positive in the high regime, whatever $\gamma_P>0$ is.
    `smallest` is the edge over Q that is allowed; well below 1/3 the share can be negative.
    """
    rng, instances = check_trials(rng, instances)
    smallest = check_fraction("smallest", smallest, above=0, maximum=1)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for index in range(instances):
            gamma_q = smallest if index % 3 == 0 else random_fraction(rng, smallest, ONE)
            gamma_p = Fraction(1, 1000) if index % 2 == 0 else random_fraction(rng, Fraction(1, 1000), ONE)
            low, rounds = random_level(rng).eps, int(rng.integers(1, 9))
            assert low is not None
            high = low + random_fraction(rng, Fraction(1, 1000), Fraction(400))
            barriers = [gain_upper(ball(eps), rounds, form="corrected") for eps in (low, high)]
            slack = gain_share(ball(gamma_p), ball(gamma_q), form="corrected") * (barriers[1] - barriers[0])
            values = {"gamma_P": gamma_p, "gamma_Q": gamma_q, "eps": low, "eps2": high, "T": rounds}
            tally.add(float(slack.mid()), decided=bool(slack > 0), **values)
    return tally.check()


def rounds_limited(rng: np.random.Generator, instances: int, *, factor: Fraction = ONE) -> Check:
    r"""Check that T rounds with kept edges do not need more than $\operatorname{KL}(P,Q_0)$. Certified.

    They need $\sum_t[u_t\gamma_P-\psi(u_t,\gamma_Q)]$, the corrected bound on the gain, which cannot exceed it. Here
    $c_t^*=\log2$ and classifiers $\pm\log2$ on two points, where the edges over P are kept and those over $Q_{t-1}$
    shrink; the smallest counts. The first instance nearly ends at P: T = 1, $\theta_1=\frac12$ and both edges 429/2500.
    `factor` > 1 claims that share more of the left-hand side.
    """
    rng, instances = check_trials(rng, instances)
    factor = check_fraction("factor", factor, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for index in range(instances):
            gamma_p, rounds = random_fraction(rng, Fraction(1, 50), Fraction(99, 100)), int(rng.integers(1, 6))
            base, level = random_law(rng, 2, spread=8), random_level(rng)
            if index == 0:
                gamma_p, rounds, level = Fraction(429, 2500), 1, ExactLevel(exp_eps=Fraction(16))
                base = ((1 - gamma_p) / 2, (1 + gamma_p) / 2)
            p, rows = ((1 + gamma_p) / 2, (1 - gamma_p) / 2), [(ONE, -ONE)] * rounds
            last = ball_mbde(base, rows[1:], level) if rounds > 1 else [ball(q) for q in base]
            gamma_q = last[1] - last[0]
            if not gamma_q > 0:
                continue
            eps = ball(level.eps) if level.eps is not None else arb(16).log()
            start = sum((ball(a) * (ball(a) / ball(b)).log() for a, b in zip(p, base, strict=True)), arb(0))
            need = gain_lower(eps, rounds, ball(gamma_p), gamma_q, form="corrected")
            slack = start - need * ball(factor)
            tally.add(float(slack.mid()), decided=bool(slack > 0), P=p, Q0=base, T=rounds, eps=level.eps or "log 16")
    return tally.check()
