r"""Checks of the closed form with a certified margin, of plug-in mollification, and of tuned references."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import pandas as pd
from flint import arb, ctx

from mollified._validate import check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.checks import Check, Tally
from mollified.clipped_ratio import half_width
from mollified.divergences import kl
from mollified.exact_projection import exact_projection
from mollified.gaussian import Gaussian
from mollified.instances import member_of_box, random_fraction, random_law, random_root
from mollified.mixture import Mixture
from mollified.spaces import Grid
from mollified.studies.reference_worth import matched_variance

__all__ = ["plug_in_gain", "pool_guarantee", "saved_by_matching", "split_members", "tuned_start"]

ONE, BITS = Fraction(1), 128
#: Share of the bound given away in the instances: large, so that the margin is as thin as it may be.
SPARE = Fraction(1, 20)


def _clip(value: Fraction, limit: Fraction) -> Fraction:
    return min(max(value, 1 / limit), limit)


def _on_pool(share: Fraction, ratios: tuple[Fraction, Fraction], limit: Fraction) -> tuple[Fraction, Fraction]:
    """Return the clipped ratios whose mean on a pool with that share of the first atom is one. Exact."""

    def mean(scale: Fraction) -> Fraction:
        return share * _clip(ratios[0] * scale, limit) + (1 - share) * _clip(ratios[1] * scale, limit)

    breaks = sorted({bound / ratio for ratio in ratios for bound in (limit, 1 / limit)})
    low = max(scale for scale in breaks if mean(scale) <= 1)
    high = min(scale for scale in breaks if mean(scale) >= 1)
    below, above = mean(low), mean(high)
    scale = low if above == below else low + (high - low) * (1 - below) / (above - below)
    first, second = (_clip(ratio * scale, limit) for ratio in ratios)
    return first, second


def pool_guarantee(
    rng: np.random.Generator,
    instances: int,
    *,
    margin: bool = True,
    release: Literal["fresh", "pool"] = "fresh",
) -> Check:
    r"""Check that the law of a released point, over its pool of N draws too, lies in the mollifier of its level.

    Two atoms, any score, N from 20 to 32: all N + 1 pools are listed with their probabilities, and the constant is
    solved on each, in rationals. "fresh" draws from $Q_0e^g/Z$ with the half width of `half_width` (`margin`), rounded
    down to a rational, or with $\varepsilon/2$ itself, which is not enough. "pool" draws a point of the pool, with
    weight $e^g/N$, and needs no margin. Exact.
    """
    rng, instances = check_trials(rng, instances)
    if release not in ("fresh", "pool"):
        raise ValueError(f"release must be fresh or pool, got {release!r}")
    tally = Tally("exact", keep="worst")
    for _ in range(instances):
        root, size = random_root(rng), int(rng.integers(20, 33))
        mass = Fraction(int(rng.integers(1, 16)), 16)
        ratios = tuple(Fraction(2) ** int(power) for power in rng.integers(-8, 9, size=2))
        limit = root
        if margin:
            width = half_width(2 * math.log(root), size, spare=float(SPARE))
            limit = Fraction(math.floor(math.exp(width) * 2**30), 2**30)
        seen = [Fraction(0), Fraction(0)]
        for count in range(size + 1):
            chance = math.comb(size, count) * mass**count * (1 - mass) ** (size - count)
            share = Fraction(count, size)
            first, second = _on_pool(share, (ratios[0], ratios[1]), limit)
            if release == "pool":
                seen[0] += chance * share * first / mass
                seen[1] += chance * (1 - share) * second / (1 - mass)
            else:
                total = mass * first + (1 - mass) * second
                seen[0] += chance * first / total
                seen[1] += chance * second / total
        slack = min(min(root - ratio, ratio - 1 / root) for ratio in seen)
        tally.add(float(slack), decided=slack >= 0, root=root, pool=size, mass=mass, ratios=ratios)
    return tally.check()


def plug_in_gain(rng: np.random.Generator, instances: int, *, factor: Fraction = Fraction(2)) -> Check:
    r"""Check that mollifying an estimate P' of P costs at most $2\varepsilon\operatorname{TV}(P,P')$ nats of gain.

    A coin taken for its reverse, $R=e^{\varepsilon/2}=\frac98$, then random laws with positive atoms, independent
    or near each other; the constants are rational. `factor` replaces 2. Certified: the logs are balls. Raises TypeError
    or ValueError for a factor <= 0.
    """
    rng, instances = check_trials(rng, instances)
    factor = check_fraction("factor", factor, above=0)
    tally = Tally("certified", keep="first")
    for index in range(instances):
        root, size = Fraction(9, 8), 2
        base: tuple[Fraction, ...] = (Fraction(1, 2), Fraction(1, 2))
        p: tuple[Fraction, ...] = (Fraction(5, 9), Fraction(4, 9))
        guess = p[::-1]
        if index:
            size, root = int(rng.integers(2, 5)), random_root(rng)
            p, base, other = (random_law(rng, size) for _ in range(3))
            share = Fraction(1) if rng.random() < 0.5 else Fraction(1, 16)
            guess = tuple(share * b + (1 - share) * a for a, b in zip(p, other, strict=True))
        best, found = exact_projection(p, base, root)[1], exact_projection(guess, base, root)[1]
        variation = sum((abs(a - b) for a, b in zip(p, guess, strict=True)), Fraction(0)) / 2
        with ctx.workprec(BITS):
            loss = sum((ball(a) * (ball(b) / ball(c)).log() for a, b, c in zip(p, best, found, strict=True)), arb(0))
            room = ball(2 * factor * variation) * ball(root).log() - loss
            decided = bool(room >= 0) or best == found
            tally.add(float(room.mid()), decided=decided, p=p, guess=guess, reference=base, root=root)
    return tally.check()


def split_members(
    rng: np.random.Generator, instances: int, *, limit: Literal["split", "even"] = "split", ceiling: Fraction = ONE
) -> Check:
    r"""Check level $\varepsilon$ and a gain up to $\varepsilon+\log b$ in $\{bQ_0\le Q\le e^\varepsilon bQ_0\}$. Exact.

    $Q\le e^\varepsilon Q'$ for members Q, Q'; $e^\varepsilon$ and b are rational. P sits where $Q/Q_0$ is largest: the
    gain is the logarithm of that. In the first half of the instances Q and Q' reach $e^\varepsilon b$ and b on a light
    atom. "even" claims a gain up to $\varepsilon/2$, the limit for $b=e^{-\varepsilon/2}$ only; `ceiling` > 1 raises
    the upper bound of the set by that factor.
    """
    rng, instances = check_trials(rng, instances)
    ceiling = check_fraction("ceiling", ceiling, above=0)
    if limit not in ("split", "even"):
        raise ValueError(f"limit must be split or even, got {limit!r}")
    tally = Tally("exact", keep="first")
    for index in range(instances):
        size, factor = int(rng.integers(2, 6)), random_root(rng)
        b = random_fraction(rng, 1 / factor, ONE)
        base, top = random_law(rng, size), factor * b * ceiling
        room = min(1 - b, top - 1) / 2 if 2 * index < instances else Fraction(0)
        if room > 0:
            light = room / (top - b)
            base = (light, 1 - light)
        low = tuple(b * q for q in base)
        pair = [member_of_box(rng, low, tuple(max(top, ONE) * q for q in base)) for _ in range(2)]
        if room > 0:
            pair = [(x, 1 - x) for x in (top * base[0], b * base[0])]
        ratio = max(x / y for x, y in zip(*pair, strict=True))
        rise = max(x / q for x, q in zip(pair[0], base, strict=True))
        slack = min(factor - ratio, factor - rise**2 if limit == "even" else factor * b - rise)
        tally.add(float(slack), decided=slack >= 0, E=factor, b=b, Q0=base, Q=pair[0], other=pair[1])
    return tally.check()


def _rows(table: object, *columns: str) -> Iterator[dict[str, Any]]:
    if not isinstance(table, pd.DataFrame) or not len(table) or not set(columns) <= set(table.columns):
        raise TypeError(f"table must be a non-empty DataFrame with columns {', '.join(columns)}, got {table!r:.120}")
    return ({name: row[name] for name in columns} for row in table.to_dict("records"))


def tuned_start(table: pd.DataFrame) -> Check:
    r"""Check row by row that the tuned start leaves a smaller divergence: columns domain, eps, unit, tuned (nats).

    Float; a tolerance of 1e-6 nats, above the error of the quadrature. Raises TypeError for another table.
    """
    tally = Tally("float", tolerance=1e-6)
    for row in _rows(table, "domain", "eps", "unit", "tuned"):
        tally.add(row["unit"] - row["tuned"], **row)
    return tally.check()


def saved_by_matching(rng: np.random.Generator, instances: int, *, with_log: bool = True) -> Check:
    r"""Check that $v^*=\mathbb E_P[x^2]$ saves $\frac12(v^*-1-\log v^*)$ nats over $N(0,1)$, by quadrature on the line.

    Random mixtures of two Gaussians; tolerance 1e-7 and the quadrature's own estimate. Without the logarithm the
    formula fails.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("float", tolerance=1e-7)
    for _ in range(instances):
        means, variances = rng.uniform(-2, 2, size=2), rng.uniform(0.05, 1.5, size=2)
        target = Mixture(
            [Gaussian(np.array([m]), float(v)) for m, v in zip(means, variances, strict=True)], np.full(2, 0.5)
        )
        best = matched_variance(target)
        unit, tuned = Gaussian.standard(1), Gaussian(np.zeros(1), best)
        grid = Grid.covering([target, unit, tuned], nodes=801)
        logs = target.log_prob(grid.points)
        before, after = (kl(logs, start.log_prob(grid.points), grid) for start in (unit, tuned))
        said = (best - 1 - (math.log(best) if with_log else 0.0)) / 2
        gap = abs(before.value - after.value - said) - before.error - after.error
        tally.add(-gap, means=tuple(means.tolist()), variances=tuple(variances.tolist()))
    return tally.check()
