r"""Checks on random Gaussians: what coverage must be, how deviations compare, which method is ahead in the plane."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd
from flint import arb, ctx
from scipy.stats import norm

from mollified._validate import (
    check_count,
    check_each,
    check_eps,
    check_fraction,
    check_fractions,
    check_interval,
    check_trials,
)
from mollified.ball_mbde import BITS, ball
from mollified.bounds import gain_upper
from mollified.checks import Check, Tally
from mollified.gaussian import Gaussian
from mollified.studies.random_experiment import deviation_interval
from mollified.targets import random_1d

__all__ = [
    "coverage_floor",
    "domain_as_printed",
    "often_smaller",
    "plane_order",
    "ratios_below",
    "upper_factor_below",
]

#: The share of the model that its high-density region holds.
LEVEL = Fraction(95, 100)


def _beyond(radius: arb) -> arb:
    """Return the mass of the standard Gaussian outside [-radius, radius]."""
    return 1 - (radius / arb(2).sqrt()).erf()


def coverage_floor(
    *, eps: Sequence[Fraction], least: Fraction, mean: Fraction | None = None, rounds: int = 3, level: Fraction = LEVEL
) -> Check:
    r"""Check that every output covers at least `least` of every target of narrow Gaussians with means in [0, 1].

    Certified, for every network and all m. If $\log Q_T/Q_0$ has its values in an interval of length $\omega$, then a
    point x with $x^2\le R^2-2\omega$ is denser under $Q_T$ than all outside $[-R,R]$; if those have more than 5 % of
    $Q_T$, for which $Q_0(|y|>R)>\frac{0.05e^\omega}{0.95+0.05e^\omega}$ is enough, x lies in the 95 % region. The
    components have standard deviation 0.1; the worst mean is 1, or `mean` where given. Raises ValueError or TypeError
    for values that are not rationals in their ranges.
    """
    budgets, least = check_fractions("eps", eps), check_fraction("least", least, above=0)
    centre = Fraction(1) if mean is None else check_fraction("mean", mean)
    rounds, level = check_count("rounds", rounds), check_fraction("level", level, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for budget in budgets:
            width = gain_upper(ball(check_fraction("eps", budget, above=0)), rounds, form="corrected")
            grown = width.exp() * ball(1 - level)
            needed = grown / (ball(level) + grown)
            radius = ball(Fraction(norm.isf(float(needed.mid()) / 2) - 1e-9).limit_denominator(10**12))
            square = radius * radius - 2 * width
            if not bool(_beyond(radius) > needed) or not bool(square > 0):
                tally.add(-1.0, decided=False, eps=budget, reach="none")
                continue
            reach = square.sqrt()
            ends = [(10 * (edge - ball(centre)) / arb(2).sqrt()).erf() for edge in (reach, -reach)]
            covered = (ends[0] - ends[1]) / 2
            slack = covered - ball(least)
            tally.add(
                float(slack.mid()),
                decided=bool(slack > 0),
                eps=budget,
                reach=float(reach.mid()),
                covered=float(covered.mid()),
            )
    return tally.check()


def domain_as_printed(rng: np.random.Generator, instances: int, *, variance: float = 0.01) -> Check:
    """Check that random placements are what the text says: m components, means in [0, 1], variance 0.01. In floats.

    `variance` is what the targets are made with. Raises ValueError or TypeError for a bad rng or number.
    """
    rng, instances = check_trials(rng, instances)
    made, tally = check_eps("variance", variance), Tally("float", tolerance=1e-12)
    for index in range(instances):
        m = 1 + index % 10
        target = random_1d(m, rng, made)
        parts = [item for item in target.components if isinstance(item, Gaussian)]
        means = np.array([float(item.mean[0]) for item in parts])
        spreads = np.array([float(np.ravel(item.covariance)[0]) for item in parts])
        margin = min(float(means.min()), float(1 - means.max()))
        miss = max(abs(len(parts) - m), float(np.abs(spreads - 0.01).max()), abs(float(target.weights.sum()) - 1))
        tally.add(margin - miss if miss > 1e-12 else margin, m=m, means=means.round(6).tolist(), miss=miss)
    return tally.check()


def often_smaller(
    table: pd.DataFrame, *, placement: str, unit: str, factor: float = 100.0, share: float = 1 / 3
) -> Check:
    """Check that the deviation of MBDE is `factor` times smaller than DPB's in at least a `share` of the cells.

    `table` is that of `spread_of_methods`; an instance is a variant of MBDE (clip, tanh), a cell a pair of m and eps,
    the margin the share in excess. Raises ValueError or TypeError for another table, placement or unit.
    """
    columns = {"placement", "method", "m", "eps", "deviation"}
    if not isinstance(table, pd.DataFrame) or not columns <= set(table.columns):
        raise TypeError(f"table must be a DataFrame with columns {sorted(columns)}, got {table!r:.120}")
    if placement not in set(table["placement"]):
        raise ValueError(f"placement must be one of {sorted(set(table['placement']))}, got {placement!r}")
    if unit not in ("record", "input"):
        raise ValueError(f"unit must be record or input, got {unit!r}")
    factor, share = check_eps("factor", factor), check_interval("share", share, 0.0, 1.0)
    rows = table[table["placement"] == placement]
    wide = rows.pivot_table(index=["m", "eps"], columns="method", values="deviation")
    tally = Tally("float")
    for variant in ("clip", "tanh"):
        ratio = wide[unit] / wide[variant]
        found = float((ratio >= factor).mean())
        tally.add(found - share, variant=variant, cells=len(ratio), share=found, largest=float(ratio.max()))
    return tally.check()


def plane_order(table: pd.DataFrame, *, first: Sequence[str], second: str, half_width: float) -> Check:
    """Check that each method of `first` has a lower mean loss than `second` for each m and budget of one scale.

    Means are over placements. `table` is that of `plane_losses`; the margin is in nats. Raises ValueError or TypeError
    for another table, method or scale.
    """
    columns = {"half_width", "m", "repeat", "method", "eps", "nll"}
    if not isinstance(table, pd.DataFrame) or not columns <= set(table.columns):
        raise TypeError(f"table must be a DataFrame with columns {sorted(columns)}, got {table!r:.120}")
    known = set(table["method"])
    if not isinstance(first, Sequence) or isinstance(first, str) or not set(first) <= known:
        raise ValueError(f"first must be methods of {sorted(known)}, got {first!r}")
    if second not in known:
        raise ValueError(f"second must be a method of {sorted(known)}, got {second!r}")
    rows = table[(table["half_width"] == check_eps("half_width", half_width)) & (table["eps"] > 0)]
    if rows.empty:
        raise ValueError(f"half_width must be one of {sorted(set(table['half_width']))}, got {half_width!r}")
    wide = rows.pivot_table(index=["m", "eps"], columns="method", values="nll", aggfunc="mean")
    tally = Tally("float")
    for method in first:
        pairs = wide[[method, second]].set_axis(["loss", "other"], axis=1).reset_index()
        for m, eps, loss, other in pairs.itertuples(index=False, name=None):
            tally.add(other - loss, m=m, eps=eps, method=method, loss=loss, other=other)
    return tally.check()


def ratios_below(table: pd.DataFrame, *, placement: str, factor: float) -> Check:
    """Check that DPB's deviation is less than `factor` times MBDE's in every cell, in both units and variants.

    The margin is in powers of ten. `table` is that of `spread_of_methods`. Raises as `often_smaller`.
    """
    often_smaller(table, placement=placement, unit="record", factor=factor)
    rows = table[table["placement"] == placement]
    wide = rows.pivot_table(index=["m", "eps"], columns="method", values="deviation")
    tally = Tally("float")
    for variant in ("clip", "tanh"):
        for unit in ("record", "input"):
            ratios = (wide[unit] / wide[variant]).rename("ratio").reset_index()
            for m, eps, ratio in ratios.itertuples(index=False, name=None):
                tally.add(float(np.log10(factor / ratio)), m=m, eps=eps, unit=unit, variant=variant, ratio=float(ratio))
    return tally.check()


def _check_several(name: str, value: object) -> int:
    return check_count(name, value, minimum=2)


def upper_factor_below(*, repeats: Sequence[int], limit: float) -> Check:
    """Check that the upper factor of the 95 % interval of a deviation is below `limit`, for each number of repeats.

    Raises ValueError or TypeError for fewer than two repeats or a limit that is not > 0.
    """
    limit = check_eps("limit", limit)
    tally = Tally("float")
    for count in check_each("repeats", repeats, _check_several):
        tally.add(limit - deviation_interval(count)[1], repeats=count)
    return tally.check()
