r"""Checks of the level that MBDE spends: exactly $\varepsilon(1-\theta_T)$, and more if the start is not fixed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import ctx

from mollified._validate import check_array, check_fraction, check_trials
from mollified.ball_mbde import BITS, ball, ball_mbde, ball_theta
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel
from mollified.instances import member_of_box, random_run, random_signs
from mollified.theta import LOG2, theta_sum

__all__ = ["attained_level", "data_dependent_start", "spent"]


ONE = Fraction(1)


def spent(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check the sharp level: two outputs of T rounds from one $Q_0$ differ by at most $\varepsilon(1-\theta_T)$.

    Certified. `claimed` < 1 states that share of it; the extreme pairs (opposite signs everywhere against one small
    atom) come close to the bound, so 0.98 is already too small.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for index in range(instances):
            base, rows, level = random_run(rng, ONE)
            other = [random_signs(rng, len(base)) for _ in rows]
            if index % 4 == 0:
                atom = Fraction(1, 2 ** int(rng.integers(20, 80)))
                base = (atom, 1 - atom)
                rows, other = [(ONE, -ONE)] * len(rows), [(-ONE, ONE)] * len(rows)
            assert level.eps is not None
            one, two = ball_mbde(base, rows, level), ball_mbde(base, other, level)
            eps = ball(level.eps)
            bound = eps * (1 - ball_theta(level, len(rows))[-1]) * ball(claimed)
            for a, b in zip(one, two, strict=True):
                slack = bound - abs((a / b).log())
                tally.add(float(slack.mid()), decided=bool(slack > 0), Q0=base, c=rows, c2=other, eps=level.eps)
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


def data_dependent_start(rng: np.random.Generator, instances: int, *, allow_start: bool) -> Check:
    r"""Check the level where $Q_0$ is itself private but depends on the data (v2 Algorithm 1). Certified.

    $Q_0,Q_0'$ range in the relative mollifier of level $\varepsilon_0=2\log r$ around a third law; the printed
    reading claims $\varepsilon$ for the outputs, the corrected one (`allow_start`) $\varepsilon_0+\varepsilon$. The
    first instance is two points with $Q_0=(1,2)/3$, $Q_0'=(2,1)/3$, T = 1 and $\varepsilon=1/10$.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for index in range(instances):
            base, rows, level = random_run(rng, ONE, 3)
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
            bound = ball(level.eps)
            if allow_start:
                bound += ball(start_ratio).log()
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
    return tally.check()
