r"""Checks of how good the bound of v1 Lemma 17 is: where it is attained, and searches for what exceeds it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

import numpy as np
from flint import ctx

from mollified._validate import Array, check_count, check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.bounds import kl_ball
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel
from mollified.exact_projection import exact_contains
from mollified.instances import random_root
from mollified.kl_ball_bound import certified_kl, certified_kl_ball, exact_kl_ball, exact_kl_outside, extreme_laws

__all__ = ["best_possible", "bound_attained", "climb", "laws_of_level", "relative_attains", "sweep"]

ONE = Fraction(1)
FEW_BITS = 256
#: What rounding may take from a margin, in nats: logs stay below 60 and levels below 20.
ROUNDING = 1e-10
Form = Literal["printed", "corrected", "exact", "outside", "root"]
FORMS = ("printed", "corrected", "exact", "outside", "root")


def _form(form: object, *forms: str) -> None:
    if not isinstance(form, str) or form not in forms:
        raise ValueError(f"form must be {', '.join(forms)}, got {form!r}")


def bound_attained(
    rng: np.random.Generator, instances: int, *, form: Literal["printed", "corrected", "exact"] = "exact"
) -> Check:
    r"""Check that the bound is attained, to $10^{-12}$: by two points below the radius of equality. Certified.

    $\delta=k(p,b)$ with a random rational p in (b, 1); true of the exact bound, false of the closed form and of
    $\delta+\varepsilon$. The margin is $10^{-12}$ less the distance, in nats.
    """
    rng, instances = check_trials(rng, instances)
    _form(form, *FORMS[:3])
    tally = Tally("certified")
    with ctx.workprec(FEW_BITS):
        for _ in range(instances):
            root = random_root(rng)
            p, one, two = extreme_laws(root, 1 - Fraction(int(rng.integers(1, 100)), 100) / (root + 1))
            delta, eps = certified_kl(p, one), ball(root).log()
            bound = certified_kl_ball(delta, eps) if form == "exact" else kl_ball(delta, eps, form=form)
            gap = bound - certified_kl(p, two)
            slack = ball(Fraction(1, 10**12)) - abs(gap)
            tally.add(float(slack.mid()), decided=bool(slack > 0), P=p, Q_other=one, Q=two, R=root)
    return tally.check()


def best_possible(rng: np.random.Generator, instances: int, *, enough: bool) -> Check:
    r"""Check that a mollifier with divergences $\delta=-\log h$ and $\delta+\varepsilon$ exists. Certified.

    `enough` draws $\delta\ge\log(1+e^{-\varepsilon})$, where the pair is written down and compared in rationals.
    Otherwise $\delta$ is smaller, and no pair exists where the exact bound is certainly below $\delta+\varepsilon$;
    the first instance is $\delta=0$, R = 2. The margin is the bound (or the value reached) less $\delta+\varepsilon$.
    Source: v1 section 6 (iii).
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified", keep="first")
    with ctx.workprec(FEW_BITS):
        for index in range(instances):
            root = random_root(rng)
            share = Fraction(int(rng.integers(1, 100)), 100)
            if enough:
                p, one, two = extreme_laws(root, ONE, share)
                level = all(max(a / b, b / a) <= root for a, b in zip(one, two, strict=True))
                reached = all(a == root * b for x, a, b in zip(p, one, two, strict=True) if x > 0)
                tally.add(0.0, decided=level and reached and one[0] <= root / (root + 1), h=one[0], R=root)
                continue
            mass = (root + share) / (root + 1)
            if index == 0:
                root, mass = Fraction(2), ONE
            delta, eps = -ball(mass).log(), ball(root).log()
            slack = certified_kl_ball(delta, eps) - delta - eps
            tally.add(float(slack.mid()), decided=not slack < 0, h=mass, R=root)
    return tally.check()


def relative_attains(rng: np.random.Generator, instances: int, *, share: Fraction = ONE) -> Check:
    r"""Check that $\delta+\varepsilon$ is attained in $\mathcal M_{\varepsilon,Q_0}$ for $\delta$ large enough.

    Exact, for $\delta\ge\log(1+e^{-\varepsilon/2})$, $r=e^{\varepsilon/2}$: with $Q_0=(\alpha,1-\alpha)$,
    $\alpha=\frac h{1+r}$, $h\le1$, the laws $Q'=(r\alpha,1-r\alpha)$ and $Q=(\alpha/r,1-\alpha/r)$ are members, and P
    sits on the first point. `share` multiplies $\alpha$; every other h is 1.
    """
    rng, instances = check_trials(rng, instances)
    share = check_fraction("share", share, above=0)
    tally = Tally("exact")
    for index in range(instances):
        root = 1 + Fraction(int(rng.integers(1, 400)), 100)
        h = ONE if index % 2 == 0 else Fraction(int(rng.integers(1, 101)), 100)
        alpha = min(share * h / (1 + root), 1 / root)
        pair = [(root * alpha, 1 - root * alpha), (alpha / root, 1 - alpha / root)]
        level = ExactLevel(exp_eps=root**2)
        inside = all(exact_contains(q, (alpha, 1 - alpha), level) is None for q in pair)
        margin = 1 / (1 + root) - alpha
        tally.add(float(margin), decided=inside, Q0=(alpha, 1 - alpha), pair=pair, root=root)
    return tally.check()


def _logs(weights: Array) -> Array:
    top = weights.max(axis=-1, keepdims=True)
    return np.asarray(weights - top - np.log(np.exp(weights - top).sum(axis=-1, keepdims=True)))


def _kl(log_p: Array, log_q: Array) -> Array:
    """Return the divergences of rows, as sums of p log(p/q) - p + q >= 0."""
    p, q = np.exp(log_p), np.exp(log_q)
    return np.asarray(np.maximum(p * (log_p - log_q) - p + q, 0.0).sum(axis=-1))


def laws_of_level(rng: np.random.Generator, instances: int, *, eps: float | None = None) -> tuple[Array, Array, Array]:
    r"""Return log P, log Q', log Q, each (N, 4): pairs of level `eps` (None: the largest log-ratio is left as drawn).

    Atoms go down to about $e^{-50}$; half of the log-ratios are two-valued; P is random, or Q' tilted by the log-ratio.
    The level is met within 1e-12, from below. Raises ValueError or TypeError for a bad rng, count or level.
    """
    rng, instances = check_trials(rng, instances)
    if eps is not None and not 0 < eps <= 20:
        raise ValueError(f"eps must lie in (0, 20] or be None, got {eps!r}")
    n = instances
    base = _logs(rng.normal(size=(n, 4)) * rng.choice([0.5, 2.0, 12.0], size=(n, 1)))
    shape = rng.uniform(-1, 1, (n, 4))
    shape = np.where(rng.random((n, 1)) < 0.5, np.where(shape > 0, 1.0, -1.0), shape)
    shape[:, 0], shape[:, 1] = 1.0, -1.0
    low, high = np.zeros((n, 1)), np.exp(rng.uniform(-6, 2.5, (n, 1)))
    if eps is not None:
        high = np.full((n, 1), 2.0 * eps)
        for _ in range(50):
            middle = (low + high) / 2
            below = np.abs(base - _logs(base - middle * shape)).max(axis=1, keepdims=True) <= eps
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        high = low
    other = _logs(base - high * shape)
    tilt = shape * np.exp(rng.uniform(-5, 4, (n, 1))) + rng.normal(size=(n, 4)) * rng.choice([0.0, 0.1, 3.0], (n, 1))
    return _logs(base + tilt), base, other


def _margin(log_p: Array, one: Array, two: Array, form: str, claimed: float) -> tuple[Array, Array]:
    """Return bound less divergence and the level of each pair; `claimed` is a share of what the bound adds."""
    delta, reached, level = _kl(log_p, one), _kl(log_p, two), np.abs(one - two).max(axis=-1)
    if form == "root":
        return np.sqrt(delta) + claimed * level / np.sqrt(2) - np.sqrt(reached), level
    if form == "outside":
        return delta - exact_kl_outside(reached, level) - (1 - claimed) * (reached - delta), level
    if form == "exact":
        bound: Any = exact_kl_ball(delta, level)
    else:
        bound = kl_ball(delta, level, form="printed" if form == "printed" else "corrected")
    return delta + claimed * (bound - delta) - reached, level


def _share(claimed: Fraction) -> float:
    return float(check_fraction("claimed", claimed, above=0, maximum=1))


def _with_extremes(rng: np.random.Generator, laws: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
    """Put the best two points, with levels from 1e-3 to 10, into every tenth row; the other points share e^-60."""
    log_p, one, two = laws
    n = len(log_p[::10])
    eps, low = np.exp(rng.uniform(np.log(1e-3), np.log(10), n)), np.full((n, 2), -60.0)
    a = 1 / (1 + np.exp(eps))
    tail = a * rng.uniform(0.05, 1.0, n)
    for law, first in ((log_p, 1 - tail), (one, 1 - a), (two, a)):
        law[::10] = _logs(np.column_stack([np.log(first), np.log1p(-first), low]))
    return log_p, one, two


def sweep(rng: np.random.Generator, instances: int, *, form: Form = "exact", claimed: Fraction = ONE) -> Check:
    r"""Check a bound on random pairs of laws and targets, all at once, in floats: tolerance 1e-10 nats.

    `form` is printed, corrected or exact; outside (the exact bound from below, after Lemma 17); or root,
    $\sqrt{\operatorname{KL}(P,Q)}\le\sqrt{\operatorname{KL}(P,Q')}+\varepsilon/\sqrt2$. One row in ten is extreme.
    `claimed` is that share of what the bound adds. $\varepsilon$ is the level that each pair has.
    """
    rng, instances = check_trials(rng, instances)
    _form(form, *FORMS)
    share = _share(claimed)
    laws = _with_extremes(rng, laws_of_level(rng, instances))
    slack, _ = _margin(*laws, form, share)
    worst = int(slack.argmin())
    failed = int((slack < -ROUNDING).sum())
    values = {name: str(np.exp(law[worst]).tolist()) for name, law in zip(("P", "Q_other", "Q"), laws, strict=True)}
    return Check(
        instances=instances,
        violations=failed,
        worst_slack=float(slack[worst]),
        arithmetic="float",
        tolerance=ROUNDING,
        counterexample=values if failed else None,
    )


def climb(
    rng: np.random.Generator, instances: int, *, form: Form = "exact", claimed: Fraction = ONE, steps: int = 300
) -> Check:
    r"""Search for a violation from many starts: random steps in all three laws, kept where the margin shrinks.

    Floats, all starts at once. The margin is relative to $\varepsilon$; steps grow by 1.5 where they help and shrink by
    0.9 where not. Unless `form` is printed, only $0.1\le\varepsilon\le3$ and $\delta\le\frac12\log(1+e^{-\varepsilon})$
    count: there $\delta+\varepsilon$ is out of reach. An instance is a start that gets there; `worst_slack` shows how
    close the search comes to the bound. Tolerance 1e-9.
    """
    rng, instances = check_trials(rng, instances)
    _form(form, *FORMS)
    share, steps = _share(claimed), check_count("steps", steps)
    state = np.stack(laws_of_level(rng, instances), axis=1)
    size = np.full((instances, 1, 1), 0.5)

    def value(laws: Array) -> Array:
        slack, level = _margin(laws[:, 0], laws[:, 1], laws[:, 2], form, share)
        near = (np.abs(level - 1.55) <= 1.45) & (_kl(laws[:, 0], laws[:, 1]) <= np.log1p(np.exp(-level)) / 2)
        return np.where(near | (form == "printed"), slack / np.maximum(level, 1e-3), np.inf)

    best = value(state)
    for _ in range(steps):
        trial = _logs(np.clip(state + size * rng.normal(size=state.shape), -60, 0))
        found = value(trial)
        better = found < best
        best = np.where(better, found, best)
        state = np.where(better[:, None, None], trial, state)
        size = np.clip(np.where(better[:, None, None], 1.5, 0.9) * size, 1e-6, 2.0)
    found = np.isfinite(best)
    if not found.any():
        raise ValueError(f"instances must lead to a pair near the target, got none from {instances}")
    worst = int(best.argmin())
    failed = int((best < -10 * ROUNDING).sum())
    values = {name: str(np.exp(law).tolist()) for name, law in zip(("P", "Q_other", "Q"), state[worst], strict=True)}
    return Check(
        instances=int(found.sum()),
        violations=failed,
        worst_slack=float(best[worst]),
        arithmetic="float",
        tolerance=10 * ROUNDING,
        counterexample=values if failed else None,
    )
