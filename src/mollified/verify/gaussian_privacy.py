r"""Checks of the privacy of the Gaussian mechanism: the printed rule, where it holds, and the exact condition."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from dp_accounting.pld.common import DifferentialPrivacyParameters
from dp_accounting.pld.privacy_loss_mechanism import GaussianPrivacyLoss
from flint import acb, arb, ctx

from mollified._validate import check_count, check_eps, check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.checks import Check, Tally
from mollified.gaussian_mechanism import (
    certified_sigma,
    delta_ball,
    gaussian_delta,
    gaussian_sigma,
    printed_multiple,
    upper_tail,
)
from mollified.instances import random_fraction
from mollified.interval_proof import combine, prove_positive

__all__ = [
    "calibrated",
    "grows_with_eps",
    "hockey_stick",
    "libraries_agree",
    "one_dimension",
    "opendp_above",
    "printed_rule",
    "proved_below",
]

BITS = 192
ONE = Fraction(1)
#: An integral and a closed form are taken as equal where balls say that they differ by less.
SAME = Fraction(1, 10**20)
#: Hand-chosen settings (eps, delta) in which the printed noise is not enough.
FAILING = (
    (Fraction(20), Fraction(1, 100)),
    (Fraction(4), Fraction(9, 10)),
    (Fraction(5), Fraction(1, 2)),
    (Fraction(9), Fraction(1, 10**5)),
)


def random_level(rng: np.random.Generator, most: Fraction, top: Fraction = ONE) -> tuple[Fraction, Fraction]:
    """Return eps below `most` and delta below `top`, half of them with a uniform logarithm down to 1e-10."""
    eps = random_fraction(rng, most / 100, most, 1000)
    if rng.integers(2):
        return eps, top * random_fraction(rng, Fraction(1, 100), Fraction(99, 100), 1000)
    return eps, top / math.ceil(10 ** rng.uniform(0.5, 10))


def printed_rule(rng: np.random.Generator, instances: int, *, most: Fraction = Fraction(20)) -> Check:
    r"""Check that the printed sigma is enough, by the exact delta, for random $\varepsilon\le$ `most`. Certified.

    First tried are those of the settings `FAILING` with $\varepsilon\le$ `most`. Source: lecture, Theorem (DP
    guarantees for Gaussian mechanism).
    """
    rng, instances = check_trials(rng, instances)
    most = check_fraction("most", most, above=0)
    chosen = [pair for pair in FAILING if pair[0] <= most]
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for index in range(instances):
            eps, delta = chosen[index] if index < len(chosen) else random_level(rng, most)
            exact = delta_ball(eps, ball(eps) / printed_multiple(delta))
            slack = ball(delta) - exact
            tally.add(
                float(slack.mid()), decided=bool(slack >= 0), eps=eps, delta=delta, least_delta=float(exact.mid())
            )
    return tally.check()


def proved_below(
    *, most: Fraction = Fraction(1893, 500), sides: int = 0, top: Fraction = ONE, mills: bool = False
) -> Check:
    r"""Prove a condition at the printed sigma for all $0<\varepsilon\le$ `most`, $0<\delta<$ `top`. Certified.

    `sides` 0: exact delta at most $\delta$; 1: $P[y\ge\tau]\le\delta$; 2: $P[|y|\ge\tau]\le\delta$ with
    $\tau=\sigma^2\varepsilon/\Delta-\Delta/2$. All left sides grow with $\varepsilon$ at fixed $\delta$, so that
    $\varepsilon=$ `most` is enough; there, balls cover c from `top` up to 4, and beyond, with $t=c-\varepsilon/2c$,
    Mills' bound $Q(t)\le\varphi(t)/t$ leaves $e^{\varepsilon/2}\le\frac54\sqrt{2\pi}\,t$ (times the number of sides),
    where t grows with c. `mills`: with $\varphi(t)/t$ in the place of $Q(t)$ throughout. Universal. Raises ValueError
    or TypeError for most <= 0, sides > 2, top outside (0, 1].
    """
    most, top = check_fraction("most", most, above=0), check_fraction("top", top, above=0, maximum=1)
    sides = check_count("sides", sides, minimum=0)
    if sides > 2:
        raise ValueError(f"sides must be 0, 1 or 2, got {sides!r}")
    with ctx.workprec(BITS):
        start = Fraction(math.floor(float(printed_multiple(top).lower()) * 10**5 - 1), 10**5)
        if mills and start * start <= most / 2:
            raise ValueError(f"most must leave t > 0 for Mills' bound, got {most!r}")
        end = 4 - ball(most) / 8
        far = ball(Fraction(5, 4)) * (2 * arb.pi()).sqrt() * end - max(sides, 1) * (ball(most) / 2).exp()
        last = Tally("certified", scope="universal")
        last.add(float(far.mid()), decided=bool(far >= 0) and bool(end > 0), eps=most, c=4)

    def margin(c: arb) -> arb:
        eps = ball(most)
        promised, a = ball(Fraction(5, 4)) * (-c * c / 2).exp(), eps / (2 * c)
        if sides == 0:
            return promised - upper_tail(c - a) + eps.exp() * upper_tail(c + a)
        if mills:
            return promised - sides * (-((c - a) ** 2) / 2).exp() / ((c - a) * (2 * arb.pi()).sqrt())
        # For t < 0 the two-sided probability is 1, below 2 Q(t).
        return promised - sides * upper_tail(c - a)

    near = prove_positive(margin, [(start, Fraction(4))])
    if near.counterexample is not None:
        near = replace(near, counterexample={"eps": str(most), "c": near.counterexample["x0"]})
    return combine(near, last.check())


def grows_with_eps(rng: np.random.Generator, instances: int, *, fixed: bool = False) -> Check:
    r"""Check that the exact delta at the printed sigma grows with $\varepsilon$ at fixed $\delta$. Certified.

    Random pairs $\varepsilon<\varepsilon'$. `fixed`: with the sigma of the smaller one for both.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            eps, delta = random_level(rng, Fraction(20))
            more = eps * (1 + random_fraction(rng, Fraction(1, 100), ONE, 100))
            c = printed_multiple(delta)
            slack = delta_ball(more, ball(eps if fixed else more) / c) - delta_ball(eps, ball(eps) / c)
            tally.add(float(slack.mid()), decided=bool(slack > 0), eps=eps, larger=more, delta=delta)
    return tally.check()


def _integral(eps: arb, mu: arb) -> arb:
    r"""Return $\int(p-e^\varepsilon p')_+$ for unit normal densities $\mu$ apart, by quadrature in balls.

    The integrand is positive beyond $x=\varepsilon/\mu-\mu/2$; what lies beyond 24 is below 1e-125.
    """
    low = eps / mu - mu / 2

    def integrand(y: acb, _: object) -> acb:
        return (-y * y / 2).exp() - (eps - (y + mu) ** 2 / 2).exp()

    return acb.integral(integrand, acb(low), acb(24)).real / (2 * arb.pi()).sqrt()


def hockey_stick(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check the closed form of the least delta against an integral, within 1e-20, for random eps and mu. Certified.

    `claimed` scales mu in the closed form.
    """
    rng, instances = check_trials(rng, instances)
    claimed, tally = check_fraction("claimed", claimed, above=0), Tally("certified")
    with ctx.workprec(BITS):
        while tally.instances < instances:
            eps = random_fraction(rng, Fraction(1, 20), Fraction(20), 100)
            mu = random_fraction(rng, Fraction(1, 10), Fraction(10), 100)
            if not -20 < eps / mu - mu / 2 < 10:
                continue
            wrong = abs(_integral(ball(eps), ball(mu)) - delta_ball(eps, claimed * mu))
            tally.add(float((ball(SAME) - wrong).mid()), decided=bool(wrong < ball(SAME)), eps=eps, mu=mu)
    return tally.check()


def calibrated(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that `claimed` times the smallest sigma is enough, the integral being the judge, within 1e-20. Certified.

    Random rational $\varepsilon\le20$ and $\delta$; sensitivity 1.
    """
    rng, instances = check_trials(rng, instances)
    claimed, tally = check_fraction("claimed", claimed, above=0), Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            eps, delta = random_level(rng, Fraction(20))
            sigma = claimed * certified_sigma(eps, delta)[1]
            slack = ball(delta) - _integral(ball(eps), 1 / ball(sigma)) + ball(SAME)
            tally.add(float(slack.mid()), decided=bool(slack > 0), eps=eps, delta=delta, sigma=sigma)
    return tally.check()


def one_dimension(rng: np.random.Generator, instances: int, *, absolute: bool = False) -> Check:
    r"""Check that the privacy loss in K = 2 to 5 dimensions is that of the component of the noise along d. Exact.

    $\frac1{2\sigma^2}\sum_k((y_k+d_k)^2-y_k^2)=\frac1{2\sigma^2}(2\eta r+r^2)$, where $d=ru$, u a rational unit vector,
    $\eta=\langle y,u\rangle$, which has variance $\sigma^2\lVert u\rVert^2=\sigma^2$. `absolute`: r the l1 norm of d.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        dim = int(rng.integers(2, 6))
        v = [random_fraction(rng, Fraction(1, 5), ONE * 2, 5) for _ in range(dim)]
        square = sum((x * x for x in v), Fraction(0))
        # The reflection at v maps the first axis to a unit vector with rational entries.
        unit = [(ONE if k == 0 else Fraction(0)) - 2 * v[0] * v[k] / square for k in range(dim)]
        r, variance = (random_fraction(rng, Fraction(1, 5), Fraction(3), 10) for _ in range(2))
        y = [random_fraction(rng, Fraction(-3), Fraction(3), 10) for _ in range(dim)]
        d = [r * u for u in unit]
        loss = sum(((a + b) ** 2 - a * a for a, b in zip(y, d, strict=True)), Fraction(0)) / (2 * variance)
        along = sum((a * u for a, u in zip(y, unit, strict=True)), Fraction(0))
        shift = sum((abs(x) for x in d), Fraction(0)) if absolute else r
        single = (2 * along * shift + shift * shift) / (2 * variance)
        wrong = max(abs(loss - single), abs(sum((u * u for u in unit), Fraction(0)) - 1))
        tally.add(-float(wrong), decided=wrong == 0, d=d, y=y, variance=variance)
    return tally.check()


def libraries_agree(rng: np.random.Generator, instances: int, *, claimed: float = 1.0) -> Check:
    """Check our smallest sigma against dp-accounting's, and the exact delta at it, both within 1e-6 relatively. Floats.

    dp-accounting bisects sigma to an absolute 1e-7. `claimed` scales our sigma.
    """
    rng, instances = check_trials(rng, instances)
    claimed, tally = check_eps("claimed", claimed), Tally("float", tolerance=1e-6)
    for _ in range(instances):
        eps, delta = (float(x) for x in random_level(rng, Fraction(10)))
        sigma = claimed * gaussian_sigma(eps, delta)
        guarantee = DifferentialPrivacyParameters(eps, delta)
        theirs = float(GaussianPrivacyLoss.from_privacy_guarantee(guarantee, sensitivity=1.0).standard_deviation)
        found = float(GaussianPrivacyLoss(sigma, sensitivity=1.0).get_delta_for_epsilon(eps))
        wrong = max(abs(sigma / theirs - 1), abs(found / gaussian_delta(eps, 1 / sigma) - 1))
        tally.add(-wrong, eps=eps, delta=delta, sigma=sigma, theirs=theirs)
    return tally.check()


def opendp_above(rng: np.random.Generator, instances: int, *, times: float = 1.0) -> Check:
    r"""Check that the delta of OpenDP's Gaussian measurement is not below the exact delta, relatively. Floats.

    OpenDP converts $\rho=\frac{1}{2\sigma^2}$ (zero-concentrated privacy) to $(\varepsilon,\delta)$: an upper bound of
    the exact curve. `times` scales the noise that OpenDP is asked about. Tolerance 1e-9.
    """
    import opendp.prelude as dp

    rng, instances = check_trials(rng, instances)
    times, tally = check_eps("times", times), Tally("float", tolerance=1e-9)
    dp.enable_features("contrib")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    while tally.instances < instances:
        eps, sigma = float(rng.uniform(0.1, 5.0)), float(np.exp(rng.uniform(np.log(0.3), np.log(10.0))))
        exact = gaussian_delta(eps, 1 / sigma)
        if exact < 1e-12:
            continue
        measurement = dp.m.make_gaussian(*space, scale=times * sigma)
        converted: Any = dp.c.make_zCDP_to_approxDP(measurement)
        theirs = float(converted.map(1.0).delta(eps))
        tally.add(theirs / exact - 1, eps=eps, sigma=sigma, theirs=theirs, exact=exact)
    return tally.check()
