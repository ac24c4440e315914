r"""Checks for the page on convex mollifiers: hulls and the naive sampler."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import arb

from mollified._validate import check_count, check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.checks import Check, Tally
from mollified.convex_hull import exact_mixture, laplace_hull_gap
from mollified.exact_level import ExactLevel, Law
from mollified.instances import random_family, random_fraction, random_law
from mollified.mollifier import exact_violation

__all__ = [
    "hull_is_mollifier",
    "hull_of_hull",
    "integral_hull",
    "law_by_enumeration",
    "noise_needs_bounds",
    "range_is_hull",
    "singleton",
    "smooth_law_missed",
]

ONE = Fraction(1)


def _ratio(family: list[Law]) -> Fraction:
    return max(a / b for one in family for two in family for a, b in zip(one, two, strict=True))


def singleton(rng: np.random.Generator, instances: int, *, members: int = 1) -> Check:
    r"""Check that {Q} satisfies $Q\le e^{0}Q'$ for all members: ratio exactly 1. Exact.

    Two different members (`members` = 2) break it.
    """
    rng, instances = check_trials(rng, instances)
    members = check_count("members", members)
    tally = Tally("exact")
    for _ in range(instances):
        family = random_family(rng, members, int(rng.integers(2, 7)))
        slack = 1 - _ratio(family)
        tally.add(float(slack), decided=slack >= 0, family=family)
    return tally.check()


def hull_is_mollifier(rng: np.random.Generator, instances: int, *, negative: bool = False) -> Check:
    r"""Check v3 (3): convex combinations of an $\varepsilon$-mollifier form an $\varepsilon$-mollifier. Exact.

    $e^\varepsilon$ is the exact ratio of the generators, weights random. `negative` takes affine combinations with a
    negative weight instead (where they are still densities), for which the statement is wrong.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        members, size = int(rng.integers(2, 5)), int(rng.integers(2, 6))
        family = random_family(rng, members, size, spread=3)
        ratio = _ratio(family)
        if ratio == 1:
            continue
        mixed = [exact_mixture(family, random_law(rng, members)) for _ in range(2)]
        if negative:
            t = Fraction(1, 2)
            beyond = [(1 + t) * a - t * b for a, b in zip(family[0], family[1], strict=True)]
            if min(beyond) <= 0:
                continue
            mixed.append(tuple(beyond))
        found = exact_violation([*family, *mixed], ExactLevel(exp_eps=ratio))
        slack = 1 - _ratio([*family, *mixed]) / ratio
        tally.add(float(slack), decided=found is None, family=family, mixed=mixed, exp_eps=ratio)
    return tally.check()


def law_by_enumeration(rng: np.random.Generator, instances: int, *, uniform_start: bool = False) -> Check:
    r"""Check that the law of $\mathcal A_R(P)$ is $\sum_xP(x)R(x)$, against a listing of all equally likely outcomes.

    P and R(x) have integer weights with a common total; draws are listed, one by one, and counted. Exact. With
    `uniform_start` the listing starts from the uniform law instead of P.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        size, outputs, total = int(rng.integers(2, 4)), int(rng.integers(2, 4)), 12
        weights = 1 + rng.multinomial(total - size, [1 / size] * size)
        rows = 1 + rng.multinomial(total - outputs, [1 / outputs] * outputs, size=size)
        law = exact_mixture(
            [tuple(Fraction(int(v), total) for v in row) for row in rows],
            tuple(Fraction(int(v), total) for v in weights),
        )
        starts = [x for x in range(size) for _ in range(1 if uniform_start else int(weights[x]))]
        draws = [y for x in starts for y in range(outputs) for _ in range(int(rows[x][y]))]
        counted = tuple(Fraction(draws.count(y), len(draws)) for y in range(outputs))
        distance = sum((abs(a - b) for a, b in zip(law, counted, strict=True)), Fraction(0)) / 2
        tally.add(float(-distance), decided=law == counted, law=law, counted=counted)
    return tally.check()


def range_is_hull(rng: np.random.Generator, instances: int, *, outside: bool = False) -> Check:
    r"""Check one inclusion of v3 (4): no law of the sampler lies outside the hull of the laws R(x). Exact.

    Each law of the sampler is the hull member with weights P (the same rational vector), and a linear functional is
    never larger on a law than its maximum over the generators. `outside` plants a law pushed beyond the hull. Exact.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        size = int(rng.integers(2, 5))
        family = random_family(rng, size, size, spread=3)
        direction = [Fraction(int(v)) for v in rng.integers(-9, 10, size)]
        law = exact_mixture(family, random_law(rng, size))

        def value(q: Law, direction: list[Fraction] = direction) -> Fraction:
            return sum((d * mass for d, mass in zip(direction, q, strict=True)), Fraction(0))

        top = max(family, key=value)
        if outside:
            low = min(family, key=value)
            law = tuple(a + (a - b) / 4 for a, b in zip(top, low, strict=True))
        slack = value(top) - value(law)
        tally.add(float(slack), decided=slack >= 0, family=family, law=law, direction=direction)
    return tally.check()


def smooth_law_missed(*, bounded_away: bool) -> Check:
    r"""Check that finite convex combinations contain the law of the naive sampler, for Laplace noise on [0, 1].

    For uniform P the law is smooth inside (0, 1), where every finite combination has a kink at each of its points:
    the jump of the derivative at $x_i$ is $-\alpha_i/b^2\ne0$. The jump is exact (rationals); for a finitely supported
    P (`bounded_away`) the combination with weights P is the law itself and there is nothing to miss.
    """
    tally = Tally("exact")
    scale = Fraction(1, 2)
    for count in range(1, 33):
        weights = [Fraction(1, count)] * count
        jump_law = -weights[0] / scale**2 if bounded_away else Fraction(0)
        jump_hull = -weights[0] / scale**2
        gap = laplace_hull_gap(np.linspace(0, 1, count), [1 / count] * count, 0.5, cells=512)
        same = jump_law == jump_hull
        tally.add(
            0.0 if same else -gap,
            decided=same,
            points=count,
            jump_of_law=jump_law,
            jump_of_combination=jump_hull,
        )
    return tally.check()


def hull_of_hull(rng: np.random.Generator, instances: int, *, swap: bool = False) -> Check:
    r"""Check that a hull is convex: a mixture of mixtures is the mixture with multiplied weights. Exact.

    `swap` multiplies by the wrong outer weight.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        members, size = int(rng.integers(2, 4)), int(rng.integers(2, 5))
        family = random_family(rng, members, size)
        inner = [random_law(rng, members) for _ in range(2)]
        outer = random_law(rng, 2)
        twice = exact_mixture([exact_mixture(family, alpha) for alpha in inner], outer)
        used = outer[::-1] if swap else outer
        once = exact_mixture(family, tuple(used[0] * a + used[1] * b for a, b in zip(inner[0], inner[1], strict=True)))
        gap = max(abs(a - b) for a, b in zip(twice, once, strict=True))
        tally.add(float(-gap), decided=twice == once, family=family, inner=inner, outer=outer)
    return tally.check()


def integral_hull(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that the law $\int_0^1R(x)\,\mathrm dx$ keeps the level of Laplace noise on [0, 1]. Certified.

    With scale b the generators form a mollifier at level 1/b, and their integral f must satisfy
    $|\log f(y)/R(x)(y)|\le1/b$ for all x in [0, 1] and all y; rational x, y inside the interval, in ball arithmetic.
    `claimed` < 1 states a smaller level.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("certified")
    for _ in range(instances):
        b = Fraction(int(rng.integers(1, 40)), 10)
        x, y = (random_fraction(rng, Fraction(0), ONE) for _ in range(2))

        def exponential(value: Fraction) -> arb:
            return ball(value).exp()

        smooth = 1 - (exponential(-y / b) + exponential(-(1 - y) / b)) / 2
        kernel = exponential(-abs(y - x) / b) / (2 * ball(b))
        bound = claimed / b
        slack = ball(bound) - abs((smooth / kernel).log())
        tally.add(float(slack.mid()), decided=bool(slack > 0), x=x, y=y, scale=b)
    return tally.check()


def noise_needs_bounds(rng: np.random.Generator, instances: int, *, bounded: bool = False) -> Check:
    r"""Check that no scale makes Laplace noise $\varepsilon$-LDP on an unbounded domain. Exact.

    For any b and $\varepsilon$ the inputs 0 and $b(\varepsilon+1)$ have log-ratio $\varepsilon+1>\varepsilon$ at the
    output 0. With `bounded` the inputs stay within $b\varepsilon$ of each other, and the level holds.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        b, eps = (Fraction(int(rng.integers(1, 10**6)), 1000) for _ in range(2))
        other = b * eps if bounded else b * (eps + 1)
        loss = other / b
        tally.add(float(loss - eps), decided=loss > eps, scale=b, eps=eps, x=0, x2=other)
    return tally.check()
