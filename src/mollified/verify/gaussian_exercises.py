r"""Checks of the exercises on the Gaussian mechanism."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import ctx

from mollified._validate import check_trials
from mollified.ball_mbde import ball
from mollified.checks import Check, Tally
from mollified.gaussian_mechanism import delta_ball
from mollified.instances import random_fraction

__all__ = ["releases", "rule_fails"]

BITS = 192
ONE = Fraction(1)


def rule_fails(rng: np.random.Generator, instances: int, *, root: bool = False) -> Check:
    r"""Check that $\sigma=C\Delta/\varepsilon$ has an exact delta above 0.999 at $\varepsilon=2C^2+10C$. Certified.

    Random C from 1/10 to 20. `root`: $\sigma=C\Delta/\sqrt\varepsilon$, the order that is right for large eps.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            constant = random_fraction(rng, ONE / 10, ONE * 20, 50)
            eps = 2 * constant**2 + 10 * constant
            mu = ball(eps).sqrt() / ball(constant) if root else ball(eps / constant)
            slack = delta_ball(eps, mu) - ball(Fraction(999, 1000))
            tally.add(float(slack.mid()), decided=bool(slack >= 0), constant=constant, eps=eps)
    return tally.check()


def releases(rng: np.random.Generator, instances: int, *, added: bool = False) -> Check:
    r"""Check that the loss of m releases of one query is that of one release with $\sqrt m$ times the shift. Exact.

    $\sum_k\frac{2y_kd+d^2}{2\sigma^2}=\frac{2\eta r+r^2}{2\sigma^2}$ with $r=\sqrt m\,d$ and $\eta=\sum_ky_k/\sqrt m$,
    which has variance $\sigma^2$; m = 4, 9, 16. `added`: $r=md$, as if the shifts added up.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        root = int(rng.integers(2, 5))
        count = root * root
        d, variance = (random_fraction(rng, ONE / 5, ONE * 3, 10) for _ in range(2))
        y = [random_fraction(rng, -3 * ONE, 3 * ONE, 10) for _ in range(count)]
        loss = sum(((a + d) ** 2 - a * a for a in y), Fraction(0)) / (2 * variance)
        along, r = sum(y, Fraction(0)) / root, d * (count if added else root)
        wrong = abs(loss - (2 * along * r + r * r) / (2 * variance))
        tally.add(-float(wrong), decided=wrong == 0, releases=count, d=d, variance=variance)
    return tally.check()
